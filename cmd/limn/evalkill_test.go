package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestEvalGoesOn stops a run with Ctrl-C and with kill -9, and lets it go on:
// every trial is made and kept once.
func TestEvalGoesOn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program; run without -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("there is no Ctrl-C to send to one process on Windows")
	}
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	state, file := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "s.yaml")
	if err := os.WriteFile(file, []byte("scenarios: [{name: a, user: hi, answer: {text: Hello.}}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	// stopped runs until it says how far it is, and sends a signal.
	stopped := func(sig os.Signal) (rest string, code int) {
		t.Helper()
		cmd := exec.Command(bin, "eval", "directives", "--models", "sim:good", "--scenarios", file, "--trials", "2000",
			"--state", state)
		said, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			rest += lines.Text() + "\n"
			if sig != nil && strings.Contains(lines.Text(), "of 2000 trials, ") {
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				sig = nil
			}
		}
		cmd.Wait() //nolint:errcheck // the code says it
		return rest, cmd.ProcessState.ExitCode()
	}
	count := func() int {
		data, err := os.ReadFile(state)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(data, []byte("\n")) - 1
	}
	said, code := stopped(os.Interrupt)
	first := count()
	if code != 1 || !strings.Contains(said, "the same command goes on where "+state+" ends") || first < 200 ||
		first >= 2000 {
		t.Fatalf("after Ctrl-C: code %d, %d results\n%s", code, first, said)
	}
	said, code = stopped(os.Kill)
	second := count()
	if code == 0 || second <= first || second >= 2000 {
		t.Fatalf("after kill -9: code %d, %d results after %d\n%s", code, second, first, said)
	}
	if said, code = stopped(nil); code != 0 || count() != 2000 {
		t.Fatalf("at the end: code %d, %d results\n%s", code, count(), said)
	}
	data, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		_, trial, _ := strings.Cut(line, `"trial":`)
		trial, _, _ = strings.Cut(trial, ",")
		if seen[trial] {
			t.Fatalf("trial %s was made twice", trial)
		}
		seen[trial] = true
	}
}
