package route

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// CodeRuleUnknown: no rule of the user has that id.
const CodeRuleUnknown ui.Code = "ROUTE_GUARDRAIL_UNKNOWN"

// The two things a rule can do (decision logic §11).
const (
	ForceTool    = "force_tool"
	SuppressTool = "suppress_tool"
)

// SetRule returns the rules with g in its place: the one with its id, or a new
// one at the end; an empty id becomes the first free of g1, g2, …. A rule that
// only has an id switches the one that is there on or off. The new list and the
// rule's id are returned; list is not changed. Errors are those of
// CheckGuardrail, or CodeRuleUnknown.
func SetRule(list []ui.Guardrail, g ui.Guardrail, now time.Time) ([]ui.Guardrail, string, error) {
	at := slices.IndexFunc(list, func(r ui.Guardrail) bool { return r.ID == g.ID && g.ID != "" })
	count, known := len(list), false // known: the pattern is saved already
	if at >= 0 {
		old := list[at]
		if OnlySwitches(g) {
			g.Pattern, g.Action, g.Tool = old.Pattern, old.Action, old.Tool
		}
		count, g.Created, known = at, old.Created, g.Pattern == old.Pattern
	} else {
		if OnlySwitches(g) {
			return nil, "", unknownRule()
		}
		if g.ID == "" {
			g.ID = freeID(list)
		}
		g.Created = now.UTC().Format(time.RFC3339)
	}
	if err := CheckGuardrail(g, count); err != nil {
		return nil, "", err
	}
	next := append(slices.Clone(list), g)
	if at >= 0 {
		next[at], next = g, next[:len(list)]
	}
	if !known {
		if err := checkPrograms(next); err != nil {
			return nil, "", err
		}
	}
	return next, g.ID, nil
}

// OnlySwitches reports a rule that says nothing but whether it is enabled.
func OnlySwitches(g ui.Guardrail) bool {
	return g.ID != "" && g.Pattern == "" && g.Action == "" && g.Tool == ""
}

// DropRule returns the rules without the one of that id, or CodeRuleUnknown.
func DropRule(list []ui.Guardrail, id string) ([]ui.Guardrail, error) {
	at := slices.IndexFunc(list, func(r ui.Guardrail) bool { return r.ID == id })
	if at < 0 {
		return nil, unknownRule()
	}
	return slices.Delete(slices.Clone(list), at, at+1), nil
}

func unknownRule() error {
	return &ui.Error{Code: CodeRuleUnknown, Path: "id", Message: "no rule has this id",
		Hint: "the list of rules has every id"}
}

func freeID(list []ui.Guardrail) string {
	for n := 1; ; n++ {
		id := "g" + strconv.Itoa(n)
		if !slices.ContainsFunc(list, func(r ui.Guardrail) bool { return r.ID == id }) {
			return id
		}
	}
}

// Suppressed reports a rule against a tool for a message such as this one.
// Rules that cannot be used are passed over.
func Suppressed(list []ui.Guardrail, tool, message string) bool {
	list = slices.DeleteFunc(slices.Clone(list),
		func(g ui.Guardrail) bool { return g.Action != SuppressTool || g.Tool != tool })
	_, set := CompileGuardrails(list).match(norm.NFC.String(message), both)
	return set != 0
}

// gap matches between two words, spaces that do not break included.
const gap = `[\s\pZ]+`

// Pattern returns the RE2 pattern of plain words: it matches them as whole words
// one after the other, whatever the spaces between them, the
// last one in the singular and in the plural. Words reads it back.
func Pattern(words string) string {
	list := strings.Fields(norm.NFC.String(words))
	if len(list) == 0 {
		return ""
	}
	first, last := list[0], list[len(list)-1]
	for i, w := range list {
		list[i] = regexp.QuoteMeta(w)
	}
	if other := otherNumber(last); other != "" {
		list[len(list)-1] = "(?:" + last + "|" + other + ")"
	}
	p := strings.Join(list, gap)
	if wordByte(first[0]) { // \b knows ASCII words only
		p = `\b` + p
	}
	if wordByte(last[len(last)-1]) {
		p += `\b`
	}
	return p
}

// Words returns the plain words that Pattern made a pattern of.
func Words(pattern string) (string, bool) {
	p := strings.TrimSuffix(strings.TrimPrefix(pattern, `\b`), `\b`)
	if at := strings.LastIndex(p, "(?:"); at >= 0 {
		typed, _, _ := strings.Cut(p[at+3:], "|")
		p = p[:at] + typed
	}
	list := strings.Split(p, gap)
	for i, w := range list {
		list[i] = unquote(w)
	}
	words := strings.Join(list, " ")
	return words, words != "" && Pattern(words) == pattern
}

// unquote undoes regexp.QuoteMeta.
func unquote(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// otherNumber is the plural of an English-looking singular, or the other way
// round; "" for another word.
func otherNumber(w string) string {
	low := strings.ToLower(w)
	if len(low) < 3 || strings.Trim(low, "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	if one := prose.Singular(low); one != "" {
		return one
	}
	return plural(low)
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
