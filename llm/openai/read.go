package openai

import (
	"encoding/json"
	"strings"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// completion is an answer, or one piece of a streamed one.
type completion struct {
	Choices []choice        `json:"choices"`
	Usage   usage           `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Index   json.RawMessage `json:"index"` // of choices, in a stream
	Message words           `json:"message"`
	Delta   words           `json:"delta"`
	Finish  json.RawMessage `json:"finish_reason"`
	Error   json.RawMessage `json:"error"` // OpenRouter: the upstream failed inside the answer
}

// words are the text and the calls of an answer.
type words struct {
	Content   json.RawMessage   `json:"content"` // a string, or a list of parts with text
	Refusal   json.RawMessage   `json:"refusal"`
	ToolCalls []json.RawMessage `json:"tool_calls"`
	Function  json.RawMessage   `json:"function_call"` // what tool_calls was before
}

type usage struct {
	In      json.RawMessage `json:"prompt_tokens"`
	Out     json.RawMessage `json:"completion_tokens"`
	Details struct {
		Cached json.RawMessage `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// read reads a whole answer; inBand is the error object in the place of one.
func read(body []byte) (reply llm.Reply, inBand []byte, err error) {
	var c completion
	if err := endpoint.Lenient(body, &c); err != nil {
		return llm.Reply{}, nil, err
	}
	if len(c.Choices) == 0 {
		if given(c.Error) {
			return llm.Reply{}, body, nil
		}
		return llm.Reply{}, nil, ui.Errorf(llm.CodeReplyInvalid, "/choices",
			"the model server's answer holds no choice")
	}
	first := c.Choices[0] // n is never asked for, so others are the server's whim
	if inBand := first.failed(); inBand != nil {
		return llm.Reply{}, inBand, nil
	}
	said := first.Message
	reply = llm.Reply{Text: plain(said.Content), Finish: finish(plain(first.Finish)), Calls: calls(said),
		Usage: c.Usage.counted()}
	if refusal := plain(said.Refusal); refusal != "" {
		reply.Finish, reply.Text = llm.FinishRefusal, refusal
	}
	if len(reply.Calls) > 0 && reply.Finish == llm.FinishStop { // some servers say stop
		reply.Finish = llm.FinishToolCalls
	}
	if given(c.Error) && string(c.Error) != "{}" && reply.Text == "" && len(reply.Calls) == 0 {
		return llm.Reply{}, body, nil
	}
	return reply, nil, nil
}

// piece is what one event of a stream brings.
type piece struct {
	text   string
	finish llm.Finish
	usage  llm.Usage
}

func readChunk(data []byte) (p piece, inBand []byte, err error) {
	var c completion
	if err := endpoint.Lenient(data, &c); err != nil {
		return piece{}, nil, err
	}
	if given(c.Error) && string(c.Error) != "{}" {
		return piece{}, data, nil
	}
	p.usage = c.Usage.counted()
	if len(c.Choices) == 0 {
		return p, nil, nil
	}
	first := c.Choices[0]
	if count(first.Index) > 0 {
		return p, nil, nil
	}
	if inBand := first.failed(); inBand != nil {
		return piece{}, inBand, nil
	}
	p.text = plain(first.Delta.Content)
	if reason := plain(first.Finish); reason != "" {
		p.finish = finish(reason)
	}
	if refusal := plain(first.Delta.Refusal); refusal != "" {
		p.finish, p.text = llm.FinishRefusal, refusal
	}
	return p, nil, nil
}

// failed is the error object of a router whose upstream failed, or nil.
func (c choice) failed() []byte {
	switch {
	case given(c.Error):
		return []byte(`{"error":` + string(c.Error) + `}`)
	case plain(c.Finish) == "error":
		return []byte(`{"error":{"message":"the model server says that it failed"}}`)
	}
	return nil
}

func (u usage) counted() llm.Usage {
	in := count(u.In)
	return llm.Usage{In: in, CachedIn: min(count(u.Details.Cached), in), Out: count(u.Out)}
}

// count is a number of tokens; anything else counts as 0.
func count(raw json.RawMessage) int64 {
	var n float64
	if json.Unmarshal(raw, &n) != nil || n < 0 || n > 1e12 {
		return 0
	}
	return int64(n)
}

func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// plain is a string, the text of a part, or that of a list of them; anything
// else is "".
func plain(raw json.RawMessage) string {
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return part(raw)
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(part(p))
	}
	return b.String()
}

// part is a string, or a part that is text: thoughts come as parts of another
// type.
func part(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var p struct {
		Type json.RawMessage `json:"type"`
		Text json.RawMessage `json:"text"`
	}
	_ = json.Unmarshal(raw, &p)
	if t := string(p.Type); t == "" || t == `"text"` || t == `"output_text"` {
		_ = json.Unmarshal(p.Text, &s)
	}
	return s
}

// calls reads tool calls: arguments as a JSON text or as the value itself,
// absent where there are none; ids missing or twice get one that is neither.
func calls(w words) []llm.Call {
	type function struct {
		Name      json.RawMessage `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	var out endpoint.Calls
	add := func(id string, f function) {
		out.Add(llm.Call{ID: id, Name: plain(f.Name), Arguments: arguments(f.Arguments)})
	}
	for _, raw := range w.ToolCalls {
		var c struct {
			ID       json.RawMessage `json:"id"`
			Function function        `json:"function"`
			function                 // without the one around it
		}
		if json.Unmarshal(raw, &c) == nil {
			if c.Function.Name == nil {
				c.Function = c.function
			}
			add(plain(c.ID), c.Function)
		}
	}
	if len(out.List) == 0 && given(w.Function) {
		var f function
		if json.Unmarshal(w.Function, &f) == nil {
			add("", f)
		}
	}
	return out.List
}

func arguments(raw json.RawMessage) string {
	if strings.HasPrefix(string(raw), `"`) {
		return plain(raw)
	}
	return string(raw)
}

func finish(reason string) llm.Finish {
	switch strings.ToLower(reason) {
	case "length", "max_tokens":
		return llm.FinishLength
	case "content_filter", "refusal", "safety":
		return llm.FinishRefusal
	case "tool_calls", "function_call", "tool_use":
		return llm.FinishToolCalls
	}
	return llm.FinishStop
}
