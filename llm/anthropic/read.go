package anthropic

import (
	"encoding/json"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// answer is a whole answer, or an error object in its place.
type answer struct {
	Type       string  `json:"type"`
	Content    []block `json:"content"`
	StopReason string  `json:"stop_reason"`
	Usage      usage   `json:"usage"`
	Error      any     `json:"error"`
}

// block is a part of an answer: text, a call, or a thought.
type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// event is one event of a stream.
type event struct {
	Type    string `json:"type"`
	Message answer `json:"message"`
	Delta   struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage `json:"usage"`
	Error any   `json:"error"`
}

type usage struct {
	In      int64 `json:"input_tokens"`
	Read    int64 `json:"cache_read_input_tokens"`
	Written int64 `json:"cache_creation_input_tokens"`
	Out     int64 `json:"output_tokens"`
}

// counted counts as package llm does: what came from the cache is part of In.
func (u usage) counted() llm.Usage {
	bounded := func(n int64) int64 { return min(max(n, 0), 1e12) }
	cached := bounded(u.Read)
	return llm.Usage{In: bounded(u.In) + cached + bounded(u.Written), CachedIn: cached, Out: bounded(u.Out)}
}

// errEmpty is an answer that says nothing and gives no reason.
var errEmpty = ui.Errorf(llm.CodeReplyInvalid, "/content", "the model server's answer is empty")

// read takes the text and the calls out of an answer, without thoughts.
func (a answer) read() (llm.Reply, error) {
	reply := llm.Reply{Finish: finish(a.StopReason), Usage: a.Usage.counted()}
	var calls endpoint.Calls
	for _, b := range a.Content {
		switch b.Type {
		case "text":
			reply.Text += b.Text
		case "tool_use":
			calls.Add(llm.Call{ID: b.ID, Name: b.Name, Arguments: callArguments(b.Input)})
		}
	}
	reply.Calls = calls.List
	if len(reply.Calls) > 0 && reply.Finish == llm.FinishStop {
		reply.Finish = llm.FinishToolCalls
	}
	if len(a.Content) == 0 && reply.Finish == llm.FinishStop {
		return llm.Reply{}, errEmpty
	}
	return reply, nil
}

// callArguments are an object, which some gateways send as text.
func callArguments(input json.RawMessage) string {
	var s string
	if json.Unmarshal(input, &s) == nil {
		return s
	}
	return string(input)
}

func finish(reason string) llm.Finish {
	switch reason {
	case "max_tokens", "model_context_window_exceeded":
		return llm.FinishLength
	case "refusal":
		return llm.FinishRefusal
	case "tool_use":
		return llm.FinishToolCalls
	}
	return llm.FinishStop
}
