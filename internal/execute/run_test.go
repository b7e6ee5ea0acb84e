package execute

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// TestRun carries out each type of directive on an empty conversation.
func TestRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, typ, body, ops, warnings string }{
		{"form", directive.TypeShowForm, `{"name":"note"}`, "Open ", ""},
		{"form that is not there", directive.TypeShowForm, `{"name":"x"}`, "", "EXECUTE_UNKNOWN /directives/3/name;"},
		{"form with a title", directive.TypeShowForm, `{"name":"note","title":"Another"}`, "Open ", "EXECUTE_PAYLOAD_INVALID /directives/3/title;"},
		{"form with its title", directive.TypeShowForm, `{"name":"note","title":"Note"}`, "Open ", ""},
		{"form without that field", directive.TypeShowForm, `{"name":"note","values":{"body":"x","sise":"s"}}`, "Open ", "EXECUTE_PAYLOAD_INVALID /directives/3/values;"},
		{"form values no values", directive.TypeShowForm, `{"name":"note","values":{"body":[1]}}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/values;"},
		{"table", directive.TypeShowTable, `{"name":"risks","min_rows":4}`, "Set Open ", ""},
		{"table of its own columns", directive.TypeShowTable, `{"title":"Things","columns":[{"name":"Full name","type":"text"},{"name":"Kind","type":"enum","options":["a","b"]},"Note"]}`, "Set Open ", ""},
		{"table that is not there", directive.TypeShowTable, `{"name":"x"}`, "", "EXECUTE_UNKNOWN /directives/3/name;"},
		{"no columns", directive.TypeShowTable, `{"title":"T"}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/columns;"},
		{"column type", directive.TypeShowTable, `{"columns":[{"name":"a","type":"colour"}]}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/columns/0/type;"},
		{"column twice", directive.TypeShowTable, `{"columns":["a","A"]}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/columns/1/name;"},
		{"enum without options", directive.TypeShowTable, `{"columns":[{"name":"a","type":"enum"}]}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/columns/0;"},
		{"20 columns", directive.TypeShowTable, `{"columns":` + columns(20) + `}`, "Set Open ", ""},
		{"21 columns", directive.TypeShowTable, `{"columns":` + columns(21) + `}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/columns;"},
		{"rows that are none", directive.TypeShowTable, `{"name":"risks","rows":["x"]}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/rows/0;"},
		{"cell that is a map", directive.TypeShowTable, `{"name":"risks","rows":[{"title":{"a":"b"}}]}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/rows/0;"},
		{"row ids twice", directive.TypeShowTable, `{"name":"risks","rows":[{"id":"a"},{"id":"a"}]}`, "", "EXECUTE_PAYLOAD_INVALID /directives/3/rows;"},
		{"rows at the limit", directive.TypeShowTable, `{"name":"risks","rows":` + rows(10) + `}`, "Set Open ", ""},
		{"rows one over", directive.TypeShowTable, `{"name":"risks","rows":` + rows(11) + `}`, "", "UI_LIMIT /directives/3/ops/1/Open /draft/risks;"},
		{"map", directive.TypeShowMap, `{"steps":[{"name":"Ask"},{"name":"Answer"}],"edges":[["r1","r2","sequence"]]}`, "Set Open ", ""},
		{"map that is not there", directive.TypeShowMap, `{"name":"x"}`, "", "EXECUTE_UNKNOWN /directives/3/name;"},
		{"view", directive.TypeShowView, `{"name":"home"}`, "Open ", ""},
		{"view that is not there", directive.TypeShowView, `{"name":"x"}`, "", "EXECUTE_UNKNOWN /directives/3/name;"},
		{"toast", directive.TypeToast, `{"text":"Hi"}`, "Toast ", ""},
		{"patch without surface", directive.TypePatch, `{"ops":[{"op":"set","path":"/draft/a","value":1}]}`, "", "EXECUTE_UNKNOWN /directives/3/surface;"},
		{"upload of a form", directive.TypeRequestUpload, `{"name":"scan"}`, "Open ", ""},
		{"upload of its own", directive.TypeRequestUpload, `{"name":"Contract!","label":"Contract","accept":["application/pdf"]}`, "Open ", ""},
		{"close nothing", directive.TypeClose, `{"surface":"form:note"}`, "", "EXECUTE_UNKNOWN /directives/3/surface;"},
		{"type that is not there", "ui.explode", `{}`, "", "EXECUTE_UNKNOWN /directives/3;"},
	} {
		_, ops, warnings := run(t, env(t), ui.NewState("c"), c.typ, c.body)
		if names(ops) != c.ops || codes(warnings) != c.warnings {
			t.Errorf("%s: %s %s, want %s %s", c.name, names(ops), codes(warnings), c.ops, c.warnings)
		}
	}
}

// TestPrefill: what a form's fields cannot hold does not come into its draft.
func TestPrefill(t *testing.T) {
	t.Parallel()
	st, _, warnings := run(t, env(t), ui.NewState("c"), directive.TypeShowForm,
		`{"name":"customer","values":{"name":"Ada","sizes":["s","xxl","m"],"size":"s"}}`)
	if got, want := codes(warnings),
		"EXECUTE_PAYLOAD_INVALID /directives/3/values;EXECUTE_PAYLOAD_INVALID /directives/3/values/sizes;"; got != want {
		t.Errorf("warnings %s, want %s", got, want)
	}
	sf := st.Surface("form:customer")
	name, _ := sf.Get("/draft/name")
	sizes, _ := sf.Get("/draft/sizes")
	if name.Text() != "Ada" || strings.Join(sizes.List(), " ") != "s m" {
		t.Errorf("drafted %q and %q", name.Text(), sizes.List())
	}
	if v, ok := offered(ui.Field{Type: ui.TypeChoice, Options: []ui.Option{{Value: "a"}}}, ui.String("b")); ok ||
		!v.IsNull() {
		t.Errorf("%v is kept of a choice", v)
	}
	if v, ok := offered(ui.Field{Type: ui.TypeChoice, Options: []ui.Option{{Value: "a"}}}, ui.String("a")); !ok ||
		v.Text() != "a" {
		t.Errorf("%v is kept of a choice, want a", v)
	}
}

func columns(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"c%d"`, i))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func rows(n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(`{"title":"x"},`, n), ",") + "]"
}

func TestRunRows(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _, w := run(t, e, ui.NewState("c"), directive.TypeShowTable,
		`{"name":"risks","rows":[{"Title":"A","count":5},["B"],{"id":"r3","title":"C"},{"id":"Bad ID"},{"title":"E"},{"id":"r5"}]}`)
	if len(w) > 0 {
		t.Fatal(codes(w))
	}
	var got []string
	v, _ := s.Surface("table:risks").Get("/draft/risks")
	for _, r := range v.Records() {
		got = append(got, r.ID+string(r.Cells.AppendJSON(nil)))
	}
	want := `r1{"count":"5","title":"A"} r2{"count":"","title":"B"} r3{"count":"","title":"C"} r4{"count":"","title":""} r6{"count":"","title":"E"} r5{"count":"","title":""}`
	if strings.Join(got, " ") != want {
		t.Errorf("rows = %s", strings.Join(got, " "))
	}
	if cp := s.Router.Checkpoint; cp == nil || cp.Surface != "table:risks" || s.Router.LastStatus != ui.StatusToolOpen {
		t.Errorf("router = %+v", s.Router)
	}
}

// An open form is shown as it is, whatever the model or a new declaration says.
func TestRunNeverReplacesAnOpenForm(t *testing.T) {
	t.Parallel()
	e := env(t)
	for _, c := range []struct {
		typ, body string
		surface   ui.Name
		at        ui.Path
	}{
		{directive.TypeShowForm, `{"name":"note","values":{"body":"the model's"}}`, "form:note", "/draft/body"},
		{directive.TypeShowTable, `{"name":"risks","rows":[["the model's"]]}`, "table:risks", "/draft/risks/r1/title"},
		{directive.TypeShowTable, `{"columns":["other"],"rows":[["the model's"]]}`, "table:list", "/draft/list/r1/other"},
		{directive.TypeShowMap, `{"steps":[["the model's"]]}`, "map:process", "/draft/steps/r1/name"},
		{directive.TypeRequestUpload, `{"name":"other"}`, "form:upload", "/draft/other"},
	} {
		s, _, _ := run(t, e, ui.NewState("c"), c.typ, c.body)
		s = apply(t, e, s, &ui.Draft{Surface: c.surface, Values: []ui.Leaf{{Path: c.at, Value: ui.String("typed")}}})
		old := *s.Surface(c.surface)
		old.Origin.Version = "declared otherwise"
		s.Surfaces[0] = &old
		next, ops, _ := run(t, e, s, c.typ, c.body)
		if len(ops) > 0 || get(next, c.surface, c.at) != `"typed"` || next.Surface(c.surface).Epoch != 1 {
			t.Errorf("%s: %s, %s", c.typ, names(ops), get(next, c.surface, c.at))
		}
	}
	// an answered one is opened anew
	s, _, _ := run(t, e, ui.NewState("c"), directive.TypeShowForm, `{"name":"note"}`)
	s = apply(t, e, s, &ui.Lock{Surface: "form:note"})
	if s, _, _ = run(t, e, s, directive.TypeShowForm, `{"name":"note"}`); s.Surface("form:note").Epoch != 2 {
		t.Error("an answered form is not opened anew")
	}
	// a view is drawn anew, but only where it differs
	s, _, _ = run(t, e, ui.NewState("c"), directive.TypeShowView, `{"name":"count"}`)
	if _, ops, _ := run(t, e, s, directive.TypeShowView, `{"name":"count"}`); len(ops) > 0 {
		t.Errorf("a view that is the same: %s", names(ops))
	}
	s = apply(t, e, s, &ui.Commit{Form: "x", Values: ui.Map()})
	if _, ops, _ := run(t, e, s, directive.TypeShowView, `{"name":"count"}`); names(ops) != "Update " {
		t.Errorf("a view that differs: %s", names(ops))
	}
}

// Gates bind the model as they bind routing.
func TestGates(t *testing.T) {
	t.Parallel()
	said := func(s *ui.State, text string) *ui.State {
		next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1,
			Ops: ui.Ops{&ui.Say{Role: ui.RoleUser, Text: text}, &ui.Say{Role: ui.RoleAssistant, Text: "risk"}}},
			ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	rule := func(pattern, action, tool string, on bool) ui.Router {
		return ui.Router{Guardrails: []ui.Guardrail{
			{ID: "broken", Pattern: "(", Action: "suppress_tool", Tool: ui.ToolTable, Enabled: true},
			{ID: "g", Pattern: pattern, Action: action, Tool: tool, Enabled: on}}}
	}
	open := ui.Router{LastStatus: ui.StatusToolOpen,
		Checkpoint: &ui.Checkpoint{Tool: ui.ToolMap, Surface: "map:process"}}
	for _, c := range []struct {
		name   string
		r      ui.Router
		before bool // the message belongs to an earlier turn
		closed bool
	}{
		{"nothing", ui.Router{}, false, false},
		{"opted out", ui.Router{OptOut: ui.OptOut{All: true}}, false, true}, {"of this tool", ui.Router{OptOut: ui.OptOut{Tools: []string{ui.ToolTable}}}, false, true}, {"of the other", ui.Router{OptOut: ui.OptOut{Tools: []string{ui.ToolMap}}}, false, false},
		{"until later", ui.Router{OptOut: ui.OptOut{All: true, Expires: noon.Add(time.Nanosecond)}}, false, true}, {"until now", ui.Router{OptOut: ui.OptOut{All: true, Expires: noon}}, false, false},
		{"one cancel", ui.Router{Cancels: 1}, false, false}, {"two", ui.Router{Cancels: 2}, false, true}, {"another tool", open, false, false},
		{"another tool that is done", ui.Router{LastStatus: ui.StatusCompleted, Checkpoint: open.Checkpoint}, false, false},
		{"suppressed", rule("RISK", "suppress_tool", ui.ToolTable, true), false, true}, {"rule is off", rule("risk", "suppress_tool", ui.ToolTable, false), false, false}, {"of the other tool", rule("risk", "suppress_tool", ui.ToolMap, true), false, false},
		{"forced", rule("risk", "force_tool", ui.ToolTable, true), false, false}, {"other words", rule("cost", "suppress_tool", ui.ToolTable, true), false, false}, {"said before", rule("risk", "suppress_tool", ui.ToolTable, true), true, false},
	} {
		e := env(t)
		s := ui.NewState("c")
		s.Router = c.r
		s = said(s, "We have a risk.")
		if !c.before { // the working state of a turn: the frame is not committed yet
			s.Seq--
		}
		ops, warnings := Run(e, s, direct(t, directive.TypeShowTable, `{"name":"risks"}`))
		if got := codes(warnings) == "GATE_CLOSED /directives/3;"; got != c.closed || (len(ops) == 0) != c.closed {
			t.Errorf("%s: %s %s", c.name, names(ops), codes(warnings))
		}
		if ops, warnings = Run(e, s, direct(t, directive.TypeShowForm, `{"name":"note"}`)); len(ops) != 1 ||
			len(warnings) > 0 {
			t.Errorf("%s: forms are not gated: %s", c.name, codes(warnings))
		}
	}
}

func TestRunPatchFitsKinds(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _, _ := run(t, e, ui.NewState("c"), directive.TypeShowForm, `{"name":"customer"}`)
	s, ops, w := run(t, e, s, directive.TypePatch,
		`{"ops":[{"op":"set","path":"/draft/age","value":42},{"op":"set","path":"name","value":"Ada"},{"op":"set","path":"/draft/sizes","value":"s"},{"op":"set","path":"/ui_state/progress","value":7}]}`)
	if get(s, "form:customer", "/draft/age") != `"42"` || get(s, "form:customer", "/draft/sizes") != `["s"]` ||
		get(s, "form:customer", "/draft/name") != `"Ada"` || get(s, "form:customer", "/ui_state/progress") != "7" ||
		len(ops) != 1 {
		t.Errorf("draft = %s", s.Surface("form:customer").Draft.AppendJSON(nil))
	}
	if !strings.HasPrefix(codes(w), string(directive.CodeCoerced)+" /directives/3") {
		t.Errorf("a coerced path leaves no warning: %q", codes(w))
	}
	strict := e
	strict.Strict = true
	if ops, w := Run(strict, s, direct(t, directive.TypePatch, `{"ops":[{"op":"set","path":"name","value":"Bo"}]}`)); len(ops) > 0 || len(w) != 1 {
		t.Errorf("strict: %s %s", names(ops), codes(w))
	}
	s = apply(t, e, s, &ui.Lock{Surface: "form:customer"})
	if _, ops, w := run(t, e, s, directive.TypePatch,
		`{"surface":"form:customer","ops":[{"op":"set","path":"/draft/age","value":1}]}`); len(ops) > 0 ||
		codes(w) != "EXECUTE_UNKNOWN /directives/3/surface;" {
		t.Errorf("patch of an answered form: %s %s", names(ops), codes(w))
	}
}

func TestRunClose(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _, _ := run(t, e, ui.NewState("c"), directive.TypeShowTable, `{"name":"risks"}`)
	s, ops, _ := run(t, e, s, directive.TypeClose, `{"surface":"table:risks"}`)
	if names(ops) != "Expire Set " || !s.Surface("table:risks").Stub() || s.Router.Checkpoint != nil ||
		s.Router.LastStatus != ui.StatusCanceled {
		t.Errorf("%s, router %+v", names(ops), s.Router)
	}
}

// Each directive sees what the ones before it did; a bad one takes nobody along.
func TestRunInOrder(t *testing.T) {
	t.Parallel()
	e := env(t)
	list := append(direct(t, directive.TypeShowForm, `{"name":"note"}`), direct(t, "ui.explode", `{}`)...)
	list = append(list, direct(t, directive.TypePatch,
		`{"surface":"form:note","ops":[{"op":"set","path":"/draft/body","value":"x"}]}`)...)
	ops, w := Run(e, ui.NewState("c"), list)
	if s := apply(t, e, ui.NewState("c"), ops...); names(ops) != "Open Patch " || len(w) != 1 ||
		get(s, "form:note", "/draft/body") != `"x"` {
		t.Errorf("%s %s", names(ops), codes(w))
	}
}

// TestRunLaw: whatever a model says, what comes out applies in one frame, and
// the state it was run on is as it was.
func TestRunLaw(t *testing.T) {
	t.Parallel()
	e := env(t)
	names := rapid.SampledFrom([]string{`"customer"`, `"note"`, `"risks"`, `"process"`, `"home"`, `"scan"`, `"x"`, `7`,
		`null`})
	value := rapid.SampledFrom([]string{`"t"`, `5`, `true`, `null`, `["a","b"]`, `[1]`, `{"a":"b"}`, `[{"title":"x"}]`,
		`{"$rows":[{"id":"a","order":"b","cells":{}}]}`, `{"$rows":1}`, `[]`, `{}`})
	path := rapid.SampledFrom([]string{"/draft/name", "age", "/draft/risks", "/draft/risks/-", "/draft/risks/r1",
		"/draft/risks/r1/title", "/draft/risks/0", "/draft/steps/R 1/name", "/ui_state/progress", "/ui_state/page_rows",
		"/committed/x", "/draft/__proto__/x", "/draft/$rows/x"})
	body := func(t *rapid.T) string {
		var m []string
		add := func(format string, args ...any) {
			if rapid.Bool().Draw(t, "member") {
				m = append(m, fmt.Sprintf(format, args...))
			}
		}
		add(`"name":%s`, names.Draw(t, "name"))
		for _, k := range []string{"values", "rows", "steps", "edges", "columns", "min_rows", "min_steps", "title",
			"text", "label", "accept"} {
			add(`"%s":%s`, k, value.Draw(t, k))
		}
		add(`"surface":"%s"`, rapid.SampledFrom(
			[]string{"form:customer", "table:risks", "map:process", "view:home", "x"}).Draw(t, "surface"))
		add(`"ops":[{"op":"%s","path":"%s","value":%s}]`,
			rapid.SampledFrom([]string{"set", "delete", "append", "insert", "add", "remove"}).Draw(t, "op"),
			path.Draw(t, "path"), value.Draw(t, "value"))
		return "{" + strings.Join(m, ",") + "}"
	}
	types := rapid.SampledFrom(append(e.App.Registry().Types(), "x"))
	rapid.Check(t, func(rt *rapid.T) {
		s := ui.NewState("c")
		for range rapid.IntRange(1, 3).Draw(rt, "turns") {
			var list []directive.Directive
			for i := range rapid.IntRange(0, 4).Draw(rt, "directives") {
				list = append(list, directive.Directive{Type: types.Draw(rt, "type"), Payload: payload(t, body(rt)),
					Index: i})
			}
			before, _ := ui.Encode(s)
			ops, warnings := Run(e, s, list)
			if after, _ := ui.Encode(s); string(before) != string(after) {
				rt.Fatalf("Run changed the state")
			}
			for _, w := range warnings {
				if w.Code == "" || w.Message == "" || !strings.HasPrefix(w.Path, "/directives/") {
					rt.Fatalf("warning %+v", w)
				}
			}
			next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: ops}, e.limits())
			if err != nil {
				rt.Fatalf("the ops do not apply: %v", err)
			}
			b, _ := ui.Encode(next)
			if _, err := ui.DecodeState(b); err != nil {
				rt.Fatalf("the state cannot be read back: %v\n%s", err, b)
			}
			s = next
		}
	})
}

func TestTool(t *testing.T) {
	t.Parallel()
	e := env(t)
	router := ui.Router{LastTool: ui.ToolTable, LastStatus: ui.StatusToolOpen,
		Checkpoint: &ui.Checkpoint{Tool: ui.ToolTable}}
	table := route.Decision{Action: route.ActionTool, Tool: ui.ToolTable,
		Params: &route.Params{Table: &route.Table{Title: "Risks", MinRows: 4}}}
	ops, w := Tool(e, ui.NewState("c"), table, router, "We have 4 risks.")
	s := apply(t, e, ui.NewState("c"), ops...)
	if names(ops) != "Set Open " || len(w) > 0 || s.Router.Checkpoint.Surface != "table:risks" ||
		router.Checkpoint.Surface != "" {
		t.Errorf("%s %s, checkpoint %+v", names(ops), codes(w), s.Router.Checkpoint)
	}
	if ops, w = Tool(e, s, route.Decision{}, router, ""); len(ops) > 0 || len(w) > 0 {
		t.Errorf("no tool: %s %s", names(ops), codes(w))
	}
	flow := route.Decision{Action: route.ActionTool, Tool: ui.ToolMap,
		Params: &route.Params{Map: &route.Map{MinSteps: 2}}}
	const message = "First we ask, then we answer."
	if ops, w = Tool(e, s, flow, router, message); names(ops) != "Set Open " || len(w) > 0 {
		t.Errorf("another tool is open: %s %s", names(ops), codes(w))
	}
	_, s = press(t, e, s, "table:risks", ui.Action{Name: builtin.ActionEdit}, leaf("/draft/risks/r1/title", "Fire"))
	if ops, w = Tool(e, s, flow, router, message); len(ops) > 0 || codes(w) != "GATE_CLOSED ;" ||
		ClosedBy(w[0]) != route.GateOpen {
		t.Errorf("somebody works in another tool: %s %s", names(ops), codes(w))
	}
	e.Lifted = true
	if ops, w = Tool(e, s, flow, router, message); names(ops) != "Set Open " || len(w) > 0 {
		t.Errorf("asked for by a button: %s %s", names(ops), codes(w))
	}
}

// Refresh draws a view again where it differs, and keeps one whose new tree
// Apply would refuse.
func TestRefresh(t *testing.T) {
	t.Parallel()
	build := func(s *ui.State) ui.Nodes {
		column := "title"
		if !s.Committed.IsNull() {
			column = "Not a key"
		}
		return ui.Nodes{&ui.Table{Rowset: ui.Rowset{Key: "t", Path: "/draft/t", Label: fmt.Sprint(len(s.Transcript)),
			Columns: []ui.Field{{Name: column, Type: ui.TypeText}}}}}
	}
	a, err := app.New(app.Config{Name: "desk", Views: []app.View{{Name: "v", Title: "V", Build: build}}})
	if err != nil {
		t.Fatal(err)
	}
	e := env(t)
	e.App = a
	s, _, _ := run(t, e, ui.NewState("c"), directive.TypeShowView, `{"name":"v"}`)
	if ops, w := Refresh(e, s); len(ops) > 0 || len(w) > 0 {
		t.Errorf("the same: %s %s", names(ops), codes(w))
	}
	s = apply(t, e, s, &ui.Say{Role: ui.RoleUser, Text: "x"})
	if ops, w := Refresh(e, s); names(ops) != "Update " || len(w) > 0 {
		t.Errorf("another label: %s %s", names(ops), codes(w))
	}
	s = apply(t, e, s, &ui.Commit{Form: "x", Values: ui.Map()})
	ops, w := Refresh(e, s)
	if names(ops) != "Update " || codes(w) != "EXECUTE_VIEW_INVALID v;" {
		t.Errorf("a tree that is none: %s %s", names(ops), codes(w))
	}
	s = apply(t, e, s, ops...) // says so
	if ops, w := Refresh(e, s); len(ops) > 0 || codes(w) != "EXECUTE_VIEW_INVALID v;" {
		t.Errorf("again: %s %s", names(ops), codes(w))
	}
}

// TestShowOpenForm: the values of a form that is open fill the fields in which nothing is typed, all or none: a value
// that contradicts what is typed may come with those of somebody else.
func TestShowOpenForm(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _, _ := run(t, e, ui.NewState("c"), directive.TypeShowForm, `{"name":"customer"}`)
	s = apply(t, e, s, &ui.Draft{Surface: "form:customer", Values: []ui.Leaf{{Path: "/draft/name", Value: ui.String("Ada")}}})
	for values, want := range map[string]struct{ age, warned string }{
		`{"age":3}`:              {`"3"`, ""},
		`{"name":"Ada","age":3}`: {`"3"`, ""},
		`{"name":"Bo","age":3}`:  {`""`, "EXECUTE_PAYLOAD_INVALID /directives/3/values/name;"},
	} {
		next, _, warnings := run(t, e, s, directive.TypeShowForm, `{"name":"customer","values":`+values+`}`)
		name, age := get(next, "form:customer", "/draft/name"), get(next, "form:customer", "/draft/age")
		if name != `"Ada"` || age != want.age || codes(warnings) != want.warned {
			t.Errorf("%s: name %s, age %s, warnings %s", values, name, age, codes(warnings))
		}
	}
}

// TestShowOpenFormKeepsEmptied: a field that a person has emptied after what a model has seen stays empty.
func TestShowOpenFormKeepsEmptied(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _, _ := run(t, e, ui.NewState("c1"), directive.TypeShowForm, `{"name":"customer"}`)
	s = apply(t, e, s, &ui.Draft{Surface: "form:customer", Values: []ui.Leaf{{Path: "/draft/name", Value: ui.String("")}}},
		&ui.Stamp{Surface: "form:customer", Writes: map[ui.Path]string{"/draft/name": "2026-11-20T12:00:00.000Z:0000:r-1"},
			Actors: map[string]ui.Actor{"r-1": {Last: "2026-11-20T12:00:00.000Z:0000:r-1", By: "p1"}}})
	for seen, want := range map[uint64]string{1: `""`, 2: `"Bo"`} {
		e.Saw = &ui.State{Seq: seen, Epochs: s.Epochs}
		next, _, warnings := run(t, e, s, directive.TypeShowForm, `{"name":"customer","values":{"name":"Bo","age":3}}`)
		name, age := get(next, "form:customer", "/draft/name"), get(next, "form:customer", "/draft/age")
		if name != want || age != `"3"` || (len(warnings) > 0) != (seen == 1) {
			t.Errorf("after seeing %d: name %s, age %s, warnings %s", seen, name, age, codes(warnings))
		}
	}
}

// TestPatchKeepsPeople: a model does not overwrite what people wrote after what it has
// seen; the rest of its patch counts, and the warning says what was left.
func TestPatchKeepsPeople(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _, _ := run(t, e, ui.NewState("c1"), directive.TypeShowForm, `{"name":"customer"}`)
	s = apply(t, e, s, &ui.Draft{Surface: "form:customer", Values: []ui.Leaf{{Path: "/draft/name", Value: ui.String("Ada")}}},
		&ui.Stamp{Surface: "form:customer", Writes: map[ui.Path]string{"/draft/name": "2026-11-20T12:00:00.000Z:0000:r-1"},
			Actors: map[string]ui.Actor{"r-1": {Last: "2026-11-20T12:00:00.000Z:0000:r-1", By: "p1"}}})
	for _, tt := range []struct {
		seen      uint64
		ops       string
		name, age string
		outdated  int
	}{
		{1, `[{"op":"set","path":"/draft/name","value":"Bo"},{"op":"set","path":"/draft/age","value":3}]`, `"Ada"`, `"3"`, 1},
		{1, `[{"op":"set","path":"/draft/name","value":"Bo"}]`, `"Ada"`, `""`, 1},
		{2, `[{"op":"set","path":"/draft/name","value":"Bo"}]`, `"Bo"`, `""`, 0},
		{0, `[{"op":"set","path":"/draft/name","value":"Bo"}]`, `"Ada"`, `""`, 1},
	} {
		e.Saw = &ui.State{Seq: tt.seen, Epochs: s.Epochs}
		next, _, warnings := run(t, e, s, directive.TypePatch, `{"surface":"form:customer","ops":`+tt.ops+`}`)
		name, age := get(next, "form:customer", "/draft/name"), get(next, "form:customer", "/draft/age")
		if name != tt.name || age != tt.age || len(warnings) != tt.outdated {
			t.Errorf("after seeing %d, %s: name %s, age %s, %v", tt.seen, tt.ops, name, age, warnings)
		}
		for _, w := range warnings {
			if w.Code != CodeOutdated || !errors.Is(w, ErrNotDone) {
				t.Errorf("the warning is %v", w)
			}
		}
	}
}

// TestModelMeansTheSurfaceItSaw: what a model asks for about a surface that was opened again after what it
// has seen is not carried out on the new one.
func TestModelMeansTheSurfaceItSaw(t *testing.T) {
	t.Parallel()
	const n ui.Name = "form:customer"
	e := env(t)
	s, _, _ := run(t, e, ui.NewState("c1"), directive.TypeShowForm, `{"name":"customer"}`)
	seen := s
	s = apply(t, e, s, &ui.Close{Surface: n})
	s, _, _ = run(t, e, s, directive.TypeShowForm, `{"name":"customer"}`)
	show := direct(t, directive.TypeShowForm, `{"name":"customer","values":{"name":"Bo"}}`)
	patch := direct(t, directive.TypePatch, `{"surface":"form:customer","ops":[{"op":"set","path":"/draft/name","value":"Bo"}]}`)
	e.Asked = []ui.Name{n}
	for _, tt := range []struct {
		list  []directive.Directive
		ops   string // having seen it
		press ui.Name
	}{
		{patch, "Patch ", ""},
		{show, "Patch ", ""},
		{direct(t, directive.TypeClose, `{"surface":"form:customer"}`), "Close ", ""},
		{direct(t, directive.TypeSubmit, `{"surface":"form:customer"}`), "", n},
	} {
		e.Saw = seen
		ops, _, press, warnings := RunReply(e, s, tt.list)
		if len(ops) > 0 || press != "" || codes(warnings) != "EXECUTE_OUTDATED /directives/3/surface;" {
			t.Errorf("%s: %s, %q, %v", tt.list[0].Type, names(ops), press, warnings)
		}
		e.Saw = s
		ops, _, press, warnings = RunReply(e, s, tt.list)
		if names(ops) != tt.ops || press != tt.press || len(warnings) > 0 {
			t.Errorf("%s, having seen it: %s, %q, %v", tt.list[0].Type, names(ops), press, warnings)
		}
	}
	closed := apply(t, e, s, &ui.Close{Surface: n})
	e.Saw = seen
	if ops, _, _, warnings := RunReply(e, closed, slices.Concat(show, patch)); names(ops) != "Open Patch " ||
		len(warnings) > 0 {
		t.Errorf("opened by the answer: %s, %v", names(ops), warnings)
	}
}
