package turn

import (
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// verbally carries out a message that submits or cancels an open surface: the button of the one
// surface that it can mean is pressed. Of several it asks which.
func verbally(env Env, s *ui.State, e *ui.Event, d route.Decision) Plan {
	router := route.Next(route.Decision{Action: route.ActionChat}, s.Router, env.Routing, e.At)
	p := Plan{Ops: ui.Ops{userSays(e), &ui.Set{Router: router}}, Decision: &d}
	if len(d.Which) == 1 {
		return pressed(env, s, e, p, d.Which[0], d.Control)
	}
	text := env.words().Say(d.Question)
	o := execute.Offer{Title: text,
		Params: ui.Map(ui.Pair{Key: offerOrder, Value: ui.String(string(d.Control))})}
	for _, n := range d.Which[:min(len(d.Which), maxWhich)] {
		o.Choices = append(o.Choices, execute.Choice{Name: string(n), Label: s.Surface(n).Title})
	}
	o.Choices = append(o.Choices, execute.Choice{Name: chooseKeep, Label: env.words().Say("offer.no")})
	p.Ops = append(p.Ops, o.Op(env.Nonce()), assistantSays(text))
	p.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Surface: execute.OfferName}
	return p
}

// maxWhich is how many surfaces an offer has to choose from; any can be named.
const maxWhich = 6

// askedWhich is the question of the open offer: which surface to submit or to cancel.
func askedWhich(s *ui.State) route.Control {
	if sf := s.Surface(execute.OfferName); sf != nil {
		order, _ := sf.Origin.Params.Get(offerOrder)
		return route.Control(order.Text())
	}
	return ""
}

// chooseWhich presses the button of the surface that was chosen; ops take the offer away.
func chooseWhich(env Env, s *ui.State, e *ui.Event, ops ui.Ops, order route.Control, chosen string) Plan {
	p := Plan{Ops: ops, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	if chosen == chooseKeep {
		p.Outcome.Message = env.words().Say("submit.not")
		p.Ops = append(p.Ops, assistantSays(p.Outcome.Message))
		return p
	}
	return pressed(env, s, e, p, ui.Name(chosen), order)
}

// pressed continues the plan p: it presses the button that submits or cancels an open
// surface. The values are those of the state. From here it is a click like any other.
func pressed(env Env, s *ui.State, e *ui.Event, p Plan, n ui.Name, order route.Control) Plan {
	now, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: e.At, Ops: p.Ops}, env.App.Config().Limits)
	if err != nil {
		return p // Apply meets the same error, and keeps the user's words
	}
	now.Seq = s.Seq // still before the frame
	adm, sent, err := press(env, now, n, order)
	out := Plan{}
	if err != nil {
		out = failed(env, p.Ops, asError(err).Code, n, asError(err))
	} else {
		out = clicked(env, s, now, e, adm, p.Ops, sent)
	}
	out.Warnings = append(out.Warnings, p.Warnings...)
	out.Decision, out.Again = p.Decision, p.Again
	return out
}

// press admits the button that submits or cancels a surface. The user reads sent
// once it is submitted: the values that they had on the screen.
func press(env Env, now *ui.State, n ui.Name, order route.Control) (adm *ingress.Admitted, sent string, err error) {
	sf := now.Surface(n)
	if sf == nil {
		return nil, "", ui.Errorf(ingress.CodeStale, "", "this form is no longer there")
	}
	button, at := execute.CancelButton(sf)
	if order == route.ControlSubmit {
		button, at = execute.SubmitButton(env.App, sf)
		if list := worksheet.Quote(env.words(), sf); list != "" {
			sent = env.Fit(env.words().Say("submit.sent", "list", list))
		}
	}
	if button == nil {
		return nil, "", ui.Errorf(ingress.CodeForbidden, "", "nothing submits or cancels this surface now")
	}
	adm, err = ingress.Press(now, sf, at, policy(env, now))
	return adm, sent, err
}

// quoted adds the submitted values to a step that counts.
func quoted(env Env, step execute.Step, sent string) execute.Step {
	if sent != "" && step.Outcome.Kind == ui.OutcomeDone {
		step.Ops = saidAfter(env, step.Ops, sent)
	}
	return step
}
