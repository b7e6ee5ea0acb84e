package prose

import "strings"

// Span is a run of tokens [A,B).
type Span struct{ A, B int }

// Enumeration reads the items of "a, b, c and d" from token i to the end of the
// sentence (semicolons separate too). It returns nil unless every item looks
// like a name or a noun phrase: at most six tokens, no pronoun, no auxiliary.
func (t *Text) Enumeration(i int) []Span {
	var out []Span
	start := i
	flush := func(end int, last bool) bool {
		for start < end && (t.word(start) == "and" || t.word(start) == "or" || t.word(start) == "then" ||
			t.class(start)&Det != 0) {
			start++
		}
		if end <= start {
			return true
		}
		for j := start; j < end; j++ {
			c, w := t.Toks[j].Class, t.Toks[j].Word
			if c&Aux != 0 && j > start && last && len(out) >= 2 { // "… and Aldi need to be listed"
				end = j
				break
			}
			if c&(Subject|Aux|Negation) != 0 && c&(Role|NumWord) == 0 && w != "no" && w != "without" ||
				t.Toks[j].Kind == Arrow {
				return false
			}
		}
		if end-start > 6 {
			return false
		}
		out = append(out, Span{start, end})
		return len(out) <= maxSteps
	}
	for j := i; ; j++ {
		end := j >= len(t.Toks) || t.Toks[j].Kind == Stop && t.Toks[j].Mark != ';' || t.Toks[j].Kind == Colon
		switch {
		case end || t.Toks[j].Kind == Comma || t.Toks[j].Mark == ';':
		case lastJoints.has(t.word(j)) && len(out) > 0:
		case j-start > 14: // no item is that long
			return nil
		default:
			continue
		}
		if !flush(j, end) {
			return nil
		}
		if end {
			return out
		}
		start = j + 1
	}
}

// Qualities reports that most items are adjectives: "fast, cheap and reliable".
func (t *Text) Qualities(items []Span) bool {
	n := 0
	for _, it := range items {
		last := t.Toks[it.B-1]
		if !last.Upper && last.Class&(Quality|Item) == Quality {
			n++
		}
	}
	return n*2 > len(items)
}

// Statement reads a statement about a person by name, such as "Anna is PM" or "Chen runs
// ops".
func Statement(clause string) (who, what string, ok bool) {
	t := Read(strings.TrimSuffix(strings.TrimSpace(clause), "."))
	n := 0
	for n < min(len(t.Toks), 4) && t.Toks[n].Kind == Word && t.Toks[n].Upper && t.class(n)&(Aux|Subject) == 0 {
		n++
	}
	if n == 0 || n+1 >= len(t.Toks) || t.class(n)&(Aux|VerbS|VerbBase) == 0 &&
		everyday[t.word(n)].base == "" && !copulas.has(t.word(n)) {
		return "", "", false
	}
	from := n + 1
	for from+1 < len(t.Toks) && t.class(from)&Det != 0 {
		from++ // "is the PM", "runs the bar"
	}
	return t.trimmed(0, n), t.trimmed(from, len(t.Toks)), true
}

// FlowOf makes a sequence of the items of an enumeration.
func (t *Text) FlowOf(items []Span) Flow {
	var f Flow
	for _, it := range items[:min(len(items), maxSteps)] {
		f.then(t.step(it.A, it.B), false)
	}
	f.Linked = len(f.Steps)
	return f
}

// FlowOfLines makes a sequence of lines that each name a step. A line may begin
// with a condition or run beside the one above: "If rejected, go back to step 1",
// "Meanwhile, …". The owner is in parentheses, before a colon, after a dash
// or as the subject.
func FlowOfLines(lines []string) Flow {
	var f Flow
	for _, line := range lines[:min(len(lines), maxSteps)] {
		t := Read(line)
		t.known = true
		if pieces := t.pieces(); len(pieces) > 0 {
			switch p := pieces[0]; {
			case p.link == LinkIf || p.link == LinkElse:
				t.branch(&f, pieces, 0)
				continue
			case p.link == LinkWhile && len(f.Steps) > 0:
				f.beside(t.lineStep(p.a, len(t.Toks)))
				continue
			case p.link == LinkFirst || p.link == LinkThen:
				f.then(t.lineStep(p.a, len(t.Toks)), t.conditionInside(p))
				continue
			}
		}
		if s := t.lineStep(0, len(t.Toks)); s.Name != "" {
			f.then(s, t.conditionInside(piece{a: 0, b: len(t.Toks)}))
		}
	}
	f.Linked = len(f.Steps)
	return f
}

// lineStep names the step of a line.
func (t *Text) lineStep(a, b int) Step {
	name, owner := ParenOwner(t.trimmed(a, b))
	if owner == "" {
		for i := a + 1; i < min(b-1, a+4); i++ { // "Finance: review the invoice"
			if t.Toks[i].Kind == Colon && t.class(i+1)&VerbS != 0 { // "Finance: checks credit"
				base := t.baseOf(i + 1)
				return Step{Name: Capital(strings.TrimSpace(base + " " + t.trimmed(i+2, b))), Owner: t.trimmed(a, i),
					Raw: t.trimmed(a, b), Approves: approves(t, base, i+1, b), base: base, object: t.trimmed(i+2, b)}
			}
			if t.Toks[i].Kind == Colon {
				s := t.lineStep(i+1, b)
				if (t.Lang == German || t.Lang == Dutch) && t.foreignVerb(i+1, b) == i+1 {
					s.Owner, s.Name = "", Capital(t.trimmed(i+1, b)) // "Küche: kocht das Essen"
				}
				if s.Owner == "" {
					s.Owner = t.trimmed(a, i)
				}
				return s
			}
		}
		for i := max(a+1, b-4); i < b-1; i++ { // "Review the invoice – finance"
			if t.Toks[i].Kind == Dash && t.Toks[i].Mark == '-' {
				s := t.lineStep(a, i)
				if s.Owner == "" {
					s.Owner = t.trimmed(i+1, b)
				}
				return s
			}
		}
	}
	s := t.step(a, b)
	if t.CJK && owner == "" && strings.IndexFunc(name, func(r rune) bool { return r >= 'ぁ' && r <= 'ヿ' }) < 0 {
		s.Owner, s.Name = hanActor(name)
		return s
	}
	if t.VerbFirst() || owner != "" {
		if s.Owner = owner; owner == "" || s.base == "" || t.VerbFirst() {
			s.Name = Capital(name)
		}
	}
	return s
}

// Introduces finds the ":", "are", "include" or "such as" after a noun at i and
// returns the token where the enumeration starts. Between them there may be a few
// words: "issues so far:", "countries we serve are".
func (t *Text) Introduces(i int) (int, bool) {
	for j := i + 1; j < min(len(t.Toks), i+10); j++ {
		switch w := t.word(j); {
		case j > i+5 && t.Toks[j].Kind != Colon && t.Toks[j].Kind == Word: // after many words only a colon counts
		case introducers.has(w):
			if j+1 < len(t.Toks) && t.Toks[j+1].Kind == Colon {
				j++
			}
			return j + 1, true
		case w == "such":
			return j + 2, t.word(j+1) == "as" && j == i+1
		case w == "namely":
			return j + 1, true
		}
		switch tok := t.Toks[j]; {
		case tok.Kind == Colon:
			return j + 1, true
		case tok.Kind == Comma && (t.word(j+1) == "namely" || t.word(j+1) == "including"),
			tok.Kind == Dash && tok.Mark == '-':
		case tok.Word == "be" && t.word(j-1) == "to", strings.HasPrefix(tok.Word, "we'"),
			strings.HasPrefix(tok.Word, "i'"): // rooms to be painted are, tools we're out of:
		case tok.Kind != Word || tok.Class&(Aux|Negation) != 0 && t.class(j-1)&Subject == 0:
			return 0, false
		}
	}
	return 0, false
}

// StepList reads "the steps are a, b and c", "pipeline: build, test, release", "map this
// for me: she calls, we answer", "step 1 unload, step 2 check". noun is the token of the
// word that promises steps; denied (may be nil) can refuse it.
func (t *Text) StepList(denied func(noun int) bool) Flow {
	for i := range t.Toks {
		pointed := t.word(i) == "map" && t.said(i+1, "this", "it", "that", "these", "the following") > 0
		pointed = pointed || t.word(i) == "how" && t.class(i+1)&Subject != 0 // how we hire: …
		if !pointed && !promises.has(t.word(i)) && t.class(i)&Process == 0 {
			continue
		}
		from, ok := t.Introduces(i)
		if !ok || denied != nil && denied(i) {
			continue
		}
		if items := t.Enumeration(from); len(items) >= 3 {
			return t.FlowOf(items)
		}
		if items := t.Parts(from); len(items) >= 3 && t.Toks[from-1].Kind == Colon {
			return t.FlowOf(items)
		}
	}
	return t.numberedSteps()
}

// tellsPast reports a verb of the past after token i: "day 1 we went hiking, day 2 …".
func (t *Text) tellsPast(i int) bool {
	for ; i < len(t.Toks); i++ {
		if t.Past(i) {
			return true
		}
	}
	return false
}

// Parts splits the sentence at i at commas and "then".
func (t *Text) Parts(i int) (out []Span) {
	start := i
	for ; i <= len(t.Toks); i++ {
		end := i == len(t.Toks) || t.Toks[i].Kind == Stop && t.Toks[i].Mark != ';' || t.Toks[i].Kind == Colon
		if !end && t.Toks[i].Kind != Comma && t.Toks[i].Mark != ';' {
			if link, n := t.marker(i, start); link == LinkThen && i > start+1 {
				out, start = append(out, Span{start, i}), i+n
				i = start - 1
			}
			continue
		}
		for start < i && (t.joiner(t.word(start)) || t.class(start)&Mark != 0) {
			start++
		}
		if i > start {
			out = append(out, Span{start, i})
		}
		if start = i + 1; end || len(out) == maxSteps {
			break
		}
	}
	return out
}

// numberedSteps reads "step 1 unload the container, step 2 check the seals", "week 1
// scouting, week 2 trials, week 3 medicals".
func (t *Text) numberedSteps() Flow {
	var at []int
	for i := range t.Toks[:max(0, len(t.Toks)-1)] {
		w := t.word(i)
		if !stepWords.has(w) && t.class(i)&Measure == 0 || len(at) > 0 && w != t.word(at[0]) {
			continue
		}
		if next := &t.Toks[i+1]; next.Kind == Number && next.Num == len(at)+1 {
			at = append(at, i)
		}
	}
	if len(at) < 2 || len(at) > maxSteps || !stepWords.has(t.word(at[0])) && (len(at) < 3 || t.tellsPast(at[0])) {
		return Flow{}
	}
	var items []Span
	for k, i := range at {
		end := len(t.Toks)
		if k+1 < len(at) {
			end = at[k+1]
		}
		for j := i + 2; j < end; j++ {
			if t.Toks[j].Kind == Stop {
				end = j
			}
		}
		if i += 2; i < end && (t.Toks[i].Kind == Colon || t.Toks[i].Kind == Dash) {
			i++
		}
		if i >= end {
			return Flow{}
		}
		items = append(items, Span{i, end})
	}
	return t.FlowOf(items)
}

// Mute makes tokens [a,b) invisible to every rule, as quoted text is.
func (t *Text) Mute(a, b int) {
	for i := a; i < b; i++ {
		tok := &t.Toks[i]
		if tok.Kind != Stop {
			tok.Kind, tok.Class, tok.Word, tok.Mark = Masked, 0, "", 0
		}
	}
}
