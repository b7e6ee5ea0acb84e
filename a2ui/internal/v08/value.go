package v08

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

func appendBound(dst []byte, v wire.Value) (_ []byte, ok bool) {
	switch v := v.(type) {
	case wire.String:
		dst = jsonx.AppendString(append(dst, `{"literalString":`...), string(v))
	case wire.Path:
		dst = jsonx.AppendString(append(dst, `{"path":`...), string(v))
	case wire.Bool:
		dst, _ = appendPlain(append(dst, `{"literalBoolean":`...), v)
	case wire.Literal:
		switch v.Data.Kind {
		case jsonx.Number:
			dst = append(dst, `{"literalNumber":`...)
		case jsonx.Array:
			dst = append(dst, `{"literalArray":`...)
		default:
			return dst, false
		}
		dst = jsonx.Append(dst, v.Data)
	default:
		return dst, false
	}
	return append(dst, '}'), true
}

func appendPlain(dst []byte, v wire.Value) (_ []byte, ok bool) {
	switch v := v.(type) {
	case wire.String:
		if v == "scaleDown" { // the one value whose spelling changed
			v = "scale-down"
		}
		return jsonx.AppendString(dst, string(v)), true
	case wire.Bool:
		return strconv.AppendBool(dst, bool(v)), true
	case wire.Literal:
		return jsonx.Append(dst, v.Data), v.Data.Kind == jsonx.Number
	}
	return dst, false
}

func appendChildren(dst []byte, v wire.Value) (_ []byte, ok bool) {
	switch v := v.(type) {
	case wire.Refs:
		return append(jsonx.AppendStrings(append(dst, `{"explicitList":`...), v), '}'), true
	case wire.Template:
		dst = jsonx.AppendString(append(dst, `{"template":{"componentId":`...), v.Component)
		return append(jsonx.AppendString(append(dst, `,"dataBinding":`...), v.Path), "}}"...), true
	}
	return dst, false
}

// appendText writes a bound text.
func appendText(dst []byte, v wire.Value) (_ []byte, ok bool) {
	switch v.(type) {
	case wire.String, wire.Path:
		return appendBound(dst, v)
	}
	return dst, false
}

func appendTab(dst []byte, t wire.Tab) (_ []byte, ok bool) {
	dst, ok = appendText(append(dst, `{"title":`...), t.Title)
	return append(jsonx.AppendString(append(dst, `,"child":`...), t.Child), '}'), ok
}

func appendOption(dst []byte, o wire.Option) (_ []byte, ok bool) {
	dst, ok = appendText(append(dst, `{"label":`...), o.Label)
	return append(jsonx.AppendString(append(dst, `,"value":`...), o.Value), '}'), ok
}

func appendAction(dst []byte, v wire.Value) (_ []byte, ok bool) {
	e, ok := v.(wire.Event)
	if !ok || e.UserMessage != nil {
		return dst, false
	}
	dst = jsonx.AppendString(append(dst, `{"name":`...), e.Name)
	if e.Context != nil {
		dst = append(dst, `,"context":[`...)
		for i, p := range e.Context {
			if i > 0 {
				dst = append(dst, ',')
			}
			if lit, is := p.Value.(wire.Literal); is && lit.Data.Kind != jsonx.Number {
				return dst, false // a context takes texts, numbers, booleans and paths
			}
			dst = jsonx.AppendString(append(dst, `{"key":`...), p.Name)
			if dst, ok = appendBound(append(dst, `,"value":`...), p.Value); !ok {
				return dst, false
			}
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}'), true
}
