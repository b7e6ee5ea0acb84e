package jsonwire

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// decoder reads the values of components and calls; bad is the first fault below
// a property, its path leads from at.
type decoder struct {
	*codec
	bad   *wire.Problem
	at    jsonx.Node
	props []wire.Prop // room for what follows
	texts []string    // the same, for references
}

// spare is how many properties or references are made at once.
const spare = 16

// refs returns an empty list with room for n references, out of a larger one.
func (d *decoder) refs(n int) wire.Refs {
	if n > len(d.texts) {
		d.texts = make([]string, max(n, spare))
	}
	out := d.texts[:0:n]
	d.texts = d.texts[n:]
	return out
}

// property reads a property by its name where the name implies a structure, and
// else by the shape of the value.
func (d *decoder) property(typ, name string, v jsonx.Node) wire.Value {
	var out wire.Value
	switch name {
	case "child", "trigger", "content":
		if v.Kind() == jsonx.String && (name == "child" || typ == "Modal") {
			out = wire.Ref(v.Text())
		}
	case "children":
		out = d.children(v)
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
			out = literal(v)
		}
	}
	if out == nil {
		out = d.value(v)
	}
	return out
}

// literal is a value as it is.
func literal(v jsonx.Node) wire.Value {
	switch v.Kind() {
	case jsonx.String:
		return wire.String(v.Text())
	case jsonx.Bool:
		return wire.Bool(v.Bool())
	}
	return wire.Literal{Data: v.Value()}
}

// value reads a literal, a binding, a call or a list of them.
func (d *decoder) value(v jsonx.Node) wire.Value {
	kind := v.Kind()
	if kind != jsonx.Object && kind != jsonx.Array {
		return literal(v)
	}
	if e := v.Entries(); kind == jsonx.Object && v.Len() == 1 && e.Key() == d.Path && e.Value().Kind() == jsonx.String {
		return wire.Path(e.Value().Text())
	}
	if d.isPlain(v) {
		return literal(v)
	}
	if kind == jsonx.Array {
		list := make(wire.List, 0, v.Len())
		for e := v.Entries(); e.OK(); e = e.Next() {
			list = append(list, d.value(e.Value()))
		}
		if slices.ContainsFunc(list, wire.Computed) {
			return list
		}
		return d.unescaped(v)
	}
	if c, ok := d.call(v); ok {
		return c
	}
	if members := d.members(v); slices.ContainsFunc(members, func(p wire.Prop) bool { return wire.Computed(p.Value) }) {
		return wire.Object(members)
	}
	return d.unescaped(v)
}

// isPlain reports that nothing in an array or object can mean more than it says.
func (d *decoder) isPlain(v jsonx.Node) bool {
	if d.Reserved {
		return !v.HasText("", "", '@')
	}
	return !v.HasText(d.Path, d.Call, 0)
}

// unescaped is plain data whose keys were checked before.
func (d *decoder) unescaped(v jsonx.Node) wire.Value {
	data := v.Value()
	if d.Reserved {
		unescapeKeys(data)
	}
	return wire.Literal{Data: data}
}

func unescapeKeys(v jsonx.Value) {
	for i := range v.Items {
		unescapeKeys(v.Items[i])
	}
	for i := range v.Members {
		m := &v.Members[i]
		m.Key, _ = unescape(m.Key)
		unescapeKeys(m.Value)
	}
}

func (d *decoder) call(v jsonx.Node) (c wire.Call, ok bool) {
	name, found := v.Get(d.Call)
	if !found || name.Kind() != jsonx.String {
		return c, false
	}
	var args jsonx.Node
	for e := v.Entries(); e.OK(); e = e.Next() {
		key, value := e.Key(), e.Value()
		switch {
		case key == d.Call:
		case key == "args" && value.Kind() == jsonx.Object:
			args = value
		case key == "returnType" && !d.V1 && value.Text() != "":
			c.ReturnType = value.Text()
		case key == "catalogId" && d.V1:
			var bad *wire.Problem
			if c.CatalogID, bad = d.catalogID(value); bad != nil && d.bad == nil {
				bad.Path = "/catalogId"
				d.bad, d.at = bad, v
			}
		default:
			return c, false
		}
	}
	c.Func = name.Text()
	if args.Kind() == jsonx.Object {
		c.Args = d.members(args)
	}
	return c, true
}

// fault returns bad with its path from the value that was read.
func (d *decoder) fault(from jsonx.Node) *wire.Problem {
	path, _ := pathTo(from, d.at)
	d.bad.Path = path + d.bad.Path
	return d.bad
}

// pathTo is the pointer from a value to one inside it.
func pathTo(from, to jsonx.Node) (path string, found bool) {
	if from == to {
		return "", true
	}
	i := 0
	for e := from.Entries(); e.OK(); i, e = i+1, e.Next() {
		if path, found = pathTo(e.Value(), to); !found {
			continue
		}
		if from.Kind() == jsonx.Array {
			return "/" + strconv.Itoa(i) + path, true
		}
		return jsonptr.Join(e.Key()) + path, true
	}
	return "", false
}

// members reads the members of an object below a property.
func (d *decoder) members(v jsonx.Node) []wire.Prop {
	list := d.take(v.Len())
	for e := v.Entries(); e.OK(); e = e.Next() {
		key, ok := e.Key(), true
		if d.Reserved {
			key, ok = unescape(key)
		}
		if !ok && d.bad == nil {
			d.bad, d.at = reservedKey(key), v
			d.bad.Path = jsonptr.Join(key)
		}
		list = append(list, wire.Prop{Name: key, Value: d.value(e.Value())})
	}
	return list
}

func (d *decoder) children(v jsonx.Node) wire.Value {
	switch v.Kind() {
	case jsonx.Array:
		refs := d.refs(v.Len())
		for e := v.Entries(); e.OK(); e = e.Next() {
			if e.Value().Kind() != jsonx.String {
				return nil
			}
			refs = append(refs, e.Value().Text())
		}
		return refs
	case jsonx.Object:
		id, path := v.At("componentId"), v.At("path")
		if v.Len() == 2 && id.Kind() == jsonx.String && path.Kind() == jsonx.String {
			return wire.Template{Component: id.Text(), Path: path.Text()}
		}
	}
	return nil
}

// pair reads two members of an item of a list: the second is a text, and may be
// missing if optional. ok is false for another shape.
func pair(item jsonx.Node, first, second string, optional bool) (a jsonx.Node, b string, ok bool) {
	a, okA := item.Get(first)
	text, okB := item.Get(second)
	switch {
	case !okA:
	case okB && item.Len() == 2 && text.Kind() == jsonx.String:
		return a, text.Text(), !optional || text.Text() != ""
	case optional && item.Len() == 1:
		return a, "", true
	}
	return a, "", false
}

func (d *decoder) tabs(v jsonx.Node) wire.Value {
	return pairs[wire.Tabs](v, "title", "child", false, func(title jsonx.Node, child string) wire.Tab {
		return wire.Tab{Title: d.value(title), Child: child}
	})
}

func (d *decoder) options(v jsonx.Node) wire.Value {
	return pairs[wire.Options](v, "label", "value", false, func(label jsonx.Node, value string) wire.Option {
		return wire.Option{Label: d.value(label), Value: value}
	})
}

func (d *decoder) checks(v jsonx.Node) wire.Value {
	return pairs[wire.Checks](v, "condition", "message", d.V1, func(condition jsonx.Node, message string) wire.Check {
		return wire.Check{Condition: d.value(condition), Message: message}
	})
}

// pairs reads a list of objects with two members, the second a text; nil for another
// shape.
func pairs[L interface {
	~[]T
	wire.Value
}, T any](v jsonx.Node, first, second string, optional bool, item func(jsonx.Node, string) T) wire.Value {
	if v.Kind() != jsonx.Array {
		return nil
	}
	list := make(L, 0, v.Len())
	for e := v.Entries(); e.OK(); e = e.Next() {
		a, b, ok := pair(e.Value(), first, second, optional)
		if !ok {
			return nil
		}
		list = append(list, item(a, b))
	}
	return list
}

func (d *decoder) action(v jsonx.Node) wire.Value {
	e := v.Entries()
	if v.Len() != 1 || !e.OK() {
		return nil
	}
	switch e.Key() {
	case "functionCall":
		if c, ok := d.call(e.Value()); ok {
			return wire.Local{Call: c}
		}
	case "event":
		return d.event(e.Value())
	}
	return nil
}

// event returns nil for another shape.
func (d *decoder) event(v jsonx.Node) wire.Value {
	name := v.At("name")
	if name.Kind() != jsonx.String {
		return nil
	}
	out := wire.Event{Name: name.Text()}
	for e := v.Entries(); e.OK(); e = e.Next() {
		switch key := e.Key(); {
		case key == "name":
		case key == "context" && e.Value().Kind() == jsonx.Object:
			out.Context = d.members(e.Value())
		case key == "userMessage" && d.V1:
			out.UserMessage = d.value(e.Value())
		default:
			return nil
		}
	}
	return out
}
