package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
)

// messages is Anthropic's dialect.
type messages struct{}

func (messages) base() string { return "" }
func (messages) path() string { return "/v1/messages" }
func (messages) keys() []string {
	return []string{"model", "messages", "system", "max_tokens", "stream", "output_config", "tools", "tool_choice",
		"temperature", "top_p", "top_k",
		"stop_sequences", "metadata", "thinking", "service_tier"}
}
func (messages) key(h http.Header) string  { return h.Get("X-Api-Key") }
func (messages) unknown(key string) string { return key + ": Extra inputs are not permitted" }

func (messages) check(r Recorded) (param, why string) {
	list := r.Body.At("messages").Items
	switch {
	case r.Header.Get("Anthropic-Version") == "":
		return "", "anthropic-version: header is required"
	case r.Body.At("model").Text() == "" || len(list) == 0:
		return "model", "model and messages: Field required"
	case r.Body.At("max_tokens").Kind != jsonx.Number || r.Body.At("max_tokens").Str == "0":
		return "max_tokens", "max_tokens: Field required"
	case list[0].At("role").Text() != "user":
		return "messages", "messages: first message must use the user role"
	}
	open := map[string]bool{} // calls that wait for a result
	for i, m := range list {
		role := m.At("role").Text()
		if role != "user" && role != "assistant" {
			return "messages", fmt.Sprintf("messages.%d.role: must be user or assistant", i)
		}
		content := m.At("content")
		if content.Kind == jsonx.String && content.Text() == "" ||
			content.Kind != jsonx.String && len(content.Items) == 0 {
			return "messages", fmt.Sprintf("messages.%d: must have non-empty content", i)
		}
		for _, b := range content.Items {
			switch b.At("type").Text() {
			case "text":
				if strings.TrimSpace(b.At("text").Text()) == "" {
					return "messages", "text content blocks must be non-empty"
				}
			case "image":
				if src := b.At("source"); role != "user" || src.At("type").Text() != "base64" ||
					!strings.HasPrefix(src.At("media_type").Text(), "image/") {
					return "messages", "image.source: must be base64 of an image, from the user"
				}
			case "tool_use":
				if b.At("input").Kind != jsonx.Object {
					return "messages", "tool_use.input: must be an object"
				}
				open[b.At("id").Text()] = true
			case "tool_result":
				if !open[b.At("tool_use_id").Text()] {
					return "messages", "unexpected tool_use_id in tool_result blocks"
				}
				delete(open, b.At("tool_use_id").Text())
			default:
				return "messages", "no such type of block"
			}
		}
		if role == "user" && len(open) > 0 {
			return "messages", "tool_use ids were found without tool_result blocks immediately after"
		}
	}
	return "", ""
}

func (messages) format(body jsonx.Value) string {
	return body.At("output_config").At("format").At("type").Text()
}

func (m messages) violates(body jsonx.Value, _ bool) string {
	format := m.format(body) != ""
	tools := len(body.At("tools").Items) > 0
	stream := body.At("stream").Bool
	switch {
	case stream && tools:
		return "streaming with tools"
	case stream && format:
		return "streaming with a format"
	case format && tools:
		return "a format with tools"
	case tools && body.At("tool_choice").At("type").Text() == "":
		return "tools without a word on parallel calls"
	}
	return ""
}

func (messages) fail(w http.ResponseWriter, status int, _, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	kinds := map[int]string{401: "authentication_error", 403: "permission_error", 404: "not_found_error",
		429: "rate_limit_error", 529: "overloaded_error"}
	kind := kinds[status]
	switch {
	case kind == "" && status >= 500:
		kind = "api_error"
	case kind == "":
		kind = "invalid_request_error"
	}
	fmt.Fprint(w, encode(failure(kind, message)))
}

func failure(kind, message string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message},
		"request_id": "req_1"}
}

// begun is a message without its content; 4 of 11 tokens came from the cache.
func begun() map[string]any {
	return map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": "fake", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 5, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 4,
			"output_tokens": 7}}
}

func (messages) whole(step Step) string {
	m := begun()
	block, reason := map[string]any{"type": "text", "text": step.Text}, "end_turn"
	switch step.Mode {
	case Truncated:
		reason = "max_tokens"
	case Refusal:
		reason = "refusal"
	case Huge:
		block["text"] = huge
	case ToolCall, OddCall:
		block, reason = map[string]any{"type": "tool_use", "id": "call_1", "name": step.Text,
			"input": json.RawMessage(cmp.Or(step.Arguments, "{}"))}, "tool_use"
		if step.Mode == OddCall {
			delete(block, "id")
			block["input"] = map[string]any{"a": 1}
			reason = "end_turn"
		}
	case ErrorInside:
		return encode(failure("api_error", "the upstream failed"))
	}
	m["content"], m["stop_reason"] = []any{block}, reason
	if step.Mode == NoChoices {
		m["content"] = []any{}
	}
	return encode(m)
}

func (messages) stream(step Step) string {
	var b strings.Builder
	event := func(kind string, v map[string]any) {
		v["type"] = kind
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", kind, encode(v))
	}
	event("message_start", map[string]any{"message": begun()})
	event("ping", map[string]any{})
	reason, block := "end_turn", map[string]any{"type": "text", "text": ""}
	switch step.Mode {
	case Truncated:
		reason = "max_tokens"
	case Refusal:
		reason = "refusal"
	case Huge:
		step.Text = huge
	case ToolCall, OddCall:
		reason, block, step.Text = "tool_use",
			map[string]any{"type": "tool_use", "id": "call_1", "name": step.Text, "input": map[string]any{}}, ""
	}
	if step.Mode != NoChoices {
		event("content_block_start", map[string]any{"index": 0, "content_block": block})
		for piece := range strings.SplitAfterSeq(step.Text, " ") {
			event("content_block_delta", map[string]any{"index": 0,
				"delta": map[string]any{"type": "text_delta", "text": piece}})
		}
	}
	switch step.Mode {
	case StreamCut:
		return b.String()
	case ErrorInside:
		event("error", failure("overloaded_error", "the upstream failed"))
		return b.String()
	}
	if step.Mode != NoChoices {
		event("content_block_stop", map[string]any{"index": 0})
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": reason, "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": 7}})
	event("message_stop", map[string]any{})
	return b.String()
}
