package route

import (
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

var hesitates, yes, no = the("hesitates"), the("yes"), the("no")

// answer reads the reply to the pending question. A count or a yes is a
// candidate; a clear no, a small count or a vague one is a verdict for chat.
func (r *reading) answer(p *ui.Pending) (candidate, string) {
	c := candidate{tool: toolSet(p.Tool), noun: -1, subject: p.Subject}
	switch c.tool {
	case processMap:
		switch {
		case r.says(no):
			return candidate{}, "pending.no"
		case r.says(yes):
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
			c.rule, c.confidence, c.n, c.approx, c.upTo = "pending.count", 0.88, q.Lo, q.Approx, q.UpTo
			if c.noun = q.Noun; c.noun >= 0 && r.class(c.noun)&prose.Item != 0 {
				c.subject = ""
			}
			return c, ""
		}
		if r.says(no) {
			return candidate{}, "pending.no"
		}
	}
	return candidate{}, ""
}

// says reports a message that begins with yes or no in one of its forms. "Yes
// and no" is neither.
func (r *reading) says(what *rule) bool {
	n := len(r.t.Toks)
	if first := r.skip(hesitates, 0, n); r.is(what, first) {
		return true
	}
	if what == no {
		return r.starts("no")
	}
	return !r.starts("no") && r.starts("yes")
}
