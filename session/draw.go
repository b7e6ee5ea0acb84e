package session

import (
	"errors"
	"runtime/debug"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/recovery"
	"github.com/limn-ui/limn/tool"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// failure is a surface that does not draw for some target.
type failure struct {
	surface ui.Name
	code    ui.Code
	err     error
}

// draw compiles every changed surface for every enabled target, as update and
// as snapshot, and validates both as a client would see them.
func (c *conversation) draw(step Step) (out []failure) {
	if len(step.Frame.Changes) == 0 {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			c.svc.cfg.Log.Error("panic in a drawing", "conversation", c.info.ID, "panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			out = []failure{{"", CodeTurnFailed, errPanic}}
		}
	}()
	add := func(f failure) {
		if !slices.ContainsFunc(out, func(o failure) bool { return o.surface == f.surface }) {
			out = append(out, f)
		}
	}
	before, after := only(step.Before, step.Frame), only(step.After, step.Frame)
	for _, t := range c.svc.cfg.Targets {
		update, err := compile.Update(t, before, after, step.Frame)
		collect(err, add)
		shown, err := compile.Snapshot(t, before)
		if err != nil {
			shown = nil // drawn with an earlier program: nothing to compare with
		}
		c.validate(t, shown, update, add)
		fresh, err := compile.Snapshot(t, after)
		collect(err, add)
		c.validate(t, nil, fresh, add)
	}
	return out
}

// only is a state with just the surfaces a frame touched: the others were
// proved when they changed.
func only(s *ui.State, f *ui.Frame) *ui.State {
	out := *s
	out.Surfaces = nil
	for _, sf := range s.Surfaces {
		if slices.ContainsFunc(f.Changes, func(c ui.Change) bool { return c.Surface == sf.Name }) {
			out.Surfaces = append(out.Surfaces, sf)
		}
	}
	return &out
}

func collect(err error, add func(failure)) {
	var list compile.Failures
	if errors.As(err, &list) {
		for _, f := range list {
			add(failure{f.Surface, codeOf(f.Err), f.Err})
		}
	} else if err != nil {
		add(failure{"", codeOf(err), err})
	}
}

// validate checks batches on top of what a client shows already.
func (c *conversation) validate(t compile.Target, shown, batches compile.Batches, add func(failure)) {
	v := a2ui.NewValidator(rules(t))
	for _, b := range shown {
		v.Check(b.Messages)
	}
	for _, b := range batches {
		if problems := v.Check(b.Messages); len(problems) > 0 {
			p := problems[0]
			add(failure{b.Surface, ui.Code(p.Code), &p})
		}
	}
}

// rules is what everything sent to a target is held against.
func rules(t compile.Target) a2ui.Rules {
	r := a2ui.Rules{Dialect: t.Dialect, Profile: a2ui.Safe}
	if t.Rules != nil {
		r.Catalog, r.Limits = t.Rules.Catalog, t.Rules.Limits
	}
	if r.Limits.String == 0 { // the box of a tool holds more than other texts
		r.Limits.String, r.Limits.MessageBytes = tool.MaxPaste, max(r.Limits.MessageBytes, 8*tool.MaxPaste) // as JSON, a byte can take six
	}
	return r
}

func codeOf(err error) ui.Code {
	if code := ui.CodeOf(err); code != "" {
		return code
	}
	var p *a2ui.Problem
	if errors.As(err, &p) {
		return ui.Code(p.Code)
	}
	return CodeTurnFailed
}

// recover changes a step so that what cannot be drawn is not shown: the
// surface goes, or starts anew, and a text says so. The event fails with it,
// unless it was about something else or has taken effect already.
func (c *conversation) recover(state *ui.State, step Step, failures []failure, p plan) (Step, error) {
	frame := *step.Frame
	for _, f := range failures {
		if f.surface == "" {
			return Step{}, f.err // nothing to take away
		}
		entry := c.svc.cfg.Recovery.For(f.code)
		c.svc.cfg.Log.Warn("surface does not draw", "conversation", c.info.ID, "surface", f.surface, "code", f.code, "err", trace.Quiet(f.err))
		frame.Warnings = append(frame.Warnings, warning(f.err))
		counts := p.carried || commits(frame.Ops) || len(withoutSurface(p.ops, f.surface, true)) == len(p.ops)
		frame.Ops = withoutSurface(frame.Ops, f.surface, counts)
		switch {
		case state.Surface(f.surface) == nil:
		case entry.Do == recovery.Reset && c.drawsAlone(state, f.surface):
			frame.Ops = append(frame.Ops, &ui.Reset{Surface: f.surface, Nonce: c.svc.random(16)})
		default:
			frame.Ops = append(frame.Ops, &ui.Close{Surface: f.surface})
		}
		frame.Ops = append(forgotten(state, frame.Ops, f.surface), &ui.Say{Role: ui.RoleAssistant, Text: entry.Title})
		if !counts {
			frame.Outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: f.code, Surface: f.surface, Message: entry.Title}
		}
	}
	return c.apply(state, &frame)
}

func commits(ops ui.Ops) bool {
	return slices.ContainsFunc(ops, func(op ui.Op) bool { _, ok := op.(*ui.Commit); return ok })
}

// forgotten makes the router forget a tool whose surface is gone.
func forgotten(state *ui.State, ops ui.Ops, n ui.Name) ui.Ops {
	router := state.Router
	for _, op := range ops {
		if set, ok := op.(*ui.Set); ok {
			router = set.Router
		}
	}
	reset := slices.ContainsFunc(ops, func(op ui.Op) bool { r, ok := op.(*ui.Reset); return ok && r.Surface == n })
	if router.Checkpoint == nil || router.Checkpoint.Surface != n || reset {
		return ops
	}
	router.Checkpoint, router.LastStatus = nil, ui.StatusCanceled
	return append(ops, &ui.Set{Router: router})
}

// drawsAlone reports whether the surface as it stands before the turn draws.
func (c *conversation) drawsAlone(s *ui.State, n ui.Name) bool {
	alone := *s
	alone.Surfaces = []*ui.Surface{s.Surface(n)}
	for _, t := range c.svc.cfg.Targets {
		if _, err := compile.Snapshot(t, &alone); err != nil {
			return false
		}
	}
	return true
}

// withoutSurface drops the ops about a surface, and unless the event counts
// all the same, what the assistant said about it.
func withoutSurface(ops ui.Ops, n ui.Name, counts bool) ui.Ops {
	return slices.DeleteFunc(slices.Clone(ops), func(op ui.Op) bool {
		switch op := op.(type) {
		case *ui.Open:
			return op.Surface == n
		case *ui.Update:
			return op.Surface == n
		case *ui.Lock:
			return op.Surface == n
		case *ui.Expire:
			return op.Surface == n
		case *ui.Close:
			return op.Surface == n
		case *ui.Reset:
			return op.Surface == n
		case *ui.Draft:
			return op.Surface == n
		case *ui.Patch:
			return op.Surface == n
		case *ui.Errors:
			return op.Surface == n
		case *ui.Say:
			return op.Role == ui.RoleAssistant && !counts
		}
		return false
	})
}
