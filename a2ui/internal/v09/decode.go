package v09

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// decode reads the body of a server message; the version member was read before.
func decode(v jsonx.Value) (wire.Message, error) {
	body, err := wire.Body(v, "version", wire.EnvelopeInvalid)
	if err != nil {
		return nil, err
	}
	switch body.Key {
	case "createSurface":
		return decodeCreate(body)
	case "updateComponents":
		return decodeComponents(body)
	case "updateDataModel":
		return decodeData(body)
	case "deleteSurface":
		var id jsonx.Value
		if err := wire.Fields(body, wire.EnvelopeInvalid, nil, surfaceID(&id)); err != nil {
			return nil, err
		}
		return &wire.DeleteSurface{SurfaceID: id.Str}, nil
	case "action", "error":
		return nil, wire.Bad(wire.EnvelopeClientMessage, "", "%s is a message from the client", body.Key)
	}
	return nil, wire.Bad(wire.EnvelopeInvalid, "", "unknown message %q", body.Key)
}

func surfaceID(into *jsonx.Value) wire.Field {
	return wire.Field{Key: "surfaceId", Kind: jsonx.String, Required: true, Into: into}
}

func decodeCreate(body wire.Member) (wire.Message, error) {
	var id, catalog, theme, send jsonx.Value
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, surfaceID(&id),
		wire.Field{Key: "catalogId", Kind: jsonx.String, Required: true, Into: &catalog},
		wire.Field{Key: "theme", Kind: jsonx.Object, Into: &theme},
		wire.Field{Key: "sendDataModel", Kind: jsonx.Bool, Into: &send},
	)
	if err != nil {
		return nil, err
	}
	return &wire.CreateSurface{
		SurfaceID: id.Str, CatalogID: catalog.Str, Root: "root", Theme: theme, SendDataModel: send.Bool,
	}, nil
}

func decodeData(body wire.Member) (wire.Message, error) {
	var id, path, value jsonx.Value
	var has bool
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, surfaceID(&id),
		wire.Field{Key: "path", Kind: jsonx.String, Into: &path},
		wire.Field{Key: "value", Into: &value, Has: &has},
	)
	if err != nil {
		return nil, err
	}
	return &wire.UpdateData{SurfaceID: id.Str, Path: path.Str, Value: value, Delete: !has}, nil
}

func decodeComponents(body wire.Member) (wire.Message, error) {
	var id, list jsonx.Value
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, surfaceID(&id),
		wire.Field{Key: "components", Kind: jsonx.Array, Required: true, Into: &list},
	)
	if err != nil {
		return nil, err
	}
	m := &wire.UpdateComponents{SurfaceID: id.Str, Components: make([]wire.Component, len(list.Items))}
	for i, item := range list.Items {
		if err := decodeComponent(&m.Components[i], item); err != nil {
			err.Surface, err.Path = id.Str, "/components/"+strconv.Itoa(i)+err.Path
			return nil, err
		}
	}
	return m, nil
}

func decodeComponent(c *wire.Component, v jsonx.Value) *wire.Problem {
	if v.Kind != jsonx.Object {
		return wire.Bad(wire.EnvelopeInvalid, "", "a component is an object, not %s", v.Kind)
	}
	id, typ := v.At("id"), v.At("component")
	if c.ID, c.Type = id.Text(), typ.Text(); id.Kind != jsonx.String {
		return wire.Bad(wire.EnvelopeInvalid, "/id", "a component needs an id")
	}
	if typ.Kind != jsonx.String {
		p := wire.Bad(wire.EnvelopeInvalid, "/component", "a component needs its type as a text")
		p.Component = c.ID
		return p
	}
	for _, m := range v.Members {
		switch m.Key {
		case "id", "component":
			continue
		case "weight":
			if f, ok := m.Value.Float(); ok && f != 0 {
				c.Weight = f
				continue
			}
		}
		c.Props = append(c.Props, wire.Prop{Name: m.Key, Value: property(c.Type, m.Key, m.Value)})
	}
	return nil
}

// property reads a property by its name where the name tells a structure, and
// else by the shape of the value.
func property(typ, name string, v jsonx.Value) wire.Value {
	var out wire.Value
	switch name {
	case "child", "trigger", "content":
		if v.Kind == jsonx.String && (name == "child" || typ == "Modal") {
			out = wire.Ref(v.Str)
		}
	case "children":
		out = children(v)
	case "tabs":
		out = tabs(v)
	case "options":
		out = options(v)
	case "checks":
		out = checkList(v)
	case "action":
		out = action(v)
	}
	if out == nil {
		out = value(v)
	}
	return out
}

// value reads a literal, a binding, a call or a list of them.
func value(v jsonx.Value) wire.Value {
	switch v.Kind {
	case jsonx.String:
		return wire.String(v.Str)
	case jsonx.Bool:
		return wire.Bool(v.Bool)
	case jsonx.Object:
		if path, ok := v.Get("path"); ok && len(v.Members) == 1 && path.Kind == jsonx.String {
			return wire.Path(path.Str)
		}
		if c, ok := call(v); ok {
			return c
		}
		if members := props(v); slices.ContainsFunc(members, func(p wire.Prop) bool { return dynamic(p.Value) }) {
			return wire.Object(members)
		}
	case jsonx.Array:
		list := make(wire.List, len(v.Items))
		for i, item := range v.Items {
			list[i] = value(item)
		}
		if slices.ContainsFunc(list, dynamic) {
			return list
		}
	}
	return wire.Literal{Data: v}
}

// dynamic tells whether a client computes v.
func dynamic(v wire.Value) bool {
	switch v.(type) {
	case wire.Path, wire.Call, wire.List, wire.Object:
		return true
	}
	return false
}

func call(v jsonx.Value) (c wire.Call, ok bool) {
	name, found := v.Get("call")
	if !found || name.Kind != jsonx.String {
		return c, false
	}
	c.Func = name.Str
	for _, m := range v.Members {
		switch {
		case m.Key == "call":
		case m.Key == "args" && m.Value.Kind == jsonx.Object:
			c.Args = props(m.Value)
		case m.Key == "returnType" && m.Value.Text() != "":
			c.ReturnType = m.Value.Str
		default:
			return c, false
		}
	}
	return c, true
}

func props(v jsonx.Value) []wire.Prop {
	list := make([]wire.Prop, len(v.Members))
	for i, m := range v.Members {
		list[i] = wire.Prop{Name: m.Key, Value: value(m.Value)}
	}
	return list
}

func children(v jsonx.Value) wire.Value {
	switch v.Kind {
	case jsonx.Array:
		refs := make(wire.Refs, len(v.Items))
		for i, item := range v.Items {
			if item.Kind != jsonx.String {
				return nil
			}
			refs[i] = item.Str
		}
		return refs
	case jsonx.Object:
		id, path := v.At("componentId"), v.At("path")
		if len(v.Members) == 2 && id.Kind == jsonx.String && path.Kind == jsonx.String {
			return wire.Template{Component: id.Str, Path: path.Str}
		}
	}
	return nil
}

// pairs calls each with the two members of every item; false means some item
// has another shape.
func pairs(v jsonx.Value, first, second string, each func(a, b jsonx.Value)) bool {
	if v.Kind != jsonx.Array {
		return false
	}
	for _, item := range v.Items {
		a, okA := item.Get(first)
		b, okB := item.Get(second)
		if !okA || !okB || len(item.Members) != 2 || b.Kind != jsonx.String {
			return false
		}
		each(a, b)
	}
	return true
}

func tabs(v jsonx.Value) wire.Value {
	list := make(wire.Tabs, 0, len(v.Items))
	if !pairs(v, "title", "child", func(title, child jsonx.Value) {
		list = append(list, wire.Tab{Title: value(title), Child: child.Str})
	}) {
		return nil
	}
	return list
}

func options(v jsonx.Value) wire.Value {
	list := make(wire.Options, 0, len(v.Items))
	if !pairs(v, "label", "value", func(label, val jsonx.Value) {
		list = append(list, wire.Option{Label: value(label), Value: val.Str})
	}) {
		return nil
	}
	return list
}

func checkList(v jsonx.Value) wire.Value {
	list := make(wire.Checks, 0, len(v.Items))
	if !pairs(v, "condition", "message", func(condition, message jsonx.Value) {
		list = append(list, wire.Check{Condition: value(condition), Message: message.Str})
	}) {
		return nil
	}
	return list
}

func action(v jsonx.Value) wire.Value {
	if len(v.Members) != 1 {
		return nil
	}
	switch body := v.Members[0]; body.Key {
	case "functionCall":
		if c, ok := call(body.Value); ok {
			return wire.Local{Call: c}
		}
	case "event":
		name, context := body.Value.At("name"), body.Value.At("context")
		switch {
		case name.Kind != jsonx.String:
		case len(body.Value.Members) == 1:
			return wire.Event{Name: name.Str}
		case len(body.Value.Members) == 2 && context.Kind == jsonx.Object:
			return wire.Event{Name: name.Str, Context: props(context)}
		}
	}
	return nil
}
