package llm_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/anthropic"
	"github.com/limn-ui/limn/llm/openai"
)

// Free keys: good ones, ones that mean nothing, and ones that would smuggle.
var (
	harmless = []string{"temperature", "top_p", "tool_choice", "Tool_Choice", "x", "metadata"}
	smuggled = []string{"stream", "Stream", "STREAM_OPTIONS", "tools", "functions", "response_format", "output_config",
		"parallel_tool_calls", "PARALLEL_TOOL_CALLS",
		"max_tokens", "max_completion_tokens", "n", "model", "Model", "messages", "a.b", "response_format.type",
		"messages.-1", ""}
)

// drawn is any request with any capabilities.
func drawn(t *rapid.T) (r llm.Request, c llm.Capabilities, strict bool) {
	flag := rapid.Bool()
	r = hello()
	r.MaxTokens = rapid.IntRange(0, 3).Draw(t, "max")
	shape := rapid.SampledFrom([]string{"plain", "stream", "format", "schema", "tools", "any"}).Draw(t, "shape")
	wants := func(what string) bool { return shape == what || shape == "any" && flag.Draw(t, what) }
	r.Stream = wants("stream")
	if wants("format") {
		r.Format = &llm.Format{Name: "f"}
	}
	if wants("schema") {
		r.Format = &llm.Format{Name: "f", Schema: []byte(`{"type":"object"}`)}
	}
	if wants("tools") {
		r.Tools = []llm.Tool{{Name: "t", Schema: []byte(`{}`)}}
	}
	if flag.Draw(t, "says parallel") {
		b := flag.Draw(t, "parallel")
		r.ParallelTools = &b
	}
	keys := rapid.SampledFrom(harmless)
	if rapid.IntRange(0, 4).Draw(t, "smuggles") == 0 {
		keys = rapid.SampledFrom(slices.Concat(harmless, smuggled))
	}
	values := rapid.SampledFrom([]any{true, false, 1, "x", nil, []any{map[string]any{}},
		map[string]any{"disable_parallel_tool_use": false}, map[string]any{"stream": true}})
	r.Params = rapid.MapOfN(keys, values, 0, 4).Draw(t, "params")
	c = llm.Capabilities{Keys: rapid.SliceOfN(
		rapid.SampledFrom(slices.Concat(harmless, smuggled, []string{"*", "max_tokens", "max_completion_tokens", "stream_options"})), 0, 6).Draw(t, "keys"),
		JSONSchema: flag.Draw(t, "can schema"), JSONObject: flag.Draw(t, "can object"), Tools: flag.Draw(t, "can tools"), ParallelKey: flag.Draw(t, "has key"),
		ParallelNeedsTools: flag.Draw(t, "needs tools"), Streaming: flag.Draw(t, "can stream"), ParallelTools: flag.Draw(t, "can parallel"),
		Output: rapid.IntRange(0, 2).Draw(t, "output")}
	if rapid.IntRange(0, 3).Draw(t, "bounded") == 0 {
		c.Context, r.Tokens = rapid.IntRange(0, 40).Draw(t, "context"), rapid.IntRange(0, 50).Draw(t, "tokens")
	}
	return r, c, flag.Draw(t, "strict")
}

// Whatever the request, the capabilities and the mode, what leaves Prepare
// holds every invariant.
func TestPrepareLaw(t *testing.T) {
	t.Parallel()
	tried, passed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r, c, strict := drawn(t)
		tried++
		out, warnings, err := llm.Prepare(r, c, strict)
		if err != nil {
			return
		}
		passed++
		structured, tools := out.Format != nil, len(out.Tools) > 0
		parallel := out.ParallelTools != nil && *out.ParallelTools
		switch {
		case out.Stream && (tools || structured):
			t.Fatal("streaming with tools or a format")
		case structured && (tools || parallel):
			t.Fatal("a format with tools or parallel calls")
		case structured && c.ParallelKey && !c.ParallelNeedsTools && out.ParallelTools == nil:
			t.Fatal("a format without parallel_tool_calls:false")
		case tools && c.ParallelKey && out.ParallelTools == nil:
			t.Fatal("tools without parallel_tool_calls")
		case out.ParallelTools != nil && !c.ParallelKey, tools && !c.Tools, out.Stream && !c.Streaming,
			structured && !c.JSONObject && !c.JSONSchema, structured && out.Format.Schema != nil && !c.JSONSchema:
			t.Fatal("beyond the capabilities")
		case parallel && (!c.ParallelTools || !tools):
			t.Fatal("parallel calls of a model that makes one at a time, or of none")
		case c.Output > 0 && out.MaxTokens > c.Output, c.Context > 0 && out.Tokens+out.MaxTokens > c.Context:
			t.Fatal("above the budget")
		case strict && len(warnings) > 0:
			t.Fatal("strict drops nothing silently")
		}
		for k, v := range out.Params {
			low := strings.ToLower(k)
			if slices.Contains([]string{"stream", "tools", "functions", "response_format", "parallel_tool_calls",
				"model", "messages", "n", "max_tokens"}, low) || strings.Contains(k, ".") || !c.Declares(k) {
				t.Fatalf("key %q left", k)
			}
			if _, err := json.Marshal(v); err != nil {
				t.Fatalf("value of %q: %v", k, err)
			}
		}
	})
	if passed*20 < tried {
		t.Errorf("only %d requests of %d passed: the law is hardly tried", passed, tried)
	}
}

// No request that breaks an invariant leaves an adapter, whatever the options:
// what counts is the bytes that arrive.
func TestWireLaw(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		open func(endpoint.Config) (llm.Model, error)
		wire func(raw []byte, c llm.Capabilities, r llm.Request) string
	}{
		"openai":    {func(c endpoint.Config) (llm.Model, error) { return openai.New(c) }, completions},
		"anthropic": {func(c endpoint.Config) (llm.Model, error) { return anthropic.New(c) }, messages},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var raw []byte // of the last request; what is answered does not matter
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				raw, _ = io.ReadAll(req.Body)
				w.WriteHeader(http.StatusBadRequest)
			}))
			t.Cleanup(server.Close)
			tried, left := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				r, c, strict := drawn(t)
				tried++
				m, err := tt.open(endpoint.Config{URL: server.URL, Model: "m", Capabilities: &c, Strict: strict,
					Retries: -1})
				if err != nil {
					t.Fatal(err)
				}
				raw = nil
				if _, err = m.Ask(t.Context(), r); err == nil {
					t.Fatal("answered, though refused")
				}
				if raw == nil {
					return
				}
				left++
				if broken := tt.wire(raw, c, r); broken != "" {
					t.Fatalf("%s: %s", broken, raw)
				}
			})
			if left*20 < tried {
				t.Errorf("only %d requests of %d left: the law is hardly tried", left, tried)
			}
		})
	}
}

// completions names the rule that the body of a chat-completions request breaks.
func completions(raw []byte, c llm.Capabilities, r llm.Request) string {
	body, err := jsonx.Parse(raw, jsonx.Limits{}) // refuses a key that stands twice
	if err != nil {
		return err.Error()
	}
	allowed := []string{"model", "messages", "stream", "tools", "response_format", "parallel_tool_calls",
		c.MaxTokensKey()}
	for _, m := range body.Members {
		own := slices.Contains(allowed, m.Key) ||
			m.Key == "stream_options" && body.At("stream").Bool && c.Declares(m.Key)
		if !own && (!c.Declares(m.Key) || llm.Reserved(m.Key) || r.Params[m.Key] == nil && m.Value.Kind != jsonx.Null) {
			return "the key " + m.Key
		}
	}
	kind, structured := body.At("response_format").At("type").Text(), body.At("response_format").Kind != 0
	tools, stream := len(body.At("tools").Items) > 0, body.At("stream").Bool
	parallel, said := body.Get("parallel_tool_calls")
	chosen, choice := body.Get("tool_choice")
	_, nested := chosen.Get("disable_parallel_tool_use")
	most, bounded := body.Get(c.MaxTokensKey())
	tokens, _ := most.Int()
	switch {
	case body.At("model").Text() != "m":
		return "another model"
	case len(body.At("messages").Items) != len(r.Messages):
		return "other messages"
	case stream && (tools || structured || !c.Streaming):
		return "streaming"
	case structured && (tools || parallel.Bool):
		return "response_format with tools or parallel calls"
	case structured && !said && c.ParallelKey && !c.ParallelNeedsTools, tools && !said && c.ParallelKey:
		return "parallel_tool_calls is not said"
	case said && (!c.ParallelKey || !tools && c.ParallelNeedsTools ||
		parallel.Bool && (!c.ParallelTools ||
			r.ParallelTools == nil && r.Params["parallel_tool_calls"] == nil &&
				r.Params["PARALLEL_TOOL_CALLS"] == nil)):
		return "parallel_tool_calls"
	case tools && !c.Tools, choice && !tools:
		return "tools"
	case kind == "json_schema" && !c.JSONSchema, kind == "json_object" && !c.JSONObject:
		return "response_format"
	case bounded && c.MaxTokensKey() != "" &&
		(c.Output > 0 && int(tokens) > c.Output || c.Context > 0 && r.Tokens+int(tokens) > c.Context):
		return "more tokens than there are"
	case nested:
		return "parallel calls by tool_choice"
	}
	return ""
}

// messages names the rule that the body of a request to Anthropic breaks.
func messages(raw []byte, c llm.Capabilities, r llm.Request) string {
	body, err := jsonx.Parse(raw, jsonx.Limits{})
	if err != nil {
		return err.Error()
	}
	for _, m := range body.Members {
		own := slices.Contains([]string{"model", "messages", "max_tokens", "stream", "tools", "tool_choice",
			"output_config"}, m.Key)
		if !own && (!c.Declares(m.Key) || llm.Reserved(m.Key) || r.Params[m.Key] == nil && m.Value.Kind != jsonx.Null) {
			return "the key " + m.Key
		}
	}
	_, structured := body.Get("output_config")
	tools, stream := len(body.At("tools").Items) > 0, body.At("stream").Bool
	_, choice := body.Get("tool_choice")
	sequential, said := body.At("tool_choice").Get("disable_parallel_tool_use")
	tokens, _ := body.At("max_tokens").Int()
	asked := r.ParallelTools != nil || r.Params["parallel_tool_calls"] != nil || r.Params["PARALLEL_TOOL_CALLS"] != nil
	switch {
	case body.At("model").Text() != "m":
		return "another model"
	case stream && (tools || structured || !c.Streaming):
		return "streaming"
	case structured && (tools || !c.JSONSchema):
		return "output_config"
	case choice != tools, tools && !c.Tools:
		return "tools"
	case tools && (!said || !sequential.Bool && (!asked || !c.ParallelKey || !c.ParallelTools)):
		return "parallel calls"
	case c.Output > 0 && int(tokens) > c.Output, r.MaxTokens > 0 && c.MaxTokensKey() != "" && int(tokens) > r.MaxTokens:
		return "more tokens than there are"
	}
	return ""
}
