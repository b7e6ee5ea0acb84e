package words

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var named = regexp.MustCompile(`\{[a-z]+\}`)

// TestLanguages: every language says all that English says, about the same things.
func TestLanguages(t *testing.T) {
	t.Parallel()
	english := In(English)
	keys := slices.Sorted(maps.Keys(english))
	for _, lang := range Languages {
		own := In(lang)
		for _, key := range slices.Sorted(maps.Keys(own)) {
			if _, ok := english[key]; !ok {
				t.Errorf("%s: %s is no key of English", lang, key)
			}
		}
		for _, key := range keys {
			text, ok := own[key]
			if !ok || strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s has no text", lang, key)
			}
			if got, want := names(text), names(english[key]); !slices.Equal(got, want) {
				t.Errorf("%s: %s fills in %q, want %q", lang, key, got, want)
			}
		}
		if !slices.ContainsFunc(strings.Split(own["heard.help"], " | "), func(phrase string) bool {
			return strings.Contains(strings.ToLower(own["help.hint"]), strings.ToLower(phrase))
		}) {
			t.Errorf("%s: help.hint names no phrase of heard.help", lang)
		}
		if own["page.lang"] != lang {
			t.Errorf("%s: page.lang is %q", lang, own["page.lang"])
		}
		if n := len(strings.Fields(own["page.months"])); n != 12 {
			t.Errorf("%s: page.months has %d names", lang, n)
		}
		at := time.Date(2026, 11, 9, 16, 30, 0, 0, time.UTC)
		for key, want := range map[string]time.Time{"page.date": at, "page.day": at.Truncate(24 * time.Hour)} {
			if back, err := time.Parse(own[key], at.Format(own[key])); err != nil || !back.Equal(want) {
				t.Errorf("%s: %s gives %s, %v", lang, key, back, err)
			}
		}
		if !regexp.MustCompile(`^1.234.5$`).MatchString(own["page.number"]) {
			t.Errorf("%s: page.number is %q, no way to write 1234.5", lang, own["page.number"])
		}
	}
	if In("tlh") != nil {
		t.Error("texts of a language without a file")
	}
}

// names are the names in braces of a text, each once.
func names(text string) []string {
	list := named.FindAllString(text, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// TestFiles: each file is a language, English first. No line of a file is passed over, and
// no key is there twice.
func TestFiles(t *testing.T) {
	t.Parallel()
	entries, err := files.ReadDir(".")
	if err != nil || len(entries) != len(Languages) {
		t.Fatalf("%d files for %d languages, %v", len(entries), len(Languages), err)
	}
	if Languages[0] != English || !slices.IsSorted(Languages[1:]) {
		t.Errorf("languages %v", Languages)
	}
	for _, lang := range Languages {
		if !regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]+)*$`).MatchString(lang) {
			t.Errorf("%s.txt is not named by the tag of a language, such as pt or zh-Hant", lang)
		}
	}
	line := regexp.MustCompile(`^(|#.*|[a-zA-Z0-9_.*]+ = \S.*)$`)
	for _, lang := range Languages {
		data, err := files.ReadFile(lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for l := range strings.Lines(string(data)) {
			if l = strings.TrimSuffix(l, "\n"); !line.MatchString(l) || l != strings.TrimRight(l, " ") {
				t.Errorf("%s: %q is no line of such a file", lang, l)
			}
			if l != "" && l[0] != '#' {
				n++
			}
		}
		if n != len(In(lang)) {
			t.Errorf("%s: %d lines for %d keys", lang, n, len(In(lang)))
		}
	}
}
