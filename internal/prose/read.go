package prose

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// files are the lexicons, one a language, and sets.txt and phrases.txt, see sets.go. Nothing
// else has to name a new file of lexicon. A line is a list of words, after the name of their
// kind and a colon; a line that begins with a space goes on with the one before, and # begins
// a comment:
//
//	Item+Core: stakeholder risk     these classes
//	mark then: afterwards           a marker, also in running text
//	phrase then: after_that         a marker in a text that is known to be a process
//	number 12 Vague: dozen          this number, and a class
//	count 1: one two three          numbers from there on
//	tens: twenty thirty             20, 30, … that a unit may follow
//	compound und: ein zwei          unit, "und" and each of the tens as one word
//	elided: uno due                 each of the tens and unit as one word (ventuno)
//	infinitives first: are ere ire  endings; "last" where an order has its verb last
//	compounds: genehmigung          the language has compounds; these begin an approval
//	acts, past, common: see Lexicon; verbs, doubled, …: see verbLists
//
//go:embed lexicon/*.txt sets.txt phrases.txt
var files embed.FS

// languages are the names of the files of lexicon, by Lang: first those with a constant.
var languages = func() []string {
	names := []string{"english", "spanish", "german", "french", "portuguese", "italian", "dutch"}
	list, err := files.ReadDir("lexicon")
	for _, f := range list {
		if name := strings.TrimSuffix(f.Name(), ".txt"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if err != nil || len(names) > maxLangs {
		panic(fmt.Sprintf("%d languages, room for %d; %v", len(names), maxLangs, err))
	}
	return names
}()

// classes are the names of classes in files.
var classes = map[string]Class{
	"Item": Item, "Core": Core, "Plural": Plural, "Measure": Measure, "Named": Named, "Process": Process,
	"Role": Role, "NumWord": NumWord, "Verb": Verb, "VerbPast": VerbPast, "Mark": Mark, "Negation": Negation,
	"Function": Function, "Det": Det, "Prep": Prep, "Share": Share,
	"Subject": Subject, "Aux": Aux, "Tens": Tens, "Vague": Vague, "Quality": Quality, "Greet": Greet, "Yes": Yes,
	"No": No, "Asks": Asks, "Explains": Explains, "Gives": Gives, "Edits": Edits, "Shows": Shows, "Enters": Enters,
	"Pastes": Pastes, "Listed": Listed, "Sheet": Sheet, "TableTool": TableTool, "MapTool": MapTool,
	"AnyTool": AnyTool, "Approval": Approval, "Never": Never, "Always": Always, "Closes": Closes,
	"Resumes": Resumes, "Everyday": Everyday,
}

// links are the names of markers in files.
var links = map[string]Link{"first": LinkFirst, "then": LinkThen, "before": LinkBefore, "after": LinkAfter,
	"while": LinkWhile, "if": LinkIf, "else": LinkElse}

// verbLists are the lists of Lexicon.verbs: the verbs of processes, those that double
// their last letter, past forms without a rule; and the same of everyday verbs.
var verbLists = []string{"verbs", "doubled", "irregular", "everyday", "happens", "participles"}

// readLexicons reads all files. They are part of the program: a fault is a bug, which
// the tests find.
func readLexicons() (all []*Lexicon) {
	for i, name := range languages {
		text, err := files.ReadFile("lexicon/" + name + ".txt")
		var l *Lexicon
		if err == nil {
			l, err = readLexicon(Lang(i), string(text))
		}
		if err != nil {
			panic(fmt.Sprintf("lexicon of %s: %v", name, err))
		}
		all = append(all, l)
	}
	return all
}

// readLexicon reads one file.
func readLexicon(lang Lang, text string) (*Lexicon, error) {
	l := newLexicon(lang)
	if err := eachLine(text, l.line); err != nil {
		return nil, err
	}
	if lang == English {
		l.finishEnglish()
	}
	return l, nil
}

// eachLine calls add with each line of a file: what comes before the colon, and the
// words.
func eachLine(text string, add func(head string, words []string) error) error {
	head, words := "", []string{}
	flush := func() error {
		if head == "" {
			return nil
		}
		return add(head, words)
	}
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "#"), strings.TrimSpace(line) == "":
			continue
		case !strings.HasPrefix(line, " "):
			if err := flush(); err != nil {
				return err
			}
			var ok bool
			if head, line, ok = strings.Cut(line, ":"); !ok {
				return fmt.Errorf("line %q has no colon", strings.TrimSpace(line))
			}
			words = nil
		}
		words = append(words, strings.Fields(line)...)
	}
	return flush()
}

// line adds the words of one line.
func (l *Lexicon) line(head string, words []string) error {
	list := strings.Join(words, " ")
	fields := strings.Fields(head)
	switch kind := fields[0]; {
	case kind == "mark" && len(fields) == 2:
		return l.marked(fields[1], func(k Link) { l.mark(k, list) })
	case kind == "phrase" && len(fields) == 2:
		return l.marked(fields[1], func(k Link) {
			for _, w := range words {
				first, _, _ := strings.Cut(w, "_")
				l.phrases[strings.ReplaceAll(w, "_", " ")], l.opens[first] = k, true
			}
		})
	case (kind == "number" || kind == "count") && len(fields) >= 2:
		return l.numbers(fields, words)
	case kind == "compound" && len(fields) == 2:
		l.compound(words, fields[1])
	case kind == "infinitives" && (head == "infinitives first" || head == "infinitives last"):
		l.infinitives, l.verbLast = words, fields[1] == "last"
	case len(fields) > 1:
		return fmt.Errorf("unknown list %q", head)
	case kind == "tens":
		l.tens = words
		for n, w := range words {
			l.number(20+10*n, Tens, w)
		}
	case kind == "elided":
		l.elided(words)
	case kind == "compounds":
		l.approvals = words
	case kind == "acts":
		l.acts = newSet(words)
	case kind == "common":
		l.common = words
	case slices.Contains(verbLists, kind):
		l.verbs[kind] = list
	default:
		c, err := ClassOf(kind)
		if err != nil {
			return err
		}
		l.add(c, list)
	}
	return nil
}

func (l *Lexicon) marked(name string, add func(Link)) error {
	k, ok := links[name]
	if !ok {
		return fmt.Errorf("unknown marker %q", name)
	}
	add(k)
	return nil
}

// numbers reads "number N [class]" and "count N".
func (l *Lexicon) numbers(fields, words []string) error {
	n, err := strconv.Atoi(fields[1])
	if err != nil {
		return err
	}
	var c Class
	if len(fields) > 2 {
		if c, err = ClassOf(fields[2]); err != nil {
			return err
		}
	}
	for i, w := range words {
		if fields[0] == "count" {
			l.number(n+i, c, w)
		} else {
			l.number(n, c, w)
		}
	}
	return nil
}

// ClassOf reads the names of classes: "Item+Core".
func ClassOf(names string) (c Class, err error) {
	for name := range strings.SplitSeq(names, "+") {
		one, ok := classes[name]
		if !ok {
			return 0, fmt.Errorf("unknown class %q", name)
		}
		c |= one
	}
	return c, nil
}

// compound adds unit + joint + ten as one word, for 21 to 99: fünfundzwanzig.
func (l *Lexicon) compound(units []string, joint string) {
	first := 1
	if joint == "ën" { // tweeëntwintig, drieëntwintig
		first = 2
	}
	for t, ten := range l.tens {
		for u, unit := range units {
			l.number(20+10*t+first+u, 0, unit+joint+ten)
		}
	}
}

// elided adds ten + unit as one word; before a vowel the ten loses its own: ventuno,
// ventotto.
func (l *Lexicon) elided(units []string) {
	for t, ten := range l.tens {
		for u, unit := range units {
			stem := ten
			if vowel(unit[0]) {
				stem = ten[:len(ten)-1]
			}
			l.number(20+10*t+u+1, 0, stem+unit)
			if unit == "tre" {
				l.number(20+10*t+u+1, 0, stem+"tré")
			}
		}
	}
}
