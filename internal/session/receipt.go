package session

import (
	"context"
	"errors"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Receipt returns the status of an event in a conversation that a principal may read.
// known = there is such an event, and its answer is not forgotten.
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
	c, grant, done, err := s.admit(ctx, id, principal, conversation.Read)
	if err != nil {
		return Receipt{}, false, err
	}
	defer done()
	if r.Key != "" {
		r.Key = conversation.Owner(c.actor(principal, grant)) + " " + r.Key
	}
	prior, err := s.cfg.Store.Lookup(ctx, id, r)
	switch {
	case err != nil && !errors.Is(err, store.ErrKeyReused):
		return Receipt{}, false, conversation.StoreError("look up event", err)
	case prior == nil:
		return Receipt{}, false, nil
	case !prior.Done:
		return Receipt{Event: ui.EventID(prior.ID), Seq: c.head().Seq}, true, nil
	}
	rec, err = conversation.ParseReceipt(prior)
	return rec, true, err
}

// ReplyTo is the event of the model's reply to an action. There is one, known to
// Receipt before the frame of the action, if a model is asked because of it.
func ReplyTo(action ui.EventID) ui.EventID { return action + replySuffix }
