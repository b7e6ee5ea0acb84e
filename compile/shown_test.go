package compile

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
)

// TestShownIsEqualAcrossTargets: whatever the state, a user sees the same on
// every target that reports no loss.
func TestShownIsEqualAcrossTargets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, target(a2ui.V09))
		for range rapid.IntRange(1, 6).Draw(rt, "frames") {
			_, _ = w.try(w.randomOps(rt)...) // ui refuses what makes no sense here
		}
		type drawn struct{ hash, dump string }
		first := map[string]drawn{}
		for _, d := range []a2ui.Dialect{a2ui.V09, a2ui.V08, a2ui.V091, a2ui.V10RC, a2ui.V10} {
			other := newWorld(rt, target(d))
			other.state = w.state
			batches, err := Snapshot(other.target, w.state)
			if err != nil {
				continue
			}
			lossless := true
			for _, b := range batches {
				lossless = lossless && len(b.Warnings) == 0
			}
			if !lossless {
				continue
			}
			c := other.fresh()
			for _, id := range c.Surfaces() {
				got := drawn{c.ShownHash(id), fmt.Sprintf("%s\n%s", d, c.Dump(id))}
				if _, ok := first[id]; !ok {
					first[id] = got
				}
				if got.hash != first[id].hash {
					rt.Fatalf("%s differs:\n%s\n%s", id, first[id].dump, got.dump)
				}
			}
		}
	})
}
