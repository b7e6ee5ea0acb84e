package modelrun

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
)

// TestAnsweredText: an answer is read from its text as it was.
func TestAnsweredText(t *testing.T) {
	t.Parallel()
	for _, messages := range [][]json.RawMessage{nil, {json.RawMessage(`{"a":"<é\u2028\\"}`)},
		{json.RawMessage(`{}`), json.RawMessage(`{ "b": [1, 2] }`)}} {
		was := answered{Said: gateway.Said{Agent: "a", Title: "A", Text: "\"messages\":[", Messages: messages, To: "b"},
			Warnings: []ui.Error{{Code: "X", Message: "y"}}}
		var is answered
		if err := json.Unmarshal([]byte(was.text()), &is); err != nil || !reflect.DeepEqual(is, was) {
			t.Errorf("%v\n%+v\nwant\n%+v", err, is, was)
		}
	}
}
