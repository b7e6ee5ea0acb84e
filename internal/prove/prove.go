package prove

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// Codes of what does not render.
const (
	CodePanic   ui.Code = "COMPILE_PANIC"           // a drawing panicked
	CodeDiffers ui.Code = "A2UI_S2C_STREAM_DIFFERS" // an update leads to another screen than the state
	// a surface is above a limit of every drawing that is offered
	CodeEverywhere ui.Code = "A2UI_S2C_LIMIT_EVERYWHERE"
)

// Step is one frame between the states around it.
type Step struct {
	Before, After *ui.State
	Frame         *ui.Frame
}

// Page is a drawing that is not A2UI.
type Page struct {
	Name, Print string // of the target, and its fingerprint
	// Update draws a frame between two states: each message as JSON, and warnings.
	// A pure function.
	Update func(before, after *ui.State, f *ui.Frame) (messages [][]byte, warnings []string, err error)
}

// Config is what conversations render for.
type Config struct {
	Targets []compile.Target
	Pages   []Page
	App     string // its fingerprint
	Limits  ui.Limits
	Strict  bool // hold every update against the state
}

// Targets is what every conversation renders for. It is safe for concurrent use.
type Targets struct {
	cfg    Config
	prints []string    // fingerprints of cfg.Targets
	fresh  []sync.Pool // for each target validators of clients that show nothing
}

// NewTargets prepares what cfg says.
func NewTargets(cfg Config) *Targets {
	r := &Targets{cfg: cfg, fresh: make([]sync.Pool, len(cfg.Targets))}
	for i, t := range cfg.Targets {
		r.fresh[i].New = func() any { return a2ui.NewValidator(Rules(t)) }
		r.prints = append(r.prints, compile.Fingerprint(t, cfg.App))
	}
	return r
}

// Drawings is how many ways a surface is drawn: versions of A2UI, and pages.
func (r *Targets) Drawings() int {
	dialects := map[a2ui.Dialect]bool{}
	for _, t := range r.cfg.Targets {
		dialects[t.Dialect] = true
	}
	return len(dialects) + len(r.cfg.Pages)
}

// Renders reports whether a state renders for every target. It does not panic.
func (r *Targets) Renders(s *ui.State) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for _, t := range r.cfg.Targets {
		if _, err := compile.Snapshot(t, s); err != nil {
			return false
		}
	}
	return true
}

// Prover holds each step of a conversation against all targets before it is
// committed: every changed surface is compiled, as update and as snapshot, and both
// are validated as a client would see them. It remembers the screen of each target's
// clients, so that a turn renders only its changes. It is guarded by the right to the
// turn.
type Prover struct {
	*Targets
	shown []shown // nil: not known

	panicked func(message string, recovered any) // for the log; set by Prove
}

// shown is the screen of the clients of one target.
type shown struct {
	at    *ui.State // the state they show
	memo  compile.Memo
	valid *a2ui.Validator // has seen all of it
	parts bool            // but for surfaces that do not render now
}

// Prove returns the surfaces that do not render for some target. If all render, the
// step may be committed, and sent holds its messages. Where rendering panics each
// surface is rendered by itself: only those that panic again have failed. panicked is
// called while a panic is recovered from.
func (p *Prover) Prove(step Step, panicked func(message string, recovered any)) (
	sent Rendering, failures []compile.Failure) {
	if len(step.Frame.Changes) == 0 {
		return Rendering{}, nil
	}
	p.panicked = panicked
	failures, ok := p.render(step, &sent)
	switch {
	case !ok:
		return Rendering{}, p.oneByOne(step)
	case len(failures) > 0:
		return Rendering{}, failures
	}
	p.renderPages(step, &sent)
	return sent, nil
}

// oneByOne returns the surfaces of a step that fail by themselves.
func (p *Prover) oneByOne(step Step) (failures []compile.Failure) {
	defer func() { p.shown = nil }() // the screens saw but parts of the frame
	for _, change := range affected(step) {
		frame := *step.Frame
		frame.Ops, frame.Changes = withoutCommits(frame.Ops), []ui.Change{change}
		part := Step{Before: only(step.Before, &frame), After: only(step.After, &frame), Frame: &frame}
		some, ok := p.render(part, new(Rendering))
		if !ok {
			some = []compile.Failure{{Surface: change.Surface,
				Err: &ui.Error{Code: CodePanic, Path: string(change.Surface), Message: "the drawing panicked"}}}
		}
		failures = append(failures, some...)
	}
	return failures
}

// renderPages renders drawings other than A2UI. A failure there is no reason to take a
// surface away from those that show it: streams render it again, and say so.
func (p *Prover) renderPages(step Step, into *Rendering) {
	defer func() {
		if r := recover(); r != nil {
			p.panicked("panic in a drawing", r)
		}
	}()
	for _, page := range p.cfg.Pages {
		if messages, warnings, err := page.Update(step.Before, step.After, step.Frame); err == nil {
			into.addPage(page, messages, warnings)
		}
	}
}

// affected lists the surfaces that a frame may render differently: those it changed,
// and where it commits, which any surface may show, all others.
func affected(step Step) []ui.Change {
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

func commits(ops ui.Ops) bool { return slices.ContainsFunc(ops, isCommit) }

func isCommit(op ui.Op) bool {
	_, ok := op.(*ui.Commit)
	return ok
}

func withoutCommits(ops ui.Ops) ui.Ops {
	return slices.DeleteFunc(slices.Clone(ops), isCommit)
}

// render renders a step for every target. ok is false if that panicked.
func (p *Prover) render(step Step, into *Rendering) (out []compile.Failure, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			p.panicked("panic in a drawing", r)
			p.shown, ok = nil, false
		}
	}()
	targets := p.showing(step.Before)
	after, compared := only(step.After, step.Frame), p.cfg.Strict || suspect(step)
	standIns := map[ui.Name]int{} // how many targets show a surface as a text and a link
	for i, t := range p.cfg.Targets {
		now, whole := &targets[i], true
		add := func(f compile.Failure) { // the first of a surface and target
			whole = false
			i := slices.IndexFunc(out, func(o compile.Failure) bool { return o.Surface == f.Surface })
			if i < 0 {
				i, out = len(out), append(out, f)
			}
			if name := t.Dialect.String(); !slices.Contains(out[i].Targets, name) {
				out[i].Targets = append(out[i].Targets, name)
			}
		}
		update, err := now.memo.Update(t, step.Before, step.After, step.Frame)
		collect(err, add)
		leaves := !compared && onlyLeaves(t, step, update)
		validate(now.valid, update, leaves, add)
		if bad, err := into.add(t, p.prints[i], step, update); err != nil {
			add(compile.Failure{Surface: bad, Err: err})
		}
		now.at = step.After
		now.memo.Only(step.After)
		if leaves {
			continue
		}
		snapshot, err := now.memo.Snapshot(t, after)
		collect(err, add)
		fresh := p.fresh[i].Get().(*a2ui.Validator)
		validate(fresh, unjudged(snapshot, update), false, add)
		for _, b := range snapshot {
			if slices.ContainsFunc(b.Warnings, standsIn) {
				standIns[b.Surface]++
			}
		}
		fresh.Reset()
		p.fresh[i].Put(fresh)
		if whole && compared {
			p.compare(t, step, update, snapshot, add)
		}
	}
	out = append(out, p.nowhere(after, standIns, out)...)
	if len(out) > 0 || slices.ContainsFunc(targets, func(now shown) bool { return now.parts }) {
		p.shown = nil // a validator that refused a batch does not show it
	}
	return out, true
}

// unjudged is a snapshot without the surfaces that the update, which was judged, creates by the same messages.
func unjudged(snapshot, update compile.Batches) compile.Batches {
	return slices.DeleteFunc(slices.Clone(snapshot), func(b compile.Batch) bool {
		return slices.ContainsFunc(update, func(u compile.Batch) bool {
			before := len(u.Messages) - len(b.Messages)
			return u.Surface == b.Surface && before >= 0 && slices.Equal(u.Messages[before:], b.Messages) &&
				!slices.ContainsFunc(u.Messages[:before], func(m a2ui.Message) bool { return !deletes(m) })
		})
	})
}

func deletes(m a2ui.Message) bool {
	_, ok := m.(*a2ui.DeleteSurface)
	return ok
}

// standsIn reports the warning of a drawing in place of a whole surface.
func standsIn(w compile.Warning) bool { return w.Code == compile.CodeNotShown && w.Path == "" }

// nowhere returns the surfaces that no drawing shows whole and that did not fail already.
func (p *Prover) nowhere(s *ui.State, standIns map[ui.Name]int, failed []compile.Failure) (out []compile.Failure) {
	var names []string
	for _, t := range p.cfg.Targets {
		names = append(names, t.Dialect.String())
	}
	for _, sf := range s.Surfaces {
		if standIns[sf.Name] < max(1, len(names)) || len(p.cfg.Pages) > 0 ||
			slices.ContainsFunc(failed, func(f compile.Failure) bool { return f.Surface == sf.Name }) {
			continue
		}
		out = append(out, compile.Failure{Surface: sf.Name, Targets: names, Err: &ui.Error{Code: CodeEverywhere,
			Path: string(sf.Name), Message: "the surface is above a limit of every drawing that is offered"}})
	}
	return out
}

// onlyLeaves reports whether the snapshot can be skipped: the last state was valid,
// and the frame changed leaves only. The data must be far below the limit of a
// message, since the validator does not see the message that holds all of it: eight
// bytes for a byte of text, which may be JSON in JSON, and a hundred for every
// entry. What the user has entered is never sent in one batch with the update, and
// must not be refused as one that is too long.
func onlyLeaves(t compile.Target, step Step, update compile.Batches) bool {
	if len(update) != len(step.Frame.Changes) || commits(step.Frame.Ops) {
		return false
	}
	limits := Rules(t).Limits.WithDefaults()
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
func suspect(step Step) bool {
	return slices.ContainsFunc(step.Before.Faults, func(f ui.Fault) bool {
		return slices.ContainsFunc(step.Frame.Changes, func(c ui.Change) bool { return c.Surface == f.Surface })
	})
}

// compare holds the screen of a client after an update against that of a client
// that starts now. In strict mode always, else for suspect surfaces: it takes two
// clients.
func (p *Prover) compare(t compile.Target, step Step, update, fresh compile.Batches, add func(compile.Failure)) {
	before := only(step.Before, step.Frame)
	var typed ui.Ops // these values are on the user's screen already
	for _, op := range step.Frame.Ops {
		switch op := op.(type) {
		case *ui.Draft:
			if before.Surface(op.Surface) != nil {
				typed = append(typed, op)
			}
		case *ui.Update:
			if typedInto(before.Surface(op.Surface), op.Root) {
				typed = append(typed, op)
			}
		}
	}
	if with, _, err := ui.Apply(before, &ui.Frame{Seq: before.Seq + 1, Ops: typed}, p.cfg.Limits); err == nil {
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
			add(compile.Failure{Surface: sf.Name,
				Err: &ui.Error{Code: CodeDiffers, Path: string(sf.Name),
					Message: "the update leads to another screen than the state"}})
		}
	}
}

// typedInto reports that a surface of an agent differs from a tree in what clients show as its data, and in no more.
func typedInto(was *ui.Surface, is ui.Nodes) bool {
	if was == nil || len(was.Root) != 1 || len(is) != 1 {
		return false
	}
	a, ok := was.Root[0].(*ui.Foreign)
	b, both := is[0].(*ui.Foreign)
	return ok && both && a.ID == b.ID && a.Version == b.Version && jsonx.Equal(a.Messages, b.Messages) &&
		jsonx.Equal(a.Data, b.Data)
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

func collect(err error, add func(compile.Failure)) {
	var list compile.Failures
	if errors.As(err, &list) {
		for _, f := range list {
			add(f)
		}
	} else if err != nil {
		add(compile.Failure{Err: err})
	}
}

// validate holds batches against a validator, and the user's entries if typed.
func validate(v *a2ui.Validator, batches compile.Batches, typed bool, add func(compile.Failure)) {
	for _, b := range batches {
		messages := b.Messages
		if typed {
			messages = slices.Concat(messages, b.Typed)
		}
		if problems := v.Check(messages); len(problems) > 0 {
			p := problems[0]
			add(compile.Failure{Surface: b.Surface, Err: &p})
		}
	}
}

// showing returns what clients show of a state, one for each target.
func (p *Prover) showing(s *ui.State) []shown {
	if len(p.shown) > 0 && p.shown[0].at == s {
		return p.shown
	}
	p.shown = make([]shown, len(p.cfg.Targets))
	for i, t := range p.cfg.Targets {
		now := &p.shown[i]
		now.at, now.valid = s, a2ui.NewValidator(Rules(t))
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

// Rules is what everything sent to a target is held against.
func Rules(t compile.Target) a2ui.Rules {
	r := a2ui.Rules{Dialect: t.Dialect, Profile: a2ui.Safe}
	if t.Rules != nil {
		r.Limits = t.Rules.Limits
		r.Catalogs = slices.Collect(maps.Values(t.Rules.Catalogs))
	}
	if r.Limits.String == 0 { // the box of a worksheet holds more than other texts
		r.Limits.String = worksheet.MaxPaste
		if r.Limits.MessageBytes == 0 {
			r.Limits.MessageBytes = 8 * worksheet.MaxPaste // as JSON, a byte can take six
		}
	}
	return r
}
