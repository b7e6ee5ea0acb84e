package models_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/models"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

const whole = `# ours
models:
  - provider: 127.0.0.1:11434
    model: "qwen3*"
    keys: [temperature, max_tokens]
    json_schema: true
    parallel_key: true
    parallel_needs_tools: true
    context: 32_768
    output: 8192
    price: {in: 0.15, cached_in: 0.075, out: 0.6}
  - {provider: "*", model: llama3, like: generic, tools: false}
`

func TestLoad(t *testing.T) {
	t.Parallel()
	got, err := models.Load("caps.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	llama := llm.Generic()
	llama.Tools = false
	want := llm.Table{
		{Provider: "127.0.0.1:11434", Model: "qwen3*", Source: "caps.yaml:3", Capabilities: llm.Capabilities{
			Keys: []string{"temperature", "max_tokens"}, JSONSchema: true, ParallelKey: true, ParallelNeedsTools: true,
			Context: 32768, Output: 8192, Price: llm.Price{In: 0.15, CachedIn: 0.075, Out: 0.6}}},
		{Provider: "*", Model: "llama3", Source: "caps.yaml:12", Capabilities: llama},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A fault names the file, the line, the key and the word that was meant.
func TestLoadFaults(t *testing.T) {
	t.Parallel()
	entry := "models:\n  - provider: a\n    model: b\n"
	for _, tt := range []struct{ file, line, says, hint string }{
		{"", "1", "empty", ""},
		{"[]", "1", "want a mapping with models", ""},
		{"model: []", "1", `unknown key "model"`, "did you mean `models`?"},
		{"{}", "1", "no `models`", ""},
		{"models: 3", "1", "models is a list", ""},
		{entry + "   tools: true\n", "4", "did not find", ""},
		{"models:\n  - x\n", "2", "want a mapping with provider", ""},
		{"models:\n  - model: b\n", "2", "no provider", `"*" is any`},
		{"models:\n  - provider: *\n    model: b\n", "2", "", "in quotes"},
		{"models:\n  - provider: a\n    model: *qwen\n", "3", "qwen", "in quotes"},
		{"models:\n  - provider: a\n    model: \"b\x01\"\n", "3", "control characters", "in this line"},
		{"models:\n  - provider: http://a:8000/v1\n    model: b\n", "2", "http://a:8000/v1 is an address", "a:8000"},
		{"models:\n  - provider: a/v1\n    model: b\n", "2", "a/v1 is an address", "a"},
		{"models:\n  - provider: a\n    model: \"b\\tc\"\n", "3", "do not print", ""},
		{"models:\n  - provider: a\n    model: \"b\\u202Ec\"\n", "3", "do not print", ""},
		{"models:\n  - provider: a\n    model: " + strings.Repeat("x", 257) + "\n", "3", "above 256 bytes", ""},
		{entry + "    json_shema: true\n", "4", `unknown key "json_shema"`, "did you mean `json_schema`?"},
		{entry + "    jsonschema: true\n", "4", `unknown key "jsonschema"`, "did you mean `json_schema`?"},
		{entry + "    zzz: true\n", "4", `unknown key "zzz"`, "possible: provider, model"},
		{entry + "    tools: yes please\n", "4", "tools is true or false", ""},
		{entry + "    tools: true\n    tools: true\n", "5", "tools stands twice, first in line 4", ""},
		{entry + "    context: many\n", "4", "context is a number of tokens", ""},
		{entry + "    context: -1\n", "4", "context is a number of tokens", ""},
		{entry + "    context: 10\n    output: 11\n", "5", "output is above context", ""},
		{entry + "    parallel_needs_tools: true\n", "4", "a key that the entry does not have", "parallel_key"},
		{entry + "    price: {inn: 1}\n", "4", `unknown key "inn"`, "did you mean `in`?"},
		{entry + "    price: {in: .nan}\n", "4", "price in is US dollars", ""},
		{entry + "    price: 3\n", "4", "want a mapping with in", ""},
		{entry + "    keys: temperature\n", "4", "keys is a list", ""},
		{entry + "    keys: [a b]\n", "4", "no name of a key", ""},
		{entry + "    keys: [stream]\n", "4", "stream is decided by each request", "streaming"},
		{entry + "    keys: [a, a]\n", "4", "stands twice in keys", ""},
		{entry + "    like: openai\n", "4", "like knows one word", ""},
		{entry + "    keys: &k [a]\n", "4", "anchor", ""},
		{entry + "  - provider: A\n    model: b\n", "4", "never reached", "before that entry"},
		{"models:\n  - provider: a\n    model: \"*\"\n  - provider: \"a:80\"\n    model: b*\n", "4", "never reached", ""},
		{entry + "---\nmodels: []\n", "4", "a second document", ""},
		{entry + "  bad\n", "4", "", ""},
		{strings.Repeat("#", 257<<10), "1", "above 262144 bytes", ""},
		{many(201), "202", "more than 200 entries", ""},
	} {
		_, err := models.Load("dir/caps.yaml", []byte(tt.file))
		found := false
		for _, e := range faults(err) {
			if e.Code != llm.CodeConfigInvalid || strings.ContainsAny(e.Message, "\t\u202e\n") {
				t.Errorf("%.60q: %v", tt.file, e)
			}
			found = found || e.Path == "dir/caps.yaml:"+tt.line && strings.Contains(e.Message, tt.says) &&
				strings.Contains(e.Hint, tt.hint)
		}
		if !found {
			t.Errorf("%.80q: want line %s, %q, %q; got %v", tt.file, tt.line, tt.says, tt.hint, err)
		}
	}
}

// many is a file with n entries.
func many(n int) string {
	var b strings.Builder
	b.WriteString("models:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {provider: a, model: b%d}\n", i)
	}
	return b.String()
}

// faults takes joined errors apart.
func faults(err error) (out []*ui.Error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			out = append(out, faults(e)...)
		}
	} else if e, ok := err.(*ui.Error); ok {
		out = append(out, e)
	}
	return out
}

func TestLoadReportsAllAtOnce(t *testing.T) {
	t.Parallel()
	_, err := models.Load("f", []byte("models:\n"+strings.Repeat("  - {provider: a, modell: b, tool: true}\n", 30)))
	if n := len(faults(err)); n != 20 {
		t.Errorf("%d faults, want 20: %v", n, err)
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{whole, "models:\n", "models: [{provider: a, model: b}]",
		"models:\n- provider: 'a'\n  model: |\n    b\n", "\xef\xbb\xbfmodels:\r\n- provider: a\r\n  model: b"} {
		f.Add([]byte(s))
	}
	entry := llm.Entry{Provider: "probe.example:8080", Model: "org/model:free", Capabilities: llm.Generic()}
	entry.Output = 99
	fields := []string{"keys", "json_schema", "tools", "streaming", "output"}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := models.Load("f", data)
		if err != nil {
			for _, e := range faults(err) {
				if e.Code != llm.CodeConfigInvalid || !strings.HasPrefix(e.Path, "f:") {
					t.Fatalf("%+v", e)
				}
			}
			return
		}
		if len(table) > 200 {
			t.Fatal("above the bound")
		}
		// What loads takes a new entry, or is left alone with a reason.
		out, err := models.Put("f", data, entry, fields)
		if err != nil {
			return
		}
		after, err := models.Load("f", out)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if e, ok := after.Lookup(entry.Model, entry.Provider); !ok || e.Model != entry.Model || e.Output != 99 ||
			!e.JSONSchema {
			t.Fatalf("%+v\n%s", e, out)
		}
	})
}

func ExampleLoad() {
	_, err := models.Load("capabilities.yaml",
		[]byte("models:\n  - provider: localhost\n    model: qwen3*\n    json_shema: true\n"))
	fmt.Println(err)
	// Output: LLM_CONFIG_INVALID at capabilities.yaml:4: unknown key "json_shema"
}
