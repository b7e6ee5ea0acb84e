package execute

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// own carries out a directive of a type that the app declares.
func (r *runner) own(t app.DirectiveType, payload jsonx.Value) (ui.Ops, error) {
	if t.Build != nil {
		ops, err := r.build(t, payload)
		if err != nil {
			return nil, err
		}
		return r.admitted(ops)
	}
	a, ok := r.env.App.Action(t.Action)
	if !ok {
		return nil, unknown("", "action", t.Action)
	}
	if r.env.App.Masked(r.state, a.Name) {
		return nil, ui.Errorf(CodeNotNow, "", "%q comes first, or is not for now", r.first(a))
	}
	if a.Reply != "" {
		return ui.Ops{say(a.Reply)}, nil
	}
	values, err := ui.ValueOf(payload)
	if err != nil {
		return nil, &ui.Error{Code: CodePayload, Message: "an action takes texts, numbers, booleans, lists of texts, " +
			"and objects of these", Err: err}
	}
	values, bad := Typed(a, values, r.env.words())
	switch {
	case bad != nil:
		return nil, ui.Errorf(CodePayload, "/"+bad.Path.Last(), "%s", bad.Text)
	case !r.calls:
		return nil, ui.Errorf(CodePayload, "", "only the answer of a model may ask for action %q", a.Name)
	case r.effect != nil || r.press != "":
		return nil, ui.Errorf(CodeOneAction, "", "an answer asks for one action: %q waits", cmp.Or(a.Label, a.Name))
	}
	r.effect = &Effect{Action: a, Values: values}
	return nil, nil
}

// first is the title of what has to be submitted before an action, or else its own label.
func (r *runner) first(a app.Action) string {
	for _, name := range a.After {
		if _, done := r.state.Committed.Get(name); !done {
			f, _ := r.env.App.Form(name)
			return cmp.Or(f.Title, name)
		}
	}
	return cmp.Or(a.Label, a.Name)
}

// showRecords asks for the list of records that a directive names.
func (r *runner) showRecords(p jsonx.Value) (ui.Ops, error) {
	q := app.RecordQuery{Name: p.At("name").Text(), Search: p.At("search").Text(), Sort: p.At("sort").Text(),
		Desc: p.At("sort").Text() == "" || p.At("descending").Bool}
	for _, m := range p.At("where").Members {
		q.Where = append(q.Where, app.RecordCondition{Field: m.Key, Op: "eq", Text: m.Value.Text()})
	}
	switch {
	case !r.calls:
		return nil, ui.Errorf(CodePayload, "", "only the answer of a model may ask for a list of records")
	case r.effect != nil || r.press != "":
		return nil, ui.Errorf(CodeOneAction, "", "an answer asks for one action or list of records")
	}
	r.effect = ShowRecords(r.env.App, q)
	return nil, nil
}

// ShowRecords is the call that lists the records of a query.
func ShowRecords(a *app.App, q app.RecordQuery) *Effect {
	action, _ := a.Action(builtin.ActionRecords)
	return &Effect{Action: action, Values: ui.Map(ui.Pair{Key: "name", Value: ui.String(q.Name)},
		ui.Pair{Key: "query", Value: ui.String(q.Values().Encode())})}
}

// build calls the app's function; a panic is an error of this directive.
func (r *runner) build(t app.DirectiveType, payload jsonx.Value) (ops ui.Ops, err error) {
	defer func() {
		if p := recover(); p != nil {
			ops, err = nil, ui.Errorf(CodeFailed, "", "the function of directive type %s panicked", t.Name)
		}
	}()
	ops, err = t.Build(app.DirectiveCall{App: r.env.App, Payload: payload, State: r.state})
	if coded := (*ui.Error)(nil); err != nil && !errors.As(err, &coded) {
		err = &ui.Error{Code: CodeFailed, Message: fmt.Sprintf("directive type %s failed", t.Name), Err: err}
	}
	return ops, err
}

// admitted restricts the ops of an app's function to those a directive may have:
// surfaces open as they do for the preset's directives, the two worksheets only if
// their gates are open.
func (r *runner) admitted(list ui.Ops) (ui.Ops, error) {
	var out ui.Ops
	for _, op := range list {
		switch op := op.(type) {
		case *ui.Open:
			o := app.Opening{Surface: op.Surface, Origin: op.Origin, Title: op.Title, Root: op.Root, Draft: op.Draft}
			tool := map[string]string{"table": ui.ToolTable, "map": ui.ToolMap}[op.Origin.Kind]
			if o.Origin.Record.ID != "" && isOpen(r.state, o.Surface) {
				o = besides(r.state, o) // keep the draft of the surface that is open
			}
			if tool == "" {
				out = append(out, r.open(o)...)
				continue
			}
			ops, err := r.directed(tool, o)
			if err != nil {
				return nil, err
			}
			out = append(out, ops...)
		case *ui.Say:
			out = append(out, say(op.Text))
		case *ui.Update, *ui.Close, *ui.Draft, *ui.Patch, *ui.Commit, *ui.Toast:
			out = append(out, op)
		default:
			return nil, ui.Errorf(CodePayload, "", "a directive cannot do %T", op)
		}
	}
	return out, nil
}
