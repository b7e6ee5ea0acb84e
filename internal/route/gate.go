package route

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// The gates: the rationales of a decision that kept a tool closed.
const (
	GateOpen      = "gate.open" // another tool is open
	GateOptOutAll = "gate.opt_out_all"
	GateOptOut    = "gate.opt_out_tool"
	GateCancels   = "gate.cancel_streak" // two cancels in a row
	GateRule      = "guardrail.suppress" // a rule of the user
)

// Gated reports a decision that a closed gate made.
func (d Decision) Gated() bool {
	gate, _, _ := strings.Cut(d.Rationale, ":")
	return slices.Contains([]string{GateOpen, GateOptOutAll, GateOptOut, GateCancels, GateRule}, gate)
}

// Lift returns the memory of a conversation with one gate open: a message that is
// decided on it is decided as if the gate did not exist.
func Lift(s ui.Router, gate string) ui.Router {
	switch gate {
	case GateOpen:
		s.LastStatus, s.Checkpoint, s.Beside = "", nil, nil
	case GateOptOutAll, GateOptOut:
		s.OptOut = ui.OptOut{}
	case GateCancels:
		s.Cancels = 0
	case GateRule:
		s.Guardrails = slices.DeleteFunc(slices.Clone(s.Guardrails),
			func(g ui.Guardrail) bool { return g.Action == SuppressTool })
	}
	return s
}
