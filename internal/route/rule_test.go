package route_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

var made = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestSetRule(t *testing.T) {
	t.Parallel()
	rule := ui.Guardrail{Pattern: "risk", Action: route.SuppressTool, Tool: ui.ToolTable, Enabled: true}
	list, id, err := route.SetRule(nil, rule, made)
	if err != nil || id != "g1" || list[0].Created != "2026-11-20T12:00:00Z" {
		t.Fatalf("%+v %q %v", list, id, err)
	}
	two, id, _ := route.SetRule(list, rule, made)
	if id != "g2" || len(list) != 1 || len(two) != 2 {
		t.Errorf("the second is %q; %d and %d rules", id, len(list), len(two))
	}
	off, _, err := route.SetRule(two, ui.Guardrail{ID: "g1"}, made.Add(time.Hour))
	want := two[0]
	want.Enabled = false
	if err != nil || off[0] != want || !two[0].Enabled || len(off) != 2 {
		t.Errorf("switched off: %+v %v, before %+v", off, err, two)
	}
	other := ui.Guardrail{ID: "g1", Pattern: "x", Action: route.ForceTool, Tool: ui.ToolMap, Created: "never"}
	replaced, _, err := route.SetRule(off, other, made.Add(time.Hour))
	other.Created = want.Created
	if err != nil || replaced[0] != other {
		t.Errorf("replaced: %+v %v", replaced[0], err)
	}
	if _, _, err := route.SetRule(two, ui.Guardrail{ID: "none", Enabled: true}, made); ui.CodeOf(err) != route.CodeRuleUnknown {
		t.Errorf("switching a rule that is not there: %v", err)
	}
	one, err := route.DropRule(two, "g1")
	if err != nil || len(one) != 1 || one[0].ID != "g2" || two[0].ID != "g1" {
		t.Errorf("dropped: %+v %v", one, err)
	}
	if _, err := route.DropRule(one, "g1"); ui.CodeOf(err) != route.CodeRuleUnknown {
		t.Errorf("dropped twice: %v", err)
	}
	if again, id, _ := route.SetRule(one, rule, made); id != "g1" || len(again) != 2 {
		t.Errorf("the free id is %q", id)
	}
}

// TestRuleLimit: fifty rules, whichever way, and each can still be replaced.
func TestRuleLimit(t *testing.T) {
	t.Parallel()
	rule := ui.Guardrail{Pattern: "x", Action: route.ForceTool, Tool: ui.ToolMap}
	var list []ui.Guardrail
	var err error
	for i := range 50 {
		if list, _, err = route.SetRule(list, rule, made); err != nil {
			t.Fatalf("rule %d: %v", i+1, err)
		}
	}
	if _, _, err := route.SetRule(list, rule, made); ui.CodeOf(err) != route.CodeGuardrail {
		t.Errorf("the 51st: %v", err)
	}
	if list, _, err = route.SetRule(list, ui.Guardrail{ID: "g50", Enabled: true}, made); err != nil ||
		!list[49].Enabled {
		t.Errorf("switching the 50th on: %v", err)
	}
}

func TestPattern(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words     string
		match, no []string
	}{
		{"stakeholder lists", []string{"My Stakeholder  List", "the stakeholder\n\u00a0lists."}, []string{"a list of stakeholders", "stakeholder listing"}},
		{"approval process", []string{"our approval processes", "Approval process?"}, []string{"disapproval process"}},
		{"policy", []string{"two policies", "a policy"}, []string{"police"}},
		{"a.b", []string{"is a.b there"}, []string{"axb"}},
		{"C++", []string{"in c++!"}, []string{"c"}},
		{"café", []string{"un Café"}, []string{"cafe"}},
		{"承認 プロセス", []string{"この承認 プロセスを"}, []string{"承認"}},
		{"(x", []string{"f(x)"}, []string{"x"}},
		{"Aİ", []string{"der aİ"}, []string{"ai"}}, // İ has a lower case of two letters, and no other that matches it
	} {
		rules := []ui.Guardrail{{ID: "g", Pattern: route.Pattern(tt.words), Action: route.SuppressTool,
			Tool: ui.ToolMap, Enabled: true}}
		if err := route.CheckGuardrail(rules[0], 0); err != nil {
			t.Errorf("%q: %q: %v", tt.words, rules[0].Pattern, err)
		}
		for _, m := range tt.match {
			if !route.Suppressed(rules, ui.ToolMap, m) {
				t.Errorf("%q (%s) does not match %q", tt.words, rules[0].Pattern, m)
			}
		}
		for _, m := range tt.no {
			if route.Suppressed(rules, ui.ToolMap, m) {
				t.Errorf("%q (%s) matches %q", tt.words, rules[0].Pattern, m)
			}
		}
	}
	for _, p := range []string{"", "risk|issue", `\bx`, "(?:", "a{2}"} {
		if w, ok := route.Words(p); ok {
			t.Errorf("%q are the words %q", p, w)
		}
	}
}

// TestPatternIsReadBack: any words make a rule that can be used, matches the
// words themselves, and is shown as the words again.
func TestPatternIsReadBack(t *testing.T) {
	t.Parallel()
	word := rapid.OneOf(rapid.SampledFrom([]string{"lists", "boxes", "people", "x", "policy", `[\s\pZ]+`, "(?:a|b)",
		"a|b", `\b`, "ﬁn", "é", "e\u0301", "$^", "kpis"}), rapid.StringN(1, 8, 20))
	rapid.Check(t, func(t *rapid.T) {
		words := strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "words"), " ")
		words = strings.Join(strings.Fields(words), " ")
		p := route.Pattern(words)
		if words == "" || len(p) > 256 || strings.ToValidUTF8(words, "") != words {
			t.Skip("no rule")
		}
		rules := []ui.Guardrail{{ID: "g", Pattern: p, Action: route.SuppressTool, Tool: ui.ToolMap, Enabled: true}}
		if err := route.CheckGuardrail(rules[0], 0); err != nil {
			t.Fatalf("%q: %q: %v", words, p, err)
		}
		if !route.Suppressed(rules, ui.ToolMap, words) {
			t.Fatalf("%q (%s) does not match itself", words, p)
		}
		back, ok := route.Words(p)
		if !ok || route.Pattern(back) != p {
			t.Fatalf("%q (%s) is read as %q, %v", words, p, back, ok)
		}
	})
}

// TestGuardrailWork: what 256 bytes of pattern can ask for is bounded.
func TestGuardrailWork(t *testing.T) {
	t.Parallel()
	for _, p := range []string{strings.Repeat("x{1000}", 36), strings.Repeat(".{0,1000}", 28), "(.{0,400}q){2}",
		strings.Repeat(`\pL{99}`, 36)} {
		err := route.CheckGuardrail(ui.Guardrail{Pattern: p, Action: route.ForceTool, Tool: ui.ToolMap}, 0)
		if ui.CodeOf(err) != route.CodeGuardrail {
			t.Errorf("%.20s…: %v", p, err)
		}
	}
	for _, p := range []string{strings.Repeat("x", 256), "(a+)+$", "(a|aa)+$", "(.*a){20}",
		`\bapprov(al|e)s?\b.*\bprocess(es)?\b`, `\p{Han}{2,40}`} {
		if err := route.CheckGuardrail(ui.Guardrail{Pattern: p, Action: route.ForceTool, Tool: ui.ToolMap}, 0); err != nil {
			t.Errorf("%.20s: %v", p, err)
		}
	}
	rule := []ui.Guardrail{{ID: "g", Pattern: "needle", Action: route.SuppressTool, Tool: ui.ToolMap, Enabled: true}}
	for _, n := range []int{0, 8<<10 - 6, 8<<10 - 5} {
		if got, want := route.Suppressed(rule, ui.ToolMap, strings.Repeat("é", n/2)+strings.Repeat(" ", n%2)+"needle"),
			n <= 8<<10-6; got != want {
			t.Errorf("after %d bytes: %v, want %v", n, got, want)
		}
	}
}

func ExampleSetRule() {
	rules, id, err := route.SetRule(nil, ui.Guardrail{Pattern: route.Pattern("stakeholder lists"),
		Action: route.SuppressTool, Tool: ui.ToolTable, Enabled: true}, made)
	words, _ := route.Words(rules[0].Pattern)
	fmt.Println(id, words, rules[0].Pattern, err)
	// Output:
	// g1 stakeholder lists \bstakeholder[\s\pZ]+(?:lists|list)\b <nil>
}
