package jsonwire

import (
	"math"
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// room is about the bytes of a message that changes one value.
const room = 256

func (c *codec) append(dst []byte, m wire.Message) ([]byte, error) {
	from := len(dst)
	if m == nil {
		return dst, wire.Bad(wire.EnvelopeInvalid, "", "there is no message")
	}
	out, err := c.message(append(slices.Grow(dst, room), c.head...), m)
	if err != nil {
		err.Surface = m.Surface()
		return dst[:from], err
	}
	return append(out, "}}"...), nil
}

// message writes the body without its last bracket.
func (c *codec) message(dst []byte, m wire.Message) ([]byte, *wire.Problem) {
	switch m := m.(type) {
	case *wire.CreateSurface:
		return c.appendCreate(dst, m)
	case *wire.UpdateComponents:
		dst = wire.Text(append(dst, `"updateComponents":{`...), "surfaceId", m.SurfaceID)
		dst, err := wire.AppendComponents(dst, m.Components, c.appendComponent)
		if err != nil {
			return dst, err
		}
		return dst, noExtra(m.Extra)
	case *wire.UpdateData:
		return c.appendData(dst, m)
	case *wire.DeleteSurface:
		dst = wire.Text(append(dst, `"deleteSurface":{`...), "surfaceId", m.SurfaceID)
		return dst, noExtra(m.Extra)
	case *wire.CallRenderer:
		if c.V1 {
			return c.appendCallRenderer(dst, m)
		}
	case *wire.Reply:
		if c.V1 {
			dst = appendReply(append(dst, `"agentFunctionResponse":{`...), m)
			return dst, noExtra(m.Extra)
		}
	}
	return dst, wire.Bad(wire.EnvelopeInvalid, "", "this version has no message for %T", m)
}

func (c *codec) appendCreate(dst []byte, m *wire.CreateSurface) ([]byte, *wire.Problem) {
	switch {
	case m.Root != "" && m.Root != "root":
		return dst, wire.Bad(wire.BeginMissingRoot, "", "the root component must have the id root")
	case c.V1 && m.Theme.Kind != jsonx.Null:
		return dst, wire.Bad(wire.BeginTheme, "/theme", "this version has no theme")
	case !c.V1 && m.CatalogID == "":
		return dst, wire.Bad(wire.BeginCatalog, "/catalogId", "createSurface needs a catalog id")
	case !c.V1:
		if err := wire.NoInline(m); err != nil {
			return dst, err
		}
	}
	dst = wire.Text(append(dst, `"createSurface":{`...), "surfaceId", m.SurfaceID)
	if m.CatalogID != "" {
		dst = wire.Text(dst, "catalogId", m.CatalogID)
	}
	if m.Theme.Kind != jsonx.Null {
		dst = jsonx.Append(append(dst, `,"theme":`...), m.Theme)
	}
	if m.SendDataModel {
		dst = append(dst, `,"sendDataModel":true`...)
	}
	if m.Metadata.Kind != jsonx.Null {
		if err := wire.CheckMetadata("/metadata", m.Metadata, wire.EnvelopeInvalid); err != nil {
			return dst, err
		}
		dst = jsonx.Append(append(dst, `,"metadata":`...), m.Metadata)
	}
	if m.Data.Kind != jsonx.Null {
		if m.Data.Kind != jsonx.Object {
			return dst, wire.Bad(wire.DataValue, "/dataModel", "the data model is an object, not %s", m.Data.Kind)
		}
		dst = jsonx.Append(append(dst, `,"dataModel":`...), m.Data)
	}
	if m.Components != nil {
		var err *wire.Problem
		if dst, err = wire.AppendComponents(dst, m.Components, c.appendComponent); err != nil {
			return dst, err
		}
	}
	return dst, noExtra(m.Extra)
}

func (c *codec) appendData(dst []byte, m *wire.UpdateData) ([]byte, *wire.Problem) {
	dst = wire.Text(append(dst, `"updateDataModel":{`...), "surfaceId", m.SurfaceID)
	if m.Path != "" {
		dst = wire.Text(dst, "path", m.Path)
	}
	switch {
	case m.Delete && c.V1:
		dst = append(dst, `,"value":null`...)
	case m.Delete:
	case c.V1 && m.Value.Kind == jsonx.Null:
		return dst, wire.Bad(wire.DataValue, "/value", "this version cannot store null here: it deletes the key")
	default:
		dst = jsonx.Append(append(dst, `,"value":`...), m.Value)
	}
	return dst, noExtra(m.Extra)
}

func (c *codec) appendCallRenderer(dst []byte, m *wire.CallRenderer) ([]byte, *wire.Problem) {
	if m.Call.CatalogID == "" {
		return dst, wire.Bad(wire.EnvelopeInvalid, "/callFunction/catalogId", "callRendererFunction needs a catalog id")
	}
	dst = wire.Text(append(dst, `"callRendererFunction":{`...), "functionCallId", m.CallID)
	dst, ok := c.appendCall(append(dst, `,"callFunction":`...), m.Call)
	if !ok {
		return dst, wire.Bad(wire.EnvelopeInvalid, "/callFunction", "this version cannot hold a value of the call")
	}
	return dst, noExtra(m.Extra)
}

// appendReply writes the members that both directions share.
func appendReply(dst []byte, m *wire.Reply) []byte {
	dst = wire.Text(dst, "functionCallId", m.CallID)
	if m.Err == nil {
		return jsonx.Append(append(dst, `,"value":`...), m.Value)
	}
	dst = wire.Text(append(dst, `,"error":{`...), "code", m.Err.Code)
	return append(wire.Text(dst, "message", m.Err.Message), '}')
}

// noExtra refuses members that the closed objects of this family cannot carry.
func noExtra(extra []wire.Member) *wire.Problem {
	if len(extra) == 0 {
		return nil
	}
	return wire.Bad(wire.EnvelopeInvalid, "/"+extra[0].Key, "this version has no room for other members")
}

func (c *codec) appendComponent(dst []byte, m *wire.Component) ([]byte, *wire.Problem) {
	dst = jsonx.AppendString(append(dst, `{"id":`...), m.ID)
	dst = jsonx.AppendString(append(dst, `,"component":`...), m.Type)
	if m.CatalogID != "" {
		if c.CatalogID == "" {
			return dst, wire.Bad(wire.ComponentProperty, "/catalogId", "this version has one catalog for each surface")
		}
		dst = wire.Text(dst, c.CatalogID, m.CatalogID)
	}
	if m.Weight != 0 {
		if math.IsNaN(m.Weight) || math.IsInf(m.Weight, 0) {
			return dst, wire.Bad(wire.ComponentProperty, "/weight", "weight is not a number")
		}
		dst = jsonx.AppendFloat(append(dst, `,"weight":`...), m.Weight)
	}
	for i := range m.Props {
		p := &m.Props[i]
		name, ok := c.swap(p.Name)
		if !ok || name == "id" || name == "component" || c.V1 && name == c.CatalogID {
			return dst, wire.Bad(wire.ComponentProperty, "/"+p.Name, "a property cannot have the name %q", p.Name)
		}
		dst = append(jsonx.AppendString(append(dst, ','), name), ':')
		if c.V1 && p.Name == "metadata" {
			dst, ok = appendRaw(dst, p.Value)
		} else {
			dst, ok = c.appendValue(dst, p.Value)
		}
		if !ok {
			return dst, wire.Bad(wire.ComponentProperty, "/"+p.Name,
				"this version cannot hold the value, or it is missing")
		}
	}
	return append(dst, '}'), nil
}
