package a2a

import (
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// Bounds of one message.
const (
	maxParts   = 64
	maxEvents  = 16
	maxMessage = 1024 // bytes of an id
)

// incoming is a message of a client.
type incoming struct {
	key     string // of its events, without their number; "": the message has no id
	context string // the conversation it is for; "": a new one
	task    string // the task it goes on with, ""
	events  []*ui.Event
	wants   []string // extensions that it names
	cursor  string
	noWait  bool
	door.Metadata
}

// decodeMessage reads the parameters of a send.
func decodeMessage(params jsonx.Value, lim ingress.Limits) (in incoming, err error) {
	msg := params.At("message")
	if msg.Kind != jsonx.Object {
		return in, wrong(invalidParams, "/params/message", "not an object", "a message has parts")
	}
	if role := msg.At("role").Text(); role != "" && role != "user" && role != "ROLE_USER" {
		return in, wrong(invalidParams, "/params/message/role", "not the role of a user", `want "user", or "ROLE_USER"`)
	}
	for _, name := range [...]string{"messageId", "contextId", "taskId"} {
		if v := msg.At(name); v.Kind != jsonx.Null && v.Kind != jsonx.String || len(v.Text()) > maxMessage {
			return in, wrong(invalidParams, "/params/message/"+name, "want a text of at most 1,024 bytes",
				"a UUID will do")
		}
	}
	id := msg.At("messageId").Text()
	in.context, in.task = msg.At("contextId").Text(), msg.At("taskId").Text()
	if id != "" {
		in.key = door.Key("a2a-", id)
	}
	for _, uri := range msg.At("extensions").Items {
		in.wants = append(in.wants, uri.Text())
	}
	for _, of := range []jsonx.Value{params, msg} {
		said := of.At("metadata")
		if err := in.ReadMetadata(said, lim); err != nil {
			return in, wrong(invalidParams, "/params/message/metadata", err.Error(), door.AsGiven)
		}
		if c := said.At(cursorKey).Text(); c != "" && len(c) <= 128 {
			in.cursor = c
		}
	}
	if err := in.readConfiguration(params.At("configuration")); err != nil {
		return in, err
	}
	return in, in.readParts(msg.At("parts"), lim)
}

func (in *incoming) readConfiguration(c jsonx.Value) error {
	for _, name := range [...]string{"pushNotificationConfig", "taskPushNotificationConfig"} {
		if v, ok := c.Get(name); ok && v.Kind != jsonx.Null {
			return wrong(noPush, "/params/configuration/"+name, "there are no push notifications",
				"stream, or ask for the task")
		}
	}
	blocking, said := c.Get("blocking")
	in.noWait = said && !blocking.Bool || c.At("returnImmediately").Bool
	return nil
}

// readParts makes events of parts: one for each A2UI message, in their order, and
// then one of all text.
func (in *incoming) readParts(parts jsonx.Value, lim ingress.Limits) error {
	if parts.Kind != jsonx.Array || len(parts.Items) == 0 || len(parts.Items) > maxParts {
		return wrong(invalidParams, "/params/message/parts", "want a list of 1 to 64 parts", "text will do")
	}
	var text []string
	for i, v := range parts.Items {
		path := fmt.Sprintf("/params/message/parts/%d", i)
		p, err := a2a.DecodePart(jsonx.Append(nil, v), lim.A2UI())
		switch {
		case err != nil:
			return wrong(invalidParams, path, excerpt.Head(err.Error(), 256), `{"kind":"text","text":…} is a part`)
		case p.Kind == a2a.TextKind:
			text = append(text, p.Text)
		case p.IsA2UI():
			if err := in.readA2UI(unwrapped(p), path+"/data", lim); err != nil {
				return err
			}
		default:
			return wrong(badContent, path, "neither text nor A2UI", "the media type of A2UI is "+a2a.MediaType)
		}
	}
	if len(text) > 0 {
		e, err := ingress.MessageEvent(strings.Join(text, "\n"), lim)
		if err != nil {
			return &fault{invalidParams, err}
		}
		in.events = append(in.events, e)
	}
	if len(in.events) == 0 || len(in.events) > maxEvents {
		return wrong(invalidParams, "/params/message/parts", "want 1 to 16 messages of A2UI in all, or text",
			"send the message of one click")
	}
	for i, e := range in.events {
		if in.key != "" && e.Kind == ui.EventMessage { // a click has its key already: clicked twice is sent twice
			e.Key = fmt.Sprintf("%s.%d", in.key, i)
		}
	}
	if first := in.events[0]; first.Model.Kind == jsonx.Null {
		first.Model = in.Model
	}
	return nil
}

// unwrapped is the data of a part. SDKs of protocol 1.0 that speak 0.3, whose data is an
// object, wrap a list into one, and say so.
func unwrapped(p a2a.Part) jsonx.Value {
	for _, m := range p.Metadata {
		if v, ok := p.Data.Get("value"); ok && m.Key == "data_part_compat" && m.Value.Bool {
			return v
		}
	}
	return p.Data
}

// readA2UI reads one message, a list, or an object with a list.
func (in *incoming) readA2UI(data jsonx.Value, path string, lim ingress.Limits) error {
	list := []jsonx.Value{data}
	if wrapped, ok := data.Get("messages"); ok && wrapped.Kind == jsonx.Array {
		data = wrapped
	}
	if data.Kind == jsonx.Array {
		list = data.Items
	}
	for i, one := range list {
		if len(in.events) == maxEvents {
			return wrong(invalidParams, path, "more than 16 messages", "send the message of one click")
		}
		e, err := ingress.DecodeEnvelope(jsonx.Append(nil, one), lim)
		if err != nil {
			return &fault{invalidParams, door.At(err, fmt.Sprintf("%s/%d", path, i))}
		}
		if e.Kind != ui.EventAction && e.Kind != ui.EventError {
			return wrong(badContent, path, "neither an action nor an error", "shared drafts have a stream of their own")
		}
		door.Reported(e, "a2a")
		in.events = append(in.events, e)
	}
	return nil
}
