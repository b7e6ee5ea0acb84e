package deliver

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
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
		catalog := t.catalogOf(c)
		if catalog == "" || before != nil && slices.ContainsFunc(before.Router.Calls, same) {
			continue
		}
		call := a2ui.Call{Func: c.Do, CatalogID: catalog, Args: argsOf(c)}
		line, err := a2ui.AppendMessage(nil, t.A2UI.Dialect, &a2ui.CallRenderer{CallID: c.ID, Call: call})
		if err == nil {
			out = append(out, line)
		}
	}
	return out
}

// argsOf is the arguments of a call. Those of an agent are one text of JSON, without a key.
func argsOf(call ui.Action) (args []a2ui.Prop) {
	for _, x := range call.Context {
		raw := x.Value.AppendJSON(nil)
		if x.Key == "" {
			raw = []byte(x.Value.Text())
		}
		data, err := a2ui.ParseData(raw)
		if err != nil {
			continue // never: it was written as JSON
		}
		list := []a2ui.Member{{Key: x.Key, Value: data}}
		if x.Key == "" {
			list = data.Members
		}
		for _, m := range list {
			args = append(args, a2ui.Prop{Name: m.Key, Value: a2ui.Literal{Data: m.Value}})
		}
	}
	return args
}

// catalogOf is the id of a catalog with the function of a call that others than a client may make, or "". An agent
// calls the functions of its catalog.
func (t Target) catalogOf(call ui.Action) (id string) {
	if t.A2UI.Rules == nil {
		return ""
	}
	agent, ofAgent := strings.CutPrefix(call.Name, builtin.RunAgent)
	for of, c := range t.A2UI.Rules.Catalogs {
		f := c.Functions[call.Do]
		if f != nil && f.Callers != a2ui.RendererOnly && (id == "" || c.ID < id) && (!ofAgent || of == agent) {
			id = c.ID
		}
	}
	return id
}
