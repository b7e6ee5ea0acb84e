package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Ask implements llm.Model.
func (m *Model) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	return m.endpoint.Ask(ctx, r, func(ctx context.Context, r llm.Request) (llm.Reply, error) {
		p, err := m.params(r)
		switch {
		case err != nil:
			return llm.Reply{}, err
		case r.Stream:
			return m.stream(ctx, p, r.OnText)
		}
		return m.once(ctx, p)
	})
}

func (m *Model) once(ctx context.Context, p sdk.MessageNewParams) (llm.Reply, error) {
	answer, err := m.messages.New(ctx, p)
	if err != nil {
		return llm.Reply{}, err
	}
	return m.whole(answer)
}

func (m *Model) whole(answer *sdk.Message) (llm.Reply, error) {
	if answer == nil || answer.Type != "message" {
		if answer != nil && gives(answer.RawJSON(), "error") {
			return llm.Reply{}, m.endpoint.InBand([]byte(answer.RawJSON()))
		}
		return llm.Reply{}, ui.Errorf(llm.CodeReplyInvalid, "/type", "the model server's answer is no message")
	}
	return read(answer)
}

// gives reports whether a JSON object has a member.
func gives(object, member string) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal([]byte(object), &m) == nil && m[member] != nil
}

// stream reads the answer piece by piece. Prepare made sure that there are no
// tools in it. A server that does not stream answers whole: then onText gets
// nothing.
func (m *Model) stream(ctx context.Context, p sdk.MessageNewParams, onText func(string)) (llm.Reply, error) {
	var res *http.Response
	s := m.messages.NewStreaming(ctx, p, option.WithResponseInto(&res))
	defer s.Close()
	if endpoint.Whole(res) && s.Err() == nil {
		answer := new(sdk.Message)
		if err := json.NewDecoder(res.Body).Decode(answer); err != nil {
			return llm.Reply{}, err
		}
		return m.whole(answer)
	}
	var reply llm.Reply
	var text []byte
	done := false
	for s.Next() {
		switch event := s.Current(); event.Type {
		case "message_start":
			reply.Usage = usage(event.Message.Usage)
		case "content_block_delta":
			if piece := event.Delta.Text; event.Delta.Type == "text_delta" && piece != "" {
				text = append(text, piece...)
				if onText != nil {
					onText(piece)
				}
			}
		case "message_delta":
			reply.Finish, reply.Usage.Out = finish(event.Delta.StopReason), max(event.Usage.OutputTokens, 0)
		case "message_stop":
			done = true
		}
	}
	switch err := s.Err(); {
	case err != nil:
		if inBand := (*sdk.Error)(nil); errors.As(err, &inBand) {
			return llm.Reply{}, m.endpoint.InBand([]byte(inBand.RawJSON()))
		}
		return llm.Reply{}, err
	case !done || reply.Finish == "":
		return llm.Reply{}, endpoint.ErrIncomplete
	case len(text) == 0 && reply.Finish == llm.FinishStop:
		return llm.Reply{}, errEmpty
	}
	reply.Text = string(text)
	return reply, nil
}

// errEmpty is an answer that says nothing and gives no reason.
var errEmpty = ui.Errorf(llm.CodeReplyInvalid, "/content", "the model server's answer is empty")

// usage counts as package llm does: what came from the cache is part of In.
func usage(u sdk.Usage) llm.Usage {
	cached := max(u.CacheReadInputTokens, 0)
	return llm.Usage{In: max(u.InputTokens, 0) + cached + max(u.CacheCreationInputTokens, 0), CachedIn: cached,
		Out: max(u.OutputTokens, 0)}
}

// read takes the text and the calls out of an answer, without thoughts.
func read(answer *sdk.Message) (llm.Reply, error) {
	reply := llm.Reply{Finish: finish(answer.StopReason), Usage: usage(answer.Usage)}
	var calls endpoint.Calls
	for _, block := range answer.Content {
		switch block.Type {
		case "text":
			reply.Text += block.Text
		case "tool_use":
			calls.Add(llm.Call{ID: block.ID, Name: block.Name, Arguments: callArguments(block.Input)})
		}
	}
	reply.Calls = calls.List
	if len(reply.Calls) > 0 && reply.Finish == llm.FinishStop {
		reply.Finish = llm.FinishToolCalls
	}
	if len(answer.Content) == 0 && reply.Finish == llm.FinishStop {
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

func finish(reason sdk.StopReason) llm.Finish {
	switch reason {
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		return llm.FinishLength
	case sdk.StopReasonRefusal:
		return llm.FinishRefusal
	case sdk.StopReasonToolUse:
		return llm.FinishToolCalls
	}
	return llm.FinishStop
}
