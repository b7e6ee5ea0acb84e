package prose

// maxChain bounds the texts that are read as a chain of clauses.
const maxChain = 200

// chain reads a process whose clauses hardly any marker links: "pilot files the
// plan, ops approves it, tower clears it".
func (t *Text) chain() Flow {
	commas := 0
	for i := range t.Toks[:min(len(t.Toks), maxChain)] {
		switch t.Toks[i].Kind {
		case Comma:
			commas++
		case Stop:
			if t.Toks[i].Mark == '?' {
				return Flow{}
			}
		}
	}
	if commas == 0 || t.Lang == English && commas < 2 || len(t.Toks) > maxChain ||
		!(t.Lang == English && t.relay() || t.Lang != English && t.linked()) {
		return Flow{}
	}
	t.known = true
	f, _ := t.narrate()
	t.known = false
	if len(f.Edges) == 0 {
		return Flow{}
	}
	f.Linked = len(f.Steps)
	return f
}

// relay reports English clauses in the present, one after the other, in which more
// than one acts: three of them, two with a verb of processes or
// someone who acts by profession.
func (t *Text) relay() bool {
	if t.class(0)&Subject != 0 {
		return false
	}
	t.known = true
	pieces := t.pieces()
	t.known = false
	clauses, acting, people, first, others := 0, 0, 0, "", false
	for _, p := range pieces {
		v, ok := t.predicate(p.a, p.b)
		if !ok || v == p.a || t.class(p.a)&(Subject|Aux|Negation) != 0 {
			continue
		}
		if t.past(v) && t.class(v)&VerbBase == 0 || t.class(v-1)&(Aux|Subject|Prep|Negation) != 0 {
			return false
		}
		if t.class(v)&Verb != 0 {
			acting++
		}
		if t.class(v-1)&Role != 0 || agent(t.word(v-1)) {
			people++
		}
		clauses++
		owner := t.owner(p.a, v)
		if first == "" {
			first = owner
		}
		others = others || owner != first
	}
	return clauses >= 3 && max(acting, people) >= 2 && others
}

// linked reports clauses of another language in which several act, and of which one
// has a marker, or of which one depends on a condition and one has a marker.
func (t *Text) linked() bool {
	parts, then, conditions, subjects := 0, 0, 0, 0
	begins, depends := true, false
	for i := 0; i < len(t.Toks); i++ {
		if t.breaks(i) {
			begins = true
			continue
		}
		switch link, n := t.foreignMarker(i, begins); {
		case link >= LinkIf:
			conditions++
			i, begins = i+n-1, true
			continue
		case link != LinkNone:
			then++
			i, begins, depends = i+n-1, true, link == LinkBefore || link == LinkAfter
			continue
		}
		if t.joiner(t.word(i)) && (begins || t.subject(i+1)) {
			begins = true
			continue
		}
		if begins {
			parts++
			// "nadat de koper betaalt, stuurt de winkel het pakket"
			if begins = false; t.subject(i) || depends && (t.class(i)&Det != 0 || t.class(i+1)&Det != 0) {
				subjects++
			}
		}
	}
	return parts >= 2 && then > 0 && subjects > 1 || parts >= 3 && conditions > 0 && (then > 0 || subjects > 1)
}

// subject reports an article, a noun and what may be its verb at i.
func (t *Text) subject(i int) bool { return t.verbBehind(i) >= 0 }

// verbBehind returns the word behind an article and a noun at i that may be its
// verb, or -1.
func (t *Text) verbBehind(i int) int {
	switch {
	case t.class(i)&Det != 0:
		i += 2
	case elided(t.word(i)):
		i++
	default:
		return -1
	}
	if t.class(i)&Det != 0 { // "l'ufficio la verifica"
		i++
	}
	if i >= len(t.Toks) || t.Toks[i].Kind != Word || t.class(i)&(Function|Mark) != 0 || copulas.has(t.word(i)) {
		return -1
	}
	return i
}
