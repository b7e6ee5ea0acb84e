package compile

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/ui"
)

// ignoring is a client of a kind that is out there: what was said about an
// existing surface once stays, and updates of it are ignored without a word.
type ignoring struct {
	*client.Client
	begun map[string]bool // surfaces that are there
	comps map[string]bool // surface and component
}

// take applies a batch. What a client of v0.8 is sent before beginRendering is
// no update yet.
func (c *ignoring) take(batch []a2ui.Message) {
	began := map[string]bool{}
	for id := range c.begun {
		began[id] = true
	}
	for _, m := range batch {
		switch m := m.(type) {
		case *a2ui.DeleteSurface:
			delete(c.begun, m.SurfaceID)
			delete(began, m.SurfaceID)
			for key := range c.comps {
				if strings.HasPrefix(key, m.SurfaceID+" ") {
					delete(c.comps, key)
				}
			}
			_ = c.Apply(m)
		case *a2ui.CreateSurface:
			if began[m.SurfaceID] {
				continue
			}
			c.begun[m.SurfaceID] = true
			_ = c.Apply(m)
		case *a2ui.UpdateComponents:
			list := m.Components[:0:0]
			for _, comp := range m.Components {
				if key := m.SurfaceID + " " + comp.ID; !c.comps[key] {
					c.comps[key] = true
					list = append(list, comp)
				}
			}
			if len(list) > 0 {
				_ = c.Apply(&a2ui.UpdateComponents{SurfaceID: m.SurfaceID, Components: list})
			}
		case *a2ui.UpdateData:
			if !began[m.SurfaceID] {
				_ = c.Apply(m)
			}
		}
	}
}

// Reported: a client ignores updates of an existing surface. With
// updates=rebuild it shows what a client shows that starts now, whatever
// happened; without, it does not, or this test would prove nothing.
func TestFaultUpdateOfExistingSurfaceIgnored(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		stale := false
		rapid.Check(t, func(rt *rapid.T) {
			rebuilt, plain := target(d), target(d)
			rebuilt.Flags |= Rebuild
			w := newWorld(rt, plain)
			fresh := func() *ignoring {
				return &ignoring{client.New(d, client.LikeWebCore), map[string]bool{}, map[string]bool{}}
			}
			helped, left := fresh(), fresh()
			for range rapid.IntRange(1, 8).Draw(rt, "frames") {
				before := w.state
				ops := w.randomOps(rt)
				msgs, err := w.try(ops...)
				if err != nil {
					continue
				}
				f := &ui.Frame{V: ui.Version, Seq: w.state.Seq, Ops: ops}
				if _, f.Changes, err = ui.Apply(before, f, ui.Limits{}); err != nil {
					rt.Fatal(err)
				}
				batches, err := Update(rebuilt, before, w.state, f)
				if err != nil {
					rt.Fatal(err)
				}
				helped.take(batches.Messages())
				left.take(msgs)
				now := w.fresh()
				for _, id := range now.Surfaces() {
					if helped.DetailedHash(id) != now.DetailedHash(id) {
						rt.Fatalf("%s shows something else\n%s", id, helped.Dump(id))
					}
					stale = stale || left.ShownHash(id) != now.ShownHash(id)
				}
				if len(helped.Surfaces()) != len(now.Surfaces()) {
					rt.Fatalf("surfaces %v, want %v", helped.Surfaces(), now.Surfaces())
				}
			}
		})
		if !stale && !t.Failed() {
			t.Error("the client does not ignore updates")
		}
	})
}
