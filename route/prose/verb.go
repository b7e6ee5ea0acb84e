package prose

import (
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
		if prev.Class&Negation != 0 || prev.Kind != Word && prev.Mark != ')' || t.Toks[i].Hyphen && t.word(i-1) != "re" {
			continue
		}
		switch {
		case prev.Class&(Det|Prep) != 0 && prev.Word != "that" && prev.Word != "to" && prev.Word != "it" && prev.Word != "all" && prev.Word != "both":
		case prev.Word == "to" || prev.Class&(Subject|Aux) != 0:
			if c&VerbIng != 0 && prev.Class&Aux == 0 {
				continue
			}
			return i, true
		case c&VerbBase != 0:
			if prev.Class&(Role|Plural) != 0 || PluralForm(prev.Word) || prev.Word == "and" && i-1 > a || adverb(prev.Word) {
				return i, true
			}
		case c&VerbS != 0:
			if !(t.class(i+1)&(Aux|VerbS|VerbBase) != 0 && t.word(i+1) != "need") { // "the customer reviews are late"
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
	return i+1 < b && next&Aux != 0 || t.class(i)&Named != 0 && i+1 < b && t.Toks[i+1].Kind == Number
}

// VerbFirst reports whether a line begins with an order: "Collect the documents".
func (t *Text) VerbFirst() bool {
	i := 0
	for i < len(t.Toks) && (t.Toks[i].Kind != Word || t.word(i) == "please" || t.word(i) == "then") {
		i++
	}
	return i < len(t.Toks) && t.Toks[i].Class&VerbBase != 0 && !t.nominal(i, len(t.Toks)) && !t.Toks[min(i+1, len(t.Toks)-1)].Hyphen
}

// step names the step of tokens [a,b).
func (t *Text) step(a, b int) Step {
	for a < b && (t.word(a) == "and" || t.word(a) == "so" || t.word(a) == "please" || t.Toks[a].Kind == Dash && t.Toks[a].Mark == '-') {
		a++
	}
	s := Step{Raw: t.trimmed(a, b)}
	for i := a + 1; i < b; i++ { // the condition is the edge's, not the step's
		if w := t.word(i); w == "if" || w == "unless" {
			b = i
			break
		}
	}
	b = t.cutSimultaneous(a, b)
	v, ok := -1, false
	if t.Lang == English {
		v, ok = t.verb(a, b)
	}
	if !ok {
		s.Name = capital(t.trimmed(a, b))
		return s
	}
	base, _ := VerbBaseOf(t.word(v))
	s.Approves = approves(t, base, v, b)
	if t.Toks[v].Class&VerbPast != 0 && t.passive(a, v) {
		t.passiveStep(&s, base, a, v, b)
		return s
	}
	s.Owner = t.owner(a, v)
	s.Name = capital(strings.TrimSpace(base + " " + t.trimmed(v+1, b)))
	return s
}

// cutSimultaneous drops "in parallel" and "at the same time" from the end.
func (t *Text) cutSimultaneous(a, b int) int {
	for i := a + 1; i < b; i++ {
		if t.word(i) == "in" && t.word(i+1) == "parallel" || t.word(i) == "at" && t.word(i+1) == "the" && t.word(i+2) == "same" ||
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
	return false
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
	s.Name = capital(strings.Join(strings.Fields(base+" "+t.trimmed(a, end)+" "+t.trimmed(v+1, rest)), " "))
}

// owner reads a subject: no article, no auxiliary, no pronoun.
func (t *Text) owner(a, b int) string {
	for a < b && t.Toks[a].Class&(Det|Mark) != 0 {
		a++
	}
	for i := a; i < b; i++ { // "QA has to", "the manager must also", "legal quickly"
		if c := t.Toks[i].Class; c&(Aux|Negation) != 0 && c&Role == 0 || t.Toks[i].Word == "to" || t.Toks[i].Word == "also" || t.Toks[i].Kind == Dash {
			b = i
			break
		}
	}
	for b > a && adverb(t.word(b-1)) {
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

// approves reports approve, authorise, sign off and their relatives.
func approves(t *Text, base string, v, b int) bool {
	switch base {
	case "approve", "authorise", "authorize", "greenlight":
		return true
	case "sign":
		return v+1 < b && t.word(v+1) == "off"
	}
	return false
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || !unicode.IsLower(r) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
