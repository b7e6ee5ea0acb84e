package route

import (
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

var (
	standing, iWish, mention, endsTopic = the("standing"), the("iWish"), the("mention"), the("endsTopic")
	regarding, orders, connects         = the("regarding"), the("orders"), the("connects")
	never, always, avoids, should       = the("never"), the("always"), the("avoids"), the("should")
	mapVerb, mapped, mapping, predicate = the("mapVerb"), the("mapped"), the("mapping"), the("predicate")
	alternative, formWord, leavesTopic  = the("alternative"), the("formWord"), the("leavesTopic")
)

// makesRule reads a standing wish about one tool and one topic as a guardrail
// (facts R-30): "Never show tables for stakeholder lists", "Always map approval
// processes", "Whenever I talk about onboarding, use a map". A wish without a
// topic is an opt-out, one that does not last is a request.
func (r *reading) makesRule(state ui.Router) (c controlMessage, ok bool) {
	if len(r.t.Toks) > maxOrder || r.find(standing, 0, len(r.t.Toks)) < 0 ||
		r.find(impersonates, 0, len(r.t.Toks)) >= 0 {
		return c, false
	}
	r.eachSentence(func(a, b int, mark byte) {
		if ok {
			return
		}
		s := r.begin(a, b)
		if mark == '?' && s <= r.skip(filler, a, b) {
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

// wish is a standing wish: its tool, and the tokens of its topic.
type wish struct {
	tool    tools
	against bool
	a, b    int
}

// standing reads the sentence [s,b) as a wish.
func (r *reading) standing(s, b int) (w wish, ok bool) {
	if r.class(s)&prose.Subject != 0 && !r.is(iWish, s) {
		return w, false // "we always map approval processes": a report
	}
	lasts := false
	from, to := s, b // the order
	if cond := r.find(mention, s, b); cond >= 0 {
		w.a, lasts = r.end(mention, cond, b), true
		w.b = w.a
		for w.b < b && !r.is(endsTopic, w.b) {
			w.b++
		}
		if cond > s {
			to = cond
		} else if from = w.b + 1; from >= b { // no comma: "when I mention X never open a map"
			for from = w.a + 1; from < b && !r.is(orders, from); from++ {
			}
			w.b = from
		}
	}
	from = r.skip(filler, from, to)
	if end := r.end(regarding, from, to); w.b == 0 && end >= 0 { // for X, always …
		w.a, w.b = end, end
		for w.b < to && r.t.Toks[w.b].Kind != prose.Comma && !r.is(orders, w.b) {
			w.b++
		}
		from = r.skip(filler, w.b, to)
	}
	at := -1
	for i := from; i < to; i++ {
		n, verb := r.toolNoun(i), r.is(mapVerb, i)
		switch {
		case n != 0 && at < 0 && !verb:
			w.tool, at = n, i
			continue
		case r.w(i) == "map" && at < 0, r.is(mapped, i):
			w.tool, at = processMap, i
			continue
		}
		never := r.is(never, i)
		lasts = lasts || never || r.is(always, i)
		if never || (at < 0 || w.b == 0 && i == from) && r.is(avoids, i) {
			w.against = true
		}
	}
	modal := r.at(should, from, to)
	if at < 0 || !lasts || !r.is(orders, from) && !modal {
		return w, false
	}
	if w.b == 0 {
		w.a, w.b = r.wished(from, to, at, modal)
	}
	return w, w.b > w.a
}

// wished returns the topic of an order [from,to) that names its tool at a token.
func (r *reading) wished(from, to, at int, modal bool) (a, b int) {
	switch next := at + 1; {
	case modal || r.is(mapped, at): // X should always be mapped
		b = from
		for b < at && !r.is(predicate, b) {
			b++
		}
		return from, b
	case r.is(connects, next):
		return next + 1, to
	case r.is(mapping, at): // always map X
		return next, to
	}
	return 0, 0
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
		case r.is(alternative, i):
			words = append(words, "|")
		case r.is(leavesTopic, i):
			return words
		case r.is(formWord, i):
		default:
			words = append(words, tok.Word)
		}
	}
	return words
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
