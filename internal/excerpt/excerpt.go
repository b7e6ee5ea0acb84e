// Package excerpt shortens text, to a number of bytes or characters, and puts it on
// one line.
//
// In: text of any length. Out: its beginning, never half a character.
// Callers: packages that quote or keep text that others wrote.
package excerpt

import (
	"strings"
	"unicode"
)

// Of returns s, or if it is longer than n bytes, Head of it followed by "…".
func Of(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Head(s, n) + "…"
}

// Head returns s, or if it is longer than n bytes, the whole characters among
// its first n; bytes that are none go too.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// Runes returns s, or if it is longer than n characters, its first n followed by "…".
func Runes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// Line returns s on one line: a space for each run of white space, control
// characters and marks that turn the direction of text.
func Line(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
	}), " ")
}
