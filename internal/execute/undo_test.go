package execute

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// TestCancelIsUndone: a canceled table comes back with what was typed in the
// click that canceled it, as an open tool, and the cancel does not count.
func TestCancelIsUndone(t *testing.T) {
	t.Parallel()
	const n ui.Name = "table:risks"
	for _, c := range []struct {
		name string
		back func(*testing.T, Env, *ui.State) (Step, bool)
	}{
		{"the button", func(t *testing.T, e Env, s *ui.State) (Step, bool) {
			step, err := Action(e, s, Click{Surface: s.Surface(n), Action: ui.Action{Name: builtin.ActionRegenerate}})
			return step, err == nil
		}},
		{"the word", func(_ *testing.T, e Env, s *ui.State) (Step, bool) { return Undo(e, s) }},
		{"asking for the table", func(_ *testing.T, e Env, s *ui.State) (Step, bool) {
			d := route.Decide("Show me the table again", s.Router, e.Prefs, e.Now)
			ops, _ := Tool(e, s, d, route.Next(d, s.Router, e.Prefs, e.Now), "Show me the table again")
			return Step{Ops: ops}, len(ops) > 0
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := env(t)
			s, _ := opened(t, e, directive.TypeShowTable, `{"name":"risks"}`, n)
			step, s := press(t, e, s, n, ui.Action{Name: builtin.ActionCancel}, leaf("/draft/risks/r2/title", "Fire"))
			if sf := s.Surface(n); sf == nil || !sf.Stub() || !strings.Contains(step.Outcome.Message, "Undo") {
				t.Fatalf("%s, %v, %q", names(step.Ops), s.Surface(n), step.Outcome.Message)
			}
			back, ok := c.back(t, e, s)
			if !ok {
				t.Fatal("it does not come back")
			}
			s = apply(t, e, s, back.Ops...)
			if sf := s.Surface(n); sf.Status != ui.StatusOpen || get(s, n, "/draft/risks/r2/title") != `"Fire"` {
				t.Errorf("%v: title %s", sf, get(s, n, "/draft/risks/r2/title"))
			}
			if s.Router.Cancels != 0 || s.Router.LastStatus != ui.StatusToolOpen || s.Router.Checkpoint == nil ||
				s.Router.Checkpoint.Surface != n {
				t.Errorf("router %+v", s.Router)
			}
		})
	}
}

// TestCanceledFormIsShownAgain: a directive for a canceled form brings its draft back, one with values opens another.
func TestCanceledFormIsShownAgain(t *testing.T) {
	t.Parallel()
	const n ui.Name = "form:customer"
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowForm, `{"name":"customer"}`, n)
	_, s = press(t, e, s, n, ui.Action{Name: builtin.ActionCancel}, leaf("/draft/name", "Ada"))
	for body, want := range map[string]string{
		`{"name":"customer"}`:                        `"Ada"`,
		`{"name":"customer","values":{"name":"Bo"}}`: `"Bo"`,
	} {
		next, _, warnings := run(t, e, s, directive.TypeShowForm, body)
		if sf := next.Surface(n); len(warnings) > 0 || sf.Status != ui.StatusOpen || get(next, n, "/draft/name") != want {
			t.Errorf("%s: %s, name %s, %v", body, sf.Status, get(next, n, "/draft/name"), warnings)
		}
	}
}

// TestAnswerStartsOver: an answer that closes a form and shows it again shows it blank.
func TestAnswerStartsOver(t *testing.T) {
	t.Parallel()
	const n ui.Name = "form:customer"
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowForm, `{"name":"customer","values":{"name":"Ada"}}`, n)
	ops, warnings := Run(e, s, []directive.Directive{
		{Type: directive.TypeClose, Payload: payload(t, `{"surface":"form:customer"}`)},
		{Type: directive.TypeShowForm, Payload: payload(t, `{"name":"customer"}`)},
	})
	s = apply(t, e, s, ops...)
	if sf := s.Surface(n); len(warnings) > 0 || sf.Status != ui.StatusOpen || get(s, n, "/draft/name") != `""` {
		t.Errorf("%s: %s, name %s, %v", names(ops), sf.Status, get(s, n, "/draft/name"), warnings)
	}
}

// TestAnotherTableIsNew: who asks for other rows does not get the canceled ones.
func TestAnotherTableIsNew(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, _ := opened(t, e, directive.TypeShowTable, `{"name":"risks"}`, "table:risks")
	_, s = press(t, e, s, "table:risks", ui.Action{Name: builtin.ActionCancel}, leaf("/draft/risks/r2/title", "Fire"))
	for _, text := range []string{"Show me a table for 12 laptops", "Open a process map"} {
		d := route.Decide(text, s.Router, e.Prefs, e.Now)
		if sf := wantedBack(s, d); sf != nil {
			t.Errorf("%q brings back %v", text, sf)
		}
	}
}

// TestCanceledStubs: the oldest go, and an untouched form leaves none.
func TestCanceledStubs(t *testing.T) {
	t.Parallel()
	e, s := env(t), ui.NewState("c")
	for _, n := range []ui.Name{"a", "b", "c", "d", "e"} {
		root := ui.Nodes{&ui.Column{Key: "main",
			Children: ui.Nodes{&ui.TextInput{
				Input: ui.Input{Key: "x", Path: "/draft/x", Field: ui.Field{Name: "x", Type: ui.TypeText}}}}}}
		draft := ui.BlankDraft(root[0], ui.Value{})
		if n != "c" {
			draft, _ = draft.With(ui.String("typed"), "x")
		}
		s = apply(t, e, s, &ui.Open{Surface: n, Nonce: "n", Origin: ui.Origin{Kind: "form"}, Root: root, Draft: draft})
		s = apply(t, e, s, Dismiss(s, n)...)
	}
	var left []string
	for _, sf := range s.Surfaces {
		left = append(left, string(sf.Name))
	}
	if got := strings.Join(left, " "); got != "b d e" {
		t.Errorf("stubs of %s, want b d e", got)
	}
}

// TestRemovedRows: removed rows come back one by one, each in its place.
func TestRemovedRows(t *testing.T) {
	t.Parallel()
	const n ui.Name = "table:risks"
	e := env(t)
	s, sf := opened(t, e, directive.TypeShowTable,
		`{"name":"risks","rows":[{"title":"A"},{"title":"B"},{"title":"C"},{"title":"D"}]}`, n)
	rs := rowsAt(sf, "/draft/risks")
	titles := func() string {
		var out []string
		for _, r := range s.Surface(n).Rows(rs) {
			v, _ := r.Cells.Get("title")
			out = append(out, v.Text())
		}
		return strings.Join(out, "")
	}
	for _, row := range []string{"r2", "r3"} {
		_, s = press(t, e, s, n, rs.RemoveAction(row))
	}
	_, s = press(t, e, s, n, rs.AddAction())
	if got := titles(); got != "AD" {
		t.Fatalf("after removing: %q", got)
	}
	for _, want := range []string{"ACD", "ABCD"} {
		at, ok := s.Surface(n).ActionAt("main/rows/" + builtin.KeyRestore)
		if !ok {
			t.Fatal("no button to put a row back")
		}
		if _, s = press(t, e, s, n, at); titles() != want {
			t.Errorf("put back: %q, want %q", titles(), want)
		}
	}
	if _, ok := s.Surface(n).ActionAt("main/rows/" + builtin.KeyRestore); ok {
		t.Error("nothing is left to put back")
	}
	// an empty row is not worth keeping, and only the last ten are
	for range 12 {
		_, s = press(t, e, s, n, rs.RemoveAction(s.Surface(n).Rows(rs)[0].ID))
		_, s = press(t, e, s, n, rs.AddAction(),
			leaf(string("/draft/risks/"+s.Surface(n).Rows(rs)[0].ID+"/title"), "x"))
	}
	kept, _ := s.Surface(n).Get(rs.RemovedPath())
	if got := len(kept.Records()); got > maxRemoved {
		t.Errorf("%d rows kept", got)
	}
}

// TestRowIDsAreNotUsedAgain: a row that a model adds has an id that no removed row had, whoever removed it.
func TestRowIDsAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	const n ui.Name = "table:risks"
	e := env(t)
	add := `{"op":"append","path":"/draft/risks","value":{"title":"N"}}`
	for _, c := range []struct {
		name    string
		removed string // by the user
		ops     string
		want    string
	}{
		{"removed by the user", "r3", add, "r1 r2 r4"},
		{"inserted", "r3", `{"op":"insert","path":"/draft/risks","before":"r1","value":{"title":"N"}}`, "r4 r1 r2"},
		{"inserted at an index", "r3", `{"op":"insert","path":"/draft/risks","before":"1","value":{"title":"N"}}`, "r1 r4 r2"},
		{"inserted at two indexes", "r3", `{"op":"insert","path":"/draft/risks","before":"0","value":{"title":"N"}},` +
			`{"op":"insert","path":"/draft/risks","before":"1","value":{"title":"M"}}`, "r4 r5 r1 r2"},
		{"replaced by a new one", "", `{"op":"delete","path":"/draft/risks/r1"},` +
			`{"op":"insert","path":"/draft/risks","before":"0","value":{"title":"N"}}`, "r4 r2 r3"},
		{"inserted at the end", "r3", `{"op":"insert","path":"/draft/risks","before":"2","value":{"title":"N"}}`, "r1 r2 r4"},
		{"removed by the patch", "", `{"op":"delete","path":"/draft/risks/r3"},` + add, "r1 r2 r4"},
		{"with other ids", "r3", `{"op":"append","path":"/draft/risks","row":"r4","value":{"title":"M"}},` + add,
			"r1 r2 r4 r5"},
		{"replaced", "", `{"op":"set","path":"/draft/risks","value":{"$rows":[{"id":"r1","order":"n","cells":{"title":"A"}}]}}`,
			"r1"},
		{"replaced, and one more", "", `{"op":"set","path":"/draft/risks","value":{"$rows":[{"id":"r5","order":"n","cells":{"title":"A"}}]}},` +
			add, "r5 r4"},
	} {
		s, sf := opened(t, e, directive.TypeShowTable, `{"name":"risks","rows":[{"title":"A"},{"title":"B"},{"title":"C"}]}`, n)
		rs := rowset(sf)
		if c.removed != "" {
			_, s = press(t, e, s, n, rs.RemoveAction(c.removed))
		}
		s, _, warnings := run(t, e, s, directive.TypePatch, `{"surface":"table:risks","ops":[`+c.ops+`]}`)
		if got := strings.Join(rowsOfSurface(s, n), " "); got != c.want || len(warnings) > 0 {
			t.Errorf("%s: rows %s, want %s, %v", c.name, got, c.want, warnings)
		}
		_, s = press(t, e, s, n, rs.AddAction())
		if ids := rowsOfSurface(s, n); strings.Contains("r1 r2 r3", ids[len(ids)-1]) {
			t.Errorf("%s: the button adds %s again", c.name, ids[len(ids)-1])
		}
	}
}

// TestRemovedRowHasNoRoom: a row that was removed from a table that is full again does not
// come back, and what was typed meanwhile is kept.
func TestRemovedRowHasNoRoom(t *testing.T) {
	t.Parallel()
	const n ui.Name = "table:risks"
	e := env(t) // at most 10 rows
	s, sf := opened(t, e, directive.TypeShowTable, `{"name":"risks","rows":[{"title":"A"},{"title":"B"}]}`, n)
	rs := rowset(sf)
	_, s = press(t, e, s, n, rs.RemoveAction("r2"))
	for len(rowsOfSurface(s, n)) < 10 {
		_, s = press(t, e, s, n, rs.AddAction())
	}
	at, _ := s.Surface(n).ActionAt("main/rows/" + builtin.KeyRestore)
	step, s := press(t, e, s, n, at, leaf("/draft/risks/r1/title", "typed"))
	if step.Outcome.Kind != ui.OutcomeRefused || step.Outcome.Code != ui.CodeLimit ||
		get(s, n, "/draft/risks/r1/title") != `"typed"` || len(rowsOfSurface(s, n)) != 10 {
		t.Errorf("the button: %+v, %v", step.Outcome, rowsOfSurface(s, n))
	}
	step, ok := Undo(e, s)
	if s = apply(t, e, s, step.Ops...); !ok || !strings.Contains(step.Outcome.Message, "10") ||
		step.Outcome.Kind != ui.OutcomeFailed || step.Outcome.Code != ui.CodeLimit || len(rowsOfSurface(s, n)) != 10 {
		t.Errorf("the word: %v, %+v, %v", ok, step.Outcome, rowsOfSurface(s, n))
	}
}

// TestRemovedStep: a step comes back with its connections.
func TestRemovedStep(t *testing.T) {
	t.Parallel()
	const n ui.Name = "map:process"
	e := env(t)
	s, sf := opened(t, e, directive.TypeShowMap,
		`{"steps":[{"name":"A"},{"name":"B"},{"name":"C"}],"edges":[{"from":"r1","to":"r2","kind":"sequence"},{"from":"r2","to":"r3","kind":"approval"}]}`, n)
	rs := rowsAt(sf, "/draft/steps")
	before, _ := sf.Get("/draft/edges")
	_, s = press(t, e, s, n, rs.RemoveAction("r2"))
	if edges, _ := s.Surface(n).Get("/draft/edges"); len(edges.Records()) != 0 {
		t.Fatalf("%s", edges.AppendJSON(nil))
	}
	_, s = press(t, e, s, n, rs.RestoreAction())
	steps, _ := s.Surface(n).Get("/draft/steps")
	after, _ := s.Surface(n).Get("/draft/edges")
	if rows := steps.Records(); len(rows) != 3 || rows[1].ID != "r2" || len(after.Records()) != len(before.Records()) {
		t.Errorf("steps %s, edges %s", steps.AppendJSON(nil), after.AppendJSON(nil))
	}
}
