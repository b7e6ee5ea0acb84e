package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// at is the action of a tool's button, if it is there.
func at(s *ui.State, n ui.Name, key string) (ui.Action, bool) {
	return s.Surface(n).ActionAt(ui.KeyPath("main/buttons/" + key))
}

// checked presses a button as session does: with what the validators say.
func checked(t testing.TB, e Env, s *ui.State, n ui.Name, key string, values ...ui.Leaf) (Step, *ui.State) {
	t.Helper()
	a, ok := at(s, n, key)
	if !ok {
		t.Fatalf("no button %s on %s", key, n)
	}
	c := Click{Surface: s.Surface(n), Action: a, Values: values, Context: ui.Map()}
	if sub, ok := Submission(e, s, c); ok {
		c.Warnings = capture.Validate(sub)
	}
	step, err := Action(e, s, c)
	if err != nil {
		t.Fatal(err)
	}
	return step, apply(t, e, s, step.Ops...)
}

func leaf(path, text string) ui.Leaf { return ui.Leaf{Path: ui.Path(path), Value: ui.String(text)} }

func notes(sf *ui.Surface) (out []string) {
	ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if notice, ok := n.(*ui.Notice); ok && strings.HasPrefix(string(at), "main/notes/") {
			out = append(out, notice.Text)
		}
		return true
	})
	return out
}

func buttonsOf(sf *ui.Surface) string {
	var out []string
	for _, n := range ui.Children(sf.Tree()) {
		for _, b := range ui.Children(n) {
			if ui.NodeKey(n) == "buttons" {
				out = append(out, ui.NodeKey(b))
			}
		}
	}
	return strings.Join(out, " ")
}

// TestPhases: capture → check → confirm, and nothing is committed before the
// user confirms.
func TestPhases(t *testing.T) {
	t.Parallel()
	const n ui.Name = "table:risks"
	e := env(t)
	s, sf := opened(t, e, directive.TypeShowTable, `{"name":"risks"}`, n)
	if got := worksheet.PhaseOf(sf) + ": " + buttonsOf(sf); got != "capture: submit cancel" {
		t.Fatalf("opened: %s", got)
	}
	step, s := checked(t, e, s, n, "submit", leaf("/draft/risks/r1/title", "Fire"),
		leaf("/draft/risks/r2/count", "many"))
	sf = s.Surface(n)
	want := "A few things are still open: Title is missing in row 2; count is not a number in row 2."
	if step.Outcome.Kind != ui.OutcomeAsked || step.Outcome.Message != want ||
		step.Outcome.Path != "/draft/risks/r2/title" {
		t.Errorf("%+v", step.Outcome)
	}
	if got := worksheet.PhaseOf(sf) + ": " + buttonsOf(sf); got != "check: submit cancel" || len(sf.Errors) != 2 ||
		len(notes(sf)) != 1 || s.Router.Checkpoint.Iteration != 1 {
		t.Errorf("%s, %v, %q, %+v", got, sf.Errors, notes(sf), s.Router.Checkpoint)
	}
	if get(s, n, "/draft/risks/r2/count") != `"many"` || !s.Committed.IsNull() {
		t.Error("data are not kept, or committed")
	}
	step, s = checked(t, e, s, n, "submit", leaf("/draft/risks/r2/title", "fire"), leaf("/draft/risks/r2/count", "2"),
		leaf("/draft/risks/r3/title", "Flood"))
	sf = s.Surface(n)
	if got := worksheet.PhaseOf(sf) + ": " + buttonsOf(sf); got != "confirm: submit confirm cancel" ||
		len(sf.Errors) != 0 || step.Outcome.Kind != ui.OutcomeAsked || !s.Committed.IsNull() {
		t.Errorf("%s, %+v", got, step.Outcome)
	}
	if got := strings.Join(notes(sf), " | "); got != "This looks complete: 3 risks. count: 1 filled in. If it is right, submit it. | Title is the same in rows 1 and 2." || len(step.Shown) != 1 {
		t.Errorf("notes %q, shown %v", got, step.Shown)
	}
	// the second click of a double click checks once more: it cannot confirm
	if _, twice := checked(t, e, s, n, "submit"); worksheet.PhaseOf(twice.Surface(n)) != worksheet.PhaseConfirm ||
		!twice.Committed.IsNull() {
		t.Errorf("a second check: %s, committed %s", worksheet.PhaseOf(twice.Surface(n)),
			twice.Committed.AppendJSON(nil))
	}
	// not complete any more: back to check
	broken, back := checked(t, e, s, n, "confirm", leaf("/draft/risks/r2/title", ""))
	if worksheet.PhaseOf(back.Surface(n)) != worksheet.PhaseCheck || broken.Outcome.Kind != ui.OutcomeAsked ||
		!back.Committed.IsNull() {
		t.Errorf("%+v", broken.Outcome)
	}
	// a warning that comes with the click is shown before anything is committed; once shown it may be confirmed
	more, warned := checked(t, e, s, n, "confirm", leaf("/draft/risks/r3/title", "fire"))
	if worksheet.PhaseOf(warned.Surface(n)) != worksheet.PhaseConfirm || more.Outcome.Kind != ui.OutcomeAsked ||
		!warned.Committed.IsNull() {
		t.Errorf("a new warning: %+v, %q", more.Outcome, notes(warned.Surface(n)))
	}
	if _, again := checked(t, e, warned, n, "confirm"); again.Committed.IsNull() {
		t.Errorf("a warning that was shown holds the commit back: %q", notes(again.Surface(n)))
	}
	// rows changed by a button: what was confirmed is not what is there
	_, changed := press(t, e, s, n, rowset(sf).AddAction())
	if got := worksheet.PhaseOf(changed.Surface(n)) + ": " + buttonsOf(changed.Surface(n)); got != "capture: submit cancel" || notes(changed.Surface(n)) != nil {
		t.Errorf("after a row more: %s", got)
	}
	step, s = checked(t, e, s, n, "confirm", leaf("/draft/risks/r2/title", "Theft"))
	if names(step.Ops) != "Draft Commit Update Lock Say Set " ||
		step.Outcome.Message != "Saved: 3 risks. count: 1 filled in." {
		t.Errorf("%s %+v", names(step.Ops), step.Outcome)
	}
	if s.Router.Checkpoint != nil || s.Router.LastStatus != ui.StatusCompleted || s.Router.Cancels != 0 ||
		notes(s.Surface(n)) != nil {
		t.Errorf("router = %+v", s.Router)
	}
	if v, _ := s.Committed.Get("risks", "risks"); len(v.Records()) != 3 {
		t.Errorf("committed %s", s.Committed.AppendJSON(nil))
	}
}

// TestAcceptAsItIs: after the last round the user chooses; what was accepted
// says so, and cells that do not fit stay as they were typed.
func TestAcceptAsItIs(t *testing.T) {
	t.Parallel()
	const n ui.Name = "table:risks"
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowTable, `{"name":"risks","min_rows":3}`, n)
	for round := 1; round <= 2; round++ {
		var step Step
		step, s = checked(t, e, s, n, "submit", leaf("/draft/risks/r1/title", "Fire"),
			leaf("/draft/risks/r1/count", "lots"))
		if offered := buttonsOf(s.Surface(n)) == "submit accept cancel"; offered != (round == 2) ||
			strings.HasPrefix(step.Outcome.Message, "It’s still not complete") != offered {
			t.Fatalf("round %d: %s, %s", round, buttonsOf(s.Surface(n)), step.Outcome.Message)
		}
	}
	step, s := checked(t, e, s, n, "accept")
	if got := string(s.Committed.AppendJSON(nil)); !strings.Contains(got, `"accepted_as_is":true`) ||
		!strings.Contains(got, `"cells":{"count":"lots","title":"Fire"}`) || strings.Contains(got, "r2") {
		t.Errorf("committed %s", got)
	}
	if step.Outcome.Message != "Saved as it is, though not complete: 1 risk. count: 1 filled in." ||
		s.Router.LastStatus != ui.StatusCompleted {
		t.Errorf("%+v", step.Outcome)
	}
}

// TestHandlerOfATool: the app's handler is called when the user confirms or
// accepts, not for a check; what it refuses is asked about as any error.
func TestHandlerOfATool(t *testing.T) {
	t.Parallel()
	const n ui.Name = "table:risks"
	e := env(t)
	never := func(context.Context, app.Call) (app.Result, error) { panic("execute called a handler") }
	a, err := app.New(app.Config{Name: "desk", Actions: []app.Action{{Name: "save", Handler: never}},
		Tables: []app.Table{{Name: "risks", OnSubmit: "save", MinRows: 1,
			Columns: []ui.Field{{Name: "title", Type: ui.TypeText, Required: true}}}}})
	if err != nil {
		t.Fatal(err)
	}
	e.App = a
	s, _ := opened(t, e, directive.TypeShowTable, `{"name":"risks"}`, n)
	for range 2 {
		if step, next := checked(t, e, s, n, "submit"); step.Effect == nil {
			s = next
		} else {
			t.Fatal("a check calls the handler")
		}
	}
	step, _ := checked(t, e, s, n, "accept")
	if step.Effect == nil || string(step.Effect.Values.AppendJSON(
		nil)) != `{"accepted_as_is":true,"risks":{"$rows":[]}}` || commits(step.Ops) > 0 {
		t.Errorf("accept: %+v", step.Effect)
	}
	_, s = checked(t, e, s, n, "submit", leaf("/draft/risks/r1/title", "Fire"))
	step, _ = checked(t, e, s, n, "confirm")
	if step.Effect == nil || step.Effect.Action.Name != "save" || commits(step.Ops) > 0 {
		t.Fatalf("confirm: %+v", step)
	}
	click := Click{Surface: s.Surface(n), Action: ui.Action{Name: builtin.ActionConfirm}, Context: ui.Map()}
	refused, _ := Finish(e, s, click, step.Effect, step,
		app.Result{Errors: []ui.FieldError{{Path: "/draft/risks/r1/title", Text: "Known already."}}})
	if next := apply(t, e, s, refused.Ops...); worksheet.PhaseOf(next.Surface(n)) != worksheet.PhaseCheck ||
		!next.Committed.IsNull() || !strings.Contains(refused.Outcome.Message, "Known already.") {
		t.Errorf("refused: %+v", refused.Outcome)
	}
	long, _ := Finish(e, s, click, step.Effect, step,
		app.Result{Errors: []ui.FieldError{{Path: "/draft/risks/r1/title", Text: strings.Repeat("e", 33<<10)}}})
	if apply(t, e, s, long.Ops...); len(long.Outcome.Message) != 32<<10 {
		t.Errorf("refused with %d bytes", len(long.Outcome.Message))
	}
	done, _ := Finish(e, s, click, step.Effect, step, app.Result{})
	if commits(done.Ops) != 1 || done.Outcome.Message != "Saved: 1 risk." {
		t.Errorf("done: %s %+v", names(done.Ops), done.Outcome)
	}
}

// TestMapWarnings: a process is asked about in its own words, and a circle is
// shown where it is certain.
func TestMapWarnings(t *testing.T) {
	t.Parallel()
	const n ui.Name = "map:process"
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowMap,
		`{"steps":[["A","Ann","x"],["B","","y"]],"edges":[["r1","r2","sequence"],["r2","r1","approval"]],"min_steps":2}`, n)
	step, s := checked(t, e, s, n, "submit")
	if step.Outcome.Message != "A few things are still open: Owner is missing in step 2." {
		t.Errorf("%+v", step.Outcome)
	}
	if got := notes(s.Surface(n)); len(got) != 2 ||
		got[1] != "The order contradicts itself: step 1 → step 2 → step 1." {
		t.Errorf("notes %q", got)
	}
	_, s = checked(t, e, s, n, "submit", leaf("/draft/steps/r2/owner", "ann"))
	step, s = checked(t, e, s, n, "confirm")
	if step.Outcome.Message != "Saved: 2 steps. Owners: 1. Approvals: 1." {
		t.Errorf("%+v", step.Outcome)
	}
	if edges, _ := s.Committed.Get("process", "edges"); len(edges.Records()) != 2 {
		t.Errorf("committed %s", s.Committed.AppendJSON(nil))
	}
}

// TestOpenEnds: a connection to a step nobody filled in is named like any cell,
// and what a paste asked at a cell stands there until the rows are committed.
func TestOpenEnds(t *testing.T) {
	t.Parallel()
	const n ui.Name = "map:process"
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowMap,
		`{"steps":[["A","Ann","x"],["B","Bo","y"],["","",""]],"edges":[["r1","r2","sequence"],["r2","r3","sequence"]],"min_steps":2}`, n)
	s = apply(t, e, s, &ui.Errors{Surface: n,
		Errors: []ui.FieldError{{Path: "/draft/steps/r1/name", Code: worksheet.CodeGuess, Text: "?"}}})
	step, s := checked(t, e, s, n, "submit")
	if step.Outcome.Message != "A few things are still open: To is not a step in connection 2." ||
		step.Outcome.Path != "/draft/edges/r2/to" {
		t.Errorf("%+v", step.Outcome)
	}
	_, s = checked(t, e, s, n, "submit", leaf("/draft/edges/r2/to", "r1"))
	if sf := s.Surface(n); worksheet.PhaseOf(sf) != worksheet.PhaseConfirm || len(sf.Errors) != 1 ||
		sf.Errors[0].Code != worksheet.CodeGuess {
		t.Errorf("%s, %v", worksheet.PhaseOf(sf), sf.Errors)
	}
}

// TestSummaryAsksModel: with a real model the reply is its summary; the app's
// own words win.
func TestSummaryAsksModel(t *testing.T) {
	t.Parallel()
	e := env(t)
	e.Model = true
	s, _ := opened(t, e, directive.TypeShowTable, `{"name":"risks"}`, "table:risks")
	_, s = checked(t, e, s, "table:risks", "submit", leaf("/draft/risks/r1/title", "Fire"))
	step, s := checked(t, e, s, "table:risks", "confirm")
	if !step.Sum || step.Ask != "Summarise the table in two sentences." || step.Outcome.Message != "Saved. Thank you." {
		t.Errorf("%+v", step)
	}
	if got := Summary(e, s, "table:risks"); got != "Saved: 1 risk." {
		t.Errorf("counted: %q", got)
	}
}

func TestQuestionIsBounded(t *testing.T) {
	t.Parallel()
	var columns []ui.Field
	for i := range 8 {
		columns = append(columns, ui.Field{Name: fmt.Sprintf("c%d", i), Type: ui.TypeText, Required: i > 0})
	}
	a, err := app.New(app.Config{Name: "desk", Tables: []app.Table{{Name: "wide", Columns: columns}}})
	if err != nil {
		t.Fatal(err)
	}
	e := env(t)
	e.App = a
	s, _ := opened(t, e, directive.TypeShowTable,
		`{"name":"wide","rows":[`+strings.TrimSuffix(strings.Repeat(`["x"],`, 60), ",")+`]}`, "table:wide")
	step, s := checked(t, e, s, "table:wide", "submit")
	want := "A few things are still open: c1 is missing in rows 1, 2, 3, 4, 5, 6 and 54 more; c2 is"
	if m := step.Outcome.Message; !strings.HasPrefix(m, want) || !strings.HasSuffix(m, "; and 2 more.") {
		t.Errorf("%s", m)
	}
	// the page with the first error is the one shown
	for i := range 55 {
		for c := 1; c < 8; c++ {
			s = apply(t, e, s, &ui.Draft{Surface: "table:wide",
				Values: []ui.Leaf{leaf(fmt.Sprintf("/draft/wide/r%d/c%d", i+1, c), "y")}})
		}
	}
	if _, s = checked(t, e, s, "table:wide", "submit"); get(s, "table:wide", "/ui_state/page_rows") != "50" {
		t.Errorf("page = %s", get(s, "table:wide", "/ui_state/page_rows"))
	}
}

// TestOnlyTheUserCommits: over random sequences of directives, typing and
// clicks a Commit comes of limn.submit on forms, limn.confirm and limn.accept
// on tools, and of nothing else; an incomplete tool is committed by accept only.
func TestOnlyTheUserCommits(t *testing.T) {
	t.Parallel()
	base := env(t)
	a, err := app.New(app.Config{Name: "desk",
		Forms: []app.Form{{Name: "note", Fields: []ui.Field{{Name: "body", Type: ui.TypeText, Required: true}}}},
		Tables: []app.Table{{Name: "risks", MinRows: 1,
			Columns: []ui.Field{{Name: "title", Type: ui.TypeText, Required: true},
				{Name: "count", Type: ui.TypeNumber}}}}})
	if err != nil {
		t.Fatal(err)
	}
	base.App = a
	surfaces := []ui.Name{"form:note", "table:risks", "map:process"}
	texts := rapid.SampledFrom([]string{"7", "7", "7", "8", "9", "x", ""})
	committed := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		s := ui.NewState("c")
		take := func(ops ui.Ops) {
			next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: noon, Ops: ops}, base.limits())
			if err != nil {
				rt.Fatalf("%s: %v", names(ops), err)
			}
			s = next
		}
		for range rapid.IntRange(20, 60).Draw(rt, "events") {
			n := rapid.SampledFrom(surfaces).Draw(rt, "surface")
			sf := s.Surface(n)
			if sf == nil || sf.Status != ui.StatusOpen || rapid.IntRange(0, 9).Draw(rt, "directive") == 0 {
				typ := map[ui.Name]string{"form:note": directive.TypeShowForm, "table:risks": directive.TypeShowTable,
					"map:process": directive.TypeShowMap}[n]
				body := map[ui.Name]string{"form:note": `{"name":"note"}`, "table:risks": `{"name":"risks"}`,
					"map:process": `{"steps":[["A","b","c"],["B","c","d"]]}`}[n]
				ops, _ := Run(base, s, direct(t, typ, body))
				if commits(ops) > 0 {
					rt.Fatalf("a directive commits")
				}
				take(ops)
				continue
			}
			var actions []ui.Action // the buttons that send come often: rounds need many of them
			for _, key := range []string{"submit", "accept", "confirm"} {
				if b, ok := at(s, n, key); ok {
					actions = slices.Concat(actions, slices.Repeat([]ui.Action{b}, 8))
				}
			}
			ui.Walk(sf.Tree(), func(_ ui.KeyPath, node ui.Node) bool {
				if b, ok := node.(*ui.Button); ok {
					actions = append(actions, b.Action)
				}
				if rs := ui.RowsetOf(node); rs != nil {
					actions = append(actions, rs.AddAction())
					for _, r := range sf.Rows(rs) {
						actions = append(actions, rs.RemoveAction(r.ID))
					}
				}
				return true
			})
			c := Click{Surface: sf, Action: rapid.SampledFrom(actions).Draw(rt, "action"), Context: ui.Map()}
			for _, x := range c.Action.Context {
				if x.Path == "" {
					c.Context, _ = c.Context.With(x.Value, x.Key)
				}
			}
			for _, in := range ui.SubmitContext(sf.Tree()) {
				v, _ := sf.Get(in.Path)
				for _, r := range v.Records() {
					for _, cell := range r.Cells.Pairs() {
						if rapid.IntRange(0, 2).Draw(rt, "type") == 0 {
							c.Values = append(c.Values,
								ui.Leaf{Path: in.Path.Join(r.ID, cell.Key), Value: ui.String(texts.Draw(rt, "text"))})
						}
					}
				}
				if v.Kind() == ui.StringValue {
					text := texts.Draw(rt, "text")
					if in.Path == worksheet.PastePath && rapid.IntRange(0, 9).Draw(rt, "paste") > 0 {
						text = "" // what waits there would stop every submit
					}
					c.Values = append(c.Values, ui.Leaf{Path: in.Path, Value: ui.String(text)})
				}
			}
			if sub, ok := Submission(base, s, c); ok {
				c.Warnings = capture.Validate(sub)
			}
			step, err := Action(base, s, c)
			if err != nil {
				rt.Fatal(err)
			}
			if n := commits(step.Ops); n > 0 {
				name := c.Action.Name
				may := []string{builtin.ActionConfirm, builtin.ActionAccept}
				if sf.Origin.Kind == "form" {
					may = []string{builtin.ActionSubmit}
				}
				if n > 1 || !slices.Contains(may, name) ||
					strings.Contains(committedBy(step.Ops), KeyAccepted) && name != builtin.ActionAccept {
					rt.Fatalf("%s on %s commits %d times: %s", name, sf.Name, n, committedBy(step.Ops))
				}
				committed[name]++
			}
			for _, w := range step.Shown {
				if w.Confidence < capture.Surfaced {
					rt.Fatalf("shown: %+v", w)
				}
			}
			take(step.Ops)
			if cp := s.Router.Checkpoint; cp != nil && s.Surface(cp.Surface) == nil {
				rt.Fatalf("a checkpoint without its surface: %+v", cp)
			}
		}
	})
	for _, name := range []string{builtin.ActionSubmit, builtin.ActionConfirm, builtin.ActionAccept} {
		if committed[name] == 0 {
			t.Errorf("%s never committed: the test shows nothing about it", name)
		}
	}
}

func commits(ops ui.Ops) (n int) {
	for _, op := range ops {
		if _, ok := op.(*ui.Commit); ok {
			n++
		}
	}
	return n
}

func committedBy(ops ui.Ops) string {
	for _, op := range ops {
		if c, ok := op.(*ui.Commit); ok {
			return string(c.Values.AppendJSON(nil))
		}
	}
	return ""
}

// TestFewerThanExpected: rows that were announced are asked about once, when the
// rest is right; they are not demanded.
func TestFewerThanExpected(t *testing.T) {
	t.Parallel()
	const n ui.Name = "table:risks"
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowTable, `{"name":"risks","min_rows":3}`, n)
	step, wrong := checked(t, e, s, n, "submit", leaf("/draft/risks/r1/title", "Fire"),
		leaf("/draft/risks/r1/count", "many"))
	if strings.Contains(step.Outcome.Message, "expected") ||
		strings.Contains(strings.Join(notes(wrong.Surface(n)), ""), "expected") {
		t.Errorf("asked beside an error: %q, %q", step.Outcome.Message, notes(wrong.Surface(n)))
	}
	step, s = checked(t, e, s, n, "submit", leaf("/draft/risks/r1/title", "Fire"),
		leaf("/draft/risks/r2/title", "Flood"))
	const want = "3 expected, 2 filled in: submit these?"
	if step.Outcome.Kind != ui.OutcomeAsked || step.Outcome.Message != want || len(s.Surface(n).Errors) != 0 {
		t.Errorf("%+v", step.Outcome)
	}
	if got := strings.Join(notes(s.Surface(n)), " | "); got != "2 risks. | "+want {
		t.Errorf("notes %q", got)
	}
	var labels []string
	for _, b := range ui.Children(worksheet.Part(s.Surface(n).Root, "buttons")) {
		labels = append(labels, b.(*ui.Button).Label)
	}
	if got := strings.Join(labels, ", "); got != "Check, Submit 2, Keep editing, Cancel" {
		t.Errorf("buttons %q", got)
	}
	if _, back := checked(t, e, s, n, "edit"); worksheet.PhaseOf(back.Surface(n)) != worksheet.PhaseCapture ||
		len(notes(back.Surface(n))) != 0 {
		t.Errorf("keep editing: %s %q", worksheet.PhaseOf(back.Surface(n)), notes(back.Surface(n)))
	}
	if _, s = checked(t, e, s, n, "confirm"); s.Surface(n).Status != ui.StatusSubmitted {
		t.Error("asked twice")
	}
	s, _ = opened(t, e, directive.TypeShowTable, `{"name":"risks","min_rows":3}`, n)
	if step, _ = checked(t, e, s, n, "submit"); step.Outcome.Code != "FIELD_ROWS" {
		t.Errorf("an empty table: %+v", step.Outcome)
	}
}
