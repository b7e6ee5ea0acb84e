package intent

import (
	"unicode"
	"unicode/utf8"
)

// What is read of a message: its beginning and its end.
const (
	most = 2048 // bytes
	tail = 512
	long = 24 // runes of a word whose parts are features
)

// token is a word, a number, a mark or a line break.
type token struct {
	hash uint32
	ends bool // ends a sentence
}

// The kinds of features; a feature is the hash of its kind and its words.
const (
	unigram uint32 = iota + 1
	bigram
	part    // three to five letters of a word
	last    // a word of the last sentence
	first   // a word of the first of several
	closing // the mark at the end
	commas  // how many
	breaks  // how many lines
	length  // how many tokens
	numbers // how many
	asking  // how many question marks
	stops   // how many sentences
	meaning // a concept
	meaning2
	meaning3
	meaningLast // a concept of the last sentence
	boundary    = 0x9e3779b9
)

// Features returns the features of a text, for learning. Each is below Buckets.
func Features(text string) []uint32 {
	r := reader{keep: true}
	r.all(text)
	return r.kept
}

// reader finds the features of a text, and adds up their weights or keeps them.
type reader struct {
	tokens [512]token
	n      int // tokens
	counts [stops + 1]uint32

	concepts [256]concept
	meant    int // concepts
	after    int // the place after the last word of a dense script

	sums     [Classes]int32
	features int // how many
	keep     bool
	kept     []uint32
}

func (r *reader) add(kind, about uint32) {
	h := (about ^ kind*0x85ebca6b) * 0xcc9e2d51
	h ^= h >> 15
	h *= 0x1b873593
	h = (h ^ h>>16) % Buckets
	r.features++
	if r.keep {
		r.kept = append(r.kept, h)
		return
	}
	w := weights[header+int(Classes)*int(h):][:Classes]
	for c := range r.sums {
		r.sums[c] += int32(int8(w[c]))
	}
}

// all reads a whole text, or the beginning and the end of a long one.
func (r *reader) all(text string) {
	if len(text) > most {
		r.read(text[:cut(text, most-tail)])
		r.read(text[cut(text, len(text)-tail):])
	} else {
		r.read(text)
	}
	r.sequence()
	r.sentences()
	r.meanings()
	for kind := commas; kind <= stops; kind++ {
		r.add(kind, min(r.counts[kind], 8))
	}
}

// cut is the first place from i on where a rune begins.
func cut(text string, i int) int {
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

func join(a, b uint32) uint32 { return (a<<5 | a>>27) ^ b*0x01000193 }

func (r *reader) push(hash uint32, ends bool) {
	if r.n < len(r.tokens) {
		r.tokens[r.n] = token{hash, ends}
		r.n++
	}
}

// read splits a text into tokens, in lower case, and adds the parts of its words.
func (r *reader) read(text string) {
	r.after = 0
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsDigit(c):
			i = r.number(text, i)
			continue
		case dense(c):
			if i >= r.after {
				r.after = r.denseWord(text, i)
			}
			r.push(uint32(c), false)
		case unicode.IsLetter(c) || unicode.IsMark(c):
			i = r.word(text, i)
			continue
		case c == '\n':
			r.counts[breaks]++
			r.means(aBreak)
			r.push('\n', true)
		case unicode.IsSpace(c):
		default:
			switch c {
			case ',', '、', '，', '،':
				r.counts[commas]++
				r.means(aComma)
			case '?', '？', '؟':
				r.counts[asking]++
				r.means(aQuestion)
			case ':', '：':
				r.means(aColon)
			case '>', '→':
				r.means(anArrow)
			case '.', '!', '。', '！':
				r.means(aStop)
			}
			r.push(uint32(c), ends(c))
		}
		i += size
	}
}

func ends(c rune) bool {
	switch c {
	case '.', '!', '?', ';', '。', '！', '？', '؟', '।':
		return true
	}
	return false
}

// dense reports a letter of a script that writes no spaces or long words.
func dense(c rune) bool {
	return c >= 0x3040 && c <= 0x30ff || c >= 0x3400 && c <= 0x9fff || c >= 0xac00 && c <= 0xd7a3
}

// word reads a word from i on, and returns the place after it.
func (r *reader) word(text string, i int) int {
	var letters [long + 2]uint32
	letters[0] = '<'
	n, hash := 1, uint32(0)
	elided, found := uint32(0), noConcept
	for i < len(text) {
		c, size := utf8.DecodeRuneInString(text[i:])
		if c == '’' {
			c = '\''
		}
		if c == '\'' {
			if next, _ := utf8.DecodeRuneInString(text[i+size:]); !unicode.IsLetter(next) {
				break
			}
		} else if !unicode.IsLetter(c) && !unicode.IsMark(c) || dense(c) {
			break
		}
		c = unicode.ToLower(c)
		hash = join(hash, uint32(c))
		if elided = join(elided, uint32(c)); c == '\'' {
			elided = 0
		}
		if m := known.get(elided ^ stem); m != noConcept {
			found = m
		}
		if n <= long {
			letters[n] = uint32(c)
			n++
		}
		i += size
	}
	for _, whole := range [2]uint32{elided, hash} {
		if m := known.get(whole ^ wholeWord); m != noConcept {
			found = m
		}
	}
	r.means(found)
	r.push(hash, false)
	if n <= 3 {
		return i
	}
	letters[n] = '>'
	for a := 0; a+2 <= n; a++ {
		h := join(join(0, letters[a]), letters[a+1])
		for b := a + 2; b <= min(a+4, n); b++ {
			h = join(h, letters[b])
			r.add(part, h)
		}
	}
	return i
}

// number reads digits from i on, and returns the place after them. Its token is how
// large the number is.
func (r *reader) number(text string, i int) int {
	n, digits, marks := 0, 0, false
	for i < len(text) {
		c, size := utf8.DecodeRuneInString(text[i:])
		if c == '.' || c == ',' || c == ':' {
			if next, _ := utf8.DecodeRuneInString(text[i+1:]); !unicode.IsDigit(next) {
				break
			}
			marks = true
		} else if !unicode.IsDigit(c) {
			break
		} else if digits++; digits < 9 {
			n = n*10 + int(c&15)
		}
		i += size
	}
	size := uint32(5)
	switch {
	case marks:
		size = 6
	case digits == 4 && (n/100 == 19 || n/100 == 20):
		size = 7
	case n < 2:
		size = uint32(n)
	case n < 5:
		size = 2
	case n < 10:
		size = 3
	case n < 100:
		size = 4
	}
	r.counts[numbers]++
	r.means(aNumber)
	r.push(1+size, false)
	return i
}

// sequence adds every token, and every pair of neighbours.
func (r *reader) sequence() {
	before := uint32(boundary)
	for _, t := range r.tokens[:r.n] {
		r.add(unigram, t.hash)
		r.add(bigram, join(before, t.hash))
		before = t.hash
	}
	r.add(bigram, join(before, boundary))
	r.counts[length] = uint32(r.n / 6)
}

// sentences adds the words of the first and of the last sentence.
func (r *reader) sentences() {
	end := r.n
	for end > 0 && r.tokens[end-1].ends {
		end--
	}
	if end < r.n {
		r.add(closing, r.tokens[r.n-1].hash)
	}
	start := end
	for start > 0 && !r.tokens[start-1].ends {
		start--
	}
	for _, t := range r.tokens[start:end] {
		r.add(last, t.hash)
	}
	for i, t := range r.tokens[:end] {
		if t.ends {
			r.counts[stops]++
		}
		if r.counts[stops] == 0 && start > 0 && i < start {
			r.add(first, t.hash)
		}
	}
}
