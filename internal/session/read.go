package session

import (
	"context"
	"errors"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directory"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Head returns the newest state of a conversation that a principal may read; with principal
// "" of anybody's. If a view of it is old, Head commits a frame first.
func (s *Service) Head(ctx context.Context, id, principal string) (conversation.Head, error) {
	c, grant, done, err := s.openFor(ctx, id, principal, conversation.Read)
	if err != nil {
		return conversation.Head{}, err
	}
	defer done()
	if err := c.log.Fresh(ctx); err != nil {
		return conversation.Head{}, err
	}
	if s.viewers != nil && principal != "" {
		s.work.Within(func() { _ = c.catchUpNow(ctx) })
	}
	head := c.log.Head()
	head.Grant = grant
	return head, nil
}

// Steps returns the committed steps after a seq, in order, at most max. After the head
// there are none. An error with conversation.CodeTrimmed means that the store has
// deleted the frame after seq.
func (s *Service) Steps(ctx context.Context, id string, after uint64, max int) ([]conversation.Step, error) {
	c, done, err := s.open(ctx, id)
	if err != nil {
		return nil, err
	}
	defer done()
	steps, err := c.log.Steps(ctx, after, max)
	if n := len(steps); err == nil && n > 0 && n < max && steps[n-1].Frame.Seq < s.readers.Woken(id) {
		if err = c.log.Fresh(ctx); err == nil { // memory ends before the log does
			return c.log.Steps(ctx, after, max)
		}
	}
	return steps, err
}

// Look catches up with the commits of other processes. With Config.Node every
// reading does; without it, readers call it from time to time.
func (s *Service) Look(ctx context.Context, id string) error {
	c, done, err := s.open(ctx, id)
	if err != nil {
		return err
	}
	defer done()
	return c.log.Look(ctx)
}

// Known reports whether an event was recorded under the idempotency key of e, so
// that a caller can skip work which only a new event needs. It writes nothing.
// Submit then answers e with the first answer, or with recovery.CodeKeyReused.
//
// Errors: conversation.CodeNotFound, recovery.CodeDraining, conversation.CodeStore.
func (s *Service) Known(ctx context.Context, id, principal string, e *ui.Event) (bool, error) {
	if e.Key == "" {
		return false, nil
	}
	if err := s.work.Enter(); err != nil {
		return false, err
	}
	defer s.work.Done()
	c, grant, done, err := s.openFor(ctx, id, principal, conversation.Write)
	if err != nil {
		return false, err
	}
	defer done()
	if err := c.log.Fresh(ctx); err != nil {
		return false, err
	}
	return c.known(ctx, c.newTurn(e, c.actor(principal, grant)).record)
}

// known reports whether the store knows the key of a record.
func (c *mailbox) known(ctx context.Context, r store.Event) (bool, error) {
	if r.Key == "" {
		return false, nil
	}
	prior, err := c.prior(ctx, r)
	return prior != nil, err
}

// prior returns the record with the id or key of r, nil without one. It may have another body.
func (c *mailbox) prior(ctx context.Context, r store.Event) (*store.Event, error) {
	prior, err := c.svc.cfg.Store.Lookup(ctx, c.info.ID, r)
	if err != nil && !errors.Is(err, store.ErrKeyReused) {
		return nil, conversation.StoreError("look up event", err)
	}
	return prior, nil
}

// Receipt returns the status of an event in a conversation that a principal may read.
// known reports whether the event exists and its answer is still kept.
//
// Errors: conversation.CodeNotFound, conversation.CodeStore.
func (s *Service) Receipt(ctx context.Context, id, principal string,
	event ui.EventID) (rec Receipt, known bool, err error) {
	return s.receipt(ctx, id, principal, store.Event{ID: string(event)})
}

// Keyed is Receipt for the event that the principal sent under an idempotency key.
func (s *Service) Keyed(ctx context.Context, id, principal, key string) (rec Receipt, known bool, err error) {
	return s.receipt(ctx, id, principal, store.Event{Key: key})
}

func (s *Service) receipt(ctx context.Context, id, principal string,
	r store.Event) (rec Receipt, known bool, err error) {
	c, grant, done, err := s.openFor(ctx, id, principal, conversation.Read)
	if err != nil {
		return Receipt{}, false, err
	}
	defer done()
	if r.Key != "" {
		r.Key = conversation.Owner(c.actor(principal, grant)) + " " + r.Key
	}
	prior, err := c.prior(ctx, r)
	switch {
	case prior == nil || err != nil:
		return Receipt{}, false, err
	case !prior.Done:
		return c.pendingReceipt(ui.EventID(prior.ID)), true, nil
	}
	rec, err = conversation.ParseReceipt(prior)
	return rec, true, err
}

// Ready reports whether events are taken, for readiness probes: not once the
// service stops (recovery.CodeDraining), and not while its store does not answer within a
// second (conversation.CodeStore). An answer of the store counts for a second, however many ask.
func (s *Service) Ready() error {
	if s.work.Closing() {
		return errDraining()
	}
	return s.health.Check(s.cfg.Store.Ping)
}

// directoryOf returns the directory of a Service.
func directoryOf(s *Service) directory.Directory {
	return directory.Directory{Store: s.cfg.Store, Bus: s.cfg.Bus, Now: s.cfg.Now, IDs: s.ids, App: s.cfg.App,
		Roles: s.cfg.Roles,
		State: func(ctx context.Context, id string) (*ui.State, error) { return glance(ctx, s, id) },
		Own: func(ctx context.Context, id, principal string) error {
			_, _, done, err := s.openFor(ctx, id, principal, conversation.Own)
			if err == nil {
				done()
			}
			return err
		}}
}

// glance returns the newest state of a conversation that this process knows, and
// reads one that is not in the cache without evicting another.
func glance(ctx context.Context, s *Service, id string) (*ui.State, error) {
	c, ok := s.cache.Peek(id)
	if !ok {
		log, _, err := s.frames.Open(ctx, id)
		if err != nil {
			return nil, err
		}
		return log.State(), nil
	}
	defer s.cache.Release(id)
	if err := c.log.Fresh(ctx); err != nil {
		return nil, err
	}
	return c.head(), nil
}
