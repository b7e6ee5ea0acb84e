package session

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/appcall"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/live"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/tally"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Turn is one event on its way to its frame. The goroutine that runs it holds the turn of
// the conversation, except while a model answers.
type Turn struct {
	c     *mailbox
	in    turn.Input // the event, and how far it has come
	state *ui.State  // that the turn is decided on

	event    *ui.Event
	record   store.Event
	goneKey  string // a click's key from before its surface closed, see sameClick; "": none
	address  string // the network it comes from; "": not known
	recorded bool   // durable as pending

	leases  leases
	call    call
	model   modelRun
	retry   retry
	run     *running // while the event is recorded and not answered
	pending *running // the event the caller waits for: this one, or the reply recorded after it
	slot    slot
	tally   tally.Tally
}

// turnOf returns the turn of an event.
func (c *mailbox) turnOf(e *ui.Event, r store.Event) *Turn {
	t := &Turn{c: c, in: turn.Received{Event: e}, event: e, record: r}
	t.leases.t, t.model.t, t.retry.t = t, t, t
	t.call = call{t: t, Call: appcall.Call{Config: &c.svc.appcalls, Journal: c.journalOf(r.ID), Event: e,
		Trace: &t.tally.Turn}}
	return t
}

// Run takes one event to its committed frame, or to the model that it waits for.
// The numbers are those of the architecture: 1 known? 2 admit 3 record 4 decide
// 5 run 6 apply 7 prove 8 commit 9 notify. Package turn does 2, 4 and 5. Most events need no 3: 8 records them.
func (t *Turn) Run(ctx context.Context) (Receipt, error) {
	if answer, ok, err := t.withoutFrame(ctx); ok || err != nil { // 1
		return answer, err
	}
	plan, err := t.decide(ctx) // 2, 4, 5: by package turn; a refusal is a plan, too
	if err != nil {
		return Receipt{}, err
	}
	if plan.Nothing(t.event) {
		return Receipt{Seq: t.state.Seq, Done: true, Outcome: plan.Outcome}, nil
	}
	if err := t.unlessKnown(ctx, plan.RefusedForNow()); err != nil { // it may count later
		return Receipt{}, err
	}
	if plan.Leaves() { // only what leaves the process is recorded first
		if answer, ok, err := t.recordEvent(ctx, plan); ok || err != nil { // 1, 3
			return answer, err
		}
	}
	if t.model.waitsForModel(plan) {
		return t.model.ask(plan), nil // the reply comes back to Run as a separate input
	}
	if plan.Call.Effect != nil {
		if plan, err = t.call.perform(ctx, plan); err != nil {
			return Receipt{}, err
		}
	}
	step, err := t.apply(plan) // 6, 7
	if err != nil {
		return Receipt{}, err
	}
	if err := t.model.recordReply(ctx, plan, step); err != nil {
		return Receipt{}, err
	}
	if answer, ok, err := t.commit(ctx, &plan, &step); ok || err != nil { // 8
		return answer, err
	}
	t.notify(ctx, plan, step) // 9
	return conversation.ReceiptOf(step.Frame), nil
}

// withoutFrame answers an event that needs no frame: a request to refresh views that show
// the newest data already, or an event after the end of the conversation, so that the log
// stops growing. A duplicate is not answered here: recordEvent and commit find its answer.
func (t *Turn) withoutFrame(ctx context.Context) (answer Receipt, ok bool, err error) {
	if catchesUp(t.event) {
		if ops, err := t.c.newer(t.c.svc.work.Stop, t.state, t.event, nil); len(ops) == 0 { // another was faster
			return doneAt(t.state.Seq), err == nil, err
		}
	}
	if _, received := t.in.(turn.Received); !received || !t.state.Ended || t.recorded ||
		t.event.Kind == ui.EventAnswer {
		return Receipt{}, false, nil
	}
	if known, err := t.c.known(ctx, t.record); known || err != nil {
		return Receipt{}, false, err
	}
	if t.event.Kind == ui.EventEnd {
		return doneAt(t.state.Seq), true, nil
	}
	return Receipt{}, false, &ui.Error{Code: ui.CodeEnded, Hint: "what was said can still be read",
		Message: t.c.svc.in(t.state).env.Recovery.For(ui.CodeEnded).Title}
}

// decide asks package turn for the plan. A turn can start twice: after a crash or a lost race. If its first start
// called a handler, and the event would not call one on the present state, the result in the journal counts.
func (t *Turn) decide(ctx context.Context) (turn.Plan, error) {
	if in, ok := t.in.(turn.GivenUp); ok {
		t.call.NoMoreCalls = true
		if err := t.call.recall(ctx, true); err != nil {
			return turn.Plan{}, err
		}
		t.in = turn.GivenUp{Event: in.Event, Code: in.Code, Called: t.call.called}
	}
	plan := turn.Decide(t.env(), t.state, t.in)
	_, received := t.in.(turn.Received)
	_, replied := t.in.(turn.Replied)
	if !received && !replied || plan.Call.Effect != nil {
		return plan, nil
	}
	t.call.NoMoreCalls = turn.LeftBehind(t.state, plan)
	if err := t.call.recall(ctx, replied); err != nil {
		return turn.Plan{}, err
	}
	if t.call.called != nil {
		plan = turn.Replan(t.env(), t.state, t.event, t.call.called)
	}
	return plan, nil
}

// env returns the environment of this turn's decisions.
func (t *Turn) env() turn.Env {
	env := t.c.svc.in(t.state).env
	if t.event.Kind == ui.EventMessage {
		t.c.rules = t.c.rules.For(t.state.Router.Guardrails)
		env.Rules = t.c.rules
	}
	env.Panicked = t.panicked
	env.Warn = func(message string, args ...any) {
		for i, a := range args {
			if err, ok := a.(error); ok {
				args[i] = logs.Quiet(err)
			}
		}
		t.log().Warn(message, args...)
	}
	return env
}

// catchesUp reports an event that only refreshes views.
func catchesUp(e *ui.Event) bool { return e.Kind == ui.EventData && e.Data.Empty() }

// panicked logs a panic that is recovered from.
func (t *Turn) panicked(message string, p any) {
	t.log().Error(message, "panic", logs.QuietPanic(p), "stack", string(debug.Stack()))
}

// log is for lines of this turn.
func (t *Turn) log() *slog.Logger {
	return t.c.svc.cfg.Log.With("request_id", t.tally.Turn.Request, "conversation", t.c.info.ID)
}

// recordEvent makes the event durable as pending before anything leaves the
// process. ok is set if it was known: then answer is the first one, or pending the
// run that will give it. A new event that asks a model needs a permit first.
func (t *Turn) recordEvent(ctx context.Context, p turn.Plan) (answer Receipt, ok bool, err error) {
	if p.Ask.Prompt != "" && t.model.permit == nil && !t.recorded {
		if t.model.permit, err = t.model.permitRun(ctx); err != nil {
			return Receipt{}, false, err
		}
	}
	prior, err := t.claim(ctx)
	if err != nil {
		return Receipt{}, false, err
	}
	if prior != nil {
		answer, err = t.firstAnswer(prior, t.state.Seq)
		return answer, true, err
	}
	t.begin()
	return Receipt{}, false, nil
}

// claim records the event as pending. If it is answered, or its key was recorded under
// another id, that record is returned.
func (t *Turn) claim(ctx context.Context) (prior *store.Event, err error) {
	if t.recorded {
		return nil, nil
	}
	c := t.c
	t.record.Node, t.record.TTL = c.svc.cfg.Node, c.svc.cfg.LeaseTime
	for range 2 { // an error may leave a record: then the second try finds it
		prior, err = c.svc.cfg.Store.Record(ctx, c.info.ID, t.record)
		if err == nil || errors.Is(err, store.ErrKeyReused) || errors.Is(err, store.ErrNotFound) {
			break
		}
	}
	switch {
	case errors.Is(err, store.ErrKeyReused):
		return nil, &ui.Error{Code: recovery.CodeKeyReused, Path: "Idempotency-Key",
			Message: "this Idempotency-Key was used with another body",
			Hint:    "give each new request one of its own; a retry has the body of the first"}
	case err != nil:
		unanswered{c}.sweepLater()
		return nil, conversation.StoreError("record event", err)
	case prior != nil && (prior.ID != t.record.ID || prior.Done):
		return prior, nil
	}
	t.recorded = true
	if c.svc.owner != nil && prior == nil {
		t.leases.event = c.svc.owner.Recorded(c.info.ID, t.record.ID)
	} else if c.svc.owner != nil {
		return nil, t.leases.acquireEvent(ctx)
	}
	return nil, nil
}

// firstAnswer answers an event whose key was seen before: with the first answer, or
// with the run that will give it, after the frame seq.
func (t *Turn) firstAnswer(r *store.Event, seq uint64) (Receipt, error) {
	if r.Done {
		return conversation.ParseReceipt(r)
	}
	t.pending = unanswered{t.c}.adopt(*r)
	return Receipt{Event: ui.EventID(r.ID), Seq: seq}, nil
}

// begin registers the recorded event as running.
func (t *Turn) begin() *running {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	if t.run = t.c.inflight[t.event.ID]; t.run == nil {
		t.run = &running{done: make(chan struct{})}
		t.c.inflight[t.event.ID] = t.run
	}
	t.run.event = t.event
	return t.run
}

// maxReplaced is how often surfaces that do not render are replaced in one frame.
const maxReplaced = 5

// apply makes the step of a plan, and proves that it renders for every target. A
// surface that does not is replaced: it closes, and a text says so. A plan that gives the
// event up is not proved: the proof may be what broke.
func (t *Turn) apply(p turn.Plan) (turn.Step, error) {
	env, strict := t.env(), t.c.svc.cfg.Strict && !t.recorded
	step, err := turn.Apply(env, t.state, t.event, p, strict) // 6
	if err != nil || p.GivenUp() {
		return step, err
	}
	newer, unread := t.c.newer(t.c.svc.work.Stop, step.After, t.event, step.Frame)
	t.retry.unread = unread
	step = turn.Show(env, step, t.event, p, newer)
	for range maxReplaced {
		began := time.Now()
		sent, failures := t.c.prover.Prove(prove.Step(step), t.panicked) // 7
		t.tally.Proved(time.Since(began), sent.Drawings, sent.Messages, failures)
		if len(failures) == 0 {
			return step, nil
		}
		if stood, ok := turn.StandIn(env, t.state, step, failures, t.c.svc.targets.Drawings()); ok {
			step = stood
			continue
		}
		err = failures[0].Err
		if strict {
			return turn.Step{}, err
		}
		if step, err = turn.Replace(env, t.state, step, failures, p); err != nil {
			return turn.Fail(env, t.state, t.event, p, err)
		}
	}
	return turn.Fail(env, t.state, t.event, p,
		&ui.Error{Code: agent.CodeTurnFailed, Message: "what failed to draw could not be taken away", Err: err})
}

// commit appends the step to the log. ok is set if the event is known after all:
// answer is its first one, or pending the run that will give it.
func (t *Turn) commit(ctx context.Context, p *turn.Plan, step *turn.Step) (answer Receipt, ok bool, err error) {
	err = t.append(ctx, *p, step)
	if errors.Is(err, store.ErrVersion) { // the record was changed since the form opened, or deleted
		*p = turn.Unsaved(t.env(), *p, records.Unsaved(ctx, t.c.svc.cfg.Store, step.Frame.Ops))
		if *step, err = t.apply(*p); err == nil {
			err = t.append(ctx, *p, step)
		}
	}
	if !errors.Is(err, store.ErrExists) {
		return Receipt{}, false, err
	}
	prior, err := t.claim(ctx)
	if err != nil {
		return Receipt{}, false, err
	}
	if prior == nil {
		return Receipt{}, false, &ui.Error{Code: conversation.CodeStore,
			Message: "the store contradicts itself about a key"}
	}
	answer, err = t.firstAnswer(prior, step.Before.Seq)
	return answer, true, err
}

// notify makes the committed step the newest one, wakes readers and workers, and
// starts what follows from it.
func (t *Turn) notify(ctx context.Context, p turn.Plan, step turn.Step) {
	c, rec := t.c, conversation.ReceiptOf(step.Frame)
	if t.leases.event != nil { // the frame ended it
		t.leases.event.Drop()
	}
	moved := conversation.Step{Before: step.Before, After: step.After, Frame: step.Frame, Rendered: t.tally.Kept,
		Size: t.tally.Size}
	c.log.Advance(moved)
	c.svc.cfg.Bus.Notify(c.info.ID, rec.Seq)
	c.svc.WakeOperators(moved)
	for _, op := range step.Frame.Ops {
		if kept, ok := op.(*ui.Commit); ok && kept.Record.ID != "" {
			live.Saved(c.svc.cfg.App, c.svc.cfg.Bus, kept.Form)
		}
	}
	if step.After.Ended && !step.Before.Ended || step.After.Operator != nil && step.Before.Operator == nil {
		err := c.stopRuns(ctx, func(e *ui.Event) bool { return e == nil || turn.Counts(step.After, e) })
		if err != nil {
			t.log().Warn("model runs of other nodes are not stopped", "err", logs.Quiet(err))
		}
	}
	t.emitTelemetry(step, p)
	t.tally.Count(c.svc.cfg.Meter, t.event.Kind, step.Frame)
	c.svc.outbox.Moved(ctx, c.info.ID, step.Before, step.After, t.tally.Jobs)
	// the line holds nothing that a user wrote
	c.svc.cfg.Log.InfoContext(ctx, "turn", "conversation", c.info.ID, "event", t.event.ID, "kind", t.event.Kind,
		"seq", step.Frame.Seq, "outcome", rec.Outcome.Kind, "code", rec.Outcome.Code, "warnings",
		len(step.Frame.Warnings))
	t.model.startReply(ctx, rec)
}
