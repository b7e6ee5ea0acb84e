package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/limn-ui/limn/store"
)

func traces(f *fixture) {
	id := f.create("c1")
	f.create("c2")
	for seq := range uint64(6) {
		c := store.Commit{Expect: seq, Frame: frameBody(seq + 1)}
		if seq%2 == 0 {
			c.Trace = fmt.Appendf(nil, "trace %d", seq+1)
		}
		if seq == 3 {
			c.Snapshot = []byte("state 4")
		}
		f.ok(f.Append(f.ctx, id, c))
	}
	list := func(after uint64, limit int) (seqs []uint64) {
		f.Helper()
		got, err := f.Traces(f.ctx, id, after, limit)
		f.ok(err)
		for _, t := range got {
			f.same(string(t.Body), fmt.Sprint("trace ", t.Seq))
			seqs = append(seqs, t.Seq)
		}
		return seqs
	}
	f.same(list(0, 10), []uint64{1, 3, 5})
	f.same(list(0, 2), []uint64{1, 3})
	f.same(list(1, 0), []uint64{3, 5})
	f.same(list(5, 1), []uint64(nil))
	f.same(list(math.MaxUint64, 1), []uint64(nil))
	_, err := f.Trim(f.ctx, id, 3) // a trace goes with its frame
	f.ok(err)
	f.same(list(0, 10), []uint64{5})
	id = "c2"
	f.same(list(0, 10), []uint64(nil))
	_, err = f.Traces(f.ctx, "nowhere", 0, 1)
	f.fails(err, store.ErrNotFound)
}

// createFull makes a conversation that has something of everything the store can keep.
func createFull(f *fixture, id string) {
	f.Helper()
	f.ok(f.Create(f.ctx, store.Conversation{ID: id, Log: "fedcba9876543210", Owner: "ada", Created: begin,
		Title: "Dinner", First: "add\x00 a guest", Archived: true}))
	f.keep(id, rec("e1", "k1"))
	f.keep(id, rec("e2", ""))
	_, err := f.Start(f.ctx, id, "e2")
	f.ok(err)
	f.ok(f.Note(f.ctx, id, "e2", 0, []byte("ask")))
	f.ok(f.Note(f.ctx, id, "e2", 1, nil))
	saved(f, id, 0, 3, 2)
	f.ok(f.Append(f.ctx, id, store.Commit{
		Expect: 3, Frame: frameBody(4), Event: "e1", Answer: []byte("yes"), Trace: []byte("trace 4"),
		Said:     []byte("said\x00 4"),
		Snapshot: []byte("state 4"),
		Outbox: []store.Job{{ID: "e1/1", Event: "e1", Kind: "hook", Body: []byte("b"), Due: begin.Add(time.Hour)},
			{ID: "e1/0", Due: begin.Add(time.Hour)}},
	}))
	f.ok(f.Kill(f.ctx, id, "e1/1", "410 gone"))
	f.ok(f.PutBlob(f.ctx, id, store.Blob{ID: "b2", Name: "n", Type: "text/plain", Body: []byte("file"), At: begin}))
	f.ok(f.PutBlob(f.ctx, id, store.Blob{ID: "b1", At: begin}))
	_, err = f.Trim(f.ctx, id, 1)
	f.ok(err)
}

// fullDump is what full made.
func fullDump(id string) store.Dump {
	at := utc(0)
	e1, e2 := rec("e1", "k1"), rec("e2", "")
	e1.At, e1.Done, e1.Seq, e1.Answer = at, true, 4, []byte("yes")
	e2.At, e2.Starts = at, 1
	return store.Dump{
		Conversation: store.Conversation{ID: id, Log: "fedcba9876543210", Owner: "ada", Created: at,
			Title: "Dinner", First: "add\x00 a guest", Archived: true},
		Seq: 4, Floor: 1,
		Frames: []store.Frame{{Seq: 2, Body: frameBody(2)}, {Seq: 3, Body: frameBody(3)},
			{Seq: 4, Body: frameBody(4)}},
		Traces:    []store.Frame{{Seq: 4, Body: []byte("trace 4")}},
		Said:      []store.Frame{{Seq: 4, Body: []byte("said\x00 4")}},
		Snapshots: []store.Frame{{Seq: 2, Body: []byte("state 2")}, {Seq: 4, Body: []byte("state 4")}},
		Events:    []store.Event{e1, e2},
		Notes:     map[string][][]byte{"e2": {[]byte("ask"), {}}},
		Jobs: []store.Job{
			{Conversation: id, ID: "e1/0", Due: utc(time.Hour)},
			{Conversation: id, ID: "e1/1", Event: "e1", Kind: "hook", Body: []byte("b"), Due: utc(time.Hour),
				Why: "410 gone"},
		},
		Blobs: []store.Blob{{ID: "b1", At: at},
			{ID: "b2", Name: "n", Type: "text/plain", Body: []byte("file"), At: at}},
	}
}

// exported lists all that the store exports.
func (f *fixture) exported() (all []store.Dump) {
	f.Helper()
	f.ok(f.Export(f.ctx, func(w store.Dump) error { all = append(all, w); return nil }))
	return all
}

func archives(f *fixture) {
	f.same(len(f.exported()), 0)
	createFull(f, "c2")
	f.create("c1")
	createFull(f, "c3")
	empty := store.Dump{Conversation: store.Conversation{ID: "c1", Log: "0123456789abcdef", Owner: "ada",
		Created: utc(0)}}
	f.same(f.exported(), []store.Dump{empty, fullDump("c2"), fullDump("c3")})

	moment(f)
	imports(f)
}

// moment checks that writes during an export are not in it, and are not blocked.
func moment(f *fixture) {
	stop := errors.New("enough")
	calls := 0
	err := f.Export(f.ctx, func(store.Dump) error { calls++; return stop })
	f.fails(err, stop)
	f.same(calls, 1)

	seqs := map[string]uint64{}
	f.ok(f.Export(f.ctx, func(w store.Dump) error {
		seqs[w.ID] = w.Seq
		if len(seqs) > 1 {
			return nil
		}
		f.push("c3", 4)
		f.keep("c1", rec("e1", ""))
		f.create("c4")
		return nil
	}))
	f.same(seqs, map[string]uint64{"c1": 0, "c2": 4, "c3": 4})

	ctx, cancel := context.WithCancel(f.ctx)
	err = f.Export(ctx, func(store.Dump) error { cancel(); return nil })
	f.fails(err, context.Canceled)
}

func imports(f *fixture) {
	in := fullDump("imported")
	f.ok(f.Import(f.ctx, in))
	f.fails(f.Import(f.ctx, in), store.ErrExists)
	all := f.exported()
	f.same(all[slices.IndexFunc(all, func(w store.Dump) bool { return w.ID == "imported" })], in)

	// It goes on as any other: keys are known, its jobs are due, its log grows.
	prior, err := f.Record(f.ctx, "imported", rec("e1", "k1"))
	f.ok(err)
	f.same(string(prior.Answer), "yes")
	f.ok(f.Append(f.ctx, "imported", store.Commit{Expect: 4, Frame: frameBody(5), Event: "e2"}))
	f.same(f.head("imported").SnapshotSeq, uint64(4))
	f.ok(f.Requeue(f.ctx, "imported", "e1/1", begin))

	for name, broken := range map[string]func(*store.Dump){
		"no id":               func(w *store.Dump) { w.ID = "" },
		"no log":              func(w *store.Dump) { w.Log = "" },
		"a frame is missing":  func(w *store.Dump) { w.Frames = slices.Delete(w.Frames, 1, 2) },
		"no last frame":       func(w *store.Dump) { w.Frames = w.Frames[:2] },
		"head too large":      func(w *store.Dump) { w.Seq, w.Floor = math.MaxUint64, math.MaxUint64-3 },
		"empty frame":         func(w *store.Dump) { w.Frames[0].Body = nil },
		"said by nothing":     func(w *store.Dump) { w.Said[0].Seq = 9 },
		"trace of nothing":    func(w *store.Dump) { w.Traces[0].Seq = 9 },
		"nothing to start on": func(w *store.Dump) { w.Snapshots = nil },
		"snapshot ahead":      func(w *store.Dump) { w.Snapshots[1].Seq = 5 },
		"snapshots in order":  func(w *store.Dump) { slices.Reverse(w.Snapshots) },
		"event twice":         func(w *store.Dump) { w.Events[1].ID = "e1" },
		"key twice":           func(w *store.Dump) { w.Events[1].Key = "k1" },
		"answered by nothing": func(w *store.Dump) { w.Events[0].Seq = 5 },
		"pending with answer": func(w *store.Dump) { w.Events[1].Answer = []byte("x") },
		"notes of nothing":    func(w *store.Dump) { w.Notes = map[string][][]byte{"e9": nil} },
		"job without id":      func(w *store.Dump) { w.Jobs[0].ID = "" },
		"job twice":           func(w *store.Dump) { w.Jobs[1].ID = "e1/0" },
		"file without id":     func(w *store.Dump) { w.Blobs[0].ID = "" },
		"file twice":          func(w *store.Dump) { w.Blobs[1].ID = "b1" },
	} {
		w := fullDump("broken")
		broken(&w)
		if err := f.Import(f.ctx, w); !errors.Is(err, store.ErrInvalid) {
			f.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	_, err = f.Open(f.ctx, "broken")
	f.fails(err, store.ErrNotFound)
}

// waiting checks how many jobs wait, and when the first is due.
func (f *fixture) waiting(count int, due time.Time) {
	f.Helper()
	n, next, err := f.Waiting(f.ctx)
	f.ok(err)
	f.same(n, count)
	f.same(next.Equal(due), true)
}

// deadLetterPages reads a list of three page by page.
func deadLetterPages(f *fixture, list []store.Job) {
	for _, page := range []struct{ skip, limit, from, to int }{{0, 1, 0, 1}, {1, 1, 1, 2}, {1, 0, 1, 3}, {2, 5, 2, 3},
		{3, 1, 0, 0}, {9, 0, 0, 0}} {
		some, err := f.DeadLetters(f.ctx, page.skip, page.limit)
		f.ok(err)
		f.same(append([]store.Job{}, some...), append([]store.Job{}, list[page.from:page.to]...))
	}
}

func deadLetters(f *fixture) {
	f.waiting(0, time.Time{})
	id := f.create("c1")
	f.create("c2")
	job := func(name string) store.Job {
		return store.Job{ID: name, Event: "e", Kind: "hook", Body: []byte(name), Due: begin}
	}
	f.ok(f.Append(f.ctx, id, store.Commit{Frame: frameBody(1), Outbox: []store.Job{job("a"), job("b"), job("c")}}))
	f.ok(f.Append(f.ctx, "c2", store.Commit{Frame: frameBody(1), Outbox: []store.Job{job("a")}}))
	take := func(at time.Duration) (names []string) {
		f.Helper()
		got, err := f.Take(f.ctx, begin.Add(at), begin.Add(at+time.Second), 0)
		f.ok(err)
		for _, t := range got {
			names = append(names, fmt.Sprintf("%s/%s/%d", t.Conversation, t.ID, t.Tries))
		}
		return names
	}
	f.same(len(take(0)), 4)
	f.ok(f.Kill(f.ctx, id, "b", "410 gone"))
	f.ok(f.Kill(f.ctx, "c2", "a", "tried 8 times"))
	f.ok(f.Kill(f.ctx, id, "a", "no such host"))
	f.same(take(time.Minute), []string{"c1/c/2"})

	want := func(id, name, why string) store.Job {
		b := job(name)
		b.Conversation, b.Tries, b.Why, b.Due = id, 1, why, utc(time.Second)
		return b
	}
	list, err := f.DeadLetters(f.ctx, 0, 0)
	f.ok(err)
	f.same(list, []store.Job{want(id, "b", "410 gone"), want("c2", "a", "tried 8 times"),
		want(id, "a", "no such host")})
	deadLetterPages(f, list)
	f.waiting(1, begin.Add(time.Minute+time.Second)) // c, which is leased

	// A worker that comes late changes nothing but by its success.
	f.fails(f.Kill(f.ctx, id, "a", "again"), store.ErrNotFound)
	f.fails(f.Retry(f.ctx, id, "a", begin), store.ErrNotFound)
	f.ok(f.Finish(f.ctx, id, "a"))
	f.fails(f.Requeue(f.ctx, id, "a", begin), store.ErrNotFound)

	again := store.Commit{Expect: 1, Frame: frameBody(2), Outbox: []store.Job{job("b")}}
	f.fails(f.Append(f.ctx, id, again), store.ErrInvalid) // its id is taken still
	f.fails(f.Requeue(f.ctx, id, "c", begin), store.ErrNotFound)
	f.ok(f.Requeue(f.ctx, id, "b", begin.Add(time.Hour)))
	f.waiting(2, begin.Add(time.Minute+time.Second))
	f.ok(f.Retry(f.ctx, id, "b", begin.Add(time.Second)))
	f.waiting(2, begin.Add(time.Second))
	f.ok(f.Retry(f.ctx, id, "b", begin.Add(time.Hour)))
	f.fails(f.Requeue(f.ctx, id, "b", begin), store.ErrNotFound)
	f.same(take(time.Hour), []string{"c1/c/3", "c1/b/1"})
	list, err = f.DeadLetters(f.ctx, 0, 0)
	f.ok(err)
	f.same(list, []store.Job{want("c2", "a", "tried 8 times")})

	f.fails(f.Kill(f.ctx, id, "z", "why"), store.ErrNotFound)
	f.fails(f.Kill(f.ctx, "nowhere", "a", "why"), store.ErrNotFound)
	f.fails(f.Kill(f.ctx, id, "b", ""), store.ErrInvalid)
}

func usages(f *fixture) {
	usage := func(owner string, conversations int, bytes int64) {
		f.Helper()
		got, err := f.Usage(f.ctx, owner)
		f.ok(err)
		f.same(got, store.Usage{Conversations: conversations, Bytes: bytes})
	}
	usage("ada", 0, 0)
	one, two := f.create("c1"), f.create("c2")
	f.ok(f.Create(f.ctx, store.Conversation{ID: "c3", Log: "0123456789abcdef", Owner: "bob"}))
	usage("ada", 2, 0)
	f.ok(f.PutBlob(f.ctx, one, store.Blob{ID: "a", Body: make([]byte, 10_000)}))
	f.ok(f.PutBlob(f.ctx, one, store.Blob{ID: "b"}))
	f.ok(f.PutBlob(f.ctx, two, store.Blob{ID: "a", Body: make([]byte, 7)}))
	f.ok(f.PutBlob(f.ctx, "c3", store.Blob{ID: "a", Body: make([]byte, 5)}))
	usage("ada", 2, 10_007)
	usage("bob", 1, 5)
}
