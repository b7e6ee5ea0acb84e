package anthropic

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// defaultMaxTokens bounds an answer whose request leaves it open: the protocol
// wants a number.
const defaultMaxTokens = 4096

// request writes a prepared request in the words of the protocol.
func (m *Model) request(r llm.Request) (map[string]any, error) {
	body := map[string]any{"model": m.model, "max_tokens": m.maxTokens(r), "messages": conversation(r.Messages)}
	if s := system(r); len(s) > 0 {
		body["system"] = s
	}
	if r.Format != nil && r.Format.Schema != nil {
		body["output_config"] = map[string]any{"format": map[string]any{"type": "json_schema",
			"schema": json.RawMessage(r.Format.Schema)}}
	}
	for k, v := range r.Params {
		if !strings.EqualFold(k, "tool_choice") {
			body[k] = v
		}
	}
	if len(r.Tools) == 0 {
		return body, nil
	}
	body["tools"] = tools(r.Tools)
	choice, err := toolChoice(r.Params["tool_choice"])
	if err != nil {
		return nil, err
	}
	if choice["type"] != "none" {
		choice["disable_parallel_tool_use"] = r.ParallelTools == nil || !*r.ParallelTools
	}
	body["tool_choice"] = choice
	return body, nil
}

func (m *Model) maxTokens(r llm.Request) int {
	most := cmp.Or(m.endpoint.Entry.Output, defaultMaxTokens)
	return cmp.Or(r.MaxTokens, min(most, defaultMaxTokens))
}

func tools(list []llm.Tool) []map[string]any {
	var out []map[string]any
	for _, t := range list {
		tool := map[string]any{"name": t.Name, "input_schema": json.RawMessage(t.Schema)}
		if t.Description != "" {
			tool["description"] = t.Description
		}
		out = append(out, tool)
	}
	return out
}

// object is a part of a message.
type object = map[string]any

func text(s string) object { return object{"type": "text", "text": s} }

// system marks the part that every request repeats for the prompt cache.
func system(r llm.Request) []object {
	stable := r.Stable
	if stable == 0 {
		stable = len(r.System)
	}
	var blocks []object
	if s := r.System[:stable]; strings.TrimSpace(s) != "" {
		blocks = append(blocks, object{"type": "text", "text": s, "cache_control": object{"type": "ephemeral"}})
	}
	if s := r.System[stable:]; strings.TrimSpace(s) != "" {
		blocks = append(blocks, text(s))
	}
	return blocks
}

type message struct {
	Role    string   `json:"role"`
	Content []object `json:"content"`
}

// conversation joins what one side says in a row, since the results of several
// calls belong into one message, and leaves out what says nothing.
func conversation(list []llm.Message) []message {
	var out []message
	for _, m := range list {
		role := "user"
		if m.Role == llm.RoleAssistant {
			role = "assistant"
		}
		said := blocks(m)
		switch last := len(out) - 1; {
		case len(said) == 0:
		case last >= 0 && out[last].Role == role:
			out[last].Content = append(out[last].Content, said...)
		default:
			out = append(out, message{role, said})
		}
	}
	if len(out) == 0 || out[0].Role != "user" {
		out = append([]message{{"user", []object{text("(start)")}}}, out...)
	}
	return out
}

// blocks are the parts of a message.
func blocks(m llm.Message) []object {
	var said []object
	if strings.TrimSpace(m.Text) != "" {
		said = append(said, text(m.Text))
	}
	if m.Role == llm.RoleTool {
		result := object{"type": "tool_result", "tool_use_id": m.CallID}
		if len(said) > 0 {
			result["content"] = said
		}
		return []object{result}
	}
	for _, i := range m.Images {
		said = append(said, object{"type": "image", "source": object{"type": "base64", "media_type": i.Type,
			"data": base64.StdEncoding.EncodeToString(i.Data)}})
	}
	if m.Role == llm.RoleAssistant {
		for _, c := range m.Calls {
			said = append(said, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": arguments(c.Arguments)})
		}
	}
	return said
}

// arguments are an object; anything else that a model wrote goes back under a
// separate key, so that the model sees its mistake.
func arguments(s string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(s), &object) == nil && object != nil {
		return json.RawMessage(s)
	}
	b, _ := json.Marshal(map[string]string{"not_an_object": strings.ToValidUTF8(s, "�")})
	return b
}

// toolChoice reads the choice in OpenAI's words or in Anthropic's.
func toolChoice(v any) (map[string]any, error) {
	switch v := v.(type) {
	case nil:
		return map[string]any{"type": "auto"}, nil
	case string:
		kinds := map[string]string{"auto": "auto", "required": "any", "any": "any", "none": "none"}
		if kind := kinds[v]; kind != "" {
			return map[string]any{"type": kind}, nil
		}
	case map[string]any:
		if f, ok := v["function"].(map[string]any); ok && v["type"] == "function" {
			return map[string]any{"type": "tool", "name": f["name"]}, nil
		}
		return maps.Clone(v), nil
	}
	return nil, ui.Errorf(llm.CodeRequestBroken, "/tool_choice",
		"want auto, required, none, or an object that names a tool")
}
