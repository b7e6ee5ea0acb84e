package a2ui_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

const cat10 = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"

// charts is a custom catalog beside the basic one.
func charts() *a2ui.Catalog {
	return &a2ui.Catalog{ID: "charts",
		Components: map[string]*a2ui.ComponentDef{
			"Chart": {Name: "Chart", Props: []a2ui.PropDef{
				{Name: "series", Kind: wire.ListOf, Required: true, Item: &a2ui.PropDef{Kind: wire.ObjectOf, Fields: []a2ui.PropDef{
					{Name: "name", Kind: wire.DynString, Required: true}, {Name: "points", Kind: wire.ListOf, Item: &a2ui.PropDef{Kind: wire.PlainNumber}},
					{Name: "legend", Kind: wire.Child}}}},
				{Name: "size", Kind: wire.OneOfKinds, Any: []a2ui.PropDef{{Kind: wire.PlainCount}, {Kind: wire.Enum, Enum: []string{"auto"}}}},
				{Name: "click", Kind: wire.ActionValue}, {Name: "rules", Kind: wire.CheckList}, {Name: "slots", Kind: wire.Children},
			}},
			"Grid":   {Name: "Grid", Open: true, Children: []string{"Cell"}, Props: []a2ui.PropDef{{Name: "cells", Kind: wire.Children, Required: true}}},
			"Cell":   {Name: "Cell", Parents: []string{"Grid"}, Props: []a2ui.PropDef{{Name: "text", Kind: wire.DynString}}},
			"Banner": {Name: "Banner", Parents: []string{"Surface"}, Props: []a2ui.PropDef{{Name: "metadata", Kind: wire.Metadata}}},
		},
		Functions: map[string]*a2ui.FunctionDef{
			"refresh": {Name: "refresh", Returns: "void", Callers: a2ui.AgentOnly},
			"sum":     {Name: "sum", Returns: "number", Callers: a2ui.RendererOrAgent, Args: []a2ui.PropDef{{Name: "of", Kind: wire.AnyValue, Required: true}}},
		},
	}
}

func rules10(p a2ui.Profile) a2ui.Rules {
	return a2ui.Rules{Dialect: a2ui.V10, Profile: p, Catalogs: []*a2ui.Catalog{charts()},
		Aliases: map[string]string{"alias": cat10}}
}

func make10(members string) string {
	return fmt.Sprintf(`{"version":"1.0","createSurface":{"surfaceId":"s",%s}}`, members)
}

func comps10(list ...string) string {
	return make10(`"catalogId":"alias","dataModel":{"l":[{"u":"https://x.y","l":[1]}],"m":{"a":1},"bad":[{"u":"javascript:x"}],"js":"javascript:x","n":3},"components":[` + strings.Join(list, ",") + `]`)
}

func call10(members string) string {
	return `{"version":"1.0","callRendererFunction":{` + members + `}}`
}

const (
	text10  = `{"id":"t","component":"Text","text":"x"}`
	chart10 = `"component":"Chart","@catalogId":"charts"`
)

func list10(path, item string) string {
	return comps10(`{"id":"root","component":"List","children":{"componentId":"t","path":"`+path+`"}}`,
		`{"id":"t",`+item+`}`)
}

func prop10(name, value string) string {
	root := `{"id":"root",` + chart10 + `,"series":[],"` + name + `":` + value + `}`
	if strings.Contains(value, `"t"`) {
		return comps10(root, text10)
	}
	return comps10(root)
}

// rules of v1.0 and of custom catalogs: "" = fine in both profiles, "safe CODE"
// = a problem in Safe only, "CODE" = in both.
var cases10 = []struct{ want, line string }{
	{"", comps10(`{"id":"root","component":"Card","child":"t"}`, text10)},
	{"", make10(`"components":[{"id":"root","component":"Text","@catalogId":"` + cat10 + `","text":"x"}]`)},
	{"COMPONENT_CATALOG", make10(`"components":[{"id":"root","component":"Text","text":"x"}]`)},
	{"COMPONENT_CATALOG", comps10(`{"id":"root","component":"Text","@catalogId":"nope","text":"x"}`)},
	{"COMPONENT_CATALOG", comps10(`{"id":"root","component":"Text","text":{"@call":"sum","catalogId":"nope","args":{}}}`)},
	{"BEGIN_CATALOG", make10(`"catalogId":"nope","components":[` + strings.Replace(text10, `"t"`, `"root"`, 1) + `]`)},
	{"BEGIN_MISSING_ROOT", comps10(text10)},
	{"COMPONENT_DANGLING", comps10(`{"id":"root","component":"Card","child":"t"}`)},
	{"COMPONENT_UNKNOWN", comps10(`{"id":"root","component":"Surface","child":"t"}`, text10)},
	{"", make10(`"catalogId":"charts","metadata":{"extensions":{"ab_1":{"@path":1}}},"components":[{"id":"root","component":"Banner","@metadata":{"extensions":{"x":null}}}]`)},
	{"safe COMPONENT_PROPERTY", make10(`"catalogId":"charts","metadata":{"extensions":{"a2ui_x":1}},"components":[{"id":"root","component":"Banner"}]`)},

	{"COMPONENT_UNALLOWED_CHILD", comps10(`{"id":"root","component":"Grid","@catalogId":"charts","cells":["t"]}`, text10)},
	{"COMPONENT_UNALLOWED_PARENT", comps10(`{"id":"root","component":"Card","child":"c"}`, `{"id":"c","component":"Cell","@catalogId":"charts"}`)},
	{"COMPONENT_UNALLOWED_PARENT", comps10(`{"id":"root","component":"Card","child":"c"}`, `{"id":"c","component":"Banner","@catalogId":"charts"}`)},
	{"COMPONENT_UNALLOWED_PARENT", make10(`"catalogId":"charts","components":[{"id":"root","component":"Cell"}]`)},
	{"", make10(`"catalogId":"charts","components":[{"id":"root","component":"Grid","cells":["c"],"any":{"x":[1]}},{"id":"c","component":"Cell"}]`)},

	{"COMPONENT_BINDING", comps10(`{"id":"root","component":"Slider","max":1,"value":{"@call":"@index"}}`)},
	{"COMPONENT_BINDING", comps10(`{"id":"root","component":"Text","text":{"@call":"formatString","args":{"value":"${@index(offset: 1)}"}}}`)},
	{"", list10("/l", `"component":"Text","text":{"@call":"formatString","args":{"value":"${@index(offset: 1)} \\${x} ${u} ${'}'}"}}`)},
	{"", list10("/l", `"component":"Slider","max":1,"value":{"@call":"@index","args":{"offset":1}}`)},
	{"COMPONENT_CALL_ARGS", list10("/l", `"component":"Slider","max":1,"value":{"@call":"@index","args":{"x":1}}`)},
	{"COMPONENT_CALL_ARGS", list10("/l", `"component":"Slider","max":1,"value":{"@call":"@other"}`)},
	{"COMPONENT_BINDING", comps10(`{"id":"root","component":"Text","text":{"@call":"formatString","args":{"value":"${/a~2}"}}}`)},
	{"safe COMPONENT_BINDING", comps10(`{"id":"root","component":"Text","text":{"@call":"formatString","args":{"value":"${/gone}"}}}`)},
	{"safe COMPONENT_BINDING", comps10(`{"id":"root","component":"Text","text":{"@call":"formatString","args":{"value":"${n}"}}}`)},
	{"safe COMPONENT_CALL_ARGS", comps10(`{"id":"root","component":"Text","text":{"@call":"formatString","args":{"value":"${/n"}}}`)},
	{"safe COMPONENT_CALL_ARGS", comps10(`{"id":"root","component":"Text","text":{"@call":"formatString","args":{"value":"${shout(a:/n)}"}}}`)},
	{"", comps10(`{"id":"root","component":"Text","text":{"@call":"formatString","args":{"value":"${formatNumber(value: ${/n}, decimals: 2)} ${ \"a\\\"}\" }"}}}`)},

	{"COMPONENT_PROPERTY", comps10(`{"id":"root","component":"CheckBox","label":"L","value":true,"@checks":[{"condition":true}]}`)},
	{"", comps10(`{"id":"root","component":"CheckBox","label":"L","value":true,"@checks":[{"condition":{"@call":"required","args":{"value":null}}},{"condition":{"@path":"/n"},"message":"m"}]}`)},
	{"", comps10(`{"id":"root","component":"CheckBox","label":"L","value":{"@call":"not","args":{"value":{"@call":"email","args":{"value":"x"}}}}}`)},
	{"COMPONENT_PROPERTY", comps10(`{"id":"root","component":"Text","text":"x","@accessibility":{"live":"loud"}}`)},
	{"COMPONENT_PROPERTY", comps10(`{"id":"root","component":"Text","text":"x","@accessibility":{"more":"x"}}`)},
	{"", comps10(`{"id":"root","component":"Text","text":"x","@accessibility":{"live":"off","hidden":{"@path":"/n"},"label":"L"}}`)},
	{"COMPONENT_PROPERTY", comps10(`{"id":"root","component":"Slider","max":1,"value":1,"steps":0}`)},
	{"COMPONENT_PROPERTY", comps10(`{"id":"root","component":"Slider","max":1,"value":1,"steps":1.5}`)},
	{"COMPONENT_URL_SCHEME", comps10(`{"id":"root","component":"Button","child":"t","action":{"functionCall":{"@call":"openUrl","args":{"url":"x"}}}}`, text10)},
	{"", comps10(`{"id":"root","component":"Button","child":"t","action":{"functionCall":{"@call":"openUrl","args":{"url":{"@path":"/l/0/u"}}}}}`, text10)},
	{"safe COMPONENT_CALL_ARGS", comps10(`{"id":"root","component":"Text","text":{"@call":"openUrl","args":{"url":"http://x"}}}`)},
	{"safe COMPONENT_CALL_ARGS", comps10(`{"id":"root","component":"Text","text":{"@call":"refresh","catalogId":"charts","args":{}}}`)},
	{"safe COMPONENT_URL_SCHEME", comps10(`{"id":"root","component":"Image","url":{"@path":"/js"}}`)},
	{"", comps10(`{"id":"root","component":"Image","url":{"@path":"/l/0/u"}}`)},
	{"safe COMPONENT_URL_SCHEME", list10("/bad", `"component":"Image","url":{"@path":"u"}`)},
	{"", list10("/l", `"component":"Image","url":{"@path":"u"}`)},
	{"safe COMPONENT_BINDING", list10("/m", text10[len(`{"id":"t",`):len(text10)-1])},
	{"safe COMPONENT_BINDING", comps10(`{"id":"root","component":"List","children":{"componentId":"a","path":"/l"}}`,
		`{"id":"a","component":"List","children":{"componentId":"t","path":"u"}}`, text10)},
	{"", comps10(`{"id":"root","component":"List","children":{"componentId":"a","path":"/l"}}`,
		`{"id":"a","component":"List","children":{"componentId":"t","path":"l"}}`, text10)},

	{"", prop10("size", `"auto"`)},
	{"", prop10("size", `3`)},
	{"COMPONENT_PROPERTY", prop10("size", `"big"`)},
	{"COMPONENT_PROPERTY", prop10("size", `-1`)},
	{"COMPONENT_PROPERTY", prop10("size", `{}`)},
	{"", prop10("click", `{"event":{"name":"go","context":{"a":{"@path":"/n"}}}}`)},
	{"", prop10("click", `{"functionCall":{"@call":"openUrl","args":{"url":"http://x"}}}`)},
	{"COMPONENT_PROPERTY", prop10("click", `{"event":{"nome":"go"}}`)},
	{"", prop10("rules", `[{"condition":{"@path":"/n"},"message":"m"},{"condition":{"@call":"email","args":{"value":"x"}}}]`)},
	{"COMPONENT_CHECK", prop10("rules", `[{"message":"m"}]`)},
	{"", prop10("slots", `["t"]`)},
	{"", prop10("slots", `{"componentId":"t","path":"/l"}`)},
	{"COMPONENT_DANGLING", prop10("slots", `["gone"]`)},
	{"COMPONENT_DANGLING", prop10("slots", `{"componentId":"gone","path":"/l"}`)},
	{"COMPONENT_PROPERTY", prop10("slots", `[1]`)},
	{"", comps10(`{"id":"root",`+chart10+`,"series":[{"name":{"@path":"/n"},"points":[1,2],"legend":"t"}]}`, text10)},
	{"COMPONENT_DANGLING", comps10(`{"id":"root",` + chart10 + `,"series":[{"name":"x","legend":"gone"}]}`)},
	{"COMPONENT_PROPERTY", comps10(`{"id":"root",` + chart10 + `,"series":[{"name":"x","points":["1"]}]}`)},
	{"COMPONENT_PROPERTY", comps10(`{"id":"root",` + chart10 + `,"series":[{"points":[]}]}`)},
	{"COMPONENT_PROPERTY", comps10(`{"id":"root",` + chart10 + `,"series":[{"name":"x","more":1}]}`)},
	{"COMPONENT_PROPERTY", comps10(`{"id":"root",` + chart10 + `,"series":{}}`)},

	{"", call10(`"functionCallId":"1","callFunction":{"@call":"sum","catalogId":"charts","args":{"of":[1]}}`)},
	{"", call10(`"functionCallId":"1","callFunction":{"@call":"refresh","catalogId":"charts","args":{}}`)},
	{"safe COMPONENT_BINDING", call10(`"functionCallId":"1","callFunction":{"@call":"sum","catalogId":"charts","args":{"of":{"@path":"/x"}}}`)},
	{"CALL_FUNCTION", call10(`"functionCallId":"","callFunction":{"@call":"sum","catalogId":"charts","args":{"of":1}}`)},
	{"CALL_FUNCTION", call10(`"functionCallId":"1","callFunction":{"@call":"email","catalogId":"` + cat10 + `","args":{"value":"x"}}`)},
	{"COMPONENT_CALL_ARGS", call10(`"functionCallId":"1","callFunction":{"@call":"sum","catalogId":"charts","args":{}}`)},
	{"COMPONENT_CALL_ARGS", call10(`"functionCallId":"1","callFunction":{"@call":"nope","catalogId":"charts","args":{}}`)},
	{"COMPONENT_CATALOG", call10(`"functionCallId":"1","callFunction":{"@call":"sum","catalogId":"nope","args":{}}`)},
	{"CALL_REPLY", `{"version":"1.0","agentFunctionResponse":{"functionCallId":"","value":1}}`},
	{"", `{"version":"1.0","agentFunctionResponse":{"functionCallId":"1","error":{"code":"X","message":""}}}`},
}

func TestRulesOfV10(t *testing.T) {
	t.Parallel()
	for i, c := range cases10 {
		want, onlySafe := strings.CutPrefix(c.want, "safe ")
		msgs := stream(t, a2ui.V10, c.line)
		for _, profile := range []a2ui.Profile{a2ui.Spec, a2ui.Safe} {
			got := a2ui.Validate(rules10(profile), msgs)
			switch {
			case want == "" || onlySafe && profile == a2ui.Spec:
				if got != nil {
					t.Errorf("%d, profile %d:%s\n%s", i, profile, list(got), c.line)
				}
			case !slices.Contains(codes(got), a2ui.Code("A2UI_S2C_"+want)):
				t.Errorf("%d, profile %d:%s, want %s\n%s", i, profile, list(got), want, c.line)
			}
		}
	}
}

// TestChangedDataIsJudged: what a binding leads to is checked when the data
// changes, too.
func TestChangedDataIsJudged(t *testing.T) {
	t.Parallel()
	v := a2ui.NewValidator(rules10(a2ui.Safe))
	if p := v.Check(stream(t, a2ui.V10, list10("/l", `"component":"Image","url":{"@path":"u"}`))); p != nil {
		t.Fatal(list(p))
	}
	set := func(path, value string) []a2ui.Problem {
		return v.Check(stream(t, a2ui.V10, fmt.Sprintf(
			`{"version":"1.0","updateDataModel":{"surfaceId":"s","path":%q,"value":%s}}`, path, value)))
	}
	if p := set("/l/1", `{"u":"http://x"}`); p != nil {
		t.Error(list(p))
	}
	if p := set("/l/1/u", `"data:x"`); len(p) != 1 || !errors.Is(&p[0], wire.ComponentURLScheme) ||
		errors.Is(&p[0], a2ui.LimitBytes) {
		t.Error(list(p))
	}
	if p := set("/l", `{"a":1}`); len(p) != 1 || p[0].Code != wire.ComponentBinding {
		t.Error(list(p))
	}
}

// TestListIsMapOfIndexes: on v0.8 a list is a map with the keys 0, 1, 2 and so on.
func TestListIsMapOfIndexes(t *testing.T) {
	t.Parallel()
	row := func(key string) string { return `{"key":"` + key + `","valueMap":[{"key":"k","valueString":"x"}]}` }
	for keys, fine := range map[string]bool{"0": true, "0 1": true, "": true, "1": false, "0 2": false, "1 0": false,
		"00": false, "a": false, "0 1 x": false} {
		var rows []string
		for _, key := range strings.Fields(keys) {
			rows = append(rows, row(key))
		}
		lines := []string{
			comps08(root08(`"List":{"children":{"template":{"componentId":"c#t","dataBinding":"/a"}}}`), `{"id":"c#t","component":{"Text":{"text":{"path":"k"}}}}`),
			set08("/a", strings.Join(rows, ",")), new08}
		p := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V08, Profile: a2ui.Safe}, stream(t, a2ui.V08, lines...))
		if (p == nil) != fine || p != nil && (len(p) != 1 || p[0].Code != wire.ComponentBinding) {
			t.Errorf("%q: %s", keys, list(p))
		}
	}
}

// TestClientMessageIsNoBypass: a client's message between a server's is an error.
func TestClientMessageIsNoBypass(t *testing.T) {
	t.Parallel()
	for d, line := range map[a2ui.Dialect]string{
		a2ui.V08:   `{"userAction":{"name":"a","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":{}}}`,
		a2ui.V09:   `{"version":"v0.9","action":{"name":"a","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":{}}}`,
		a2ui.V10RC: `{"version":"v1.0","rendererFunctionResponse":{"functionCallId":"1","value":1}}`,
		a2ui.V10:   `{"version":"1.0","callAgentFunction":{"surfaceId":"s","functionCallId":"1","callFunction":{"@call":"f","args":{}}}}`,
	} {
		if _, err := a2ui.DecodeMessageAs(d, []byte(line)); !errors.Is(err, a2ui.EnvelopeClientMessage) {
			t.Errorf("%s: %v", d, err)
		}
	}
}

// TestRefusedBatchesLeaveNoTrace: whatever a refused batch did in place is taken
// back, for the validator and for its clones.
func TestRefusedBatchesLeaveNoTrace(t *testing.T) {
	t.Parallel()
	first := stream(t, a2ui.V09, new09, data0,
		comps09(root09(`"component":"Column","children":["a","b"]`), `{"id":"a",`+hi09+`}`, `{"id":"b",`+hi09+`}`))
	good := stream(t, a2ui.V09, comps09(`{"id":"a","component":"Text","text":"new"}`))
	bad := stream(t, a2ui.V09, comps09(root09(`"component":"Column","children":["a","c","d"]`),
		`{"id":"a","component":"Text","text":{"path":"/b"}}`, `{"id":"c","component":"Card","child":"b"}`),
		set09("/b", `1`))
	gone := stream(t, a2ui.V09, `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`, comps09(root09(hi09)))
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe})
	fresh := func() *a2ui.Validator { v.Reset(); return v }
	for range 3 {
		v := fresh()
		if p := v.Check(first); p != nil {
			t.Fatal(list(p))
		}
		clone := v.Clone()
		for _, w := range []*a2ui.Validator{v, clone, v.Clone()} {
			for _, batch := range [][]a2ui.Message{bad, gone, bad} {
				want := fmt.Sprint(w.Clone().Check(batch))
				if p := w.Check(batch); p == nil || fmt.Sprint(p) != want {
					t.Errorf("got %s\nwant %s", list(p), want)
				}
				if p := w.Check(good); p != nil {
					t.Errorf("a refused batch left a trace:%s", list(p))
				}
			}
		}
	}
}
