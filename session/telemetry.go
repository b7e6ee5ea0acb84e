package session

import (
	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// tell emits what a committed step means (decision logic §14). Most of it is
// read from the states around the frame, so it holds whoever caused it: routing,
// a model's directive, a click, the page, an opt-out that ran out.
func (c *conversation) tell(step Step, p plan) {
	sink := c.svc.cfg.Tell
	if sink == nil {
		return
	}
	defer func() {
		if r := recover(); r != nil { // the frame is committed: nothing may undo that
			c.svc.cfg.Log.Error("telemetry sink panicked", "conversation", c.info.ID)
		}
	}()
	for _, e := range events(step, p) {
		e.At, e.Conversation, e.Seq = step.Frame.At, c.info.ID, step.Frame.Seq
		sink.Emit(e)
	}
}

// events lists what a step means, in the order it came about.
func events(step Step, p plan) (out []trace.Event) {
	d := p.decision
	before, after := step.Before.Router, step.After.Router
	if d != nil {
		out = append(out, trace.Event{Name: trace.RouterDecision, Action: string(d.Action), Tool: d.Tool, Confidence: d.Confidence})
	}
	if a, b := before.OptOut, after.OptOut; !sameOptOut(a, b) {
		out = append(out, trace.Event{Name: trace.OptOutChanged, AllTools: b.All, Tools: len(b.Tools)})
	}
	for _, w := range p.step.Shown {
		out = append(out, trace.Event{Name: trace.WarningShown, Type: w.Check, Confidence: w.Confidence})
	}
	if was := before.Checkpoint; was != nil && after.Checkpoint == nil {
		switch after.LastStatus {
		case ui.StatusCompleted:
			out = append(out, trace.Event{Name: trace.ToolSubmitted, Tool: was.Tool, Accepted: accepted(step.Frame.Ops)})
		case ui.StatusCanceled:
			out = append(out, trace.Event{Name: trace.ToolCanceled, Tool: was.Tool})
		}
	}
	if now := after.Checkpoint; now != nil {
		fresh := before.Checkpoint == nil || before.Checkpoint.Surface != now.Surface || !before.Checkpoint.OpenedAt.Equal(now.OpenedAt)
		again := p.again || d != nil && d.Resumed || opened(step.Frame, now.Surface)
		if fresh || again {
			out = append(out, trace.Event{Name: trace.ToolOpened, Tool: now.Tool, Resumed: !fresh})
		}
	}
	return out
}

// sameOptOut compares what lasts: "not this turn" is no change.
func sameOptOut(a, b ui.OptOut) bool {
	if a.All != b.All || len(a.Tools) != len(b.Tools) || !a.Expires.Equal(b.Expires) && (a.All || len(a.Tools) > 0) {
		return false
	}
	for i := range a.Tools {
		if a.Tools[i] != b.Tools[i] {
			return false
		}
	}
	return true
}

func opened(f *ui.Frame, n ui.Name) bool {
	for _, change := range f.Changes {
		if change.Surface == n && change.Kind == ui.ChangedOpened {
			return true
		}
	}
	return false
}

// accepted reports a commit of a tool that was not complete.
func accepted(ops ui.Ops) bool {
	for _, op := range ops {
		if c, ok := op.(*ui.Commit); ok {
			v, _ := c.Values.Get(execute.KeyAccepted)
			return v.True()
		}
	}
	return false
}
