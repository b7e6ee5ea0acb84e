package storetest

import (
	"time"

	"github.com/limn-ui/limn/store"
)

// reopens checks that everything that was acknowledged is still there.
func reopens(f *fixture) {
	if f.su.reopen == nil {
		f.Skip("not durable")
	}
	id := f.create("c1")
	f.keep(id, rec("e1", "k1"))
	f.keep(id, rec("e2", "k2"))
	f.keep(id, rec("e3", ""))
	if j, ok := f.Store.(store.Journal); ok {
		_, err := j.Start(f.ctx, id, "e3")
		f.ok(err)
		f.ok(j.Note(f.ctx, id, "e3", 0, []byte("ask")))
	}
	if b, ok := f.Store.(store.Blobs); ok {
		f.ok(b.PutBlob(f.ctx, id, store.Blob{ID: "b", Body: []byte("file")}))
	}
	f.ok(f.Append(f.ctx, id, store.Commit{
		Frame: frameBody(1), Event: "e2", Answer: []byte("yes"), Snapshot: []byte("state 1"),
		Outbox: []store.Job{{ID: "e2/0", Due: begin}},
	}))
	f.push(id, 1)
	var lease store.Lease
	if l, ok := f.Store.(store.Leases); ok {
		lease = f.take(l, id, "", "a")
	}
	if _, ok := f.Store.(store.Archive); ok {
		full(f, "full")
	}
	before := f.head(id)

	f.Store = f.su.reopen(f.T, f.Store)
	f.same(f.head(id), before)
	got, err := f.Frames(f.ctx, id, 0, 0)
	f.ok(err)
	f.same(got, []store.Frame{{Seq: 1, Body: frameBody(1)}, {Seq: 2, Body: frameBody(2)}})
	prior, err := f.Record(f.ctx, id, rec("e2", "k2"))
	f.ok(err)
	f.same(string(prior.Answer), "yes")
	if j, ok := f.Store.(store.Journal); ok {
		notes, err := j.Notes(f.ctx, id, "e3")
		f.ok(err)
		f.same(notes, [][]byte{[]byte("ask")})
		starts, err := j.Start(f.ctx, id, "e3")
		f.ok(err)
		f.same(starts, 2)
	}
	if b, ok := f.Store.(store.Blobs); ok {
		blob, err := b.Blob(f.ctx, id, "b")
		f.ok(err)
		f.same(string(blob.Body), "file")
	}
	if j, ok := f.Store.(store.Jobs); ok {
		taken, err := j.Take(f.ctx, begin, begin.Add(time.Second), 0)
		f.ok(err)
		f.same(len(taken), 1)
	}
	if l, ok := f.Store.(store.Leases); ok {
		_, err := l.Acquire(f.ctx, id, "", "b", forever)
		f.fails(err, store.ErrLeased)
		f.fails(f.Append(f.ctx, id, store.Commit{Expect: 2, Frame: frameBody(3), Node: "b"}), store.ErrLeased)
		f.ok(l.Release(f.ctx, id, lease))
	}
	if a, ok := f.Store.(store.Archive); ok {
		got := f.exported(a)
		f.same(got[len(got)-1], whole("full"))
	}
	f.push(id, 2) // and it goes on
}
