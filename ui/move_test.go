package ui

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
)

// TestMove: a row that moves keeps its id and cells, the others their order,
// and no leaf counts as written.
func TestMove(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "rows")
		rows := Rows()
		for i := range n {
			rows = rows.withRow("r"+itoa(i+1), Map(Pair{"title", String(itoa(i))}))
		}
		s, _, err := Apply(NewState("c"), &Frame{Seq: 1,
			Ops: Ops{&Open{Surface: "a", Nonce: "n", Draft: Map(Pair{"items", rows}),
				Root: Nodes{&Column{Key: "main", Children: Nodes{
					&Table{Rowset{Key: "items", Path: "/draft/items",
						Columns: []Field{{Name: "title", Type: TypeText}}}}}}}}}}, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		before := s.Surface("a").Draft
		from := rapid.IntRange(1, n).Draw(t, "from")
		to := rapid.IntRange(0, n).Draw(t, "to")
		move := PatchOne{Do: PatchMove, Path: "/draft/items", Row: "r" + itoa(from)}
		if to > 0 {
			move.Before = "r" + itoa(to)
		}
		s, changes, err := Apply(s, &Frame{Seq: 2, Ops: Ops{&Patch{"a", []PatchOne{move}}}}, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if len(changes[0].Wrote) > 0 {
			t.Fatalf("leaves were written: %v", changes[0].Wrote)
		}
		was, _ := before.Get("items")
		now, _ := s.Surface("a").Draft.Get("items")
		if len(now.Records()) != len(was.Records()) {
			t.Fatalf("%d rows of %d", len(now.Records()), len(was.Records()))
		}
		var want []string
		for _, r := range was.Records() {
			if r.ID == move.Before && r.ID != move.Row {
				want = append(want, move.Row)
			}
			if r.ID != move.Row || move.Before == move.Row {
				want = append(want, r.ID)
			}
		}
		if move.Before == "" {
			want = append(want, move.Row)
		}
		last := ""
		for i, r := range now.Records() {
			old, _ := was.Record(r.ID)
			if r.ID != want[i] || !r.Cells.Equal(old.Cells) || r.Order <= last {
				t.Fatalf("row %d is %s %q, want %s", i, r.ID, r.Order, want[i])
			}
			last = r.Order
		}
	})
}

// TestMoveActions: every row has a button up and one down (the first and the
// last stay where they are), rows without an order have none.
func TestMoveActions(t *testing.T) {
	t.Parallel()
	table := &Table{Rowset{Key: "items", Path: "/draft/items", Columns: []Field{{Name: "title", Type: TypeText}},
		Starter: 2}}
	root := Nodes{&Column{Key: "main", Children: Nodes{table}}}
	open := func() *Surface {
		s, _, err := Apply(NewState("c"), &Frame{Seq: 1,
			Ops: Ops{&Open{Surface: "a", Nonce: "n", Root: root, Draft: BlankDraft(root[0], Value{})}}}, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return s.Surface("a")
	}
	can := func(s *Surface, at KeyPath) bool { _, ok := s.ActionAt(at); return ok }
	s := open()
	if len(s.Rows(&table.Rowset)) != 2 {
		t.Fatalf("opens with %d rows", len(s.Rows(&table.Rowset)))
	}
	for at, want := range map[KeyPath]bool{"main/items/r1/!up": true, "main/items/r1/!down": true,
		"main/items/r2/!up": true, "main/items/r9/!up": false} {
		if can(s, at) != want {
			t.Errorf("%s: %v", at, !want)
		}
	}
	table.Unordered = true
	if can(open(), "main/items/r1/!down") {
		t.Error("rows without an order move")
	}
	table.Starter = -1
	if n := len(open().Rows(&table.Rowset)); n != 0 {
		t.Errorf("opens with %d rows, want none", n)
	}
}

// TestActionFor: a component that draws a rowset whole has all its actions, those of the
// rows that are there.
func TestActionFor(t *testing.T) {
	rs := Rowset{Key: "items", Path: "/draft/items", Columns: []Field{{Name: "a", Type: TypeText}}}
	s := &Surface{Root: Nodes{&Column{Key: "main", Children: Nodes{&Table{rs},
		&Button{Key: "read", Action: Action{Name: builtin.ActionPaste}}}}},
		Draft: Map(Pair{"items", Rows(Record{"r1", "m", Map()}, Record{"r2", "n", Map()})})}
	for _, x := range []struct {
		component, name, context string
		want                     string // the context of the action; "" = none
	}{
		{"c#main/items:DataGrid", builtin.ActionAddRow, `{"table":"/draft/items","count":3}`, "count=3"},
		{"c#main/items:DataGrid", builtin.ActionAddRow, `{"table":"/draft/items","count":501}`, "table=/draft/items"},
		{"c#main/items:DataGrid", builtin.ActionRemoveRow, `{"table":"/draft/items","row":"r2"}`, "row=r2"},
		{"c#main/items:DataGrid", builtin.ActionRemoveRow, `{"table":"/draft/items","row":"r3"}`, ""},
		{"c#main/items:DataGrid", builtin.ActionMoveRow, `{"table":"/draft/items","row":"r2","before":"r1"}`, "before=r1"},
		{"c#main/items:DataGrid", builtin.ActionMoveRow, `{"table":"/draft/items","row":"r1","before":""}`, "before="},
		{"c#main/items:DataGrid", builtin.ActionMoveRow, `{"table":"/draft/items","row":"r1","before":"r7"}`, ""},
		{"c#main/items:DataGrid", builtin.ActionPage, `{"table":"/draft/items","first":2}`, "first=2"},
		{"c#main/items:DataGrid", builtin.ActionPage, `{"table":"/draft/items","first":3}`, ""},
		{"c#main/items:DataGrid", builtin.ActionRestoreRow, `{"table":"/draft/items"}`, ""},
		{"c#main/items:DataGrid", builtin.ActionSubmit, `{"table":"/draft/items"}`, ""},
		{"c#main/items:DataGrid", builtin.ActionRemoveRow, `{"table":"/draft/others","row":"r2"}`, ""},
		{"c#main/items:DataGrid", builtin.ActionPaste, `{}`, "-"},
		{"c#main/items/r1/!remove:Button", builtin.ActionRemoveRow, `{}`, "row=r1"},
		{"c#main:Column", builtin.ActionRemoveRow, `{"table":"/draft/items","row":"r2"}`, ""},
	} {
		context, err := jsonx.ParseString(x.context, jsonx.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		a, ok := s.ActionFor(&ActionEvent{Component: x.component, Name: x.name, Context: context})
		got := ""
		if ok {
			got = "-"
		}
		if n := len(a.Context); ok && n > 0 {
			got = a.Context[n-1].Key + "=" + a.Context[n-1].Value.Text()
		}
		if got != x.want {
			t.Errorf("%s of %s %s: %q, want %q", x.name, x.component, x.context, got, x.want)
		}
	}
}
