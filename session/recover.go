package session

import (
	"slices"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/recovery"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

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
