package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/transport/upstream"
)

// started runs an agent, and returns the address that it prints.
func started(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// notes builds and starts the agent in TypeScript; "" without its packages.
func notes(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("notes/node_modules/.package-lock.json"); err != nil {
		t.Log("the agent in TypeScript is left out: sh scripts/deps.sh npm installs its packages")
		return ""
	}
	dir := t.TempDir()
	if out, err := exec.Command("notes/node_modules/.bin/tsc", "-p", "notes", "--outDir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for _, name := range []string{"node_modules", "package.json"} { // node looks for packages from there upwards
		abs, err := filepath.Abs(filepath.Join("notes", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(abs, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return started(t, "node", filepath.Join(dir, "notes.js"), "0")
}

// TestExample: the file is right, and the agents in Python, Go and TypeScript, and another Limn, answer through it.
func TestExample(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: https://www.python.org/downloads/")
	}
	weather, notes := started(t, python, "weather.py", "0"), notes(t)
	orders := httptest.NewServer(newOrders())
	t.Cleanup(orders.Close)
	below, err := os.ReadFile("../desk/desk.yaml")
	if err != nil {
		t.Fatal(err)
	}
	deskApp, err := app.Load("desk.yaml", below, app.AnyHandler(), app.Env(os.LookupEnv))
	if err != nil {
		t.Fatal(err)
	}
	desk := httptest.NewServer(serve(t, limn.Config{App: deskApp, Doors: []string{"a2a"}}))
	t.Cleanup(desk.Close)
	data, err := os.ReadFile("gateway.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := strings.NewReplacer("http://127.0.0.1:8091/", weather, "http://127.0.0.1:8092/", orders.URL,
		"http://127.0.0.1:8093", desk.URL, "http://127.0.0.1:8094/", cmp.Or(notes, "http://127.0.0.1:8094/")).Replace(string(data))
	c, err := gateway.Load("gateway.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	token := strings.Repeat("A", 43)
	if err := os.WriteFile(filepath.Join(dir, "desk.token"), []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	agents, err := upstream.Open(c, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agents.Close)
	front, err := app.New(app.Config{Name: c.Name, Title: c.Title})
	if err != nil {
		t.Fatal(err)
	}
	h := serve(t, limn.Config{App: front, Model: agents})
	var made struct{ ID, Token string }
	post := func(path, body string, into any) {
		r := httptest.NewRequest("POST", "/v1/conversations"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Prefer", "wait=20")
		if made.Token != "" {
			r.Header.Set("Authorization", "Bearer "+made.Token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code/100 != 2 || into != nil && json.Unmarshal(w.Body.Bytes(), into) != nil {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	post("", "", &made)
	texts := []string{"Will it rain in Oslo?", "Show my orders", "@desk add a customer"}
	wants := []string{`"weather:main#e=1"`, `"orders:cart#e=1"`, `"surfaceId":"desk:`, "Oslo: clouds", "0 ordered"}
	if notes != "" {
		texts, wants = append(texts, "Take a note"), append(wants, `"notes:notes#e=1"`, "Add it")
	}
	for _, text := range texts {
		post("/"+made.ID+"/messages", `{"text":"`+text+`"}`, nil)
	}
	r := httptest.NewRequest("GET", "/v1/conversations/"+made.ID+"/a2ui?version=v0.9", nil)
	r.Header.Set("Authorization", "Bearer "+made.Token)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	for _, want := range wants {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the client is not sent %s: %s", want, w.Body)
		}
	}
}

func serve(t *testing.T, cfg limn.Config) http.Handler {
	t.Helper()
	srv, err := limn.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close(t.Context()) })
	return srv.Handler()
}
