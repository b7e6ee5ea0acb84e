package a2ui_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// legacyStep is one Write and what it must bring: parts in one line.
type legacyStep struct{ in, want string }

func legacyRun(t *testing.T, o a2ui.ParserOptions, steps []legacyStep) {
	t.Helper()
	o.Legacy = &a2ui.LegacyParser{CuttableKeys: []string{"note"}}
	p := a2ui.NewParser(o)
	for i, s := range steps {
		parts, err := p.Write([]byte(s.in))
		got := ""
		for _, part := range parts {
			if part.Messages == nil {
				got += fmt.Sprintf("%q ", part.Text)
			}
			for _, m := range part.Messages {
				got += string(m.JSON) + " "
			}
		}
		if err != nil {
			got += "error " + err.Error()
		}
		if got != s.want {
			t.Fatalf("step %d %q\ngot  %s\nwant %s", i+1, s.in, got, s.want)
		}
	}
}

// TestLegacyParser: what is there at the end of each Write.
func TestLegacyParser(t *testing.T) {
	t.Parallel()
	const create = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}`
	up := func(components string) string {
		return `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[` + components + `]}} `
	}
	row := func(id string) string { return `{"id":"` + id + `","component":"Row","children":[]}` }
	json := a2ui.ParserOptions{Check: a2ui.CheckNothing}

	t.Run("waits for the surface and the root", func(t *testing.T) {
		legacyRun(t, json, []legacyStep{
			{"Hi <a2ui-", `"Hi " `},
			{"json>[" + up(`{"id":"b","component":"Text","text":"x"}`) + ",", ""},
			{up(`{"id":"orphan","component":"Text","text":"x"}`) + ",", ""},
			{create, create + " "},
			{"," + up(rootTxt), up(`{"id":"root","component":"Text","text":"Hello"}`)},
			{`,{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`, `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}} `},
		})
	})
	t.Run("shows what is there", func(t *testing.T) {
		legacyRun(t, json, []legacyStep{
			{"<a2ui-json>[" + create + "," + update, create + " "},
			{`{"id":"root","component":"Column"`, ""},
			{`,"children":[`, up(`{"id":"root","component":"Column","children":["loading_children_root"]},` + row("loading_children_root"))},
			{`"a","b`, ""},
			{`"`, up(`{"id":"root","component":"Column","children":["loading_a","loading_b"]},` + row("loading_a") + "," + row("loading_b"))},
			{`]},{"id":"a","component":"Text","note":"He`, up(`{"id":"a","component":"Text","note":"He"},{"id":"root","component":"Column","children":["a","loading_b"]},` + row("loading_b"))},
			{`y","text":{"path":"/x`, ""},
			{`"}}`, up(`{"id":"a","component":"Text","note":"Hey","text":{"path":"/x"}},{"id":"root","component":"Column","children":["a","loading_b"]},` + row("loading_b"))},
			{`]}}]</a2ui-json> end`, `" end" `},
		})
	})
	t.Run("an object that has just been opened says nothing", func(t *testing.T) {
		legacyRun(t, json, []legacyStep{
			{"<a2ui-json>[" + create + "," + update, create + " "},
			{`{"id":"root","component":"Column","children":{`, ""},
			{`"componentId":"a","path":"/x"`, up(`{"id":"root","component":"Column","children":{"componentId":"loading_a","path":"/x"}},` + row("loading_a"))},
		})
	})
	t.Run("a root in updateComponents", func(t *testing.T) {
		legacyRun(t, json, []legacyStep{
			{"<a2ui-json>[" + create, create + " "},
			{`,{"version":"v0.9","updateComponents":{"surfaceId":"s","root":"top","components":[{"id":"top","component":"Card","child":"a"}`,
				up(`{"id":"top","component":"Card","child":"loading_a"},` + row("loading_a"))},
			{`,{"id":"a","component":"Text","text":"x"}]}}`,
				up(`{"id":"a","component":"Text","text":"x"},{"id":"top","component":"Card","child":"a"}`)},
		})
	})
	t.Run("an entry of a list that has just been opened", func(t *testing.T) {
		data := func(value string) string {
			return `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":` + value + `}} `
		}
		legacyRun(t, json, []legacyStep{
			{"<a2ui-json>[" + create + `,{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"l":[{"a":1},`, create + " " + data(`{"l":[{"a":1}]}`)},
			{`{"a`, ""},
			{`":2}`, data(`{"l":[{"a":1},{"a":2}]}`)},
			{`,{}]}}}`, data(`{"l":[{"a":1},{"a":2},{}]}`)},
		})
	})
	t.Run("a Modal", func(t *testing.T) {
		legacyRun(t, json, []legacyStep{
			{"<a2ui-json>[" + create, create + " "},
			{"," + up(`{"id":"root","component":"Modal","trigger":"t","content":"c"},{"id":"c","component":"Text","content":"free"},{"id":"t","component":"Text","text":"x"}`),
				up(`{"id":"c","component":"Text","content":"free"},{"id":"root","component":"Modal","trigger":"t","content":"c"},{"id":"t","component":"Text","text":"x"}`)},
		})
	})
	t.Run("data as it comes", func(t *testing.T) {
		data := func(value string) string {
			return `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":` + value + `}} `
		}
		legacyRun(t, json, []legacyStep{
			{`<a2ui-json>[{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"a":1,"b":{`, data(`{"a":1,"b":{}}`)},
			{`"c":"x","d`, data(`{"b":{"c":"x"}}`)},
			{`":2},"note":"He`, data(`{"b":{"c":"x","d":2},"note":"He"}`)},
			{`y"}}}]</a2ui-json>`, data(`{"note":"Hey"}`)},
		})
	})
	t.Run("what does not pass waits, and is a problem at the end", func(t *testing.T) {
		o := a2ui.ParserOptions{Check: a2ui.CheckEnvelope,
			Rules: a2ui.Rules{Catalog: a2ui.Basic(a2ui.V09).Prune("Card")}}
		legacyRun(t, o, []legacyStep{
			{"<a2ui-json>[" + create, create + " "},
			{"," + update + `{"id":"root","component":"Card","child":"x"}`, ""}, // no Row to stand in for the child
			{`]}}`, ""},
			{"," + update + `{"id":"x","component":"Text","text":"x"}`, ""},
			{`]}}`, `error A2UI_S2C_COMPONENT_UNKNOWN line 3 component "x" at "/components/1": the catalog has no component "Text"`},
		})
	})
}

// TestLegacyParserV08: wrappers, the named root, typed data.
func TestLegacyParserV08(t *testing.T) {
	t.Parallel()
	const begin = `{"beginRendering":{"surfaceId":"s","root":"r"}}`
	up := func(components string) string {
		return `{"surfaceUpdate":{"surfaceId":"s","components":[` + components + `]}} `
	}
	data := func(contents string) string {
		return `{"dataModelUpdate":{"surfaceId":"s","contents":[` + contents + `]}} `
	}
	legacyRun(t, a2ui.ParserOptions{Check: a2ui.CheckEnvelope}, []legacyStep{
		{"<a2ui-json>[" + begin, begin + " "},
		{`,{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"r","component":{"Tabs":{"tabItems":[{"title":{"literalString":"Fi`,
			up(`{"id":"r","component":{"Tabs":{"tabItems":[{"title":{"literalString":"Fi"}}]}}}`)},
		{`rst"},"child":"c"}]}}}`, up(`{"id":"r","component":{"Tabs":{"tabItems":[{"title":{"literalString":"First"},"child":"loading_c"}]}}},` +
			`{"id":"loading_c","component":{"Row":{"children":{"explicitList":[]}}}}`)},
		{`]}}`, ""},
		{`,{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"a","valueMap":[{"key":"b","valueString":"https://x.y/half`, data(`{"key":"a","valueMap":[]}`)},
		{`"},{"ke`, data(`{"key":"a","valueMap":[{"key":"b","valueString":"https://x.y/half"}]}`)},
		{`y":"c"}]}]}}`, ""}, // an entry without a value
	})
}

// TestLegacyParserCircle: components that contain themselves are a problem, once.
// TestLegacyParserPaths: a bare path of v0.8 means the root, or an item.
func TestLegacyParserPaths(t *testing.T) {
	t.Parallel()
	const begin = `{"beginRendering":{"surfaceId":"s","root":"r"}}`
	up := func(bare string) string {
		return `{"surfaceUpdate":{"surfaceId":"s","components":[` +
			`{"id":"item","component":{"Text":{"text":{"path":"name"}}}},` +
			`{"id":"list","component":{"List":{"children":{"template":{"componentId":"item","dataBinding":"/all"}}}}},` +
			`{"id":"r","component":{"Column":{"children":{"explicitList":["list","title"]}}}},` +
			`{"id":"title","component":{"Text":{"text":{"path":"` + bare + `"}}}}]}}`
	}
	legacyRun(t, a2ui.ParserOptions{Check: a2ui.CheckNothing}, []legacyStep{
		{"<a2ui-json>[" + begin, begin + " "},
		{"," + up("title"), up("/title") + " "},
	})
}

func TestLegacyParserCircle(t *testing.T) {
	t.Parallel()
	p := a2ui.NewParser(a2ui.ParserOptions{Legacy: &a2ui.LegacyParser{}, Check: a2ui.CheckNothing})
	in := `<a2ui-json>[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}},` +
		update + `{"id":"root","component":"Card","child":"a"},{"id":"a","component":"Card","child":"root"}`
	if _, err := p.Write([]byte(in)); !errors.Is(err, wire.ComponentCycle) {
		t.Fatalf("got %v", err)
	}
	if _, err := p.Write([]byte(`]}}]</a2ui-json>`)); err != nil {
		t.Fatalf("again: %v", err)
	}
}

// TestParserTwoBlocks: each tagged block is a part of its own.
func TestParserTwoBlocks(t *testing.T) {
	t.Parallel()
	block := func(id string) string {
		return a2ui.OpenTag + `[{"version":"v0.9","deleteSurface":{"surfaceId":"` + id +
			`"}},{"version":"v0.9","deleteSurface":{"surfaceId":"x"}}]` + a2ui.CloseTag
	}
	parts, err := a2ui.ParseText(a2ui.ParserOptions{Check: a2ui.CheckNothing}, []byte(block("a")+"\n"+block("b")))
	if err != nil || len(parts) != 2 || len(parts[0].Messages) != 2 || len(parts[1].Messages) != 2 {
		t.Errorf("parts %+v, error %v", parts, err)
	}
}
