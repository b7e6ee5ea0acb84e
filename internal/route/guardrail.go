package route

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// CodeGuardrail: a guardrail cannot be saved as it is.
const CodeGuardrail ui.Code = "ROUTE_GUARDRAIL_INVALID"

// MaxGuardrails is how many rules a user can have; with the limits below it
// keeps matching linear and bounded (facts R-30).
const MaxGuardrails = 50

const (
	maxPattern = 256     // bytes
	maxProgram = 500     // instructions: 256 bytes can say x{1000} 36 times, minutes of work for one message
	maxMatched = 8 << 10 // bytes of a message that rules look at

	// maxPrograms bounds the instructions of all rules of a user together. Rules saved
	// before there was this bound stay and count; a new pattern has to fit beside them.
	maxPrograms = 2000

	// maxWork bounds instructions times bytes of one message, about 30 ms: where more
	// instructions than 512 have to be run, rules look at less of it than maxMatched,
	// but never at less than minMatched.
	maxWork    = 4 << 20
	minMatched = 512
)

// Guardrails are a user's rules, compiled. Safe for concurrent use.
type Guardrails struct {
	source  []ui.Guardrail
	rules   []rail
	ignored []string
}

type rail struct {
	re       *regexp.Regexp
	literals []string // a folded text without any of them cannot match. Empty: unknown
	size     int      // instructions
	force    bool
	tool     tools
}

// CheckGuardrail reports before saving whether a rule can be used; count is how many
// the user has already. Errors have CodeGuardrail.
func CheckGuardrail(g ui.Guardrail, count int) error {
	_, err := compile(g, count)
	return err
}

func compile(g ui.Guardrail, count int) (rail, error) {
	switch {
	case count >= MaxGuardrails:
		return rail{}, ui.Errorf(CodeGuardrail, "", "there are %d rules already", MaxGuardrails)
	case g.Pattern == "" || len(g.Pattern) > maxPattern:
		return rail{}, ui.Errorf(CodeGuardrail, "intent_pattern", "want a pattern of 1 to %d bytes", maxPattern)
	case g.Action != ForceTool && g.Action != SuppressTool:
		return rail{}, ui.Errorf(CodeGuardrail, "action", "want %s or %s", ForceTool, SuppressTool)
	case toolSet(g.Tool) == 0:
		return rail{}, ui.Errorf(CodeGuardrail, "tool", "want %s or %s", ui.ToolTable, ui.ToolMap)
	}
	pattern := "(?i)" + g.Pattern
	re, err := regexp.Compile(pattern)
	if err != nil {
		return rail{}, &ui.Error{Code: CodeGuardrail, Path: "intent_pattern", Message: "not a regular expression",
			Hint: "RE2 syntax", Err: err}
	}
	tree, _ := syntax.Parse(pattern, syntax.Perl) // as regexp.Compile does
	tree = tree.Simplify()
	prog, err := syntax.Compile(tree)
	if err != nil || len(prog.Inst) > maxProgram {
		return rail{}, &ui.Error{Code: CodeGuardrail, Path: "intent_pattern", Message: "the pattern repeats too much",
			Hint: "* or + instead of {n}", Err: err}
	}
	return rail{re: re, literals: needed(tree), size: len(prog.Inst), force: g.Action == ForceTool,
		tool: toolSet(g.Tool)}, nil
}

// programs returns the instructions of the patterns of rules.
func programs(list []ui.Guardrail) (n int) {
	for _, g := range list {
		if tree, err := syntax.Parse("(?i)"+g.Pattern, syntax.Perl); err == nil && len(g.Pattern) <= maxPattern {
			if prog, err := syntax.Compile(tree.Simplify()); err == nil {
				n += len(prog.Inst)
			}
		}
	}
	return n
}

// checkPrograms refuses rules that together are more than a message may cost.
func checkPrograms(list []ui.Guardrail) error {
	if programs(list) <= maxPrograms {
		return nil
	}
	return &ui.Error{Code: CodeGuardrail, Path: "intent_pattern",
		Message: "your rules together are too much work for each message",
		Hint:    "use a shorter pattern without {n}, or remove a rule"}
}

// CompileGuardrails prepares rules for many decisions. Rules that cannot be
// used are left out; Decision.Ignored names them.
func CompileGuardrails(list []ui.Guardrail) *Guardrails {
	g := &Guardrails{source: append([]ui.Guardrail(nil), list...)}
	for i, rule := range list {
		if !rule.Enabled {
			continue
		}
		r, err := compile(rule, i)
		if err != nil {
			g.ignored = append(g.ignored, rule.ID)
			continue
		}
		g.rules = append(g.rules, r)
	}
	return g
}

// For returns g if it was compiled from exactly these rules, else compiles them.
func (g *Guardrails) For(list []ui.Guardrail) *Guardrails {
	if g != nil && len(g.source) == len(list) {
		same := true
		for i := range list {
			same = same && g.source[i] == list[i]
		}
		if same {
			return g
		}
	}
	return CompileGuardrails(list)
}

// match returns the tool to force, if any, and the tools to suppress. The
// first force wins whose tool is allowed; suppress beats force.
func (g *Guardrails) match(text string, allowed tools) (force, suppressed tools) {
	var forced []tools
	text = excerpt.Head(text, maxMatched)
	var folded string
	if len(g.rules) > 0 {
		folded = fold(text)
	}
	may, size := make([]bool, len(g.rules)), 0
	for i, r := range g.rules {
		may[i] = len(r.literals) == 0 ||
			slices.ContainsFunc(r.literals, func(w string) bool { return strings.Contains(folded, w) })
		if may[i] {
			size += r.size
		}
	}
	text = excerpt.Head(text, max(minMatched, maxWork/max(1, size)))
	for i, r := range g.rules {
		if !may[i] || !r.re.MatchString(text) {
			continue
		}
		if r.force {
			forced = append(forced, r.tool)
		} else {
			suppressed |= r.tool
		}
	}
	for _, t := range forced {
		if t&allowed&^suppressed != 0 {
			return t, suppressed
		}
	}
	return 0, suppressed
}

// fold writes the letters A to Z, and the two further letters that patterns
// take for one of them (ſ for s, the Kelvin sign for k), as a to z.
func fold(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z':
			out = append(out, c|0x20)
		case c == 0xc5 && strings.HasPrefix(text[i:], "\u017f"):
			out, i = append(out, 's'), i+len("\u017f")-1
		case c == 0xe2 && strings.HasPrefix(text[i:], "\u212a"):
			out, i = append(out, 'k'), i+len("\u212a")-1
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// needed returns literals of which every match holds at least one, or nil. One
// search for a word is some fifty times cheaper than the expression.
func needed(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if run := sureRun(re.Rune); len(run) > 1 {
			return []string{run}
		}
		return nil
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if l := needed(sub); l != nil && (best == nil || shortest(l) > shortest(best)) {
				best = l
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			l := needed(sub)
			if l == nil || len(all)+len(l) > 16 {
				return nil
			}
			all = append(all, l...)
		}
		return all
	}
	return nil
}

// sureRun returns the longest run of a literal that occurs in every folded text it
// matches: letters that have no other case, and ASCII, in lower case.
func sureRun(literal []rune) string {
	best, run := "", ""
	for _, r := range literal {
		switch {
		case r < utf8.RuneSelf:
			r = unicode.ToLower(r)
		case unicode.SimpleFold(r) != r || r == utf8.RuneError:
			run = ""
			continue
		}
		if run += string(r); len(run) > len(best) {
			best = run
		}
	}
	return best
}

func shortest(list []string) int {
	n := len(list[0])
	for _, s := range list {
		n = min(n, len(s))
	}
	return n
}
