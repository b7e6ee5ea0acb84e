package app_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// TestTranslate holds docs/howto/translate.md to what its applications say.
func TestTranslate(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../docs/howto/translate.md")
	if err != nil {
		t.Fatal(err)
	}
	var apps []*app.App
	for block := range strings.SplitSeq(string(doc), "```") {
		if text, ok := strings.CutPrefix(block, "yaml\n"); ok {
			a, err := app.Load("app.yaml", []byte(text))
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			apps = append(apps, a)
		}
	}
	for _, c := range []struct {
		app            int
		lang, key, say string
	}{
		{0, "de", "submit.done", "Danke, wir melden uns."}, {0, "fr", "page.send", "Senden"},
		{1, "", "submit.done", "Thanks!"}, {1, "en", "page.send", "Send"}, {1, "de", "submit.done", "Danke!"},
		{1, "de", "page.send", "Senden"}, {1, "nl", "page.send", "Versturen"}, {1, "nl", "page.stop", "Stop the answer"},
		{1, "nl", "page.lang", "nl"}, {1, "fr", "page.send", "Send"},
	} {
		if got := apps[c.app].In(c.lang).Config().Words.Say(c.key); got != c.say {
			t.Errorf("app %d in %q: %s is %q, want %q", c.app, c.lang, c.key, got, c.say)
		}
	}
}

// TestLanguages: which languages an app has, and what of them is refused.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg  app.Config
		want []string // languages; nil: the path of the error
		path string
	}{
		"none":            {app.Config{}, ui.WordLanguages(), ""},
		"words of one":    {app.Config{Words: ui.Words{"page.lang": "nl"}}, []string{"nl"}, ""},
		"two":             {app.Config{Languages: []string{"de", "pt-BR"}}, []string{"de", "pt-BR"}, ""},
		"no tag":          {app.Config{Languages: []string{"German"}}, nil, "languages[0]"},
		"twice":           {app.Config{Languages: []string{"de", "de"}}, nil, "languages[1]"},
		"not declared":    {app.Config{Translations: map[string]ui.Words{"nl": {}}}, nil, "words.nl"},
		"no key":          {app.Config{Translations: map[string]ui.Words{"de": {"button.go": "Los"}}}, nil, "words.de.button.go"},
		"the first twice": {app.Config{Translations: map[string]ui.Words{"en": {"button.go": "Go"}}}, nil, "words.en.button.go"},
	} {
		c.cfg.Name = "shop"
		a, err := app.New(c.cfg)
		if c.want == nil {
			if e := ui.AsError(err, "", ""); err == nil || e.Path != c.path {
				t.Errorf("%s: %v, want a fault at %s", name, err, c.path)
			}
		} else if err != nil || !slices.Equal(a.Config().Languages, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
