package v08

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

func appendClient(dst []byte, m wire.ClientMessage) ([]byte, error) {
	from := len(dst)
	var err error
	switch m := m.(type) {
	case *wire.Action:
		dst, err = wire.AppendAction(append(dst, `{"userAction":`...), m, false)
	case *wire.ClientError:
		if m.CallID != "" {
			err = wire.Bad(wire.ClientInvalid, "/functionCallId", "v0.8 has no function calls")
		}
		dst = wire.AppendError(append(dst, `{"error":`...), m)
	default:
		err = wire.Bad(wire.ClientInvalid, "", "v0.8 has no message for %T", m)
	}
	if err != nil {
		return dst[:from], err
	}
	return append(dst, '}'), nil
}

func decodeClient(v jsonx.Node) (wire.ClientMessage, error) {
	body, err := wire.Body(v, "", wire.ClientInvalid)
	if err != nil {
		return nil, err
	}
	switch body.Key {
	case "userAction":
		return wire.DecodeAction(body, false)
	case "error":
		return wire.DecodeError(body, false), nil
	}
	return nil, wire.Bad(wire.ClientInvalid, "", "unknown message %q", body.Key)
}
