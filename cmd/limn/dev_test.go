package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDev: limn dev waits for a file without problems, serves it again when it changes,
// keeps conversations, and goes on with the last good file.
func TestDev(t *testing.T) {
	t.Parallel()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "app.yaml")
	write := func(title, kind string) {
		t.Helper()
		text := "name: shop\ntitle: " + title + "\nforms: [{name: guest, fields: [{name: email, type: " + kind + "}]}]\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("First", "emial")
	cmd := exec.Command(bin, "dev", file, "--addr", "127.0.0.1:0", "--store", "memory", "--log", "error")
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait(); in.Close() }()
	defer time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() }).Stop() // ends the lines
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(out)
	until := func(want string) string {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return lines.Text()
			}
		}
		t.Fatalf("it ended before it said %q", want)
		return ""
	}
	until(`:3:52: APP_INVALID unknown field type "emial"`)
	until("^")
	until("Waiting")
	write("Second", "email")
	_, base, _ := strings.Cut(until("Second is at "), " is at ")
	until("Stop with Ctrl-C")

	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	look := func(title string) (at string) {
		t.Helper()
		resp, err := browser.Get(base)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if page, _ := io.ReadAll(resp.Body); !strings.Contains(string(page), "<title>"+title) {
			t.Fatalf("no page of %s:\n%s", title, page)
		}
		return resp.Request.URL.Path
	}
	at := look("Second")
	stream, err := browser.Get(base + strings.Replace(at, "/c/", "/v1/conversations/", 1) + "/stream?target=html")
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", stream, err)
	}
	defer stream.Body.Close()
	write("Third", "email")
	until("changed: it is served as it is now")
	io.Copy(io.Discard, stream.Body) // it ends, and the page connects again
	if now := look("Third"); now != at {
		t.Errorf("the conversation is %s, was %s", now, at)
	}
	write("[", "email")
	until("APP_YAML")
	ask := func(path string) string {
		t.Helper()
		resp, err := browser.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return string(body)
	}
	if page := ask(at); !strings.HasSuffix(page, `<script type="module" src="/limn-dev/dev.js"></script>`+"\n") {
		t.Errorf("the page does not ask for problems:\n%s", page)
	}
	if script := ask("/limn-dev/dev.js"); !strings.Contains(script, "last version that worked") {
		t.Errorf("the script is %q", script)
	}
	if got := ask("/limn-dev/problems"); !strings.Contains(got, `{"file":"app.yaml","at":"app.yaml:`) {
		t.Errorf("the pages are told %s", got)
	}
	if got := ask(at + "/rows"); strings.Contains(got, "limn-dev") {
		t.Errorf("a part of a page has the script:\n%s", got)
	}
	write("Third", "emial")
	until(`unknown field type "emial"`)
	if got := ask("/limn-dev/problems"); !strings.Contains(got, `:3:52","message":"unknown field type`) ||
		!strings.Contains(got, `"line":"forms: [{name: guest`) || !strings.Contains(got, "did you mean `email`") {
		t.Errorf("the pages are told %s", got)
	}
	if now := look("Third"); now != at {
		t.Errorf("the conversation is %s, was %s", now, at)
	}
	write("Fourth\nmodel_tools: [{name: t, description: d, mcp: {server: nowhere, tool: t}}]", "email")
	until("nowhere") // the file is fine, and cannot be served with these flags
	until("Waiting")
	if page := ask(at); !strings.Contains(page, "data-limn-waiting") {
		t.Errorf("no page that waits:\n%s", page)
	}
	if got := ask("/limn-dev/problems"); !strings.Contains(got, "nowhere") {
		t.Errorf("the page that waits is told %s", got)
	}
	write("Fifth", "email")
	until("changed: it is served as it is now")
	if got := strings.TrimSpace(ask("/limn-dev/problems")); got != "[]" {
		t.Errorf("corrected, the pages are told %s", got)
	}
	if now := look("Fifth"); now != at {
		t.Errorf("the conversation is %s, was %s", now, at)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := <-ended; err != nil {
		t.Errorf("Ctrl-C: %v", err)
	}
}
