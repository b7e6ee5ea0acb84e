package execute

import (
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// A form of records can have fields that only some people fill in (app.RecordSpec.Decide).
// Others read their values, and submit them unchanged.

// readOnly opens a form without the inputs that are not the user's. A value of the record
// is a text at the end of the form; a field without one is not shown.
func (e Env) readOnly(o app.Opening) app.Opening {
	spec, f := e.decidedByOthers(o.Origin)
	if len(spec.Decide) == 0 {
		return o
	}
	var texts ui.Nodes
	var own []ui.Field
	was := saved(o.Origin)
	for _, field := range f.Fields {
		v, _ := was.Get(field.Name)
		text := field.Shown(e.words(), v)
		switch {
		case !slices.Contains(spec.Decide, field.Name):
			own = append(own, field)
		case text != "":
			texts = append(texts, &ui.Text{Key: field.Name,
				Text: e.words().Say("list.cell", "label", field.Title(), "other", text)})
		}
	}
	f.Fields = own
	drawn := e.App.OpenForm(f, o.Draft)
	if main, ok := drawn.Root[0].(*ui.Column); ok {
		for _, n := range main.Children {
			if fields, ok := n.(*ui.Column); ok {
				fields.Children = append(fields.Children, texts...)
			}
		}
	}
	o.Root, o.Draft = drawn.Root, drawn.Draft
	return o
}

// decidedByOthers returns the spec of a form that has fields the user may not fill in, with
// the form; without such fields, nothing.
func (e Env) decidedByOthers(o ui.Origin) (spec app.RecordSpec, f app.Form) {
	spec, ok := e.App.RecordLists().Spec(o.Template)
	if !ok || o.Kind != "form" || e.Decides != nil && e.Decides(spec, o.Record.Owner) {
		return app.RecordSpec{}, f
	}
	f, _ = e.App.Form(o.Template)
	return spec, f
}

// saved returns the values that a form's record had when it was opened.
func saved(o ui.Origin) ui.Value {
	if o.Record.ID == "" {
		return ui.Value{}
	}
	return o.Params
}

// withDecisions adds to the values of a form those that others decide, if it has no inputs for them.
func (e Env) withDecisions(sf *ui.Surface, values ui.Value) ui.Value {
	spec, f := e.decidedByOthers(sf.Origin)
	was := saved(sf.Origin)
	for _, field := range f.Fields {
		if !slices.Contains(spec.Decide, field.Name) || hasInput(sf, field.Name) {
			continue
		}
		v, ok := was.Get(field.Name)
		if !ok && sf.Origin.Record.ID == "" {
			v = field.Default
		}
		if !v.IsNull() {
			values, _ = values.With(v, field.Name)
		}
	}
	return values
}

func hasInput(sf *ui.Surface, name string) bool {
	for n := range ui.All(sf.Tree()) {
		if in := ui.InputOf(n); in != nil && in.Path == ui.PathOf(ui.DraftRoot, name) {
			return true
		}
	}
	return false
}
