package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/ui"
)

// program builds the real binary once per test run.
var program = sync.OnceValues(func() (string, error) {
	built = true
	dir, err := os.MkdirTemp("", "limn-test-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "limn")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	args := append([]string{"build", "-ldflags=-s -w", "-o", bin}, buildFlags...) // no debugger reads it
	out, err := exec.Command("go", append(args, ".")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
})

var (
	built      bool     // program was called
	buildFlags []string // of go build
)

// server is one run of the real program.
type server struct {
	cmd  *exec.Cmd
	base string
}

func startServer(t *testing.T, db string, flags ...string) *server {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "serve", "--addr", "127.0.0.1:0", "--store", "sqlite:"+db, "--log", "error")
	cmd.Args = append(cmd.Args, flags...)
	return started(t, cmd)
}

// startLimited is startServer with so many file descriptors.
func startLimited(t *testing.T, descriptors int, db string) *server {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return started(t, exec.Command("sh", "-c", `ulimit -n "$1" && shift && exec "$@"`, "sh", strconv.Itoa(descriptors),
		bin, "serve", "--addr", "127.0.0.1:0", "--store", "sqlite:"+db, "--log", "error"))
}

func started(t *testing.T, cmd *exec.Cmd) *server {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_, base, ok := strings.Cut(strings.TrimSpace(line), " is at ")
	if err != nil || !ok {
		cmd.Process.Kill()
		t.Fatalf("first line %q, %v", line, err)
	}
	go io.Copy(io.Discard, out) // ends with the process
	return &server{cmd, base}
}

// kill ends the process as a power cut would end it for the program.
func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// visit serves an app, and returns a browser in a new conversation and the
// address of that.
func visit(t *testing.T, cfg limn.Config) (c *browser, base string) {
	t.Helper()
	srv, err := limn.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close(context.Background()) })
	h := httptest.NewServer(srv.Handler())
	t.Cleanup(h.Close)
	c = &browser{http: &http.Client{Timeout: time.Minute}}
	_, out, err := c.post(h.URL, "/v1/conversations", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.token, c.id = out["token"].(string), out["id"].(string)
	return c, h.URL + "/v1/conversations/" + c.id
}

// browser is one of them: a token and a conversation.
type browser struct {
	token, id string
	http      *http.Client
}

func (c *browser) post(base, path, key string, body any) (int, map[string]any, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequest("POST", base+path, bytes.NewReader(b))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Prefer", "wait=5")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	var out map[string]any
	err = json.NewDecoder(resp.Body).Decode(&out)
	return resp.StatusCode, out, err
}

func (c *browser) get(base, path string, into any) error {
	req, err := http.NewRequest("GET", base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return fmt.Errorf("GET %s: %s", path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

// TestCrashKeepsTheOpenTool kills the program between the opening of a table and
// its submit: the same surface with the same draft is there again, with one
// checkpoint, and nothing was asked twice (facts R-60).
func TestCrashKeepsTheOpenTool(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real program: run without -short")
	}
	dir := t.TempDir()
	db, told := filepath.Join(dir, "limn.db"), filepath.Join(dir, "told.jsonl")
	srv := startServer(t, db, "--telemetry", told, "--metrics")
	cl := &browser{http: &http.Client{Timeout: 10 * time.Second}}
	post := func(base, path string, body any) map[string]any {
		t.Helper()
		code, out, err := cl.post(base, path, "", body)
		if err != nil || code/100 != 2 {
			t.Fatalf("%s: %d %v %v", path, code, out, err)
		}
		return out
	}
	out := post(srv.base, "/v1/conversations", nil)
	cl.token, cl.id = out["token"].(string), out["id"].(string)
	conversation := "/v1/conversations/" + cl.id
	post(srv.base, conversation+"/messages", map[string]string{"text": "We have 4 stakeholders."})
	state := func(base string) (s ui.State, text string) {
		t.Helper()
		if err := cl.get(base, conversation+"/state", &s); err != nil {
			t.Fatal(err)
		}
		b, err := ui.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		return s, string(b)
	}
	s, _ := state(srv.base)
	sf := s.Surface("table:stakeholders")
	post(srv.base, conversation+"/events", map[string]any{"version": "v0.9", "action": map[string]any{
		"name": "limn.submit", "surfaceId": sf.WireID(), "sourceComponentId": "c#main/buttons/submit:Button", "timestamp": "2026-11-20T09:00:00Z",
		"context": map[string]any{"limn_nonce": sf.Nonce, "limn_rev": sf.Rev, "stakeholders": map[string]any{"r1": map[string]any{"name": "Ann", "role": "", "influence": []string{}},
			"r2": map[string]any{"name": "", "role": "of nobody", "influence": []string{}}}}}})
	resp, err := cl.http.Get(srv.base + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	counts, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if !strings.Contains(string(counts), `limn_tools_opened_total{resumed="false",tool="request_data_table"} 1`) {
		t.Errorf("metrics: %.300s", counts)
	}
	before, text := state(srv.base)
	srv.kill()
	srv = startServer(t, db)
	defer srv.kill()
	after, again := state(srv.base)
	if again != text || after.Router.Checkpoint == nil || after.Router.Checkpoint.Iteration != 1 {
		t.Errorf("after the crash %s\nbefore %s", again, text)
	}
	if v, _ := before.Surface(sf.Name).Get("/draft/stakeholders/r1/name"); v.Text() != "Ann" {
		t.Errorf("the draft was not kept: %q", v.Text())
	}
	lines, err := os.ReadFile(told)
	if err != nil || strings.Count(string(lines), `"event":"tool_opened"`) != 1 ||
		strings.Contains(string(lines), "Ann") {
		t.Errorf("telemetry: %s, %v", lines, err)
	}
}
