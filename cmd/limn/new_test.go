package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// made writes a template below a folder of this repository, or elsewhere, and returns the folder.
func made(t *testing.T, below, template string) string {
	t.Helper()
	dir, err := os.MkdirTemp(below, "new-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "new", "shop", "--template", template)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "shop")
}

// TestNewGo: the Go programs are built with the module that they require.
func TestNewGo(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds two programs; without -short it does")
	}
	for _, template := range []string{"go", "go-http"} {
		dir := made(t, "testdata", template) // below go.mod, which names the sources
		cmd := exec.Command("go", "build", "-mod=mod", "-ldflags=-s -w", "-o", filepath.Join(t.TempDir(), "shop"), ".")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GONOSUMDB=*")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", template, err, out)
		}
	}
}

// TestNewAgent: an agent in another language answers messages and forms.
func TestNewAgent(t *testing.T) {
	t.Parallel()
	for template, command := range map[string][]string{"python": {"python3", "agent.py"}, "node": {"node", "agent.mjs"}} {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skip("install ", command[0], " to run it")
			}
			testAgent(t, made(t, t.TempDir(), template), command)
		})
	}
}

func testAgent(t *testing.T, dir string, command []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().(*net.TCPAddr)
	l.Close()
	_, port, _ := net.SplitHostPort(addr.String())
	var yaml []byte
	for _, name := range []string{"app.yaml", command[1]} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("9000"), []byte(port))
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "app.yaml" {
			yaml = text
		}
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() }).Stop()
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	if n, err := out.Read(make([]byte, 100)); n == 0 { // it listens
		t.Fatal(err)
	}
	unsigned, err := http.Post("http://127.0.0.1:"+port+"/talk", "application/json", strings.NewReader("{}"))
	if err != nil || unsigned.StatusCode != http.StatusUnauthorized {
		t.Fatalf("without a signature: %v %v", unsigned, err)
	}
	unsigned.Body.Close()

	a, err := app.Load("app.yaml", yaml)
	if err != nil {
		t.Fatal(err)
	}
	hooks, err := serveCommand{laterFlags: laterFlags{WebhookTime: time.Minute}}.webhooks(addr)
	if err != nil {
		t.Fatal(err)
	}
	order, _ := a.Action("order")
	if !order.Idempotent {
		t.Error("the agent knows its answers by key, and the action is not idempotent")
	}
	for _, call := range []struct{ key, values, want string }{{"a/0", `{"item":"Tea","amount":101}`, "TOO_MANY"},
		{"b/0", `{"item":"Tea","amount":null}`, "Ordered: Tea."}, {"b/0", `{"item":"Cake"}`, "Ordered: Tea."}} {
		answer, err := hooks.Post(t.Context(), *order.Webhook, call.key,
			[]byte(`{"key":"`+call.key+`","values":`+call.values+`}`))
		if err != nil || !strings.Contains(string(answer), call.want) {
			t.Errorf("%s: %s %v", call.values, answer, err)
		}
	}
	cl, base := visit(t, limn.Config{App: a, Webhook: hooks.Post})
	say := func(text, want string) {
		t.Helper()
		if code, out, err := cl.post(base, "/messages", "", map[string]string{"text": text}); err != nil || code != 200 {
			t.Fatalf("%s: %d %v %v", text, code, out, err)
		}
		var state json.RawMessage
		if err := cl.get(base, "/state", &state); err != nil || !strings.Contains(string(state), want) {
			t.Errorf("%s: no %s: %v\n%s", text, want, err, state)
		}
	}
	say("hello", "You said: hello")
	say("I want to order something", "form:order")
}

// TestTemplatesAreListed: each template is in the list, and each of the list is there.
func TestTemplatesAreListed(t *testing.T) {
	t.Parallel()
	entries, err := templates.ReadDir("templates")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, b := range beginnings {
		listed[b.name] = true
	}
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".yaml"); !listed[name] {
			t.Errorf("%s is not listed", name)
		}
	}
	if len(entries) != len(listed) {
		t.Errorf("%d templates, %d listed", len(entries), len(listed))
	}
	var out bytes.Buffer
	code := run(context.Background(), []string{"new", "--list"}, term.Terminal{Out: &out, Err: &out, Env: os.Getenv})
	if code != exitOK || strings.Count(out.String(), "\n") != len(beginnings) {
		t.Errorf("%d %s", code, &out)
	}
}
