package openai_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/ui"
)

var schema = []byte(`{"type":"object","properties":{},"required":[],"additionalProperties":false}`)

// TestPresets: what each provider is sent of one and the same request, and
// nothing of it without the provider's name.
func TestPresets(t *testing.T) {
	t.Parallel()
	params := map[string]any{"temperature": 0.5, "seed": 1, "top_k": 4, "grammar": "root ::= x"}
	formatted := llm.Request{Messages: hello().Messages, MaxTokens: 9, Params: params,
		Format: &llm.Format{Name: "a", Schema: schema}}
	withTools := llm.Request{Messages: hello().Messages, Params: map[string]any{"tool_choice": "auto", "grammar": "x"},
		Tools: []llm.Tool{{Name: "f", Schema: schema}}}
	const plain, tools = "max_tokens messages model parallel_tool_calls response_format seed temperature",
		"messages model parallel_tool_calls tool_choice tools"
	caps := llm.Generic()
	caps.Keys = append(caps.Keys, "grammar")
	for _, tt := range []struct{ provider, format, formatKeys, toolKeys string }{
		{"", "json_schema", "grammar " + plain, "grammar " + tools},
		{"openai", "json_schema", "grammar " + plain, "grammar " + tools},
		{"openrouter", "json_schema", "grammar max_tokens messages model parallel_tool_calls provider response_format seed temperature", "grammar messages model parallel_tool_calls provider tool_choice tools"},
		{"ollama", "json_schema", "grammar " + plain, "grammar " + tools},
		{"vllm", "json_schema", "grammar " + plain, "grammar " + tools},
		{"llamacpp", "json_object", plain, tools},
		{"gemini", "json_schema", "grammar " + plain, "grammar " + tools},
	} {
		t.Run("provider "+tt.provider, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t)
			s.Keys = append(s.Keys, "provider", "grammar")
			m := model(t, s, func(c *openai.Config) { c.Provider, c.Capabilities = tt.provider, &caps })
			for _, r := range []llm.Request{formatted, withTools, {Messages: hello().Messages}} {
				if _, err := m.Ask(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			sent := s.Requests()
			got := []string{sent[0].Body.At("response_format").At("type").Str, strings.Join(sent[0].Keys(), " "),
				strings.Join(sent[1].Keys(), " "), strings.Join(sent[2].Keys(), " ")}
			if diff := cmp.Diff([]string{tt.format, tt.formatKeys, tt.toolKeys, "messages model"}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if tt.provider == "openrouter" {
				p := sent[0].Body.At("provider")
				if !p.At("require_parameters").Bool || !sent[1].Body.At("provider").At("require_parameters").Bool {
					t.Errorf("routing %s", sent[0].Raw)
				}
			}
			if tt.provider == "llamacpp" && sent[0].Body.At("response_format").At("schema").At("type").Str != "object" {
				t.Errorf("schema %s", sent[0].Raw)
			}
			if provider, _ := m.Name(); tt.provider != "" && provider != tt.provider {
				t.Errorf("named %q", provider)
			}
		})
	}
}

func TestPresetsHaveAddresses(t *testing.T) {
	t.Parallel()
	for _, name := range openai.Providers() {
		if _, err := openai.New(openai.Config{Provider: name, Model: "m"}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := openai.New(openai.Config{Provider: "opnai", Model: "m"})
	if e, _ := err.(*ui.Error); e == nil || e.Path != "provider" || !strings.Contains(e.Hint, "openai, openrouter") {
		t.Errorf("%v", err)
	}
	own := llm.Capabilities{Keys: []string{"x"}}
	m, err := openai.New(openai.Config{Provider: "gemini", Model: "m", Capabilities: &own})
	if err != nil || !slices.Equal(m.Capabilities().Keys, []string{"x"}) {
		t.Errorf("%v %v: the app's capabilities stand above those of a provider", m.Capabilities(), err)
	}
}

// TestRoutingOfTheCallerStands: require_parameters is added to what the caller
// says about routing, and does not overrule it.
func TestRoutingOfTheCallerStands(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t)
	s.Keys = append(s.Keys, "provider")
	caps := llm.Generic()
	caps.Keys = append(caps.Keys, "provider")
	m := model(t, s, func(c *openai.Config) { c.Provider, c.Capabilities = "openrouter", &caps })
	r := hello()
	r.Format = &llm.Format{Name: "a", Schema: schema}
	r.Params = map[string]any{"provider": map[string]any{"sort": "price"}}
	for _, want := range []bool{true, false} {
		if _, err := m.Ask(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		sent := s.Requests()
		if p := sent[len(sent)-1].Body.At("provider"); p.At("require_parameters").Bool != want ||
			p.At("sort").Str != "price" {
			t.Errorf("routing %s", sent[len(sent)-1].Raw)
		}
		r.Params = map[string]any{"provider": map[string]any{"sort": "price", "require_parameters": false}}
	}
}
