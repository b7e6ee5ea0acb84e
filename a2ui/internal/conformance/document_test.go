package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	suites := loadSuites(t, sharedConformance)
	page := document(suites)
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
func document(suites map[string][]*testCase) []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Conformance\n")
	line("Written by `go test ./a2ui/internal/conformance -run Conformance -update`; the same test without -update fails when a run gives something else.")
	line("`go test ./a2ui/... -run Conformance -v` prints one line a case. The data is not part of the project: `A2UI_CONFORMANCE_DIR` and")
	line("`A2UI_SPEC_DIR` name its folders (default `../shared/conformance` and `../shared/spec` beside the checkout).\n")
	line("## Cases of the A2UI project\n")
	line("Optional cases are contradictory, about a screen, or bound to the words of another SDK: they are run and reported, and fail nothing.\n")
	line("| suite | passed | failed | skipped | optional |")
	line("|---|---:|---:|---:|---:|")
	var passed, failed, skipped, optional int
	var failures, skips []string
	for _, name := range sortedKeys(suites) {
		list := runSuite(suites[name])
		line("| %s | %d | %d | %d | %d |", name, count(list, "pass"), count(list, "fail"), count(list, "skip"),
			count(list, "optional"))
		passed, failed = passed+count(list, "pass"), failed+count(list, "fail")
		skipped, optional = skipped+count(list, "skip"), optional+count(list, "optional")
		for _, r := range list {
			switch r.kind {
			case "fail":
				failures = append(failures, fmt.Sprintf("- `%s/%s`", name, r.name))
			case "skip":
				skips = append(skips, fmt.Sprintf("- `%s/%s`: %s", name, r.name, r.note))
			}
		}
	}
	line("| **all** | **%d** | **%d** | **%d** | **%d** |\n", passed, failed, skipped, optional)
	if len(failures) > 0 {
		line("Failed:\n\n%s\n", strings.Join(failures, "\n"))
	}
	line("## Skipped, with what the specification says\n")
	if len(skips) == 0 {
		skips = []string{"None."}
	}
	line("%s\n", strings.Join(skips, "\n"))
	documentSpec(line)
	return b.Bytes()
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
}
