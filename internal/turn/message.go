package turn

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/phrasing"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// message routes a text of the user to a worksheet, one question or chat.
func message(env Env, s *ui.State, e *ui.Event) Plan {
	if env.Agents != nil {
		return toAgents(env, s, e)
	}
	words := env.words()
	if says(e.Text, words.Say("button.undo")) {
		if step, ok := execute.Undo(env.execute(e), s); ok {
			return Plan{Ops: append(ui.Ops{userSays(e)}, step.Ops...), Outcome: step.Outcome}
		}
	}
	if sf := toRegenerate(env, s, e.Text); sf != nil {
		step, _ := execute.Regenerate(env.execute(e), s, sf.Name)
		return Plan{Ops: append(ui.Ops{userSays(e)}, step.Ops...), Outcome: step.Outcome}
	}
	if p, broken := closeLost(env, s, e); broken {
		return p
	}
	whose := declaredBy(env, s, e.Text)
	if q, ok := env.App.RecordLists().For(e.Text); ok && (whose == "" || whose == "records") {
		return calls(env, s, e, execute.ShowRecords(env.App, q),
			Plan{Ops: ui.Ops{userSays(e)}, Outcome: ui.Outcome{Kind: ui.OutcomeDone}})
	}
	if v, ok := env.App.Views().For(e.Text); ok && (whose == "" || whose == "view") {
		return showView(env, s, e, v)
	}
	d := decided(env, s, e)
	if d.Open && env.Router && !phrased(env, s, e) {
		return Plan{Ask: Ask{Prompt: e.Text, Router: true}, Decision: &d}
	}
	return carryOut(env, s, e, d)
}

// maxPhrased is how long a message can be, in bytes, and still be a phrase.
const maxPhrased = 500

// declaredBy says what has a message as a phrase of several words: a "form" where no model answers, a
// "route" that is not masked, a "view", "records"; or "".
func declaredBy(env Env, s *ui.State, message string) string {
	if len(message) > maxPhrased {
		return ""
	}
	words := phrasing.Words(message)
	is := func(phrases []string) bool {
		return len(words) > 1 && slices.ContainsFunc(phrases,
			func(p string) bool { return slices.Equal(phrasing.Words(p), words) })
	}
	// each of these looks for the whole message first
	f, _ := env.App.FormFor(message)
	r, _ := env.App.RouteFor(s, message)
	v, _ := env.App.Views().For(message)
	q, _ := env.App.RecordLists().For(message)
	spec, _ := env.App.RecordLists().Spec(q.Name)
	switch {
	case env.Phrases && is(f.Phrases):
		return "form"
	case is(r.Phrases):
		return "route"
	case is(v.Phrases):
		return "view"
	case is(spec.Phrases):
		return "records"
	}
	return ""
}

// decided is what routing says about a message.
func decided(env Env, s *ui.State, e *ui.Event) route.Decision {
	if whose := declaredBy(env, s, e.Text); whose == "form" || whose == "route" {
		return route.Decision{Action: route.ActionChat, Confidence: 0.05, Rationale: route.RationaleForm}
	}
	prefs := env.Routing
	prefs.Guardrails, prefs.Open, prefs.Asked = env.Rules, execute.Submittable(env.App, s), askedWhich(s)
	if r, ok := env.App.RouteFor(s, e.Text); ok && len(r.Phrases) > 0 { // the app's own meaning of the words
		prefs.Open = []route.Open{}
	}
	d := route.Decide(e.Text, s.Router, prefs, e.At)
	if _, ok := env.App.FormFor(e.Text); ok && d.Guessed() {
		return route.Decision{Action: route.ActionChat, Confidence: 0.05, Rationale: route.RationaleForm}
	}
	return d
}

// showView opens the view that a message asks for.
func showView(env Env, s *ui.State, e *ui.Event, v app.View) Plan {
	ops, warnings := execute.Run(env.execute(e), s, []directive.Directive{{Type: directive.TypeShowView,
		Payload: jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of(v.Name)})}})
	p := Plan{Ops: append(ui.Ops{userSays(e)}, ops...), Warnings: warnings,
		Outcome: ui.Outcome{Kind: ui.OutcomeDone, Surface: ui.Name("view:" + v.Name)}}
	return sayShown(env, p, env.words().Say("view.shown", "label", v.Title))
}

// sayShown is the plan p of a message that opens something, with the words that say so; if it
// does not open, the plan fails, and the user reads why.
func sayShown(env Env, p Plan, said string) Plan {
	if first, _ := notDone(env, p.Warnings); first != nil {
		sayNotDone(env, &p, false, false)
		return p
	}
	p.Ops = append(p.Ops, assistantSays(said))
	return p
}

// phrased reports a message that a phrase of the app decides.
func phrased(env Env, s *ui.State, e *ui.Event) bool {
	_, ok := env.App.FormFor(e.Text)
	r, routed := env.App.RouteFor(s, e.Text)
	return ok && env.Phrases || routed && (len(r.Phrases) > 0 || r.Action != "")
}

// closeLost closes an open worksheet that cannot be read any more: its surface is gone
// or its checkpoint is damaged, so no check can find it complete. The answer to the
// message says so.
func closeLost(env Env, s *ui.State, e *ui.Event) (Plan, bool) {
	router := s.Router
	if router.LastStatus != ui.StatusToolOpen {
		return Plan{}, false
	}
	lost := ui.Name("")
	if cp := router.Checkpoint; cp != nil {
		lost = cp.Surface
		sf := s.Surface(cp.Surface)
		// expired: the user regenerates it
		if _, err := route.ParamsOf(cp.Tool, cp.Payload); err == nil && sf != nil && sf.Status != ui.StatusSubmitted {
			return Plan{}, false
		}
	}
	ops := ui.Ops{userSays(e)}
	for _, sf := range s.Surfaces {
		beside := slices.ContainsFunc(router.Beside, func(b ui.Checkpoint) bool { return b.Surface == sf.Name })
		if sf.Status == ui.StatusOpen && !beside && (sf.Origin.Kind == "table" || sf.Origin.Kind == "map") {
			ops = append(ops, &ui.Close{Surface: sf.Name})
		}
	}
	router.Pending = nil
	if router.Checkpoint == nil {
		router.LastStatus = ui.StatusCanceled
	}
	router = route.Gone(router, lost)
	env.Warn("the open worksheet could not be read and was closed")
	return Plan{Ops: append(ops, &ui.Set{Router: router},
		assistantSays(env.words().Say("tool.lost"))),
		Outcome:  ui.Outcome{Kind: ui.OutcomeDone},
		Decision: &route.Decision{Action: route.ActionChat, Confidence: 0.05, Rationale: "checkpoint.corrupt"}}, true
}

// carryOut turns a decision about a message into a plan.
func carryOut(env Env, s *ui.State, e *ui.Event, d route.Decision) Plan {
	if len(d.Which) > 0 {
		return verbally(env, s, e, d)
	}
	want, gate := behindGates(env, s, e.Text, d, e.At)
	if gate == "" || gate == route.GateOpen {
		if ops, n, ok := execute.PasteInto(env.execute(e), s, want, e.Text); ok {
			router := route.Next(route.Decision{Action: route.ActionChat}, s.Router, env.Routing, e.At)
			ops = append(ui.Ops{userSays(e), &ui.Set{Router: router}}, ops...)
			return Plan{Ops: ops, Outcome: ui.Outcome{Kind: ui.OutcomeDone, Surface: n}, Decision: &d}
		}
	}
	if gate != "" {
		if p, ok := explainGate(env, s, e, &d, toolOf(want), gate, ""); ok {
			p.Decision = &d
			return p
		}
	} else {
		d = want
	}
	p := planned(env, s, e, env.execute(e), &d)
	p.Decision = &d
	return p
}

// planned carries a decision out with ex. A worksheet that does not open makes it
// chat: d says so afterwards. One that there is no room for makes the plan fail.
func planned(env Env, s *ui.State, e *ui.Event, ex execute.Env, d *route.Decision) Plan {
	router := route.Next(*d, s.Router, env.Routing, e.At)
	var warnings []*ui.Error
	switch {
	case d.Action == route.ActionTool:
		p, ok := openWorksheet(env, s, e, ex, d)
		if ok {
			return p
		}
		warnings = p.Warnings
		*d = route.Decision{Action: route.ActionChat, Confidence: 0.40, Rationale: "tool.invalid"}
		router = route.Next(*d, s.Router, env.Routing, e.At)
		if slices.ContainsFunc(warnings, func(w *ui.Error) bool { return w.Code == ui.CodeLimit }) {
			return failed(env, ui.Ops{userSays(e), &ui.Set{Router: router}}, ui.CodeLimit, "", warnings...)
		}
	case d.Action == route.ActionClarify:
		return Plan{Ops: ui.Ops{userSays(e), &ui.Set{Router: router}, assistantSays(d.Ask(env.words()))},
			Outcome: ui.Outcome{Kind: ui.OutcomeAsked}}
	case d.Control != "" && d.Action == route.ActionChat:
		return control(env, s, e, *d, router)
	}
	return chat(env, s, e, router, warnings)
}

// openWorksheet opens the table or process map that a decision names. Where it does
// not open, ok is false and the plan has the warnings only.
func openWorksheet(env Env, s *ui.State, e *ui.Event, ex execute.Env, d *route.Decision) (p Plan, ok bool) {
	words, router := env.words(), route.Next(*d, s.Router, env.Routing, e.At)
	resumed := func() Plan {
		return Plan{Ops: ui.Ops{userSays(e), &ui.Set{Router: router}, assistantSays(words.Say("tool.resumed"))},
			Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	}
	if d.Resumed {
		return resumed(), true
	}
	ops, warnings := execute.Tool(ex, s, *d, router, e.Text)
	if len(warnings) == 1 && execute.ClosedBy(warnings[0]) == execute.GateSame {
		if d.Shows() {
			router = route.Next(route.Decision{Action: route.ActionChat}, s.Router, env.Routing, e.At)
			return resumed(), true
		}
		p, _ = explainGate(env, s, e, d, d.Tool, execute.GateSame, ui.Name(warnings[0].Path))
		return p, true
	}
	if len(ops) == 0 {
		return Plan{Warnings: warnings}, false
	}
	if !slices.ContainsFunc(ops, is[*ui.Say]) { // one that comes back says so itself
		key := "tool.opened.table"
		if d.Tool == ui.ToolMap {
			key = "tool.opened.map"
		}
		ops = append(ops, assistantSays(words.Say(key)))
	}
	if n, most, cut := env.Routing.Cut(d.Params); cut {
		key := "tool.cut.table"
		if d.Tool == ui.ToolMap {
			key = "tool.cut.map"
		}
		ops = append(ops, assistantSays(words.Say(key, "n", strconv.Itoa(n), "max", strconv.Itoa(most))))
	}
	return Plan{Ops: append(ui.Ops{userSays(e)}, ops...), Outcome: ui.Outcome{Kind: ui.OutcomeDone},
		Warnings: warnings}, true
}

// control answers the user's commands about the worksheets: cancel, not now, a rule.
func control(env Env, s *ui.State, e *ui.Event, d route.Decision, router ui.Router) Plan {
	ops, out := ui.Ops{userSays(e)}, ui.Outcome{Kind: ui.OutcomeDone}
	closes := d.Control == route.ControlCancel || d.Control == route.ControlDecline
	if cp := s.Router.Checkpoint; closes && cp != nil && s.Surface(cp.Surface) != nil {
		ops = append(ops, execute.Dismiss(s, cp.Surface)...)
	}
	if d.Question != "" {
		out.Kind = ui.OutcomeAsked
	}
	return Plan{Ops: append(ops, &ui.Set{Router: router}, assistantSays(controlText(env.words(), d))), Outcome: out}
}

// chat answers a message that no worksheet is for: by a form's phrases, by an
// action of the app, by a model, or by the app's fixed sentence.
func chat(env Env, s *ui.State, e *ui.Event, router ui.Router, warnings []*ui.Error) Plan {
	words := env.words()
	p := Plan{Ops: ui.Ops{userSays(e), &ui.Set{Router: router}}, Outcome: ui.Outcome{Kind: ui.OutcomeDone},
		Warnings: warnings}
	if f, ok := env.App.FormFor(e.Text); ok && env.Phrases && declaredBy(env, s, e.Text) != "route" {
		ops, more := execute.Run(env.execute(e), s, []directive.Directive{showForm(f.Name)})
		p.Ops, p.Warnings = append(p.Ops, ops...), append(warnings, more...)
		return sayShown(env, p, words.Say("tool.opened.form"))
	}
	run := app.RunDirectives
	if r, ok := env.App.RouteFor(s, e.Text); ok {
		a, _ := env.App.Action(r.Action)
		if r.Action != "" && a.Run == "" {
			return byAction(env, s, e, a, p)
		}
		run = cmp.Or(r.Run, a.Run)
	}
	if !env.Model {
		p.Ops = append(p.Ops, assistantSays(words.Say("chat.default")))
		return p
	}
	return Plan{Ask: Ask{Prompt: e.Text, Run: run}}
}

// routed is the plan of a message that the routing model was asked about. Routing
// decides again, on the newest state; the answer settles a decision that is still open.
func routed(env Env, s *ui.State, in Routed) Plan {
	e := in.Event
	if p, broken := closeLost(env, s, e); broken {
		return p
	}
	d := decided(env, s, e)
	if d.Open && in.Answer != nil {
		d = route.Admit(*in.Answer, e.Text, s.Router, env.Routing, e.At)
	}
	return carryOut(env, s, e, d)
}

func userSays(e *ui.Event) *ui.Say { return &ui.Say{Role: ui.RoleUser, Text: e.Text} }

func assistantSays(text string) *ui.Say { return &ui.Say{Role: ui.RoleAssistant, Text: text} }

// controlText answers a control of the user (cancel, not now, a rule), and asks for
// the details that a rule or an opt-out needs.
func controlText(words ui.Words, d route.Decision) string {
	switch d.Control {
	case route.ControlRule:
		return d.Ask(words)
	case route.ControlDecline:
		return words.Say("control.decline") + " " + d.Ask(words)
	}
	tool := map[string]string{ui.ToolTable: "tool.table", ui.ToolMap: "tool.map", "": "tool.any"}
	label := words.Say(tool[d.OptOut])
	return words.Say("control."+string(d.Control), "label", label, "max", strconv.Itoa(route.MaxGuardrails))
}

func showForm(name string) directive.Directive {
	return directive.Directive{Type: directive.TypeShowForm,
		Payload: jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of(name)})}
}

// says reports a message that is the label of a button and no more.
func says(text, label string) bool {
	return strings.EqualFold(strings.Trim(text, " \t\n“”\"."), label)
}

// toRegenerate returns the surface that a user means by typing the label of the
// button "Regenerate": the last one that failed, expired or is open.
func toRegenerate(env Env, s *ui.State, text string) *ui.Surface {
	if !says(text, env.words().Say("button.regenerate")) {
		return nil
	}
	if n := len(s.Failed); n > 0 {
		return s.Failed[n-1]
	}
	var found *ui.Surface
	for _, sf := range s.Surfaces {
		if sf.Status == ui.StatusExpired || sf.Status == ui.StatusOpen &&
			(found == nil || found.Status == ui.StatusOpen) {
			found = sf
		}
	}
	return found
}
