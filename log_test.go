package limn_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Every line about a request carries its id, also those that a model run or a
// drawing leaves behind long after it was taken; each line is JSON.
func TestLogLinesShareTheRequestID(t *testing.T) {
	t.Parallel()
	var logged safeBuffer
	a, err := app.New(app.Config{Name: "t",
		Views: []app.View{{Name: "broken", Version: "1", Build: func(*ui.State) ui.Nodes { panic("a fault") }}}})
	if err != nil {
		t.Fatal(err)
	}
	answers := []string{`{"assistant_text":"x","directives":[{"type":"ui.show_view","payload":{"name":"broken"}}]}`, ""}
	srv, err := limn.New(limn.Config{App: a, Log: slog.New(slog.NewJSONHandler(&logged, nil)),
		Model: modelOf(func() (llm.Reply, error) {
			text := answers[0]
			if answers = answers[1:]; text == "" {
				return llm.Reply{}, errors.New("out of order")
			}
			return llm.Reply{Text: text, Finish: llm.FinishStop}, nil
		})})
	if err != nil {
		t.Fatal(err)
	}
	ts := httptest.NewServer(srv.Handler())
	defer ts.Close()
	id, token := overHTTP(t, ts.URL)
	names := []string{"4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"}
	for _, name := range names {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, ts.URL+"/v1/conversations/"+id+"/messages",
			strings.NewReader(`{"text":"what is new"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Prefer", "wait=30")
		r.Header.Set("Traceparent", "00-"+name+"-00f067aa0ba902b7-01")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || resp.Header.Get("X-Request-Id") != name {
			t.Errorf("%s %s", resp.Status, resp.Header)
		}
	}
	if err := srv.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(logged.b.String()) {
		var l struct {
			Level, Msg, Conversation string
			Request                  string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Level == "" || l.Request == "" ||
			l.Conversation != id || strings.Count(line, "request_id") != 1 {
			t.Errorf("%s%v", line, err)
		}
		seen[l.Request]++
	}
	for _, name := range names {
		if seen[name] < 2 { // what went wrong, and the turn
			t.Errorf("%d lines of request %s:\n%s", seen[name], name, &logged.b)
		}
	}
}

type modelOf func() (llm.Reply, error)

func (f modelOf) Ask(context.Context, llm.Request) (llm.Reply, error) { return f() }
