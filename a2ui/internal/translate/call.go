package translate

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// callMapper maps function calls, checks and actions.
type callMapper struct{ *job }

// index is the system function that returns the number of a template's item.
const indexFunc = "@index"

// lacks reports whether a function is one of the source's tables and none of the
// target's.
func (j *job) lacks(name string) bool {
	if name == indexFunc {
		return !j.to.Features.Index
	}
	return defined(j.from, name) != nil && defined(j.to, name) == nil
}

func defined(side *Side, name string) *wire.FunctionDef {
	if def := side.Catalog.Functions[name]; def != nil || side.Minimal == nil {
		return def
	}
	return side.Minimal.Functions[name]
}

// called translates a call in the place of a value.
func (j callMapper) called(row *wire.PropDef, call wire.Call, at string, c *comp) (wire.Value, bool) {
	if j.to.Features.Calls && !j.lacks(call.Func) {
		return j.call(call, at, c), true
	}
	if !j.to.Features.Calls && len(c.scopes) > 0 && computable(call) {
		if at == "/value" || j.computer().entered(call, c) {
			j.lose(Function, at, "%s does not follow what the user enters", call.Func)
		}
		entry := computed{call, j.escapes(at, c), row.Kind, at}
		return wire.Path(flatPath(string(j.computer().compute(entry, c)))), true
	}
	values, exact := approximate(call)
	v := values[0]
	for _, other := range values {
		if _, ok := other.(wire.Path); ok {
			v = other
			break
		}
	}
	_, bound := v.(wire.Path)
	switch {
	case !exact || len(values) > 1:
		j.lose(Function, at, "%s is not computed", call.Func)
	case bound && at == "/value":
		j.lose(Function, at, "what was computed can be written to")
	}
	if !bound {
		switch row.Kind {
		case wire.DynBool:
			v = wire.Bool(false)
		case wire.DynNumber:
			v = wire.Literal{Data: jsonx.OfInt(0)}
		case wire.DynStrings:
			v = wire.Literal{Data: jsonx.Value{Kind: jsonx.Array}}
		}
	}
	return j.values().value(row, v, at, c)
}

// escapes returns the variant of Text for which a result must be escaped.
func (j callMapper) escapes(at string, c *comp) string {
	variant, _ := wire.Get(c.Props, "variant").(wire.String)
	if at != "/text" || variant == "" || variant == "body" || j.from.Features.MarkdownText ||
		!j.to.Features.MarkdownText {
		return ""
	}
	return string(variant)
}

// call translates a call that the target can run.
func (j callMapper) call(call wire.Call, at string, c *comp) wire.Call {
	out := wire.Call{Func: call.Func, Args: make([]wire.Prop, 0, len(call.Args))}
	def := defined(j.to, call.Func)
	for _, a := range call.Args {
		row := &anything
		if def != nil {
			if found, _ := def.Find(a.Name); found != nil {
				row = found
			}
		}
		v, ok := j.values().value(row, a.Value, at, c)
		if text, is := v.(wire.String); is && call.Func == "formatString" {
			v = wire.String(j.computed(string(text), at))
		}
		if ok {
			out.Args = append(out.Args, wire.Prop{Name: a.Name, Value: v})
		}
	}
	switch {
	case j.to.Features.ReturnTypes:
		if def != nil {
			out.ReturnType = def.Returns
		} else {
			out.ReturnType = call.ReturnType
		}
		if call.CatalogID != "" && call.CatalogID != j.from.Catalog.ID &&
			(j.s == nil || j.s.create == nil || call.CatalogID != j.s.create.CatalogID) {
			j.lose(Catalog, at, "calls cannot name their catalog")
		}
	case call.CatalogID != "":
		out.CatalogID = j.catalog(call.CatalogID)
	}
	return out
}

// computed replaces in a text the calls that the target's clients cannot run by what
// they are made from; the number of an item goes.
func (j callMapper) computed(text, at string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	parts, err := pieces(text)
	if err != nil {
		return text
	}
	lost := false
	for i, part := range parts {
		call, _ := part.(wire.Call)
		switch name := j.missing(part); {
		case name == "":
			continue
		case call.Func == indexFunc:
			j.lose(Function, at, "there is no %s", indexFunc)
			parts[i] = wire.String("")
		default:
			j.lose(Function, at, "%s is not computed", name)
			values, _ := approximate(call)
			parts[i] = values[0]
		}
		lost = true
	}
	if !lost {
		return text
	}
	var b strings.Builder
	for _, part := range parts {
		if body, ok := interpolated(part); ok {
			b.WriteString(body)
		}
	}
	return b.String()
}

// missing returns a function in a value that the target lacks, or "".
func (j callMapper) missing(v wire.Value) (name string) {
	each(v, func(v wire.Value) {
		if call, ok := v.(wire.Call); ok && name == "" && j.lacks(call.Func) {
			name = call.Func
		}
	})
	return name
}

// approximate returns the values that a call is made from, at least one; exact reports
// that it shows those, one after the other.
func approximate(call wire.Call) (values []wire.Value, exact bool) {
	value := wire.Get(call.Args, "value")
	text, ok := value.(wire.String)
	if call.Func != "formatString" || !ok {
		switch v := value.(type) {
		case wire.Path:
			return []wire.Value{v}, false
		case wire.String:
			return []wire.Value{v}, false
		case wire.Literal:
			if v.Data.Kind == jsonx.Number {
				return []wire.Value{wire.String(v.Data.Str)}, false
			}
		case wire.Call:
			values, _ = approximate(v)
			return values, false
		}
		return []wire.Value{wire.String("")}, false
	}
	list, err := pieces(string(text))
	if err != nil {
		return []wire.Value{text}, false
	}
	exact = true
	for _, v := range list {
		switch v := v.(type) {
		case wire.Call:
			inner, _ := approximate(v)
			values, exact = append(values, inner...), false
		case wire.Bool, wire.Literal:
			shown, _ := written(v, 0)
			values = append(values, wire.String(shown))
		default:
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		values = []wire.Value{wire.String("")}
	}
	return values, exact
}

// constant computes a condition that reads no data.
func constant(v wire.Value) (value, known bool) {
	switch v := v.(type) {
	case wire.Bool:
		return bool(v), true
	case wire.Call:
		switch v.Func {
		case "not":
			value, known = constant(wire.Get(v.Args, "value"))
			return !value, known
		case "required":
			text, ok := wire.Get(v.Args, "value").(wire.String)
			return text != "", ok
		case "and", "or":
			list, _ := wire.Get(v.Args, "values").(wire.List)
			open := len(list) < 2
			for _, item := range list {
				value, known := constant(item)
				if known && value == (v.Func == "or") {
					return value, true
				}
				open = open || !known
			}
			return v.Func == "and", !open
		}
	}
	return false, false
}

// noChecks reports the rules of an input that has none in the target.
func (j callMapper) noChecks(v wire.Value) {
	list, _ := v.(wire.Checks)
	for _, check := range list {
		if ok, known := constant(check.Condition); !known || !ok {
			j.lose(Check, "/checks", "the rule %q is not checked", check.Message)
		}
	}
}

var condition = wire.PropDef{Kind: wire.DynBool}

// checks translates validation rules.
func (j callMapper) checks(list wire.Checks, at string, c *comp) (wire.Value, bool) {
	out := make(wire.Checks, 0, len(list))
	for _, check := range list {
		if literal, ok := check.Condition.(wire.Bool); ok && j.to.Features.VerdictChecks {
			if literal {
				continue
			}
			check.Condition = wire.Call{Func: "not", Args: []wire.Prop{{Name: "value", Value: wire.Bool(true)}}}
		}
		if call, ok := check.Condition.(wire.Call); ok && j.lacks(call.Func) {
			j.lose(Check, at, "the rule %q is not checked", check.Message)
			continue
		}
		if check.Message == "" && !j.to.Features.VerdictChecks {
			check.Message = "Invalid."
			j.lose(Check, at, "a rule needs a message")
		}
		if v, ok := j.values().value(&condition, check.Condition, at, c); ok {
			out = append(out, wire.Check{Condition: v, Message: check.Message})
		}
	}
	return out, len(out) > 0 || len(list) == 0
}

// action translates the action of a button. A function that the client cannot run
// becomes an event of that name, so that the server may do it.
func (j callMapper) action(v wire.Value, at string, c *comp) wire.Value {
	event, ok := v.(wire.Event)
	if local, is := v.(wire.Local); is {
		if j.runs(local.Call) {
			return wire.Local{Call: j.call(local.Call, at, c)}
		}
		j.lose(Action, at, "clients cannot run %s: the server is told", local.Call.Func)
		event = wire.Event{Name: local.Call.Func, Context: local.Call.Args}
	} else if !ok {
		return v
	}
	out := wire.Event{Name: event.Name}
	if event.Context != nil {
		out.Context = make([]wire.Prop, 0, len(event.Context))
	}
	for _, p := range event.Context {
		if v, ok := j.context(p, at, c); ok {
			out.Context = append(out.Context, wire.Prop{Name: p.Name, Value: v})
		}
	}
	if event.UserMessage != nil {
		if j.to.Features.UserMessage {
			out.UserMessage, _ = j.values().value(&text, event.UserMessage, at, c)
		} else {
			j.lose(Metadata, at, "the action cannot be told in words")
		}
	}
	return out
}

// runs reports whether the target's clients can run a call.
func (j callMapper) runs(call wire.Call) bool {
	if !j.to.Features.Calls || j.lacks(call.Func) {
		return false
	}
	def := defined(j.to, call.Func)
	for _, a := range call.Args {
		if def == nil {
			break
		}
		row, _ := def.Find(a.Name)
		if _, literal := a.Value.(wire.String); row != nil && row.Kind == wire.PlainString && !literal {
			return false
		}
	}
	return true
}

var contextValue = wire.PropDef{Kind: wire.DynValue}

// context translates one entry of an event's context.
func (j callMapper) context(p wire.Prop, at string, c *comp) (wire.Value, bool) {
	f := j.to.Features
	switch v := p.Value.(type) {
	case wire.String: // no component is taken for it
		return v, true
	case wire.Literal:
		if v.Data.Kind == jsonx.Object && !f.ObjectValues || v.Data.Kind == jsonx.Array && f.FlatData {
			j.lose(Context, at, "%s is sent as JSON text", p.Name)
			return wire.String(jsonx.Append(nil, v.Data)), true
		}
		if v.Data.Kind == jsonx.Null && !f.ObjectValues {
			j.lose(Context, at, "%s is null and is left out", p.Name)
			return nil, false
		}
	case wire.Object:
		if !f.ObjectValues {
			j.lose(Context, at, "%s is an object and is left out", p.Name)
			return nil, false
		}
	case wire.List:
		if f.FlatData {
			j.lose(Context, at, "%s is a list and is left out", p.Name)
			return nil, false
		}
	}
	return j.values().value(&contextValue, p.Value, at, c)
}

// equal compares conditions, but for what calls say they return.
func equal(a, b wire.Value) bool {
	switch a := a.(type) {
	case wire.Call:
		b, ok := b.(wire.Call)
		return ok && a.Func == b.Func && slices.EqualFunc(a.Args, b.Args, func(x, y wire.Prop) bool {
			return x.Name == y.Name && equal(x.Value, y.Value)
		})
	case wire.List:
		b, ok := b.(wire.List)
		return ok && slices.EqualFunc(a, b, equal)
	case wire.String, wire.Path, wire.Bool:
		return a == b
	}
	return false
}
