package storetest

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limn-ui/limn/store"
)

// forever is a lease that outlives every test.
const forever = time.Hour

func leases(f *fixture) {
	turnLease(f)
	eventLease(f)
	leasedAppends(f)
	orphans(f)
	oneHolder(f)
}

// take acquires a lease that must be free, or held by that node.
func (f *fixture) take(id, what, node string) store.Lease {
	f.Helper()
	got, err := f.Acquire(f.ctx, id, what, node, forever)
	f.ok(err)
	f.same([]string{got.What, got.Node}, []string{what, node})
	if got.Token == 0 || got.Left <= forever/2 || got.Left > forever {
		f.Fatalf("lease of %s: %+v", node, got)
	}
	return got
}

// runOut takes a lease for a moment and comes back when that moment is over, with
// the lease as it was given and the token of the one who found it over.
func (f *fixture) runOut(id, what, node string) (over store.Lease, after uint64) {
	f.Helper()
	over, err := f.Acquire(f.ctx, id, what, node, time.Millisecond)
	f.ok(err)
	for {
		next, err := f.Acquire(f.ctx, id, what, "waiter", forever)
		if errors.Is(err, store.ErrLeased) {
			continue // this test's context ends it if the lease never does
		}
		f.ok(err)
		f.ok(f.Release(f.ctx, id, next))
		return over, next.Token
	}
}

func turnLease(f *fixture) {
	id := f.create("turn")
	a := f.take(id, "", "a")
	f.same(f.take(id, "", "a").Token, a.Token) // renewed: the token stays

	held, err := f.Acquire(f.ctx, id, "", "b", forever)
	f.fails(err, store.ErrLeased)
	f.same(held.Node, "a")
	if held.Left <= 0 || held.Left > forever {
		f.Fatalf("left of the other's lease: %v", held.Left)
	}

	// Only who holds it with that token ends it.
	f.ok(f.Release(f.ctx, id, store.Lease{Node: "b", Token: a.Token}))
	f.ok(f.Release(f.ctx, id, store.Lease{Node: "a", Token: a.Token + 1}))
	f.ok(f.Release(f.ctx, "nowhere", a))
	_, err = f.Acquire(f.ctx, id, "", "b", forever)
	f.fails(err, store.ErrLeased)
	f.ok(f.Release(f.ctx, id, a))
	f.ok(f.Release(f.ctx, id, a))
	b := f.take(id, "", "b")
	f.ok(f.Release(f.ctx, id, a)) // b's stays
	_, err = f.Acquire(f.ctx, id, "", "a", forever)
	f.fails(err, store.ErrLeased)
	f.ok(f.Release(f.ctx, id, b))

	// Any node may take a lease that ran out. Its former holder gets a new token.
	over, after := f.runOut(id, "", "a")
	again := f.take(id, "", "a")
	if !(a.Token < b.Token && b.Token < over.Token && over.Token < after && after < again.Token) {
		f.Errorf("tokens do not grow: %d %d %d %d %d", a.Token, b.Token, over.Token, after, again.Token)
	}
	f.take(f.create("turn of another conversation"), "", "b")

	_, err = f.Acquire(f.ctx, "nowhere", "", "a", forever)
	f.fails(err, store.ErrNotFound)
	for _, node := range []string{"", string(make([]byte, 129))} {
		_, err = f.Acquire(f.ctx, id, "", node, forever)
		f.fails(err, store.ErrInvalid)
	}
	_, err = f.Acquire(f.ctx, id, "", "a", 0)
	f.fails(err, store.ErrInvalid)
}

func eventLease(f *fixture) {
	id := f.create("event")
	leased := rec("e1", "k1")
	leased.Node, leased.TTL = "a", forever
	f.keep(id, leased)
	f.keep(id, rec("e2", ""))
	f.same(f.head(id).Pending[0].Node, "") // the lease is not part of what comes back

	held, err := f.Acquire(f.ctx, id, "e1", "b", forever)
	f.fails(err, store.ErrLeased)
	f.same(held.Node, "a")
	mine := f.take(id, "e1", "a")
	f.take(id, "", "b")   // events and the turn are leased apart,
	f.take(id, "e2", "b") // and so is each event

	// A repeat of the event takes nothing over.
	again := leased
	again.Node = "b"
	prior, err := f.Record(f.ctx, id, again)
	f.ok(err)
	f.same(prior.Node, "")
	f.same(f.take(id, "e1", "a").Token, mine.Token)
	f.ok(f.Release(f.ctx, id, mine))
	f.take(id, "e1", "b")

	// A node that takes its own lease after it ran out gets a new Token, which
	// shows that another node may have held it meanwhile.
	over, err := f.Acquire(f.ctx, id, "e1", "b", time.Millisecond)
	f.ok(err)
	for list := []string(nil); !slices.Contains(list, id); {
		list, err = f.Orphans(f.ctx, 0)
		f.ok(err)
	}
	f.same(f.take(id, "e1", "b").Token, over.Token+1)

	// The frame that answers the event ends the lease.
	f.ok(f.Append(f.ctx, id, store.Commit{Frame: frameBody(1), Event: "e1", Node: "b"}))
	_, err = f.Acquire(f.ctx, id, "e1", "b", forever)
	f.fails(err, store.ErrConflict)
	_, err = f.Acquire(f.ctx, id, "e9", "b", forever)
	f.fails(err, store.ErrNotFound)

	bad := rec("e3", "")
	bad.Node = "a" // without a TTL
	_, err = f.Record(f.ctx, id, bad)
	f.fails(err, store.ErrInvalid)
}

// leasedAppends checks who may append while a lease lives.
func leasedAppends(f *fixture) {
	id := f.create("appends")
	f.keep(id, rec("e1", ""))
	a := f.take(id, "", "a")
	commit := func(expect uint64, node string, token uint64, event string) error {
		return f.Append(f.ctx, id, store.Commit{
			Expect: expect, Frame: frameBody(expect + 1), Event: event, Node: node, Token: token,
		})
	}
	for _, node := range []string{"", "b"} {
		f.fails(commit(0, node, 0, ""), store.ErrLeased)
		f.fails(commit(0, node, a.Token, "e1"), store.ErrLeased)
	}
	f.fails(commit(0, "a", a.Token+1, ""), store.ErrLeased)
	f.fails(commit(1, "b", 0, ""), store.ErrConflict) // rather than ErrLeased
	f.fails(commit(0, "b", 0, "e9"), store.ErrNotFound)
	r := rec("e1", "")
	known := store.Commit{Frame: frameBody(1), Record: &r, Node: "b"}
	f.fails(f.Append(f.ctx, id, known), store.ErrExists)
	f.same(f.head(id).Seq, uint64(0))

	f.ok(commit(0, "a", a.Token, "")) // does not release it
	f.ok(commit(1, "a", a.Token, ""))
	f.ok(commit(2, "a", 0, "")) // its own lease does not stop it
	f.fails(commit(3, "b", 0, ""), store.ErrLeased)
	f.ok(f.Release(f.ctx, id, a))
	f.fails(commit(3, "a", a.Token, ""), store.ErrLeased) // no longer live
	f.ok(commit(3, "b", 0, ""))

	// A node that slept past its lease, whether another node took it since or not.
	over, _ := f.runOut(id, "", "a")
	f.fails(commit(4, "a", over.Token, ""), store.ErrLeased)
	f.ok(f.Release(f.ctx, id, f.take(id, "", "b")))
	f.fails(commit(4, "a", over.Token, ""), store.ErrLeased)
	f.ok(commit(4, "a", 0, ""))

	// The lease of an event keeps others from answering it, and from nothing else.
	e := f.take(id, "e1", "a")
	f.fails(commit(5, "b", 0, "e1"), store.ErrLeased)
	f.fails(commit(5, "", 0, "e1"), store.ErrLeased)
	f.fails(commit(5, "a", e.Token, "e1"), store.ErrLeased) // it is no token of the turn
	f.ok(commit(5, "b", 0, ""))
	f.ok(commit(6, "a", 0, "e1"))
	f.same(len(f.head(id).Pending), 0)
}

func orphans(f *fixture) {
	// Other parts of this suite have left some.
	before := map[string]bool{}
	list := func(limit int) (ids []string) {
		f.Helper()
		all, err := f.Orphans(f.ctx, limit)
		f.ok(err)
		for _, id := range all {
			if !before[id] {
				ids = append(ids, id)
			}
		}
		return ids
	}
	for _, id := range list(0) {
		before[id] = true
	}
	keep := func(id, event, node string, at time.Duration) {
		f.Helper()
		r := rec(event, "")
		r.At = begin.Add(at - 24*time.Hour) // before all others
		if node != "" {
			r.Node, r.TTL = node, forever
		}
		f.keep(id, r)
	}
	late, early, busy, done := f.create("late"), f.create("early"), f.create("busy"), f.create("done")
	f.create("idle")
	keep(late, "e1", "", 3*time.Second)
	keep(late, "e2", "", 4*time.Second) // listed once
	keep(early, "e1", "a", 1*time.Second)
	keep(early, "e2", "", 2*time.Second)
	keep(busy, "e1", "a", 0)
	keep(done, "e1", "", 0)
	f.ok(f.Append(f.ctx, done, store.Commit{Frame: frameBody(1), Event: "e1"}))
	f.same(list(0), []string{early, late})
	f.same(list(1), []string{early})

	f.take(early, "e2", "b")
	f.take(late, "", "b") // the turn's lease is not the event's
	f.same(list(0), []string{late})
	f.runOut(busy, "e1", "a")
	f.same(list(0), []string{busy, late})
}

// oneHolder: of n nodes that want a lease at once, one gets it.
func oneHolder(f *fixture) {
	const n = 8
	id := f.create("one holder")
	f.keep(id, rec("e1", ""))
	for round := range uint64(5) {
		won := make([]store.Lease, n)
		errs := make([]error, n)
		what := []string{"", "e1"}[round%2]
		together(n, func(i int) {
			won[i], errs[i] = f.Acquire(f.ctx, id, what, fmt.Sprint("node ", i), forever)
		})
		winner := -1
		for i, err := range errs {
			switch {
			case err == nil && winner < 0:
				winner = i
			case err == nil:
				f.Fatalf("nodes %d and %d both hold it", winner, i)
			default:
				f.fails(err, store.ErrLeased)
			}
		}
		if winner < 0 {
			f.Fatal("nobody holds it")
		}
		f.ok(f.Release(f.ctx, id, won[winner]))
	}
}
