package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/transport/web"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/ui"
)

// bad is one input nobody should send: what it is answered with, and what it
// leaves in the draft.
type bad struct {
	name   string
	method string // default: POST
	path   string
	body   func(t *testing.T, c *client) string
	form   bool
	status int
	code   ui.Code
	kept   string // what is in /draft/notes afterwards; "" = nothing changed
}

func raw(s string) func(*testing.T, *client) string {
	return func(*testing.T, *client) string { return s }
}

// edited is the envelope of a submit with notes typed, changed by pairs of old
// and new text.
func edited(pairs ...string) func(*testing.T, *client) string {
	return func(t *testing.T, c *client) string {
		body := action(t, c, "form:customer", map[string]string{"notes": "typed"}, builtin.ActionSubmit)
		sf := c.state().Surface("form:customer")
		for i := 0; i < len(pairs); i += 2 {
			old := strings.NewReplacer("NONCE", sf.Nonce, "REV", utoa(sf.Rev)).Replace(pairs[i])
			if !strings.Contains(body, old) {
				t.Fatalf("%s does not contain %s", body, old)
			}
			body = strings.Replace(body, old, pairs[i+1], 1)
		}
		return body
	}
}

// answered submits the form and returns another answer to it.
func answered(t *testing.T, c *client) string {
	sf := c.state().Surface("form:customer")
	if a := c.do("POST", events, click(sf, "submit", map[string]any{"company": "Globex"})); a.StatusCode != 200 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	return click(sf, "submit", map[string]any{"company": "Initech"})
}

// formOf is what the page's form posts, changed by pairs of names and values.
func formOf(pairs ...string) func(*testing.T, *client) string {
	return func(t *testing.T, c *client) string {
		sf := c.state().Surface("form:customer")
		v := url.Values{"limn_surface": {sf.WireID()}, "limn_nonce": {sf.Nonce}, "limn_rev": {utoa(sf.Rev)},
			"limn_component": {submitButton(t, c, "form:customer")}, "/draft/notes": {"typed"}}
		for i := 0; i < len(pairs); i += 2 {
			if v.Del(pairs[i]); pairs[i+1] != "-" {
				v.Set(pairs[i], pairs[i+1])
			}
		}
		return v.Encode()
	}
}

const (
	messages = "/v1/-/messages"
	events   = "/v1/-/events"
	actions  = "/c/-/actions"
	optOut   = prefs + "/opt_out"
)

func ruleOf(pattern string) string {
	return `{"intent_pattern":"` + pattern + `","action":"suppress_tool","tool":"request_data_table"}`
}

var badInputs = []bad{
	{name: "malformed JSON", path: messages, body: raw(`{"text":`), status: 400, code: ingress.CodeEnvelope},
	{name: "no body", path: messages, body: raw(``), status: 400, code: ingress.CodeEnvelope},
	{name: "not an object", path: messages, body: raw(`[1,2]`), status: 400, code: ingress.CodeEnvelope},
	{name: "text that is no string", path: messages, body: raw(`{"text":{"a":1}}`), status: 400, code: ingress.CodeEnvelope},
	{name: "a key too many", path: messages, body: raw(`{"text":"hi","x":1}`), status: 400, code: ingress.CodeEnvelope},
	{name: "a key twice", path: messages, body: raw(`{"text":"hi","text":"ho"}`), status: 400, code: ingress.CodeEnvelope},
	{name: "invalid UTF-8", path: messages, body: raw("{\"text\":\"\xff\xfe\"}"), status: 400, code: ingress.CodeEnvelope},
	{name: "white space only", path: messages, body: raw(`{"text":" \n "}`), status: 400, code: ingress.CodeEnvelope},
	{name: "two values", path: messages, body: raw(`{"text":"hi"}{}`), status: 400, code: ingress.CodeEnvelope},
	{name: "a conversation that is not there", path: "/v1/conversations/019f42a6-6a2b-7c41-9f2b-0d9a3b1c5e77/messages", body: raw(`{"text":"hi"}`), status: 404, code: "HTTP_NOT_FOUND"},
	{name: "a long message", path: messages, body: raw(`{"text":"` + strings.Repeat("x", 32<<10+1) + `"}`), status: 413, code: ingress.CodeTooLarge},
	{name: "depth 10,000", path: messages, body: raw(`{"text":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`), status: 413, code: ingress.CodeTooLarge},
	{name: "a body of 10 MB", path: messages, body: raw(`{"text":"` + strings.Repeat("x", 10<<20) + `"}`), status: 413, code: "HTTP_BODY_TOO_LARGE"},

	{name: "malformed envelope", path: events, body: raw(`{"action":`), status: 400, code: ingress.CodeEnvelope},
	{name: "no kind", path: events, body: raw(`{"version":"v0.9"}`), status: 400, code: ingress.CodeEnvelope},
	{name: "two kinds", path: events, body: edited(`"action":`, `"error":{"code":"X","surfaceId":"s","message":"m"},"action":`), status: 400, code: ingress.CodeEnvelope},
	{name: "an unknown kind", path: events, body: edited(`"action":`, `"click":`), status: 400, code: ingress.CodeEnvelope},
	{name: "an action without a name", path: events, body: edited(`"limn.submit"`, `""`), status: 400, code: ingress.CodeEnvelope},
	{name: "unknown version", path: events, body: edited(`"version":"v0.9"`, `"version":"v7"`), status: 400, code: ingress.CodeEnvelope},
	{name: "depth 10,000 in the context", path: events, body: edited(`"notes":"typed"`, `"notes":`+strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000)), status: 413, code: ingress.CodeTooLarge},
	{name: "60,000 members", path: events, body: edited(`"notes":"typed"`, `"notes":[`+strings.Repeat("1,", 60_000)+`1]`), status: 413, code: ingress.CodeTooLarge},
	{name: "10 MB of context", path: events, body: edited(`"notes":"typed"`, `"notes":"`+strings.Repeat("x", 10<<20)+`"`), status: 413, code: "HTTP_BODY_TOO_LARGE"},
	{name: "wrong nonce", path: events, body: edited(`"NONCE"`, `"00000000000000000000000000000000"`), status: 403, code: ingress.CodeForbidden},
	{name: "no nonce", path: events, body: edited(`"NONCE"`, `""`), status: 403, code: ingress.CodeForbidden},
	{name: "a revision to come", path: events, body: edited(`"limn_rev":REV`, `"limn_rev":99`), status: 400, code: ingress.CodeEnvelope, kept: "typed"},
	{name: "a revision that is no number", path: events, body: edited(`"limn_rev":REV`, `"limn_rev":[]`), status: 400, code: ingress.CodeEnvelope},
	{name: "stale revision", path: events, body: edited(`"limn_rev":REV`, `"limn_rev":0`), status: 409, code: ingress.CodeStale, kept: "typed"},
	{name: "stale epoch", path: events, body: edited(`#e=1`, `#e=2`), status: 409, code: ingress.CodeStale},
	{name: "unknown surface", path: events, body: edited(`form:customer#e=1`, `form:other#e=1`), status: 409, code: ingress.CodeStale},
	{name: "another answer to a form that was submitted", path: events, body: answered, status: 409, code: ingress.CodeSubmitted},
	{name: "no surface id", path: events, body: edited(`form:customer#e=1`, ``), status: 400, code: ingress.CodeEnvelope},
	{name: "a surface of another agent", path: events, body: edited(`form:customer#e=1`, `booking-surface`), status: 409, code: ingress.CodeStale},
	{name: "one with a name of its own", path: events, body: edited(`form:customer#e=1`, `mein Fenster №1`), status: 409, code: ingress.CodeStale},
	{name: "foreign action", path: events, body: edited(`"limn.submit"`, `"drop.tables"`), status: 403, code: ingress.CodeForbidden, kept: "typed"},
	{name: "an action of the app that is not on the form", path: events, body: edited(`"limn.submit"`, `"hooked"`), status: 403, code: ingress.CodeForbidden, kept: "typed"},
	{name: "the upload action from a renderer", path: events, body: edited(`"limn.submit"`, `"`+builtin.ActionAttach+`"`), status: 403, code: ingress.CodeForbidden, kept: "typed"},
	{name: "foreign component", path: events, body: edited(`"sourceComponentId":"`, `"sourceComponentId":"x`), status: 403, code: ingress.CodeForbidden, kept: "typed"},
	{name: "the value [1,2] in a text", path: events, body: edited(`"notes":"typed"`, `"notes":[1,2]`), status: 400, code: ingress.CodeEnvelope},
	{name: `the value {"a":1}`, path: events, body: edited(`"notes":"typed"`, `"notes":{"a":1}`), status: 400, code: ingress.CodeEnvelope},
	{name: "the value true in a text", path: events, body: edited(`"notes":"typed"`, `"notes":true`), status: 400, code: ingress.CodeEnvelope},
	{name: "control characters in a name", path: events, body: edited(`"limn.submit"`, `"a\u0000b"`), status: 400, code: ingress.CodeEnvelope},

	{name: "malformed opt-outs", method: "PUT", path: optOut, body: raw(`{"all_tools":`), status: 400, code: ingress.CodeEnvelope},
	{name: "an opt-out of an unknown tool", method: "PUT", path: optOut, body: raw(`{"tools":["request_form"]}`), status: 400, code: execute.CodePreference},
	{name: "an opt-out that is over", method: "PUT", path: optOut, body: raw(`{"all_tools":true,"expires_at":"2020-01-01T00:00:00Z"}`), status: 400, code: execute.CodePreference},
	{name: "an opt-out until no time", method: "PUT", path: optOut, body: raw(`{"all_tools":true,"expires_at":"tomorrow"}`), status: 400, code: ingress.CodeEnvelope},
	{name: "an unknown preferred tool", method: "PUT", path: prefs + "/preferred_ui", body: raw(`{"tool":"form"}`), status: 400, code: execute.CodePreference},
	{name: "eleven rounds of correction", method: "PUT", path: prefs + "/max_iterations", body: raw(`{"request_data_table":11}`), status: 400, code: execute.CodePreference},
	{name: "a rule that is no regular expression", path: rules, body: raw(ruleOf("(")), status: 400, code: route.CodeGuardrail},
	{name: "a rule with a look-behind", path: rules, body: raw(ruleOf("(?<=a)b")), status: 400, code: route.CodeGuardrail},
	{name: "a rule of 257 bytes", path: rules, body: raw(ruleOf(strings.Repeat("x", 257))), status: 400, code: route.CodeGuardrail},
	{name: "a rule that repeats too much", path: rules, body: raw(ruleOf(strings.Repeat("x{1000}", 36))), status: 400, code: route.CodeGuardrail},
	{name: "a rule of 100 KB", path: rules, body: raw(ruleOf(strings.Repeat("x", 100<<10))), status: 400, code: route.CodeGuardrail},
	{name: "a rule of 1 MB", path: rules, body: raw(ruleOf(strings.Repeat("x", 1<<20))), status: 413, code: "HTTP_BODY_TOO_LARGE"},
	{name: "a rule for an unknown tool", path: rules, body: raw(`{"intent_pattern":"x","action":"force_tool","tool":"x"}`), status: 400, code: route.CodeGuardrail},
	{name: "a rule under a strange id", method: "PUT", path: rules + "/A", body: raw(ruleOf("x")), status: 400, code: route.CodeGuardrail},
	{name: "switching a rule that is not there", method: "PUT", path: rules + "/none", body: raw(`{"enabled":false}`), status: 404, code: route.CodeRuleUnknown},
	{name: "deleting a rule that is not there", method: "DELETE", path: rules + "/none", body: raw(``), status: 404, code: route.CodeRuleUnknown},

	{name: "a form without a surface", path: actions, body: formOf("limn_surface", "-"), form: true, status: 400, code: ingress.CodeEnvelope},
	{name: "a form without a button", path: actions, body: formOf("limn_component", "-"), form: true, status: 400, code: ingress.CodeEnvelope},
	{name: "a form with a wrong nonce", path: actions, body: formOf("limn_nonce", "x\xff"), form: true, status: 403, code: ingress.CodeForbidden},
	{name: "a form with a wrong rev", path: actions, body: formOf("limn_rev", "one"), form: true, status: 400, code: ingress.CodeEnvelope},
	{name: "a form without a rev", path: actions, body: formOf("limn_rev", "-"), form: true, status: 409, code: ingress.CodeStale, kept: "typed"},
	{name: "a form with a foreign button", path: actions, body: formOf("limn_component", "c#x/<b>:Button"), form: true, status: 403, code: ingress.CodeForbidden, kept: "typed"},
	{name: "a form that is malformed", path: actions, body: raw("%zz=%"), form: true, status: 400, code: ingress.CodeEnvelope},
	{name: "a form of 10 MB", path: actions, body: formOf("/draft/notes", strings.Repeat("x", 10<<20)), form: true, status: 413, code: "HTTP_BODY_TOO_LARGE"},
	{name: "a form with one long value", path: actions, body: formOf("/draft/notes", strings.Repeat("x", 64<<10+1)), form: true, status: 413, code: ingress.CodeTooLarge},
	{name: "a form of no preference", path: "/c/-/preferences", body: raw("limn_set=all"), form: true, status: 400, code: ingress.CodeEnvelope},
	{name: "an empty chat message", path: "/c/-/messages", body: raw("text=+"), form: true, status: 400, code: ingress.CodeEnvelope},
}

// TestBadInputs: each is answered with its status and code, leaves the facts
// alone but for what was typed, and the conversation goes on.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	for _, tt := range badInputs {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := start(t).program()
			c.say("add a customer")
			body := tt.body(t, c)
			before := facts(c.state())
			var a answer
			if tt.form {
				a = c.do("POST", tt.path, body, "Content-Type", "application/x-www-form-urlencoded")
			} else {
				method := "POST"
				if tt.method != "" {
					method = tt.method
				}
				a = c.do(method, tt.path, body, "Prefer", "wait=10")
			}
			p := a.problem(t)
			if p.Status != tt.status || p.Code != tt.code {
				t.Errorf("%d %s, want %d %s: %s", p.Status, p.Code, tt.status, tt.code, a.body)
			}
			var said web.Problem
			if err := json.Unmarshal(a.body, &said); err != nil {
				t.Fatal(err)
			}
			helps := said.Hint != "" || strings.Contains(said.Detail, "want ") || said.Status == 404
			if said.Title == "" || said.Detail == "" || !helps {
				t.Errorf("it is not said what is wrong and what helps: %s", a.body)
			}
			if got := c.leaf("form:customer", "/draft/notes"); got != tt.kept {
				t.Errorf("the draft holds %q, want %q", got, tt.kept)
			}
			if diff := cmp.Diff(before, facts(c.state())); tt.kept == "" && diff != "" {
				t.Errorf("the facts changed (-before +after):\n%s", diff)
			}
			alive(t, c)
		})
	}
}

// facts is what of a state matters to users.
func facts(s *ui.State) string {
	type surface struct {
		ID     string
		Status ui.Status
		Draft  ui.Value
		Errors []ui.FieldError
	}
	var list []surface
	for _, sf := range s.Surfaces {
		list = append(list, surface{sf.WireID(), sf.Status, sf.Draft, sf.Errors})
	}
	b, err := json.MarshalIndent(map[string]any{"surfaces": list, "router": s.Router, "committed": s.Committed,
		"said": len(s.Transcript)}, "", " ")
	if err != nil {
		panic(err)
	}
	return string(b)
}

// alive proves that a conversation still takes a submit and draws everywhere.
func alive(t *testing.T, c *client) {
	t.Helper()
	if c.state().Surface("form:customer").Status != ui.StatusOpen {
		c.say("add a customer")
	}
	if a := c.do("POST", events, action(t, c, "form:customer", map[string]string{"company": "Acme"}, builtin.ActionSubmit)); a.StatusCode != 200 {
		t.Fatalf("the conversation is broken: %d %s", a.StatusCode, a.body)
	}
	company, _ := c.state().Committed.Get("customer", "company")
	if company.Text() != "Acme" {
		t.Errorf("committed company %q", company.Text())
	}
	for _, path := range []string{"/c/-", "/v1/-/a2ui?version=v0.8", "/v1/-/a2ui?version=v0.9"} {
		if a := c.do("GET", path, ""); a.StatusCode != 200 || len(a.body) == 0 {
			t.Errorf("%s: %d, %d bytes", path, a.StatusCode, len(a.body))
		}
	}
}

// TestBadValues: what looks like code, markup, JSON or a component id is text,
// and comes back as the same text in every drawing.
func TestBadValues(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `javascript:alert(1)`,
		`[1,2]`, `{"a":1}`, `{"path":"/draft/notes"}`,
		`c#main/!actions/submit:Button`, `root`, `form:customer#e=1`, `${/draft/notes}`, `{{x}}`, "a\u200b",
		`[x](javascript:alert(1))`, `null`, "\\", "'", "🙂\u202egnp"} {
		for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09} {
			t.Run(value, func(t *testing.T) {
				t.Parallel()
				c := start(t).program()
				c.say("add a customer")
				draft := actionFor(t, c, d, "form:customer", map[string]string{"notes": value}, builtin.ActionSubmit)
				if a := c.do("POST", events, draft); a.StatusCode != 200 ||
					!strings.Contains(string(a.body), "FIELD_REQUIRED") {
					t.Fatalf("%d %s", a.StatusCode, a.body)
				}
				if got := c.leaf("form:customer", "/draft/notes"); got != value {
					t.Errorf("draft %q, want %q", got, value)
				}
				// drawn again from the server's data, and sent back by the renderer
				again := actionFor(t, c, d, "form:customer", map[string]string{"company": value}, builtin.ActionSubmit)
				if a := c.do("POST", events, again); a.StatusCode != 200 ||
					!strings.Contains(string(a.body), `"done"`) {
					t.Fatalf("%d %s", a.StatusCode, a.body)
				}
				for _, key := range []string{"notes", "company"} {
					if v, _ := c.state().Committed.Get("customer", key); v.Text() != value {
						t.Errorf("committed %s %q, want %q", key, v.Text(), value)
					}
				}
				page := string(c.do("GET", "/c/-", "").body)
				for _, danger := range []string{"<script>", "<img", `href="javascript:`} {
					if strings.Contains(page, danger) {
						t.Errorf("the page holds %s", danger)
					}
				}
			})
		}
	}
}

// TestBadURL: an address field refuses what is no http address, at the field.
func TestBadURL(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	var got struct{ Outcome ui.Outcome }
	c.do("POST", events, action(t, c, "form:customer",
		map[string]string{"company": "Acme", "site": "javascript:alert(1)"}, builtin.ActionSubmit)).into(t, &got)
	if got.Outcome.Kind != ui.OutcomeAsked || got.Outcome.Path != "/draft/site" || got.Outcome.Code != "FIELD_TYPE" {
		t.Errorf("outcome %+v, want a question at /draft/site", got.Outcome)
	}
}

// TestBadModel: whatever the model's endpoint does, the answer is plain text
// with a code, the message is kept and forms still work.
func TestBadModel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		step llmtest.Step
		kind ui.OutcomeKind
		code ui.Code // of the outcome, or of a warning where a plain text stands in for the answer
	}{
		{"500", llmtest.Step{Mode: llmtest.Fail}, ui.OutcomeFailed, "LLM_UNAVAILABLE"},
		{"a page of HTML", llmtest.Step{Mode: llmtest.FailHTML}, ui.OutcomeFailed, "LLM_UNAVAILABLE"},
		{"no JSON", llmtest.Step{Mode: llmtest.Garbage}, ui.OutcomeDone, "LLM_REPLY_INVALID"},
		{"no choices", llmtest.Step{Mode: llmtest.NoChoices}, ui.OutcomeDone, "LLM_REPLY_INVALID"},
		{"an endless answer", llmtest.Step{Mode: llmtest.Huge}, ui.OutcomeDone, "LLM_REPLY_TOO_LARGE"},
		{"a wrong key", llmtest.Step{Mode: llmtest.EchoKey}, ui.OutcomeFailed, "LLM_AUTH"},
		{"a redirect", llmtest.Step{Mode: llmtest.Redirect}, ui.OutcomeFailed, "LLM_UNAVAILABLE"},
		{"a refusal", llmtest.Step{Mode: llmtest.Refusal, Text: "No."}, ui.OutcomeDone, "LLM_REFUSED"},
		{"prose instead of JSON", llmtest.Step{Text: "Sure! <script>alert(1)</script>"}, ui.OutcomeDone, "DIRECTIVE_NONE"},
		{"broken JSON", llmtest.Step{Text: `{"assistant_text":"x","directives":[{`}, ui.OutcomeFailed, "DIRECTIVE_JSON_INVALID"},
		{"unknown directives", llmtest.Step{Text: `{"assistant_text":"x","directives":[{"type":"rm -rf","payload":{}}]}`}, ui.OutcomeFailed, "DIRECTIVE_UNKNOWN_TYPE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			fake := llmtest.New(t, tt.step)
			m, err := openai.New(openai.Config{URL: fake.URL, Model: "m", Key: "sk-very-secret"})
			if err != nil {
				t.Fatal(err)
			}
			c := start(t, func(c *limn.Config) { c.Model = m }).program()
			a := c.do("POST", messages, `{"text":"what is new?"}`, "Prefer", "wait=30")
			var got struct{ Outcome ui.Outcome }
			a.into(t, &got)
			if a.StatusCode != 200 || got.Outcome.Kind != tt.kind {
				t.Errorf("%d %s, want %s", a.StatusCode, a.body, tt.kind)
			}
			if frames := c.do("GET", "/v1/-/frames", ""); !strings.Contains(string(frames.body), string(tt.code)) {
				t.Errorf("the code %s stands nowhere in %s", tt.code, frames.body)
			}
			s := c.state()
			if len(s.Transcript) != 2 || s.Transcript[0].Text != "what is new?" || s.Transcript[1].Text == "" {
				t.Errorf("transcript %+v", s.Transcript)
			}
			everything := string(c.do("GET", "/c/-", "").body) + string(c.do("GET", "/v1/-/frames", "").body) +
				string(a.body)
			for _, never := range []string{"sk-very-secret", "<script>"} {
				if strings.Contains(everything, never) {
					t.Errorf("%s stands in an answer", never)
				}
			}
		})
	}
}

// modelFunc is a model of one function.
type modelFunc func(context.Context, llm.Request) (llm.Reply, error)

func (f modelFunc) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) { return f(ctx, r) }

// TestHangingModel: while a model hangs, the conversation takes other events;
// when the server stops, the message is kept for the next start.
func TestHangingModel(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	c := start(t, func(c *limn.Config) {
		c.Model = modelFunc(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
			close(asked)
			<-ctx.Done()
			return llm.Reply{}, errors.New("hung up")
		})
	}).program()
	a := c.do("POST", messages, `{"text":"what is new?"}`)
	var got struct{ Event, Cursor string }
	if a.into(t, &got); a.StatusCode != 202 || got.Event == "" || got.Cursor == "" ||
		a.Header.Get("Retry-After") == "" {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	<-asked
	c.say("We have 3 stakeholders: Ann, Bob and Cem")
	if c.state().Seq == 0 {
		t.Error("nothing else passes")
	}
	stopping, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.srv.Close(stopping); err != nil {
		t.Error(err)
	}
}

// TestBadHandler: a handler that fails or panics ends its turn only; what the
// user typed is kept, what went wrong is not told.
func TestBadHandler(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"panic", "fail"} {
		c := start(t).program()
		c.say("add a ticket")
		a := c.do("POST", events, action(t, c, "form:ticket", map[string]string{"name": name}, builtin.ActionSubmit))
		var got struct{ Outcome ui.Outcome }
		if a.into(t, &got); a.StatusCode != 200 || got.Outcome.Kind != ui.OutcomeFailed ||
			got.Outcome.Code != "ACTION_FAILED" {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.body)
		}
		if got := c.leaf("form:ticket", "/draft/name"); got != name {
			t.Errorf("%s: the draft holds %q", name, got)
		}
		if log := string(c.do("GET", "/v1/-/frames", "").body) + string(a.body); strings.Contains(log, "secret detail") || strings.Contains(log, "a handler's panic") {
			t.Errorf("%s: the handler's words reach the client: %s", name, log)
		}
	}
}

// TestReadsWhatIsTooLarge: a client that sends all of a body far above the limit before it reads gets the answer.
func TestReadsWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const size = 40 << 20
	fmt.Fprintf(conn, "POST /v1/conversations/%s/messages HTTP/1.1\r\nHost: limn.test\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", c.ID, c.Token, size)
	if _, err := conn.Write(bytes.Repeat([]byte("x"), size)); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Fatalf("%v %v", answer, err)
	}
	if answer.ContentLength <= 0 {
		t.Errorf("the end of the answer comes only after the body was read: %v", answer.TransferEncoding)
	}
	answer.Body.Close()
}
