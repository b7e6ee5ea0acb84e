package ingress

import (
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// admitForeign admits an action of a surface of another agent: one that its component has, as the
// client was last shown it. Of the context the keys count that the component names.
func admitForeign(sf *ui.Surface, n *ui.Foreign, e *ui.ActionEvent) (*Admitted, error) {
	if e.Form {
		return admitPosted(sf, n, e)
	}
	s, err := foreign.Read(n)
	if err != nil {
		return nil, err
	}
	c, event, found := s.Event(e.Component, e.Name)
	if err := mayRun(sf, e, ui.Action{Name: e.Name}, found, anything); err != nil {
		return nil, err
	}
	context := jsonx.OfObject()
	for _, p := range event.Context {
		if v, sent := e.Context.Get(foreign.Key(p.Name)); sent {
			context.Members = append(context.Members, a2ui.Member{Key: p.Name, Value: v})
		}
	}
	out := &Admitted{Surface: sf, Action: ui.Action{Name: e.Name}, Context: ui.Map()}
	if out.Client, err = gateway.Client(n, e, c.ID, context); err != nil {
		return nil, &ui.Error{Code: CodeEnvelope, Path: "/context", Message: "the agent cannot be sent this", Err: err}
	}
	return out, nil
}

// anything is the policy for actions of other agents: they say themselves what they take.
var anything = Policy{Allowed: func(string) bool { return true }}

// admitPosted is admitForeign for a page, which posts values and a button: the server presses it. In a row of
// a list a button counts on the newest page only, since rows have no names.
func admitPosted(sf *ui.Surface, n *ui.Foreign, e *ui.ActionEvent) (*Admitted, error) {
	at, _ := ui.ParseComponentID(e.Component)
	action, found := foreign.Page(sf).ActionAt(at)
	pressed, err := foreign.Press(n, action.ID, e.Context)
	out := &Admitted{Surface: sf, Action: ui.Action{Name: action.Name}, Context: ui.Map(), Fix: pressed.Fix}
	if pressed.Node != nil {
		out.Ops = ui.Ops{&ui.Update{Surface: sf.Name, Root: ui.Nodes{pressed.Node}, Live: true}}
	}
	if err := mayRun(sf, e, action, found && action.Do == "", anything); err != nil {
		return out, err
	}
	if strings.Contains(action.ID, "@") && e.Rev < sf.Rev {
		return out, &ui.Error{Code: CodeStale, Path: builtin.FieldRev, Message: "the list changed since",
			Hint: "look at it and press the button again"}
	}
	if err != nil {
		return out, &ui.Error{Code: CodeForbidden, Path: builtin.FieldComponent,
			Message: "the button cannot be pressed", Err: err}
	}
	if out.Fix != "" {
		return out, nil
	}
	named := *e // a form says which button, not what it sends
	named.Name = pressed.Action.Name
	out.Client, err = gateway.Client(n, &named, pressed.Action.Component, pressed.Action.Context)
	if err != nil {
		return out, &ui.Error{Code: CodeEnvelope, Message: "the agent cannot be sent this", Err: err}
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
