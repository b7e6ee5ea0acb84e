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
	line("Written by `go test ./a2ui/internal/conformance -run Conformance -update`; the same test without -update fails when a run gives something else.")
	line("`go test ./a2ui/... -run Conformance -v` prints one line a case. The data is not part of the project: `A2UI_CONFORMANCE_DIR` and")
	line("`A2UI_SPEC_DIR` name its folders (default `conformance`, `conformance-2026-10` and `spec` in `../shared` beside the checkout).\n")
	line("## Cases of the A2UI project\n")
	line("Optional cases are contradictory, about a screen, or bound to the words of another SDK: they are run and reported, and fail nothing.\n")
	var skips []string
	skips = append(skips, documentSuites(line, older)...)
	line("## Core cases of 2026-10-06\n")
	line("In the newest spelling of v1.0, with its moved catalog. Where the two sets contradict each other, this one wins: numbers may begin")
	line("with a sign or a point; who watches a value hears of changes alone; the union of a catalog's components has a discriminator.\n")
	skips = append(skips, documentSuites(line, newest)...)
	line("## Skipped, with what the specification says\n")
	line("%s\n", strings.Join(skips, "\n"))
	documentSpec(line)
	return b.Bytes()
}

// documentSuites writes a table of suites and returns a line for each skipped case.
func documentSuites(line func(string, ...any), suites map[string][]*testCase) (skips []string) {
	line("| suite | passed | failed | skipped | optional |")
	line("|---|---:|---:|---:|---:|")
	total := map[string]int{}
	var failures []string
	for _, name := range sortedKeys(suites) {
		list := runSuite(suites[name])
		for _, r := range list {
			total[r.kind]++
			switch r.kind {
			case "fail":
				failures = append(failures, fmt.Sprintf("- `%s/%s`", name, r.name))
			case "skip":
				skips = append(skips, fmt.Sprintf("- `%s/%s`: %s", name, r.name, r.note))
			}
		}
		line("| %s | %d | %d | %d | %d |", name, count(list, "pass"), count(list, "fail"), count(list, "skip"),
			count(list, "optional"))
	}
	line("| **all** | **%d** | **%d** | **%d** | **%d** |\n", total["pass"], total["fail"], total["skip"], total["optional"])
	if len(failures) > 0 {
		line("Failed:\n\n%s\n", strings.Join(failures, "\n"))
	}
	return skips
}

// documentSpec writes the part about the specification's own cases and examples.
func documentSpec(line func(string, ...any)) {
	line("## Test cases of the specification\n")
	line("What a schema takes or refuses, decoder and validator (profile Spec) take or refuse: server and client messages, streams, catalog documents.\n")
	line("| file | passed | failed |")
	line("|---|---:|---:|")
	passed, failed := 0, 0
	for _, folder := range specFolders {
		for _, file := range specFiles(folder.name, "test_cases") {
			list, err := runSpecFile(folder.dialect, file)
			if err != nil {
				list = []result{{kind: "fail"}}
			}
			line("| %s/%s | %d | %d |", folder.name, filepath.Base(file), count(list, "pass"), count(list, "fail"))
			passed, failed = passed+count(list, "pass"), failed+count(list, "fail")
		}
	}
	line("| **all** | **%d** | **%d** |\n", passed, failed)
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
