package execute

import (
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

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
	minimum := func(key string) int {
		v, _ := sf.Origin.Params.Get(key)
		f, _ := v.Float()
		return int(f)
	}
	switch sf.Origin.Kind {
	case "form":
		if f, ok := env.App.Form(sf.Origin.Template); ok {
			return env.App.OpenForm(f, sf.Draft), true
		}
	case "table":
		if t, ok := env.App.Table(sf.Origin.Template); ok {
			rows, _ := sf.Draft.Get(t.Name)
			return env.App.OpenTable(t, app.TableSpec{Title: sf.Title, MinRows: minimum("min_rows"), Rows: rows}), true
		}
	case "map":
		if m, ok := env.App.Map(sf.Origin.Template); ok {
			steps, _ := sf.Draft.Get("steps")
			edges, _ := sf.Draft.Get("edges")
			return env.App.OpenMap(m, app.MapSpec{Title: sf.Title, MinSteps: minimum("min_steps"), Steps: steps, Edges: edges}), true
		}
	case "view":
		if v, ok := env.App.View(sf.Origin.Template); ok {
			return env.App.OpenView(v, s), true
		}
	}
	return app.Opening{}, false
}
