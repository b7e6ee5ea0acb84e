package session

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// drawn builds the frame of a plan, applies it and proves that it draws. What
// does not is recovered: the surface is closed and a text says so.
func (c *conversation) drawn(state *ui.State, j *job, p plan) (Step, error) {
	strict := c.svc.cfg.Strict && !j.recorded
	step, err := c.apply(state, c.frame(state, j.event, p))
	if err != nil { // the ops of this turn do not fit: say so instead
		c.svc.cfg.Log.Warn("ops do not apply", "conversation", c.info.ID, "err", trace.Quiet(err))
		if strict {
			return Step{}, err
		}
		if step, err = c.failed(state, j.event, p, err); err != nil {
			return Step{}, err
		}
	}
	step = c.refreshed(state, step, j.event)
	for range maxRaces {
		failures := c.draw(step)
		if len(failures) == 0 {
			return step, nil
		}
		err = failures[0].err
		if strict {
			return Step{}, err
		}
		if step, err = c.recover(state, step, failures, p); err != nil {
			break
		}
	}
	return c.failed(state, j.event, p, &ui.Error{Code: CodeTurnFailed, Message: "what failed to draw could not be taken away", Err: err})
}

func (c *conversation) frame(state *ui.State, e *ui.Event, p plan) *ui.Frame {
	f := &ui.Frame{V: ui.Version, Seq: state.Seq + 1, Event: e.ID, At: e.At, Ops: p.ops, Outcome: p.outcome}
	for _, w := range p.warnings {
		f.Warnings = append(f.Warnings, warning(w))
	}
	return f
}

func (c *conversation) apply(state *ui.State, frame *ui.Frame) (Step, error) {
	next, changes, err := ui.Apply(state, frame, c.svc.cfg.App.Config().Limits)
	if err != nil {
		return Step{}, err
	}
	frame.Changes, frame.Text, frame.Toasts = changes, frame.Ops.Speech(), frame.Ops.Toasts()
	return Step{state, next, frame}, nil
}

// failed is the step of a plan whose ops cannot be kept: what a handler has
// done already counts all the same.
func (c *conversation) failed(state *ui.State, e *ui.Event, p plan, cause error) (Step, error) {
	frame := c.frame(state, e, p)
	frame.Warnings = append(frame.Warnings, warning(cause))
	ops, out := c.sorry(e, cause)
	if p.carried {
		frame.Ops = append(lasting(p.ops), ops...)
		if step, err := c.apply(state, frame); err == nil {
			return step, nil
		}
	}
	frame.Ops, frame.Outcome = ops, out
	step, err := c.apply(state, frame)
	if err != nil {
		return Step{}, fmt.Errorf("apply a failure frame: %w", err)
	}
	return step, nil
}

// lasting keeps the ops that need no surface.
func lasting(ops ui.Ops) ui.Ops {
	var out ui.Ops
	for _, op := range ops {
		switch op.(type) {
		case *ui.Commit, *ui.Say, *ui.Toast:
			out = append(out, op)
		}
	}
	return out
}

// refreshed adds what the app's views show of the new state. A view that
// panics or does not fit is left as it was: the turn itself still counts.
func (c *conversation) refreshed(state *ui.State, step Step, e *ui.Event) Step {
	more, warnings := c.refresh(e, step.After)
	if len(more)+len(warnings) == 0 {
		return step
	}
	frame := *step.Frame
	for _, w := range warnings {
		frame.Warnings = append(frame.Warnings, warning(w))
	}
	plain := frame.Ops
	frame.Ops = append(plain[:len(plain):len(plain)], more...)
	next, err := c.apply(state, &frame)
	if err == nil {
		return next
	}
	out := *step.Frame
	out.Warnings = append(frame.Warnings, warning(err))
	return Step{step.Before, step.After, &out}
}

func (c *conversation) refresh(e *ui.Event, s *ui.State) (ops ui.Ops, warnings []*ui.Error) {
	defer func() {
		if p := recover(); p != nil {
			c.svc.cfg.Log.Error("panic in a view", "conversation", c.info.ID, "panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			ops, warnings = nil, []*ui.Error{{Code: execute.CodeView, Message: "a view panicked"}}
		}
	}()
	return execute.Refresh(c.env(e), s)
}

// sorry is the content of a frame whose turn failed: the user's words are kept.
func (c *conversation) sorry(e *ui.Event, err error) (ui.Ops, ui.Outcome) {
	code := ui.CodeOf(err)
	if code == "" {
		code = CodeTurnFailed
	}
	title := c.svc.cfg.Recovery.For(code).Title
	ops := ui.Ops{}
	if e.Kind == ui.EventMessage {
		ops = append(ops, &ui.Say{Role: ui.RoleUser, Text: c.fit(e.Text)})
	}
	return append(ops, &ui.Say{Role: ui.RoleAssistant, Text: c.fit(title)}), ui.Outcome{Kind: ui.OutcomeFailed, Code: code, Message: title}
}

// fit makes foreign text fit the transcript: valid, and not too long.
func (c *conversation) fit(s string) string {
	return clipText(strings.ToValidUTF8(s, "\uFFFD"), c.svc.cfg.App.Config().Limits.WithDefaults().TextSize)
}

// clipText cuts at n bytes, never inside a character.
func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

func warning(err error) string {
	var e *ui.Error
	if errors.As(err, &e) {
		s := string(e.Code) + ": " + e.Message
		if e.Path != "" {
			s += " (" + e.Path + ")"
		}
		return s
	}
	return string(CodeTurnFailed) + ": " + err.Error()
}
