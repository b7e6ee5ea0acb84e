package session

import (
	"errors"
	"slices"
	"sync"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// renderers is what every conversation renders for. It is safe for concurrent use.
type renderers struct {
	targets []compile.Target
	prints  []string    // fingerprints of targets
	fresh   []sync.Pool // for each target validators of clients that show nothing
	pages   []Page
	limits  ui.Limits
	strict  bool
}

func newRenderers(cfg Config) *renderers {
	r := &renderers{targets: cfg.Targets, pages: cfg.Pages, strict: cfg.Strict, limits: cfg.App.Config().Limits,
		fresh: make([]sync.Pool, len(cfg.Targets))}
	for i, t := range cfg.Targets {
		r.fresh[i].New = func() any { return a2ui.NewValidator(rules(t)) }
		r.prints = append(r.prints, compile.Fingerprint(t, cfg.App.Fingerprint()))
	}
	return r
}

// renders reports whether a state renders for every target. It does not panic.
func (r *renderers) renders(s *ui.State) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for _, t := range r.targets {
		if _, err := compile.Snapshot(t, s); err != nil {
			return false
		}
	}
	return true
}

// prover holds each step of a conversation against all targets before it is
// committed: every changed surface is compiled, as update and as snapshot, and both
// are validated as a client would see them. It remembers the screen of each target's
// clients, so that a turn renders only its changes. It is guarded by the right to the
// turn.
type prover struct {
	*renderers
	shown   []shown                             // nil: not known
	onPanic func(message string, recovered any) // for the log
}

// shown is the screen of the clients of one target.
type shown struct {
	at    *ui.State // the state they show
	memo  compile.Memo
	valid *a2ui.Validator // has seen all of it
	parts bool            // but for surfaces that do not render now
}

// prove returns the surfaces that do not render for some target; none means that
// the step may be committed. into takes the rendered messages. Where rendering panics
// each surface is rendered by itself: only those that panic again have failed.
func (p *prover) prove(step turn.Step, into *tally) (out []turn.Failure) {
	defer into.rendering(&out)()
	if len(step.Frame.Changes) == 0 {
		return nil
	}
	out, ok := p.all(step, into)
	if ok {
		if len(out) == 0 {
			p.renderPages(step, into)
		}
		return out
	}
	out = nil
	defer func() { p.shown = nil; into.forgetRendered() }() // they saw but parts of the frame
	for _, change := range alone(step) {
		frame := *step.Frame
		frame.Ops, frame.Changes = withoutCommits(frame.Ops), []ui.Change{change}
		some, ok := p.all(turn.Step{Before: only(step.Before, &frame), After: only(step.After, &frame), Frame: &frame},
			into)
		if !ok {
			some = []turn.Failure{{Surface: change.Surface, Code: CodePanic,
				Err: &ui.Error{Code: CodePanic, Path: string(change.Surface), Message: "the drawing panicked"}}}
		}
		out = append(out, some...)
	}
	return out
}

// renderPages renders drawings other than A2UI. A failure there is no reason to take a
// surface away from those that show it: streams render it again, and say so.
func (p *prover) renderPages(step turn.Step, into *tally) {
	defer func() {
		if r := recover(); r != nil {
			p.onPanic("panic in a drawing", r)
		}
	}()
	for _, page := range p.pages {
		if messages, warnings, err := page.Update(step.Before, step.After, step.Frame); err == nil {
			into.renderedPage(page, messages, warnings)
		}
	}
}

// alone lists the surfaces that a frame may render differently: those it changed,
// and where it commits, which any surface may show, all others.
func alone(step turn.Step) []ui.Change {
	out := slices.Clone(step.Frame.Changes)
	if !turn.Commits(step.Frame.Ops) {
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
	return slices.DeleteFunc(slices.Clone(ops), func(op ui.Op) bool { _, ok := op.(*ui.Commit); return ok })
}

// all renders a step for every target. ok is false if that panicked.
func (p *prover) all(step turn.Step, into *tally) (out []turn.Failure, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			p.onPanic("panic in a drawing", r)
			p.shown, ok = nil, false
		}
	}()
	add := func(f turn.Failure) {
		if !slices.ContainsFunc(out, func(o turn.Failure) bool { return o.Surface == f.Surface }) {
			out = append(out, f)
		}
	}
	targets := p.showing(step.Before)
	after, compared := only(step.After, step.Frame), p.strict || suspect(step)
	for i, t := range p.targets {
		now := &targets[i]
		update, err := now.memo.Update(t, step.Before, step.After, step.Frame)
		collect(err, add)
		leaves := !compared && onlyLeaves(t, step, update)
		validate(now.valid, update, leaves, add)
		if bad, err := into.rendered(t, p.prints[i], step, update); err != nil {
			add(turn.Failure{Surface: bad, Code: codeOf(err), Err: err})
		}
		now.at = step.After
		if leaves {
			continue
		}
		snapshot, err := now.memo.Snapshot(t, after)
		collect(err, add)
		fresh := p.fresh[i].Get().(*a2ui.Validator)
		validate(fresh, snapshot, false, add)
		fresh.Reset()
		p.fresh[i].Put(fresh)
		now.memo.Only(step.After)
		if len(out) == 0 && compared {
			p.compare(t, step, update, snapshot, add)
		}
	}
	if len(out) > 0 || slices.ContainsFunc(targets, func(now shown) bool { return now.parts }) {
		p.shown = nil // a validator that refused a batch does not show it
	}
	return out, true
}

// onlyLeaves reports a frame that needs no snapshot: the one before was valid, and
// the frame changes leaves only, which the validator sees each. The validator does
// not see the size of the message that has all data, so those must be far from the
// limit: eight bytes for a byte of text, which may be JSON in JSON, and a hundred
// around every entry. The user's entries are never sent in one batch with the
// update, and must not be refused as one that is too long.
func onlyLeaves(t compile.Target, step turn.Step, update compile.Batches) bool {
	if len(update) != len(step.Frame.Changes) || turn.Commits(step.Frame.Ops) {
		return false
	}
	limits := rules(t).Limits.WithDefaults()
	for _, b := range update {
		if !b.Leaves || len(b.Messages)+len(b.Typed) > limits.Messages {
			return false
		}
		if 100*limits.DataEntries+8*step.After.Surface(b.Surface).DataSize() > limits.MessageBytes {
			return false
		}
	}
	return true
}

// suspect reports a frame about a surface that had a fault lately.
func suspect(step turn.Step) bool {
	return slices.ContainsFunc(step.Before.Faults, func(f ui.Fault) bool {
		return slices.ContainsFunc(step.Frame.Changes, func(c ui.Change) bool { return c.Surface == f.Surface })
	})
}

// compare holds the screen of a client after an update against that of a client
// that starts now. In strict mode always, else for suspect surfaces: it takes two
// clients.
func (p *prover) compare(t compile.Target, step turn.Step, update, fresh compile.Batches, add func(turn.Failure)) {
	before := only(step.Before, step.Frame)
	var typed ui.Ops // these values are on the user's screen already
	for _, op := range step.Frame.Ops {
		if d, ok := op.(*ui.Draft); ok && before.Surface(d.Surface) != nil {
			typed = append(typed, d)
		}
	}
	if with, _, err := ui.Apply(before, &ui.Frame{Seq: before.Seq + 1, Ops: typed}, p.limits); err == nil {
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
			add(turn.Failure{Surface: sf.Name, Code: CodeDiffers,
				Err: &ui.Error{Code: CodeDiffers, Path: string(sf.Name),
					Message: "the update leads to another screen than the state"}})
		}
	}
}

// only is a state with just the surfaces that a frame changed. The others were
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

func collect(err error, add func(turn.Failure)) {
	var list compile.Failures
	if errors.As(err, &list) {
		for _, f := range list {
			add(turn.Failure{Surface: f.Surface, Code: codeOf(f.Err), Err: f.Err})
		}
	} else if err != nil {
		add(turn.Failure{Code: codeOf(err), Err: err})
	}
}

// validate holds batches against a validator, and the user's entries if typed.
func validate(v *a2ui.Validator, batches compile.Batches, typed bool, add func(turn.Failure)) {
	for _, b := range batches {
		messages := b.Messages
		if typed {
			messages = slices.Concat(messages, b.Typed)
		}
		if problems := v.Check(messages); len(problems) > 0 {
			p := problems[0]
			add(turn.Failure{Surface: b.Surface, Code: ui.Code(p.Code), Err: &p})
		}
	}
}

// showing returns what clients show of a state, one for each target.
func (p *prover) showing(s *ui.State) []shown {
	if len(p.shown) > 0 && p.shown[0].at == s {
		return p.shown
	}
	p.shown = make([]shown, len(p.targets))
	for i, t := range p.targets {
		now := &p.shown[i]
		now.at, now.valid = s, a2ui.NewValidator(rules(t))
		for _, b := range now.snapshot(t, s) {
			now.valid.Check(b.Messages)
		}
	}
	return p.shown
}

// snapshot is what clients show of a state. A surface that does not render any more
// was rendered by an earlier program: there is nothing to compare with.
func (now *shown) snapshot(t compile.Target, s *ui.State) (out compile.Batches) {
	render := func(s *ui.State) (ok bool) {
		defer func() {
			if recover() != nil {
				ok = false
			}
		}()
		batches, err := now.memo.Snapshot(t, s)
		out, now.parts = append(out, batches...), now.parts || err != nil
		return true
	}
	if render(s) {
		return out
	}
	now.parts = true
	for _, sf := range s.Surfaces {
		alone := *s
		alone.Surfaces = []*ui.Surface{sf}
		render(&alone)
	}
	return out
}

// rules is what everything sent to a target is held against.
func rules(t compile.Target) a2ui.Rules {
	r := a2ui.Rules{Dialect: t.Dialect, Profile: a2ui.Safe}
	if t.Rules != nil {
		r.Catalog, r.Limits = t.Rules.Catalog, t.Rules.Limits
	}
	if r.Limits.String == 0 { // the box of a worksheet holds more than other texts
		r.Limits.String = worksheet.MaxPaste
		r.Limits.MessageBytes = max(r.Limits.MessageBytes, 8*worksheet.MaxPaste) // as JSON, a byte can take six
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
