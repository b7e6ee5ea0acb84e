package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/cmd/limn/term"
)

const operations = "../../docs/operations.md"

// TestOperations runs the commands of docs/operations.md, one after the other,
// on a store with one conversation. What they print is what stands there, but
// for ids, times, sizes and hashes.
func TestOperations(t *testing.T) {
	page, err := os.ReadFile(operations)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, id := seeded(t, dir, false)
	t.Chdir(dir)
	write(t, filepath.Join(dir, "ops.yaml"), opsApp)
	job := ""
	ran := 0
	for _, block := range regexp.MustCompile("(?ms)^```console\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		for _, step := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			line, want, _ := strings.Cut(step, "\n")
			line = strings.NewReplacer("$ID", id, "$JOB", job).Replace(line)
			args := strings.Fields(line)
			if args[0] != "limn" {
				t.Fatalf("%q is no command of this program", line)
			}
			ran++
			if args[1] == "serve" {
				serves(t, args[1:])
				continue
			}
			code, out, errs := limnRun(args[1:]...)
			if code != 0 || want != "" && alike(want) != alike(out) {
				t.Errorf("%s: exit status %d, %s\n%s", line, code, errs, cmp.Diff(alike(want), alike(out)))
			}
			if m := regexp.MustCompile(`(?m)^\S+/0`).FindString(out); m != "" {
				job = m
			}
		}
	}
	if ran < 8 {
		t.Errorf("only %d commands are found", ran)
	}
}

// alike leaves out of a text what is different each time.
func alike(s string) string {
	for _, one := range [][2]string{
		{`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, "<id>"},
		{`\b[0-9a-f]{32}\b`, "<hash>"},
		{`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z`, "<time>"},
		{`\d+\.\d+`, "<number>"},
		{`\d+ B\b`, "<size>"},
		{`the last: .*`, "the last: <reason>"},
		{` +`, " "},
		{` $`, ""},
	} {
		s = regexp.MustCompile("(?m)"+one[0]).ReplaceAllString(s, one[1])
	}
	return strings.TrimSpace(s)
}

// told is a writer that says when it has been told a text.
type told struct {
	text string
	seen strings.Builder
	done chan struct{}
}

func (w *told) Write(p []byte) (int, error) {
	if w.seen.Write(p); w.done != nil && strings.Contains(w.seen.String(), w.text) {
		close(w.done)
		w.done = nil
	}
	return len(p), nil
}

// serves runs a server until it says that it serves, and stops it.
func serves(t *testing.T, args []string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ready, ended := make(chan struct{}), make(chan int, 1)
	var errs strings.Builder
	go func() { // ends after stop
		ended <- run(ctx, args, term.Terminal{Out: &told{text: "Stop with Ctrl-C.", done: ready}, Err: &errs,
			Env: func(string) string { return "" }})
	}()
	select {
	case <-ready:
	case code := <-ended:
		t.Fatalf("limn %v: exit status %d, %s", args, code, &errs)
	case <-time.After(time.Minute):
		t.Fatalf("limn %v does not serve", args)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("limn %v: exit status %d, %s", args, code, &errs)
	}
}
