package jsonwire

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// appendValue writes one value; ok is false for a nil or foreign one, and for
// one that this version has no room for or would read as another.
func (c *codec) appendValue(dst []byte, v wire.Value) (out []byte, ok bool) {
	switch v := v.(type) {
	case wire.String:
		return jsonx.AppendString(dst, string(v)), true
	case wire.Path:
		dst = append(jsonx.AppendString(append(dst, '{'), c.Path), ':')
		return append(jsonx.AppendString(dst, string(v)), '}'), true
	case wire.Ref:
		return jsonx.AppendString(dst, string(v)), true
	case wire.Refs:
		return jsonx.AppendStrings(dst, v), true
	case wire.Bool:
		return strconv.AppendBool(dst, bool(v)), true
	case wire.Literal:
		return c.appendLiteral(dst, v.Data)
	case wire.Template:
		dst = jsonx.AppendString(append(dst, `{"componentId":`...), v.Component)
		return append(jsonx.AppendString(append(dst, `,"path":`...), v.Path), '}'), true
	case wire.Event:
		return c.appendEvent(dst, v)
	case wire.Options:
		return wire.AppendEach(dst, v, c.appendOption)
	case wire.Call:
		return c.appendCall(dst, v)
	case wire.Local:
		dst, ok = c.appendCall(append(dst, `{"functionCall":`...), v.Call)
		return append(dst, '}'), ok
	case wire.Checks:
		return wire.AppendEach(dst, v, c.appendCheck)
	case wire.List:
		return wire.AppendEach(dst, v, c.appendValue)
	case wire.Object:
		if c.looksLikeCall(v) {
			return dst, false
		}
		return c.appendProps(dst, v)
	case wire.Tabs:
		return wire.AppendEach(dst, v, c.appendTab)
	}
	return dst, false
}

// appendRaw writes a value that this version neither binds nor escapes.
func appendRaw(dst []byte, v wire.Value) (out []byte, ok bool) {
	switch v := v.(type) {
	case wire.String:
		return jsonx.AppendString(dst, string(v)), true
	case wire.Bool:
		return strconv.AppendBool(dst, bool(v)), true
	case wire.Literal:
		return jsonx.Append(dst, v.Data), true
	}
	return dst, false
}

// appendLiteral writes plain data. Where no key is reserved, an object that
// would be read as a binding or a call cannot be written.
func (c *codec) appendLiteral(dst []byte, v jsonx.Value) (_ []byte, ok bool) {
	switch v.Kind {
	case jsonx.Array:
		return wire.AppendEach(dst, v.Items, c.appendLiteral)
	case jsonx.Object:
		if !c.Reserved && c.isDynamic(v) {
			return dst, false
		}
		dst = append(dst, '{')
		for i := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = c.appendKey(dst, v.Members[i].Key)
			if dst, ok = c.appendLiteral(dst, v.Members[i].Value); !ok {
				return dst, false
			}
		}
		return append(dst, '}'), true
	}
	return jsonx.Append(dst, v), true
}

// isDynamic reports whether an object of plain data has the shape of a binding or
// a call.
func (c *codec) isDynamic(v jsonx.Value) bool {
	if len(v.Members) == 1 && v.Members[0].Key == c.Path {
		return v.Members[0].Value.Kind == jsonx.String
	}
	named := false
	for i := range v.Members {
		m := &v.Members[i]
		switch {
		case m.Key == c.Call && m.Value.Kind == jsonx.String:
			named = true
		case m.Key == "args" && m.Value.Kind == jsonx.Object:
		case m.Key == "returnType" && !c.V1 && m.Value.Text() != "":
		case m.Key == "catalogId" && c.V1:
		default:
			return false
		}
	}
	return named
}

// looksLikeCall reports whether an object would be read as a call.
func (c *codec) looksLikeCall(object wire.Object) bool {
	if c.Reserved {
		return false
	}
	named := false
	for _, p := range object {
		switch v := p.Value.(type) {
		case wire.String:
			named = named || p.Name == c.Call
			if p.Name != c.Call && p.Name != "returnType" && p.Name != "catalogId" {
				return false
			}
		case wire.Object, wire.Path, wire.Call, wire.Template, wire.Event, wire.Local: // written as objects
			if p.Name != "args" {
				return false
			}
		case wire.Literal:
			if p.Name != "args" || v.Data.Kind != jsonx.Object {
				return false
			}
		default:
			return false
		}
	}
	return named
}

func (c *codec) appendProps(dst []byte, props []wire.Prop) (_ []byte, ok bool) {
	dst = append(dst, '{')
	for i := range props {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = c.appendValue(c.appendKey(dst, props[i].Name), props[i].Value); !ok {
			return dst, false
		}
	}
	return append(dst, '}'), true
}

func (c *codec) appendEvent(dst []byte, e wire.Event) (_ []byte, ok bool) {
	dst = jsonx.AppendString(append(dst, `{"event":{"name":`...), e.Name)
	if e.UserMessage != nil {
		if !c.V1 {
			return dst, false
		}
		if dst, ok = c.appendValue(append(dst, `,"userMessage":`...), e.UserMessage); !ok {
			return dst, false
		}
	}
	if e.Context != nil {
		if dst, ok = c.appendProps(append(dst, `,"context":`...), e.Context); !ok {
			return dst, false
		}
	}
	return append(dst, "}}"...), true
}

// appendCall always writes args: clients crash without them.
func (c *codec) appendCall(dst []byte, call wire.Call) (_ []byte, ok bool) {
	if c.V1 && call.ReturnType != "" || !c.V1 && call.CatalogID != "" {
		return dst, false
	}
	dst = append(jsonx.AppendString(append(dst, '{'), c.Call), ':')
	dst = jsonx.AppendString(dst, call.Func)
	if call.CatalogID != "" {
		dst = jsonx.AppendString(append(dst, `,"catalogId":`...), call.CatalogID)
	}
	if dst, ok = c.appendProps(append(dst, `,"args":`...), call.Args); !ok {
		return dst, false
	}
	if call.ReturnType != "" {
		dst = jsonx.AppendString(append(dst, `,"returnType":`...), call.ReturnType)
	}
	return append(dst, '}'), true
}

func (c *codec) appendOption(dst []byte, o wire.Option) (_ []byte, ok bool) {
	dst, ok = c.appendValue(append(dst, `{"label":`...), o.Label)
	return append(jsonx.AppendString(append(dst, `,"value":`...), o.Value), '}'), ok
}

func (c *codec) appendTab(dst []byte, t wire.Tab) (_ []byte, ok bool) {
	dst, ok = c.appendValue(append(dst, `{"title":`...), t.Title)
	return append(jsonx.AppendString(append(dst, `,"child":`...), t.Child), '}'), ok
}

func (c *codec) appendCheck(dst []byte, rule wire.Check) (_ []byte, ok bool) {
	dst, ok = c.appendValue(append(dst, `{"condition":`...), rule.Condition)
	if rule.Message != "" || !c.V1 { // v1.0 has rules without one
		dst = jsonx.AppendString(append(dst, `,"message":`...), rule.Message)
	}
	return append(dst, '}'), ok
}
