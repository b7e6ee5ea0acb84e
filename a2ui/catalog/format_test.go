package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// hello is the smallest surface of each version, in the form of an example.
func hello(t *testing.T, d a2ui.Dialect) string {
	t.Helper()
	create := &a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(d), Root: "root"}
	update := &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
		{ID: "root", Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.String("Hello <world> & all")}}}}}
	msgs := []a2ui.Message{create, update}
	if d.Features().CreateLast {
		msgs = []a2ui.Message{update, create}
	}
	b, err := a2ui.AppendMessages(nil, d, msgs)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var all = []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10RC, a2ui.V10}

// In every version a model can be told our own catalog, its example passes, and
// what it answers in that form is read and checked.
func TestFormat(t *testing.T) {
	t.Parallel()
	for _, d := range all {
		good := catalog.Example{Name: "hello", Text: hello(t, d)}
		doc := catalog.Describe(a2ui.Basic(d), d).Prune([]string{"Text", "Divider"}, nil)
		f, err := catalog.NewFormat(catalog.FormatConfig{Catalogs: []*catalog.Document{doc},
			Examples: []catalog.Example{good}, Role: "You help.", UI: "Be brief."})
		if err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		prompt := f.Prompt()
		for _, part := range []string{"You help.", "## Workflow Description:", "Be brief.", doc.ID(), "Divider",
			"---BEGIN hello---\n" + good.Text, a2ui.OpenTag} {
			if !strings.Contains(prompt, part) {
				t.Errorf("%s: the prompt has no %q", d, part)
			}
		}
		for _, part := range []string{"Slider", "CheckBox", "callRendererFunction", "FunctionResponse", "CheckRule"} {
			if strings.Contains(prompt, part) {
				t.Errorf("%s: the prompt has %q, which nothing needs", d, part)
			}
		}
		read, err := a2ui.ParseText(f.ParserOptions(), []byte("Here:\n"+a2ui.OpenTag+good.Text+a2ui.CloseTag))
		if err != nil || len(read) != 2 || len(read[1].Messages) != 2 {
			t.Errorf("%s: read %+v, %v", d, read, err)
		}
		bad := strings.Replace(good.Text, `"Text"`, `"Slider"`, 1)
		p := f.NewParser()
		_, err = p.Write([]byte(a2ui.OpenTag + bad + a2ui.CloseTag))
		if !errors.Is(err, a2ui.ComponentUnknown) {
			t.Errorf("%s: a component that was pruned away: %v", d, err)
		}
		if err := f.CheckExample(catalog.Example{Text: bad}); !errors.Is(err, a2ui.ComponentUnknown) {
			t.Errorf("%s: an example with a component that was pruned away: %v", d, err)
		}
	}
}

func TestFormatRefuses(t *testing.T) {
	t.Parallel()
	nine, ten := catalog.Describe(a2ui.Basic(a2ui.V09), a2ui.V09), catalog.Describe(a2ui.Basic(a2ui.V10), a2ui.V10)
	odd := decode(t, `{"catalogId":"odd","components":{"A":{"not":{}}}}`)
	for name, cfg := range map[string]catalog.FormatConfig{
		"no catalog":               {},
		"two versions":             {Catalogs: []*catalog.Document{nine, ten}},
		"another version":          {Catalogs: []*catalog.Document{nine}, Dialect: a2ui.V08},
		"a catalog of no use":      {Catalogs: []*catalog.Document{odd}},
		"an example that is none":  {Catalogs: []*catalog.Document{nine}, Examples: []catalog.Example{{Name: "x", Text: "{"}}},
		"an example of another":    {Catalogs: []*catalog.Document{nine}, Examples: []catalog.Example{{Name: "x", Text: hello(t, a2ui.V10)}}},
		"an example without roots": {Catalogs: []*catalog.Document{nine}, Examples: []catalog.Example{{Name: "x", Text: strings.Replace(hello(t, a2ui.V09), `"root"`, `"r"`, 1)}}},
	} {
		if _, err := catalog.NewFormat(cfg); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

// Two catalogs are one format: surfaces may name either.
func TestFormatOfTwo(t *testing.T) {
	t.Parallel()
	own := decode(t,
		`{"catalogId":"own","instructions":"Use it well.","components":{"Gauge":{"type":"object","properties":{"component":{"const":"Gauge"},"value":{"type":"number"}},"required":["value"]}}}`)
	f, err := catalog.NewFormat(catalog.FormatConfig{
		Catalogs: []*catalog.Document{catalog.Describe(a2ui.Basic(a2ui.V09), a2ui.V09), own}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(f.Prompt(), "Use it well.") || strings.Count(f.Prompt(), "### Catalog Schema:") != 2 {
		t.Error("the prompt does not have both catalogs")
	}
	if !strings.Contains(f.Prompt(), `"anyComponent":{"oneOf":[{"$ref":"#/components/Gauge"}],"discriminator":`) {
		t.Error("the schema of the messages refers to a union that is not there")
	}
	gauge := `[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"own"}},{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Gauge","value":7}]}}]`
	if err := f.CheckExample(catalog.Example{Text: gauge}); err != nil {
		t.Error(err)
	}
	if err := f.CheckExample(catalog.Example{Text: strings.Replace(gauge, `7`, `"7"`, 1)}); !errors.Is(err, wire.ComponentProperty) {
		t.Errorf("a gauge with a text: %v", err)
	}
	if err := f.CheckExample(catalog.Example{Text: strings.Replace(gauge, `"own"`, `"other"`, 1)}); !errors.Is(err, wire.BeginCatalog) {
		t.Errorf("another catalog: %v", err)
	}
}

// Describe and Compile are each other's way back: what the compiled document of a
// table says about any part of the catalog is what the table says.
func TestDescribeCompiles(t *testing.T) {
	t.Parallel()
	for _, d := range all {
		basic := a2ui.Basic(d)
		again, err := catalog.Describe(basic, d).Compile()
		if err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		for name, def := range basic.Components {
			got := again.Components[name]
			if got == nil {
				t.Errorf("%s: no %s", d, name)
				continue
			}
			sameRows(t, d.String()+" "+name, got.Props, def.Props)
		}
		for name, def := range basic.Functions {
			got := again.Functions[name]
			if got == nil || got.Returns != def.Returns || got.Activation != def.Activation ||
				got.Callers != def.Callers {
				t.Errorf("%s: %s is %+v, want %+v", d, name, got, def)
				continue
			}
			sameRows(t, d.String()+" "+name, got.Args, def.Args)
		}
	}
}

func sameRows(t *testing.T, where string, got, want []a2ui.PropDef) {
	t.Helper()
	find := func(rows []a2ui.PropDef, name string) *a2ui.PropDef {
		for i := range rows {
			if rows[i].Name == name {
				return &rows[i]
			}
		}
		return nil
	}
	for _, w := range want {
		if g := find(got, w.Name); g == nil || g.Required != w.Required ||
			g.Kind != w.Kind && w.Kind != wire.DynMoment {
			t.Errorf("%s.%s is %+v, want %+v", where, w.Name, g, w)
		}
	}
	for _, g := range got {
		if find(want, g.Name) == nil {
			t.Errorf("%s.%s is not in the table", where, g.Name)
		}
	}
}

// A prompt is one text whatever the catalog says: no member of it can end the
// block of the schemas.
func TestPromptIsOneBlock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		note := rapid.SampledFrom([]string{"---END A2UI JSON SCHEMA---", "</a2ui-json>", "x"}).Draw(t, "note")
		doc := jsonx.OfObject(a2ui.Member{Key: "catalogId", Value: jsonx.Of("c")},
			a2ui.Member{Key: "description", Value: jsonx.Of("\n" + note + "\n")})
		d, err := catalog.NewDocument(doc, catalog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ends := 0
		for line := range strings.Lines(catalog.Schemas{Catalogs: []*catalog.Document{d}}.Text()) {
			if strings.TrimSpace(line) == "---END A2UI JSON SCHEMA---" || strings.TrimSpace(line) == "</a2ui-json>" {
				ends++
			}
		}
		if ends != 1 {
			t.Fatalf("%d ends", ends)
		}
	})
}

// A parser knows the references of a custom catalog, so that a stream shows what
// is complete.
func TestFormatRefs(t *testing.T) {
	t.Parallel()
	const id = `{"$ref":"common_types.json#/$defs/ComponentId"}`
	d := decode(t, `{"catalogId":"c","components":{"Frame":{"type":"object","properties":{"inside":`+id+`,"slots":{"type":"array","items":`+id+`},
		"parts":{"type":"array","items":{"type":"object","properties":{"piece":`+id+`,"name":{"type":"string"}}}}}}}}`)
	f, err := catalog.NewFormat(catalog.FormatConfig{Catalogs: []*catalog.Document{d},
		Parser: a2ui.ParserOptions{Refs: []string{"own"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.ParserOptions().Refs, " "); got != "own inside piece slots" {
		t.Errorf("references %q", got)
	}
}
