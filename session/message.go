package session

import (
	"context"
	"errors"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/limn-ui/limn/agent"
	"github.com/limn-ui/limn/directive"
	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/route/prose"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

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
	if sf := c.wanted(s, e.Text); sf != nil {
		step, _ := execute.Regenerate(c.env(e), s, sf.Name)
		return plan{ops: append(ui.Ops{&ui.Say{Role: ui.RoleUser, Text: e.Text}}, step.Ops...), outcome: step.Outcome}
	}
	if p, broken := c.mended(s, e); broken {
		return p
	}
	d := route.Decide(e.Text, s.Router, c.prefs(s), e.At)
	if d.Open && c.svc.cfg.Router != nil && !c.phrased(e) {
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

// phrased reports a message that opens a form by its phrases.
func (c *conversation) phrased(e *ui.Event) bool {
	_, ok := c.svc.cfg.App.FormFor(e.Text)
	return ok && c.svc.cfg.Phrases
}

// mended closes an open tool that could not be opened again: its surface is
// gone or its checkpoint cannot be read, so nothing can say when it is complete
// (facts R-62). The message it meets is answered with that.
func (c *conversation) mended(s *ui.State, e *ui.Event) (plan, bool) {
	router := s.Router
	if router.LastStatus != ui.StatusToolOpen {
		return plan{}, false
	}
	if cp := router.Checkpoint; cp != nil {
		sf := s.Surface(cp.Surface)
		if _, err := route.ParamsOf(cp.Tool, cp.Payload); err == nil && sf != nil && sf.Status != ui.StatusSubmitted { // expired: the user regenerates it
			return plan{}, false
		}
	}
	ops := ui.Ops{&ui.Say{Role: ui.RoleUser, Text: e.Text}}
	for _, sf := range s.Surfaces {
		if sf.Status == ui.StatusOpen && (sf.Origin.Kind == "table" || sf.Origin.Kind == "map") {
			ops = append(ops, &ui.Close{Surface: sf.Name})
		}
	}
	router.LastStatus, router.Checkpoint, router.Pending = ui.StatusCanceled, nil, nil
	c.log().Warn("the open tool could not be read and was closed", "conversation", c.info.ID)
	return plan{ops: append(ops, &ui.Set{Router: router}, &ui.Say{Role: ui.RoleAssistant, Text: c.svc.cfg.App.Config().Words.Say("tool.lost")}),
		outcome:  ui.Outcome{Kind: ui.OutcomeDone},
		decision: &route.Decision{Action: route.ActionChat, Confidence: 0.05, Rationale: "checkpoint.corrupt"}}, true
}

// carryOut turns a decision about a message into a plan.
func (c *conversation) carryOut(s *ui.State, e *ui.Event, d route.Decision) plan {
	p := c.planned(s, e, &d)
	p.decision = &d
	return p
}

// planned is carryOut; a tool that does not open becomes chat in d.
func (c *conversation) planned(s *ui.State, e *ui.Event, d *route.Decision) plan {
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
		ops, warnings = execute.Tool(c.env(e), s, *d, router, e.Text)
		if len(ops) > 0 {
			key := "tool.opened.table"
			if d.Tool == ui.ToolMap {
				key = "tool.opened.map"
			}
			return plan{ops: append(append(ui.Ops{said}, ops...), answer(key)), outcome: done, warnings: warnings}
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
			ops = append(ops, &ui.Close{Surface: cp.Surface})
		}
		if d.Question != "" {
			done.Kind = ui.OutcomeAsked
		}
		return plan{ops: append(ops, &ui.Set{Router: router}, &ui.Say{Role: ui.RoleAssistant, Text: controlText(words, *d)}), outcome: done}
	}
	if f, ok := cfg.App.FormFor(e.Text); ok && cfg.Phrases {
		ops, more := execute.Run(c.env(e), s, []directive.Directive{showForm(f.Name)})
		return plan{ops: append(append(ui.Ops{said, &ui.Set{Router: router}}, ops...), answer("tool.opened.form")), outcome: done, warnings: append(warnings, more...)}
	}
	if cfg.Model == nil {
		return plan{ops: ui.Ops{said, &ui.Set{Router: router}, answer("chat.default")}, outcome: done, warnings: warnings}
	}
	return plan{ask: e.Text}
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
	return directive.Directive{Type: directive.TypeShowForm, Payload: jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of(name)})}
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
	_, _, _ = c.guarded(after, j, func(s *ui.State) (Receipt, *running, error) { // errors are tried again: the event is recorded
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
			j.decision = p.decision
			return Receipt{}, nil, nil
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
			cfg.Log.ErrorContext(ctx, "panic in the routing model", "conversation", c.info.ID, "event", j.event.ID, "panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
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
		cfg.Log.WarnContext(ctx, "routing model failed", "conversation", c.info.ID, "event", j.event.ID, "err", trace.Quiet(err))
		n = note{Kind: "route", Code: ui.CodeOf(err)}
	}
	c.remembered(ctx, j, 0, n)
	return a, err == nil
}
