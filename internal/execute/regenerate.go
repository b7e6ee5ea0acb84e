package execute

import (
	"cmp"
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// End ends the conversation. Ending it twice is no change.
func End(s *ui.State) ui.Ops {
	if s.Ended {
		return nil
	}
	var ops ui.Ops
	r := s.Router
	open := r.Checkpoint != nil || r.Pending != nil
	if open {
		r.LastStatus, r.Checkpoint, r.Beside, r.Pending = ui.StatusCanceled, nil, nil, nil
	}
	if open || len(r.Calls) > 0 {
		r.Calls = nil
		ops = append(ops, &ui.Set{Router: r})
	}
	return append(ops, &ui.End{})
}

// Regenerate opens a surface again: an open one, an expired one, or one that closed
// because it failed. ok is false if the conversation has no surface of that name.
func Regenerate(env Env, s *ui.State, n ui.Name) (step Step, ok bool) {
	sf := cmp.Or(s.Surface(n), s.FailedSurface(n))
	if sf == nil {
		return step, false
	}
	step.Outcome = ui.Outcome{Kind: ui.OutcomeDone, Surface: n}
	return step.regenerate(env, s, sf), true
}

// regenerate opens the surface as the app declares it today. It keeps the draft of
// the fields that still exist. A submitted surface stays submitted.
func (step Step) regenerate(env Env, s *ui.State, sf *ui.Surface) Step {
	there := s.Surface(sf.Name) != nil
	stored := &ui.Open{Surface: sf.Name, Nonce: env.Nonce(), Origin: sf.Origin, Title: sf.Title, Root: sf.Root,
		Draft: sf.Draft, UIState: sf.UIState}
	if sf.Status == ui.StatusSubmitted && !there {
		step.Ops = append(step.Ops, stored, &ui.Lock{Surface: sf.Name})
		return step
	}
	if sf.Status == ui.StatusSubmitted {
		step.Ops = append(step.Ops, &ui.Reset{Surface: sf.Name, Nonce: stored.Nonce})
		return step
	}
	o, ok := reopen(env, s, sf)
	o.Surface = sf.Name
	if ok && sf.Status == ui.StatusCanceled {
		step.Outcome.Message = env.words().Say("surface.undone")
		step.Ops = append(step.Ops, say(step.Outcome.Message))
		step.Ops = append(step.Ops, undone(env, s, o)...)
	}
	switch {
	case ok:
		op := o.Op(stored.Nonce)
		if names, ok := sf.UIState.Get("uploads"); ok {
			op.UIState = ui.Map(ui.Pair{Key: "uploads", Value: names})
		}
		step.Ops = append(step.Ops, op)
	case outdated(env.App, sf.Origin): // the app declares it no longer
		text := env.words().Say("surface.gone")
		if held := worksheet.Plain(env.words(), sf); held != "" {
			text = excerpt.Head(text+"\n\n"+env.words().Say("surface.held", "list", held),
				env.limits().WithDefaults().TextSize)
		}
		if there {
			step.Ops = append(step.Ops, &ui.Close{Surface: sf.Name})
		}
		step.Ops, step.Outcome.Message = append(step.Ops, say(text)), text
	case there && sf.Status == ui.StatusOpen:
		step.Ops = append(step.Ops, &ui.Reset{Surface: sf.Name, Nonce: stored.Nonce})
	default: // undeclared: the stored tree is the only one
		step.Ops = append(step.Ops, stored)
	}
	return step
}

// undone reverts the effect of a cancel on the router: the worksheet is open again.
func undone(env Env, s *ui.State, o app.Opening) ui.Ops {
	name := map[string]string{"table": ui.ToolTable, "map": ui.ToolMap}[o.Origin.Kind]
	params, err := paramsOf(name, o)
	if name == "" || err != nil {
		return nil
	}
	router := route.Next(route.Decision{Action: route.ActionTool, Tool: name, Params: params}, s.Router, env.Prefs,
		env.Now)
	router.Checkpoint.Surface, router.Checkpoint.Criteria = o.Surface, criteria(o)
	router.Cancels = max(0, s.Router.Cancels-1)
	return ui.Ops{&ui.Set{Router: router}}
}

// Undo restores the user's last removal: a canceled surface, else a row of an open
// one. ok is false if there is neither.
func Undo(env Env, s *ui.State) (step Step, ok bool) {
	if sf := Canceled(s, "", ""); sf != nil {
		return Regenerate(env, s, sf.Name)
	}
	for _, sf := range slices.Backward(s.Surfaces) {
		for n := range ui.All(sf.Tree()) {
			rs := ui.RowsetOf(n)
			if rs == nil || ok || sf.Status != ui.StatusOpen {
				continue
			}
			changes := restored(sf, rs)
			if ok = changes != nil; ok {
				if text := env.full(sf, rs); text != "" {
					step = step.refusedRow(sf, rs, text)
					step.Outcome.Kind = ui.OutcomeFailed // the words count
				} else {
					step = step.captureAgain(env, sf)
					step.Ops = append(step.Ops, &ui.Patch{Surface: sf.Name, Changes: changes})
					step.Outcome = ui.Outcome{Kind: ui.OutcomeDone, Surface: sf.Name,
						Message: env.words().Say("surface.undone")}
				}
				step.Ops = append(step.Ops, say(step.Outcome.Message))
			}
		}
	}
	return step, ok
}

// Expire marks the open surfaces whose declaration has changed or is gone: their
// buttons would no longer do what their labels promise.
func Expire(a *app.App, s *ui.State) (ops ui.Ops) {
	for _, sf := range s.Surfaces {
		if sf.Status == ui.StatusOpen && outdated(a, sf.Origin) {
			ops = append(ops, &ui.Expire{Surface: sf.Name})
		}
	}
	return ops
}

// outdated reports that the app declares a template differently by now, or no
// longer, than it did when a surface was drawn from it.
func outdated(a *app.App, o ui.Origin) bool { return o.Version != a.Version(o.Kind, o.Template) }

func reopen(env Env, s *ui.State, sf *ui.Surface) (app.Opening, bool) {
	switch sf.Origin.Kind {
	case "form":
		if f, ok := env.App.Form(sf.Origin.Template); ok {
			o := env.App.OpenForm(f, sf.Draft)
			o.Origin.Record, o.Origin.Params = sf.Origin.Record, sf.Origin.Params
			return env.readOnly(o), true
		}
	case "table", "map":
		return reopenTool(env, sf)
	case "view":
		if v, ok := env.App.View(sf.Origin.Template); ok {
			o := env.App.OpenView(v, s)
			if len(o.Root) == 1 && o.Root[0] != nil {
				o.Draft = ui.BlankDraft(o.Root[0], bound(o.Root[0], sf.Draft))
			}
			return o, true
		}
	}
	return app.Opening{}, false
}

// bound is what of a draft the inputs below a node bind.
func bound(root ui.Node, draft ui.Value) ui.Value {
	out := ui.Map()
	for _, c := range ui.SubmitContext(root) {
		if v, ok := draft.Get(c.Path.Segments()[1:]...); ok {
			out, _ = out.With(v, c.Path.Segments()[1:]...)
		}
	}
	return out
}

// reopenTool opens a worksheet again with its rows and the text that was pasted. One
// the app does not declare has its parameters in the surface.
func reopenTool(env Env, sf *ui.Surface) (app.Opening, bool) {
	rs := ui.RowsetOf(worksheet.Filled(sf.Root))
	if rs == nil {
		return app.Opening{}, false
	}
	var o app.Opening
	rows, _ := sf.Get(rs.Path)
	if sf.Origin.Kind == "table" {
		t, ok := env.App.Table(sf.Origin.Template)
		if !ok {
			t = app.Table{Name: sf.Origin.Template, Help: rs.Help}
		}
		spec := app.TableSpec{Table: route.Table{Title: sf.Title, MinRows: rs.MinRows, Columns: rs.Columns}, Rows: rows}
		// one stored by an older version has fewer
		if p, err := route.ParamsOf(ui.ToolTable, sf.Origin.Params); err == nil {
			spec.Table = *p.Table
		}
		o = env.App.OpenTable(t, spec)
	} else {
		m, ok := env.App.Map(sf.Origin.Template)
		if !ok {
			m = app.Map{Name: sf.Origin.Template, Help: rs.Help}
		}
		spec := app.MapSpec{Map: route.Map{Title: sf.Title, MinSteps: rs.MinRows}, Steps: rows}
		if p, err := route.ParamsOf(ui.ToolMap, sf.Origin.Params); err == nil {
			spec.Map = *p.Map
		}
		spec.Edges, _ = sf.Get(worksheet.EdgesPath)
		o = env.App.OpenMap(m, spec)
	}
	if text, ok := sf.Get(worksheet.PastePath); ok && worksheet.Part(o.Root, "paste") != nil {
		o.Draft, _ = o.Draft.With(text, worksheet.PastePath.Last())
	}
	return o, true
}
