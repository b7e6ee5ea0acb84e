package llmtest_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/anthropic"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/ui"
)

const secret = "sk-very-secret-0123456789"

// said is what a good model answers. It crosses no limit and every quoting.
const said = `{"assistant_text":"Grüße, <you> & \"others\"","directives":[]}`

var schema = []byte(`{"type":"object","properties":{},"required":[],"additionalProperties":false}`)

// adapter builds the adapter that speaks a dialect, with everything declared.
func adapter(t *testing.T, s *llmtest.Server, d llmtest.Dialect, edit func(*endpoint.Config)) llm.Model {
	t.Helper()
	caps := llm.Generic()
	caps.ParallelNeedsTools = d == llmtest.Anthropic
	c := endpoint.Config{URL: s.URL, Model: "fake", Key: secret, Capabilities: &caps, Transport: s.Transport()}
	if edit != nil {
		edit(&c)
	}
	var m llm.Model
	var err error
	if d == llmtest.Anthropic {
		m, err = anthropic.New(c)
	} else {
		m, err = openai.New(c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// outcome of one request, in one line.
func outcome(reply llm.Reply, err error) string {
	if err != nil {
		return string(ui.CodeOf(err))
	}
	out := string(reply.Finish)
	for _, c := range reply.Calls {
		out += fmt.Sprintf(" %s %s(%s)", c.ID, c.Name, c.Arguments)
	}
	switch reply.Text {
	case "":
	case said:
		out += " all"
	default:
		out += " text"
	}
	return out
}

// The three kinds of requests that leave.
func requests() map[string]llm.Request {
	user := []llm.Message{{Role: llm.RoleUser, Text: "hello"}}
	return map[string]llm.Request{
		"format": {System: "Be brief.", Messages: user, MaxTokens: 100, Format: &llm.Format{Name: "answer", Schema: schema}},
		"tools":  {System: "Be brief.", Messages: user, MaxTokens: 100, Tools: []llm.Tool{{Name: "answer", Schema: schema}}},
		"stream": {System: "Be brief.", Messages: user, MaxTokens: 100, Stream: true},
	}
}

// TestContract: both adapters against every simulator, and what each kind of
// request comes to. What is written once holds for both.
func TestContract(t *testing.T) {
	t.Parallel()
	const whole = "stop all"
	type row struct{ format, tools, stream string }
	same := func(s string) row { return row{s, s, s} }
	table := map[llmtest.Quirk]row{
		"":                          same(whole),
		llmtest.RejectsUnknownKeys:  {"LLM_UNSUPPORTED", "LLM_UNSUPPORTED", whole},
		llmtest.NotFoundCombination: {"LLM_UNSUPPORTED", "LLM_UNSUPPORTED", whole},
		llmtest.IgnoresFormat:       same("stop text"),
		llmtest.CallsTools:          {"tool_calls call_1 answer({})", "tool_calls call_1 answer({})", "tool_calls"},
		llmtest.OddCalls:            {`tool_calls call_1 answer({"a":1})`, `tool_calls call_1 answer({"a":1})`, "tool_calls"},
		llmtest.Truncates:           same("length text"),
		llmtest.Drips:               same("LLM_TIMEOUT"),
		llmtest.CutsMidStream:       same("LLM_UNAVAILABLE"),
		llmtest.EndsMidStream:       same("LLM_REPLY_INVALID"),
		llmtest.Refuses:             same("refusal text"),
		llmtest.RateLimits:          same(whole),
		llmtest.Overloaded:          same(whole),
		llmtest.WrongType:           same("LLM_REPLY_INVALID"),
		llmtest.NotJSON:             same("LLM_REPLY_INVALID"),
		llmtest.EmptyList:           same("LLM_REPLY_INVALID"),
		llmtest.FailsInside:         same("LLM_UNAVAILABLE"),
		llmtest.HugeAnswer:          same("LLM_REPLY_TOO_LARGE"),
		llmtest.WrongCertificate:    same("LLM_UNAVAILABLE"),
		llmtest.RedirectsPrivate:    same("LLM_UNAVAILABLE"),
		llmtest.EchoesKey:           same("LLM_AUTH"),
	}
	for _, quirk := range append(llmtest.Quirks(), "") {
		want, ok := table[quirk]
		if !ok {
			t.Errorf("no line for %s", quirk)
		}
		for _, d := range []llmtest.Dialect{llmtest.OpenAI, llmtest.Anthropic} {
			t.Run(fmt.Sprintf("%s/%s", quirk, d), func(t *testing.T) {
				t.Parallel()
				s := llmtest.StartIn(t, llmtest.Options{Dialect: d, Quirk: quirk, Drip: 10 * time.Millisecond,
					RetryAfter: "0",
					Answer:     func(llmtest.Recorded) string { return said }})
				m := adapter(t, s, d, func(c *endpoint.Config) {
					if quirk == llmtest.Drips {
						c.Timeout = 100 * time.Millisecond
					}
				})
				got := map[string]string{}
				for kind, r := range requests() {
					reply, err := m.Ask(t.Context(), r)
					got[kind] = outcome(reply, err)
					hidden(t, err)
					if reply.Finish != "" && (reply.Usage.Out != 7 || reply.Usage.In != 11 ||
						reply.Usage.CachedIn != 4) && (kind != "stream" || d == llmtest.Anthropic) {
						t.Errorf("%s: usage %+v", kind, reply.Usage)
					}
				}
				if diff := cmp.Diff(map[string]string{"format": want.format, "tools": want.tools,
					"stream": want.stream}, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// hidden looks for the key in every way an error can be printed.
func hidden(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, s := range []string{e.Error(), fmt.Sprintf("%+v", e), fmt.Sprintf("%#v", e)} {
			if strings.Contains(s, secret) {
				t.Errorf("the key is in %s", s)
			}
		}
	}
}

// TestFaultsSayWhy: the words that an operator acts on.
func TestFaultsSayWhy(t *testing.T) {
	t.Parallel()
	for quirk, words := range map[llmtest.Quirk]string{
		llmtest.WrongCertificate:   "certificate is not for the name 127.0.0.1",
		llmtest.RedirectsPrivate:   "redirects to 169.254.169.254 (HTTP 307)",
		llmtest.WrongType:          "answers with text/html",
		llmtest.RejectsUnknownKeys: "/",
	} {
		for _, d := range []llmtest.Dialect{llmtest.OpenAI, llmtest.Anthropic} {
			s := llmtest.StartIn(t, llmtest.Options{Dialect: d, Quirk: quirk})
			_, err := adapter(t, s, d, nil).Ask(t.Context(), requests()["format"])
			var e *ui.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), words) ||
				quirk == llmtest.RejectsUnknownKeys &&
					!strings.Contains("/output_config /response_format /parallel_tool_calls", e.Path) {
				t.Errorf("%s, %s: %v, want %q", quirk, d, err, words)
			}
		}
	}
}

// TestRedirectsAreNotFollowed: nobody else is sent the prompt or the key.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	for _, d := range []llmtest.Dialect{llmtest.OpenAI, llmtest.Anthropic} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			other := llmtest.StartIn(t, llmtest.Options{Dialect: d})
			s := llmtest.StartIn(t, llmtest.Options{Dialect: d,
				Steps: []llmtest.Step{{Mode: llmtest.Redirect, Status: status, Text: other.URL}}})
			if _, err := adapter(t, s, d, nil).Ask(t.Context(), requests()["format"]); ui.CodeOf(err) != llm.CodeUnavailable || len(other.Requests()) > 0 || len(s.Requests()) != 1 {
				t.Errorf("%s %d: %v, %d and %d requests", d, status, err, len(s.Requests()), len(other.Requests()))
			}
		}
	}
}

// TestOverTLS: a certificate that fits is taken, one nobody trusts is not.
func TestOverTLS(t *testing.T) {
	t.Parallel()
	for _, d := range []llmtest.Dialect{llmtest.OpenAI, llmtest.Anthropic} {
		s := llmtest.StartIn(t, llmtest.Options{Dialect: d, TLS: true, Key: secret})
		if _, err := adapter(t, s, d, nil).Ask(t.Context(), requests()["format"]); err != nil {
			t.Errorf("%s: %v", d, err)
		}
		_, err := adapter(t, s, d, func(c *endpoint.Config) { c.Transport = nil }).Ask(t.Context(),
			requests()["format"])
		if ui.CodeOf(err) != llm.CodeUnavailable ||
			!strings.Contains(fmt.Sprint(err), "authority that this machine does not know") {
			t.Errorf("%s: %v", d, err)
		}
		wrong := adapter(t, s, d, func(c *endpoint.Config) { c.Key = "sk-another" })
		if _, err := wrong.Ask(t.Context(), requests()["format"]); ui.CodeOf(err) != llm.CodeAuth {
			t.Errorf("%s: %v", d, err)
		}
	}
}

// TestAdaptersTellNothing: no header speaks of this machine, and none is read from
// the environment.
func TestAdaptersTellNothing(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "ANTHROPIC_API_KEY",
		"ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE"} {
		t.Setenv(name, "http://ambient.invalid")
	}
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Ambient: ambient")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Ambient: ambient")
	for _, d := range []llmtest.Dialect{llmtest.OpenAI, llmtest.Anthropic} {
		s := llmtest.StartIn(t, llmtest.Options{Dialect: d})
		m := adapter(t, s, d, func(c *endpoint.Config) { c.Key = "" })
		if _, err := m.Ask(t.Context(), requests()["format"]); err != nil {
			t.Fatal(err)
		}
		for name, values := range s.Requests()[0].Header {
			if strings.Contains(strings.Join(values, " "), "ambient") || strings.HasPrefix(name, "X-Stainless") ||
				name == "Authorization" || name == http.CanonicalHeaderKey("x-api-key") {
				t.Errorf("%s: header %s: %v", d, name, values)
			}
		}
	}
}
