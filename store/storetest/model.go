package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/store"
)

// machine runs random calls against the store and against a model that is as
// simple as it can be: plain slices, searched from the start.
type machine struct {
	f      *fixture
	prefix string // keeps the conversations of one run apart from other runs'
	convs  map[string]*modelConv
	saved  map[string][]store.Record // the versions of a record by its id; all have the name prefix
}

type modelConv struct {
	store.Conversation
	frames  []string // frames[i] has seq i+1, trimmed or not
	floor   uint64
	snaps   []uint64 // seqs of all snapshots ever made
	records []store.Event
	notes   map[string][]string
	leases  map[string]store.Lease // by Lease.What; Node "": free
}

func model(f *fixture) {
	var runs atomic.Int64
	rapid.Check(f.T, func(t *rapid.T) {
		m := &machine{f: f, prefix: fmt.Sprintf("run%d-", runs.Add(1)), convs: map[string]*modelConv{},
			saved: map[string][]store.Record{}}
		actions := map[string]func(*rapid.T){
			"create": m.create, "record": m.record, "lookup": m.lookup, "append": m.append, "journal": m.journal,
			"trim": m.trim, "acquire": m.acquire, "release": m.release, "wait": m.wait, "put": m.put, "drop": m.drop,
			"label": m.label, "remove": m.remove,
			"": m.compare,
		}
		t.Repeat(actions)
		if f.su.reopen != nil && runs.Load()%10 == 0 { // opening is slow
			f.Store = f.su.reopen(f.T, f.Store)
			m.compare(t)
		}
	})
}

// pick draws a conversation, which may not exist; its model is nil then.
func (m *machine) pick(t *rapid.T) (id string, c *modelConv) {
	id = m.prefix + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "conversation")
	return id, m.convs[id]
}

func (m *machine) create(t *rapid.T) {
	id, c := m.pick(t)
	conv := store.Conversation{ID: id, Log: "0123456789abcdef", Owner: "o", Created: begin}
	err := m.f.Create(m.f.ctx, conv)
	if c != nil {
		expect(t, err, store.ErrExists)
		return
	}
	expect(t, err, nil)
	conv.Created = utc(0)
	m.convs[id] = &modelConv{Conversation: conv, notes: map[string][]string{}, leases: map[string]store.Lease{}}
}

func (m *machine) label(t *rapid.T) {
	id, c := m.pick(t)
	var l store.Label
	if rapid.Bool().Draw(t, "titled") {
		title := rapid.SampledFrom([]string{"", "t1", "t2\x00"}).Draw(t, "title")
		l.Title = &title
	}
	if rapid.Bool().Draw(t, "put away") {
		archived := rapid.Bool().Draw(t, "archived")
		l.Archived = &archived
	}
	err := m.f.Label(m.f.ctx, id, l)
	if c == nil {
		expect(t, err, store.ErrNotFound)
		return
	}
	expect(t, err, nil)
	if l.Title != nil {
		c.Title = *l.Title
	}
	if l.Archived != nil {
		c.Archived = *l.Archived
	}
}

func (m *machine) remove(t *rapid.T) {
	id, c := m.pick(t)
	expected := rapid.Uint64Range(0, 3).Draw(t, "head")
	err := m.f.Drop(m.f.ctx, id, expected)
	if c == nil {
		expect(t, err, store.ErrNotFound)
		return
	}
	leased := c.leases[""].Node != ""
	for _, r := range c.records {
		leased = leased || !r.Done && c.leases[r.ID].Node != ""
	}
	switch {
	case expected != uint64(len(c.frames)):
		expect(t, err, store.ErrConflict)
	case leased:
		expect(t, err, store.ErrLeased)
	default:
		expect(t, err, nil)
		delete(m.convs, id)
	}
}

func (m *machine) draw(t *rapid.T) store.Event {
	return store.Event{
		ID:   rapid.SampledFrom([]string{"e1", "e2", "e3", "e4", "e5", "e6"}).Draw(t, "event"),
		Key:  rapid.SampledFrom([]string{"", "", "k1", "k2", "k3"}).Draw(t, "key"),
		Hash: rapid.SampledFrom([]string{"h1", "h1", "h2"}).Draw(t, "hash"),
		Body: rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "body"),
		At:   begin.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "at")) * time.Second).UTC(),
	}
}

func (c *modelConv) known(r store.Event) *store.Event {
	for _, same := range []func(store.Event) bool{
		func(o store.Event) bool { return r.Key != "" && o.Key == r.Key },
		func(o store.Event) bool { return o.ID == r.ID },
	} {
		if i := slices.IndexFunc(c.records, same); i >= 0 {
			return &c.records[i]
		}
	}
	return nil
}

func (m *machine) record(t *rapid.T) {
	id, c := m.pick(t)
	r := m.draw(t)
	leased := r
	if rapid.Bool().Draw(t, "leased") {
		leased.Node, leased.TTL = m.node(t), forever
	}
	prior, err := m.f.Record(m.f.ctx, id, leased)
	if c == nil {
		expect(t, err, store.ErrNotFound)
		return
	}
	known := c.known(r)
	equal(t, "prior", prior, known)
	switch {
	case known == nil:
		expect(t, err, nil)
		c.records = append(c.records, r)
		if leased.Node != "" {
			c.leases[r.ID] = store.Lease{Node: leased.Node, Token: 1}
		}
	case known.Hash != r.Hash:
		expect(t, err, store.ErrKeyReused)
	default:
		expect(t, err, nil)
	}
}

func (m *machine) lookup(t *rapid.T) {
	id, c := m.pick(t)
	r := m.draw(t)
	prior, err := m.f.Lookup(m.f.ctx, id, r)
	if c == nil {
		expect(t, err, store.ErrNotFound)
		return
	}
	known := c.known(r)
	equal(t, "record", prior, known)
	if known != nil && known.Hash != r.Hash {
		expect(t, err, store.ErrKeyReused)
		return
	}
	expect(t, err, nil)
}

func (m *machine) append(t *rapid.T) {
	id, c := m.pick(t)
	head := uint64(0)
	if c != nil {
		head = uint64(len(c.frames))
	}
	r := m.draw(t)
	answers := rapid.SampledFrom([]string{"nothing", "recorded", "new"}).Draw(t, "answers")
	commit := m.commit(t, head, r, answers)
	err := m.f.Append(m.f.ctx, id, commit)
	if c == nil {
		expect(t, err, store.ErrNotFound)
		return
	}
	i := slices.IndexFunc(c.records, func(o store.Event) bool { return o.ID == r.ID })
	want := m.refusal(c, commit, head, i)
	expect(t, err, want)
	if want != nil {
		return
	}
	m.save(commit.Records...)
	c.frames = append(c.frames, string(commit.Frame))
	c.First = cmp.Or(c.First, commit.First)
	if answers == "new" {
		c.records = append(c.records, r)
		i = len(c.records) - 1
	}
	if answers != "nothing" {
		a := &c.records[i]
		a.Done, a.Seq, a.Answer = true, head+1, []byte("answer")
		delete(c.leases, r.ID)
	}
	if commit.Snapshot != nil {
		c.snaps = append(c.snaps, head+1)
	}
}

// commit draws a commit on head that answers nothing, the recorded event r, or r as a
// new event.
func (m *machine) commit(t *rapid.T, head uint64, r store.Event, answers string) store.Commit {
	commit := store.Commit{Expect: head, Frame: fmt.Appendf(nil, "frame %d", rapid.IntRange(0, 999).Draw(t, "frame"))}
	if head > 0 && rapid.IntRange(0, 4).Draw(t, "stale") == 0 {
		commit.Expect = rapid.Uint64Range(0, head+1).Draw(t, "expect")
	}
	if rapid.IntRange(0, 2).Draw(t, "with snapshot") == 0 {
		commit.Snapshot = fmt.Appendf(nil, "state %d", commit.Expect+1)
	}
	switch answers {
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

// refusal returns the error that an append must give; nil if it must succeed. i is the
// index of the event it answers, -1 if that is not recorded.
func (m *machine) refusal(c *modelConv, commit store.Commit, head uint64, i int) error {
	recorded := commit.Event != ""
	switch {
	case commit.Record != nil && c.known(*commit.Record) != nil:
		return store.ErrExists
	case commit.Expect != head:
		return store.ErrConflict
	case recorded && i < 0:
		return store.ErrNotFound
	case recorded && c.records[i].Done:
		return store.ErrConflict
	case c.leased("", commit.Node),
		commit.Token != 0 && (c.leases[""].Node != commit.Node || c.leases[""].Token != commit.Token ||
			commit.Node == ""),
		recorded && c.leased(commit.Event, commit.Node):
		return store.ErrLeased
	case !m.follows(commit.Records...):
		return store.ErrVersion
	}
	return nil
}

// version draws a version of a record, nearly always the next one.
func (m *machine) version(t *rapid.T) store.Record {
	id := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "record")
	v := item(m.prefix, id, uint64(len(m.saved[id])+1))
	if rapid.IntRange(0, 3).Draw(t, "stale") == 0 {
		v.Version = rapid.Uint64Range(1, 4).Draw(t, "version")
	}
	v.Terms = []store.Term{{Field: "f", Text: rapid.SampledFrom([]string{"p", "q"}).Draw(t, "text")}}
	return v
}

func (m *machine) follows(list ...store.Record) bool {
	head := map[string]uint64{}
	for _, v := range list {
		if v.Version != uint64(len(m.saved[v.ID]))+head[v.ID]+1 {
			return false
		}
		head[v.ID]++
	}
	return true
}

func (m *machine) save(list ...store.Record) {
	for _, v := range list {
		m.saved[v.ID] = append(m.saved[v.ID], v)
	}
}

func (m *machine) put(t *rapid.T) {
	v := m.version(t)
	err := m.f.PutRecord(m.f.ctx, v)
	if !m.follows(v) {
		expect(t, err, store.ErrVersion)
		return
	}
	expect(t, err, nil)
	m.save(v)
}

func (m *machine) drop(t *rapid.T) {
	v := m.version(t)
	err := m.f.DropRecord(m.f.ctx, v.Name, v.ID, v.Version-1) // 0: any
	switch newest := len(m.saved[v.ID]); {
	case newest == 0:
		expect(t, err, store.ErrNotFound)
	case v.Version > 1 && v.Version-1 != uint64(newest):
		expect(t, err, store.ErrVersion)
	default:
		expect(t, err, nil)
		delete(m.saved, v.ID)
	}
}

// compareRecords compares all versions, and the answers to queries.
func (m *machine) compareRecords(t *rapid.T) {
	for _, id := range []string{"x", "y"} {
		got, err := m.f.RecordVersions(m.f.ctx, m.prefix, id, 0, 0)
		expect(t, err, nil)
		equal(t, "number of versions", len(got), len(m.saved[id]))
		for i, v := range m.saved[id] {
			equal(t, "version", got[len(got)-1-i], back(v))
		}
	}
	for _, text := range []string{"p", "q"} {
		var want []string
		for _, id := range []string{"x", "y"} {
			if list := m.saved[id]; len(list) > 0 && list[len(list)-1].Terms[0].Text == text {
				want = append(want, id)
			}
		}
		found, _, err := m.f.FindRecords(m.f.ctx, store.Query{Name: m.prefix,
			Where: []store.Condition{{Field: "f", Op: store.Equal, Text: text}}})
		expect(t, err, nil)
		var got []string
		for _, v := range found {
			got = append(got, v.ID)
		}
		slices.Sort(got)
		equal(t, "found", got, want)
	}
}

func (m *machine) journal(t *rapid.T) {
	id, c := m.pick(t)
	event := m.draw(t).ID
	var known *store.Event
	if c != nil {
		if i := slices.IndexFunc(c.records, func(o store.Event) bool { return o.ID == event }); i >= 0 {
			known = &c.records[i]
		}
	}
	starts, err := m.f.Start(m.f.ctx, id, event)
	switch {
	case known == nil:
		expect(t, err, store.ErrNotFound)
		return
	case known.Done:
		expect(t, err, store.ErrConflict)
	default:
		expect(t, err, nil)
		known.Starts++
		equal(t, "starts", starts, known.Starts)
		step := rapid.IntRange(0, 4).Draw(t, "step")
		err = m.f.Note(m.f.ctx, id, event, step, fmt.Appendf(nil, "note %d", step))
		switch next := len(c.notes[event]); {
		case step < next:
			expect(t, err, store.ErrExists)
		case step > next:
			expect(t, err, store.ErrInvalid)
		default:
			expect(t, err, nil)
			c.notes[event] = append(c.notes[event], fmt.Sprint("note ", step))
		}
	}
	notes, err := m.f.Notes(m.f.ctx, id, event)
	expect(t, err, nil)
	var got []string
	for _, n := range notes {
		got = append(got, string(n))
	}
	equal(t, "notes", got, c.notes[event])
}

func (m *machine) trim(t *rapid.T) {
	id, c := m.pick(t)
	upTo := rapid.Uint64Range(0, 12).Draw(t, "up to")
	floor, err := m.f.Trim(m.f.ctx, id, upTo)
	if c == nil {
		expect(t, err, store.ErrNotFound)
		return
	}
	expect(t, err, nil)
	if len(c.snaps) > 0 {
		c.floor = max(c.floor, min(upTo, c.snaps[len(c.snaps)-1]))
	}
	equal(t, "floor", floor, c.floor)
}

// compare runs after every action: the store and the model must agree.
func (m *machine) compare(t *rapid.T) {
	m.orphans(t)
	m.compareRecords(t)
	for id, c := range m.convs {
		want := store.Head{Conversation: c.Conversation, Seq: uint64(len(c.frames)), Floor: c.floor}
		if n := len(c.snaps); n > 0 {
			want.SnapshotSeq = c.snaps[n-1]
			want.Snapshot = fmt.Appendf(nil, "state %d", want.SnapshotSeq)
		}
		for _, r := range c.records {
			if !r.Done {
				want.Pending = append(want.Pending, r)
			}
		}
		head, err := m.f.Open(m.f.ctx, id)
		expect(t, err, nil)
		equal(t, "head", head, want)

		frames, err := m.f.Frames(m.f.ctx, id, c.floor, 0)
		expect(t, err, nil)
		equal(t, "number of frames", len(frames), len(c.frames)-int(c.floor))
		for i, fr := range frames {
			equal(t, "frame", fr, store.Frame{Seq: c.floor + 1 + uint64(i), Body: []byte(c.frames[int(c.floor)+i])})
		}
		if c.floor > 0 {
			_, err := m.f.Frames(m.f.ctx, id, c.floor-1, 0)
			expect(t, err, store.ErrTrimmed)
		}
	}
}

func expect(t *rapid.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error = %v, want %v", err, want)
	}
}

func equal(t *rapid.T, what string, got, want any) {
	t.Helper()
	if d := diff(got, want); d != "" {
		t.Fatalf("%s (-want +got)\n%s", what, d)
	}
}
