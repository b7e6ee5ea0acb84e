package plain

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// decode reads the body of a server message; the version member was read before.
func (c *codec) decode(v jsonx.Value) (wire.Message, error) {
	body, err := wire.Body(v, "version", wire.EnvelopeInvalid)
	if err != nil {
		return nil, err
	}
	switch body.Key {
	case "createSurface":
		return c.decodeCreate(body)
	case "updateComponents":
		return c.decodeUpdate(body)
	case "updateDataModel":
		return c.decodeData(body)
	case "deleteSurface":
		var id jsonx.Value
		if err := wire.Fields(body, wire.EnvelopeInvalid, nil, text("surfaceId", &id)); err != nil {
			return nil, err
		}
		return &wire.DeleteSurface{SurfaceID: id.Str}, nil
	case "callRendererFunction":
		if c.V1 {
			return c.decodeCallRenderer(body)
		}
	case "agentFunctionResponse":
		if c.V1 {
			m, err := decodeReply(body, wire.EnvelopeInvalid)
			if err != nil {
				return nil, err
			}
			return m, nil
		}
	case "action", "error":
		return nil, fromClient(body.Key)
	case "callAgentFunction", "rendererFunctionResponse":
		if c.V1 {
			return nil, fromClient(body.Key)
		}
	}
	return nil, wire.Bad(wire.EnvelopeInvalid, "", "unknown message %q", body.Key)
}

func fromClient(key string) error {
	return wire.Bad(wire.EnvelopeClientMessage, "", "%s is a message from the client", key)
}

// text is a required member that holds a text.
func text(key string, into *jsonx.Value) wire.Field {
	return wire.Field{Key: key, Kind: jsonx.String, Required: true, Into: into}
}

func (c *codec) decodeCreate(body wire.Member) (wire.Message, error) {
	var id, catalog, send, theme, list, data, metadata jsonx.Value
	fields := []wire.Field{text("surfaceId", &id),
		{Key: "catalogId", Kind: jsonx.String, Required: !c.V1, Into: &catalog},
		{Key: "sendDataModel", Kind: jsonx.Bool, Into: &send},
	}
	if c.V1 {
		fields = append(fields, wire.Field{Key: "components", Kind: jsonx.Array, Into: &list},
			wire.Field{Key: "dataModel", Kind: jsonx.Object, Into: &data},
			wire.Field{Key: "metadata", Kind: jsonx.Object, Into: &metadata})
	} else {
		fields = append(fields, wire.Field{Key: "theme", Kind: jsonx.Object, Into: &theme})
	}
	if err := wire.Fields(body, wire.EnvelopeInvalid, nil, fields...); err != nil {
		return nil, err
	}
	m := &wire.CreateSurface{SurfaceID: id.Str, CatalogID: catalog.Str, Root: "root", Theme: theme,
		SendDataModel: send.Bool, Data: data, Metadata: metadata}
	if err := wire.CheckMetadata("/metadata", metadata, wire.EnvelopeInvalid); err != nil {
		return nil, err
	}
	if list.Kind == jsonx.Array {
		var err *wire.Problem
		if m.Components, err = c.decodeComponents(list); err != nil {
			err.Surface = id.Str
			return nil, err
		}
	}
	return m, nil
}

func (c *codec) decodeData(body wire.Member) (wire.Message, error) {
	var id, path, value jsonx.Value
	var has bool
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, text("surfaceId", &id),
		wire.Field{Key: "path", Kind: jsonx.String, Into: &path},
		wire.Field{Key: "value", Required: c.V1, Into: &value, Has: &has},
	)
	if err != nil {
		return nil, err
	}
	deletes := !has || c.V1 && value.Kind == jsonx.Null
	return &wire.UpdateData{SurfaceID: id.Str, Path: path.Str, Value: value, Delete: deletes}, nil
}

func (c *codec) decodeUpdate(body wire.Member) (wire.Message, error) {
	var id, list jsonx.Value
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, text("surfaceId", &id),
		wire.Field{Key: "components", Kind: jsonx.Array, Required: true, Into: &list},
	)
	if err != nil {
		return nil, err
	}
	components, problem := c.decodeComponents(list)
	if problem != nil {
		problem.Surface = id.Str
		return nil, problem
	}
	return &wire.UpdateComponents{SurfaceID: id.Str, Components: components}, nil
}

func (c *codec) decodeCallRenderer(body wire.Member) (wire.Message, error) {
	m := &wire.CallRenderer{}
	var id, function jsonx.Value
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, text("functionCallId", &id),
		wire.Field{Key: "callFunction", Kind: jsonx.Object, Required: true, Into: &function})
	if err != nil {
		return nil, err
	}
	if m.CallID = id.Str; function.At("catalogId").Text() == "" {
		return nil, wire.Bad(wire.EnvelopeInvalid, "/callFunction/catalogId", "callRendererFunction needs the catalog id of the function")
	}
	if m.Call, err = c.callFunction(function, wire.EnvelopeInvalid); err != nil {
		return nil, err
	}
	return m, nil
}

// callFunction reads the call of an envelope.
func (c *codec) callFunction(v jsonx.Value, code wire.Code) (wire.Call, error) {
	d := decoder{codec: c}
	call, ok := d.call(v)
	switch {
	case d.bad != nil:
		d.bad.Code, d.bad.Path = code, "/callFunction"+d.bad.Path
		return call, d.bad
	case !ok:
		return call, wire.Bad(code, "/callFunction", "callFunction holds %s, args and catalogId", c.Call)
	}
	return call, nil
}

// decodeReply reads the result of a call, of both directions.
func decodeReply(body wire.Member, code wire.Code) (*wire.Reply, error) {
	var id, value, fault, faultCode, message jsonx.Value
	var hasValue, failed bool
	err := wire.Fields(body, code, nil, text("functionCallId", &id),
		wire.Field{Key: "value", Into: &value, Has: &hasValue},
		wire.Field{Key: "error", Kind: jsonx.Object, Into: &fault, Has: &failed})
	if err == nil && hasValue == failed {
		err = wire.Bad(code, "", "%s holds a value or an error", body.Key)
	}
	if err != nil {
		return nil, err
	}
	m := &wire.Reply{CallID: id.Str, Value: value}
	if failed {
		err = wire.Fields(wire.Member{Key: "error", Value: fault}, code, nil, text("code", &faultCode), text("message", &message))
		if err != nil {
			return nil, err
		}
		m.Err = &wire.CallError{Code: faultCode.Str, Message: message.Str}
	}
	return m, nil
}

func (c *codec) decodeComponents(list jsonx.Value) ([]wire.Component, *wire.Problem) {
	out := make([]wire.Component, len(list.Items))
	for i, item := range list.Items {
		if err := c.decodeComponent(&out[i], item); err != nil {
			err.Component, err.Path = out[i].ID, "/components/"+strconv.Itoa(i)+err.Path
			return nil, err
		}
	}
	return out, nil
}

func (c *codec) decodeComponent(out *wire.Component, v jsonx.Value) *wire.Problem {
	if v.Kind != jsonx.Object {
		return wire.Bad(wire.EnvelopeInvalid, "", "a component is an object, not %s", v.Kind)
	}
	id, typ := v.At("id"), v.At("component")
	if out.ID, out.Type = id.Text(), typ.Text(); id.Kind != jsonx.String {
		return wire.Bad(wire.EnvelopeInvalid, "/id", "a component needs an id")
	}
	if typ.Kind != jsonx.String {
		return wire.Bad(wire.EnvelopeInvalid, "/component", "a component needs its type as a text")
	}
	d := decoder{codec: c}
	for _, m := range v.Members {
		switch m.Key {
		case "id", "component":
			continue
		case "weight":
			if f, ok := m.Value.Float(); ok && f != 0 {
				out.Weight = f
				continue
			}
		case c.CatalogID:
			if m.Value.Text() == "" {
				return wire.Bad(wire.ComponentProperty, "/"+m.Key, "%s must be a text, and not empty", m.Key)
			}
			out.CatalogID = m.Value.Str
			continue
		}
		name, ok := c.swap(m.Key)
		if !ok {
			return reservedKey(m.Key)
		}
		out.Props = append(out.Props, wire.Prop{Name: name, Value: d.property(out.Type, name, m.Value)})
		if d.bad != nil {
			d.bad.Path = "/" + m.Key + d.bad.Path
			return d.bad
		}
	}
	return nil
}

func reservedKey(key string) *wire.Problem {
	p := wire.Bad(wire.ComponentProperty, "/"+key, "the key %q is reserved", key)
	p.Hint = "a key of your own that begins with @ is written with @@"
	return p
}
