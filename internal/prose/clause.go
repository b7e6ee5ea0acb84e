package prose

import (
	"slices"
	"strings"
)

// piece is a run of tokens between breaks, with the marker that opened it.
type piece struct {
	a, b  int
	link  Link
	comma bool // opened by a comma, not by a stop
}

// pieces cuts a text at stops, commas and markers, then puts back together what
// commas alone should not part.
func (t *Text) pieces() []piece {
	var out []piece
	start, link, comma := 0, LinkNone, false
	closePiece := func(end int) {
		for end > start && t.trails(end-1) {
			end--
		}
		switch {
		case end <= start:
		case comma && link == LinkNone && len(out) > 0 && !t.standsAlone(out[len(out)-1], start, end):
			out[len(out)-1].b = end // "the buyer, a manager, raises it": not a clause by itself
		default:
			// "takes a sample first, then …"
			if link == LinkNone && end-start > 2 && t.word(end-1) == "first" && t.class(start)&Subject == 0 {
				link = LinkFirst
			}
			out = append(out, piece{start, end, link, comma})
		}
	}
	for i := 0; i < len(t.Toks); {
		tok := &t.Toks[i]
		if tok.Kind == Stop || tok.Kind == Comma || tok.Kind == Colon {
			closePiece(i)
			i++
			start, link, comma = i, LinkNone, tok.Kind == Comma
			continue
		}
		m, n := t.marker(i, start)
		if m == LinkNone {
			i++
			continue
		}
		mid := i > start && !t.onlyJoiners(start, i)
		if mid && m == LinkThen && link == LinkNone && t.subjectAlone(start, i, i+n) { // "the doctor then prescribes …"
			link = m
			i += n
			continue
		}
		closePiece(i)
		if mid {
			comma = true
		}
		i += n
		if i < len(t.Toks) && (t.Toks[i].Kind == Comma || t.Toks[i].Kind == Colon ||
			t.Toks[i].Kind == Dash && t.Toks[i].Mark == '-') {
			i++
		}
		start, link = i, m
	}
	closePiece(len(t.Toks))
	return out
}

// subjectAlone reports that [a,b) is no more than who acts in what follows.
func (t *Text) subjectAlone(a, b, next int) bool {
	return t.Lang == English && b-a <= 4 && !t.predicateIn(a, b) && t.subjectLike(a, b) && next < len(t.Toks) &&
		(t.class(next)&VerbS != 0 || everyday[t.word(next)].form == VerbS)
}

// trails reports a token that says nothing at the end of a piece: "reviews it,
// and | finally …", "pays only | after …".
func (t *Text) trails(i int) bool {
	switch tok := &t.Toks[i]; {
	case tok.Kind == Comma || tok.Kind == Dash && tok.Mark == '-':
		return true
	case t.Lang == English:
		switch tok.Word {
		case "and", "but", "only", "immediately", "shortly", "directly", "just", "soon":
			return true
		}
		return false
	}
	return t.joiner(t.word(i))
}

func (t *Text) joiner(w string) bool {
	switch w {
	case "and", "but", "so", "y", "e", "und", "et", "en", "well", "ok", "okay", "only", "also":
		return true
	}
	return false
}

// onlyJoiners reports that [a,b) holds joiners alone, and no more of them than people write.
func (t *Text) onlyJoiners(a, b int) bool {
	if b-a > 8 {
		return false
	}
	for i := a; i < b; i++ {
		if !t.joiner(t.word(i)) {
			return false
		}
	}
	return true
}

// standsAlone reports a clause with its own subject and verb, or an order among
// orders: "collect the form, verify it", not "checks the name, address and age".
func (t *Text) standsAlone(before piece, a, b int) bool {
	if t.Lang != English {
		for a < b && t.joiner(t.word(a)) {
			a++
		}
		return t.known && (before.link >= LinkBefore || t.subject(a))
	}
	v, ok := t.clauseVerb(a, b)
	if !ok || v > a {
		return ok
	}
	if t.past(v) {
		return t.known && (v+1 == b || t.word(v+1) == "by" || t.word(v+1) == "and")
	}
	// "turns the water off, removes the pipe"
	if t.known && (t.class(v)&VerbS != 0 || everyday[t.word(v)].form == VerbS) {
		prev, ok := t.predicate(before.a, before.b)
		return ok && t.sameForm(prev, v)
	}
	if before.link == LinkIf || before.link == LinkBefore || before.link == LinkAfter || before.link == LinkElse {
		return true // the main clause after "if it fails,"
	}
	if t.class(a)&Item != 0 && t.class(a+1)&Det == 0 {
		return false
	}
	return t.class(before.a)&VerbBase != 0 || before.link != LinkNone ||
		t.class(a)&VerbBase != 0 && t.class(a+1)&Det != 0
}

// clauseVerb finds the verb of a clause: any, where the text is known to be a
// process, else an action verb.
func (t *Text) clauseVerb(a, b int) (int, bool) {
	if t.known {
		return t.predicate(a, b)
	}
	return t.verb(a, b)
}

// marker reports the marker at token i of a piece that began at start, and its
// length in tokens.
func (t *Text) marker(i, start int) (Link, int) {
	tok := &t.Toks[i]
	atStart := i == start || t.onlyJoiners(start, i)
	w := tok.Word
	if t.Lang != English {
		if t.known {
			return t.foreignMarker(i, atStart)
		}
		if m, n := t.foreignMarker(i, true); n > 1 && m <= LinkThen { // "zum Schluss" can't be taken for another word
			return m, n
		}
		if tok.Class&Mark == 0 || t.class(i-1)&Det != 0 || t.disjunction(i+1) || t.disjunction(i-1) { // "prima o poi"
			return LinkNone, 0
		}
		return t.lex.marks[w], 1
	}
	for k := range markers[w] {
		m := &markers[w][k]
		n := t.said(i, m.phrase)
		if n == 0 || m.when&onlyKnown != 0 && !t.known || !t.placed(m, i, n, atStart) {
			continue
		}
		if m.when&ofClause != 0 {
			return t.orderMarker(i, n, atStart, m.link)
		}
		return m.link, n
	}
	if tok.Class&Mark != 0 {
		return LinkNone, 0
	}
	return t.clauseMarker(i, start, atStart)
}

// marker is an English phrase that links clauses, and where it does.
type marker struct {
	phrase  string
	link    Link
	when    where
	notNext string // words that make it another phrase: "first of all", …
	notPrev string // … "by then"
}

// where says which words a marker needs around it.
type where uint16

const (
	atBegin   where = 1 << iota // at the start of its piece
	orAnd                       // … or after "and"
	orOr                        // … or after "or"
	inside                      // not at the start
	goesOn                      // before more of the sentence
	comma                       // before a comma, or who acts
	noTime                      // before no unit or day: "next week"
	onlyKnown                   // in a text that is known to be a process
	ofClause                    // before an acting clause: see orderMarker
)

// markers are the English markers by their first words. Of several the first counts.
var markers = func() map[string][]marker {
	all := map[string][]marker{}
	for _, m := range []marker{
		{"first/firstly/initially", LinkFirst, atBegin, "of off time thing things name impression come", ""},
		{"to start with/to begin with/to start/to begin", LinkFirst, atBegin, "", ""},
		{"starts with/starts by/begins with/begins by", LinkFirst, onlyKnown, "", ""},
		{"start with/start by/begin with/begin by", LinkFirst, onlyKnown, "", ""},
		{"starting with/starting by/beginning with/beginning by", LinkFirst, onlyKnown, "", ""},
		{"then", LinkThen, goesOn, "again", "back since by until till just even now the"},
		{"next", LinkThen, atBegin | noTime, "to up steps step thing door", ""},
		{"second/third/secondly/thirdly", LinkThen, atBegin | comma, "", ""},
		{"finally/lastly/afterwards/afterward/subsequently/thereafter", LinkThen, orAnd, "", ""},
		{"followed by", LinkThen, 0, "", ""},
		{"in the end", LinkThen, atBegin | onlyKnown, "", ""},
		{"ends with/ends by/finishes with/finishes by/concludes with/concludes by", LinkThen, onlyKnown, "", ""},
		{"continues with/continues by/ending with/ending by", LinkThen, onlyKnown, "", ""},
		{"end with/end by/finish with/finish by", LinkThen, onlyKnown, "", ""},
		{"before", LinkBefore, ofClause, "", ""},
		{"precedes/precede", LinkBefore, inside | onlyKnown, "", ""},
		{"after/once/when/whenever/as soon as", LinkAfter, ofClause, "", ""},
		{"follows", LinkAfter, inside | goesOn | onlyKnown, "", "as what"},
		{"depends on", LinkAfter, inside | onlyKnown, "", ""},
		{"meanwhile/simultaneously/concurrently/in the meantime", LinkWhile, atBegin, "", ""},
		{"at the same time", LinkWhile, orAnd, "", ""},
		{"in parallel", LinkWhile, orAnd | goesOn, "", ""},
		{"if not", LinkElse, atBegin | comma, "", ""},
		{"if/unless", LinkIf, atBegin, "", ""},
		{"in case", LinkIf, atBegin | onlyKnown, "", ""},
		{"otherwise", LinkElse, orOr, "", ""},
		{"else", LinkElse, orOr | onlyKnown, "", ""},
	} {
		for phrase := range strings.SplitSeq(m.phrase, "/") {
			word, _, _ := strings.Cut(phrase, " ")
			m.phrase = phrase
			all[word] = append(all[word], m)
		}
	}
	return all
}()

// placed reports that a marker of n tokens at i has the words it needs around it.
func (t *Text) placed(m *marker, i, n int, atStart bool) bool {
	prev, end := t.word(i-1), i+n
	switch {
	case m.when&atBegin != 0 && !atStart, m.when&inside != 0 && atStart,
		m.when&orAnd != 0 && !atStart && prev != "and", m.when&orOr != 0 && !atStart && prev != "or",
		m.when&goesOn != 0 && t.breaksAt(end),
		m.when&noTime != 0 && (t.class(end)&Measure != 0 || calendar(t.word(end))),
		m.when&comma != 0 && (end >= len(t.Toks) || t.Toks[end].Kind != Comma && t.class(end)&Subject == 0):
		return false
	}
	listed := func(list, w string) bool {
		return w != "" && slices.Contains(strings.Fields(list), w)
	}
	if prev == "" && i > 0 && t.Toks[i-1].Kind == Comma && m.phrase == "next" && t.word(end) == "to" {
		return true // "goes to the foreman, next to accounting"
	}
	return !listed(m.notNext, t.word(end)) && !listed(m.notPrev, prev)
}

// disjunction reports a word between alternatives. In Portuguese "o" is an article.
func (t *Text) disjunction(i int) bool {
	return disjunctions.has(t.word(i)) && (t.word(i) != "o" || t.Lang != Portuguese)
}

// clauseMarker has the markers that depend on more than their neighbours.
func (t *Text) clauseMarker(i, start int, atStart bool) (Link, int) {
	switch t.word(i) {
	case "step", "stage", "phase":
		if atStart && i+2 < len(t.Toks) && (t.Toks[i+1].Kind == Number || t.class(i+1)&NumWord != 0) &&
			(t.Toks[i+2].Kind == Colon || t.Toks[i+2].Kind == Dash) {
			return LinkThen, 2
		}
	case "while", "whilst":
		if v, ok := t.clauseVerb(i+1, t.clauseEnd(i+1)); ok && v > i {
			return LinkWhile, 1
		}
	}
	if w := t.word(i); w == "last" && t.word(i-1) == "and" && t.class(i+1)&Det != 0 {
		return LinkThen, 1 // "and last the typesetter"
	}
	if !t.known {
		return LinkNone, 0
	}
	switch t.word(i) {
	case "last", "later", "eventually":
		if atStart && (t.Toks[min(i+1, len(t.Toks)-1)].Kind == Comma || t.class(i+1)&Det != 0) {
			return LinkThen, 1
		}
	case "until":
		for j := start; j < i; j++ { // "is not paid until", "waits until"
			if c := t.Toks[j].Class; c&Negation != 0 || t.word(j) == "waits" || t.word(j) == "wait" {
				return LinkAfter, 1
			}
		}
	case "upon", "on":
		end := t.clauseEnd(i + 1)
		if !atStart || end-i > 4 || end >= len(t.Toks) || t.Toks[end].Kind != Comma {
			break
		}
		switch t.word(end - 1) {
		case "rejection", "failure", "error", "refusal":
			return LinkIf, 1
		case "completion":
			return LinkThen, end - i
		case "approval", "receipt", "arrival", "confirmation", "delivery", "payment", "submission", "acceptance":
			return LinkAfter, 1
		}
	}
	return LinkNone, 0
}

// orderMarker reads before, after, once, when, as soon as (n tokens): only where
// an acting clause follows.
func (t *Text) orderMarker(i, n int, atStart bool, link Link) (Link, int) {
	w, next := t.word(i), t.word(i+n)
	end := t.clauseEnd(i + n)
	if back := t.pointsBack(i+n, end); link == LinkAfter && back > 0 { // "once that is done," says no more than "then"
		return LinkThen, back - i
	}
	switch next {
	case "that", "this", "which":
		if w == "after" && t.class(i+2)&Verb&^VerbBase == 0 {
			return LinkThen, 2
		}
		if w == "before" && (end == i+2 || t.predicateIn(i+2, end)) && atStart {
			return LinkPrior, 2
		}
	}
	if last := t.word(end - 1); !t.known && (last == "starts" || last == "begins" || last == "ends") {
		return LinkNone, 0 // "before the season starts" says when
	}
	when := w == "when" || w == "whenever"
	if next == "i" || next == "all" && !t.known || end-i < n+1 ||
		w == "once" && (next == "a" || next == "per" || next == "again") ||
		when && !t.known && (!atStart || t.class(i+1)&Subject != 0) {
		return LinkNone, 0
	}
	if !atStart {
		from := t.clauseStart(i)
		if t.nominalEnd(from, i) > from {
			return link, n
		}
		it := next == "it" || next == "they" // "legal redlines the contract before it goes out"
		if !t.acts(from, i) && !((t.known || it) && t.predicateIn(from, i)) {
			return LinkNone, 0
		}
	}
	main := end < len(t.Toks) && t.Toks[end].Kind == Comma &&
		(t.acts(end+1, t.clauseEnd(end+1)) || t.known && t.predicateIn(end+1, t.clauseEnd(end+1)))
	if atStart && !main && !(t.known && end < len(t.Toks) && t.Toks[end].Kind == Comma && t.predicateIn(i+n, end)) {
		return LinkNone, 0
	}
	v, ok := t.clauseVerb(i+n, end)
	// goods arrive: enough where the main clause acts
	if !ok && !t.known && (w == "as" || w == "once" || when || t.class(i+n)&Det != 0 && t.word(end+1) != "i" ||
		!atStart && (next == "it" || next == "they")) {
		// "after the train left, I called": a story
		if v, ok = t.predicate(i+n, end); ok && t.past(v) && !t.passive(i+n, v) {
			ok = false
		}
	}
	if ok && (v > i+n || t.Toks[v].Class&VerbIng != 0 || everyday[t.word(v)].form == VerbIng || t.past(v)) {
		return link, n
	}
	if t.known && t.namesStep(i+n, end) {
		return link, n
	}
	return LinkNone, 0
}

func (t *Text) predicateIn(a, b int) bool { _, ok := t.predicate(a, b); return ok }

// pointsBack finds the end of words that only point at what came before: "that
// is done", "both are complete", "finished"; 0 where a clause says more.
func (t *Text) pointsBack(a, b int) int {
	for i := a; i < b; i++ {
		switch t.word(i) {
		case "that", "this", "it", "they", "both", "all", "everything", "these", "those", "that's", "it's", "of",
			"them", "is", "are", "has", "have", "been", "steps", "checks", "was", "were", "successfully", "fully",
			"the", "step", "checking":
		case "done", "complete", "completed", "finished", "ready", "over", "settled", "agreed", "happened", "through":
			if next := t.class(i + 1); i+1 == b || next&(Det|Role) != 0 || t.Toks[i+1].Upper {
				return i + 1
			}
			return 0
		default:
			return 0
		}
	}
	return 0
}

// namesStep reports a short noun phrase that can be a step: "after the site
// visit", not "after lunch", "before Friday", "after two days".
func (t *Text) namesStep(a, b int) bool {
	if b <= a || b-a > 5 {
		return false
	}
	for i := a; i < b; i++ {
		w := t.word(i)
		if t.Toks[i].Kind != Word || t.Toks[i].Class&(Measure|NumWord|Subject|Aux|Negation) != 0 &&
			t.Toks[i].Class&(VerbBase|Item) == 0 || calendar(w) || moments.has(w) {
			return false
		}
	}
	return true
}

// maxClause bounds how far a clause is followed, so that reading stays linear.
const maxClause = 60

func (t *Text) clauseEnd(i int) int {
	limit := min(len(t.Toks), i+maxClause)
	for i < limit && !t.breaks(i) {
		i++
	}
	return min(i, len(t.Toks))
}

func (t *Text) clauseStart(i int) int {
	limit := max(0, i-maxClause)
	for i > limit && !t.breaks(i-1) {
		i--
	}
	return i
}

func (t *Text) breaksAt(i int) bool { return i >= len(t.Toks) || t.Toks[i].Kind == Stop }

func (t *Text) breaks(i int) bool {
	k := t.Toks[i].Kind
	return k == Stop || k == Comma || k == Colon
}

// clauses cuts a piece where a second clause follows "and": "A checks it and B
// pays it", "checks it and files it".
func (t *Text) clauses(p piece) []clause {
	if t.Lang != English {
		return []clause{{a: p.a, b: p.b, subject: -1}}
	}
	var out []clause
	a, subject := p.a, -1
	for i := p.a + 1; i < p.b-1; i++ {
		if t.word(i) != "and" || t.word(i-1) == "and" {
			continue
		}
		left, ok := t.predicate(a, i)
		if !ok || left == i-1 && t.Toks[left].Class&VerbPast == 0 && t.class(left)&VerbS == 0 &&
			everyday[t.word(left)].form != VerbS {
			continue
		}
		right, ok := t.predicate(i+1, p.b)
		switch {
		case !ok:
			continue
		case right > i+1: // its own subject
			if left == i-1 && t.class(i+1)&(Det|Role) == 0 || !t.subjectLike(i+1, right) {
				continue
			}
			out = append(out, clause{a, i, subject})
			a, subject = i+1, -1
		case t.past(left) && t.past(right) && t.passive(a, left) && (right+1 == p.b || t.word(right+1) == "by"):
			// "packed and shipped"
			out = append(out, clause{a, i, subject})
			a = i + 1
		case left < i-1 && t.sameForm(left, right) && t.takesObject(right, p.b):
			out = append(out, clause{a, i, subject})
			if subject < 0 {
				subject = len(out) - 1
			}
			a = i + 1
		}
	}
	return append(out, clause{a, p.b, subject})
}

// clause is one clause of a piece; subject is the clause whose subject it
// shares, or -1.
type clause struct{ a, b, subject int }

// subjectLike reports that [a,v) can be who acts: no preposition, no number.
func (t *Text) subjectLike(a, v int) bool {
	if v-a > 6 {
		return false
	}
	for i := a; i < v; i++ {
		if t.Toks[i].Kind != Word || t.class(i)&Prep != 0 && t.word(i) != "to" || t.word(i) == "and" {
			return false
		}
	}
	return t.class(a)&Item == 0 || t.class(a)&Role != 0
}

func (t *Text) sameForm(left, right int) bool {
	forms := func(v int) Class { return t.Toks[v].Class&Verb | everyday[t.word(v)].form }
	return forms(left)&forms(right) != 0
}

// takesObject reports that the verb at v acts on something named as such.
func (t *Text) takesObject(v, b int) bool {
	if v+1 >= b {
		return false
	}
	c := t.class(v + 1)
	switch t.word(v + 1) {
	case "by":
		return t.past(v)
	case "it", "them", "him", "her", "everything":
		return true
	}
	return c&Det != 0 || c&Prep != 0 && t.class(v)&(Item|Plural) == 0
}

// foreignMarker finds the longest phrase that begins at i.
func (t *Text) foreignMarker(i int, atStart bool) (Link, int) {
	phrase := ""
	link, n := LinkNone, 0
	if !t.lex.opens[t.word(i)] {
		return link, n
	}
	for k := i; k < min(len(t.Toks), i+4) && t.Toks[k].Kind == Word; k++ {
		if phrase != "" {
			phrase += " "
		}
		phrase += t.word(k)
		if l, ok := t.lex.phrases[phrase]; ok {
			link, n = l, k-i+1
		}
	}
	if !atStart && (link >= LinkIf || link == LinkFirst) {
		return LinkNone, 0
	}
	return link, n
}

// trimmed returns the text of tokens [a,b) without marks at its ends.
func (t *Text) trimmed(a, b int) string {
	for a < b && t.Toks[a].Kind != Word && t.Toks[a].Kind != Number && t.Toks[a].Kind != Masked {
		a++
	}
	for b > a && t.Toks[b-1].Kind != Word && t.Toks[b-1].Kind != Number && t.Toks[b-1].Kind != Masked &&
		t.Toks[b-1].Mark != ')' {
		b--
	}
	if a >= b {
		return ""
	}
	return strings.TrimSpace(t.Src[t.Toks[a].Start:t.Toks[b-1].End])
}
