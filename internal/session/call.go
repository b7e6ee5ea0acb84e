package session

import (
	"cmp"
	"context"
	"errors"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/appcall"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// call is the call of a handler or webhook in a turn.
type call struct {
	t *Turn
	appcall.Call
	called   *turn.Called // its result; nil: not called, or not known yet
	received chan Receipt // gets one receipt when a new event is recorded and a call begins; may be nil
}

// perform calls the handler or webhook of a plan, and returns the plan for its result.
// A lost race, a call that was cut off by Close, and an event that another node runs are errors.
func (k *call) perform(ctx context.Context, p turn.Plan) (turn.Plan, error) {
	k.announce()
	if err := k.t.leases.acquireTurn(ctx); err != nil { // other nodes' frames count before a handler is called
		return turn.Plan{}, err
	}
	env := k.t.env()
	if k.called == nil {
		ops, _, err := turn.Try(env, k.t.state, k.t.event, p, app.Result{})
		if err = cmp.Or(err, records.Stale(ctx, k.t.c.svc.cfg.Store, ops)); err != nil {
			return turn.CallFailed(env, p, err), nil
		}
		_, replied := k.t.in.(turn.Replied)
		k.ReadJournal = k.ReadJournal || k.t.model.router || replied
		err = k.Make(ctx, appcall.Effect{Effect: p.Call.Effect, Surface: p.Call.Click.Surface.Name, State: k.t.state,
			Keep: func(res app.Result) (ui.Ops, *ui.Outcome) { return turn.Kept(env, k.t.state, k.t.event, p, res) }})
		if errors.Is(err, store.ErrConflict) {
			err = errLostRace // answered by another process
		}
		if err != nil {
			return turn.Plan{}, err
		}
		k.called = &turn.Called{Result: k.Done.Result, Failed: k.Done.Failed}
	}
	next := turn.Resume(env, k.t.state, k.t.event, p, k.called)
	if k.called.Failed == nil {
		k.called.Plan = next
	}
	return next, nil
}

// recall looks for a call that was made before this process took the event over. final
// says that no later step of this turn makes the call.
func (k *call) recall(ctx context.Context, final bool) error {
	if k.called != nil {
		return nil
	}
	err := k.Recall(ctx, final)
	if done := k.Done; done != nil {
		k.called = &turn.Called{Result: done.Result, Failed: done.Failed}
		if done.Failed == nil {
			k.called.Plan = turn.Plan{Ops: done.Ops, Outcome: *done.Outcome, Called: true}
		}
	}
	return err
}

// announce lets the sender know that the event is recorded: its answer may take a while.
func (k *call) announce() {
	select {
	case k.received <- Receipt{Event: k.t.event.ID, Seq: k.t.state.Seq}:
	default: // no listener, or announced already
	}
}

func (t *Turn) journal() journal.Journal { return t.c.journalOf(t.record.ID) }

// journalOf returns the journal of an event of the conversation.
func (c *mailbox) journalOf(event string) journal.Journal {
	return journal.Journal{Store: c.svc.cfg.Store, Conversation: c.info.ID, Event: event}
}
