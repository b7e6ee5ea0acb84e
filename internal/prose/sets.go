package prose

import "strings"

// wordSet is a set of lower-case words. Most words are ruled out by their first byte
// and length, without a look at the map.
type wordSet struct {
	words   map[string]struct{}
	lengths [256]uint32 // by first byte: bit n is set for words of n bytes, 31 for longer ones
}

func newSet(words []string) *wordSet {
	s := &wordSet{words: make(map[string]struct{}, len(words))}
	for _, w := range words {
		s.words[w] = struct{}{}
		s.lengths[w[0]] |= 1 << min(len(w), 31)
	}
	return s
}

func (s *wordSet) has(w string) bool {
	if s == nil || w == "" || s.lengths[w[0]]&(1<<min(len(w), 31)) == 0 {
		return false
	}
	_, ok := s.words[w]
	return ok
}

// Parts are words that a text may contain anywhere, by their first byte.
type Parts [256][]string

func newParts(words []string) *Parts {
	p := &Parts{}
	for _, w := range words {
		p[w[0]] = append(p[w[0]], w)
	}
	return p
}

// In reports that the text contains one of the words.
func (p *Parts) In(text string) bool {
	for i := range len(text) {
		if p.Begin(text[i:]) {
			return true
		}
	}
	return false
}

// Begin reports that the text begins with one of the words.
func (p *Parts) Begin(text string) bool {
	if text == "" {
		return false
	}
	for _, w := range p[text[0]] {
		if strings.HasPrefix(text, w) {
			return true
		}
	}
	return false
}

// sets are the words of sets.txt, which rules look for in any language.
var sets = readSets("sets.txt")

var (
	abbreviations = set("abbreviation")
	agents        = set("agent")
	approving     = set("approves")
	assenting     = newParts(sets["assent"])
	approximates  = set("approximate")
	backs         = set("back")
	companies     = set("company")
	conditions    = set("condition")
	copulas       = set("copula")
	entering      = set("entering")
	finishedWords = set("finished")
	disjunctions  = set("disjunction")
	halves        = set("half")
	hanVerbs      = sets["hanverb"]
	hanRoles      = sets["hanrole"]
	heAbroad      = set("heAbroad")
	itAbroad      = set("itAbroad")
	nominative    = set("nominative")
	headers       = set("header")
	introducers   = set("introduces")
	labels        = set("label")
	lastJoints    = set("lastjoint")
	leaves        = set("leave")
	moments       = set("moment")
	months        = set("month")
	negatives     = set("negative")
	partitives    = set("partitive")
	singulars     = set("singular")
	sizeless      = set("sizeless")
	promises      = set("promises")
	stepWords     = set("step")
	things        = set("thing")
	weekdays      = set("weekday")
	foreignUnits  = sets["unit"]
)

// readSets reads a file of sets; a fault is a bug, which the tests find.
func readSets(file string) map[string][]string {
	all := map[string][]string{}
	text, err := files.ReadFile(file)
	if err == nil {
		err = eachLine(string(text), func(name string, words []string) error {
			for _, w := range words {
				all[name] = append(all[name], strings.ReplaceAll(w, "_", " "))
			}
			return nil
		})
	}
	if err != nil {
		panic("sets of words: " + err.Error())
	}
	return all
}

// Phrases returns what rules look for in texts of languages without a Lexicon, by rule.
func Phrases() map[string]*Parts {
	all := map[string]*Parts{}
	for rule, words := range readSets("phrases.txt") {
		all[rule] = newParts(words)
	}
	return all
}

// set returns the set of that name, which must not be empty.
func set(name string) *wordSet {
	if len(sets[name]) == 0 {
		panic("no words in the set " + name)
	}
	return newSet(sets[name])
}

// condition reports words that say which way a decision went.
func condition(w string) bool { return conditions.has(w) || negative(w) }

func negative(w string) bool { return negatives.has(w) }

func calendar(w string) bool { return months.has(w) || weekdays.has(w) }

// foreignUnit reports a unit of a language without a Lexicon: the word begins with
// one, or is one where it begins with a Latin letter.
func foreignUnit(w string) bool {
	for _, u := range foreignUnits {
		if strings.HasPrefix(w, u) && (w[0] >= 0x80 || w == u) {
			return true
		}
	}
	return false
}
