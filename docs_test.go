package limn_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestREADME holds the README and docs/tools.md to what runs: their programs are
// examples.
func TestREADME(t *testing.T) {
	t.Parallel()
	readme := read(t, "README.md")
	program := read(t, "examples/hello/main.go")
	if _, body, _ := strings.Cut(program, "package main"); !strings.Contains(readme, "package main"+body) {
		t.Error("the program in README.md is not examples/hello/main.go")
	}
	program = strings.TrimSpace(read(t, "examples/orders/main.go"))
	if _, body, _ := strings.Cut(program, "package main"); !strings.Contains(read(t, "docs/tools.md"), "```go\npackage main"+body+"\n```") {
		t.Error("the program in docs/tools.md is not examples/orders/main.go")
	}
}

// TestLinks follows every relative link of the documents.
func TestLinks(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	adrs, err := filepath.Glob("docs/adr/*.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
	for _, f := range append(append(files, adrs...), "README.md", "CONTRIBUTING.md", "CHANGELOG.md") {
		for _, m := range link.FindAllStringSubmatch(read(t, f), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(f), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", f, m[1])
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTour holds the programs of docs/a2ui.md to examples that run.
func TestTour(t *testing.T) {
	t.Parallel()
	tour := strings.ReplaceAll(read(t, "a2ui/tour_test.go"), "\n\t", "\n") // without the indent of a function
	blocks := regexp.MustCompile("(?s)```go\n(.*?)\n```").FindAllStringSubmatch(read(t, "docs/a2ui.md"), -1)
	if len(blocks) < 7 {
		t.Errorf("%d programs", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(tour, "{\n"+b[1]+"\n}\n") {
			t.Errorf("no example of a2ui/tour_test.go is\n%s", b[1])
		}
	}
}
