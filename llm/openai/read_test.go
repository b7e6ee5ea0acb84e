package openai

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Answers as servers give them; the odd ones are what was seen to differ from
// the published form.
var answers = map[string]struct {
	body   string
	want   llm.Reply
	inBand bool
	code   ui.Code
}{
	"as published": {body: `{"choices":[{"message":{"content":"hi","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1}}}`,
		want: llm.Reply{Text: "hi", Finish: llm.FinishStop, Usage: llm.Usage{In: 3, CachedIn: 1, Out: 2}}},
	"several choices": {body: `{"choices":[{"message":{"content":"one"},"finish_reason":"stop"},{"message":{"content":"two"},"finish_reason":"stop"}]}`,
		want: llm.Reply{Text: "one", Finish: llm.FinishStop}},
	"text in parts": {body: `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"},{"text":5}]}}]}`,
		want: llm.Reply{Text: "ab", Finish: llm.FinishStop}},
	"null":                    {body: `{"choices":[{"message":{"content":null},"finish_reason":null}],"usage":null}`, want: llm.Reply{Finish: llm.FinishStop}},
	"odd usage":               {body: `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":"many","completion_tokens":-4}}`, want: llm.Reply{Text: "x", Finish: llm.FinishStop}},
	"other words for a limit": {body: `{"choices":[{"message":{"content":"x"},"finish_reason":"MAX_TOKENS"}]}`, want: llm.Reply{Text: "x", Finish: llm.FinishLength}},
	"filtered":                {body: `{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`, want: llm.Reply{Finish: llm.FinishRefusal}},
	"refused":                 {body: `{"choices":[{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}]}`, want: llm.Reply{Text: "no", Finish: llm.FinishRefusal}},
	"a call":                  {body: `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`, want: llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{{ID: "c", Name: "f", Arguments: `{"a":1}`}}}},
	"a call that stops":       {body: `{"choices":[{"message":{"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}]}`, want: llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{{ID: "c", Name: "f", Arguments: `{}`}}}},
	"arguments as an object, no ids": {body: `{"choices":[{"message":{"tool_calls":[{"function":{"name":" f ","arguments":{"a": 1}}},{"id":"","function":{"name":"g"}},{"id":7,"function":{"name":"h","arguments":""}}]}}]}`,
		want: llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{{ID: "call_1", Name: "f", Arguments: `{"a": 1}`}, {ID: "call_2", Name: "g", Arguments: "{}"}, {ID: "call_3", Name: "h", Arguments: "{}"}}}},
	"ids twice": {body: `{"choices":[{"message":{"tool_calls":[{"id":"call_2","function":{"name":"f"}},{"id":"call_2","function":{"name":"g"}}]}}]}`,
		want: llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{{ID: "call_2", Name: "f", Arguments: "{}"}, {ID: "call_3", Name: "g", Arguments: "{}"}}}},
	"no calls in the list":   {body: `{"choices":[{"message":{"content":"x","tool_calls":[null,5,{},{"function":{"name":""}},{"function":"f"}]},"finish_reason":"stop"}]}`, want: llm.Reply{Text: "x", Finish: llm.FinishStop}},
	"an empty list of calls": {body: `{"choices":[{"message":{"content":"x","tool_calls":[]},"finish_reason":"stop"}]}`, want: llm.Reply{Text: "x", Finish: llm.FinishStop}},
	"calls that are no list": {body: `{"choices":[{"message":{"content":"x","tool_calls":{"id":"c"}},"finish_reason":"stop"}]}`, want: llm.Reply{Text: "x", Finish: llm.FinishStop}},
	"the call of before":     {body: `{"choices":[{"message":{"content":null,"function_call":{"name":"f","arguments":"{}"}},"finish_reason":"function_call"}]}`, want: llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{{ID: "call_1", Name: "f", Arguments: "{}"}}}},
	"no choice":              {body: `{"choices":[]}`, code: llm.CodeReplyInvalid},
	"choices null":           {body: `{"choices":null}`, code: llm.CodeReplyInvalid},
	"choices no list":        {body: `{"choices":{"message":{"content":"x"}}}`, code: llm.CodeReplyInvalid},
	"another object":         {body: `{"status":"ok"}`, code: llm.CodeReplyInvalid},
	"error in its place":     {body: `{"error":{"code":502,"message":"x"}}`, inBand: true},
	"error in the choice":    {body: `{"choices":[{"error":{"code":502,"message":"x"},"message":{"content":"half"},"finish_reason":"error"}]}`, inBand: true},
	"thoughts among the parts": {body: `{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"reasoning","text":"hm"},{"type":"output_text","text":"a"},"b"]}}]}`,
		want: llm.Reply{Text: "ab", Finish: llm.FinishStop}},
	"one part, no list": {body: `{"choices":[{"message":{"content":{"type":"text","text":"a"}}}]}`, want: llm.Reply{Text: "a", Finish: llm.FinishStop}},
	"a flat call": {body: `{"choices":[{"message":{"tool_calls":[{"id":"c","name":"f","arguments":{"a":1}}]}}]}`,
		want: llm.Reply{Finish: llm.FinishToolCalls, Calls: []llm.Call{{ID: "c", Name: "f", Arguments: `{"a":1}`}}}},
	"error beside nothing":  {body: `{"error":{"code":429,"message":"x"},"choices":[{"message":{"content":""},"finish_reason":null}]}`, inBand: true},
	"no error beside words": {body: `{"error":{},"choices":[{"message":{"content":"x"}}]}`, want: llm.Reply{Text: "x", Finish: llm.FinishStop}},
	"error as a reason":     {body: `{"choices":[{"message":{"content":"half"},"finish_reason":"error"}]}`, inBand: true},
}

func TestReadAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range answers {
		got, inBand, err := read([]byte(tt.body))
		if ui.CodeOf(err) != tt.code || (inBand != nil) != tt.inBand {
			t.Errorf("%s: error %v, in band %s", name, err, inBand)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, body := range []string{``, `[]`, `"x"`, `null{`, `{"choices":[{"mess`} {
		if _, _, err := read([]byte(body)); err == nil {
			t.Errorf("%q is taken for an answer", body)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, a := range answers {
		f.Add([]byte(a.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		reply, inBand, err := read(body)
		if err == nil && inBand == nil && reply.Finish == "" {
			t.Errorf("an answer without an end: %+v", reply)
		}
		ids := map[string]bool{}
		for _, c := range reply.Calls {
			if c.ID == "" || c.Name == "" || c.Arguments == "" || ids[c.ID] {
				t.Errorf("call %+v of %+v", c, reply.Calls)
			}
			ids[c.ID] = true
		}
		_, _, _ = readChunk(body)
	})
}
