package a2a

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// FuzzCall: whatever is posted is a call with events, or a fault with a code; an id of a
// task reads as it was written.
func FuzzCall(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","role":"user","parts":[{"kind":"text","text":"hi"}]}}}`,
		`{"jsonrpc":"2.0","id":"x","method":"SendMessage","params":{"configuration":{"returnImmediately":true},"message":{"extensions":["e"],"parts":[{"text":"hi"},{"data":[{"version":"v0.9","action":{"name":"go","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-01-02T03:04:05Z","context":{}}}],"mediaType":"application/a2ui+json"}]}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"message/send","params":{"message":{"metadata":{"a2uiClientDataModel":{"version":"v0.9","surfaces":{"s":{}}},"limn_cursor":"c"},"parts":[{"kind":"data","data":{"value":[{"userAction":{}}]},"metadata":{"mimeType":"application/json+a2ui","data_part_compat":true}}]}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"id":"` + strings.Repeat("a", 36) + `_` + strings.Repeat("b", 36) + `_text"}}`,
		`[{}]`, `{"id":null}`, `{`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		req, err := decode(body, ingress.Limits{})
		if len(req.id) == 0 || len(req.id) > 6*maxID+2 {
			t.Fatalf("the id is %q", req.id)
		}
		if err != nil {
			if f, ok := err.(*fault); !ok || f.rpc == 0 || ui.CodeOf(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		if id := req.params.At("id").Text(); req.op == opGet {
			if of, event, mark, ok := parseTask(id); ok && of+"_"+string(event)+"_"+mark != id {
				t.Fatalf("%q is read as another", id)
			}
		}
		if req.op != opSend && req.op != opStream {
			return
		}
		in, err := decodeMessage(req.params, ingress.Limits{})
		if err != nil {
			if f, ok := err.(*fault); !ok || f.rpc == 0 || ui.CodeOf(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		if len(in.events) == 0 || len(in.events) > maxEvents || len(in.key) > 64 {
			t.Fatalf("%d events under %q", len(in.events), in.key)
		}
	})
}
