package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/ui"
)

// manyChoices is a state with a form of n fields of choices.
func manyChoices(t *testing.T, n int) *ui.State {
	t.Helper()
	options := make([]ui.Option, 8)
	for i := range options {
		options[i].Value = fmt.Sprintf("o%d", i)
	}
	fields := &ui.Column{Key: "main"}
	for i := range n {
		f := ui.Field{Name: fmt.Sprintf("f%d", i), Type: ui.TypeChoices, Options: options}
		fields.Children = append(fields.Children, ui.InputFor(ui.PathOf(ui.DraftRoot, f.Name), f))
	}
	return appliedTo(t, ui.NewState("c1"), &ui.Open{Surface: "form:wide", Nonce: "n", Title: "Wide", Root: ui.Nodes{fields}})
}

func appliedTo(t *testing.T, s *ui.State, ops ...ui.Op) *ui.State {
	t.Helper()
	next, _ := appliedFrame(t, s, ops...)
	return next
}

func appliedFrame(t *testing.T, s *ui.State, ops ...ui.Op) (*ui.State, *ui.Frame) {
	t.Helper()
	f := &ui.Frame{Seq: s.Seq + 1, Ops: ops}
	next, changes, err := ui.Apply(s, f, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f.Changes = changes
	return next, f
}

// TestStandIn: a surface above a limit of one target is a text and a link there, and
// whole elsewhere; changes of its data, a submit and a smaller one lead to what a
// client that starts then is shown.
func TestStandIn(t *testing.T) {
	t.Parallel()
	rules := &Rules{Base: "https://desk.example"}
	for _, c := range []struct {
		dialect a2ui.Dialect
		limits  a2ui.Limits
		standIn bool
	}{{a2ui.V08, a2ui.Limits{}, true}, {a2ui.V09, a2ui.Limits{}, false}, {a2ui.V10, a2ui.Limits{Components: 100}, true},
		{a2ui.V09, a2ui.Limits{Components: 100}, true}} {
		r := *rules
		r.Limits = c.limits
		target := Target{Dialect: c.dialect, Rules: &r}
		before := manyChoices(t, 420)
		valid := a2ui.NewValidator(a2ui.Rules{Dialect: c.dialect, Profile: a2ui.Safe, Limits: c.limits})
		shown := client.New(c.dialect, client.LikeWebCore)
		batches, err := Snapshot(target, before)
		if err != nil {
			t.Fatal(err)
		}
		text := encode(t, c.dialect, batches.Messages()...)
		if got := len(batches[0].Warnings) == 1 && batches[0].Warnings[0].Code == CodeNotShown; got != c.standIn {
			t.Errorf("%s: stand-in %v, want %v", c.dialect, got, c.standIn)
		}
		if c.standIn && (len(text) > 5000 || !strings.Contains(text, "https://desk.example/c/c1")) {
			t.Errorf("%s: %.2000s", c.dialect, text)
		}
		shown.ApplyAll(batches.Messages())
		check := func(messages []a2ui.Message) {
			t.Helper()
			if p := valid.Check(messages); len(p) > 0 {
				t.Errorf("%s: %v", c.dialect, p[0])
			}
		}
		check(batches.Messages())
		var memo Memo
		for _, op := range []ui.Op{
			&ui.Patch{Surface: "form:wide", Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/draft/f3", Value: ui.Strings("o1")}}},
			&ui.Patch{Surface: "form:wide", Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/draft/f4", Value: ui.Strings("o2")}}},
			&ui.Errors{Surface: "form:wide", Errors: []ui.FieldError{{Path: "/draft/f1", Code: ui.CodeFieldRequired, Text: "Choose one."}}},
			&ui.Update{Surface: "form:wide", Root: manyChoices(t, 3).Surface("form:wide").Root},
			&ui.Update{Surface: "form:wide", Root: before.Surface("form:wide").Root},
			&ui.Lock{Surface: "form:wide"},
		} {
			after, f := appliedFrame(t, before, op)
			update, err := Update(target, before, after, f)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := memo.Update(target, before, after, f)
			if err != nil || encode(t, c.dialect, kept.Messages()...) != encode(t, c.dialect, update.Messages()...) {
				t.Errorf("%s: %T differs with a memo (%v)", c.dialect, op, err)
			}
			memo.Only(after)
			check(update.Messages())
			if _, data := op.(*ui.Patch); data && c.standIn && strings.Contains(encode(t, c.dialect, update.Messages()...), "draft") {
				t.Errorf("%s: data that the stand-in does not show are sent", c.dialect)
			}
			shown.ApplyAll(update.Messages())
			fresh, err := Snapshot(target, after)
			if err != nil {
				t.Fatal(err)
			}
			started := client.New(c.dialect, client.LikeWebCore)
			started.ApplyAll(fresh.Messages())
			id := after.Surface("form:wide").WireID()
			if shown.ShownHash(id) != started.ShownHash(id) {
				t.Errorf("%s: after %T the client that followed shows something else", c.dialect, op)
			}
			before = after
		}
	}
}

// TestStandInWithoutPages: no link leads to a page that the server does not have.
func TestStandInWithoutPages(t *testing.T) {
	t.Parallel()
	for _, without := range []bool{false, true} {
		target := Target{Dialect: a2ui.V09, Rules: &Rules{Base: "https://desk.example", NoPages: without,
			Limits: a2ui.Limits{Components: 100}}}
		batches, err := Snapshot(target, manyChoices(t, 420))
		if err != nil {
			t.Fatal(err)
		}
		if linked := strings.Contains(encode(t, a2ui.V09, batches.Messages()...), "desk.example"); linked == without {
			t.Errorf("without pages %t: a link %t", without, linked)
		}
	}
	rules := Rules{NoPages: true}
	if Fingerprint(Target{Rules: &rules}, "a") == Fingerprint(Target{Rules: &Rules{}}, "a") {
		t.Error("the fingerprint does not change")
	}
}

// TestStandInByLimit: each limit of a drawing leads to it.
func TestStandInByLimit(t *testing.T) {
	t.Parallel()
	deep := ui.Node(&ui.Divider{Key: "d"})
	for range 30 {
		deep = &ui.Card{Key: "k", Children: ui.Nodes{deep}}
	}
	for code, c := range map[ui.Code]struct {
		node   ui.Node
		limits a2ui.Limits
	}{
		codeComponents: {&ui.Table{Rowset: rowset("goods")}, a2ui.Limits{Components: 20}},
		codeDepth:      {deep, a2ui.Limits{}},
		codeMessages:   {&ui.Table{Rowset: rowset("goods")}, a2ui.Limits{Messages: 5}}, // one for each container
	} {
		s := appliedTo(t, ui.NewState("c"), openOp("large", c.node, ui.Value{}, ui.Value{}))
		b, err := Snapshot(Target{Dialect: a2ui.V08, Rules: &Rules{Limits: c.limits}}, s)
		if err != nil || len(b.Warnings()) == 0 || !strings.Contains(b.Warnings()[0].Message, string(code)) {
			t.Errorf("%s: %v, %v", code, b.Warnings(), err)
		}
	}
}
