package route

import (
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// makesRule reads a standing wish about one tool and one topic as a guardrail
// (facts R-30): "Never show tables for stakeholder lists", "Always map approval
// processes", "Whenever I talk about onboarding, use a map". A wish without a
// topic is an opt-out, one that does not last is a request.
func (r *reading) makesRule(state ui.Router) (c controlMessage, ok bool) {
	if len(r.t.Toks) > maxOrder || !r.lasting() || r.impersonates() {
		return c, false
	}
	r.eachSentence(func(a, b int, mark byte) {
		if ok {
			return
		}
		s := r.skipPolite(r.skipFillers(a, b), b)
		if mark == '?' && s <= r.skipFillers(a, b) {
			return
		}
		w, found := r.standing(s, b)
		if !found {
			return
		}
		topic := r.topic(w.a, w.b)
		pattern := topicPattern(topic)
		if pattern == "" {
			return
		}
		action := ForceTool
		if w.against {
			action = SuppressTool
		}
		rule := &ui.Guardrail{Pattern: pattern, Action: action, Tool: w.tool.name(), Enabled: true}
		if CheckGuardrail(*rule, 0) != nil {
			return
		}
		ok, c = true, controlMessage{kind: ControlRule, tool: rule.Tool, rule: rule,
			topic: excerpt.Head(strings.ReplaceAll(strings.Join(topic, " "), "|", "or"), 80), a: a, b: b}
		if len(state.Guardrails) >= MaxGuardrails {
			c = controlMessage{kind: ControlRuleFull, a: a, b: b}
		}
	})
	return c, ok
}

// lasting finds a word without which no wish is a standing one, so that other
// messages cost one pass.
func (r *reading) lasting() bool {
	for i := range r.t.Toks {
		if r.class(i)&(prose.Never|prose.Always) != 0 {
			return true
		}
		switch r.w(i) {
		case "never", "always", "ever", "whenever", "every", "each", "anytime", "everytime", "any", "when", "if",
			"stop", "future", "now", "more", "anymore", "once":
			return true
		}
	}
	return false
}

// wish is a standing wish: its tool, and the tokens of its topic.
type wish struct {
	tool    tools
	against bool
	a, b    int
}

// standing reads the sentence [s,b) as a wish.
func (r *reading) standing(s, b int) (w wish, ok bool) {
	if r.class(s)&prose.Subject != 0 && !(r.w(s) == "i" && r.wishes(s, b)) {
		return w, false // "we always map approval processes": a report
	}
	lasting := false
	from, to := s, b // the order
	if cond, topic := r.mention(s, b); cond >= 0 {
		end := topic
		for end < b && r.t.Toks[end].Kind != prose.Comma && r.t.Toks[end].Kind != prose.Colon && r.w(end) != "then" {
			end++
		}
		w.a, w.b, lasting = topic, end, true
		if cond > s {
			to = cond
		} else if from = end + 1; from >= b { // no comma: "when I mention X never open a map"
			for from = topic + 1; from < b && !r.orders(from); from++ {
			}
			w.b = from
		}
	}
	from = r.skipFillers(from, to)
	// for X, always …
	if w.b == 0 && (r.w(from) == "for" || r.is(from, "with") || r.w(from) == "regarding" ||
		r.is(from, "when", "it", "comes", "to")) {
		w.a = from + 1
		if r.w(from) == "when" {
			w.a = from + 4
		}
		w.b = w.a
		for w.b < to && r.t.Toks[w.b].Kind != prose.Comma && !r.orders(w.b) {
			w.b++
		}
		from = r.skipFillers(w.b, to)
	}
	tool := -1
	for i := from; i < to; i++ {
		c := r.class(i)
		n := r.toolNoun(i)
		switch word := r.w(i); {
		case n != 0 && tool < 0 && !(word == "map" && r.mapVerb(i)):
			w.tool, tool = n, i
			continue
		case word == "map" && tool < 0, word == "mapped":
			w.tool, tool = processMap, i
			continue
		case word == "always" || word == "whenever" || word == "every" || c&prose.Always != 0 || word == "future" ||
			word == "anymore":
			lasting = true
		case word == "never" || word == "ever" || c&prose.Never != 0:
			lasting, w.against = true, w.against || word != "ever"
		case word == "stop":
			lasting, w.against = true, true
		case word == "now":
			lasting = lasting || r.is(i-1, "from", "now", "on")
		case word == "more":
			lasting = lasting || r.w(i-1) == "no"
		}
		if tool < 0 || w.b == 0 && i == from {
			w.against = w.against || c&prose.Negation != 0 || r.w(i) == "avoid" || r.w(i) == "skip"
		}
	}
	if tool < 0 || !lasting || !r.orders(from) && !r.modal(from, to) {
		return w, false
	}
	if w.b == 0 {
		switch next := tool + 1; {
		case r.w(tool) == "mapped" || r.modal(from, to): // X should always be mapped
			w.a, w.b = from, from
			for w.b < tool && r.class(w.b)&(prose.Aux|prose.Never) == 0 && r.w(w.b) != "always" && r.w(w.b) != "never" {
				w.b++
			}
		case r.connects(next):
			w.a, w.b = next+1, to
		case r.w(tool) == "map" || r.w(tool) == "maps": // always map X
			w.a, w.b = next, to
		}
	}
	return w, w.b > w.a
}

// mapVerb: "map" with its object behind it: always map approval processes.
func (r *reading) mapVerb(i int) bool {
	return r.class(i-1)&prose.Det == 0 && r.w(i-1) != "process" && !r.connects(i+1) && i+1 < len(r.t.Toks) &&
		r.t.Toks[i+1].Kind == prose.Word
}

func (r *reading) connects(i int) bool {
	switch r.w(i) {
	case "for", "about", "on", "with", "regarding", "concerning", "around", "of", "für", "über", "para", "sobre",
		"pour", "sur", "per", "su", "voor", "over", "bei":
		return true
	}
	return false
}

// orders reports that token i can begin an order about a tool.
func (r *reading) orders(i int) bool {
	if r.class(i)&(prose.Never|prose.Always|prose.Shows) != 0 {
		return true
	}
	switch r.w(i) {
	case "never", "always", "don't", "dont", "do", "not", "no", "stop", "map", "i", "please", "you", "avoid", "skip",
		"just", "get", "go", "take", "from", "in", "keep":
		return true
	}
	return r.class(i)&prose.Negation != 0
}

// wishes: I never want …, I always want …, I want … whenever.
func (r *reading) wishes(s, b int) bool {
	for i := s + 1; i < min(b, s+4); i++ {
		if r.wants(i) || r.is(i, "would", "like") || r.w(i) == "prefer" {
			return true
		}
	}
	return false
}

// modal: approval processes should always be mapped.
func (r *reading) modal(from, to int) bool {
	if r.class(from)&(prose.Subject|prose.Aux) != 0 {
		return false
	}
	for i := from + 1; i < min(to, from+6); i++ {
		switch r.w(i) {
		case "should", "must", "shall", "need":
			return true
		}
	}
	return false
}

// mention finds "when I mention", "whenever I talk about", "every time we
// discuss" and returns its first token and the first one of the topic, or -1.
func (r *reading) mention(s, b int) (cond, topic int) {
	for i := s; i < b; i++ {
		j := i + 1
		switch r.w(i) {
		case "when", "whenever", "if", "once", "anytime", "everytime":
		case "every", "each", "any":
			if r.w(j) != "time" {
				continue
			}
			j++
		default:
			continue
		}
		if r.is(j, "it", "comes", "to") {
			return i, j + 3
		}
		if r.is(j, "it's", "about") {
			return i, j + 2
		}
		if r.class(j)&prose.Subject == 0 && r.w(j) != "i'm" && r.w(j) != "we're" {
			continue
		}
		switch r.w(j + 1) {
		case "mention", "mentions", "discuss", "say", "describe", "mentioning", "discussing", "describing", "name",
			"raise":
			return i, j + 2
		case "talk", "speak", "write", "ask", "tell", "talking", "speaking", "writing", "asking", "is", "chat", "type":
			if k := j + 2; r.w(k) == "about" || r.w(k) == "of" {
				return i, k + 1
			}
			if r.is(j+2, "you", "about") {
				return i, j + 4
			}
		case "bring":
			if r.w(j+2) == "up" {
				return i, j + 3
			}
		case "refer":
			return i, j + 3
		case "come":
			if r.is(j+2, "up", "with") {
				return i, j + 4
			}
		}
	}
	return -1, 0
}

// topic returns the words a message about the topic would hold, lower case:
// without articles, and without "list of" and "data", which name its form.
func (r *reading) topic(a, b int) (words []string) {
	for i := a; i < b && len(words) < 6; i++ {
		tok := r.t.Toks[i]
		switch {
		case tok.Kind == prose.Masked:
			words = append(words, strings.Fields(
				strings.ToLower(strings.Trim(r.t.Src[tok.Start:tok.End], "\"“”„«»「」『』` ")))...)
		case tok.Kind == prose.Comma || tok.Kind == prose.Stop:
			return words
		case tok.Kind != prose.Word:
		case r.w(i) == "and" || r.w(i) == "or" || r.w(i) == "und" || r.w(i) == "oder" || r.w(i) == "y" ||
			r.w(i) == "o" || r.w(i) == "et" || r.w(i) == "ou":
			words = append(words, "|")
		case r.w(i) == "please" || r.w(i) == "ever" || r.w(i) == "again" || r.w(i) == "anymore" ||
			r.w(i) == "from" && r.w(i+1) == "now" || r.w(i) == "in" || r.w(i) == "with" || r.w(i) == "as":
			return words
		case tok.Class&(prose.Det|prose.Subject) != 0 || tok.Class&(prose.Function|prose.Vague) != 0 ||
			formWord(tok.Word):
		default:
			words = append(words, tok.Word)
		}
	}
	return words
}

// formWord reports words for the form a topic comes in, and those too general
// to be a topic.
func formWord(w string) bool {
	switch w {
	case "list", "lists", "listing", "listings", "data", "stuff", "thing", "things", "anything", "something",
		"everything", "related", "topic", "topics",
		"any", "word", "words", "kind", "kinds", "sort", "type", "types", "me", "myself", "today", "entries", "table",
		"tables", "map", "maps", "liste", "listen", "listas", "lista", "listes":
		return true
	}
	return false
}

// topicPattern is the Pattern of a topic, "" for none; "|" parts alternatives.
func topicPattern(words []string) string {
	var patterns []string
	for part := range strings.SplitSeq(strings.Join(words, " "), "|") {
		if p := Pattern(part); p != "" {
			patterns = append(patterns, p)
		}
	}
	return strings.Join(patterns, "|")
}
