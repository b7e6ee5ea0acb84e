package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// asked is the stream of a call whose client is asked for the fields of a form.
type asked struct {
	*site
	lines *bufio.Scanner
	id    string
	body  string // of the question
}

// ask calls the tool of the form, and reads the question.
func (s *site) ask() *asked {
	s.T.Helper()
	ctx, cancel := context.WithCancel(s.T.Context())
	s.T.Cleanup(cancel)
	r := s.Request("POST", "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{
		"name":"show_form_guest","arguments":{"note":"hello","age":36}}}`), "Content-Type", "application/json",
		"Mcp-Session-Id", s.session)
	resp := limntest.Must(s.HTTP.Do(r.WithContext(ctx)))
	s.T.Cleanup(func() { resp.Body.Close() })
	if ct := resp.Header.Get("Content-Type"); ct != "text/event-stream" {
		s.T.Fatalf("%s %s", resp.Status, ct)
	}
	a := &asked{site: s, lines: bufio.NewScanner(resp.Body)}
	a.lines.Buffer(nil, 1<<20)
	a.body = a.next()
	var q struct{ ID, Method string }
	if err := json.Unmarshal([]byte(a.body), &q); err != nil || q.Method != "elicitation/create" {
		s.T.Fatalf("%v: %s", err, a.body)
	}
	a.id = q.ID
	return a
}

func (a *asked) next() string {
	a.T.Helper()
	for a.lines.Scan() {
		if data, ok := strings.CutPrefix(a.lines.Text(), "data: "); ok {
			return data
		}
	}
	a.T.Fatal("the stream has ended")
	return ""
}

// answer answers the question, at any server.
func (a *asked) answer(s *site, result string) reply {
	return s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":%s}`, a.id, result))
}

// result is the result of the call.
func (a *asked) result() (r reply) {
	a.T.Helper()
	r.Raw = a.next()
	if err := json.Unmarshal([]byte(r.Raw), &r); err != nil || string(r.ID) != "7" {
		a.T.Fatalf("%v: %s", err, r.Raw)
	}
	return r
}

// TestElicit: a client that asks its user is asked for the fields of a form, with what is known
// of them. To accept submits once, to decline closes the form, to cancel leaves it open; any
// server takes the answer.
func TestElicit(t *testing.T) {
	t.Parallel()
	st, bus := memory.New(), localbus.New()
	at := func(c *limn.Config) { c.Store, c.Bus, c.Node = st, bus, limn.NewNode() }
	s, node := start(t, at), start(t, at)
	s.initialize(`{"elicitation":{}}`)
	node.session = s.session
	for _, want := range []string{`"requestedSchema"`, `"default":"hello"`, `"default":36`, `"enum":["night","week"]`,
		`"required":["name"]`} {
		if q := s.ask().body; !strings.Contains(q, want) {
			t.Errorf("no %s in %s", want, q)
		}
	}
	a := s.ask()
	if got := a.answer(node, `{"action":"cancel"}`); got.HTTP.StatusCode != http.StatusAccepted {
		t.Errorf("%s %s", got.HTTP.Status, got.Raw)
	}
	if r := a.result(); r.Result.StructuredContent.Outcome != "asked" || !strings.Contains(a.text(r), "is open") {
		t.Errorf("put off: %s", r.Raw)
	}
	a = s.ask()
	a.answer(s, `{"action":"accept","content":{"note":"no name"}}`)
	if r := a.result(); r.Result.StructuredContent.Outcome != "asked" || r.Result.StructuredContent.Path != "/draft/name" {
		t.Errorf("without a name: %s", r.Raw)
	}
	a = s.ask()
	for _, s := range []*site{s, node, s} {
		if got := a.answer(s, `{"action":"accept","content":{"name":"Ada","age":36}}`); got.HTTP.StatusCode != 202 {
			t.Errorf("%s %s", got.HTTP.Status, got.Raw)
		}
	}
	r := a.result()
	if r.Result.StructuredContent.Outcome != "done" || !strings.Contains(a.text(r), "is submitted") {
		t.Errorf("accepted: %s", r.Raw)
	}
	if n := s.commits(r.Result.StructuredContent.Conversation, "Ada"); n != 1 {
		t.Errorf("saved %d times", n)
	}
	a = s.ask()
	a.answer(node, `{"action":"decline"}`)
	if r := a.result(); r.Result.StructuredContent.Outcome != "done" || !strings.Contains(a.text(r), "is closed") {
		t.Errorf("declined: %s", r.Raw)
	}
	if again := a.answer(s, `{"action":"accept","content":{"name":"Eve"}}`); again.HTTP.StatusCode != 202 {
		t.Errorf("a second answer: %s", again.Raw)
	}
	if n := s.commits(r.Result.StructuredContent.Conversation, "Eve"); n != 0 {
		t.Errorf("declined, and saved %d times", n)
	}
}

// TestElicitSessionless: a client without a session repeats its call with the answer.
func TestElicitSessionless(t *testing.T) {
	t.Parallel()
	s := start(t)
	const name = `"name":"show_form_guest","arguments":{}`
	ask := func(more string) reply {
		return s.modern("tools/call", "show_form_guest", name+more, `{"elicitation":{}}`)
	}
	answer := func(state, result string) reply {
		return ask(fmt.Sprintf(`,"requestState":%q,"inputResponses":{"form":%s}`, state, result))
	}
	first := ask("")
	q := first
	if q.Result.ResultType != "input_required" || q.Result.InputRequests["form"].Method != "elicitation/create" {
		t.Fatalf("%s", q.Raw)
	}
	for range 2 {
		got := answer(q.Result.RequestState, `{"action":"accept","content":{"name":"Ada"}}`)
		if c := got.Result.StructuredContent; c.Outcome != "done" || s.commits(c.Conversation, "Ada") != 1 {
			t.Errorf("%s", got.Raw)
		}
	}
	q = ask("")
	if got := answer(q.Result.RequestState, `{"action":"cancel"}`); got.Result.StructuredContent.Outcome != "asked" {
		t.Errorf("%s", got.Raw)
	}
	if got := answer(q.Result.RequestState[:5], `{"action":"cancel"}`); got.Error == nil {
		t.Errorf("%s", got.Raw)
	}
	if got := ask(fmt.Sprintf(`,"requestState":%q`, q.Result.RequestState)); got.Error == nil || got.Error.Code != -32602 {
		t.Errorf("%s", got.Raw)
	}
	q = ask("")
	if got := answer(q.Result.RequestState, `{"action":"decline"}`); got.Result.StructuredContent.Outcome != "done" {
		t.Errorf("%s", got.Raw)
	}
	s.Token = other // whose form of that name is open, too
	ask("")
	if got := answer(first.Result.RequestState, `{"action":"accept","content":{"name":"Eve"}}`); got.Error == nil ||
		got.Error.Data.Code != "HTTP_NOT_FOUND" {
		t.Errorf("the question of another conversation: %s", got.Raw)
	}
}

// TestElicitLate: an answer to a question whose form was submitted meanwhile is refused with a
// code, and changes nothing.
func TestElicitLate(t *testing.T) {
	t.Parallel()
	s := start(t)
	call := func(more string) reply {
		return s.modern("tools/call", "show_form_guest", `"name":"show_form_guest","arguments":{}`+more, `{"elicitation":{}}`)
	}
	answer := func(state, name string) reply {
		return call(fmt.Sprintf(`,"requestState":%q,"inputResponses":{"form":{"action":"accept","content":{"name":%q}}}`,
			state, name))
	}
	early := call("").Result.RequestState
	s.modern("tools/call", "say", `"name":"say","arguments":{"text":"hello"}`, `{}`)
	late := call("").Result.RequestState
	if early == late {
		t.Fatalf("two questions are one: %s", early)
	}
	c := answer(late, "Ada").Result.StructuredContent
	got := answer(early, "Eve")
	if code := got.Result.StructuredContent.Code; got.Error == nil && (!got.Result.IsError || code == "") ||
		got.Error != nil && got.Error.Data.Code == "" {
		t.Errorf("%s", got.Raw)
	}
	if s.commits(c.Conversation, "Ada") != 1 || s.commits(c.Conversation, "Eve") != 0 {
		t.Errorf("saved %d and %d times", s.commits(c.Conversation, "Ada"), s.commits(c.Conversation, "Eve"))
	}
}

// TestElicitExpired: an answer to a question about a form that the application does not declare so
// any more, or of another's conversation, is refused with a code, and changes nothing.
func TestElicitExpired(t *testing.T) {
	t.Parallel()
	st := memory.New()
	keep := func(c *limn.Config) { c.Store = st }
	s := start(t, keep)
	call := func(s *site, more string) reply {
		return s.modern("tools/call", "show_form_guest", `"name":"show_form_guest","arguments":{}`+more, `{"elicitation":{}}`)
	}
	state := call(s, "").Result.RequestState
	conversation := s.modern("tools/call", "say", `"name":"say","arguments":{"text":"hello"}`, `{}`).
		Result.StructuredContent.Conversation
	changed := start(t, keep, func(c *limn.Config) {
		c.App = limntest.Must(app.New(app.Config{Name: "guests", Forms: []app.Form{{Name: "guest", Title: "Another",
			Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}}}))
	})
	accept := fmt.Sprintf(`,"requestState":%q,"inputResponses":{"form":{"action":"accept","content":{"name":"Ada"}}}`, state)
	s.Token = other
	foreign := call(s, accept)
	for name, got := range map[string]reply{"expired": call(changed, accept), "another's": foreign} {
		if code := got.Result.StructuredContent.Code; got.Error == nil && (!got.Result.IsError || code == "") ||
			got.Error != nil && got.Error.Data.Code == "" {
			t.Errorf("%s: %s", name, got.Raw)
		}
	}
	if got := call(changed, accept).Result.StructuredContent; got.Code != "A2UI_C2S_SURFACE_STALE" {
		t.Errorf("once more: %+v", got)
	}
	if n := s.commits(conversation, "Ada"); conversation == "" || n != 0 {
		t.Errorf("saved %d times in %q", n, conversation)
	}
}
