package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

func decode(t *testing.T, doc string) *catalog.Document {
	t.Helper()
	d, err := catalog.DecodeDocument([]byte(doc), catalog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func data(t *testing.T, text string) a2ui.Data {
	t.Helper()
	v, err := jsonx.Parse([]byte(text), jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func text(v a2ui.Data) string { return string(jsonx.Append(nil, v)) }

// published returns a file of the specification.
func published(t *testing.T, pattern string) a2ui.Data {
	t.Helper()
	files := official.Files(pattern)
	if len(files) == 0 {
		t.Skip(official.ErrMissing)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return data(t, string(b))
}

func TestDecodeDialect(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]a2ui.Dialect{
		`{"catalogId":"c"}`:                           a2ui.V09,
		`{"catalogId":"c","theme":{}}`:                a2ui.V09,
		`{"catalogId":"c","styles":{}}`:               a2ui.V08,
		`{"catalogId":"c","":{}}`:                     a2ui.V09,
		`{"catalogId":"c","protocolVersion":"0.8"}`:   a2ui.V08,
		`{"catalogId":"c","protocolVersion":"0.9"}`:   a2ui.V09,
		`{"catalogId":"c","protocolVersion":"0.9.1"}`: a2ui.V091,
		`{"catalogId":"c","protocolVersion":"v1.0"}`:  a2ui.V10,
		`{"catalogId":"c","protocolVersion":"1.0"}`:   a2ui.V10,
		`{"catalogId":"c","protocolVersion":"1.0","functions":{"f":{"properties":{"call":{}}}}}`:  a2ui.V10RC,
		`{"catalogId":"c","protocolVersion":"1.0","functions":{"f":{"properties":{"@call":{}}}}}`: a2ui.V10,
	} {
		if d := decode(t, doc); d.Dialect() != want {
			t.Errorf("%s is %s, want %s", doc, d.Dialect(), want)
		}
	}
	d, err := catalog.DecodeDocument([]byte(`{"catalogId":"c","protocolVersion":"0.9"}`),
		catalog.Options{Dialect: a2ui.V091})
	if err != nil || d.Dialect() != a2ui.V091 {
		t.Errorf("%v, %v", d, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		``:                                  "unexpected end",
		`[]`:                                "an object, not array",
		`{}`:                                "no catalogId",
		`{"catalogId":7}`:                   "/catalogId",
		`{"catalogId":""}`:                  "/catalogId",
		`{"catalogId":"c","catalogId":"d"}`: "duplicate key",
		`{"catalogId":"c","components":[]}`: "/components",
		`{"catalogId":"c","components":{"A":"x"}}`:                                        "/components/A",
		`{"catalogId":"c","components":{"":{}}}`:                                          "/components",
		`{"catalogId":"c","theme":7}`:                                                     "/theme",
		`{"catalogId":"c","$defs":7}`:                                                     "/$defs",
		`{"catalogId":"c","functions":7}`:                                                 "/functions",
		`{"catalogId":"c","functions":[7]}`:                                               "/functions/0",
		`{"catalogId":"c","functions":{"f":7}}`:                                           `"f" is no function`,
		`{"catalogId":"c","protocolVersion":"2.0"}`:                                       `unknown protocolVersion "2.0"`,
		`{"catalogId":"c","protocolVersion":9}`:                                           "protocolVersion",
		`{"catalogId":"c","functions":[{"name":"f"},{"name":"f"}]}`:                       "twice",
		`{"catalogId":"c","x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`: "nesting above 64",
	} {
		_, err := catalog.DecodeDocument([]byte(doc), catalog.Options{})
		var e *catalog.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", doc, err, want)
		}
	}
	if _, err := catalog.DecodeDocument([]byte(`{"catalogId":"c","protocolVersion":"0.8"}`),
		catalog.Options{Dialect: a2ui.V10}); err == nil {
		t.Error("a catalog for v0.8 is taken for v1.0")
	}
}

func TestFunctionsOfAList(t *testing.T) {
	t.Parallel()
	d := decode(t, `{"catalogId":"c","functions":[{"name":"f","returnType":"string"},{"name":"g"}]}`)
	functions := jsonx.OfObject(d.Functions()...)
	if got := text(functions); got != `{"f":{"returnType":"string"},"g":{}}` {
		t.Errorf("got %s", got)
	}
	if got := text(d.Schema().At("functions")); got != text(functions) {
		t.Errorf("Schema has %s", got)
	}
}

func TestSchema(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		`{"catalogId":"c","components":{"a/b":{}},"styles":{"font":{}}}`: `{"catalogId":"c","components":{"a/b":{}},"protocolVersion":"0.8","$schema":"https://json-schema.org/draft/2020-12/schema","styles":{"font":{}},` +
			`"$defs":{"anyComponent":{"oneOf":[{"$ref":"#/components/a~1b"}],"discriminator":{"propertyName":"component"}},"theme":{"font":{}}}}`,
		`{"catalogId":"c","components":{"a/b":{}},"theme":{"x":1}}`: `{"catalogId":"c","components":{"a/b":{}},"protocolVersion":"0.9","$schema":"https://json-schema.org/draft/2020-12/schema","theme":{"x":1},` +
			`"$defs":{"anyComponent":{"oneOf":[{"$ref":"#/components/a~1b"}],"discriminator":{"propertyName":"component"}},"theme":{"x":1}}}`,
		`{"catalogId":"c","protocolVersion":"1.0","theme":{},"functions":{"f":{}},"$defs":{"anyFunction":7}}`: `{"catalogId":"c","protocolVersion":"1.0",` +
			`"functions":{"f":{}},"$schema":"https://json-schema.org/draft/2020-12/schema","components":{},"$defs":{"anyFunction":{"oneOf":[{"$ref":"#/functions/f"}]}}}`,
	} {
		if got := text(decode(t, doc).Schema()); got != want {
			t.Errorf("%s:\n got %s\nwant %s", doc, got, want)
		}
	}
}

// A published catalog says of itself what Schema makes of it.
func TestSchemaOfPublished(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"v0_9", "v0_9_1", "v1_0"} {
		doc := published(t, folder+"/catalogs/basic/catalog.json")
		d, err := catalog.NewDocument(doc, catalog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, def := range []string{"anyComponent", "anyFunction"} {
			got, want := text(d.Schema().At("$defs").At(def).At("oneOf")), text(doc.At("$defs").At(def).At("oneOf"))
			if got != want {
				t.Errorf("%s %s: got %s, want %s", folder, def, got, want)
			}
		}
	}
}

func TestInline(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		`{"catalogId":"c","title":"t","components":{"A":{"type":"object","properties":{"x":{}},"required":["x"]},"B":{"allOf":[]},"C":{"properties":{"component":{}}}}}`: `{"catalogId":"c","components":{` +
			`"A":{"allOf":[{"$ref":"common_types.json#/$defs/ComponentCommon"},{"properties":{"component":{"const":"A"},"x":{}},"required":["component","x"]}]},` +
			`"B":{"allOf":[]},"C":{"properties":{"component":{}}}}}`,
		`{"catalogId":"c","theme":{"type":"object","properties":{"p":{}}},"functions":{"f":{"properties":{"args":{"a":1},"returnType":{"const":"string"}}},"g":{"description":"d"}}}`: `{"catalogId":"c",` +
			`"functions":[{"name":"f","parameters":{"a":1},"returnType":"string"},{"name":"g","description":"d","parameters":{"type":"object"},"returnType":"any"}],"theme":{"p":{}}}`,
		`{"catalogId":"c","title":"t","components":{"A":{}},"styles":{"font":{}}}`: `{"catalogId":"c","components":{"A":{}},"styles":{"font":{}}}`,
		`{"catalogId":"c","protocolVersion":"1.0","title":"t"}`:                    `{"catalogId":"c","protocolVersion":"1.0","title":"t"}`,
	} {
		if got := text(decode(t, doc).Inline()); got != want {
			t.Errorf("%s:\n got %s\nwant %s", doc, got, want)
		}
	}
}

// $defs.anyComponent and $defs.anyFunction say which components and functions of the
// document there are: for tables, for capabilities and in what the catalog says of
// itself.
func TestUnions(t *testing.T) {
	t.Parallel()
	const components = `"components":{"Chip":{},"Dial":{},"Secret":{},"a/b":{}}`
	const functions = `"functions":{"add":{"returnType":"number"},"hide":{"returnType":"any"},"x~y":{"returnType":"any"}}`
	names := func(list []a2ui.Member) string {
		var out []string
		for _, m := range list {
			out = append(out, m.Key)
		}
		return strings.Join(out, " ")
	}
	for name, c := range map[string]struct{ defs, components, functions string }{
		"none":               {`{}`, "Chip Dial Secret a/b", "add hide x~y"},
		"of each":            {`{"anyComponent":{"oneOf":[{"$ref":"#/components/Dial"},{"$ref":"#/components/Chip"}]},"anyFunction":{"oneOf":[{"$ref":"#/functions/add"}]}}`, "Chip Dial", "add"},
		"components alone":   {`{"anyComponent":{"oneOf":[{"$ref":"#/components/Dial"}]}}`, "Dial", "add hide x~y"},
		"functions alone":    {`{"anyFunction":{"oneOf":[{"$ref":"#/functions/hide"}],"discriminator":{"propertyName":"call"}}}`, "Chip Dial Secret a/b", "hide"},
		"anyOf":              {`{"anyComponent":{"anyOf":[{"$ref":"#/components/Chip"}]}}`, "Chip", "add hide x~y"},
		"escapes":            {`{"anyComponent":{"oneOf":[{"$ref":"#/components/a~1b"}]},"anyFunction":{"oneOf":[{"$ref":"#/functions/x~0y"}]}}`, "a/b", "x~y"},
		"what is not there":  {`{"anyComponent":{"oneOf":[{"$ref":"#/components/Dial"},{"$ref":"#/components/Gone"}]}}`, "Dial", "add hide x~y"},
		"an empty union":     {`{"anyComponent":{"oneOf":[]},"anyFunction":{}}`, "Chip Dial Secret a/b", "add hide x~y"},
		"of other documents": {`{"anyComponent":{"oneOf":[{"$ref":"other.json#/components/Dial"}]}}`, "Chip Dial Secret a/b", "add hide x~y"},
		"by its own name":    {`{"anyComponent":{"oneOf":[{"$ref":"catalog.json#/components/Dial"},{"$ref":"https://e.x/c#/components/Chip"}]}}`, "Chip Dial", "add hide x~y"},
		"one reference":      {`{"anyComponent":{"$ref":"#/components/Dial"}}`, "Dial", "add hide x~y"},
		"unions in a union":  {`{"anyComponent":{"oneOf":[{"$ref":"#/$defs/more"},{"anyOf":[{"$ref":"#/components/Chip"}]}]},"more":{"oneOf":[{"$ref":"#/components/Dial"},{"$ref":"#/$defs/anyComponent"}]}}`, "Chip Dial", "add hide x~y"},
		"nonsense":           {`{"anyComponent":7,"anyFunction":{"oneOf":{"$ref":"#/functions/add"}}}`, "Chip Dial Secret a/b", "add hide x~y"},
	} {
		d := decode(t, `{"catalogId":"https://e.x/c",`+components+`,`+functions+`,"$defs":`+c.defs+`}`)
		if got := names(d.Components()); got != c.components {
			t.Errorf("%s: components %q, want %q", name, got, c.components)
		}
		if got := names(d.Functions()); got != c.functions {
			t.Errorf("%s: functions %q, want %q", name, got, c.functions)
		}
		inline, schema := d.Inline(), d.Schema()
		if got := names(inline.At("components").Members); got != c.components {
			t.Errorf("%s: capabilities have the components %q, want %q", name, got, c.components)
		}
		if got := names(schema.At("components").Members); got != c.components {
			t.Errorf("%s: the schema has the components %q, want %q", name, got, c.components)
		}
		if n := len(schema.At("$defs").At("anyFunction").At("oneOf").Items); n != len(strings.Fields(c.functions)) {
			t.Errorf("%s: the schema refers to %d functions, want %q", name, n, c.functions)
		}
	}
}

// A component or function that a union leaves out is unknown to a validator.
func TestUnionsInRules(t *testing.T) {
	t.Parallel()
	for _, d := range []a2ui.Dialect{a2ui.V09, a2ui.V10RC} {
		compiled, err := catalog.Compile([]byte(`{"catalogId":"c","protocolVersion":"`+d.Protocol()+`","components":{`+
			`"Chip":{"type":"object","properties":{"component":{"const":"Chip"},"text":{"$ref":"common_types.json#/$defs/DynamicString"}}},`+
			`"Secret":{"type":"object","properties":{"component":{"const":"Secret"}}}},`+
			`"functions":{"add":{"type":"object","returnType":"string","properties":{"call":{"const":"add"},"args":{"type":"object"}}},`+
			`"hide":{"type":"object","returnType":"string","properties":{"call":{"const":"hide"},"args":{"type":"object"}}}},`+
			`"$defs":{"anyComponent":{"oneOf":[{"$ref":"#/components/Chip"}]},"anyFunction":{"oneOf":[{"$ref":"#/functions/add"}]}}}`), d)
		if err != nil {
			t.Fatal(err)
		}
		rules := a2ui.Rules{Dialect: d, Catalog: compiled, Partial: true}
		for component, want := range map[string]int{
			`"component":"Chip","text":"x"`:                                                   0,
			`"component":"Chip","text":{"call":"add","args":{}}`:                              0,
			`"component":"Chip","text":{"call":"hide","args":{}}`:                             1,
			`"component":"Chip","text":{"call":"add","args":{"a":{"call":"hide","args":{}}}}`: 1,
			`"component":"Secret"`:                                                            1,
		} {
			version := "v" + d.Protocol()
			m, err := a2ui.DecodeMessageAs(d, []byte(`{"version":"`+version+`","updateComponents":{"surfaceId":"s","components":[{"id":"root",`+component+`}]}}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := a2ui.Validate(rules, []a2ui.Message{m}); len(got) != want {
				t.Errorf("%s %s: %v", d, component, got)
			}
		}
	}
}

// The work grows with the size of a document, however many names it has: at 30,000
// anything quadratic would take minutes.
func TestWide(t *testing.T) {
	t.Parallel()
	var components, defs, union, beside strings.Builder
	for i := range 30_000 {
		if i > 0 {
			components.WriteByte(',')
			defs.WriteByte(',')
			union.WriteByte(',')
		}
		fmt.Fprintf(&components, `"C%d":{"$ref":"#/$defs/d%d"}`, i, i)
		fmt.Fprintf(&beside, `"x%d":%d,`, i, i)
		fmt.Fprintf(&defs, `"d%d":{}`, i)
		fmt.Fprintf(&union, `{"$ref":"#/components/C%d"}`, i)
	}
	d := decode(t, `{"catalogId":"c","components":{`+components.String()+`}}`)
	wide := decode(t, `{"catalogId":"c","components":{`+components.String()+`},"$defs":{`+defs.String()+`}}`)
	listed := decode(t, `{"catalogId":"c","components":{"C1":{}},"$defs":{"anyComponent":{"oneOf":[`+union.String()+
		`]}}}`)
	if _, err := wide.Expand(a2ui.Data{}); err != nil {
		t.Error(err)
	}
	noted := decode(t, `{"catalogId":"c","components":{"A":{`+beside.String()+
		`"$ref":"#/$defs/a"}},"$defs":{"a":{"y":1}}}`)
	if _, err := noted.Expand(a2ui.Data{}); err != nil {
		t.Error(err)
	}
	if n := len(wide.Over(d).Components()); n != 30_000 {
		t.Errorf("%d components", n)
	}
	if n := len(listed.Prune([]string{"C1"}, nil).Data().At("$defs").At("anyComponent").At("oneOf").Items); n != 1 {
		t.Errorf("%d alternatives", n)
	}
	_, _ = wide.Compile()
	_ = wide.Schema()
	_ = wide.Inline()
}

func FuzzDecodeDocument(f *testing.F) {
	for _, seed := range []string{
		`{"catalogId":"c","components":{"A":{"properties":{"child":{"$ref":"common_types.json#/$defs/Child"}}}},"functions":[{"name":"f"}]}`,
		`{"catalogId":"c","protocolVersion":"1.0","$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x","description":"d"}},"components":{"A":{"$ref":"#/$defs/x"}}}`,
		`{"catalogId":"c","components":{"A":{"$ref":"#"}},"styles":{"a":{"$ref":"#/components/A"}}}`,
		`{"catalogId":"c","protocolVersion":"1.0","components":{"A":{"properties":{"x":{"type":"string","enum":["a"]},"y":{"anyOf":[{"type":"number"},{"type":"boolean"}]},"child":{"$ref":"common_types.json#/$defs/Child"}},"required":["x"]}}}`,
		`{"catalogId":"c","components":{"A":true},"$defs":{"anyComponent":{"oneOf":[{"$ref":"#/components/A"}]}}}`,
	} {
		f.Add([]byte(seed))
	}
	common := jsonx.OfObject(a2ui.Member{Key: "$defs",
		Value: jsonx.OfObject(a2ui.Member{Key: "Child", Value: jsonx.OfObject()})})
	f.Fuzz(func(t *testing.T, in []byte) {
		d, err := catalog.DecodeDocument(in, catalog.Options{})
		if err != nil {
			return
		}
		for _, made := range []*catalog.Document{d.Prune([]string{"A"}, []string{"f"}), d.Lenient(), d.Over(d)} {
			if _, err := catalog.NewDocument(made.Data(), catalog.Options{}); err != nil {
				t.Errorf("what was made of it is no catalog: %v", err)
			}
		}
		again, err := catalog.NewDocument(d.Schema(), catalog.Options{})
		if err != nil || text(again.Schema()) != text(d.Schema()) {
			t.Errorf("the assembled document is none, or changes when assembled again: %v\n%s\n%s", err, text(d.Schema()), text(again.Schema()))
		}
		if _, err := catalog.NewDocument(d.Inline(), catalog.Options{Dialect: d.Dialect()}); err != nil {
			t.Errorf("the inline form is no catalog: %v", err)
		}
		if full, err := d.Expand(common); err == nil {
			if _, err := full.Expand(common); err != nil {
				t.Errorf("expanding twice: %v", err)
			}
		}
		if f, err := catalog.NewFormat(catalog.FormatConfig{Catalogs: []*catalog.Document{d}}); err == nil {
			compiled, err := d.Compile()
			if err != nil {
				t.Fatal(err)
			}
			if again, err := catalog.Describe(compiled, d.Dialect()).Compile(); err != nil ||
				len(again.Components) != len(compiled.Components) {
				t.Errorf("the tables described and compiled again: %v", err)
			}
			_ = f.Prompt()
		}
		_ = catalog.Schemas{Common: common, Catalogs: []*catalog.Document{d}}.Prune(
			catalog.Keep{Components: []string{"A"}}).Text()
	})
}
