package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/limntest"
)

// TestStreamsResume: a client of Durable Streams reads on after kill -9, each frame once and in
// order.
func TestStreamsResume(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts the program three times; run without -short")
	}
	dir := t.TempDir()
	app, db := filepath.Join(dir, "guests.yaml"), filepath.Join(dir, "guests.db")
	if err := os.WriteFile(app, []byte(guestBook), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := freeAddr(t)
	run := func() *server { return startServer(t, db, "--addr", addr, "--door", "streams", app) }
	s := run()
	t.Cleanup(func() { s.kill() })
	var made struct{ ID, Token string }
	post := func(path, body string) string {
		r, err := http.NewRequest("POST", s.base+path, strings.NewReader(body))
		if err != nil {
			return err.Error()
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Prefer", "wait=10")
		if made.Token != "" {
			r.Header.Set("Authorization", "Bearer "+made.Token)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return err.Error()
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body) // what is cut off is no receipt
		return string(b)
	}
	if err := json.Unmarshal([]byte(post("/v1/conversations", "{}")), &made); err != nil {
		t.Fatal(err)
	}
	say := func(n int) {
		for i := range n {
			if got := post("/v1/conversations/"+made.ID+"/messages", fmt.Sprintf(`{"text":"hello %d"}`, i)); !strings.Contains(got, "done") {
				t.Errorf("said: %s", got)
			}
		}
	}
	say(2)
	control := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		s.kill()
		s = run()
		say(3)
	}))
	defer control.Close()
	out := limntest.Node(t, "streams.mjs", s.base+"/v1/streams/"+made.ID, "5", made.Token, control.URL)
	var seen map[string][]uint64
	if err := json.Unmarshal([]byte(out), &seen); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !slices.Equal(seen["long-poll"], []uint64{1, 2, 3, 4, 5}) || len(seen["sse"]) != 8 ||
		!slices.IsSorted(seen["sse"]) || len(slices.Compact(slices.Clone(seen["sse"]))) != len(seen["sse"]) {
		t.Errorf("%v", seen)
	}
}
