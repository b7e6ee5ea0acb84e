package v09

import (
	"math"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Codec returns the codec that writes versions[0] and reads all of versions.
func Codec(versions ...string) *wire.Codec {
	c := codec{head: `{"version":"` + versions[0] + `",`}
	return &wire.Codec{
		Versions: versions, Append: c.append, Decode: decode,
		AppendClient: c.appendClient, DecodeClient: decodeClient,
	}
}

type codec struct{ head string }

func (c codec) append(dst []byte, m wire.Message) ([]byte, error) {
	from := len(dst)
	out, err := c.message(dst, m)
	if err != nil {
		return dst[:from], err
	}
	return append(out, "}}"...), nil
}

func (c codec) message(dst []byte, m wire.Message) ([]byte, error) {
	dst = append(dst, c.head...)
	switch m := m.(type) {
	case *wire.CreateSurface:
		return appendCreate(dst, m)
	case *wire.UpdateComponents:
		return appendComponents(dst, m)
	case *wire.UpdateData:
		dst = wire.Text(append(dst, `"updateDataModel":{`...), "surfaceId", m.SurfaceID)
		if m.Path != "" {
			dst = wire.Text(dst, "path", m.Path)
		}
		if !m.Delete {
			dst = jsonx.Append(append(dst, `,"value":`...), m.Value)
		}
		return dst, noExtra(m.SurfaceID, m.Extra)
	case *wire.DeleteSurface:
		dst = wire.Text(append(dst, `"deleteSurface":{`...), "surfaceId", m.SurfaceID)
		return dst, noExtra(m.SurfaceID, m.Extra)
	}
	return dst, wire.Bad(wire.EnvelopeInvalid, "", "unknown message %T", m)
}

func appendCreate(dst []byte, m *wire.CreateSurface) ([]byte, error) {
	if m.CatalogID == "" {
		return dst, &wire.Problem{Code: wire.BeginCatalog, Surface: m.SurfaceID, Path: "/catalogId", Message: "createSurface needs a catalog id"}
	}
	if m.Root != "" && m.Root != "root" {
		return dst, &wire.Problem{Code: wire.BeginMissingRoot, Surface: m.SurfaceID, Message: "the root component must have the id root"}
	}
	dst = wire.Text(append(dst, `"createSurface":{`...), "surfaceId", m.SurfaceID)
	dst = wire.Text(dst, "catalogId", m.CatalogID)
	if m.Theme.Kind != jsonx.Null {
		dst = jsonx.Append(append(dst, `,"theme":`...), m.Theme)
	}
	if m.SendDataModel {
		dst = append(dst, `,"sendDataModel":true`...)
	}
	return dst, noExtra(m.SurfaceID, m.Extra)
}

// noExtra refuses members that the closed objects of this version cannot carry.
func noExtra(surface string, extra []wire.Member) error {
	if len(extra) == 0 {
		return nil
	}
	return &wire.Problem{Code: wire.EnvelopeInvalid, Surface: surface, Path: "/" + extra[0].Key,
		Message: "this version has no room for other members"}
}

func appendComponents(dst []byte, m *wire.UpdateComponents) ([]byte, error) {
	dst = wire.Text(append(dst, `"updateComponents":{`...), "surfaceId", m.SurfaceID)
	dst = append(dst, `,"components":[`...)
	for i := range m.Components {
		if i > 0 {
			dst = append(dst, ',')
		}
		c := &m.Components[i]
		dst = jsonx.AppendString(append(dst, `{"id":`...), c.ID)
		dst = jsonx.AppendString(append(dst, `,"component":`...), c.Type)
		if c.Weight != 0 {
			if math.IsNaN(c.Weight) || math.IsInf(c.Weight, 0) {
				return dst, propertyError(m.SurfaceID, c.ID, "weight", "weight is not a number")
			}
			dst = jsonx.AppendFloat(append(dst, `,"weight":`...), c.Weight)
		}
		for _, p := range c.Props {
			dst = append(jsonx.AppendString(append(dst, ','), p.Name), ':')
			var ok bool
			if dst, ok = appendValue(dst, p.Value); !ok {
				return dst, propertyError(m.SurfaceID, c.ID, p.Name, "a value is missing or unknown")
			}
		}
		dst = append(dst, '}')
	}
	return append(dst, ']'), noExtra(m.SurfaceID, m.Extra)
}

func propertyError(surface, component, path, message string) error {
	return &wire.Problem{Code: wire.ComponentProperty, Surface: surface, Component: component, Path: "/" + path, Message: message}
}

// appendValue writes one value; ok is false for a nil or foreign one.
func appendValue(dst []byte, v wire.Value) (out []byte, ok bool) {
	switch v := v.(type) {
	case wire.String:
		return jsonx.AppendString(dst, string(v)), true
	case wire.Path:
		return append(jsonx.AppendString(append(dst, `{"path":`...), string(v)), '}'), true
	case wire.Ref:
		return jsonx.AppendString(dst, string(v)), true
	case wire.Refs:
		return appendStrings(dst, v), true
	case wire.Bool:
		if v {
			return append(dst, "true"...), true
		}
		return append(dst, "false"...), true
	case wire.Literal:
		return jsonx.Append(dst, v.Data), true
	case wire.Template:
		dst = jsonx.AppendString(append(dst, `{"componentId":`...), v.Component)
		return append(jsonx.AppendString(append(dst, `,"path":`...), v.Path), '}'), true
	case wire.Event:
		return appendEvent(dst, v)
	case wire.Options:
		return appendOptions(dst, v)
	case wire.Call:
		return appendCall(dst, v)
	case wire.Local:
		dst, ok = appendCall(append(dst, `{"functionCall":`...), v.Call)
		return append(dst, '}'), ok
	case wire.Checks:
		return appendChecks(dst, v)
	case wire.List:
		return appendList(dst, v)
	case wire.Object:
		return appendProps(dst, v)
	case wire.Tabs:
		return appendTabs(dst, v)
	}
	return dst, false
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(dst, s)
	}
	return append(dst, ']')
}

func appendProps(dst []byte, props []wire.Prop) (_ []byte, ok bool) {
	dst = append(dst, '{')
	for i, p := range props {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, p.Name), ':')
		if dst, ok = appendValue(dst, p.Value); !ok {
			return dst, false
		}
	}
	return append(dst, '}'), true
}

func appendEvent(dst []byte, e wire.Event) (_ []byte, ok bool) {
	dst = jsonx.AppendString(append(dst, `{"event":{"name":`...), e.Name)
	if e.Context != nil {
		if dst, ok = appendProps(append(dst, `,"context":`...), e.Context); !ok {
			return dst, false
		}
	}
	return append(dst, "}}"...), true
}

// appendCall always writes args: clients crash without them (facts §7.13).
func appendCall(dst []byte, c wire.Call) (_ []byte, ok bool) {
	dst = jsonx.AppendString(append(dst, `{"call":`...), c.Func)
	if dst, ok = appendProps(append(dst, `,"args":`...), c.Args); !ok || c.CatalogID != "" {
		return dst, false
	}
	if c.ReturnType != "" {
		dst = jsonx.AppendString(append(dst, `,"returnType":`...), c.ReturnType)
	}
	return append(dst, '}'), true
}

func appendList(dst []byte, list wire.List) (_ []byte, ok bool) {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = appendValue(dst, v); !ok {
			return dst, false
		}
	}
	return append(dst, ']'), true
}

func appendOptions(dst []byte, options wire.Options) (_ []byte, ok bool) {
	dst = append(dst, '[')
	for i, o := range options {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = appendValue(append(dst, `{"label":`...), o.Label); !ok {
			return dst, false
		}
		dst = append(jsonx.AppendString(append(dst, `,"value":`...), o.Value), '}')
	}
	return append(dst, ']'), true
}

func appendTabs(dst []byte, tabs wire.Tabs) (_ []byte, ok bool) {
	dst = append(dst, '[')
	for i, t := range tabs {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = appendValue(append(dst, `{"title":`...), t.Title); !ok {
			return dst, false
		}
		dst = append(jsonx.AppendString(append(dst, `,"child":`...), t.Child), '}')
	}
	return append(dst, ']'), true
}

func appendChecks(dst []byte, checks wire.Checks) (_ []byte, ok bool) {
	dst = append(dst, '[')
	for i, c := range checks {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = appendValue(append(dst, `{"condition":`...), c.Condition); !ok {
			return dst, false
		}
		dst = append(jsonx.AppendString(append(dst, `,"message":`...), c.Message), '}')
	}
	return append(dst, ']'), true
}
