package prose

import "strings"

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
		f.Linked = len(f.Steps)
	}
	return f
}

func (t *Text) arrowLine(f *Flow, a, b int) {
	conditional, from, start := false, -1, a
	for i := a; i <= b && len(f.Steps) < maxSteps; i++ {
		switch {
		case i == b || t.Toks[i].Kind == Arrow:
			s := t.arrowStep(start, i)
			if s.Name == "" {
				start = i + 1
				continue
			}
			to := f.unify(s)
			if from >= 0 {
				f.edge(Edge{From: from, To: to, Conditional: conditional})
			}
			from, start = to, i+1
		case from < 0 && t.Toks[i].Kind == Colon: // "if rejected: …", "Here is the flow: …"
			conditional = t.conditional(start, i)
			start = i + 1
		case from < 0 && t.Toks[i].Kind == Comma && t.conditional(start, i):
			conditional, start = true, i+1
		case t.Toks[i].Kind == Stop && t.Toks[i].Mark != '!' && t.Toks[i].Mark != '?':
			if from < 0 { // a sentence before the arrows
				start = i + 1
			} else if t.noArrow(i, b) { // or behind them
				b = i
				i--
			}
		}
	}
}

func (t *Text) noArrow(a, b int) bool {
	for i := a; i < b; i++ {
		if t.Toks[i].Kind == Arrow {
			return false
		}
	}
	return true
}

func (t *Text) conditional(a, b int) bool {
	for i := a; i < b; i++ {
		switch t.word(i) {
		case "if", "unless", "otherwise", "when", "else", "wenn", "falls", "si", "se", "als":
			return true
		}
	}
	return false
}

// arrowStep keeps the name as written; what stands in parentheses at the end
// is the owner.
func (t *Text) arrowStep(a, b int) Step {
	s := Step{Raw: t.trimmed(a, b)}
	s.Name, s.Owner = ParenOwner(s.Raw)
	s.Name = capital(strings.TrimLeft(s.Name, "-*•·([ \t"))
	if v, ok := t.verb(a, b); ok {
		base, _ := VerbBaseOf(t.word(v))
		s.Approves = approves(t, base, v, b)
	} else {
		for i := a; i < b; i++ {
			s.Approves = s.Approves || t.word(i) == "approval" || t.word(i) == "sign" && t.word(i+1) == "off"
		}
	}
	return s
}

// ParenOwner splits "Examine (doctor)" into its parts.
func ParenOwner(s string) (name, owner string) {
	open := strings.LastIndexByte(s, '(')
	if open <= 0 || !strings.HasSuffix(s, ")") {
		return s, ""
	}
	return strings.TrimSpace(s[:open]), strings.TrimSpace(s[open+1 : len(s)-1])
}

// unify returns the step with the same name, or adds it.
func (f *Flow) unify(s Step) int {
	for i := range f.Steps {
		have := &f.Steps[i]
		if strings.EqualFold(have.Name, s.Name) && (have.Owner == "" || s.Owner == "" || strings.EqualFold(have.Owner, s.Owner)) {
			if have.Owner == "" {
				have.Owner = s.Owner
			}
			return i
		}
	}
	return f.add(s)
}

// edge adds an edge once.
func (f *Flow) edge(e Edge) {
	for i := range f.Edges {
		if f.Edges[i] == e {
			return
		}
	}
	f.Edges = append(f.Edges, e)
}
