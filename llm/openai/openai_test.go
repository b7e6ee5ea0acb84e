package openai_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/ui"
)

const key = "sk-very-secret-0123456789"

var generic = llm.Generic()

func model(t *testing.T, s *llmtest.Server, edit func(*openai.Config)) *openai.Model {
	t.Helper()
	c := openai.Config{URL: s.URL, Model: "fake", Key: key, Retries: -1, Capabilities: &generic}
	if edit != nil {
		edit(&c)
	}
	m, err := openai.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func hello() llm.Request {
	return llm.Request{System: "Be brief.", Messages: []llm.Message{{Role: llm.RoleUser, Text: "hello"}}}
}

func TestAskSendsWhatPrepareLetsThrough(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Step{Text: "Hi <you>."})
	s.Key = key
	r := hello()
	r.Format = &llm.Format{Name: "answer", Schema: []byte(
		`{"type":"object","properties":{},"required":[],"additionalProperties":false}`)}
	r.Params = map[string]any{"temperature": 0.5, "top_k": 3}
	r.MaxTokens = 50
	reply, err := model(t, s, nil).Ask(t.Context(), r)
	if err != nil || reply.Text != "Hi <you>." || reply.Finish != llm.FinishStop ||
		reply.Usage != (llm.Usage{In: 11, CachedIn: 4, Out: 7}) {
		t.Fatalf("%+v, %v", reply, err)
	}
	if len(reply.Warnings) != 1 || reply.Warnings[0].Path != "/top_k" {
		t.Errorf("warnings %v", reply.Warnings)
	}
	got := s.Requests()[0]
	if diff := cmp.Diff([]string{"max_tokens", "messages", "model", "parallel_tool_calls", "response_format",
		"temperature"}, got.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	f := got.Body.At("response_format")
	if f.At("type").Str != "json_schema" || !f.At("json_schema").At("strict").Bool ||
		f.At("json_schema").At("name").Str != "answer" ||
		f.At("json_schema").At("schema").At("type").Str != "object" {
		t.Errorf("response_format %s", got.Raw)
	}
	if role, text := got.Message(0); role != "system" || text != "Be brief." {
		t.Errorf("first message %s %s", role, text)
	}
}

func TestToolsAndTheirResults(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Step{Mode: llmtest.ToolCall, Text: "look_up"})
	r := hello()
	r.Tools = []llm.Tool{{Name: "look_up", Description: "Looks up.",
		Schema: []byte(`{"type":"object","properties":{}}`)}}
	r.Messages = append(r.Messages, llm.Message{Role: llm.RoleAssistant,
		Calls: []llm.Call{{ID: "c0", Name: "look_up", Arguments: "{}"}}},
		llm.Message{Role: llm.RoleTool, CallID: "c0", Text: "42"})
	reply, err := model(t, s, nil).Ask(t.Context(), r)
	if err != nil || reply.Finish != llm.FinishToolCalls ||
		!cmp.Equal(reply.Calls, []llm.Call{{ID: "call_1", Name: "look_up", Arguments: "{}"}}) {
		t.Fatalf("%+v, %v", reply, err)
	}
	body := s.Requests()[0].Body
	if p, ok := body.Get("parallel_tool_calls"); !ok || p.Bool ||
		body.At("tools").Items[0].At("function").At("name").Str != "look_up" {
		t.Errorf("body %s", s.Requests()[0].Raw)
	}
	if role, text := s.Requests()[0].Message(-1); role != "tool" || text != "42" {
		t.Errorf("result %s %s", role, text)
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Step{Text: "one two three"}, llmtest.Step{Mode: llmtest.StreamCut, Text: "one two"},
		llmtest.Step{Mode: llmtest.Huge}, llmtest.Step{Mode: llmtest.Fail})
	m := model(t, s, nil)
	var pieces []string
	r := hello()
	r.Stream, r.OnText = true, func(p string) { pieces = append(pieces, p) }
	reply, err := m.Ask(t.Context(), r)
	if err != nil || reply.Text != "one two three" || reply.Finish != llm.FinishStop ||
		!cmp.Equal(pieces, []string{"one ", "two ", "three"}) {
		t.Errorf("%+v %q %v", reply, pieces, err)
	}
	for _, want := range []ui.Code{llm.CodeReplyInvalid, llm.CodeReplyTooLarge, llm.CodeUnavailable} {
		if _, err := m.Ask(t.Context(), r); ui.CodeOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestFaultsHaveCodes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		step llmtest.Step
		want ui.Code
	}{
		{llmtest.Step{Mode: llmtest.Fail}, llm.CodeUnavailable},
		{llmtest.Step{Mode: llmtest.FailHTML}, llm.CodeUnavailable},
		{llmtest.Step{Mode: llmtest.FailHTML, Status: 404}, llm.CodeUnsupported},
		{llmtest.Step{Mode: llmtest.Fail, Status: 400}, llm.CodeUnsupported},
		{llmtest.Step{Mode: llmtest.Fail, Status: 404}, llm.CodeUnsupported},
		{llmtest.Step{Mode: llmtest.Fail, Status: 422}, llm.CodeUnsupported},
		{llmtest.Step{Mode: llmtest.Fail, Status: 429}, llm.CodeRateLimited},
		{llmtest.Step{Mode: llmtest.Fail, Status: 408}, llm.CodeTimeout},
		{llmtest.Step{Mode: llmtest.EchoKey}, llm.CodeAuth},
		{llmtest.Step{Mode: llmtest.EchoKey, Status: 403}, llm.CodeAuth},
		{llmtest.Step{Mode: llmtest.EchoKey, Status: 400}, llm.CodeUnsupported},
		{llmtest.Step{Mode: llmtest.EchoKey, Status: 500}, llm.CodeUnavailable},
		{llmtest.Step{Mode: llmtest.Garbage}, llm.CodeReplyInvalid},
		{llmtest.Step{Mode: llmtest.FailHTML, Status: 200}, llm.CodeReplyInvalid},
		{llmtest.Step{Mode: llmtest.NoChoices}, llm.CodeReplyInvalid},
		{llmtest.Step{Mode: llmtest.Huge}, llm.CodeReplyTooLarge},
		{llmtest.Step{Mode: llmtest.Redirect}, llm.CodeUnavailable},
	} {
		t.Run(fmt.Sprint(tt.step.Mode, "-", tt.step.Status), func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, tt.step)
			_, err := model(t, s, nil).Ask(t.Context(), hello())
			if ui.CodeOf(err) != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
			noKey(t, err)
			if n := len(s.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// noKey looks for the key in every way an error can be printed.
func noKey(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, s := range []string{e.Error(), fmt.Sprintf("%+v", e), fmt.Sprintf("%#v", e)} {
			if strings.Contains(s, key) {
				t.Errorf("the key is in %s", s)
			}
		}
	}
}

func TestRefusedParameterIsNamed(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Step{Mode: llmtest.RejectKey, Text: "temperature"})
	r := hello()
	r.Params = map[string]any{"temperature": 1}
	_, err := model(t, s, nil).Ask(t.Context(), r)
	if e, _ := err.(*ui.Error); e == nil || e.Code != llm.CodeUnsupported || e.Path != "/temperature" || e.Err == nil {
		t.Errorf("%v", err)
	}
}

func TestCutAndRefusedAnswersAreReplies(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Step{Mode: llmtest.Truncated, Text: "half"},
		llmtest.Step{Mode: llmtest.Refusal, Text: "I cannot."})
	m := model(t, s, nil)
	reply, err := m.Ask(t.Context(), hello())
	if err != nil || reply.Text != "half" || reply.Check().Code != llm.CodeTruncated {
		t.Errorf("%+v %v", reply, err)
	}
	reply, err = m.Ask(t.Context(), hello())
	if err != nil || reply.Text != "I cannot." || reply.Check().Code != llm.CodeRefused {
		t.Errorf("%+v %v", reply, err)
	}
}

func TestTimeAndCancel(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Step{Mode: llmtest.Hang})
	m := model(t, s, func(c *openai.Config) { c.Timeout = 30 * time.Millisecond; c.Retries = 2 })
	if _, err := m.Ask(t.Context(), hello()); ui.CodeOf(err) != llm.CodeTimeout {
		t.Errorf("hang: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Ask(ctx, hello()); ui.CodeOf(err) != llm.CodeCanceled || !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead.Close()
	m = model(t, s, func(c *openai.Config) { c.URL = "http://" + dead.Addr().String() })
	_, err = m.Ask(t.Context(), hello())
	if ui.CodeOf(err) != llm.CodeUnavailable {
		t.Errorf("nobody listens: %v", err)
	}
	noKey(t, err)
}

func TestRetriesAreFew(t *testing.T) {
	t.Parallel()
	soon := http.Header{"Retry-After-Ms": {"1"}}
	s := llmtest.New(t, llmtest.Step{Mode: llmtest.Fail, Header: soon},
		llmtest.Step{Mode: llmtest.Fail, Status: 429, Header: soon}, llmtest.Step{Text: "ok"})
	m := model(t, s, func(c *openai.Config) { c.Retries = 9 })
	if reply, err := m.Ask(t.Context(), hello()); err != nil || reply.Text != "ok" || len(s.Requests()) != 3 {
		t.Errorf("%+v %v after %d requests", reply, err, len(s.Requests()))
	}
	s = llmtest.New(t, llmtest.Step{Mode: llmtest.Fail, Header: soon})
	m = model(t, s, func(c *openai.Config) { c.Retries = 9 })
	if _, err := m.Ask(t.Context(), hello()); ui.CodeOf(err) != llm.CodeUnavailable || len(s.Requests()) != 3 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
}

func TestNewNamesTheSetting(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c    openai.Config
		path string
	}{
		{openai.Config{Model: "m"}, "url"},
		{openai.Config{URL: "ftp://x", Model: "m"}, "url"},
		{openai.Config{URL: "localhost:8080", Model: "m"}, "url"},
		{openai.Config{URL: "http://", Model: "m"}, "url"},
		{openai.Config{URL: "https://u:" + key + "@x/v1", Model: "m"}, "url"},
		{openai.Config{URL: "https://x/v1?key=" + key, Model: "m"}, "url"},
		{openai.Config{URL: "http://x\x7f" + key, Model: "m"}, "url"},
		{openai.Config{URL: "https://x/v1", Model: " "}, "model"},
		{openai.Config{URL: "https://x/v1", Model: "m", Key: key + "\n"}, "key"},
		{openai.Config{URL: "https://x/v1", Model: "m", Timeout: -1}, "timeout"},
	} {
		_, err := openai.New(tt.c)
		if e, _ := err.(*ui.Error); e == nil || e.Code != llm.CodeConfigInvalid || e.Path != tt.path {
			t.Errorf("%s: %v", tt.c, err)
		}
		noKey(t, err)
	}
}

func TestNothingPrintsTheKey(t *testing.T) {
	t.Parallel()
	c := openai.Config{URL: "http://u:" + key + "@10.0.0.1/v1?k=" + key, Model: "m", Key: key}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("start", "config", c)
	ok := openai.Config{URL: "https://10.0.0.1/v1", Model: "m", Key: key}
	m, err := openai.New(ok)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), log.String(), fmt.Sprint(m),
		fmt.Sprintf("%+v", m), fmt.Sprintf("%#v", m), fmt.Sprintf("%+v", *m)} {
		if strings.Contains(s, key) {
			t.Errorf("the key is in %s", s)
		}
	}
}

func TestEnvironmentIsNotRead(t *testing.T) {
	s := llmtest.New(t)
	t.Setenv("OPENAI_API_KEY", "sk-ambient")
	t.Setenv("OPENAI_BASE_URL", "http://192.0.2.1/")
	t.Setenv("OPENAI_ORG_ID", "org-ambient")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Ambient: 1")
	if _, err := model(t, s, func(c *openai.Config) { c.Key = "" }).Ask(t.Context(), hello()); err != nil {
		t.Fatal(err)
	}
	for name, values := range s.Requests()[0].Header {
		if strings.Contains(strings.Join(values, " "), "ambient") || name == "X-Ambient" || name == "Authorization" {
			t.Errorf("header %s: %v", name, values)
		}
	}
}

func TestURLForms(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t)
	base := strings.TrimSuffix(s.URL, "/v1")
	for _, u := range []string{base, base + "/", base + "/v1", base + "/v1/", base + "/v1/chat/completions"} {
		if _, err := model(t, s, func(c *openai.Config) { c.URL = u }).Ask(t.Context(), hello()); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
}

// TestURLOfAChat: a path is no beginning of that of requests unless it is all of it.
func TestURLOfAChat(t *testing.T) {
	t.Parallel()
	var path string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { path = r.URL.Path }))
	defer s.Close()
	for _, at := range []string{"/chat", "/team/chat"} {
		m, err := openai.New(openai.Config{URL: s.URL + at, Model: "m", Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		if _, _ = m.Ask(t.Context(), hello()); path != at+"/chat/completions" {
			t.Errorf("%s: asked at %s", at, path)
		}
	}
}

func TestCapabilitiesOfTheServiceItself(t *testing.T) {
	t.Parallel()
	m, err := openai.New(openai.Config{URL: "https://api.openai.com/v1", Model: "gpt-4o-mini"})
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Capabilities(); !c.ParallelNeedsTools || c.MaxTokensKey() != "max_completion_tokens" {
		t.Errorf("%+v", c)
	}
}

func ExampleNew() {
	_, err := openai.New(openai.Config{URL: "api.openai.com", Model: "gpt-4o-mini"})
	fmt.Println(err)
	// Output: LLM_CONFIG_INVALID at url: the model server's address must start with http:// or https://
}

// TestStreamsCountTokensWhereDeclared: the key that asks for a count goes only
// to servers that are said to have it.
func TestStreamsCountTokensWhereDeclared(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t)
	s.Keys = append(s.Keys, "stream_options")
	caps := llm.Generic()
	r := hello()
	r.Stream = true
	for i, want := range []bool{false, true} {
		if want {
			caps.Keys = append(caps.Keys, "stream_options")
		}
		if _, err := model(t, s, func(c *openai.Config) { c.Capabilities = &caps }).Ask(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if s.Requests()[i].Body.At("stream_options").At("include_usage").Bool != want {
			t.Errorf("sent %s", s.Requests()[i].Raw)
		}
	}
}

// TestImages: a picture goes after the text of its message, where the model takes one.
func TestImages(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Step{Text: "A boat."}, llmtest.Step{Text: "What?"})
	r := hello()
	r.Messages[0].Images = []llm.Image{{Type: "image/png", Data: []byte("png")}}
	sees := generic
	sees.Images = true
	if _, err := model(t, s, func(c *openai.Config) { c.Capabilities = &sees }).Ask(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	reply, err := model(t, s, nil).Ask(t.Context(), r)
	if err != nil || len(reply.Warnings) != 1 || reply.Warnings[0].Code != llm.CodeKeyDropped {
		t.Errorf("a model without eyes: %v, %v", reply.Warnings, err)
	}
	parts := s.Requests()[0].Body.At("messages").Items[1].At("content").Items
	if len(parts) != 2 || parts[0].At("text").Str != "hello" ||
		parts[1].At("image_url").At("url").Str != "data:image/png;base64,cG5n" {
		t.Errorf("body %s", s.Requests()[0].Raw)
	}
	if got := s.Requests()[1].Body.At("messages").Items[1].At("content").Str; got != "hello" {
		t.Errorf("body %s", s.Requests()[1].Raw)
	}
}
