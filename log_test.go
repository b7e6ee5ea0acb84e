package limn_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Every line about a request carries its id, also those that a model run or a
// drawing leaves behind long after it was taken; each line is JSON.
func TestLogLinesShareTheRequestID(t *testing.T) {
	t.Parallel()
	var logged limntest.Buffer
	a := limntest.Must(app.New(app.Config{Name: "t",
		Views: []app.View{{Name: "broken", Version: "1", Build: func(*ui.State) ui.Nodes { panic("a fault") }}}}))
	answers := []string{limntest.Envelope("x", limntest.ShowView("broken")), ""}
	srv := limntest.Must(limn.New(limn.Config{App: a, Log: slog.New(slog.NewJSONHandler(&logged, nil)),
		Model: limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			text := answers[0]
			if answers = answers[1:]; text == "" {
				return llm.Reply{}, errors.New("out of order")
			}
			return limntest.Reply(text), nil
		})}))
	c := limntest.Serve(t, srv).Create()
	names := []string{"4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"}
	for _, name := range names {
		a := c.Say("what is new", "Traceparent", "00-"+name+"-00f067aa0ba902b7-01")
		if a.Header.Get("X-Request-Id") != name {
			t.Errorf("%s %s", a.Status, a.Header)
		}
	}
	if err := srv.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(logged.String()) {
		var l struct {
			Level, Msg, Conversation string
			Request                  string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Level == "" || l.Request == "" ||
			l.Conversation != c.ID || strings.Count(line, "request_id") != 1 {
			t.Errorf("%s%v", line, err)
		}
		seen[l.Request]++
	}
	for _, name := range names {
		if seen[name] < 2 { // what went wrong, and the turn
			t.Errorf("%d lines of request %s:\n%s", seen[name], name, &logged)
		}
	}
}
