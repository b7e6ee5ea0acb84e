package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/driver/memory"
	"github.com/limn-ui/limn/store"
)

// machine makes random calls to the store and to the one in memory, which is as simple as
// a store can be: plain slices, searched from the start. The other checks of this package
// hold that one to the contract, and facts that need no model.
type machine struct {
	f      *fixture
	model  store.Store
	prefix string // keeps the conversations of one run apart from other runs'
}

func model(f *fixture) {
	var runs atomic.Int64
	rapid.Check(f.T, func(t *rapid.T) {
		m := &machine{f: f, prefix: fmt.Sprintf("run%d-", runs.Add(1)), model: memory.New()}
		t.Repeat(map[string]func(*rapid.T){
			"create": m.create, "record": m.record, "lookup": m.lookup, "append": m.append, "journal": m.journal,
			"trim": m.trim, "acquire": m.acquire, "release": m.release, "wait": m.wait, "put": m.put, "drop": m.drop,
			"label": m.label, "remove": m.remove,
			"": m.compare,
		})
		if f.su.reopen != nil && runs.Load()%10 == 0 { // opening is slow
			f.Store = f.su.reopen(f.T, f.Store)
			m.compare(t)
		}
	})
}

var portErrors = []error{store.ErrNotFound, store.ErrExists, store.ErrConflict, store.ErrKeyReused, store.ErrInvalid,
	store.ErrTrimmed, store.ErrLeased, store.ErrVersion, store.ErrQueued, store.ErrClosed}

// same makes a call on both stores: they must answer the same, or fail with the same error.
func same[T any](t *rapid.T, m *machine, what string, call func(store.Store) (T, error)) T {
	t.Helper()
	got, err := call(m.f.Store)
	want, wanted := call(m.model)
	for _, e := range portErrors {
		if errors.Is(err, e) != errors.Is(wanted, e) {
			t.Fatalf("%s: error = %v, want %v", what, err, wanted)
		}
	}
	if (err == nil) != (wanted == nil) {
		t.Fatalf("%s: error = %v, want %v", what, err, wanted)
	}
	if d := diff(got, want); d != "" {
		t.Fatalf("%s (-want +got)\n%s", what, d)
	}
	return want
}

// does is same for a call without an answer.
func (m *machine) does(t *rapid.T, what string, call func(store.Store) error) {
	t.Helper()
	same(t, m, what, func(s store.Store) (any, error) { return nil, call(s) })
}

// pick draws a conversation, which may not exist.
func (m *machine) pick(t *rapid.T) string {
	return m.prefix + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "conversation")
}

func (m *machine) node(t *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b"}).Draw(t, "node")
}

// what draws what to lease: the turn or an event.
func (m *machine) what(t *rapid.T) string {
	if rapid.Bool().Draw(t, "an event") {
		return m.event(t)
	}
	return ""
}

func (m *machine) event(t *rapid.T) string {
	return rapid.SampledFrom([]string{"e1", "e2", "e3", "e4", "e5", "e6"}).Draw(t, "event")
}

// draw draws an event for a conversation. No event of another one has the same age, so that
// the order of orphans is sure.
func (m *machine) draw(t *rapid.T, id string) store.Event {
	age := 2 * rapid.IntRange(0, 9).Draw(t, "at")
	if id == m.prefix+"b" {
		age++
	}
	return store.Event{
		ID:   m.event(t),
		Key:  rapid.SampledFrom([]string{"", "", "k1", "k2", "k3"}).Draw(t, "key"),
		Hash: rapid.SampledFrom([]string{"h1", "h1", "h2"}).Draw(t, "hash"),
		Body: rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "body"),
		At:   begin.Add(time.Duration(age) * time.Second).UTC(),
	}
}

func (m *machine) create(t *rapid.T) {
	c := store.Conversation{ID: m.pick(t), Log: "0123456789abcdef", Owner: "o", Created: begin}
	m.does(t, "create", func(s store.Store) error { return s.Create(m.f.ctx, c) })
}

func (m *machine) label(t *rapid.T) {
	id := m.pick(t)
	var l store.Label
	if rapid.Bool().Draw(t, "titled") {
		title := rapid.SampledFrom([]string{"", "t1", "t2\x00"}).Draw(t, "title")
		l.Title = &title
	}
	if rapid.Bool().Draw(t, "put away") {
		archived := rapid.Bool().Draw(t, "archived")
		l.Archived = &archived
	}
	m.does(t, "label", func(s store.Store) error { return s.Label(m.f.ctx, id, l) })
}

func (m *machine) remove(t *rapid.T) {
	id, head := m.pick(t), rapid.Uint64Range(0, 3).Draw(t, "head")
	m.does(t, "remove", func(s store.Store) error { return s.Drop(m.f.ctx, id, head) })
}

func (m *machine) record(t *rapid.T) {
	id := m.pick(t)
	r := m.draw(t, id)
	if rapid.Bool().Draw(t, "leased") {
		r.Node, r.TTL = m.node(t), forever
	}
	same(t, m, "record", func(s store.Store) (*store.Event, error) { return s.Record(m.f.ctx, id, r) })
}

func (m *machine) lookup(t *rapid.T) {
	id := m.pick(t)
	r := m.draw(t, id)
	same(t, m, "lookup", func(s store.Store) (*store.Event, error) { return s.Lookup(m.f.ctx, id, r) })
}

func (m *machine) append(t *rapid.T) {
	id := m.pick(t)
	h, _ := m.model.Open(m.f.ctx, id) // of none the head is 0
	c := m.commit(t, h.Seq, m.draw(t, id))
	m.does(t, "append", func(s store.Store) error { return s.Append(m.f.ctx, id, c) })
}

// commit draws a commit on head that answers nothing, a recorded event, or r as a new event.
func (m *machine) commit(t *rapid.T, head uint64, r store.Event) store.Commit {
	commit := store.Commit{Expect: head, Frame: fmt.Appendf(nil, "frame %d", rapid.IntRange(0, 999).Draw(t, "frame"))}
	if head > 0 && rapid.IntRange(0, 4).Draw(t, "stale") == 0 {
		commit.Expect = rapid.Uint64Range(0, head+1).Draw(t, "expect")
	}
	if rapid.IntRange(0, 2).Draw(t, "with snapshot") == 0 {
		commit.Snapshot = fmt.Appendf(nil, "state %d", commit.Expect+1)
	}
	switch rapid.SampledFrom([]string{"nothing", "recorded", "new"}).Draw(t, "answers") {
	case "recorded":
		commit.Event, commit.Answer = r.ID, []byte("answer")
	case "new":
		commit.Record, commit.Answer = &r, []byte("answer")
	}
	commit.Node = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "node")
	commit.Token = rapid.SampledFrom([]uint64{0, 0, 1, 2, 3}).Draw(t, "token")
	for range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "records") {
		commit.Records = append(commit.Records, m.version(t))
	}
	commit.First = rapid.SampledFrom([]string{"", "f1", "f2\xff"}).Draw(t, "first")
	return commit
}

// version draws a version of a record, nearly always the next one.
func (m *machine) version(t *rapid.T) store.Record {
	id := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "record")
	last, _ := m.model.ReadRecord(m.f.ctx, m.prefix, id, 0) // of none the version is 0
	v := item(m.prefix, id, last.Version+1)
	if rapid.IntRange(0, 3).Draw(t, "stale") == 0 {
		v.Version = rapid.Uint64Range(1, 4).Draw(t, "version")
	}
	v.Terms = []store.Term{{Field: "f", Text: rapid.SampledFrom([]string{"p", "q"}).Draw(t, "text")}}
	return v
}

func (m *machine) put(t *rapid.T) {
	v := m.version(t)
	m.does(t, "put", func(s store.Store) error { return s.PutRecord(m.f.ctx, v) })
}

func (m *machine) drop(t *rapid.T) {
	v := m.version(t)
	m.does(t, "drop", func(s store.Store) error { return s.DropRecord(m.f.ctx, v.Name, v.ID, v.Version-1) }) // 0: any
}

func (m *machine) journal(t *rapid.T) {
	id, event, step := m.pick(t), m.event(t), rapid.IntRange(0, 4).Draw(t, "step")
	same(t, m, "start", func(s store.Store) (int, error) { return s.Start(m.f.ctx, id, event) })
	m.does(t, "note", func(s store.Store) error {
		return s.Note(m.f.ctx, id, event, step, fmt.Appendf(nil, "note %d", step))
	})
	same(t, m, "notes", func(s store.Store) ([][]byte, error) { return s.Notes(m.f.ctx, id, event) })
}

func (m *machine) trim(t *rapid.T) {
	id, upTo := m.pick(t), rapid.Uint64Range(0, 12).Draw(t, "up to")
	same(t, m, "trim", func(s store.Store) (uint64, error) { return s.Trim(m.f.ctx, id, upTo) })
}

func (m *machine) acquire(t *rapid.T) { m.take(t, m.pick(t), m.what(t), m.node(t)) }

func (m *machine) take(t *rapid.T, id, what, node string) store.Lease {
	acquire := func(node string) store.Lease {
		return same(t, m, "acquire", func(s store.Store) (store.Lease, error) {
			l, err := s.Acquire(m.f.ctx, id, what, node, forever)
			l.Left = 0
			return l, err
		})
	}
	l := acquire(node)
	if l.Node != "" {
		if other := acquire("other"); other != l {
			t.Fatalf("%q of %q is leased by %+v and by %+v", what, id, l, other)
		}
	}
	return l
}

func (m *machine) release(t *rapid.T) {
	l := store.Lease{What: m.what(t), Node: m.node(t), Token: rapid.Uint64Range(1, 3).Draw(t, "token")}
	id := m.pick(t)
	m.does(t, "release", func(s store.Store) error { return s.Release(m.f.ctx, id, l) })
}

// wait lets a lease run out.
func (m *machine) wait(t *rapid.T) {
	id, what, node := m.pick(t), m.what(t), m.node(t)
	l := m.take(t, id, what, node)
	if l.Node != node {
		return // another node has it, or no node can have it
	}
	m.does(t, "release", func(s store.Store) error { return s.Release(m.f.ctx, id, l) })
	same(t, m, "wait", func(s store.Store) ([]uint64, error) {
		over, after := (&fixture{T: m.f.T, Store: s, ctx: m.f.ctx}).runOut(id, what, node)
		return []uint64{over.Token, after}, nil
	})
}

// compare runs after every action: both stores must agree.
func (m *machine) compare(t *rapid.T) {
	for _, name := range []string{"a", "b"} {
		id := m.prefix + name
		h := same(t, m, "head", func(s store.Store) (store.Head, error) { return s.Open(m.f.ctx, id) })
		for _, after := range []uint64{h.Floor, max(h.Floor, 1) - 1} {
			frames := same(t, m, "frames", func(s store.Store) ([]store.Frame, error) {
				return s.Frames(m.f.ctx, id, after, 0)
			})
			m.dense(t, h, after, frames)
		}
		m.pending(t, h)
	}
	for _, id := range []string{"x", "y"} {
		versions := same(t, m, "versions", func(s store.Store) ([]store.Record, error) {
			return s.RecordVersions(m.f.ctx, m.prefix, id, 0, 0)
		})
		for i, v := range versions {
			if want := uint64(len(versions) - i); v.Version != want {
				t.Fatalf("version %d of %q is in the place of %d", v.Version, id, want)
			}
		}
	}
	for _, text := range []string{"p", "q"} {
		same(t, m, "found", func(s store.Store) (ids []string, err error) {
			list, _, err := s.FindRecords(m.f.ctx, store.Query{Name: m.prefix,
				Where: []store.Condition{{Field: "f", Op: store.Equal, Text: text}}})
			for _, v := range list {
				ids = append(ids, v.ID)
			}
			slices.Sort(ids)
			return ids, err
		})
	}
	same(t, m, "orphans", func(s store.Store) (ids []string, err error) {
		all, err := s.Orphans(m.f.ctx, 0)
		for _, id := range all {
			if strings.HasPrefix(id, m.prefix) {
				ids = append(ids, id)
			}
		}
		return ids, err
	})
}

// dense checks the frames after a place: from the floor to the head without a gap, and
// none from below the floor.
func (m *machine) dense(t *rapid.T, h store.Head, after uint64, frames []store.Frame) {
	want := h.Seq - h.Floor
	if after < h.Floor {
		want = 0
	}
	if h.Floor > h.SnapshotSeq || h.SnapshotSeq > h.Seq || uint64(len(frames)) != want {
		t.Fatalf("floor %d, snapshot %d, head %d; %d frames after %d",
			h.Floor, h.SnapshotSeq, h.Seq, len(frames), after)
	}
	for i, f := range frames {
		if f.Seq != after+uint64(i)+1 {
			t.Fatalf("frame %d has the number %d, after %d", i, f.Seq, after)
		}
	}
}

// pending checks that each pending event is recorded, and not answered.
func (m *machine) pending(t *rapid.T, h store.Head) {
	for _, e := range h.Pending {
		r := same(t, m, "pending", func(s store.Store) (*store.Event, error) { return s.Lookup(m.f.ctx, h.ID, e) })
		if e.Done || r == nil || r.Done || r.ID != e.ID {
			t.Fatalf("event %q is pending; recorded is %+v", e.ID, r)
		}
	}
}
