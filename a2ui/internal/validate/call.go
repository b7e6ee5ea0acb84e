package validate

import (
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// callRules checks function calls and their arguments.
type callRules struct{ *run }

// call checks a function call that must return want ("" = anything), and
// returns the function, nil if it is not known.
func (r callRules) call(c *wire.Call, want string, calls int) *wire.FunctionDef {
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

// nested bounds what catalogs of a version without calls make of them: objects with a
// functionCall, or with call and args.
func (r callRules) nested(v wire.Data, calls int) bool {
	_, call := v.Get("call")
	_, args := v.Get("args")
	if v.At("functionCall").Kind == jsonx.Object || call && args {
		if calls++; calls > r.Limits.CallDepth {
			r.add(wire.LimitCallDepth, "", "function calls are nested deeper than %d", r.Limits.CallDepth)
			return false
		}
	}
	return !slices.ContainsFunc(v.Items, func(item wire.Data) bool { return !r.nested(item, calls) }) &&
		!slices.ContainsFunc(v.Members, func(m wire.Member) bool { return !r.nested(m.Value, calls) })
}

// function looks a function up in the catalog its call names, or reports why it is
// missing.
func (r callRules) function(c *wire.Call) (fn *wire.FunctionDef) {
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
		r.add(wire.ComponentCallArgs, r.near(c.Func, maps.Keys(catalog.Functions), nil),
			"the catalog has no function %q", clip(c.Func))
	case c.CatalogID == "" && r.st != nil: // else it has been said
		r.add(wire.ComponentCatalog, "name one on the surface or on the call", "there is no catalog to look %q up in",
			clip(c.Func))
	}
	return fn
}

// returns checks the type a call is written with, if it is, and in Safe the
// type it has; a verdict is as good as a boolean.
func (r callRules) returns(fn *wire.FunctionDef, written, want string) {
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

// callable says in Safe what clients refuse to run where it is.
func (r callRules) callable(fn *wire.FunctionDef) {
	switch {
	case !r.Safe || r.st == nil:
	case fn.Callers == wire.AgentOnly:
		r.add(wire.ComponentCallArgs, "", "only agents may call %s", fn.Name)
	case fn.Activation && !r.inAction:
		r.add(wire.ComponentCallArgs, "call it in an action", "clients run %s only when the user asks for it", fn.Name)
	}
}

func (r callRules) args(fn *wire.FunctionDef, args []wire.Prop, calls int) {
	seen := uint64(0)
	r.push("args")
	for i := range args {
		a := &args[i]
		row, at := fn.Find(a.Name)
		switch {
		case row == nil && !fn.Open:
			r.at(a.Name, wire.ComponentCallArgs, r.near(a.Name, names(fn.Args), nil), "%s has no argument %q", fn.Name,
				clip(a.Name))
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
		r.values().value(row, a.Value, calls)
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
		r.structures().once(args)
	}
	r.pop()
}

// list checks a list with bindings or calls in it.
func (r callRules) list(list wire.List, calls int) {
	if calls >= r.Limits.CallDepth {
		r.add(wire.LimitCallDepth, "", "lists and calls are nested deeper than %d", r.Limits.CallDepth)
		return
	}
	for _, v := range list {
		r.values().value(&anything, v, calls+1)
	}
}

// object checks an object with bindings or calls in it.
func (r callRules) object(object wire.Object, calls int) {
	if calls >= r.Limits.CallDepth {
		r.add(wire.LimitCallDepth, "", "objects and calls are nested deeper than %d", r.Limits.CallDepth)
		return
	}
	r.structures().once(object)
	for i := range object {
		r.push(object[i].Name)
		r.literal(object[i].Name)
		r.values().value(&anything, object[i].Value, calls+1)
		r.pop()
	}
}

// bools checks the operands of and/or.
func (r callRules) bools(v wire.Value, calls int) {
	n := 0
	switch v := v.(type) {
	case wire.List:
		for _, operand := range v {
			r.values().value(&dynBool, operand, calls)
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
