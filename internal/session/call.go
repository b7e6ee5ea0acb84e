package session

import (
	"context"
	"errors"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/appcall"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
)

// call is the call of a handler or webhook in a turn.
type call struct {
	t *Turn
	appcall.Call
	received chan Receipt // gets one receipt when a new event is recorded and a call begins; may be nil
}

// perform calls the handler or webhook of a plan, and returns the plan for its result.
// A lost race, a call that was cut off by Close, and an event that another node runs are
// errors.
func (k *call) perform(ctx context.Context, p turn.Plan) (turn.Plan, error) {
	k.announce()
	if err := k.t.leases.acquireTurn(ctx); err != nil { // other nodes' frames count before a handler is called
		return turn.Plan{}, err
	}
	env := k.t.env()
	if k.Done == nil {
		if _, _, err := turn.Try(env, k.t.state, k.t.event, p, app.Result{}); err != nil {
			return turn.CallFailed(env, p, err), nil
		}
		k.Looks = k.Looks || k.t.model.router
		if err := k.Make(ctx, env, k.t.state, p); errors.Is(err, store.ErrConflict) {
			return turn.Plan{}, errLostRace // answered by another process
		} else if err != nil {
			return turn.Plan{}, err
		}
	}
	next := turn.Resume(env, k.t.state, k.t.event, p, k.Done)
	if k.Done.Failed == nil {
		k.Done.Plan = next
	}
	return next, nil
}

// announce says to who sent the event that it is recorded: its answer may take a
// while.
func (k *call) announce() {
	select {
	case k.received <- Receipt{Event: k.t.event.ID, Seq: k.t.state.Seq}:
	default: // no listener, or announced already
	}
}

func (t *Turn) journal() journal.Journal { return t.c.journalOf(t.record.Event) }

// journalOf returns the journal of an event of the conversation.
func (c *mailbox) journalOf(event string) journal.Journal {
	return journal.Journal{Store: c.svc.cfg.Store, Conversation: c.info.ID, Event: event}
}
