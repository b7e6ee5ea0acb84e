package term

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestExcerpt: an excerpt fits, and the caret stands below what the column names.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := []byte(rapid.StringOfN(rapid.SampledFrom([]rune("ab\"{}日é\x00\t\x1b\u0301")), 0, 400, -1).Draw(t,
			"line"))
		column := rapid.IntRange(1, len(line)+1).Draw(t, "column")
		wide := rapid.IntRange(16, 120).Draw(t, "wide")
		for column <= len(line) && !utf8.RuneStart(line[column-1]) {
			column--
		}
		text, caret := Excerpt(line, column, wide)
		if Columns(text) > wide {
			t.Fatalf("%q has %d columns, want at most %d", text, Columns(text), wide)
		}
		if strings.ContainsAny(text, "\x00\t\x1b\n") {
			t.Fatalf("%q has control characters", text)
		}
		left, used := text, 0
		for i, r := range text {
			if used >= caret && columnsOf(r) > 0 || used > caret {
				left = text[:i]
				break
			}
			used += columnsOf(r)
		}
		rest := []rune(text[len(left):])
		if column > len(line) {
			if len(rest) > 0 {
				t.Fatalf("the caret stands before %q, not at the end", string(rest))
			}
			return
		}
		want, _ := utf8.DecodeRune(line[column-1:])
		if columnsOf(want) == 0 {
			return // drawn over its neighbour
		}
		if len(rest) == 0 || rest[0] != []rune(Clean(string(want)))[0] {
			t.Fatalf("the caret stands before %q, want %q", string(rest), want)
		}
	})
}
