package validate

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

var (
	dynString = wire.PropDef{Kind: wire.DynString}
	dynBool   = wire.PropDef{Kind: wire.DynBool}
	dynValue  = wire.PropDef{Kind: wire.DynValue}
)

// refer adds an edge from the component that is being checked; path is the
// place of a template's path.
func (r *run) refer(id string, template bool, path int32) {
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

func (r *run) child(v wire.Value) {
	switch v := v.(type) {
	case wire.Ref:
		r.refer(string(v), false, -1)
	case wire.String: // the same on the wire
		r.refer(string(v), false, -1)
	default:
		r.wrong("a component id", v)
	}
}

func (r *run) children(v wire.Value) {
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

func (r *run) template(component, path string) {
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

func (r *run) tabs(v wire.Value) {
	list, ok := v.(wire.Tabs)
	switch {
	case !ok && r.byShape(v):
		r.listOf(&tabRows, v, 0)
		return
	case len(list) == 0:
		r.wrong("a list of {title, child}", v)
		return
	}
	for i, t := range list {
		r.item(i)
		r.push("title")
		r.value(&dynString, t.Title, 0)
		r.pop()
		r.push("child")
		r.refer(t.Child, false, -1)
		r.pop()
		r.pop()
	}
}

func (r *run) options(v wire.Value) {
	list, ok := v.(wire.Options)
	switch {
	case !ok && r.byShape(v):
		r.listOf(&optionSet, v, 0)
		return
	case !ok:
		r.wrong("a list of {label, value}", v)
		return
	}
	for i, o := range list {
		r.item(i)
		r.push("label")
		r.value(&dynString, o.Label, 0)
		r.pop()
		r.string(o.Value)
		r.pop()
	}
}

// byShape tells that a list may be a structure that a codec did not know by name.
func (r *run) byShape(v wire.Value) bool {
	_, ok := itemsOf(v)
	return ok && r.Features.BareValues
}

func (r *run) checks(v wire.Value) {
	list, ok := v.(wire.Checks)
	if !ok && r.Features.BareValues {
		list, ok = r.asChecks(v)
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

func (r *run) check(c wire.Check) {
	verdict := r.Features.VerdictChecks
	if c.Condition == nil || c.Message == "" && !verdict {
		r.add(wire.ComponentCheck, "", "a check needs a condition and a message")
		return
	}
	r.string(c.Message)
	r.push("condition")
	switch c.Condition.(type) {
	case wire.Path, wire.Call:
		r.value(&dynBool, c.Condition, 0)
	default:
		if verdict {
			r.wrong("a path or a call", c.Condition)
		} else {
			r.value(&dynBool, c.Condition, 0)
		}
	}
	r.pop()
}

// action checks what a button does.
func (r *run) action(v wire.Value) {
	r.inAction = true
	defer func() { r.inAction = false }()
	if r.Features.BareValues {
		v = r.asAction(v)
	}
	switch v := v.(type) {
	case wire.Event:
		r.push("event")
		r.event(v)
		r.pop()
	case wire.Local:
		r.push("functionCall")
		r.call(&v.Call, "", 1)
		r.pop()
	default:
		r.wrong("an event or a function call", v)
	}
}

func (r *run) event(e wire.Event) {
	r.literal(e.Name)
	if e.Name == "" {
		r.at("name", wire.ComponentAction, "", "an action needs a name")
	} else if r.Actions != nil && !r.Actions(e.Name) {
		r.at("name", wire.ComponentAction, "", "the action %q is not declared", clip(e.Name))
	}
	if e.UserMessage != nil {
		r.push("userMessage")
		if r.value(&dynString, e.UserMessage, 0); !r.Features.UserMessage {
			r.add(wire.ComponentAction, "", "this version has no userMessage")
		}
		r.pop()
	}
	r.push("context")
	r.context(e.Context)
	r.pop()
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

// call checks a function call that must return want ("" = anything), and
// returns the function, nil if it is not known.
func (r *run) call(c *wire.Call, want string, calls int) *wire.FunctionDef {
	r.literal(c.Func)
	if calls > r.Limits.CallDepth {
		r.add(wire.LimitCallDepth, "", "function calls are nested deeper than %d", r.Limits.CallDepth)
		return nil
	}
	if !r.Features.Calls {
		r.add(wire.ComponentCallArgs, "", "this version has no function calls")
		return nil
	}
	fn := r.function(c)
	if fn == nil {
		r.args(&wire.FunctionDef{Name: c.Func, Open: true}, c.Args, calls)
		return nil
	}
	r.returns(fn, c.ReturnType, want)
	r.callable(fn)
	r.args(fn, c.Args, calls)
	return fn
}

// function looks a function up where its call says, or says why there is none.
func (r *run) function(c *wire.Call) (fn *wire.FunctionDef) {
	if r.Features.Index && wire.System[c.Func] != nil && c.CatalogID == "" {
		r.flags |= usesIndex
		return wire.System[c.Func]
	}
	catalog := r.catalogFor(c.CatalogID, r.st.functions())
	if catalog != nil {
		fn = catalog.Functions[c.Func]
	}
	switch {
	case fn != nil:
	case catalog != nil:
		r.add(wire.ComponentCallArgs, r.nearFunction(catalog, c.Func), "the catalog has no function %q", clip(c.Func))
	case c.CatalogID == "" && r.st != nil: // else it has been said
		r.add(wire.ComponentCatalog, "name one on the surface or on the call", "there is no catalog to look %q up in",
			clip(c.Func))
	}
	return fn
}

// returns checks the type a call is written with, if it is, and in Safe the
// type it has; a verdict is as good as a boolean.
func (r *run) returns(fn *wire.FunctionDef, written, want string) {
	switch {
	case written != "" && !r.Features.ReturnTypes:
		r.add(wire.ComponentCallArgs, "", "this version does not say what calls return")
	case written != "" && fn.Returns != "" && written != fn.Returns:
		r.add(wire.ComponentCallArgs, "", "%s returns %s, not %s", fn.Name, fn.Returns, clip(written))
	case want == "" || fn.Returns == want && (written == "" || written == want):
	case written != "" && written != want:
		r.add(wire.ComponentCallArgs, "", "%s returns %s where %s belongs", fn.Name, clip(written), want)
	case r.Safe && fn.Returns != "" && fn.Returns != "any" && fn.Returns != want &&
		(want != "boolean" || fn.Returns != "validationResult"):
		r.add(wire.ComponentCallArgs, "", "%s returns %s where %s belongs", fn.Name, fn.Returns, want)
	}
}

// callable says in Safe what clients refuse to run where it stands.
func (r *run) callable(fn *wire.FunctionDef) {
	switch {
	case !r.Safe || r.st == nil:
	case fn.Callers == wire.AgentOnly:
		r.add(wire.ComponentCallArgs, "", "only agents may call %s", fn.Name)
	case fn.Activation && !r.inAction:
		r.add(wire.ComponentCallArgs, "call it in an action", "clients run %s only when the user asks for it", fn.Name)
	}
}

func (r *run) args(fn *wire.FunctionDef, args []wire.Prop, calls int) {
	seen := uint64(0)
	r.push("args")
	for i := range args {
		a := &args[i]
		row, at := fn.Find(a.Name)
		switch {
		case row == nil && !fn.Open:
			r.at(a.Name, wire.ComponentCallArgs, r.nearArg(fn, a.Name), "%s has no argument %q", fn.Name, clip(a.Name))
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
		if text, ok := a.Value.(wire.String); ok && fn.Name == "formatString" && a.Name == "value" {
			r.interpolated(string(text))
		}
		r.pop()
	}
	some := len(fn.OneOf) == 0
	for i := range fn.Args {
		has := seen&(1<<i) != 0
		some = some || has && slices.Contains(fn.OneOf, fn.Args[i].Name)
		if fn.Args[i].Required && !has {
			r.at(fn.Args[i].Name, wire.ComponentCallArgs, "", "%s needs %s", fn.Name, fn.Args[i].Name)
		}
	}
	if !some {
		r.add(wire.ComponentCallArgs, "", "%s needs one of %s", fn.Name, strings.Join(fn.OneOf, ", "))
	}
	if fn.Open {
		r.once(args)
	}
	r.pop()
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
