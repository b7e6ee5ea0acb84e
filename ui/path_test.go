package ui

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParsePath(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 506) // with /draft 513 bytes
	for _, c := range []struct {
		in   string
		want Path // "" = refused
		warn bool // and refused when strict
	}{
		{"/draft/name", "/draft/name", false}, {"/ui_state/progress", "/ui_state/progress", false}, {"/committed/form", "/committed/form", false},
		{"name", "/draft/name", true}, {"address/city", "/draft/address/city", true}, {"draft/name", "/draft/name", true}, {"draft", "/draft/draft", true},
		{"/draft/a~1b/~0", "/draft/a~1b/~0", false}, {"/draft/1/2/3/4/5/6/7", "/draft/1/2/3/4/5/6/7", false},
		{"/draft/" + long[:505], Path("/draft/" + long[:505]), false}, {long[:505], Path("/draft/" + long[:505]), true},
		{"/draft/" + long, "", false}, {long, "", false}, {strings.Repeat("a", 512), "", false}, // one over, also by the prefix
		{"/draft/1/2/3/4/5/6/7/8", "", false}, {"", "", false}, {"/", "", false}, {"/draft", "", false}, {"/draft/", "", false}, {"/draft//a", "", false},
		{"/other/a", "", false}, {"/draft/~2", "", false}, {"/draft/~", "", false}, {"/draft/..", "", false}, {"/draft/-", "", false}, {"/draft/__proto__", "", false},
		{"/draft/a\x00", "", false}, {"/draft/a\x7f", "", false}, {"/draft/\xff", "", false}, {"/draft/$rows", "", false}, {"constructor", "", false},
	} {
		p, w, err := ParsePath(c.in, false)
		if p != c.want || (err == nil) != (c.want != "") || (w != nil) != c.warn {
			t.Errorf("ParsePath(%.40q) = %q, %v, %v", c.in, p, w, err)
		}
		if err != nil && CodeOf(err) != codePathInvalid || w != nil && (w.Code != codePathSegments || w.Hint == "") {
			t.Errorf("ParsePath(%.40q): %v, %v", c.in, w, err)
		}
		p, w, err = ParsePath(c.in, true)
		if w != nil || (err == nil) != (c.want != "" && !c.warn) || err == nil && p != c.want {
			t.Errorf("strict ParsePath(%.40q) = %q, %v, %v", c.in, p, w, err)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s         string
		key, name bool
	}{
		{"a", true, true}, {"a-b_9", true, true}, {"form:x", false, true}, {strings.Repeat("a", 64), true, true}, {strings.Repeat("a", 65), false, false},
		{"", false, false}, {"A", false, false}, {"9a", false, false}, {"a b", false, false}, {"é", false, false}, {"constructor", false, true},
	} {
		if ValidKey(c.s) != c.key || ValidName(c.s) != c.name {
			t.Errorf("%q: key %v, name %v", c.s, ValidKey(c.s), ValidName(c.s))
		}
	}
	for _, c := range []struct {
		id string
		ok bool
	}{
		{"form:a#e=1", true}, {"a#e=4294967295", true}, {"a#e=4294967296", false}, {"a#e=0", false}, {"a#e=01", false}, {"a#e=+1", false}, {"a", false}, {"A#e=1", false}, {"a#e=1#e=2", false}, {"", false},
	} {
		n, e, err := ParseWireID(c.id)
		if (err == nil) != c.ok || c.ok && WireID(n, e) != c.id {
			t.Errorf("ParseWireID(%q) = %q, %d, %v", c.id, n, e, err)
		}
	}
	for _, c := range []struct {
		id   string
		want KeyPath
	}{
		{"c#main/name:TextField", "main/name"}, {"c#main/rows/r1/!remove:Button", "main/rows/r1/!remove"}, {"c#:x", ""}, {"root", ""}, {"", ""}, {"c#main", ""},
	} {
		if got, ok := ParseComponentID(c.id); got != c.want || ok != (c.want != "") {
			t.Errorf("ParseComponentID(%q) = %q, %v", c.id, got, ok)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"/draft/a", "a/b", "/draft/a~1b", "~01", "", strings.Repeat("x", 510), "/draft/\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, w, err := ParsePath(s, false)
		if err != nil {
			return
		}
		again, w2, err := ParsePath(string(p), true)
		if err != nil || again != p || w2 != nil {
			t.Fatalf("%q gives %q, which gives %q, %v", s, p, again, err)
		}
		if strict, _, err := ParsePath(s, true); (err == nil) != (w == nil) || err == nil && strict != p {
			t.Fatalf("%q: strict %q, %v; lenient %q, %v", s, strict, err, p, w)
		}
		if PathOf(p.Segments()...) != p || len(p) > 512 || !utf8.ValidString(string(p)) {
			t.Fatalf("%q is not canonical", p)
		}
	})
}
