package anthropic

import (
	"testing"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
)

// FuzzRead: whatever an answer is, what is read of it has an end, and calls
// that can be answered.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{"type":"message","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"b"},{"type":"text","text":"c"}],"stop_reason":"end_turn","usage":{"input_tokens":1}}`,
		`{"content":[{"type":"tool_use","name":"f","input":{"a":1}},{"type":"tool_use","id":"call_2","name":"f","input":"{}"},{"type":"tool_use","id":"call_2","name":" ","input":null},{"type":"tool_use","id":"call_2","name":"g"}],"stop_reason":null}`,
		`{"content":[],"stop_reason":"refusal"}`, `{"content":{"type":"text"},"usage":[]}`, `{"content":[5,null,{"type":7}],"stop_reason":5}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var a answer
		if endpoint.Lenient(b, &a) != nil {
			return
		}
		reply, err := a.read()
		if err == nil && reply.Finish == "" || reply.Usage.CachedIn > reply.Usage.In {
			t.Errorf("%+v", reply)
		}
		ids := map[string]bool{}
		for _, c := range reply.Calls {
			if c.ID == "" || c.Name == "" || c.Arguments == "" || ids[c.ID] {
				t.Errorf("call %+v of %+v", c, reply.Calls)
			}
			ids[c.ID] = true
		}
		if len(reply.Calls) > 0 && reply.Finish == llm.FinishStop {
			t.Error("calls, and the model is said to be done")
		}
	})
}
