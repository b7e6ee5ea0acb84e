package prose

import (
	"strings"
	"testing"
)

func TestLexiconRefusesUnknownLists(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Itm: vendor\n":            `unknown class "Itm"`,
		"Item+Cor: vendor\n":       `unknown class "Cor"`,
		"mark later: afterwards\n": `unknown marker "later"`,
		"number x: dozen\n":        "invalid syntax",
		"number 2 Vage: pair\n":    `unknown class "Vage"`,
		"Item Core: vendor\n":      `unknown list "Item Core"`,
		"vendor supplier\n":        "has no colon",
	} {
		if _, err := readLexicon(Spanish, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestLexiconReadsLists(t *testing.T) {
	t.Parallel()
	l, err := readLexicon(German,
		"# a comment\nItem+Plural: kunden\n  verträge\ntens: zwanzig dreißig\ncompound und: ein\n"+
			"phrase then: im_anschluss\nmark first: zuerst\nnumber 12 Vague: dutzend\n")
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]entry{"kunden": {class: Item | Plural}, "verträge": {class: Item | Plural},
		"dreißig": {NumWord | Tens, 30}, "einunddreißig": {NumWord, 31}, "dutzend": {NumWord | Vague, 12},
		"zuerst": {class: Mark}} {
		if got := l.words[word]; got != want {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
	if l.phrases["im anschluss"] != LinkThen || l.marks["zuerst"] != LinkFirst {
		t.Errorf("phrases %v, marks %v", l.phrases, l.marks)
	}
}
