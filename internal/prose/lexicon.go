package prose

import (
	"slices"
	"strings"
)

// Class is a set of meanings a word can have. Words are ambiguous; rules look at
// neighbours.
type Class uint64

// The classes of words.
const (
	Item      Class = 1 << iota // a noun one collects: vendors, contracts
	Core                        // stakeholders, risks, issues: the nouns of the soft rule
	Plural                      // the plural form of an Item
	Measure                     // years, minutes, percent: a number before it is a dimension
	Named                       // ticket, row, step, page: a number after it is a name
	Process                     // process, workflow, procedure
	Role                        // finance, manager, CFO
	Negation                    // not, never, no, without
	Function                    // articles, prepositions, auxiliaries: never a noun
	Det                         // the, a, our, these
	Prep                        // of, for, with
	Share                       // across, in, per: what follows divides, it is not collected
	Subject                     // I, we, they
	Aux                         // be, have, do, modals
	VerbBase                    // review
	VerbS                       // reviews
	VerbPast                    // reviewed
	VerbIng                     // reviewing
	Mark                        // first, then, finally: see Lexicon.marks
	NumWord                     // a number word; Token.Num has the value
	Tens                        // twenty … ninety: a unit may follow
	Vague                       // some, several, few, many: no number
	Quality                     // adjectives: fast, cheap
	Greet                       // hello, thanks
	Yes                         // yes, sure
	No                          // no, later
	Asks                        // what, how: a question that wants words back
	Explains                    // explain, describe: an order that wants words back
	Gives                       // give, suggest, write: an order whose result flows to the user
	Edits                       // change, rename, delete
	Shows                       // show, open, use: actions on a tool
	Enters                      // enter, record, register: what users do with their items
	Pastes                      // paste, import, upload
	Listed                      // list, rows, names: nouns for pasted items
	Sheet                       // spreadsheet, CSV
	TableTool                   // table, grid
	MapTool                     // map, flowchart
	AnyTool                     // tool, form, popup
	Approval                    // approval, sign-off: with Process it names a process by itself
	Never                       // never, no more
	Always                      // always, from now on
	Closes                      // cancel, close
	Resumes                     // continue, resume
	Everyday                    // kids, coffees, bedrooms: counted in stories, never collected
)

// Verbal are the classes an infinitive can have beside its verb.
const Verbal = Shows | Enters | Pastes | Gives | Edits | Explains | Closes | Resumes | Verb

// Verb is any form of an action verb.
const Verb = VerbBase | VerbS | VerbPast | VerbIng

// Lang is a language with a Lexicon: an index of languages. Text in another language is read
// as English: the digit rules still hold.
type Lang uint8

// The languages that have rules in code. Any other needs only a file, see read.go.
const (
	English Lang = iota
	Spanish
	German
	French
	Portuguese
	Italian
	Dutch
)

// langSet has a bit for each language.
type langSet uint16

// maxLangs is how many languages a langSet can hold.
const maxLangs = 16

type entry struct {
	class Class
	num   int
}

// Lexicon is the knowledge about the words of one language.
type Lexicon struct {
	words map[string]entry
	marks map[string]Link
	base  map[string]string // verb form → base, English only
	lang  Lang

	opens   map[string]bool // the first words of phrases
	phrases map[string]Link // markers in texts that are known to be a process; not English
	acts    *wordSet        // what people do in processes, third person; not English
	common  []string        // frequent words, by which the language of a text is detected
	tens    []string        // twenty, thirty, …, for compounds

	infinitives []string          // the endings of infinitives; not English
	verbLast    bool              // an order in a list has its infinitive last: Antrag prüfen
	approvals   []string          // the language has compounds: those that begin so are approvals
	verbs       map[string]string // lists of the English verbs
}

func newLexicon(lang Lang) *Lexicon {
	return &Lexicon{words: map[string]entry{}, marks: map[string]Link{}, base: map[string]string{}, lang: lang,
		opens: map[string]bool{}, phrases: map[string]Link{}, verbs: map[string]string{}}
}

// add gives every word of a space separated list a class.
func (l *Lexicon) add(c Class, words string) {
	for _, w := range strings.Fields(words) {
		e := l.words[w]
		e.class |= c
		l.words[w] = e
	}
}

func (l *Lexicon) number(n int, c Class, words string) {
	for _, w := range strings.Fields(words) {
		e := l.words[w]
		e.class, e.num = e.class|NumWord|c, n
		l.words[w] = e
	}
}

func (l *Lexicon) mark(k Link, words string) {
	for _, w := range strings.Fields(words) {
		l.add(Mark, w)
		l.marks[w] = k
	}
}

// find returns the entry of a lower-case word. English forms without an entry are
// reduced: vendor's, vendors, supplies, boxes.
func (l *Lexicon) find(w string) entry {
	if e, ok := l.words[w]; ok {
		return e
	}
	if l.lang != English {
		return l.foreign(w)
	}
	w = strings.TrimSuffix(w, "'s")
	if e, ok := l.words[w]; ok {
		return e
	}
	if singular := Singular(w); singular != w {
		if e, ok := l.words[singular]; ok && e.class&(Item|Measure|Process|Named|Role) != 0 {
			plural := Plural
			return entry{class: e.class&(Item|Core|Measure|Process|Role) | plural}
		}
	}
	return entry{}
}

var unaccented = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u")

// foreign takes a word of another language apart: l'approbation has an elided
// article, Genehmigungsprozess is a compound that ends in its head.
func (l *Lexicon) foreign(w string) entry {
	if l.approvals == nil {
		for _, object := range [...]string{"me", "nos", "mi", "ci"} { // ábreme, aprimi: an order with its object
			if stem, ok := strings.CutSuffix(w, object); ok && len(stem) > 2 {
				if e := l.words[unaccented.Replace(stem)]; e.class&(Shows|Gives|Explains) != 0 {
					return e
				}
			}
		}
		if i := strings.LastIndexByte(w, '\''); i >= 0 {
			e := l.words[w[i+1:]]
			if l.lang == French && w[:i] == "n" { // n'affiche
				e.class |= Negation
			}
			return e
		}
		return entry{}
	}
	for i := 3; i+4 <= len(w); i++ {
		e := l.words[w[i:]]
		if e.class &= Item | Core | Plural | Process | TableTool | MapTool | Sheet | Measure; e.class == 0 {
			continue
		}
		if slices.ContainsFunc(l.approvals, func(stem string) bool { return strings.HasPrefix(w, stem) }) {
			e.class |= Approval
		}
		return entry{class: e.class}
	}
	return entry{}
}

// Singular strips an English plural ending; other words come back unchanged.
func Singular(w string) string {
	switch {
	case len(w) < 4 || w[len(w)-1] != 's' || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") ||
		strings.HasSuffix(w, "is"):
		return irregular[w]
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") ||
		strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "uses"):
		return w[:len(w)-2]
	}
	return w[:len(w)-1]
}

// irregular maps plurals without rule to their singular.
var irregular = map[string]string{"people": "person", "children": "child", "men": "man", "women": "woman",
	"criteria": "criterion",
	"data":     "", "ppl": "person", "skus": "sku", "kpis": "kpi", "pcs": "pc", "apis": "api", "ids": "id"}

// PluralForm reports whether an English word looks like a plural.
func PluralForm(w string) bool {
	s := Singular(w)
	return s != "" && s != w
}

// lexicons holds every language; it is built once and never changed.
var lexicons = readLexicons()

// voices has for each common word the languages it speaks for.
var voices = func() map[string]langSet {
	v := map[string]langSet{}
	for lang, l := range lexicons {
		for _, w := range l.common {
			v[w] |= 1 << lang
		}
	}
	return v
}()

// detect picks the language most of the common words speak for, of several the one that
// knows most words. One word alone ("on", "no") is no evidence against English.
func detect(toks []Token) Lang {
	var votes [maxLangs]int
	for i := range toks[:min(len(toks), 60)] {
		set := voices[toks[i].Word]
		if set == 0 {
			continue
		}
		weight := 1
		if len(toks[i].Word) >= 5 && set&(set-1) == 0 { // long, and of one language: "tenemos"
			weight = 2
		}
		for lang := range lexicons {
			votes[lang] += weight * int(set>>lang&1)
		}
	}
	best, all := English, langSet(1<<len(lexicons)-1)
	for lang, n := range votes {
		if n > max(1, votes[best]) {
			best = Lang(lang)
		}
	}
	if best == English && votes[English] < 2 {
		return detectByLexicon(toks, all)
	}
	var tied langSet
	for lang := range lexicons {
		if votes[lang] == votes[best] {
			tied |= 1 << lang
		}
	}
	if tied&(tied-1) != 0 {
		return max(best, detectByLexicon(toks, tied))
	}
	return best
}

// detectByLexicon serves short messages without any common word: "siebzehn",
// "Muéstrame una tabla". The language that knows most of the words has it;
// English wins ties. of are the languages that may be meant.
func detectByLexicon(toks []Token, of langSet) Lang {
	var known [maxLangs]int
	for i := range toks[:min(len(toks), 30)] {
		if toks[i].Kind != Word {
			continue
		}
		for lang, l := range lexicons {
			if of>>lang&1 == 0 {
				continue
			}
			if e := l.words[toks[i].Word]; e.class != 0 {
				known[lang]++
			} else if lang == int(English) && l.find(toks[i].Word).class != 0 {
				known[lang]++
			}
		}
	}
	best := English
	for lang, n := range known {
		if n > known[best] {
			best = Lang(lang)
		}
	}
	return best
}
