package catalog_test

import (
	"errors"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui/catalog"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for pattern, names := range map[string]struct{ yes, no string }{
		"*.json":         {"a.json ab.json", "a.txt .json .a.json d/a.json"},
		"a*b*c":          {"abc aXbYc abbcc", "ab acb abcd"},
		"step[1-3].json": {"step1.json step3.json", "step4.json step.json step12.json"},
		"[!i]*":          {"visible v", "index .v"},
		"[^a-c]?":        {"dd d1", "ad d"},
		"**/*.json":      {"a.json d/a.json d/e/a.json", "a.txt .d/a.json d/.e/a.json"},
		"d/**":           {"d d/a d/e/f", "a e/d"},
		"**":             {"a a/b", ".a a/.b"},
		"a/**/b/**/c":    {"a/b/c a/x/b/y/z/c a/b/b/c", "a/c a/b a/b/x"},
		"{one,two}.json": {"one.json two.json", "three.json {one,two}.json"},
		"{a,b{c,d}}":     {"a bc bd", "b bcd"},
		"{a}":            {"{a}", "a"},
		".*":             {".a", "a"},
		"?":              {"a é", "ab / ."},
		"é[à-ü]":         {"éé", "ée"},
	} {
		for want, list := range map[bool]string{true: names.yes, false: names.no} {
			for name := range strings.FieldsSeq(list) {
				if got, err := catalog.Match(pattern, name); err != nil || got != want {
					t.Errorf("Match(%q, %q) = %v, %v", pattern, name, got, err)
				}
			}
		}
	}
	if _, err := catalog.Match(strings.Repeat("{a,b}", 7), "a"); err == nil {
		t.Error("128 patterns are no error")
	}
	if _, err := catalog.Match("[a", "[a"); !errors.Is(err, path.ErrBadPattern) {
		t.Errorf("a class that is not closed: %v", err)
	}
}

// Where both know a pattern, Match says what package path says.
func TestMatchAsPath(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`([ab/?*]|\[[ab]\]|\[^a-b\]){0,8}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[abc/]{0,8}`).Draw(t, "name")
		if strings.Contains(pattern, "**") {
			return
		}
		want, err := path.Match(pattern, name)
		if err != nil {
			return
		}
		if got, err := catalog.Match(pattern, name); err != nil || got != want {
			t.Fatalf("Match(%q, %q) = %v, %v; want %v", pattern, name, got, err, want)
		}
	})
}

// FuzzMatch: no pattern panics, and one without wildcards finds its own name only.
func FuzzMatch(f *testing.F) {
	f.Add("a/.b", "a/.b")
	f.Add("**/{a,b}*[!c-]?", "x/y/abc")
	f.Add("[", "[")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		got, err := catalog.Match(pattern, name)
		if plain := utf8.ValidString(pattern) && !strings.ContainsAny(pattern, `*?[]{}\`); plain && (err != nil || got != (pattern == name)) {
			t.Fatalf("%q finds %q: %v, %v", pattern, name, got, err)
		}
	})
}

var shelf = fstest.MapFS{
	"ex/b.json":       {Data: []byte("\n[2]\n")},
	"ex/a.json":       {Data: []byte("[1]")},
	"ex/note.txt":     {Data: []byte("no")},
	"ex/deep/c.json":  {Data: []byte("[3]")},
	"ex/.git/d.json":  {Data: []byte("[4]")},
	"ex/large/l.json": {Data: make([]byte, 1<<20+1)},
}

func TestLoadExamples(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		patterns []string
		want     string
	}{
		{[]string{"ex"}, "a b"},
		{[]string{"./ex/"}, "a b"},
		{[]string{"ex/*.json", "ex/b.json"}, "a b"},
		{[]string{"ex/{a,deep/c}.json"}, "a c"},
		{[]string{"ex/[!l]*/*.json"}, "c"},
		{[]string{"ex/*.txt"}, "note"},
		{[]string{""}, ""},
		{nil, ""},
		{[]string{"nowhere", "nowhere/*.json"}, ""},
	} {
		examples, err := catalog.LoadExamples(shelf, nil, c.patterns...)
		var names []string
		for _, e := range examples {
			names = append(names, e.Name)
		}
		if err != nil || strings.Join(names, " ") != c.want {
			t.Errorf("%v: %v, %v; want %s", c.patterns, names, err, c.want)
		}
	}
	examples, _ := catalog.LoadExamples(shelf, nil, "ex/b.json")
	if got, want := catalog.ExampleText(append(examples, examples...)),
		"---BEGIN b---\n[2]\n---END b---\n\n---BEGIN b---\n[2]\n---END b---"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLoadExamplesRefuses(t *testing.T) {
	t.Parallel()
	no := errors.New("no")
	if _, err := catalog.LoadExamples(shelf, func(e catalog.Example) error { return no }, "ex"); !errors.Is(err, no) ||
		!strings.Contains(err.Error(), "ex/a.json") {
		t.Errorf("a refused example: %v", err)
	}
	for _, pattern := range []string{"../ex/*.json", "/ex/*.json", "ex/large", strings.Repeat("{a,b}", 7)} {
		if _, err := catalog.LoadExamples(shelf, nil, pattern); err == nil {
			t.Errorf("%s is no error", pattern)
		}
	}
}
