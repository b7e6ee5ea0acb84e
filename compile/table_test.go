package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// bigTable is a full page of rows with n columns of every kind that a table has.
func bigTable(columns int) (ui.Node, ui.Value) {
	types := []ui.FieldType{ui.TypeText, ui.TypeNumber, ui.TypeChoice, ui.TypeDate, ui.TypeBoolean, ui.TypeChoices}
	rs := ui.Rowset{Key: "rows", Path: "/draft/rows", Label: "Rows", MaxRows: 200}
	for i := range columns {
		rs.Columns = append(rs.Columns, ui.Field{Name: fmt.Sprintf("c%d", i), Label: fmt.Sprintf("Column %d", i),
			Type: types[i%len(types)], Options: colors})
	}
	var rows []ui.Record
	for i := range 120 {
		rows = append(rows, ui.Record{ID: fmt.Sprintf("r%d", i), Order: fmt.Sprintf("%04d", i),
			Cells: ui.Map(ui.Pair{Key: "c2", Value: ui.String("red")})})
	}
	root := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: rs}}}
	root.Children = append(root.Children, submit(root))
	return root, ui.Map(ui.Pair{Key: "rows", Value: ui.Rows(rows...)})
}

// TestFullPages: a page of 50 rows with six columns, among them one of choices,
// opens and turns within every limit of every target.
func TestFullPages(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		for _, columns := range []int{3, 6, 12} {
			w := newWorld(t, target(d))
			root, draft := bigTable(columns)
			first := w.apply(openOp("s", root, draft, ui.Value{}))
			next := w.apply(&ui.Patch{Surface: "s",
				Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/ui_state/page_rows", Value: ui.Int(50)}}})
			w.same("the second page")
			bytes, comps := 0, 0
			for _, m := range first {
				bytes = max(bytes, len(encode(t, d, m)))
				if u, ok := m.(*a2ui.UpdateComponents); ok {
					comps = len(u.Components)
				}
			}
			t.Logf("%d columns: %d messages, then %d; %d components; the largest message has %d bytes", columns,
				len(first), len(next), comps, bytes)
		}
	})
}

// TestRowsThatAreTooWide: up to four cells stand on one line; more make a card
// with lines of three, and answers there have their labels.
func TestRowsThatAreTooWide(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		for columns, want := range map[int]string{4: "row  #c#main/rows/r0:Row\n", 5: "card  #c#main/rows/r0:Card\n"} {
			w := newWorld(t, target(d))
			root, draft := bigTable(columns)
			w.apply(openOp("s", root, draft, ui.Value{}))
			dump := w.client.Dump("s#e=1")
			for _, part := range []string{want, `"Column 0 1"`, `"Column 0 2"`} {
				if !strings.Contains(dump, part) {
					t.Errorf("%d columns: nothing reads %s", columns, part)
				}
			}
			w.apply(&ui.Lock{Surface: "s"})
			w.same("locked")
			dump = w.client.Dump("s#e=1")
			labelled := strings.Contains(dump, `text "Column 2: Red"`)
			if head := strings.Contains(dump, "#c#main/rows/!head/c2:Text"); head == labelled ||
				labelled != (columns > narrow) {
				t.Errorf("%d columns, locked: head %t, labels %t", columns, head, labelled)
			}
		}
	})
}

// TestAnswersRead: what an answered input leaves behind: nothing where it was not filled in.
func TestAnswersRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    ui.Field
		v    ui.Value
		want string
	}{
		{ui.Field{Type: ui.TypeText}, ui.String("*a*"), "X: *a*"},
		{ui.Field{Type: ui.TypeText, Required: true}, ui.String(""), ""},
		{ui.Field{Type: ui.TypeBoolean}, ui.Bool(false), ""},
		{ui.Field{Type: ui.TypeLongText}, ui.String(strings.Repeat("é", 81)), "X: " + strings.Repeat("é", 81)},
		{ui.Field{Type: ui.TypeNumber}, ui.String("1250000.50"), "X: 1,250,000.50"},
		{ui.Field{Type: ui.TypeBoolean}, ui.Bool(true), "X: ✓"},
		{ui.Field{Type: ui.TypeDateTime}, ui.String("2026-11-20T09:30"), "X: 20 Nov 2026, 09:30"},
		{ui.Field{Type: ui.TypeChoice, Options: colors}, ui.String("red"), "X: Red"},
		{ui.Field{Type: ui.TypeChoices, Options: colors}, ui.Strings("red", "light blue"), "X: Red, light blue"},
		{ui.Field{Type: ui.TypeUpload}, ui.String("u1"), "X: plan_b.pdf"},
		{ui.Field{Type: ui.TypeUpload}, ui.String("u2"), "X: u2"},
	} {
		state := ui.Map(ui.Pair{Key: "uploads", Value: ui.Map(ui.Pair{Key: "u1", Value: ui.String("plan_b.pdf")})})
		for _, d := range dialects {
			w := newWorld(t, target(d))
			n := field(c.f)
			w.apply(&ui.Open{Surface: "s", Nonce: "n", Root: ui.Nodes{n},
				Draft: ui.BlankDraft(n, ui.Map(ui.Pair{Key: "x", Value: c.v})), UIState: state})
			w.apply(&ui.Lock{Surface: "s"})
			view, _ := w.client.Surface("s#e=1")
			if got, ok := view.Find("c#x:Text"); ok != (c.want != "") || got.Text != c.want {
				t.Errorf("%s on %s reads %q, want %q", c.f.Type, d, got.Text, c.want)
			}
		}
	}
}

// TestProgressMoves: a bound Progress is one line of data; a new number is two
// messages, the line and rev.
func TestProgressMoves(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		n := &ui.Progress{Key: "a", Label: "*Done*", Path: "/ui_state/percent"}
		w.apply(&ui.Open{Surface: "s", Nonce: "n", Root: ui.Nodes{n}})
		for _, step := range []struct {
			v    ui.Value
			want string
		}{{ui.Value{}, "*Done*: 0 %"}, {ui.Int(40), "*Done*: 40 %"}, {ui.Int(400), "*Done*: 100 %"},
			{ui.String("x"), "*Done*: 0 %"}} {
			if !step.v.IsNull() {
				if msgs := w.apply(&ui.Patch{Surface: "s",
					Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/ui_state/percent", Value: step.v}}}); len(msgs) != 2 {
					t.Errorf("%s: %d messages", step.want, len(msgs))
				}
			}
			view, _ := w.client.Surface("s#e=1")
			if got, _ := view.Find("c#a:Text"); got.Text != step.want {
				t.Errorf("reads %q, want %q", got.Text, step.want)
			}
			w.same(step.want)
		}
	})
}

// TestRowsMove: a row can be moved where it has a place to go to. A move sends
// the order of the rows and what counts them, and no value: what is typed stays.
func TestRowsMove(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		for columns := 1; columns <= 6; columns++ {
			w := newWorld(t, target(d))
			var rows []ui.Record
			for i := range 3 {
				rows = append(rows, ui.Record{ID: fmt.Sprint("r", i), Order: fmt.Sprint("n", i),
					Cells: ui.Map(ui.Pair{Key: "c0", Value: ui.String("x")})})
			}
			rs := ui.Rowset{Key: "rows", Path: "/draft/rows", Starter: -1}
			for i := range columns {
				rs.Columns = append(rs.Columns, ui.Field{Name: fmt.Sprint("c", i), Type: ui.TypeText})
			}
			free := rs
			free.Key, free.Path, free.Unordered = "free", "/draft/free", true
			steps := rs
			steps.Key, steps.Path = "steps", "/draft/steps"
			root := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: rs}, &ui.Table{Rowset: free},
				&ui.Steps{Rowset: steps}}}
			all := ui.Rows(rows...)
			w.apply(openOp("s", root, ui.Map(ui.Pair{Key: "rows", Value: all}, ui.Pair{Key: "free", Value: all},
				ui.Pair{Key: "steps", Value: ui.Rows(rows[:1]...)}), ui.Value{}))
			moves := func() (out string) {
				view, _ := w.client.Surface("s#e=1")
				for s := range view.Root.All() {
					if at, ok := ui.ParseComponentID(s.ID); ok && len(s.Actions) == 1 && s.Actions[0] == builtin.ActionMoveRow {
						out += " " + strings.TrimPrefix(string(at), "main/")
					}
				}
				return out
			}
			if got, want := moves(), " rows/r0/!down rows/r1/!up rows/r1/!down rows/r2/!up"; got != want {
				t.Fatalf("%d columns: buttons%s, want%s", columns, got, want)
			}
			view, _ := w.client.Surface("s#e=1")
			in, _ := view.Find("c#main/rows/r1/c0:TextField")
			if err := w.write("s#e=1", in, "typed"); err != nil {
				t.Fatal(err)
			}
			msgs := w.apply(&ui.Patch{Surface: "s",
				Changes: []ui.PatchOne{{Do: ui.PatchMove, Path: "/draft/rows", Row: "r2", Before: "r0"}}})
			if got, want := moves(), " rows/r2/!down rows/r0/!up rows/r0/!down rows/r1/!up"; got != want {
				t.Errorf("%d columns: after the move buttons%s, want%s", columns, got, want)
			}
			w.same("moved")
			view, _ = w.client.Surface("s#e=1")
			if in, _ := view.Find("c#main/rows/r1/c0:TextField"); in.Value.Str != "typed" {
				t.Errorf("%d columns: what was typed reads %q", columns, in.Value.Str)
			}
			for _, m := range msgs {
				if u, ok := m.(*a2ui.UpdateData); ok && !strings.Contains(u.Path, "rev") && !strings.HasPrefix(u.Path, "/ui_state") {
					t.Errorf("%d columns: a move writes %s", columns, u.Path)
				}
			}
		}
	})
}

// TestPagesBoundMessages: what a client is sent does not grow with the rows of a table:
// its pages are of one size, and a cell of another page is not sent at all.
func TestPagesBoundMessages(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		size := map[int]int{}
		for _, rows := range []int{100, 5000} {
			w := newWorld(t, target(d))
			rs := ui.Rowset{Key: "rows", Path: "/draft/rows", Label: "Rows"}
			for _, c := range []string{"code", "name", "price", "kind"} {
				rs.Columns = append(rs.Columns, ui.Field{Name: c, Type: ui.TypeText})
			}
			var list []ui.Record
			for i := range rows {
				list = append(list, ui.Record{ID: fmt.Sprintf("r%d", i), Order: fmt.Sprintf("%04d", i),
					Cells: ui.Map(ui.Pair{Key: "code", Value: ui.String(fmt.Sprintf("P-%05d", i))})})
			}
			root := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: rs}}}
			root.Children = append(root.Children, submit(root))
			for _, m := range w.apply(openOp("s", root, ui.Map(ui.Pair{Key: "rows", Value: ui.Rows(list...)}), ui.Value{})) {
				size[rows] += len(encode(t, d, m))
			}
			cell := w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{{Do: ui.PatchSet,
				Path: ui.Path(fmt.Sprintf("/draft/rows/r%d/code", rows-1)), Value: ui.String("x")}}})
			for _, m := range cell {
				if n := len(encode(t, d, m)); n > 200 {
					t.Errorf("%d rows: a cell of the last page takes %d bytes", rows, n)
				}
			}
			w.same("a cell of another page")
		}
		if size[5000] > size[100]+200 {
			t.Errorf("100 rows take %d bytes, 5,000 take %d", size[100], size[5000])
		}
	})
}
