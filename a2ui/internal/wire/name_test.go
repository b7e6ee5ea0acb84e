package wire

import "testing"

func TestIsName(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"": false, "a": true, "_": true, "_1": true, "1a": false, "a-b": false, "a b": false, "@index": false, "ZürichSee9": true,
		"名前": true, "𝔘x": true, "a\u0301": true, "\u0301a": false, "a\u00b7": true, "\u037a": false, "a\u037a": false,
		"\u0e33": false, "a\u0e33": true, "\u2118x": true, "a\u203f": true, "\u203fa": false, "a\xff": false, "\u309b": false, "[": false, "`a": false, "{": false,
	} {
		if IsName(s) != want {
			t.Errorf("IsName(%q) = %v", s, !want)
		}
	}
}
