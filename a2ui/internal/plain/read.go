package plain

import (
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// decoder reads the values of one component or call; bad is the first reserved
// key it met.
type decoder struct {
	*codec
	bad *wire.Problem
}

// property reads a property by its name where the name tells a structure, and
// else by the shape of the value.
func (d *decoder) property(typ, name string, v jsonx.Value) wire.Value {
	var out wire.Value
	switch name {
	case "child", "trigger", "content":
		if v.Kind == jsonx.String && (name == "child" || typ == "Modal") {
			out = wire.Ref(v.Str)
		}
	case "children":
		out = children(v)
	case "tabs":
		out = d.tabs(v)
	case "options":
		out = d.options(v)
	case "checks":
		out = d.checks(v)
	case "action":
		out = d.action(v)
	case "metadata":
		if d.V1 {
			out = scalar(v)
		}
	}
	if out == nil {
		out = d.value(v)
	}
	return out
}

func scalar(v jsonx.Value) wire.Value {
	switch v.Kind {
	case jsonx.String:
		return wire.String(v.Str)
	case jsonx.Bool:
		return wire.Bool(v.Bool)
	}
	return wire.Literal{Data: v}
}

// value reads a literal, a binding, a call or a list of them.
func (d *decoder) value(v jsonx.Value) wire.Value {
	switch v.Kind {
	case jsonx.Object:
		if path, ok := v.Get(d.Path); ok && len(v.Members) == 1 && path.Kind == jsonx.String {
			return wire.Path(path.Str)
		}
		if c, ok := d.call(v); ok {
			return c
		}
		if members := d.props(v); slices.ContainsFunc(members, func(p wire.Prop) bool { return dynamic(p.Value) }) {
			return wire.Object(members)
		}
		if d.Reserved {
			v = unescaped(v)
		}
	case jsonx.Array:
		list := make(wire.List, len(v.Items))
		for i, item := range v.Items {
			list[i] = d.value(item)
		}
		if slices.ContainsFunc(list, dynamic) {
			return list
		}
		if d.Reserved {
			v = unescaped(v)
		}
	}
	return scalar(v)
}

// unescaped copies plain data whose keys were checked before.
func unescaped(v jsonx.Value) jsonx.Value {
	v.Items, v.Members = slices.Clone(v.Items), slices.Clone(v.Members)
	for i := range v.Items {
		v.Items[i] = unescaped(v.Items[i])
	}
	for i := range v.Members {
		m := &v.Members[i]
		m.Key, _ = unescape(m.Key)
		m.Value = unescaped(m.Value)
	}
	return v
}

// dynamic tells whether a client computes v.
func dynamic(v wire.Value) bool {
	switch v.(type) {
	case wire.Path, wire.Call, wire.List, wire.Object:
		return true
	}
	return false
}

func (d *decoder) call(v jsonx.Value) (c wire.Call, ok bool) {
	name, found := v.Get(d.Call)
	if !found || name.Kind != jsonx.String {
		return c, false
	}
	for _, m := range v.Members {
		switch {
		case m.Key == d.Call:
		case m.Key == "args" && m.Value.Kind == jsonx.Object:
		case m.Key == "returnType" && !d.V1 && m.Value.Text() != "":
			c.ReturnType = m.Value.Str
		case m.Key == "catalogId" && d.V1 && m.Value.Text() != "":
			c.CatalogID = m.Value.Str
		default:
			return c, false
		}
	}
	c.Func = name.Str
	if args, has := v.Get("args"); has {
		c.Args = d.props(args)
	}
	return c, true
}

// props reads the members of an object below a property.
func (d *decoder) props(v jsonx.Value) []wire.Prop {
	list := make([]wire.Prop, len(v.Members))
	for i, m := range v.Members {
		key, ok := m.Key, true
		if d.Reserved {
			key, ok = unescape(key)
		}
		if !ok && d.bad == nil {
			d.bad = reservedKey(key)
		}
		list[i] = wire.Prop{Name: key, Value: d.value(m.Value)}
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

// pair calls each with two members of every item of a list: the second is a
// text, and may be missing if optional. false means some item has another shape.
func pair(v jsonx.Value, first, second string, optional bool, each func(a jsonx.Value, b string)) bool {
	if v.Kind != jsonx.Array {
		return false
	}
	for _, item := range v.Items {
		a, okA := item.Get(first)
		b, okB := item.Get(second)
		switch {
		case okA && okB && len(item.Members) == 2 && b.Kind == jsonx.String && (!optional || b.Str != ""):
		case okA && optional && len(item.Members) == 1:
		default:
			return false
		}
		each(a, b.Str)
	}
	return true
}

func (d *decoder) tabs(v jsonx.Value) wire.Value {
	list := make(wire.Tabs, 0, len(v.Items))
	if !pair(v, "title", "child", false, func(title jsonx.Value, child string) {
		list = append(list, wire.Tab{Title: d.value(title), Child: child})
	}) {
		return nil
	}
	return list
}

func (d *decoder) options(v jsonx.Value) wire.Value {
	list := make(wire.Options, 0, len(v.Items))
	if !pair(v, "label", "value", false, func(label jsonx.Value, value string) {
		list = append(list, wire.Option{Label: d.value(label), Value: value})
	}) {
		return nil
	}
	return list
}

func (d *decoder) checks(v jsonx.Value) wire.Value {
	list := make(wire.Checks, 0, len(v.Items))
	if !pair(v, "condition", "message", d.V1, func(condition jsonx.Value, message string) {
		list = append(list, wire.Check{Condition: d.value(condition), Message: message})
	}) {
		return nil
	}
	return list
}

func (d *decoder) action(v jsonx.Value) wire.Value {
	if len(v.Members) != 1 {
		return nil
	}
	body := v.Members[0]
	switch body.Key {
	case "functionCall":
		if c, ok := d.call(body.Value); ok {
			return wire.Local{Call: c}
		}
	case "event":
		return d.event(body.Value)
	}
	return nil
}

// event returns nil for another shape.
func (d *decoder) event(v jsonx.Value) wire.Value {
	e := wire.Event{}
	if e.Name = v.At("name").Text(); v.At("name").Kind != jsonx.String {
		return nil
	}
	for _, m := range v.Members {
		switch {
		case m.Key == "name":
		case m.Key == "context" && m.Value.Kind == jsonx.Object:
			e.Context = d.props(m.Value)
		case m.Key == "userMessage" && d.V1:
			e.UserMessage = d.value(m.Value)
		default:
			return nil
		}
	}
	return e
}
