package session

import (
	"cmp"
	"context"
	"errors"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/modelrun"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// modelRun is the model run of a turn. The model of a message answers the message; the
// model of an action answers a separate event (ui.EventReply), which is recorded before
// the action's frame commits and gets a separate frame. So the action counts from the
// moment it was admitted, whatever happens while the model runs. Meanwhile the mailbox
// is free; the reply is decided on the state at its own time.
type modelRun struct {
	t        *Turn
	permit   *quota.Permit   // of the run, from before the event is recorded
	reply    *agent.Reply    // kept for another try
	heard    string          // the text that was streamed before the run ended
	decision *route.Decision // what routing said about the message
	router   bool            // the routing model is asked first
	chat     bool            // the routing model was asked, and the chat model is next
	run      string          // how the model is asked, as the app declares it
	saw      *ui.State       // in the prompt that reply answers
	asks     *modelrun.Run   // what asks the models, kept for another try in this process
	follow   *Turn           // of an action: the turn of its reply, once that is recorded
}

// waitsForModel reports a plan whose event is answered by a model's reply.
func (m *modelRun) waitsForModel(p turn.Plan) bool {
	return p.Ask.Prompt != "" && !m.follows(p)
}

// follows reports a plan whose model's reply is a new event.
func (m *modelRun) follows(p turn.Plan) bool {
	return (m.t.event.Kind == ui.EventAction || p.Ask.Follows) && !p.Ask.Returns
}

// ask starts the model run of a plan.
func (m *modelRun) ask(p turn.Plan) Receipt {
	m.decision, m.run = p.Decision, p.Ask.Run
	if _, routed := m.t.in.(turn.Routed); routed { // its run goes on with the chat model
		m.chat = true
		return Receipt{}
	}
	m.router, m.t.pending = p.Ask.Router, m.t.run
	return m.startRun(p.Ask.Prompt)
}

// recordReply records the event of the model's reply to an action, before the
// action's frame. Its id comes from the action's, so a turn that starts again finds it.
func (m *modelRun) recordReply(ctx context.Context, p turn.Plan, step turn.Step) error {
	if p.Ask.Prompt == "" || !m.follows(p) || step.Frame.Outcome.Kind != ui.OutcomeDone ||
		m.follow != nil {
		return nil
	}
	e := &ui.Event{V: ui.Version, ID: conversation.ReplyTo(m.t.event.ID), Kind: ui.EventReply, At: m.t.event.At,
		Principal: m.t.event.Principal, User: m.t.event.User, Text: p.Ask.Prompt, Data: p.Ask.Data,
		Sums: p.Ask.Sums, Run: p.Ask.Run, Retry: p.Ask.Retry, Tools: m.t.event.Tools}
	reply := m.t.c.turnOf(e, recordOf(e, ""))
	switch _, err := reply.claim(ctx); {
	case errors.Is(err, journal.ErrTaken): // by the node that had the action before, and releases it
		return store.ErrLeased
	case err != nil:
		return err
	}
	reply.recorded, m.follow = true, reply
	reply.tally.Turn.Request = m.t.tally.Turn.Request
	return nil
}

// startReply starts the model run that follows an action's frame, or ends its event
// if the action does not count after all.
func (m *modelRun) startReply(ctx context.Context, rec Receipt) {
	reply := m.follow
	if reply == nil {
		return
	}
	run := reply.begin()
	if rec.Outcome.Kind != ui.OutcomeDone {
		reply.model.drop(ctx, rec.Outcome)
		return
	}
	if m.t.slot.release != nil {
		m.t.slot.kept, reply.slot.release = true, m.t.slot.release
	}
	reply.model.run, reply.model.permit, m.permit = reply.event.Run, m.permit, nil
	reply.model.startRun(reply.event.Text)
	m.t.pending = run
}

// drop answers the event of a reply with a refusal: its action was refused or failed.
func (m *modelRun) drop(ctx context.Context, action ui.Outcome) {
	m.t.in = turn.Dropped{Event: m.t.event, Outcome: action}
	_, _, _ = m.t.do(ctx) // a recorded event has no error
}

// permitRun admits the model run of a new event before it is recorded. A repeat of an
// event that is known gets its first answer instead, and needs no run.
func (m *modelRun) permitRun(ctx context.Context) (*quota.Permit, error) {
	p, err := m.t.c.svc.quotas.runs.Permit(m.t.event.Principal, m.t.address)
	if err == nil {
		return p, nil
	}
	if known, lookup := m.t.c.known(ctx, m.t.record); lookup != nil || !known {
		return nil, cmp.Or(lookup, err)
	}
	return nil, nil
}

// startRun starts the model run of a recorded event. Without a permit the event was
// recorded earlier: its run is never refused.
func (m *modelRun) startRun(prompt string) Receipt {
	c := m.t.c
	if m.permit == nil || m.permit.Handed() { // by an earlier run
		m.permit = c.svc.quotas.runs.Resume(m.t.event.Principal)
	}
	permit := m.permit
	permit.Hand()
	ctx, cancel := context.WithCancelCause(logs.WithRequest(c.svc.work.Stop, m.t.tally.Turn.Request))
	c.mu.Lock()
	m.t.run.asking, m.t.run.cancel = true, cancel
	if m.t.run.canceled { // before it began
		cancel(journal.ErrCanceled)
	}
	c.mu.Unlock()
	release := m.t.slot.release
	m.t.slot.release, m.t.slot.kept = nil, release != nil
	c.svc.work.Go(func() { // Close waits for it; it ends at the latest after AskTime
		defer permit.Release()
		defer cancel(nil)
		if m.t.leases.event != nil {
			m.t.leases.watchCancel(ctx, cancel)
		}
		if release != nil {
			defer release()
		}
		defer permit.Begin(ctx)()
		ctx, stop := context.WithTimeout(ctx, c.svc.cfg.AskTime)
		defer stop()
		m.runModel(ctx, prompt)
	})
	return Receipt{Event: m.t.event.ID, Seq: c.head().Seq}
}

// runModel asks the routing model and the model, and brings the reply to its turn.
func (m *modelRun) runModel(ctx context.Context, prompt string) {
	if m.router && m.askRouter(ctx) {
		return
	}
	notes, err := m.t.journal().Notes(ctx)
	if err != nil && ctx.Err() == nil { // it may hold the reply
		m.t.retry.scheduleRetry(conversation.StoreError("read journal", err))
		return
	}
	r, failed := m.reply, (*ui.Error)(nil)
	if r == nil {
		r, failed = m.models().Ask(ctx, prompt, notes)
		m.saw = m.asks.Saw
	}
	if text := m.t.c.svc.deltas.End(m.t.c.info.ID, m.t.event.ID); text != "" {
		m.heard = text
	}
	if m.interrupted(ctx) {
		return
	}
	m.reply = r // for another try
	work.GrowStack(0)
	defer m.t.c.takeTurn()()
	m.t.in = turn.Replied{Event: m.t.event, Reply: r, Failed: failed, Saw: m.saw, Heard: m.heard,
		Run: m.run, Decision: m.decision}
	_, _, _ = m.t.do(context.WithoutCancel(ctx)) // a recorded event has no error
}

// askRouter asks the routing model about a message that no rule decides, and lets
// the message go on by its answer. It reports whether the message is answered; else
// the chat model gets it.
func (m *modelRun) askRouter(ctx context.Context) (answered bool) {
	a := m.models().Route(ctx)
	switch {
	case m.interrupted(ctx):
		return true
	case errors.Is(context.Cause(ctx), journal.ErrCanceled):
		return false // said in one place
	}
	defer m.t.c.takeTurn()()
	m.t.in = turn.Routed{Event: m.t.event, Answer: a}
	m.chat = false
	_, _, _ = m.t.do(context.WithoutCancel(ctx)) // a recorded event has no error
	return !m.chat
}

// models returns what asks the models about the event.
func (m *modelRun) models() *modelrun.Run {
	c := m.t.c
	if m.asks == nil {
		speech := c.svc.in(turn.Spoken(c.head(), m.t.event))
		m.asks = &modelrun.Run{Config: &speech.models, Conversation: c.info.ID, Event: m.t.event,
			Journal: m.t.journal(), State: c.head, Trace: &m.t.tally.Turn, Cancel: m.cancel,
			Spend: func(tokens int64) { m.permit.Spend(tokens) }, CommitPartial: c.commitPartial}
	}
	m.asks.Mode = m.run
	return m.asks
}

// commitPartial commits what an agent shows before its answer ends, and reports whether it did.
func (c *mailbox) commitPartial(ctx context.Context, e *ui.Event) bool {
	defer c.takeTurn()()
	e.Principal = c.info.Owner
	rec, _, err := c.turnOf(e, recordOf(e, "")).do(context.WithoutCancel(ctx))
	return err == nil && rec.Outcome.Kind == ui.OutcomeDone
}

// cancel ends the run that is going on.
func (m *modelRun) cancel(cause error) {
	m.t.c.mu.Lock()
	defer m.t.c.mu.Unlock()
	if m.t.run.cancel != nil {
		m.t.run.cancel(cause)
	}
}

// interrupted reports a model run that does not end here. Its event is recorded,
// and not answered.
func (m *modelRun) interrupted(ctx context.Context) bool {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, work.ErrClosing):
		m.t.leases.releaseEvent() // another node, or the next start, resumes it
	case errors.Is(cause, journal.ErrTaken):
		m.t.retry.handOver()
	case ui.CodeOf(cause) == conversation.CodeStore: // the journal cannot be kept
		m.t.retry.scheduleRetry(cause)
	default:
		return false
	}
	return true
}
