package turn

import (
	"errors"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// open is the plan of an event that opens a surface, as the directive of a model does: what
// keeps a surface closed to a model keeps it closed here.
func open(env Env, s *ui.State, e *ui.Event) Plan {
	if e.Surface != "" { // it is left as it is
		if s.Surface(e.Surface) == nil {
			return refused(env, &ui.Error{Code: recovery.CodeNotFound, Message: "there is no such surface"})
		}
		return Plan{Outcome: ui.Outcome{Kind: ui.OutcomeAsked, Surface: e.Surface}}
	}
	d, err := ingress.Opened(e)
	if err != nil {
		return refused(env, err)
	}
	d, coerced, err := env.App.Registry().Check(d)
	if err != nil {
		return refused(env, err)
	}
	ops, warnings := execute.Run(env.execute(e), s, []directive.Directive{d})
	for _, w := range warnings {
		if errors.Is(w, execute.ErrNotDone) {
			return refused(env, w)
		}
	}
	return Plan{Ops: ops, Outcome: ui.Outcome{Kind: ui.OutcomeDone},
		Warnings: append(coerced, warnings...)}
}
