package execute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/ui"
)

// opened is a conversation with one surface open.
func opened(t testing.TB, e Env, typ, body string, n ui.Name) (*ui.State, *ui.Surface) {
	t.Helper()
	s, _, w := run(t, e, ui.NewState("c"), typ, body)
	if len(w) > 0 || s.Surface(n) == nil {
		t.Fatal(codes(w))
	}
	return s, s.Surface(n)
}

func press(t testing.TB, e Env, s *ui.State, n ui.Name, a ui.Action, values ...ui.Leaf) (Step, *ui.State) {
	t.Helper()
	ctx := ui.Map()
	for _, c := range a.Context {
		if c.Path == "" {
			ctx, _ = ctx.With(c.Value, c.Key)
		}
	}
	step, err := Action(e, s, Click{Surface: s.Surface(n), Action: a, Values: values, Context: ctx})
	if err != nil {
		t.Fatal(err)
	}
	return step, apply(t, e, s, step.Ops...)
}

func rowsOfSurface(s *ui.State, n ui.Name) (ids []string) {
	ui.Walk(s.Surface(n).Tree(), func(_ ui.KeyPath, node ui.Node) bool {
		if rs := ui.RowsetOf(node); rs != nil {
			for _, r := range s.Surface(n).Rows(rs) {
				ids = append(ids, r.ID)
			}
		}
		return true
	})
	return ids
}

func rowset(sf *ui.Surface) (rs *ui.Rowset) {
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if r := ui.RowsetOf(n); r != nil && rs == nil {
			rs = r
		}
		return true
	})
	return rs
}

func TestRowActions(t *testing.T) {
	t.Parallel()
	e := env(t) // at most 10 rows
	s, sf := opened(t, e, directive.TypeShowTable, `{"name":"risks"}`, "table:risks")
	rs, typed := rowset(sf), ui.Leaf{Path: "/draft/risks/r1/title", Value: ui.String("typed")}
	for n := len(sf.Rows(rs)); n < 10; n++ {
		step, next := press(t, e, s, "table:risks", rs.AddAction(), typed)
		if s = next; step.Outcome.Kind != ui.OutcomeDone || len(rowsOfSurface(s, "table:risks")) != n+1 {
			t.Fatalf("add: %+v, %v", step.Outcome, rowsOfSurface(s, "table:risks"))
		}
	}
	step, s := press(t, e, s, "table:risks", rs.AddAction(), ui.Leaf{Path: typed.Path, Value: ui.String("more")})
	if step.Outcome.Kind != ui.OutcomeRefused || step.Outcome.Code != ui.CodeLimit ||
		get(s, "table:risks", typed.Path) != `"more"` || len(rowsOfSurface(s, "table:risks")) != 10 {
		t.Errorf("one over: %+v, %s", step.Outcome, get(s, "table:risks", typed.Path))
	}
	s = apply(t, e, s, &ui.Errors{Surface: "table:risks",
		Errors: []ui.FieldError{{Path: "/draft/risks/r2/title"}, {Path: "/draft/other"}}})
	_, s = press(t, e, s, "table:risks", rs.RemoveAction("r2"), typed)
	if got := rowsOfSurface(s, "table:risks"); len(got) != 9 || got[1] != "r3" ||
		len(s.Surface("table:risks").Errors) != 1 {
		t.Errorf("removed: %v, %v", got, s.Surface("table:risks").Errors)
	}
	for _, id := range rowsOfSurface(s, "table:risks") {
		_, s = press(t, e, s, "table:risks", rs.RemoveAction(id))
	}
	if got := rowsOfSurface(s, "table:risks"); len(got) != 0 {
		t.Errorf("all removed, and there are %v", got)
	}
	_, s = press(t, e, s, "table:risks", rs.PageAction(50))
	if get(s, "table:risks", "/ui_state/page_rows") != "50" {
		t.Errorf("page = %s", get(s, "table:risks", "/ui_state/page_rows"))
	}
	gone := ui.Action{Name: builtin.ActionAddRow, Context: []ui.Context{{Key: "table", Value: ui.String("/draft/none")}}}
	if _, err := Action(e, s, Click{Surface: s.Surface("table:risks"), Action: gone,
		Context: ui.Map(ui.Pair{Key: "table", Value: ui.String("/draft/none")})}); ui.CodeOf(err) != CodeUnknown {
		t.Errorf("rows that are not there: %v", err)
	}
}

func TestRemoveStepTakesItsEdges(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, sf := opened(t, e, directive.TypeShowMap,
		`{"steps":[["A"],["B"],["C"]],"edges":[["r1","r2","sequence"],["r2","r3","sequence"],["r1","r3","parallel"]]}`,
		"map:process")
	_, s = press(t, e, s, "map:process", rowset(sf).RemoveAction("r2"))
	v, _ := s.Surface("map:process").Get("/draft/edges")
	if len(v.Records()) != 1 || v.Records()[0].ID != "r3" {
		t.Errorf("edges = %s", v.AppendJSON(nil))
	}
}

var submit = ui.Action{Name: builtin.ActionSubmit}

func TestSubmit(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowForm, `{"name":"note"}`, "form:note")
	step, s := press(t, e, s, "form:note", submit, ui.Leaf{Path: "/draft/body", Value: ui.String("Hello")})
	if names(step.Ops) != "Draft Commit Lock Say " || step.Effect != nil || step.Ask != "" ||
		step.Outcome.Message != "Noted." || step.Outcome.Kind != ui.OutcomeDone {
		t.Errorf("%s, %+v", names(step.Ops), step.Outcome)
	}
	if got, _ := s.Committed.Get("note", "body"); got.Text() != "Hello" ||
		s.Surface("form:note").Status != ui.StatusSubmitted {
		t.Errorf("committed %s", s.Committed.AppendJSON(nil))
	}
	s, _ = opened(t, e, directive.TypeShowForm, `{"name":"reply"}`, "form:reply")
	if step, _ = press(t, e, s, "form:reply", submit); step.Outcome.Message != "Thank you." || step.Effect != nil {
		t.Errorf("reply: %+v", step)
	}
	s, _ = opened(t, e, directive.TypeShowForm, `{"name":"ask"}`, "form:ask")
	if step, _ = press(t, e, s, "form:ask", submit); step.Ask != "" || names(step.Ops) != "Draft Commit Lock Say " {
		t.Errorf("ask without a model: %+v", step)
	}
	e.Model = true
	if step, _ = press(t, e, s, "form:ask", submit); step.Ask == "" || names(step.Ops) != "Draft Commit Lock Say " {
		t.Errorf("ask: %+v", step)
	}
}

func TestSubmitWithErrors(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowForm, `{"name":"customer"}`, "form:customer")
	step, s := press(t, e, s, "form:customer", submit, ui.Leaf{Path: "/draft/age", Value: ui.String("old")})
	if names(step.Ops) != "Draft Errors Say " || step.Effect != nil || step.Outcome.Kind != ui.OutcomeAsked ||
		step.Outcome.Code != ui.CodeFieldRequired || step.Outcome.Path != "/draft/name" {
		t.Errorf("%s, %+v", names(step.Ops), step.Outcome)
	}
	if sf := s.Surface("form:customer"); len(sf.Errors) != 2 || sf.Status != ui.StatusOpen ||
		get(s, "form:customer", "/draft/age") != `"old"` || !s.Committed.IsNull() {
		t.Errorf("errors = %v", sf.Errors)
	}
	if want := "Please check: Name is required. age must be a number."; step.Outcome.Message != want {
		t.Errorf("message = %q", step.Outcome.Message)
	}
}

// TestSubmitWithHandler: an answer saves the form or refuses it with what was typed kept; a
// text that is too long for the transcript is cut.
func TestSubmitWithHandler(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, sf := opened(t, e, directive.TypeShowForm, `{"name":"customer"}`, "form:customer")
	click := Click{Surface: sf, Action: submit, Context: ui.Map(),
		Values: []ui.Leaf{{Path: "/draft/name", Value: ui.String("Ada")}, {Path: "/draft/age", Value: ui.String("36")}}}
	step, err := Action(e, s, click)
	if err != nil || step.Effect == nil || step.Effect.Action.Name != "save" || names(step.Ops) != "Draft " {
		t.Fatalf("%+v, %v", step, err)
	}
	if got := string(step.Effect.Values.AppendJSON(nil)); got != `{"age":36,"name":"Ada"}` {
		t.Errorf("the handler gets %s", got)
	}
	for _, c := range []struct {
		name, ops, warnings, message string
		res                          app.Result
		kind                         ui.OutcomeKind
	}{
		{"done", "Draft Commit Lock Say ", "", "Saved. Thank you.", app.Result{}, ui.OutcomeDone},
		{"with text and toast", "Draft Commit Lock Say Toast ", "", "Number 7.", app.Result{Text: "Number 7.", Toast: "Saved"}, ui.OutcomeDone},
		{"with directives", "Draft Commit Lock Say Open ", "EXECUTE_UNKNOWN /directives/3/name;", "Saved. Thank you.", app.Result{Directives: append(direct(t, directive.TypeShowForm, `{"name":"note"}`), direct(t, directive.TypeShowForm, `{"name":"x"}`)...)}, ui.OutcomeDone},
		{"refused", "Draft Errors Say ", "", "Please check: Known already.", app.Result{Errors: []ui.FieldError{{Path: "/draft/name", Text: "Known already."}}}, ui.OutcomeAsked},
		{"refused with too much text", "Draft Errors Say ", "", "Please check: " + strings.Repeat("e", 32<<10-14), app.Result{Errors: []ui.FieldError{{Path: "/draft/name", Text: strings.Repeat("e", 33<<10)}}}, ui.OutcomeAsked},
		{"refused at no input", "Draft Errors Say ", "EXECUTE_PAYLOAD_INVALID /errors/0/path;", "Please check: Known already.", app.Result{Errors: []ui.FieldError{{Path: "name", Text: "Known already."}}}, ui.OutcomeAsked},
		{"refused without a text", "Draft Errors Say ", "", "Please check: Name", app.Result{Errors: []ui.FieldError{{Path: "/draft/name", Code: "TAKEN"}}}, ui.OutcomeAsked},
		{"refused without anything", "Draft Errors Say ", "EXECUTE_PAYLOAD_INVALID /errors/0/path;", "Please check what you entered.", app.Result{Errors: []ui.FieldError{{}}}, ui.OutcomeAsked},
		{"with too much text", "Draft Commit Lock Say ", "", strings.Repeat("x", 32<<10), app.Result{Text: strings.Repeat("x", 33<<10)}, ui.OutcomeDone},
	} {
		got, w := Finish(e, s, click, step.Effect, step, c.res)
		next := apply(t, e, s, got.Ops...)
		if names(got.Ops) != c.ops || codes(w) != c.warnings || got.Outcome.Message != c.message ||
			got.Outcome.Kind != c.kind {
			t.Errorf("%s: %s %s %.80v", c.name, names(got.Ops), codes(w), got.Outcome)
		}
		if c.kind == ui.OutcomeAsked && (!next.Committed.IsNull() || got.Outcome.Code == "" ||
			get(next, "form:customer", "/draft/name") != `"Ada"`) {
			t.Errorf("%s: committed %s, code %q", c.name, next.Committed.AppendJSON(nil), got.Outcome.Code)
		}
		for _, err := range next.Surface("form:customer").Errors {
			if err.Text == "" || len(err.Text) > 32<<10 {
				t.Errorf("%s: an error of %d bytes", c.name, len(err.Text))
			}
		}
	}
	// a message has no surface that could show errors
	res := app.Result{Errors: []ui.FieldError{{Path: "/draft/name", Text: "Known already."}, {Code: "OTHER"}, {Text: "Too old."}}}
	if got, w := Finish(e, s, Click{Surface: &ui.Surface{}}, &Effect{}, Step{}, res); names(got.Ops) != "Say " || len(w) > 0 ||
		got.Outcome.Kind != ui.OutcomeAsked || got.Outcome.Message != "Known already.\nToo old." {
		t.Errorf("without a surface: %s %s %+v", names(got.Ops), codes(w), got.Outcome)
	}
	// the surface went away while the handler ran
	gone := apply(t, e, s, &ui.Close{Surface: "form:customer"})
	if got, w := Finish(e, gone, click, step.Effect, step, app.Result{}); len(got.Ops) > 0 ||
		codes(w) != "ACTION_FAILED ;" || got.Outcome.Kind != ui.OutcomeFailed {
		t.Errorf("gone: %s %s %+v", names(got.Ops), codes(w), got.Outcome)
	}
}

func TestOwnAction(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, sf := opened(t, e, directive.TypeShowForm, `{"name":"note"}`, "form:note")
	click := func(name string) Click {
		return Click{Surface: sf, Action: ui.Action{Name: name}, Context: ui.Map(ui.Pair{Key: "k", Value: ui.Int(1)})}
	}
	if step, err := Action(e, s, click("call")); err != nil || step.Effect == nil ||
		!step.Effect.Values.Equal(ui.Map(ui.Pair{Key: "k", Value: ui.Int(1)})) {
		t.Errorf("handler: %+v, %v", step, err)
	} else if done, w := Finish(e, s, click("call"), step.Effect, step, app.Result{Text: "Called."}); names(done.Ops) != "Draft Say " || len(w) > 0 {
		t.Errorf("finished: %s %s", names(done.Ops), codes(w))
	}
	if step, err := Action(e, s, click("thanks")); err != nil || names(step.Ops) != "Draft Say " {
		t.Errorf("reply: %+v, %v", step, err)
	}
	if step, err := Action(e, s, click("think")); err != nil || step.Ask != "" || names(step.Ops) != "Draft Say " {
		t.Errorf("ask without a model: %+v, %v", step, err)
	}
	e.Model = true
	if step, err := Action(e, s, click("think")); err != nil || !strings.Contains(step.Ask, `"think"`) {
		t.Errorf("ask: %+v, %v", step, err)
	}
	if _, err := Action(e, s, click("none")); ui.CodeOf(err) != CodeUnknown {
		t.Errorf("none: %v", err)
	}
}

// TestShow: a fixed action opens what it names, whatever gate is closed, and leaves alone
// what is open.
func TestShow(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowForm, `{"name":"first"}`, "form:first")
	step, s := press(t, e, s, "form:first", submit, ui.Leaf{Path: "/draft/body", Value: ui.String("1")})
	if names(step.Ops) != "Draft Commit Lock Say Open " || !isOpen(s, "form:note") {
		t.Fatalf("on submit: %s", names(step.Ops))
	}
	s.Router.OptOut.All = true
	click := func(name string) (Step, *ui.State) {
		return press(t, e, s, "form:note", ui.Action{Name: name}, ui.Leaf{Path: "/draft/body", Value: ui.String("kept")})
	}
	if step, now := click("both"); !strings.HasPrefix(names(step.Ops), "Draft Say ") || !isOpen(now, "table:risks") {
		t.Errorf("a table: %s", names(step.Ops))
	}
	if step, now := click("home"); names(step.Ops) != "Draft Open " || !isOpen(now, "view:count") {
		t.Errorf("a view: %s", names(step.Ops))
	}
	if step, now := click("next"); names(step.Ops) != "Draft " || get(now, "form:note", "/draft/body") != `"kept"` {
		t.Errorf("open already: %s", names(step.Ops))
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowTable, `{"name":"risks"}`, "table:risks")
	s.Router.Cancels = 1
	step, s := press(t, e, s, "table:risks", ui.Action{Name: builtin.ActionCancel})
	if names(step.Ops) != "Draft Expire Say Set " || !s.Surface("table:risks").Stub() || s.Router.Cancels != 2 ||
		s.Router.LastStatus != ui.StatusCanceled || s.Router.Checkpoint != nil {
		t.Errorf("%s, %+v", names(step.Ops), s.Router)
	}
	s, _ = opened(t, e, directive.TypeShowForm, `{"name":"note"}`, "form:note")
	if _, s = press(t, e, s, "form:note", ui.Action{Name: builtin.ActionCancel}); s.Router.Cancels != 0 {
		t.Error("a form is no tool: canceling it closes no gate")
	}
}

func TestRegenerate(t *testing.T) {
	t.Parallel()
	again := ui.Action{Name: builtin.ActionRegenerate}
	for _, c := range []struct {
		typ, body string
		surface   ui.Name
		at        ui.Path
	}{
		{directive.TypeShowForm, `{"name":"note"}`, "form:note", "/draft/body"}, {directive.TypeShowTable, `{"name":"risks","rows":[["A"]]}`, "table:risks", "/draft/risks/r1/title"},
		{directive.TypeShowMap, `{"steps":[["A"],["B"]]}`, "map:process", "/draft/steps/r2/name"}, {directive.TypeShowTable, `{"columns":["A"]}`, "table:list", "/draft/list/r1/a"}, // not declared: the template is gone
	} {
		for _, status := range []ui.Status{ui.StatusOpen, ui.StatusExpired} {
			e := env(t)
			s, _ := opened(t, e, c.typ, c.body, c.surface)
			typed := ui.Leaf{Path: c.at, Value: ui.String("typed")}
			s = apply(t, e, s, &ui.Draft{Surface: c.surface, Values: []ui.Leaf{typed}})
			if status == ui.StatusExpired {
				s = apply(t, e, s, &ui.Expire{Surface: c.surface})
			}
			was := s.Surface(c.surface).Nonce
			_, s = press(t, e, s, c.surface, again)
			if sf := s.Surface(c.surface); sf.Status != ui.StatusOpen || sf.Epoch != 2 || sf.Rev != 1 ||
				sf.Nonce == was || get(s, c.surface, c.at) != `"typed"` {
				t.Errorf("%s, %s: %v, %s", c.surface, status, sf, get(s, c.surface, c.at))
			}
		}
	}
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowView, `{"name":"home"}`, "view:home")
	if _, s = press(t, e, s, "view:home", again); s.Surface("view:home").Epoch != 2 {
		t.Error("a view is not drawn anew")
	}
}

func TestAttach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ, at string
		code    ui.Code
	}{
		{"image/png", "/draft/scan", ""}, {"IMAGE/PNG; q=1", "/draft/scan", ""}, {"application/pdf", "/draft/scan", ""}, {"text/html", "/draft/scan", ui.CodeFieldType}, {"imagex/png", "/draft/scan", ui.CodeFieldType}, {"", "/draft/scan", ui.CodeFieldType}, {"image/png", "/draft/none", CodeUnknown},
	} {
		e := env(t)
		s, sf := opened(t, e, directive.TypeShowForm, `{"name":"scans"}`, "form:scans")
		ctx := ui.Map()
		for k, v := range map[string]string{"path": c.at, "id": "u1", "name": "a.png", "type": c.typ} {
			ctx, _ = ctx.With(ui.String(v), k)
		}
		step, err := Action(e, s, Click{Surface: sf, Action: ui.Action{Name: builtin.ActionAttach}, Context: ctx})
		if err != nil || step.Outcome.Code != c.code {
			t.Errorf("%+v: %+v, %v", c, step.Outcome, err)
			continue
		}
		s = apply(t, e, s, step.Ops...)
		want := `""`
		if c.code == "" {
			want = `"u1"`
		}
		if get(s, "form:scans", "/draft/scan") != want ||
			(len(s.Surface("form:scans").Errors) > 0) != (c.code == ui.CodeFieldType) {
			t.Errorf("%+v: %s, %v", c, get(s, "form:scans", "/draft/scan"), s.Surface("form:scans").Errors)
		}
	}
}

func ExampleAction() {
	a, _ := app.New(app.Config{Name: "desk", Forms: []app.Form{
		{Name: "note", Title: "Note", Fields: []ui.Field{
			{Name: "body", Label: "Text", Type: ui.TypeText, Required: true}}}}})
	e := Env{App: a, Nonce: func() string { return "00ff" }}
	note, _ := a.Form("note")
	s, _, _ := ui.Apply(ui.NewState("0193"), &ui.Frame{Seq: 1, Ops: ui.Ops{a.OpenForm(note, ui.Map()).Op("00ff")}},
		ui.Limits{})

	click := Click{Surface: s.Surface("form:note"), Action: ui.Action{Name: builtin.ActionSubmit}}
	step, _ := Action(e, s, click)
	fmt.Println(step.Outcome.Kind, step.Outcome.Path, step.Outcome.Message)

	click.Values = []ui.Leaf{{Path: "/draft/body", Value: ui.String("Hello")}}
	step, _ = Action(e, s, click)
	fmt.Println(step.Outcome.Kind, step.Outcome.Message)
	// Output:
	// asked /draft/body Please check: Text is required.
	// done Saved. Thank you.
}
