package execute

import (
	"errors"
	"slices"
	"strconv"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// Closed is the gate that kept a worksheet closed: one of route's, or GateSame. It is
// the Err of an error with CodeGateClosed.
type Closed string

func (c Closed) Error() string { return string(c) }

// GateSame keeps a table or a process map closed that is open already.
const GateSame = "gate.same"

// ClosedBy returns the gate in an error, or "".
func ClosedBy(err error) string {
	var c Closed
	errors.As(err, &c)
	return string(c)
}

// gate returns the gate that keeps a worksheet closed now, or "": the user opted out,
// has canceled twice in a row, suppresses it, or is at work in another tool. The
// gates bind the model as they bind routing (decisions R-20 … R-23).
func gate(env Env, s *ui.State, tool string, surface ui.Name) string {
	r := s.Router
	optedOut := r.OptOut.Expires.IsZero() || env.Now.Before(r.OptOut.Expires)
	switch {
	case env.Lifted:
		return ""
	case optedOut && r.OptOut.All:
		return route.GateOptOutAll
	case optedOut && slices.Contains(r.OptOut.Tools, tool), slices.Contains(r.OptOut.Once, tool):
		return route.GateOptOut
	case r.Cancels >= 2:
		return route.GateCancels
	case route.Suppressed(r.Guardrails, tool, saidNow(env, s)):
		return route.GateRule
	case r.Open(surface) == nil && InWork(s) != nil:
		return route.GateOpen
	}
	return ""
}

// InWork returns the last open worksheet with changes since it opened, or nil. An
// untouched one is no work in progress: another may open beside it.
func InWork(s *ui.State) (found *ui.Surface) {
	for _, sf := range s.Surfaces {
		if sf.Status == ui.StatusOpen && sf.Rev > 1 && s.Router.Open(sf.Name) != nil {
			found = sf
		}
	}
	return found
}

func gateError(tool, gate string) *ui.Error {
	return &ui.Error{Code: CodeGateClosed, Message: tool + " is closed for now", Err: Closed(gate)}
}

// besides gives an opening another surface if its own is open already.
func besides(s *ui.State, o app.Opening) app.Opening {
	name := o.Surface
	for i := 2; s.Surface(o.Surface) != nil; i++ {
		o.Surface = name + ui.Name("-"+strconv.Itoa(i))
	}
	return o
}

func isOpen(s *ui.State, n ui.Name) bool {
	sf := s.Surface(n)
	return sf != nil && sf.Status == ui.StatusOpen
}

// saidNow is the message this turn answers, or "" when it answers a click: a
// line of the transcript that is newer than the committed state.
func saidNow(env Env, s *ui.State) string {
	if env.Said != "" {
		return env.Said
	}
	for i := len(s.Transcript) - 1; i >= 0 && s.Transcript[i].Seq > s.Seq; i-- {
		if s.Transcript[i].Role == ui.RoleUser {
			return s.Transcript[i].Text
		}
	}
	return ""
}
