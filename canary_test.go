package limn_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"mime/multipart"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/trace/metrics"
	"github.com/limn-ui/limn/ui"
)

// canary is a word that stands for whatever a user writes.
const canary = "zanzibarcanary"

// canaryModel answers with the canary, in every way an answer can go wrong.
type canaryModel struct {
	mu sync.Mutex
	n  int
}

func (m *canaryModel) Ask(context.Context, llm.Request) (llm.Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n++
	answer := []string{
		`{"assistant_text":"` + canary + `","directives":[]}`, "{" + canary, canary,
		`{"assistant_text":"x","directives":[{"type":"` + canary + `","payload":{}},{"type":"ui.show_form","payload":{"name":"` + canary + `"}},{"type":"ui.patch","payload":{"surface":"` + canary + `","ops":[{"op":"set","path":"/` + canary + `","value":1}]}}]}`,
		`{"action":"tool","tool_name":"request_data_table","confidence":0.9,"title":"` + canary + `","count":3}`,
		`{"action":"` + canary + `"}`,
	}
	switch m.n % (len(answer) + 1) {
	case len(answer):
		panic(canary)
	default:
		return llm.Reply{Text: answer[m.n%len(answer)], Finish: llm.FinishStop}, nil
	}
}

// canaryMessages are sentences of every kind with the canary in them; with the
// evaluation set beside the checkout, its messages too.
func canaryMessages(t *testing.T) []string {
	list := []string{
		"Never show me tables again.", "We have 4 %s risks.", "Turn the tables back on, I have 4 %s risks.", "We have 3 %s stakeholders.", "First %s reviews, then legal signs, finally the %s approves.", "We have some %s.", "What about the %s process?", "7 %s", "yes %s",
		"Never show tables for %s lists", "yes", "Always map %s approvals", "no", "never show me tables about %s again", "turn the tools back on, %s", "add a customer", "where were we with %s?", "cancel it",
		"- %s\n- b\n- c", "Name\tRole\n%s\tCFO\nBob\tCTO\nCy\tCOO", "```\n%s\n```", "add a customer %s", "%s is close and everything about it is a mess", "\x00\u202e%s",
	}
	if f, err := os.Open("../shared/eval/router.jsonl"); err == nil {
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var l struct{ Message string }
			if json.Unmarshal(lines.Bytes(), &l) == nil {
				list = append(list, strings.ReplaceAll(l.Message, "%", "")+" %s")
			}
		}
	}
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "%s", canary)
	}
	return list
}

// TestCanary: what a user writes, in messages, cells, rules, pastes and file
// names, reaches no log at any level, no metric and no telemetry, whatever goes
// wrong on the way (facts R-80).
func TestCanary(t *testing.T) {
	t.Parallel()
	var logged, lines limntest.Buffer
	sink, counts := trace.NewLines(&lines), metrics.New()
	log := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	calls := 0
	fails := func(_ context.Context, c app.Call) (app.Result, error) { // one at a time: it is one conversation
		if calls++; calls%2 == 0 {
			panic(canary)
		}
		return app.Result{}, errors.New("cannot save " + string(c.Values.AppendJSON(nil)))
	}
	a := limntest.Must(app.New(app.Config{Name: "t", Limits: ui.Limits{TextSize: 4096},
		Forms: []app.Form{{Name: "customer", Phrases: []string{"add a customer"}, OnSubmit: "save", Fields: []ui.Field{{Name: "company", Type: ui.TypeText}, {Name: "mail", Type: ui.TypeEmail}, {Name: "scan", Type: ui.TypeUpload}}}},
		Tables: []app.Table{{Name: "stakeholders", Title: "Stakeholders", Nouns: []string{"stakeholder"},
			Columns: []ui.Field{{Name: "name", Type: ui.TypeText, Required: true}, {Name: "since", Type: ui.TypeDate}}, OnSubmit: "push"}},
		Actions: []app.Action{{Name: "save", Handler: fails},
			{Name: "push", Webhook: &app.Webhook{URL: "https://example.org/" + canary, Later: true}}}}))
	var posted atomic.Int64
	refuses := func(_ context.Context, _ app.Webhook, _ string, body []byte) ([]byte, error) {
		if posted.Add(1)%2 == 0 {
			panic(canary)
		}
		return nil, errors.New("cannot take " + string(body))
	}
	kept := memory.New()
	srv := limntest.Must(limn.New(limn.Config{App: a, Store: kept, Model: &canaryModel{}, Router: &canaryModel{},
		Webhook: refuses, Retry: time.Millisecond, Tries: 2,
		Telemetry: trace.Multi(sink, counts), Metrics: counts, Meter: counts, Log: log}))
	c, talk, ctx := limntest.Serve(t, srv), limntest.NewTalk(t, srv.Service(), "p"), t.Context()
	submit := func(e *ui.Event) { _, _ = talk.Service.Submit(ctx, talk.ID, "p", e, time.Minute) }
	for _, m := range canaryMessages(t) {
		submit(limntest.Say(m))
		pressAll(talk, submit)
	}
	// above TextSize: the ops do not apply
	submit(limntest.Say(strings.Repeat(canary+" ", 1000)))
	for _, rule := range []ui.Guardrail{{ID: "a", Pattern: canary, Action: "suppress_tool", Tool: ui.ToolTable,
		Enabled: true}, {ID: "b", Pattern: canary + "(", Action: "force_tool", Tool: ui.ToolMap, Enabled: true},
		{ID: "c", Pattern: canary, Action: canary, Tool: canary}} {
		submit(&ui.Event{Kind: ui.EventPreference, Preference: &ui.Preference{SetRule: &rule}})
	}
	submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: canary, Surface: canary, Path: "/" + canary,
		Message: canary, Client: canary}})
	c.ID = talk.ID
	wild(c)
	c.Create()
	importFile(c, srv)
	wild(c)
	counted := c.Do("GET", "/metrics", "").Text
	if err := errors.Join(srv.Close(ctx), sink.Close()); err != nil {
		t.Fatal(err)
	}
	var turns strings.Builder
	for _, id := range []string{talk.ID, c.ID} {
		list, err := kept.Traces(ctx, id, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			fmt.Fprintf(&turns, "%s\n", f.Body)
		}
	}
	if posted.Load() == 0 {
		t.Error("no later webhook was called")
	}
	for name, text := range map[string]string{"log": logged.String(), "telemetry": lines.String(),
		"metrics": counted, "traces": turns.String()} {
		shown := 0
		for line := range strings.Lines(text) {
			if strings.Contains(strings.ToLower(line), canary) && shown < 5 {
				shown++
				t.Errorf("%s: %.600s", name, line)
			}
		}
		if len(text) < 1000 {
			t.Errorf("%s has %d bytes: the test shows nothing", name, len(text))
		}
	}
	for _, name := range []trace.Name{trace.RouterDecision, trace.ToolOpened, trace.ToolSubmitted, trace.ToolCanceled,
		trace.WarningShown, trace.OptOutChanged} {
		if !strings.Contains(lines.String(), string(name)) {
			t.Errorf("no event %s", name)
		}
	}
}

// pressAll types the canary into everything open and presses the buttons that
// are there, for a few rounds.
func pressAll(talk *limntest.Talk, submit func(*ui.Event)) {
	for _, key := range []string{"paste/read", "paste/drop", "paste/read", "paste/apply", "buttons/submit",
		"buttons/submit", "buttons/confirm", "buttons/submit", "buttons/accept", "buttons/cancel"} {
		for _, sf := range talk.State().Surfaces {
			at := ui.KeyPath("main/" + key)
			action, ok := sf.ActionAt(at)
			if !ok || sf.Status != ui.StatusOpen {
				continue
			}
			var inputs []jsonx.Member
			for _, c := range action.Context {
				v, _ := sf.Get(c.Path)
				value := jsonx.Of(canary)
				if c.Path.Last() == "paste" && key != "paste/read" { // text that waits stops a check
					value = jsonx.Of("")
				}
				if v.Kind() == ui.RowsValue {
					value = jsonx.Value{Kind: jsonx.Object}
					for i, r := range v.Records() {
						cells := jsonx.Value{Kind: jsonx.Object}
						for _, cell := range r.Cells.Pairs() {
							text := canary
							if i > 2 {
								text = ""
							}
							cells.Members = append(cells.Members, jsonx.Member{Key: cell.Key, Value: jsonx.Of(text)})
						}
						value.Members = append(value.Members, jsonx.Member{Key: r.ID, Value: cells})
					}
				}
				inputs = append(inputs, jsonx.Member{Key: c.Key, Value: value})
			}
			submit(limntest.Press(sf, at, inputs...))
		}
	}
}

// importFile has a table take a file whose name and cells are the canary.
func importFile(c *limntest.Client, srv *limn.Server) {
	c.Say("We have 5 stakeholders in a spreadsheet that I want to import.")
	sf := c.State().Surface("table:stakeholders")
	if sf == nil {
		c.Fatal("no table to import into")
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for key, value := range map[string]string{"limn_surface": sf.WireID(), "limn_nonce": sf.Nonce,
		"limn_path": "/draft/import"} {
		_ = w.WriteField(key, value)
	}
	part, _ := w.CreateFormFile("file", canary+".csv")
	_, _ = part.Write([]byte("name,since\n" + canary + ",2026-01-02\nBob," + canary + "\n"))
	w.Close()
	c.Post("/v1/-/uploads", body.String(), "Content-Type", w.FormDataContentType())
	h, err := srv.Service().Head(c.Context(), c.ID, "")
	if err != nil {
		c.Fatal(err)
	}
	if state := string(h.State.Surface("table:stakeholders").UIState.AppendJSON(nil)); !strings.Contains(state, canary+".csv") {
		c.Fatalf("the file was not taken: %.300s", state)
	}
}

// wild sends requests, good and bad, with the canary in every part.
func wild(c *limntest.Client) {
	for i, r := range []struct{ method, path, typ, body string }{
		{"POST", "/v1/-/messages", "application/json", `{"text":"` + canary + `"}`},
		{"POST", "/v1/-/events", "application/json", `{"` + canary},
		{"POST", "/c/-/actions", "application/x-www-form-urlencoded", "limn_surface=" + canary + "&" + canary + "=1"},
		{"POST", "/v1/-/messages", "application/json", `{"text":"add a customer ` + canary + `"}`},
		{"POST", "/v1/-/uploads?surface=" + canary + "&path=/draft/" + canary, "text/csv; name=" + canary, canary},
		{"POST", "/v1/-/uploads", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + canary + ".csv\"\r\n\r\n" + canary + "\r\n--x--\r\n"},
		{"POST", "/v1/-/guardrails", "application/json", `{"intent_pattern":"` + canary + `","action":"suppress_tool","tool":"request_data_table"}`},
		{"POST", "/c/-/uploads", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + canary + ".csv\"\r\n\r\n" + canary + "\r\n--x--\r\n"},
		{"PUT", "/v1/-/guardrails/x", "application/json", `{"intent_pattern":"` + canary + `("}`},
		{"GET", "/v1/conversations/" + canary + "/state", "", ""},
		{"GET", "/" + canary, "", ""},
		{"GET", "/c/-/uploads/" + canary, "", ""},
	} {
		c.Do(r.method, r.path, r.body, "Content-Type", r.typ, "Idempotency-Key", canary+fmt.Sprint(i), "User-Agent", canary)
	}
}
