package deliver

import (
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// Calls are the messages that have a client of a target run functions, of the calls that came
// after the state before.
func (d *Deliverer) Calls(t Target, before, after *ui.State) [][]byte {
	return t.withCalls(nil, before, after)
}

// withCalls adds the functions of clients that are called after the state before, for clients
// of a catalog that has them and lets an agent call them.
func (t Target) withCalls(out [][]byte, before, after *ui.State) [][]byte {
	if len(after.Router.Calls) == 0 || t.HTML != nil || t.Page != "" || !t.A2UI.Dialect.Features().Remote {
		return out
	}
	out = out[:len(out):len(out)]
	for _, c := range after.Router.Calls {
		same := func(o ui.Action) bool { return o.ID == c.ID }
		catalog := t.catalogOf(c.Do)
		if catalog == "" || before != nil && slices.ContainsFunc(before.Router.Calls, same) {
			continue
		}
		call := a2ui.Call{Func: c.Do, CatalogID: catalog}
		for _, x := range c.Context {
			data, err := a2ui.ParseData(x.Value.AppendJSON(nil))
			if err != nil {
				continue // a value is JSON
			}
			call.Args = append(call.Args, a2ui.Prop{Name: x.Key, Value: a2ui.Literal{Data: data}})
		}
		line, err := a2ui.AppendMessage(nil, t.A2UI.Dialect, &a2ui.CallRenderer{CallID: c.ID, Call: call})
		if err == nil {
			out = append(out, line)
		}
	}
	return out
}

// catalogOf is the id of a catalog with a function that an agent may call, or "".
func (t Target) catalogOf(function string) (id string) {
	if t.A2UI.Rules == nil {
		return ""
	}
	for _, c := range t.A2UI.Rules.Catalogs {
		if f := c.Functions[function]; f != nil && f.Callers != a2ui.RendererOnly && (id == "" || c.ID < id) {
			id = c.ID
		}
	}
	return id
}
