package app

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/phrasing"
)

// maxWords bounds the words of one phrase or noun; maxCommand is how long a
// message can be, in bytes, and still be an order to open a form.
const (
	maxWords   = 12
	maxCommand = 500
)

// phrase is a way to ask for a form. Derived phrases are made from its name
// and title; they need a verb before ("add a customer"), "new", or "form" after.
type phrase struct {
	form    int
	words   []string
	derived bool
}

// formPhrases lists the phrases of all forms: the longest first, then declared
// before derived ones, then in order of declaration.
func formPhrases(forms []Form) []phrase {
	var out []phrase
	for i, f := range forms {
		for _, p := range f.Phrases {
			out = append(out, phrase{form: i, words: phrasing.Words(p)})
		}
		byName, byTitle := subject(strings.NewReplacer("_", " ", "-", " ").Replace(f.Name)), subject(f.Title)
		out = append(out, phrase{form: i, words: byName, derived: true})
		if !slices.Equal(byName, byTitle) {
			out = append(out, phrase{form: i, words: byTitle, derived: true})
		}
	}
	out = slices.DeleteFunc(out, func(p phrase) bool { return len(p.words) == 0 })
	slices.SortStableFunc(out, func(p, q phrase) int {
		if p.derived != q.derived && len(p.words) == len(q.words) {
			if p.derived {
				return 1
			}
			return -1
		}
		return len(q.words) - len(p.words)
	})
	return out
}

// subject is the thing that a title names: "New customer form" is about a customer.
func subject(title string) []string {
	words := phrasing.Words(title)
	for len(words) > 1 && (words[0] == "new" || verbs[words[0]] || determiners[words[0]]) {
		words = words[1:]
	}
	if n := len(words); n > 1 && words[n-1] == "form" {
		words = words[:n-1]
	}
	return words
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	// verbs make an order out of what follows them.
	verbs       = set("add create register enter record make insert")
	determiners = set("a an another the one new more my our")
	// leads are the words that may come before an order in its clause.
	leads = set(`please kindly hi hello hey ok okay well so now then also and just quickly actually i we you us me
		i'd i'll we'd we'll i've we've there's can could would will may might like love want wanna need have
		got to let let's help go ahead time it's a an another the new one my our this that open show start
		begin fill in out bring up give get display see pull launch use`)
	// tails may follow an order; anything else makes it about something longer
	// ("add a customer portal").
	tails = set(`please now today tomorrow again too then here thanks thank asap quickly named called for with record
		entry form`)
	// openers make the whole sentence a question or a condition.
	openers = set(`how what what's why when where who whom whose which if unless whether should shall is are was were
		am do does did has had suppose imagine`)
	denials = set("not no never nor neither dont wont cant cannot stop cancel avoid nevermind refuse")
)

// FormFor returns the form that a message asks for in so many words, without a
// model: "add a customer", "Please open the customer form". What opens a form
// is its Phrases, and what follows from its name and title: "add a <name>",
// "new <name>", "<title> form". A phrase counts as whole words of any case,
// where only words of politeness or of asking come before it in its clause
// and nothing after it that changes its object. A sentence with a negation, a
// question word or a condition opens no form ("don't add a customer",
// "how do I add a customer?"), nor does a message above 500 bytes: when in
// doubt the answer is no, and the message is for the model. A message that is
// one of the Phrases, word for word, and of several words is in no doubt. The
// words around a phrase are English; in other languages a phrase opens the form
// where it is a separate clause.
//
// The longest phrase wins, then the form declared first.
func (a *App) FormFor(message string) (Form, bool) {
	if len(message) > maxCommand {
		return Form{}, false
	}
	whole := phrasing.Words(message)
	declared := func(p phrase) bool { return !p.derived && len(whole) > 1 && slices.Equal(p.words, whole) }
	if i := slices.IndexFunc(a.phrases, declared); i >= 0 {
		return a.cfg.Forms[a.phrases[i].form], true
	}
	for _, sentence := range strings.FieldsFunc(message, isStop) {
		var clauses [][]string
		blocked := false
		for _, c := range strings.FieldsFunc(sentence, isBreak) {
			words := phrasing.Words(c)
			if len(words) == 0 {
				continue
			}
			blocked = blocked || openers[words[0]] || slices.ContainsFunc(words, denies)
			clauses = append(clauses, words)
		}
		if blocked {
			continue
		}
		for _, words := range clauses {
			if f, ok := ordered(a.phrases, words); ok {
				return a.cfg.Forms[f], true
			}
		}
	}
	return Form{}, false
}

// maxSuggested is how many suggestions an application gets that declares none.
const maxSuggested = 4

// Suggestions are what to type on an empty conversation: those of Config, or for
// an application without any, words that open its forms and tables.
func (a *App) Suggestions() []string {
	if len(a.cfg.Suggestions) > 0 {
		return a.cfg.Suggestions
	}
	var out []string
	for _, f := range a.cfg.Forms {
		say := "Open the " + strings.Join(subject(strings.NewReplacer("_", " ", "-", " ").Replace(f.Name)), " ") +
			" form"
		if len(f.Phrases) > 0 {
			say = f.Phrases[0]
		}
		if opened, ok := a.FormFor(say); ok && opened.Name == f.Name {
			out = append(out, say)
		}
	}
	for _, t := range a.cfg.Tables {
		if len(t.Nouns) > 0 {
			out = append(out, "We have 5 "+t.Nouns[0])
		} else if len(strings.Fields(t.Title)) <= 2 { // as routing finds it
			out = append(out, "Open a table for "+t.Title)
		}
	}
	return out[:min(len(out), maxSuggested)]
}

func isStop(r rune) bool  { return strings.ContainsRune(".!?\n\r…。！？", r) }
func isBreak(r rune) bool { return strings.ContainsRune(",;:()[]\"“”«»—–，、；：", r) }

func denies(word string) bool { return denials[word] || strings.HasSuffix(word, "n't") }

// ordered returns the form that one clause asks for.
func ordered(phrases []phrase, words []string) (form int, ok bool) {
	for _, p := range phrases {
		for i := 0; i+len(p.words) <= len(words); i++ {
			if slices.Equal(words[i:i+len(p.words)], p.words) && p.asks(words[:i], words[i+len(p.words):]) {
				return p.form, true
			}
		}
	}
	return 0, false
}

// asks reports whether a phrase between these words is an order.
func (p phrase) asks(before, after []string) bool {
	if len(after) > 0 && !tails[after[0]] {
		return false
	}
	if p.derived {
		n := len(before)
		for n > 0 && determiners[before[n-1]] {
			n--
		}
		ordered := slices.Contains(before[n:], "new") || len(after) > 0 && after[0] == "form"
		if n > 0 && verbs[before[n-1]] {
			ordered, n = true, n-1
		}
		if !ordered {
			return false
		}
		before = before[:n]
	}
	return !slices.ContainsFunc(before, func(w string) bool { return !leads[w] })
}
