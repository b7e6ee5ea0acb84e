package prose

import (
	"slices"
	"strings"
)

// finishEnglish adds the forms of the verbs. "issues", "orders" and "processes" are
// both verbs and plural nouns.
func (l *Lexicon) finishEnglish() {
	l.conjugate()
	for form, base := range l.base {
		if e, n := l.words[form], l.words[base]; e.class&VerbS != 0 && n.class&(Item|Process) != 0 {
			e.class |= n.class&(Item|Core|Process|Role) | Plural
			l.words[form] = e
		}
	}
}

// conjugate adds every form of the action verbs with the way back to the base.
func (l *Lexicon) conjugate() {
	put := func(form, base string, c Class) {
		l.add(c, form)
		if _, ok := l.base[form]; !ok {
			l.base[form] = base
		}
	}
	for _, v := range strings.Fields(l.verbs["verbs"]) {
		put(v, v, VerbBase)
		put(thirdPerson(v), v, VerbS)
		past, ing := l.pastAndIng(v)
		put(past, v, VerbPast)
		put(ing, v, VerbIng)
	}
	for _, f := range strings.Fields(l.verbs["irregular"]) {
		form, base, _ := strings.Cut(f, ":")
		put(form, base, VerbPast)
	}
}

func thirdPerson(v string) string {
	switch last := v[len(v)-1]; {
	case last == 'y' && !vowel(v[len(v)-2]):
		return v[:len(v)-1] + "ies"
	case last == 's' || last == 'x' || last == 'z' || strings.HasSuffix(v, "ch") || strings.HasSuffix(v, "sh"):
		return v + "es"
	}
	return v + "s"
}

func (l *Lexicon) pastAndIng(v string) (past, ing string) {
	n := len(v)
	switch last := v[n-1]; {
	case last == 'e':
		return v + "d", v[:n-1] + "ing"
	case last == 'y' && !vowel(v[n-2]):
		return v[:n-1] + "ied", v + "ing"
	case slices.Contains(strings.Fields(l.verbs["doubled"]), v):
		return v + v[n-1:] + "ed", v + v[n-1:] + "ing"
	}
	return v + "ed", v + "ing"
}

func vowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// VerbBaseOf returns the base form of an English action verb in any form.
func VerbBaseOf(form string) (string, bool) {
	b, ok := lexicons[English].base[form]
	return b, ok
}
