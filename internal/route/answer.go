package route

import (
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// answer reads the reply to the pending question. A count or a yes is a
// candidate; a clear no, a small count or a vague one is a verdict for chat.
func (r *reading) answer(p *ui.Pending) (candidate, string) {
	c := candidate{tool: toolSet(p.Tool), noun: -1, subject: p.Subject}
	switch c.tool {
	case processMap:
		switch {
		case r.says("no"):
			return candidate{}, "pending.no"
		case r.says("yes"):
			c.rule, c.confidence = "pending.yes", 0.90
			if probe := (candidate{noun: -1}); r.workflow(&probe) {
				c.n, c.flow = probe.n, probe.flow
			}
			return c, ""
		}
	case table:
		for _, q := range r.qs {
			if q.Use != prose.Bare && q.Use != prose.Count || r.denies(q.Start, false) ||
				len(r.t.Toks) > 14 && q.Use == prose.Bare {
				continue
			}
			if q.Hi < 3 {
				return candidate{}, "chat.small_count"
			}
			if q.Use == prose.Count && !r.collected(&q) {
				continue
			}
			c.rule, c.confidence, c.n, c.approx, c.upTo = "pending.count", 0.88, q.Lo, q.Approx, q.UpTo
			if c.noun = q.Noun; c.noun >= 0 && r.class(c.noun)&prose.Item != 0 {
				c.subject = ""
			}
			return c, ""
		}
		if r.says("no") {
			return candidate{}, "pending.no"
		}
	}
	return candidate{}, ""
}

// says reports a message that begins with yes or no in one of its forms. "Yes
// and no" is neither.
func (r *reading) says(what string) bool {
	first := 0
	for first < len(r.t.Toks) && (r.w(first) == "well" || r.w(first) == "oh" || r.w(first) == "um" ||
		r.w(first) == "hmm" || r.w(first) == "right" || r.w(first) == "and" || r.t.Toks[first].Kind == prose.Comma) {
		first++
	}
	c := r.class(first)
	if r.is(first, "yes", "and", "no") || r.is(first, "jein") {
		return false
	}
	no := c&prose.No != 0 && !r.is(first, "no", "problem") || r.is(first, "maybe", "later") ||
		r.is(first, "i'd", "rather", "not") || r.is(first, "maybe", "another") || r.is(first, "not", "now") ||
		r.is(first, "let's", "not") || r.is(first, "i", "don't") || r.starts("不", "いいえ", "いや", "아니", "नहीं", "لا")
	if what == "no" {
		return no && c&prose.Yes == 0
	}
	if no && c&prose.Yes == 0 {
		return false
	}
	switch r.w(first) {
	case "that", "it":
		return r.is(first+1, "would", "be", "great") || r.is(first+1, "would", "be", "good") ||
			r.is(first+1, "would", "help") || r.is(first+1, "would", "be", "nice") ||
			r.is(first+1, "would", "be", "helpful") || r.is(first+1, "sounds", "good") || r.is(first+1, "works")
	case "let's", "lets":
		return r.w(first+1) == "do" || r.w(first+1) == "go" || r.w(first+1) == "map" || r.w(first+1) == "start"
	case "i'd":
		return r.is(first+1, "love", "to") || r.is(first+1, "like", "that") || r.is(first+1, "like", "to") ||
			r.is(first+1, "love", "that")
	case "sounds":
		return r.w(first+1) == "good" || r.w(first+1) == "great" || r.w(first+1) == "fine"
	case "why":
		return r.w(first+1) == "not"
	case "of":
		return r.w(first+1) == "course"
	case "i":
		return r.w(first+1) == "do" || r.w(first+1) == "would"
	case "do":
		return r.w(first+1) == "it" || r.w(first+1) == "that"
	}
	return c&prose.Yes != 0 || r.starts("はい", "お願い", "好", "是", "可以", "行", "네", "예", "हाँ", "हां", "जी", "نعم", "да")
}
