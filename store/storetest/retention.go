package storetest

import (
	"fmt"
	"math"
	"time"

	"github.com/limn-ui/limn/store"
)

// saved appends frames from expect+1 to n, with a snapshot at each of at.
func saved(f *fixture, id string, expect, n uint64, at ...uint64) {
	f.Helper()
	for seq := expect + 1; seq <= n; seq++ {
		c := store.Commit{Expect: seq - 1, Frame: frameBody(seq)}
		for _, a := range at {
			if a == seq {
				c.Snapshot = fmt.Appendf(nil, "state %d", seq)
			}
		}
		f.ok(f.Append(f.ctx, id, c))
	}
}

func snapshots(f *fixture) {
	id := f.create("c1")
	at := func(seq, want uint64) {
		f.Helper()
		got, body, err := f.Snapshot(f.ctx, id, seq)
		f.ok(err)
		f.same(got, want)
		f.same(string(body), fmt.Sprintf("state %d", want))
	}
	_, _, err := f.Snapshot(f.ctx, id, 5)
	f.fails(err, store.ErrNotFound)
	saved(f, id, 0, 8, 3, 6)
	at(3, 3)
	at(5, 3)
	at(6, 6)
	at(math.MaxUint64, 6)
	_, _, err = f.Snapshot(f.ctx, id, 2)
	f.fails(err, store.ErrNotFound)

	saved(f, id, 8, 10, 9)
	at(8, 6) // the last two are kept
	at(9, 9)
	h := f.head(id)
	f.same(h.SnapshotSeq, uint64(9))
	f.same(string(h.Snapshot), "state 9")
}

func retention(f *fixture) {
	trims(f)
	forgets(f)

	for i, owner := range []string{"bob", "bob", "eve", "bob"} {
		f.ok(f.Create(f.ctx, store.Conversation{
			ID: fmt.Sprint("list", i), Log: "0123456789abcdef", Owner: owner,
			Created: begin.Add(time.Duration(i/2) * time.Second), // 0 and 1 tie: by id
		}))
	}
	owned := func(owner string, after store.Conversation, limit int) (ids []string) {
		f.Helper()
		got, err := f.Owned(f.ctx, owner, false, after, limit)
		f.ok(err)
		for _, c := range got {
			f.same(c.Log+c.Owner, "0123456789abcdef"+owner)
			ids = append(ids, c.ID)
		}
		return ids
	}
	first := store.Conversation{}
	f.same(owned("bob", first, 10), []string{"list3", "list1", "list0"})
	f.same(owned("bob", first, 2), []string{"list3", "list1"})
	f.same(owned("nobody", first, 2), []string(nil))

	newest := func(before string, limit int) (ids []string) {
		f.Helper()
		got, err := f.Newest(f.ctx, before, limit)
		f.ok(err)
		for _, c := range got {
			f.same(c, f.head(c.ID).Conversation)
			ids = append(ids, c.ID)
		}
		return ids
	}
	f.ok(f.Create(f.ctx, store.Conversation{ID: "zz", Log: "0123456789abcdef", Owner: "eve", Title: "T",
		Archived: true}))
	f.same(newest("", 1), []string{"zz"})
	f.same(newest("list4", 3), []string{"list3", "list2", "list1"})
	f.same(newest("list1", 1), []string{"list0"})
	f.same(newest("!", 10), []string(nil))

	at := func(seconds int, id string) store.Conversation {
		return store.Conversation{ID: id, Created: begin.Add(time.Duration(seconds) * time.Second)}
	}
	f.same(owned("bob", at(1, "list3"), 10), []string{"list1", "list0"})
	f.same(owned("bob", at(0, "list1"), 10), []string{"list0"})
	f.same(owned("bob", at(0, "list0"), 10), []string(nil))
	f.same(owned("bob", at(1, "list2"), 1), []string{"list1"}) // another owner's, or one that is gone, is a place too
}

func trims(f *fixture) {
	id := f.create("trim")
	trim := func(upTo, want uint64) {
		f.Helper()
		floor, err := f.Trim(f.ctx, id, upTo)
		f.ok(err)
		f.same(floor, want)
		f.same(f.head(id).Floor, want)
	}
	saved(f, id, 0, 4)
	trim(4, 0) // without a snapshot nothing may go
	saved(f, id, 4, 10, 5, 8)
	trim(2, 2)
	trim(1, 2) // never back
	_, err := f.Frames(f.ctx, id, 1, 10)
	f.fails(err, store.ErrTrimmed)
	got, err := f.Frames(f.ctx, id, 2, 1)
	f.ok(err)
	f.same(got, []store.Frame{{Seq: 3, Body: frameBody(3)}})

	trim(math.MaxUint64, 8) // up to the newest snapshot
	got, err = f.Frames(f.ctx, id, 8, 10)
	f.ok(err)
	f.same(len(got), 2)
	_, _, err = f.Snapshot(f.ctx, id, 7) // useless without frame 6
	f.fails(err, store.ErrNotFound)
	h := f.head(id)
	f.same([]any{h.Seq, string(h.Snapshot)}, []any{uint64(10), "state 8"})

	saved(f, id, 10, 11, 11)
	trim(11, 11) // everything: the log goes on from its number
	_, err = f.Frames(f.ctx, id, 10, 10)
	f.fails(err, store.ErrTrimmed)
	got, err = f.Frames(f.ctx, id, 11, 10)
	f.ok(err)
	f.same(len(got), 0)
	f.push(id, 11)
	f.same(f.head(id).Seq, uint64(12))
	_, err = f.Trim(f.ctx, "nowhere", 1)
	f.fails(err, store.ErrNotFound)
}

func forgets(f *fixture) {
	id := f.create("forget")
	for i := range 5 {
		r := rec(fmt.Sprint("e", i), fmt.Sprint("k", i))
		r.At = begin.Add(time.Duration(i) * time.Hour)
		f.keep(id, r)
		f.ok(f.Note(f.ctx, id, r.ID, 0, []byte("n")))
		if i > 0 { // e0 stays pending
			f.ok(f.Append(f.ctx, id, store.Commit{Expect: uint64(i - 1), Frame: frameBody(uint64(i)), Event: r.ID}))
		}
	}
	forget := func(before time.Duration, limit, want int) {
		f.Helper()
		n, err := f.Forget(f.ctx, begin.Add(before), limit)
		f.ok(err)
		f.same(n, want)
	}
	forget(2*time.Hour, 10, 1) // e1 only: e2 is not before
	forget(2*time.Hour, 10, 0)
	forget(24*time.Hour, 1, 1)
	forget(24*time.Hour, 0, 2) // no limit of the caller's: ForgetMax

	f.same(len(f.head(id).Pending), 1)
	for i, known := range []bool{true, false, false, false, false} {
		r := rec(fmt.Sprint("e", i), fmt.Sprint("k", i))
		found, err := f.Lookup(f.ctx, id, r)
		f.ok(err)
		f.same(found != nil, known)
		prior, err := f.Record(f.ctx, id, r)
		f.ok(err)
		f.same(prior != nil, known)
		if !known {
			notes, err := f.Notes(f.ctx, id, fmt.Sprint("e", i))
			f.ok(err)
			f.same(len(notes), 0)
		}
	}
}
