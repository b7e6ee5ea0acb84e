package plain

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// decode reads the body of a server message; the version member was read before.
func (c *codec) decode(v jsonx.Node) (wire.Message, error) {
	body, err := wire.Body(v, "version", wire.EnvelopeInvalid)
	if err != nil {
		return nil, err
	}
	if c.mid != nil && v.At("version").Text() == c.Versions[1] {
		c = c.mid
	}
	switch body.Key {
	case "updateComponents":
		return c.decodeUpdate(body)
	case "updateDataModel":
		return c.decodeData(body)
	case "createSurface":
		return c.decodeCreate(body)
	case "deleteSurface":
		var id jsonx.Node
		if err := wire.Fields(body, wire.EnvelopeInvalid, nil, text("surfaceId", &id)); err != nil {
			return nil, err
		}
		return &wire.DeleteSurface{SurfaceID: id.Text()}, nil
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
func text(key string, into *jsonx.Node) wire.Field {
	return wire.Field{Key: key, Kind: jsonx.String, Required: true, Into: into}
}

func (c *codec) decodeCreate(body wire.Part) (wire.Message, error) {
	var id, catalog, send, theme, list, data, metadata jsonx.Node
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
	m := &wire.CreateSurface{SurfaceID: id.Text(), CatalogID: catalog.Text(), Root: "root", Theme: theme.Value(),
		SendDataModel: send.Bool(), Data: data.Value(), Metadata: metadata.Value()}
	if err := wire.CheckMetadata("/metadata", m.Metadata, wire.EnvelopeInvalid); err != nil {
		return nil, err
	}
	if list.Kind() == jsonx.Array {
		var err *wire.Problem
		if m.Components, err = c.decodeComponents(list); err != nil {
			err.Surface = m.SurfaceID
			return nil, err
		}
	}
	return m, nil
}

func (c *codec) decodeData(body wire.Part) (wire.Message, error) {
	var id, path, value jsonx.Node
	var has bool
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, text("surfaceId", &id),
		wire.Field{Key: "path", Kind: jsonx.String, Into: &path},
		wire.Field{Key: "value", Required: c.V1, Into: &value, Has: &has},
	)
	if err != nil {
		return nil, err
	}
	deletes := !has || c.V1 && value.Kind() == jsonx.Null
	return &wire.UpdateData{SurfaceID: id.Text(), Path: path.Text(), Value: value.Value(), Delete: deletes}, nil
}

func (c *codec) decodeUpdate(body wire.Part) (wire.Message, error) {
	var id, list jsonx.Node
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, text("surfaceId", &id),
		wire.Field{Key: "components", Kind: jsonx.Array, Required: true, Into: &list},
	)
	if err != nil {
		return nil, err
	}
	components, problem := c.decodeComponents(list)
	if problem != nil {
		problem.Surface = id.Text()
		return nil, problem
	}
	return &wire.UpdateComponents{SurfaceID: id.Text(), Components: components}, nil
}

func (c *codec) decodeCallRenderer(body wire.Part) (wire.Message, error) {
	var id, function jsonx.Node
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, text("functionCallId", &id),
		wire.Field{Key: "callFunction", Kind: jsonx.Object, Required: true, Into: &function})
	if err != nil {
		return nil, err
	}
	m := &wire.CallRenderer{CallID: id.Text()}
	if _, has := function.Get("catalogId"); !has {
		return nil, wire.Bad(wire.EnvelopeInvalid, "/callFunction/catalogId", "callRendererFunction needs the catalog id of the function")
	}
	if m.Call, err = c.callFunction(function, wire.EnvelopeInvalid); err != nil {
		return nil, err
	}
	return m, nil
}

// callFunction reads the call of an envelope.
func (c *codec) callFunction(v jsonx.Node, code wire.Code) (wire.Call, error) {
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
func decodeReply(body wire.Part, code wire.Code) (*wire.Reply, error) {
	var id, value, fault, faultCode, message jsonx.Node
	var hasValue, failed bool
	err := wire.Fields(body, code, nil, text("functionCallId", &id),
		wire.Field{Key: "value", Into: &value, Has: &hasValue},
		wire.Field{Key: "error", Kind: jsonx.Object, Into: &fault, Has: &failed})
	if err == nil && hasValue == failed {
		err = wire.Bad(code, "/value", "%s holds either a value or an error", body.Key)
	}
	if err != nil {
		return nil, err
	}
	m := &wire.Reply{CallID: id.Text(), Value: value.Value()}
	if failed {
		err = wire.Fields(wire.Part{Key: "error", Value: fault}, code, nil, text("code", &faultCode), text("message", &message))
		if err != nil {
			return nil, err
		}
		m.Err = &wire.CallError{Code: faultCode.Text(), Message: message.Text()}
	}
	return m, nil
}

// decodeComponents reads the list; the properties of all its components lie in
// one list too.
func (c *codec) decodeComponents(list jsonx.Node) ([]wire.Component, *wire.Problem) {
	members := 0
	for e := list.Entries(); e.OK(); e = e.Next() {
		members += max(0, e.Value().Len()-2) // all but id and component
	}
	out := make([]wire.Component, list.Len())
	d := decoder{codec: c, props: make([]wire.Prop, members)}
	i := 0
	for e := list.Entries(); e.OK(); i, e = i+1, e.Next() {
		if err := d.component(&out[i], e.Value()); err != nil {
			err.Component, err.Path = out[i].ID, "/components/"+strconv.Itoa(i)+err.Path
			return nil, err
		}
	}
	return out, nil
}

func (d *decoder) component(out *wire.Component, v jsonx.Node) *wire.Problem {
	if v.Kind() != jsonx.Object {
		return wire.Bad(wire.EnvelopeInvalid, "", "a component is an object, not %s", v.Kind())
	}
	id, typ := head(v)
	if out.ID, out.Type = id.Text(), typ.Text(); id.Kind() != jsonx.String {
		return wire.Bad(wire.EnvelopeInvalid, "/id", "a component needs an id")
	}
	if typ.Kind() != jsonx.String {
		return wire.Bad(wire.EnvelopeInvalid, "/component", "a component needs its type as a text")
	}
	props := d.take(v.Len() - 2)
	for e := v.Entries(); e.OK(); e = e.Next() {
		key := e.Key()
		switch key {
		case "id", "component":
			continue
		case "weight":
			if f, ok := e.Value().Float(); ok && f != 0 {
				out.Weight = f
				continue
			}
		}
		if d.V1 && (key == d.CatalogID || d.plainToo && key == "catalogId") {
			out.CatalogID, d.bad = d.catalogID(e.Value())
		} else if name, ok := d.name(key, props); ok {
			props = append(props, wire.Prop{Name: name, Value: d.property(out.Type, name, e.Value())})
		} else {
			d.bad = reservedKey(key)
		}
		if d.bad != nil {
			d.bad.Path = jsonptr.Join(key) + d.bad.Path
			return d.bad
		}
	}
	if len(props) > 0 {
		out.Props = props
	}
	return nil
}

// head returns the id and the type of a component, which mostly stand in front.
func head(v jsonx.Node) (id, typ jsonx.Node) {
	for e := v.Entries(); e.OK(); e = e.Next() {
		switch e.Key() {
		case "id":
			id = e.Value()
		case "component":
			typ = e.Value()
		default:
			continue
		}
		if id != (jsonx.Node{}) && typ != (jsonx.Node{}) {
			break
		}
	}
	return id, typ
}

// take returns an empty list with room for n properties.
func (d *decoder) take(n int) []wire.Prop {
	if n > len(d.props) {
		return nil
	}
	out := d.props[:0:n]
	d.props = d.props[n:]
	return out
}

// name returns the neutral name of a member of a component; ok is false for a
// reserved key, and for one that stands in both its forms where both are read.
func (d *decoder) name(key string, before []wire.Prop) (name string, ok bool) {
	if name, ok = d.swap(key); !d.plainToo || !ok {
		return name, ok
	}
	if key != name && key[0] != '@' {
		name = key
	}
	return name, !slices.ContainsFunc(before, func(p wire.Prop) bool { return p.Name == name })
}

// catalogID reads the name of a catalog, of a component or a call.
func (d *decoder) catalogID(v jsonx.Node) (string, *wire.Problem) {
	switch {
	case v.Kind() != jsonx.String:
		return "", wire.Bad(wire.ComponentProperty, "", "the id of a catalog must be a text, not %s", v.Kind())
	case v.Text() == "":
		return "", wire.Bad(wire.ComponentCatalog, "", "there is no catalog with an empty id")
	}
	return v.Text(), nil
}

func reservedKey(key string) *wire.Problem {
	p := wire.Bad(wire.ComponentProperty, "", "the key %q is reserved", key)
	p.Hint = "a key of your own that begins with @ is written with @@"
	return p
}
