package intent

import (
	_ "embed"
	"strings"
	"unicode/utf8"
)

// concepts.txt says which words of several languages mean alike.
//
//go:embed concepts.txt
var conceptsText string

// concept is the number of a line of concepts.txt, or one of these.
type concept = uint8

const (
	noConcept concept = iota
	aNumber
	aComma
	aColon
	aQuestion
	aStop
	aBreak
	anArrow
	firstConcept
)

// What a hash is of.
const (
	wholeWord = 0x51ed270b
	stem      = 0x2545f491
)

// conceptTable finds the concept of a hash: open addressing, at most a third full.
type conceptTable struct {
	keys   [1 << 14]uint32
	values [1 << 14]concept
}

var known = readConcepts(conceptsText)

func readConcepts(text string) *conceptTable {
	t := &conceptTable{}
	next := firstConcept
	for line := range strings.Lines(text) {
		if line[0] == '#' || line[0] == ' ' {
			continue
		}
		_, words, _ := strings.Cut(line, ":")
		for word := range strings.FieldsSeq(words) {
			name, isStem := strings.CutSuffix(word, "*")
			hash := uint32(0)
			for _, c := range name {
				hash = join(hash, uint32(c))
			}
			if c, _ := utf8.DecodeRuneInString(name); isStem || dense(c) {
				t.put(hash^stem, next)
			} else {
				t.put(hash^wholeWord, next)
			}
		}
		next++
	}
	return t
}

func slot(hash uint32) uint32 { return hash * 0x9e3779b1 >> 18 }

func (t *conceptTable) put(hash uint32, c concept) {
	for i := slot(hash); ; i = (i + 1) % uint32(len(t.keys)) {
		if t.values[i] == noConcept {
			t.keys[i], t.values[i] = hash, c
			return
		}
		if t.keys[i] == hash {
			return
		}
	}
}

func (t *conceptTable) get(hash uint32) concept {
	for i := slot(hash); t.values[i] != noConcept; i = (i + 1) % uint32(len(t.keys)) {
		if t.keys[i] == hash {
			return t.values[i]
		}
	}
	return noConcept
}

// means notes a concept; its features follow at the end.
func (r *reader) means(c concept) {
	if c != noConcept && r.meant < len(r.concepts) {
		r.concepts[r.meant] = c
		r.meant++
	}
}

// denseWord notes the concept of the longest word at i, and returns the place after it, or i.
func (r *reader) denseWord(text string, i int) int {
	found, end, hash := noConcept, i, uint32(0)
	for n, at := 0, i; n < 5 && at < len(text); n++ {
		c, size := utf8.DecodeRuneInString(text[at:])
		if !dense(c) {
			break
		}
		hash = join(hash, uint32(c))
		at += size
		if m := known.get(hash ^ stem); m != noConcept {
			found, end = m, at
		}
	}
	r.means(found)
	return end
}

// meanings adds the concepts, and the pairs and threes of them that follow one another.
func (r *reader) meanings() {
	one, two := uint32(boundary), uint32(boundary)
	sentence := 0
	for i, c := range r.concepts[:r.meant] {
		now := uint32(c)
		r.add(meaning, now)
		r.add(meaning2, join(one, now))
		r.add(meaning3, join(join(two, one), now))
		two, one = one, now
		if (c == aStop || c == aQuestion || c == aBreak) && i < r.meant-1 {
			sentence = i + 1
		}
	}
	r.add(meaning2, join(one, boundary))
	for _, c := range r.concepts[sentence:r.meant] {
		r.add(meaningLast, uint32(c))
	}
}
