package v08

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

func decode(v jsonx.Value) (wire.Message, error) {
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
		var id jsonx.Value
		if err := wire.Fields(body, wire.EnvelopeInvalid, nil, surfaceID(&id)); err != nil {
			return nil, err
		}
		return &wire.DeleteSurface{SurfaceID: id.Str}, nil
	case "userAction", "error":
		return nil, wire.Bad(wire.EnvelopeClientMessage, "", "%s is a message from the client", body.Key)
	}
	return nil, wire.Bad(wire.EnvelopeInvalid, "", "unknown message %q", body.Key)
}

func surfaceID(into *jsonx.Value) wire.Field {
	return wire.Field{Key: "surfaceId", Kind: jsonx.String, Required: true, Into: into}
}

func decodeBegin(body wire.Member) (wire.Message, error) {
	var id, root, catalog, styles jsonx.Value
	err := wire.Fields(body, wire.EnvelopeInvalid, nil, surfaceID(&id),
		wire.Field{Key: "root", Kind: jsonx.String, Into: &root},
		wire.Field{Key: "catalogId", Kind: jsonx.String, Into: &catalog},
		wire.Field{Key: "styles", Kind: jsonx.Object, Into: &styles},
	)
	if err == nil && root.Str == "" {
		err = &wire.Problem{Code: wire.BeginMissingRoot, Surface: id.Str, Path: "/root", Message: "beginRendering lacks root"}
	}
	if err != nil {
		return nil, err
	}
	return &wire.CreateSurface{SurfaceID: id.Str, Root: root.Str, CatalogID: catalog.Str, Theme: styles}, nil
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
			err.Surface, err.Component = id.Str, m.Components[i].ID
			err.Path = "/components/" + strconv.Itoa(i) + err.Path
			return nil, err
		}
	}
	return m, nil
}

func decodeComponent(c *wire.Component, v jsonx.Value) *wire.Problem {
	if v.Kind != jsonx.Object {
		return wire.Bad(wire.EnvelopeInvalid, "", "a component is an object, not %s", v.Kind)
	}
	var wrapper jsonx.Value
	for _, m := range v.Members {
		switch {
		case m.Key == "id" && m.Value.Kind == jsonx.String:
			c.ID = m.Value.Str
		case m.Key == "component" && m.Value.Kind == jsonx.Object:
			wrapper = m.Value
		case m.Key == "weight" && m.Value.Kind == jsonx.Number:
			c.Weight, _ = m.Value.Float()
		default:
			return wire.Bad(wire.EnvelopeInvalid, "/"+m.Key, "the member %q is unknown or has the wrong type", m.Key)
		}
	}
	if _, ok := v.Get("id"); !ok {
		return wire.Bad(wire.EnvelopeInvalid, "/id", "a component needs an id")
	}
	if len(wrapper.Members) != 1 || wrapper.Members[0].Value.Kind != jsonx.Object {
		return wire.Bad(wire.EnvelopeInvalid, "/component", "component must hold exactly one type with its properties")
	}
	return decodeProps(c, wrapper.Members[0])
}

func decodeProps(c *wire.Component, typed jsonx.Member) *wire.Problem {
	c.Type = typed.Key
	def := byWire[typed.Key]
	if def == nil && byName[typed.Key] != nil {
		return wire.Bad(wire.ComponentUnknown, "/component", "v0.8 has no %s; it is called %s", typed.Key, byName[typed.Key].wire)
	}
	if def == nil {
		for _, m := range typed.Value.Members {
			c.Props = append(c.Props, wire.Prop{Name: m.Key, Value: foreignValue(m.Key, m.Value)})
		}
		return nil
	}
	c.Type = def.name
	several := def.wire == "MultipleChoice"
	for _, m := range typed.Value.Members {
		row := def.written(m.Key)
		if row == nil {
			return wire.Bad(wire.ComponentProperty, "/component/"+m.Key, "v0.8 %s has no property %s", def.wire, m.Key)
		}
		prop := wire.Prop{Name: row.def.Name, Value: decodeForm(row, m.Value)}
		if row.form == single {
			if n, ok := m.Value.Int(); ok && n == 1 {
				several, prop.Value = false, wire.String("mutuallyExclusive")
			} else {
				prop = wire.Prop{Name: row.wire, Value: decodePlain(m.Value)}
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
func decodeForm(row *property, v jsonx.Value) wire.Value {
	var out wire.Value
	switch row.form {
	case bound:
		out = decodeBound(v)
	case plain:
		return decodePlain(v)
	case child:
		if v.Kind == jsonx.String {
			out = wire.Ref(v.Str)
		}
	case children:
		out = decodeChildren(v)
	case tabs:
		out = decodeTabs(v)
	case options:
		out = decodeOptions(v)
	case action:
		out = decodeAction(v)
	case primary:
		if v.Kind == jsonx.Bool {
			out = wire.String("default")
			if v.Bool {
				out = wire.String("primary")
			}
		}
	}
	if out == nil {
		out = wire.Literal{Data: v}
	}
	return out
}

// foreignValue reads a property of a component the table does not know.
func foreignValue(name string, v jsonx.Value) wire.Value {
	switch name {
	case "child":
		if v.Kind == jsonx.String {
			return wire.Ref(v.Str)
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
	return wire.Literal{Data: v}
}

func decodePlain(v jsonx.Value) wire.Value {
	switch v.Kind {
	case jsonx.String:
		if v.Str == "scale-down" {
			return wire.String("scaleDown")
		}
		return wire.String(v.Str)
	case jsonx.Bool:
		return wire.Bool(v.Bool)
	}
	return wire.Literal{Data: v}
}

// decodeBound returns nil for anything but one path or one literal.
func decodeBound(v jsonx.Value) wire.Value {
	if len(v.Members) != 1 {
		return nil
	}
	m := v.Members[0]
	switch {
	case m.Key == "path" && m.Value.Kind == jsonx.String:
		return wire.Path(m.Value.Str)
	case m.Key == "literalString" && m.Value.Kind == jsonx.String:
		return wire.String(m.Value.Str)
	case m.Key == "literalBoolean" && m.Value.Kind == jsonx.Bool:
		return wire.Bool(m.Value.Bool)
	case m.Key == "literalNumber" && m.Value.Kind == jsonx.Number, m.Key == "literalArray" && m.Value.Kind == jsonx.Array:
		return wire.Literal{Data: m.Value}
	}
	return nil
}

func decodeChildren(v jsonx.Value) wire.Value {
	if len(v.Members) != 1 {
		return nil
	}
	m := v.Members[0]
	switch {
	case m.Key == "explicitList" && m.Value.Kind == jsonx.Array:
		refs := make(wire.Refs, len(m.Value.Items))
		for i, item := range m.Value.Items {
			if item.Kind != jsonx.String {
				return nil
			}
			refs[i] = item.Str
		}
		return refs
	case m.Key == "template" && len(m.Value.Members) == 2:
		id, path := m.Value.At("componentId"), m.Value.At("dataBinding")
		if id.Kind == jsonx.String && path.Kind == jsonx.String {
			return wire.Template{Component: id.Str, Path: path.Str}
		}
	}
	return nil
}

// items reads a list of two-member objects whose first member is a bound text;
// ok is false when an item has another shape.
func items(v jsonx.Value, first, second string, each func(text wire.Value, other string)) (ok bool) {
	for _, item := range v.Items {
		text, other := decodeBound(item.At(first)), item.At(second)
		if text == nil || len(item.Members) != 2 || other.Kind != jsonx.String {
			return false
		}
		each(text, other.Str)
	}
	return v.Kind == jsonx.Array
}

func decodeTabs(v jsonx.Value) wire.Value {
	list := make(wire.Tabs, 0, len(v.Items))
	if !items(v, "title", "child", func(title wire.Value, child string) {
		list = append(list, wire.Tab{Title: title, Child: child})
	}) {
		return nil
	}
	return list
}

func decodeOptions(v jsonx.Value) wire.Value {
	list := make(wire.Options, 0, len(v.Items))
	if !items(v, "label", "value", func(label wire.Value, value string) {
		list = append(list, wire.Option{Label: label, Value: value})
	}) {
		return nil
	}
	return list
}

func decodeAction(v jsonx.Value) wire.Value {
	name, context := v.At("name"), v.At("context")
	if name.Kind != jsonx.String {
		return nil
	}
	e := wire.Event{Name: name.Str}
	if len(v.Members) == 1 {
		return e
	}
	if context.Kind != jsonx.Array || len(v.Members) != 2 {
		return nil
	}
	e.Context = make([]wire.Prop, 0, len(context.Items))
	for _, item := range context.Items {
		key, value := item.At("key"), decodeBound(item.At("value"))
		if key.Kind != jsonx.String || value == nil || len(item.Members) != 2 {
			return nil
		}
		e.Context = append(e.Context, wire.Prop{Name: key.Str, Value: value})
	}
	return e
}
