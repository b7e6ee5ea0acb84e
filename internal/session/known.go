package session

import (
	"context"
	"errors"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Known reports whether an event was recorded under the idempotency key of e, so
// that a caller can skip work which only a new event needs. It writes nothing.
// Submit then answers e with the first answer, or with CodeKeyReused.
//
// Errors: CodeNotFound, CodeDraining, CodeStore.
func (s *Service) Known(ctx context.Context, id, principal string, e *ui.Event) (bool, error) {
	if e.Key == "" {
		return false, nil
	}
	if err := s.enter(); err != nil {
		return false, err
	}
	defer s.work.Done()
	c, done, err := s.conversation(ctx, id, principal)
	if err != nil {
		return false, err
	}
	defer done()
	if err := c.fresh(ctx); err != nil {
		return false, err
	}
	if c.head().Seq == 0 {
		return false, nil // without a frame there was nothing to act on
	}
	return c.known(ctx, c.newJob(e, principal).record)
}

// known reports whether the store knows the key or the id of a record. There is a
// frame already, so this one cannot be the first: the store says that it has the
// record, or that the head is another.
func (c *conversation) known(ctx context.Context, r store.Record) (bool, error) {
	err := c.svc.cfg.Store.Append(ctx, c.info.ID,
		store.Commit{Expect: 0, Frame: []byte("{}"), Record: &r, Node: c.svc.cfg.Node})
	switch {
	case errors.Is(err, store.ErrExists):
		return true, nil
	case errors.Is(err, store.ErrConflict):
		return false, nil
	}
	return false, storeError("look up event", err)
}
