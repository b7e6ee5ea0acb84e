package validate

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// structureRules checks the structures of components: children, tabs, options, checks and actions.
type structureRules struct{ *run }

var (
	dynString = wire.PropDef{Kind: wire.DynString}
	dynBool   = wire.PropDef{Kind: wire.DynBool}
	dynValue  = wire.PropDef{Kind: wire.DynValue}
)

// refer adds an edge from the component that is being checked; path is the
// place of a template's path.
func (r structureRules) refer(id string, template bool, path int32) {
	r.literal(id)
	if r.graph == nil {
		return
	}
	if id == r.component && (!template || r.Safe) {
		r.add(wire.ComponentCycle, "", "the component contains itself")
		return
	}
	r.graph.edges = append(r.graph.edges, edge{to: r.graph.slot(id, r.serial), path: path, row: r.row,
		template: template})
}

func (r structureRules) child(v wire.Value) {
	switch v := v.(type) {
	case wire.Ref:
		r.refer(string(v), false, -1)
	case wire.String: // the same on the wire
		r.refer(string(v), false, -1)
	default:
		r.wrong("a component id", v)
	}
}

func (r structureRules) children(v wire.Value) {
	switch v := v.(type) {
	case wire.Refs:
		for i, id := range v {
			r.item(i)
			r.refer(id, false, -1)
			r.pop()
		}
		return
	case wire.Template:
		r.template(v.Component, v.Path)
		return
	case wire.Literal:
		if r.Features.BareValues && isTexts(v.Data) {
			for i := range v.Data.Items {
				r.refer(v.Data.Items[i].Str, false, -1)
			}
			return
		}
		id, path := v.Data.At("componentId"), v.Data.At("path")
		if r.Features.BareValues && len(v.Data.Members) == 2 && id.Kind == jsonx.String && path.Kind == jsonx.String {
			r.template(id.Str, path.Str)
			return
		}
	}
	r.wrong("a list of component ids or a template", v)
}

func (r structureRules) template(component, path string) {
	r.push("path")
	at := r.bind(path, wantsList)
	r.pop()
	r.push("componentId")
	r.refer(component, true, at)
	r.pop()
}

// tabRow and optionRow are the structures where a codec read them by the shape
// of their values.
var (
	one    = 1
	tabRow = wire.PropDef{Kind: wire.ObjectOf,
		Fields: []wire.PropDef{wire.Need("title", wire.DynString), wire.Need("child", wire.Child)}}
	tabRows   = wire.PropDef{Kind: wire.ListOf, Item: &tabRow, Bounds: &wire.Bounds{MinLength: &one}}
	optionRow = wire.PropDef{Kind: wire.ObjectOf,
		Fields: []wire.PropDef{wire.Need("label", wire.DynString), wire.Need("value", wire.PlainString)}}
	optionSet = wire.PropDef{Kind: wire.ListOf, Item: &optionRow}
)

func (r structureRules) tabs(v wire.Value) {
	list, ok := v.(wire.Tabs)
	switch {
	case !ok && r.byShape(v):
		r.custom().listOf(&tabRows, v, 0)
		return
	case len(list) == 0:
		r.wrong("a list of {title, child}", v)
		return
	}
	for i, t := range list {
		r.item(i)
		r.push("title")
		r.values().value(&dynString, t.Title, 0)
		r.pop()
		r.push("child")
		r.refer(t.Child, false, -1)
		r.pop()
		r.pop()
	}
}

func (r structureRules) options(v wire.Value) {
	list, ok := v.(wire.Options)
	switch {
	case !ok && r.byShape(v):
		r.custom().listOf(&optionSet, v, 0)
		return
	case !ok:
		r.wrong("a list of {label, value}", v)
		return
	}
	for i, o := range list {
		r.item(i)
		r.push("label")
		r.values().value(&dynString, o.Label, 0)
		r.pop()
		r.string(o.Value)
		r.pop()
	}
}

// byShape reports whether a list may be a structure that a codec did not know by name.
func (r structureRules) byShape(v wire.Value) bool {
	_, ok := itemsOf(v)
	return ok && r.Features.BareValues
}

func (r structureRules) checks(v wire.Value) {
	list, ok := v.(wire.Checks)
	if !ok && r.Features.BareValues {
		list, ok = r.custom().asChecks(v)
	}
	if !ok {
		r.add(wire.ComponentCheck, "", "checks are a list of {condition, message}, not %s", describe(v))
		return
	}
	for i, c := range list {
		r.item(i)
		r.check(c)
		r.pop()
	}
}

func (r structureRules) check(c wire.Check) {
	verdict := r.Features.VerdictChecks
	if c.Condition == nil || c.Message == "" && !verdict {
		r.add(wire.ComponentCheck, "", "a check needs a condition and a message")
		return
	}
	r.string(c.Message)
	r.push("condition")
	switch c.Condition.(type) {
	case wire.Path, wire.Call:
		r.values().value(&dynBool, c.Condition, 0)
	default:
		if verdict {
			r.wrong("a path or a call", c.Condition)
		} else {
			r.values().value(&dynBool, c.Condition, 0)
		}
	}
	r.pop()
}

// action checks the action of a button.
func (r structureRules) action(v wire.Value) {
	r.inAction = true
	defer func() { r.inAction = false }()
	if r.Features.BareValues {
		v = r.custom().asAction(v)
	}
	switch v := v.(type) {
	case wire.Event:
		r.push("event")
		r.event(v)
		r.pop()
	case wire.Local:
		r.push("functionCall")
		r.calls().call(&v.Call, "", 1)
		r.pop()
	default:
		r.wrong("an event or a function call", v)
	}
}

func (r structureRules) event(e wire.Event) {
	r.literal(e.Name)
	if e.Name == "" {
		r.at("name", wire.ComponentAction, "", "an action needs a name")
	} else if r.Actions != nil && !r.Actions(e.Name) {
		r.at("name", wire.ComponentAction, "", "the action %q is not declared", clip(e.Name))
	}
	if e.UserMessage != nil {
		r.push("userMessage")
		if r.values().value(&dynString, e.UserMessage, 0); !r.Features.UserMessage {
			r.add(wire.ComponentAction, "", "this version has no userMessage")
		}
		r.pop()
	}
	r.push("context")
	r.context(e.Context)
	r.pop()
}

func (r structureRules) context(context []wire.Prop) {
	r.once(context)
	for i := range context {
		p := &context[i]
		r.push(p.Name)
		r.literal(p.Name)
		if lit, ok := p.Value.(wire.Literal); ok && r.Features.FlatData && lit.Data.Kind != jsonx.Number {
			r.wrong("a text, a number, a boolean or a path", p.Value)
		} else {
			r.values().value(&dynValue, p.Value, 0)
		}
		r.pop()
	}
}

// once checks that no name appears twice.
func (r structureRules) once(props []wire.Prop) {
	var seen map[string]struct{}
	if len(props) > 32 {
		seen = make(map[string]struct{}, len(props))
	}
	for i := range props {
		name := props[i].Name
		_, twice := seen[name]
		for j := 0; seen == nil && j < i; j++ {
			twice = twice || props[j].Name == name
		}
		if twice {
			r.add(wire.ComponentProperty, "", "%q stands twice", clip(name))
		}
		if seen != nil {
			seen[name] = struct{}{}
		}
	}
}
