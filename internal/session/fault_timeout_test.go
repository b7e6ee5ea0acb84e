package session_test

import (
	"context"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// TestFaultAnswerOfACallLost: a call that does not end in time may have been
// carried out. One that may be made again is, once, under its key; where that
// does not help, or may not be, nobody is told that it failed.
func TestFaultAnswerOfACallLost(t *testing.T) {
	for _, tt := range []struct {
		name       string
		idempotent bool
		lost       int // answers
		calls      int
		kind       ui.OutcomeKind
		code       ui.Code
	}{
		{"once", true, 1, 2, ui.OutcomeDone, ""},
		{"for good", true, 9, 2, ui.OutcomeFailed, agent.CodeEffectUnknown},
		{"not to be repeated", false, 1, 1, ui.OutcomeFailed, agent.CodeEffectUnknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				keys, calls := map[string]bool{}, 0
				w := formWorld(t, declared(t,
					handled(tt.idempotent, func(ctx context.Context, c app.Call) (app.Result, error) {
						keys[c.Key] = true
						if calls++; calls <= tt.lost {
							<-ctx.Done()
							return app.Result{}, context.Cause(ctx)
						}
						return app.Result{}, nil
					})), func(c *session.Config) { c.Timeout = 5 * time.Second })
				w.outcome(w.submit(send(w.open(form), "Acme")), tt.kind, tt.code)
				equal(t, "calls", tt.calls, calls)
				equal(t, "keys", 1, len(keys))
			})
		})
	}
}
