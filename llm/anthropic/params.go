package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// defaultMaxTokens bounds an answer whose request leaves it open: the protocol
// wants a number.
const defaultMaxTokens = 4096

// params writes a prepared request in the SDK's words.
func (m *Model) params(r llm.Request) (sdk.MessageNewParams, error) {
	p := sdk.MessageNewParams{Model: m.model, MaxTokens: int64(r.MaxTokens), System: system(r),
		Messages: conversation(r.Messages)}
	if p.MaxTokens == 0 {
		p.MaxTokens = defaultMaxTokens
		if most := m.endpoint.Entry.Output; most > 0 {
			p.MaxTokens = min(p.MaxTokens, int64(most))
		}
	}
	if r.Format != nil && r.Format.Schema != nil {
		_ = json.Unmarshal(r.Format.Schema, &p.OutputConfig.Format.Schema) // Prepare checked it
	}
	for _, t := range r.Tools {
		tool := &sdk.ToolParam{Name: t.Name, InputSchema: param.Override[sdk.ToolInputSchemaParam](
			json.RawMessage(t.Schema))}
		if t.Description != "" {
			tool.Description = sdk.String(t.Description)
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: tool})
	}
	extra := map[string]any{}
	for k, v := range r.Params {
		if !strings.EqualFold(k, "tool_choice") {
			extra[k] = v
		}
	}
	if len(r.Tools) > 0 {
		choice, err := toolChoice(r.Params["tool_choice"])
		if err != nil {
			return p, err
		}
		if choice["type"] != "none" {
			choice["disable_parallel_tool_use"] = r.ParallelTools == nil || !*r.ParallelTools
		}
		extra["tool_choice"] = choice
	}
	if len(extra) > 0 {
		p.SetExtraFields(extra)
	}
	return p, nil
}

// system marks the part that every request repeats for the prompt cache.
func system(r llm.Request) []sdk.TextBlockParam {
	stable := r.Stable
	if stable == 0 {
		stable = len(r.System)
	}
	var blocks []sdk.TextBlockParam
	if s := r.System[:stable]; strings.TrimSpace(s) != "" {
		blocks = append(blocks, sdk.TextBlockParam{Text: s, CacheControl: sdk.NewCacheControlEphemeralParam()})
	}
	if s := r.System[stable:]; strings.TrimSpace(s) != "" {
		blocks = append(blocks, sdk.TextBlockParam{Text: s})
	}
	return blocks
}

// conversation joins what one side says in a row, since the results of several
// calls belong into one message, and leaves out what says nothing.
func conversation(list []llm.Message) []sdk.MessageParam {
	var out []sdk.MessageParam
	add := func(role sdk.MessageParamRole, blocks ...sdk.ContentBlockParamUnion) {
		switch last := len(out) - 1; {
		case len(blocks) == 0:
		case last >= 0 && out[last].Role == role:
			out[last].Content = append(out[last].Content, blocks...)
		default:
			out = append(out, sdk.MessageParam{Role: role, Content: blocks})
		}
	}
	for _, m := range list {
		var blocks []sdk.ContentBlockParamUnion
		if m.Role != llm.RoleTool && strings.TrimSpace(m.Text) != "" {
			blocks = append(blocks, sdk.NewTextBlock(m.Text))
		}
		for _, i := range m.Images {
			blocks = append(blocks, sdk.NewImageBlockBase64(i.Type, base64.StdEncoding.EncodeToString(i.Data)))
		}
		switch m.Role {
		case llm.RoleTool:
			result := sdk.ToolResultBlockParam{ToolUseID: m.CallID}
			if strings.TrimSpace(m.Text) != "" {
				result.Content = []sdk.ToolResultBlockParamContentUnion{{OfText: &sdk.TextBlockParam{Text: m.Text}}}
			}
			add(sdk.MessageParamRoleUser, sdk.ContentBlockParamUnion{OfToolResult: &result})
		case llm.RoleAssistant:
			for _, c := range m.Calls {
				blocks = append(blocks, sdk.NewToolUseBlock(c.ID, arguments(c.Arguments), c.Name))
			}
			add(sdk.MessageParamRoleAssistant, blocks...)
		default:
			add(sdk.MessageParamRoleUser, blocks...)
		}
	}
	if len(out) == 0 || out[0].Role != sdk.MessageParamRoleUser {
		out = append([]sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("(start)"))}, out...)
	}
	return out
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
