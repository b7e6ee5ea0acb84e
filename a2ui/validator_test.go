package a2ui_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// stream is a short way to write messages: JSON lines of a dialect.
func stream(t testing.TB, d a2ui.Dialect, lines ...string) []a2ui.Message {
	t.Helper()
	var out []a2ui.Message
	for _, line := range lines {
		m, err := a2ui.DecodeMessageAs(d, []byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, m)
	}
	return out
}

const (
	cat08 = "https://a2ui.org/specification/v0_8/standard_catalog_definition.json"
	cat09 = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
	new09 = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"` + cat09 + `"}}`
	new08 = `{"beginRendering":{"surfaceId":"s","root":"c#r"}}`
	data0 = `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"a":"x","l":["y"],"n":1}}}`
)

func comps09(list ...string) string {
	return `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[` + strings.Join(list, ",") + `]}}`
}

func comps08(list ...string) string {
	return `{"surfaceUpdate":{"surfaceId":"s","components":[` + strings.Join(list, ",") + `]}}`
}

func set09(path, value string) string {
	return fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":%q,"value":%s}}`, path, value)
}

func set08(path, contents string) string {
	return fmt.Sprintf(`{"dataModelUpdate":{"surfaceId":"s","path":%q,"contents":[%s]}}`, path, contents)
}

// root09 and root08 are the smallest surfaces around one property or component.
func root09(props string) string { return `{"id":"root",` + props + `}` }
func root08(component string) string {
	return `{"id":"c#r","component":{` + component + `}}`
}

const (
	hi09 = `"component":"Text","text":"hi"`
	hi08 = `"Text":{"text":{"literalString":"hi"}}`
)

// picks08 is a choice bound to /a.
var picks08 = comps08(
	root08(`"MultipleChoice":{"selections":{"path":"/a"},"options":[{"label":{"literalString":"Red"},"value":"red"}],"maxAllowedSelections":1}`))

// TestListsTravelAsText: the JSON text of a list is Safe where a choice binds it,
// before or after its components, and nowhere else (see faults).
func TestListsTravelAsText(t *testing.T) {
	t.Parallel()
	red := set08("", `{"key":"a","valueString":"[\"red\"]"}`)
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V08, Profile: a2ui.Safe})
	for _, batch := range [][]string{{picks08, red, new08}, {red}, {set08("", `{"key":"a","valueString":"[]"}`)}} {
		if p := v.Check(stream(t, a2ui.V08, batch...)); p != nil {
			t.Errorf("%s:%s", batch, list(p))
		}
	}
}

// faults has for every code of the validator streams that yield it, and in which
// profiles: "spec" in both, "safe" in Safe only.
var faults = []struct {
	code    a2ui.Code
	profile string
	dialect a2ui.Dialect
	lines   []string
}{
	{wire.BeginMissingRoot, "spec", a2ui.V09, []string{new09, comps09(`{"id":"a",` + hi09 + `}`)}},
	{wire.BeginMissingRoot, "spec", a2ui.V08, []string{comps08(`{"id":"c#x","component":{` + hi08 + `}}`), new08}},
	{wire.BeginMissingRoot, "safe", a2ui.V09, []string{new09}},
	{wire.BeginMissingRoot, "spec", a2ui.V08, []string{new08}},
	{wire.BeginOrder, "safe", a2ui.V09, []string{new09, comps09(root09(hi09)), data0}},
	{wire.BeginOrder, "spec", a2ui.V08, []string{new08, comps08(root08(hi08))}},
	{wire.BeginOrder, "safe", a2ui.V08, []string{comps08(root08(hi08))}},
	{wire.BeginSurfaceUnknown, "spec", a2ui.V09, []string{comps09(root09(hi09))}},
	{wire.BeginSurfaceUnknown, "spec", a2ui.V09, []string{data0}},
	{wire.BeginSurfaceUnknown, "spec", a2ui.V09, []string{new09, comps09(root09(hi09)), `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`, data0}},
	{wire.BeginSurfaceDuplicate, "spec", a2ui.V09, []string{new09, comps09(root09(hi09)), new09}},
	{wire.BeginSurfaceDuplicate, "safe", a2ui.V08, []string{comps08(root08(hi08)), new08, new08}},
	{wire.BeginCatalog, "spec", a2ui.V09, []string{strings.Replace(new09, "basic", "other", 1), comps09(root09(hi09))}},
	{wire.BeginTheme, "spec", a2ui.V09, []string{strings.Replace(new09, `}}`, `,"theme":{"primaryColor":"red"}}}`, 1), comps09(root09(hi09))}},
	{wire.BeginTheme, "spec", a2ui.V08, []string{comps08(root08(hi08)), strings.Replace(new08, `}}`, `,"styles":{"x":"y"}}}`, 1)}},

	{a2ui.ComponentUnknown, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Gauge"`))}},
	{wire.ComponentProperty, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Text"`))}},
	{wire.ComponentProperty, "spec", a2ui.V09, []string{new09, comps09(root09(hi09 + `,"color":"red"`))}},
	{wire.ComponentProperty, "spec", a2ui.V09, []string{new09, comps09(root09(hi09 + `,"variant":"h9"`))}},
	{wire.ComponentProperty, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Column","children":{}`))}},
	{wire.ComponentProperty, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Slider","value":"3","max":1`))}},
	{wire.ComponentProperty, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Tabs","tabs":[]`))}},
	{wire.ComponentProperty, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Icon","name":"unicorn"`))}},
	{wire.ComponentProperty, "spec", a2ui.V08, []string{comps08(root08(`"Text":{"text":"hi"}`)), new08}},
	{wire.ComponentProperty, "safe", a2ui.V09, []string{new09, comps09(root09(hi09 + `,"variant":"h1"`)), comps09(root09(hi09))}},
	{wire.ComponentDuplicate, "spec", a2ui.V09, []string{new09, comps09(root09(hi09), root09(hi09))}},
	{wire.ComponentDangling, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Card","child":"x"`))}},
	{wire.ComponentDangling, "spec", a2ui.V08, []string{comps08(root08(`"Card":{"child":"x"}`)), new08}},
	{wire.ComponentDangling, "safe", a2ui.V08, []string{comps08(`{"id":"c#x","component":{` + hi08 + `}}`), comps08(root08(`"Card":{"child":"c#x"}`)), new08}},
	{wire.ComponentCycle, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Card","child":"root"`))}},
	{wire.ComponentCycle, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Card","child":"a"`), `{"id":"a","component":"Card","child":"root"}`)}},
	{wire.ComponentCycle, "spec", a2ui.V09, []string{new09, comps09(root09(hi09), `{"id":"a","component":"Card","child":"b"}`, `{"id":"b","component":"Card","child":"a"}`)}},
	{wire.ComponentCycle, "safe", a2ui.V09, []string{new09, data0, comps09(root09(`"component":"List","children":{"componentId":"a","path":"/l"}`), `{"id":"a","component":"Card","child":"root"}`)}},
	{wire.ComponentOrphan, "safe", a2ui.V09, []string{new09, comps09(root09(hi09), `{"id":"a",`+hi09+`}`)}},
	{wire.ComponentTypeChanged, "safe", a2ui.V09, []string{new09, comps09(root09(hi09)), comps09(root09(`"component":"Divider"`))}},
	{wire.ComponentIDLiteral, "safe", a2ui.V08, []string{comps08(root08(`"Text":{"text":{"literalString":"c#r"}}`)), new08}},
	{wire.ComponentIDLiteral, "safe", a2ui.V08, []string{comps08(`{"id":"h1","component":{"Text":{"text":{"literalString":"x"},"usageHint":"h1"}}}`), strings.Replace(new08, "c#r", "h1", 1)}},
	{wire.ComponentURLScheme, "safe", a2ui.V09, []string{new09, comps09(root09(`"component":"Image","url":"javascript:alert(1)"`))}},
	{wire.ComponentURLScheme, "safe", a2ui.V09, []string{new09, comps09(root09(`"component":"Image","url":"mailto:a@b.c"`))}},
	{wire.ComponentURLScheme, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Button","child":"t","action":{"functionCall":{"call":"openUrl","args":{"url":"/x"}}}`), `{"id":"t",`+hi09+`}`)}},
	{wire.ComponentPathLiteral, "safe", a2ui.V08, []string{comps08(root08(`"Text":{"text":{"path":"/a","literalString":"x"}}`)), set08("", `{"key":"a","valueString":"x"}`), new08}},
	{wire.ComponentCallArgs, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Text","text":{"call":"shout","args":{}}`))}},
	{wire.ComponentCallArgs, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Text","text":{"call":"formatString"}`))}},
	{wire.ComponentCallArgs, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Text","text":{"call":"formatString","args":{"value":"x","y":1}}`))}},
	{wire.ComponentCallArgs, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"CheckBox","label":"L","value":{"call":"length","args":{"value":"x"}}`))}},
	{wire.ComponentCallArgs, "safe", a2ui.V09, []string{new09, comps09(root09(`"component":"Text","text":{"call":"email","args":{"value":"x"}}`))}},
	{wire.ComponentCheck, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"CheckBox","label":"L","value":true,"checks":[{"condition":true}]`))}},
	{wire.ComponentCheck, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"CheckBox","label":"L","value":true,"checks":[{"condition":true,"message":""}]`))}},
	{wire.ComponentAction, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Button","child":"t","action":{"event":{"name":"undeclared"}}`), `{"id":"t",`+hi09+`}`)}},
	{wire.ComponentBinding, "spec", a2ui.V09, []string{new09, comps09(root09(`"component":"Text","text":{"path":"/a~2"}`))}},
	{wire.ComponentBinding, "safe", a2ui.V09, []string{new09, data0, comps09(root09(`"component":"Text","text":{"path":"/b"}`))}},
	{wire.ComponentBinding, "safe", a2ui.V09, []string{new09, data0, comps09(root09(`"component":"Text","text":{"path":"a"}`))}},
	{wire.ComponentBinding, "safe", a2ui.V08, []string{comps08(root08(`"Text":{"text":{"path":"/a.b"}}`)), new08}},
	{wire.ComponentBinding, "safe", a2ui.V08, []string{
		comps08(root08(`"List":{"children":{"template":{"componentId":"c#t","dataBinding":"/a"}}}`), `{"id":"c#t","component":{"Text":{"text":{"path":"/a/k"}}}}`),
		set08("/a", `{"key":"k","valueString":"x"}`), new08}},

	{wire.DataPath, "spec", a2ui.V09, []string{new09, set09("/a~2", `1`), comps09(root09(hi09))}},
	{wire.DataPath, "safe", a2ui.V09, []string{new09, set09("a", `1`), comps09(root09(hi09))}},
	{wire.DataPath, "safe", a2ui.V09, []string{new09, set09("/__proto__/x", `1`), comps09(root09(hi09))}},
	{wire.DataPath, "safe", a2ui.V09, []string{new09, data0, set09("/l/-", `1`), comps09(root09(hi09))}},
	{wire.DataPath, "safe", a2ui.V09, []string{new09, data0, set09("/a/b", `1`), comps09(root09(hi09))}},
	{wire.DataPath, "safe", a2ui.V09, []string{new09, data0, set09("/l/7", `1`), comps09(root09(hi09))}},
	{wire.DataPath, "safe", a2ui.V08, []string{comps08(root08(hi08)), set08("", `{"key":"a.b","valueString":"x"}`), new08}},
	{wire.DataValue, "safe", a2ui.V08, []string{comps08(root08(hi08)), set08("", `{"key":"a","valueString":"{\"x\":1}"}`), new08}},
	{wire.DataValue, "safe", a2ui.V08, []string{comps08(root08(hi08)), set08("", `{"key":"a","valueString":"[\"red\"]"}`), new08}},
	{wire.DataValue, "safe", a2ui.V08, []string{picks08, set08("", `{"key":"a","valueString":"[]"},{"key":"b","valueString":"[\"red\"]"}`), new08}},
	{wire.DataValue, "safe", a2ui.V08, []string{picks08, set08("", `{"key":"a","valueString":"[1]"}`), new08}},
	{wire.DataValue, "safe", a2ui.V08, []string{picks08, set08("", `{"key":"a","valueString":"{\"a\":1}"}`), new08}},
	{wire.DataValue, "spec", a2ui.V08, []string{comps08(root08(hi08)), set08("", `{"key":"a","valueMap":[{"key":"b","valueMap":[]}]}`), new08}},
}

func TestEveryCodeIsYielded(t *testing.T) {
	t.Parallel()
	declared := func(name string) bool { return name != "undeclared" }
	seen := map[a2ui.Code]bool{}
	for i, f := range faults {
		msgs := stream(t, f.dialect, f.lines...)
		rules := a2ui.Rules{Dialect: f.dialect, Actions: declared}
		spec := a2ui.Validate(rules, msgs)
		rules.Profile = a2ui.Safe
		safe := a2ui.Validate(rules, msgs)
		if !slices.Contains(codes(safe), f.code) {
			t.Errorf("%d: Safe yields %v, want %s for\n%s", i, list(safe), f.code, strings.Join(f.lines, "\n"))
		}
		if want := f.profile == "spec"; slices.Contains(codes(spec), f.code) != want {
			t.Errorf("%d: Spec yields %v, want %s: %v for\n%s", i, list(spec), f.code, want,
				strings.Join(f.lines, "\n"))
		}
		seen[f.code] = true
	}
	// The codes of the decoders and the limits have their own tests.
	for _, info := range a2ui.Codes() {
		elsewhere := []string{"A2UI_S2C_ENVELOPE_", "A2UI_S2C_LIMIT_", "A2UI_C2S_ENVELOPE_", "A2UI_C2S_CONTEXT_",
			"A2UI_C2S_CAPABILITY_", "A2UI_S2C_CALL_"}
		if slices.Contains([]a2ui.Code{wire.ComponentCatalog, wire.ComponentParent, wire.ComponentChild}, info.Code) {
			continue // TestRulesOfV10
		}
		if !seen[info.Code] && !slices.Contains(elsewhere, a2ui.Family(info.Code)) {
			t.Errorf("no case yields %s", info.Code)
		}
		if info.Sentence == "" || info.Recovery == "" {
			t.Errorf("%s has no meaning", info.Code)
		}
	}
}

// fine are streams that Safe lets through, each near a fault.
var fine = []struct {
	dialect a2ui.Dialect
	lines   []string
}{
	{a2ui.V09, []string{new09, data0, comps09(root09(`"component":"Text","text":{"path":"/a"}`))}},
	{a2ui.V09, []string{new09, data0, comps09(root09(`"component":"List","children":{"componentId":"t","path":"/l"}`), `{"id":"t","component":"Text","text":{"path":""}}`)}},
	{a2ui.V09, []string{new09, comps09(root09(hi09)), `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`, new09, comps09(root09(hi09))}},
	{a2ui.V09, []string{`{"version":"v0.9","deleteSurface":{"surfaceId":"other"}}`}},
	{a2ui.V09, []string{new09, comps09(root09(`"component":"Row","children":["a","a"]`), `{"id":"a",`+hi09+`}`)}},
	{a2ui.V09, []string{new09, data0, set09("/l/1", `"z"`), comps09(root09(`"component":"Text","text":{"path":"/l/1"}`))}},
	{a2ui.V09, []string{new09, comps09(root09(`"component":"Button","child":"t","action":{"functionCall":{"call":"openUrl","args":{"url":"mailto:a@b.c"}}}`), `{"id":"t",`+hi09+`}`)}},
	{a2ui.V08, []string{comps08(root08(hi08)), new08}},
	{a2ui.V08, []string{comps08(root08(`"Text":{"text":{"path":"/a/v"}}`)), set08("/a", `{"key":"v","valueString":"[1]\u200b"}`), new08}},
	{a2ui.V08, []string{
		comps08(root08(`"List":{"children":{"template":{"componentId":"c#t","dataBinding":"/a"}}}`), `{"id":"c#t","component":{"Text":{"text":{"path":"k"}}}}`),
		set08("/a", `{"key":"0","valueMap":[{"key":"k","valueString":"x"}]}`), new08}},
}

func TestSafeLetsThrough(t *testing.T) {
	t.Parallel()
	for i, c := range fine {
		for _, profile := range []a2ui.Profile{a2ui.Spec, a2ui.Safe} {
			if p := a2ui.Validate(a2ui.Rules{Dialect: c.dialect, Profile: profile}, stream(t, c.dialect, c.lines...)); p != nil {
				t.Errorf("%d, profile %d:%s\n%s", i, profile, list(p), strings.Join(c.lines, "\n"))
			}
		}
	}
}

func TestCheckRemembersOnlyWhatIsRight(t *testing.T) {
	t.Parallel()
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe})
	bad := stream(t, a2ui.V09, new09, comps09(root09(`"component":"Card","child":"x"`)))
	good := stream(t, a2ui.V09, new09, data0,
		comps09(root09(`"component":"Column","children":["a"]`), `{"id":"a","component":"Text","text":{"path":"/a"}}`))
	if p := v.Check(bad); len(p) != 1 || p[0].Code != wire.ComponentDangling || p[0].Component != "root" ||
		p[0].Line != 2 {
		t.Fatalf("got %v", list(p))
	}
	if p := v.Check(good); p != nil {
		t.Fatalf("a refused batch left a trace:%s", list(p))
	}
	clone := v.Clone()
	// Alone, each is fine for one of the two only.
	if p := v.Check(stream(t, a2ui.V09, set09("/b", `1`),
		comps09(`{"id":"a","component":"Text","text":{"path":"/b"}}`))); p != nil {
		t.Fatalf("update:%s", list(p))
	}
	if p := clone.Check(stream(t, a2ui.V09, comps09(`{"id":"a","component":"Text","text":{"path":"/b"}}`))); len(p) != 1 || p[0].Code != wire.ComponentBinding {
		t.Fatalf("the clone saw the other's data:%s", list(p))
	}
	if p := v.Check(stream(t, a2ui.V09, `{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/b"}}`)); len(p) != 1 || p[0].Code != wire.ComponentBinding {
		t.Fatalf("bound data was deleted:%s", list(p))
	}
	if p := clone.Check(stream(t, a2ui.V09, comps09(root09(`"component":"Column","children":[]`)),
		`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a"}}`)); p != nil {
		t.Fatalf("the data of a component that is no longer drawn may go:%s", list(p))
	}
}

// TestLaterBatches has faults that show only against an earlier batch.
func TestLaterBatches(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		d             a2ui.Dialect
		before, after []string
		want          []a2ui.Code
	}{
		"an old text equals a new id": {a2ui.V08,
			[]string{comps08(root08(`"Text":{"text":{"literalString":"title"}}`)), new08},
			[]string{comps08(root08(`"Card":{"child":"title"}`), `{"id":"title","component":{"Divider":{}}}`)},
			[]a2ui.Code{wire.ComponentTypeChanged}},
		"a text of another component equals a new id": {a2ui.V08,
			[]string{comps08(root08(`"Card":{"child":"c#t"}`), `{"id":"c#t","component":{"Text":{"text":{"literalString":"title"}}}}`), new08},
			[]string{comps08(`{"id":"title","component":{"Divider":{}}}`)},
			[]a2ui.Code{wire.ComponentOrphan, wire.ComponentIDLiteral}},
		"bound data is replaced": {a2ui.V09,
			[]string{new09, data0, comps09(root09(`"component":"Text","text":{"path":"/a"}`))},
			[]string{set09("", `{"b":1}`)},
			[]a2ui.Code{wire.ComponentBinding}},
		"bound data is written again": {a2ui.V09,
			[]string{new09, data0, comps09(root09(`"component":"Text","text":{"path":"/a"}`))},
			[]string{set09("", `{"a":1}`), set09("/a", `2`)},
			nil},
		"a component is no longer drawn": {a2ui.V09,
			[]string{new09, comps09(root09(`"component":"Card","child":"a"`), `{"id":"a",`+hi09+`}`)},
			[]string{comps09(root09(`"component":"Card","child":"b"`), `{"id":"b",`+hi09+`}`)},
			nil},
		"a circle over two batches": {a2ui.V09,
			[]string{new09, comps09(root09(`"component":"Card","child":"a"`), `{"id":"a","component":"Column","children":[]}`)},
			[]string{comps09(`{"id":"a","component":"Column","children":["root"]}`)},
			[]a2ui.Code{wire.ComponentCycle}},
		"created twice": {a2ui.V09,
			[]string{new09, comps09(root09(hi09))}, []string{new09},
			[]a2ui.Code{wire.BeginSurfaceDuplicate}},
	} {
		v := a2ui.NewValidator(a2ui.Rules{Dialect: c.d, Profile: a2ui.Safe})
		if p := v.Check(stream(t, c.d, c.before...)); p != nil {
			t.Errorf("%s: before:%s", name, list(p))
		}
		if p := v.Check(stream(t, c.d, c.after...)); !slices.Equal(codes(p), c.want) {
			t.Errorf("%s:%s, want %v", name, list(p), c.want)
		}
	}
}

// TestManyProblemsAtOnce: everything wrong in one message is listed, in order.
func TestManyProblemsAtOnce(t *testing.T) {
	t.Parallel()
	msgs := stream(t, a2ui.V09, new09, comps09(
		root09(`"component":"Column","children":["a","b","gone"]`),
		`{"id":"a","component":"Text","text":5,"nope":1}`,
		`{"id":"b","component":"Gauge"}`))
	var got []string
	for _, p := range a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09}, msgs) {
		got = append(got, fmt.Sprint(p.Line, " ", p.Path, " ", p.Code))
	}
	want := []string{
		"2 /components/1/text A2UI_S2C_COMPONENT_PROPERTY",
		"2 /components/1/nope A2UI_S2C_COMPONENT_PROPERTY",
		"2 /components/2/component A2UI_S2C_COMPONENT_UNKNOWN",
		"2 /components/0/children A2UI_S2C_COMPONENT_DANGLING",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestProblemsQuoteWholeCharacters: what is cut off in a message is cut between
// characters, wherever they begin.
func TestProblemsQuoteWholeCharacters(t *testing.T) {
	t.Parallel()
	for _, begin := range []string{"", "x"} {
		p := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09},
			stream(t, a2ui.V09, new09, comps09(
				root09(`"component":"Divider","axis":"`+begin+strings.Repeat("ö", 30)+`"`))))
		if len(p) != 1 || strings.Contains(p[0].Message, `\x`) || !strings.Contains(p[0].Message, "ö…") {
			t.Errorf("%s", list(p))
		}
	}
}

func TestInvalidNeutralMessages(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]a2ui.Message{
		"nil":          nil,
		"typed nil":    (*a2ui.UpdateData)(nil),
		"no surface":   &a2ui.DeleteSurface{},
		"empty list":   &a2ui.UpdateComponents{SurfaceID: "s"},
		"extra":        &a2ui.DeleteSurface{SurfaceID: "s", Extra: []a2ui.Member{{Key: "x"}}},
		"bad number":   &a2ui.UpdateData{SurfaceID: "s", Value: jsonx.OfNumber("1e")},
		"doubled key":  &a2ui.UpdateData{SurfaceID: "s", Value: jsonx.OfObject(a2ui.Member{Key: "a"}, a2ui.Member{Key: "a"})},
		"no id":        &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{Type: "Divider"}}},
		"nil property": &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{ID: "root", Type: "Text", Props: []a2ui.Prop{{Name: "text"}}}}},
	} {
		if p := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09, Partial: true}, []a2ui.Message{m}); len(p) == 0 {
			t.Errorf("%s: no problem", name)
		}
	}
	if p := a2ui.Validate(a2ui.Rules{Dialect: 99}, nil); len(p) != 1 {
		t.Errorf("a dialect without codec: %v", list(p))
	}
}

// TestDuplicateIsJudged: a component whose id stands twice is judged all the same,
// and a surface cannot name the catalog "".
func TestDuplicateIsJudged(t *testing.T) {
	t.Parallel()
	m, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[
		{"id":"a","component":"Text","text":"x"},{"id":"a","component":"Text","text":1}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	found := map[a2ui.Code]string{}
	for _, p := range a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09, Partial: true}, []a2ui.Message{m}) {
		found[p.Code] = p.Path
	}
	if found[wire.ComponentDuplicate] != "/components/1" || found[wire.ComponentProperty] != "/components/1/text" {
		t.Errorf("found %v", found)
	}
	for d, line := range map[a2ui.Dialect]string{
		a2ui.V09: `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":""}}`,
		a2ui.V10: `{"version":"1.0","createSurface":{"surfaceId":"s","catalogId":""}}`} {
		if _, err := a2ui.DecodeMessageAs(d, []byte(line)); !errors.Is(err, wire.BeginCatalog) {
			t.Errorf("%s: %v", d, err)
		}
	}
}

// TestMissingRootSaysWhatToSend: a surface without its root has a hint.
func TestMissingRootSaysWhatToSend(t *testing.T) {
	t.Parallel()
	for hint, msgs := range map[string][]a2ui.Message{"send its components with it": stream(t, a2ui.V08, new08),
		"send a component with this id": stream(t, a2ui.V09, new09, comps09(`{"id":"a",`+hi09+`}`))} {
		dialect := a2ui.V08
		if len(msgs) == 2 {
			dialect = a2ui.V09
		}
		p := a2ui.Validate(a2ui.Rules{Dialect: dialect}, msgs)
		if len(p) != 1 || p[0].Code != wire.BeginMissingRoot || p[0].Hint != hint {
			t.Errorf("%s: %v", hint, p)
		}
	}
}
