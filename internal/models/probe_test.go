package models_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/models"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/ui"
)

// server is an endpoint with habits of its own.
type server struct {
	refuses  []string            // top-level keys it answers with 400, or response_format's type
	named    bool                // and names them
	ignores  []string            // keys, or types, it takes and does nothing with
	together []string            // two keys it takes alone, not beside each other
	fails    func(n int) int     // the status of request n, from 1; 0 = answer
	blank    bool                // all tokens go into thinking
	calls    func(bool, int) int // how many calls it makes, told whether parallel, of so many asked for

	mu sync.Mutex
	n  int
}

func (s *server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var body map[string]any
	_ = json.NewDecoder(req.Body).Decode(&body)
	s.mu.Lock()
	s.n++
	n := s.n
	s.mu.Unlock()
	if s.fails != nil {
		if status := s.fails(n); status != 0 {
			fail(w, status, "", "out of order")
			return
		}
	}
	format, _ := body["response_format"].(map[string]any)
	kind, _ := format["type"].(string)
	for _, key := range s.refuses {
		if _, ok := body[key]; ok || kind == key {
			if kind == key {
				key = "response_format"
			}
			if !s.named {
				key = ""
			}
			fail(w, 400, key, "not here")
			return
		}
	}
	if len(s.together) == 2 && body[s.together[0]] != nil && body[s.together[1]] != nil {
		fail(w, 400, "", "not both")
		return
	}
	s.answer(w, body, kind)
}

// answer does what the body asks for.
func (s *server) answer(w http.ResponseWriter, body map[string]any, kind string) {
	works := func(key string) bool { return !slices.Contains(s.ignores, key) }
	text, reason := "ok", "stop"
	var calls []any
	prompt := fmt.Sprint(body["messages"])
	switch {
	case kind != "" && !works(kind):
		text = "Banana, hello."
	case kind == "json_schema":
		text = `{"fruit": "quokka-7"}`
	case kind == "json_object":
		text = `{"greeting": "Hello"}`
	case body["tools"] != nil && works("tools"):
		parallel, _ := body["parallel_tool_calls"].(bool)
		count := 1
		if s.calls != nil {
			count = s.calls(parallel, 2)
		} else if parallel {
			count = 2
		}
		for i := range count {
			calls = append(calls, map[string]any{"id": fmt.Sprint(i), "type": "function",
				"function": map[string]any{"name": "get_weather", "arguments": `{"city":"Paris"}`}})
		}
		text, reason = "", "tool_calls"
	case strings.Contains(prompt, "to 50"):
		text = strings.Repeat("12 ", 50)
		for _, key := range []string{"max_tokens", "max_completion_tokens"} {
			if body[key] != nil && works(key) {
				text, reason = "1 2 3", "length"
			}
		}
	}
	if s.blank && (body["max_tokens"] != nil) {
		text, reason, calls = "", "length", nil
	}
	if stream, _ := body["stream"].(bool); stream && works("stream") {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, d := range []string{`{"content":"1"},"finish_reason":null`, `{"content":" 2"},"finish_reason":null`,
			`{},"finish_reason":"stop"`} {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\n", d)
		}
		if body["stream_options"] != nil && works("stream_options") {
			fmt.Fprint(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n\n")
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	message := map[string]any{"role": "assistant", "content": text}
	if calls != nil {
		message["tool_calls"] = calls
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}},
		"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5}})
}

func fail(w http.ResponseWriter, status int, param, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After-Ms", "1")
	w.Header().Set("X-Should-Retry", "false")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "param": param}})
}

// probe asks a server.
func probe(t *testing.T, s *server) (models.Report, error) {
	t.Helper()
	h := httptest.NewServer(s)
	defer h.Close()
	return models.Prober{Build: build(h.URL)}.Probe(t.Context())
}

func build(url string) func(llm.Capabilities) (llm.Model, error) {
	return func(c llm.Capabilities) (llm.Model, error) {
		return openai.New(openai.Config{URL: url, Model: "m", Capabilities: &c, Retries: -1})
	}
}

var usual = []string{"max_tokens", "stream_options", "frequency_penalty", "presence_penalty", "seed", "stop",
	"temperature", "top_p"}

func TestProbe(t *testing.T) {
	t.Parallel()
	all := llm.Capabilities{Keys: usual, JSONSchema: true, JSONObject: true, Tools: true, ParallelKey: true,
		ParallelTools: true, Streaming: true}
	silent := slices.DeleteFunc(slices.Clone(usual), func(k string) bool { return k == "stream_options" })
	edit := func(f func(*llm.Capabilities)) llm.Capabilities { c := all; f(&c); return c }
	for name, tt := range map[string]struct {
		s        *server
		want     llm.Capabilities
		requests int // at most
		verdicts string
	}{
		"everything": {&server{}, all, 9, "unknown keys ignored"},
		"strict": {&server{refuses: []string{"limn_probe", "seed", "max_tokens"}, named: true},
			edit(func(c *llm.Capabilities) {
				c.Keys = []string{"max_completion_tokens", "stream_options", "frequency_penalty", "presence_penalty", "stop", "temperature", "top_p"}
			}), 11, "seed refused"},
		"no structured output, unnamed": {&server{refuses: []string{"response_format"}},
			edit(func(c *llm.Capabilities) { c.JSONSchema, c.JSONObject = false, false }), 16, "json_schema refused"},
		"no schema": {&server{refuses: []string{"json_schema"}, named: true}, edit(func(c *llm.Capabilities) { c.JSONSchema = false }), 10, "json_object yes"},
		"ignores the schema": {&server{ignores: []string{"json_schema", "json_object"}},
			edit(func(c *llm.Capabilities) { c.JSONSchema, c.JSONObject = false, false }), 9, "json_schema ignored"},
		"ignores the limit": {&server{ignores: []string{"max_tokens", "max_completion_tokens"}},
			edit(func(c *llm.Capabilities) { c.Keys = usual[1:] }), 10, "max_tokens ignored"},
		"ignores tools": {&server{ignores: []string{"tools"}}, edit(func(c *llm.Capabilities) { c.Tools, c.ParallelKey, c.ParallelTools = false, false, false }), 9, "tools ignored"},
		"no tools": {&server{refuses: []string{"tools"}, named: true},
			edit(func(c *llm.Capabilities) { c.Tools, c.ParallelKey, c.ParallelTools = false, false, false }), 9, "tools refused"},
		"no parallel key":           {&server{refuses: []string{"parallel_tool_calls"}}, edit(func(c *llm.Capabilities) { c.ParallelKey, c.ParallelTools = false, false }), 11, "parallel_tool_calls refused"},
		"parallel whatever is said": {&server{calls: func(bool, int) int { return 2 }}, edit(func(c *llm.Capabilities) { c.ParallelKey = false }), 9, "parallel_tool_calls ignored"},
		"one call at a time":        {&server{calls: func(bool, int) int { return 1 }}, edit(func(c *llm.Capabilities) { c.ParallelTools = false }), 9, "parallel calls ignored"},
		"the key needs tools": {&server{together: []string{"response_format", "parallel_tool_calls"}},
			edit(func(c *llm.Capabilities) { c.ParallelNeedsTools = true }), 12, "json_schema yes"},
		"no streaming":      {&server{refuses: []string{"stream"}, named: true}, edit(func(c *llm.Capabilities) { c.Streaming, c.Keys = false, silent }), 10, "streaming refused"},
		"ignores streaming": {&server{ignores: []string{"stream"}}, edit(func(c *llm.Capabilities) { c.Streaming, c.Keys = false, silent }), 10, "streaming ignored"},
		"streams no usage":  {&server{ignores: []string{"stream_options"}}, edit(func(c *llm.Capabilities) { c.Keys = silent }), 9, "streaming yes"},
		"no stream_options": {&server{refuses: []string{"stream_options"}, named: true}, edit(func(c *llm.Capabilities) { c.Keys = silent }), 10, "streaming yes"},
		"not both keys":     {&server{together: []string{"temperature", "top_p"}}, all, 16, "top_p yes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := probe(t, tt.s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, r.Capabilities); diff != "" {
				t.Errorf("(-want +got):\n%s\n%+v", diff, r.Findings)
			}
			slices.Sort(r.Fields)
			if diff := cmp.Diff([]string{"json_object", "json_schema", "keys", "parallel_key", "parallel_tools",
				"streaming", "tools"},
				slices.DeleteFunc(slices.Compact(r.Fields),
					func(f string) bool { return f == "parallel_needs_tools" })); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if r.Requests != tt.s.n || r.Requests > tt.requests || r.Usage.In == 0 {
				t.Errorf("%d requests of %d, at most %d; %+v", r.Requests, tt.s.n, tt.requests, r.Usage)
			}
			if !slices.ContainsFunc(r.Findings,
				func(f models.Finding) bool { return f.What+" "+string(f.Verdict) == tt.verdicts }) {
				t.Errorf("want %s: %+v", tt.verdicts, r.Findings)
			}
		})
	}
}

// Whatever breaks while a probe runs, nothing is found missing by it.
func TestProbeOutage(t *testing.T) {
	t.Parallel()
	for status, code := range map[int]ui.Code{500: llm.CodeUnavailable, 503: llm.CodeUnavailable,
		429: llm.CodeRateLimited, 401: llm.CodeAuth, 402: llm.CodeAuth, 404: llm.CodeUnsupported} {
		for from := 1; from <= 9; from++ {
			r, err := probe(t, &server{fails: func(n int) int {
				if n >= from {
					return status
				}
				return 0
			}})
			if ui.CodeOf(err) != code {
				t.Errorf("HTTP %d from request %d on: %v", status, from, err)
			}
			for _, f := range r.Findings {
				if f.Verdict == models.Refused {
					t.Errorf("HTTP %d from request %d on: %+v", status, from, f)
				}
			}
			// One failure that passes is no finding either.
			if status < 500 {
				continue
			}
			r, err = probe(t, &server{fails: func(n int) int {
				if n == from {
					return status
				}
				return 0
			}})
			if from == 1 {
				if err == nil {
					t.Error("the plainest request failed, and the probe went on")
				}
				continue
			}
			unclear := 0
			for _, f := range r.Findings {
				if f.Verdict == models.Unclear {
					unclear++
				} else if f.Verdict != models.Supported && f.What != "unknown keys" {
					t.Errorf("HTTP %d at request %d: %+v", status, from, f)
				}
			}
			if err != nil || unclear == 0 {
				t.Errorf("HTTP %d at request %d: %v %+v", status, from, err, r.Findings)
			}
		}
	}
}

// A model that thinks until its tokens are used up has shown nothing.
func TestProbeThinking(t *testing.T) {
	t.Parallel()
	r, err := probe(t, &server{blank: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"tools", "json_schema", "json_object"} {
		if slices.Contains(r.Fields, f) {
			t.Errorf("%s is said to be known: %+v", f, r.Findings)
		}
	}
}

func TestProbeCanceled(t *testing.T) {
	t.Parallel()
	h := httptest.NewServer(&server{})
	defer h.Close()
	for stop := 1; stop <= 9; stop++ {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		p := models.Prober{Build: build(h.URL), Asking: func(string) {
			if n++; n == stop {
				cancel()
			}
		}}
		r, err := p.Probe(ctx)
		cancel()
		if !errors.Is(err, context.Canceled) || r.Requests != stop {
			t.Errorf("stopped at %d: %v after %d", stop, err, r.Requests)
		}
	}
}
