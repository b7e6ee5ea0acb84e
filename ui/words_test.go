package ui_test

import (
	"testing"

	"github.com/limn-ui/limn/ui"
)

// TestWordsFingerprint: words that say something else have another fingerprint.
func TestWordsFingerprint(t *testing.T) {
	t.Parallel()
	seen := map[string]ui.Words{}
	for _, w := range []ui.Words{nil, {"page.lang": "de"}, {"page.lang": "fr"}, {"page.lang": "nl"}, {"a": "b"},
		{"a": "b", "c": "d"}, {"a": `b" "c" "d`}} {
		print := w.Fingerprint()
		if other, ok := seen[print]; ok {
			t.Errorf("%q and %q have the same", w, other)
		}
		seen[print] = w
	}
	if seen[ui.Words{}.Fingerprint()] != nil || (ui.Words{"c": "d", "a": "b"}).Fingerprint() != (ui.Words{"a": "b", "c": "d"}).Fingerprint() {
		t.Error("it differs for the same words")
	}
}
