package v08

import (
	"math"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Codec returns the codec of v0.8.
func Codec() *wire.Codec {
	return &wire.Codec{Append: appendMessage, Decode: decode, AppendClient: appendClient, DecodeClient: decodeClient,
		Names: &wire.Names{Type: wireType, Enum: wireEnum, Place: place, Path: wirePath},
		Parts: map[string][]wire.Field{"beginRendering": beginFields[:], "surfaceUpdate": componentFields[:],
			"dataModelUpdate": dataFields[:], "deleteSurface": deleteFields[:]},
		Component: decodeComponent,
	}
}

func appendMessage(dst []byte, m wire.Message) ([]byte, error) {
	from := len(dst)
	var err *wire.Problem
	var extra []wire.Member
	switch m := m.(type) {
	case *wire.CreateSurface:
		dst, err = appendBegin(dst, m)
		extra = m.Extra
	case *wire.UpdateComponents:
		dst, err = appendComponents(dst, m)
		extra = m.Extra
	case *wire.UpdateData:
		dst, err = appendData(dst, m)
		extra = m.Extra
	case *wire.DeleteSurface:
		dst = wire.Text(append(dst, `{"deleteSurface":{`...), "surfaceId", m.SurfaceID)
		extra = m.Extra
	default:
		return dst, wire.Bad(wire.EnvelopeInvalid, "", "v0.8 has no message for %T", m)
	}
	if err == nil && len(extra) > 0 {
		err = wire.Bad(wire.EnvelopeInvalid, "/"+extra[0].Key, "v0.8 has no room for other members")
	}
	if err != nil {
		err.Surface = m.Surface()
		return dst[:from], err
	}
	return append(dst, "}}"...), nil
}

func appendBegin(dst []byte, m *wire.CreateSurface) ([]byte, *wire.Problem) {
	if m.Root == "" {
		return dst, wire.Bad(wire.BeginMissingRoot, "/root", "beginRendering needs the id of the root component")
	}
	if err := wire.NoInline(m); err != nil {
		return dst, err
	}
	if m.SendDataModel {
		return dst, wire.Bad(wire.EnvelopeInvalid, "/sendDataModel", "v0.8 cannot send the data model")
	}
	dst = wire.Text(append(dst, `{"beginRendering":{`...), "surfaceId", m.SurfaceID)
	dst = wire.Text(dst, "root", m.Root)
	if m.CatalogID != "" {
		dst = wire.Text(dst, "catalogId", m.CatalogID)
	}
	if m.Theme.Kind != jsonx.Null {
		dst = jsonx.Append(append(dst, `,"styles":`...), m.Theme)
	}
	return dst, nil
}

func appendComponents(dst []byte, m *wire.UpdateComponents) ([]byte, *wire.Problem) {
	dst = wire.Text(append(dst, `{"surfaceUpdate":{`...), "surfaceId", m.SurfaceID)
	return wire.AppendComponents(dst, m.Components, appendComponent)
}

func appendComponent(dst []byte, c *wire.Component) ([]byte, *wire.Problem) {
	if c.CatalogID != "" {
		return dst, wire.Bad(wire.ComponentProperty, "/catalogId", "v0.8 has one catalog for each surface")
	}
	dst = jsonx.AppendString(append(dst, `{"id":`...), c.ID)
	if c.Weight != 0 {
		if math.IsNaN(c.Weight) || math.IsInf(c.Weight, 0) {
			return dst, wire.Bad(wire.ComponentProperty, "/weight", "weight is not a number")
		}
		dst = jsonx.AppendFloat(append(dst, `,"weight":`...), c.Weight)
	}
	def := byName[c.Type]
	name := c.Type
	if def != nil {
		name = def.wire
	} else if byWire[name] != nil {
		return dst, wire.Bad(wire.ComponentUnknown, "", "%s is a wire name; its neutral type is %s", name,
			byWire[name].name)
	}
	dst = append(jsonx.AppendString(append(dst, `,"component":{`...), name), ":{"...)
	chosen, limited := false, false
	for _, prop := range c.Props {
		var err *wire.Problem
		if def == nil {
			dst, err = appendForeign(wire.Key(dst, prop.Name), prop)
		} else {
			limits := prop.Name == "maxAllowedSelections" ||
				prop.Name == "variant" && prop.Value == wire.String("mutuallyExclusive")
			if limits && limited {
				return dst, wire.Bad(wire.ComponentProperty, "/"+prop.Name, "maxAllowedSelections contradicts variant")
			}
			limited = limited || limits
			chosen = chosen || limits || prop.Name == "variant"
			dst, err = appendProperty(dst, def, prop)
		}
		if err != nil {
			err.Path = "/" + prop.Name
			return dst, err
		}
	}
	if name == "MultipleChoice" && !chosen { // a ChoicePicker takes one answer unless it says otherwise
		dst = append(wire.Key(dst, "maxAllowedSelections"), '1')
	}
	return append(dst, "}}}"...), nil
}

func appendProperty(dst []byte, def *component, prop wire.Prop) ([]byte, *wire.Problem) {
	row := def.named(prop.Name)
	if row == nil {
		if def.written(prop.Name) != nil || def.later(prop.Name) {
			return dst, wire.Bad(wire.ComponentProperty, "", "v0.8 %s has no property %s", def.wire, prop.Name)
		}
		return appendForeign(wire.Key(dst, prop.Name), prop)
	}
	ok := false
	if row.form == single { // several answers are the absence of a limit
		many := prop.Value == wire.String("multipleSelection")
		if !many {
			dst = append(wire.Key(dst, row.wire), '1')
		}
		ok = many || prop.Value == wire.String("mutuallyExclusive")
	} else {
		dst, ok = appendForm(wire.Key(dst, row.wire), row, prop.Value)
	}
	if !ok {
		return dst, wire.Bad(wire.ComponentProperty, "", "v0.8 %s.%s cannot hold this value", def.wire, row.wire)
	}
	return dst, nil
}

func appendForm(dst []byte, row *property, v wire.Value) (_ []byte, ok bool) {
	if raw, is := v.(wire.Literal); is && (row.form != bound ||
		raw.Data.Kind != jsonx.Number && raw.Data.Kind != jsonx.Array) {
		return jsonx.Append(dst, raw.Data), true // as it came; the validator judges it
	}
	switch row.form {
	case bound:
		return appendBound(dst, v)
	case plain:
		return appendPlain(dst, v)
	case child:
		if ref, ok := v.(wire.Ref); ok {
			return jsonx.AppendString(dst, string(ref)), true
		}
	case children:
		return appendChildren(dst, v)
	case tabs:
		if list, ok := v.(wire.Tabs); ok {
			return wire.AppendEach(dst, list, appendTab)
		}
	case options:
		if list, ok := v.(wire.Options); ok {
			return wire.AppendEach(dst, list, appendOption)
		}
	case action:
		return appendAction(dst, v)
	case primary:
		switch v {
		case wire.String("primary"):
			return append(dst, "true"...), true
		case wire.String("default"):
			return append(dst, "false"...), true
		}
	}
	return dst, false
}

// appendForeign writes a property of a component the table does not know.
func appendForeign(dst []byte, prop wire.Prop) (_ []byte, err *wire.Problem) {
	ok := false
	switch v := prop.Value.(type) {
	case wire.Ref:
		return jsonx.AppendString(dst, string(v)), nil
	case wire.Literal:
		return jsonx.Append(dst, v.Data), nil
	case wire.String, wire.Path, wire.Bool:
		dst, ok = appendBound(dst, v)
	case wire.Refs, wire.Template:
		dst, ok = appendChildren(dst, v)
	case wire.Event:
		dst, ok = appendAction(dst, v)
	}
	if !ok {
		return dst, wire.Bad(wire.ComponentProperty, "", "v0.8 cannot express this value")
	}
	return dst, nil
}
