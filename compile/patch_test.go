package compile

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestSentIsShown: what users sent and components show by value is drawn anew,
// though no op of the server wrote it.
func TestSentIsShown(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		for name, c := range map[string]struct {
			node ui.Node
			sent ui.Leaf
		}{
			"a file in a row":        {&ui.Table{Rowset: wide()}, ui.Leaf{Path: "/draft/wares/r1/scan", Value: ui.String("f-1")}},
			"how far a draft is":     {&ui.Progress{Key: "bar", Label: "Level", Path: "/draft/level"}, ui.Leaf{Path: "/draft/level", Value: ui.Int(70)}},
			"a figure that is typed": {&ui.Stat{Key: "stat", Label: "Level", Path: "/draft/level"}, ui.Leaf{Path: "/draft/level", Value: ui.Int(70)}},
		} {
			w := newWorld(t, target(d))
			slider := input(ui.Field{Name: "level", Label: "Level", Type: ui.TypeSlider, Max: "100"})
			w.apply(openOp("main", &ui.Column{Key: "main", Children: ui.Nodes{slider, c.node}}, everythingDraft(),
				everythingState("x")))
			started := w.fresh()
			msgs := w.apply(&ui.Draft{Surface: "main", Values: []ui.Leaf{c.sent}})
			if failed := started.ApplyAll(msgs); len(failed) > 0 {
				t.Fatal(failed)
			}
			typed := []string{string(c.sent.Path), string(c.sent.Path) + "/v"}
			if now := w.fresh(); started.ShownHash("main#e=1", typed...) != now.ShownHash("main#e=1", typed...) {
				t.Errorf("%s shows\n%s\nnot\n%s", name, started.Dump("main#e=1"), now.Dump("main#e=1"))
			}
		}
	})
}

// TestListItemsCountAsEntries: what a list holds counts among the entries of a surface,
// so who proves those draws it.
func TestListItemsCountAsEntries(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		name, picks := ui.Field{Name: "name", Type: ui.TypeText},
			ui.Field{Name: "colors", Type: ui.TypeChoices, Options: colors}
		w.apply(openOp("main", &ui.Column{Key: "main", Children: ui.Nodes{input(name), input(picks)}},
			everythingDraft(), everythingState("x")))
		for _, c := range []struct {
			leaf   ui.Leaf
			leaves bool
		}{
			{ui.Leaf{Path: "/draft/name", Value: ui.String("Ada")}, true},
			{ui.Leaf{Path: "/draft/colors", Value: ui.Strings("green")}, false},
		} {
			f := &ui.Frame{Seq: w.state.Seq + 1, Ops: ui.Ops{&ui.Draft{Surface: "main", Values: []ui.Leaf{c.leaf}}}}
			next, changes, err := ui.Apply(w.state, f, ui.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			f.Changes = changes
			batches, err := Update(w.target, w.state, next, f)
			if err != nil || len(batches) != 1 || batches[0].Leaves != c.leaves {
				t.Errorf("%s: %v, %+v, want leaves %v", c.leaf.Path, err, batches, c.leaves)
			}
		}
	})
}

// TestSendsCommitted: a button sends what a frame committed that also changed data.
func TestSendsCommitted(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		w.apply(openOp("main", &ui.Column{Key: "main", Children: ui.Nodes{
			&ui.Text{Key: "t", Path: "/ui_state/t"},
			&ui.Button{Key: "ask", Label: "Ask", Action: ui.Action{Name: "ask",
				Context: []ui.Context{{Key: "iban", Path: "/committed/iban/no"}}}}}}, ui.Value{}, ui.Value{}))
		w.apply(&ui.Commit{Form: "iban", Values: ui.Map(ui.Pair{Key: "no", Value: ui.String("DE1")})},
			&ui.Patch{Surface: "main", Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/ui_state/t", Value: ui.String("x")}}})
		w.same("committed")
		a, err := w.client.Click("main#e=1", "c#main/ask:Button")
		if err != nil || a.Context.At("iban").Str != "DE1" {
			t.Errorf("sent %s, %v", jsonx.Append(nil, a.Context), err)
		}
	})
}

// TestTypedIsBounded: many cells of one post are not all looked up when a few are too many.
func TestTypedIsBounded(t *testing.T) {
	t.Parallel()
	old, now, op := &ui.Surface{Name: "s"}, &ui.Surface{Name: "s"}, &ui.Draft{Surface: "s"}
	rows := make([]ui.Record, 10_000)
	for i := range rows {
		rows[i] = ui.Record{ID: fmt.Sprint("r", i), Order: "b"}
		for _, cell := range []string{"a", "b", "c", "d"} {
			op.Values = append(op.Values, ui.Leaf{Path: ui.PathOf("draft", "goods", rows[i].ID, cell), Value: ui.Int(1)})
		}
	}
	old.Draft = ui.Map(ui.Pair{Key: "goods", Value: ui.Rows(rows...)})
	for i := range rows {
		rows[i].Cells = ui.Map(ui.Pair{Key: "a", Value: ui.Int(1)}, ui.Pair{Key: "b", Value: ui.Int(1)},
			ui.Pair{Key: "c", Value: ui.Int(1)}, ui.Pair{Key: "d", Value: ui.Int(1)})
	}
	now.Draft = ui.Map(ui.Pair{Key: "goods", Value: ui.Rows(rows...)})
	if n := len(typed(old, now, &ui.Frame{Ops: ui.Ops{op}}, ui.Change{Surface: "s"})); n != maxPatch+1 {
		t.Errorf("%d leaves, want %d", n, maxPatch+1)
	}
}
