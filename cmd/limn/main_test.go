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

// scripts are those that TestScripts runs. None: all.
var scripts []string

func TestScripts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dsn, id := seeded(t, dir, false) // for scripts that look at a conversation
	write(t, filepath.Join(dir, "ops.yaml"), opsApp)
	params := testscript.Params{Files: scripts, Cmds: backupCommands, Setup: func(env *testscript.Env) error {
		env.Setenv("SEEDED", dsn)
		env.Setenv("OPS", filepath.Join(dir, "ops.yaml"))
		env.Setenv("ID", id)
		return nil
	}}
	if scripts == nil {
		params.Dir = "testdata/script"
	}
	testscript.Run(t, params)
}
