package door

import (
	"cmp"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// Returned is the A2UI message that answers a client that calls a function of the agent: its
// value, or an error with its code. ok is false for other actions.
func Returned(o ui.Outcome, e *ui.ActionEvent) (line []byte, ok bool) {
	if e == nil || e.Call == "" || e.Returns {
		return nil, false
	}
	reply := &a2ui.Reply{CallID: e.Call}
	d, err := a2ui.ParseDialect(e.Version)
	if err == nil && o.Kind == ui.OutcomeDone && o.Value != "" {
		reply.Value, err = a2ui.ParseData([]byte(o.Value))
	}
	if o.Kind != ui.OutcomeDone {
		code := string(o.Code)
		switch o.Code {
		case ingress.CodeFunction:
			code = "UNKNOWN_FUNCTION"
		case ingress.CodeCall:
			code = "INVALID_FUNCTION_CALL"
		}
		reply.Err = &a2ui.CallError{Code: code, Message: cmp.Or(o.Detail, o.Message)}
	}
	line, bad := a2ui.AppendMessage(nil, d, reply)
	return line, err == nil && bad == nil
}
