package anthropic_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/anthropic"
	"github.com/limn-ui/limn/ui"
)

const key = "sk-ant-very-secret-0123456789"

var schema = []byte(
	`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`)

func start(t *testing.T, steps ...llmtest.Step) (*anthropic.Model, *llmtest.Server) {
	t.Helper()
	s := llmtest.StartIn(t, llmtest.Options{Dialect: llmtest.Anthropic, Key: key, Steps: steps})
	m, err := anthropic.New(anthropic.Config{URL: s.URL, Model: "claude-sonnet-4-5", Key: key, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

func user(texts ...string) []llm.Message {
	var out []llm.Message
	for _, s := range texts {
		out = append(out, llm.Message{Role: llm.RoleUser, Text: s})
	}
	return out
}

// TestFormat: native structured output, and the stable part of the system text
// marked for the cache.
func TestFormat(t *testing.T) {
	t.Parallel()
	m, s := start(t, llmtest.Step{Text: `{"a":"b"}`})
	r := llm.Request{System: "Stable. Changing.", Stable: 8, Messages: user("hello"), MaxTokens: 50,
		Format: &llm.Format{Name: "answer", Schema: schema},
		Params: map[string]any{"temperature": 0.5, "top_k": 3, "seed": 7}}
	reply, err := m.Ask(t.Context(), r)
	if err != nil || reply.Text != `{"a":"b"}` || reply.Finish != llm.FinishStop ||
		reply.Usage != (llm.Usage{In: 11, CachedIn: 4, Out: 7}) {
		t.Fatalf("%+v, %v", reply, err)
	}
	if len(reply.Warnings) != 1 || reply.Warnings[0].Path != "/seed" {
		t.Errorf("warnings %v", reply.Warnings)
	}
	got := s.Requests()[0]
	if diff := cmp.Diff([]string{"max_tokens", "messages", "model", "output_config", "system", "temperature", "top_k"},
		got.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	format := got.Body.At("output_config").At("format")
	if format.At("type").Str != "json_schema" ||
		format.At("schema").At("properties").At("a").At("type").Str != "string" ||
		got.Body.At("max_tokens").Str != "50" {
		t.Errorf("body %s", got.Raw)
	}
	system := got.Body.At("system").Items
	if len(system) != 2 || system[0].At("text").Str != "Stable. " ||
		system[0].At("cache_control").At("type").Str != "ephemeral" || system[1].At("text").Str != "Changing." ||
		len(system[1].At("cache_control").Members) > 0 {
		t.Errorf("system %s", got.Raw)
	}
	r.Stable, r.MaxTokens = 0, 0
	if _, err := m.Ask(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	got = s.Requests()[1]
	if system := got.Body.At("system").Items; len(system) != 1 ||
		system[0].At("cache_control").At("type").Str != "ephemeral" || got.Body.At("max_tokens").Str != "4096" {
		t.Errorf("body %s", got.Raw)
	}
}

// TestConversation: what a Request allows and the protocol does not is written
// so that a strict server takes it.
func TestConversation(t *testing.T) {
	t.Parallel()
	calls := []llm.Call{{ID: "c1", Name: "f", Arguments: `{"a":1}`}, {ID: "c2", Name: "f", Arguments: `[1]`},
		{ID: "c3", Name: "f", Arguments: `{"a`}}
	results := []llm.Message{{Role: llm.RoleTool, CallID: "c1", Text: "one"}, {Role: llm.RoleTool, CallID: "c2"},
		{Role: llm.RoleTool, CallID: "c3", Text: "three"}}
	for name, list := range map[string][]llm.Message{
		"plain":                     user("hello"),
		"two in a row":              user("hello", "again"),
		"an assistant first":        {{Role: llm.RoleAssistant, Text: "Welcome."}, {Role: llm.RoleUser, Text: "hello"}},
		"an empty text":             user("hello", " "),
		"nothing but empty texts":   user(""),
		"an assistant says nothing": {{Role: llm.RoleUser, Text: "a"}, {Role: llm.RoleAssistant}, {Role: llm.RoleUser, Text: "b"}},
		"calls and results":         append(append(user("hello"), llm.Message{Role: llm.RoleAssistant, Text: "Wait.", Calls: calls}), results...),
		"calls without words":       append(append(user("hello"), llm.Message{Role: llm.RoleAssistant, Calls: calls}), results...),
	} {
		m, s := start(t)
		if _, err := m.Ask(t.Context(), llm.Request{Messages: list, Tools: []llm.Tool{{Name: "f", Schema: schema}}}); err != nil {
			t.Errorf("%s: %v %v\n%s", name, err, errors.Unwrap(err), s.Requests()[0].Raw)
			continue
		}
		sent := s.Requests()[0].Body.At("messages").Items
		for i, m := range sent {
			if i > 0 && m.At("role").Str == sent[i-1].At("role").Str {
				t.Errorf("%s: one side twice in a row: %s", name, s.Requests()[0].Raw)
			}
		}
		if last := sent[len(sent)-1].At("content").Items; strings.HasPrefix(name, "calls") && (len(last) != 3 || last[0].At("tool_use_id").Str != "c1" || last[2].At("content").Items[0].At("text").Str != "three") {
			t.Errorf("%s: %s", name, s.Requests()[0].Raw)
		}
	}
}

// TestTools: calls one after the other unless asked otherwise, in every way to
// say which tool.
func TestTools(t *testing.T) {
	t.Parallel()
	yes := true
	for _, tt := range []struct {
		choice   any
		parallel *bool
		want     string // type, name, disable_parallel_tool_use
	}{
		{nil, nil, "auto  true"},
		{nil, &yes, "auto  false"},
		{"required", nil, "any  true"},
		{"none", nil, "none  false"},
		{map[string]any{"type": "function", "function": map[string]any{"name": "f"}}, nil, "tool f true"},
		{map[string]any{"type": "tool", "name": "f"}, &yes, "tool f false"},
	} {
		m, s := start(t, llmtest.Step{Mode: llmtest.ToolCall, Text: "f"})
		r := llm.Request{Messages: user("hello"),
			Tools: []llm.Tool{{Name: "f", Description: "Does it.", Schema: schema}}, ParallelTools: tt.parallel}
		if tt.choice != nil {
			r.Params = map[string]any{"tool_choice": tt.choice}
		}
		reply, err := m.Ask(t.Context(), r)
		if err != nil || reply.Finish != llm.FinishToolCalls ||
			!cmp.Equal(reply.Calls, []llm.Call{{ID: "call_1", Name: "f", Arguments: "{}"}}) {
			t.Fatalf("%+v, %v", reply, err)
		}
		body := s.Requests()[0].Body
		choice := body.At("tool_choice")
		if got := fmt.Sprint(choice.At("type").Str, " ", choice.At("name").Str, " ",
			choice.At("disable_parallel_tool_use").Bool); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.choice, got, tt.want)
		}
		if tool := body.At("tools").Items[0]; tool.At("name").Str != "f" || tool.At("description").Str != "Does it." ||
			tool.At("input_schema").At("properties").At("a").At("type").Str != "string" ||
			tool.At("input_schema").At("additionalProperties").Kind == 0 {
			t.Errorf("%s", s.Requests()[0].Raw)
		}
	}
	m, s := start(t)
	r := llm.Request{Messages: user("hello"), Tools: []llm.Tool{{Name: "f", Schema: schema}},
		Params: map[string]any{"tool_choice": "sometimes"}}
	if _, err := m.Ask(t.Context(), r); ui.CodeOf(err) != llm.CodeRequestBroken || len(s.Requests()) != 0 {
		t.Errorf("%v, %d requests", err, len(s.Requests()))
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	m, _ := start(t, llmtest.Step{Text: "one two three"}, llmtest.Step{Mode: llmtest.Truncated, Text: "one"},
		llmtest.Step{Mode: llmtest.Refusal, Text: "no"})
	var pieces []string
	r := llm.Request{Messages: user("hello"), Stream: true, OnText: func(p string) { pieces = append(pieces, p) }}
	reply, err := m.Ask(t.Context(), r)
	if err != nil || reply.Text != "one two three" || reply.Finish != llm.FinishStop ||
		reply.Usage != (llm.Usage{In: 11, CachedIn: 4, Out: 7}) ||
		!cmp.Equal(pieces, []string{"one ", "two ", "three"}) {
		t.Errorf("%+v %q %v", reply, pieces, err)
	}
	for _, want := range []ui.Code{llm.CodeTruncated, llm.CodeRefused} {
		if reply, err := m.Ask(t.Context(), r); err != nil || reply.Check().Code != want {
			t.Errorf("%+v %v, want %s", reply, err, want)
		}
	}
}

// TestStreamThatComesWhole: gateways that do not stream.
func TestStreamThatComesWhole(t *testing.T) {
	t.Parallel()
	body := `{"type":"message","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":1}}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}))
	defer s.Close()
	able := llm.Generic()
	m, err := anthropic.New(anthropic.Config{URL: s.URL, Model: "fake", Retries: -1, Capabilities: &able})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := m.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "hello"}},
		Stream: true, OnText: func(string) { t.Error("a piece") }})
	if err != nil || reply.Text != "hi" || reply.Usage != (llm.Usage{In: 3, Out: 1}) {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestStreamThatBreaks: after the reason to stop the answer is there, and is not asked for again.
func TestStreamThatBreaks(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]ui.Code{`"end_turn"`: "", "null": llm.CodeUnavailable} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"hi"}}

data: {"type":"message_delta","delta":{"stop_reason":`+reason+`},"usage":{"output_tokens":1}}

`)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}))
		defer s.Close()
		able := llm.Generic()
		m, err := anthropic.New(anthropic.Config{URL: s.URL + "/v1", Model: "fake", Retries: -1, Capabilities: &able})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := m.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "hello"}}, Stream: true})
		if ui.CodeOf(err) != want || want == "" && (reply.Text != "hi" || reply.Finish != llm.FinishStop) {
			t.Errorf("%s: %+v, %v", reason, reply, err)
		}
	}
}

// TestStreamWithoutReason: an answer ends well only after a reason to stop.
func TestStreamWithoutReason(t *testing.T) {
	t.Parallel()
	for delta, whole := range map[string]bool{
		"": false,
		`data: {"type":"message_delta","delta":{},"usage":{"output_tokens":1}}`:                         true,
		`data: {"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":1}}`:       true,
		`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`: true,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"hi"}}

`+delta+`

data: {"type":"message_stop"}

`)
		}))
		defer s.Close()
		able := llm.Generic()
		m, err := anthropic.New(anthropic.Config{URL: s.URL, Model: "fake", Retries: -1, Capabilities: &able})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := m.Ask(t.Context(), llm.Request{Messages: user("hello"), Stream: true})
		if (err == nil) != whole || whole && (reply.Text != "hi" || reply.Finish != llm.FinishStop) {
			t.Errorf("%s: %+v, %v", delta, reply, err)
		}
	}
}

func TestTimeAndCancel(t *testing.T) {
	t.Parallel()
	s := llmtest.StartIn(t, llmtest.Options{Dialect: llmtest.Anthropic, Steps: []llmtest.Step{{Mode: llmtest.Hang}}})
	m, err := anthropic.New(anthropic.Config{URL: s.URL, Model: "m", Timeout: 30 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Ask(t.Context(), llm.Request{Messages: user("x")}); ui.CodeOf(err) != llm.CodeTimeout {
		t.Errorf("hang: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Ask(ctx, llm.Request{Messages: user("x")}); ui.CodeOf(err) != llm.CodeCanceled {
		t.Errorf("canceled: %v", err)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	m, err := anthropic.New(anthropic.Config{Provider: "anthropic", Model: "claude-sonnet-4-5", Key: key})
	if err != nil {
		t.Fatal(err)
	}
	if provider, model := m.Name(); provider != "anthropic" || model != "claude-sonnet-4-5" ||
		!m.Capabilities().JSONSchema {
		t.Errorf("%s %s %+v", provider, model, m.Capabilities())
	}
	for _, s := range []string{fmt.Sprint(m), fmt.Sprintf("%+v", *m), fmt.Sprintf("%#v", m)} {
		if strings.Contains(s, key) {
			t.Errorf("the key is in %s", s)
		}
	}
	for path, c := range map[string]anthropic.Config{
		"provider": {Provider: "openai", Model: "m"},
		"model":    {Model: "m\n"},
		"url":      {URL: "http://10.0.0.1", Model: "m"},
		"key":      {Model: "m", Key: "a b"},
	} {
		_, err := anthropic.New(c)
		if e, _ := err.(*ui.Error); e == nil || e.Code != llm.CodeConfigInvalid || e.Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func ExampleNew() {
	_, err := anthropic.New(anthropic.Config{URL: "http://models.example", Model: "claude-sonnet-4-5"})
	fmt.Println(err)
	// Output: LLM_CONFIG_INVALID at url: http to another machine: the key and the conversation could be read on the way
}

func TestImages(t *testing.T) {
	t.Parallel()
	m, s := start(t, llmtest.Step{Text: "A boat."})
	r := llm.Request{Messages: user("what is this?"), MaxTokens: 50}
	r.Messages[0].Images = []llm.Image{{Type: "image/png", Data: []byte("png")}}
	if _, err := m.Ask(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	parts := s.Requests()[0].Body.At("messages").Items[0].At("content").Items
	if len(parts) != 2 || parts[0].At("text").Str != "what is this?" ||
		parts[1].At("source").At("media_type").Str != "image/png" || parts[1].At("source").At("data").Str != "cG5n" {
		t.Errorf("body %s", s.Requests()[0].Raw)
	}
}
