package limntest

import (
	"context"
	"time"

	"github.com/limn-ui/limn/store"
)

// Store is a store with a function around the operations of a turn. The function gets
// the name of the method, in lower case, and may fail, wait or count.
type Store struct {
	store.Store
	Around func(op string, run func() error) error
}

// around is Around for a method with a result.
func around[T any](s Store, op string, run func() (T, error)) (v T, err error) {
	err = s.Around(op, func() error { v, err = run(); return err })
	return v, err
}

func (s Store) Record(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	return around(s, "record", func() (*store.Event, error) { return s.Store.Record(ctx, id, r) })
}

func (s Store) Lookup(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	return around(s, "lookup", func() (*store.Event, error) { return s.Store.Lookup(ctx, id, r) })
}

func (s Store) Append(ctx context.Context, id string, c store.Commit) error {
	return s.Around("append", func() error { return s.Store.Append(ctx, id, c) })
}

func (s Store) Note(ctx context.Context, id, event string, step int, body []byte) error {
	return s.Around("note", func() error { return s.Store.Note(ctx, id, event, step, body) })
}

func (s Store) Create(ctx context.Context, c store.Conversation) error {
	return s.Around("create", func() error { return s.Store.Create(ctx, c) })
}

func (s Store) Open(ctx context.Context, id string) (store.Head, error) {
	return around(s, "open", func() (store.Head, error) { return s.Store.Open(ctx, id) })
}

func (s Store) Frames(ctx context.Context, id string, after uint64, limit int) ([]store.Frame, error) {
	return around(s, "frames", func() ([]store.Frame, error) { return s.Store.Frames(ctx, id, after, limit) })
}

func (s Store) Start(ctx context.Context, id, event string) (int, error) {
	return around(s, "start", func() (int, error) { return s.Store.Start(ctx, id, event) })
}

func (s Store) Notes(ctx context.Context, id, event string) ([][]byte, error) {
	return around(s, "notes", func() ([][]byte, error) { return s.Store.Notes(ctx, id, event) })
}

func (s Store) Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (store.Lease, error) {
	return around(s, "acquire", func() (store.Lease, error) { return s.Store.Acquire(ctx, id, what, node, ttl) })
}

func (s Store) Release(ctx context.Context, id string, l store.Lease) error {
	return s.Around("release", func() error { return s.Store.Release(ctx, id, l) })
}

func (s Store) Orphans(ctx context.Context, limit int) ([]string, error) {
	return around(s, "orphans", func() ([]string, error) { return s.Store.Orphans(ctx, limit) })
}
