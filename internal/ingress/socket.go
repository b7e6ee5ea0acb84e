package ingress

import (
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// maxRef bounds the name that a client gives a message on a socket.
const maxRef = 128

// DecodeSocket reads one message of a WebSocket: {"ref", "key", "event": an A2UI client
// message} or {"ref", "key", "text"}, with data models and capabilities beside them; see
// takeModel. The answer repeats ref; key is the Idempotency-Key. Both may be missing. e is
// nil for capabilities alone. DecodeSocket returns ref even with an error, if ref could be
// read.
func DecodeSocket(body []byte, lim Limits) (ref string, e *ui.Event, err error) {
	lim = lim.withDefaults()
	outer := lim.withModels()
	outer.Depth++
	v, err := jsonx.Parse(body, outer)
	if err != nil {
		return "", nil, jsonError(err)
	}
	wrong := func(path, message string) (string, *ui.Event, error) {
		return ref, nil, &ui.Error{Code: CodeEnvelope, Path: path, Message: message,
			Hint: `want {"ref","key","event":{…}} or {"ref","key","text"}`}
	}
	if v.Kind != jsonx.Object {
		return wrong("", "not an object")
	}
	if r, ok := v.Get("ref"); ok && r.Kind == jsonx.String && len(r.Str) <= maxRef {
		ref = r.Str
	}
	speaks := hasCapabilities(v)
	model, err := takeModel(&v, lim)
	if err != nil {
		return ref, nil, err
	}
	text := map[string]string{}
	for _, m := range v.Members {
		switch m.Key {
		case "ref", "key", "text":
			if m.Value.Kind != jsonx.String {
				return wrong("/"+m.Key, "not a string")
			}
			text[m.Key] = m.Value.Str
		case "event":
		default:
			return wrong("/"+excerpt.Head(m.Key, 64), "a member that is not known")
		}
	}
	if len(text["ref"]) > maxRef {
		return wrong("/ref", "longer than 128 bytes")
	}
	said, isText := text["text"]
	switch event, isEvent := v.Get("event"); {
	case !isText && !isEvent && speaks && model.Kind == jsonx.Null: // only the capabilities of the client
		return ref, nil, nil
	case isText == isEvent:
		return wrong("", "want one of event and text")
	case isText:
		e, err = MessageEvent(said, lim)
	default:
		e, err = DecodeEnvelope(jsonx.Append(nil, event), lim)
	}
	if err == nil {
		e.Key = text["key"]
		if model.Kind != jsonx.Null {
			e.Model = model
		}
	}
	return ref, e, err
}
