package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestDocs runs the commands of documents: blocks marked with a file name are
// their files, "$ limn …" in a console block prints what follows; with "!" it
// fails.
func TestDocs(t *testing.T) {
	t.Parallel()
	model := httptest.NewServer(http.HandlerFunc(qwen)) // where docs/models.md says 127.0.0.1:8000
	t.Cleanup(model.Close)
	host := strings.TrimPrefix(model.URL, "http://")
	for name, least := range map[string]int{"decide": 5, "models": 5, "eval": 2, "howto/catalog": 2,
		"howto/first-app": 2, "howto/webhook": 1} {
		page, err := os.ReadFile("../../docs/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		script, commands := docScript(string(page))
		if commands < least {
			t.Fatalf("%s: only %d commands are found", name, commands)
		}
		dir := t.TempDir()
		script = strings.ReplaceAll(script, "127.0.0.1:8000", host)
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)+".txtar"), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		if raced {
			continue // its commands are counted; they run without the race detector
		}
		testscript.Run(t, testscript.Params{Dir: dir,
			Cmds: map[string]func(*testscript.TestScript, bool, []string){"prints": prints}})
	}
}

// TestTutorial: each command within a sentence of the tutorial is a whole one.
func TestTutorial(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("`(?:[A-Z_]+=[^ `]+ )*\\./limn ([^`]+)`").FindAllStringSubmatch(string(page), -1)
	if len(commands) < 5 {
		t.Fatalf("only %d commands are found", len(commands))
	}
	for _, m := range commands {
		parser, err := kong.New(&command{}, kong.Name("limn"), variables(), kong.PostBuild(longHelp))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(strings.Fields(m[1])); err != nil {
			t.Errorf("limn %s: %v", m[1], err)
		}
	}
}

// docScript makes one script of a page.
func docScript(page string) (all string, commands int) {
	var script, files strings.Builder
	for _, block := range regexp.MustCompile("(?ms)^```([a-z]+)( [^\n]+)?\n(.*?)^```$").FindAllStringSubmatch(page,
		-1) {
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
			to := "stdout"
			if failing, ok := strings.CutPrefix(command, "! "); ok {
				fmt.Fprint(&script, "! ")
				command, to = failing, "stderr"
			}
			fmt.Fprintf(&script, "exec %s\nprints %s want%d\n", command, to, commands)
			fmt.Fprintf(&files, "-- want%d --\n%s\n", commands, strings.TrimSuffix(want, "\n"))
		}
	}
	return script.String() + files.String(), commands
}

// prints compares what was printed with a file, times aside.
func prints(ts *testscript.TestScript, _ bool, args []string) {
	got, want := ts.ReadFile(args[0]), timeless(ts.ReadFile(args[1]))
	if args[0] == "stderr" { // of a command that fails, after what it printed
		got = ts.ReadFile("stdout") + got
	}
	got = timeless(got)
	if diff := cmp.Diff(want, got); diff != "" {
		ts.Fatalf("%s (-want +got):\n%s", args[1], diff)
	}
}

// timeless blanks the columns of tables that are headed p50 ms and p95 ms.
func timeless(text string) string {
	var from, to int
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if at := strings.Index(line, "p50 ms"); at >= 0 {
			from = utf8.RuneCountInString(line[:at])
			to = from + utf8.RuneCountInString("p50 ms  p95 ms")
			continue
		}
		if row := []rune(line); to > 0 && len(row) >= to {
			lines[i] = string(row[:from]) + string(row[to:])
		} else {
			to = 0
		}
	}
	return strings.Join(lines, "\n")
}
