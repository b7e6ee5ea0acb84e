package turn

import (
	"slices"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// Events lists the telemetry of a step (decision logic §14), in the order of its causes.
func Events(step Step, p Plan) (out []trace.Event) {
	d := p.Decision
	before, after := step.Before.Router, step.After.Router
	if d != nil {
		out = append(out, trace.Event{Name: trace.RouterDecision, Action: string(d.Action), Tool: d.Tool,
			Confidence: d.Confidence})
	}
	if a, b := before.OptOut, after.OptOut; !sameOptOut(a, b) {
		out = append(out, trace.Event{Name: trace.OptOutChanged, AllTools: b.All, Tools: len(b.Tools)})
	}
	for _, w := range p.Shown {
		out = append(out, trace.Event{Name: trace.WarningShown, Type: w.Check, Confidence: w.Confidence})
	}
	for _, was := range openTools(before) {
		if after.Open(was.Surface) != nil {
			continue
		}
		if sf := step.After.Surface(was.Surface); sf != nil && sf.Status == ui.StatusSubmitted {
			out = append(out, trace.Event{Name: trace.ToolSubmitted, Tool: was.Tool,
				Accepted: accepted(step.Frame.Ops)})
		} else {
			out = append(out, trace.Event{Name: trace.ToolCanceled, Tool: was.Tool})
		}
	}
	if now := after.Checkpoint; now != nil {
		was := before.Open(now.Surface)
		fresh := was == nil || !was.OpenedAt.Equal(now.OpenedAt)
		again := p.Again || d != nil && d.Resumed || opened(step.Frame, now.Surface)
		if fresh || again {
			out = append(out, trace.Event{Name: trace.ToolOpened, Tool: now.Tool, Resumed: !fresh})
		}
	}
	return out
}

func openTools(r ui.Router) []ui.Checkpoint {
	if r.Checkpoint == nil {
		return r.Beside
	}
	return append(slices.Clone(r.Beside), *r.Checkpoint)
}

// sameOptOut compares what lasts: "not this turn" is no change.
func sameOptOut(a, b ui.OptOut) bool {
	return a.All == b.All && slices.Equal(a.Tools, b.Tools) &&
		(a.Expires.Equal(b.Expires) || !a.All && len(a.Tools) == 0)
}

func opened(f *ui.Frame, n ui.Name) bool {
	return slices.ContainsFunc(f.Changes,
		func(c ui.Change) bool { return c.Surface == n && c.Kind == ui.ChangedOpened })
}

// accepted reports that an incomplete worksheet was submitted all the same.
func accepted(ops ui.Ops) bool {
	for _, op := range ops {
		if c, ok := op.(*ui.Commit); ok {
			v, _ := c.Values.Get(execute.KeyAccepted)
			return v.True()
		}
	}
	return false
}

// Recoveries lists the reactions of a frame to failures: of rendering, and those that
// a client reports.
func Recoveries(event ui.EventKind, f *ui.Frame, failed []compile.Failure) (out []turntrace.Recovery) {
	did := func(n ui.Name) string {
		do := "soft_fail"
		for _, op := range f.Ops {
			switch op := op.(type) {
			case *ui.Reset:
				if op.Surface == n {
					do = "epoch_reset"
				}
			case *ui.Close:
				if op.Surface == n {
					do = "deleteSurface"
				}
			}
		}
		return do
	}
	for _, one := range failed {
		out = append(out, turntrace.Recovery{Do: did(one.Surface), Surface: one.Surface, Reason: codeOf(one)})
	}
	for _, c := range f.Changes {
		if event == ui.EventError && (c.Kind == ui.ChangedReset || c.Kind == ui.ChangedClosed) {
			out = append(out, turntrace.Recovery{Do: did(c.Surface), Surface: c.Surface, Reason: CodeClient})
		}
	}
	if f.Rebuild != nil {
		out = append(out, turntrace.Recovery{Do: "rebuild", Reason: CodeClient})
	}
	if len(out) == 0 && f.Outcome.Kind == ui.OutcomeFailed {
		out = append(out, turntrace.Recovery{Do: "soft_fail", Surface: f.Outcome.Surface, Reason: f.Outcome.Code})
	}
	return out
}
