package check

import (
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

var (
	dynString = wire.PropDef{Kind: wire.DynString}
	dynBool   = wire.PropDef{Kind: wire.DynBool}
	dynValue  = wire.PropDef{Kind: wire.DynValue}
)

// refer adds an edge from the component that is being checked.
func (r *run) refer(id string, template bool) {
	r.literal(id)
	if id == r.component && (!template || r.Safe) {
		r.add(wire.ComponentCycle, "", "the component contains itself")
		return
	}
	r.graph.edges = append(r.graph.edges, edge{r.graph.slot(id, r.serial), template})
}

func (r *run) child(v wire.Value) {
	switch v := v.(type) {
	case wire.Ref:
		r.refer(string(v), false)
	case wire.String: // the same on the wire
		r.refer(string(v), false)
	default:
		r.wrong("a component id", v)
	}
}

func (r *run) children(v wire.Value) {
	switch v := v.(type) {
	case wire.Refs:
		for _, id := range v {
			r.refer(id, false)
		}
		return
	case wire.Template:
		r.refer(v.Component, true)
		r.bind(v.Path)
		return
	case wire.Literal:
		if r.Features.BareValues && fits(wire.DynStrings, v.Data) {
			for _, item := range v.Data.Items {
				r.refer(item.Str, false)
			}
			return
		}
	}
	r.wrong("a list of component ids or a template", v)
}

func (r *run) tabs(v wire.Value) {
	list, ok := v.(wire.Tabs)
	if !ok || len(list) == 0 {
		r.wrong("a list of {title, child}", v)
		return
	}
	for _, t := range list {
		r.value(&dynString, t.Title, 0)
		r.refer(t.Child, false)
	}
}

func (r *run) options(v wire.Value) {
	list, ok := v.(wire.Options)
	if !ok {
		r.wrong("a list of {label, value}", v)
		return
	}
	for _, o := range list {
		r.value(&dynString, o.Label, 0)
		r.string(o.Value)
	}
}

func (r *run) checks(v wire.Value) {
	list, ok := v.(wire.Checks)
	if !ok {
		r.add(wire.ComponentCheck, "", "checks are a list of {condition, message}, not %s", describe(v))
		return
	}
	for _, c := range list {
		if c.Condition == nil || c.Message == "" {
			r.add(wire.ComponentCheck, "", "a check needs a condition and a message")
			continue
		}
		r.string(c.Message)
		r.value(&dynBool, c.Condition, 0)
	}
}

// action checks what a button does.
func (r *run) action(v wire.Value) {
	r.inAction = true
	defer func() { r.inAction = false }()
	switch v := v.(type) {
	case wire.Event:
		r.literal(v.Name)
		if v.Name == "" {
			r.add(wire.ComponentAction, "", "an action needs a name")
		} else if r.Actions != nil && !r.Actions(v.Name) {
			r.add(wire.ComponentAction, "", "the action %q is not declared", clip(v.Name))
		}
		r.context(v.Context)
	case wire.Local:
		r.call(v.Call, "", 1)
	default:
		r.wrong("an event or a function call", v)
	}
}

func (r *run) context(context []wire.Prop) {
	r.once(context)
	for i := range context {
		p := &context[i]
		r.push(p.Name)
		r.literal(p.Name)
		if lit, ok := p.Value.(wire.Literal); ok && r.Features.FlatData && lit.Data.Kind != jsonx.Number {
			r.wrong("a text, a number, a boolean or a path", p.Value)
		} else {
			r.value(&dynValue, p.Value, 0)
		}
		r.pop()
	}
}

// once checks that no name stands twice.
func (r *run) once(props []wire.Prop) {
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

// call checks a function call that must return want ("" = anything).
func (r *run) call(c wire.Call, want string, calls int) {
	r.literal(c.Func)
	if calls > r.Limits.CallDepth {
		r.add(wire.LimitCallDepth, "", "function calls are nested deeper than %d", r.Limits.CallDepth)
		return
	}
	fn := r.Catalog.Functions[c.Func]
	switch {
	case !r.Features.Calls:
		r.add(wire.ComponentCallArgs, "", "this version has no function calls")
		return
	case fn == nil:
		r.add(wire.ComponentCallArgs, "", "the catalog has no function %q", clip(c.Func))
		fn = &wire.FunctionDef{Name: c.Func}
	case c.ReturnType != "" && c.ReturnType != fn.Returns:
		r.add(wire.ComponentCallArgs, "", "%s returns %s, not %s", c.Func, fn.Returns, c.ReturnType)
	case want != "" && fn.Returns != want && !(want == "boolean" && fn.Returns == "validationResult") && (r.Safe || c.ReturnType != ""):
		r.add(wire.ComponentCallArgs, "", "%s returns %s where %s belongs", c.Func, fn.Returns, want)
	}
	if c.CatalogID != "" {
		r.add(wire.ComponentCallArgs, "", "this version has no catalog id on calls")
	}
	r.args(fn, c.Args, calls)
}

func (r *run) args(fn *wire.FunctionDef, args []wire.Prop, calls int) {
	seen := uint64(0)
	for i := range args {
		a := &args[i]
		row, at := fn.Find(a.Name)
		switch {
		case row == nil && fn.Args != nil:
			r.add(wire.ComponentCallArgs, "", "%s has no argument %q", fn.Name, clip(a.Name))
			continue
		case row == nil:
			row = &anything
		case seen&(1<<at) != 0:
			r.add(wire.ComponentCallArgs, "", "%s has %s twice", fn.Name, a.Name)
		default:
			seen |= 1 << at
		}
		r.push(a.Name)
		r.size += 64
		r.value(row, a.Value, calls)
		r.pop()
	}
	some := len(fn.OneOf) == 0
	for i := range fn.Args {
		has := seen&(1<<i) != 0
		some = some || has && contains(fn.OneOf, fn.Args[i].Name)
		if fn.Args[i].Required && !has {
			r.add(wire.ComponentCallArgs, "", "%s needs %s", fn.Name, fn.Args[i].Name)
		}
	}
	if !some {
		r.add(wire.ComponentCallArgs, "", "%s needs one of %s", fn.Name, strings.Join(fn.OneOf, ", "))
	}
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// list checks a list with bindings or calls in it.
func (r *run) list(list wire.List, calls int) {
	if calls >= r.Limits.CallDepth {
		r.add(wire.LimitCallDepth, "", "lists and calls are nested deeper than %d", r.Limits.CallDepth)
		return
	}
	for _, v := range list {
		r.value(&anything, v, calls+1)
	}
}

// object checks an object with bindings or calls in it.
func (r *run) object(object wire.Object, calls int) {
	if calls >= r.Limits.CallDepth {
		r.add(wire.LimitCallDepth, "", "objects and calls are nested deeper than %d", r.Limits.CallDepth)
		return
	}
	r.once(object)
	for i := range object {
		r.push(object[i].Name)
		r.literal(object[i].Name)
		r.value(&anything, object[i].Value, calls+1)
		r.pop()
	}
}

// bools checks the operands of and/or.
func (r *run) bools(v wire.Value, calls int) {
	n := 0
	switch v := v.(type) {
	case wire.List:
		for _, operand := range v {
			r.value(&dynBool, operand, calls)
		}
		n = len(v)
	case wire.Literal:
		for _, item := range v.Data.Items {
			if item.Kind != jsonx.Bool {
				r.wrong("a list of conditions", v)
				return
			}
		}
		n = len(v.Data.Items)
	}
	if n < 2 {
		r.wrong("a list of two or more conditions", v)
	}
}
