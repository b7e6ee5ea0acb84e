package a2uicmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

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
