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

// known reports whether the store knows the key or the id of a record.
func (c *conversation) known(ctx context.Context, r store.Record) (bool, error) {
	prior, err := c.svc.cfg.Store.Lookup(ctx, c.info.ID, r)
	if err != nil && !errors.Is(err, store.ErrKeyReused) {
		return false, storeError("look up event", err)
	}
	return prior != nil, nil
}
