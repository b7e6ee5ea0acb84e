package prose

import (
	"slices"
	"strings"
)

// ArrowFlow reads lines such as "Draft -> Review (legal) -> Publish" and
// "if rejected: Review -> Draft". Steps with the same name are one step.
func (t *Text) ArrowFlow() Flow {
	var f Flow
	for i := 0; i < len(t.Toks); {
		end, arrows := i, 0
		for end < len(t.Toks) && t.Toks[end].Mark != '\n' {
			if t.Toks[end].Kind == Arrow {
				arrows++
			}
			end++
		}
		if arrows > 0 {
			t.arrowLine(&f, i, end)
		}
		i = end + 1
	}
	if len(f.Edges) > 0 {
		f.forks()
		f.Linked = len(f.Steps)
	}
	return f
}

func (t *Text) arrowLine(f *Flow, a, b int) {
	conditional, outgoing, start := false, false, a
	var from []int
	for i := a; i <= b && len(f.Steps) < maxSteps; i++ {
		switch {
		case i == b || t.Toks[i].Kind == Arrow:
			at, cond := t.label(start, i)
			end := t.conditionEnd(at, i)
			labelled := end < i && i < b && t.Toks[end].Kind == Dash // "Check -(ok)-> Ship": of the next arrow
			cond = cond || outgoing || end < i && !labelled
			outgoing = labelled
			var to []int
			for _, part := range t.arrowParts(at, end) {
				if s := t.arrowStep(part.A, part.B); s.Name != "" {
					to = append(to, f.unify(s))
				}
			}
			if len(to) == 0 {
				start = i + 1
				continue
			}
			for _, x := range from {
				for _, y := range to {
					f.edge(Edge{From: x, To: y, Conditional: conditional || cond})
				}
			}
			from, start = to, i+1
		case from == nil && t.Toks[i].Kind == Colon: // "if rejected: …", "Here is the flow: …"
			conditional = t.conditional(start, i)
			start = i + 1
		case from == nil && t.Toks[i].Kind == Comma && t.conditional(start, i):
			conditional, start = true, i+1
		case t.Toks[i].Kind == Stop:
			isArrow := func(tok Token) bool { return tok.Kind == Arrow }
			if from == nil { // a sentence before the arrows, not "Paid? -> …"
				if t.Toks[i].Mark != '!' && t.Toks[i].Mark != '?' {
					start = i + 1
				}
			} else if !slices.ContainsFunc(t.Toks[i:b], isArrow) { // or after them
				b = i
				i--
			}
		}
	}
}

// label skips what an arrow is labelled with: "if rejected:", "(rejected)",
// "[no]", "|yes|", and reports that it is a condition.
func (t *Text) label(a, b int) (at int, conditional bool) {
	if a >= b {
		return a, false
	}
	var closing byte
	if i := strings.IndexByte("([|", t.Toks[a].Mark); i >= 0 {
		closing = ")]|"[i]
	}
	for i := a + 1; i < min(b, a+8); i++ {
		switch {
		case closing != 0 && t.Toks[i].Mark == closing:
			if i+1 < b && (t.conditional(a, i) || t.decides(a+1, i)) {
				return i + 1, true
			}
			return a, false
		case closing == 0 && t.Toks[i].Kind == Colon && (t.conditional(a, i) || t.decides(a, i)):
			return i + 1, true
		case closing == 0 && t.Toks[i].Kind == Comma && t.conditional(a, a+1):
			return i + 1, true
		}
	}
	return a, false
}

// decides reports a short label that says how a decision went.
func (t *Text) decides(a, b int) bool {
	return b > a && b-a <= 3 && (condition(t.word(a)) || condition(t.word(b-1)))
}

// conditionEnd cuts "Submit claim if rejected" and "Submit claim (if rejected)"
// before the condition.
func (t *Text) conditionEnd(a, b int) int {
	for i := a + 1; i < b; i++ {
		if w := t.word(i); w == "if" || w == "unless" || w == "otherwise" || w == "falls" || w == "wenn" ||
			(w == "when" || w == "si" || w == "se") && i+1 < b && condition(t.word(i+1)) {
			for i > a+1 && t.Toks[i-1].Kind != Word && t.Toks[i-1].Kind != Number && t.Toks[i-1].Mark != ')' {
				i--
			}
			return i
		}
		if last := t.Toks[b-1].Mark; t.Toks[i].Mark == '(' &&
			(t.decides(i+1, b-1) && last == ')' || t.decides(i+1, b-2) && last == '-') ||
			t.Toks[i].Mark == '-' && t.Toks[i].Kind == Dash && t.decides(i+1, b) {
			return i
		}
	}
	return b
}

// arrowParts cuts the text between two arrows into steps that run side by side:
// "(legal, finance)", "[legal & finance]", "legal + finance", "a, b".
func (t *Text) arrowParts(a, b int) []Span {
	grouped := b-a > 2 && (t.Toks[a].Mark == '(' || t.Toks[a].Mark == '[') &&
		(t.Toks[b-1].Mark == ')' || t.Toks[b-1].Mark == ']')
	if grouped {
		a, b = a+1, b-1
	}
	var parts []Span
	start, depth := a, 0
	for i := a; i < b; i++ {
		switch tok := &t.Toks[i]; {
		case tok.Mark == '(' || tok.Mark == '[':
			depth++
		case tok.Mark == ')' || tok.Mark == ']':
			depth--
		case depth > 0:
		case tok.Kind == Comma, tok.Kind == Symbol && (tok.Mark == '&' || tok.Mark == '+'), tok.Mark == '|',
			tok.Mark == '/' && grouped, grouped && tok.Word == "and":
			if i > start {
				parts = append(parts, Span{start, i})
			}
			start = i + 1
		}
	}
	parts = append(parts, Span{start, b})
	for _, p := range parts {
		// a sentence before the first step: "this is how we do it, draft -> …"
		if !grouped && len(parts) > 1 && p.B-p.A > 4 {
			return parts[len(parts)-1:]
		}
	}
	return parts
}

func (t *Text) conditional(a, b int) bool {
	for i := a; i < b; i++ {
		switch t.word(i) {
		case "if", "unless", "otherwise", "when", "else", "wenn", "falls", "si", "se", "als", "sinon", "sonst":
			return true
		}
	}
	return false
}

// arrowStep keeps the name as written, unless it is a clause with someone who
// acts: "Manager approves request". What is in parentheses at the end, or
// before a colon, is the owner.
func (t *Text) arrowStep(a, b int) Step {
	if a < b {
		if rest := t.Src[t.Toks[a].Start:]; strings.HasPrefix(rest, "i.e.") || strings.HasPrefix(rest, "e.g.") {
			for end := t.Toks[a].Start + 4; a < b && t.Toks[a].Start < end; a++ {
			}
		}
	}
	s := Step{Raw: t.trimmed(a, b)}
	s.Name, s.Owner = ParenOwner(s.Raw)
	s.Name = Capital(strings.TrimLeft(s.Name, "-*•·([ \t"))
	if s.Owner == "" {
		for i := a + 1; i < min(b-1, a+4); i++ {
			if name := t.trimmed(i+1, b); t.Toks[i].Kind == Colon && name != "" {
				s.Owner, s.Name = t.trimmed(a, i), Capital(name)
				a = i + 1
				break
			}
		}
	}
	v, ok := t.verb(a, b)
	if !ok {
		v, ok = t.predicate(a, b)
	}
	if !ok || t.Lang != English {
		s.Approves = t.approval(a, b)
		return s
	}
	s.base = t.baseOf(v)
	s.Approves = approves(t, s.base, v, b)
	if clause := t.step(a, b); clause.Owner != "" && s.Owner == "" &&
		(t.Toks[v].Class&VerbBase == 0 || t.class(v-1)&Aux != 0) {
		s.Name, s.Owner, s.Approves, s.object = clause.Name, clause.Owner, clause.Approves, clause.object
	}
	return s
}

// ParenOwner splits "Examine (doctor)" into its parts.
func ParenOwner(s string) (name, owner string) {
	for _, pair := range [...][2]string{{"(", ")"}, {"（", "）"}} {
		inner, closed := strings.CutSuffix(s, pair[1])
		if at := strings.LastIndex(inner, pair[0]); closed && at > 0 {
			return strings.TrimSpace(inner[:at]), strings.TrimSpace(inner[at+len(pair[0]):])
		}
	}
	return s, ""
}

// unify returns the step with the same name, or adds it.
func (f *Flow) unify(s Step) int {
	f.Taken = append(f.Taken, s.Raw)
	for i := range f.Steps {
		have := &f.Steps[i]
		if strings.EqualFold(have.Name, s.Name) &&
			(have.Owner == "" || s.Owner == "" || strings.EqualFold(have.Owner, s.Owner)) {
			if have.Owner == "" {
				have.Owner = s.Owner
			}
			return i
		}
	}
	return f.add(s)
}
