package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// BenchmarkDecide decides the sentences of testdata/rules, one after the other.
func BenchmarkDecide(b *testing.B) {
	sentences := readSentences(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		decide(sentences[i%len(sentences)].message, ui.Router{})
	}
}

// BenchmarkMessage64K decides 64 KB of prose, and of what costs most.
func BenchmarkMessage64K(b *testing.B) {
	for name, unit := range map[string]string{
		"prose": "Our team in the north has met the people of the office, and it was fine. ", "numbers": "we have 12 of 15, 3,000 to 4 k, ", "clauses": "first we review the plan, then we sign it, ",
		"lines": "a:\n", "marks": "((((", "japanese": "リスクが12件あります。", "arrows": "a -> b -> "} {
		message := strings.Repeat(unit, (64<<10)/len(unit))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				decide(message, ui.Router{})
			}
		})
	}
}

// BenchmarkGuardrails50 matches 50 rules on a message of 200 characters.
func BenchmarkGuardrails50(b *testing.B) {
	var s ui.Router
	for i := range 50 {
		s.Guardrails = append(s.Guardrails, ui.Guardrail{ID: "g", Pattern: fmt.Sprintf("word%d|sign[- ]?off%d", i, i),
			Action: route.ForceTool, Tool: ui.ToolMap, Enabled: true})
	}
	p := route.Prefs{Guardrails: route.CompileGuardrails(s.Guardrails)}
	message := strings.Repeat("We have nothing to say here. ", 7)
	for b.Loop() {
		route.Decide(message, s, p, noon)
	}
}

// BenchmarkVerbal decides an order, and a message of no order, while a form is open.
func BenchmarkVerbal(b *testing.B) {
	prefs := route.Prefs{Open: []route.Open{{Surface: "form:customer", Kind: "form", Title: "Customer", Cancel: "Cancel"}}}
	for name, message := range map[string]string{"order": "okay, submit the form",
		"60 words": strings.Repeat("ok good and then so ", 12), "600 bytes": strings.Repeat("ok good so we met them. ", 25)[:600]} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				route.Decide(message, ui.Router{}, prefs, noon)
			}
		})
	}
}
