package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/shared"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
)

// Ask implements llm.Model.
func (m *Model) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	return m.endpoint.Ask(ctx, r, func(ctx context.Context, r llm.Request) (llm.Reply, error) {
		if r.Stream {
			return m.stream(ctx, r)
		}
		return m.once(ctx, r)
	})
}

// once reads a whole answer. The SDK hands it over as bytes, since servers
// differ in more than its types can hold.
func (m *Model) once(ctx context.Context, r llm.Request) (llm.Reply, error) {
	var body []byte
	if _, err := m.chat.New(ctx, m.params(r), option.WithResponseBodyInto(&body)); err != nil {
		return llm.Reply{}, err
	}
	return m.whole(body)
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
	var res *http.Response
	s := m.chat.NewStreaming(ctx, m.params(r), option.WithResponseInto(&res))
	defer s.Close()
	if endpoint.Whole(res) && s.Err() == nil {
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return llm.Reply{}, err
		}
		return m.whole(body)
	}
	var reply llm.Reply
	var text []byte
	for s.Next() {
		d, inBand, err := readChunk([]byte(s.Current().RawJSON()))
		switch {
		case inBand != nil:
			return llm.Reply{}, m.endpoint.InBand(inBand)
		case err != nil:
			return llm.Reply{}, err
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
	}
	err := s.Err()
	if inBand := (*ssestream.StreamError)(nil); errors.As(err, &inBand) {
		return llm.Reply{}, m.endpoint.InBand(inBand.Event.Data)
	}
	if err != nil {
		return llm.Reply{}, err
	}
	if reply.Finish == "" {
		return llm.Reply{}, endpoint.ErrIncomplete
	}
	reply.Text = string(text)
	return reply, nil
}

// rawJSON is JSON that is written as it is.
func rawJSON(b []byte) json.RawMessage { return json.RawMessage(b) }

// params writes a prepared request in the SDK's words.
func (m *Model) params(r llm.Request) sdk.ChatCompletionNewParams {
	p := sdk.ChatCompletionNewParams{Model: m.model}
	if r.System != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(r.System))
	}
	for _, msg := range r.Messages {
		p.Messages = append(p.Messages, message(msg))
	}
	extra := m.quirks.params(r)
	_, formed := extra["response_format"]
	switch {
	case r.Format == nil || formed:
	case r.Format.Schema == nil:
		p.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	default:
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
				Name: r.Format.Name, Strict: sdk.Bool(true), Schema: rawJSON(r.Format.Schema)}}
	}
	for _, t := range r.Tools {
		f := shared.FunctionDefinitionParam{Name: t.Name}
		if t.Description != "" {
			f.Description = sdk.String(t.Description)
		}
		_ = json.Unmarshal(t.Schema, &f.Parameters) // Prepare checked it
		p.Tools = append(p.Tools, sdk.ChatCompletionFunctionTool(f))
	}
	if r.ParallelTools != nil {
		p.ParallelToolCalls = sdk.Bool(*r.ParallelTools)
	}
	if r.MaxTokens > 0 {
		if m.endpoint.Entry.MaxTokensKey() == "max_completion_tokens" {
			p.MaxCompletionTokens = sdk.Int(int64(r.MaxTokens))
		} else {
			p.MaxTokens = sdk.Int(int64(r.MaxTokens))
		}
	}
	if r.Stream && m.endpoint.Entry.Declares("stream_options") {
		p.StreamOptions.IncludeUsage = sdk.Bool(true)
	}
	if len(extra) > 0 {
		p.SetExtraFields(extra)
	}
	return p
}

func message(m llm.Message) sdk.ChatCompletionMessageParamUnion {
	switch m.Role {
	case llm.RoleTool:
		return sdk.ToolMessage(m.Text, m.CallID)
	case llm.RoleAssistant:
		if len(m.Calls) == 0 {
			return sdk.AssistantMessage(m.Text)
		}
		a := &sdk.ChatCompletionAssistantMessageParam{}
		if m.Text != "" {
			a.Content.OfString = sdk.String(m.Text)
		}
		for _, c := range m.Calls {
			a.ToolCalls = append(a.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{
				OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{ID: c.ID,
					Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name,
						Arguments: c.Arguments}}})
		}
		return sdk.ChatCompletionMessageParamUnion{OfAssistant: a}
	}
	if len(m.Images) == 0 {
		return sdk.UserMessage(m.Text)
	}
	parts := []sdk.ChatCompletionContentPartUnionParam{sdk.TextContentPart(m.Text)}
	for _, i := range m.Images {
		url := "data:" + i.Type + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
		parts = append(parts, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{URL: url}))
	}
	return sdk.UserMessage(parts)
}
