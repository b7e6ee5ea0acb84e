package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// MaxBytes is the largest document that is read, and maxDepth how deep its
// values may lie inside one another.
const (
	MaxBytes = 4 << 20
	maxDepth = 64
)

// Document is a catalog as its author wrote it: JSON Schemas by name, members
// in their order. It is immutable: what changes it returns another one that
// shares all the rest. For a Validator, compile it.
type Document struct {
	data    a2ui.Data
	id      string
	dialect a2ui.Dialect
}

// Options add the facts that a document lacks.
type Options struct {
	// ID replaces the catalogId of the document; a document without one, as
	// v0.8 allows, needs it.
	ID string
	// Dialect is the version the host reads. The default is the protocolVersion of the
	// document, which must fit if both are present; without either a document with
	// styles is v0.8 and any other v0.9, as the specification has it.
	Dialect a2ui.Dialect
}

// DecodeDocument reads one catalog document of at most MaxBytes: catalogId,
// components, functions (an object, or the list of inline catalogs), theme (on
// v0.8 styles), $defs; other members are kept. The error is an *Error.
func DecodeDocument(b []byte, o Options) (*Document, error) {
	v, err := jsonx.Parse(b, jsonx.Limits{Bytes: MaxBytes, Depth: maxDepth})
	if err != nil {
		return nil, fromJSON(err)
	}
	return NewDocument(v, o)
}

// fromJSON turns an error of the parser into one of this package.
func fromJSON(err error) *Error {
	var e *jsonx.Error
	if errors.As(err, &e) {
		return &Error{Message: fmt.Sprintf("%s at byte %d", e.Msg, e.Offset)}
	}
	return &Error{Message: err.Error()}
}

// NewDocument is DecodeDocument for a catalog that stood inside another message,
// such as an inline catalog of a client's capabilities.
func NewDocument(v a2ui.Data, o Options) (*Document, error) {
	if v.Kind != jsonx.Object {
		return nil, &Error{Message: "a catalog is an object, not " + v.Kind.String()}
	}
	d := &Document{data: v, id: o.ID}
	for _, check := range []func(Options) error{d.checkID, d.checkMembers, d.checkDialect, d.checkNames} {
		if err := check(o); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *Document) checkID(Options) error {
	id, ok := d.data.Get("catalogId")
	switch {
	case ok && (id.Kind != jsonx.String || id.Str == ""):
		return &Error{Path: "/catalogId", Keyword: "catalogId", Message: "the catalogId is a text that is not empty"}
	case d.id != "":
		if ok {
			d.data = set(d.data, "catalogId", jsonx.Of(d.id))
		}
		return nil
	case !ok:
		return &Error{Keyword: "catalogId", Message: "the catalog has no catalogId, and none was given"}
	}
	d.id = id.Str
	return nil
}

// checkMembers refuses members that hold no schemas by name.
func (d *Document) checkMembers(Options) error {
	for _, name := range []string{"components", "styles", "theme", "$defs"} {
		v, ok := d.data.Get(name)
		if ok && v.Kind != jsonx.Object {
			return &Error{Path: "/" + name, Keyword: name, Message: name + " is an object"}
		}
	}
	for _, m := range d.data.At("components").Members {
		if m.Key == "" || !isSchema(m.Value) {
			return &Error{Path: jsonptr.Join("components", m.Key), Keyword: "components",
				Message: "a component is a name and a JSON Schema"}
		}
	}
	return d.checkFunctions()
}

func (d *Document) checkFunctions() error {
	v, ok := d.data.Get("functions")
	if !ok {
		return nil
	}
	if v.Kind != jsonx.Object && v.Kind != jsonx.Array {
		return &Error{Path: "/functions", Keyword: "functions",
			Message: "functions is an object, or a list of objects with a name"}
	}
	for i, item := range v.Items {
		if item.Kind != jsonx.Object || item.At("name").Text() == "" {
			return &Error{Path: fmt.Sprintf("/functions/%d", i), Keyword: "functions",
				Message: "a function in a list has a name"}
		}
	}
	seen := map[string]bool{}
	for _, m := range d.functions() {
		if m.Key == "" || !isSchema(m.Value) || seen[m.Key] {
			return &Error{Path: "/functions", Keyword: "functions",
				Message: fmt.Sprintf("%q is no function, or stands twice", m.Key)}
		}
		seen[m.Key] = true
	}
	return nil
}

// checkNames holds the names of components, functions, their properties and
// arguments to be identifiers where the version asks for it. An @ before a name
// marks one of the protocol's own.
func (d *Document) checkNames(Options) error {
	if !d.dialect.Features().OwnCatalogs {
		return nil
	}
	for place, list := range map[string][]a2ui.Member{"components": d.data.At("components").Members,
		"functions": d.functions()} {
		for _, m := range list {
			names := append([]string{m.Key}, propertyNames(m.Value)...)
			if place == "functions" {
				names = append(names, propertyNames(m.Value.At("properties").At("args"))...)
				if parameters := m.Value.At("parameters"); oneSchema(parameters) {
					names = append(names, propertyNames(parameters)...)
				} else {
					names = append(names, keys(parameters)...)
				}
			}
			for _, name := range names {
				if !wire.IsName(strings.TrimPrefix(name, "@")) {
					return &Error{Path: jsonptr.Join(place, m.Key), Keyword: "identifier",
						Message: fmt.Sprintf("the name %q is no identifier (UAX #31: letters, digits and _)", name)}
				}
			}
		}
	}
	return nil
}

// propertyNames are the properties that a schema and the parts of its allOf name.
func propertyNames(v a2ui.Data) []string {
	names := keys(v.At("properties"))
	for _, part := range v.At("allOf").Items {
		names = append(names, keys(part.At("properties"))...)
	}
	return names
}

func keys(v a2ui.Data) (out []string) {
	for _, m := range v.Members {
		out = append(out, m.Key)
	}
	return out
}

// oneSchema reports whether v is a schema rather than schemas by name.
func oneSchema(v a2ui.Data) bool {
	_, properties := v.Get("properties")
	return properties || v.At("type").Kind == jsonx.String || v.At("$ref").Kind == jsonx.String || len(v.Members) == 0
}

func isSchema(v a2ui.Data) bool { return v.Kind == jsonx.Object || v.Kind == jsonx.Bool }

// dialects are tried in this order.
var dialects = []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10RC, a2ui.V10}

func (d *Document) checkDialect(o Options) error {
	said, ok := d.data.Get("protocolVersion")
	if !ok {
		d.dialect = o.Dialect
		if d.dialect == 0 {
			d.dialect = d.guess()
		}
		return nil
	}
	version := strings.TrimPrefix(said.Text(), "v")
	for _, dialect := range dialects {
		if dialect.Protocol() != version {
			continue
		}
		d.dialect = dialect
		if o.Dialect != 0 && o.Dialect.Features() != dialect.Features() {
			return &Error{Path: "/protocolVersion", Keyword: "protocolVersion",
				Message: fmt.Sprintf("the catalog is for %s, not for %s", dialect, o.Dialect)}
		}
		if o.Dialect != 0 {
			d.dialect = o.Dialect
			return nil
		}
		if d.has("call") {
			return nil // the first that fits writes plain keys
		}
	}
	if d.dialect == 0 {
		return &Error{Path: "/protocolVersion", Keyword: "protocolVersion",
			Message: fmt.Sprintf("unknown protocolVersion %q", said.Text())}
	}
	return nil
}

// guess is for a document that says no version.
func (d *Document) guess() a2ui.Dialect {
	for _, dialect := range dialects {
		theme := dialect.Features().ThemeMember
		if _, ok := d.data.Get(theme); ok && theme != "" {
			return dialect
		}
	}
	return a2ui.V09
}

// has reports whether a function declares the member of calls with this key.
func (d *Document) has(key string) bool {
	for _, f := range d.Functions() {
		if _, ok := f.Value.At("properties").Get(key); ok {
			return true
		}
	}
	return false
}

// ID returns the catalogId.
func (d *Document) ID() string { return d.id }

// Dialect returns the version that the catalog is for. A v1.0 document is V10RC
// if its functions have the plain key "call", else V10.
func (d *Document) Dialect() a2ui.Dialect { return d.dialect }

// Data returns the document as it was read.
func (d *Document) Data() a2ui.Data { return d.data }

// Components returns the schemas of the components by name, in their order. Where
// $defs.anyComponent lists components of the document, those alone.
func (d *Document) Components() []a2ui.Member {
	return d.permitted("components", "anyComponent", d.data.At("components").Members)
}

// permitted keeps the members that a union of $defs names, all where it names none.
func (d *Document) permitted(place, union string, members []a2ui.Member) []a2ui.Member {
	names, followed := map[string]bool{}, map[string]bool{}
	var collect func(a2ui.Data)
	collect = func(union a2ui.Data) {
		if file, pointer, ok := strings.Cut(union.At("$ref").Text(), "#/"); ok && d.owns(file) {
			in, name, _ := strings.Cut(pointer, "/")
			name, err := jsonptr.Unescape(name)
			switch {
			case err != nil:
			case in == place:
				names[name] = true
			case in == "$defs" && !followed[name]:
				followed[name] = true
				collect(d.data.At(in).At(name))
			}
		}
		for _, alt := range slices.Concat(union.At("oneOf").Items, union.At("anyOf").Items) {
			collect(alt)
		}
	}
	collect(d.data.At("$defs").At(union))
	if len(names) == 0 {
		return members
	}
	return slices.DeleteFunc(slices.Clone(members), func(m a2ui.Member) bool { return !names[m.Key] })
}

// owns reports whether a reference to a file means this document.
func (d *Document) owns(file string) bool {
	return file == "" || file == "catalog.json" || file == d.id || file == d.data.At("$id").Text()
}

// Functions returns the definitions of the functions by name, in their order;
// those of a list without their name member. Where $defs.anyFunction lists
// functions of the document, those alone.
func (d *Document) Functions() []a2ui.Member {
	return d.permitted("functions", "anyFunction", d.functions())
}

func (d *Document) functions() []a2ui.Member {
	v := d.data.At("functions")
	if v.Kind != jsonx.Array {
		return v.Members
	}
	out := make([]a2ui.Member, 0, len(v.Items))
	for _, item := range v.Items {
		out = append(out, a2ui.Member{Key: item.At("name").Text(), Value: drop(item, "name")})
	}
	return out
}

// Theme returns the schema of the theme; on v0.8, where it is called styles,
// schemas by name. Null if the catalog has none, or its version.
func (d *Document) Theme() a2ui.Data {
	if d.dialect.Features().ThemeMember == "" {
		return a2ui.Data{}
	}
	for _, v := range []a2ui.Data{d.data.At("styles"), d.data.At("theme"), d.data.At("$defs").At("theme")} {
		if v.Kind == jsonx.Object {
			return v
		}
	}
	return a2ui.Data{}
}

// Instructions returns the catalog's instructions for a model, in Markdown; or "".
func (d *Document) Instructions() string { return d.data.At("instructions").Text() }

// Schema returns the catalog as a document that represents itself in its
// version: with $schema, protocolVersion and catalogId, the theme under the name
// of that version, functions by name, and $defs.anyComponent, $defs.anyFunction
// and $defs.theme, to which the schema of the messages refers.
func (d *Document) Schema() a2ui.Data {
	f := d.dialect.Features()
	theme := d.Theme()
	out := set(d.data, "protocolVersion", jsonx.Of(d.dialect.Protocol()))
	out = set(out, "$schema", jsonx.Of("https://json-schema.org/draft/2020-12/schema"))
	out = set(out, "catalogId", jsonx.Of(d.id))
	out = set(out, "components", jsonx.OfObject(d.Components()...))
	if functions := d.Functions(); functions != nil {
		out = set(out, "functions", jsonx.OfObject(functions...))
	}
	out = drop(drop(drop(out, "styles"), "theme"), "$defs")
	if f.ThemeMember != "" && theme.Kind == jsonx.Object {
		out = set(out, f.ThemeMember, theme)
	}
	return set(out, "$defs", d.anyDefs(f.ThemeMember, theme))
}

// anyDefs returns $defs with the unions of all components and functions.
func (d *Document) anyDefs(themeMember string, theme a2ui.Data) a2ui.Data {
	defs := jsonx.OfObject(d.data.At("$defs").Members...)
	if list := d.Components(); len(list) > 0 {
		defs = set(defs, "anyComponent", unionOf("components", list))
	}
	if list := d.Functions(); len(list) > 0 {
		defs = set(defs, "anyFunction", unionOf("functions", list))
	}
	if themeMember != "" && theme.Kind == jsonx.Object {
		defs = set(defs, "theme", theme)
	}
	return defs
}

// unionOf is a schema that takes what one of the members of a place takes.
func unionOf(place string, members []a2ui.Member) a2ui.Data {
	refs := make([]a2ui.Data, 0, len(members))
	for _, m := range members {
		refs = append(refs, jsonx.OfObject(
			a2ui.Member{Key: "$ref", Value: jsonx.Of("#" + jsonptr.Join(place, m.Key))}))
	}
	union := jsonx.OfObject(a2ui.Member{Key: "oneOf", Value: jsonx.OfArray(refs...)})
	if place == "components" {
		tells := jsonx.OfObject(a2ui.Member{Key: "propertyName", Value: jsonx.Of("component")})
		union = set(union, "discriminator", tells)
	}
	return union
}

// with returns the document with other contents and the same id and dialect.
func (d *Document) with(data a2ui.Data) *Document {
	return &Document{data: data, id: d.id, dialect: d.dialect}
}
