package execute

import (
	"slices"

	"github.com/limn-ui/limn/ui"
)

// gateClosed reports whether a tool may not open now: the user opted out, has
// canceled twice in a row, suppresses it, or another tool is open. They bind
// the model as they bind routing (decisions R-20 … R-23).
func gateClosed(env Env, r ui.Router, tool string, surface ui.Name) bool {
	optedOut := r.OptOut.Expires.IsZero() || env.Now.Before(r.OptOut.Expires)
	switch {
	case optedOut && (r.OptOut.All || slices.Contains(r.OptOut.Tools, tool)):
		return true
	case r.Cancels >= 2:
		return true
	case r.Checkpoint != nil && r.LastStatus == ui.StatusToolOpen:
		return r.Checkpoint.Surface != surface
	}
	return false
}
