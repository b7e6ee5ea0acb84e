package session

import (
	"context"
	"errors"

	"github.com/limn-ui/limn/capture"
	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/ingress"
	"github.com/limn-ui/limn/ui"
)

// decide turns an event into a plan on a state. It is pure but for nonces.
func (c *conversation) decide(s *ui.State, e *ui.Event) plan {
	if s.Ended && e.Kind != ui.EventEnd {
		return c.refused(&ui.Error{Code: ui.CodeEnded, Message: "the conversation has ended"})
	}
	switch e.Kind {
	case ui.EventRegenerate:
		return c.regenerate(s, e)
	case ui.EventExpire:
		return plan{ops: execute.Expire(c.svc.cfg.App, s), outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	case ui.EventEnd:
		return plan{ops: execute.End(s), outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	case ui.EventMessage:
		return c.message(s, e)
	case ui.EventAction:
		return c.action(s, e)
	case ui.EventError:
		return c.clientError(s, e)
	case ui.EventPreference:
		return c.preference(s, e)
	case ui.EventAnswer:
		return c.answered(s, e)
	case ui.EventReply:
		return plan{ask: e.Text}
	}
	return c.refused(&ui.Error{Code: ingress.CodeEnvelope, Message: "unknown kind of event"})
}

func (c *conversation) env(e *ui.Event) execute.Env {
	return execute.Env{App: c.svc.cfg.App, Now: e.At, Nonce: func() string { return c.svc.random(16) }, Strict: c.svc.cfg.Strict,
		Prefs: c.svc.routing, Sum: c.svc.cfg.Model != nil && !c.svc.cfg.Phrases}
}

// refused is the plan of an event that does not count.
func (c *conversation) refused(err error) plan {
	why := asError(err)
	return plan{outcome: ui.Outcome{Kind: ui.OutcomeRefused, Code: why.Code, Path: ui.Path(why.Path), Message: c.svc.cfg.Recovery.For(why.Code).Title,
		Detail: why.Message, Hint: why.Hint}, warnings: []*ui.Error{why}}
}

func asError(err error) *ui.Error {
	var e *ui.Error
	if errors.As(err, &e) {
		return e
	}
	return &ui.Error{Code: CodeTurnFailed, Message: "unexpected", Err: err}
}

// action admits a click and carries it out as far as it goes without leaving.
func (c *conversation) action(s *ui.State, e *ui.Event) plan {
	adm, err := ingress.Admit(s, e.Action, c.door(s))
	if err != nil {
		p := c.refused(err)
		if adm != nil { // epoch and nonce are right: keep what was typed
			p.ops = typed(adm)
			p.outcome.Surface = adm.Surface.Name
		} else if name, _, err := ui.ParseWireID(e.Action.Surface); err == nil && (p.outcome.Code == ingress.CodeStale || p.outcome.Code == ingress.CodeSubmitted) && (s.Surface(name) != nil || s.FailedSurface(name) != nil) {
			p.outcome.Surface = name // it can be regenerated
		}
		return p
	}
	click := execute.Click{Surface: adm.Surface, Action: adm.Action, Values: adm.Values, Context: adm.Context}
	if sub, ok := execute.Submission(c.env(e), s, click); ok {
		click.Warnings = c.svc.validate(validators, sub)
	}
	step, err := execute.Action(c.env(e), s, click)
	if err != nil {
		p := c.refused(err)
		p.ops, p.outcome = typed(adm), ui.Outcome{Kind: ui.OutcomeFailed, Code: p.outcome.Code, Surface: adm.Surface.Name, Message: p.outcome.Message}
		return p
	}
	p := plan{ops: step.Ops, outcome: step.Outcome, warnings: adm.Warnings, effect: step.Effect, ask: step.Ask, step: step, click: click}
	if step.Sum {
		p.sums = adm.Surface.Name
	}
	if p.effect != nil && p.effect.Action.Webhook != nil && p.effect.Action.Webhook.Later {
		p = c.postponed(s, e, p)
	}
	return p
}

// door is what the app lets in, in a state.
func (c *conversation) door(s *ui.State) ingress.Door {
	app := c.svc.cfg.App
	return ingress.Door{
		Allowed: func(action string) bool { return app.Allowed(action) && !app.Masked(s, action) },
		Context: func(action string) (fields []ui.Field) {
			a, _ := app.Action(action)
			for _, k := range a.Context {
				fields = append(fields, ui.Field{Name: k.Key, Type: k.Type})
			}
			return fields
		},
	}
}

// typed keeps the values of an action that does not count otherwise.
func typed(adm *ingress.Admitted) ui.Ops {
	if adm.Surface.Status == ui.StatusSubmitted {
		return nil
	}
	return ui.Ops{&ui.Draft{Surface: adm.Surface.Name, Values: adm.Values}}
}

// typedIn keeps the values of an action whose turn broke. Nothing may break here.
func (c *conversation) typedIn(s *ui.State, e *ui.Event) (ops ui.Ops) {
	defer func() {
		if recover() != nil {
			ops = nil
		}
	}()
	if e.Kind != ui.EventAction {
		return nil
	}
	adm, _ := ingress.Admit(s, e.Action, c.door(s))
	if adm == nil {
		return nil
	}
	return typed(adm)
}

// preference sets what the user wants of routing.
func (c *conversation) preference(s *ui.State, e *ui.Event) plan {
	step, err := execute.Preference(c.env(e), s, e.Preference)
	if err != nil {
		p := c.refused(err)
		p.outcome.Message = p.outcome.Detail
		return p
	}
	return plan{ops: step.Ops, outcome: step.Outcome}
}

// validator is one check of what the user sends (decision logic §10).
type validator struct {
	name string
	run  func(capture.Submission) []capture.Warning
}

// validators in the order of their findings.
var validators = []validator{
	{capture.MissingRequired, capture.MissingRequiredFields},
	{capture.Duplicates, capture.DuplicateEntries},
	{capture.Contradictions, capture.ContradictorySequences},
	{capture.Coverage, capture.LowCoverage},
}

// validate runs all validators at once and joins what they find in their fixed
// order. One that panics or is late finds nothing and hides no other.
func (s *Service) validate(list []validator, sub capture.Submission) []capture.Warning {
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.CheckTime)
	defer cancel()
	found := make([]chan []capture.Warning, len(list))
	for i, v := range list {
		found[i] = make(chan []capture.Warning, 1)
		s.work.Add(1)
		go func() { // Close waits for it: validators end, each is linear in the rows
			defer s.work.Done()
			found[i] <- s.guardedCheck(v, sub)
		}()
	}
	var out []capture.Warning
	for i, v := range list {
		select {
		case w := <-found[i]:
			out = append(out, w...)
			continue
		case <-ctx.Done():
		}
		select {
		case w := <-found[i]: // in time, and only looked at after it
			out = append(out, w...)
		default:
			s.cfg.Log.Warn("validator is late", "validator", v.name)
		}
	}
	return out
}

func (s *Service) guardedCheck(v validator, sub capture.Submission) (out []capture.Warning) {
	defer func() {
		if p := recover(); p != nil { // what it panicked with may hold what the user wrote
			s.cfg.Log.Error("validator panicked", "validator", v.name)
			out = nil
		}
	}()
	return v.run(sub)
}
