package session

import (
	"context"
	"slices"
	"strings"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// clientError answers what a renderer reported of a surface: that client is
// drawn anew, the second time the surface is, and at the cap it goes and what it
// held is said. A report about what is no longer there is recorded, no more.
func (c *conversation) clientError(s *ui.State, e *ui.Event) plan {
	p := plan{outcome: ui.Outcome{Kind: ui.OutcomeDone, Code: CodeClient}}
	p.warnings = append(p.warnings, &ui.Error{Code: CodeClient, Path: e.Error.Path,
		Message: strings.Join([]string{e.Error.Code, e.Error.Surface, e.Error.Message}, " ")})
	var name ui.Name
	var epoch uint32
	if e.Error.Surface != "" {
		var err error
		if name, epoch, err = ui.ParseWireID(e.Error.Surface); err != nil {
			return p
		}
	}
	print := recovery.Fingerprint(e.Error.Code, e.Error.Path, e.Error.Message)
	do := recovery.Client(s, name, epoch, print, e.At)
	if do == "" {
		return p
	}
	p.outcome.Surface = name
	p.ops = ui.Ops{&ui.Mark{Surface: name, Epoch: epoch, Print: print}}
	switch do {
	case recovery.Reset:
		p.ops = append(p.ops, c.resetOps(name, epoch)...)
	case recovery.SurfaceFail:
		p.ops = forgotten(s, append(p.ops, c.failOps(s, name, c.svc.cfg.Recovery.For(CodeUnshown).Title)...), name)
	default:
		p.rebuild = &ui.Rebuild{Client: e.Error.Client, Principal: e.Principal}
	}
	return p
}

// regenerate draws a surface anew that the user asks for by its name.
func (c *conversation) regenerate(s *ui.State, e *ui.Event) plan {
	step, ok := execute.Regenerate(c.env(e), s, e.Surface)
	if !ok {
		return c.refused(&ui.Error{Code: CodeNotFound, Path: "name",
			Message: "this conversation has no surface " + string(e.Surface), Hint: "GET …/state lists those it has"})
	}
	return plan{ops: step.Ops, outcome: step.Outcome}
}

// says reports a message that is the label of a button and no more.
func says(text, label string) bool {
	return strings.EqualFold(strings.Trim(text, " \t\n“”\"."), label)
}

// wanted is the surface that a user who types what stands on the button
// "Regenerate" means: the last that failed, expired, or is open.
func (c *conversation) wanted(s *ui.State, text string) *ui.Surface {
	if !says(text, c.svc.cfg.App.Config().Words.Say("button.regenerate")) {
		return nil
	}
	if n := len(s.Failed); n > 0 {
		return s.Failed[n-1]
	}
	var found *ui.Surface
	for _, sf := range s.Surfaces {
		if sf.Status == ui.StatusExpired || sf.Status == ui.StatusOpen &&
			(found == nil || found.Status == ui.StatusOpen) {
			found = sf
		}
	}
	return found
}

// expire commits that surfaces are out of date, before anything else happens
// on them. It is called with the right to the turn; what fails here is tried
// again with the next event.
func (c *conversation) expire(ctx context.Context) {
	s := c.head()
	if s.Ended || len(execute.Expire(c.svc.cfg.App, s)) == 0 {
		return
	}
	if _, _, err := c.walk(context.WithoutCancel(ctx), c.newJob(&ui.Event{Kind: ui.EventExpire}, "")); err != nil {
		c.log().Warn("surfaces do not expire", "conversation", c.info.ID, "err", trace.Quiet(err))
	}
}

// expireOnLoad is expire for a conversation that was just loaded, unless a turn
// runs there: that one, or the next, sees to it.
func (c *conversation) expireOnLoad(ctx context.Context) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
		c.expire(ctx)
	default:
	}
}

func (c *conversation) resetOps(n ui.Name, epoch uint32) ui.Ops {
	return ui.Ops{&ui.Mark{Surface: n, Epoch: epoch, Print: ui.FaultReset},
		&ui.Reset{Surface: n, Nonce: c.svc.random(16)}}
}

// failOps close a surface that cannot be shown, and say so with what the user
// had put into it and how to have it back.
func (c *conversation) failOps(s *ui.State, n ui.Name, title string) ui.Ops {
	words, held := c.svc.cfg.App.Config().Words, ""
	if sf := s.Surface(n); sf != nil {
		held = worksheet.Plain(words, sf)
	}
	again := "\n\n" + words.Say("surface.again", "label", words.Say("button.regenerate"))
	if held != "" {
		room := c.svc.cfg.App.Config().Limits.WithDefaults().TextSize - len(title) - len(again) - 64
		held = "\n\n" + words.Say("surface.held", "list", clipText(held, max(0, room)))
	}
	return ui.Ops{&ui.Close{Surface: n, Failed: true},
		&ui.Say{Role: ui.RoleAssistant, Text: c.fit(title + held + again)}}
}

// recover changes a step so that what cannot be drawn is not shown: the
// surface goes, or starts anew, and a text says so. The event fails with it,
// unless it was about something else or has taken effect already. Where nothing
// may be flushed the error is returned: the frame is a text then.
func (c *conversation) recover(state *ui.State, step Step, failures []failure, p plan) (Step, error) {
	frame := *step.Frame
	about := make([]ui.Ops, len(failures))
	counts := make([]bool, len(failures))
	for i, f := range failures {
		if f.surface == "" || c.svc.cfg.Recovery.For(f.code).Do == recovery.Soft {
			return Step{}, &ui.Error{Code: f.code, Message: "nothing of this frame is shown", Err: f.err}
		}
		c.log().Warn("surface does not draw", "conversation", c.info.ID, "surface", f.surface, "code", f.code, "err",
			trace.Quiet(f.err))
		frame.Warnings = append(frame.Warnings, warning(f.err))
		rest, _ := split(p.ops, f.surface, true)
		counts[i] = p.carried || commits(frame.Ops) || len(rest) == len(p.ops)
		frame.Ops, about[i] = split(frame.Ops, f.surface, counts[i])
	}
	for i, f := range failures {
		entry := c.svc.cfg.Recovery.For(f.code)
		mark := &ui.Mark{Surface: f.surface, Epoch: step.After.Epochs[f.surface], Print: recovery.FingerprintOf(f.code)}
		frame.Ops = append(frame.Ops, mark)
		frame.Ops = c.instead(state, &frame, f, about[i], entry)
		if !counts[i] {
			frame.Outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: f.code, Surface: f.surface, Message: entry.Title}
		}
	}
	return c.apply(state, &frame)
}

// instead adds what happens to a surface in place of the ops about it, which
// cannot be drawn.
func (c *conversation) instead(state *ui.State, frame *ui.Frame, f failure, about ui.Ops, entry recovery.Entry) ui.Ops {
	n := f.surface
	if state.Surface(n) == nil { // opened just now: it fails at once, so that it can be regenerated
		if !slices.ContainsFunc(about, is[*ui.Open]) {
			return frame.Ops
		}
		about = slices.DeleteFunc(about, is[*ui.Close])
		return forgotten(state, slices.Concat(frame.Ops, about, c.failOps(state, n, entry.Title)), n)
	}
	var kept ui.Ops // what came with the click, and that it was a submit
	for _, op := range about {
		switch op.(type) {
		case *ui.Draft, *ui.Lock:
			kept = append(kept, op)
		}
	}
	now, _, err := ui.Apply(state, &ui.Frame{Seq: state.Seq + 1, At: frame.At, Ops: kept},
		c.svc.cfg.App.Config().Limits)
	if err != nil {
		now, kept = state, nil
	}
	do := recovery.Drawing(state, n, f.code, entry.Do, frame.At)
	if do == recovery.Reset && !slices.ContainsFunc(about, is[*ui.Reset]) && c.drawsAlone(now, n) {
		return slices.Concat(frame.Ops, kept, c.resetOps(n, state.Surface(n).Epoch),
			ui.Ops{&ui.Say{Role: ui.RoleAssistant, Text: entry.Title}})
	}
	return forgotten(state, slices.Concat(frame.Ops, kept, c.failOps(now, n, entry.Title)), n)
}

func commits(ops ui.Ops) bool { return slices.ContainsFunc(ops, is[*ui.Commit]) }

// is reports whether an op is of one kind.
func is[T ui.Op](op ui.Op) bool {
	_, ok := op.(T)
	return ok
}

// forgotten makes the router forget a tool whose surface is gone.
func forgotten(state *ui.State, ops ui.Ops, n ui.Name) ui.Ops {
	router := state.Router
	for _, op := range ops {
		if set, ok := op.(*ui.Set); ok {
			router = set.Router
		}
	}
	if router.Open(n) == nil {
		return ops
	}
	return append(ops, &ui.Set{Router: route.Gone(router, n)})
}

// drawsAlone reports whether a surface as it stands in a state draws.
func (c *conversation) drawsAlone(s *ui.State, n ui.Name) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			ok = false
		}
	}()
	alone := *s
	alone.Surfaces = []*ui.Surface{s.Surface(n)}
	for _, t := range c.svc.cfg.Targets {
		if _, err := compile.Snapshot(t, &alone); err != nil {
			return false
		}
	}
	return true
}

// split parts the ops about a surface from the others, and drops, unless the
// event counts all the same, what the assistant said about it.
func split(ops ui.Ops, n ui.Name, counts bool) (rest, about ui.Ops) {
	for _, op := range ops {
		say, said := op.(*ui.Say)
		switch {
		case surfaceOf(op) == n:
			about = append(about, op)
		case !said || say.Role != ui.RoleAssistant || counts:
			rest = append(rest, op)
		}
	}
	return rest, about
}

// surfaceOf is the surface an op changes, or "".
func surfaceOf(op ui.Op) ui.Name {
	switch op := op.(type) {
	case *ui.Open:
		return op.Surface
	case *ui.Update:
		return op.Surface
	case *ui.Lock:
		return op.Surface
	case *ui.Expire:
		return op.Surface
	case *ui.Close:
		return op.Surface
	case *ui.Reset:
		return op.Surface
	case *ui.Draft:
		return op.Surface
	case *ui.Patch:
		return op.Surface
	case *ui.Errors:
		return op.Surface
	}
	return ""
}
