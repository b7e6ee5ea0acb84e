package prose

import (
	"slices"
	"strings"
)

// Flow reads a process out of sentences. It answers only where markers link
// clauses that act (facts R-47): "First of all", "next week", "before I
// forget", "after the merger" are no markers.
func (t *Text) Flow() Flow {
	f := t.linkedFlow()
	if f.Linked == 0 && !ascii(t.Src) {
		f = t.sequenceFlow()
	}
	return f
}

// linkedFlow is Flow for the languages with a Lexicon.
func (t *Text) linkedFlow() Flow {
	if t.CJK || t.other {
		return Flow{}
	}
	if !t.hasMark() {
		return Flow{}
	}
	f, marks := t.narrate()
	if marks > 0 && len(f.Edges) > 0 && t.credible(marks) {
		f.Linked = len(f.Steps)
	}
	return f
}

// Process reads a text that is known to be a process: it takes every step it can
// find, with markers or without.
func (t *Text) Process() Flow {
	if t.CJK {
		return t.sequenceFlow()
	}
	t.known = true
	f, marks := t.narrate()
	if marks == 0 || len(f.Edges) == 0 {
		if list := t.StepList(nil); list.Linked >= 2 {
			return list
		}
	}
	if len(f.Steps) < 2 && !ascii(t.Src) { // of a language without a Lexicon
		if more := t.sequenceFlow(); more.Linked >= 2 {
			return more
		}
	}
	f.forks()
	f.Linked = len(f.Steps)
	return f
}

// narrate reads the pieces of a text one after the other.
func (t *Text) narrate() (f Flow, marks int) {
	pieces := t.pieces()
	trigger := false // the first step is only what sets the process off
	for i := 0; i < len(pieces) && len(f.Steps) < maxSteps; i++ {
		p := pieces[i]
		if len(f.Steps) == 0 && p.link == LinkAfter && t.opensWith(p, "when", "whenever") {
			trigger = true
		}
		if t.statement(&f, pieces, i) {
			marks, i = marks+1, i+1
			continue
		}
		switch p.link {
		case LinkBefore, LinkAfter:
			marks++
			i = t.ordered(&f, pieces, i)
		case LinkPrior:
			marks++
			i = t.prior(&f, pieces, i)
		case LinkIf, LinkElse:
			i = t.branch(&f, pieces, i)
		case LinkNone:
			if t.known && t.remark(p) {
				continue
			}
			if i+1 < len(pieces) && t.opensWith(pieces[i+1], "until") {
				t.affirm(p)
			}
			if t.unmarkedStep(pieces, i, len(f.Steps) > 0) {
				t.thenSteps(&f, p, t.conditionInside(p), false)
			}
		case LinkWhile: // ties, but is no evidence: "he called while I approved it"
			i = t.aside(&f, pieces, i)
		default:
			if p.link == LinkFirst && marks == 0 { // what stood before "first" is an introduction
				f = Flow{}
			}
			marks++
			t.thenSteps(&f, p, t.conditionInside(p), true)
		}
	}
	if trigger && !t.known && len(f.Steps) > 2 { // where only the steps are counted it needs no row
		f.dropFirst()
	}
	return f, marks
}

// unmarkedStep reports that a piece without a marker is a step: it has an action and
// belongs to a piece with a marker.
func (t *Text) unmarkedStep(pieces []piece, i int, begun bool) bool {
	p := pieces[i]
	if t.known {
		return t.steps(p)
	}
	acts := t.acts(p.a, p.b)
	thens := 0
	for j := i + 1; j < len(pieces); j++ {
		switch link := pieces[j].link; {
		case link > LinkFirst && link < LinkIf:
			thens++
			if acts && thens == 1 && (j == i+1 || pieces[j].comma) {
				return true
			}
		case link == LinkNone && pieces[j].comma && thens == 0 && t.acts(pieces[j].a, pieces[j].b):
			continue
		case j == i+1:
			return acts && begun
		}
		if j > i+1 && thens == 0 {
			break
		}
	}
	leads := i+1 < len(pieces) && pieces[i+1].link > LinkFirst && pieces[i+1].link < LinkIf
	return acts && begun || leads && thens > 1 && pieces[i+1].comma
}

// remark reports a question, and words that only announce what follows: "How do
// we hire?", "Onboarding: …".
func (t *Text) remark(p piece) bool {
	end := p.b
	for end < len(t.Toks) && t.Toks[end].Kind != Stop && t.Toks[end].Kind != Colon && t.Toks[end].Kind != Comma &&
		t.Toks[end].Kind != Word {
		end++
	}
	return end < len(t.Toks) && (t.Toks[end].Mark == '?' || t.Toks[end].Kind == Colon)
}

// steps reports that a piece of a known process is a step: someone acts, or an
// order is given. What "this" or "it" does is a remark.
func (t *Text) steps(p piece) bool {
	if t.Lang != English {
		return t.foreignVerb(p.a, p.b) >= 0
	}
	v, ok := t.predicate(p.a, p.b)
	if !ok {
		return false
	}
	if t.Toks[v].Class&Verb == 0 && everyday[t.word(v)].comes && t.ownerless(p.a, v) {
		return v > p.a && t.class(p.a)&Subject == 0 && t.Toks[p.b-1].Class&Prep == 0 && t.word(p.a) != "here"
	}
	if t.passive(p.a, v) && t.past(v) {
		return true
	}
	switch t.word(p.a) {
	case "let", "let's":
		return false
	case "this", "that", "these", "those", "here", "there", "it":
		return t.word(p.a) == "it" && t.Src[t.Toks[p.a].Start:t.Toks[p.a].End] == "IT"
	}
	return true
}

func (t *Text) hasMark() bool {
	for i := range t.Toks {
		switch t.Toks[i].Word {
		case "step", "while", "followed", "parallel", "when", "soon":
			return true
		case "to":
			if t.word(i+1) == "start" {
				return true
			}
		}
		if t.Toks[i].Class&Mark != 0 {
			return true
		}
	}
	return false
}

// credible asks for evidence of steps: in English two markers or two clauses with a verb,
// in other languages three markers, or two and someone who acts.
func (t *Text) credible(marks int) bool {
	acting := 0
	for _, p := range t.pieces() {
		acts := t.predicateIn(p.a, p.b)
		if t.Lang != English {
			acts = t.foreignVerb(p.a, p.b) >= 0 || t.subject(p.a) || t.class(p.a+1)&Det != 0
		}
		if acts {
			acting++
		}
	}
	if t.Lang == English {
		return marks > 1 || acting > 1
	}
	return marks > 2 || marks == 2 && acting > 0
}

// thenSteps appends the steps of a piece: one for each of its clauses, or two
// for "legal and finance review in parallel". marked says that a marker opened
// the piece.
func (t *Text) thenSteps(f *Flow, p piece, conditional, marked bool) {
	if and := t.parallelSubjects(p); and > 0 {
		one, two := t.step(p.a, p.b), t.step(p.a, p.b)
		verb, _ := t.predicate(p.a, p.b)
		one.Owner, two.Owner = t.owner(p.a, and), t.owner(and+1, verb)
		f.then(one, conditional)
		f.beside(two)
		return
	}
	aside := t.simultaneous(p.a, p.b)
	var done []Step
	for k, c := range t.clauses(p) {
		s := t.step(c.a, c.b)
		switch {
		case c.subject >= 0 && s.Owner == "":
			s.Owner = done[c.subject].Owner
		case k == 0 && len(f.tails) == 1:
			t.carry(&s, c, f.Steps[f.tails[0]])
		}
		if k > 0 {
			t.carry(&s, c, done[k-1])
		}
		done = append(done, s)
		if k == 0 && !marked && s.Owner != "" && len(f.tails) > 0 {
			// said once more: "marketing must publish before …"
			if at := f.mention(s); at >= 0 && slices.Contains(f.tails, at) && !s.again {
				f.Taken = append(f.Taken, s.Raw)
				continue
			}
		}
		switch {
		case s.Name == "" || len(f.Steps) >= maxSteps:
		case k == 0:
			f.then(s, conditional)
		case aside:
			f.beside(s)
		default:
			f.then(s, false)
			if v, ok := t.predicate(c.a, c.b); ok && v > c.a && !marked && len(f.Edges) > 0 {
				f.Edges[len(f.Edges)-1].Doubt = MaybeAside
			}
		}
	}
}

// carry completes a clause that begins with its verb by the one before: "forwards
// it" gets the subject, "paid by treasury" the object.
func (t *Text) carry(s *Step, c clause, before Step) {
	v, ok := t.predicate(c.a, c.b)
	if t.Lang != English || !ok || v != c.a {
		return
	}
	switch {
	case t.past(v) && s.object == "" && before.object != "":
		s.object = before.object
		s.Name = strings.TrimSpace(s.Name + " " + s.object)
	case t.class(v)&VerbS != 0 || everyday[t.word(v)].form == VerbS:
		if s.Owner == "" {
			s.Owner = before.Owner
		}
	}
}

// aside reads "meanwhile X" and "while X, Y": X runs beside the current step, and
// so does Y. "In parallel, A does x and B does y" forks after it.
func (t *Text) aside(f *Flow, pieces []piece, i int) int {
	p := pieces[i]
	if cs := t.clauses(p); len(cs) > 1 {
		for k, c := range cs {
			if s := t.step(c.a, c.b); k == 0 {
				f.then(s, false)
			} else {
				f.beside(s)
			}
		}
		return i
	}
	s := t.step(p.a, p.b)
	follows := !p.comma && i+1 < len(pieces) && pieces[i+1].comma && pieces[i+1].link == LinkNone &&
		t.opensWith(p, "while", "whilst")
	if !follows {
		f.beside(s)
		return i
	}
	if f.mention(s) < 0 {
		f.then(s, false)
	}
	f.beside(t.step(pieces[i+1].a, pieces[i+1].b))
	return i + 1
}

// affirm takes the negation out of "is not paid | until …".
func (t *Text) affirm(p piece) {
	for i := p.a; i < p.b; i++ {
		if t.Toks[i].Class&Negation != 0 {
			t.Toks[i].Class, t.Toks[i].Word = Aux, ""
		}
	}
}

// opensWith reports the word right before a piece.
func (t *Text) opensWith(p piece, words ...string) bool {
	for _, w := range words {
		if p.a > 0 && t.word(p.a-1) == w {
			return true
		}
	}
	return false
}

// branch reads "if X, Y" and "otherwise Y": the edge to Y is conditional. Later
// steps follow the branches; where Y is an exception, also the step before them.
func (t *Text) branch(f *Flow, pieces []piece, i int) int {
	p, main := pieces[i], -1
	switch {
	case p.link == LinkElse:
		main = i
	case t.mainInside(&p):
		main, pieces[i] = i, p
	case i+1 < len(pieces) && (pieces[i+1].comma || pieces[i+1].link == LinkThen || t.Toks[p.b].Kind == Colon):
		main = i + 1
	default:
		return i
	}
	exception := t.find(pieces[i].a, pieces[i].b, negative) >= 0 || p.link == LinkElse
	m := pieces[main]
	if main > i && m.link > LinkThen && m.link != LinkElse { // "if it fails, once …"
		return i
	}
	before := f.tails
	other := p.link == LinkElse || t.alternative(f, pieces, i)
	if other && f.fork != nil {
		f.tails = f.fork
	}
	from := f.tails
	if p.link == LinkIf {
		f.fork = append([]int{}, from...)
	}
	// "wenn alles fertig ist": no more than "then"
	finished := t.Lang != English && t.find(p.a, p.b, finishedWords.has) >= 0
	t.thenSteps(f, m, len(from) > 0 && !finished, true)
	switch {
	case other && sameInts(f.tails, from): // "otherwise it goes back to the author"
		f.tails = before
	case other:
		f.tails = union(before, f.tails)
	case exception && len(from) > 0 && !sameInts(f.tails, from):
		f.detour = union(f.detour, f.tails)
		f.tails = union(from, f.tails)
	}
	return main
}

// alternative reports a condition that asks the same as the one before: "If it is
// clean, … | If it is dirty, …".
func (t *Text) alternative(f *Flow, pieces []piece, i int) bool {
	p := pieces[i]
	if v, ok := t.predicate(p.a, p.b); p.link != LinkIf || ok &&
		slices.ContainsFunc(f.tails, func(i int) bool { return f.Steps[i].base == t.baseOf(v) }) {
		return false // "… signs it | if it is signed": that step was taken
	}
	for k := i - 1; k >= max(0, i-2); k-- {
		q := pieces[k]
		if q.link != LinkIf {
			continue
		}
		same := 0
		for p.a+same < p.b && q.a+same < q.b && t.word(p.a+same) == t.word(q.a+same) {
			same++
		}
		last := t.class(p.a + same - 1)
		return same > 0 && (t.Lang == English && last&(Aux|Subject) != 0 || t.Lang != English && last&Det == 0)
	}
	return false
}

// mainInside cuts "if rejected the clerk revises it" after its condition and
// leaves the main clause in p.
func (t *Text) mainInside(p *piece) bool {
	if t.Lang != English || p.b-p.a < 3 {
		return false
	}
	if at := t.secondClause(*p); at > 0 { // "if it leaks we call the plumber"
		p.a = at
		return true
	}
	for end := p.a + 1; end < min(p.b-1, p.a+2); end++ {
		if t.Toks[end-1].Class&VerbPast != 0 || condition(t.word(end-1)) {
			if v, ok := t.predicate(end, p.b); ok && (v == end || t.subjectLike(end, v)) {
				p.a = end
				return true
			}
		}
	}
	return false
}

// find returns the first token of [a,b) whose word is one of a kind, or -1.
func (t *Text) find(a, b int, kind func(string) bool) int {
	for i := a; i < b; i++ {
		if kind(t.word(i)) {
			return i
		}
	}
	return -1
}

// ifWord reports the words that begin a condition inside of a clause.
func ifWord(w string) bool { return w == "if" || w == "unless" }

// conditionInside reports "… if they cannot fix it" at the end of a piece.
func (t *Text) conditionInside(p piece) bool { return t.find(p.a+1, p.b, ifWord) >= 0 }

// parallelSubjects finds the "and" in "A and B act in parallel" and "both A and
// B act", or 0.
func (t *Text) parallelSubjects(p piece) int {
	verb, ok := t.predicate(p.a, p.b)
	both := t.word(p.a) == "both"
	if t.Lang != English || !ok || !both && !t.simultaneous(verb, p.b) {
		return 0
	}
	for i := p.a + 1; i < verb-1; i++ {
		if t.word(i) == "and" {
			return i
		}
	}
	return 0
}

func (t *Text) simultaneous(a, b int) bool {
	for i := a; i < b; i++ {
		switch t.word(i) {
		case "simultaneously", "concurrently", "parallel":
			return true
		case "same":
			return t.word(i+1) == "time"
		}
	}
	return false
}

// ordered reads before and after: at the start of a sentence with the main
// clause after a comma, or after the main clause. It returns the last piece
// it used.
func (t *Text) ordered(f *Flow, pieces []piece, i int) int {
	p := pieces[i]
	if at := t.secondClause(p); !p.comma && at > 0 {
		pieces[i].b = at
		pieces = append(pieces[:i+1:i+1], append([]piece{{at, p.b, LinkNone, true}}, pieces[i+1:]...)...)
		return t.ordered(f, pieces, i) - 1 // one piece more than the caller knows
	}
	x := t.step(p.a, p.b)
	// "once approved,": nothing new
	if p.b-p.a == 1 && t.Toks[p.a].Class&VerbPast != 0 && len(f.Steps) > 0 && f.mention(x) < 0 {
		return i
	}
	if !p.comma && i+1 < len(pieces) && pieces[i+1].comma && pieces[i+1].link <= LinkThen {
		y := pieces[i+1]
		at := f.mention(x)
		switch {
		case p.link == LinkAfter && at >= 0: // said again: Y follows that step
			f.heads, f.tails = nil, []int{at}
			t.thenSteps(f, y, false, true)
		case p.link == LinkAfter:
			t.thenSteps(f, piece{a: p.a, b: p.b}, false, true)
			t.thenSteps(f, y, false, true)
		case at >= 0: // Y goes between that step and the one before it
			t.squeeze(f, t.step(y.a, y.b), at)
		default:
			t.thenSteps(f, y, false, true)
			f.then(x, false)
		}
		return i + 1
	}
	if i == 0 || len(f.Steps) == 0 {
		f.then(x, false)
		return i
	}
	last := f.tails[len(f.tails)-1]
	n := f.put(x)
	if p.link == LinkBefore { // M before X
		f.edge(Edge{From: last, To: n})
		f.heads, f.tails = []int{last}, []int{n}
		return i
	}
	if n == len(f.Steps)-1 && n > last { // M after X: X goes between M and what came before it
		for k := range f.Edges {
			if f.Edges[k].To == last {
				f.Edges[k].To = n
			}
		}
	} else { // X was there: M follows it alone
		for k := len(f.Edges) - 1; k >= 0; k-- {
			if f.Edges[k].To == last && f.Edges[k].From != n {
				f.Edges = append(f.Edges[:k], f.Edges[k+1:]...)
			}
		}
	}
	f.edge(Edge{From: n, To: last})
	f.heads = []int{n}
	return i
}

// secondClause finds where a second clause begins without a comma: "when a claim
// comes in | the adjuster inspects it". 0 = nowhere.
func (t *Text) secondClause(p piece) int {
	v, ok := t.predicate(p.a, p.b)
	if t.Lang != English || !ok {
		return 0
	}
	for i := p.a + 1; i < min(p.b-1, v+8); i++ {
		switch t.word(i) {
		case "we", "they", "he", "she": // "once we get the pledge | we book it"
			if t.endsClause(p.a, i) && t.predicateIn(i, p.b) && t.Toks[i-1].Class&(Subject|Aux) == 0 {
				return i
			}
			return 0
		}
	}
	if at := slices.IndexFunc(t.Toks[p.a:v], func(k Token) bool { return k.Class&Aux != 0 }); at > 0 {
		v = p.a + at // "the form is wrong | the manager returns it"
	} else if !everyday[t.word(v)].comes && !(t.past(v) && t.passive(p.a, v)) {
		return 0
	}
	for i := v + 1; i < min(p.b-1, v+6); i++ {
		before := t.class(i - 1)
		if c := t.class(i); (c&(Det|Role) != 0 || t.Toks[i].Upper) && before&(Aux|Prep|Det) == 0 {
			if w, ok := t.predicate(i, p.b); ok && w > i && t.subjectLike(i, w) {
				return i
			}
			return 0
		}
	}
	return 0
}

// endsClause reports that a clause may end at b: it has a verb, or what looks like one.
func (t *Text) endsClause(a, b int) bool {
	return t.predicateIn(a, b) || b-a > 1 && (strings.HasSuffix(t.word(b-1), "s") ||
		slices.ContainsFunc(t.Toks[a:b], func(k Token) bool { return k.Class&(Aux|VerbPast) != 0 }))
}

// statement reads "training happens before certification", which says nothing
// of what comes before and after the two.
func (t *Text) statement(f *Flow, pieces []piece, i int) bool {
	if i+1 >= len(pieces) || pieces[i].link > LinkThen || !pieces[i+1].comma {
		return false
	}
	p, q := pieces[i], pieces[i+1]
	if q.link != LinkBefore && q.link != LinkAfter || t.Lang != English ||
		t.nominalEnd(p.a, p.b) <= p.a && !t.opensWith(q, "precedes", "precede", "follows", "on") {
		return false
	}
	m, x := f.put(t.step(p.a, p.b)), f.put(t.step(q.a, q.b))
	if p.link != LinkNone {
		for _, from := range f.tails {
			f.edge(Edge{From: from, To: m})
		}
	}
	if q.link == LinkAfter {
		m, x = x, m
	}
	f.edge(Edge{From: m, To: x})
	f.heads, f.tails = []int{m}, []int{x}
	return true
}

// prior reads "before that, Y": Y goes before the last step.
func (t *Text) prior(f *Flow, pieces []piece, i int) int {
	p := pieces[i]
	if p.b <= p.a && i+1 < len(pieces) {
		i++
		p = pieces[i]
	}
	s := t.step(p.a, p.b)
	if len(f.tails) == 0 {
		f.then(s, false)
		return i
	}
	t.squeeze(f, s, f.tails[len(f.tails)-1])
	return i
}

// squeeze puts a step between one that is there and what that follows.
func (t *Text) squeeze(f *Flow, s Step, at int) {
	n := f.put(s)
	for k := range f.Edges {
		if f.Edges[k].To == at && f.Edges[k].From != n {
			f.Edges[k].To = n
		}
	}
	f.edge(Edge{From: n, To: at})
}
