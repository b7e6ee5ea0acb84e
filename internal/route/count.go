package route

import (
	"strings"

	"github.com/limn-ui/limn/internal/prose"
)

var (
	tells, lasts, happened  = the("tells"), the("lasts"), the("happened")
	told, part, tasksAbroad = the("told"), the("part"), the("tasksAbroad")
	has, passed, breaks     = the("has"), the("passed"), the("breaks")
	possesses, me, held     = the("possesses"), the("me"), the("held")
)

// nearby is how many tokens around one are looked at, so that reading stays linear.
const nearby = 60

// listSize: a count of three or more bound to what is collected.
func (r *reading) listSize(c *candidate) bool {
	var best *prose.Quantity
	for i := range r.qs {
		q := &r.qs[i]
		// "We have 6, I'll enter …", "11 classes a week, let me put in …"
		have := (q.Use == prose.Bare && r.is(held, q.Start-1) || q.Use == prose.Rate && q.Noun >= 0) && r.entersItems()
		if q.Use != prose.Count && !have || q.Hi < 3 || r.denies(q.Start, false) && q.Noun >= 0 {
			continue
		}
		if q.Noun >= 0 && !r.collected(q) || r.narrated(q) || r.background(q) || r.inPassing(q) {
			continue
		}
		if best == nil || best.Noun >= 0 && r.class(best.Noun)&prose.Item == 0 && q.Noun >= 0 &&
			r.class(q.Noun)&prose.Item != 0 {
			best = q
		}
	}
	if best == nil || (r.t.CJK || r.t.Unlisted()) && r.t.Recounts() && !r.holds("enters") {
		return false
	}
	c.tool, c.n, c.noun, c.approx, c.upTo = table, best.Lo, best.Noun, best.Approx, best.UpTo
	if r.is(steps, best.Noun) {
		c.tool = processMap
	}
	return true
}

// narrated reports a number that only tells what happened: "I ran 5 tests",
// "we had 3 meetings". Core nouns count all the same.
func (r *reading) narrated(q *prose.Quantity) bool {
	if q.Noun >= 0 && r.class(q.Noun)&prose.Core != 0 || r.entersItems() {
		return false
	}
	verb, w := q.Start-1, r.w(q.Start-1)
	unknown := q.Noun >= 0 && r.class(q.Noun)&prose.Item == 0
	// "she baked 12 muffins"; "we identified 9 bottlenecks" is a verb of work
	past := w == "had" || len(w) > 4 && strings.HasSuffix(w, "ed") && r.class(verb)&prose.Verb == 0
	past = past || verb > 0 && r.class(verb-1)&prose.Subject == 0 && r.w(verb) != "got" && r.t.Past(verb)
	if r.is(part, verb) {
		return true
	}
	past = past || r.is(told, verb-1) && r.t.Past(verb-1)
	if w := r.w(q.Start - 2); r.w(q.Start-1) == "than" && (w == "less" || w == "fewer") {
		return true // "a file has less than 24 values"
	}
	return unknown && (past || r.is(tells, verb)) || r.is(lasts, verb) || r.is(happened, verb)
}

// inPassing reports a count that no one has or does anything with in the present: "the
// alarm went off and 200 people stood outside", "since I updated 5 plugins".
func (r *reading) inPassing(q *prose.Quantity) bool {
	known := q.Noun >= 0 && r.class(q.Noun)&prose.Item != 0
	if r.foreign() || r.t.CJK || r.t.Unlisted() || known && r.class(q.Noun)&prose.Core != 0 || r.entersItems() {
		return false
	}
	past := func(i int) bool { // of an everyday verb, or one in no list
		return r.t.Past(i) && r.class(i)&prose.VerbPast == 0 || r.class(i) == 0 && strings.HasSuffix(r.w(i), "ed")
	}
	if q.Noun >= 0 && past(q.Noun+1) && r.is(me, q.Noun+2) { // three patients asked me
		return true
	}
	for i := q.Start - 1; i >= max(0, q.Start-nearby); i-- {
		switch kind := r.t.Toks[i].Kind; {
		case r.w(i) == "has" && (!known || r.class(i-1)&prose.Everyday != 0): // our neighbour has 7 bikes
			return r.class(i-1)&prose.Everyday != 0 || r.find(possesses, max(0, i-6), min(len(r.ids), q.End+20)) < 0
		case kind == prose.Stop, kind == prose.Colon, kind == prose.Dash, r.is(has, i):
			return false
		case r.is(passed, i):
			return true
		case past(i) && r.class(i-1)&prose.Aux == 0: // the audit turned up 7 findings
			return !known || i < q.Start-2 || r.class(q.Start-1)&prose.Prep != 0
		case r.is(breaks, i):
			start := i
			for start > 0 && i-start < 5 && r.t.Toks[start-1].Kind != prose.Stop {
				start--
			}
			return i-start > 3 // "This semester, fourteen tutors …" begins with it
		}
	}
	return false
}

// background reports a count that a question follows: "I have 26 pupils and two of them
// fight. What would you try?".
func (r *reading) background(q *prose.Quantity) bool {
	return r.wonders && (q.Noun < 0 || r.class(q.Noun)&prose.Core == 0) && !r.entersItems()
}

// collected reports that a counted noun is one a list is made of: any but the
// nouns of everyday stories, unless the user asks to enter those.
func (r *reading) collected(q *prose.Quantity) bool {
	if q.Noun < 0 || r.class(q.Noun)&(prose.Item|prose.Everyday) != prose.Everyday {
		return true
	}
	task := r.w(q.Noun+1) == "to" && r.class(q.Noun+2)&prose.VerbBase != 0 || // 80 apple trees to label
		r.foreign() && r.is(tasksAbroad, q.Noun+1)
	return task || r.entersItems()
}

// entersItems reports that the user says what is to happen with their items.
func (r *reading) entersItems() bool {
	if r.enters == 0 {
		if r.enters = 1; r.find(entersItems, 0, len(r.t.Toks)) >= 0 {
			r.enters = 2
		}
	}
	return r.enters == 2
}

// small reports a count of one or two bound to a known noun.
func (r *reading) small() bool {
	for _, q := range r.qs {
		if q.Use == prose.Count && q.Hi < 3 && q.Noun >= 0 && r.class(q.Noun)&prose.Item != 0 {
			return true
		}
	}
	for i := range r.t.Toks { // "one issue", "both risks": the noun may be singular
		if n := r.t.Toks[i]; n.Class&prose.NumWord != 0 && n.Num <= 2 && r.class(i+1)&prose.Item != 0 {
			return true
		}
	}
	return false
}
