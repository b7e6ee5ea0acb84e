package storetest

import (
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/store"
)

// leased reports whether a node other than this one holds a lease.
func (c *modelConv) leased(what, node string) bool {
	return c.leases[what].Node != "" && c.leases[what].Node != node
}

func (m *machine) node(t *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b"}).Draw(t, "node")
}

// target draws a conversation and what to lease there, and says which error that
// alone leads to.
func (m *machine) target(t *rapid.T) (id string, c *modelConv, what string, err error) {
	id, c = m.pick(t)
	if rapid.Bool().Draw(t, "an event") {
		what = m.draw(t).ID
	}
	if c == nil {
		return id, c, what, store.ErrNotFound
	}
	i := slices.IndexFunc(c.records, func(o store.Event) bool { return o.ID == what })
	switch {
	case what == "":
	case i < 0:
		err = store.ErrNotFound
	case c.records[i].Done:
		err = store.ErrConflict
	}
	return id, c, what, err
}

func (m *machine) acquire(t *rapid.T) {
	id, c, what, want := m.target(t)
	node := m.node(t)
	got, err := m.f.Acquire(m.f.ctx, id, what, node, forever)
	if want == nil && c.leased(what, node) {
		want = store.ErrLeased
	}
	expect(t, err, want)
	if want != nil {
		return
	}
	held := c.leases[what]
	if held.Node == "" {
		held.Token++
	}
	held.What, held.Node = what, node
	c.leases[what] = held
	got.Left = 0
	equal(t, "lease", got, held)
}

func (m *machine) release(t *rapid.T) {
	id, c, what, want := m.target(t)
	l := store.Lease{What: what, Node: m.node(t), Token: rapid.Uint64Range(1, 3).Draw(t, "token")}
	expect(t, m.f.Release(m.f.ctx, id, l), nil)
	if want != nil {
		return
	}
	if held := c.leases[what]; held.Node == l.Node && held.Token == l.Token {
		held.Node = ""
		c.leases[what] = held
	}
}

// wait lets a lease run out.
func (m *machine) wait(t *rapid.T) {
	id, c, what, want := m.target(t)
	if want != nil || c.leases[what].Node != "" {
		return
	}
	over, after := m.f.runOut(id, what, m.node(t))
	equal(t, "tokens", []uint64{over.Token, after}, []uint64{c.leases[what].Token + 1, c.leases[what].Token + 2})
	c.leases[what] = store.Lease{What: what, Token: after}
}

// orphans lists this run's conversations with an event that no node has leased,
// the oldest first; two of one age in either order.
func (m *machine) orphans(t *rapid.T) {
	got, err := m.f.Orphans(m.f.ctx, 0)
	expect(t, err, nil)
	oldest := map[string]time.Time{}
	for id, c := range m.convs {
		for _, r := range c.records {
			if at, ok := oldest[id]; !r.Done && c.leases[r.ID].Node == "" && (!ok || r.At.Before(at)) {
				oldest[id] = r.At
			}
		}
	}
	var last time.Time
	for _, id := range got {
		if !strings.HasPrefix(id, m.prefix) {
			continue // of another run
		}
		at, ok := oldest[id]
		if !ok || at.Before(last) {
			t.Fatalf("orphans %q: %s is none, or is listed after a younger one", got, id)
		}
		last = at
		delete(oldest, id)
	}
	equal(t, "orphans that are not listed", oldest, map[string]time.Time{})
}
