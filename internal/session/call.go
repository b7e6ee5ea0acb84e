package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// call is the call of a handler or webhook in a turn.
type call struct {
	t        *Turn
	step     int          // of the intent in the journal
	called   *turn.Called // the result, so that a turn that starts again does not call twice
	resumed  bool         // the turn was begun before, here or elsewhere: its journal may say something
	uncalled bool         // nothing was called, though the journal may have the intent
	received chan Receipt // gets one receipt when a new event is recorded and a call begins; may be nil
}

// perform calls the handler or webhook of a plan, at most once per event as far as
// the journal knows: intent before, result after. A result found in the journal is
// used instead of a call; an intent without one is called again only if the action
// is declared idempotent. A lost race, a call that was cut off by Close, and an event
// that another node runs are errors.
func (k *call) perform(ctx context.Context, p turn.Plan) (turn.Plan, error) {
	k.announce()
	if err := k.t.leases.acquireTurn(ctx); err != nil { // other nodes' frames count before a handler is called
		return turn.Plan{}, err
	}
	env := k.t.env()
	if k.called == nil {
		if _, _, err := turn.Try(env, k.t.state, k.t.event, p, app.Result{}); err != nil {
			return turn.CallFailed(env, p, err), nil
		}
		out, err := k.callOnce(ctx, p)
		if err != nil {
			return turn.Plan{}, err
		}
		k.called = out
	}
	next := turn.Resume(env, k.t.state, k.t.event, p, k.called)
	if k.called.Failed == nil {
		k.called.Plan = next
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

// recallCall reads from the journal which call was made for an event before this
// process took it over. A turn that calls nothing itself needs it: the form is gone by
// now, or the turn is given up.
func (k *call) recallCall(ctx context.Context) error {
	kind := k.t.event.Kind
	if k.called != nil || !k.resumed || kind != ui.EventAction && kind != ui.EventMessage {
		return nil
	}
	notes, err := k.t.journal().Notes(ctx)
	if err != nil {
		return conversation.StoreError("read journal", err)
	}
	switch _, begun, ended := journal.CallIn(notes); {
	case !begun:
	case ended == nil:
		k.called = callFailed(CodeEffect, "the call was begun before a crash; its result is unknown", nil)
	case ended.Result == nil:
		k.called = callFailed(ended.Code, ended.Error, nil)
	default:
		done := turn.Plan{Ops: ended.Ops, Outcome: ui.Outcome{Kind: ui.OutcomeDone}, Called: true}
		if ended.Kept != nil {
			done.Outcome = *ended.Kept
		}
		k.called = &turn.Called{Result: *ended.Result, Plan: done}
	}
	return nil
}

func (t *Turn) journal() journal.Journal { return t.c.journalOf(t.record.Event) }

// journalOf returns the journal of an event of the conversation.
func (c *mailbox) journalOf(event string) journal.Journal {
	return journal.Journal{Store: c.svc.cfg.Store, Conversation: c.info.ID, Event: event}
}

func callFailed(code ui.Code, message string, err error) *turn.Called {
	return &turn.Called{Failed: &ui.Error{Code: code, Message: message, Err: err}}
}

// callOnce goes through the journal.
func (k *call) callOnce(ctx context.Context, p turn.Plan) (*turn.Called, error) {
	var notes []journal.Note
	if k.resumed || k.t.model.router {
		var err error
		if notes, err = k.t.journal().Notes(ctx); err != nil { // tried again later
			return nil, &ui.Error{Code: conversation.CodeStore, Message: "the journal cannot be read", Err: err}
		}
	}
	action := p.Call.Effect.Action
	earlier := false // a call before this one may have been carried out
	switch step, begun, ended := journal.CallIn(notes); {
	case ended != nil && ended.Result != nil:
		return &turn.Called{Result: *ended.Result}, nil
	case ended != nil:
		return callFailed(ended.Code, ended.Error, nil), nil
	case begun && !action.Idempotent && !k.uncalled:
		return callFailed(CodeEffect, "the call was begun before a crash; its result is unknown", nil), nil
	case begun:
		k.step, earlier = step, !k.uncalled
	default:
		if err := k.intend(ctx, step, action.Name); err != nil {
			return nil, err
		}
	}
	k.uncalled, k.resumed = false, true
	began := time.Now()
	res, err := k.callWithDeadline(ctx, p)
	if action.Idempotent && journal.Unknown(err) && k.t.c.svc.work.stop.Err() == nil {
		earlier = true
		res, err = k.callWithDeadline(ctx, p) // under the same key, so the answer covers the first call
	}
	k.t.tally.calledBy(action, err, time.Since(began))
	if err != nil && k.t.c.svc.work.stop.Err() != nil {
		return nil, errClosing
	}
	return k.noteResult(ctx, p, res, err, earlier), nil
}

// intend makes it durable that a call is about to be made.
func (k *call) intend(ctx context.Context, step int, action string) error {
	k.step = step
	switch err := k.t.journal().Write(ctx, step, journal.Note{Kind: journal.KindIntent, Name: action}); {
	case errors.Is(err, store.ErrConflict):
		return errLostRace // answered by another process
	case errors.Is(err, store.ErrExists) && k.t.c.svc.owner != nil:
		return journal.ErrTaken
	case err != nil:
		k.uncalled = !errors.Is(err, store.ErrExists) // the intent may be there all the same
		return &ui.Error{Code: conversation.CodeStore, Message: "the journal cannot be written", Err: err}
	}
	return nil
}

// journal.KindResult writes the result of a call into the journal and returns it. earlier
// says that a call before this one may have been carried out.
func (k *call) noteResult(ctx context.Context, p turn.Plan, res app.Result, err error, earlier bool) *turn.Called {
	action := p.Call.Effect.Action.Name
	n, out := journal.Note{Kind: journal.KindResult, Name: action, Result: &res}, &turn.Called{Result: res}
	if ops, outcome, bad := turn.Try(k.t.env(), k.t.state, k.t.event, p, res); bad == nil {
		n.Ops, n.Kept = turn.KeptOps(ops), &outcome
	}
	if err != nil {
		k.t.c.svc.cfg.Log.WarnContext(ctx, "action failed", "conversation", k.t.c.info.ID, "action", action, "err",
			trace.Quiet(err))
		code, message := execute.CodeFailed, "the action failed"
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			code, message = CodeEffect, "the call did not end in time; its result is unknown"
		case journal.Unknown(err):
			code, message = CodeEffect, "the call may have been carried out, and has no answer that can be read"
		case earlier:
			code, message = CodeEffect,
				"an earlier call was cut off and this one failed; whether the first was carried out is unknown"
		}
		n = journal.Note{Kind: journal.KindResult, Name: action, Error: message, Code: code}
		out = callFailed(code, message, err)
	}
	err = k.t.journal().Write(ctx, k.step+1, n)
	if errors.Is(err, store.ErrExists) { // after a cancel that came too late
		err = k.t.journal().Write(ctx, k.step+2, n)
	}
	if err != nil {
		k.t.c.svc.cfg.Log.WarnContext(ctx, "journal", "conversation", k.t.c.info.ID, "err", trace.Quiet(err))
	}
	return out
}

// callWithDeadline runs a handler or webhook; a panic is an error.
func (k *call) callWithDeadline(ctx context.Context, p turn.Plan) (res app.Result, err error) {
	cfg := k.t.c.svc.cfg
	ctx, cancel := context.WithTimeout(ctx, cfg.Timeout)
	defer cancel()
	defer context.AfterFunc(k.t.c.svc.work.stop, cancel)()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handler panicked: %v", r)
		}
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		res.Text, res.Toast = k.t.c.svc.env.Fit(res.Text), k.t.c.svc.env.Fit(res.Toast)
	}()
	effect := p.Call.Effect
	call := app.Call{Key: journal.CallKey(k.t.event, k.step), Conversation: k.t.c.info.ID,
		Principal: principalOf(k.t.event), Action: effect.Action.Name, Surface: p.Call.Click.Surface.Name, Values: effect.Values, State: k.t.state}
	if effect.Action.Handler != nil {
		return effect.Action.Handler(ctx, call)
	}
	return postWebhook(ctx, cfg, *effect.Action.Webhook, call)
}

func postWebhook(ctx context.Context, cfg Config, hook app.Webhook, call app.Call) (app.Result, error) {
	if cfg.Webhook == nil {
		return app.Result{}, errors.New("no webhook client is configured")
	}
	body, err := json.Marshal(outbox.Call{Key: call.Key, Conversation: call.Conversation, Principal: call.Principal,
		Action: call.Action, Surface: call.Surface, Values: call.Values})
	if err != nil {
		return app.Result{}, err
	}
	raw, err := cfg.Webhook(ctx, hook, call.Key, body)
	if err != nil {
		if outbox.TooLarge(err) { // the status was 2xx, as below
			err = &ui.Error{Code: CodeEffect, Message: "the answer of the webhook is too large", Err: err}
		}
		return app.Result{}, err
	}
	ans, err := outbox.ReadAnswer(raw)
	if err != nil {
		return app.Result{}, &ui.Error{Code: CodeEffect, Message: "the answer of the webhook cannot be read", Err: err}
	}
	res := app.Result{Text: ans.Text, Toast: ans.Toast, Errors: ans.Errors}
	list, warnings := turn.Directives(cfg.App, ans.Directives)
	res.Directives = list
	for _, w := range warnings {
		res.Warnings = append(res.Warnings, journal.Warning(w))
	}
	return res, nil
}

// calledBy notes a call of the app.
func (t *tally) calledBy(a app.Action, err error, took time.Duration) {
	t.turn.Effect = &trace.Call{Action: a.Name, By: "handler", Ms: trace.Ms(took)}
	if a.Webhook != nil {
		t.turn.Effect.By = "webhook"
	}
	if err != nil {
		t.turn.Effect.Code = cmp.Or(ui.CodeOf(err), execute.CodeFailed)
	}
}
