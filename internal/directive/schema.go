package directive

import (
	"slices"

	"github.com/limn-ui/limn/internal/jsonx"
)

// Schema returns the JSON Schema of an envelope, for structured outputs in strict mode:
// every object is closed, every property required, an optional one may be null, one
// anyOf branch per type. The same Registry always gives the same bytes; callers get
// their own copy.
func (r *Registry) Schema() []byte { return slices.Clone(r.schema) }

func (r *Registry) writeSchema() []byte {
	items := make([]jsonx.Value, len(r.defs))
	for i, d := range r.defs {
		names := make([]string, len(d.Params))
		params := make([]jsonx.Value, len(d.Params))
		for k := range d.Params {
			names[k], params[k] = d.Params[k].Name, d.Params[k].schema()
		}
		payload := closed(names, params...)
		if d.Schema.Kind == jsonx.Object {
			payload = strict(d.Schema)
		}
		items[i] = describe(closed([]string{"type", "payload"}, enum(d.Type), payload), d.Description)
	}
	text := describe(typed("string"), "What the assistant says to the user, in the user's language.")
	if len(items) == 0 {
		return jsonx.Append(nil, closed([]string{"assistant_text"}, text))
	}
	list := describe(listOf(anyOf(items...)), "What to show or change; empty if nothing.")
	return jsonx.Append(nil, closed([]string{"assistant_text", "directives"}, text, list))
}

// schema describes one parameter.
func (p *Param) schema() jsonx.Value {
	var s jsonx.Value
	switch p.Kind {
	case Integer:
		s = typed("integer")
	case Boolean:
		s = typed("boolean")
	case Strings:
		s = listOf(p.textSchema())
	case Values:
		s = listOf(pairSchema())
	case Rows:
		s = listOf(p.rowSchema())
	case Ops:
		s = listOf(opSchema())
	default:
		s = p.textSchema()
	}
	if !p.Required {
		s = anyOf(s, typed("null"))
	}
	return describe(s, p.Description)
}

func (p *Param) textSchema() jsonx.Value {
	if len(p.Enum) > 0 {
		return enum(p.Enum...)
	}
	return typed("string")
}

// pairSchema is one field with its value; an object with free keys cannot be
// closed, so maps are lists of these.
func pairSchema() jsonx.Value {
	return closed([]string{"field", "value"}, typed("string"),
		anyOf(typed("string"), typed("number"), typed("boolean"), listOf(typed("string"))))
}

func (p *Param) rowSchema() jsonx.Value {
	id := anyOf(typed("string"), typed("null"))
	if len(p.Columns) == 0 {
		return closed([]string{"id", "cells"}, id, listOf(pairSchema()))
	}
	cells := make([]jsonx.Value, len(p.Columns))
	for i := range cells {
		cells[i] = anyOf(typed("string"), typed("null"))
	}
	if slices.Contains(p.Columns, "id") {
		return closed(p.Columns, cells...)
	}
	return closed(append([]string{"id"}, p.Columns...), append([]jsonx.Value{id}, cells...)...)
}

func opSchema() jsonx.Value {
	value := anyOf(typed("string"), typed("number"), typed("boolean"), listOf(typed("string")), listOf(pairSchema()),
		typed("null"))
	mark := anyOf(typed("string"), typed("null"))
	return closed([]string{"op", "path", "value", "before", "row"},
		enum("set", "delete", "append", "insert"),
		describe(typed("string"),
			"JSON Pointer under /draft or /ui_state, such as /draft/name or /draft/risks/r1/owner."),
		describe(value, "The new value; a list of field and value is a row. Null for delete."),
		describe(mark, "insert: the row id or index before which to insert."),
		describe(mark, "append and insert: the id of the new row."))
}

// closed is an object with exactly these properties.
func closed(names []string, schemas ...jsonx.Value) jsonx.Value {
	props, required := jsonx.OfObject(), jsonx.OfArray()
	for i, n := range names {
		props.Members = append(props.Members, jsonx.Member{Key: n, Value: schemas[i]})
		required.Items = append(required.Items, jsonx.Of(n))
	}
	return jsonx.OfObject(jsonx.Member{Key: "type", Value: jsonx.Of("object")},
		jsonx.Member{Key: "properties", Value: props},
		jsonx.Member{Key: "required", Value: required},
		jsonx.Member{Key: "additionalProperties", Value: jsonx.OfBool(false)})
}

func typed(name string) jsonx.Value {
	return jsonx.OfObject(jsonx.Member{Key: "type", Value: jsonx.Of(name)})
}

func enum(values ...string) jsonx.Value {
	list := jsonx.OfArray()
	for _, v := range values {
		list.Items = append(list.Items, jsonx.Of(v))
	}
	s := typed("string")
	s.Members = append(s.Members, jsonx.Member{Key: "enum", Value: list})
	return s
}

func listOf(item jsonx.Value) jsonx.Value {
	s := typed("array")
	s.Members = append(s.Members, jsonx.Member{Key: "items", Value: item})
	return s
}

func anyOf(schemas ...jsonx.Value) jsonx.Value {
	if len(schemas) == 1 {
		return schemas[0]
	}
	return jsonx.OfObject(jsonx.Member{Key: "anyOf", Value: jsonx.OfArray(schemas...)})
}

func describe(s jsonx.Value, text string) jsonx.Value {
	if text != "" {
		s.Members = append(slices.Clip(s.Members), jsonx.Member{Key: "description", Value: jsonx.Of(text)})
	}
	return s
}
