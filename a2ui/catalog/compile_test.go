package catalog_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/official"
)

func ExampleCompile() {
	c, err := catalog.Compile([]byte(`{"catalogId": "charts", "components": {"Gauge": {
		"properties": {"component": {"const": "Gauge"}, "value": {"$ref": "common_types.json#/$defs/DynamicNumber"}},
		"required": ["component", "value"], "unevaluatedProperties": false}}}`), a2ui.V09)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.ID, c.Components["Gauge"].Props[0].Name, c.Components["Gauge"].Props[0].Required)
	_, err = catalog.Compile([]byte(`{"catalogId": "x", "components": {"A": {"minProperties": 2}}}`), a2ui.V09)
	fmt.Println(err)
	// Output:
	// charts value true
	// catalog: /components/A/minProperties: the keyword minProperties is not supported
}

// TestPublishedCatalogs compiles the published catalogs, property by property
// what the JSON Schemas say, and compares them with our own tables.
func TestPublishedCatalogs(t *testing.T) {
	t.Parallel()
	for d := a2ui.V08; d <= a2ui.V10; d++ {
		for name, own := range map[string]*a2ui.Catalog{"basic": a2ui.Basic(d), "minimal": a2ui.Minimal(d)} {
			if own == nil {
				continue
			}
			t.Run(d.String()+"/"+name, func(t *testing.T) {
				t.Parallel()
				b, err := official.Catalog(d.String(), name)
				if errors.Is(err, official.ErrMissing) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				doc, err := catalog.DecodeDocument(b, catalog.Options{ID: own.ID, Dialect: d})
				if err != nil {
					t.Fatal(err)
				}
				got, err := doc.Compile()
				if err != nil {
					t.Fatal(err)
				}
				if len(own.Components) < 5 {
					t.Fatal("this compares nothing")
				}
				if diff := cmp.Diff(table(own), table(got)); diff != "" {
					t.Errorf("(-own +published)\n%s", diff)
				}
			})
		}
	}
}

// table is a catalog as text, sorted, by what it lets through.
func table(c *a2ui.Catalog) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(c.Components)) {
		def := c.Components[name]
		out = append(out, fmt.Sprintf("component %s open:%v parents:%v children:%v", name, def.Open, def.Parents,
			def.Children))
		out = append(out, rows(name, def.Props)...)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Functions)) {
		def := c.Functions[name]
		out = append(out, fmt.Sprintf("function %s open:%v oneOf:%v returns:%s callers:%v activation:%v", name,
			def.Open, def.OneOf, def.Returns, def.Callers, def.Activation))
		out = append(out, rows(name, def.Args)...)
	}
	return append(append(out, rows("theme", c.Theme)...), fmt.Sprint("theme open:", c.ThemeOpen))
}

func rows(owner string, list []a2ui.PropDef) (out []string) {
	for _, p := range list {
		values := slices.Clone(p.Enum)
		slices.Sort(values)
		bounds := ""
		if b := p.Bounds; b != nil {
			bounds = fmt.Sprintf("%v %v %v %v %v", show(b.Min), show(b.Max), b.Integer, b.Format, b.Pattern)
		}
		out = append(out, fmt.Sprintf("%s.%s kind:%d required:%v url:%v enum:%v fields:%d bounds:%s", owner, p.Name,
			p.Kind, p.Required, p.URL, values, len(p.Fields), bounds))
	}
	slices.Sort(out)
	return out
}

func show(f *float64) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprint(*f)
}

// refused are documents that must not be compiled, and the keyword and the place
// of the error.
var refused = []struct{ doc, keyword, path string }{
	{`{"components":{"A":{"patternProperties":{}}}}`, "patternProperties", "/components/A/patternProperties"},
	{`{"components":{"A":{"properties":{"x":{"type":"string","minimal":1}}}}}`, "minimal", "/components/A/properties/x/minimal"},
	{`{"components":{"A":{"properties":{"x":{"not":{}}}}}}`, "not", "/components/A/properties/x/not"},
	{`{"components":{"A":{"properties":{"x":{"if":{},"then":{}}}}}}`, "if", "/components/A/properties/x/if"},
	{`{"components":{"A":{"properties":{"x":{"type":"text"}}}}}`, "type", "/components/A/properties/x/type"},
	{`{"components":{"A":{"properties":{"x":{"type":"string","pattern":"(?=a)"}}}}}`, "pattern", "/components/A/properties/x/pattern"},
	{`{"components":{"A":{"properties":{"x":{"type":"string","pattern":"` + strings.Repeat("a", 2000) + `"}}}}}`, "pattern", "/components/A/properties/x/pattern"},
	{`{"components":{"A":{"properties":{"x":{"type":"string","format":"regex"}}}}}`, "format", "/components/A/properties/x/format"},
	{`{"components":{"A":{"properties":{"x":{"type":"string","minLength":-1}}}}}`, "minLength", "/components/A/properties/x/minLength"},
	{`{"components":{"A":{"properties":{"x":{"$ref":"#/$defs/B"}}}}}`, "$ref", "/components/A/properties/x/$ref"},
	{`{"components":{"A":{"properties":{"x":{"$ref":"http://x/y.json#/$defs/DynamicString"}}}}}`, "$ref", "/components/A/properties/x/$ref"},
	{`{"components":{"A":{"$ref":"#/components/B"},"B":{"$ref":"#/components/A"}}}`, "$ref", "/components/A/$ref"},
	{`{"components":{"A":{"properties":{"x":{"$ref":"#/$defs/T"}}}},"$defs":{"T":{"items":{"$ref":"#/$defs/T"}}}}`, "$ref", "/$defs/T/items/$ref"},
	{`{"components":{"A":{"properties":{"x":{"enum":[]}}}}}`, "enum", "/components/A/properties/x/enum"},
	{`{"components":{"A":{"properties":{"x":{"oneOf":[]}}}}}`, "", "/components/A/properties/x/oneOf"},
	{`{"components":{"A":{"type":"string"}}}`, "", "/components/A"},
	{`{"components":{"A":{"allOf":[{"properties":{"x":{"type":"string"}}},{"properties":{"x":{"type":"number"}}}]}}}`, "", "/components/A/allOf/1"},
	{`{"components":{"A":{"properties":{"component":{"const":"B"}}}}}`, "", "/components/A"},
	{`{"components":{"A":{"allowedParents":"B"}}}`, "allowedParents", "/components/A/allowedParents"},
	{`{"components":{"A":{"allowedChildren":["B","B"]}}}`, "allowedChildren", "/components/A/allowedChildren"},
	{`{"components":{"A":{"properties":{` + manyProps(65) + `}}}}`, "properties", "/components/A/properties"},
	{`{"components":{"A":{"properties":{"x":` + strings.Repeat(`{"items":`, 40) + `{}` + strings.Repeat(`}`, 40) + `}}}}`, "", "/components/A/properties/x" + strings.Repeat("/items", 31)},
	{`{"functions":{"f":{"returnType":"text"}}}`, "returnType", "/functions/f/returnType"},
	{`{"functions":{"f":{"allowedCallers":"me"}}}`, "allowedCallers", "/functions/f/allowedCallers"},
	{`{"functions":{"f":{"allowedCallers":"agentOnly","requiresUserActivation":true}}}`, "allowedCallers", "/functions/f/allowedCallers"},
	{`{"functions":{"f":{"properties":{"call":{"const":"g"}}}}}`, "", "/functions/f"},
	{`{"functions":[{"name":"f","parameters":{"type":"string"}}]}`, "", "/functions/0/parameters"},
	{`{"theme":{"type":"object","minProperties":1}}`, "minProperties", "/theme/minProperties"},
}

func manyProps(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"p%d":{}`, i)
	}
	return strings.Join(list, ",")
}

func TestRefusedDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range refused {
		doc := strings.Replace(c.doc, "{", `{"catalogId":"c",`, 1)
		_, err := catalog.Compile([]byte(doc), a2ui.V09)
		var e *catalog.Error
		if !errors.As(err, &e) || e.Keyword != c.keyword || e.Path != c.path || e.Message == "" {
			t.Errorf("%.200s: %+v", doc, err)
		}
	}
	for doc, d := range map[string]a2ui.Dialect{
		`{"catalogId":"c","components":{"Surface":{}}}`: a2ui.V10, `{"catalogId":"c","components":{"a b":{}}}`: a2ui.V10RC,
		`{"catalogId":"c","functions":{"1f":{}}}`: a2ui.V10, `{"catalogId":"c","protocolVersion":"1.0"}`: a2ui.V09,
	} {
		if _, err := catalog.Compile([]byte(doc), d); err == nil {
			t.Errorf("%s is taken", doc)
		}
	}
}

// TestCompileIsBounded: a document that says one long thing in many places is refused, or read in the time that its
// length needs; a long list of icons may still be used by many components.
func TestCompileIsBounded(t *testing.T) {
	t.Parallel()
	names := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`"n%d"`, i)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	refs := func(n int) string { return strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/T"},`, n), ",") }
	for name, c := range map[string]struct {
		def, use string
		ok       bool
	}{
		"enum":       {`{"enum":` + names(30_000) + `}`, `{"properties":{"p":{"allOf":[` + refs(3500) + `]}}}`, false},
		"required":   {`{"required":` + names(200) + `}`, `{"allOf":[` + refs(10_000) + `]}`, false},
		"names":      {`{"required":` + names(30_000) + `}`, `{"properties":{"p":{"allOf":[` + refs(3500) + `]}}}`, false},
		"types":      {`{"type":[` + strings.TrimSuffix(strings.Repeat(`"null",`, 30_000), ",") + `]}`, `{"properties":{"p":{"anyOf":[` + refs(3500) + `]}}}`, false},
		"any of":     {`{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"required":["a"]},`, 20_000), ",") + `]}`, `{"allOf":[` + refs(3500) + `]}`, false},
		"properties": {`{"properties":{` + manyProps(60) + `}}`, `{"allOf":[` + refs(500) + `]}`, true},
		"icons":      {`{"enum":` + names(3600) + `}`, `{"properties":{"p":{"allOf":[` + refs(100) + `]}}}`, true},
	} {
		_, err := catalog.Compile([]byte(`{"catalogId":"c","components":{"A":`+c.use+`},"$defs":{"T":`+c.def+`}}`), a2ui.V09)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// judged are messages to a surface of a custom catalog, with what Spec says.
var judged = []struct {
	d                a2ui.Dialect
	schema, rest     string // of component A; other members of the catalog
	component, wants string // members of the component that uses it; part of a problem, or ""
}{
	{a2ui.V09, `{"properties":{"n":{"type":"integer","minimum":1,"maximum":5}}}`, ``, `"n":5`, ""},
	{a2ui.V09, `{"properties":{"n":{"type":"integer","minimum":1,"maximum":5}}}`, ``, `"n":6`, "more than 5"},
	{a2ui.V09, `{"properties":{"n":{"type":"integer","minimum":1,"maximum":5}}}`, ``, `"n":1.5`, "not whole"},
	{a2ui.V09, `{"properties":{"n":{"type":["string","null"],"minLength":2}}}`, ``, `"n":null`, ""},
	{a2ui.V09, `{"properties":{"n":{"type":["string","null"],"minLength":2}}}`, ``, `"n":"a"`, "one of several"},
	{a2ui.V09, `{"properties":{"n":{"type":"string","pattern":"^a+$"}}}`, ``, `"n":"aab"`, "does not match"},
	{a2ui.V09, `{"properties":{"n":{"type":"string","format":"email"}}}`, ``, `"n":"a@b"`, ""},
	{a2ui.V09, `{"properties":{"n":{"enum":[1,"a",{"x":[2]}]}}}`, ``, `"n":{"x":[2.0]}`, ""},
	{a2ui.V09, `{"properties":{"n":{"enum":[1,"a"]}}}`, ``, `"n":"b"`, "not one of those"},
	{a2ui.V09, `{"properties":{"n":{"type":"array","maxItems":1,"items":{"type":"object","additionalProperties":{"type":"number"}}}}}`, ``, `"n":[{"a":1}]`, ""},
	{a2ui.V09, `{"properties":{"n":{"type":"array","maxItems":1,"items":{"type":"object","additionalProperties":{"type":"number"}}}}}`, ``, `"n":[{"a":"1"}]`, "want a number"},
	{a2ui.V09, `{"properties":{"n":{"type":"array","maxItems":1}}}`, ``, `"n":[1,2]`, "more than 1"},
	{a2ui.V09, `{"properties":{"n":{"$ref":"#/$defs/T"}}}`, `,"$defs":{"T":{"allOf":[{"$ref":"#/$defs/DynamicString"},{"maxLength":2}]}}`, `"n":"abc"`, "more than 2"},
	{a2ui.V09, `{"properties":{"n":{"$ref":"#/$defs/T"}}}`, `,"$defs":{"T":{"allOf":[{"$ref":"#/$defs/DynamicString"},{"maxLength":2}]}}`, `"n":{"path":"/long"}`, ""},
	{a2ui.V09, `{"properties":{"n":{"type":"string"}},"additionalProperties":false}`, ``, `"m":1`, "no property"},
	{a2ui.V09, `{"properties":{"n":{"type":"string"}}}`, ``, `"m":1`, ""},
	{a2ui.V09, `{"properties":{"n":{"$ref":"common_types.json#/$defs/DataBinding"}}}`, ``, `"n":"x"`, "want a path"},
	{a2ui.V09, `{"properties":{"n":{"type":"array","items":{"properties":{"to":{"$ref":"common_types.json#/$defs/ComponentId"}}}}}}`, ``, `"n":[{"to":"gone"}]`, "does not exist"},
	{a2ui.V09, `{}`, `,"functions":[{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]},"returnType":"string"}]`,
		`"n":{"call":"f","args":{}}`, "needs a"},
	{a2ui.V09, `{}`, `,"functions":{"f":{"parameters":{"a":{"type":"number"}},"returnType":"string"}}`, `"n":{"call":"f","args":{"a":"x"}}`, "want a number"},
	{a2ui.V10, `{"properties":{"n":{"type":"string"}}}`, ``, `"m":1`, "no property"},
	{a2ui.V10, `{"properties":{"checks":{"type":"number"},"n":{"type":"string"}},"allOf":[{"$ref":"common_types.json#/$defs/Checkable"}]}`, ``,
		`"checks":1,"@checks":[{"condition":{"@path":"/x"}}],"@accessibility":{"label":"l"}`, ""},
	{a2ui.V10, `{"allowedParents":["B"]}`, ``, ``, "may not stand at the top"},
	{a2ui.V08, `{"properties":{"child":{"type":"string"}}}`, ``, `"child":"gone"`, "does not exist"},
	{a2ui.V08, `{"properties":{"children":{"type":"array","items":{"type":"string"}}}}`, ``, `"children":["gone"]`, "does not exist"},
	{a2ui.V08, `{"properties":{"t":{"type":"string","maxLength":2},"e":{"enum":["x"]},"b":{"type":"boolean"}}}`, ``, `"t":"hi","e":"x","b":true`, ""},
	{a2ui.V08, `{"properties":{"t":{"type":"string","maxLength":2},"e":{"enum":["x"]}}}`, ``, `"t":"hix"`, "more than 2"},
	{a2ui.V08, `{"properties":{"t":{"type":"string","maxLength":2},"e":{"enum":["x"]}}}`, ``, `"e":"y"`, "one of x"},
	{a2ui.V09, `{"properties":{"n":{"type":"object"}}}`, ``, `"n":{"path":"/a~2"}`, "malformed"},
	{a2ui.V10, `{}`, ``, `"children":["c"]`, "no property"},
	{a2ui.V08, `{"properties":{"t":{"type":"object","properties":{"literalString":{"type":"string"},"path":{"type":"string"}}}},"additionalProperties":false}`, ``,
		`"t":{"literalString":"x"}`, ""},
	{a2ui.V08, `{"properties":{"t":{"type":"object","properties":{"literalString":{"type":"string"},"path":{"type":"string"}}}},"additionalProperties":false}`, ``,
		`"t":{"literalNumber":1}`, "want a text"},
}

func TestCompiledCatalogsJudge(t *testing.T) {
	t.Parallel()
	for _, c := range judged {
		doc := `{"catalogId":"c","components":{"A":` + c.schema + `,"B":{}}` + c.rest + `}`
		compiled, err := catalog.Compile([]byte(doc), c.d)
		if err != nil {
			t.Errorf("%s: %v", doc, err)
			continue
		}
		component := c.component
		if component != "" {
			component = "," + component
		}
		lines := []string{`{"version":"` + c.d.String() + `","createSurface":{"surfaceId":"s","catalogId":"c"}}`,
			`{"version":"` + c.d.String() +
				`","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"A"` + component + `}]}}`}
		if c.d == a2ui.V08 {
			lines = []string{`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"root","component":{"A":{` +
				c.component + `}}}]}}`,
				`{"beginRendering":{"surfaceId":"s","root":"root","catalogId":"c"}}`}
		}
		var msgs []a2ui.Message
		for _, line := range lines {
			m, err := a2ui.DecodeMessageAs(c.d, []byte(strings.Replace(line, `"v1.0"`, `"1.0"`, 1)))
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			msgs = append(msgs, m)
		}
		got := a2ui.Validate(a2ui.Rules{Dialect: c.d, Catalog: compiled}, msgs)
		switch {
		case c.wants == "" && got != nil:
			t.Errorf("%s\n%s\n%v", doc, lines, &got[0])
		case c.wants != "" && (len(got) == 0 || !strings.Contains(got[0].Message, c.wants)):
			t.Errorf("%s\n%s\n%v, want %s", doc, lines, got, c.wants)
		}
	}
}

func BenchmarkCompileCatalog(b *testing.B) {
	doc, err := official.Catalog("v0.9", "basic")
	if err != nil {
		b.Skip(err)
	}
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := catalog.Compile(doc, a2ui.V09); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, c := range refused {
		f.Add([]byte(strings.Replace(c.doc, "{", `{"catalogId":"c",`, 1)), byte(a2ui.V09))
	}
	for _, c := range judged {
		f.Add([]byte(`{"catalogId":"c","components":{"A":`+c.schema+`,"B":{}}`+c.rest+`}`), byte(c.d))
	}
	f.Fuzz(func(t *testing.T, doc []byte, d byte) {
		c, err := catalog.Compile(doc, a2ui.V08+a2ui.Dialect(d)%5)
		var e *catalog.Error
		if err != nil && (!errors.As(err, &e) || e.Message == "") {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		for name := range c.Components {
			msgs := []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "s", CatalogID: c.ID},
				&a2ui.UpdateComponents{SurfaceID: "s",
					Components: []a2ui.Component{{ID: "root", Type: name}}}}
			a2ui.Validate(a2ui.Rules{Dialect: a2ui.V08 + a2ui.Dialect(d)%5, Catalog: c}, msgs)
		}
	})
}

// TestOwnPropertyNames: on V10 a property with the name of a member that every
// component has is the component's own, under "@" and its name, as the codec of
// V10 reads it; elsewhere it is that member.
func TestOwnPropertyNames(t *testing.T) {
	t.Parallel()
	doc := `{"catalogId":"c","components":{"A":{"properties":{"checks":{"type":"number"},"accessibility":{"type":"number"},"metadata":{"type":"number"}}}}}`
	for d, prefix := range map[a2ui.Dialect]string{a2ui.V09: "", a2ui.V10RC: "", a2ui.V10: "@"} {
		compiled, err := catalog.Compile([]byte(doc), d)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"checks", "accessibility", "metadata"} {
			if p, _ := compiled.Components["A"].Find(prefix + name); p == nil || p.Kind != wire.PlainNumber {
				t.Errorf("%s: property %s is %v, want a number at %s%s", d, name, p, prefix, name)
			}
		}
	}
	compiled, err := catalog.Compile([]byte(doc), a2ui.V10)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"version":"1.0","createSurface":{"surfaceId":"s","catalogId":"c","components":[{"id":"root","component":"A","checks":%s,"accessibility":2,"metadata":3,"@accessibility":{"label":"l"}}]}}`
	for value, want := range map[string]int{"1": 0, `"x"`: 1} {
		m, err := a2ui.DecodeMessageAs(a2ui.V10, []byte(strings.Replace(line, "%s", value, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V10, Catalog: compiled}, []a2ui.Message{m}); len(got) != want {
			t.Errorf("checks %s: %v, want %d problems", value, got, want)
		}
	}
}
