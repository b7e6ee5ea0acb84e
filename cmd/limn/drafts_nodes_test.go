package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/natstest"
	"github.com/limn-ui/limn/internal/pgtest"
)

// TestNodesShareDrafts: two clients of one conversation at two servers on one PostgreSQL know
// of each other, and what one types reaches the other.
func TestNodesShareDrafts(t *testing.T) {
	t.Parallel()
	for name, bus := range map[string]func(t *testing.T) string{
		"listen": func(*testing.T) string { return "postgres" },
		"nats":   func(t *testing.T) string { return natstest.Start(t).URL },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin, err := program()
			if err != nil {
				t.Fatal(err)
			}
			dsn, log := pgtest.DSN(t), &lines{}
			which := bus(t)
			var nodes [2]*node
			for i := range nodes {
				nodes[i] = &node{bin: bin, addr: freeAddr(t), log: log, args: []string{filepath.Join("testdata", "charts.yaml"),
					"--store", dsn, "--bus", which, "--base", "http://limn.test", "--log", "error"}}
				nodes[i].mustStart(t)
				defer nodes[i].kill()
			}
			c := &browser{http: &http.Client{Timeout: time.Minute}}
			var made struct{ ID, Token string }
			status, body, err := c.post(nodes[0].base(), "/v1/conversations", "", map[string]any{"text": "a guest"})
			if err != nil || status >= 300 {
				t.Fatal(status, body, err)
			}
			text, _ := json.Marshal(body)
			if err := json.Unmarshal(text, &made); err != nil {
				t.Fatal(err)
			}
			c.token = made.Token
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			a := followDrafts(ctx, t, c, nodes[0].base(), made.ID)
			await(t, a, `"clients":1`)
			b := followDrafts(ctx, t, c, nodes[1].base(), made.ID)
			await(t, a, `"clients":2`)
			await(t, b, `"clients":2`)
			stamp := time.Now().UTC().Format("2006-01-02T15:04:05.000Z") + ":0001:r-a"
			status, body, err = c.post(nodes[0].base(), "/v1/conversations/"+made.ID+"/events", "", map[string]any{"version": "v0.9",
				"dataModelChanged": map[string]any{"surfaceId": "form:guest#e=1", "actorId": "r-a", "versions": map[string]any{},
					"updates": []any{map[string]any{"path": "/draft/name", "value": "Ada", "hlc": stamp}}}})
			if err != nil || status >= 300 {
				t.Fatal(status, body, err)
			}
			await(t, b, stamp)
		})
	}
}

// followDrafts follows the stream of a client that shares drafts.
func followDrafts(ctx context.Context, t *testing.T, c *browser, base, id string) <-chan string {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", base+"/v1/conversations/"+id+
		"/stream?format=limn&version=v0.9&extension=data-sync/1", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	resp, err := c.http.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	out := make(chan string, 1000)
	go func() { // ends with the context
		defer resp.Body.Close()
		defer close(out)
		for in := bufio.NewScanner(resp.Body); in.Scan(); {
			out <- in.Text()
		}
	}()
	return out
}

// await reads a stream until a line has a text.
func await(t *testing.T, lines <-chan string, text string) {
	t.Helper()
	for late := time.After(30 * time.Second); ; {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("the stream ended without %s", text)
			}
			if strings.Contains(line, text) {
				return
			}
		case <-late:
			t.Fatalf("%s did not come", text)
		}
	}
}
