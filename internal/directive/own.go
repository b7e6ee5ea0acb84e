package directive

import (
	"slices"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// own picks the keys that the schema of an app's own type declares; Check holds their
// values. Another key is dropped with a warning, unless the schema has rules for those.
// A null means that the key is left out, as strict structured outputs write it.
func (r *reading) own(def *Def, in jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	out := jsonx.Value{Kind: jsonx.Object}
	props, open := def.Schema.At("properties"), def.Schema.At("additionalProperties")
	free := open.Kind == jsonx.Object || open.Kind == jsonx.Bool && open.Bool
	for _, m := range in.Members {
		p, declared := props.Get(m.Key)
		switch {
		case declared:
			if v := withoutNulls(m.Value, p); v.Kind != jsonx.Null || required(def.Schema, m.Key) {
				out.Members = append(out.Members, jsonx.Member{Key: m.Key, Value: v})
			}
			continue
		case free:
			out.Members = append(out.Members, m)
			continue
		}
		e := ui.Errorf(CodeKeyDropped, at, "payload key %s is not declared", keyName(m.Key))
		if r.reg.opt.Strict {
			e.Code = CodePayloadInvalid
			return out, e
		}
		r.warn(e)
	}
	return out, nil
}

func required(schema jsonx.Value, key string) bool {
	return slices.ContainsFunc(schema.At("required").Items, func(v jsonx.Value) bool { return v.Text() == key })
}

// withoutNulls drops the members below v that are null and need not be there.
func withoutNulls(v, schema jsonx.Value) jsonx.Value {
	switch v.Kind {
	case jsonx.Object:
		out := jsonx.Value{Kind: jsonx.Object}
		for _, m := range v.Members {
			p, declared := schema.At("properties").Get(m.Key)
			if m.Value = withoutNulls(m.Value, p); m.Value.Kind != jsonx.Null || !declared || required(schema, m.Key) {
				out.Members = append(out.Members, m)
			}
		}
		return out
	case jsonx.Array:
		out := jsonx.Value{Kind: jsonx.Array}
		for _, item := range v.Items {
			out.Items = append(out.Items, withoutNulls(item, schema.At("items")))
		}
		return out
	}
	return v
}

// strict rewrites a schema for structured outputs: objects are closed, and a property
// that is not required may be null. Keywords that a server does not know make it
// refuse the request; then the ladder of package agent goes on with the next way.
func strict(schema jsonx.Value) jsonx.Value {
	out := jsonx.Value{Kind: schema.Kind}
	if schema.Kind != jsonx.Object {
		return schema
	}
	props, isObject := schema.Get("properties")
	isObject = isObject || schema.At("type").Text() == "object"
	for _, m := range schema.Members {
		switch m.Key {
		case "properties", "required", "additionalProperties", "$schema", "$id":
			if isObject || m.Key[0] == '$' {
				continue
			}
		case "items":
			m.Value = strict(m.Value)
		case "anyOf", "oneOf", "allOf":
			m.Value = jsonx.OfArray(eachOf(m.Value.Items, strict)...)
		}
		out.Members = append(out.Members, m)
	}
	if !isObject {
		return out
	}
	names := make([]string, len(props.Members))
	kinds := make([]jsonx.Value, len(props.Members))
	for i, m := range props.Members {
		names[i], kinds[i] = m.Key, strict(m.Value)
		if !required(schema, m.Key) {
			kinds[i] = anyOf(kinds[i], typed("null"))
		}
	}
	for _, m := range closed(names, kinds...).Members {
		if m.Key != "type" {
			out.Members = append(out.Members, m)
		}
	}
	return out
}

func eachOf(list []jsonx.Value, f func(jsonx.Value) jsonx.Value) []jsonx.Value {
	out := make([]jsonx.Value, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}
