package decidecmd

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// remembered is what the examples of docs/decide.md need, by rule or its kind.
func remembered(id string) ui.Router {
	rule := func(pattern, action, tool string) ui.Guardrail {
		return ui.Guardrail{ID: "g", Pattern: pattern, Action: action, Tool: tool, Enabled: true}
	}
	never := rule("stakeholder lists?", route.SuppressTool, ui.ToolTable)
	open := ui.Router{LastTool: ui.ToolTable, LastStatus: ui.StatusToolOpen}
	switch id {
	case "control.resume":
		opened := route.Decide("We have 12 risks.", ui.Router{}, route.Prefs{}, time.Time{})
		open.Checkpoint = &ui.Checkpoint{Tool: ui.ToolTable, Payload: opened.Params.Value()}
		return open
	case "control.rule_yes", "control.rule_no":
		return ui.Router{Pending: &ui.Pending{Rule: &never}}
	case "control.rule_full":
		return ui.Router{Pending: &ui.Pending{Rule: &never},
			Guardrails: slices.Repeat([]ui.Guardrail{never}, route.MaxGuardrails)}
	case "control.submit", "control.cancel", "control.decline", "gate.open":
		return open
	case "gate.opt_out_all":
		return ui.Router{OptOut: ui.OptOut{All: true}}
	case "gate.opt_out_tool", "control.opt_in":
		return ui.Router{OptOut: ui.OptOut{Tools: []string{ui.ToolTable}}}
	case "gate.cancel_streak":
		return ui.Router{Cancels: 2, LastStatus: ui.StatusCanceled}
	case "guardrail.force":
		return ui.Router{Guardrails: []ui.Guardrail{rule("approval process", route.ForceTool, ui.ToolMap)}}
	case "guardrail.suppress":
		return ui.Router{Guardrails: []ui.Guardrail{never}}
	case "pending.count", "pending.unclear":
		return ui.Router{Pending: &ui.Pending{Tool: ui.ToolTable, Subject: "risk"}}
	case "pending.yes", "pending.no":
		return ui.Router{Pending: &ui.Pending{Tool: ui.ToolMap}}
	}
	return ui.Router{}
}

// TestDocsRules: docs/decide.md has a row for every rule, with its sentence, and
// its example is decided so with that confidence.
func TestDocsRules(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/decide.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	row := regexp.MustCompile("(?m)^\\| `([a-z_]+\\.[a-z_]+)` \\| ([0-9.–]+) \\| (.*) \\| (.*) \\|$")
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		id, confidence, sentence, example := m[1], m[2], m[3], strings.ReplaceAll(m[4], " ⏎ ", "\n")
		seen[id] = true
		if sentence != route.Reasons()[id] {
			t.Errorf("%s: %q, but limn route says %q", id, sentence, route.Reasons()[id])
		}
		if example == "–" { // it takes an app or a model
			continue
		}
		d := route.Decide(example, remembered(id), route.Prefs{}, time.Time{})
		if got := strconv.FormatFloat(d.Confidence, 'g', -1, 64); eval.Trigger(d) != id || got != confidence {
			t.Errorf("%s %s: %q is %s with %s", id, confidence, example, d.Rationale, got)
		}
	}
	for id := range route.Reasons() {
		if !seen[id] {
			t.Errorf("%s has no row", id)
		}
	}
}
