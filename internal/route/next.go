package route

import (
	"slices"
	"time"

	"github.com/limn-ui/limn/ui"
)

// Rounds is how often a submitted tool is opened again for correction:
// the user's figure, else the app's, else 2.
func (p Prefs) Rounds(s ui.Router, tool string) int {
	for _, m := range [2]map[string]int{s.MaxIterations, p.MaxIterations} {
		if n, ok := m[tool]; ok && n >= 0 {
			return n
		}
	}
	return 2
}

// Next returns the router state of the conversation after a decision: the pending
// question is gone or new, opt-outs, rules and the preferred tool are changed,
// a checkpoint represents an opened tool. The session fills in
// Checkpoint.Surface, and calls Completed or Canceled when the tool ends. The
// argument is not changed.
func Next(d Decision, state ui.Router, prefs Prefs, now time.Time) ui.Router {
	s := state
	switch d.Control {
	case ControlOptOut, ControlOptIn, ControlDecline, ControlRuleYes:
		s.Told = nil
	}
	streak := state.Cancels >= 2 && state.LastStatus != ui.StatusToolOpen
	s.OptOut = activeOptOut(state.OptOut, now)
	s.OptOut.Once = nil
	s.Pending = nil
	switch d.Control {
	case ControlOptOut:
		s.OptOut = optedOut(s.OptOut, d.OptOut)
	case ControlOptIn:
		s.OptOut = optIn(s.OptOut, d.OptOut)
	case ControlCancel:
		if state.LastStatus == ui.StatusToolOpen {
			return Canceled(s)
		}
	case ControlDecline:
		s.Pending = &ui.Pending{Tool: d.OptOut, OptOut: true}
		if state.LastStatus == ui.StatusToolOpen { // declining is no cancel: the streak stays
			return end(s, ui.StatusCanceled)
		}
	case ControlPrefer:
		s.Preferred = d.OptOut
	case ControlRule:
		s.Pending = &ui.Pending{Tool: d.Rule.Tool, Subject: d.Subject, Rule: d.Rule}
	case ControlRuleYes:
		if state.Pending != nil && state.Pending.Rule != nil {
			if rules, _, err := SetRule(s.Guardrails, *state.Pending.Rule, now); err == nil {
				s.Guardrails = rules
			}
		}
	}
	if streak { // chat for exactly this turn
		s.Cancels = 0
	}
	switch {
	case d.Action == ActionClarify:
		s.Pending = &ui.Pending{Tool: d.Candidate, Subject: d.Subject}
	case d.Action == ActionTool && !d.Resumed:
		if cp := state.Checkpoint; cp != nil && state.LastStatus == ui.StatusToolOpen {
			s.Beside = append(slices.Clone(s.Beside), *cp)
		}
		s.LastTool, s.LastStatus = d.Tool, ui.StatusToolOpen
		s.Checkpoint = &ui.Checkpoint{Tool: d.Tool, Payload: d.Params.Value(), OpenedAt: now,
			Criteria: d.Params.criteria(), MaxIterations: prefs.Rounds(state, d.Tool)}
	}
	return s
}

// criteria are the needs of a complete tool (facts R-61).
func (p *Params) criteria() ui.Criteria {
	if m := p.Map; m != nil {
		return ui.Criteria{MinSteps: m.MinSteps, Required: m.RequiredFields, Stated: m.Stated}
	}
	c := ui.Criteria{MinRows: p.Table.MinRows, Stated: p.Table.Stated, Approx: p.Table.Approx}
	for _, f := range p.Table.Columns {
		if f.Required {
			c.Required = append(c.Required, f.Name)
		}
	}
	return c
}

// Canceled remembers that the user dismissed the open tool.
func Canceled(s ui.Router) ui.Router {
	s.Cancels++
	return end(s, ui.StatusCanceled)
}

// Completed remembers that the open tool was submitted.
func Completed(s ui.Router) ui.Router {
	s.Cancels = 0
	return end(s, ui.StatusCompleted)
}

// end closes the open tool. The tool that was opened before it and is still
// open is the open one again.
func end(s ui.Router, status string) ui.Router {
	s.LastStatus, s.Checkpoint = status, nil
	if n := len(s.Beside); n > 0 {
		back := s.Beside[n-1]
		s.LastTool, s.LastStatus, s.Checkpoint = back.Tool, ui.StatusToolOpen, &back
		if s.Beside = slices.Clone(s.Beside[:n-1]); n == 1 {
			s.Beside = nil
		}
	}
	return s
}

// Front makes the tool on a surface the one that orders such as "cancel" are
// about, so that Canceled and Completed end it. ok is false if it is not open.
func Front(s ui.Router, n ui.Name) (_ ui.Router, ok bool) {
	cp := s.Open(n)
	if cp == nil || cp == s.Checkpoint {
		return s, cp != nil
	}
	front := *cp
	s.Beside = slices.DeleteFunc(slices.Clone(s.Beside), func(b ui.Checkpoint) bool { return b.Surface == n })
	if s.Checkpoint != nil && s.LastStatus == ui.StatusToolOpen {
		s.Beside = append(s.Beside, *s.Checkpoint)
	}
	s.LastTool, s.LastStatus, s.Checkpoint = front.Tool, ui.StatusToolOpen, &front
	return s, true
}

// Gone forgets the tool of a surface that is no longer there. It does not
// count as a cancel.
func Gone(s ui.Router, n ui.Name) ui.Router {
	if s, ok := Front(s, n); ok {
		return end(s, ui.StatusCanceled)
	}
	return s
}

// activeOptOut drops an opt-out that has expired.
func activeOptOut(o ui.OptOut, now time.Time) ui.OptOut {
	if !o.Expires.IsZero() && !now.Before(o.Expires) {
		return ui.OptOut{Once: o.Once}
	}
	return o
}

// optedOut adds a tool, or all of them for "", for good.
func optedOut(o ui.OptOut, tool string) ui.OptOut {
	o.Expires = time.Time{}
	if tool == "" {
		o.All = true
	} else if !slices.Contains(o.Tools, tool) {
		o.Tools = append(slices.Clone(o.Tools), tool)
	}
	return o
}

// optIn allows a tool again, or all of them. Allowing one tool after opting
// out of all leaves the other one out.
func optIn(o ui.OptOut, tool string) ui.OptOut {
	if tool == "" {
		return ui.OptOut{}
	}
	is := func(t string) bool { return t == tool }
	o.Once = slices.DeleteFunc(slices.Clone(o.Once), is)
	if o.All {
		rest := both &^ toolSet(tool)
		return ui.OptOut{Tools: []string{rest.name()}, Expires: o.Expires, Once: o.Once}
	}
	o.Tools = slices.DeleteFunc(slices.Clone(o.Tools), is)
	return o
}
