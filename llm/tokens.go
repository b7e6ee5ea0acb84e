package llm

// Tokens estimates how many tokens a model reads a text as, rather too many
// than too few: the tokenizers of current models differ among themselves, so
// no vocabulary is included. The benchmarks hold it against o200k.
func Tokens[T ~string | ~[]byte](text T) int {
	n := 0
	for i := 0; i < len(text); {
		class, j := classes[text[i]], i+1
		if class == upperClass && j < len(text) && classes[text[j]] == letterClass {
			class = letterClass // a capital goes with the word after it
		}
		for j < len(text) && classes[text[j]] == class {
			j++
		}
		n += class.tokens(j - i)
		i = j
	}
	return n
}

// charClass is a kind of bytes of which a run makes separate tokens.
type charClass uint8

const (
	markClass charClass = iota
	letterClass
	upperClass
	digitClass
	spaceClass
	breakClass
	wideClass // of characters beyond ASCII
	faceClass // the first of four, as most emoji have
)

// classes of all bytes.
var classes = func() (t [256]charClass) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = letterClass
		case c >= 'A' && c <= 'Z':
			t[c] = upperClass
		case c >= '0' && c <= '9':
			t[c] = digitClass
		case c == ' ':
			t[c] = spaceClass
		case c < ' ':
			t[c] = breakClass
		case c >= 0xf0:
			t[c] = faceClass
		case c >= 0x80:
			t[c] = wideClass
		}
	}
	return t
}()

// tokens of a run of n bytes.
func (c charClass) tokens(n int) int {
	switch c {
	case letterClass: // long words are rarely known as one
		return (n+5)/6 + max(0, n-8)/3
	case upperClass:
		return (n + 1) / 2
	case digitClass:
		return (n + 2) / 3
	case spaceClass: // one goes with the word after it
		return (n + 14) / 16
	case breakClass:
		return 1 + n/8
	case wideClass, faceClass:
		return (n + 3) / 4
	}
	return (n + 1) / 2 // marks often come in known pairs
}
