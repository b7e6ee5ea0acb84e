package turn

import (
	"cmp"
	"strings"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// action decides a click: it admits it, and passes it on by the button. What holds
// for every press of a button, also of one that is pressed in words, belongs in clicked.
func action(env Env, s *ui.State, e *ui.Event) Plan {
	if e.Action.Call != "" {
		return function(env, s, e)
	}
	a := *e.Action
	a.Timestamp = cmp.Or(a.Timestamp, e.At.UTC().Format(time.RFC3339)) // a page has no clock
	adm, err := ingress.Admit(s, &a, policy(env, s))
	if err != nil {
		return refusedAction(env, s, e, adm, err)
	}
	if adm.Client != nil || adm.Fix != "" {
		return toOwner(env, s, e, adm)
	}
	switch {
	case adm.Action.Name == builtin.ActionOffer:
		return choose(env, s, e, adm)
	case adm.Surface.Status == ui.StatusSubmitted && adm.Action.Name == builtin.ActionRecordEdit:
		return editRecord(env, s, e, adm.Context)
	}
	return clicked(env, s, s, e, adm, nil, "")
}

// editRecord opens a record in the form it came from.
func editRecord(env Env, s *ui.State, e *ui.Event, which ui.Value) Plan {
	edit, _ := env.App.Action(builtin.ActionRecordEdit)
	done := ui.Outcome{Kind: ui.OutcomeDone}
	return calls(env, s, e, &execute.Effect{Action: edit, Values: which}, Plan{Outcome: done})
}

// clicked runs an admitted action up to the call or question that leaves the process. A
// click, an order in words ("submit it") and the answer to "Which one?" all come here, see
// pressed. The action runs on the state now, which is s after the ops before; s is the state of the turn. If
// sent is not empty, the user reads it after the action has counted.
func clicked(env Env, s, now *ui.State, e *ui.Event, adm *ingress.Admitted, before ui.Ops, sent string) Plan {
	click := execute.Click{Surface: adm.Surface, Action: adm.Action, Values: adm.Values, Context: adm.Context,
		Files: adm.Files}
	if sub, ok := execute.Submission(env.execute(e), now, click); ok {
		click.Warnings = env.Validate(sub)
	}
	step, err := execute.Action(env.execute(e), now, click)
	if err != nil {
		p := refused(env, err)
		p.Ops = append(before[:len(before):len(before)], draftOf(adm)...)
		p.Outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: p.Outcome.Code, Surface: adm.Surface.Name,
			Message: p.Outcome.Message}
		return p
	}
	step.Ops = append(before[:len(before):len(before)], step.Ops...)
	if step.Effect == nil {
		step = quoted(env, step, sent)
	}
	p := Plan{Ops: step.Ops, Outcome: step.Outcome, Warnings: append(step.Warnings, adm.Warnings...), Shown: step.Shown,
		Ask:  Ask{Prompt: step.Ask, Data: step.Data, Run: step.Run, Follows: true},
		Call: Call{Effect: step.Effect, Click: click, step: step, sent: sent}}
	if step.Sum {
		p.Ask.Sums = adm.Surface.Name
	}
	if first, text := notDone(env, step.Warnings); first != nil { // the action shows nothing
		if p.Outcome.Code = first.Code; !Commits(p.Ops) { // a saved form has not failed
			p.Outcome.Kind = ui.OutcomeFailed
		}
		p.Ops = saidAfter(env, p.Ops, text)
		p.Outcome.Message = strings.TrimSpace(p.Outcome.Message + " " + text)
	}
	return postponed(env, s, e, p)
}

// refusedAction is the plan of a click that is refused. If adm is set, the click comes from
// this surface (its epoch and nonce are right), and the values that came with it are kept as a draft.
func refusedAction(env Env, s *ui.State, e *ui.Event, adm *ingress.Admitted, err error) Plan {
	p := refused(env, err)
	if adm != nil {
		p.Ops, p.Outcome.Surface = draftOf(adm), adm.Surface.Name
		return p
	}
	name, _, bad := ui.ParseWireID(e.Action.Surface)
	outdated := p.Outcome.Code == ingress.CodeStale || p.Outcome.Code == ingress.CodeSubmitted
	if bad == nil && outdated && (s.Surface(name) != nil || s.FailedSurface(name) != nil) {
		p.Outcome.Surface = name // it can be regenerated
	}
	return p
}

// policy is the app's policy for actions, in a state.
func policy(env Env, s *ui.State) ingress.Policy {
	app := env.App
	return ingress.Policy{
		Allowed: func(action string) bool { return app.Allowed(action) && !app.Masked(s, action) },
		Context: func(action string) (fields []ui.Field) {
			a, _ := app.Action(action)
			for _, k := range a.Context {
				fields = append(fields, ui.Field{Name: k.Key, Type: k.Type})
			}
			return fields
		},
		Foreign: func(sf *ui.Surface, e *ui.ActionEvent) (*ingress.Admitted, error) { return admitForeign(env, sf, e) },
	}
}

// draftOf keeps the values of an action that does not count otherwise.
func draftOf(adm *ingress.Admitted) ui.Ops {
	if adm.Surface.Status == ui.StatusSubmitted {
		return nil
	}
	return append(append(ui.Ops{&ui.Draft{Surface: adm.Surface.Name, Values: adm.Values}}, adm.Ops...),
		execute.KeepFiles(adm.Surface, adm.Files)...)
}

// salvageDraft is draftOf for an action whose turn broke. It does not panic.
func salvageDraft(env Env, s *ui.State, e *ui.Event) (ops ui.Ops) {
	defer func() {
		if recover() != nil {
			ops = nil
		}
	}()
	if e.Kind != ui.EventAction {
		return nil
	}
	adm, _ := ingress.Admit(s, e.Action, policy(env, s))
	if adm == nil {
		return nil
	}
	return draftOf(adm)
}

// preference changes the user's preferences of routing.
func preference(env Env, s *ui.State, e *ui.Event) Plan {
	step, err := execute.Preference(env.execute(e), s, e.Preference)
	if err != nil {
		p := refused(env, err)
		p.Outcome.Message = p.Outcome.Detail
		return p
	}
	return Plan{Ops: step.Ops, Outcome: step.Outcome}
}

// byAction has an action of the app answer a message, which p has recorded.
func byAction(env Env, s *ui.State, e *ui.Event, a app.Action, p Plan) Plan {
	if execute.Fixed(a) {
		return fixed(env, s, e, a, p)
	}
	values := ui.Map(ui.Pair{Key: "text", Value: ui.String(e.Text)})
	return calls(env, s, e, &execute.Effect{Action: a, Values: values}, p)
}

// fixed adds the answer of a fixed action to a plan.
func fixed(env Env, s *ui.State, e *ui.Event, a app.Action, p Plan) Plan {
	a.Reply = env.Fit(a.Reply)
	ops, warnings := execute.Answer(env.execute(e), s, p.Ops, a)
	p.Ops, p.Warnings = append(p.Ops, ops...), append(p.Warnings, warnings...)
	sayNotDone(env, &p, false, false)
	return p
}

// calls adds to a plan the call of an action that no button was pressed for.
func calls(env Env, s *ui.State, e *ui.Event, effect *execute.Effect, p Plan) Plan {
	p.Call = Call{Effect: effect, Click: execute.Click{Surface: &ui.Surface{}},
		step: execute.Step{Ops: p.Ops, Outcome: p.Outcome}}
	return postponed(env, s, e, p)
}

// postponed is p, with its webhook in the outbox if it is one that is called later.
func postponed(env Env, s *ui.State, e *ui.Event, p Plan) Plan {
	if call := p.Call.Effect; call != nil && call.Action.Webhook != nil && call.Action.Webhook.Later {
		return postpone(env, s, e, p)
	}
	return p
}
