package session

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/trace"
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
		return plan{ask: e.Text, how: e.Run}
	}
	return c.refused(&ui.Error{Code: ingress.CodeEnvelope, Message: "unknown kind of event"})
}

func (c *conversation) env(e *ui.Event) execute.Env {
	said := ""
	if e.Retry {
		said = e.Text
	}
	return execute.Env{Said: said, App: c.svc.cfg.App, Now: e.At, Nonce: func() string { return c.svc.random(16) },
		Strict: c.svc.cfg.Strict,
		Prefs:  c.svc.routing, Sum: c.svc.cfg.Model != nil && !c.svc.cfg.Phrases}
}

// refused is the plan of an event that does not count.
func (c *conversation) refused(err error) plan {
	why := asError(err)
	return plan{outcome: ui.Outcome{Kind: ui.OutcomeRefused, Code: why.Code, Path: ui.Path(why.Path),
		Message: c.svc.cfg.Recovery.For(why.Code).Title,
		Detail:  why.Message, Hint: why.Hint}, warnings: []*ui.Error{why}}
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
	if adm.Action.Name == ui.ActionOffer {
		return c.chosen(s, e, adm)
	}
	click := execute.Click{Surface: adm.Surface, Action: adm.Action, Values: adm.Values, Context: adm.Context,
		Files: adm.Files}
	if sub, ok := execute.Submission(c.env(e), s, click); ok {
		click.Warnings = c.svc.validate(validators, sub)
	}
	step, err := execute.Action(c.env(e), s, click)
	if err != nil {
		p := c.refused(err)
		p.ops, p.outcome = typed(adm), ui.Outcome{Kind: ui.OutcomeFailed, Code: p.outcome.Code,
			Surface: adm.Surface.Name, Message: p.outcome.Message}
		return p
	}
	p := plan{ops: step.Ops, outcome: step.Outcome, warnings: adm.Warnings, effect: step.Effect, ask: step.Ask,
		how: step.Run, step: step, click: click}
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
	return append(ui.Ops{&ui.Draft{Surface: adm.Surface.Name, Values: adm.Values}},
		execute.KeepFiles(adm.Surface, adm.Files)...)
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

// prefs is what routing knows of the application.
func (s *Service) prefs() route.Prefs {
	p := route.Prefs{MaxIterations: s.cfg.App.Config().Tools.MaxIterations}
	for _, t := range s.cfg.App.Config().Tables {
		tpl := route.Template{Title: t.Title, Columns: t.Columns}
		for _, n := range t.Nouns {
			if one := prose.Singular(n); one != "" {
				n = one
			}
			tpl.Nouns = append(tpl.Nouns, n)
		}
		p.Nouns = append(p.Nouns, tpl)
	}
	return p
}

// message routes what the user typed: a tool, one question, or chat.
func (c *conversation) message(s *ui.State, e *ui.Event) plan {
	words := c.svc.cfg.App.Config().Words
	if says(e.Text, words.Say("button.undo")) {
		if step, ok := execute.Undo(c.env(e), s); ok {
			return plan{ops: append(ui.Ops{&ui.Say{Role: ui.RoleUser, Text: e.Text}}, step.Ops...),
				outcome: step.Outcome}
		}
	}
	if sf := c.wanted(s, e.Text); sf != nil {
		step, _ := execute.Regenerate(c.env(e), s, sf.Name)
		return plan{ops: append(ui.Ops{&ui.Say{Role: ui.RoleUser, Text: e.Text}}, step.Ops...), outcome: step.Outcome}
	}
	if p, broken := c.mended(s, e); broken {
		return p
	}
	d := route.Decide(e.Text, s.Router, c.prefs(s), e.At)
	if d.Open && c.svc.cfg.Router != nil && !c.phrased(s, e) {
		return plan{ask: e.Text, routing: true, decision: &d}
	}
	return c.carryOut(s, e, d)
}

// prefs is what routing knows of the application, with the user's rules compiled.
func (c *conversation) prefs(s *ui.State) route.Prefs {
	p := c.svc.routing
	c.rules = c.rules.For(s.Router.Guardrails)
	p.Guardrails = c.rules
	return p
}

// phrased reports a message that the app itself says what to do with, by its
// phrases.
func (c *conversation) phrased(s *ui.State, e *ui.Event) bool {
	_, ok := c.svc.cfg.App.FormFor(e.Text)
	r, routed := c.svc.cfg.App.RouteFor(s, e.Text)
	return ok && c.svc.cfg.Phrases || routed && (len(r.Phrases) > 0 || r.Action != "")
}

// mended closes an open tool that could not be opened again: its surface is
// gone or its checkpoint cannot be read, so nothing can say when it is complete
// (facts R-62). The message it meets is answered with that.
func (c *conversation) mended(s *ui.State, e *ui.Event) (plan, bool) {
	router := s.Router
	if router.LastStatus != ui.StatusToolOpen {
		return plan{}, false
	}
	lost := ui.Name("")
	if cp := router.Checkpoint; cp != nil {
		lost = cp.Surface
		sf := s.Surface(cp.Surface)
		// expired: the user regenerates it
		if _, err := route.ParamsOf(cp.Tool, cp.Payload); err == nil && sf != nil && sf.Status != ui.StatusSubmitted {
			return plan{}, false
		}
	}
	ops := ui.Ops{&ui.Say{Role: ui.RoleUser, Text: e.Text}}
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
	c.log().Warn("the open tool could not be read and was closed", "conversation", c.info.ID)
	return plan{ops: append(ops, &ui.Set{Router: router},
		&ui.Say{Role: ui.RoleAssistant, Text: c.svc.cfg.App.Config().Words.Say("tool.lost")}),
		outcome:  ui.Outcome{Kind: ui.OutcomeDone},
		decision: &route.Decision{Action: route.ActionChat, Confidence: 0.05, Rationale: "checkpoint.corrupt"}}, true
}

// carryOut turns a decision about a message into a plan.
func (c *conversation) carryOut(s *ui.State, e *ui.Event, d route.Decision) plan {
	want, gate := c.behind(s, e.Text, d, e.At)
	if gate == "" || gate == route.GateOpen {
		if ops, n, ok := execute.PasteInto(c.env(e), s, want, e.Text); ok {
			router := route.Next(route.Decision{Action: route.ActionChat}, s.Router, c.svc.routing, e.At)
			ops = append(ui.Ops{&ui.Say{Role: ui.RoleUser, Text: e.Text}, &ui.Set{Router: router}}, ops...)
			return plan{ops: ops, outcome: ui.Outcome{Kind: ui.OutcomeDone, Surface: n}, decision: &d}
		}
	}
	if gate != "" {
		if p, ok := c.gated(s, e, &d, toolOf(want), gate, ""); ok {
			p.decision = &d
			return p
		}
	} else {
		d = want
	}
	p := c.planned(s, e, c.env(e), &d)
	p.decision = &d
	return p
}

// planned is carryOut; a tool that does not open becomes chat in d.
func (c *conversation) planned(s *ui.State, e *ui.Event, env execute.Env, d *route.Decision) plan {
	cfg, words := c.svc.cfg, c.svc.cfg.App.Config().Words
	router := route.Next(*d, s.Router, c.svc.routing, e.At)
	said := &ui.Say{Role: ui.RoleUser, Text: e.Text}
	answer := func(key string) *ui.Say { return &ui.Say{Role: ui.RoleAssistant, Text: words.Say(key)} }
	done := ui.Outcome{Kind: ui.OutcomeDone}
	var warnings []*ui.Error
	switch d.Action {
	case route.ActionTool:
		if d.Resumed {
			return plan{ops: ui.Ops{said, &ui.Set{Router: router}, answer("tool.resumed")}, outcome: done}
		}
		var ops ui.Ops
		ops, warnings = execute.Tool(env, s, *d, router, e.Text)
		if len(warnings) == 1 && execute.ClosedBy(warnings[0]) == execute.GateSame {
			if d.Shows() {
				router = route.Next(route.Decision{Action: route.ActionChat}, s.Router, c.svc.routing, e.At)
				return plan{ops: ui.Ops{said, &ui.Set{Router: router}, answer("tool.resumed")}, outcome: done}
			}
			p, _ := c.gated(s, e, d, d.Tool, execute.GateSame, ui.Name(warnings[0].Path))
			return p
		}
		if len(ops) > 0 {
			key := "tool.opened.table"
			if d.Tool == ui.ToolMap {
				key = "tool.opened.map"
			}
			ops = append(ui.Ops{said}, ops...)
			if !slices.ContainsFunc(ops[1:], isSay) { // one that comes back says so itself
				ops = append(ops, answer(key))
			}
			return plan{ops: ops, outcome: done, warnings: warnings}
		}
		*d = route.Decision{Action: route.ActionChat, Confidence: 0.40, Rationale: "tool.invalid"}
		router = route.Next(*d, s.Router, c.svc.routing, e.At)
	case route.ActionClarify:
		return plan{ops: ui.Ops{said, &ui.Set{Router: router},
			&ui.Say{Role: ui.RoleAssistant, Text: d.Ask(words)}}, outcome: ui.Outcome{Kind: ui.OutcomeAsked}}
	}
	if d.Control != "" && d.Action == route.ActionChat {
		ops := ui.Ops{said}
		closes := d.Control == route.ControlCancel || d.Control == route.ControlDecline
		if cp := s.Router.Checkpoint; closes && cp != nil && s.Surface(cp.Surface) != nil {
			ops = append(ops, execute.Dismiss(s, cp.Surface)...)
		}
		if d.Question != "" {
			done.Kind = ui.OutcomeAsked
		}
		return plan{ops: append(ops, &ui.Set{Router: router},
			&ui.Say{Role: ui.RoleAssistant, Text: controlText(words, *d)}), outcome: done}
	}
	if f, ok := cfg.App.FormFor(e.Text); ok && cfg.Phrases {
		ops, more := execute.Run(c.env(e), s, []directive.Directive{showForm(f.Name)})
		return plan{ops: append(append(ui.Ops{said, &ui.Set{Router: router}}, ops...), answer("tool.opened.form")),
			outcome: done, warnings: append(warnings, more...)}
	}
	how := app.RunDirectives
	if r, ok := cfg.App.RouteFor(s, e.Text); ok {
		a, _ := cfg.App.Action(r.Action)
		if r.Action != "" && a.Run == "" {
			return c.byAction(s, e, a, plan{ops: ui.Ops{said, &ui.Set{Router: router}}, outcome: done,
				warnings: warnings})
		}
		how = cmp.Or(r.Run, a.Run)
	}
	if cfg.Model == nil {
		return plan{ops: ui.Ops{said, &ui.Set{Router: router}, answer("chat.default")}, outcome: done,
			warnings: warnings}
	}
	return plan{ask: e.Text, how: how}
}

func isSay(op ui.Op) bool {
	_, ok := op.(*ui.Say)
	return ok
}

// byAction has an action of the app answer a message, which p has recorded.
func (c *conversation) byAction(s *ui.State, e *ui.Event, a app.Action, p plan) plan {
	if a.Reply != "" {
		p.ops = append(p.ops, &ui.Say{Role: ui.RoleAssistant, Text: a.Reply})
		return p
	}
	// pressed nowhere
	p.step, p.click = execute.Step{Ops: p.ops, Outcome: p.outcome}, execute.Click{Surface: &ui.Surface{}}
	p.effect = &execute.Effect{Action: a, Values: ui.Map(ui.Pair{Key: "text", Value: ui.String(e.Text)})}
	if a.Webhook != nil && a.Webhook.Later {
		p = c.postponed(s, e, p)
	}
	return p
}

// controlText answers what the user said about the tools, and asks what a rule
// or an opt-out needs.
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

// routed asks the routing model about a message no rule knew, and lets the
// message go on by what it says, on the state of then: routing decides again,
// and only what is still open is for the model to fill. It reports whether the
// message is answered; else the chat model has it.
func (c *conversation) routed(ctx context.Context, j *job) (answered bool) {
	a, ok := c.proposed(ctx, j)
	switch {
	case c.interrupted(ctx, j):
		return true
	case errors.Is(context.Cause(ctx), errCanceled):
		return false // said in one place
	}
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	after, answered := context.WithoutCancel(ctx), true
	// errors are tried again: the event is recorded
	_, _, _ = c.guarded(after, j, func(s *ui.State) (Receipt, *running, error) {
		e := j.event
		p, broken := c.mended(s, e)
		if !broken {
			d := route.Decide(e.Text, s.Router, c.svc.routing, e.At)
			if d.Open && ok {
				d = route.Admit(a, e.Text, s.Router, c.svc.routing, e.At)
			}
			p = c.carryOut(s, e, d)
		}
		if answered = p.ask == ""; !answered {
			j.decision, j.how = p.decision, p.how
			return Receipt{}, nil, nil
		}
		if p.effect != nil {
			if err := c.seclude(after, j, s); err != nil {
				return Receipt{}, nil, err
			}
			var err error
			if p, err = c.perform(after, s, j, p); err != nil {
				return Receipt{}, nil, err
			}
		}
		return c.finish(after, s, j, p)
	})
	return answered
}

// proposed is the routing model's answer, from the journal if it was asked
// before. Whatever goes wrong, there is none, and the message is chat.
func (c *conversation) proposed(ctx context.Context, j *job) (a route.Answer, ok bool) {
	cfg := c.svc.cfg
	defer func() {
		if p := recover(); p != nil {
			cfg.Log.ErrorContext(ctx, "panic in the routing model", "conversation", c.info.ID, "event", j.event.ID,
				"panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			a, ok = route.Answer{}, false
		}
	}()
	notes, _ := c.journal(ctx, j)
	if len(notes) > 0 && notes[0].Kind == "route" {
		if notes[0].Route == nil {
			return a, false
		}
		return *notes[0].Route, true
	}
	ac := agent.Config{Timeout: cfg.RouteTime, Now: cfg.Now}
	began := time.Now()
	a, err := agent.Route(ctx, cfg.Router, ac, c.head().Router, j.event.Text)
	c.ran(j, "route", trace.ModeNone, cfg.Router, ac, agent.Result{}, err, time.Since(began))
	if ctx.Err() != nil {
		return a, false
	}
	n := note{Kind: "route", Route: &a}
	if err != nil {
		cfg.Log.WarnContext(ctx, "routing model failed", "conversation", c.info.ID, "event", j.event.ID, "err",
			trace.Quiet(err))
		n = note{Kind: "route", Code: ui.CodeOf(err)}
	}
	c.remembered(ctx, j, 0, n)
	return a, err == nil
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
		s.work.Go(func() { // Close waits for it: validators end, each is linear in the rows
			found[i] <- s.guardedCheck(v, sub)
		})
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
