package v08

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Schema returns the v0.8 name of a component and the JSON Schema of its
// properties under their v0.8 names. A property that the standard catalog has not
// is written under its own name, as this version writes values of its kind.
func Schema(def *wire.ComponentDef) (name string, schema jsonx.Value) {
	name = def.Name
	row := byName[def.Name]
	if row != nil {
		name = row.wire
	}
	properties, required := jsonx.OfObject(), jsonx.OfArray()
	seen := map[string]bool{}
	for _, prop := range def.Props {
		written := property{def: prop, wire: prop.Name, form: usual(prop.Kind)}
		if row != nil {
			if own := row.named(prop.Name); own != nil {
				written.wire, written.form = own.wire, own.form
			}
		}
		if seen[written.wire] {
			continue // maxAllowedSelections is the variant of a ChoicePicker too
		}
		seen[written.wire] = true
		properties.Members = append(properties.Members, jsonx.Member{Key: written.wire, Value: written.schema()})
		if prop.Required {
			required.Items = append(required.Items, jsonx.Of(written.wire))
		}
	}
	schema = object("type", jsonx.Of("object"), "properties", properties)
	if len(required.Items) > 0 {
		schema.Members = append(schema.Members, jsonx.Member{Key: "required", Value: required})
	}
	schema.Members = append(schema.Members, jsonx.Member{Key: "additionalProperties", Value: jsonx.OfBool(def.Open)})
	return name, schema
}

// usual is how values of a kind are written where no table says.
func usual(k wire.Kind) form {
	switch k {
	case wire.Child:
		return child
	case wire.Children:
		return children
	case wire.TabList:
		return tabs
	case wire.OptionList:
		return options
	case wire.ActionValue:
		return action
	case wire.DynString, wire.DynNumber, wire.DynBool, wire.DynStrings, wire.DynValue, wire.DynMoment, wire.IconName:
		return bound
	}
	return plain
}

// Short names of the parts of a schema.
var object, kind, words = wire.Members, wire.Typed, wire.Texts

func list(items jsonx.Value) jsonx.Value { return object("type", jsonx.Of("array"), "items", items) }

func closed(properties jsonx.Value, required ...string) jsonx.Value {
	v := object("type", jsonx.Of("object"), "properties", properties)
	if len(required) > 0 {
		v.Members = append(v.Members, jsonx.Member{Key: "required", Value: words(required)})
	}
	v.Members = append(v.Members, jsonx.Member{Key: "additionalProperties", Value: jsonx.OfBool(false)})
	return v
}

// literals are the members of a bound value by the kind of its content.
var literals = map[wire.Kind]jsonx.Value{
	wire.DynString: object("literalString", kind("string")), wire.DynMoment: object("literalString", kind("string")),
	wire.DynNumber: object("literalNumber", kind("number")), wire.DynBool: object("literalBoolean", kind("boolean")),
	wire.DynStrings: object("literalArray", list(kind("string"))),
	wire.DynValue: object("literalString", kind("string"), "literalNumber", kind("number"), "literalBoolean",
		kind("boolean"),
		"literalArray", list(kind("string"))),
}

// boundTo writes the schema of a literal or of a path into the data.
func boundTo(literals jsonx.Value) jsonx.Value {
	properties := jsonx.OfObject(append(append([]jsonx.Member{}, literals.Members...),
		jsonx.Member{Key: "path", Value: kind("string")})...)
	return closed(properties)
}

func (p property) schema() jsonx.Value {
	text := boundTo(literals[wire.DynString])
	switch p.form {
	case bound:
		if p.def.Kind == wire.IconName {
			return boundTo(object("literalString", object("type", jsonx.Of("string"), "enum", words(p.def.Enum))))
		}
		return boundTo(literals[p.def.Kind])
	case child:
		return kind("string")
	case children:
		template := closed(object("componentId", kind("string"), "dataBinding", kind("string")), "componentId",
			"dataBinding")
		return closed(object("explicitList", list(kind("string")), "template", template))
	case tabs:
		return list(closed(object("title", text, "child", kind("string")), "title", "child"))
	case options:
		return list(closed(object("label", text, "value", kind("string")), "label", "value"))
	case action:
		entry := closed(object("key", kind("string"), "value",
			boundTo(object("literalString", kind("string"), "literalNumber", kind("number"),
				"literalBoolean", kind("boolean")))), "key", "value")
		return closed(object("name", kind("string"), "context", list(entry)), "name")
	case primary:
		return kind("boolean")
	case single:
		return kind("integer")
	}
	return p.plain()
}

// plain writes the schema of a value that is the JSON itself.
func (p property) plain() jsonx.Value {
	switch p.def.Kind {
	case wire.PlainString:
		return kind("string")
	case wire.PlainNumber:
		return kind("number")
	case wire.PlainCount:
		return object("type", jsonx.Of("integer"), "minimum", jsonx.OfInt(0))
	case wire.PlainBool:
		return kind("boolean")
	case wire.Enum:
		enum := append([]string{}, p.def.Enum...)
		for i, s := range enum {
			if s == "scaleDown" { // the one value whose spelling changed
				enum[i] = "scale-down"
			}
		}
		return object("type", jsonx.Of("string"), "enum", words(enum))
	}
	return jsonx.OfObject()
}
