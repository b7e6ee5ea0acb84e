package openai

import (
	"bytes"
	"context"
	"errors"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
)

// Ask implements llm.Model.
func (m *Model) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	return m.endpoint.Ask(ctx, r, func(ctx context.Context, r llm.Request) (llm.Reply, error) {
		if r.Stream {
			return m.stream(ctx, r)
		}
		body, err := m.endpoint.Answer(ctx, m.request(r))
		if err != nil {
			return llm.Reply{}, err
		}
		return m.whole(body)
	})
}

func (m *Model) whole(body []byte) (llm.Reply, error) {
	reply, inBand, err := read(body)
	if inBand != nil {
		return llm.Reply{}, m.endpoint.InBand(inBand)
	}
	return reply, err
}

// stream reads the answer piece by piece. Prepare made sure that there are no
// tools in it. A server that does not stream answers whole: then OnText gets
// nothing.
func (m *Model) stream(ctx context.Context, r llm.Request) (llm.Reply, error) {
	var reply llm.Reply
	var text []byte
	body, err := m.endpoint.Stream(ctx, m.request(r), func(data []byte) (bool, error) {
		if bytes.HasPrefix(data, []byte("[DONE]")) {
			return false, nil
		}
		d, inBand, err := readChunk(data)
		switch {
		case inBand != nil:
			return false, m.endpoint.InBand(inBand)
		case err != nil:
			return false, err
		}
		// Once at the end, or in every chunk the count so far.
		reply.Usage.In = max(reply.Usage.In, d.usage.In)
		reply.Usage.CachedIn = max(reply.Usage.CachedIn, d.usage.CachedIn)
		reply.Usage.Out = max(reply.Usage.Out, d.usage.Out)
		if d.finish != "" && reply.Finish != llm.FinishRefusal {
			reply.Finish = d.finish
		}
		text = append(text, d.text...)
		if d.text != "" && r.OnText != nil {
			r.OnText(d.text)
		}
		return true, nil
	})
	_, cut := errors.AsType[endpoint.Cut](err)
	switch {
	case err != nil && (!cut || reply.Finish == ""): // else the answer came whole, and is paid for
		return llm.Reply{}, err
	case body != nil:
		return m.whole(body)
	case reply.Finish == "":
		return llm.Reply{}, endpoint.ErrIncomplete
	}
	reply.Text = string(text)
	return reply, nil
}
