package ingress

import (
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// admitForeign admits an action of a surface of another agent: one that its component has, as the
// client was last shown it. Of the context the keys count that the component names.
func admitForeign(sf *ui.Surface, n *ui.Foreign, e *ui.ActionEvent) (*Admitted, error) {
	s, err := foreign.Read(n)
	if err != nil {
		return nil, err
	}
	c, event, found := s.Event(e.Component, e.Name)
	anything := Policy{Allowed: func(string) bool { return true }}
	if err := mayRun(sf, e, ui.Action{Name: e.Name}, found && !e.Form, anything); err != nil {
		return nil, err
	}
	context := jsonx.OfObject()
	for _, p := range event.Context {
		if v, sent := e.Context.Get(foreign.Key(p.Name)); sent {
			context.Members = append(context.Members, a2ui.Member{Key: p.Name, Value: v})
		}
	}
	out := &Admitted{Surface: sf, Action: ui.Action{Name: e.Name}, Context: ui.Map()}
	if out.Client, err = s.Click(e, c.ID, context); err != nil {
		return nil, &ui.Error{Code: CodeEnvelope, Path: "/context", Message: "the agent cannot be sent this", Err: err}
	}
	return out, nil
}

// Models reads the data models of surfaces of other agents, as a client shows them.
func Models(s *ui.State, model jsonx.Value) (ops ui.Ops) {
	for _, m := range model.Members {
		name, epoch, err := ui.ParseWireID(m.Key)
		sf := s.Surface(name)
		if err != nil || sf == nil || sf.Epoch != epoch || sf.Status != ui.StatusOpen || m.Value.Kind != jsonx.Object {
			continue
		}
		n := foreign.Of(sf)
		if n == nil || string(jsonx.Append(nil, n.Model)) == string(jsonx.Append(nil, m.Value)) {
			continue
		}
		next := *n
		next.Model = m.Value
		ops = append(ops, &ui.Update{Surface: name, Root: ui.Nodes{&next}, Live: true})
	}
	return ops
}
