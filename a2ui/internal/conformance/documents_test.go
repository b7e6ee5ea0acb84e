package conformance

import (
	"encoding/json"
	"errors"
	"fmt"

	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/internal/jsonx"
)

// core/catalog_documents and core/catalog_prune_and_load.
func init() {
	register("from_json", runFromJSON)
	register("catalog_schema", runCatalogSchema)
	register("prune", runPrune)
	register("render", runRender)
	register("load", runLoad)
	register("remove_strict_validation", runLenient)
	register("verify_cuttable_keys", runCuttableKeys)
}

// catalogReasons are the texts of other SDKs about catalogs, with the keyword or
// the words by which the product says the same.
var catalogReasons = []struct {
	text *regexp.Regexp
	ours string
}{
	{regexp.MustCompile(`(?i)catalog_?id must be provided|missing (a )?'?catalog_?id|catalog_?id is required`), "catalogId"},
	{regexp.MustCompile(`(?i)inline catalog`), "inlineCatalogs"},
	{regexp.MustCompile(`(?i)no client-supported catalog|no .*catalog.* found|no supported catalog`), "supportedCatalogIds"},
	{regexp.MustCompile(`(?i)failed to (validate|load|parse) example`), "example"},
	{regexp.MustCompile(`(?i)\$?ref\b|resolve|definition`), "$ref"},
	{regexp.MustCompile(`(?i)version`), "protocolVersion"},
	{regexp.MustCompile(`UAX|identifier`), "identifier"},
}

// wantCatalogError compares an error of package catalog with the one a case
// expects, which must be a CatalogError.
func wantCatalogError(raw json.RawMessage, err error) error {
	if raw == nil {
		return err
	}
	w, wantErr := parseWant(raw)
	if wantErr != nil {
		return wantErr
	}
	if err == nil {
		return fmt.Errorf("no error, want %s", w)
	}
	if w.Category != "" && w.Category != catalogError || w.Code != "" || w.Details != nil {
		return fmt.Errorf("want %s, got a CatalogError: %w", w, err)
	}
	if w.Message == "" || strings.Contains(err.Error(), w.Message) {
		return nil
	}
	var e *catalog.Error
	text := err.Error()
	if errors.As(err, &e) {
		text += " " + e.Keyword
	}
	for _, r := range catalogReasons {
		if r.text.MatchString(w.Message) {
			if strings.Contains(text, r.ours) {
				return nil
			}
			return fmt.Errorf("want %s, got another reason: %w", w, err)
		}
	}
	return fmt.Errorf("the harness has no row for the expected text %q", w.Message)
}

// catalogDialect is the version of a case about catalogs, 0 when it says none.
func (c *testCase) catalogDialect() (a2ui.Dialect, error) {
	switch version := c.version(); version {
	case "":
		return 0, nil
	case "v0.9": // a document says which of the two it is
		return a2ui.V09, nil
	default:
		return dialectOf(version, c.text("dialect"))
	}
}

// folders are the folders of the specification by protocol version.
var folders = map[string]string{"0.9": "v0_9", "0.9.1": "v0_9_1", "1.0": "v1_0"}

// commonTypes returns the published common types of a version; Null when it has
// none.
func (c *testCase) commonTypes(d a2ui.Dialect) (a2ui.Data, error) {
	folder := folders[d.Protocol()]
	if folder == "" {
		return a2ui.Data{}, nil
	}
	b, err := os.ReadFile(c.path("../spec/" + folder + "/json/common_types.json"))
	if err != nil {
		return a2ui.Data{}, err
	}
	return jsonx.Parse(b, jsonx.Limits{})
}

// document reads the catalog of the case.
func (c *testCase) document(id string) (*catalog.Document, error) {
	d, err := c.catalogDialect()
	if err != nil {
		return nil, err
	}
	raw := c.get("catalog")
	if path := c.text("catalogPath"); path != "" {
		if raw, err = c.file(path); err != nil {
			return nil, err
		}
	}
	return catalog.DecodeDocument(raw, catalog.Options{ID: id, Dialect: d})
}

func runFromJSON(c *testCase) error {
	if err := c.only("catalogId", "catalog", "catalogPath", "expect", "expectError"); err != nil {
		return err
	}
	read, err := c.document(c.text("catalogId", "catalog_id"))
	doc := read
	if err == nil {
		var common a2ui.Data
		if common, err = c.commonTypes(read.Dialect()); err != nil {
			return err
		}
		doc, err = read.Expand(common)
	}
	if raw := c.get("expectError", "expect_error"); raw != nil || err != nil {
		return wantCatalogError(raw, err)
	}
	if c.text("catalogPath") != "" {
		return published(c.get("expect"), read, doc)
	}
	empty := jsonx.OfObject()
	theme := doc.Theme()
	if theme.Kind == jsonx.Null {
		theme = empty
	}
	return wantMembers(c.get("expect"), jsonx.OfObject(
		a2ui.Member{Key: "catalogId", Value: jsonx.Of(doc.ID())},
		a2ui.Member{Key: "protocolVersion", Value: jsonx.Of(doc.Dialect().Protocol())},
		a2ui.Member{Key: "components", Value: jsonx.OfObject(doc.Components()...)},
		a2ui.Member{Key: "functions", Value: jsonx.OfObject(doc.Functions()...)},
		a2ui.Member{Key: "theme", Value: theme},
	))
}

// published looks at what a case says of a published catalog: that it needs no
// other document, and which components it takes.
func published(expect json.RawMessage, doc, expanded *catalog.Document) error {
	var want struct {
		SelfContained                      bool
		ValidComponents, InvalidComponents []json.RawMessage
	}
	if err := decodeStrict(expect, &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	if want.SelfContained {
		if err := resolves(expanded.Schema(), expanded.Schema()); err != nil {
			return err
		}
	}
	compiled, err := doc.Compile()
	if err != nil {
		return err
	}
	for i, component := range slices.Concat(want.ValidComponents, want.InvalidComponents) {
		raw := fmt.Appendf(nil, `{"version":%q,"updateComponents":{"surfaceId":"s","components":[%s]}}`,
			withV(doc.Dialect().Protocol()), component)
		m, err := a2ui.DecodeMessageAs(doc.Dialect(), raw)
		if err == nil {
			rules := a2ui.Rules{Dialect: doc.Dialect(), Catalog: compiled, Partial: true}
			if problems := a2ui.Validate(rules, []a2ui.Message{m}); len(problems) > 0 {
				err = &problems[0]
			}
		}
		if (err == nil) != (i < len(want.ValidComponents)) {
			return fmt.Errorf("component %s: %w", component, err)
		}
	}
	return nil
}

// resolves follows every reference of a schema inside the document.
func resolves(doc, v a2ui.Data) error {
	for _, item := range v.Items {
		if err := resolves(doc, item); err != nil {
			return err
		}
	}
	for _, m := range v.Members {
		if m.Key == "$ref" && m.Value.Kind == jsonx.String {
			at := doc
			for _, seg := range strings.Split(strings.TrimPrefix(m.Value.Str, "#/"), "/") {
				at = at.At(seg)
			}
			if at.Kind == jsonx.Null {
				return fmt.Errorf("the reference %q leads to nothing", m.Value.Str)
			}
		}
		if err := resolves(doc, m.Value); err != nil {
			return err
		}
	}
	return nil
}

func runCatalogSchema(c *testCase) error {
	if err := c.only("catalogId", "catalog", "catalogPath", "expect", "expectCatalog", "expectError"); err != nil {
		return err
	}
	id := c.text("catalogId", "catalog_id")
	var head struct{ CatalogID string }
	if _ = json.Unmarshal(c.get("catalog"), &head); id == "" && head.CatalogID == "" {
		id = "conformance" // the cases of v0.8 have none
	}
	doc, err := c.document(id)
	if raw := c.get("expectError", "expect_error"); raw != nil || err != nil {
		return wantCatalogError(raw, err)
	}
	if raw := c.get("expectCatalog"); raw != nil {
		return c.inlined(raw, doc)
	}
	return wantMembers(c.get("expect"), doc.Schema())
}

// inlined compares a document with a published one, whose common types stand
// where they were referred to: what one takes the other takes, component by
// component and function by function.
func (c *testCase) inlined(expect json.RawMessage, doc *catalog.Document) error {
	var want struct{ CatalogPath, CommonTypesPath string }
	if err := decodeStrict(expect, &want); err != nil {
		return fmt.Errorf("expectCatalog: %w", err)
	}
	other, err := c.file(want.CatalogPath)
	if err != nil {
		return err
	}
	raw, err := c.file(want.CommonTypesPath)
	if err != nil {
		return err
	}
	common, err := jsonx.Parse(raw, jsonx.Limits{})
	if err != nil {
		return err
	}
	publ, err := catalog.DecodeDocument(other, catalog.Options{Dialect: doc.Dialect()})
	if err != nil {
		return err
	}
	full, err := publ.Expand(common)
	if err != nil {
		return err
	}
	mine, err := doc.Expand(common)
	if err != nil {
		return err
	}
	if err := resolves(mine.Schema(), mine.Schema()); err != nil {
		return err
	}
	for _, part := range [][2][]a2ui.Member{{publ.Components(), doc.Components()}, {publ.Functions(), doc.Functions()},
		{full.Components(), mine.Components()}, {full.Functions(), mine.Functions()}} {
		if err := sameData(jsonx.OfObject(part[0]...), jsonx.OfObject(part[1]...)); err != nil {
			return err
		}
	}
	return sameData(full.Theme(), mine.Theme())
}

// wantMembers compares the members that are expected with those that came: each
// exactly, but versions with or without v, and the unions of $defs in any order;
// anyFunction may be there unasked, because v0.9 has it too.
func wantMembers(expect json.RawMessage, got a2ui.Data) error {
	want, err := jsonx.Parse(expect, jsonx.Limits{})
	if err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	for _, m := range want.Members {
		have, ok := got.Get(m.Key)
		if !ok {
			return fmt.Errorf("no %s", m.Key)
		}
		w := m.Value
		switch m.Key {
		case "protocolVersion":
			w = jsonx.Of(strings.TrimPrefix(w.Text(), "v"))
		case "$defs":
			have = sortUnions(without(have, "anyFunction", w))
			w = sortUnions(w)
			if union := w.At("anyComponent"); union.Kind == jsonx.Object { // the older cases have no discriminator
				for i, def := range have.Members {
					if def.Key == "anyComponent" {
						have.Members[i].Value = without(def.Value, "discriminator", union)
					}
				}
			}
		}
		if err := sameData(w, have); err != nil {
			return fmt.Errorf("%s: %w", m.Key, err)
		}
	}
	return nil
}

// sameData compares two values, members in any order.
func sameData(want, got a2ui.Data) error {
	w, g := string(jsonx.AppendCanonical(nil, want)), string(jsonx.AppendCanonical(nil, got))
	if w != g {
		return fmt.Errorf("got %s, want %s", g, w)
	}
	return nil
}

// without drops a member that is not wanted.
func without(v a2ui.Data, key string, want a2ui.Data) a2ui.Data {
	if _, ok := want.Get(key); ok {
		return v
	}
	v.Members = slices.DeleteFunc(slices.Clone(v.Members), func(m a2ui.Member) bool { return m.Key == key })
	return v
}

func sortUnions(defs a2ui.Data) a2ui.Data {
	out := jsonx.OfObject()
	for _, m := range defs.Members {
		def := jsonx.OfObject()
		for _, k := range m.Value.Members {
			if k.Key == "oneOf" {
				k.Value.Items = slices.SortedFunc(slices.Values(k.Value.Items), func(a, b a2ui.Data) int {
					return strings.Compare(string(jsonx.AppendCanonical(nil, a)), string(jsonx.AppendCanonical(nil, b)))
				})
			}
			def.Members = append(def.Members, k)
		}
		out.Members = append(out.Members, a2ui.Member{Key: m.Key, Value: def})
	}
	return out
}

// bundle is the catalog of a case of catalog_prune_and_load.
type bundle struct {
	catalog.Schemas
	cuttable []string
}

// bundle reads the schemas of the case.
func (c *testCase) bundle() (b bundle, err error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(c.get("catalog"), &raw); err != nil {
		return b, fmt.Errorf("catalog: %w", err)
	}
	if err := known(raw, "name", "version", "protocolVersion", "s2cSchema", "commonTypesSchema", "catalogSchema",
		"customCuttableKeys"); err != nil {
		return b, err
	}
	for _, f := range []struct {
		name string
		into any
	}{{"s2cSchema", &b.Messages}, {"commonTypesSchema", &b.Common}, {"customCuttableKeys", &b.cuttable}} {
		if err := c.readMember(field(raw, f.name), f.into); err != nil {
			return b, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	var doc a2ui.Data
	if err := c.readMember(field(raw, "catalogSchema"), &doc); err != nil {
		return b, fmt.Errorf("catalogSchema: %w", err)
	}
	if doc.Kind == jsonx.Null {
		return b, nil
	}
	o := catalog.Options{}
	if o.Dialect, err = c.catalogDialect(); err != nil {
		return b, err
	}
	if _, ok := doc.Get("catalogId"); !ok {
		o.ID = "conformance"
	}
	d, err := catalog.NewDocument(doc, o)
	b.Catalogs = []*catalog.Document{d}
	return b, err
}

// readMember reads a member that holds a value or the path of a file with it.
func (c *testCase) readMember(raw json.RawMessage, into any) error {
	var name string
	switch {
	case raw == nil:
		return nil
	case json.Unmarshal(raw, &name) == nil && name != "":
		b, err := os.ReadFile(c.path(name))
		if err != nil {
			return err
		}
		raw = b
	}
	return json.Unmarshal(raw, into)
}

// args reads the args of a case, which may only have the named members.
func (c *testCase) args(names ...string) (map[string]json.RawMessage, error) {
	args := map[string]json.RawMessage{}
	if raw := c.get("args"); raw != nil {
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, fmt.Errorf("args: %w", err)
		}
	}
	return args, known(args, names...)
}

// into reads one member, if it is there.
func into(raw map[string]json.RawMessage, name string, v any) error {
	f := field(raw, name)
	if f == nil {
		return nil
	}
	if err := json.Unmarshal(f, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func runPrune(c *testCase) error {
	if err := c.only("catalog", "args", "expect"); err != nil {
		return err
	}
	args, err := c.args("allowedComponents", "allowedFunctions", "allowedMessages")
	if err != nil {
		return err
	}
	var keep catalog.Keep
	b, err := c.bundle()
	err = errors.Join(err, into(args, "allowedComponents", &keep.Components),
		into(args, "allowedFunctions", &keep.Functions), into(args, "allowedMessages", &keep.Messages))
	if err != nil {
		return err
	}
	for _, list := range []*[]string{&keep.Components, &keep.Functions, &keep.Messages} {
		if len(*list) == 0 {
			*list = nil // here an empty list means all
		}
	}
	return wantSchemas(c.get("expect"), b.Prune(keep))
}

// wantSchemas compares the schemas that a case expects, each exactly.
func wantSchemas(expect json.RawMessage, got catalog.Schemas) error {
	var want map[string]a2ui.Data
	if err := json.Unmarshal(expect, &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	for key, w := range want {
		var have a2ui.Data
		switch camel(key) {
		case "s2cSchema":
			have = got.Messages
		case "commonTypesSchema":
			have = got.Common
		case "catalogSchema":
			have = got.Catalogs[0].Data()
		default:
			return fmt.Errorf("the harness does not know the expectation %q", key)
		}
		if err := sameData(w, have); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func runRender(c *testCase) error {
	if err := c.only("catalog", "args", "expect", "expectOutput", "expectContains", "expectAbsent"); err != nil {
		return err
	}
	if _, err := c.args(); err != nil {
		return err
	}
	b, err := c.bundle()
	if err != nil {
		return err
	}
	return c.wantText(b.Text())
}

// wantText compares a text with what a case expects of it: whole, but for the
// white space of the JSON in it, or in parts.
func (c *testCase) wantText(got string) error {
	var whole *string
	var parts, absent []string
	for _, f := range []struct {
		name string
		into any
	}{{"expectOutput", &whole}, {"expectContains", &parts}, {"expectAbsent", &absent}} {
		if err := into(c.Raw, f.name, f.into); err != nil {
			return err
		}
	}
	if raw := c.get("expect"); raw != nil {
		if err := json.Unmarshal(raw, &whole); err != nil {
			return fmt.Errorf("expect: %w", err)
		}
	}
	if whole == nil && parts == nil && absent == nil {
		return errors.New("the case expects nothing")
	}
	if whole != nil && !slices.Equal(paragraphs(*whole), paragraphs(got)) {
		return fmt.Errorf("got %q, want %q", got, *whole)
	}
	for _, p := range parts {
		if !strings.Contains(got, p) && !strings.Contains(compact(got), compact(p)) {
			return fmt.Errorf("no %q in %q", p, got)
		}
	}
	for _, p := range absent {
		if strings.Contains(got, p) {
			return fmt.Errorf("%q in %q", p, got)
		}
	}
	return nil
}

// paragraphs splits a text at its headings and rewrites the JSON below each.
func paragraphs(text string) []string {
	var out []string
	body := ""
	flush := func() {
		body = strings.TrimSpace(body)
		if v, err := jsonx.Parse([]byte(body), jsonx.Limits{}); err == nil {
			body = string(jsonx.AppendCanonical(nil, v))
		}
		if body != "" {
			out = append(out, body)
		}
		body = ""
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "---") || strings.HasPrefix(line, "#") {
			flush()
			out = append(out, strings.TrimSpace(line))
			continue
		}
		body += line
	}
	flush()
	return out
}

// compact takes the white space out of a text.
func compact(text string) string { return strings.Join(strings.Fields(text), "") }

func runLoad(c *testCase) error {
	if err := c.only("catalog", "args", "expectOutput", "expectError", "expectContains", "expectAbsent", "expect"); err != nil {
		return err
	}
	args, err := c.args("path", "validate")
	if err != nil {
		return err
	}
	b, err := c.bundle()
	if err != nil {
		return err
	}
	var pattern string
	var validate bool
	if err := errors.Join(into(args, "path", &pattern), into(args, "validate", &validate)); err != nil {
		return err
	}
	check := func(catalog.Example) error { return nil }
	if validate {
		if check, err = b.checkExample(); err != nil {
			return err
		}
	}
	examples, err := catalog.LoadExamples(os.DirFS(c.root()), check, pattern)
	if raw := c.get("expectError", "expect_error"); raw != nil || err != nil {
		return wantCatalogError(raw, err)
	}
	return c.wantText(catalog.ExampleText(examples))
}

// checkExample judges examples by the message schema of the case, as its host
// would that brings one: jsonschema does it, because the product knows the
// messages of each version and takes no schema for them. Without a schema the
// product judges.
func (b bundle) checkExample() (func(catalog.Example) error, error) {
	if b.Messages.Kind == jsonx.Null {
		f, err := catalog.NewFormat(catalog.FormatConfig{Catalogs: b.Catalogs})
		if err != nil {
			return nil, err
		}
		return f.CheckExample, nil
	}
	id := b.Messages.At("$id").Text()
	if id == "" {
		id = "https://a2ui.org/conformance/s2c.json"
	}
	beside := id[:strings.LastIndexByte(id, '/')+1]
	compiler := jsonschema.NewCompiler()
	for url, v := range map[string]a2ui.Data{id: b.Messages, beside + "common_types.json": b.Common,
		beside + "catalog.json": b.Catalogs[0].Schema()} {
		var doc any
		if err := json.Unmarshal(jsonx.Append(nil, v), &doc); err != nil {
			return nil, err
		}
		object, ok := doc.(map[string]any)
		if !ok {
			continue
		}
		object["$id"] = url
		if err := compiler.AddResource(url, object); err != nil {
			return nil, err
		}
	}
	schema, err := compiler.Compile(id)
	if err != nil {
		return nil, err
	}
	return func(e catalog.Example) error {
		list, err := split(json.RawMessage(e.Text))
		if err != nil {
			return err
		}
		for _, raw := range list {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
			if err == nil {
				err = schema.Validate(v)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func runLenient(c *testCase) error {
	if err := c.only("catalog", "args", "expect"); err != nil {
		return err
	}
	args, err := c.args("schema")
	if err != nil {
		return err
	}
	var schema a2ui.Data
	var want map[string]a2ui.Data
	if err := errors.Join(into(args, "schema", &schema), into(c.Raw, "expect", &want)); err != nil {
		return err
	}
	for key, w := range want {
		if key != "schema" {
			return fmt.Errorf("the harness does not know the expectation %q", key)
		}
		if err := sameData(w, catalog.Lenient(schema)); err != nil {
			return err
		}
	}
	return nil
}

// runCuttableKeys makes a format of the case and looks at how it reads answers.
func runCuttableKeys(c *testCase) error {
	if err := c.only("catalog", "args", "expect"); err != nil {
		return err
	}
	b, err := c.bundle()
	if err != nil {
		return err
	}
	f, err := catalog.NewFormat(catalog.FormatConfig{Catalogs: b.Catalogs, Messages: b.Messages, Common: b.Common,
		Parser: a2ui.ParserOptions{Legacy: &a2ui.LegacyParser{CuttableKeys: b.cuttable}}})
	if err != nil {
		return err
	}
	var want map[string]json.RawMessage
	var keys []string
	if err := into(c.Raw, "expect", &want); err != nil {
		return err
	}
	if err := errors.Join(known(want, "customCuttableKeys"), into(want, "customCuttableKeys", &keys)); err != nil {
		return err
	}
	if got := f.ParserOptions().Legacy.CuttableKeys; !slices.Equal(got, keys) {
		return fmt.Errorf("cuttable keys %q, want %q", got, keys)
	}
	return nil
}
