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
	_, err := f.Start(f.ctx, id, "e3")
	f.ok(err)
	f.ok(f.Note(f.ctx, id, "e3", 0, []byte("ask")))
	f.ok(f.PutBlob(f.ctx, id, store.Blob{ID: "b", Body: []byte("file")}))
	f.ok(f.Append(f.ctx, id, store.Commit{
		Frame: frameBody(1), Event: "e2", Answer: []byte("yes"), Snapshot: []byte("state 1"),
		Outbox: []store.Job{{ID: "e2/0", Due: begin}},
	}))
	f.push(id, 1)
	red := store.Term{Field: "colour", Text: "red"}
	f.put(item("n", "a", 1), item("n", "a", 2, red))
	records := f.exportedRecords()
	lease := f.take(id, "", "a")
	createFull(f, "full")
	before := f.head(id)

	f.Store = f.su.reopen(f.T, f.Store)
	f.same(f.head(id), before)
	got, err := f.Frames(f.ctx, id, 0, 0)
	f.ok(err)
	f.same(got, []store.Frame{{Seq: 1, Body: frameBody(1)}, {Seq: 2, Body: frameBody(2)}})
	prior, err := f.Record(f.ctx, id, rec("e2", "k2"))
	f.ok(err)
	f.same(string(prior.Answer), "yes")
	notes, err := f.Notes(f.ctx, id, "e3")
	f.ok(err)
	f.same(notes, [][]byte{[]byte("ask")})
	starts, err := f.Start(f.ctx, id, "e3")
	f.ok(err)
	f.same(starts, 2)
	blob, err := f.Blob(f.ctx, id, "b")
	f.ok(err)
	f.same(string(blob.Body), "file")
	taken, err := f.Take(f.ctx, begin, begin.Add(time.Second), 0)
	f.ok(err)
	f.same(len(taken), 1)
	_, err = f.Acquire(f.ctx, id, "", "b", forever)
	f.fails(err, store.ErrLeased)
	f.fails(f.Append(f.ctx, id, store.Commit{Expect: 2, Frame: frameBody(3), Node: "b"}), store.ErrLeased)
	f.ok(f.Release(f.ctx, id, lease))
	all := f.exported()
	f.same(all[len(all)-1], fullDump("full"))
	f.push(id, 2) // and it goes on
	f.same(f.exportedRecords(), records)
	f.put(item("n", "a", 3, red))
	f.same(f.found(store.Query{Name: "n", Where: []store.Condition{{Field: "colour", Op: store.Prefix, Text: "r"}}}),
		[]string{"a"})
}
