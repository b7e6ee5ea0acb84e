package v08

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

func decode(v jsonx.Node) (wire.Message, error) {
	body, err := wire.Body(v, "", wire.EnvelopeInvalid)
	if err != nil {
		return nil, err
	}
	switch body.Key {
	case "beginRendering":
		return decodeBegin(body)
	case "surfaceUpdate":
		return decodeComponents(body)
	case "dataModelUpdate":
		return decodeData(body)
	case "deleteSurface":
		var got [len(deleteFields)]jsonx.Node
		if err := wire.Fields(body, wire.EnvelopeInvalid, nil, deleteFields[:], got[:]); err != nil {
			return nil, err
		}
		return &wire.DeleteSurface{SurfaceID: got[0].Text()}, nil
	case "userAction", "error":
		return nil, wire.Bad(wire.EnvelopeClientMessage, "", "%s is a message from the client", body.Key)
	}
	return nil, wire.Bad(wire.EnvelopeInvalid, "", "unknown message %q", body.Key)
}

// The members of the messages.
var (
	deleteFields = [...]wire.Field{wire.NeedText("surfaceId")}
	beginFields  = [...]wire.Field{wire.NeedText("surfaceId"), {Key: "root", Kind: jsonx.String},
		{Key: "catalogId", Kind: jsonx.String},
		{Key: "styles", Kind: jsonx.Object}}
	componentFields = [...]wire.Field{wire.NeedText("surfaceId"),
		{Key: "components", Kind: jsonx.Array, Required: true}}
)

func decodeBegin(body wire.Part) (wire.Message, error) {
	var got [len(beginFields)]jsonx.Node
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, beginFields[:], got[:])
	if err == nil && got[1].Text() == "" {
		err = &wire.Problem{Code: wire.BeginMissingRoot, Surface: got[0].Text(), Path: "/root",
			Message: "beginRendering lacks root"}
	}
	if err != nil {
		return nil, err
	}
	return &wire.CreateSurface{SurfaceID: got[0].Text(), Root: got[1].Text(), CatalogID: got[2].Text(),
		Theme: got[3].Value()}, nil
}

func decodeComponents(body wire.Part) (wire.Message, error) {
	var got [len(componentFields)]jsonx.Node
	if err := wire.Fields(body, wire.EnvelopeInvalid, nil, componentFields[:], got[:]); err != nil {
		return nil, err
	}
	id, list := got[0], got[1]
	m := &wire.UpdateComponents{SurfaceID: id.Text(), Components: make([]wire.Component, list.Len())}
	i := 0
	for e := list.Entries(); e.OK(); i, e = i+1, e.Next() {
		if err := decodeComponent(&m.Components[i], e.Value()); err != nil {
			err.Surface, err.Component = id.Text(), m.Components[i].ID
			err.Path = "/components/" + strconv.Itoa(i) + err.Path
			return nil, err
		}
	}
	return m, nil
}

func decodeComponent(c *wire.Component, v jsonx.Node) *wire.Problem {
	if v.Kind() != jsonx.Object {
		return wire.Bad(wire.EnvelopeInvalid, "", "a component is an object, not %s", v.Kind())
	}
	var wrapper jsonx.Node
	for e := v.Entries(); e.OK(); e = e.Next() {
		key, value := e.Key(), e.Value()
		switch {
		case key == "id" && value.Kind() == jsonx.String:
			c.ID = value.Text()
		case key == "component" && value.Kind() == jsonx.Object:
			wrapper = value
		case key == "weight" && value.Kind() == jsonx.Number:
			c.Weight, _ = value.Float()
		default:
			return wire.Bad(wire.EnvelopeInvalid, jsonptr.Join(key), "the member %q is unknown or has the wrong type",
				key)
		}
	}
	if _, ok := v.Get("id"); !ok {
		return wire.Bad(wire.EnvelopeInvalid, "/id", "a component needs an id")
	}
	typed := wrapper.Entries()
	if wrapper.Len() != 1 || !typed.OK() || typed.Value().Kind() != jsonx.Object {
		return wire.Bad(wire.EnvelopeInvalid, "/component", "component must hold exactly one type with its properties")
	}
	return decodeProps(c, typed.Key(), typed.Value())
}

func decodeProps(c *wire.Component, typ string, props jsonx.Node) *wire.Problem {
	c.Type = typ
	def := byWire[typ]
	if def == nil && byName[typ] != nil {
		return wire.Bad(wire.ComponentUnknown, "/component", "v0.8 has no %s; it is called %s", typ, byName[typ].wire)
	}
	if props.Len() > 0 {
		c.Props = make([]wire.Prop, 0, props.Len()+1)
	}
	if def == nil {
		for e := props.Entries(); e.OK(); e = e.Next() {
			c.Props = append(c.Props, wire.Prop{Name: e.Key(), Value: foreignValue(e.Key(), e.Value())})
		}
		return nil
	}
	c.Type = def.name
	several := def.wire == "MultipleChoice"
	for e := props.Entries(); e.OK(); e = e.Next() {
		key, value := e.Key(), e.Value()
		row := def.written(key)
		if row == nil {
			if def.named(key) != nil || def.later(key) {
				return wire.Bad(wire.ComponentProperty, "/component"+jsonptr.Join(def.wire, key),
					"v0.8 %s has no property %s", def.wire, key)
			}
			c.Props = append(c.Props, wire.Prop{Name: key, Value: foreignValue(key, value)})
			continue
		}
		prop := wire.Prop{Name: row.def.Name, Value: decodeForm(row, value)}
		if row.form == single {
			if n, ok := value.Value().Int(); ok && n == 1 {
				several, prop.Value = false, wire.String("mutuallyExclusive")
			} else {
				prop = wire.Prop{Name: row.wire, Value: decodePlain(value)}
			}
		}
		c.Props = append(c.Props, prop)
	}
	if several {
		c.Props = append(c.Props, wire.Prop{Name: "variant", Value: wire.String("multipleSelection")})
	}
	return nil
}

// decodeForm reads a property by its form; what has another shape is a Literal.
func decodeForm(row *property, v jsonx.Node) wire.Value {
	var out wire.Value
	switch row.form {
	case bound:
		out = decodeBound(v)
	case plain:
		return decodePlain(v)
	case child:
		if v.Kind() == jsonx.String {
			out = wire.Ref(v.Text())
		}
	case children:
		out = decodeChildren(v)
	case tabs:
		out = pairs[wire.Tabs](v, "title", "child", func(title wire.Value, child string) wire.Tab {
			return wire.Tab{Title: title, Child: child}
		})
	case options:
		out = pairs[wire.Options](v, "label", "value", func(label wire.Value, value string) wire.Option {
			return wire.Option{Label: label, Value: value}
		})
	case action:
		out = decodeAction(v)
	case primary:
		if v.Kind() == jsonx.Bool {
			out = wire.String("default")
			if v.Bool() {
				out = wire.String("primary")
			}
		}
	}
	if out == nil {
		out = wire.Literal{Data: v.Value()}
	}
	return out
}

// foreignValue reads a property the table does not know.
func foreignValue(name string, v jsonx.Node) wire.Value {
	switch name {
	case "child":
		if v.Kind() == jsonx.String {
			return wire.Ref(v.Text())
		}
	case "children":
		if kids := decodeChildren(v); kids != nil {
			return kids
		}
	case "action":
		if a := decodeAction(v); a != nil {
			return a
		}
	}
	switch b := decodeBound(v).(type) {
	case wire.String, wire.Path, wire.Bool:
		return b
	}
	return wire.Literal{Data: v.Value()}
}

func decodePlain(v jsonx.Node) wire.Value {
	switch v.Kind() {
	case jsonx.String:
		if v.Text() == "scale-down" {
			return wire.String("scaleDown")
		}
		return wire.String(v.Text())
	case jsonx.Bool:
		return wire.Bool(v.Bool())
	}
	return wire.Literal{Data: v.Value()}
}

// decodeBound returns nil for anything but one path or one literal.
func decodeBound(v jsonx.Node) wire.Value {
	e := v.Entries()
	if v.Kind() != jsonx.Object || v.Len() != 1 || !e.OK() {
		return nil
	}
	key, value := e.Key(), e.Value()
	switch kind := value.Kind(); {
	case key == "path" && kind == jsonx.String:
		return wire.Path(value.Text())
	case key == "literalString" && kind == jsonx.String:
		return wire.String(value.Text())
	case key == "literalBoolean" && kind == jsonx.Bool:
		return wire.Bool(value.Bool())
	case key == "literalNumber" && kind == jsonx.Number, key == "literalArray" && kind == jsonx.Array:
		return wire.Literal{Data: value.Value()}
	}
	return nil
}

func decodeChildren(v jsonx.Node) wire.Value {
	e := v.Entries()
	if v.Kind() != jsonx.Object || v.Len() != 1 || !e.OK() {
		return nil
	}
	key, value := e.Key(), e.Value()
	switch {
	case key == "explicitList" && value.Kind() == jsonx.Array:
		refs := make(wire.Refs, 0, value.Len())
		for item := value.Entries(); item.OK(); item = item.Next() {
			if item.Value().Kind() != jsonx.String {
				return nil
			}
			refs = append(refs, item.Value().Text())
		}
		return refs
	case key == "template" && value.Len() == 2:
		id, path := value.At("componentId"), value.At("dataBinding")
		if id.Kind() == jsonx.String && path.Kind() == jsonx.String {
			return wire.Template{Component: id.Text(), Path: path.Text()}
		}
	}
	return nil
}

// pairs reads a list of objects of two members, the first of which is a bound text
// and the other a text; nil for another shape.
func pairs[L interface {
	~[]T
	wire.Value
}, T any](v jsonx.Node, first, second string, item func(text wire.Value, other string) T) wire.Value {
	if v.Kind() != jsonx.Array {
		return nil
	}
	list := make(L, 0, v.Len())
	for e := v.Entries(); e.OK(); e = e.Next() {
		text, other := decodeBound(e.Value().At(first)), e.Value().At(second)
		if text == nil || e.Value().Len() != 2 || other.Kind() != jsonx.String {
			return nil
		}
		list = append(list, item(text, other.Text()))
	}
	return list
}

func decodeAction(v jsonx.Node) wire.Value {
	name, context := v.At("name"), v.At("context")
	if name.Kind() != jsonx.String {
		return nil
	}
	out := wire.Event{Name: name.Text()}
	if v.Len() == 1 {
		return out
	}
	if context.Kind() != jsonx.Array || v.Len() != 2 {
		return nil
	}
	out.Context = make([]wire.Prop, 0, context.Len())
	for e := context.Entries(); e.OK(); e = e.Next() {
		key, value := e.Value().At("key"), decodeBound(e.Value().At("value"))
		if key.Kind() != jsonx.String || value == nil || e.Value().Len() != 2 {
			return nil
		}
		out.Context = append(out.Context, wire.Prop{Name: key.Text(), Value: value})
	}
	return out
}
