package session

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/limn-ui/limn/agent"
	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// answerThenAsk commits what an action does by itself, and records in the same
// turn an event of its own for the model's answer: the action counts from the
// moment it was admitted, whatever happens while the model thinks, and its
// effects are in one frame only. The reply's id comes from the action's, so a
// turn that starts again finds it.
func (c *conversation) answerThenAsk(ctx context.Context, state *ui.State, j *job, p plan) (Receipt, *running, error) {
	step, err := c.drawn(state, j, p)
	if err != nil {
		return Receipt{}, nil, err
	}
	if step.Frame.Outcome.Kind == ui.OutcomeDone && j.reply == nil {
		e := &ui.Event{V: ui.Version, ID: j.event.ID + replySuffix, Kind: ui.EventReply, At: j.event.At, Principal: j.event.Principal, Text: p.ask}
		reply := &job{event: e, record: recordOf(e, "")}
		if _, err := c.claim(ctx, reply); err != nil {
			return Receipt{}, nil, err
		}
		reply.recorded, j.reply = true, reply
	}
	rec, pending, err := c.publish(ctx, j, step, p)
	if err != nil || j.reply == nil {
		return rec, pending, err
	}
	c.begin(j.reply)
	if rec.Outcome.Kind != ui.OutcomeDone {
		c.unasked(ctx, j.reply, rec)
		return rec, nil, nil
	}
	if j.slot != nil {
		j.kept, j.reply.slot = true, j.slot
	}
	c.askLater(j.reply, p.ask)
	return rec, j.reply.run, nil
}

const replySuffix = ".reply"

// unasked ends the reply to an action that does not count after all.
func (c *conversation) unasked(ctx context.Context, reply *job, rec Receipt) {
	_, _, _ = c.guarded(ctx, reply, func(s *ui.State) (Receipt, *running, error) {
		return c.finish(ctx, s, reply, plan{outcome: ui.Outcome{Kind: ui.OutcomeRefused, Code: rec.Outcome.Code, Surface: rec.Outcome.Surface}})
	})
}

// askLater starts the model run of a recorded event. The mailbox is free while
// the model thinks; the reply takes its own turn and meets the state of then.
func (c *conversation) askLater(j *job, prompt string) Receipt {
	ctx, cancel := context.WithCancelCause(c.svc.stop)
	c.svc.mu.Lock()
	j.run.asking, j.run.cancel = true, cancel
	if j.run.canceled { // before it began
		cancel(errCanceled)
	}
	seq := c.state.Seq
	c.svc.mu.Unlock()
	slot := j.slot
	j.slot, j.kept = nil, slot != nil
	c.svc.work.Add(1)
	go func() { // Close waits for it; it ends at the latest after AskTime
		defer c.svc.work.Done()
		defer cancel(nil)
		if slot != nil {
			defer slot()
		}
		ctx, stop := context.WithTimeout(ctx, c.svc.cfg.AskTime)
		defer stop()
		c.ask(ctx, j, prompt)
	}()
	return Receipt{Event: j.event.ID, Seq: seq}
}

func (c *conversation) ask(ctx context.Context, j *job, prompt string) {
	r, failed := c.reply(ctx, j, prompt)
	if errors.Is(context.Cause(ctx), errClosing) {
		return // recorded, not answered: the next start resumes it
	}
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	after := context.WithoutCancel(ctx)
	_, _, _ = c.guarded(after, j, func(s *ui.State) (Receipt, *running, error) { // errors are tried again: the event is recorded
		return c.finish(after, s, j, c.replied(s, j.event, r, failed))
	})
}

// reply asks the model, or finds its reply in the journal.
func (c *conversation) reply(ctx context.Context, j *job, prompt string) (r *reply, failed *ui.Error) {
	defer func() {
		if p := recover(); p != nil {
			c.svc.cfg.Log.Error("panic in a model run", "conversation", c.info.ID, "event", j.event.ID, "panic", p, "stack", string(debug.Stack()))
			r, failed = nil, &ui.Error{Code: CodeTurnFailed, Message: "the model run panicked"}
		}
	}()
	notes, err := c.journal(ctx, j)
	if err == nil && len(notes) > 0 && notes[0].Reply != nil {
		return notes[0].Reply, nil
	}
	cfg := c.svc.cfg
	if cfg.Model == nil {
		return &reply{Text: cfg.App.Config().Words.Say("chat.default")}, nil
	}
	in := agent.Input{State: c.head()}
	if j.event.Kind == ui.EventMessage {
		in.Text = prompt
	} else {
		in.Event = prompt
	}
	res, err := agent.Directives(ctx, cfg.Model, agent.Config{
		Registry: cfg.App.Registry(), Instructions: cfg.App.Config().Instructions, Words: cfg.App.Config().Words,
		Timeout: cfg.AskTime, Now: cfg.Now,
	}, in)
	if errors.Is(context.Cause(ctx), errCanceled) {
		return nil, &ui.Error{Code: CodeCanceled, Message: "canceled by the user"}
	}
	if err != nil {
		cfg.Log.Warn("model run failed", "conversation", c.info.ID, "event", j.event.ID, "err", err)
		return nil, asError(err)
	}
	r = &reply{Text: c.fit(res.Envelope.Text), Directives: res.Envelope.Directives}
	for _, w := range res.Warnings {
		r.Warnings = append(r.Warnings, stored(w))
	}
	if err := c.writeNote(context.WithoutCancel(ctx), j, 0, note{Kind: "reply", Reply: r}); err != nil && !errors.Is(err, store.ErrExists) {
		cfg.Log.Warn("journal", "conversation", c.info.ID, "err", err)
	}
	return r, nil
}

// replied is the plan of an answered model run on the state of now.
func (c *conversation) replied(s *ui.State, e *ui.Event, r *reply, failed *ui.Error) plan {
	var ops ui.Ops
	if e.Kind == ui.EventMessage {
		ops = append(ops, &ui.Say{Role: ui.RoleUser, Text: e.Text}, c.chatted(s, e))
	}
	if failed != nil {
		title := c.svc.cfg.Recovery.For(failed.Code).Title
		return plan{ops: append(ops, &ui.Say{Role: ui.RoleAssistant, Text: title}), warnings: []*ui.Error{failed},
			outcome: ui.Outcome{Kind: ui.OutcomeFailed, Code: failed.Code, Message: title}}
	}
	if r.Text != "" {
		ops = append(ops, &ui.Say{Role: ui.RoleAssistant, Text: r.Text})
	}
	out := plan{ops: ops, outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: e.At, Ops: ops}, c.svc.cfg.App.Config().Limits)
	if err != nil {
		return out // drawn will find out, and keep the user's words
	}
	next.Seq = s.Seq
	more, warnings := execute.Run(c.env(e), next, r.Directives)
	for i := range r.Warnings {
		warnings = append(warnings, &r.Warnings[i])
	}
	out.ops, out.warnings = append(ops, more...), warnings
	return out
}
