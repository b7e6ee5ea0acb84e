package jsonwire

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
		var got [len(deleteFields)]jsonx.Node
		if err := wire.Fields(body, wire.EnvelopeInvalid, nil, deleteFields[:], got[:]); err != nil {
			return nil, err
		}
		return &wire.DeleteSurface{SurfaceID: got[0].Text()}, nil
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

// The members of the messages. In createSurface the theme belongs to v0.9, and
// the members after it to v1.0.
var (
	deleteFields = [...]wire.Field{wire.NeedText("surfaceId")}
	createFields = [...]wire.Field{wire.NeedText("surfaceId"), {Key: "catalogId", Kind: jsonx.String},
		{Key: "sendDataModel", Kind: jsonx.Bool}, {Key: "theme", Kind: jsonx.Object},
		{Key: "components", Kind: jsonx.Array}, {Key: "dataModel", Kind: jsonx.Object},
		{Key: "metadata", Kind: jsonx.Object}}
	dataFields      = [...]wire.Field{wire.NeedText("surfaceId"), {Key: "path", Kind: jsonx.String}, {Key: "value"}}
	componentFields = [...]wire.Field{wire.NeedText("surfaceId"),
		{Key: "components", Kind: jsonx.Array, Required: true}}
	callFields = [...]wire.Field{wire.NeedText("functionCallId"),
		{Key: "callFunction", Kind: jsonx.Object, Required: true}}
	replyFields = [...]wire.Field{wire.NeedText("functionCallId"), {Key: "value"},
		{Key: "error", Kind: jsonx.Object}}
	failureFields = [...]wire.Field{wire.NeedText("code"), wire.NeedText("message")}
)

// parts are the messages of a version with their members.
func (c *codec) parts() map[string][]wire.Field {
	create := slices.Clone(createFields[:4])
	data := slices.Clone(dataFields[:])
	out := map[string][]wire.Field{"updateComponents": componentFields[:], "deleteSurface": deleteFields[:]}
	if c.V1 {
		create = append(create[:3], createFields[4:]...)
		out["callRendererFunction"], out["agentFunctionResponse"] = callFields[:], replyFields[:]
	}
	create[1].Required, data[2].Required = !c.V1, c.V1
	out["createSurface"], out["updateDataModel"] = create, data
	return out
}

func (c *codec) decodeCreate(body wire.Part) (wire.Message, error) {
	var got [len(createFields)]jsonx.Node
	if err := wire.Fields(body, wire.EnvelopeInvalid, nil, createFields[:], got[:]); err != nil {
		return nil, err
	}
	for i, v := range got {
		if v.Found() && (c.V1 && i == 3 || !c.V1 && i > 3) {
			key := createFields[i].Key
			return nil, wire.Bad(wire.EnvelopeInvalid, "/"+key, "createSurface has an unknown member %q", key)
		}
	}
	if !c.V1 && !got[1].Found() {
		return nil, wire.Bad(wire.EnvelopeInvalid, "/catalogId", "createSurface lacks catalogId")
	}
	if got[1].Found() && got[1].Text() == "" {
		return nil, wire.Bad(wire.BeginCatalog, "/catalogId", "there is no catalog with an empty id")
	}
	m := &wire.CreateSurface{SurfaceID: got[0].Text(), CatalogID: got[1].Text(), Root: "root",
		SendDataModel: got[2].Bool(),
		Theme:         got[3].Value(), Data: got[5].Value(), Metadata: got[6].Value()}
	if err := wire.CheckMetadata("/metadata", m.Metadata, wire.EnvelopeInvalid); err != nil {
		return nil, err
	}
	if got[4].Found() {
		var err *wire.Problem
		if m.Components, err = c.decodeComponents(got[4]); err != nil {
			err.Surface = m.SurfaceID
			return nil, err
		}
	}
	return m, nil
}

func (c *codec) decodeData(body wire.Part) (wire.Message, error) {
	var got [len(dataFields)]jsonx.Node
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, dataFields[:], got[:])
	if err == nil && c.V1 && !got[2].Found() {
		err = wire.Bad(wire.EnvelopeInvalid, "/value", "updateDataModel lacks value; null deletes")
	}
	if err != nil {
		return nil, err
	}
	deletes := !got[2].Found() || c.V1 && got[2].Kind() == jsonx.Null
	return &wire.UpdateData{SurfaceID: got[0].Text(), Path: got[1].Text(), Value: got[2].Value(), Delete: deletes}, nil
}

func (c *codec) decodeUpdate(body wire.Part) (wire.Message, error) {
	var got [len(componentFields)]jsonx.Node
	if err := wire.Fields(body, wire.EnvelopeInvalid, nil, componentFields[:], got[:]); err != nil {
		return nil, err
	}
	components, problem := c.decodeComponents(got[1])
	if problem != nil {
		problem.Surface = got[0].Text()
		return nil, problem
	}
	return &wire.UpdateComponents{SurfaceID: got[0].Text(), Components: components}, nil
}

func (c *codec) decodeCallRenderer(body wire.Part) (wire.Message, error) {
	var got [len(callFields)]jsonx.Node
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, callFields[:], got[:])
	if err != nil {
		return nil, err
	}
	m := &wire.CallRenderer{CallID: got[0].Text()}
	if !got[1].At("catalogId").Found() {
		return nil, wire.Bad(wire.EnvelopeInvalid, "/callFunction/catalogId",
			"callRendererFunction needs the catalog id of the function")
	}
	if m.Call, err = c.callFunction(got[1], wire.EnvelopeInvalid); err != nil {
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
		bad := d.fault(v)
		bad.Code, bad.Path = code, "/callFunction"+bad.Path
		return call, bad
	case !ok:
		return call, wire.Bad(code, "/callFunction", "callFunction holds %s, args and catalogId", c.Call)
	}
	return call, nil
}

// decodeReply reads the result of a call, of both directions.
func decodeReply(body wire.Part, code wire.Code) (*wire.Reply, error) {
	var got [len(replyFields)]jsonx.Node
	err := wire.Fields(body, code, nil, replyFields[:], got[:])
	if err == nil && got[1].Found() == got[2].Found() {
		err = wire.Bad(code, "/value", "%s holds either a value or an error", body.Key)
	}
	if err != nil {
		return nil, err
	}
	m := &wire.Reply{CallID: got[0].Text(), Value: got[1].Value()}
	if got[2].Found() {
		var failure [len(failureFields)]jsonx.Node
		part := wire.Part{Key: "error", Value: got[2]}
		if err := wire.Fields(part, code, nil, failureFields[:], failure[:]); err != nil {
			return nil, err
		}
		m.Err = &wire.CallError{Code: failure[0].Text(), Message: failure[1].Text()}
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
	members += members / 4 // and some of calls and contexts
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
	props := d.take(max(0, v.Len()-2))
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
			bad := d.fault(e.Value())
			bad.Path = jsonptr.Join(key) + bad.Path
			return bad
		}
	}
	if len(props) > 0 {
		out.Props = props
	}
	return nil
}

// head returns the id and the type of a component, which usually come first.
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

// take returns an empty list with room for n properties, out of a larger one.
func (d *decoder) take(n int) []wire.Prop {
	if n > len(d.props) {
		d.props = make([]wire.Prop, max(n, spare))
	}
	out := d.props[:0:n]
	d.props = d.props[n:]
	return out
}

// name returns the neutral name of a member of a component; ok is false for a
// reserved key, and for one that is in both its forms where both are read.
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
