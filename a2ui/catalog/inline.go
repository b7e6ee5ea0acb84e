package catalog

import (
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Inline returns the catalog in the form in which the capabilities of a client
// of its version hold it (inlineCatalogs). On v1.0 that is the document itself;
// on v0.8 catalogId, components and styles. On v0.9 it is a closed object:
// functions are a list of name, description, parameters and returnType, the theme
// is schemas by name, and a component that only describes its properties is put
// beside those that all components have. What the catalog lacks stays absent.
func (d *Document) Inline() a2ui.Data {
	f := d.dialect.Features()
	if f.ThemeMember == "" {
		return d.data
	}
	out := jsonx.OfObject(a2ui.Member{Key: "catalogId", Value: jsonx.Of(d.id)})
	if _, ok := d.data.Get("components"); ok {
		components := jsonx.OfObject(d.Components()...)
		if f.AnyDefs {
			components = wrapAll(components)
		}
		out = set(out, "components", components)
	}
	if functions := d.Functions(); functions != nil && f.AnyDefs {
		list := jsonx.OfArray()
		for _, m := range functions {
			list.Items = append(list.Items, describe(m.Key, m.Value))
		}
		out = set(out, "functions", list)
	}
	if theme := d.Theme(); theme.Kind == jsonx.Object {
		if properties, ok := theme.Get("properties"); ok && properties.Kind == jsonx.Object {
			theme = properties
		}
		out = set(out, f.ThemeMember, theme)
	}
	return out
}

// wrapAll puts every component into the form that the message schema refers to.
func wrapAll(components a2ui.Data) a2ui.Data {
	out := jsonx.OfObject()
	for _, m := range components.Members {
		out.Members = append(out.Members, a2ui.Member{Key: m.Key, Value: wrap(m.Key, m.Value)})
	}
	return out
}

// wrap makes a schema of a whole component out of one of its properties. One that
// names its component, or is put together already, is whole.
func wrap(name string, schema a2ui.Data) a2ui.Data {
	properties := schema.At("properties")
	_, composed := schema.Get("allOf")
	if _, named := properties.Get("component"); named || composed || schema.Kind != jsonx.Object {
		return schema
	}
	own := jsonx.OfObject(a2ui.Member{Key: "component",
		Value: jsonx.OfObject(a2ui.Member{Key: "const", Value: jsonx.Of(name)})})
	own.Members = append(own.Members, properties.Members...)
	required := jsonx.OfArray(append([]a2ui.Data{jsonx.Of("component")}, schema.At("required").Items...)...)
	schema = set(set(drop(schema, "type"), "properties", own), "required", required)
	common := jsonx.OfObject(a2ui.Member{Key: "$ref", Value: jsonx.Of(commonName + "#/$defs/ComponentCommon")})
	return jsonx.OfObject(a2ui.Member{Key: "allOf", Value: jsonx.OfArray(common, schema)})
}

// describe returns a function as an item of the list: parameters and returnType
// may be in the definition, or in the schema of its calls.
func describe(name string, def a2ui.Data) a2ui.Data {
	out := jsonx.OfObject(a2ui.Member{Key: "name", Value: jsonx.Of(name)})
	if text, ok := def.Get("description"); ok {
		out = set(out, "description", text)
	}
	calls := def.At("properties")
	parameters, ok := def.Get("parameters")
	if !ok {
		parameters, ok = calls.Get("args")
	}
	if !ok {
		parameters = jsonx.OfObject(a2ui.Member{Key: "type", Value: jsonx.Of("object")})
	}
	returns, ok := def.Get("returnType")
	if !ok {
		returns, ok = calls.At("returnType").Get("const")
	}
	if !ok {
		returns = jsonx.Of("any")
	}
	return set(set(out, "parameters", parameters), "returnType", returns)
}
