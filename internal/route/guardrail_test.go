package route

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/ui"
)

// The literals are only a shortcut: with and without them the same rules match.
func TestLiteralsChangeNothing(t *testing.T) {
	t.Parallel()
	atoms := rapid.SampledFrom([]string{"approv", "sign", "risk", "off", "k", "s", "ſ", "É", "[ab]", ".", "(x|yz)",
		"ab|cd", "(?:risk)+", "w{2,3}", "q?", "réunion", "ñandú", "会议", "ÀB", "\ufffd", "(?-i:Sign)", "Ǆ", "^",
		`\bend\b`, "a*", "|"})
	rapid.Check(t, func(t *rapid.T) {
		pattern := strings.Join(rapid.SliceOfN(atoms, 1, 4).Draw(t, "pattern"), "")
		g := CompileGuardrails([]ui.Guardrail{
			{ID: "g", Pattern: pattern, Action: "suppress_tool", Tool: ui.ToolMap, Enabled: true}})
		if len(g.rules) == 0 {
			t.Skip("not a pattern")
		}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(
			[]string{"APPROV", "Sign", "oFF", "\u212a", "ſ", "ſign", "riſk", "s", "É", "a", "b", "x", "yz", "cd",
				"risk", "ww", " ", "end", "RÉUNION", "re\u0301union", "ÑANDÚ", "会议", "会", "Àb", "\ufffd", "ǆ", "ǅ"}), 0,
			8).Draw(t, "text"), "")
		_, got := g.match(text, both)
		if want := g.rules[0].re.MatchString(text); (got != 0) != want {
			t.Fatalf("%q on %q: %v, want %v (literals %q)", pattern, text, got != 0, want, g.rules[0].literals)
		}
	})
}
