package storetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/limn-ui/limn/store"
)

// drops checks that a conversation goes with all that belongs to it, and only when
// nothing is under way in it.
func drops(f *fixture) {
	f.fails(f.Drop(f.ctx, "nowhere", 0), store.ErrNotFound)
	createFull(f, "c1")
	createFull(f, "c2")
	f.ok(f.PutRecord(f.ctx, item("customer", "r1", 1)))
	f.fails(f.Drop(f.ctx, "c1", 3), store.ErrConflict)
	f.fails(f.Drop(f.ctx, "c1", 4), store.ErrQueued)
	f.ok(f.Finish(f.ctx, "c1", "e1/0"))

	turn, err := f.Acquire(f.ctx, "c1", "", "n1", forever)
	f.ok(err)
	f.fails(f.Drop(f.ctx, "c1", 4), store.ErrLeased)
	f.ok(f.Release(f.ctx, "c1", turn))
	event, err := f.Acquire(f.ctx, "c1", "e2", "n1", forever)
	f.ok(err)
	f.fails(f.Drop(f.ctx, "c1", 4), store.ErrLeased)
	f.ok(f.Release(f.ctx, "c1", event))
	f.ok(f.Drop(f.ctx, "c1", 4))
	isGone(f, "c1")

	f.same(f.exported(), []store.Dump{fullDump("c2")})
	kept, err := f.ReadRecord(f.ctx, "customer", "r1", 0)
	f.ok(err)
	f.same(kept.Version, uint64(1))
	isEmpty(f, f.create("c1"))
}

// isGone checks that all that was under way in a conversation finds it gone.
func isGone(f *fixture, id string) {
	f.Helper()
	var errs []error
	try := func(err error) { errs = append(errs, err) }
	_, err := f.Open(f.ctx, id)
	try(err)
	_, err = f.Frames(f.ctx, id, 4, 0)
	try(err)
	_, err = f.Traces(f.ctx, id, 0, 0)
	try(err)
	_, _, err = f.Snapshot(f.ctx, id, 9)
	try(err)
	_, err = f.Record(f.ctx, id, rec("e9", "k9"))
	try(err)
	_, err = f.Lookup(f.ctx, id, rec("e1", "k1"))
	try(err)
	try(f.Append(f.ctx, id, store.Commit{Expect: 4, Frame: frameBody(5), Event: "e2", Node: "n1", Token: 1}))
	try(f.Append(f.ctx, id, store.Commit{Frame: frameBody(1)}))
	_, err = f.Start(f.ctx, id, "e2")
	try(err)
	try(f.Note(f.ctx, id, "e2", 2, []byte("late")))
	_, err = f.Notes(f.ctx, id, "e2")
	try(err)
	try(f.PutBlob(f.ctx, id, store.Blob{ID: "b9", At: begin}))
	_, err = f.Blob(f.ctx, id, "b1")
	try(err)
	_, err = f.Trim(f.ctx, id, 4)
	try(err)
	_, err = f.Acquire(f.ctx, id, "", "n1", forever)
	try(err)
	try(f.Finish(f.ctx, id, "e1/1"))
	try(f.Requeue(f.ctx, id, "e1/1", begin))
	try(f.Label(f.ctx, id, store.Label{}))
	try(f.PutShare(f.ctx, id, shareOf("s", "h", 0)))
	try(f.Drop(f.ctx, id, 4))
	for i, err := range errs {
		if !errors.Is(err, store.ErrNotFound) {
			f.Fatalf("call %d: error = %v, want %v", i, err, store.ErrNotFound)
		}
	}
}

// isEmpty checks that a conversation has nothing of one that had its id.
func isEmpty(f *fixture, id string) {
	f.Helper()
	for _, w := range f.exported() {
		if w.ID == id {
			f.same(w, store.Dump{Conversation: store.Conversation{ID: id, Log: "0123456789abcdef", Owner: "ada",
				Created: utc(0)}})
		}
	}
	shares, err := f.Shares(f.ctx, id, "")
	f.ok(err)
	f.same(len(shares), 0)
	for _, event := range []string{"e1", "e2"} {
		f.keep(id, rec(event, "k1 "+event))
		notes, err := f.Notes(f.ctx, id, event)
		f.ok(err)
		f.same(len(notes), 0)
	}
}

// dropRaces drops conversations while others write to them: the last additions are
// gone as well.
func dropRaces(f *fixture) {
	const rounds = 20
	for round := range rounds {
		id := f.create(fmt.Sprint("drop ", round))
		f.keep(id, rec("e0", ""))
		head := func() uint64 {
			heads, err := f.Heads(f.ctx, []string{id})
			f.check(err)
			return heads[id]
		}
		together(6, func(i int) {
			for step := range 8 {
				var err error
				switch i {
				case 0:
					err = f.Append(f.ctx, id, store.Commit{Expect: head(), Frame: frameBody(1),
						Record: &store.Event{ID: fmt.Sprint("a", step), Hash: "h", At: begin}})
				case 1:
					_, err = f.Record(f.ctx, id, rec(fmt.Sprint("r", step), ""))
				case 2:
					err = f.PutBlob(f.ctx, id, store.Blob{ID: fmt.Sprint("b", step), At: begin})
				case 3:
					err = f.Note(f.ctx, id, "e0", step, []byte("n"))
				case 4:
					err = f.PutShare(f.ctx, id, shareOf(fmt.Sprint("s", step), "h", 0))
				default:
					for begun := time.Now(); time.Since(begun) < time.Minute; {
						if err = f.Drop(f.ctx, id, head()); !errors.Is(err, store.ErrConflict) {
							break
						}
					}
					if step > 0 { // the first has it dropped
						return
					}
				}
				if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrConflict) {
					f.check(err)
				}
			}
		})
		f.same(head(), uint64(0))
		isEmpty(f, f.create(id))
	}
}
