package ingress

import (
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// maxCall bounds the bytes of the id of a function call.
const maxCall = 128

// callEvent reads the call of a function of the application, or of an agent. Its arguments are values.
func callEvent(d a2ui.Dialect, m *a2ui.CallAgent, args jsonx.Value) (*ui.Event, error) {
	if err := callID(m.CallID); err != nil {
		return nil, err
	}
	if len(m.SurfaceID) > 128 || len(m.Call.Func) > 128 || !identifier(m.Call.Func) {
		return nil, &ui.Error{Code: CodeEnvelope, Path: "/callFunction/call",
			Message: "want at most 128 bytes of printable ASCII without space",
			Hint:    "send the name that the application declares"}
	}
	for _, p := range m.Call.Args {
		if _, ok := foreign.Datum(p.Value); !ok {
			return nil, &ui.Error{Code: CodeEnvelope, Path: "/callFunction/args/" + excerpt.Head(p.Name, 64),
				Message: "the argument is no value", Hint: "bindings and calls are resolved by the client"}
		}
	}
	e := &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: &ui.ActionEvent{Surface: m.SurfaceID, Name: m.Call.Func,
		Call: m.CallID, Version: d.String(), Context: jsonx.OfObject()}}
	if args.Kind == jsonx.Object {
		e.Action.Context = args
	}
	e.Data, _ = heldBy(e.Action)
	return e, nil
}

// resultEvent reads the result of a function that a client was asked to run: value, or error
// with code and message.
func resultEvent(d a2ui.Dialect, m *a2ui.Reply) (*ui.Event, error) {
	if err := callID(m.CallID); err != nil {
		return nil, err
	}
	e := &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: &ui.ActionEvent{Call: m.CallID, Returns: true,
		Version: d.String(), Context: jsonx.OfObject()}}
	member := jsonx.Member{Key: "value", Value: m.Value}
	if m.Err != nil {
		member = jsonx.Member{Key: "error", Value: jsonx.OfObject(
			jsonx.Member{Key: "code", Value: jsonx.Of(excerpt.Head(m.Err.Code, 64))},
			jsonx.Member{Key: "message", Value: jsonx.Of(excerpt.Head(m.Err.Message, 512))})}
	}
	e.Action.Context = jsonx.OfObject(member)
	e.Data, _ = heldBy(e.Action)
	return e, nil
}

// Held is the reason why data of the application cannot be the arguments or the result that a client sent: an agent
// takes any.
func Held(e *ui.Event) error {
	if !e.Data.IsNull() {
		return nil
	}
	_, err := heldBy(e.Action)
	if err, ok := err.(*ui.Error); ok {
		there := *err
		there.Code = CodeEnvelope
		return &there
	}
	return err
}

// heldBy returns the data of a call as data of the application.
func heldBy(a *ui.ActionEvent) (ui.Value, error) {
	depth := maxDataDepth
	if a.Returns {
		depth++ // of the value in it
	}
	return dataOf("", a.Context, depth)
}

func callID(id string) error {
	if id != "" && len(id) <= maxCall && identifier(id) {
		return nil
	}
	return &ui.Error{Code: CodeEnvelope, Path: "/functionCallId",
		Message: "want 1 to 128 bytes of printable ASCII without space", Hint: "a UUID will do"}
}
