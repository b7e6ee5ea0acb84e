package session

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// maxRedraws is how often what does not draw is taken away from a frame.
const maxRedraws = 5

// drawn builds the frame of a plan, applies it and proves that it draws. What
// does not is recovered: the surface is closed and a text says so.
func (c *conversation) drawn(state *ui.State, j *job, p plan) (Step, error) {
	strict := c.svc.cfg.Strict && !j.recorded
	step, err := c.apply(state, c.frame(state, j.event, p))
	if err != nil { // the ops of this turn do not fit: say so instead
		c.log().Warn("ops do not apply", "conversation", c.info.ID, "err", trace.Quiet(err))
		if strict {
			return Step{}, err
		}
		if step, err = c.failed(state, j.event, p, err); err != nil {
			return Step{}, err
		}
	}
	step = c.refreshed(state, step, j.event)
	for range maxRedraws {
		failures := c.draw(j, step)
		if len(failures) == 0 {
			return step, nil
		}
		err = failures[0].err
		if strict {
			return Step{}, err
		}
		if step, err = c.recover(state, step, failures, p); err != nil {
			return c.failed(state, j.event, p, err)
		}
	}
	return c.failed(state, j.event, p, &ui.Error{Code: CodeTurnFailed,
		Message: "what failed to draw could not be taken away", Err: err})
}

func (c *conversation) frame(state *ui.State, e *ui.Event, p plan) *ui.Frame {
	if sf := state.Surface(execute.OfferName); sf != nil && e.Kind == ui.EventMessage && !state.Ended && !slices.ContainsFunc(p.ops, opensOffer) {
		// the conversation went on without it
		p.ops = append(p.ops[:len(p.ops):len(p.ops)], &ui.Close{Surface: sf.Name})
	}
	f := &ui.Frame{V: ui.Version, Seq: state.Seq + 1, Event: e.ID, At: e.At, Ops: news(state, p.ops),
		Outcome: p.outcome, Rebuild: p.rebuild}
	for _, w := range p.warnings {
		f.Warnings = append(f.Warnings, warning(w))
	}
	if state.Ended { // what was on its way then changes nothing any more
		f.Ops = nil
		if e.Kind != ui.EventEnd {
			f.Outcome = c.refused(&ui.Error{Code: ui.CodeEnded, Message: "the conversation has ended"}).outcome
		}
	}
	return f
}

func opensOffer(op ui.Op) bool {
	open, ok := op.(*ui.Open)
	return ok && open.Surface == execute.OfferName
}

// news leaves out of what a click brought, which is the first of the ops of its
// turn, what the surface has already: a form that is sent again brings all of its
// fields, and a frame that holds one of them is half as long.
func news(s *ui.State, ops ui.Ops) ui.Ops {
	if len(ops) == 0 {
		return ops
	}
	draft, ok := ops[0].(*ui.Draft)
	if !ok || s.Surface(draft.Surface) == nil {
		return ops
	}
	sf := s.Surface(draft.Surface)
	fresh := map[ui.Path]bool{} // a path may be there twice: the last one counts
	values := slices.DeleteFunc(slices.Clone(draft.Values), func(l ui.Leaf) bool {
		if was, had := sf.Get(l.Path); had && was.Equal(l.Value) && !fresh[l.Path] {
			return true
		}
		fresh[l.Path] = true
		return false
	})
	return slices.Concat(ui.Ops{&ui.Draft{Surface: draft.Surface, Values: values}}, ops[1:])
}

func (c *conversation) apply(state *ui.State, frame *ui.Frame) (Step, error) {
	next, changes, err := ui.Apply(state, frame, c.svc.cfg.App.Config().Limits)
	if err != nil {
		return Step{}, err
	}
	frame.Changes, frame.Text, frame.Toasts = changes, frame.Ops.Speech(), frame.Ops.Toasts()
	return Step{Before: state, After: next, Frame: frame}, nil
}

// failed is the step of a plan whose ops cannot be kept: what a handler has
// done already counts all the same.
func (c *conversation) failed(state *ui.State, e *ui.Event, p plan, cause error) (Step, error) {
	frame := c.frame(state, e, p)
	frame.Warnings = append(frame.Warnings, warning(cause))
	ops, out := c.sorry(e, cause)
	if p.carried {
		for _, locks := range []ui.Ops{locksOf(state, e, p.ops), nil} {
			frame.Ops = slices.Concat(locks, lasting(p.ops), ops)
			if step, err := c.apply(state, frame); err == nil {
				return step, nil
			}
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
	return slices.DeleteFunc(noted(ops), func(op ui.Op) bool { _, lock := op.(*ui.Lock); return lock })
}

// noted keeps the ops that need no surface, and those that lock one.
func noted(ops ui.Ops) ui.Ops {
	var out ui.Ops
	for _, op := range ops {
		switch op.(type) {
		case *ui.Commit, *ui.Say, *ui.Toast, *ui.Lock:
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
	return Step{Before: step.Before, After: step.After, Frame: &out}
}

func (c *conversation) refresh(e *ui.Event, s *ui.State) (ops ui.Ops, warnings []*ui.Error) {
	defer func() {
		if p := recover(); p != nil {
			c.log().Error("panic in a view", "conversation", c.info.ID, "panic", trace.QuietPanic(p), "stack",
				string(debug.Stack()))
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
	return append(ops, &ui.Say{Role: ui.RoleAssistant, Text: c.fit(title)}),
		ui.Outcome{Kind: ui.OutcomeFailed, Code: code, Message: title}
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

// failure is a surface that does not draw for some target.
type failure struct {
	surface ui.Name
	code    ui.Code
	err     error
}

// draw compiles every changed surface for every enabled target, as update and
// as snapshot, and validates both as a client would see them. Where that panics
// each surface is drawn for itself: only those that do it again have failed.
func (c *conversation) draw(j *job, step Step) (out []failure) {
	defer j.drawing(&out)()
	if len(step.Frame.Changes) == 0 {
		return nil
	}
	out, ok := c.drawAll(j, step)
	if ok {
		if len(out) == 0 {
			c.drawPages(j, step)
		}
		return out
	}
	out = nil
	defer func() { c.proofs = nil; j.undrawn() }() // they saw but parts of the frame
	for _, change := range alone(step) {
		frame := *step.Frame
		frame.Ops, frame.Changes = withoutCommits(frame.Ops), []ui.Change{change}
		some, ok := c.drawAll(j, Step{Before: only(step.Before, &frame), After: only(step.After, &frame),
			Frame: &frame})
		if !ok {
			some = []failure{{change.Surface, CodePanic,
				&ui.Error{Code: CodePanic, Path: string(change.Surface), Message: "the drawing panicked"}}}
		}
		out = append(out, some...)
	}
	return out
}

// drawPages draws what is not A2UI. What fails there is no reason to take a
// surface away from those that show it: streams draw it again, and say so.
func (c *conversation) drawPages(j *job, step Step) {
	defer func() {
		if p := recover(); p != nil {
			c.log().Error("panic in a drawing", "conversation", c.info.ID, "panic", trace.QuietPanic(p), "stack",
				string(debug.Stack()))
		}
	}()
	for _, p := range c.svc.cfg.Pages {
		if messages, warnings, err := p.Update(step.Before, step.After, step.Frame); err == nil {
			j.drewPage(p, messages, warnings)
		}
	}
}

// alone lists the surfaces that a frame may draw differently: those it changed,
// and where it commits, which any surface may show, all others.
func alone(step Step) []ui.Change {
	out := slices.Clone(step.Frame.Changes)
	if !commits(step.Frame.Ops) {
		return out
	}
	for _, sf := range step.After.Surfaces {
		if !slices.ContainsFunc(out, func(c ui.Change) bool { return c.Surface == sf.Name }) {
			out = append(out, ui.Change{Surface: sf.Name, Epoch: sf.Epoch, Kind: ui.ChangedUpdated, Rev: sf.Rev,
				Guard: sf.Guard})
		}
	}
	return out
}

func withoutCommits(ops ui.Ops) ui.Ops {
	return slices.DeleteFunc(slices.Clone(ops), is[*ui.Commit])
}

func (c *conversation) drawAll(j *job, step Step) (out []failure, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			c.log().Error("panic in a drawing", "conversation", c.info.ID, "panic", trace.QuietPanic(p), "stack",
				string(debug.Stack()))
			c.proofs, ok = nil, false
		}
	}()
	add := func(f failure) {
		if !slices.ContainsFunc(out, func(o failure) bool { return o.surface == f.surface }) {
			out = append(out, f)
		}
	}
	proofs := c.proofsOf(step.Before)
	after, compared := only(step.After, step.Frame), c.svc.cfg.Strict || suspect(step)
	for i, t := range c.svc.cfg.Targets {
		p := &proofs[i]
		update, err := p.memo.Update(t, step.Before, step.After, step.Frame)
		collect(err, add)
		leaves := !compared && onlyLeaves(t, step, update)
		check(p.shown, update, leaves, add)
		if bad, err := j.drew(t, c.svc.prints[i], step, update); err != nil {
			add(failure{bad, codeOf(err), err})
		}
		p.at = step.After
		if leaves {
			continue
		}
		fresh, err := p.memo.Snapshot(t, after)
		collect(err, add)
		empty := c.svc.empty[i].Get().(*a2ui.Validator)
		check(empty, fresh, false, add)
		empty.Reset()
		c.svc.empty[i].Put(empty)
		p.memo.Only(step.After)
		if len(out) == 0 && compared {
			c.compare(t, step, update, fresh, add)
		}
	}
	if len(out) > 0 || slices.ContainsFunc(proofs, func(p proof) bool { return p.parts }) {
		c.proofs = nil // a validator that refused a batch does not show it
	}
	return out, true
}

// onlyLeaves reports a frame that needs no drawing of its snapshot: the one before
// was valid, and differs in the leaves that were sent and typed, which the validator
// sees each. What it does not see is the size of the message that has all data, so
// those must be far from the limit: eight bytes for a byte of text, which may be JSON
// in JSON, and room for a hundred around every entry. What was typed is never sent
// in one batch with the update, and must not be refused as one that is too long.
func onlyLeaves(t compile.Target, step Step, update compile.Batches) bool {
	if len(update) != len(step.Frame.Changes) || commits(step.Frame.Ops) {
		return false
	}
	limits := rules(t).Limits.WithDefaults()
	for _, b := range update {
		if !b.Leaves || len(b.Messages)+len(b.Typed) > limits.Messages ||
			100*limits.DataEntries+8*step.After.Surface(b.Surface).DataSize() > limits.MessageBytes {
			return false
		}
	}
	return true
}

// suspect reports a frame about a surface that something went wrong with lately.
func suspect(step Step) bool {
	return slices.ContainsFunc(step.Before.Faults, func(f ui.Fault) bool {
		return slices.ContainsFunc(step.Frame.Changes, func(c ui.Change) bool { return c.Surface == f.Surface })
	})
}

// compare holds what a client shows after an update against what one shows that
// starts now: the stream says what the state says. In strict mode always, else
// for surfaces that are suspect, since it takes two clients.
func (c *conversation) compare(t compile.Target, step Step, update, fresh compile.Batches, add func(failure)) {
	before := only(step.Before, step.Frame)
	var typed ui.Ops // what the user put there is on the screen already
	for _, op := range step.Frame.Ops {
		if d, ok := op.(*ui.Draft); ok && before.Surface(d.Surface) != nil {
			typed = append(typed, d)
		}
	}
	if with, _, err := ui.Apply(before, &ui.Frame{Seq: before.Seq + 1, Ops: typed}, c.svc.cfg.App.Config().Limits); err == nil {
		before = with
	}
	shown, err := compile.Snapshot(t, before)
	if err != nil {
		return
	}
	followed, started := client.New(t.Dialect, client.LikeWebCore), client.New(t.Dialect, client.LikeWebCore)
	followed.ApplyAll(shown.Messages())
	followed.ApplyAll(update.Messages())
	started.ApplyAll(fresh.Messages())
	for _, sf := range only(step.After, step.Frame).Surfaces {
		if followed.ShownHash(sf.WireID()) != started.ShownHash(sf.WireID()) {
			add(failure{sf.Name, CodeDiffers,
				&ui.Error{Code: CodeDiffers, Path: string(sf.Name),
					Message: "the update leads to another screen than the state"}})
		}
	}
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

// check holds batches against a validator, and what users typed, too, if asked.
func check(v *a2ui.Validator, batches compile.Batches, typed bool, add func(failure)) {
	for _, b := range batches {
		messages := b.Messages
		if typed {
			messages = slices.Concat(messages, b.Typed)
		}
		if problems := v.Check(messages); len(problems) > 0 {
			p := problems[0]
			add(failure{b.Surface, ui.Code(p.Code), &p})
		}
	}
}

// proof is what the clients of one target show, kept from turn to turn, so that
// a turn draws and validates only what it changes.
type proof struct {
	at    *ui.State       // the state they show
	memo  compile.Memo    // of its surfaces
	shown *a2ui.Validator // has seen all of it
	parts bool            // but for surfaces that do not draw now
}

// proofsOf returns the proofs of a state, one for each target.
func (c *conversation) proofsOf(s *ui.State) []proof {
	if len(c.proofs) > 0 && c.proofs[0].at == s {
		return c.proofs
	}
	c.proofs = make([]proof, len(c.svc.cfg.Targets))
	for i, t := range c.svc.cfg.Targets {
		p := &c.proofs[i]
		p.at, p.shown = s, a2ui.NewValidator(rules(t))
		for _, b := range p.snapshot(t, s) {
			p.shown.Check(b.Messages)
		}
	}
	return c.proofs
}

// snapshot is what clients show of a state. What does not draw any more was
// drawn by an earlier program: there is nothing to compare with.
func (p *proof) snapshot(t compile.Target, s *ui.State) (out compile.Batches) {
	draw := func(s *ui.State) (ok bool) {
		defer func() {
			if recover() != nil {
				ok = false
			}
		}()
		drawn, err := p.memo.Snapshot(t, s)
		out, p.parts = append(out, drawn...), p.parts || err != nil
		return true
	}
	if draw(s) {
		return out
	}
	p.parts = true
	for _, sf := range s.Surfaces {
		alone := *s
		alone.Surfaces = []*ui.Surface{sf}
		draw(&alone)
	}
	return out
}

// rules is what everything sent to a target is held against.
func rules(t compile.Target) a2ui.Rules {
	r := a2ui.Rules{Dialect: t.Dialect, Profile: a2ui.Safe}
	if t.Rules != nil {
		r.Catalog, r.Limits = t.Rules.Catalog, t.Rules.Limits
	}
	if r.Limits.String == 0 { // the box of a tool holds more than other texts
		// as JSON, a byte can take six
		r.Limits.String, r.Limits.MessageBytes = worksheet.MaxPaste, max(r.Limits.MessageBytes, 8*worksheet.MaxPaste)
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
