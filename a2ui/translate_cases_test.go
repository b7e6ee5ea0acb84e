package a2ui_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
)

var updateTranslations = flag.Bool("update-translations", false, "write what comes out of the translator into testdata")

// TestTranslateCases translates the streams of testdata/translate.txt. A case is
//
//	=== name → dialect
//	messages, one on each line
//	--
//	the translation, one on each line
//	--
//	losses: line, kind, component and path, words
func TestTranslateCases(t *testing.T) {
	t.Parallel()
	const file = "testdata/translate.txt"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, c := range strings.Split(string(raw), "=== ")[1:] {
		title, body, _ := strings.Cut(c, "\n")
		name, to, _ := strings.Cut(title, " → ")
		in, want, _ := strings.Cut(body, "--\n")
		d, err := a2ui.ParseDialect(to)
		if err != nil {
			t.Fatal(err)
		}
		var out, losses strings.Builder
		if err := a2ui.Translate(&out, strings.NewReader(in),
			a2ui.TranslatorOptions{To: d, Catalogs: map[string]string{"x": "y"}}, func(line int, l a2ui.Loss) {
				fmt.Fprintf(&losses, "%d %s %s%s: %s\n", line, l.What, l.Component, l.Path, l.Message)
			}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got := out.String() + "--\n" + losses.String()
		if diff := cmp.Diff(want, got); diff != "" && !*updateTranslations {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		fmt.Fprintf(&all, "=== %s\n%s--\n%s", title, in, got)
	}
	if *updateTranslations {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
