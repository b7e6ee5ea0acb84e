package openai

import (
	"context"
	"encoding/json"
	"net/http"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/limn-ui/limn/llm"
)

// Ask implements llm.Model.
func (m *Model) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	r, warnings, err := llm.Prepare(r, m.caps, m.strict)
	if err != nil {
		return llm.Reply{Warnings: warnings}, err
	}
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	var response *http.Response
	into := option.WithResponseInto(&response)
	var reply llm.Reply
	if r.Stream {
		reply, err = m.stream(ctx, r, into)
	} else {
		reply, err = m.once(ctx, r, into)
	}
	reply.Warnings = warnings
	if err != nil {
		return llm.Reply{Warnings: warnings}, m.coded(ctx, response, err)
	}
	return reply, nil
}

func (m *Model) once(ctx context.Context, r llm.Request, opt option.RequestOption) (llm.Reply, error) {
	c, err := m.chat.New(ctx, m.params(r), opt)
	if err != nil {
		return llm.Reply{}, err
	}
	if c == nil || len(c.Choices) == 0 {
		return llm.Reply{}, errNoChoice
	}
	choice := c.Choices[0]
	reply := llm.Reply{Text: choice.Message.Content, Finish: finish(choice.FinishReason),
		Usage: llm.Usage{In: c.Usage.PromptTokens, Out: c.Usage.CompletionTokens}}
	if choice.Message.Refusal != "" {
		reply.Finish, reply.Text = llm.FinishRefusal, choice.Message.Refusal
	}
	for _, call := range choice.Message.ToolCalls {
		if call.Function.Name != "" {
			reply.Calls = append(reply.Calls, llm.Call{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
		}
	}
	if len(reply.Calls) > 0 && reply.Finish == llm.FinishStop { // some servers say stop
		reply.Finish = llm.FinishToolCalls
	}
	return reply, nil
}

// stream reads the answer piece by piece. Prepare made sure that there are no
// tools in it.
func (m *Model) stream(ctx context.Context, r llm.Request, opt option.RequestOption) (llm.Reply, error) {
	s := m.chat.NewStreaming(ctx, m.params(r), opt)
	defer s.Close()
	var reply llm.Reply
	var text []byte
	for s.Next() {
		chunk := s.Current()
		reply.Usage.In += chunk.Usage.PromptTokens
		reply.Usage.Out += chunk.Usage.CompletionTokens
		if len(chunk.Choices) == 0 {
			continue
		}
		choice := chunk.Choices[0]
		if choice.FinishReason != "" && reply.Finish != llm.FinishRefusal {
			reply.Finish = finish(choice.FinishReason)
		}
		piece := choice.Delta.Content
		if choice.Delta.Refusal != "" {
			reply.Finish, piece = llm.FinishRefusal, choice.Delta.Refusal
		}
		text = append(text, piece...)
		if piece != "" && r.OnText != nil {
			r.OnText(piece)
		}
	}
	if err := s.Err(); err != nil {
		return llm.Reply{}, err
	}
	if reply.Finish == "" {
		return llm.Reply{}, errNoChoice
	}
	reply.Text = string(text)
	return reply, nil
}

func finish(reason string) llm.Finish {
	switch reason {
	case "length":
		return llm.FinishLength
	case "content_filter":
		return llm.FinishRefusal
	case "tool_calls", "function_call":
		return llm.FinishToolCalls
	}
	return llm.FinishStop
}

// params writes a prepared request in the SDK's words.
func (m *Model) params(r llm.Request) sdk.ChatCompletionNewParams {
	p := sdk.ChatCompletionNewParams{Model: m.model}
	if r.System != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(r.System))
	}
	for _, msg := range r.Messages {
		p.Messages = append(p.Messages, message(msg))
	}
	switch {
	case r.Format == nil:
	case r.Format.Schema == nil:
		p.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	default:
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: r.Format.Name, Strict: sdk.Bool(true), Schema: json.RawMessage(r.Format.Schema)}}
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
		if m.caps.MaxTokensKey() == "max_completion_tokens" {
			p.MaxCompletionTokens = sdk.Int(int64(r.MaxTokens))
		} else {
			p.MaxTokens = sdk.Int(int64(r.MaxTokens))
		}
	}
	if len(r.Params) > 0 {
		p.SetExtraFields(r.Params)
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
					Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Arguments}}})
		}
		return sdk.ChatCompletionMessageParamUnion{OfAssistant: a}
	}
	return sdk.UserMessage(m.Text)
}
