package llm_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/llm"
)

func TestLookup(t *testing.T) {
	t.Parallel()
	own := llm.Entry{Provider: "127.0.0.1", Model: "Qwen3*", Capabilities: llm.Generic(), Source: "caps.yaml:2"}
	table := append(llm.Table{own}, llm.Known()...)
	for _, tt := range []struct {
		model    string
		provider []string
		source   string
		schema   bool
		key      string
	}{
		{"qwen3:8b", []string{"127.0.0.1:11434"}, "caps.yaml:2", true, "max_tokens"},
		{"qwen3:8b", []string{"127.0.0.1"}, "caps.yaml:2", true, "max_tokens"},
		{"qwen3:8b", []string{"10.0.0.1:11434"}, "unknown model", false, "max_tokens"},
		{"qwen3:8b", []string{"10.0.0.1:11434", "ollama"}, "built in", true, "max_tokens"},
		{"gpt-4o-mini", []string{"api.openai.com"}, "built in", true, "max_completion_tokens"},
		{"gpt-4o-mini", []string{"eu.api.openai.com:443"}, "built in", true, "max_completion_tokens"},
		{"gpt-4o-2024-05-13", []string{"api.openai.com"}, "built in", false, "max_completion_tokens"},
		{"gpt-4o-audio-preview", []string{"api.openai.com"}, "built in", false, "max_completion_tokens"},
		{"openai/gpt-4.1", []string{"openrouter.ai"}, "built in", true, "max_tokens"},
		{"gpt-4o-mini", []string{"example.com"}, "unknown model", false, "max_tokens"},
		{"x", nil, "unknown model", false, "max_tokens"},
	} {
		e, ok := table.Lookup(tt.model, tt.provider...)
		if e.Source != tt.source || ok != (tt.source != "unknown model") || e.JSONSchema != tt.schema ||
			e.MaxTokensKey() != tt.key {
			t.Errorf("%s at %v: %+v", tt.model, tt.provider, e)
		}
		if len(e.Keys) > 0 { // the table stays as it is
			e.Keys[0] = "changed"
			if again, _ := table.Lookup(tt.model, tt.provider...); again.Keys[0] == "changed" {
				t.Errorf("%s: the table was changed", tt.model)
			}
		}
	}
}

// What is built in is consistent: no entry asks for more than the request
// policy can keep, and none stands behind one that already decides.
func TestKnown(t *testing.T) {
	t.Parallel()
	table := llm.Known()
	for i, e := range table {
		switch {
		case e.MaxTokensKey() == "", e.ParallelNeedsTools && !e.ParallelKey, e.ParallelTools && !e.Tools,
			e.ParallelKey && !e.Tools,
			e.Context > 0 && e.Output >= e.Context, e.Price.In > e.Price.Out, e.Price.CachedIn > e.Price.In:
			t.Errorf("%+v", e)
		}
		if first, _ := table[:i].Lookup(e.Model, e.Provider); first.Source != "unknown model" {
			t.Errorf("%s %s stands behind %s %s", e.Provider, e.Model, first.Provider, first.Model)
		}
	}
}

// Match does what the regular expression of the same meaning does.
func TestMatchLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(rapid.SampledFrom([]rune("aB*?/é")), 0, 8, -1).Draw(t, "pattern")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("abB/é*")), 0, 8, -1).Draw(t, "text")
		re := strings.NewReplacer(`\*`, "(?s:.*)", `\?`, "(?s:.)").Replace(regexp.QuoteMeta(pattern))
		if want := regexp.MustCompile("(?i)^" + re + "$").MatchString(text); llm.Match(pattern, text) != want {
			t.Fatalf("Match(%q, %q) = %v", pattern, text, !want)
		}
	})
}

func ExampleTable_Lookup() {
	table := append(llm.Table{{Provider: "127.0.0.1", Model: "qwen3*", Capabilities: llm.Generic(), Source: "mine"}},
		llm.Known()...)
	for _, model := range []string{"qwen3:8b", "llama3"} {
		e, ok := table.Lookup(model, "127.0.0.1:11434")
		fmt.Println(e.Source, ok, e.JSONSchema)
	}
	fmt.Println(llm.Price{In: 0.15, CachedIn: 0.075,
		Out: 0.6}.Of(llm.Usage{In: 2_000_000, CachedIn: 1_000_000, Out: 1_000_000}))
	// Output:
	// mine true true
	// unknown model false false
	// 0.825
}
