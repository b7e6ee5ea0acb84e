package session

import (
	"strconv"

	"github.com/limn-ui/limn/directive"
	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/route/prose"
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
	cfg, words := c.svc.cfg, c.svc.cfg.App.Config().Words
	d := route.Decide(e.Text, s.Router, c.svc.routing, e.At)
	router := route.Next(d, s.Router, c.svc.routing, e.At)
	said := &ui.Say{Role: ui.RoleUser, Text: e.Text}
	answer := func(key string) *ui.Say { return &ui.Say{Role: ui.RoleAssistant, Text: words.Say(key)} }
	done := ui.Outcome{Kind: ui.OutcomeDone}
	switch d.Action {
	case route.ActionTool:
		if d.Resumed {
			return plan{ops: ui.Ops{said, &ui.Set{Router: router}, answer("tool.resumed")}, outcome: done}
		}
		ops, warnings := execute.Tool(c.env(e), s, d, router, e.Text)
		if len(ops) > 0 {
			key := "tool.opened.table"
			if d.Tool == ui.ToolMap {
				key = "tool.opened.map"
			}
			return plan{ops: append(append(ui.Ops{said}, ops...), answer(key)), outcome: done, warnings: warnings}
		}
	case route.ActionClarify:
		return plan{ops: ui.Ops{said, &ui.Set{Router: router},
			&ui.Say{Role: ui.RoleAssistant, Text: words.Say(d.Question, "label", d.Items())}}, outcome: ui.Outcome{Kind: ui.OutcomeAsked}}
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
		return plan{ops: append(ops, &ui.Set{Router: router}, &ui.Say{Role: ui.RoleAssistant, Text: controlText(words, d)}), outcome: done}
	}
	if f, ok := cfg.App.FormFor(e.Text); ok && cfg.Phrases {
		ops, warnings := execute.Run(c.env(e), s, []directive.Directive{showForm(f.Name)})
		return plan{ops: append(append(ui.Ops{said, &ui.Set{Router: router}}, ops...), answer("tool.opened.form")), outcome: done, warnings: warnings}
	}
	if cfg.Model == nil {
		return plan{ops: ui.Ops{said, &ui.Set{Router: router}, answer("chat.default")}, outcome: done}
	}
	return plan{ask: e.Text}
}

// controlText answers what the user said about the tools, and asks what a rule
// or an opt-out needs.
func controlText(words ui.Words, d route.Decision) string {
	tool := map[string]string{ui.ToolTable: "tool.table", ui.ToolMap: "tool.map", "": "tool.any"}
	label := words.Say(tool[d.OptOut])
	switch d.Control {
	case route.ControlRule:
		key := "rule.force"
		if d.Rule.Action == route.SuppressTool {
			key = "rule.suppress"
		}
		return words.Say(d.Question, "list", words.Say(key, "label", label, "list", d.Subject))
	case route.ControlDecline:
		return words.Say("control.decline") + " " + words.Say(d.Question, "label", label)
	}
	return words.Say("control."+string(d.Control), "label", label, "max", strconv.Itoa(route.MaxGuardrails))
}

func showForm(name string) directive.Directive {
	return directive.Directive{Type: directive.TypeShowForm, Payload: jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of(name)})}
}

// chatted is what routing remembers of a message that went to the model.
func (c *conversation) chatted(s *ui.State, e *ui.Event) *ui.Set {
	return &ui.Set{Router: route.Next(route.Decision{Action: route.ActionChat}, s.Router, c.svc.routing, e.At)}
}
