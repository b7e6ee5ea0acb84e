package ingress

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/draft"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestNormalise is the table of what clients send for each field type.
func TestNormalise(t *testing.T) {
	t.Parallel()
	const no = "refused"
	blue := draft.OptionKey("deep blue")
	for _, c := range []struct{ typ, in, want string }{
		{"text", `"Ada"`, `"Ada"`}, {"text", `{"v":"Ada"}`, `"Ada"`}, {"text", `""`, `""`}, {"text", `null`, `""`}, {"text", `42`, `"42"`}, {"text", `4.20`, `"4.20"`},
		{"text", `"[1,2]"`, `"[1,2]"`}, {"text", `"[1,2]\u200b"`, `"[1,2]"`}, {"text", `"{\"a\":1}\u200b"`, `"{\"a\":1}"`}, {"text", `"\u200b"`, "\"\u200b\""}, {"text", `"a\u200b"`, "\"a\u200b\""},
		{"text", `[1,2]`, no}, {"text", `["a"]`, no}, {"text", `{"a":1}`, no}, {"text", `{"v":{"v":"x"}}`, no}, {"text", `true`, no}, {"text", `"javascript:alert(1)"`, `"javascript:alert(1)"`},
		{"longtext", `"a\nb"`, `"a\nb"`}, {"number", `7`, `"7"`}, {"number", `"7,5"`, `"7,5"`}, {"number", `{"v":7.50}`, `"7.50"`}, {"number", `"seven"`, `"seven"`}, {"number", `1` + strings.Repeat("0", 80), no},
		{"email", `"a@b"`, `"a@b"`}, {"url", `"https://a"`, `"https://a"`}, {"date", `"2026-05-01T00:00:00Z"`, `"2026-05-01T00:00:00Z"`}, {"time", `"09:30:00"`, `"09:30:00"`}, {"datetime", `{"v":""}`, `""`},
		{"choice", `"red"`, `"red"`}, {"choice", `["red"]`, `"red"`}, {"choice", `[]`, `""`}, {"choice", `""`, `""`}, {"choice", `{"0":"red"}`, `"red"`}, {"choice", `{"1":"v","0":"red"}`, `"v"`}, {"choice", `{"v":"red"}`, `"red"`},
		{"choice", `"[\"red\"]"`, `"red"`}, {"choice", `{"v":"[\"deep blue\"]"}`, `"deep blue"`}, {"choice", `"[]"`, `""`}, {"choice", `"[\"red\"]\u200b"`, `"red"`}, {"choice", `"[red"`, `"[red"`},
		{"choice", `["red","deep blue"]`, `"deep blue"`}, {"choice", `{"v":["red"]}`, `"red"`}, {"choice", `[true]`, no}, {"choice", `[["red"]]`, no}, {"choice", `{"a":"red"}`, no}, {"choice", `"nobody offered"`, `"nobody offered"`},
		{"choices", `["red","v"]`, `["red","v"]`}, {"choices", `[]`, `[]`}, {"choices", `null`, `[]`}, {"choices", `"red"`, `["red"]`}, {"choices", `""`, `[]`}, {"choices", `["red","red",""]`, `["red"]`},
		{"choices", `{"1":"v","0":"red"}`, `["red","v"]`}, {"choices", `{"10":"v"}`, `[]`}, {"choices", `{}`, `[]`}, {"choices", `{"red":true,"` + blue + `":true}`, `["red","deep blue"]`},
		{"choices", `{"red":{"v":true},"` + blue + `":{"v":false},"v":{"v":true}}`, `["red","v"]`}, {"choices", `{"red":"true"}`, `[]`}, {"choices", `[1]`, no}, {"choices", `7`, no},
		{"boolean", `true`, `true`}, {"boolean", `false`, `false`}, {"boolean", `null`, `false`}, {"boolean", `{"v":true}`, `true`}, {"boolean", `"true"`, `true`}, {"boolean", `"false"`, `false`}, {"boolean", `""`, `false`},
		{"boolean", `"yes"`, no}, {"boolean", `1`, no}, {"boolean", `[true]`, no},
		{"slider", `4`, `4`}, {"slider", `"4.5"`, `4.5`}, {"slider", `{"v":4}`, `4`}, {"slider", `""`, `1`}, {"slider", `null`, `1`}, {"slider", `99`, `99`}, {"slider", `"loud"`, no}, {"slider", `true`, no},
		{"tags", `"a, b"`, `"a, b"`}, {"tags", `["a","b"]`, `"a, b"`}, {"tags", `[]`, `""`}, {"tags", `[1]`, no}, {"upload", `"u1"`, `"u1"`},
	} {
		a, err := Admit(state(t), click(t, "submit", quote(c.typ)+":"+c.in), allowed)
		got := values(a)[ui.PathOf(ui.DraftRoot, c.typ)]
		if err != nil {
			if ui.CodeOf(err) != CodeEnvelope || got != "" {
				t.Errorf("%s ← %.60s: %v, and %s", c.typ, c.in, err, got)
			}
			got = no
		}
		if got != c.want {
			t.Errorf("%s ← %.60s: %s, want %s", c.typ, c.in, got, c.want)
		}
	}
}

// TestManyChoices: a list of more values than a field can have is refused when it
// passes that, not after it was compared with itself.
func TestManyChoices(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"choices", "tags"} {
		for n, want := range map[int]ui.Code{1000: "", 1001: CodeEnvelope, 40_000: CodeEnvelope} {
			var list []string
			for i := range n {
				list = append(list, fmt.Sprintf("%q", fmt.Sprint(i)))
			}
			a, err := Admit(state(t), click(t, "submit", quote(typ)+":["+strings.Join(list, ",")+"]"), allowed)
			if ui.CodeOf(err) != want {
				t.Errorf("%d %s: %v, want %q", n, typ, err, want)
			}
			if got := values(a)[ui.PathOf(ui.DraftRoot, typ)]; (got != "") != (want == "") {
				t.Errorf("%d %s: the draft gets %.50q", n, typ, got)
			}
		}
	}
}

// What is drafted for a type is what the draft of that type holds.
func TestNormaliseForm(t *testing.T) {
	t.Parallel()
	form := map[string][]string{
		builtin.FieldSurface: {"form:all#e=2"}, builtin.FieldComponent: {"c#main/submit:Button"}, builtin.FieldNonce: {nonce}, builtin.FieldRev: {"5"},
		"/draft/text": {"Ada"}, "/draft/longtext": {"a\r\nb"}, "/draft/boolean": {"false", "true"}, "/draft/choices": {"", "red", "deep blue"}, "/draft/choice": {"v"},
		"/draft/slider": {"3"}, "/draft/tags": {"a, b"}, "/draft/items/r1/title": {"First"}, "/draft/items/r1/done": {"false", "true"}, "/draft/items/r2/color": {"red"}, "/draft/items/gone/title": {"x"},
		"/draft/steps/r1/name": {"Step"}, "/draft/unknown": {"x"}, "/ui_state/hint": {"forged"}, "other": {"x"},
	}
	ev, err := DecodeForm(form, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Admit(state(t), ev.Action, allowed)
	if err != nil {
		t.Fatal(err)
	}
	want := map[ui.Path]string{"/draft/text": `"Ada"`, "/draft/longtext": `"a\nb"`, "/draft/boolean": "true",
		"/draft/choices": `["red","deep blue"]`, "/draft/choice": `"v"`,
		"/draft/slider": "3", "/draft/tags": `"a, b"`, "/draft/items/r1/title": `"First"`,
		"/draft/items/r1/done": "true", "/draft/items/r2/color": `"red"`, "/draft/steps/r1/name": `"Step"`}
	if diff := cmp.Diff(want, values(a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if form["/draft/longtext"][0] != "a\r\nb" {
		t.Error("DecodeForm changed what it was given")
	}
}

// Rows: v0.9 sends maps, v0.8 maps of leaves; rows that are not on the page, or
// not there any more, are left alone.
func TestNormaliseRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want map[ui.Path]string
		code ui.Code
	}{
		"v0.9":     {`{"r1":{"title":"A","color":["red"],"done":true}}`, map[ui.Path]string{"/draft/items/r1/title": `"A"`, "/draft/items/r1/color": `"red"`, "/draft/items/r1/done": "true"}, ""},
		"v0.8":     {`{"r2":{"title":{"v":"B"},"color":{"v":"[\"red\"]"},"done":{"v":false}}}`, map[ui.Path]string{"/draft/items/r2/title": `"B"`, "/draft/items/r2/color": `"red"`, "/draft/items/r2/done": "false"}, ""},
		"gone":     {`{"r99":{"title":"x"},"r1":{"nothing":"x"}}`, nil, ""},
		"empty":    {`{}`, nil, ""},
		"no rows":  {`"x"`, nil, CodeEnvelope},
		"no row":   {`{"r1":7,"r2":{"title":"B"}}`, map[ui.Path]string{"/draft/items/r2/title": `"B"`}, CodeEnvelope},
		"bad cell": {`{"r1":{"title":[1],"done":true},"r2":{"title":"B"}}`, map[ui.Path]string{"/draft/items/r1/done": "true", "/draft/items/r2/title": `"B"`}, CodeEnvelope},
	} {
		a, err := Admit(state(t), click(t, "submit", `"items":`+c.in), allowed)
		got := values(a)
		for p := range got {
			if !strings.HasPrefix(string(p), "/draft/items/") {
				delete(got, p)
			}
		}
		if c.want == nil {
			c.want = map[ui.Path]string{}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || ui.CodeOf(err) != c.code {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	a, err := Admit(state(t), click(t, "submit", `"text":"x"`), allowed)
	for p := range values(a) {
		if strings.HasPrefix(string(p), "/draft/items") || strings.HasPrefix(string(p), "/draft/steps") ||
			strings.HasPrefix(string(p), "/draft/edges") {
			t.Errorf("rows that were not sent: %s is written (%v)", p, err)
		}
	}
}

// The work grows with what is sent plus what is declared, not with the product.
func BenchmarkNormalise(b *testing.B) {
	main := &ui.Column{Key: "main"}
	for i := range 900 {
		main.Children = append(main.Children,
			ui.InputFor(ui.PathOf(ui.DraftRoot, fmt.Sprintf("f%d", i)),
				ui.Field{Name: fmt.Sprintf("f%d", i), Type: ui.TypeText}))
	}
	s, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{Seq: 1,
		Ops: ui.Ops{&ui.Open{Surface: surface, Nonce: nonce, Root: ui.Nodes{main}}}}, ui.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	form := map[string][]string{builtin.FieldSurface: {"form:all#e=1"}, builtin.FieldComponent: {"c#main/none:Button"}, builtin.FieldNonce: {nonce},
		builtin.FieldRev: {"1"}}
	for i := range 40_000 {
		form[fmt.Sprintf("/draft/f%d", i)] = []string{"x"}
	}
	e, err := DecodeForm(form, Limits{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_, _ = Admit(s, e.Action, allowed)
	}
}

// BenchmarkManyChoices reads as many different values as a body can bring.
func BenchmarkManyChoices(b *testing.B) {
	v := jsonx.Value{Kind: jsonx.Array}
	for i := range 49_000 {
		v.Items = append(v.Items, jsonx.Of(fmt.Sprintf("value-%06d", i)))
	}
	for b.Loop() {
		choices(ui.Field{Type: ui.TypeChoices}, v)
	}
}
