package storetest

import (
	"fmt"
	"time"

	"github.com/limn-ui/limn/store"
)

func journal(f *fixture) {
	id := f.create("c1")
	f.keep(id, rec("e1", ""))
	f.keep(id, rec("e2", ""))

	for want := 1; want <= 3; want++ {
		starts, err := f.Start(f.ctx, id, "e1")
		f.ok(err)
		f.same(starts, want)
	}
	f.same(f.head(id).Pending[0].Starts, 3)
	f.same(f.head(id).Pending[1].Starts, 0)

	notes := func(event string) (list []string) {
		f.Helper()
		got, err := f.Notes(f.ctx, id, event)
		f.ok(err)
		for _, n := range got {
			list = append(list, string(n))
		}
		return list
	}
	f.same(notes("e1"), []string(nil))
	f.ok(f.Note(f.ctx, id, "e1", 0, []byte("ask")))
	f.ok(f.Note(f.ctx, id, "e1", 1, []byte("reply")))
	f.ok(f.Note(f.ctx, id, "e1", 2, nil))
	f.ok(f.Note(f.ctx, id, "e2", 0, []byte("other")))
	f.fails(f.Note(f.ctx, id, "e1", 1, []byte("twice")), store.ErrExists)
	f.fails(f.Note(f.ctx, id, "e1", 4, []byte("gap")), store.ErrInvalid)
	f.fails(f.Note(f.ctx, id, "e1", -1, []byte("gap")), store.ErrInvalid)
	f.same(notes("e1"), []string{"ask", "reply", ""})
	f.same(notes("e2"), []string{"other"})

	f.ok(f.Append(f.ctx, id, store.Commit{Frame: frameBody(1), Event: "e1"}))
	_, err := f.Start(f.ctx, id, "e1")
	f.fails(err, store.ErrConflict)
	f.fails(f.Note(f.ctx, id, "e1", 3, nil), store.ErrConflict)
	f.same(notes("e1"), []string{"ask", "reply", ""})

	for _, at := range [][2]string{{id, "e9"}, {"nowhere", "e1"}} {
		_, err := f.Start(f.ctx, at[0], at[1])
		f.fails(err, store.ErrNotFound)
		_, err = f.Notes(f.ctx, at[0], at[1])
		f.fails(err, store.ErrNotFound)
		f.fails(f.Note(f.ctx, at[0], at[1], 0, nil), store.ErrNotFound)
	}
}

func blobs(f *fixture) {
	id := f.create("c1")
	f.create("c2")
	in := store.Blob{ID: "b1", Name: "ü.png", Type: "image/png", Body: []byte{0, 1, 255}, At: begin}
	f.ok(f.PutBlob(f.ctx, id, in))
	f.fails(f.PutBlob(f.ctx, id, store.Blob{ID: "b1", Body: []byte("other")}), store.ErrExists)
	f.ok(f.PutBlob(f.ctx, id, store.Blob{ID: "empty", At: begin}))

	got, err := f.Blob(f.ctx, id, "b1")
	f.ok(err)
	in.At = utc(0)
	f.same(got, in)
	got, err = f.Blob(f.ctx, id, "empty")
	f.ok(err)
	f.same(len(got.Body), 0)

	for _, at := range [][2]string{{id, "b9"}, {"c2", "b1"}, {"nowhere", "b1"}} {
		_, err := f.Blob(f.ctx, at[0], at[1])
		f.fails(err, store.ErrNotFound)
	}
	f.fails(f.PutBlob(f.ctx, "nowhere", in), store.ErrNotFound)
	f.fails(f.PutBlob(f.ctx, id, store.Blob{}), store.ErrInvalid)

	f.ok(f.PutBlob(f.ctx, "c2", in))
	f.ok(f.DropBlob(f.ctx, id, "b1"))
	_, err = f.Blob(f.ctx, id, "b1")
	f.fails(err, store.ErrNotFound)
	for _, at := range [][2]string{{"c2", "b1"}, {id, "empty"}} { // others stay
		_, err := f.Blob(f.ctx, at[0], at[1])
		f.ok(err)
	}
	for _, at := range [][2]string{{id, "b1"}, {id, "b9"}, {"nowhere", "b1"}} {
		f.ok(f.DropBlob(f.ctx, at[0], at[1]))
	}
	f.ok(f.PutBlob(f.ctx, id, in)) // its name is free again
}

func jobs(f *fixture) {
	id, other := f.create("c1"), f.create("c2")
	job := func(name string, due time.Duration) store.Job {
		return store.Job{ID: name, Event: "e", Kind: "hook", Body: []byte(name), Due: begin.Add(due), Tries: 7}
	}
	f.ok(f.Append(f.ctx, id, store.Commit{Frame: frameBody(1),
		Outbox: []store.Job{job("late", time.Second), job("a", 0), job("b", 0)}}))
	f.ok(f.Append(f.ctx, other, store.Commit{Frame: frameBody(1), Outbox: []store.Job{job("a", -time.Second)}}))

	take := func(at, until time.Duration, limit int) (names []string) {
		f.Helper()
		got, err := f.Take(f.ctx, begin.Add(at), begin.Add(until), limit)
		f.ok(err)
		for _, g := range got {
			f.same(g, store.Job{Conversation: g.Conversation, ID: g.ID, Event: "e", Kind: "hook", Body: []byte(g.ID),
				Due: utc(until), Tries: g.Tries})
			names = append(names, fmt.Sprintf("%s/%s/%d", g.Conversation, g.ID, g.Tries))
		}
		return names
	}
	f.same(take(-time.Minute, time.Minute, 10), []string(nil))
	f.same(take(0, time.Minute, 2), []string{"c2/a/1", "c1/a/1"}) // longest due first
	f.same(take(0, time.Minute, 10), []string{"c1/b/1"})          // the others are leased
	f.same(take(0, time.Minute, 10), []string(nil))

	f.ok(f.Finish(f.ctx, id, "a"))
	f.fails(f.Finish(f.ctx, id, "a"), store.ErrNotFound)
	f.fails(f.Retry(f.ctx, id, "a", begin), store.ErrNotFound)
	f.fails(f.Finish(f.ctx, "nowhere", "a"), store.ErrNotFound)
	f.ok(f.Retry(f.ctx, id, "b", begin.Add(2*time.Second)))
	f.same(take(2*time.Second, time.Hour, 10), []string{"c1/late/1", "c1/b/2"})
	f.same(take(time.Minute, time.Hour, 10), []string{"c2/a/2"}) // its lease ran out

	// An id is free again when its job is gone.
	f.ok(f.Append(f.ctx, id, store.Commit{Expect: 1, Frame: frameBody(2), Outbox: []store.Job{job("a", 0)}}))
	twice := store.Commit{Expect: 2, Frame: frameBody(3), Outbox: []store.Job{job("x", 0), job("x", 0)}}
	f.fails(f.Append(f.ctx, id, twice), store.ErrInvalid)
}
