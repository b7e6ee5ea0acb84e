package session

import (
	"context"
	"errors"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Delete ends a principal's conversation, and deletes it with its events, frames,
// drafts, files and given-up webhooks. The records that it saved stay. Streams of it
// end; from then on there is no such conversation.
//
// Errors: conversation.CodeNotFound; recovery.CodeInUse while a webhook of it waits to
// be called, or something still runs in it: it has ended by then, and can be deleted
// later; those of Submit.
func (s *Service) Delete(ctx context.Context, id, principal string) error {
	rec, err := s.Submit(ctx, id, principal, &ui.Event{Kind: ui.EventEnd}, s.cfg.Timeout)
	switch {
	case err != nil:
		return err
	case !rec.Done || rec.Outcome.Kind != ui.OutcomeDone:
		return errInUse("its last answer is not written yet", nil)
	}
	if err := s.work.Enter(); err != nil {
		return err
	}
	defer s.work.Done()
	c, _, done, err := s.openFor(ctx, id, principal, conversation.Own)
	if err != nil {
		return err
	}
	defer done()
	return c.drop(context.WithoutCancel(ctx))
}

// A model run that the end has stopped gets dropTries × dropPause to commit its last frame.
const (
	dropTries = 50
	dropPause = 20 * time.Millisecond
)

// drop removes an ended conversation from the store and from memory.
func (c *mailbox) drop(ctx context.Context) (err error) {
	for range dropTries {
		err = c.dropNow(ctx)
		if err == nil || errors.Is(err, store.ErrNotFound) {
			c.gone.Store(true)
			c.svc.cache.Drop(c.info.ID)
			c.svc.cfg.Bus.Notify(c.info.ID, c.head().Seq)
			c.svc.cfg.Log.InfoContext(ctx, "conversation deleted", "conversation", c.info.ID)
			return nil
		}
		if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrLeased) || !c.svc.work.Pause(nil, dropPause) {
			break
		}
	}
	switch {
	case errors.Is(err, store.ErrQueued):
		return errInUse("a webhook of it waits to be called", err)
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrLeased):
		return errInUse("something still runs in it", err)
	}
	return conversation.StoreError("delete conversation", err)
}

func (c *mailbox) dropNow(ctx context.Context) error {
	defer c.takeTurn()()
	if c.busy() {
		return store.ErrLeased
	}
	if err := c.log.Reload(ctx); err != nil {
		return err
	}
	return c.svc.cfg.Store.Drop(ctx, c.info.ID, c.head().Seq)
}

func errInUse(why string, err error) error {
	return &ui.Error{Code: recovery.CodeInUse, Message: "the conversation has ended, and cannot be deleted yet: " + why,
		Hint: "delete it again later", Err: err}
}
