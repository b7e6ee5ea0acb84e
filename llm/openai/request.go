package openai

import (
	"encoding/base64"
	"encoding/json"
	"maps"

	"github.com/limn-ui/limn/llm"
)

// request writes a prepared request in the words of the protocol.
func (m *Model) request(r llm.Request) map[string]any {
	body := map[string]any{"model": m.model, "messages": messages(r)}
	if r.Format != nil {
		body["response_format"] = format(r.Format)
	}
	if len(r.Tools) > 0 {
		body["tools"] = tools(r.Tools)
	}
	if r.ParallelTools != nil {
		body["parallel_tool_calls"] = *r.ParallelTools
	}
	if r.MaxTokens > 0 {
		body[m.endpoint.Entry.MaxTokensKey()] = r.MaxTokens
	}
	if r.Stream {
		body["stream"] = true
		if m.endpoint.Entry.Declares("stream_options") {
			body["stream_options"] = map[string]any{"include_usage": true}
		}
	}
	maps.Copy(body, m.quirks.params(r))
	return body
}

func format(f *llm.Format) map[string]any {
	if f.Schema == nil {
		return map[string]any{"type": "json_object"}
	}
	return map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": f.Name, "strict": true,
		"schema": json.RawMessage(f.Schema)}}
}

// function is a tool, or a call of one.
type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Arguments   *string         `json:"arguments,omitempty"`
}

type functionItem struct {
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

func tools(list []llm.Tool) []functionItem {
	var out []functionItem
	for _, t := range list {
		out = append(out, functionItem{Type: "function",
			Function: function{Name: t.Name, Description: t.Description, Parameters: t.Schema}})
	}
	return out
}

type message struct {
	Role    string         `json:"role"`
	Content any            `json:"content,omitempty"` // a string or a list of parts
	Calls   []functionItem `json:"tool_calls,omitempty"`
	CallID  string         `json:"tool_call_id,omitempty"`
}

func messages(r llm.Request) []message {
	var out []message
	if r.System != "" {
		out = append(out, message{Role: "system", Content: r.System})
	}
	for _, m := range r.Messages {
		said := message{Role: string(m.Role), Content: m.Text, CallID: m.CallID}
		for _, c := range m.Calls {
			said.Calls = append(said.Calls, functionItem{ID: c.ID, Type: "function",
				Function: function{Name: c.Name, Arguments: &c.Arguments}})
		}
		switch {
		case m.Role == llm.RoleUser && len(m.Images) > 0:
			said.Content = parts(m)
		case len(m.Calls) > 0 && m.Text == "":
			said.Content = nil
		}
		out = append(out, said)
	}
	return out
}

// parts are a text and the pictures that belong to it.
func parts(m llm.Message) []map[string]any {
	out := []map[string]any{{"type": "text", "text": m.Text}}
	for _, i := range m.Images {
		url := "data:" + i.Type + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
		out = append(out, map[string]any{"type": "image_url", "image_url": map[string]any{"url": url}})
	}
	return out
}
