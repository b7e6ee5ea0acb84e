package llm_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "hello"}}}
}

func yes() *bool { b := true; return &b }

func TestPreflight(t *testing.T) {
	t.Parallel()
	format, tools := &llm.Format{Name: "x", Schema: []byte(`{}`)}, []llm.Tool{{Name: "t", Schema: []byte(`{}`)}}
	for _, tt := range []struct {
		name string
		edit func(*llm.Request)
		want ui.Code
	}{
		{"stream and tools", func(r *llm.Request) { r.Stream, r.Tools = true, tools }, "LLM_STREAMING_WITH_TOOL_CALLING_FORBIDDEN"},
		{"stream and format", func(r *llm.Request) { r.Stream, r.Format = true, format }, "LLM_STREAMING_WITH_RESPONSE_FORMAT_FORBIDDEN"},
		{"stream and format, read in pieces", func(r *llm.Request) { r.Stream, r.Format, r.OnText = true, format, func(string) {} }, ""},
		{"stream as a free key", func(r *llm.Request) { r.Params, r.Format = map[string]any{"Stream": true}, format }, "LLM_STREAMING_WITH_RESPONSE_FORMAT_FORBIDDEN"},
		{"format and tools", func(r *llm.Request) { r.Format, r.Tools = format, tools }, "LLM_STRUCTURED_OUTPUTS_PARALLEL_TOOL_CALLS_FORBIDDEN"},
		{"format and parallel calls", func(r *llm.Request) { r.Format, r.ParallelTools = format, yes() }, "LLM_STRUCTURED_OUTPUTS_PARALLEL_TOOL_CALLS_FORBIDDEN"},
		{"parallel calls as a free key", func(r *llm.Request) {
			r.Format, r.Params = format, map[string]any{"parallel_tool_calls": true}
		}, "LLM_STRUCTURED_OUTPUTS_PARALLEL_TOOL_CALLS_FORBIDDEN"},
		{"no message", func(r *llm.Request) { r.Messages = nil }, "LLM_REQUEST_INVALID"},
		{"a role nobody has", func(r *llm.Request) { r.Messages[0].Role = "system" }, "LLM_REQUEST_INVALID"},
		{"schema is no JSON", func(r *llm.Request) { r.Format = &llm.Format{Name: "x", Schema: []byte(`{`)} }, "LLM_REQUEST_INVALID"},
		{"schema is no object", func(r *llm.Request) { r.Format = &llm.Format{Name: "x", Schema: []byte(`null`)} }, "LLM_REQUEST_INVALID"},
		{"a tool's schema is no object", func(r *llm.Request) { r.Tools = []llm.Tool{{Name: "t", Schema: []byte(`[]`)}} }, "LLM_REQUEST_INVALID"},
		{"two tools of one name", func(r *llm.Request) { r.Tools = []llm.Tool{tools[0], tools[0]} }, "LLM_REQUEST_INVALID"},
		{"a reserved key", func(r *llm.Request) { r.Params = map[string]any{"Max_Tokens": 9} }, "LLM_KEY_RESERVED"},
		{"a reserved key, in another dialect", func(r *llm.Request) { r.Params = map[string]any{"output_config": nil} }, "LLM_KEY_RESERVED"},
		{"a value no JSON has", func(r *llm.Request) { r.Params = map[string]any{"seed": make(chan int)} }, "LLM_REQUEST_INVALID"},
	} {
		for _, strict := range []bool{false, true} {
			r := hello()
			tt.edit(&r)
			_, _, err := llm.Prepare(r, llm.Generic(), strict)
			var said *ui.Error
			if ui.CodeOf(err) != tt.want || errors.As(err, &said) && said.Hint == "" {
				t.Errorf("%s, strict %v: %v, want %s", tt.name, strict, err, tt.want)
			}
		}
	}
}

func TestPrepareDropsWhatIsNotDeclared(t *testing.T) {
	t.Parallel()
	r := hello()
	r.Params = map[string]any{"temperature": 0.2, "top_k": 5, "tool_choice": "auto", "a.b": 1}
	r.Format, r.MaxTokens = &llm.Format{Name: "x", Schema: []byte(`{}`)}, 100
	given := maps.Clone(r.Params)
	out, warnings, err := llm.Prepare(r, llm.Generic(), false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"temperature": 0.2}, out.Params); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var dropped []string
	for _, w := range warnings {
		if w.Code != llm.CodeKeyDropped {
			t.Errorf("warning %v", w)
		}
		dropped = append(dropped, w.Path)
	}
	if diff := cmp.Diff([]string{"/a.b", "/tool_choice", "/top_k"}, dropped); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if out.ParallelTools == nil || *out.ParallelTools {
		t.Error("a structured request must say parallel_tool_calls:false")
	}
	if !maps.Equal(given, r.Params) {
		t.Error("the caller's request was changed")
	}
	if _, _, err := llm.Prepare(r, llm.Generic(), true); ui.CodeOf(err) != llm.CodeKeyDropped {
		t.Errorf("strict: %v", err)
	}
	out, warnings, err = llm.Prepare(r, llm.Capabilities{JSONObject: true}, false)
	if err != nil || out.Format == nil || out.Format.Schema != nil || out.ParallelTools != nil || out.MaxTokens != 0 ||
		len(out.Params) != 0 {
		t.Errorf("bare provider: %+v %v %v", out, warnings, err)
	}
	// No nested key says of parallel calls what the typed field decides.
	r = hello()
	r.Tools = []llm.Tool{{Name: "t", Schema: []byte(`{}`)}}
	r.Params = map[string]any{"tool_choice": map[string]any{"type": "auto", "disable_parallel_tool_use": false}}
	if out, warnings, err = llm.Prepare(r, llm.Generic(), false); err != nil || len(out.Params) != 0 ||
		len(warnings) != 1 {
		t.Errorf("tool_choice: %v %v %v", out.Params, warnings, err)
	}
	r.Tools, r.Params = nil, nil
	r.Format = &llm.Format{Name: "x", Schema: []byte(`{}`)}
	// A provider that refuses the key without tools is not sent it.
	caps := llm.Generic()
	caps.ParallelNeedsTools = true
	if out, _, _ = llm.Prepare(r, caps, false); out.ParallelTools != nil {
		t.Error("parallel_tool_calls without tools")
	}
}

func ExamplePrepare() {
	r := llm.Request{
		Messages: []llm.Message{{Role: llm.RoleUser, Text: "hello"}},
		Format:   &llm.Format{Name: "answer", Schema: []byte(`{"type":"object"}`)},
		Params:   map[string]any{"temperature": 0.2, "top_k": 40},
	}
	r, warnings, err := llm.Prepare(r, llm.Generic(), false)
	fmt.Println(*r.ParallelTools, r.Params, warnings, err)
	r.Stream = true
	_, _, err = llm.Prepare(r, llm.Generic(), false)
	fmt.Println(err)
	// Output:
	// false map[temperature:0.2] [LLM_KEY_DROPPED at /top_k: not declared by this provider] <nil>
	// LLM_STREAMING_WITH_RESPONSE_FORMAT_FORBIDDEN: a structured answer is streamed only with OnText
}

func TestBudget(t *testing.T) {
	t.Parallel()
	caps := llm.Generic()
	caps.Context, caps.Output = 1000, 200
	for _, tt := range []struct {
		name              string
		text              string
		tokens, max, want int
		warning, err      ui.Code
	}{
		{"all is well", "hello", 0, 200, 200, "", ""},
		{"more than the model writes", "hello", 0, 201, 200, "LLM_MAX_TOKENS_CLIPPED", ""},
		{"more than is left", "hello", 900, 200, 100, "LLM_MAX_TOKENS_CLIPPED", ""},
		{"no bound asked for", "hello", 999, 0, 0, "", ""},
		{"full, as counted", "hello", 1000, 0, 0, "", "LLM_REQUEST_TOO_LONG"},
		{"full, by bytes", strings.Repeat("word ", 800), 0, 0, 0, "", "LLM_REQUEST_TOO_LONG"},
		{"full by bytes, but counted", strings.Repeat("word ", 800), 800, 100, 100, "", ""},
	} {
		r := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: tt.text}}, Tokens: tt.tokens,
			MaxTokens: tt.max}
		out, warnings, err := llm.Prepare(r, caps, false)
		if ui.CodeOf(err) != tt.err || out.MaxTokens != tt.want || len(warnings) > 1 ||
			len(warnings) == 1 && warnings[0].Code != tt.warning || len(warnings) == 0 && tt.warning != "" {
			t.Errorf("%s: %d %v %v", tt.name, out.MaxTokens, warnings, err)
		}
		want := tt.err
		if want == "" {
			want = tt.warning
		}
		if _, _, err := llm.Prepare(r, caps, true); ui.CodeOf(err) != want {
			t.Errorf("%s, strict: %v", tt.name, err)
		}
	}
}
