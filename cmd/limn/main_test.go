package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts of testdata/script run this program as "limn".
func TestMain(m *testing.M) {
	if file := os.Getenv(ledgerFile); file != "" { // TestCrashAgent runs this program as an agent
		keepLedger(file, os.Getenv(ledgerHold), os.Getenv(ledgerKeys) != "")
	}
	testscript.Main(cleanup{m}, map[string]func(){"limn": func() {
		os.Exit(run(context.Background(), os.Args[1:], term.Terminal{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv}))
	}})
}

// cleanup removes the binary that the crash test builds.
type cleanup struct{ *testing.M }

func (t cleanup) Run() int {
	code := t.M.Run()
	if built {
		if bin, err := program(); err == nil {
			os.RemoveAll(filepath.Dir(bin))
		}
	}
	return code
}

// raced says that the race detector watches.
var raced bool

// alone skips under the race detector a test in which no goroutines meet: it runs in
// full without.
func alone(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("no goroutines meet: run without -race")
	}
}

// TestScripts starts a process a line. Commands with several goroutines have tests in
// this process, too.
func TestScripts(t *testing.T) {
	alone(t)
	t.Parallel()
	dir := t.TempDir()
	dsn, id := seeded(t, dir, false) // for scripts that look at a conversation
	write(t, filepath.Join(dir, "ops.yaml"), opsApp)
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Cmds: backupCommands, Setup: func(env *testscript.Env) error {
		env.Setenv("SEEDED", dsn)
		env.Setenv("OPS", filepath.Join(dir, "ops.yaml"))
		env.Setenv("ID", id)
		return nil
	}})
}
