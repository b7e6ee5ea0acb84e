package session

import (
	"context"
	"errors"

	"github.com/limn-ui/limn/agent"
	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// askLater starts the model run of a recorded event. The mailbox is free while
// the model thinks; the reply takes its own turn and meets the state of then.
func (c *conversation) askLater(j *job, prompt string) Receipt {
	ctx, cancel := context.WithCancelCause(c.svc.stop)
	c.svc.mu.Lock()
	j.run.cancel = cancel
	seq := c.state.Seq
	c.svc.mu.Unlock()
	c.svc.work.Add(1)
	go func() { // Close waits for it; it ends at the latest after AskTime
		defer c.svc.work.Done()
		defer cancel(nil)
		ctx, stop := context.WithTimeout(ctx, c.svc.cfg.AskTime)
		defer stop()
		c.ask(ctx, j, prompt)
	}()
	return Receipt{Event: j.event.ID, Seq: seq, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
}

func (c *conversation) ask(ctx context.Context, j *job, prompt string) {
	r, failed := c.reply(ctx, j, prompt)
	if errors.Is(context.Cause(ctx), errClosing) {
		return // recorded, not answered: the next start resumes it
	}
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	for range maxRaces {
		state := c.head()
		_, _, err := c.finish(context.WithoutCancel(ctx), state, j, c.replied(state, j.event, r, failed))
		if err == nil {
			return
		}
		if !errors.Is(err, errLostRace) || c.reload(context.WithoutCancel(ctx)) != nil {
			c.svc.cfg.Log.Error("reply not committed", "conversation", c.info.ID, "event", j.event.ID, "err", err)
			return
		}
	}
}

// reply asks the model, or finds its reply in the journal.
func (c *conversation) reply(ctx context.Context, j *job, prompt string) (*reply, *ui.Error) {
	notes, err := c.journal(ctx, j)
	if err == nil && len(notes) > 0 && notes[0].Reply != nil {
		return notes[0].Reply, nil
	}
	if c.svc.cfg.Model == nil {
		return &reply{Text: c.svc.cfg.App.Config().Words.Say("chat.default")}, nil
	}
	cfg := c.svc.cfg
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
	if err != nil {
		if errors.Is(context.Cause(ctx), errCanceled) {
			return nil, &ui.Error{Code: CodeCanceled, Message: "canceled by the user"}
		}
		c.svc.cfg.Log.Warn("model run failed", "conversation", c.info.ID, "event", j.event.ID, "err", err)
		return nil, asError(err)
	}
	r := &reply{Text: res.Envelope.Text, Directives: res.Envelope.Directives}
	for _, w := range res.Warnings {
		r.Warnings = append(r.Warnings, warning(w))
	}
	if err := c.writeNote(context.WithoutCancel(ctx), j, 0, note{Kind: "reply", Reply: r}); err != nil && !errors.Is(err, store.ErrExists) {
		c.svc.cfg.Log.Warn("journal", "conversation", c.info.ID, "err", err)
	}
	return r, nil
}

// replied is the plan of an answered model run on the state of now.
func (c *conversation) replied(s *ui.State, e *ui.Event, r *reply, failed *ui.Error) plan {
	var ops ui.Ops
	if e.Kind == ui.EventMessage {
		ops = append(ops, &ui.Say{Role: ui.RoleUser, Text: e.Text}, c.chatted(s, e))
	}
	if e.Kind == ui.EventAction { // the action itself was admitted when it came: do it now
		p := c.action(s, e)
		ops = append(ops, p.ops...)
	}
	if failed != nil {
		title := c.svc.cfg.Recovery.For(failed.Code).Title
		return plan{ops: append(ops, &ui.Say{Role: ui.RoleAssistant, Text: title}), warnings: []*ui.Error{failed},
			outcome: ui.Outcome{Kind: ui.OutcomeFailed, Code: failed.Code, Message: title}}
	}
	if r.Text != "" {
		ops = append(ops, &ui.Say{Role: ui.RoleAssistant, Text: clipText(r.Text, c.svc.cfg.App.Config().Limits.WithDefaults().TextSize)})
	}
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: e.At, Ops: ops}, c.svc.cfg.App.Config().Limits)
	if err != nil {
		return c.refused(err)
	}
	next.Seq = s.Seq
	more, warnings := execute.Run(c.env(e), next, r.Directives)
	for _, w := range r.Warnings {
		warnings = append(warnings, &ui.Error{Code: "DIRECTIVE_WARNING", Message: w})
	}
	return plan{ops: append(ops, more...), warnings: warnings, outcome: ui.Outcome{Kind: ui.OutcomeDone}}
}

func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// maxStarts is how often a turn is begun before it is given up.
const maxStarts = 3

// resume runs again what a crash left recorded and unanswered.
func (c *conversation) resume(ctx context.Context, pending []store.Record) {
	for _, r := range pending {
		e, err := ui.DecodeEvent(r.Body)
		if err != nil {
			c.svc.cfg.Log.Error("recorded event cannot be read", "conversation", c.info.ID, "event", r.Event, "err", err)
			continue
		}
		j := &job{event: e, record: r, recorded: true, resumed: true}
		c.begin(j)
		starts := 1
		if jr, ok := c.svc.cfg.Store.(store.Journal); ok {
			if starts, err = jr.Start(ctx, c.info.ID, r.Event); err != nil {
				c.svc.cfg.Log.Error("resume", "conversation", c.info.ID, "event", r.Event, "err", err)
				continue
			}
		}
		c.turn <- struct{}{}
		if starts >= maxStarts {
			ops, out := c.sorry(e, &ui.Error{Code: CodePoison})
			_, _, err = c.finish(ctx, c.head(), j, plan{ops: ops, outcome: out})
		} else {
			_, _, err = c.walk(ctx, j)
		}
		<-c.turn
		if err != nil {
			c.svc.cfg.Log.Error("resume", "conversation", c.info.ID, "event", r.Event, "err", err)
		}
	}
}
