package prose

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// actor cuts a clause of a language without a Lexicon after its subject: by the particle
// in Korean and Japanese, else by the verb. Without a subject, who is empty.
func (t *Text) actor(clause string) (who, what string) {
	if at := strings.IndexAny(clause, "がは"); at > 0 && len(clause) > at+len("が") {
		return clause[:at], strings.TrimLeft(clause[at+len("が"):], "、， ")
	}
	words := strings.Fields(clause)
	for i, w := range words[:max(0, min(len(words)-1, 3))] {
		for _, particle := range [...]string{"께서", "이", "가", "은", "는"} {
			if name, ok := strings.CutSuffix(w, particle); ok && name != "" {
				return strings.Join(append(words[:i:i], name), " "), strings.Join(words[i+1:], " ")
			}
		}
	}
	if len(words) == 1 {
		return hanActor(clause)
	}
	if at := t.verbAhead(words); at > 0 {
		return strings.Join(words[:at], " "), strings.Join(words[at:], " ")
	}
	return "", clause
}

// hanActor finds the subject before the first verb of a Chinese clause: 由采购部下单. A
// clause that begins with a verb orders something, unless the verb is part of a name:
// 设计师.
func hanActor(clause string) (who, what string) {
	text := strings.TrimPrefix(clause, "由")
	_, size := utf8.DecodeRuneInString(text)
	verb := len(text)
	for _, v := range hanVerbs {
		if after, ok := strings.CutPrefix(text, v); ok {
			if r, _ := utf8.DecodeRuneInString(after); !strings.ContainsRune("员員师師人部商者组組官长長处處", r) {
				return "", clause
			}
		}
		if at := strings.Index(text[size:], v); at >= 0 {
			verb = min(verb, size+at)
		}
	}
	who = text[:verb]
	if at := strings.IndexAny(who, "把对將将向给給先再就需并負负"); at > 0 {
		who, verb = who[:at], at
	}
	if verb == len(text) { // without a verb that is known, the role ends the subject: 厨师切菜
		verb = len(roleAhead(text))
		who = text[:verb]
	}
	if verb == 0 || verb == len(text) || utf8.RuneCountInString(who) > 8 {
		return "", clause
	}
	return who, text[verb:]
}

// roleAhead returns the role that a Chinese clause begins with, or "".
func roleAhead(clause string) string {
	n := 0
	for i, c := range clause {
		if n++; n > 4 {
			break
		}
		end := i + utf8.RuneLen(c)
		if slices.ContainsFunc(hanRoles, func(role string) bool { return strings.HasSuffix(clause[:end], role) }) {
			return clause[:end]
		}
	}
	return ""
}

// finite has the endings of the third person in languages without a Lexicon, the letters
// that show the language, and whether its verb comes last.
var finite = []struct {
	letters string
	ends    []string
	not     []string // endings of words that are none, or order something
	last    bool
}{
	{"бгджзиклнпртфцчшщыьюя", []string{"ет", "ёт", "ит", "ют", "ят", "ут", "ется", "ётся", "ится", "утся", "ются", "є", "ує"}, nil, false},
	{"ğışöüç", []string{"ar", "er", "ır", "ir", "ur", "ür", "iyor", "ıyor", "uyor", "üyor"},
		[]string{"lır", "lir", "lur", "lür", "nır", "nir", "nur", "nür"}, true},
	{"ąęłńśźż", []string{"a", "e", "i"}, []string{"ego", "na", "owa"}, false},
}

// verbAhead returns the index of the first word after the subject, or 0.
func (t *Text) verbAhead(words []string) int {
	for _, f := range finite {
		verb := func(w string) bool {
			end := func(e string) bool { return strings.HasSuffix(w, e) }
			return slices.ContainsFunc(f.ends, end) && !slices.ContainsFunc(f.not, end)
		}
		switch {
		case !strings.ContainsAny(t.Src, f.letters):
		case f.last && len(words) > 2 && verb(words[len(words)-1]):
			return 1
		case !f.last && !strings.HasSuffix(words[0], "ć") && !strings.HasSuffix(words[0], "ть"):
			for i := 1; i < min(len(words), 4); i++ {
				if verb(words[i]) {
					return i
				}
			}
		}
	}
	return 0
}
