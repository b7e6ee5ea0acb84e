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
		"infinitives end: en\n":    `unknown list "infinitives end"`,
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

// TestLanguages: every file of lexicon is a language, and those with rules in code come first,
// in the order of their constants.
func TestLanguages(t *testing.T) {
	t.Parallel()
	list, err := files.ReadDir("lexicon")
	if err != nil || len(list) != len(languages) || len(lexicons) != len(languages) {
		t.Fatalf("%d files, %d languages, %d lexicons, %v", len(list), len(languages), len(lexicons), err)
	}
	for lang, name := range map[Lang]string{English: "english", Spanish: "spanish", German: "german",
		French: "french", Portuguese: "portuguese", Italian: "italian", Dutch: "dutch"} {
		if languages[lang] != name || lexicons[lang].lang != lang {
			t.Errorf("language %d is %s", lang, languages[lang])
		}
	}
	for lang, l := range lexicons {
		if len(l.common) == 0 {
			t.Errorf("%s: no line of common words, by which its texts are told", languages[lang])
		}
	}
}

// TestInfinitives: an order of a list has its verb where the file of the language says.
func TestInfinitives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		lang Lang
		want bool
	}{
		{"Antrag prüfen", German, true}, {"Prüfen Antrag", German, false}, {"Factuur boeken", Dutch, true},
		{"Revisar la factura", Spanish, true}, {"Controllare la fattura", Italian, true},
		{"La fattura controllare", Italian, false}, {"Antrag prüfen", English, true},
	} {
		text := readAs(c.line, c.lang)
		if got := text.infinitive(); got != c.want {
			t.Errorf("%q as %s: %v", c.line, languages[c.lang], got)
		}
	}
}
