package execute

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// TestReorder: rows move by their ids, no cell is written, errors stay at their
// cells and name them by their new numbers, and a page turns with its row.
func TestReorder(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	_, s = pressAt(t, e, s, list, "main/paste/read", typedText(worksheet.PastePath, "Name;Score\nAnn;x\nBob;2\nCy;y"))
	_, s = pressAt(t, e, s, list, "main/paste/found/buttons/apply")
	step, s := pressAt(t, e, s, list, "main/rows/r1/!down", typedText("/draft/list/r1/name", "Anna"))
	same(t, "down", grid(s, list, "/draft/list"), "r2:|Bob|||2\nr1:|Anna|||x\nr3:|Cy|||y")
	same(t, "errors", errorsOf(s, list),
		"/draft/list/r1/score FIELD_TYPE Row 2: Score must be a number.\n/draft/list/r3/score FIELD_TYPE Row 3: Score must be a number.")
	if got := names(step.Ops); got != "Draft Patch Errors " {
		t.Errorf("ops %s", got)
	}
	_, s = pressAt(t, e, s, list, "main/rows/r3/!up")
	_, s = pressAt(t, e, s, list, "main/rows/r3/!up")
	before := grid(s, list, "/draft/list")
	same(t, "up twice", before, "r3:|Cy|||y\nr2:|Bob|||2\nr1:|Anna|||x")
	for _, at := range []string{"main/rows/r3/!up", "main/rows/r1/!down"} {
		step, s = pressAt(t, e, s, list, at)
		if got := grid(s, list, "/draft/list"); got != before || step.Outcome.Kind != ui.OutcomeDone {
			t.Errorf("%s at the end: %s", at, got)
		}
	}
	_, s = pressAt(t, e, s, list, "main/rows/r2/!remove")
	same(t, "errors after a removal", errorsOf(s, list),
		"/draft/list/r1/score FIELD_TYPE Row 2: Score must be a number.\n/draft/list/r3/score FIELD_TYPE Row 1: Score must be a number.")
}

// TestMoveTurnsThePage: a row that leaves its page takes the page along.
func TestMoveTurnsThePage(t *testing.T) {
	t.Parallel()
	var rows []ui.Record
	for i := range 60 {
		rows = append(rows, ui.Record{ID: fmt.Sprintf("r%d", i+1), Order: fmt.Sprintf("m%cn", 'a'+i/3),
			Cells: ui.Map()})
	}
	sf := &ui.Surface{Draft: ui.Map(ui.Pair{Key: "list", Value: ui.Rows(rows...)})}
	rs := &ui.Rowset{Key: "rows", Path: "/draft/list"}
	at := func(i int) string { return sf.Rows(rs)[i].ID }
	to := func(key, text string) ui.Value { return ui.Map(ui.Pair{Key: key, Value: ui.String(text)}) }
	if c, _ := moved(sf, rs, at(49), to("dir", "down")); len(c) != 2 || c[1].Value.Text() != "50" {
		t.Errorf("down over the edge: %+v", c)
	}
	if c, _ := moved(sf, rs, at(48), to("dir", "down")); len(c) != 1 || c[0].Before != at(50) {
		t.Errorf("down to the last place of a page: %+v", c)
	}
	sf.UIState = ui.Map(ui.Pair{Key: "page_rows", Value: ui.Int(50)})
	if c, _ := moved(sf, rs, at(50), to("dir", "up")); len(c) != 2 || c[1].Value.Text() != "0" {
		t.Errorf("up over the edge: %+v", c)
	}
	for _, x := range []struct {
		row       int
		before    string
		put, page string
		changes   int
	}{
		{50, at(2), at(2), "0", 2}, {2, at(50), at(50), "0", 2}, {52, "", "", "", 1}, {2, at(3), "", "", 0},
		{59, "", "", "", 0}, {3, "r99", "", "", 0},
	} {
		c, _ := moved(sf, rs, at(x.row), to("before", x.before))
		if len(c) != x.changes || len(c) > 0 && c[0].Before != x.put || len(c) > 1 && c[1].Value.Text() != x.page {
			t.Errorf("row %d before %q: %+v", x.row, x.before, c)
		}
	}
}

// TestAddSeveral: a number of rows is added at once, no more than fit, and steps of a
// chain are connected one after the other.
func TestAddSeveral(t *testing.T) {
	t.Parallel()
	sf := &ui.Surface{Draft: ui.Map(ui.Pair{Key: "list", Value: ui.Rows(ui.Record{ID: "r1", Order: "m"})})}
	rs := &ui.Rowset{Key: "rows", Path: "/draft/list", Columns: []ui.Field{{Name: "a", Type: ui.TypeText}}}
	var ids []string
	for _, c := range added(sf, rs, 3) {
		ids = append(ids, c.Row)
	}
	if !slices.Equal(ids, []string{"r2", "r3", "r4"}) {
		t.Errorf("added %v", ids)
	}
	e, s := people(t)
	_, s = pressAt(t, e, s, process, "main/paste/read", typedText("/draft/paste", "Review -> Check -> Pay"))
	_, s = pressAt(t, e, s, process, "main/paste/found/buttons/apply")
	steps := s.Surface(process)
	var edges []string
	for _, c := range added(steps, worksheet.Rows(steps), 2) {
		if c.Path == worksheet.EdgesPath {
			from, _ := c.Value.Get("from")
			to, _ := c.Value.Get("to")
			edges = append(edges, from.Text()+">"+to.Text())
		}
	}
	if len(edges) != 2 || edges[0][strings.Index(edges[0], ">")+1:] != edges[1][:strings.Index(edges[1], ">")] {
		t.Errorf("connections %v", edges)
	}
}

func endsOf(s *ui.State) (labels []string) {
	for _, o := range worksheet.EdgeRows(s.Surface(process)).Columns[0].Options {
		labels = append(labels, o.Value+"="+o.Label)
	}
	return labels
}

// TestConnections: the steps are what connections lead to, whatever becomes of
// them.
func TestConnections(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	check := func(what string, want ...string) {
		t.Helper()
		if got := endsOf(s); !slices.Equal(got, want) {
			t.Errorf("%s: ends %q, want %q", what, got, want)
		}
	}
	check("empty", "r1=Step 1", "r2=Step 2", "r3=Step 3")
	_, s = pressAt(t, e, s, process, "main/edges/!add", typedText("/draft/steps/r1/name", "Review  the invoice"),
		typedText("/draft/steps/r2/name", "Pay"))
	check("named", "r1=1 Review  the invoice", "r2=2 Pay", "r3=Step 3")
	_, s = pressAt(t, e, s, process, "main/steps/!add", typedText("/draft/edges/r1/from", "r1"),
		typedText("/draft/edges/r1/to", "r2"))
	same(t, "no chain: nothing is connected", grid(s, process, worksheet.EdgesPath), "r1:|r1|r2|sequence|false")
	_, s = pressAt(t, e, s, process, "main/steps/r3/!remove")
	_, s = pressAt(t, e, s, process, "main/steps/r4/!remove")
	_, s = pressAt(t, e, s, process, "main/steps/!add")
	same(t, "a chain grows", grid(s, process, worksheet.EdgesPath),
		"r1:|r1|r2|sequence|false\nr2:|r2|r5|sequence|false")
	_, s = pressAt(t, e, s, process, "main/steps/r1/!down")
	check("moved", "r2=1 Pay", "r1=2 Review  the invoice", "r5=Step 3")
	same(t, "moving changes no connection", grid(s, process, worksheet.EdgesPath),
		"r1:|r1|r2|sequence|false\nr2:|r2|r5|sequence|false")
	_, s = pressAt(t, e, s, process, "main/steps/r1/!remove")
	same(t, "a step takes its connections along", grid(s, process, worksheet.EdgesPath), "r2:|r2|r5|sequence|false")
	check("removed", "r2=1 Pay", "r5=Step 2")
}

// TestReopenUndeclared: a table and a map nobody declared are drawn anew with
// their columns, rows, connections and the text in the box.
func TestReopenUndeclared(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	s = apply(t, e, s, &ui.Draft{Surface: list,
		Values: []ui.Leaf{typedText("/draft/list/r2/name", "Zoe"), typedText(worksheet.PastePath, "later")}},
		&ui.Draft{Surface: process, Values: []ui.Leaf{typedText("/draft/steps/r1/name", "Pay")}},
		&ui.Expire{Surface: list}, &ui.Expire{Surface: process})
	for _, n := range []ui.Name{list, process} {
		was := s.Surface(n)
		step, err := Action(e, s, Click{Surface: was, Action: ui.Action{Name: builtin.ActionRegenerate}, Context: ui.Map()})
		if err != nil {
			t.Fatal(err)
		}
		s = apply(t, e, s, step.Ops...)
		now := s.Surface(n)
		if now.Status != ui.StatusOpen || now.Epoch != was.Epoch+1 || now.Title != was.Title ||
			!now.Draft.Equal(was.Draft) || !now.Origin.Params.Equal(was.Origin.Params) {
			t.Errorf("%s: %+v", n, now)
		}
		if got, want := fmt.Sprint(worksheet.Rows(now)), fmt.Sprint(worksheet.Rows(was)); got != want {
			t.Errorf("%s: rows %s, want %s", n, got, want)
		}
	}
	old := *s.Surface(list) // as an earlier version stored it: only min_rows
	old.Origin.Params = ui.Map(ui.Pair{Key: "min_rows", Value: ui.Int(3)})
	if o, ok := reopen(e, s, &old); !ok || fmt.Sprint(ui.RowsetOf(worksheet.Filled(o.Root)).Columns) != fmt.Sprint(
		peopleColumns) {
		t.Errorf("without columns in its parameters: %+v", o)
	}
}

// TestToolLaw presses buttons and types at random. Whatever happens, Apply takes
// the ops; what was typed into a row is there as long as the row is; row ids stay
// apart; errors stand at what is there; connections are offered the steps there
// are.
func TestToolLaw(t *testing.T) {
	t.Parallel()
	e, start := people(t)
	pastes := []string{"", "Ann\nBob\nCy", "Name;Score\nDee;x\nEve;5", strings.Repeat("Flo\t1\n", 45), "A -> B -> C",
		"First draft it, then review it, then send it.", "Step\tOwner\nOne\tAnn\nTwo\tBob"}
	rapid.Check(t, func(t *rapid.T) {
		s := start
		for range rapid.IntRange(1, 25).Draw(t, "actions") {
			sf := s.Surface(rapid.SampledFrom([]ui.Name{list, process}).Draw(t, "surface"))
			var at []string
			ui.Walk(sf.Tree(), func(here ui.KeyPath, n ui.Node) bool {
				if b, ok := n.(*ui.Button); ok && strings.HasPrefix(b.Action.Name, "limn.paste") {
					at = append(at, string(here), string(here), string(here))
				}
				if rs := ui.RowsetOf(n); rs != nil {
					at = append(at, string(here)+"/!add")
					for _, r := range sf.Rows(rs) {
						for _, key := range []string{"/!up", "/!down", "/!remove"} {
							if _, ok := sf.ActionAt(here.Join(r.ID + key)); ok {
								at = append(at, string(here)+"/"+r.ID+key)
							}
						}
					}
				}
				return true
			})
			key := rapid.SampledFrom(at).Draw(t, "button")
			if apply := "main/paste/found/buttons/apply"; slices.Contains(at, apply) && rapid.Bool().Draw(t, "apply") {
				key = apply
			}
			var values []ui.Leaf
			if strings.HasSuffix(key, "/read") || rapid.IntRange(0, 9).Draw(t, "paste") == 0 {
				values = append(values, typedText(worksheet.PastePath, rapid.SampledFrom(pastes).Draw(t, "text")))
			}
			rs := worksheet.Rows(sf)
			for _, r := range sf.Rows(rs) {
				if rapid.IntRange(0, 4).Draw(t, "type") == 0 {
					values = append(values, typedText(rs.CellPath(r.ID, "name"),
						rapid.SampledFrom([]string{"", "typed", "B"}).Draw(t, "cell")))
				}
			}
			a, ok := sf.ActionAt(ui.KeyPath(key))
			if !ok {
				t.Fatalf("no button at %s", key)
			}
			s = lawStep(t, e, s, sf.Name, a, values)
		}
	})
}

func lawStep(t *rapid.T, e Env, s *ui.State, n ui.Name, a ui.Action, values []ui.Leaf) *ui.State {
	ctx := ui.Map()
	for _, c := range a.Context {
		if c.Path == "" {
			ctx, _ = ctx.With(c.Value, c.Key)
		}
	}
	step, err := Action(e, s, Click{Surface: s.Surface(n), Action: a, Values: values, Context: ctx})
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: noon, Ops: step.Ops}, e.limits())
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	removed, _ := ctx.Get("row")
	now := next.Surface(n)
	for _, l := range values {
		gone := a.Name == builtin.ActionRemoveRow && strings.Contains(string(l.Path), "/"+removed.Text()+"/")
		taken := a.Name == builtin.ActionPasteApply && (l.Path == worksheet.PastePath || l.Value.Text() == "")
		if v, _ := now.Get(l.Path); v.Text() != l.Value.Text() && !gone && !taken {
			t.Fatalf("%s: typed %q at %s, is %q", a.Name, l.Value.Text(), l.Path, v.Text())
		}
	}
	for _, rs := range []*ui.Rowset{worksheet.Rows(now), worksheet.EdgeRows(now)} {
		if rs == nil {
			continue
		}
		seen := map[string]bool{}
		for _, r := range now.Rows(rs) {
			if seen[r.ID] || !ui.ValidKey(r.ID) {
				t.Fatalf("%s: row id %q", a.Name, r.ID)
			}
			seen[r.ID] = true
		}
		if len(seen) > 40 {
			t.Fatalf("%s: %d rows", a.Name, len(seen))
		}
	}
	for _, err := range now.Errors {
		if _, ok := now.Get(err.Path); !ok {
			t.Fatalf("%s: an error at %s, where nothing is", a.Name, err.Path)
		}
		if rs, row, col := worksheet.CellAt(now, err.Path); rs != nil && strings.Contains(err.Text, ", row ") && !strings.Contains(err.Text, worksheet.CellLabel(e.words(), col, row+1)) {
			t.Fatalf("%s: %q at row %d", a.Name, err.Text, row+1)
		}
	}
	if rs := worksheet.EdgeRows(now); rs != nil {
		steps := now.Rows(worksheet.Rows(now))
		if len(rs.Columns[0].Options) != len(steps) {
			t.Fatalf("%s: %d ends for %d steps", a.Name, len(rs.Columns[0].Options), len(steps))
		}
		for i, o := range rs.Columns[0].Options {
			if o.Value != steps[i].ID {
				t.Fatalf("%s: end %d is %s, step %s", a.Name, i, o.Value, steps[i].ID)
			}
		}
		for _, edge := range now.Rows(rs) {
			for _, column := range []string{"from", "to"} {
				end, _ := edge.Cells.Get(column)
				all, _ := now.Get(worksheet.StepsPath)
				if _, ok := all.Record(end.Text()); end.Text() != "" && !ok {
					t.Fatalf("%s: a connection to %s, which is gone", a.Name, end.Text())
				}
			}
		}
	}
	return next
}

// TestOldMap: a map stored by an earlier version, whose connections belong to
// the node of its steps, is worked with as it is, and drawn anew as maps are now.
func TestOldMap(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	main := &ui.Column{Key: "main", Children: ui.Nodes{
		&ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: worksheet.StepsPath, Label: "Process", Columns: capture.StepColumns(), MinRows: 2}, Edges: worksheet.EdgesPath},
		&ui.Row{Key: "buttons", Children: ui.Nodes{
			&ui.Button{Key: "submit", Label: "Submit", Action: ui.Action{Name: builtin.ActionSubmit}}}}}}
	steps, edges := capture.Process("A the plan -> B the plan -> C the plan -> D the plan").Rows()
	draft := ui.Map(ui.Pair{Key: "steps", Value: steps}, ui.Pair{Key: "edges", Value: edges})
	s = apply(t, e, s, &ui.Close{Surface: process},
		&ui.Open{Surface: process, Nonce: "old", Title: "Process", Root: ui.Nodes{main}, Draft: draft,
			Origin: ui.Origin{Kind: "map", Template: "process",
				Params: ui.Map(ui.Pair{Key: "min_steps", Value: ui.Int(2)})}})
	kept := func() string {
		v, _ := s.Surface(process).Get(worksheet.EdgesPath)
		out := ""
		for _, r := range v.Records() {
			from, _ := r.Cells.Get("from")
			to, _ := r.Cells.Get("to")
			out += from.Text() + to.Text() + " "
		}
		return out
	}
	_, s = pressAt(t, e, s, process, "main/steps/s2/!remove")
	same(t, "edges", kept(), "s3s4")
	_, s = pressAt(t, e, s, process, "main/steps/s4/!up")
	same(t, "edges after a move", kept(), "s3s4")
	s = apply(t, e, s, &ui.Expire{Surface: process})
	step, err := Action(e, s, Click{Surface: s.Surface(process), Action: ui.Action{Name: builtin.ActionRegenerate},
		Context: ui.Map()})
	if err != nil {
		t.Fatal(err)
	}
	s = apply(t, e, s, step.Ops...)
	same(t, "drawn anew", kept()+fmt.Sprint(endsOf(s)), "s3s4 [s1=1 A the plan s4=2 D the plan s3=3 C the plan]")
}

// TestPatchedSteps: steps that a model changes are offered to connections too.
func TestPatchedSteps(t *testing.T) {
	t.Parallel()
	e, s := people(t)
	s, _, warnings := run(t, e, s, directive.TypePatch,
		`{"surface":"map:process","ops":[{"op":"set","path":"/draft/steps/r2/name","value":"Pay"}]}`)
	if got := endsOf(s); len(warnings) > 0 || got[1] != "r2=2 Pay" {
		t.Errorf("ends %q, %s", got, codes(warnings))
	}
}
