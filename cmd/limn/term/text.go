package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Clip shortens a text to 80 characters.
func Clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}

// Clean makes a text of a stranger harmless for a terminal.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsPrint(r) {
			return r
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return utf8.RuneError
	}, s)
}

// Excerpt returns the part of a line around a byte column that fits into wide
// columns, with … where it was cut, and the column of the caret below it.
func Excerpt(line []byte, column, wide int) (string, int) {
	at := min(column-1, len(line))
	before := Clean(string(tail(line[:at], 4*wide)))
	after := Clean(string(line[at:min(len(line), at+4*wide)]))
	left, cutLeft := keepLast(before, max(wide*3/5, wide-Columns(after)-2))
	cutLeft = cutLeft || at > 4*wide
	room := wide - Columns(left) - 2
	right, cutRight := KeepFirst(after, room)
	cutRight = cutRight || len(line) > at+4*wide
	if cutLeft {
		left = "…" + left
	}
	if cutRight {
		right += "…"
	}
	return left + right, Columns(left)
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// KeepFirst returns as many characters as fit into wide columns.
func KeepFirst(s string, wide int) (string, bool) {
	used := 0
	for i, r := range s {
		if used += columnsOf(r); used > wide {
			return s[:i], true
		}
	}
	return s, false
}

// keepLast is keepFirst from the end.
func keepLast(s string, wide int) (string, bool) {
	used, i := 0, len(s)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if used += columnsOf(r); used > wide {
			return s[i:], true
		}
		i -= n
	}
	return s, false
}

// Columns is how wide a terminal draws s.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	if unicode.Is(unicode.Mn, r) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Count writes "1 message" or "2 messages".
func Count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
