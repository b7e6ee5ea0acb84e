package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
)

func TestInteractions(t *testing.T) {
	t.Parallel()
	r := start(t, a2ui.V09, LikeWebCore, form("s")...)
	for name, err := range map[string]error{
		"type":   r.Type("s", "name", "Ada"),
		"tick":   r.Tick("s", "ok", false),
		"choose": r.Choose("s", "color", "r"),
		"many":   r.Choose("s", "many", "y", "x"),
		"slide":  r.Slide("s", "size", 7),
		"date":   r.SetDate("s", "when", "2026-05-02"),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	got, _ := r.Data("s")
	want := `{"draft":{"name":"Ada","ok":false,"color":["r"],"many":["y","x"],"size":7,"when":"2026-05-02"},"ui_state":{"rev":1}}`
	if diff := cmp.Diff(want, asJSON(got)); diff != "" {
		t.Errorf("data (-want +got)\n%s", diff)
	}
	if s, _ := view(t, r, "s").Find("name"); len(s.Errors) != 0 {
		t.Errorf("the check still fails: %v", s.Errors)
	}
	wantTouched := []string{"/draft/color", "/draft/many", "/draft/name", "/draft/ok", "/draft/size", "/draft/when"}
	if diff := cmp.Diff(wantTouched, r.Touched("s")); diff != "" {
		t.Errorf("touched (-want +got)\n%s", diff)
	}

	action, err := r.Click("s", "send")
	if err != nil {
		t.Fatal(err)
	}
	if got := asJSON(action.Context); got != `{"name":"Ada","many":["y","x"],"nonce":"n1","rev":1}` {
		t.Errorf("context %s", got)
	}
	if action.Name != "submit" || action.SurfaceID != "s" || action.Component != "send" || action.Timestamp != "" {
		t.Errorf("action %+v", action)
	}

	apply(t, r, data("s", "/draft/name", `"Bob"`), data("s", "/draft/ok2", `1`), data("s", "/draft/o", `1`))
	if diff := cmp.Diff([]string{"/draft/color", "/draft/many", "/draft/ok", "/draft/size", "/draft/when"},
		r.Touched("s")); diff != "" {
		t.Errorf("touched after the server wrote a leaf (-want +got)\n%s", diff)
	}
	apply(t, r, data("s", "/draft", `{}`))
	if got := r.Touched("s"); len(got) != 0 {
		t.Errorf("touched after the server wrote above: %v", got)
	}
}

func TestInteractionsOnV08(t *testing.T) {
	t.Parallel()
	r := start(t, a2ui.V08, LikeWebCore,
		comps("s", comp("c#root", "Column", "children", []string{"c#name", "c#color", "c#go"}),
			comp("c#name", "TextField", "label", `Your \*name\*`, "value", a2ui.Path("/draft/name/v"),
				"validationRegexp", "^A"),
			comp("c#color", "ChoicePicker", "value", a2ui.Path("/draft/color/v"), "options",
				a2ui.Options{{Label: a2ui.String("R"), Value: "r"}}),
			comp("c#go", "Button", "child", a2ui.Ref("c#text"), "action", a2ui.Event{Name: "go", Context: comp("", "",
				"name", a2ui.Path("/draft/name/v"), "all", a2ui.Path("/draft"), "gone", a2ui.Path("/x")).Props}),
			comp("c#text", "Text", "text", "Go")),
		data("s", "/draft", `{"name":{"v":""},"color":{"v":"[\"r\"]"}}`),
		&a2ui.CreateSurface{SurfaceID: "s", Root: "c#root"})
	if s, _ := view(t, r, "s").Find("c#color"); !s.Options[0].Selected {
		t.Errorf("a list in a string selects nothing:\n%s", r.Dump("s"))
	}
	if err := r.Type("s", "c#name", "Eve"); err != nil {
		t.Fatal(err)
	}
	s, _ := view(t, r, "s").Find("c#name")
	if s.Text != `Your \*name\*` || len(s.Errors) != 1 {
		t.Errorf("shown %+v", s)
	}
	a, err := r.Click("s", "c#go")
	if err != nil || asJSON(a.Context) != `{"name":"Eve","all":{"name":{"v":"Eve"},"color":{"v":["r"]}}}` {
		t.Errorf("click: %v %s", err, asJSON(a.Context))
	}
	if diff := cmp.Diff([]string{"/draft/name/v"}, r.Touched("s")); diff != "" {
		t.Errorf("touched (-want +got)\n%s", diff)
	}
}

func TestInteractionsInTemplates(t *testing.T) {
	t.Parallel()
	r := start(t, a2ui.V10, Strict, create("s"), data("s", "/l", `[{"k":"a"},{"k":"b"}]`), comps("s",
		comp("root", "List", "children", a2ui.Template{Component: "row", Path: "/l"}),
		comp("row", "Row", "children", []string{"in", "go"}),
		comp("in", "TextField", "label", "L", "value", a2ui.Path("k")),
		comp("go", "Button", "child", a2ui.Ref("gotext"), "action", a2ui.Event{Name: "go", Context: comp("", "",
			"k", a2ui.Path("k"), "i", call("@index"), "deep", a2ui.Object{{Name: "x", Value: a2ui.List{a2ui.Path("k")}}},
			"plain", lit(`{"path":"k"}`)).Props}),
		comp("gotext", "Text", "text", "Go")))
	if err := r.Type("s", "in", "x"); codeOf(err) != stateError {
		t.Errorf("ambiguous: %v", err)
	}
	if err := r.Type("s", "in@/l/1", "x"); err != nil {
		t.Fatal(err)
	}
	a, err := r.Click("s", "go@/l/1")
	if err != nil || asJSON(a.Context) != `{"k":"x","i":1,"deep":{"x":["x"]},"plain":{"path":"k"}}` ||
		a.Component != "go" {
		t.Errorf("click: %v %+v %s", err, a, asJSON(a.Context))
	}
}

// TestInteractionsInTwoPlaces: a component with two parents is one thing.
func TestInteractionsInTwoPlaces(t *testing.T) {
	t.Parallel()
	r := start(t, a2ui.V09, Strict, create("s"), data("s", "/k", `"a"`), comps("s",
		comp("root", "Column", "children", []string{"go", "in", "card", "go"}), comp("card", "Card", "child", a2ui.Ref("in")),
		comp("in", "TextField", "label", "L", "value", a2ui.Path("/k")), comp("gotext", "Text", "text", "Go"),
		comp("go", "Button", "child", a2ui.Ref("gotext"), "action", a2ui.Event{Name: "go", Context: comp("", "",
			"k", a2ui.Path("/k")).Props})))
	if err := r.Type("s", "in", "x"); err != nil {
		t.Error(err)
	}
	if a, err := r.Click("s", "go"); err != nil || asJSON(a.Context) != `{"k":"x"}` {
		t.Errorf("click: %v %s", err, asJSON(a.Context))
	}
	if s, ok := view(t, r, "s").Find("in"); !ok || s.Value.Str != "x" {
		t.Errorf("the input is found: %v, with %q", ok, s.Value.Str)
	}
}

// TestClickLeavesOutWhatIsMissing, in both modes and without a complaint.
func TestClickLeavesOutWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, mode := range []Mode{Strict, LikeWebCore} {
		r := start(t, a2ui.V09, mode, form("s")...)
		if err := r.Type("s", "name", "Ada"); err != nil {
			t.Fatal(err)
		}
		if a, err := r.Click("s", "send"); err != nil ||
			asJSON(a.Context) != `{"name":"Ada","many":[],"nonce":"n1","rev":1}` {
			t.Errorf("%v: %v %s", mode, err, asJSON(a.Context))
		}
	}
}

func TestInteractionsRefused(t *testing.T) {
	t.Parallel()
	button := func(id string, action a2ui.Value, more ...any) a2ui.Component {
		return comp(id, "Button", append([]any{"child", a2ui.Ref("t"), "action", action}, more...)...)
	}
	never := a2ui.Checks{{Condition: a2ui.Bool(false), Message: "never"}}
	r := start(t, a2ui.V09, LikeWebCore, append(form("s"), data("s", "/nil", `null`), comps("s",
		comp("root", "Column", "children", []string{"name", "ok", "color", "when", "fixed", "off", "null", "link",
			"bad", "call", "none"}),
		comp("fixed", "TextField", "label", "L", "value", "x"),
		comp("t", "Text", "text", "T"), comp("hidden", "TextField", "label", "L", "value", a2ui.Path("/draft/name")),
		button("off", a2ui.Event{Name: "x"}, "checks", never),
		button("null", a2ui.Event{Name: "x", Context: comp("", "", "k", a2ui.Path("/nil")).Props}),
		button("link", a2ui.Local{Call: call("openUrl", "url", "https://x.test/a")}),
		button("bad", a2ui.Local{Call: call("openUrl", "url", "javascript:alert(1)")}),
		button("call", a2ui.Event{Name: "x", Context: comp("", "", "k", call("nope")).Props}),
		button("none", a2ui.Bool(true))))...)
	click := func(id string) error { _, err := r.Click("s", id); return err }
	for _, c := range []struct {
		name string
		err  error
		want Code
	}{
		{"unknown surface", r.Type("x", "name", ""), stateError},
		{"unknown component", r.Type("s", "x", ""), stateError},
		{"not on the screen", r.Type("s", "hidden", ""), stateError},
		{"another role", r.Type("s", "ok", ""), stateError},
		{"not bound", r.Type("s", "fixed", ""), stateError},
		{"no option", r.Choose("s", "color", "x"), validationError},
		{"two of one", r.Choose("s", "color", "r", "b"), validationError},
		{"no date", r.SetDate("s", "when", "tomorrow"), validationError},
		{"time only", r.SetDate("s", "when", "10:30"), ""},
		{"cleared", r.SetDate("s", "when", ""), ""},
		{"disabled", click("off"), stateError},
		{"null in the context", click("null"), validationError},
		{"link", click("link"), ""},
		{"bad link", click("bad"), expressionError},
		{"unknown function", click("call"), expressionError},
		{"no action", click("none"), validationError},
	} {
		if got := codeOf(c.err); got != c.want {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
	if diff := cmp.Diff([]string{"https://x.test/a"}, r.Opened()); diff != "" {
		t.Errorf("opened (-want +got)\n%s", diff)
	}
}
