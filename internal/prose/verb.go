package prose

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// acts reports whether tokens [a,b) do something: they hold an action verb
// used as a verb. In languages without grammar any two words do.
func (t *Text) acts(a, b int) bool {
	if t.Lang != English {
		return b-a >= 1
	}
	_, ok := t.verb(a, b)
	return ok
}

// verb finds the first action verb of [a,b) that is used as one: "the review"
// is a noun, "finance reviews" is not.
func (t *Text) verb(a, b int) (int, bool) {
	for i := a; i < min(b, len(t.Toks)); i++ {
		c := t.Toks[i].Class
		if c&Verb == 0 || t.Toks[i].Kind != Word {
			continue
		}
		if i == a {
			if c&VerbBase != 0 && !t.nominal(i, b) || c&VerbIng != 0 || c&VerbS != 0 && t.class(i+1)&Det != 0 {
				return i, true
			}
			continue
		}
		prev := t.Toks[i-1]
		if prev.Class&Negation != 0 || prev.Kind != Word && prev.Mark != ')' ||
			t.Toks[i].Hyphen && t.word(i-1) != "re" {
			continue
		}
		switch {
		case prev.Class&(Det|Prep) != 0 && prev.Word != "that" && prev.Word != "to" && prev.Word != "it" &&
			prev.Word != "all" && prev.Word != "both":
		case prev.Word == "to" || prev.Class&(Subject|Aux) != 0:
			if c&VerbIng != 0 && prev.Class&Aux == 0 {
				continue
			}
			return i, true
		case c&VerbBase != 0:
			if prev.Class&(Role|Plural) != 0 || PluralForm(prev.Word) || prev.Word == "and" && i-1 > a ||
				adverb(prev.Word) {
				return i, true
			}
		case c&VerbS != 0:
			// not "the customer reviews are late"
			if next := t.class(i + 1); next&(Aux|VerbS) == 0 && (next&VerbBase == 0 || next&Item != 0) ||
				next&(Plural|Aux) == Plural || t.word(i+1) == "need" {
				return i, true
			}
		case c&VerbPast != 0:
			return i, true
		}
	}
	return -1, false
}

func adverb(w string) bool { return strings.HasSuffix(w, "ly") || w == "also" || w == "then" }

// nominal reports that a base form at the start of a piece heads a noun: "test
// environment is down", "order number".
func (t *Text) nominal(i, b int) bool {
	next := t.class(i + 1)
	if i+2 < b && (next&(VerbS|Plural) == VerbS || everyday[t.word(i+1)].form == VerbS) { // "design adds images"
		return true
	}
	return i+1 < b && next&Aux != 0 || t.class(i)&Named != 0 && i+1 < b && t.Toks[i+1].Kind == Number
}

// VerbFirst reports whether a line begins with an order: "Collect the documents".
func (t *Text) VerbFirst() bool {
	i := 0
	for i < len(t.Toks) && (t.Toks[i].Kind != Word || t.word(i) == "please" || t.word(i) == "then") {
		i++
	}
	return i < len(t.Toks) && t.Toks[i].Class&VerbBase != 0 && !t.nominal(i, len(t.Toks)) &&
		!t.Toks[min(i+1, len(t.Toks)-1)].Hyphen
}

// predicate finds the verb of [a,b): an action verb, else an everyday one (the
// nurse takes …), else a word where the verb of a person would:
// "the plumber fits pipes".
func (t *Text) predicate(a, b int) (int, bool) {
	if c := t.class(a); a < b && (c&VerbPast != 0 && (a+1 == b || t.word(a+1) == "by") ||
		c&VerbS != 0 && a+1 < b && (t.class(a+1)&(Prep|Subject) != 0 || t.word(a+1) == "them")) {
		return a, true // "checked by the controller", "forwards it to HR": whose subject is elsewhere
	}
	strong, ok := t.verb(a, b)
	for i := a; i < min(b, len(t.Toks)); i++ {
		if ok && i >= strong {
			break
		}
		if t.everydayVerb(a, i) {
			return i, true
		}
	}
	if ok {
		return strong, true
	}
	for i := a + 1; i < min(b, len(t.Toks), a+8); i++ {
		if t.participle(i) || i < a+5 && t.guessedVerb(a, i, b) {
			return i, true
		}
	}
	return -1, false
}

// everydayVerb reports an everyday verb used as one at i of a clause from a.
func (t *Text) everydayVerb(a, i int) bool {
	tok := &t.Toks[i]
	e, ok := everyday[tok.Word]
	if !ok || tok.Kind != Word || tok.Hyphen || tok.Class&Aux != 0 && t.class(i+1)&(Det|Item) == 0 {
		return false
	}
	if i == a {
		return e.form != VerbPast && (e.form != VerbS || t.class(i+1)&(Det|Prep|Subject) != 0 || t.word(i+1) == "them")
	}
	prev := &t.Toks[i-1]
	switch {
	case tok.Class&prev.Class&Role != 0: // the team lead
		return false
	case prev.Kind != Word && prev.Mark != ')', prev.Class&(Det|Negation) != 0,
		prev.Class&Prep != 0 && prev.Word != "to":
		return false
	case e.form == VerbBase:
		return prev.Class&(Subject|Aux|Plural|Role) != 0 || prev.Word == "to" || PluralForm(prev.Word) ||
			prev.Word == "and"
	case e.form == VerbIng:
		return prev.Class&Aux != 0
	}
	return prev.Word != "to"
}

// participle reports a verb that is in no list by its place: "is kneaded by the baker".
func (t *Text) participle(i int) bool {
	tok := &t.Toks[i]
	if tok.Kind != Word || tok.Class&Verb != 0 || len(tok.Word) < 5 || !strings.HasSuffix(tok.Word, "ed") ||
		t.word(i+1) != "by" || t.Lang != English {
		return false
	}
	switch t.word(i - 1) {
	case "is", "are", "be", "been", "gets", "get", "being":
		return true
	}
	return false
}

// participleBase takes -ed off: kneaded, glazed, planned, varied.
func participleBase(w string) string {
	w = strings.TrimSuffix(w, "ed")
	n := len(w)
	switch last, before := w[n-1], w[n-2]; {
	case last == 'i':
		return w[:n-1] + "y"
	case last == before && strings.IndexByte("bdgmnprt", last) >= 0:
		return w[:n-1]
	case strings.IndexByte("szvcgu", last) >= 0 && last != before && !strings.HasSuffix(w, "ss"):
		return w + "e"
	case vowel(before) && strings.IndexByte("tkdnr", last) >= 0 && n > 3 && !vowel(w[n-3]) &&
		!strings.HasSuffix(w, "er") && !strings.HasSuffix(w, "en"):
		return w + "e"
	}
	return w
}

// guessedVerb reports a word in -s between a subject and its object or the end: "nurse
// draws blood", "the plumber fits pipes".
func (t *Text) guessedVerb(a, i, b int) bool {
	tok, prev := &t.Toks[i], &t.Toks[i-1]
	w := tok.Word
	if tok.Kind == Word && !tok.Upper && tok.Class&^(Item|Measure|Named) == 0 && len(w) > 2 && w[len(w)-1] != 's' &&
		t.class(a)&Det != 0 && i > a+1 && PluralForm(prev.Word) &&
		(i+1 >= b || t.class(i+1)&(Det|Prep|Function) != 0 && t.class(i+1)&Aux == 0) { // "the pupils line up"
		return true
	}
	if tok.Kind != Word || tok.Hyphen || tok.Upper || len(w) < 4 || w[len(w)-1] != 's' || w[len(w)-2] == 's' ||
		w[len(w)-2] == 'u' || w[len(w)-2] == 'i' ||
		tok.Class&^(Item|Plural|Measure|Named) != 0 || prev.Kind != Word ||
		prev.Class&(Det|Prep|Function|Plural|Aux) != 0 && prev.Class&Role == 0 {
		return false
	}
	if first := &t.Toks[a]; first.Class&(Det|Role) == 0 && !first.Upper && !agent(first.Word) {
		return false
	}
	if i+1 >= b {
		return agent(prev.Word) || prev.Class&Role != 0
	}
	next := t.class(i + 1)
	if t.word(i+1) == "it" || t.word(i+1) == "them" { // "the team lead corrects it"
		next = Function
	}
	return next&(Aux|VerbS|Subject) == 0 && t.Toks[i+1].Kind == Word &&
		(next&(Det|Prep|Function) != 0 || agent(prev.Word) || prev.Class&Role != 0)
}

// agent reports a word for someone who acts, by its ending: plumber, editor.
func agent(w string) bool {
	if agents.has(w) || things.has(w) {
		return agents.has(w)
	}
	for _, end := range [...]string{"er", "or", "ist", "ian", "ee"} {
		if len(w) > len(end)+3 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// baseOf returns the base form of a verb predicate has found.
func (t *Text) baseOf(v int) string {
	w := t.word(v)
	if base, ok := VerbBaseOf(w); ok {
		return base
	}
	if e, ok := everyday[w]; ok {
		return e.base
	}
	if t.participle(v) {
		return participleBase(w)
	}
	return cmp.Or(Singular(w), w) // the third person ends like a plural
}

// Past reports a verb at v whose form is one of the past only: "kept", not "put".
func (t *Text) Past(v int) bool {
	return v >= 0 && v < len(t.Toks) && t.past(v) && t.class(v)&VerbBase == 0 && everyday[t.word(v)].base != t.word(v)
}

func (t *Text) past(v int) bool {
	return t.Toks[v].Class&VerbPast != 0 || everyday[t.word(v)].form == VerbPast || t.participle(v)
}

// step names the step of tokens [a,b).
func (t *Text) step(a, b int) Step {
	for a < b && (t.word(a) == "and" || t.word(a) == "so" || t.word(a) == "please" || t.word(a) == "also" ||
		t.Toks[a].Kind == Dash && t.Toks[a].Mark == '-') {
		a++
	}
	s := Step{Raw: t.trimmed(a, b)}
	b, s.again = t.stepEnd(a, b)
	if t.Lang != English {
		t.foreignStep(&s, a, b)
		return s
	}
	if end := t.nominalEnd(a, b); end > a { // "training happens", "the audit is done": the name is the text itself
		s.Name = Capital(t.trimmed(t.skipDet(a, end), end))
		return s
	}
	name, owner := "", ""
	if b > a && t.Toks[b-1].Mark == ')' { // "register the claim (clerk)"
		if name, owner = ParenOwner(t.trimmed(a, b)); owner != "" {
			for b > a && t.Toks[b-1].Mark != '(' {
				b--
			}
			b--
		}
	}
	v, ok := t.predicate(a, b)
	if ok && b-a == 1 && (t.Toks[a].Class&VerbIng != 0 || everyday[t.word(a)].form == VerbIng) { // "before billing"
		s.Name, s.base = Capital(t.trimmed(a, b)), t.baseOf(v)
		return s
	}
	if !ok {
		if name == "" || owner == "" {
			name = t.trimmed(t.skipDet(a, b), b)
		}
		s.Name, s.Owner, s.Approves = Capital(strings.TrimSpace(name)), owner, t.approval(a, b)
		return s
	}
	s.base = t.baseOf(v)
	s.Approves = approves(t, s.base, v, b) || assents(s.Raw) // "Budget genehmigen" is no English
	switch {
	case t.past(v) && t.passive(a, v):
		t.passiveStep(&s, s.base, a, v, b)
	case v > a && v == b-1 && t.thing(a, v): // "application received", "payment clears": no one acts
		s.object = t.trimmed(t.skipDet(a, v), v)
		s.Name = Capital(s.object + " " + t.word(v))
	default:
		t.activeStep(&s, a, v, b)
	}
	if owner != "" {
		s.Owner = owner
	}
	return s
}

// stepEnd is where the words of a step end that starts at a, and whether it is done again.
func (t *Text) stepEnd(a, b int) (end int, again bool) {
	if i := t.find(a+1, b, ifWord); i >= 0 { // the condition is the edge's, not the step's
		b = i
	}
	b = t.cutSimultaneous(a, b)
	for b > a+1 && t.word(b-1) == "again" {
		again = true
		b--
	}
	for b > a+1 && (t.word(b-1) == "first" || t.word(b-1) == "last" || t.word(b-1) == "afterwards" ||
		t.word(b-1) == "too" || t.class(b-1)&Aux != 0 && t.Toks[b-1].Class&(Item|Role|VerbBase) == 0) {
		b-- // "takes a sample first", "deployment is | followed by …"
	}
	return b, again
}

// activeStep names a step by its verb and its object; the subject is the
// owner, unless a thing only comes or goes: "Goods arrive".
func (t *Text) activeStep(s *Step, a, v, b int) {
	s.Owner = t.owner(a, v)
	s.object = t.trimmed(v+1, b)
	base := s.base
	if rest := strings.Fields(s.object); len(rest) > 1 && (rest[0] == "and" || rest[0] == "or") {
		if second, ok := VerbBaseOf(strings.ToLower(rest[1])); ok { // "reviews and approves the contract"
			base += " " + rest[0] + " " + second
			s.object = strings.Join(rest[2:], " ")
			s.Approves = s.Approves || second == "approve" || second == "authorise" || second == "authorize"
		}
	}
	s.Name = Capital(strings.TrimSpace(base + " " + s.object))
	if e, ok := everyday[t.word(v)]; ok && e.comes && s.Owner != "" && t.ownerless(a, v) && t.class(v+1)&VerbIng == 0 &&
		everyday[t.word(v+1)].form != VerbIng {
		end := v
		for end > a && t.Toks[end-1].Class&Aux != 0 {
			end--
		}
		verb := t.word(v)
		if end < v {
			verb = s.base
		}
		s.Name = Capital(strings.TrimSpace(t.trimmed(t.skipDet(a, end), end) + " " + verb + " " + s.object))
		s.Owner = ""
	}
}

// thing reports that [a,v) names an object rather than who acts.
func (t *Text) thing(a, v int) bool {
	at := v - 1 // the noun: "the concrete | has dried"
	for at > a && t.class(at)&Aux != 0 {
		at--
	}
	c, w := t.class(at), t.word(at)
	if !t.ownerless(a, v) || c&(Subject|Aux) != 0 {
		return false
	}
	for _, end := range [...]string{"ment", "tion", "sion", "ance", "ing", "age", "ice", "ist"} {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return true
		}
	}
	_, comes := everyday[t.word(v)]
	return c&Item != 0 || comes && t.Toks[v].Class&Verb == 0 && !t.Toks[at].Upper ||
		t.Toks[v].Class&(VerbS|VerbBase) == 0 && t.Toks[v].Class&VerbPast != 0
}

// ownerless reports that what comes before a verb is a thing, not a person.
func (t *Text) ownerless(a, v int) bool {
	for i := a; i < v; i++ {
		if t.Toks[i].Class&Role != 0 || agent(Singular(t.word(i))) || agent(t.word(i)) {
			return false
		}
	}
	return true
}

// skipDet skips the articles before a name, unless nothing else names it.
func (t *Text) skipDet(a, b int) int {
	for a < b-1 && t.Toks[a].Class&Det != 0 && t.trimmed(a+1, b) != "" {
		a++
	}
	return a
}

// nominalEnd finds where the words end that say a named step takes place:
// "training happens", "the audit must be done", "deployment can start". It
// returns a where the clause ends otherwise.
func (t *Text) nominalEnd(a, b int) int {
	end := b
	switch t.word(end - 1) {
	case "happens", "happen", "occurs", "occur", "comes", "come", "goes", "starts", "start", "begins", "begin", "ends",
		"end", "finishes", "finish", "proceed", "follows", "run", "runs":
		end--
	case "done", "completed", "complete", "finished", "over", "started", "ready":
		if t.class(end-2)&Aux == 0 {
			return a
		}
		end--
	case "place":
		if w := t.word(end - 2); w != "takes" && w != "take" {
			return a
		}
		end -= 2
	default:
		return a
	}
	for end > a && (t.Toks[end-1].Class&(Aux|Negation) != 0 || t.word(end-1) == "to" || t.word(end-1) == "only") {
		end--
	}
	if end-a > 5 || end <= a || t.Toks[end-1].Class&(Subject|Det) != 0 &&
		!(end == a+1 && t.word(a) == "a" && t.Toks[a].Upper) || t.Toks[a].Class&Subject != 0 {
		return a
	}
	for i := a; i < end; i++ { // "the crew runs": someone acts
		if t.Toks[i].Kind != Word || t.Toks[i].Class&Role != 0 && i == end-1 || agent(t.word(i)) && i == end-1 {
			return a
		}
	}
	return end
}

// cutSimultaneous drops "in parallel" and "at the same time" from the end.
func (t *Text) cutSimultaneous(a, b int) int {
	for i := a + 1; i < b; i++ {
		if t.word(i) == "in" && t.word(i+1) == "parallel" ||
			t.word(i) == "at" && t.word(i+1) == "the" && t.word(i+2) == "same" ||
			t.word(i) == "simultaneously" || t.word(i) == "concurrently" {
			return i
		}
	}
	return b
}

func (t *Text) passive(a, v int) bool {
	for i := v - 1; i >= max(a, v-3); i-- {
		switch t.word(i) {
		case "is", "are", "be", "been", "gets", "get", "was", "were", "being":
			return true
		}
	}
	return v == a // "approved by the CFO"
}

// passiveStep turns "the request is approved by the manager" around.
func (t *Text) passiveStep(s *Step, base string, a, v, b int) {
	end := v
	for i := v - 1; i > a; i-- {
		if t.Toks[i].Class&Aux != 0 {
			end = i
		}
	}
	rest := b
	for i := v + 1; i < b; i++ {
		if t.word(i) == "by" {
			s.Owner, rest = t.owner(i+1, b), i
			break
		}
	}
	object := t.trimmed(a, end)
	switch c := t.class(a); {
	case end <= a:
	case end == a+1 && t.word(a) == "they":
		object = "them"
	case end == a+1 && c&Subject != 0:
		object = strings.ToLower(object)
	case c&(Det|Plural) != 0 || PluralForm(t.word(a)) &&
		t.Src[t.Toks[a].Start:t.Toks[a].End] != strings.ToUpper(t.word(a)):
		object = strings.ToLower(object[:1]) + object[1:]
	}
	s.object = object
	s.Name = Capital(strings.Join(strings.Fields(base+" "+object+" "+t.trimmed(v+1, rest)), " "))
}

// owner reads a subject: no article, no auxiliary, no pronoun.
func (t *Text) owner(a, b int) string {
	for a < b && t.Toks[a].Class&(Det|Mark) != 0 {
		a++
	}
	for i := a; i < b; i++ { // "QA has to", "the manager must also", "legal quickly"
		if c := t.Toks[i].Class; c&(Aux|Negation) != 0 && c&Role == 0 || t.Toks[i].Word == "to" ||
			t.Toks[i].Word == "also" || t.Toks[i].Kind == Dash {
			b = i
			break
		}
	}
	for b > a && (adverb(t.word(b-1)) || t.word(b-1) == "finally" || t.word(b-1) == "next") {
		b--
	}
	if b-a == 1 && t.Toks[a].Class&Subject != 0 {
		if t.word(a) != "it" || t.Src[t.Toks[a].Start:t.Toks[a].End] != "IT" {
			return ""
		}
	}
	if b-a > 6 {
		return ""
	}
	return t.trimmed(a, b)
}

// Approves reports that a text names a step that approves or authorises.
func (t *Text) Approves() bool { return t.step(0, len(t.Toks)).Approves }

// approval reports a step without a verb that is one: "CFO approval".
func (t *Text) approval(a, b int) bool {
	if a < b && assents(t.trimmed(a, b)) {
		return true
	}
	for i := a; i < b; i++ {
		switch t.word(i) {
		case "approval", "approvals", "authorisation", "authorization", "signoff":
			return true
		case "sign":
			if t.word(i+1) == "off" {
				return true
			}
		}
	}
	return false
}

// assents reports a word of another language that approves.
func assents(text string) bool { return assenting.In(strings.ToLower(text)) }

// foreignStep names a step in a language without grammar: the text itself, less the
// subject if a known verb follows it.
func (t *Text) foreignStep(s *Step, a, b int) {
	for a < b && t.joiner(t.word(a)) {
		a++
	}
	s.Name = Capital(t.trimmed(a, b))
	v := t.foreignVerb(a, b)
	if v < 0 {
		s.Approves = t.approval(a, b) // "presupuesto: aprobar"
		return
	}
	s.base = unelided(t.word(v))
	s.Approves = approving.has(s.base)
	end := v
	if v == a && v+1 < b && heAbroad.has(t.word(v+1)) && !nominative.has(t.word(v+2)) {
		// "dann schreibt sie das Rezept"
		s.object = t.trimmed(v+2, b)
		s.Name = Capital(strings.TrimSpace(t.word(v) + " " + s.object))
		return
	}
	if v == a && (t.Lang == German || t.Lang == Dutch) { // "dann prüft die Buchhaltung die Rechnung"
		for end++; end < b && t.class(end)&Function != 0; end++ {
		}
		for end < b && t.Toks[end].Kind == Word && !t.Toks[end].Upper && t.Lang == German && end+1 < b &&
			t.Toks[end+1].Upper && t.class(end)&Function == 0 {
			end++
		}
		end = min(end+1, b)
		s.Owner = t.article(v+1, end)
		s.object = t.trimmed(end, b)
	} else {
		s.Owner, s.object = t.article(a, v), t.trimmed(v+1, b)
	}
	if s.Owner != "" {
		s.Name = Capital(strings.TrimSpace(t.word(v) + " " + s.object))
	}
}

// article returns a noun phrase without its article, or "" for a pronoun.
func (t *Text) article(a, b int) string {
	for a < b && t.class(a)&Function != 0 {
		a++
	}
	for b > a && t.class(b-1)&Function != 0 { // "el gerente la aprueba"
		b--
	}
	if b-a > 5 {
		return ""
	}
	return unelided(t.trimmed(a, b))
}

// elided reports a word that an article or a pronoun is part of: l'horloger.
func elided(w string) bool { return strings.IndexByte(w, '\'') == 1 }

// unelided takes that off: "l'approuve".
func unelided(w string) string {
	if elided(w) {
		return w[2:]
	}
	return w
}

// foreignVerb finds a verb of processes in the languages without grammar, or -1.
func (t *Text) foreignVerb(a, b int) int {
	if w := t.word(a); (t.Lang == German || t.Lang == Dutch) && a+1 < b && len(w) > 3 && w[len(w)-1] == 't' &&
		!t.Toks[a].Upper &&
		t.class(a)&Function == 0 && t.class(a+1)&Function != 0 {
		return a // "dann bereinigt der Analyst …": the verb comes second
	}
	for i := a; i < b; i++ {
		if w := t.word(i); t.Toks[i].Kind == Word && t.lex.acts.has(unelided(w)) && !t.articled(a, i) {
			return i
		}
	}
	v := t.verbAfter(a)
	if t.known && v >= 0 && (v+1 < b && (t.class(v+1)&Det != 0 || elided(t.word(v+1))) ||
		v+1 == b && v == a+3 && (t.class(v-1)&Det != 0 || itAbroad.has(t.word(v-1)))) {
		return v // "le mécanicien répare le vélo", "el perro las junta"
	}
	return -1
}

// articled reports an article before i: "la firma" is a noun, but not after a subject:
// "el gerente la firma".
func (t *Text) articled(a, i int) bool {
	return i > a && t.class(i-1)&Det != 0 && (i < a+2 || t.class(i-2)&Function != 0 || t.lex.acts.has(t.word(i-2)))
}

// approves reports approve, authorise, sign off and their relatives.
func approves(t *Text, base string, v, b int) bool {
	switch base {
	case "approve", "authorise", "authorize", "greenlight", "countersign", "ratify", "endorse":
		return true
	case "sign":
		return v+1 < b && t.word(v+1) == "off"
	}
	return false
}

// Capital writes the first letter in upper case.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || !unicode.IsLower(r) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// everydayForm is a form of an everyday verb. comes marks verbs of things that
// come about by themselves.
type everydayForm struct {
	base  string
	form  Class
	comes bool
}

// everyday are verbs of stories as well as of processes: they name steps,
// but are no evidence of a process.
var everyday = func() map[string]everydayForm {
	m := map[string]everydayForm{}
	put := func(word, base string, form Class, comes bool) {
		if _, ok := m[word]; !ok && word != "-" {
			m[word] = everydayForm{base, form, comes}
		}
	}
	english := lexicons[English]
	for k, list := range [...]string{english.verbs["everyday"], english.verbs["happens"]} {
		for _, entry := range strings.Fields(list) {
			base, past, irregular := strings.Cut(entry, ":")
			regular, ing := english.pastAndIng(base)
			if !irregular {
				past = regular
			}
			put(base, base, VerbBase, k == 1)
			put(thirdPerson(base), base, VerbS, k == 1)
			put(past, base, VerbPast, k == 1)
			put(ing, base, VerbIng, k == 1)
		}
	}
	for _, f := range strings.Fields(english.verbs["participles"]) {
		form, base, _ := strings.Cut(f, ":")
		put(form, base, VerbPast, false)
	}
	m["goes"], m["does"] = everydayForm{"go", VerbS, true}, everydayForm{"do", VerbS, false}
	return m
}()

// subject reports an article, a noun and what may be its verb at i.
func (t *Text) subject(i int) bool { return t.verbAfter(i) >= 0 }

// verbAfter returns the word after an article and a noun at i that may be their
// verb, or -1.
func (t *Text) verbAfter(i int) int {
	switch {
	case t.class(i)&Det != 0:
		i += 2
	case elided(t.word(i)):
		i++
	default:
		return -1
	}
	if t.class(i)&Det != 0 || itAbroad.has(t.word(i)) && t.Lang != English { // "l'ufficio la verifica"
		i++
	}
	if i >= len(t.Toks) || t.Toks[i].Kind != Word || t.class(i)&(Function|Mark) != 0 || copulas.has(t.word(i)) {
		return -1
	}
	return i
}
