package execute

import (
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Fixed reports an action that is answered without a call or a model: by words, by a
// worksheet or view, or by both.
func Fixed(a app.Action) bool { return a.Reply != "" || a.Show != "" }

// Answer returns the ops of a fixed action on the state after ops. A user asked for
// it, so no gate keeps a worksheet closed. One that is open stays as it is.
func Answer(env Env, s *ui.State, ops ui.Ops, a app.Action) (ui.Ops, []*ui.Error) {
	var said ui.Ops
	if a.Reply != "" {
		said = ui.Ops{say(a.Reply)}
	}
	shown, warnings := show(env, s, append(ops[:len(ops):len(ops)], said...), a.Show)
	return append(said, shown...), warnings
}

// show opens the form, table, map or view of a name, on the state after ops.
func show(env Env, s *ui.State, ops ui.Ops, name string) (ui.Ops, []*ui.Error) {
	typ, surface := named(env.App, name)
	if name == "" {
		return nil, nil
	}
	now, err := env.look(s, ops)
	if err != nil {
		return nil, []*ui.Error{ui.AsError(err, CodeFailed, "the state moved on")}
	}
	if typ != directive.TypeShowView && isOpen(now, surface) {
		return nil, nil
	}
	env.Lifted = true
	payload := jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of(name)})
	return Run(env, now, []directive.Directive{{Type: typ, Payload: payload}})
}

// named is the directive that shows what has a name, and its surface.
func named(a *app.App, name string) (typ string, surface ui.Name) {
	if f, ok := a.Form(name); ok {
		return directive.TypeShowForm, ui.Name("form:" + f.Name)
	}
	if t, ok := a.Table(name); ok {
		return directive.TypeShowTable, ui.Name("table:" + t.Name)
	}
	if m, ok := a.Map(name); ok {
		return directive.TypeShowMap, ui.Name("map:" + m.Name)
	}
	return directive.TypeShowView, ui.Name("view:" + name)
}
