package route

import (
	"iter"

	"github.com/limn-ui/limn/internal/prose"
)

// number gives each word that the rules of a book know its number, and notes which
// of them the text has.
func (r *reading) number(book *rulebook) {
	r.ids = r.few[:0]
	if len(r.t.Toks) > len(r.few) {
		r.ids = make([]uint16, 0, len(r.t.Toks))
	}
	for i := range r.t.Toks {
		tok := &r.t.Toks[i]
		id := book.number(tok.Word)
		if id != 0 {
			r.held.ids[id>>6] |= 1 << (id & 63)
		}
		r.held.class |= tok.Class
		r.held.kinds |= 1 << tok.Kind
		r.ids = append(r.ids, id)
	}
}

// may reports that the text holds a token of the set; muted ones count too.
func (r *reading) may(s *set) bool {
	if s == nil || s.class&r.held.class != 0 || s.kinds&r.held.kinds != 0 || s.marks != "" || len(s.all) > 0 {
		return true
	}
	for i, ids := range s.ids {
		if ids&r.held.ids[i] != 0 {
			return true
		}
	}
	return false
}

// mute takes tokens out: no rule matches them.
func (r *reading) mute(a, b int) {
	r.t.Mute(a, b)
	r.top = ""
	clear(r.ids[a:b])
}

// in reports that token i is in the set; no token outside the text is.
func (r *reading) in(s *set, i int) bool {
	if uint(i) >= uint(len(r.ids)) {
		return false
	}
	tok := &r.t.Toks[i]
	if tok.Class&s.class != 0 || s.kinds>>tok.Kind&1 != 0 {
		return true
	}
	if id := r.ids[i]; id != 0 && s.ids[id>>6]>>(id&63)&1 != 0 {
		return true
	}
	for _, all := range s.all {
		if tok.Class&all == all {
			return true
		}
	}
	for k := range len(s.marks) {
		if tok.Mark == s.marks[k] {
			return true
		}
	}
	return false
}

// at reports that the rule matches at token i of a range that ends before b.
func (r *reading) at(p *rule, i, b int) bool { return r.end(p, i, b) >= 0 }

// find returns the first token of [a,b) at which the rule matches, or -1.
func (r *reading) find(p *rule, a, b int) int {
	if !r.may(p.first) {
		return -1
	}
	for i := a; i < b; i++ {
		if r.at(p, i, b) {
			return i
		}
	}
	return -1
}

// said is find in the whole text, without denied matches.
func (r *reading) said(p *rule, request bool) int {
	n := len(r.ids)
	i := r.find(p, 0, n)
	for i >= 0 && r.denies(i, request) {
		i = r.find(p, i+1, n)
	}
	return i
}

// is reports that the rule matches token i, wherever the text ends.
func (r *reading) is(p *rule, i int) bool { return r.end(p, i, len(r.ids)) >= 0 }

// end returns the token after a match of the rule at i, or -1.
func (r *reading) end(p *rule, i, b int) int {
	if p.first != nil && !r.in(p.first, i) {
		return -1
	}
	for k := range p.patterns {
		pattern := &p.patterns[k]
		if end := r.match(pattern.elems, i, b); end >= 0 {
			if pattern.except {
				return -1
			}
			return end
		}
	}
	return -1
}

// ends yields the tokens after each pattern of the rule that matches at i.
func (r *reading) ends(p *rule, i, b int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if p.first != nil && !r.in(p.first, i) {
			return
		}
		for k := range p.patterns {
			pattern := &p.patterns[k]
			if end := r.match(pattern.elems, i, b); end >= 0 && (pattern.except || !yield(end)) {
				return
			}
		}
	}
}

// match returns the token after a match of the elements at i, or -1.
func (r *reading) match(elems []elem, i, b int) int {
	for k := range elems {
		e, ok := &elems[k], true
		switch e.op {
		case opToken:
			ok = r.in(e.set, i)
			i++
		case opLook:
			ok = (e.rule == nil && r.in(e.set, i) || e.rule != nil && r.at(e.rule, i, b)) != e.not
		case opBehind:
			ok = r.behind(e, i) != e.not
		case opGap:
			if e.to == prose.MaxRead && k+1 < len(elems) && elems[k+1].op == opToken && !r.may(elems[k+1].set) {
				return -1
			}
			return r.gap(elems[k+1:], i, b, e.to)
		case opSeek:
			for i < b && !r.in(e.set, i) {
				i++
			}
			ok = i < b
		case opCall:
			i = r.end(e.rule, i, b)
			ok = i >= 0
		case opAtLeast:
			ok = b-i >= e.to
		case opAtMost:
			ok = b-i <= e.to
		case opAsked:
			ok = b < len(r.ids) && r.t.Toks[b].Mark == '?'
		case opStart:
			ok = i == 0
		case opEnd:
			ok = i == b
		}
		if !ok {
			return -1
		}
	}
	return i
}

func (r *reading) behind(e *elem, i int) bool {
	for d := e.from; d <= e.to; d++ {
		if r.in(e.set, i-d) {
			return true
		}
	}
	return false
}

// gap matches the elements after up to most tokens of which none is a stop.
func (r *reading) gap(elems []elem, i, b, most int) int {
	for last := i + most; ; i++ {
		if len(elems) == 0 || elems[0].op != opToken || r.in(elems[0].set, i) {
			if end := r.match(elems, i, b); end >= 0 {
				return end
			}
		}
		if i >= last || i >= b || r.t.Toks[i].Kind == prose.Stop && r.t.Toks[i].Mark != ';' {
			return -1
		}
	}
}
