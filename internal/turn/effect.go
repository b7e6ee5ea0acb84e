package turn

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Called is the result of a call.
type Called struct {
	Result app.Result
	Failed *ui.Error // nil: Result counts
	Plan   Plan      // that Resume made of it when it was called; after a crash, it comes from the journal
}

// Resume returns the plan of an event whose call was made. If the ops of the result do
// not apply to the state, a warning of the plan says why, and [Apply] answers with a
// failure that keeps the handler's results.
func Resume(env Env, s *ui.State, e *ui.Event, p Plan, called *Called) Plan {
	if called.Failed != nil {
		return CallFailed(env, p, called.Failed)
	}
	step, warnings, err := carried(env, s, e, p, called.Result)
	if err != nil {
		warnings = append(warnings, asError(err))
	}
	out := Plan{Ops: step.Ops, Outcome: step.Outcome, Warnings: append(p.Warnings, warnings...), Shown: step.Shown,
		Called: true, Decision: p.Decision, Again: p.Again}
	out.Call.Click = p.Call.Click
	return out
}

// Try returns the ops and outcome of a plan whose call returns result, or the reason why
// they do not apply. A call is not made if its result cannot be kept.
func Try(env Env, s *ui.State, e *ui.Event, p Plan, result app.Result) (ui.Ops, ui.Outcome, error) {
	step, _, err := carried(env, s, e, p, result)
	return step.Ops, step.Outcome, err
}

// Kept returns what counts of a result whatever becomes of the surface, for the journal:
// nothing if the result does not apply.
func Kept(env Env, s *ui.State, e *ui.Event, p Plan, result app.Result) (ui.Ops, *ui.Outcome) {
	ops, outcome, err := Try(env, s, e, p, result)
	if err != nil {
		return nil, nil
	}
	return keptOps(ops), &outcome
}

// carried returns the step that a result leads to, and an error if its ops do not apply.
func carried(env Env, s *ui.State, e *ui.Event, p Plan, result app.Result) (execute.Step, []*ui.Error, error) {
	step, warnings := finished(env, s, e, p, result)
	_, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: e.At, Ops: step.Ops}, env.App.Config().Limits)
	return step, warnings, err
}

func finished(env Env, s *ui.State, e *ui.Event, p Plan, result app.Result) (execute.Step, []*ui.Error) {
	step := p.Call.step
	step.Ops = slices.Clone(step.Ops) // Finish appends
	step, warnings := execute.Finish(env.execute(e), s, p.Call.Click, p.Call.Effect, step, result)
	for i := range result.Warnings {
		warnings = append(warnings, &result.Warnings[i])
	}
	step.Outcome = valued(e, step.Outcome, result)
	step.Ops = sayNotDoneAfter(env, step.Ops, &step.Outcome, warnings)
	return quoted(env, step, p.Call.sent), warnings
}

// CallFailed is the plan of a call that cannot be made: the draft stays, and the
// user reads that the action did not work. To a message that is not said with the words about a form.
func CallFailed(env Env, p Plan, err error) Plan {
	e, about := asError(err), p.Call.Click.Surface.Name
	title := env.title(e.Code)
	if w := env.words(); about == "" && title == w.Say("problem."+string(execute.CodeFailed)) {
		title = w.Say("action.failed")
	}
	return failedSaying(title, p.Call.step.Ops, e.Code, about, append(p.Warnings, e)...)
}

// Unsaved is the plan of a submit that saves nothing after all: the words and values of the
// user stay, and nothing says that it was saved.
func Unsaved(env Env, p Plan, err error) Plan {
	cause := asError(err)
	var ops ui.Ops
	for _, op := range p.Ops {
		said, says := op.(*ui.Say)
		if _, typed := op.(*ui.Draft); typed || says && said.Role == ui.RoleUser {
			ops = append(ops, op)
		}
	}
	return failed(env, ops, cause.Code, p.Outcome.Surface, append(p.Warnings, cause)...)
}

// Replan is the rest of a call whose state is gone, because another process committed
// first: the handler's results still count, and the surface is locked if it is open in s. Words of the user stay.
func Replan(env Env, s *ui.State, e *ui.Event, called *Called) Plan {
	p := afterCall(env, called)
	p.Ops = append(p.Ops, locksOf(s, e, called.Plan.Ops)...)
	if called.Failed != nil && e.Kind == ui.EventMessage {
		p.Ops = append(ui.Ops{userSays(e)}, p.Ops...)
	}
	return p
}

func afterCall(env Env, called *Called) Plan {
	if called.Failed != nil {
		return failed(env, nil, called.Failed.Code, "", called.Failed)
	}
	p := called.Plan
	p.Ops = durableOps(p.Ops)
	return p
}

// postpone makes the webhook of a plan a job of the outbox. The action counts at
// once, as if the endpoint had nothing to say.
func postpone(env Env, s *ui.State, e *ui.Event, p Plan) Plan {
	step, warnings := finished(env, s, e, p, app.Result{})
	p.Ops, p.Outcome, p.Warnings, p.Shown = step.Ops, step.Outcome, append(p.Warnings, warnings...), step.Shown
	p.Later, p.Call.Effect, p.Call.step = p.Call.Effect, nil, step
	return p
}

// answer is the plan of a later webhook's answer. The endpoint has done its work,
// so the frame counts even if the answer's directives do not render.
func answer(env Env, s *ui.State, e *ui.Event) Plan {
	a := e.Answer
	if a.Code != "" {
		return failed(env, nil, a.Code, a.Surface)
	}
	var ops ui.Ops
	texts := []string{a.Text}
	for _, e := range a.Errors { // no form is open to show them at
		texts = append(texts, e.Text)
	}
	if text := strings.TrimSpace(strings.Join(texts, "\n")); text != "" {
		ops = append(ops, assistantSays(env.Fit(text)))
	}
	if a.Toast != "" {
		ops = append(ops, &ui.Toast{Text: env.Fit(a.Toast)})
	}
	list, warnings := Directives(env.App, a.Directives)
	more, faults := execute.Run(env.execute(e), s, list)
	p := Plan{Outcome: ui.Outcome{Kind: ui.OutcomeDone, Surface: a.Surface}, Warnings: append(warnings, faults...),
		Called: true}
	p.Ops = sayNotDoneAfter(env, append(ops, more...), &p.Outcome, p.Warnings)
	return p
}

// Directives reads the directives of an endpoint's answer. A fault is a warning:
// the endpoint has done its work already.
func Directives(a *app.App, v jsonx.Value) ([]directive.Directive, []*ui.Error) {
	if v.Kind != jsonx.Array && v.Kind != jsonx.Null {
		return nil, []*ui.Error{ui.Errorf(execute.CodePayload, "/directives", "want a list, not %s", v.Kind)}
	}
	if len(v.Items) == 0 {
		return nil, nil
	}
	envelope, err := a.Registry().Read(string(jsonx.Append(nil, jsonx.OfObject(
		jsonx.Member{Key: "assistant_text", Value: jsonx.Of("")}, jsonx.Member{Key: "directives", Value: v}))))
	warnings := slices.Clone(envelope.Warnings)
	if err != nil {
		warnings = append(warnings, asError(err))
	}
	return envelope.Directives, warnings
}
