package agui_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	renderer "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// ada is what a client chooses to be known by.
const ada = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

type site struct {
	*testing.T
	srv *limn.Server
	*limntest.Client
}

func start(t *testing.T, change ...func(*limn.Config)) *site {
	t.Helper()
	cfg := limn.Config{Doors: []string{"agui"}, App: limntest.Must(app.New(app.Config{Name: "guests", Title: "Guest book",
		Forms: []app.Form{{Name: "guest", Title: "Sign the guest book", Phrases: []string{"sign the guest book"},
			Fields: []ui.Field{{Name: "name", Label: "Your name", Type: ui.TypeText, Required: true},
				{Name: "age", Type: ui.TypeNumber}, {Name: "note", Type: ui.TypeText}}}},
		Tables: []app.Table{{Name: "risks", Title: "Risks", Columns: []ui.Field{{Name: "risk", Type: ui.TypeText}}}}}))}
	for _, f := range change {
		f(&cfg)
	}
	srv := limntest.Must(limn.New(cfg))
	s := &site{t, srv, limntest.Serve(t, srv)}
	s.HTTP.Jar, s.Token = nil, ada
	return s
}

// event is any event of a run.
type event struct {
	Type, MessageID, Role, ActivityType, Message, Code string
	ThreadID, RunID                                    string
	ToolCallID, ToolCallName                           string
	Delta                                              json.RawMessage // a text, or of STATE_DELTA a list
	Content                                            struct {
		Operations []json.RawMessage `json:"a2ui_operations"`
	}
	Messages []struct {
		ID, Role  string
		Content   json.RawMessage
		ToolCalls []struct{ ID string }
	}
	Result  struct{ Conversation, Outcome string }
	Outcome struct {
		Type       string
		Interrupts []struct {
			ID, Reason     string
			ResponseSchema struct {
				Required   []string
				Properties map[string]struct{ Type string }
			}
		}
	}
}

// input is the input of a run in a thread; more is its members beside the ids.
func input(thread, run, more string) string {
	return fmt.Sprintf(`{"protocolVersion":"1.0","threadId":%q,"runId":%q,"state":{},"tools":[],"context":[]%s}`, thread, run, more)
}

// say is a message of the user.
func say(id, text string) string {
	return fmt.Sprintf(`,"messages":[{"id":%q,"role":"user","content":%q}]`, id, text)
}

// run posts an input and reads events until limit of them, or the end.
func (s *site) run(limit int, body string) (out []event) {
	s.T.Helper()
	ctx, cancel := context.WithCancel(s.T.Context())
	defer cancel()
	r := s.Request("POST", "/agui", strings.NewReader(body), "Content-Type", "application/json")
	resp := limntest.Must(s.HTTP.Do(r.WithContext(ctx)))
	defer resp.Body.Close()
	if ct := resp.Header.Get("Content-Type"); ct != "text/event-stream" {
		s.T.Fatalf("%s %s", resp.Status, ct)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 4<<20)
	for len(out) < limit && lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var e event
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				s.T.Fatalf("%v: %s", err, data)
			}
			out = append(out, e)
		}
	}
	return out
}

// types are the types of events, one after the other.
func types(events []event) string {
	var out []string
	for _, e := range events {
		out = append(out, e.Type)
	}
	return strings.Join(out, " ")
}

// said is the text of a run.
func said(events []event) (text string) {
	for _, e := range events {
		var piece string
		if strings.HasPrefix(e.Type, "TEXT") && len(e.Delta) > 0 && json.Unmarshal(e.Delta, &piece) == nil {
			text += piece
		}
	}
	return text
}

// shown is a renderer of the surfaces of a run.
func shown(t *testing.T, events []event) *renderer.Client {
	t.Helper()
	r := renderer.New(a2ui.V09, renderer.Strict)
	for _, e := range events {
		for _, op := range e.Content.Operations {
			if err := r.Feed(op); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

// sign is the click on the button of the form, with a name in it.
func sign(t *testing.T, r *renderer.Client, name string) string {
	t.Helper()
	return press(t, r, "submit", name)
}

// press is the click on a button of the first surface, with texts in its first fields.
func press(t *testing.T, r *renderer.Client, name string, texts ...string) string {
	t.Helper()
	surface := r.Surfaces()[0]
	var button string
	for n := range limntest.Must(r.Surface(surface)).Root.All() {
		if n.Role == "textbox" && len(texts) > 0 && !strings.Contains(n.Key(), "paste") {
			if err := r.Type(surface, n.Key(), texts[0]); err != nil {
				t.Fatal(err)
			}
			texts = texts[1:]
		}
		if n.Role == "button" && strings.Contains(n.Key(), name) {
			button = n.Key()
		}
	}
	a := limntest.Must(r.Click(surface, button))
	a.Timestamp = "2026-11-27T00:00:00Z"
	old := limntest.Must(a2ui.AppendClient(nil, a2ui.V08, &a)) // {"userAction":…}, as CopilotKit sends it
	return fmt.Sprintf(`,"messages":[],"forwardedProps":{"limn_interrupts":true,"a2uiAction":%s}`, old)
}

func (s *site) commits(events []event, name string) int {
	s.T.Helper()
	return limntest.Saved(s.T, s.srv.Service(), events[len(events)-1].Result.Conversation, name)
}

// TestRun: a message opens a form, a click submits it, and what is sent again counts once and
// has its events again.
func TestRun(t *testing.T) {
	t.Parallel()
	s := start(t)
	const opened = "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END ACTIVITY_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED"
	var first []event
	for range 2 {
		got := s.run(99, input("t", "1", say("m1", "sign the guest book")))
		if types(got) != opened || got[0].ThreadID != "t" || got[0].RunID != "1" {
			t.Fatalf("%s", types(got))
		}
		if first != nil && first[4].MessageID != got[4].MessageID {
			t.Errorf("%+v", got)
		}
		first = got
	}
	click := sign(t, shown(t, first), "Ada")
	for _, run := range []string{"2", "2", "3"} {
		got := s.run(99, input("t", run, click))
		if end := got[len(got)-1]; end.Type != "RUN_FINISHED" || end.Outcome.Type != "success" || said(got) == "" {
			t.Errorf("run %s: %+v", run, got)
		}
		if n := s.commits(got, "Ada"); n != 1 {
			t.Errorf("saved %d times", n)
		}
	}
	// the same thread of another is another, also by the id of the conversation
	s.Token = strings.Replace(ada, "AA", "BA", 1)
	for _, thread := range []string{"t", first[len(first)-1].Result.Conversation} {
		if got := s.run(99, input(thread, "1", `,"messages":[]`)); len(got[1].Messages) != 0 {
			t.Errorf("%+v", got)
		}
		got := s.run(99, input(thread, "2", click))
		if end := got[len(got)-1]; end.Type != "RUN_ERROR" || end.Code == "" {
			t.Errorf("a click in another's conversation: %+v", got)
		}
	}
}

// TestReload: a run with nothing new has the messages and the surfaces, also after the
// server was stopped and started again.
func TestReload(t *testing.T) {
	t.Parallel()
	st := memory.New()
	keep := func(c *limn.Config) { c.Store = store.Store(st) }
	s := start(t, keep)
	s.run(99, input("t", "1", say("m1", "sign the guest book")))
	for range 2 {
		got := s.run(99, input("t", "2", `,"messages":[]`))
		if types(got) != "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED" {
			t.Fatal(types(got))
		}
		all := got[1].Messages
		if len(all) != 3 || all[0].Role != "user" || all[1].Role != "assistant" || all[2].Role != "activity" {
			t.Fatalf("%+v", all)
		}
		var again event
		if err := json.Unmarshal(all[2].Content, &again.Content); err != nil {
			t.Fatal(err)
		}
		if r := shown(t, []event{again}); len(r.Surfaces()) != 1 {
			t.Errorf("%q", r.Surfaces())
		}
		s = start(t, keep)
	}
}

// TestNothingYet: to look at a thread that has not begun begins none.
func TestNothingYet(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, token := range []string{ada, ""} {
		s.Token = token
		got := s.run(99, input("t", "1", `,"messages":[]`))
		if types(got) != "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED" || got[3].Result.Conversation != "" {
			t.Errorf("%+v", got)
		}
	}
	s.Token = ada
	if list := s.Do("GET", "/v1/conversations", "").Text; strings.Contains(list, `"id"`) {
		t.Error(list)
	}
}

// TestStream: the text of a model comes as it is written; stop ends the run, and it stays
// stopped for who sends its message again.
func TestStream(t *testing.T) {
	t.Parallel()
	gate := limntest.NewGate()
	s := start(t, func(c *limn.Config) { c.Model = gate })
	done := make(chan []event)
	ask := input("t", "1", say("m1", "tell me something about whales, please"))
	go func() { done <- s.run(99, ask) }()
	<-gate.Asked
	other := make(chan []event)
	go func() { other <- s.run(99, ask) }() // a second tab
	if a := s.Do("POST", "/agui/stop", `{"threadId":"t"}`, "Content-Type", "application/json"); a.StatusCode != 204 {
		t.Fatalf("%s %s", a.Status, a.Text)
	}
	for _, got := range [][]event{<-done, <-other, s.run(99, ask)} {
		if end := got[len(got)-1]; end.Type != "RUN_FINISHED" || end.Outcome.Type != "cancelled" {
			t.Errorf("stopped: %+v", got)
		}
	}
	older := s.run(99, strings.Replace(ask, `"protocolVersion":"1.0",`, "", 1))
	if end := older[len(older)-1]; end.Type != "RUN_FINISHED" || end.Outcome.Type != "" || said(older) != "Stopped." {
		t.Errorf("stopped, for a client of 0.0.59: %+v", older)
	}
	go func() { done <- s.run(99, input("t", "2", say("m2", "tell me something about seals, please"))) }()
	<-gate.Asked
	gate.Answer <- limntest.Envelope("They bark.")
	if got := <-done; said(got) != "They bark." || got[len(got)-1].Outcome.Type != "success" {
		t.Errorf("%+v", got)
	}
	go func() { done <- s.run(99, input("t", "3", say("m3", "tell me something about ants, please"))) }()
	<-gate.Asked
	gate.Answer <- limntest.Envelope("Sign.", limntest.ShowForm("guest"))
	const follows = "RUN_STARTED STATE_SNAPSHOT TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END " +
		"ACTIVITY_SNAPSHOT STATE_DELTA RUN_FINISHED"
	const over = "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END " +
		"ACTIVITY_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED" // before its stream began
	if got := types(<-done); got != follows && got != over {
		t.Errorf("%s", got)
	}
	if a := s.Do("POST", "/agui/stop", `{"threadId":"nobody's"}`, "Content-Type", "application/json"); a.StatusCode != 404 {
		t.Errorf("%s %s", a.Status, a.Text)
	}
}

// TestSlowReader: a client that stops reading holds nobody up, and nothing is lost to it: not
// when it reads on, and not when it sends its message again instead.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	gate := limntest.NewGate()
	s := start(t, func(c *limn.Config) { c.Model = gate })
	ask := input("t", "1", say("m1", "tell me something about whales, please"))
	slow := s.Stall("/agui", ask)
	<-gate.Asked
	fast := make(chan []event)
	go func() { fast <- s.run(99, ask) }()
	song := strings.Repeat("They sing. ", 2900)
	gate.Answer <- limntest.Envelope(song)
	song = strings.TrimSpace(song)
	for _, got := range [][]event{<-fast, s.run(99, ask)} {
		if strings.TrimSpace(said(got)) != song || got[len(got)-1].Type != "RUN_FINISHED" {
			t.Errorf("%d bytes, %s", len(said(got)), types(got))
		}
	}
	if got := slow(); !strings.Contains(got, song) || !strings.Contains(got, "RUN_FINISHED") {
		t.Errorf("the slow one has %d bytes", len(got))
	}
}

// TestInterrupt: for a client that asks for them an open form is an interrupt; its answer
// counts once, and later ones are told so. An open table is none.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	s := start(t)
	const asks = `,"forwardedProps":{"limn_interrupts":true}`
	got := s.run(99, input("t", "1", asks+say("m1", "sign the guest book")))
	end := got[len(got)-1]
	if end.Outcome.Type != "interrupt" || len(end.Outcome.Interrupts) != 1 {
		t.Fatalf("%+v", end)
	}
	open := end.Outcome.Interrupts[0]
	again := s.run(99, input("t", "1", asks+`,"messages":[]`))
	if end := again[len(again)-1]; types(again) != "RUN_STARTED MESSAGES_SNAPSHOT ACTIVITY_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED" ||
		len(end.Outcome.Interrupts) != 1 || end.Outcome.Interrupts[0].ID != open.ID || len(again[1].Messages) != 2 {
		t.Errorf("reloaded: %+v", again)
	}
	if p := open.ResponseSchema.Properties; p["name"].Type != "string" || p["age"].Type != "number" ||
		len(open.ResponseSchema.Required) != 1 {
		t.Errorf("%+v", open)
	}
	resume := func(run, payload string) []event {
		return s.run(99, input("t", run, fmt.Sprintf(`%s,"messages":[{"id":"m1","role":"user","content":"sign the guest book"}],
			"resume":[{"interruptId":%q,"status":"resolved","payload":%s}]`, asks, open.ID, payload)))
	}
	if got := resume("2", `{"age":7}`); got[len(got)-1].Outcome.Type != "interrupt" {
		t.Errorf("a name is missing: %+v", got)
	}
	misspelt := resume("2b", `{"nam":"Ada"}`)
	if end := misspelt[len(misspelt)-1]; end.Type != "RUN_ERROR" || end.Code != "A2UI_C2S_ENVELOPE_INVALID" ||
		!strings.Contains(end.Message, "name") {
		t.Errorf("a name that is not asked for: %+v", misspelt)
	}
	for range 2 {
		got = resume("3", `{"name":"Ada","age":36}`)
		if end := got[len(got)-1]; end.Outcome.Type != "success" || s.commits(got, "Ada") != 1 {
			t.Errorf("%+v", got)
		}
	}
	late := resume("4", `{"name":"Bob"}`)
	if end := late[len(late)-1]; end.Type != "RUN_ERROR" || end.Code != "A2UI_C2S_SURFACE_SUBMITTED" {
		t.Errorf("answered: %+v", late)
	}
	if n := s.commits(got, "Bob"); n != 0 {
		t.Errorf("saved %d times", n)
	}
	none := s.run(99, input("t", "5", `,"messages":[],"resume":[{"interruptId":"form:none#e=1","status":"resolved"}]`))
	if end := none[len(none)-1]; end.Type != "RUN_ERROR" {
		t.Errorf("no such interrupt: %+v", none)
	}
	table := s.run(99, input("u", "1", asks+say("m1", "We have 20 risks")))
	if end := table[len(table)-1]; end.Outcome.Type != "success" {
		t.Errorf("a table: %+v", end)
	}
}

// TestConfirm: a table that asks to be confirmed is an interrupt; the answer counts once, and
// one to an earlier question counts for nothing.
func TestConfirm(t *testing.T) {
	t.Parallel()
	s := start(t)
	const asks = `,"forwardedProps":{"limn_interrupts":true}`
	got := s.run(99, input("t", "1", asks+say("m1", "We have 20 risks")))
	if end := got[len(got)-1]; end.Outcome.Type != "success" {
		t.Fatalf("an open table: %+v", end)
	}
	checked := s.run(99, input("t", "2", press(t, shown(t, got), "submit", strings.Fields(strings.Repeat("fire flood ", 10))...)))
	end := checked[len(checked)-1]
	if end.Outcome.Type != "interrupt" || end.Outcome.Interrupts[0].Reason != "confirmation" {
		t.Fatalf("%s %+v", said(checked), end)
	}
	first := end.Outcome.Interrupts[0].ID
	again := s.run(99, input("t", "3", press(t, shown(t, checked), "submit", "storm"))) // checked once more
	end = again[len(again)-1]
	if end.Outcome.Type != "interrupt" || end.Outcome.Interrupts[0].ID == first {
		t.Fatalf("%+v", again)
	}
	confirm := func(run, id string) []event {
		return s.run(99, input("t", run, fmt.Sprintf(`%s,"messages":[],"resume":[{"interruptId":%q,"status":"resolved"}]`, asks, id)))
	}
	late := confirm("4", first)
	if end := late[len(late)-1]; end.Type != "RUN_ERROR" || end.Code == "" {
		t.Errorf("an earlier question: %+v", late)
	}
	for _, run := range []string{"5", "5"} {
		done := confirm(run, end.Outcome.Interrupts[0].ID)
		if end := done[len(done)-1]; end.Type != "RUN_FINISHED" || end.Outcome.Type != "success" {
			t.Errorf("%+v", done)
		}
	}
	if late := confirm("6", end.Outcome.Interrupts[0].ID); late[len(late)-1].Type != "RUN_ERROR" {
		t.Errorf("answered: %+v", late)
	}
	n := 0
	for _, st := range limntest.Must(s.srv.Service().Steps(t.Context(), end.Result.Conversation, 0, 1000)) {
		for _, op := range st.Frame.Ops {
			if op, ok := op.(*ui.Commit); ok && strings.Contains(string(op.Values.AppendJSON(nil)), "storm") {
				n++
			}
		}
	}
	if n != 1 {
		t.Errorf("saved %d times", n)
	}
}

// TestExpired: an interrupt whose form the application does not declare so any more is expired.
func TestExpired(t *testing.T) {
	t.Parallel()
	st := memory.New()
	keep := func(c *limn.Config) { c.Store = store.Store(st) }
	s := start(t, keep)
	const asks = `,"forwardedProps":{"limn_interrupts":true}`
	got := s.run(99, input("t", "1", asks+say("m1", "sign the guest book")))
	open := got[len(got)-1].Outcome.Interrupts[0].ID
	s = start(t, keep, func(c *limn.Config) {
		c.App = limntest.Must(app.New(app.Config{Name: "guests", Forms: []app.Form{{Name: "guest", Title: "Another",
			Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}}}))
	})
	late := s.run(99, input("t", "2", fmt.Sprintf(`%s,"messages":[],"resume":[{"interruptId":%q,"status":"resolved",
		"payload":{"name":"Ada"}}]`, asks, open)))
	if end := late[len(late)-1]; end.Type != "RUN_ERROR" || end.Code != "A2UI_C2S_SURFACE_STALE" {
		t.Errorf("%+v", late)
	}
	if n := s.commits(got, "Ada"); n != 0 {
		t.Errorf("saved %d times", n)
	}
}

// TestForeign: a thread is its sender's: under the same name another has another conversation, and the
// answer to an interrupt of the first is refused there.
func TestForeign(t *testing.T) {
	t.Parallel()
	s := start(t)
	const asks = `,"forwardedProps":{"limn_interrupts":true}`
	got := s.run(99, input("t", "1", asks+say("m1", "sign the guest book")))
	open := got[len(got)-1].Outcome.Interrupts[0].ID
	s.Token = strings.Replace(s.Token, "A", "B", 1)
	theirs := s.run(99, input("t", "1", say("m1", "sign the guest book")))
	for name, list := range map[string][]event{
		"the interrupt": s.run(99, input("t", "2", fmt.Sprintf(`%s,"messages":[],"resume":[{"interruptId":%q,"status":"resolved",
			"payload":{"name":"Ada"}}]`, asks, open))),
		"the click": s.run(99, input("t", "3", sign(t, shown(t, got), "Ada"))),
	} {
		if end := list[len(list)-1]; end.Type != "RUN_ERROR" || end.Code == "" || end.Message == "" {
			t.Errorf("%s: %+v", name, list)
		}
	}
	if hint := s.run(99, `{`); !strings.Contains(hint[0].Message, "; send the input of one run") {
		t.Errorf("no hint: %+v", hint)
	}
	if n := s.commits(got, "Ada") + s.commits(theirs, "Ada"); n != 0 {
		t.Errorf("saved %d times", n)
	}
}

// TestCapabilities: the drawing is of the version and catalog that the client says.
func TestCapabilities(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Targets = limn.Targets() })
	open := say("m1", "sign the guest book")
	for name, c := range map[string]struct{ props, has string }{
		"says nothing": {`{}`, "https://a2ui.org/specification/v0_9/basic_catalog.json"},
		"official":     {`{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["` + a2ui.CatalogID(a2ui.V09) + `"]}}}`, a2ui.CatalogID(a2ui.V09)},
		"newest":       {`{"a2uiRendererCapabilities":{"1.0":{"supportedCatalogIds":["` + a2ui.CatalogID(a2ui.V10) + `"]}}}`, `"version":"1.0"`},
		"none":         {`{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["x"]}}}`, "A2UI_C2S_CAPABILITY_CATALOG"},
		"unknown extension": {`{"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["` + a2ui.CatalogID(a2ui.V09) + `"],"extensions":["x/1"]}}}`,
			"A2UI_C2S_EXTENSION_UNKNOWN"},
	} {
		a := s.Do("POST", "/agui", input(name, "1", `,"forwardedProps":`+c.props+open), "Content-Type", "application/json")
		if !strings.Contains(a.Text, c.has) || strings.Contains(a.Text, "ACTIVITY") != (name != "none" && name != "unknown extension") {
			t.Errorf("%s: %s", name, a.Text)
		}
	}
	a := s.Do("POST", "/agui", input("model", "1", `,"forwardedProps":{"a2uiClientDataModel":{"version":"v0.9","surfaces":{"s":{}}}}`+open),
		"Content-Type", "application/json")
	if !strings.Contains(a.Text, "RUN_FINISHED") {
		t.Error(a.Text)
	}
	var caps struct{ HumanInTheLoop struct{ Interrupts bool } }
	if s.Do("GET", "/agui", "").Into(t, &caps); !caps.HumanInTheLoop.Interrupts {
		t.Errorf("%+v", caps)
	}
}

// TestSubmitInWords: the data model that comes with a message is what its words submit, once.
func TestSubmitInWords(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run(99, input("t", "1", say("m1", "sign the guest book")))
	const props = `,"forwardedProps":{"a2uiClientDataModel":{"version":"v0.9","surfaces":{"form:guest#e=1":
		{"draft":{"name":"Ada"},"ui_state":{"rev":1}}}}}`
	for range 2 {
		got := s.run(99, input("t", "2", props+say("m2", "Okay, submit the form")))
		if n := s.commits(got, "Ada"); n != 1 {
			t.Errorf("saved %d times: %+v", n, got)
		}
	}
}

// TestBadInput: a run that cannot be is a RUN_ERROR with a code.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s := start(t)
	opened := s.run(99, input("t", "1", say("m1", "sign the guest book")))
	click := sign(t, shown(t, opened), "Ada")
	s.run(99, input("u", "1", say("m1", "hello")))
	says := map[string]string{"a list": "not an object", "another message": "/messages/0/id: ",
		"no text": "/messages/0/content: "}
	for name, body := range map[string]string{
		"not JSON": `{`, "a list": `[]`, "a batch": "[" + strings.Repeat("{},", 9999) + "{}]", "no ids": `{}`, "deep": strings.Repeat("[", 1000),
		"wide":                 "[" + strings.Repeat("0,", 60000) + "0]",
		"a long id":            input(strings.Repeat("x", 300), "1", ""),
		"no id of a message":   input("t", "1", say("", "x")),
		"no text":              input("t", "1", say("m", " ")),
		"a picture":            input("t", "1", `,"messages":[{"id":"m","role":"user","content":[{"type":"image"}]}]`),
		"an action of nothing": input("t", "1", `,"messages":[],"forwardedProps":{"a2uiAction":{"x":1}}`),
		"capabilities":         input("t", "1", `,"messages":[],"forwardedProps":{"a2uiClientCapabilities":7}`),
		"answers elsewhere":    input("t", "1", `,"messages":[],"resume":{"interruptId":"x","status":"resolved"}`),
		"messages elsewhere":   input("t", "1", `,"messages":{"id":"m","role":"user","content":"x"}`),
		"a numbered protocol":  strings.Replace(input("t", "1", say("m9", "hello")), `"1.0"`, `9`, 1),
		"no status":            input("t", "1", `,"messages":[],"resume":[{"interruptId":"x"}]`),
		"a payload of text":    input("t", "1", `,"messages":[],"resume":[{"interruptId":"x","status":"resolved","payload":"x"}]`),
		"many answers":         input("t", "1", `,"messages":[],"resume":[`+strings.Repeat(`{},`, 16)+`{}]`),
		"another protocol":     strings.Replace(input("t", "1", say("m9", "hello")), `"1.0"`, `"9.0"`, 1),
		"another message":      input("t", "1", say("m1", "something else")),
		"replayed elsewhere":   input("u", "2", click),
	} {
		got := s.run(99, body)
		if end := got[len(got)-1]; end.Type != "RUN_ERROR" || end.Code == "" || end.Message == "" {
			t.Errorf("%s: %+v", name, got)
		} else if want := says[name]; !strings.Contains(end.Message, want) {
			t.Errorf("%s: %q, want %q in it", name, end.Message, want)
		}
	}
	if n := s.commits(opened, "Ada"); n != 0 {
		t.Errorf("saved %d times", n)
	}
	for name, c := range map[string]struct {
		body    string
		status  int
		headers []string
	}{
		"wrong type": {"x", http.StatusUnsupportedMediaType, []string{"Content-Type", "text/plain"}},
		"large":      {`"` + strings.Repeat("x", 2<<20) + `"`, http.StatusRequestEntityTooLarge, nil},
		"no token":   {input("t", "1", ""), http.StatusUnauthorized, []string{"Authorization", "Bearer x"}},
	} {
		if a := s.Do("POST", "/agui", c.body, append([]string{"Content-Type", "application/json"}, c.headers...)...); a.StatusCode != c.status {
			t.Errorf("%s: %s %s", name, a.Status, a.Text)
		}
	}
}

// TestNodeClient: HttpAgent of @ag-ui/client runs, acts, answers interrupts and reloads.
func TestNodeClient(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts node; run without -short")
	}
	s := start(t)
	limntest.Node(t, "agui.mjs", s.URL, start(t, withPicks(&picks{}, memory.New())).URL)
}

// TestOrigins: pages of the allowed origins use the door, and no other pages.
func TestOrigins(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Origins = []string{"https://app.example"} })
	for origin, want := range map[string]string{"https://app.example": "https://app.example", "https://evil.example": ""} {
		a := s.Do("OPTIONS", "/agui", "", "Origin", origin, "Access-Control-Request-Method", "POST")
		if got := a.Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s: %q", origin, got)
		}
		post := s.Do("POST", "/agui", input("t", "1", `,"messages":[]`), "Origin", origin, "Content-Type", "application/json",
			"Sec-Fetch-Site", "cross-site")
		if ok := post.StatusCode == http.StatusOK; ok != (want != "") {
			t.Errorf("%s: %s", origin, post.Status)
		}
	}
}

// TestModelOfClick: the data models that a click has beside it are kept.
func TestModelOfClick(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run(99, input("t", "1", say("m1", "sign the guest book")))
	got := s.run(99, input("t", "2", `,"messages":[],"forwardedProps":{"a2uiAction":{"version":"v0.9","action":{
		"name":"nothing","surfaceId":"form:guest#e=1","sourceComponentId":"x","timestamp":"2026-11-27T00:00:00Z",
		"context":{}},"metadata":{"a2uiClientDataModel":{"version":"v0.9","surfaces":{
		"form:guest#e=1":{"draft":{"name":"Ada"}}}}}}}`))
	all := s.run(99, input("t", "3", `,"messages":[]`))
	id := all[len(all)-1].Result.Conversation
	h := limntest.Must(s.srv.Service().Head(t.Context(), id, ""))
	if v, _ := h.State.Surface("form:guest").Get("/draft/name"); v.Text() != "Ada" {
		t.Errorf("the name is %q: %+v", v.Text(), got)
	}
}

// TestTrimmed: a run whose frames are gone ends all the same when it is sent again.
func TestTrimmed(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.KeepFrames = 1 })
	first := s.run(99, input("t", "1", say("m1", "sign the guest book")))
	id := first[len(first)-1].Result.Conversation
	for range 200 {
		s.Do("POST", "/v1/conversations/"+id+"/messages", `{"text":"hello"}`, "Prefer", "wait=9")
	}
	got := s.run(4, input("t", "1", say("m1", "sign the guest book")))
	if types(got) != "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED" {
		t.Errorf("%s", types(got))
	}
}

// TestErrorReport: what a renderer reports is answered with all surfaces, for that renderer alone.
func TestErrorReport(t *testing.T) {
	t.Parallel()
	s := start(t)
	first := s.run(99, input("t", "1", say("m1", "sign the guest book")))
	got := s.run(99, input("t", "2", `,"messages":[],"forwardedProps":{"a2uiAction":{"version":"v0.9","error":{
		"code":"VALIDATION_FAILED","surfaceId":"form:guest#e=1","path":"/components/0/text","message":"no text"}}}`))
	if len(shown(t, got).Surfaces()) != 1 {
		t.Errorf("%s", types(got))
	}
	steps := limntest.Must(s.srv.Service().Steps(t.Context(), first[len(first)-1].Result.Conversation, 0, 9))
	if re := steps[len(steps)-1].Frame.Rebuild; re == nil || re.Client == "" {
		t.Errorf("every client starts over: %+v", re)
	}
}

// TestAgainLater: a run that is sent again draws its surfaces as they are now.
func TestAgainLater(t *testing.T) {
	t.Parallel()
	s := start(t)
	const asks = `,"forwardedProps":{"limn_interrupts":true}`
	ask := input("t", "1", asks+say("m1", "sign the guest book"))
	first := s.run(99, ask)
	s.run(99, input("t", "2", sign(t, shown(t, first), "Ada")))
	again, all := s.run(99, ask), s.run(99, input("t", "3", `,"messages":[]`))
	if end := again[len(again)-1]; end.Outcome.Type != "success" || len(end.Outcome.Interrupts) > 0 {
		t.Errorf("%+v", end)
	}
	want := all[1].Messages[len(all[1].Messages)-1].Content
	got := limntest.Must(json.Marshal(map[string]any{"a2ui_operations": again[4].Content.Operations}))
	if string(got) != string(want) {
		t.Errorf("%s, want %s", got, want)
	}
	// it is opened once more, and closed
	s.run(99, input("t", "4", say("m4", "sign the guest book")))
	s.run(99, input("t", "5", say("m5", "cancel that")))
	if again = s.run(99, ask); len(again[4].Content.Operations) != 1 || !strings.Contains(string(again[4].Content.Operations[0]), "deleteSurface") {
		t.Errorf("%+v", again[4])
	}
}
