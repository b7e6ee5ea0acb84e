package limn_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/transport/webhook"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/trace/metrics"
	"github.com/limn-ui/limn/ui"
)

// hoarder is a store that keeps what it was given to look through later.
type hoarder struct {
	store.Store
	kept limntest.Buffer
}

func (h *hoarder) Append(ctx context.Context, id string, c store.Commit) error {
	h.kept.Write(c.Frame)
	h.kept.Write(c.Answer)
	h.kept.Write(c.Snapshot)
	h.kept.Write(c.Trace)
	for _, j := range c.Outbox {
		h.kept.Write(j.Body)
	}
	if c.Record != nil {
		h.kept.Write(c.Record.Body)
		h.kept.Write([]byte(c.Record.Key))
	}
	return h.Store.Append(ctx, id, c)
}

func (h *hoarder) Record(ctx context.Context, id string, r store.Event) (*store.Event, error) {
	h.kept.Write(r.Body)
	h.kept.Write([]byte(r.Key))
	return h.Store.Record(ctx, id, r)
}

func (h *hoarder) Create(ctx context.Context, c store.Conversation) error {
	h.kept.Write([]byte(c.Owner))
	return h.Store.Create(ctx, c)
}

// failing is a model that opens the form, once, and then tells too much.
type failing struct{ asked atomic.Bool }

func (f *failing) Ask(context.Context, llm.Request) (llm.Reply, error) {
	if !f.asked.Swap(true) {
		return limntest.Reply(limntest.Envelope("", limntest.ShowForm("guest"))), nil
	}
	return llm.Reply{}, errors.New("401 for Authorization: Bearer hunter2-model-key")
}

// TestSecretsStayOut: what opens something (tokens, cookies, keys of models,
// secrets and addresses of webhooks, the token of the metrics, what an embedder
// authenticates by) is in no log at debug, no telemetry, no metric, no answer and
// no record of the store, also when everything fails.
func TestSecretsStayOut(t *testing.T) {
	t.Parallel()
	const word = "hunter2"
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, "your secret is "+word+"-answer")
	}))
	defer receiver.Close()
	hooks := func(list ...string) *webhook.Client {
		allow, err := webhook.ParseAllowed(list...)
		if err != nil {
			t.Fatal(err)
		}
		return webhook.New(webhook.Config{Allow: allow})
	}
	for name, tt := range map[string]struct {
		hooks        *webhook.Client
		url, secret  string
		authenticate bool
	}{
		"refused target": {hooks(), receiver.URL + "/?key=" + word + "-url", word + "-secret", false},
		"failing target": {hooks("127.0.0.1"), receiver.URL + "/?key=" + word + "-url", word + "-secret", false},
		"no target":      {hooks("127.0.0.1"), "http://127.0.0.1:1/" + word + "-path", "whsec_" + word + "x", true},
		"user in target": {hooks("127.0.0.1"), "http://user:" + word + "@127.0.0.1:1/", word, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var logged, lines, answers limntest.Buffer
			sink, counts, kept := trace.NewLines(&lines), metrics.New(), &hoarder{Store: memory.New()}
			log := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug, AddSource: true}))
			a := limntest.Must(app.New(app.Config{Name: "t",
				Forms:   []app.Form{{Name: "guest", Phrases: []string{"add a guest"}, OnSubmit: "sync", Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}},
				Actions: []app.Action{{Name: "sync", Webhook: &app.Webhook{URL: tt.url, Secret: tt.secret}}}}))
			cfg := limn.Config{App: a, Store: kept, Model: &failing{},
				Telemetry: trace.Multi(sink, counts),
				Meter:     counts, Metrics: counts, MetricsToken: word + "-metrics", Log: log, Webhook: tt.hooks.Post}
			if tt.authenticate {
				cfg.Authenticate = func(r *http.Request) (string, error) {
					if r.Header.Get("X-Session") == word+"-session" {
						return word + "-name", nil
					}
					return "", errors.New("no session " + r.Header.Get("X-Session"))
				}
			}
			srv := limntest.Must(limn.New(cfg))
			c := limntest.Serve(t, srv).Create("X-Session", word+"-session")
			do := func(method, path, typ, body string, headers ...string) string {
				a := c.Do(method, path, body, append([]string{"Content-Type", typ, "Prefer", "wait=10",
					"X-Session", word + "-session"}, headers...)...)
				io.WriteString(&answers, a.Text)
				return a.Text
			}
			id, token, v1 := c.ID, c.Token, "/v1/conversations/"+c.ID
			do("POST", v1+"/messages", "application/json", `{"text":"add a guest"}`)
			do("POST", v1+"/messages", "application/json", `{"text":"what is the weather?"}`) // asks the model
			h, err := srv.Service().Head(t.Context(), id, "")
			if err != nil || h.State.Surface("form:guest") == nil {
				t.Fatalf("no form: %v", err)
			}
			sf := h.State.Surface("form:guest")
			button := ""
			ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
				if b, ok := n.(*ui.Button); ok && b.Action.Name == builtin.ActionSubmit {
					button = at.ComponentID("Button")
				}
				return true
			})
			do("POST", v1+"/events", "application/json",
				`{"version":"v0.9","action":{"name":"limn.submit","surfaceId":"`+sf.WireID()+`","sourceComponentId":"`+
					button+
					`","timestamp":"2026-11-20T09:30:00Z","context":{"name":"Ann","limn_nonce":"`+sf.Nonce+
					`","limn_rev":`+
					strconv.FormatUint(sf.Rev, 10)+`}}}`)
			for _, header := range [][2]string{{"Authorization", "Bearer " + word}, {"Authorization", "Basic " + word},
				{"Cookie", "limn=" + word}, {"X-Session", word + "-wrong"}, {"Proxy-Authorization", word}} {
				do("GET", v1+"/state", "", "", header[0], header[1])
				do("POST", v1+"/messages", "application/json", `{"te`, header[0], header[1])
				do("GET", "/c/"+id, "", "", header[0], header[1])
			}
			do("GET", "/metrics", "", "", "Authorization", "Bearer "+word+"-wrong")
			do("GET", v1+"/state", "", "")
			do("GET", v1+"/frames", "", "")
			do("GET", "/c/"+id, "", "")
			counted := do("GET", "/metrics", "", "", "Authorization", "Bearer "+word+"-metrics")
			if err := errors.Join(srv.Close(t.Context()), sink.Close()); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(answers.String(), "ACTION_FAILED") {
				t.Errorf("the webhook was not called: %.2000s", answers.String())
			}
			if name == "refused target" && !strings.Contains(logged.String(), string(webhook.CodeTarget)) {
				t.Errorf("the log does not say why: %s", logged.String())
			}
			for where, text := range map[string]string{"log": logged.String(), "telemetry": lines.String(),
				"metrics": counted, "store": kept.kept.String(), "answers": answers.String()} {
				if len(text) < 100 {
					t.Errorf("%s has %d bytes: the test shows nothing", where, len(text))
				}
				if where == "store" { // the name, not what it was proved by, is part of a record (docs/security.md)
					text = strings.ReplaceAll(text, `"user":"`+word+`-name"`, "")
				}
				for line := range strings.Lines(text) {
					if strings.Contains(line, word) || token != "" && strings.Contains(line, token) {
						t.Errorf("%s: %.1000s", where, line)
					}
				}
			}
		})
	}
}
