package svg

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths are in tenths of a pixel, as integers: the same on every machine.
const px = 10

// Sizes of text.
const (
	nameSize  = 14 * px
	smallSize = 12 * px
)

// asciiAdvance are the widths of the characters from ' ' to '~' in hundredths of the
// size, of Arial and fonts with the same metrics.
var asciiAdvance = [...]int{
	28, 28, 35, 56, 56, 89, 67, 19, 33, 33, 39, 58, 28, 33, 28, 28,
	56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 28, 28, 58, 58, 58, 56,
	102, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78,
	67, 78, 72, 67, 61, 72, 67, 94, 67, 67, 61, 28, 28, 28, 47, 56,
	33, 56, 56, 50, 56, 56, 28, 56, 56, 22, 22, 50, 22, 83, 56, 56,
	56, 56, 33, 50, 28, 56, 50, 72, 50, 50, 50, 33, 26, 33, 58,
}

// width is about how long a text of that size is, rather too long: the font a
// client has is unknown.
func width(s string, size int) int {
	sum := 0
	var before rune
	for _, r := range s {
		if before != joiner { // a joined sequence is drawn as one
			sum += advance(r)
		}
		before = r
	}
	return sum * size / 100 * 106 / 100
}

func advance(r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return asciiAdvance[r-' ']
	case unicode.Is(unicode.Mn, r), r == joiner, r == '\u200b', r >= 0xFE00 && r <= 0xFE0F:
		return 0
	case r >= 0x1F000, r >= 0x2600 && r < 0x2800:
		return 130 // emoji
	case r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul),
		r >= 0x3000 && r < 0x3040, r >= 0xFF00 && r < 0xFF61:
		return 102
	case unicode.IsUpper(r):
		return 78
	}
	return 62
}

// wrap breaks a text into lines no longer than most; what does not fit on the
// last line ends in "…".
func wrap(s string, size, most, lines int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(s) {
		if joined := strings.TrimSpace(line + " " + word); width(joined, size) <= most {
			line = joined
			continue
		}
		if line != "" {
			out = append(out, line)
		}
		for width(word, size) > most {
			head := fit(word, size, most)
			out, word = append(out, head), word[len(head):]
		}
		line = word
	}
	if line != "" {
		out = append(out, line)
	}
	if len(out) > lines {
		last := out[lines-1]
		for last != "" && width(last+"…", size) > most {
			_, n := utf8.DecodeLastRuneInString(last)
			last = last[:len(last)-n]
		}
		out = append(out[:lines-1:lines-1], strings.TrimSpace(last)+"…")
	}
	return out
}

// fit is the longest start of s that fits, one character at least; marks stay with
// their base character, and joined characters stay together.
func fit(s string, size, most int) string {
	end := 0
	var before rune
	for i, r := range s {
		if i > 0 && advance(r) > 0 && before != joiner {
			if end > 0 && width(s[:i], size) > most {
				return s[:end]
			}
			end = i
		}
		before = r
	}
	if end == 0 {
		return s
	}
	return s[:end]
}

const joiner = '\u200d'
