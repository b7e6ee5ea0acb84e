package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/limntest"
)

const guestBook = `name: guests
title: Guest book
forms:
  - name: guest
    title: Sign the guest book
    phrases: [sign the guest book]
    fields:
      - {name: name, label: Your name, type: text, required: true}
      - {name: age, type: number}
`

// TestDoors: the clients of others use the program that people start; and after kill -9 a task
// and a surface are as they were, a message that is sent again is the one of before, and what
// was submitted is submitted once.
func TestDoors(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts the program three times")
	}
	dir := t.TempDir()
	app, db := filepath.Join(dir, "guests.yaml"), filepath.Join(dir, "guests.db")
	if err := os.WriteFile(app, []byte(guestBook), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := freeAddr(t) // the same each time: drawings have it in them
	var s *server
	restart := func() {
		if s != nil {
			s.kill()
		}
		s = startServer(t, db, "--addr", addr, "--door", "a2a,agui", app)
	}
	post := func(path, body string) string {
		t.Helper()
		r := limntest.Must(http.NewRequest("POST", s.base+path, strings.NewReader(body)))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
		resp := limntest.Must(http.DefaultClient.Do(r))
		defer resp.Body.Close()
		return string(limntest.Must(io.ReadAll(resp.Body)))
	}
	find := func(text, pattern string) string {
		t.Helper()
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no %s in %s", pattern, text)
		}
		return m[1]
	}
	restart()
	t.Cleanup(func() { s.kill() })
	open := `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","parts":[{"kind":"text",
		"text":"sign the guest book"}],"metadata":{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":
		["https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"]}}}}}}`
	const run = `{"threadId":"t","runId":"1","messages":[{"id":"m","role":"user","content":"sign the guest book"}],
		"tools":[],"context":[],"forwardedProps":{"limn_interrupts":true}%s}`
	task, events := post("/a2a", open), post("/agui", fmt.Sprintf(run, ""))
	id := find(task, `"id":"([^"]{36}_[^"]+)"`)
	ask := `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"` + id + `"}}`
	got := post("/a2a", ask)

	restart()
	if again := post("/a2a", ask); again != got {
		t.Errorf("the task was %s, and is %s", got, again)
	}
	if again := post("/a2a", open); find(again, `"id":"([^"]{36}_[^"]+)"`) != id {
		t.Errorf("the message is another task: %s", again)
	}
	if again := post("/agui", fmt.Sprintf(run, "")); again != events {
		t.Errorf("the run was %s, and is %s", events, again)
	}
	reload := post("/agui", `{"threadId":"t","runId":"2","messages":[],"tools":[],"context":[]}`)
	if !strings.Contains(reload, "a2ui_operations") || !strings.Contains(reload, "createSurface") {
		t.Errorf("reloaded: %s", reload)
	}
	resume := fmt.Sprintf(run, `,"resume":[{"interruptId":"`+find(events, `"id":"(form:guest#e=1![0-9a-f]+)"`)+`","status":"resolved","payload":{"name":"Ada"}}]`)
	resume = strings.Replace(resume, `"runId":"1"`, `"runId":"3"`, 1)
	answered := post("/agui", resume)
	restart()
	if again := post("/agui", resume); again != answered || !strings.Contains(again, `"success"`) {
		t.Errorf("the answer was %s, and is %s", answered, again)
	}
	limntest.Node(t, "a2a.mjs", s.base)
	limntest.Node(t, "agui.mjs", s.base)
}
