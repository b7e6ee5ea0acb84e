package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/examples/desk"
)

// TestStateOfTheAPI: what GET …/state answers, and the router in it, are what
// limn route --state takes: the answer to a question the server asked is one.
func TestStateOfTheAPI(t *testing.T) {
	t.Parallel()
	a, err := desk.App()
	if err != nil {
		t.Fatal(err)
	}
	cl, base := visit(t, limn.Config{App: a})
	for _, text := range []string{"Never show process maps again.", "We have some risks."} {
		if code, out, err := cl.post(base, "/messages", "", map[string]string{"text": text}); err != nil ||
			code != 200 {
			t.Fatalf("post: %d %v %v", code, out, err)
		}
	}
	var whole map[string]json.RawMessage
	if err := cl.get(base, "/state", &whole); err != nil {
		t.Fatal(err)
	}
	answer, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, doc := range map[string][]byte{"the answer": answer, "its router": whole["router"]} {
		for message, want := range map[string]string{"about 15": "pending.count (n=15)",
			"draft -> check -> send": "gate.opt_out_tool"} {
			file := filepath.Join(t.TempDir(), "state.json")
			if err := os.WriteFile(file, doc, 0o644); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			code := run(context.Background(), []string{"route", "--state", file, message},
				term.Terminal{Out: &out, Err: &errs, Env: func(string) string { return "" }})
			if code != exitOK || !strings.Contains(out.String(), want) {
				t.Errorf("%s, %q: exit status %d, %s%s, want %s", name, message, code, &out, &errs, want)
			}
		}
	}
}
