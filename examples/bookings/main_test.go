package main

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// stages are the application files of docs/tutorial.md, in order.
func stages(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		out = append(out, m[1])
	}
	return out
}

// TestTutorial says and clicks what docs/tutorial.md says, on each of its files.
func TestTutorial(t *testing.T) {
	t.Parallel()
	list := stages(t)
	last, err := os.ReadFile("app.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 || list[2] != string(last) {
		t.Fatalf("%d files, the last of which is app.yaml: %v", len(list), len(list) == 3)
	}
	endpoint := httptest.NewServer(newDiary())
	defer endpoint.Close()
	allow, err := limn.AllowTargets("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	hooks := limn.Webhooks(limn.WebhookConfig{Allow: allow})
	for i, file := range list {
		file = strings.ReplaceAll(file, "http://127.0.0.1:9000", endpoint.URL)
		a, err := app.Load("app.yaml", []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		srv, err := limn.New(limn.Config{App: a, Webhook: hooks})
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close(t.Context())
		c := client{t: t, srv: srv}
		if c.id, err = srv.Service().Create(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			c.say("what are your opening hours?", "Rooms are free from nine to five.")
		}
		c.say("book a room", "")
		c.submit(`{"who":"Ada"}`, ui.OutcomeAsked, "")
		want := map[int]string{2: "The room is yours on 2030-05-01, Ada."}[i]
		c.submit(`{"who":"Ada","day":"2030-05-01"}`, ui.OutcomeDone, want)
		if i == 2 {
			c.say("book a room", "")
			c.submit(`{"who":"Bo","day":"2030-05-01"}`, ui.OutcomeAsked, "")
		}
	}
}

type client struct {
	t   *testing.T
	srv *limn.Server
	id  string
}

func (c client) send(e *ui.Event, kind ui.OutcomeKind, want string) {
	c.t.Helper()
	rec, err := c.srv.Service().Submit(c.t.Context(), c.id, "ann", e, time.Minute)
	if err != nil || rec.Outcome.Kind != kind {
		c.t.Fatalf("%+v %v, not %s", rec, err, kind)
	}
	said := c.state().Transcript
	if want != "" && said[len(said)-1].Text != want {
		c.t.Errorf("%q, not %q", said[len(said)-1].Text, want)
	}
}

func (c client) state() *ui.State {
	c.t.Helper()
	h, err := c.srv.Service().Head(c.t.Context(), c.id, "ann")
	if err != nil {
		c.t.Fatal(err)
	}
	return h.State
}

func (c client) say(text, want string) {
	c.t.Helper()
	c.send(&ui.Event{Kind: ui.EventMessage, Text: text}, ui.OutcomeDone, want)
}

func (c client) submit(values string, kind ui.OutcomeKind, want string) {
	c.t.Helper()
	form := c.state().Surface("form:room")
	if form == nil {
		c.t.Fatal("the form is not open")
	}
	click := ui.ActionEvent{Surface: form.WireID(), Name: "limn.submit", Nonce: form.Nonce, Rev: form.Rev,
		Component: ui.KeyPath("main/buttons/submit").ComponentID("Button")}
	if err := json.Unmarshal([]byte(values), &click.Context); err != nil {
		c.t.Fatal(err)
	}
	c.send(&ui.Event{Kind: ui.EventAction, Action: &click}, kind, want)
}
