package route

import (
	"github.com/limn-ui/limn/internal/prose"
)

var held = the("held")

// nearby is how many tokens around one are looked at, so that reading stays linear.
const nearby = 60

// listSize: a count of three or more things that are collected.
func (r *reading) listSize(c *candidate) bool {
	var best *prose.Quantity
	for i := range r.qs {
		q := &r.qs[i]
		// "We have 6, I'll enter …", "11 classes a week, let me put in …"
		have := (q.Use == prose.Bare && r.is(held, q.Start-1) || q.Use == prose.Rate && q.Noun >= 0) && r.entersItems()
		if q.Use != prose.Count && !have || q.Hi < 3 || r.denies(q.Start, false) && q.Noun >= 0 {
			continue
		}
		if best == nil || best.Noun >= 0 && r.class(best.Noun)&prose.Item == 0 && q.Noun >= 0 &&
			r.class(q.Noun)&prose.Item != 0 {
			best = q
		}
	}
	if best == nil {
		return false
	}
	switch k := r.class(best.Noun); {
	case k&prose.Core != 0 || r.entersItems():
		c.trust = trustForm
	case k&prose.Item != 0 && len(r.t.Toks) <= 6: // we have 14 vans
		c.trust = 2 * trustForm
	case k&prose.Item != 0:
		c.trust = trustNoun
	}
	c.tool, c.n, c.noun, c.approx, c.upTo = table, best.Lo, best.Noun, best.Approx, best.UpTo
	if best.Noun >= 0 && len(r.prefs.Nouns) > 0 {
		if noun, _ := r.noun(c); has(r.prefs.Nouns, noun) {
			c.trust = 2 * trustForm // the app has a table for these
		}
	}
	if r.is(steps, best.Noun) {
		c.tool = processMap
	}
	return true
}

// entersItems reports that the user asks to enter their items.
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
