package ingress

import (
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// KindOpen is the kind of an event that opens a surface by itself, as a directive of a model
// does, or that leaves an open one as it is: Event.Text has the directive as JSON, or
// Event.Surface the name of the open surface.
const KindOpen ui.EventKind = "open"

// OpenEvent builds the event of a directive that opens a surface: its type and payload, not
// yet checked.
func OpenEvent(kind string, payload jsonx.Value) *ui.Event {
	return &ui.Event{V: ui.Version, Kind: KindOpen, Text: string(jsonx.Append(nil, jsonx.OfObject(
		jsonx.Member{Key: "type", Value: jsonx.Of(kind)}, jsonx.Member{Key: "payload", Value: payload})))}
}

// LeaveEvent builds the event of a user who looks away from a surface and answers later. The
// surface stays as it is.
func LeaveEvent(name ui.Name) *ui.Event {
	return &ui.Event{V: ui.Version, Kind: KindOpen, Surface: name}
}

// Opened is the directive of an OpenEvent.
func Opened(e *ui.Event) (directive.Directive, error) {
	v, err := jsonx.Parse([]byte(e.Text), Limits{}.withDefaults().json())
	if err != nil {
		return directive.Directive{}, jsonError(err)
	}
	return directive.Directive{Type: v.At("type").Text(), Payload: v.At("payload")}, nil
}
