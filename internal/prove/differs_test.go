package prove

import (
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/ui"
)

// A stream that says something else than the state is found: an update that
// lost a message, or a whole one.
func TestStreamDiffers(t *testing.T) {
	t.Parallel()
	p := &Prover{Targets: &Targets{}}
	tree := func(text string) ui.Nodes {
		return ui.Nodes{&ui.Column{Key: "main",
			Children: ui.Nodes{&ui.Text{Key: "t", Text: text}, &ui.Text{Key: "p", Path: "/ui_state/p"},
				ui.InputFor("/draft/name", ui.Field{Name: "name", Type: ui.TypeText}),
				ui.InputFor("/draft/agree", ui.Field{Name: "agree", Type: ui.TypeBoolean})}}}
	}
	step := func(s *ui.State, ops ...ui.Op) Step {
		f := &ui.Frame{V: ui.Version, Seq: s.Seq + 1, Ops: ops}
		next, changes, err := ui.Apply(s, f, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f.Changes = changes
		return Step{Before: s, After: next, Frame: f}
	}
	first := step(ui.NewState("c"), &ui.Open{Surface: "view:a", Nonce: "n", Root: tree("one")})
	second := step(first.After, &ui.Draft{Surface: "view:a",
		Values: []ui.Leaf{{Path: "/draft/name", Value: ui.String("Ada")},
			{Path: "/draft/agree", Value: ui.Bool(true)}}},
		&ui.Update{Surface: "view:a", Root: tree("two")},
		&ui.Patch{Surface: "view:a", Changes: []ui.PatchOne{
			{Do: ui.PatchSet, Path: "/ui_state/p", Value: ui.String("x")}}})
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		target := compile.Target{Dialect: d}
		for i, st := range []Step{first, second} {
			update, err := compile.Update(target, st.Before, st.After, st.Frame)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := compile.Snapshot(target, st.After)
			if err != nil {
				t.Fatal(err)
			}
			found := func(update compile.Batches) (codes []ui.Code) {
				p.compare(target, st, update, fresh, func(f compile.Failure) { codes = append(codes, ui.CodeOf(f.Err)) })
				return codes
			}
			if codes := found(update); len(codes) > 0 {
				t.Errorf("%v frame %d: %v though it is right", d, i+1, codes)
			}
			lost := compile.Batches{{Surface: "view:a", Messages: update[0].Messages[:1]}}
			for name, wrong := range map[string]compile.Batches{"nothing": nil, "the first message alone": lost} {
				if codes := found(wrong); len(codes) != 1 || codes[0] != CodeDiffers {
					t.Errorf("%v frame %d, %s: %v", d, i+1, name, codes)
				}
			}
		}
	}
	if suspect(second) {
		t.Error("a healthy surface is suspect")
	}
	marked := step(first.After, &ui.Mark{Surface: "view:a", Epoch: 1, Print: "p"})
	if !suspect(step(marked.After, &ui.Update{Surface: "view:a", Root: tree("three")})) {
		t.Error("a surface with a fault is not suspect")
	}
}

// A surface that a frame creates is judged once, by the messages that those who follow get; one that it updates is
// judged whole, too.
func TestUnjudged(t *testing.T) {
	t.Parallel()
	create, data, gone := &a2ui.CreateSurface{SurfaceID: "s"}, &a2ui.UpdateData{SurfaceID: "s"},
		&a2ui.DeleteSurface{SurfaceID: "s"}
	same := *create
	whole := compile.Batches{{Surface: "view:a", Messages: []a2ui.Message{create, data}}}
	for name, tt := range map[string]struct {
		update []a2ui.Message
		judged bool
	}{
		"created":           {[]a2ui.Message{create, data}, true},
		"created anew":      {[]a2ui.Message{gone, create, data}, true},
		"updated":           {[]a2ui.Message{data}, false},
		"updated before":    {[]a2ui.Message{data, create, data}, false},
		"with another one":  {[]a2ui.Message{&same, data}, false},
		"with more after":   {[]a2ui.Message{create, data, data}, false},
		"nothing was sent":  {nil, false},
		"its deletion only": {[]a2ui.Message{gone}, false},
	} {
		rest := unjudged(whole, compile.Batches{{Surface: "view:b", Messages: whole[0].Messages},
			{Surface: "view:a", Messages: tt.update}})
		if judged := len(rest) == 0; judged != tt.judged {
			t.Errorf("%s: judged %v, want %v", name, judged, tt.judged)
		}
	}
}

// An update that is wrong for every target is found for all of them at once: each round of a turn replaces what was
// found, and there are few.
func TestDiffersEverywhere(t *testing.T) {
	t.Parallel()
	var targets []compile.Target
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		targets = append(targets, compile.Target{Dialect: d})
	}
	p := &Prover{Targets: NewTargets(Config{Targets: targets, Strict: true})}
	tree := func(text string) ui.Nodes { return ui.Nodes{&ui.Text{Key: "t", Text: text}} }
	first, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{V: ui.Version, Seq: 1,
		Ops: ui.Ops{&ui.Open{Surface: "view:a", Nonce: "n", Root: tree("one")}}}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f := &ui.Frame{V: ui.Version, Seq: 2, Ops: ui.Ops{&ui.Update{Surface: "view:a", Root: tree("two")}}}
	second, changes, err := ui.Apply(first, f, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f.Changes = changes
	f.Changes[0].Kind = ui.ChangedData // the update leaves the tree out
	_, failures := p.Prove(Step{Before: first, After: second, Frame: f}, nil)
	if len(failures) != 1 || len(failures[0].Targets) != len(targets) || ui.CodeOf(failures[0].Err) != CodeDiffers {
		t.Errorf("found %+v", failures)
	}
}
