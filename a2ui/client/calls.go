package client

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/function"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Short names of what values look like as text, truth and number.
var (
	show       = function.Show
	numberData = function.Number
)

// call runs one function. What fails is reported and missing, as in a renderer;
// what waits for the agent is missing.
func (d *drawing) call(c a2ui.Call, sc scope, depth int) (a2ui.Data, bool) {
	if !d.rules.Calls {
		d.report(expressionError, "unknown function "+c.Func)
		return a2ui.Data{}, false
	}
	if !d.spend(64) { // about as long as eight looks take
		return a2ui.Data{}, false
	}
	def, err := d.definition(c)
	if err != nil {
		d.report(err.Code, err.Message)
		return a2ui.Data{}, false
	}
	args, awaited := make([]a2ui.Member, 0, len(c.Args)), d.awaited
	for _, p := range c.Args {
		if v, ok := d.deep(p.Value, sc, depth+1); ok {
			args = append(args, a2ui.Member{Key: p.Name, Value: v})
		}
	}
	switch {
	case def == nil && d.awaited == awaited:
		return d.remote(c, args, sc)
	case def == nil && d.clicked: // nothing draws the answer that it waits for
		d.report(expressionError, c.Func+": an argument is for the agent to compute")
		d.remotes = nil
		return a2ui.Data{}, false
	case def == nil:
		return a2ui.Data{}, false
	}
	if def.Activation && !d.clicked && d.rules.Remote {
		d.report(expressionError, c.Func+" needs a click of the user")
		return a2ui.Data{}, false
	}
	for _, arg := range def.Args {
		if arg.Required && !slices.ContainsFunc(c.Args, func(p a2ui.Prop) bool { return p.Name == arg.Name }) {
			d.report(expressionError, c.Func+" needs "+arg.Name)
			return a2ui.Data{}, false
		}
	}
	v, failed := d.client.screen().run(c.Func, args, &function.Call{Rules: d.rules.functions, Index: sc.item(),
		Budget: &d.budget,
		Fill:   func(template string) (string, error) { return d.fill(template, sc, depth+1) }})
	if failed != nil {
		d.report(expressionError, c.Func+": "+failed.Error())
		return a2ui.Data{}, false
	}
	return v, true
}

var indexDef = &a2ui.FunctionDef{Name: "@index"}

// definition finds the function of a call; nil is one that only the agent has.
func (d *drawing) definition(c a2ui.Call) (*a2ui.FunctionDef, *Error) {
	if strings.HasPrefix(c.Func, "@") {
		if c.Func != indexDef.Name || !d.rules.Index {
			return nil, &Error{Code: expressionError, Message: "unknown system function " + c.Func}
		}
		return indexDef, nil
	}
	catalog, err := d.client.screen().catalog(d.surface, c.CatalogID)
	if err != nil {
		return nil, err
	}
	def, known := d.client.screen().function(catalog, c.Func)
	switch {
	case !known && d.rules.Remote:
		return nil, nil
	case !known:
		return nil, &Error{Code: expressionError, Message: "unknown function " + c.Func}
	case def == nil:
		return &a2ui.FunctionDef{Name: c.Func}, nil
	case def.Callers == a2ui.AgentOnly:
		return nil, &Error{Code: expressionError, Message: c.Func + " is for the agent to call"}
	}
	return def, nil
}

// errNoCode is a function that a catalog declares and no code implements.
type errNoCode string

func (e errNoCode) Error() string { return "has no implementation in this renderer" }

// run executes a function of the host, or the basic one.
func (c screen) run(name string, args []a2ui.Member, env *function.Call) (a2ui.Data, error) {
	if f := c.functions[name]; f != nil {
		return f(c.keep.data(jsonx.OfObject(args...)))
	}
	f := function.Find(name)
	if f == nil {
		return a2ui.Data{}, errNoCode(name)
	}
	env.Args = make(map[string]a2ui.Data, len(args))
	for _, m := range args {
		env.Args[m.Key] = m.Value
	}
	return f(env)
}

// fill resolves the ${…} of a text.
func (d *drawing) fill(template string, sc scope, depth int) (string, error) {
	if err := d.budget.Text(template); err != nil {
		return "", err
	}
	parts, err := wire.ParseFormat(template, wire.FormatRules{Plain: d.rules.plainNumbers})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, part := range parts {
		v, ok := d.value(part, sc, depth)
		if !ok {
			continue
		}
		text := show(v)
		if err := d.budget.Text(text); err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}
