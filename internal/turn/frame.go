package turn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Step is a frame between the states around it.
type Step struct {
	Before, After *ui.State
	Frame         *ui.Frame
}

// Apply makes the frame of a plan. Ops that do not apply are replaced by a failure that
// keeps the words and values of the user and the handler's results; with strict they are the error.
func Apply(env Env, s *ui.State, e *ui.Event, p Plan, strict bool) (Step, error) {
	if p.GivenUp() {
		return applyDrafts(env, s, e, p)
	}
	step, err := applyFrame(env, s, buildFrame(env, s, e, p))
	if err == nil {
		return step, nil
	}
	env.Warn("ops do not apply", "err", err)
	if strict {
		return Step{}, err
	}
	return fail(env, s, e, p, err, salvageDraft(env, s, e))
}

// Show completes an applied step with what its state shows: newer, which are commits of
// topics and records that open views show and the state lacks, and the views of the app,
// which see the new state. If there is no room for newer, the turn itself still counts.
func Show(env Env, step Step, e *ui.Event, p Plan, newer ui.Ops) Step {
	if len(newer) > 0 {
		next, err := extend(env, step, newer)
		if err != nil {
			env.Warn("there is no room for what a view shows", "err", err)
		} else {
			step = next
		}
	}
	return stamp(env, refreshViews(env, step, e), e, p)
}

// extend applies the frame of a step again, with more ops and warnings at its end.
func extend(env Env, step Step, more ui.Ops, warnings ...string) (Step, error) {
	f := *step.Frame
	f.Ops, f.Warnings = slices.Concat(f.Ops, more), slices.Concat(f.Warnings, warnings)
	return applyFrame(env, step.Before, &f)
}

// applyDrafts is Apply for an event that is given up: the first of the drafts that
// applies is kept.
func applyDrafts(env Env, s *ui.State, e *ui.Event, p Plan) (Step, error) {
	for _, draft := range p.Drafts {
		with := p
		with.Ops = slices.Concat(draft, p.Ops)
		step, err := applyFrame(env, s, buildFrame(env, s, e, with))
		if err == nil {
			return step, nil
		}
		env.Warn("a failure frame does not apply", "event", e.ID, "err", err)
	}
	return Step{}, &ui.Error{Code: agent.CodeTurnFailed, Message: "the failure frame does not apply"}
}

// givenUp is the plan of an event whose turn broke too often: a failure, or what its
// handler has done.
func givenUp(env Env, s *ui.State, in GivenUp) Plan {
	e := in.Event
	why, called := &ui.Error{Code: in.Code}, in.Called
	if env.Agents != nil && called != nil && called.Failed != nil {
		why, called = called.Failed, nil // what an agent may have done is not to be tried in other words
	}
	ops, out := failure(env, e, why)
	p := Plan{Ops: ops, Outcome: out}
	var locks ui.Ops
	if called != nil {
		done := afterCall(env, called)
		if p.Ops = append(done.Ops, ops...); called.Failed == nil {
			p, locks = done, locksOf(s, e, called.Plan.Ops)
		}
	}
	p.Drafts = []ui.Ops{slices.Concat(salvageDraft(env, s, e), locks), locks, nil}
	return p
}

// buildFrame is the frame of a plan.
func buildFrame(env Env, state *ui.State, e *ui.Event, p Plan) *ui.Frame {
	offer := state.Surface(execute.OfferName)
	if offer != nil && e.Kind == ui.EventMessage && !state.Ended && !slices.ContainsFunc(p.Ops, opensOffer) {
		// the conversation went on without it
		p.Ops = append(p.Ops[:len(p.Ops):len(p.Ops)], &ui.Close{Surface: offer.Name})
	}
	if router := lastRouter(state, p.Ops); answersCalls(e, p) && !router.ToolCalls.IsNull() &&
		router.ToolCalls.Equal(state.Router.ToolCalls) {
		router.ToolCalls = ui.Value{}
		p.Ops = append(p.Ops[:len(p.Ops):len(p.Ops)], &ui.Set{Router: router})
	}
	f := &ui.Frame{V: ui.Version, Seq: state.Seq + 1, Event: e.ID, At: e.At, Ops: DropUnchanged(state, p.Ops),
		Outcome: p.Outcome, Rebuild: p.Rebuild}
	if e.Language != "" && speaks(state, e) {
		f.Ops = append(ui.Ops{&ui.Set{Router: state.Router}}, f.Ops...)
	}
	for _, w := range p.Warnings {
		f.Warnings = append(f.Warnings, warning(w))
	}
	if state.Ended { // an event that was on its way changes nothing any more
		f.Ops = nil
		if e.Kind != ui.EventEnd {
			f.Outcome = refused(env, errEnded).Outcome
		}
	}
	return f
}

// answersCalls reports that no call of the state before waits for its result any more: they
// have theirs, or the user has gone on.
func answersCalls(e *ui.Event, p Plan) bool {
	return (e.Kind == ui.EventMessage || e.Results.Kind == jsonx.Array) && p.Outcome.Kind != ui.OutcomeRefused
}

// Spoken is the state that an event is decided on: the first message of a
// conversation sets its language, if the event has one. The frame includes that change.
func Spoken(s *ui.State, e *ui.Event) *ui.State {
	if e.Language == "" || !speaks(s, e) || s.Router.Language == e.Language {
		return s
	}
	next := *s
	next.Router.Language = e.Language
	return &next
}

// speaks reports an event that sets the language, and has set it in s.
func speaks(s *ui.State, e *ui.Event) bool {
	return len(s.Transcript) == 0 && !s.Ended && (s.Router.Language == "" || s.Router.Language == e.Language)
}

func opensOffer(op ui.Op) bool {
	open, ok := op.(*ui.Open)
	return ok && open.Surface == execute.OfferName
}

// DropUnchanged removes the draft values that the surface already has from the first
// op, which holds the values sent with a click. A form that is sent again brings all of
// its fields; a frame with the changed ones is half as long.
func DropUnchanged(s *ui.State, ops ui.Ops) ui.Ops {
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

// applyFrame applies a frame, and adds the changes to it.
func applyFrame(env Env, state *ui.State, frame *ui.Frame) (Step, error) {
	next, changes, err := ui.Apply(state, frame, env.App.Config().Limits)
	if err != nil {
		return Step{}, err
	}
	frame.Changes, frame.Text, frame.Toasts = changes, speech(frame.Ops), next.Toasts
	return Step{Before: state, After: next, Frame: frame}, nil
}

// speech joins the words of the assistant in a list of ops.
func speech(ops ui.Ops) string {
	var parts []string
	for _, op := range ops {
		if say, ok := op.(*ui.Say); ok && say.Role == ui.RoleAssistant {
			parts = append(parts, say.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// Fail is the step of a plan whose ops cannot be kept, with the cause as a warning.
// The effects of a handler that was called still count. The values of the event are not
// kept: they may be the reason.
func Fail(env Env, s *ui.State, e *ui.Event, p Plan, cause error) (Step, error) {
	return fail(env, s, e, p, cause, nil)
}

// fail is Fail with the values of the event, if they apply and no handler was called.
func fail(env Env, s *ui.State, e *ui.Event, p Plan, cause error, typed ui.Ops) (Step, error) {
	f := buildFrame(env, s, e, p)
	f.Warnings = append(f.Warnings, warning(cause))
	ops, out := failure(env, e, cause)
	if p.Called {
		for _, locks := range []ui.Ops{locksOf(s, e, p.Ops), nil} {
			f.Ops = slices.Concat(locks, durableOps(p.Ops), ops)
			if step, err := applyFrame(env, s, f); err == nil {
				return step, nil
			}
		}
	}
	f.Outcome = out
	var failed error
	for _, draft := range []ui.Ops{typed, nil} {
		f.Ops = DropUnchanged(s, slices.Concat(draft, ops))
		step, err := applyFrame(env, s, f)
		if err == nil {
			return step, nil
		}
		failed = err
	}
	return Step{}, fmt.Errorf("apply a failure frame: %w", failed)
}

// durableOps keeps the ops that need no surface.
func durableOps(ops ui.Ops) ui.Ops {
	return slices.DeleteFunc(keptOps(ops), is[*ui.Lock])
}

// keptOps keeps the ops that need no surface, and those that lock one.
func keptOps(ops ui.Ops) ui.Ops {
	var out ui.Ops
	for _, op := range ops {
		switch op.(type) {
		case *ui.Commit, *ui.Say, *ui.Toast, *ui.Lock:
			out = append(out, op)
		}
	}
	return out
}

// refreshViews adds the ops of the app's views for the new state. If these do not
// fit, the views stay as they were: the turn itself still counts.
func refreshViews(env Env, step Step, e *ui.Event) Step {
	more, faults := execute.Refresh(env.execute(e), step.After)
	if len(more)+len(faults) == 0 {
		return step
	}
	var warnings []string
	for _, w := range faults {
		warnings = append(warnings, warning(w))
	}
	next, err := extend(env, step, more, warnings...)
	if err == nil {
		return next
	}
	f := *step.Frame
	f.Warnings = slices.Concat(f.Warnings, warnings, []string{warning(err)})
	step.Frame = &f
	return step
}

// failure returns the ops and the outcome of a frame whose turn failed. The ops keep the
// user's words.
func failure(env Env, e *ui.Event, err error) (ui.Ops, ui.Outcome) {
	code := cmp.Or(ui.CodeOf(err), agent.CodeTurnFailed)
	title := env.title(code)
	ops := ui.Ops{}
	if e.Kind == ui.EventMessage {
		ops = append(ops, &ui.Say{Role: ui.RoleUser, Text: env.Fit(e.Text)})
	}
	return append(ops, assistantSays(env.Fit(title))),
		ui.Outcome{Kind: ui.OutcomeFailed, Code: code, Message: title}
}

// Fit makes foreign text fit the transcript: valid UTF-8, and not too long.
func (env Env) Fit(s string) string {
	return excerpt.Head(strings.ToValidUTF8(s, "\uFFFD"), env.textSize())
}

// textSize bounds a text of the transcript, in bytes.
func (env Env) textSize() int { return env.App.Config().Limits.WithDefaults().TextSize }

func warning(err error) string {
	var e *ui.Error
	if errors.As(err, &e) {
		s := string(e.Code) + ": " + e.Message
		if e.Path != "" {
			s += " (" + e.Path + ")"
		}
		return s
	}
	if p := (*a2ui.Problem)(nil); errors.As(err, &p) {
		return err.Error() // begins with its code
	}
	return string(agent.CodeTurnFailed) + ": " + err.Error()
}

// locksOf returns those of ops that lock the surface an action came from, or that words
// were about, if it is open: a submitted surface cannot be submitted again.
func locksOf(s *ui.State, e *ui.Event, ops ui.Ops) (locks ui.Ops) {
	var name ui.Name
	if e.Action != nil {
		var epoch uint32
		var err error
		name, epoch, err = ui.ParseWireID(e.Action.Surface)
		if sf := s.Surface(name); err != nil || sf == nil || sf.Epoch != epoch {
			return nil
		}
	}
	for _, op := range ops {
		l, ok := op.(*ui.Lock)
		if !ok || e.Action != nil && l.Surface != name {
			continue
		}
		if sf := s.Surface(l.Surface); sf != nil && sf.Status == ui.StatusOpen {
			locks = append(locks, op)
		}
	}
	return locks
}
