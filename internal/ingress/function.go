package ingress

import (
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// maxCall bounds the bytes of the id of a function call.
const maxCall = 128

// callEvent reads the call of a function of the application. Its arguments are values.
func callEvent(d a2ui.Dialect, m *a2ui.CallAgent, args jsonx.Value, lim Limits) (*ui.Event, error) {
	if err := callID(m.CallID); err != nil {
		return nil, err
	}
	if len(m.SurfaceID) > 128 || len(m.Call.Func) > 128 || !identifier(m.Call.Func) {
		return nil, &ui.Error{Code: CodeEnvelope, Path: "/callFunction/call",
			Message: "want at most 128 bytes of printable ASCII without space",
			Hint:    "send the name that the application declares"}
	}
	for _, p := range m.Call.Args {
		switch p.Value.(type) {
		case a2ui.Path, a2ui.Call:
			return nil, &ui.Error{Code: CodeEnvelope, Path: "/callFunction/args/" + excerpt.Head(p.Name, 64),
				Message: "the argument is no value", Hint: "bindings and calls are resolved by the client"}
		}
	}
	e := &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: &ui.ActionEvent{Surface: m.SurfaceID, Name: m.Call.Func,
		Call: m.CallID, Version: d.String(), Context: jsonx.OfObject()}}
	if args.Kind == jsonx.Null {
		return e, nil
	}
	var err error
	e.Data, err = DecodeValue(jsonx.Append(nil, args), lim)
	if err != nil {
		err = at(err, "/callFunction/args")
	}
	return e, err
}

// resultEvent reads the result of a function that a client was asked to run: value, or error
// with code and message.
func resultEvent(d a2ui.Dialect, m *a2ui.Reply, lim Limits) (*ui.Event, error) {
	if err := callID(m.CallID); err != nil {
		return nil, err
	}
	e := &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: &ui.ActionEvent{Call: m.CallID, Returns: true,
		Version: d.String(), Context: jsonx.OfObject()}}
	if m.Err != nil {
		failed := ui.Map(ui.Pair{Key: "code", Value: ui.String(excerpt.Head(m.Err.Code, 64))},
			ui.Pair{Key: "message", Value: ui.String(excerpt.Head(m.Err.Message, 512))})
		e.Data = ui.Map(ui.Pair{Key: "error", Value: failed})
		return e, nil
	}
	v, err := DecodeValue(jsonx.Append(nil, m.Value), lim)
	if err != nil {
		return nil, at(err, "/value")
	}
	e.Data = ui.Map(ui.Pair{Key: "value", Value: v})
	return e, nil
}

func callID(id string) error {
	if id != "" && len(id) <= maxCall && identifier(id) {
		return nil
	}
	return &ui.Error{Code: CodeEnvelope, Path: "/functionCallId",
		Message: "want 1 to 128 bytes of printable ASCII without space", Hint: "a UUID will do"}
}

// at puts a path before that of an error.
func at(err error, path string) error {
	if e, ok := err.(*ui.Error); ok {
		there := *e
		if there.Path = path + e.Path; e.Code == CodeData {
			there.Code = CodeEnvelope
		}
		return &there
	}
	return err
}
