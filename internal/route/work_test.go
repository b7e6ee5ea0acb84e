package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// costly is a pattern of some 480 instructions that reads every message to its end.
func costly(n int) ui.Guardrail {
	return ui.Guardrail{Pattern: fmt.Sprintf("(?:[a-y]?[^z]){%d}%dz", 95, n), Action: route.ForceTool, Tool: ui.ToolMap,
		Enabled: true}
}

// TestRulesTogether: what all rules of a user may cost a message is bounded; rules
// that were saved before stay, can be switched, and are refused a larger pattern.
func TestRulesTogether(t *testing.T) {
	t.Parallel()
	var list []ui.Guardrail
	var err error
	for i := range 50 {
		next, _, e := route.SetRule(list, costly(i), made)
		if err = e; err != nil {
			break
		}
		list = next
	}
	if ui.CodeOf(err) != route.CodeGuardrail || len(list) == 0 || len(list) > 10 {
		t.Fatalf("%d costly rules were taken: %v", len(list), err)
	}
	if _, _, err := route.SetRule(list, ui.Guardrail{ID: list[0].ID, Enabled: false}, made); err != nil {
		t.Errorf("switching one off: %v", err)
	}
	var old []ui.Guardrail
	for i := range 20 {
		g := costly(i)
		g.ID = fmt.Sprintf("g%d", i)
		old = append(old, g)
	}
	if !route.Suppressed([]ui.Guardrail{{ID: "g", Pattern: old[3].Pattern, Action: route.SuppressTool, Tool: ui.ToolMap,
		Enabled: true}}, ui.ToolMap, strings.Repeat("a", 200)+"3z") {
		t.Error("a costly rule does not match")
	}
	if _, _, err := route.SetRule(old, ui.Guardrail{ID: "g3", Enabled: false}, made); err != nil {
		t.Errorf("switching one of too many off: %v", err)
	}
	if _, _, err := route.SetRule(old, ui.Guardrail{Pattern: "x", Action: route.ForceTool, Tool: ui.ToolMap}, made); ui.CodeOf(err) != route.CodeGuardrail {
		t.Errorf("one more beside too many: %v", err)
	}
	for n, want := range map[int]bool{1: true, 4: false} { // one is run on all that is looked at, four are not
		var rules []ui.Guardrail
		for i := range n {
			g := old[i]
			g.Action = route.SuppressTool
			rules = append(rules, g)
		}
		text := strings.Repeat("a", 8<<10-8) + "0z"
		if n > 1 {
			text += "1z2z3z"
		}
		if got := route.Suppressed(rules, ui.ToolMap, text); got != want {
			t.Errorf("%d costly rules, a match at the end of 8 KiB: %v", n, got)
		}
	}
	topics := strings.Fields(
		"stakeholder budget vendor interview onboarding release incident travel invoice contract policy roadmap supplier training inventory payroll marketing meeting recruiting compliance audit security vacation")
	list = nil
	for _, a := range topics[:10] {
		for _, b := range topics[10:13] {
			if list, _, err = route.SetRule(list,
				ui.Guardrail{Pattern: route.Pattern(a + " " + b + " lists"), Action: route.SuppressTool,
					Tool: ui.ToolTable}, made); err != nil {
				t.Fatalf("%d rules of words: %v", len(list), err)
			}
		}
	}
}

// BenchmarkRulesTogether is the most that rules cost one message.
func BenchmarkRulesTogether(b *testing.B) {
	var list []ui.Guardrail
	for i := range 50 {
		next, _, err := route.SetRule(list, costly(i), made)
		if err != nil {
			break
		}
		list = next
	}
	for i := range list {
		list[i].Action = route.SuppressTool
	}
	text := strings.Repeat("a", 8<<10-12) + "0z1z2z3z4z5z"
	for b.Loop() {
		route.Suppressed(list, ui.ToolMap, text)
	}
}
