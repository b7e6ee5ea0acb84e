package v09

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// validationFailed is the error code whose form is closed.
const validationFailed = "VALIDATION_FAILED"

func (c codec) appendClient(dst []byte, m wire.ClientMessage) ([]byte, error) {
	from := len(dst)
	dst = append(dst, c.head...)
	var err error
	switch m := m.(type) {
	case *wire.Action:
		dst, err = wire.AppendAction(append(dst, `"action":`...), m)
	case *wire.ClientError:
		if err = checkError(m); err == nil {
			dst = wire.AppendError(append(dst, `"error":`...), m)
		}
	default:
		err = wire.Bad(wire.ClientInvalid, "", "unknown message %T", m)
	}
	if err != nil {
		return dst[:from], err
	}
	return append(dst, '}'), nil
}

func decodeClient(v jsonx.Value) (wire.ClientMessage, error) {
	body, err := wire.Body(v, "version", wire.ClientInvalid)
	if err != nil {
		return nil, err
	}
	switch body.Key {
	case "action":
		a, err := wire.DecodeAction(body)
		if err != nil {
			return nil, err
		}
		return a, nil
	case "error":
		e := wire.DecodeError(body)
		if err := checkError(e); err != nil {
			return nil, err
		}
		return e, nil
	}
	return nil, wire.Bad(wire.ClientInvalid, "", "unknown message %q", body.Key)
}

func checkError(e *wire.ClientError) error {
	closed := e.Code == validationFailed
	switch {
	case e.Code == "":
		return wire.Bad(wire.ClientInvalid, "/code", "an error needs a code")
	case e.SurfaceID == "":
		return wire.Bad(wire.ClientInvalid, "/surfaceId", "an error needs a surface id")
	case e.Message == "":
		return wire.Bad(wire.ClientInvalid, "/message", "an error needs a message")
	case closed && len(e.Extra) > 0:
		return wire.Bad(wire.ClientInvalid, "/"+e.Extra[0].Key, "%s has no other members", validationFailed)
	case closed && e.Path == "":
		return wire.Bad(wire.ClientInvalid, "/path", "%s needs a path", validationFailed)
	}
	return nil
}
