package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDocs runs the commands of docs/decide.md: blocks marked with a file name
// are its files, "$ limn …" in a console block prints what follows.
func TestDocs(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/decide.md")
	if err != nil {
		t.Fatal(err)
	}
	var script, files strings.Builder
	commands := 0
	for _, block := range regexp.MustCompile("(?ms)^```([a-z]+)( [^\n]+)?\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		kind, name, text := block[1], strings.TrimSpace(block[2]), block[3]
		if name != "" {
			fmt.Fprintf(&files, "-- %s --\n%s", name, text)
		}
		if kind != "console" {
			continue
		}
		for _, step := range strings.Split("\n"+text, "\n$ ")[1:] {
			command, want, _ := strings.Cut(step, "\n")
			commands++
			fmt.Fprintf(&script, "exec %s\ncmp stdout want%d\n", command, commands)
			fmt.Fprintf(&files, "-- want%d --\n%s\n", commands, strings.TrimSuffix(want, "\n"))
		}
	}
	if commands < 5 {
		t.Fatalf("only %d commands are found", commands)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "decide.txtar"), []byte(script.String()+files.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: dir})
}
