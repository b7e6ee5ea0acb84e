package session

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/limn-ui/limn/agent"
	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// routed asks the routing model about a message no rule knew, and lets the
// message go on by what it says, on the state of then: routing decides again,
// and only what is still open is for the model to fill. It reports whether the
// message is answered; else the chat model has it.
func (c *conversation) routed(ctx context.Context, j *job) (answered bool) {
	a, ok := c.proposed(ctx, j)
	switch {
	case errors.Is(context.Cause(ctx), errClosing):
		return true // recorded, not answered: the next start resumes it
	case errors.Is(context.Cause(ctx), errCanceled):
		return false // said in one place
	}
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	after, answered := context.WithoutCancel(ctx), true
	_, _, _ = c.guarded(after, j, func(s *ui.State) (Receipt, *running, error) { // errors are tried again: the event is recorded
		e := j.event
		p, broken := c.mended(s, e)
		if !broken {
			d := route.Decide(e.Text, s.Router, c.svc.routing, e.At)
			if d.Open && ok {
				d = route.Admit(a, e.Text, s.Router, c.svc.routing, e.At)
			}
			p = c.carryOut(s, e, d)
		}
		if answered = p.ask == ""; !answered {
			j.decision = p.decision
			return Receipt{}, nil, nil
		}
		return c.finish(after, s, j, p)
	})
	return answered
}

// proposed is the routing model's answer, from the journal if it was asked
// before. Whatever goes wrong, there is none, and the message is chat.
func (c *conversation) proposed(ctx context.Context, j *job) (a route.Answer, ok bool) {
	cfg := c.svc.cfg
	defer func() {
		if p := recover(); p != nil {
			cfg.Log.Error("panic in the routing model", "conversation", c.info.ID, "event", j.event.ID, "panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			a, ok = route.Answer{}, false
		}
	}()
	notes, _ := c.journal(ctx, j)
	if len(notes) > 0 && notes[0].Kind == "route" {
		if notes[0].Route == nil {
			return a, false
		}
		return *notes[0].Route, true
	}
	a, err := agent.Route(ctx, cfg.Router, agent.Config{Timeout: cfg.RouteTime, Now: cfg.Now}, c.head().Router, j.event.Text)
	if ctx.Err() != nil {
		return a, false
	}
	n := note{Kind: "route", Route: &a}
	if err != nil {
		cfg.Log.Warn("routing model failed", "conversation", c.info.ID, "event", j.event.ID, "err", trace.Quiet(err))
		n = note{Kind: "route", Code: ui.CodeOf(err)}
	}
	c.remembered(ctx, j, 0, n)
	return a, err == nil
}
