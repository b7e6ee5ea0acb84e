package prove

import (
	"runtime"
	"testing"
	"weak"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/ui"
)

// A surface that frames of leaves replaced is not kept.
func TestForgets(t *testing.T) {
	t.Parallel()
	p := &Prover{Targets: NewTargets(Config{Targets: []compile.Target{{Dialect: a2ui.V09}}})}
	at, first := ui.NewState("c"), weak.Pointer[ui.Surface]{}
	prove := func(op ui.Op) {
		t.Helper()
		f := &ui.Frame{V: ui.Version, Seq: at.Seq + 1, Ops: ui.Ops{op}}
		next, changes, err := ui.Apply(at, f, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f.Changes = changes
		if _, failures := p.Prove(Step{Before: at, After: next, Frame: f}, nil); len(failures) > 0 {
			t.Fatalf("found %+v", failures)
		}
		at = next
	}
	prove(&ui.Open{Surface: "view:a", Nonce: "n", Root: ui.Nodes{ui.InputFor("/draft/n", ui.Field{Name: "n", Type: ui.TypeText})}})
	for i := range 1000 {
		prove(&ui.Draft{Surface: "view:a", Values: []ui.Leaf{{Path: "/draft/n", Value: ui.Int(int64(i))}}})
		if i == 0 {
			first = weak.Make(at.Surfaces[0])
		}
	}
	runtime.GC()
	if p.shown == nil || first.Value() != nil {
		t.Error("the surface of the first frame is kept")
	}
	runtime.KeepAlive(p)
}
