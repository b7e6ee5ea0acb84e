package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
)

// completions is OpenAI's dialect.
type completions struct{}

func (completions) base() string { return "/v1" }
func (completions) path() string { return "/v1/chat/completions" }
func (completions) keys() []string {
	return []string{"model", "messages", "stream", "response_format", "tools", "tool_choice", "parallel_tool_calls",
		"temperature", "top_p",
		"max_tokens", "seed", "stop"}
}
func (completions) key(h http.Header) string {
	return strings.TrimPrefix(h.Get("Authorization"), "Bearer ")
}
func (completions) unknown(key string) string {
	return "Unrecognized request argument supplied: " + key
}

func (completions) check(r Recorded) (param, why string) {
	if r.Body.At("model").Text() == "" || len(r.Body.At("messages").Items) == 0 {
		return "model", "you must provide a model and messages"
	}
	return "", ""
}

func (completions) format(body jsonx.Value) string {
	return body.At("response_format").At("type").Text()
}

func (completions) violates(body jsonx.Value, parallelKey bool) string {
	_, format := body.Get("response_format")
	tools := len(body.At("tools").Items) > 0
	stream := body.At("stream").Bool
	parallel, said := body.Get("parallel_tool_calls")
	switch {
	case stream && tools:
		return "streaming with tools"
	case stream && format:
		return "streaming with response_format"
	case format && tools:
		return "response_format with tools"
	case format && said && parallel.Bool:
		return "response_format with parallel tool calls"
	case format && !said && parallelKey:
		return "response_format without parallel_tool_calls"
	}
	return ""
}

func (completions) fail(w http.ResponseWriter, status int, param, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := map[string]any{"message": message, "type": "invalid_request_error", "code": nil, "param": nil}
	if param != "" {
		e["param"] = param
	}
	fmt.Fprint(w, encode(map[string]any{"error": e}))
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	return string(b)
}

func (completions) whole(step Step) string {
	message := map[string]any{"role": "assistant", "content": step.Text, "refusal": nil}
	reason := "stop"
	call := map[string]any{"id": "call_1", "type": "function",
		"function": map[string]any{"name": step.Text, "arguments": cmp.Or(step.Arguments, "{}")}}
	switch step.Mode {
	case Truncated:
		reason = "length"
	case Refusal:
		message["content"], message["refusal"] = nil, step.Text
	case Huge:
		message["content"] = huge
	case ToolCall:
		reason, message["content"], message["tool_calls"] = "tool_calls", nil, []any{call}
	case OddCall:
		message["content"] = nil
		message["tool_calls"] = []any{map[string]any{
			"function": map[string]any{"name": step.Text, "arguments": map[string]any{"a": 1}}}}
	case ErrorInside:
		return encode(map[string]any{"error": map[string]any{"code": 502, "message": "the upstream failed"}})
	}
	choices := []any{map[string]any{"index": 0, "message": message, "finish_reason": reason, "logprobs": nil}}
	if step.Mode == NoChoices {
		choices = []any{}
	}
	return encode(map[string]any{"id": "c1", "object": "chat.completion", "created": 1, "model": "fake",
		"choices": choices,
		"usage": map[string]any{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18,
			"prompt_tokens_details": map[string]any{"cached_tokens": 4}}})
}

// stream sends a step's text word by word.
func (completions) stream(step Step) string {
	var b strings.Builder
	event := func(v any) { fmt.Fprintf(&b, "data: %s\n\n", encode(v)) }
	send := func(delta map[string]any, reason any) {
		choices := []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}
		if step.Mode == NoChoices {
			choices = []any{}
		}
		event(map[string]any{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "fake",
			"choices": choices})
	}
	b.WriteString(": a comment\n\n")
	reason, member := "stop", "content"
	switch step.Mode {
	case Truncated:
		reason = "length"
	case Refusal:
		member = "refusal"
	case Huge:
		step.Text = huge
	case ToolCall, OddCall:
		send(map[string]any{"tool_calls": []any{
			map[string]any{"index": 0, "id": "call_1", "type": "function",
				"function": map[string]any{"name": step.Text, "arguments": cmp.Or(step.Arguments, "{}")}}}}, nil)
		reason, step.Text = "tool_calls", ""
	}
	for piece := range strings.SplitAfterSeq(step.Text, " ") {
		send(map[string]any{member: piece}, nil)
	}
	switch step.Mode {
	case StreamCut:
		return b.String()
	case ErrorInside:
		event(map[string]any{"error": map[string]any{"code": 502, "message": "the upstream failed"}})
		return b.String()
	}
	send(map[string]any{}, reason)
	b.WriteString("data: [DONE]\n\n")
	return b.String()
}

// ViolatesPolicy names the invariant of package llm's request policy that a
// chat-completions request breaks, or "".
func ViolatesPolicy(body jsonx.Value) string { return completions{}.violates(body, true) }
