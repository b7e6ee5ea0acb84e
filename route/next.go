package route

import (
	"slices"
	"time"

	"github.com/limn-ui/limn/ui"
)

// MaxIterations is how often a submitted tool is opened again for correction.
func (p Prefs) maxIterations(tool string) int {
	if n, ok := p.MaxIterations[tool]; ok && n >= 0 {
		return n
	}
	return 2
}

// Next returns what the conversation remembers after a decision: the pending
// question is gone or new, opt-outs are changed, a checkpoint stands for an
// opened tool. The session fills in Checkpoint.Surface, and calls Completed or
// Canceled when the tool ends. The argument is not changed.
func Next(d Decision, state ui.Router, prefs Prefs, now time.Time) ui.Router {
	s := state
	streak := state.Cancels >= 2 && state.LastStatus != ui.StatusToolOpen
	s.OptOut = activeOptOut(state.OptOut, now)
	s.Pending = nil
	if d.Action == ActionClarify {
		s.Pending = &ui.Pending{Tool: d.Candidate, Subject: d.Subject}
	}
	switch d.Control {
	case ControlOptOut:
		if d.OptOut == "" {
			s.OptOut.All = true
		} else if !slices.Contains(s.OptOut.Tools, d.OptOut) {
			s.OptOut.Tools = append(slices.Clone(s.OptOut.Tools), d.OptOut)
		}
		s.OptOut.Expires = time.Time{}
	case ControlOptIn:
		s.OptOut = optIn(s.OptOut, d.OptOut)
	case ControlCancel:
		if state.LastStatus == ui.StatusToolOpen {
			return Canceled(s)
		}
	}
	if streak { // chat for exactly this turn
		s.Cancels = 0
	}
	if d.Action == ActionTool && !d.Resumed {
		s.LastTool, s.LastStatus = d.Tool, ui.StatusToolOpen
		s.Checkpoint = &ui.Checkpoint{Tool: d.Tool, Payload: d.Params.Value(), OpenedAt: now, MaxIterations: prefs.maxIterations(d.Tool)}
	}
	return s
}

// Canceled remembers that the user dismissed the open tool.
func Canceled(s ui.Router) ui.Router {
	s.LastStatus, s.Checkpoint = ui.StatusCanceled, nil
	s.Cancels++
	return s
}

// Completed remembers that the open tool was submitted.
func Completed(s ui.Router) ui.Router {
	s.LastStatus, s.Checkpoint, s.Cancels = ui.StatusCompleted, nil, 0
	return s
}

// activeOptOut drops an opt-out that has expired.
func activeOptOut(o ui.OptOut, now time.Time) ui.OptOut {
	if !o.Expires.IsZero() && !now.Before(o.Expires) {
		return ui.OptOut{}
	}
	return o
}

// optIn allows a tool again, or all of them. Allowing one tool after opting
// out of all leaves the other one out.
func optIn(o ui.OptOut, tool string) ui.OptOut {
	if tool == "" {
		return ui.OptOut{}
	}
	if o.All {
		rest := both &^ toolSet(tool)
		return ui.OptOut{Tools: []string{rest.name()}, Expires: o.Expires}
	}
	o.Tools = slices.DeleteFunc(slices.Clone(o.Tools), func(t string) bool { return t == tool })
	return o
}
