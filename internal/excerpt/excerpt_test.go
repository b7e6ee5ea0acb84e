package excerpt

import "testing"

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s        string
		n        int
		of, head string
	}{
		{"", 0, "", ""},
		{"short", 5, "short", "short"},
		{"longer", 5, "longe…", "longe"},
		{"größer", 3, "gr…", "gr"},
		{"größer", 4, "grö…", "grö"},
		{"a\xffb", 3, "a\xffb", "a\xffb"},
		{"a\xffbc", 3, "ab…", "ab"},
		{"x", 0, "…", ""},
	} {
		if of, head := Of(c.s, c.n), Head(c.s, c.n); of != c.of || head != c.head {
			t.Errorf("%q, %d: %q and %q, want %q and %q", c.s, c.n, of, head, c.of, c.head)
		}
	}
}

func TestRunesAndLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s     string
		n     int
		runes string
	}{{"", 0, ""}, {"grün", 4, "grün"}, {"größer", 3, "grö…"}, {"x", 0, "…"}} {
		if got := Runes(c.s, c.n); got != c.runes {
			t.Errorf("Runes(%q, %d) = %q, want %q", c.s, c.n, got, c.runes)
		}
	}
	if got := Line(" a\r\n\tb\u202Ec\x00 d\xff "); got != "a b c d\uFFFD" {
		t.Errorf("Line: %q", got)
	}
}
