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
			{`{"id":"root","component":"Column"`, up(`{"id":"root","component":"Column"}`)},
			{`,"children":[`, up(`{"id":"root","component":"Column","children":["loading_children_root"]},` + row("loading_children_root"))},
			{`"a","b`, up(`{"id":"root","component":"Column","children":["loading_a","loading_b"]},` + row("loading_a") + "," + row("loading_b"))},
			{`"`, ""},
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
			{`y"}}}]</a2ui-json>`, data(`{"a":1,"b":{"c":"x","d":2},"note":"Hey"}`)},
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
		{`,{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"a","valueMap":[{"key":"b","valueString":"https://x.y/half`, ""},
		{`"},{"ke`, data(`{"key":"a","valueMap":[{"key":"b","valueString":"https://x.y/half"}]}`)},
		// an entry without a value; what has a map comes again at the end
		{`y":"c"}]}]}}`, data(`{"key":"a","valueMap":[{"key":"b","valueString":"https://x.y/half"}]}`)},
	})
}

// TestLegacyParserChildren: a component whose children are still to come, cut at
// every kind of place.
func TestLegacyParserChildren(t *testing.T) {
	t.Parallel()
	const create = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}`
	const begin = `{"beginRendering":{"surfaceId":"s","root":"r"}}`
	new9 := func(components string) string {
		return `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[` + components + `]}} `
	}
	old8 := func(components string) string {
		return `{"surfaceUpdate":{"surfaceId":"s","components":[` + components + `]}} `
	}
	row := func(id string) string { return `,{"id":"loading_` + id + `","component":"Row","children":[]}` }
	row8 := func(id string) string {
		return `,{"id":"loading_` + id + `","component":{"Row":{"children":{"explicitList":[]}}}}`
	}
	open9 := legacyStep{"<a2ui-json>[" + create + "," + update, create + " "}
	open8 := legacyStep{"<a2ui-json>[" + begin + `,{"surfaceUpdate":{"surfaceId":"s","components":[`, begin + " "}
	for name, steps := range map[string][]legacyStep{
		"half an id in a list is the id of a place": {open9,
			{`{"id":"root","component":"Row","children":["tit`, new9(`{"id":"root","component":"Row","children":["loading_tit"]}` + row("tit"))},
			{`le"]},{"id":"title","component":"Text","text":"T"}`, new9(`{"id":"root","component":"Row","children":["title"]},{"id":"title","component":"Text","text":"T"}`)},
		},
		"half an id alone waits": {open9,
			{`{"id":"root","component":"Card","child":"bo`, ""},
			{`dy"`, new9(`{"id":"root","component":"Card","child":"loading_body"}` + row("body"))},
			{`},{"id":"body","component":"Text","text":"Bo`, new9(`{"id":"body","component":"Text","text":"Bo"},{"id":"root","component":"Card","child":"body"}`)},
			{`dy "`, new9(`{"id":"body","component":"Text","text":"Body "},{"id":"root","component":"Card","child":"body"}`)},
		},
		"a text that ends in a space": {open9,
			{`{"id":"root","component":"Text","text":"Good `, new9(`{"id":"root","component":"Text","text":"Good"}`)},
			{`day"}`, new9(`{"id":"root","component":"Text","text":"Good day"}`)},
		},
		"half an escape": {open9,
			{`{"id":"root","component":"Text","text":"a\`, new9(`{"id":"root","component":"Text","text":"a"}`)},
			{`n\u00`, new9(`{"id":"root","component":"Text","text":"a\n"}`)},
			{`e4"}`, new9(`{"id":"root","component":"Text","text":"a\nä"}`)},
		},
		"half an address waits": {open9,
			{`{"id":"root","component":"Text","text":"https://a.b/c`, ""},
			{`"}`, new9(`{"id":"root","component":"Text","text":"https://a.b/c"}`)},
		},
		"a number": {open9,
			{`{"id":"root","component":"Slider","max":1`, new9(`{"id":"root","component":"Slider","max":1}`)},
			{`0`, new9(`{"id":"root","component":"Slider","max":10}`)},
			{`.`, ""},
			{`5}`, new9(`{"id":"root","component":"Slider","max":10.5}`)},
		},
		"children before their parent": {open9,
			{`{"id":"a","component":"Text","text":"A"},{"id":"b","component":"Text","text":"B`, ""},
			{`"},{"id":"root","component":"Column","children":["a","b","c"`, new9(`{"id":"a","component":"Text","text":"A"},{"id":"b","component":"Text","text":"B"},` +
				`{"id":"root","component":"Column","children":["a","b","loading_c"]}` + row("c"))},
		},
		"a template before what it repeats": {open9,
			{`{"id":"root","component":"List","children":{"componentId":"item`, ""},
			{`","path":"/all"}}`, new9(`{"id":"root","component":"List","children":{"componentId":"loading_item","path":"/all"}}` + row("item"))},
			{`,{"id":"item","component":"Text","text":{"path":"name"}}`, new9(`{"id":"item","component":"Text","text":{"path":"name"}},` +
				`{"id":"root","component":"List","children":{"componentId":"item","path":"/all"}}`)},
		},
		"tabs": {open9,
			{`{"id":"root","component":"Tabs","tabs":[{"title":"One","child":"a"},{"title":"Two"`, new9(`{"id":"root","component":"Tabs","tabs":[{"title":"One","child":"loading_a"},{"title":"Two"}]}` + row("a"))},
			{`,"child":"b"}]}`, new9(`{"id":"root","component":"Tabs","tabs":[{"title":"One","child":"loading_a"},{"title":"Two","child":"loading_b"}]}` + row("a") + row("b"))},
		},
		"an empty object waits for the end of its message": {open9,
			{`{"id":"root","component":"Button","child":"t","action":{"event":{"name":"go","context":{}}}},{"id":"t","component":"Text","text":"Go"}`, ""},
			{`]}}`, new9(`{"id":"root","component":"Button","child":"t","action":{"event":{"name":"go","context":{}}}},{"id":"t","component":"Text","text":"Go"}`)},
		},
		"v0.8: a list that was only opened": {open8,
			{`{"id":"r","component":{"Column":{"children":{"explicitList":[`, old8(`{"id":"r","component":{"Column":{"children":{"explicitList":["loading_children_r"]}}}}` + row8("children_r"))},
			{`"a"`, old8(`{"id":"r","component":{"Column":{"children":{"explicitList":["loading_a"]}}}}` + row8("a"))},
			{`]}}}},{"id":"a","component":{"Text":{"text":{"literalString":"A`, old8(`{"id":"a","component":{"Text":{"text":{"literalString":"A"}}}},` +
				`{"id":"r","component":{"Column":{"children":{"explicitList":["a"]}}}}`)},
		},
		"v0.8: the type alone says nothing": {open8,
			{`{"id":"r","component":{"Divider":{`, ""},
			{`"axis":"horizontal"`, old8(`{"id":"r","component":{"Divider":{"axis":"horizontal"}}}`)},
		},
		"v0.8: of two updates in one Write the last stays": {{"<a2ui-json>[" + begin, begin + " "},
			{"," + old8(`{"id":"r","component":{"Card":{"child":"a"}}}`) + "," + old8(`{"id":"a","component":{"Text":{"text":{"path":"/x"}}}}`),
				old8(`{"id":"a","component":{"Text":{"text":{"path":"/x"}}}},{"id":"r","component":{"Card":{"child":"a"}}}`)},
		},
		"v0.9: both stay": {{"<a2ui-json>[" + create, create + " "},
			{"," + new9(`{"id":"root","component":"Card","child":"a"}`) + "," + new9(`{"id":"a","component":"Text","text":"A"}`),
				new9(`{"id":"root","component":"Card","child":"loading_a"}`+row("a")) +
					new9(`{"id":"a","component":"Text","text":"A"},{"id":"root","component":"Card","child":"a"}`)},
		},
		"a message that brings no root": {{"<a2ui-json>[" + create, create + " "},
			{"," + new9(`{"id":"a","component":"Text","text":"A"}`), `error A2UI_S2C_BEGIN_MISSING_ROOT line 2 surface "s": there is no root component "root"`},
			{"," + new9(`{"id":"root","component":"Card","child":"a"}`), new9(`{"id":"a","component":"Text","text":"A"},{"id":"root","component":"Card","child":"a"}`)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			legacyRun(t, a2ui.ParserOptions{Check: a2ui.CheckNothing}, steps)
		})
	}
}

// TestLegacyParserData: a data model that grows from Write to Write.
func TestLegacyParserData(t *testing.T) {
	t.Parallel()
	new9 := func(value string) string {
		return `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":` + value + `}} `
	}
	old8 := func(contents string) string {
		return `{"dataModelUpdate":{"surfaceId":"s","contents":[` + contents + `]}} `
	}
	const open9 = `<a2ui-json>[{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{`
	const open8 = `<a2ui-json>[{"dataModelUpdate":{"surfaceId":"s","contents":[`
	for name, steps := range map[string][]legacyStep{
		"members that came, and all at the end": {
			{open9 + `"city":"Bern","size":3`, new9(`{"city":"Bern","size":3}`)},
			{`5,"hot":tru`, new9(`{"size":35}`)},
			{`e,"sights":{`, new9(`{"hot":true,"sights":{}}`)},
			{`"clock":{"old":`, ""},
			{`true`, new9(`{"sights":{"clock":{"old":true}}}`)},
			{`}},"z":0}}}`, new9(`{"city":"Bern","size":35,"hot":true,"sights":{"clock":{"old":true}},"z":0}`)},
		},
		"nothing new at the end": {
			{open9 + `"a":1,"b":[1,2]`, new9(`{"a":1,"b":[1,2]}`)},
			{`}}}`, ""},
		},
		"whole at once": {
			{open9 + `"a":1}}}]</a2ui-json>`, new9(`{"a":1}`)},
		},
		"a list of texts": {
			{open9 + `"tags":["red","gre`, new9(`{"tags":["red","gre"]}`)},
			{`en"]}}}`, new9(`{"tags":["red","green"]}`)},
		},
		"a text waits for its end, but for one that is shown": {
			{open9 + `"name":"An`, ""},
			{`na","text":"Good mor`, new9(`{"name":"Anna","text":"Good mor"}`)},
			{`ning, ","n":{"a":"x, y`, new9(`{"text":"Good morning, "}`)},
			{`"}}}}`, new9(`{"name":"Anna","text":"Good morning, ","n":{"a":"x, y"}}`)},
		},
		"a list as value waits": {
			{`<a2ui-json>[{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/l","value":[1,`, ""},
			{`2]}}`, `{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/l","value":[1,2]}} `},
		},
		"a path stays": {
			{`<a2ui-json>[{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/user","value":{"a":1,`,
				`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/user","value":{"a":1}}} `},
		},
		"a last bracket that lacks": {
			{open9 + `"a":1,`, new9(`{"a":1}`)},
			{`"b":2}}]</a2ui-json>`, new9(`{"b":2}`)},
		},
		"a second message begins anew": {
			{open9 + `"a":1}}},{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"a":1`, new9(`{"a":1}`) + new9(`{"a":1}`)},
		},
		"v0.8: all entries that are complete": {
			{open8 + `{"key":"city","valueString":"Bern"},{"key":"size","valueNumber":3`, old8(`{"key":"city","valueString":"Bern"},{"key":"size","valueNumber":3}`)},
			{`5},{"key":"hot"`, old8(`{"key":"city","valueString":"Bern"},{"key":"size","valueNumber":35}`)},
			{`,"valueBoolean":false}`, old8(`{"key":"city","valueString":"Bern"},{"key":"size","valueNumber":35},{"key":"hot","valueBoolean":false}`)},
			{`]}}`, ""},
		},
		"v0.8: maps": {
			{open8 + `{"key":"all","valueMap":[`, old8(`{"key":"all","valueMap":[]}`)},
			{`{"key":"1","valueMap":[{"key":"name"`, ""},
			{`,"valueString":"Ann`, old8(`{"key":"all","valueMap":[{"key":"1","valueMap":[{"key":"name","valueString":"Ann"}]}]}`)},
			{`a"}]},{}]}]}}`, old8(`{"key":"all","valueMap":[{"key":"1","valueMap":[{"key":"name","valueString":"Anna"}]}]}`)},
		},
		"v0.8: addresses wait": {
			{open8 + `{"key":"a","valueString":"x"},{"key":"pic","valueString":"/img/a`, old8(`{"key":"a","valueString":"x"}`)},
			{`.png"},{"key":"heroImage","valueString":"b.pn`, old8(`{"key":"a","valueString":"x"},{"key":"pic","valueString":"/img/a.png"}`)},
			{`g"},{"key":"note","valueString":"H`, old8(`{"key":"a","valueString":"x"},{"key":"pic","valueString":"/img/a.png"},{"key":"heroImage","valueString":"b.png"},{"key":"note","valueString":"H"}`)},
		},
		"v0.8: of one key the last counts": {
			{open8 + `{"key":"n","valueNumber":1},{"key":"n","valueNumber":2},`, old8(`{"key":"n","valueNumber":2}`)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			legacyRun(t, a2ui.ParserOptions{Check: a2ui.CheckNothing}, steps)
		})
	}
}

// TestLegacyParserDelete: a deletion that comes before its surface is about an
// earlier one.
func TestLegacyParserDelete(t *testing.T) {
	t.Parallel()
	const create = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}`
	const drop9 = `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`
	const begin = `{"beginRendering":{"surfaceId":"s","root":"r"}}`
	const drop8 = `{"deleteSurface":{"surfaceId":"s"}}`
	const text9 = `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"x"}]}}`
	const text8 = `{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"r","component":{"Text":{"text":{"path":"/x"}}}}]}}`
	for name, steps := range map[string][]legacyStep{
		"before its surface":          {{"<a2ui-json>[" + drop9, ""}, {"," + create + "," + text9, create + " " + text9 + " "}},
		"between what waits":          {{"<a2ui-json>[" + text9 + "," + drop9, ""}, {"," + create, create + " " + text9 + " "}},
		"of another surface":          {{"<a2ui-json>[" + create + `,{"version":"v0.9","deleteSurface":{"surfaceId":"t"}}`, create + " "}, {"," + text9, text9 + " "}},
		"after it":                    {{"<a2ui-json>[" + create + "," + text9, create + " " + text9 + " "}, {"," + drop9, drop9 + " "}, {"," + text9, ""}},
		"and again":                   {{"<a2ui-json>[" + create + "," + drop9, create + " " + drop9 + " "}, {"," + create + "," + text9, create + " " + text9 + " "}},
		"v0.8, before its surface":    {{"<a2ui-json>[" + drop8, ""}, {"," + begin, begin + " "}, {"," + text8, ""}},
		"v0.8, after what waits":      {{"<a2ui-json>[" + text8, ""}, {"," + begin + "," + drop8, begin + " " + text8 + " " + drop8 + " "}},
		"v0.8, in one Write with all": {{"<a2ui-json>[" + begin + "," + text8 + "," + drop8 + "]</a2ui-json>", begin + " " + text8 + " " + drop8 + " "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			legacyRun(t, a2ui.ParserOptions{Check: a2ui.CheckNothing}, steps)
		})
	}
}

// TestLegacyParserV1: since v1.0 a component waits for its end, and the message that
// creates a surface may bring components.
func TestLegacyParserV1(t *testing.T) {
	t.Parallel()
	const create = `{"version":"v1.0","createSurface":{"surfaceId":"s","catalogId":"c"}}`
	const head = `{"version":"v1.0","updateComponents":{"surfaceId":"s","components":[`
	const inline = `{"version":"v1.0","createSurface":{"surfaceId":"s","components":[` +
		`{"id":"root","component":"Row","children":["a","b"]},{"id":"a","component":"Text","text":"A"}]}}`
	up := func(components string) string { return head + components + "]}} " }
	const row = `,{"id":"loading_a","component":"Row","children":[]}`
	open := legacyStep{"<a2ui-json>[" + create + "," + head, create + " "}
	for name, steps := range map[string][]legacyStep{
		"a text waits for its component": {open,
			{`{"id":"root","component":"Text","text":"Hel`, ""},
			{`lo"`, ""},
			{`,"catalogId":"d"}`, up(`{"id":"root","component":"Text","text":"Hello","catalogId":"d"}`)},
			{`]}}]</a2ui-json>`, ""}},
		"so does a list of children": {open,
			{`{"id":"root","component":"Card","child":"a"},{"id":"a","component":"Row","children":[`,
				up(`{"id":"root","component":"Card","child":"loading_a"}` + row)},
			{`"b"]`, ""},
			{`}`, up(`{"id":"a","component":"Row","children":["loading_b"]},{"id":"root","component":"Card","child":"a"},` +
				`{"id":"loading_b","component":"Row","children":[]}`)}},
		"a later form waits, too": {open,
			{`{"id":"root","component":"Text","text":"One"}]}},` + head, up(`{"id":"root","component":"Text","text":"One"}`)},
			{`{"id":"root","component":"Text","text":"Tw`, ""},
			{`o"}]}}`, up(`{"id":"root","component":"Text","text":"Two"}`)}},
		"components of the creating message": {
			{"<a2ui-json>[" + inline, inline + " "},
			{"," + head + `{"id":"b","component":"Text","text":"B"}`,
				up(`{"id":"a","component":"Text","text":"A"},{"id":"b","component":"Text","text":"B"},` +
					`{"id":"root","component":"Row","children":["a","b"]}`)}},
		"v0.9 does not wait": {
			{`<a2ui-json>[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}},` + update,
				`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}} `},
			{`{"id":"root","component":"Text","text":"Hel`, update + `{"id":"root","component":"Text","text":"Hel"}]}} `}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			legacyRun(t, a2ui.ParserOptions{Check: a2ui.CheckNothing}, steps)
		})
	}
}

// TestLegacyParserBlocks: words in a block are passed over, and a block without a
// message is a problem.
func TestLegacyParserBlocks(t *testing.T) {
	t.Parallel()
	const drop = `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`
	const create = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}`
	const none = "error A2UI_S2C_ENVELOPE_UNREADABLE: the A2UI is empty"
	for name, steps := range map[string][]legacyStep{
		"words":           {{"<a2ui-json>Sure, 2 < 3: [" + create + "] that's \"all\"</a2ui-json>", create + " "}},
		"fences":          {{"<a2ui-json>\n```json\n[" + create + "]\n```\nand\n```json\n[" + drop + "]\n```\n</a2ui-json>", create + " " + drop + " "}},
		"words alone":     {{"<a2ui-json>none", ""}, {"</a2ui-json>", none}},
		"an empty list":   {{"<a2ui-json>[]</a2ui-json>", none}},
		"an empty fence":  {{"<a2ui-json>```json\n```</a2ui-json>", none}},
		"the block after": {{"<a2ui-json></a2ui-json><a2ui-json>" + create + "</a2ui-json>", create + " " + none}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			legacyRun(t, a2ui.ParserOptions{Check: a2ui.CheckNothing}, steps)
		})
	}
}

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

// TestLegacyParserCircle: components that contain themselves are a problem, once.
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
