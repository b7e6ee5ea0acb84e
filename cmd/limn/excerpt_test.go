package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/limn-ui/limn/a2ui"
	"pgregory.net/rapid"
)

// TestExcerpt: an excerpt fits, and the caret stands below what the column names.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := []byte(rapid.StringOfN(rapid.SampledFrom([]rune("ab\"{}日é\x00\t\x1b\u0301")), 0, 400, -1).Draw(t, "line"))
		column := rapid.IntRange(1, len(line)+1).Draw(t, "column")
		wide := rapid.IntRange(16, 120).Draw(t, "wide")
		for column <= len(line) && !utf8.RuneStart(line[column-1]) {
			column--
		}
		text, caret := excerpt(line, column, wide)
		if columns(text) > wide {
			t.Fatalf("%q has %d columns, want at most %d", text, columns(text), wide)
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
		if len(rest) == 0 || rest[0] != []rune(clean(string(want)))[0] {
			t.Fatalf("the caret stands before %q, want %q", string(rest), want)
		}
	})
}

// TestPlaceOfIndented: a column counts from the beginning of the line.
func TestPlaceOfIndented(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"{}\n\t  {\"a\":1}\n", "{}\n   [{\"a\":1}]\n"} {
		for p := range newSource(strings.NewReader(in)).pieces() {
			if got := placeOf(p, a2ui.Problem{Line: 1, Column: 6}); p.line == 2 && got.column != strings.Index(in, "1")-2 {
				t.Errorf("%q: column %d, text %q", in, got.column, got.text)
			}
		}
	}
}

// TestPlaceOf: a place inside a document has the line of the document.
func TestPlaceOf(t *testing.T) {
	t.Parallel()
	text := []byte("[\n  {\n    \"a\": 1,\n    \"b\": 2\n  }\n]")
	at := bytes.IndexByte(text, '{')
	p := piece{raw: text[at : len(text)-2], text: text, at: at, line: 2}
	got := placeOf(p, a2ui.Problem{Line: 3, Column: 5})
	if got.line != 4 || got.column != 5 || string(got.text) != `    "b": 2` {
		t.Errorf("got %d:%d %q", got.line, got.column, got.text)
	}
	got = placeOf(p, a2ui.Problem{Line: 1, Column: 1})
	if got.line != 2 || got.column != 3 {
		t.Errorf("got %d:%d %q", got.line, got.column, got.text)
	}
}
