package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/llm/scripted"
	"github.com/limn-ui/limn/ui"
)

// fall is how an answer of one fault is recorded that comes on every rung.
func fall(code string) string {
	var out []string
	for _, m := range []string{"json_schema", "json_object", "prompt_only"} {
		out = append(out, m+":"+code, m+"+repair:"+code)
	}
	return strings.Join(out, " ")
}

const (
	good    = `{"assistant_text":"Here.","directives":[{"type":"ui.show_form","payload":{"name":"customer","title":null,"values":null}}]}`
	broken  = `{"assistant_text":"Here.","directives":[{"type":`
	unknown = `{"assistant_text":"Here.","directives":[{"type":"fs.delete","payload":{}}]}`
	failed  = "That did not work. Your work is kept; please try again."
)

func registry(t testing.TB) *directive.Registry {
	t.Helper()
	r, err := directive.Preset(directive.PresetConfig{Forms: []string{"customer"}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// show writes a result as: text | directive types | attempts | warnings | error.
func show(r agent.Result, err error) string {
	var types, attempts, warnings []string
	for _, d := range r.Envelope.Directives {
		types = append(types, d.Type)
	}
	for _, a := range r.Attempts {
		s := string(a.Mode)
		if a.Repair {
			s += "+repair"
		}
		if a.Code != "" {
			s += ":" + string(a.Code)
		}
		attempts = append(attempts, s)
	}
	for _, w := range r.Warnings {
		warnings = append(warnings, string(w.Code))
	}
	return fmt.Sprintf("%s | %s | %s | %s | %s", r.Envelope.Text, strings.Join(types, " "), strings.Join(attempts, " "),
		strings.Join(warnings, " "), ui.CodeOf(err))
}

var generic = llm.Generic()

// Over a real connection, with the real adapter, against the strict server.
func TestDirectives(t *testing.T) {
	t.Parallel()
	step := func(m llmtest.Mode, text string) llmtest.Step { return llmtest.Step{Mode: m, Text: text} }
	var long string
	for i := range 1000 {
		long += fmt.Sprintf("é%d ", i)
	}
	shown := "One sends this.\n" + good
	tests := []struct {
		name  string
		steps []llmtest.Step
		want  string
	}{
		{"at once", []llmtest.Step{step(llmtest.OK, good)}, "Here. | ui.show_form | json_schema |  | "},
		{"400 on response_format", []llmtest.Step{step(llmtest.RejectFormat, good)},
			"Here. | ui.show_form | json_schema:LLM_UNSUPPORTED json_object:LLM_UNSUPPORTED prompt_only |  | "},
		{"404 on response_format", []llmtest.Step{{Mode: llmtest.RejectFormat, Text: good, Status: 404}},
			"Here. | ui.show_form | json_schema:LLM_UNSUPPORTED json_object:LLM_UNSUPPORTED prompt_only |  | "},
		{"no json_schema", []llmtest.Step{step(llmtest.RejectSchema, good)},
			"Here. | ui.show_form | json_schema:LLM_UNSUPPORTED json_object |  | "},
		{"broken, then repaired", []llmtest.Step{step(llmtest.OK, broken), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_JSON_INVALID json_schema+repair |  | "},
		{"down the ladder and repaired", []llmtest.Step{step(llmtest.RejectFormat, ""), step(llmtest.RejectFormat, ""), step(llmtest.OK, broken), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:LLM_UNSUPPORTED json_object:LLM_UNSUPPORTED prompt_only:DIRECTIVE_JSON_INVALID prompt_only+repair |  | "},
		{"broken twice", []llmtest.Step{step(llmtest.OK, broken)},
			"Here. |  | " + fall("DIRECTIVE_JSON_INVALID") + " | DIRECTIVE_JSON_INVALID | "},
		{"broken twice, then a lower rung", []llmtest.Step{step(llmtest.OK, broken), step(llmtest.OK, broken), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_JSON_INVALID json_schema+repair:DIRECTIVE_JSON_INVALID json_object |  | "},
		{"nothing that can be said", []llmtest.Step{step(llmtest.OK, broken[:10])},
			failed + " |  | " + fall("DIRECTIVE_JSON_INVALID") + " | DIRECTIVE_JSON_INVALID | "},
		{"prose", []llmtest.Step{step(llmtest.OK, "Just talking.")}, "Just talking. |  | json_schema | DIRECTIVE_NONE | "},
		{"long prose", []llmtest.Step{step(llmtest.OK, long)}, string([]rune(long)[:2000]) + "… |  | json_schema | DIRECTIVE_NONE | "},
		{"unknown type, then repaired", []llmtest.Step{step(llmtest.OK, unknown), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_UNKNOWN_TYPE json_schema+repair |  | "},
		{"unknown type twice", []llmtest.Step{step(llmtest.OK, unknown)},
			"Here. |  | " + fall("DIRECTIVE_UNKNOWN_TYPE") + " | DIRECTIVE_UNKNOWN_TYPE | "},
		{"unknown type, then an outage", []llmtest.Step{step(llmtest.OK, unknown), step(llmtest.Fail, "")},
			"Here. |  | json_schema:DIRECTIVE_UNKNOWN_TYPE json_schema+repair:LLM_UNAVAILABLE | LLM_UNAVAILABLE DIRECTIVE_UNKNOWN_TYPE | "},
		{"empty, then repaired", []llmtest.Step{step(llmtest.OK, ""), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_EMPTY json_schema+repair |  | "},
		{"cut JSON, then repaired", []llmtest.Step{step(llmtest.Truncated, broken), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:LLM_TRUNCATED json_schema+repair |  | "},
		{"cut prose", []llmtest.Step{step(llmtest.Truncated, "I was just")}, "I was just |  | json_schema | LLM_TRUNCATED DIRECTIVE_NONE | "},
		{"refusal", []llmtest.Step{step(llmtest.Refusal, "I cannot help with that.")},
			"I cannot help with that. |  | json_schema:LLM_REFUSED | LLM_REFUSED | "},
		{"garbled protocol, then fine", []llmtest.Step{step(llmtest.Garbage, ""), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:LLM_REPLY_INVALID json_schema+repair |  | "},
		{"garbled protocol", []llmtest.Step{step(llmtest.Garbage, "")},
			failed + " |  | " + fall("LLM_REPLY_INVALID") + " | LLM_REPLY_INVALID | "},
		{"words around it, then alone", []llmtest.Step{step(llmtest.OK, shown), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_UNSURE json_schema+repair |  | "},
		{"words around it, then only words", []llmtest.Step{step(llmtest.OK, shown), step(llmtest.OK, `{"assistant_text":"One sends that.","directives":[]}`)},
			"One sends that. |  | json_schema:DIRECTIVE_UNSURE json_schema+repair |  | "},
		{"words around it twice", []llmtest.Step{step(llmtest.OK, shown)},
			"One sends this. |  | json_schema:DIRECTIVE_UNSURE json_schema+repair:DIRECTIVE_UNSURE | DIRECTIVE_UNSURE | "},
		{"a preamble, then alone", []llmtest.Step{step(llmtest.OK, "Ja, hoor:\n"+good), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_UNSURE json_schema+repair |  | "},
		{"a preamble twice", []llmtest.Step{step(llmtest.OK, "Ja, hoor:\n"+good)},
			failed + " |  | json_schema:DIRECTIVE_UNSURE json_schema+repair:DIRECTIVE_UNSURE | DIRECTIVE_UNSURE | "},
		{"in a fence of another name, twice", []llmtest.Step{step(llmtest.OK, "```js\n"+good+"\n```")},
			failed + " |  | json_schema:DIRECTIVE_UNSURE json_schema+repair:DIRECTIVE_UNSURE | DIRECTIVE_UNSURE | "},
		{"without consent, then with it", []llmtest.Step{step(llmtest.OK, `{"user_approved":false,`+good[1:]), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_UNSURE json_schema+repair |  | "},
		{"without consent twice", []llmtest.Step{step(llmtest.OK, `{"user_approved":false,`+good[1:])},
			"Here. |  | json_schema:DIRECTIVE_UNSURE json_schema+repair:DIRECTIVE_UNSURE | DIRECTIVE_KEY_DROPPED DIRECTIVE_UNSURE DIRECTIVE_PAYLOAD_INVALID | "},
		{"broken, then words around it, then alone", []llmtest.Step{step(llmtest.OK, broken), step(llmtest.OK, shown), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_JSON_INVALID json_schema+repair:DIRECTIVE_UNSURE json_schema+repair |  | "},
		{"words around it, then an outage", []llmtest.Step{step(llmtest.OK, shown), step(llmtest.Fail, "")},
			" |  | json_schema:DIRECTIVE_UNSURE json_schema+repair:LLM_UNAVAILABLE |  | LLM_UNAVAILABLE"},
		{"words around nothing to do", []llmtest.Step{step(llmtest.OK, "One sends this.\n"+`{"assistant_text":"Hi.","directives":[]}`)},
			"Hi. |  | json_schema:DIRECTIVE_UNSURE json_schema+repair:DIRECTIVE_UNSURE | DIRECTIVE_UNSURE | "},
		{"two envelopes, then one", []llmtest.Step{step(llmtest.OK, good+"\n"+strings.Replace(good, "Here", "There", 1)), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_UNSURE json_schema+repair |  | "},
		{"an unknown tool", []llmtest.Step{step(llmtest.ToolCall, "search"), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:DIRECTIVE_TOOL_CALLS json_schema+repair |  | "},
		{"huge, then fine", []llmtest.Step{step(llmtest.Huge, ""), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:LLM_REPLY_TOO_LARGE json_schema+repair |  | "},
		{"a refused parameter", []llmtest.Step{step(llmtest.RejectKey, "temperature"), step(llmtest.OK, good)},
			"Here. | ui.show_form | json_schema:LLM_UNSUPPORTED json_schema | LLM_KEY_DROPPED | "},
		{"outage", []llmtest.Step{step(llmtest.Fail, "")}, " |  | json_schema:LLM_UNAVAILABLE |  | LLM_UNAVAILABLE"},
		{"rate limit", []llmtest.Step{{Mode: llmtest.Fail, Status: 429}}, " |  | json_schema:LLM_RATE_LIMITED |  | LLM_RATE_LIMITED"},
		{"wrong key", []llmtest.Step{step(llmtest.EchoKey, "")}, " |  | json_schema:LLM_AUTH |  | LLM_AUTH"},
		{"no such model", []llmtest.Step{{Mode: llmtest.Fail, Status: 404}},
			" |  | json_schema:LLM_UNSUPPORTED json_object:LLM_UNSUPPORTED prompt_only:LLM_UNSUPPORTED |  | LLM_UNSUPPORTED"},
		{"hang", []llmtest.Step{step(llmtest.Hang, "")}, " |  | json_schema:LLM_TIMEOUT |  | LLM_TIMEOUT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, tt.steps...)
			m, err := openai.New(openai.Config{URL: s.URL, Model: "fake", Key: "k", Retries: -1,
				Capabilities: &generic})
			if err != nil {
				t.Fatal(err)
			}
			c := agent.Config{Instructions: "You keep records.", Registry: registry(t),
				Params: map[string]any{"temperature": 0}, Timeout: 20 * time.Second}
			if tt.name == "hang" {
				c.Timeout = 50 * time.Millisecond
			}
			r, err := agent.Directives(t.Context(), m, c, agent.Input{Text: "a new customer"})
			if diff := cmp.Diff(tt.want, show(r, err)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			// its time may be over before the request is out
			if n := len(s.Requests()); n != len(r.Attempts) && !(tt.name == "hang" && n == 0) {
				t.Errorf("%d requests, %d attempts", n, len(r.Attempts))
			}
			for i, a := range r.Attempts {
				if a.Repair {
					_, text := s.Requests()[i].Message(-1)
					if code := string(r.Attempts[i-1].Code); !strings.Contains(text, code) {
						t.Errorf("the repair does not name %s: %s", code, text)
					}
				}
			}
		})
	}
}

// fake answers from a list, the last one for ever.
type fake struct {
	steps []fakeStep
	asked []llm.Request
	caps  *llm.Capabilities
}

type fakeStep struct {
	reply llm.Reply
	err   error
}

func (f *fake) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	s := f.steps[min(len(f.asked), len(f.steps)-1)]
	f.asked = append(f.asked, r)
	if r.OnText != nil && r.Stream {
		r.OnText(s.reply.Text)
	}
	return s.reply, s.err
}

func (f *fake) Capabilities() llm.Capabilities {
	if f.caps != nil {
		return *f.caps
	}
	return llm.Generic()
}

func says(text string) *fake {
	return &fake{steps: []fakeStep{{reply: llm.Reply{Text: text, Finish: llm.FinishStop}}}}
}

// Whatever a model does, a run ends: within the attempts, with something to say
// or a coded outage.
func TestRunAlwaysEnds(t *testing.T) {
	t.Parallel()
	reg := registry(t)
	texts := []string{"", good, broken, unknown, "prose", "{}", "[]", "null", `{"assistant_text":""}`, "\xff",
		strings.Repeat("{", 100), strings.Repeat("x", 70<<10)}
	codes := []ui.Code{llm.CodeUnavailable, llm.CodeTimeout, llm.CodeRateLimited, llm.CodeUnsupported, llm.CodeAuth,
		llm.CodeReplyInvalid, llm.CodeReplyTooLarge}
	outages := map[ui.Code]bool{llm.CodeUnavailable: true, llm.CodeTimeout: true, llm.CodeRateLimited: true,
		llm.CodeUnsupported: true, llm.CodeAuth: true}
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.Custom(func(t *rapid.T) fakeStep {
			if rapid.Bool().Draw(t, "fails") {
				e := &ui.Error{Code: rapid.SampledFrom(codes).Draw(t, "code"),
					Path: rapid.SampledFrom([]string{"", "/temperature", "/seed"}).Draw(t, "path")}
				if rapid.IntRange(0, 9).Draw(t, "plain") == 0 {
					return fakeStep{err: errors.New("no code")}
				}
				return fakeStep{err: e}
			}
			finish := rapid.SampledFrom([]llm.Finish{llm.FinishStop, llm.FinishLength, llm.FinishRefusal,
				llm.FinishToolCalls}).Draw(t, "finish")
			return fakeStep{reply: llm.Reply{Text: rapid.SampledFrom(texts).Draw(t, "text"), Finish: finish}}
		})
		m := &fake{steps: rapid.SliceOfN(step, 1, 6).Draw(t, "steps")}
		if rapid.Bool().Draw(t, "bare") {
			m.caps = &llm.Capabilities{}
		}
		c := agent.Config{Registry: reg, Params: map[string]any{"temperature": 0, "seed": 1}}
		if rapid.Bool().Draw(t, "require") {
			c.Require = []string{"show_form"}
		}
		r, err := agent.Directives(context.Background(), m, c, agent.Input{Text: "x"})
		if len(r.Attempts) == 0 || len(r.Attempts) > agent.MaxAttempts || len(m.asked) != len(r.Attempts) {
			t.Fatalf("%d attempts, %d requests", len(r.Attempts), len(m.asked))
		}
		if err == nil && len(c.Require) > 0 && len(r.Envelope.Directives) > 0 &&
			r.Envelope.Directives[0].Type != "ui.show_form" {
			t.Fatalf("ran without what is required: %+v", r.Envelope.Directives)
		}
		if err == nil && r.Envelope.Text == "" && len(r.Envelope.Directives) == 0 {
			t.Fatal("nothing to say, and no error")
		}
		if err != nil && !outages[ui.CodeOf(err)] {
			t.Fatalf("error %v", err)
		}
		for _, q := range m.asked {
			if _, _, err := llm.Prepare(q, m.Capabilities(), false); err != nil {
				t.Fatalf("a request that cannot be sent: %v", err)
			}
		}
		m.asked = nil
		text, res, err := agent.Chat(context.Background(), m, c, agent.Input{Text: "x"})
		if (err == nil) != (text != "") || len(res.Attempts) > agent.MaxAttempts {
			t.Fatalf("Chat: %q, %v", text, err)
		}
	})
}

func TestChat(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"Hello.", "Hello."}, {good, "Here."}, {broken, failed}, {"", failed},
		{"Use {\"a\": 1} there.", "Use {\"a\": 1} there."},
	} {
		got, _, err := agent.Chat(t.Context(), says(tt.in), agent.Config{}, agent.Input{Text: "hi"})
		if got != tt.want || err != nil {
			t.Errorf("Chat(%q) = %q, %v", tt.in, got, err)
		}
	}
	var pieces []string
	m := says("one two")
	text, r, err := agent.Chat(t.Context(), m,
		agent.Config{OnText: func(_ int, s string) { pieces = append(pieces, s) }}, agent.Input{Text: "hi"})
	if text != "one two" || err != nil || !m.asked[0].Stream || strings.Join(pieces, "") != text ||
		r.Attempts[0].Mode != agent.ModeChat {
		t.Errorf("%q %q %v", text, pieces, err)
	}
	m = &fake{steps: []fakeStep{{err: context.Canceled}}}
	if _, _, err := agent.Chat(t.Context(), m, agent.Config{}, agent.Input{}); ui.CodeOf(err) != llm.CodeCanceled {
		t.Errorf("%v", err)
	}
}

// A request that no model read costs no tokens. One whose answer broke, or did not come in
// time, may have been read.
func TestEstimate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		code ui.Code
		text string // that streamed before
		want bool
	}{
		{"", "", true}, {llm.CodeTimeout, "", true}, {llm.CodeCanceled, "", true}, {llm.CodeReplyTooLarge, "", true},
		{llm.CodeUnavailable, "", false}, {llm.CodeUnavailable, "The", true}, {llm.CodeRateLimited, "", false},
		{llm.CodeAuth, "", false}, {llm.CodeUnsupported, "", false}, {llm.CodeTooLong, "", false},
		{llm.CodeRequestBroken, "", false},
	} {
		step := fakeStep{reply: llm.Reply{Text: tt.text}}
		if tt.code != "" {
			step.err = &ui.Error{Code: tt.code}
		}
		_, r, _ := agent.Chat(t.Context(), &fake{steps: []fakeStep{step}}, agent.Config{OnText: func(int, string) {}},
			agent.Input{Text: "hi"})
		if got := r.Attempts[0].Estimate; got > 0 != tt.want {
			t.Errorf("%s after %q: estimated %d tokens", tt.code, tt.text, got)
		}
	}
}

func TestScriptedModelThroughTheAgent(t *testing.T) {
	t.Parallel()
	m, err := scripted.New([]byte("on: new customer\nsay: Here.\ndo: ui.show_form {\"name\":\"customer\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := agent.Directives(t.Context(), m, agent.Config{Registry: registry(t)},
		agent.Input{Text: "A new customer, please."})
	if got := show(r, err); got != "Here. | ui.show_form | json_schema |  | " {
		t.Error(got)
	}
}

func TestAttemptsAreTimedByTheGivenClock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(250 * time.Millisecond); return now }
	r, err := agent.Directives(t.Context(), says(good), agent.Config{Registry: registry(t), Now: clock},
		agent.Input{Text: "x"})
	if err != nil || r.Attempts[0].Ms != 250 {
		t.Errorf("%+v %v", r.Attempts, err)
	}
	b, err := json.Marshal(r.Attempts)
	if err != nil || !strings.Contains(string(b), `"mode":"json_schema","ms":250`) {
		t.Errorf("%s %v", b, err)
	}
}

func ExampleDirectives() {
	reg, _ := directive.Preset(directive.PresetConfig{Forms: []string{"customer"}})
	m, _ := scripted.New([]byte("on: new customer\nsay: Here is the form.\ndo: ui.show_form {\"name\":\"customer\"}\n"))
	r, err := agent.Directives(context.Background(), m, agent.Config{Registry: reg},
		agent.Input{Text: "I have a new customer"})
	fmt.Println(r.Envelope.Text, r.Envelope.Directives[0].Type, r.Attempts[0].Mode, err)
	// Output: Here is the form. ui.show_form json_schema <nil>
}
