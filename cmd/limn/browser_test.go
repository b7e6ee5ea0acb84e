package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limn-ui/limn/web"
)

// need skips a test that lacks something, or fails it where everything is
// promised to be there (make test sets LIMN_REQUIRE=1).
func need(t *testing.T, ok bool, what string) {
	t.Helper()
	if ok {
		return
	}
	if os.Getenv("LIMN_REQUIRE") == "1" {
		t.Fatal("missing: " + what)
	}
	t.Skip("needs " + what)
}

// browserTools finds Node.js, a Chromium, and the npm packages of web/ and more folders.
func browserTools(t *testing.T, more ...string) (node, chromium string) {
	t.Helper()
	node, err := exec.LookPath("node")
	need(t, err == nil, "Node 20 or newer: https://nodejs.org")
	for _, dir := range append(more, filepath.Join("..", "..", "web")) {
		_, err = os.Stat(filepath.Join(dir, "node_modules"))
		need(t, err == nil, "the npm packages: run 'sh scripts/deps.sh npm'")
	}
	if chromium = os.Getenv("LIMN_CHROMIUM"); chromium == "" {
		chromium = "chromium"
	}
	chromium, err = exec.LookPath(chromium)
	need(t, err == nil, "Chromium: install Debian's package chromium, or set LIMN_CHROMIUM to its path")
	return node, chromium
}

// TestBrowser walks through the three drawings in a real Chromium with the
// official renderers, against the real program.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes; run without -short")
	}
	node, chromium := browserTools(t)
	_, built := web.Bundles()
	need(t, built, "the built pages: run 'make web'")

	s := startServer(t, filepath.Join(t.TempDir(), "browser.db"), "--inspect")
	defer s.kill()
	views := startServer(t, filepath.Join(t.TempDir(), "views.db"), filepath.Join("testdata", "charts.yaml"))
	defer views.kill()
	model := freeAddr(t) // the scenarios are this model
	writer := startServer(t, filepath.Join(t.TempDir(), "writer.db"), filepath.Join("testdata", "charts.yaml"),
		"--model", "writer", "--model-url", "http://"+model+"/v1")
	defer writer.kill()
	dashboard, err := os.ReadFile(filepath.Join("..", "..", "examples", "dashboard", "app.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dashboard.yaml")
	write(t, file, string(dashboard)+"operators: [support]\n")
	live := startServer(t, filepath.Join(t.TempDir(), "live.db"), file, "--data-token", dataToken,
		"--proxy", "127.0.0.1", "--user-header", "X-User", "--roles-header", "X-Roles")
	defer live.kill()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	shop := exec.Command(bin, "new", "shop")
	shop.Dir = t.TempDir()
	if out, err := shop.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	watched := filepath.Join(shop.Dir, "shop.yaml")
	dev := started(t, exec.Command(bin, "dev", watched, "--addr", "127.0.0.1:0", "--store", "memory", "--log", "error"))
	defer dev.kill()
	ctx, cancel := context.WithTimeout(t.Context(), 18*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "test/run.mjs", "--base", s.base, "--live", live.base,
		"--views", views.base, "--writer", writer.base, "--model-port", strings.TrimPrefix(model, "127.0.0.1:"),
		"--dev", dev.base, "--file", watched)
	cmd.Dir = filepath.Join("..", "..", "web")
	cmd.Env = append(os.Environ(), "LIMN_CHROMIUM="+chromium, "LIMN_DATA_TOKEN="+dataToken)
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	reported := report(t, out)
	if err != nil || reported == 0 {
		t.Errorf("%d scenarios, %v\n%s", reported, err, out)
	}
}

// TestGatewayPage starts the example of a gateway with its one command, and uses all of its agents in a real
// Chromium: in HTML with and without script, and with the official renderer.
func TestGatewayPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser; run without -short")
	}
	example := filepath.Join("..", "..", "examples", "gateway")
	node, chromium := browserTools(t, filepath.Join(example, "notes"))
	_, built := web.Bundles()
	need(t, built, "the built pages: run 'make web'")
	run := exec.Command("sh", filepath.Join(example, "run.sh"), strconv.Itoa(20000+os.Getpid()%10000))
	s := started(t, run)
	defer run.Wait()
	defer run.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it ends its agents
	cmd := exec.CommandContext(t.Context(), node, "test/run.mjs", "--base", s.base, "--gateway", s.base, "--only", "gateway")
	cmd.Dir = filepath.Join("..", "..", "web")
	cmd.Env = append(os.Environ(), "LIMN_CHROMIUM="+chromium)
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	if n := report(t, out); err != nil || n != 3 {
		t.Errorf("%d scenarios, %v\n%s", n, err, out)
	}
}

// TestPages has the chats of CopilotKit and assistant-ui walk through a form in a real
// Chromium, through a reload and a killed server, against the real program.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("starts browsers; run without -short")
	}
	dir := filepath.Join("..", "..", "internal", "transport", "clients", "browser")
	node, chromium := browserTools(t, dir)
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"copilot", "assistant"} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), node, "judge.mjs", name, bin, t.TempDir())
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "LIMN_CHROMIUM="+chromium)
			cmd.WaitDelay = 10 * time.Second
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// report turns each scenario of the runner into a subtest. One that is run once more
// is what it was the last time; that it failed before is told.
func report(t *testing.T, out []byte) int {
	verdicts := map[string]string{}
	for in := bufio.NewScanner(bytes.NewReader(out)); in.Scan(); {
		verdict, rest, _ := strings.Cut(in.Text(), " ")
		fields := strings.Fields(rest)
		if verdict != "ok" && verdict != "FAIL" || len(fields) == 0 {
			continue
		}
		if verdicts[fields[0]] == "FAIL" && verdict == "ok" {
			t.Logf("%s failed, and passed the second time:\n%s", fields[0], out)
		}
		verdicts[fields[0]] = verdict
	}
	for name, verdict := range verdicts {
		t.Run(name, func(t *testing.T) {
			if verdict == "FAIL" {
				t.Error("see the output of TestBrowser")
			}
		})
	}
	return len(verdicts)
}
