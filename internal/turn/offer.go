package turn

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

// Choices of an offer: the names of its buttons.
const (
	chooseOpen  = "open"  // the worksheet, this once
	chooseAllow = "allow" // the worksheet, and lift the opt-out
	chooseKeep  = "keep"  // the open worksheet
	chooseRetry = "retry" // ask the model again
)

// Parameters of an offer.
const (
	offerMessage   = "message"   // of the user
	offerData      = "data"      // that the prompt is about
	offerDirective = "directive" // of the model, as JSON
	offerPrompt    = "prompt"    // about an action, for the model
	offerTool      = "tool"
	offerSurface   = "surface" // for chooseKeep
	offerRun       = "run"     // chooseRetry: how the model was asked
	offerOrder     = "order"   // route.ControlSubmit or ControlCancel, of the surface that is chosen
)

// behindGates returns the decision about a message with its gates open, and the
// last closed gate. Without one the decision can be carried out: an open worksheet
// that holds no work keeps no other closed.
func behindGates(env Env, s *ui.State, text string, d route.Decision, at time.Time) (want route.Decision,
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
		want = route.Decide(text, router, env.Routing, at)
	}
	if want.Action == route.ActionChat {
		return d, ""
	}
	return want, gate
}

// toolOf is the worksheet that a decision opens or asks about.
func toolOf(d route.Decision) string {
	if d.Tool != "" {
		return d.Tool
	}
	return d.Candidate
}

// explainGate is the plan of a message whose worksheet a gate keeps closed: it gives
// the reason and an offer. An opt-out or a rule of the user is explained once: then
// ok is false, and a model answers.
func explainGate(env Env, s *ui.State, e *ui.Event, d *route.Decision, tool, gate string, open ui.Name) (p Plan,
	ok bool) {
	if explained(s.Router, gate, tool) && env.Model {
		return Plan{}, false
	}
	if gate == execute.GateSame {
		d.Action, d.Tool, d.Params, d.Confidence, d.Rationale = route.ActionChat, "", nil, 0.44, gate
	}
	about := ui.Map(ui.Pair{Key: offerMessage, Value: ui.String(e.Text)})
	text, offer := offer(env, s, gate, tool, open, about)
	router := route.Next(*d, s.Router, env.Routing, e.At)
	router.Told = markExplained(router.Told, gate, tool)
	return Plan{Ops: ui.Ops{userSays(e), &ui.Set{Router: router}, offer,
		assistantSays(text)},
		Outcome: ui.Outcome{Kind: ui.OutcomeAsked, Surface: execute.OfferName}}, true
}

// explained reports a gate that the user set and that was explained before.
func explained(r ui.Router, gate, tool string) bool { return slices.Contains(r.Told, gate+":"+tool) }

// markExplained adds a gate that the user set to those that were explained.
func markExplained(list []string, gate, tool string) []string {
	key := gate + ":" + tool
	if gate != route.GateOptOutAll && gate != route.GateOptOut && gate != route.GateRule || slices.Contains(list, key) {
		return list
	}
	return append(slices.Clone(list), key)
}

// choices are the buttons of an offer by its gate; a label is the key of its words.
var choices = map[string][]execute.Choice{
	route.GateOpen:      {{Name: chooseOpen, Label: "offer.beside"}, {Name: chooseKeep, Label: "offer.finish"}},
	execute.GateSame:    {{Name: chooseKeep, Label: "offer.go_on"}, {Name: chooseOpen, Label: "offer.another"}},
	route.GateCancels:   {{Name: chooseOpen, Label: "offer.open"}, {Name: chooseKeep, Label: "offer.no"}},
	route.GateRule:      {{Name: chooseOpen, Label: "offer.once"}, {Name: chooseKeep, Label: "offer.no"}},
	route.GateOptOut:    liftOptOut,
	route.GateOptOutAll: liftOptOut,
}

var liftOptOut = []execute.Choice{{Name: chooseOpen, Label: "offer.once"}, {Name: chooseAllow, Label: "offer.allow"},
	{Name: chooseKeep, Label: "offer.no"}}

// offer returns the reason why a gate is closed, and buttons that open it or go on.
// open is the surface that GateSame is about.
func offer(env Env, s *ui.State, gate, tool string, open ui.Name, about ui.Value) (text string, op *ui.Open) {
	words := env.words()
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
	for _, c := range choices[gate] {
		o.Choices = append(o.Choices, execute.Choice{Name: c.Name, Label: say(c.Label)})
	}
	return say(gate), o.Op(env.Nonce())
}

// explainRefusal adds to a plan why a directive of the model opened no worksheet, with
// an offer. It reports false if no directive was refused, or the reason no longer
// holds.
func explainRefusal(env Env, s *ui.State, list []directive.Directive, warnings []*ui.Error, p *Plan) bool {
	tools := map[string]string{directive.TypeShowTable: ui.ToolTable, directive.TypeShowMap: ui.ToolMap}
	for _, w := range warnings {
		gate := execute.ClosedBy(w)
		for _, d := range list {
			tool := tools[d.Type]
			if gate == "" || string(w.Path) != execute.DirectivePath(d) ||
				slices.Contains(s.Router.OptOut.Once, tool) || explained(s.Router, gate, tool) {
				continue
			}
			raw, err := json.Marshal(d)
			if err != nil {
				return false
			}
			text, offer := offer(env, s, gate, tool, "",
				ui.Map(ui.Pair{Key: offerDirective, Value: ui.String(string(raw))}))
			router := lastRouter(s, p.Ops)
			router.Told = markExplained(router.Told, gate, tool)
			p.Ops = append(p.Ops, &ui.Set{Router: router}, offer, assistantSays(text))
			return true
		}
	}
	return false
}

// offerRetry adds the offer to ask the model again to a plan that says it failed.
func offerRetry(env Env, s *ui.State, e *ui.Event, how string, p *Plan) {
	words := env.words()
	key, text := offerPrompt, e.Text
	if e.Kind == ui.EventMessage || e.Retry {
		key = offerMessage
	}
	if env.Agents != nil && e.Kind == ui.EventMessage { // without the prefix of its route
		text = env.Agents.Route(s, e.Text).Prompt
	}
	params := []ui.Pair{{Key: key, Value: ui.String(text)}, {Key: offerRun, Value: ui.String(how)}}
	if !e.Data.IsNull() {
		params = append(params, ui.Pair{Key: offerData, Value: e.Data})
	}
	o := execute.Offer{Title: words.Say("offer.again"),
		Choices: []execute.Choice{{Name: chooseRetry, Label: words.Say("offer.retry")}}, Params: ui.Map(params...)}
	p.Ops = append(p.Ops, o.Op(env.Nonce()))
}

// choose carries out a button of an offer, and takes the offer away.
func choose(env Env, s *ui.State, e *ui.Event, adm *ingress.Admitted) Plan {
	words := env.words()
	param := func(key string) string {
		v, _ := adm.Surface.Origin.Params.Get(key)
		return v.Text()
	}
	p := Plan{Ops: ui.Ops{&ui.Close{Surface: adm.Surface.Name}}, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	after := *s
	after.Surfaces = slices.DeleteFunc(slices.Clone(s.Surfaces), // its place is free
		func(sf *ui.Surface) bool { return sf.Name == adm.Surface.Name })
	if order := param(offerOrder); order != "" {
		return chooseWhich(env, s, e, p.Ops, route.Control(order), execute.Chosen(adm.Context))
	}
	switch choice := execute.Chosen(adm.Context); choice {
	case chooseRetry:
		p.Ask = Ask{Prompt: param(offerMessage), Run: param(offerRun), Retry: true}
		if p.Ask.Prompt == "" {
			p.Ask.Prompt, p.Ask.Retry = param(offerPrompt), false
			p.Ask.Data, _ = adm.Surface.Origin.Params.Get(offerData)
		}
		return p
	case chooseKeep:
		text := words.Say("offer.kept")
		if sf := s.Surface(ui.Name(param(offerSurface))); sf != nil {
			text, p.Outcome.Surface = words.Say("offer.finishing", "label", sf.Title), sf.Name
		}
		p.Ops, p.Outcome.Message = append(p.Ops, assistantSays(text)), text
		return p
	case chooseAllow:
		control := route.Decision{Action: route.ActionChat, Control: route.ControlOptIn, OptOut: param(offerTool)}
		after.Router = route.Next(control, s.Router, env.Routing, e.At)
		p.Ops = append(p.Ops, &ui.Set{Router: after.Router})
	}
	ex := env.execute(e)
	ex.Lifted = true
	var d directive.Directive
	if raw := param(offerDirective); raw != "" && json.Unmarshal([]byte(raw), &d) == nil {
		ops, warnings := execute.Run(ex, &after, []directive.Directive{d})
		p.Ops, p.Warnings = append(p.Ops, ops...), warnings
		sayNotDone(env, &p, false, false)
		return p
	}
	message := *e
	message.Text = param(offerMessage)
	lifted := after.Router
	for _, gate := range []string{route.GateOpen, route.GateOptOutAll, route.GateCancels, route.GateRule} {
		lifted = route.Lift(lifted, gate)
	}
	want := route.Decide(message.Text, lifted, env.Routing, e.At)
	opened := planned(env, &after, &message, ex, &want)
	// without the message: it has been said
	p.Ops = append(p.Ops, opened.Ops[min(1, len(opened.Ops)):]...)
	p.Outcome, p.Warnings = opened.Outcome, opened.Warnings
	return p
}
