package jsonwire

import (
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// clientCodec reads and writes the messages of a client.
type clientCodec struct{ *codec }

func (c clientCodec) appendClient(dst []byte, m wire.ClientMessage) ([]byte, error) {
	from := len(dst)
	dst = append(dst, c.head...)
	err := error(wire.Bad(wire.ClientInvalid, "", "this version has no message for %T", m))
	switch m := m.(type) {
	case *wire.Action:
		dst, err = wire.AppendAction(append(dst, `"action":`...), m, c.V1)
	case *wire.ClientError:
		if err = c.checkError(m); err == nil {
			dst = wire.AppendError(append(dst, `"error":`...), m)
		}
	case *wire.CallAgent:
		if c.V1 {
			dst, err = c.appendCallAgent(dst, m)
		}
	case *wire.Reply:
		if c.V1 {
			dst, err = append(appendReply(append(dst, `"rendererFunctionResponse":{`...), m), '}'), closed(m.Extra)
		}
	}
	if err != nil {
		return dst[:from], err
	}
	return append(dst, '}'), nil
}

func (c clientCodec) appendCallAgent(dst []byte, m *wire.CallAgent) ([]byte, error) {
	dst = wire.Text(append(dst, `"callAgentFunction":{`...), "surfaceId", m.SurfaceID)
	dst = wire.Text(dst, "functionCallId", m.CallID)
	dst, ok := c.appendCall(append(dst, `,"callFunction":`...), m.Call)
	if !ok {
		return dst, wire.Bad(wire.ClientInvalid, "/callFunction", "this version cannot hold a value of the call")
	}
	return append(dst, '}'), closed(m.Extra)
}

// closed refuses members that a closed object cannot carry.
func closed(extra []wire.Member) error {
	if len(extra) == 0 {
		return nil
	}
	return wire.Bad(wire.ClientInvalid, "/"+extra[0].Key, "the message has no other members")
}

func (c clientCodec) decodeClient(v jsonx.Node) (wire.ClientMessage, error) {
	body, err := wire.Body(v, "version", wire.ClientInvalid)
	if err != nil {
		return nil, err
	}
	switch body.Key {
	case "action":
		return wire.DecodeAction(body, c.V1)
	case "error":
		e := wire.DecodeError(body, c.V1)
		if err := c.checkError(e); err != nil {
			return nil, err
		}
		return e, nil
	case "callAgentFunction":
		if c.V1 {
			return c.decodeCallAgent(body)
		}
	case "rendererFunctionResponse":
		if c.V1 {
			m, err := decodeReply(body, wire.ClientInvalid)
			if err != nil {
				return nil, err
			}
			return m, nil
		}
	}
	return nil, wire.Bad(wire.ClientInvalid, "", "unknown message %q", body.Key)
}

var agentFields = [...]wire.Field{wire.NeedText("surfaceId"), wire.NeedText("functionCallId"),
	{Key: "callFunction", Kind: jsonx.Object, Required: true}}

func (c clientCodec) decodeCallAgent(body wire.Part) (wire.ClientMessage, error) {
	var got [len(agentFields)]jsonx.Node
	err := wire.Fields(body, wire.ClientInvalid, nil, agentFields[:], got[:])
	if err != nil {
		return nil, err
	}
	m := &wire.CallAgent{SurfaceID: got[0].Text(), CallID: got[1].Text()}
	if m.Call, err = c.callFunction(got[2], wire.ClientInvalid); err != nil {
		return nil, err
	}
	return m, nil
}

// closedErrors are the error codes whose form is closed; v0.9 has the first only.
var closedErrors = []string{"VALIDATION_FAILED", "UNALLOWED_PARENT", "UNALLOWED_CHILD"}

func (c clientCodec) checkError(e *wire.ClientError) error {
	codes := closedErrors
	if !c.V1 {
		codes = codes[:1]
	}
	closed := slices.Contains(codes, e.Code)
	switch {
	case e.Code == "":
		return wire.Bad(wire.ClientInvalid, "/code", "an error needs a code")
	case e.Message == "":
		return wire.Bad(wire.ClientInvalid, "/message", "an error needs a message")
	case e.CallID != "" && (!c.V1 || closed):
		return wire.Bad(wire.ClientInvalid, "/functionCallId", "%s belongs to no function call", e.Code)
	case e.CallID != "" && e.SurfaceID != "":
		return wire.Bad(wire.ClientInvalid, "/functionCallId", "an error has a surface id or a function call id")
	case e.SurfaceID == "" && e.CallID == "":
		return wire.Bad(wire.ClientInvalid, "/surfaceId", "an error needs a surface id")
	case closed && len(e.Extra) > 0 && e.Extra[0].Key == "path": // else it would be no extra
		return wire.Bad(wire.ClientInvalid, "/path", "path must be a text that is not empty")
	case closed && len(e.Extra) > 0:
		return wire.Bad(wire.ClientInvalid, "/"+e.Extra[0].Key, "%s has no other members", e.Code)
	case closed && e.Path == "":
		return wire.Bad(wire.ClientInvalid, "/path", "%s needs a path", e.Code)
	}
	for _, m := range e.Extra { // of a member that must be a text and is not
		if m.Key == "code" || m.Key == "message" || m.Key == "surfaceId" || c.V1 && m.Key == "functionCallId" {
			return wire.Bad(wire.ClientInvalid, "/"+m.Key, "%s must be a text that is not empty", m.Key)
		}
	}
	return nil
}
