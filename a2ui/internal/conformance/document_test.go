package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

var update = flag.Bool("update", false, "write docs/conformance.md from this run")

// documentPath is the page that tells how a run went.
var documentPath = filepath.Join("..", "..", "..", "docs", "conformance.md")

// TestConformanceDocument compares docs/conformance.md with a run over the data
// beside the checkout, or writes it.
func TestConformanceDocument(t *testing.T) {
	if os.Getenv("A2UI_CONFORMANCE_DIR") != "" || os.Getenv("A2UI_SPEC_DIR") != "" {
		t.Skip("docs/conformance.md is about the data beside the checkout: unset A2UI_CONFORMANCE_DIR and A2UI_SPEC_DIR")
	}
	page := document(loadSuites(t, sharedConformance), loadSuites(t, newestConformance))
	if *update {
		if err := os.WriteFile(documentPath, page, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(documentPath)
	if err != nil || !bytes.Equal(have, page) {
		t.Errorf("docs/conformance.md is not what a run gives (%v): go test ./a2ui/internal/conformance -run Conformance -update", err)
	}
}

// document writes the page.
func document(older, newest map[string][]*testCase) []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Conformance\n")
	line("Written by `go test ./a2ui/internal/conformance -run Conformance -update`. `go test ./a2ui/... -run Conformance -v` prints one line a case.")
	line("`A2UI_CONFORMANCE_DIR` and `A2UI_SPEC_DIR` name the folders of the data (default `conformance`, `conformance-2026-10` and `spec` in")
	line("`../shared` beside the checkout).\n")
	line("## Published cases\n")
	line("The set of 2026-10-06 is in the newest spelling of v1.0. Where the two contradict each other, it wins: numbers may begin with a sign or a")
	line("point; who watches a value hears of changes alone; the union of a catalog's components has a discriminator. Optional cases are")
	line("contradictory, about a screen, or bound to the words of another SDK: they fail nothing.\n")
	line("| cases | passed | failed | skipped | optional |")
	line("|---|---:|---:|---:|---:|")
	notes := append(documentSuites(line, "A2UI project", older), documentSuites(line, "2026-10-06", newest)...)
	line("\nNot passed, with what the specification says:\n\n%s\n", strings.Join(notes, "\n"))
	documentSpec(line)
	return b.Bytes()
}

// documentSuites writes a row for each folder of suites and returns a line for each
// case that failed or was skipped.
func documentSuites(line func(string, ...any), set string, suites map[string][]*testCase) (notes []string) {
	folders := map[string][]result{}
	for _, name := range sortedKeys(suites) {
		folder, _, _ := strings.Cut(name, "/")
		list := runSuite(suites[name])
		folders[folder] = append(folders[folder], list...)
		for _, r := range list {
			if r.kind == "fail" || r.kind == "skip" {
				notes = append(notes, strings.TrimSuffix(fmt.Sprintf("- `%s/%s`: %s", name, r.name, r.note), ": "))
			}
		}
	}
	for _, folder := range sortedKeys(folders) {
		list := folders[folder]
		line("| %s, %s | %d | %d | %d | %d |", set, folder, count(list, "pass"), count(list, "fail"), count(list, "skip"),
			count(list, "optional"))
	}
	return notes
}

// documentSpec writes the part about the specification's own cases and examples.
func documentSpec(line func(string, ...any)) {
	line("## Test cases of the specification\n")
	line("What a schema takes or refuses, decoder and validator (profile Spec) take or refuse.\n")
	line("| version | passed | failed |")
	line("|---|---:|---:|")
	for _, folder := range specFolders {
		passed, failed := 0, 0
		for _, file := range specFiles(folder.name, "test_cases") {
			list, err := runSpecFile(folder.dialect, file)
			if err != nil {
				list = []result{{kind: "fail"}}
			}
			passed, failed = passed+count(list, "pass"), failed+count(list, "fail")
		}
		if passed+failed > 0 {
			line("| %s | %d | %d |", folder.dialect, passed, failed)
		}
	}
	line("")
	line("## Official examples\n")
	line("Each is decoded, validated (profile Spec) and processed by the renderer without a screen, with no fault; and it is read as model text,")
	line("between words, in chunks of 1, 2, 3, 4, 7, 16, 64 and 256 bytes and whole, with the same surfaces each time.\n")
	line("| version | passed | failed |")
	line("|---|---:|---:|")
	for _, folder := range specFolders {
		list := runExamples(folder.dialect, exampleFiles(folder.name))
		line("| %s | %d | %d |", folder.dialect, count(list, "pass"), count(list, "fail"))
	}
	list := runExamples(a2ui.V10Oct, movedExamples())
	line("| %s | %d | %d |", a2ui.V10Oct, count(list, "pass"), count(list, "fail"))
	documentTranslations(line)
}
