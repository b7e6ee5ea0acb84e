package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/limn-ui/limn/store"
)

// Option changes what Run checks.
type Option func(*suite)

// Reopen says that the store is durable and how to see what survived: f closes s,
// or abandons it as a crash would, and opens the same data again.
func Reopen(f func(t *testing.T, s store.Store) store.Store) Option {
	return func(su *suite) { su.reopen = f }
}

type suite struct {
	open   func(*testing.T) store.Store
	reopen func(*testing.T, store.Store) store.Store // nil: the store is not durable
	short  bool                                      // pages of records may be short
}

// Run checks that the stores open returns keep the contract of the port. open is
// called once per subtest and returns an empty store, which Run closes at the end.
func Run(t *testing.T, open func(t *testing.T) store.Store, opts ...Option) {
	su := &suite{open: open}
	for _, o := range opts {
		o(su)
	}
	su.run(t, "conversation", conversations)
	su.run(t, "labels", labels)
	su.run(t, "said", says)
	su.run(t, "shares", shares)
	su.run(t, "drop", drops)
	su.run(t, "race to drop", dropRaces)
	su.run(t, "record", records)
	su.run(t, "lookup", lookups)
	su.run(t, "append", appends)
	su.run(t, "frames", frames)
	su.run(t, "ownership of bytes", ownership)
	su.run(t, "context", contexts)
	su.run(t, "race", races)
	su.run(t, "journal", journal)
	su.run(t, "blobs", blobs)
	su.run(t, "jobs", jobs)
	su.run(t, "dead letters", deadLetters)
	su.run(t, "snapshots", snapshots)
	su.run(t, "traces", traces)
	su.run(t, "retention", retention)
	su.run(t, "usage", usages)
	su.run(t, "leases", leases)
	su.run(t, "heads", heads)
	su.run(t, "ping", pings)
	su.run(t, "archive", archives)
	su.run(t, "versions of records", recordVersions)
	su.run(t, "copies of records", recordCopies)
	su.run(t, "bounds of records", recordBounds)
	su.run(t, "records with frames", recordsWithFrames)
	su.run(t, "records found", recordQueries)
	su.run(t, "pages of records", recordPages)
	su.run(t, "cursors of records", recordCursors)
	su.run(t, "large records", recordBodies)
	su.run(t, "archive of records", recordArchives)
	su.run(t, "race for records", recordRaces)
	su.run(t, "close", closes)
	su.survives(t)
}

// RunReopen checks what Run checks of a store that is opened again, and no more: for a
// driver that Run has checked, in another way to open again.
func RunReopen(t *testing.T, open func(t *testing.T) store.Store, again func(t *testing.T, s store.Store) store.Store) {
	su := &suite{open: open, reopen: again}
	su.survives(t)
}

func (su *suite) survives(t *testing.T) {
	su.run(t, "reopen", reopens)
	su.run(t, "model", model)
}

// fixture is one store under test and the shortest way to use it. Its methods
// fail the test on an error that is not expected.
type fixture struct {
	*testing.T
	store.Store
	su  *suite
	ctx context.Context
}

func (su *suite) run(t *testing.T, name string, check func(*fixture)) {
	t.Run(name, func(t *testing.T) {
		f := &fixture{T: t, Store: su.open(t), su: su, ctx: t.Context()}
		t.Cleanup(func() {
			if err := f.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		check(f)
	})
}

// begin is a moment with microseconds, in a zone that is not UTC: stores must
// bring it back as the same instant in UTC.
var begin = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.FixedZone("x", 3600))

// create adds a conversation and returns its id.
func (f *fixture) create(id string) string {
	f.Helper()
	c := store.Conversation{ID: id, Log: "0123456789abcdef", Owner: "ada", Created: begin}
	f.ok(f.Create(f.ctx, c))
	return id
}

// push appends a frame with a body made of its number.
func (f *fixture) push(id string, expect uint64) {
	f.Helper()
	f.ok(f.Append(f.ctx, id, store.Commit{Expect: expect, Frame: frameBody(expect + 1)}))
}

func frameBody(seq uint64) []byte { return fmt.Appendf(nil, `{"seq":%d}`, seq) }

// rec is a record with its own body and hash.
func rec(event, key string) store.Event {
	return store.Event{
		ID: event, Key: key, Hash: "hash of " + event,
		Body: []byte(`{"event":"` + event + `"}`), At: begin,
	}
}

// keep records an event that must be new.
func (f *fixture) keep(id string, r store.Event) {
	f.Helper()
	prior, err := f.Record(f.ctx, id, r)
	f.ok(err)
	if prior != nil {
		f.Fatalf("Record(%s): prior %+v for a new event", r.ID, prior)
	}
}

func (f *fixture) head(id string) store.Head {
	f.Helper()
	h, err := f.Open(f.ctx, id)
	f.ok(err)
	return h
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// fails checks that err is the given error of the port.
func (f *fixture) fails(err, want error) {
	f.Helper()
	if !errors.Is(err, want) {
		f.Fatalf("error = %v, want %v", err, want)
	}
}

// same compares; nil and empty slices are one.
func (f *fixture) same(got, want any) {
	f.Helper()
	if d := diff(got, want); d != "" {
		f.Fatalf("mismatch (-want +got)\n%s", d)
	}
}

func diff(got, want any) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }

// utc is begin plus d, as a store hands it back.
func utc(d time.Duration) time.Time { return begin.Add(d).UTC() }

// check is ok for goroutines, which must not call Fatal.
func (f *fixture) check(err error) {
	f.Helper()
	if err != nil {
		f.Error(err)
	}
}
