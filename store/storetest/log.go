package storetest

import (
	"context"
	"math"
	"slices"

	"github.com/limn-ui/limn/store"
)

func conversations(f *fixture) {
	c := store.Conversation{ID: "c1", Log: "00000000000000ff", Owner: "ada", Created: begin}
	f.ok(f.Create(f.ctx, c))
	f.fails(f.Create(f.ctx, c), store.ErrExists)

	c.Created = utc(0)
	f.same(f.head("c1"), store.Head{Conversation: c})

	_, err := f.Open(f.ctx, "c2")
	f.fails(err, store.ErrNotFound)
	_, err = f.Open(f.ctx, "C1") // ids are compared byte by byte
	f.fails(err, store.ErrNotFound)

	f.fails(f.Create(f.ctx, store.Conversation{ID: "c3", Log: "short"}), store.ErrInvalid)
	f.fails(f.Create(f.ctx, store.Conversation{ID: "c3", Log: "00000000000000FF"}), store.ErrInvalid)
	f.fails(f.Create(f.ctx, store.Conversation{Log: "00000000000000ff"}), store.ErrInvalid)
}

func records(f *fixture) {
	id := f.create("c1")
	a := rec("e1", "k1")
	a.Starts, a.Done, a.Seq, a.Answer = 9, true, 9, []byte("ignored")
	f.keep(id, a)
	f.keep(id, rec("e2", ""))
	f.keep(id, rec("e3", "")) // no key is not a shared key

	pending := func(event, key string) store.Event {
		r := rec(event, key)
		r.At = utc(0)
		return r
	}
	f.same(f.head(id).Pending, []store.Event{pending("e1", "k1"), pending("e2", ""), pending("e3", "")})

	// Known by key: another event id, the same body.
	again := rec("e9", "k1")
	again.Hash = a.Hash
	prior, err := f.Record(f.ctx, id, again)
	f.ok(err)
	want := pending("e1", "k1")
	f.same(prior, &want)

	// Known by key, other body.
	again.Hash = "other"
	prior, err = f.Record(f.ctx, id, again)
	f.fails(err, store.ErrKeyReused)
	f.same(prior, &want)

	// Known by event id. The key is looked up first.
	prior, err = f.Record(f.ctx, id, rec("e2", "new key"))
	f.ok(err)
	f.same(prior.ID, "e2")
	byKey := rec("e2", "k1")
	byKey.Hash = a.Hash
	prior, err = f.Record(f.ctx, id, byKey)
	f.ok(err)
	f.same(prior.ID, "e1")

	// Nothing of all that was written.
	f.same(len(f.head(id).Pending), 3)

	// The answer is part of the prior record.
	f.ok(f.Append(f.ctx, id, store.Commit{Frame: frameBody(1), Event: "e1", Answer: []byte("yes")}))
	want.Done, want.Seq, want.Answer = true, 1, []byte("yes")
	prior, err = f.Record(f.ctx, id, a)
	f.ok(err)
	f.same(prior, &want)
	f.same(f.head(id).Pending, []store.Event{pending("e2", ""), pending("e3", "")})

	// Keys and event ids belong to a conversation.
	f.keep(f.create("c2"), rec("e1", "k1"))

	_, err = f.Record(f.ctx, "nowhere", rec("e1", ""))
	f.fails(err, store.ErrNotFound)
	_, err = f.Record(f.ctx, id, store.Event{})
	f.fails(err, store.ErrInvalid)
}

// lookups checks that Lookup finds what Record would return, and writes nothing.
func lookups(f *fixture) {
	id := f.create("c1")
	lookup := func(id, event, key, hash string) (*store.Event, error) {
		return f.Lookup(f.ctx, id, store.Event{ID: event, Key: key, Hash: hash})
	}
	for range 2 { // an unknown event is still unknown after a lookup
		prior, err := lookup(id, "e1", "k1", "hash of e1")
		f.ok(err)
		f.same(prior, (*store.Event)(nil))
	}
	f.same(len(f.head(id).Pending), 0)
	f.keep(id, rec("e1", "k1"))
	f.keep(id, rec("e2", ""))
	f.keep(f.create("c2"), rec("e3", "k3"))

	found := func(event, key, hash string, want store.Event) {
		f.Helper()
		prior, err := lookup(id, event, key, hash)
		f.ok(err)
		f.same(prior, &want)
		prior, err = lookup(id, event, key, "another hash")
		f.fails(err, store.ErrKeyReused)
		f.same(prior, &want)
	}
	one, two := rec("e1", "k1"), rec("e2", "")
	one.At, two.At = utc(0), utc(0)
	found("e9", "k1", one.Hash, one) // by key
	found("e1", "k9", one.Hash, one) // by event id
	found("e1", "", one.Hash, one)
	found("e2", "k1", one.Hash, one) // the key is looked up first
	found("e2", "", two.Hash, two)   // no key is not a shared key
	prior, err := lookup(id, "e3", "k3", "hash of e3")
	f.ok(err)
	f.same(prior, (*store.Event)(nil)) // another conversation has it

	f.ok(f.Append(f.ctx, id, store.Commit{Frame: frameBody(1), Event: "e1", Answer: []byte("yes")}))
	one.Done, one.Seq, one.Answer = true, 1, []byte("yes")
	found("e9", "k1", one.Hash, one)
	three := rec("e3", "k3")
	f.ok(f.Append(f.ctx, id, store.Commit{Expect: 1, Frame: frameBody(2), Record: &three, Answer: []byte("no")}))
	three.At, three.Done, three.Seq, three.Answer = utc(0), true, 2, []byte("no")
	found("e9", "k3", three.Hash, three)
	_, err = lookup("nowhere", "e1", "k1", one.Hash)
	f.fails(err, store.ErrNotFound)
	h := f.head(id)
	f.same([]any{h.Seq, h.Pending}, []any{uint64(2), []store.Event{two}})
}

func appends(f *fixture) {
	id := f.create("c1")
	f.push(id, 0)
	f.push(id, 1)
	f.same(f.head(id).Seq, uint64(2))

	for _, expect := range []uint64{0, 1, 3, math.MaxInt64, math.MaxUint64} {
		c := store.Commit{Expect: expect, Frame: []byte("x")}
		f.fails(f.Append(f.ctx, id, c), store.ErrConflict)
	}
	f.fails(f.Append(f.ctx, "nowhere", store.Commit{Frame: []byte("x")}), store.ErrNotFound)
	f.fails(f.Append(f.ctx, id, store.Commit{Expect: 2}), store.ErrInvalid)

	// An unknown event, an answered event, a queued job: nothing of the commit stays.
	f.keep(id, rec("e1", "k1"))
	whole := store.Commit{
		Expect: 2, Frame: []byte("three"), Event: "e1", Answer: []byte("a"),
		Snapshot: []byte("state 3"), Outbox: []store.Job{{ID: "e1/0", Kind: "hook", Due: begin}},
	}
	unknown := whole
	unknown.Event = "e9"
	f.fails(f.Append(f.ctx, id, unknown), store.ErrNotFound)
	f.same(f.head(id).Seq, uint64(2))
	f.same(f.head(id).SnapshotSeq, uint64(0))
	f.ok(f.Append(f.ctx, id, whole)) // its job id is free: the failed commit queued nothing

	answered := whole
	answered.Expect, answered.Outbox = 3, nil
	f.fails(f.Append(f.ctx, id, answered), store.ErrConflict)
	queued := whole
	queued.Expect, queued.Event, queued.Answer = 3, "", nil
	f.fails(f.Append(f.ctx, id, queued), store.ErrInvalid)

	h := f.head(id)
	f.same([]any{h.Seq, h.SnapshotSeq, string(h.Snapshot), len(h.Pending)}, []any{uint64(3), uint64(3), "state 3", 0})

	recordAndCommit(f, id)
}

// recordAndCommit checks turns that record and answer in one transaction. The
// head is 3 and k1 known.
func recordAndCommit(f *fixture, id string) {
	r := rec("e2", "k2")
	commit := store.Commit{Expect: 3, Frame: frameBody(4), Record: &r, Answer: []byte("b")}
	stale := commit
	stale.Expect = 2
	f.fails(f.Append(f.ctx, id, stale), store.ErrConflict)
	f.ok(f.Append(f.ctx, id, commit))
	f.fails(f.Append(f.ctx, id, commit), store.ErrExists) // rather than ErrConflict

	prior, err := f.Record(f.ctx, id, r)
	f.ok(err)
	f.same([]any{prior.Done, prior.Seq, string(prior.Answer)}, []any{true, uint64(4), "b"})

	byKey := rec("e3", "k1")
	f.fails(f.Append(f.ctx, id, store.Commit{Expect: 4, Frame: frameBody(5), Record: &byKey}), store.ErrExists)
	other := store.Commit{Expect: 4, Frame: frameBody(5), Event: "e9", Record: &r}
	f.fails(f.Append(f.ctx, id, other), store.ErrInvalid)
	f.fails(f.Append(f.ctx, id, store.Commit{Expect: 4, Frame: frameBody(5), Answer: []byte("to whom?")}),
		store.ErrInvalid)
	f.same(f.head(id).Seq, uint64(4))
}

func frames(f *fixture) {
	id := f.create("c1")
	f.create("c2")
	list := func(after uint64, limit int) (seqs []uint64) {
		f.Helper()
		got, err := f.Frames(f.ctx, id, after, limit)
		f.ok(err)
		for _, fr := range got {
			f.same(string(fr.Body), string(frameBody(fr.Seq)))
			seqs = append(seqs, fr.Seq)
		}
		return seqs
	}
	f.same(list(0, 10), []uint64(nil))
	for seq := range uint64(7) {
		f.push(id, seq)
		f.ok(f.Append(f.ctx, "c2", store.Commit{Expect: seq, Frame: []byte("other log")}))
	}
	f.same(list(0, 3), []uint64{1, 2, 3})
	f.same(list(3, 3), []uint64{4, 5, 6})
	f.same(list(6, 3), []uint64{7})
	f.same(list(7, 3), []uint64(nil))
	f.same(list(99, 3), []uint64(nil))
	f.same(list(math.MaxUint64, 3), []uint64(nil))
	f.same(list(5, 0), []uint64{6, 7}) // no limit of the caller's: Page
	f.same(list(5, math.MaxInt), []uint64{6, 7})

	_, err := f.Frames(f.ctx, "nowhere", 0, 1)
	f.fails(err, store.ErrNotFound)
}

func heads(f *fixture) {
	one, two := f.create("c1"), f.create("c2")
	f.create("c3")
	for seq := range uint64(3) {
		f.push(two, seq)
	}
	got, err := f.Heads(f.ctx, []string{one, two, "nowhere", two})
	f.ok(err)
	f.same(got, map[string]uint64{one: 0, two: 3})
	got, err = f.Heads(f.ctx, nil)
	f.ok(err)
	f.same(len(got), 0)
	many := make([]string, store.Page)
	many[store.Page-1] = two
	got, err = f.Heads(f.ctx, many)
	f.ok(err)
	f.same(got, map[string]uint64{two: 3})
	_, err = f.Heads(f.ctx, append(many, two))
	f.fails(err, store.ErrInvalid)
}

// ownership checks that the caller may change the slices it passed in and got.
func ownership(f *fixture) {
	id := f.create("c1")
	body, frame, snap, answer := []byte("body"), []byte("frame"), []byte("state"), []byte("answer")
	r := rec("e1", "")
	r.Body = body
	f.keep(id, r)
	f.ok(f.Append(f.ctx, id, store.Commit{Frame: frame, Event: "e1", Answer: answer, Snapshot: snap}))
	for _, b := range [][]byte{body, frame, snap, answer} {
		clear(b)
	}
	for range 2 {
		h := f.head(id)
		got, err := f.Frames(f.ctx, id, 0, 1)
		f.ok(err)
		prior, err := f.Record(f.ctx, id, r)
		f.ok(err)
		all := [][]byte{prior.Body, got[0].Body, h.Snapshot, prior.Answer}
		f.same(string(slices.Concat(all...)), "bodyframestateanswer")
		for _, b := range all {
			clear(b)
		}
	}
}

func contexts(f *fixture) {
	id := f.create("c1")
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	f.fails(f.Append(ctx, id, store.Commit{Frame: []byte("x")}), context.Canceled)
	_, err := f.Record(ctx, id, rec("e1", ""))
	f.fails(err, context.Canceled)
	_, err = f.Lookup(ctx, id, rec("e1", ""))
	f.fails(err, context.Canceled)
	_, err = f.Open(ctx, id)
	f.fails(err, context.Canceled)
	_, err = f.Frames(ctx, id, 0, 1)
	f.fails(err, context.Canceled)
	f.everyRecordCall(ctx, context.Canceled)
	h := f.head(id)
	f.same([]int{int(h.Seq), len(h.Pending)}, []int{0, 0})
	f.same(f.version("n", "a"), uint64(0))
}

// pings: a store that works says so, and goes on doing it.
func pings(f *fixture) {
	f.ok(f.Ping(f.ctx))
	id := f.create("c1")
	f.push(id, 0)
	f.ok(f.Ping(f.ctx))
	f.same(f.head(id).Seq, uint64(1))
	gone, cancel := context.WithCancel(f.ctx)
	cancel()
	f.fails(f.Ping(gone), context.Canceled)
	f.ok(f.Ping(f.ctx))
}

func closes(f *fixture) {
	id := f.create("c1")
	f.ok(f.Close())
	f.ok(f.Close())
	_, err := f.Open(f.ctx, id)
	f.fails(err, store.ErrClosed)
	_, err = f.Frames(f.ctx, id, 0, 1)
	f.fails(err, store.ErrClosed)
	_, err = f.Record(f.ctx, id, rec("e1", ""))
	f.fails(err, store.ErrClosed)
	f.fails(f.Append(f.ctx, id, store.Commit{Frame: []byte("x")}), store.ErrClosed)
	_, err = f.Lookup(f.ctx, id, rec("e1", ""))
	f.fails(err, store.ErrClosed)
	f.fails(f.Ping(f.ctx), store.ErrClosed)
	f.everyRecordCall(f.ctx, store.ErrClosed)
}
