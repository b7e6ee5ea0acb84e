package execute

import (
	"slices"

	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/ui"
)

// gateClosed reports whether a tool may not open now: the user opted out, has
// canceled twice in a row, suppresses it, or another tool is open. They bind
// the model as they bind routing (decisions R-20 … R-23).
func gateClosed(env Env, s *ui.State, tool string, surface ui.Name) bool {
	r := s.Router
	optedOut := r.OptOut.Expires.IsZero() || env.Now.Before(r.OptOut.Expires)
	switch {
	case optedOut && (r.OptOut.All || slices.Contains(r.OptOut.Tools, tool)), slices.Contains(r.OptOut.Once, tool):
		return true
	case r.Cancels >= 2:
		return true
	case route.Suppressed(r.Guardrails, tool, saidNow(s)):
		return true
	case r.Checkpoint != nil && r.LastStatus == ui.StatusToolOpen:
		return r.Checkpoint.Surface != surface
	}
	return false
}

// saidNow is the message this turn answers, or "" when it answers a click: a
// line of the transcript that is newer than the committed state.
func saidNow(s *ui.State) string {
	for i := len(s.Transcript) - 1; i >= 0 && s.Transcript[i].Seq > s.Seq; i-- {
		if s.Transcript[i].Role == ui.RoleUser {
			return s.Transcript[i].Text
		}
	}
	return ""
}
