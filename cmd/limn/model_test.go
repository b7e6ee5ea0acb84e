package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/ui"
)

// TestModel runs messages through a model behind a real OpenAI-compatible
// endpoint, good and bad: the conversation always goes on, and what the user
// typed is never lost.
func TestModel(t *testing.T) {
	t.Parallel()
	const form = `{"assistant_text": "I opened the form.", "directives": [{"type": "ui.show_form", "payload": {"name": "customer", "values": {"company": "Globex"}}}]}`
	for name, c := range map[string]struct {
		steps   []llmtest.Step
		opens   bool
		code    ui.Code
		contain string
	}{
		"directives":            {steps: []llmtest.Step{{Text: form}}, opens: true, contain: "I opened the form."},
		"no structured outputs": {steps: []llmtest.Step{{Mode: llmtest.RejectFormat, Status: 404}, {Mode: llmtest.RejectFormat, Status: 400}, {Text: "Sure:\n```json\n" + form + "\n```"}, {Text: form}}, opens: true, contain: "I opened the form."},
		"garbage":               {steps: []llmtest.Step{{Text: `{"assistant_text": `}}, code: "DIRECTIVE_JSON_INVALID", contain: "."},
		"prose":                 {steps: []llmtest.Step{{Text: "I can only talk."}}, contain: "I can only talk."},
		"status 500":            {steps: []llmtest.Step{{Mode: llmtest.Fail}}, code: "LLM_UNAVAILABLE", contain: "cannot be reached"},
		"refused":               {steps: []llmtest.Step{{Mode: llmtest.Refusal, Text: "No."}}, contain: "No."},
		"no JSON at all":        {steps: []llmtest.Step{{Mode: llmtest.Garbage}}, contain: "did not work"},
		"unknown form":          {steps: []llmtest.Step{{Text: `{"assistant_text": "Done.", "directives": [{"type": "ui.show_form", "payload": {"name": "rocket"}}]}`}}, code: "DIRECTIVE_PAYLOAD_INVALID", contain: "was not done."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint := llmtest.New(t, c.steps...)
			// vLLM is not known to have it
			endpoint.Keys = slices.DeleteFunc(endpoint.Keys, func(k string) bool { return k == "parallel_tool_calls" })
			env := map[string]string{"LIMN_MODEL_KEY": "sk-secret"}
			model, told, err := modelFlags{Provider: "vllm", ModelURL: endpoint.URL,
				Model: "test"}.open(func(k string) string { return env[k] })
			if err != nil || strings.Contains(told, "secret") {
				t.Fatal(told, err)
			}
			a, err := desk.App()
			if err != nil {
				t.Fatal(err)
			}
			cl, base := visit(t, limn.Config{App: a, Model: model})
			if code, out, err := cl.post(base, "/messages", "", map[string]string{"text": "please note Globex"}); err != nil || code != 200 {
				t.Fatalf("post: %d %v %v", code, out, err)
			}
			var s ui.State
			if err := cl.get(base, "/state", &s); err != nil {
				t.Fatal(err)
			}
			sf := s.Surface("form:customer")
			if (sf != nil) != c.opens {
				t.Errorf("form open: %v, want %v", sf != nil, c.opens)
			}
			if len(s.Transcript) != 2 || s.Transcript[0].Text != "please note Globex" ||
				!strings.Contains(s.Transcript[1].Text, c.contain) {
				t.Errorf("transcript %+v, want the message and an answer with %q", s.Transcript, c.contain)
			}
			var page struct{ Frames []*ui.Frame }
			if err := cl.get(base, "/frames", &page); err != nil {
				t.Fatal(err)
			}
			if got := page.Frames[0].Outcome.Code; got != c.code {
				t.Errorf("outcome %q, want %q; %+v; %q", got, c.code, s.Transcript, page.Frames[0].Warnings)
			}
			for _, r := range endpoint.Requests() {
				if bytes.Contains(r.Raw, []byte("limn_nonce")) {
					t.Error("a nonce went to the model")
				}
			}
		})
	}
}
