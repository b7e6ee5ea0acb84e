package session_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestRulesAndRefusalsInWords: what users say about the tools is answered,
// remembered, and holds for the messages after it.
func TestRulesAndRefusalsInWords(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, risks))
		last := func() *ui.Frame { f := w.frames(); return f[len(f)-1] }
		turn := func(text, wants string, kind ui.OutcomeKind) {
			t.Helper()
			w.outcome(w.submit(say(text)), kind, "")
			if got := last().Text; !strings.Contains(strings.ToLower(got), wants) {
				t.Errorf("%q: %q, want %q", text, got, wants)
			}
		}
		turn("Never show tables for stakeholder lists",
			"shall i keep this as a rule: never open a table when you mention", ui.OutcomeAsked)
		if r := w.state().Router; len(r.Guardrails) != 0 || r.Pending == nil || r.Pending.Rule == nil {
			t.Errorf("a rule before it is confirmed: %+v", r)
		}
		turn("yes", "", ui.OutcomeDone)
		if g := w.state().Router.Guardrails; len(g) != 1 || !g[0].Enabled || g[0].Action != "suppress_tool" {
			t.Errorf("rules: %+v", g)
		}
		turn("We have a stakeholder list of 12 stakeholders.", "your rule says not to open a table", ui.OutcomeAsked)
		if w.state().Router.Checkpoint != nil {
			t.Error("the rule does not hold")
		}
		turn("We have 4 risks.", "i’ve opened a table", ui.OutcomeDone)
		turn("No, and don't ask again.", "?", ui.OutcomeAsked) // decline: no cancel, and an opt-out is proposed
		if r := w.state().Router; r.Checkpoint != nil || r.Cancels != 0 || r.Pending == nil || !r.Pending.OptOut ||
			!w.state().Surface(table).Stub() {
			t.Errorf("declined: %+v", r)
		}
		turn("yes", "", ui.OutcomeDone)
		turn("We have 4 risks.", "you asked me not to open a table", ui.OutcomeAsked)
		if r := w.state().Router; r.Checkpoint != nil || len(r.OptOut.Tools) != 1 && !r.OptOut.All {
			t.Errorf("opted out: %+v", r)
		}
		turn("Turn the tables back on, I have 14 risks.", "i’ve opened a table", ui.OutcomeDone)
	})
}
