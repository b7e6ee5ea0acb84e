package session

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// What the buttons of an offer do.
const (
	chooseOpen  = "open"  // the tool, this once
	chooseAllow = "allow" // the tool, and lift the opt-out
	chooseKeep  = "keep"  // what is open
	chooseRetry = "retry" // ask the model again
)

// Parameters of an offer.
const (
	offerMessage   = "message"   // of the user
	offerDirective = "directive" // of the model, as JSON
	offerPrompt    = "prompt"    // what the model was told of an action
	offerTool      = "tool"
	offerSurface   = "surface" // that chooseKeep goes on with
	offerRun       = "run"     // chooseRetry: how the model was asked
)

// behind returns what a message leads to if the gate that decided it were open,
// and that gate. Without a gate the decision can be carried out: an open tool
// that nobody has worked in keeps no other closed.
func (c *conversation) behind(s *ui.State, text string, d route.Decision, at time.Time) (want route.Decision,
	gate string) {
	router := s.Router
	want = d
	for range 4 { // as many gates as there are
		if !want.Gated() {
			break
		}
		shut, _, _ := strings.Cut(want.Rationale, ":")
		if shut != route.GateOpen || execute.InWork(s) != nil {
			gate = shut
		}
		router = route.Lift(router, shut)
		want = route.Decide(text, router, c.svc.routing, at)
	}
	if want.Action == route.ActionChat {
		return d, ""
	}
	return want, gate
}

// toolOf is the tool a decision opens or asks about.
func toolOf(d route.Decision) string {
	if d.Tool != "" {
		return d.Tool
	}
	return d.Candidate
}

// gated is the plan of a message whose tool a gate keeps closed: it says why,
// and offers what helps. ok is false where that has been said before and a model
// can answer: an opt-out, or a rule of the user, is explained once.
func (c *conversation) gated(s *ui.State, e *ui.Event, d *route.Decision, tool, gate string, open ui.Name) (p plan,
	ok bool) {
	if told(s.Router, gate, tool) && c.svc.cfg.Model != nil {
		return plan{}, false
	}
	if gate == execute.GateSame {
		d.Action, d.Tool, d.Params, d.Confidence, d.Rationale = route.ActionChat, "", nil, 0.44, gate
	}
	about := ui.Map(ui.Pair{Key: offerMessage, Value: ui.String(e.Text)})
	text, offer := c.offer(s, gate, tool, open, about)
	router := route.Next(*d, s.Router, c.svc.routing, e.At)
	router.Told = tell(router.Told, gate, tool)
	return plan{ops: ui.Ops{&ui.Say{Role: ui.RoleUser, Text: e.Text}, &ui.Set{Router: router}, offer,
		&ui.Say{Role: ui.RoleAssistant, Text: text}},
		outcome: ui.Outcome{Kind: ui.OutcomeAsked, Surface: execute.OfferName}}, true
}

// told reports a gate of the user's own making that has been explained.
func told(r ui.Router, gate, tool string) bool { return slices.Contains(r.Told, gate+":"+tool) }

func tell(list []string, gate, tool string) []string {
	key := gate + ":" + tool
	if gate != route.GateOptOutAll && gate != route.GateOptOut && gate != route.GateRule || slices.Contains(list, key) {
		return list
	}
	return append(slices.Clone(list), key)
}

// offer says why a gate is closed and what can be done about it. open is the
// surface that GateSame is about.
func (c *conversation) offer(s *ui.State, gate, tool string, open ui.Name, about ui.Value) (text string, op *ui.Open) {
	words := c.svc.cfg.App.Config().Words
	other, own := words.Say("offer.table"), words.Say("tool.table")
	if tool == ui.ToolMap {
		other, own = words.Say("offer.map"), words.Say("tool.map")
	}
	sf := s.Surface(open)
	if gate == route.GateOpen {
		sf = execute.InWork(s)
	}
	label := ""
	if sf != nil {
		label = sf.Title
		about, _ = about.With(ui.String(string(sf.Name)), offerSurface)
	}
	about, _ = about.With(ui.String(tool), offerTool)
	say := func(key string) string { return words.Say(key, "label", label, "other", other, "own", own) }
	o := execute.Offer{Title: say("offer.title"), Params: about}
	choices := map[string][]execute.Choice{
		route.GateOpen: {{Name: chooseOpen, Label: say("offer.beside")},
			{Name: chooseKeep, Label: say("offer.finish")}},
		execute.GateSame: {{Name: chooseKeep, Label: say("offer.go_on")},
			{Name: chooseOpen, Label: say("offer.another")}},
		route.GateCancels: {{Name: chooseOpen, Label: say("offer.open")}, {Name: chooseKeep, Label: say("offer.no")}},
		route.GateOptOutAll: {{Name: chooseOpen, Label: say("offer.once")},
			{Name: chooseAllow, Label: say("offer.allow")}, {Name: chooseKeep, Label: say("offer.no")}},
		route.GateRule: {{Name: chooseOpen, Label: say("offer.once")}, {Name: chooseKeep, Label: say("offer.no")}},
	}
	choices[route.GateOptOut] = choices[route.GateOptOutAll]
	o.Choices = choices[gate]
	return say(gate), o.Op(c.svc.random(16))
}

// refusedTool adds to a plan why a directive of the model opened no tool.
func (c *conversation) refusedTool(s *ui.State, list []directive.Directive, warnings []*ui.Error, p *plan) {
	tools := map[string]string{directive.TypeShowTable: ui.ToolTable, directive.TypeShowMap: ui.ToolMap}
	for _, w := range warnings {
		gate := execute.ClosedBy(w)
		for _, d := range list {
			tool := tools[d.Type]
			if gate == "" || string(w.Path) != execute.DirectivePath(d) ||
				slices.Contains(s.Router.OptOut.Once, tool) || told(s.Router, gate, tool) {
				continue
			}
			raw, err := json.Marshal(d)
			if err != nil {
				return
			}
			text, offer := c.offer(s, gate, tool, "",
				ui.Map(ui.Pair{Key: offerDirective, Value: ui.String(string(raw))}))
			router := s.Router
			for _, op := range p.ops {
				if set, ok := op.(*ui.Set); ok {
					router = set.Router
				}
			}
			router.Told = tell(router.Told, gate, tool)
			p.ops = append(p.ops, &ui.Set{Router: router}, offer, &ui.Say{Role: ui.RoleAssistant, Text: text})
			return
		}
	}
}

// offerRetry adds the offer to ask the model again to a plan that says it failed.
func (c *conversation) offerRetry(e *ui.Event, how string, p *plan) {
	words := c.svc.cfg.App.Config().Words
	key := offerPrompt
	if e.Kind == ui.EventMessage || e.Retry {
		key = offerMessage
	}
	o := execute.Offer{Title: words.Say("offer.again"),
		Choices: []execute.Choice{{Name: chooseRetry, Label: words.Say("offer.retry")}},
		Params:  ui.Map(ui.Pair{Key: key, Value: ui.String(e.Text)}, ui.Pair{Key: offerRun, Value: ui.String(how)})}
	p.ops = append(p.ops, o.Op(c.svc.random(16)))
}

// chosen carries out a button of an offer, and takes the offer away.
func (c *conversation) chosen(s *ui.State, e *ui.Event, adm *ingress.Admitted) plan {
	words := c.svc.cfg.App.Config().Words
	param := func(key string) string {
		v, _ := adm.Surface.Origin.Params.Get(key)
		return v.Text()
	}
	p := plan{ops: ui.Ops{&ui.Close{Surface: adm.Surface.Name}}, outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	after := *s
	switch choice := execute.Chosen(adm.Context); choice {
	case chooseRetry:
		p.ask, p.how, p.retry = param(offerMessage), param(offerRun), true
		if p.ask == "" {
			p.ask, p.retry = param(offerPrompt), false
		}
		return p
	case chooseKeep:
		text := words.Say("offer.kept")
		if sf := s.Surface(ui.Name(param(offerSurface))); sf != nil {
			text, p.outcome.Surface = words.Say("offer.finishing", "label", sf.Title), sf.Name
		}
		p.ops, p.outcome.Message = append(p.ops, &ui.Say{Role: ui.RoleAssistant, Text: text}), text
		return p
	case chooseAllow:
		control := route.Decision{Action: route.ActionChat, Control: route.ControlOptIn, OptOut: param(offerTool)}
		after.Router = route.Next(control, s.Router, c.svc.routing, e.At)
		p.ops = append(p.ops, &ui.Set{Router: after.Router})
	}
	env := c.env(e)
	env.Lifted = true
	var d directive.Directive
	if raw := param(offerDirective); raw != "" && json.Unmarshal([]byte(raw), &d) == nil {
		ops, warnings := execute.Run(env, &after, []directive.Directive{d})
		p.ops, p.warnings = append(p.ops, ops...), warnings
		return p
	}
	message := *e
	message.Text = param(offerMessage)
	lifted := after.Router
	for _, gate := range []string{route.GateOpen, route.GateOptOutAll, route.GateCancels, route.GateRule} {
		lifted = route.Lift(lifted, gate)
	}
	want := route.Decide(message.Text, lifted, c.svc.routing, e.At)
	opened := c.planned(&after, &message, env, &want)
	// without the message: it has been said
	p.ops, p.outcome, p.warnings = append(p.ops, opened.ops[1:]...), opened.outcome, opened.warnings
	return p
}
