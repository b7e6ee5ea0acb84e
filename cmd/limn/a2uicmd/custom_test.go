package a2uicmd

import (
	"strings"
	"testing"
)

// TestPointed follows pointers into a document, as far as they lead.
func TestPointed(t *testing.T) {
	t.Parallel()
	doc := "{\n \"a\": {\"b\": [10, {\"c/d~\": 1}], \"b2\": 2},\n \"e\" : null\n}"
	for pointer, want := range map[string]string{
		"":              "{\n",
		"/a":            `"a": {`,
		"/a/b":          `"b": [`,
		"/a/b/0":        `10,`,
		"/a/b/1":        `{"c/d~"`,
		"/a/b/1/c~1d~0": `"c/d~": 1`,
		"/a/b2":         `"b2"`,
		"/e":            `"e" :`,
		"/e/x":          `"e" :`,
		"/a/nix/b":      `"a": {`,
		"/a/b/7":        `"b": [`,
		"nonsense":      "{\n",
	} {
		if got := doc[pointed([]byte(doc), pointer):]; !strings.HasPrefix(got, want) {
			t.Errorf("%q leads to %.12q, want %q", pointer, got, want)
		}
	}
}
