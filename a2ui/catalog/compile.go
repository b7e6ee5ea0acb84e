package catalog

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/v08"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Compile reads a catalog document for clients of d and turns it into tables for
// a Validator. The error is an *Error. See Document.Compile.
func Compile(doc []byte, d a2ui.Dialect) (*a2ui.Catalog, error) {
	document, err := DecodeDocument(doc, Options{Dialect: d})
	if err != nil {
		return nil, err
	}
	return document.Compile()
}

// The bounds of a document that is compiled, beyond those of its reading.
const (
	maxSchemas = 50_000 // schemas, each counted as often as it is referred to
	maxNested  = 32     // schemas inside one another, through $ref too
	maxRows    = 64     // properties of a component, arguments of a function
	maxMembers = 256    // properties of any object
	maxPattern = 1 << 10
	perSchema  = 16 // values of keywords that count as much as a schema
)

// Compile turns the schemas into the tables that the basic catalogs are made of:
// once, at registration; the result is shared by all validators. v0.8 schemas
// describe the wire form, so they are read backwards: {literalString, path} is a
// text, types and properties of the standard catalog get their neutral names, and
// as v0.8 has no type for references, a text named child or …Child is one.
//
// Schemas are the subset of JSON Schema that catalogs use: type, properties,
// required, additionalProperties, unevaluatedProperties, items, enum, const,
// oneOf, anyOf, allOf, $ref (to the common types and within the document), and
// minimum, maximum, minLength, maxLength, minItems, maxItems, pattern (RE2) and
// format. Annotations are skipped. Whatever else could refuse a message is an
// *Error with its keyword and place, so that nothing is taken that the author
// forbade. oneOf is read as anyOf.
func (d *Document) Compile() (*a2ui.Catalog, error) {
	c := &compiler{doc: d, find: pointers{doc: d.data}, f: d.dialect.Features(), reserved: d.dialect == a2ui.V10,
		left: maxSchemas}
	out := &a2ui.Catalog{ID: d.id, Protocol: d.dialect.Protocol(), Components: map[string]*a2ui.ComponentDef{},
		Functions: map[string]*a2ui.FunctionDef{}}
	for _, m := range d.Components() {
		def, err := c.component(m)
		if err != nil {
			return nil, err
		}
		out.Components[def.Name] = def
	}
	for i, m := range d.Functions() {
		def, err := c.function(m, i)
		if err != nil {
			return nil, err
		}
		out.Functions[m.Key] = def
	}
	return out, c.theme(out)
}

// compiler walks one document.
type compiler struct {
	doc      *Document
	find     pointers // into it
	f        a2ui.Features
	reserved bool     // members of the component envelope have an @
	left     int      // schemas that may still be read
	at       []string // place in the document
	nested   int
	refs     []string // being followed
}

func (c *compiler) fail(keyword, format string, args ...any) *Error {
	path := c.at
	if keyword != "" {
		path = append(path[:len(path):len(path)], keyword)
	}
	return &Error{Path: jsonptr.Join(path...), Keyword: keyword, Message: fmt.Sprintf(format, args...)}
}

func (c *compiler) component(m a2ui.Member) (*a2ui.ComponentDef, error) {
	c.at = append(c.at[:0], "components", m.Key)
	if c.f.Inline && m.Key == "Surface" {
		return nil, c.fail("", "the name Surface is reserved")
	}
	def := &a2ui.ComponentDef{Name: m.Key}
	var err error
	rest := m.Value
	if def.Parents, rest, err = c.names(rest, "allowedParents"); err != nil {
		return nil, err
	}
	if def.Children, rest, err = c.names(rest, "allowedChildren"); err != nil {
		return nil, err
	}
	s, err := c.schema(drop(rest, "metadata"))
	if err != nil {
		return nil, err
	}
	if s.free() {
		s.Kind, s.open = wire.ObjectOf, !s.closed
	}
	if s.Kind != wire.ObjectOf || s.some != nil {
		return nil, c.fail("", "a component is an object of properties")
	}
	if kind := s.named("component"); kind != nil && kind.Kind == wire.Enum && !slices.Contains(kind.Enum, m.Key) {
		return nil, c.fail("", "the component %q says it is %q", m.Key, kind.Enum[0])
	}
	if def.Open = s.open && !s.closed; c.f.Inline && !s.opened {
		def.Open = false // the envelope closes it
	}
	if c.f.CreateLast {
		c.old(def, s.Fields)
	} else {
		c.rows(def, s.Fields)
	}
	if len(def.Props) > maxRows {
		return nil, c.fail("properties", "a component has at most %d properties", maxRows)
	}
	return def, nil
}

// rows are the properties of a component after its envelope: what every
// component has by its neutral name.
func (c *compiler) rows(def *a2ui.ComponentDef, fields []a2ui.PropDef) {
	for _, f := range fields {
		switch f.Name {
		case "id", "component", "weight", "catalogId", "@catalogId":
			if f.Name != "catalogId" || c.f.OwnCatalogs && !c.reserved {
				continue
			}
		case "accessibility", "checks", "metadata":
			if c.reserved {
				f.Name = "@" + f.Name // a property of the component's own
			}
		case "@accessibility", "@checks", "@metadata":
			f.Name = f.Name[1:]
		}
		def.Props = append(def.Props, f)
	}
	if c.f.Inline {
		for _, f := range []a2ui.PropDef{wire.Opt("accessibility", wire.A11y), wire.Opt("metadata", wire.Metadata)} {
			if p, _ := def.Find(f.Name); p == nil {
				def.Props = append(def.Props, f)
			}
		}
	}
}

// old are the properties of a v0.8 component by their neutral names.
func (c *compiler) old(def *a2ui.ComponentDef, fields []a2ui.PropDef) {
	wireName := def.Name
	def.Name = v08.TypeName(wireName)
	for _, f := range fields {
		rows := v08.Rows(wireName, f.Name)
		if rows == nil {
			def.Props = append(def.Props, f)
			continue
		}
		if f.Kind != rows[0].Kind && rows[0].Kind != wire.Enum { // it means something else by the name
			f.Name = rows[0].Name
			def.Props = append(def.Props, f)
			continue
		}
		for _, row := range rows {
			if p, _ := def.Find(row.Name); p != nil {
				continue
			}
			if row.Kind == f.Kind && len(rows) == 1 && f.Kind != wire.Enum {
				row.Enum, row.Bounds, row.Fields, row.Item, row.Any, row.Open = f.Enum, f.Bounds, f.Fields, f.Item,
					f.Any, f.Open
			}
			if row.Kind == wire.Enum && f.Kind == wire.Enum {
				row.Enum = nil
				for _, v := range f.Enum {
					row.Enum = append(row.Enum, v08.EnumValue(v))
				}
			}
			row.Required = f.Required
			def.Props = append(def.Props, row)
		}
	}
}

// names takes a list of component types out of a schema.
func (c *compiler) names(v a2ui.Data, key string) ([]string, a2ui.Data, error) {
	list, ok := v.Get(key)
	if !ok {
		return nil, v, nil
	}
	out := []string{}
	for _, item := range list.Items {
		if item.Kind != jsonx.String || slices.Contains(out, item.Str) {
			list.Kind = jsonx.Null
			break
		}
		out = append(out, item.Str)
	}
	if list.Kind != jsonx.Array {
		return nil, v, c.fail(key, "%s is a list of different names", key)
	}
	return out, drop(v, key), nil
}

var returns = []string{"string", "number", "boolean", "array", "object", "validationResult", "any", "void"}

func (c *compiler) function(m a2ui.Member, place int) (*a2ui.FunctionDef, error) {
	c.at = append(c.at[:0], "functions", m.Key)
	if c.doc.data.At("functions").Kind == jsonx.Array {
		c.at[1] = strconv.Itoa(place)
	}
	def := &a2ui.FunctionDef{Name: m.Key}
	rest, err := c.callable(def, m.Value)
	if err != nil {
		return nil, err
	}
	var args schema
	if parameters, ok := rest.Get("parameters"); ok {
		args, err = c.parameters(parameters)
	} else {
		args, err = c.call(def, rest)
	}
	if err != nil {
		return nil, err
	}
	if args.free() {
		args.Kind = wire.ObjectOf
	}
	if args.Kind != wire.ObjectOf || len(args.Fields) > maxRows {
		return nil, c.fail("", "arguments are an object of at most %d members", maxRows)
	}
	def.Args, def.Open, def.OneOf = args.Fields, args.open && !args.closed, args.some
	return def, nil
}

// callable takes the members that only function definitions have.
func (c *compiler) callable(def *a2ui.FunctionDef, v a2ui.Data) (a2ui.Data, error) {
	if r, ok := v.Get("returnType"); ok {
		if def.Returns = r.Text(); !slices.Contains(returns, def.Returns) {
			return v, c.fail("returnType", "unknown returnType %q", def.Returns)
		}
	}
	if callers, ok := v.Get("allowedCallers"); ok {
		at := slices.Index([]string{"rendererOnly", "agentOnly", "rendererOrAgent"}, callers.Text())
		if at < 0 {
			return v, c.fail("allowedCallers", "unknown allowedCallers %q", callers.Text())
		}
		def.Callers = a2ui.Callers(at)
	}
	if activation, ok := v.Get("requiresUserActivation"); ok {
		if def.Activation = activation.Bool; activation.Kind != jsonx.Bool {
			return v, c.fail("requiresUserActivation", "requiresUserActivation is true or false")
		}
		if def.Activation && def.Callers != a2ui.RendererOnly {
			return v, c.fail("allowedCallers", "a function that needs the user's activation is rendererOnly")
		}
	}
	return filter(v, func(m a2ui.Member) bool {
		return m.Key != "returnType" && m.Key != "allowedCallers" && m.Key != "requiresUserActivation"
	}), nil
}

// parameters are the arguments of an inline catalog: a schema, or schemas by
// name.
func (c *compiler) parameters(v a2ui.Data) (schema, error) {
	c.at = append(c.at, "parameters")
	if oneSchema(v) {
		return c.schema(v)
	}
	return c.properties(v)
}

// call reads the schema of a call: {call, args, returnType}.
func (c *compiler) call(def *a2ui.FunctionDef, v a2ui.Data) (args schema, err error) {
	s, err := c.schema(v)
	if err != nil || s.free() {
		return schema{}, err
	}
	if s.Kind != wire.ObjectOf {
		return args, c.fail("", "a function is an object with call and args")
	}
	for _, f := range s.Fields {
		switch f.Name {
		case "call", "@call":
			if f.Kind == wire.Enum && !slices.Contains(f.Enum, def.Name) {
				return args, c.fail("", "the function %q says it is %q", def.Name, f.Enum[0])
			}
		case "args":
			args = schema{PropDef: f, open: f.Open, some: s.argsSome}
		case "returnType":
			if f.Kind == wire.Enum && len(f.Enum) == 1 && def.Returns == "" {
				def.Returns = f.Enum[0]
			}
		case "catalogId":
		default:
			return args, c.fail("", "a call has no member %q", f.Name)
		}
	}
	return args, nil
}

func (c *compiler) theme(out *a2ui.Catalog) error {
	v := c.doc.Theme()
	if v.Kind != jsonx.Object || !c.f.Theme {
		out.ThemeOpen = c.f.Theme // a catalog that says nothing of themes forbids none
		return nil
	}
	c.at = append(c.at[:0], "theme")
	read := c.schema
	if len(v.Members) > 0 && !oneSchema(v) {
		read = c.properties
	}
	s, err := read(v)
	if err != nil {
		return err
	}
	if !s.free() && s.Kind != wire.ObjectOf || s.some != nil {
		return c.fail("", "a theme is an object")
	}
	out.Theme, out.ThemeOpen = s.Fields, s.open && !s.closed || s.free()
	return nil
}
