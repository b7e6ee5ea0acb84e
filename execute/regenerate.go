package execute

import (
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/tool"
	"github.com/limn-ui/limn/ui"
)

// End ends the conversation. Ending it twice is no change.
func End(s *ui.State) ui.Ops {
	if s.Ended {
		return nil
	}
	var ops ui.Ops
	if r := s.Router; r.Checkpoint != nil || r.Pending != nil {
		r.LastStatus, r.Checkpoint, r.Pending = ui.StatusCanceled, nil, nil
		ops = append(ops, &ui.Set{Router: r})
	}
	return append(ops, &ui.End{})
}

// regenerate draws the surface anew from what the app declares today, with the
// draft kept.
func (step Step) regenerate(env Env, s *ui.State, sf *ui.Surface) Step {
	o, ok := reopen(env, s, sf)
	switch {
	case !ok && sf.Status == ui.StatusOpen:
		step.Ops = append(step.Ops, &ui.Reset{Surface: sf.Name, Nonce: env.Nonce()})
		return step
	case !ok: // the app declares it no longer: open again what is stored
		step.Ops = append(step.Ops, &ui.Open{Surface: sf.Name, Nonce: env.Nonce(), Origin: sf.Origin, Title: sf.Title,
			Root: sf.Root, Draft: sf.Draft, UIState: sf.UIState})
		return step
	}
	step.Ops = append(step.Ops, o.Op(env.Nonce()))
	return step
}

func reopen(env Env, s *ui.State, sf *ui.Surface) (app.Opening, bool) {
	switch sf.Origin.Kind {
	case "form":
		if f, ok := env.App.Form(sf.Origin.Template); ok {
			return env.App.OpenForm(f, sf.Draft), true
		}
	case "table", "map":
		return reopenTool(env, sf)
	case "view":
		if v, ok := env.App.View(sf.Origin.Template); ok {
			return env.App.OpenView(v, s), true
		}
	}
	return app.Opening{}, false
}

// reopenTool opens a tool again with its rows and the text that was pasted. One
// the app does not declare has its parameters in the surface.
func reopenTool(env Env, sf *ui.Surface) (app.Opening, bool) {
	rs := ui.RowsetOf(tool.Filled(sf.Root))
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
		if p, err := route.ParamsOf(ui.ToolTable, sf.Origin.Params); err == nil { // one stored by an older version has fewer
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
		spec.Edges, _ = sf.Get(tool.EdgesPath)
		o = env.App.OpenMap(m, spec)
	}
	if text, ok := sf.Get(tool.PastePath); ok && tool.Part(o.Root, "paste") != nil {
		o.Draft, _ = o.Draft.With(text, tool.PastePath.Last())
	}
	return o, true
}
