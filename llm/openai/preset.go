package openai

import (
	"encoding/json"
	"maps"
	"net/url"
	"strings"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// quirks are a provider's deviations from the published API.
type quirks struct {
	requireParameters bool // say provider.require_parameters with a format or tools
	schemaInObject    bool // the schema goes into response_format json_object
	grammarAlone      bool // a grammar beside a format or tools is refused
}

// preset is a provider: where it is, and its quirks. llm.Known says what its models
// understand.
type preset struct {
	name   string
	url    string
	quirks quirks
}

var presets = []preset{
	{name: "openai", url: "https://api.openai.com/v1"},
	// A router: without require_parameters it may choose an upstream that ignores
	// the format; with it, it answers 404 when no upstream has the combination.
	{name: "openrouter", url: "https://openrouter.ai/api/v1", quirks: quirks{requireParameters: true}},
	{name: "ollama", url: "http://127.0.0.1:11434/v1"},
	{name: "vllm", url: "http://127.0.0.1:8000/v1"},
	// Every version of its server reads a schema in json_object; only newer ones
	// read json_schema.
	{name: "llamacpp", url: "http://127.0.0.1:8080/v1", quirks: quirks{schemaInObject: true, grammarAlone: true}},
	{name: "gemini", url: "https://generativelanguage.googleapis.com/v1beta/openai"},
}

// names are those of llm.Known: its own and its host's, for a gateway elsewhere.
func (p preset) names() []string {
	if u, err := url.Parse(p.url); err == nil && p.name != "" {
		return []string{p.name, u.Host}
	}
	return nil
}

// Providers lists the names that Config.Provider takes here, beside "".
func Providers() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.name
	}
	return names
}

func presetOf(name string) (preset, error) {
	if name == "" {
		return preset{}, nil
	}
	for _, p := range presets {
		if p.name == name {
			return p, nil
		}
	}
	return preset{}, &ui.Error{Code: llm.CodeConfigInvalid, Path: "provider",
		Message: "no such provider of the chat-completions protocol",
		Hint:    "one of " + strings.Join(Providers(), ", ") + ", or none"}
}

// params shapes the free keys of a prepared request. The map is a copy.
func (q quirks) params(r llm.Request) map[string]any {
	constrained := r.Format != nil || len(r.Tools) > 0
	params := map[string]any{}
	maps.Copy(params, r.Params)
	if q.grammarAlone && constrained {
		delete(params, "grammar")
	}
	if q.requireParameters && constrained {
		routing := map[string]any{"require_parameters": true}
		if asked, ok := params["provider"].(map[string]any); ok {
			maps.Copy(routing, asked) // the caller decides
		}
		params["provider"] = routing
	}
	if q.schemaInObject && r.Format != nil && r.Format.Schema != nil {
		params["response_format"] = map[string]any{"type": "json_object", "schema": json.RawMessage(r.Format.Schema)}
	}
	return params
}
