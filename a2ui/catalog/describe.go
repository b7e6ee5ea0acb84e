package catalog

import (
	"maps"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/v08"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Describe writes the tables of a catalog as a document of a dialect: the way
// back from Compile, for catalogs that were written in Go, such as a2ui.Basic.
// The text for a model and the inline catalog of a client can then come from the
// tables that the Validator uses. Names are sorted. nil for an unknown dialect.
func Describe(c *a2ui.Catalog, d a2ui.Dialect) *Document {
	form, ok := forms[d]
	if !ok {
		return nil
	}
	w := describer{key: form.reserved, features: d.Features()}
	components, functions := jsonx.OfObject(), jsonx.OfObject()
	for _, name := range slices.Sorted(maps.Keys(c.Components)) {
		written, schema := name, a2ui.Data{}
		if w.features.BareValues {
			schema = w.component(c.Components[name])
		} else {
			written, schema = v08.Schema(c.Components[name])
		}
		components.Members = append(components.Members, a2ui.Member{Key: written, Value: schema})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Functions)) {
		functions.Members = append(functions.Members, a2ui.Member{Key: name, Value: w.function(c.Functions[name])})
	}
	doc := wire.Members("protocolVersion", jsonx.Of(d.Protocol()), "catalogId", jsonx.Of(c.ID),
		"components", components)
	if w.features.Calls {
		doc = set(doc, "functions", functions)
	}
	if w.features.ThemeMember != "" {
		doc = set(doc, w.features.ThemeMember, w.theme(c))
	}
	out := &Document{data: doc, id: c.ID, dialect: d}
	return out.with(out.Schema())
}

type describer struct {
	features a2ui.Features
	key      string // before reserved keys
}

func common(name string) a2ui.Data { return wire.Members("$ref", jsonx.Of(commonName+"#/$defs/"+name)) }

// component writes the schema of a component as the messages of v0.9 and later
// refer to it: what all components have comes from the common types, and since
// v1.0 the schema of the messages adds that itself.
func (w describer) component(def *a2ui.ComponentDef) a2ui.Data {
	own := w.features.OwnCatalogs
	all := jsonx.OfArray()
	if !own {
		all.Items = append(all.Items, common("ComponentCommon"))
	}
	properties := wire.Members("component", wire.Members("const", jsonx.Of(def.Name)), "weight", wire.Typed("number"))
	required := []string{"component"}
	for _, p := range def.Props {
		switch {
		case p.Kind == wire.CheckList && p.Name == "checks":
			all.Items = append(all.Items, common("Checkable"))
			continue
		case p.Kind == wire.A11y && p.Name == "accessibility", p.Kind == wire.Metadata && p.Name == "metadata":
			continue
		}
		properties = set(properties, p.Name, w.property(p))
		if p.Required {
			required = append(required, p.Name)
		}
	}
	out := wire.Typed("object")
	if len(all.Items) > 0 {
		out = set(out, "allOf", all)
	}
	out = set(set(out, "properties", properties), "required", wire.Texts(required))
	if !def.Open && !own {
		out = set(out, "unevaluatedProperties", jsonx.OfBool(false))
	}
	if def.Parents != nil {
		out = set(out, "allowedParents", wire.Texts(def.Parents))
	}
	if def.Children != nil {
		out = set(out, "allowedChildren", wire.Texts(def.Children))
	}
	return out
}

// function writes the schema of the calls of a function.
func (w describer) function(def *a2ui.FunctionDef) a2ui.Data {
	args := w.object(def.Args, def.Open)
	if len(def.OneOf) > 0 {
		any := jsonx.OfArray()
		for _, name := range def.OneOf {
			any.Items = append(any.Items, wire.Members("required", wire.Texts([]string{name})))
		}
		args = set(args, "anyOf", any)
	}
	call := w.key + "call"
	properties := wire.Members(call, wire.Members("const", jsonx.Of(def.Name)), "args", args)
	if w.features.ReturnTypes {
		if def.Returns != "" {
			properties = set(properties, "returnType", wire.Members("const", jsonx.Of(def.Returns)))
		}
		return wire.Members("type", jsonx.Of("object"), "properties", properties,
			"required", wire.Texts([]string{call, "args"}), "unevaluatedProperties", jsonx.OfBool(false))
	}
	out := wire.Typed("object")
	if def.Returns != "" {
		out = set(out, "returnType", jsonx.Of(def.Returns))
	}
	if name := callers[def.Callers]; name != "" {
		out = set(out, "allowedCallers", jsonx.Of(name))
	}
	if def.Activation {
		out = set(out, "requiresUserActivation", jsonx.OfBool(true))
	}
	return set(set(out, "properties", properties), "required", wire.Texts([]string{call, "args"}))
}

// callers are the names of those who may call a function; "" is the default.
var callers = map[a2ui.Callers]string{a2ui.AgentOnly: "agentOnly", a2ui.RendererOrAgent: "rendererOrAgent"}

func (w describer) theme(c *a2ui.Catalog) a2ui.Data {
	theme := w.object(c.Theme, c.ThemeOpen)
	if !w.features.AnyDefs {
		return theme.At("properties") // v0.8: schemas by name
	}
	return theme
}

// object writes the schema of an object with the given members.
func (w describer) object(members []a2ui.PropDef, open bool) a2ui.Data {
	properties, required := jsonx.OfObject(), []string{}
	for _, p := range members {
		properties = set(properties, p.Name, w.property(p))
		if p.Required {
			required = append(required, p.Name)
		}
	}
	out := wire.Members("type", jsonx.Of("object"), "properties", properties)
	if len(required) > 0 {
		out = set(out, "required", wire.Texts(required))
	}
	return set(out, "additionalProperties", jsonx.OfBool(open))
}

// shared are the kinds that are common types.
var shared = map[a2ui.Kind]string{
	wire.DynString: "DynamicString", wire.DynMoment: "DynamicString", wire.DynNumber: "DynamicNumber",
	wire.DynBool:    "DynamicBoolean",
	wire.DynStrings: "DynamicStringList", wire.DynValue: "DynamicValue", wire.Child: "ComponentId",
	wire.Children:    "ChildList",
	wire.ActionValue: "Action", wire.A11y: "AccessibilityAttributes", wire.Metadata: "Extensions",
}

// property writes the schema of one value.
func (w describer) property(p a2ui.PropDef) a2ui.Data {
	var out a2ui.Data
	switch p.Kind {
	case wire.PlainString:
		out = wire.Typed("string")
	case wire.PlainNumber:
		out = wire.Typed("number")
	case wire.PlainCount:
		out = set(wire.Typed("integer"), "minimum", jsonx.OfInt(0))
	case wire.PlainBool:
		out = wire.Typed("boolean")
	case wire.Enum:
		out = set(wire.Typed("string"), "enum", wire.Texts(p.Enum))
	case wire.IconName:
		svg := wire.Typed("string")
		if w.features.ObjectValues {
			svg = common("DynamicString")
		}
		glyph := wire.Members("type", jsonx.Of("object"), "properties", wire.Members("svgPath", svg), "required",
			wire.Texts([]string{"svgPath"}), "additionalProperties", jsonx.OfBool(false))
		out = wire.Members("oneOf", jsonx.OfArray(wire.Members("enum", wire.Texts(p.Enum)),
			common("DataBinding"), glyph))
	case wire.DynBools:
		out = wire.Members("type", jsonx.Of("array"), "minItems", jsonx.OfInt(2),
			"items", common("DynamicBoolean"))
	case wire.TabList:
		out = w.list(1, a2ui.PropDef{Name: "title", Kind: wire.DynString, Required: true},
			a2ui.PropDef{Name: "child", Kind: wire.Child, Required: true})
	case wire.OptionList:
		out = w.list(0, a2ui.PropDef{Name: "label", Kind: wire.DynString, Required: true},
			a2ui.PropDef{Name: "value", Kind: wire.PlainString, Required: true})
	case wire.CheckList:
		out = wire.Members("type", jsonx.Of("array"), "items", common("CheckRule"))
	case wire.ObjectOf:
		out = w.object(p.Fields, p.Open)
	case wire.ListOf:
		out = wire.Typed("array")
		if p.Item != nil {
			out = set(out, "items", w.property(*p.Item))
		}
	case wire.OneOfKinds:
		any := jsonx.OfArray()
		for _, one := range p.Any {
			any.Items = append(any.Items, w.property(one))
		}
		out = wire.Members("anyOf", any)
	default:
		out = wire.Members()
		if name := shared[p.Kind]; name != "" {
			out = common(name)
		}
	}
	return bound(out, p)
}

// list writes the schema of a list of closed objects.
func (w describer) list(least int64, members ...a2ui.PropDef) a2ui.Data {
	out := set(wire.Typed("array"), "items", w.object(members, false))
	if least > 0 {
		out = set(out, "minItems", jsonx.OfInt(least))
	}
	return out
}

// bound adds what narrows the literals; beside a reference it is only said.
func bound(v a2ui.Data, p a2ui.PropDef) a2ui.Data {
	if _, ref := v.Get("$ref"); ref {
		switch {
		case p.Kind == wire.DynMoment:
			v = set(v, "description", jsonx.Of("A date, a time of day, or both, as RFC 3339 writes them."))
		case p.URL:
			v = set(v, "description", jsonx.Of("An address."))
		}
		return v
	}
	b := p.Bounds
	if b == nil {
		return v
	}
	for _, f := range []struct {
		key string
		v   *float64
	}{{"minimum", b.Min}, {"maximum", b.Max}} {
		if f.v != nil {
			v = set(v, f.key, jsonx.OfNumber(string(jsonx.AppendFloat(nil, *f.v))))
		}
	}
	lengths := [2]string{"minLength", "maxLength"}
	if v.At("type").Text() == "array" {
		lengths = [2]string{"minItems", "maxItems"}
	}
	for i, n := range []*int{b.MinLength, b.MaxLength} {
		if n != nil {
			v = set(v, lengths[i], jsonx.OfInt(int64(*n)))
		}
	}
	if b.Integer {
		v = set(v, "type", jsonx.Of("integer"))
	}
	if b.Pattern != nil {
		v = set(v, "pattern", jsonx.Of(b.Pattern.String()))
	}
	if b.Format != "" {
		v = set(v, "format", jsonx.Of(b.Format))
	}
	if b.Const != nil {
		v = set(v, "enum", jsonx.OfArray(b.Const...))
	}
	return v
}
