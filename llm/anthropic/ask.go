package anthropic

import (
	"cmp"
	"context"
	"errors"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Ask implements llm.Model.
func (m *Model) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	return m.endpoint.Ask(ctx, r, func(ctx context.Context, r llm.Request) (llm.Reply, error) {
		request, err := m.request(r)
		switch {
		case err != nil:
			return llm.Reply{}, err
		case r.Stream:
			return m.stream(ctx, request, r.OnText)
		}
		body, err := m.endpoint.Answer(ctx, request)
		if err != nil {
			return llm.Reply{}, err
		}
		return m.whole(body)
	})
}

func (m *Model) whole(body []byte) (llm.Reply, error) {
	var a answer
	switch err := endpoint.Lenient(body, &a); {
	case err != nil:
		return llm.Reply{}, err
	case a.Type == "message":
		return a.read()
	case a.Error != nil:
		return llm.Reply{}, m.endpoint.InBand(body)
	}
	return llm.Reply{}, ui.Errorf(llm.CodeReplyInvalid, "/type", "the model server's answer is no message")
}

// stream reads the answer piece by piece. Prepare made sure that there are no
// tools in it. A server that does not stream answers whole: then onText gets
// nothing.
func (m *Model) stream(ctx context.Context, request map[string]any, onText func(string)) (llm.Reply, error) {
	var reply llm.Reply
	var text []byte
	ended := false // the text did
	request["stream"] = true
	body, err := m.endpoint.Stream(ctx, request, func(data []byte) (bool, error) {
		var e event
		if err := endpoint.Lenient(data, &e); err != nil {
			return false, err
		}
		if e.Error != nil {
			return false, m.endpoint.InBand(data)
		}
		switch e.Type {
		case "message_start":
			reply.Usage = e.Message.Usage.counted()
		case "content_block_delta":
			if piece := e.Delta.Text; e.Delta.Type == "text_delta" && piece != "" {
				text = append(text, piece...)
				if onText != nil {
					onText(piece)
				}
			}
		case "message_delta":
			ended, reply.Usage.Out = true, e.Usage.counted().Out
			if e.Delta.StopReason != "" {
				reply.Finish = finish(e.Delta.StopReason)
			}
		case "message_stop":
			if ended { // some servers give no reason
				reply.Finish = cmp.Or(reply.Finish, llm.FinishStop)
			}
		}
		return e.Type != "message_stop", nil
	})
	_, cut := errors.AsType[endpoint.Cut](err)
	switch {
	case err != nil && (!cut || reply.Finish == ""): // else the answer came whole, and is paid for
		return llm.Reply{}, err
	case body != nil:
		return m.whole(body)
	case reply.Finish == "":
		return llm.Reply{}, endpoint.ErrIncomplete
	case len(text) == 0 && reply.Finish == llm.FinishStop:
		return llm.Reply{}, errEmpty
	}
	reply.Text = string(text)
	return reply, nil
}
