package execute

import (
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/capture"
	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/ui"
)

// Tool opens the tool that routing decided on, filled with what the message
// already says. router is what the conversation will remember (route.Next).
// Without ops the tool did not open; the warnings say why.
func Tool(env Env, s *ui.State, d route.Decision, router ui.Router, message string) (ui.Ops, []*ui.Error) {
	r := &runner{env: env, state: s}
	var o app.Opening
	switch {
	case d.Params == nil:
		return nil, nil
	case d.Params.Table != nil:
		o = tableOpening(env, d.Params.Table)
	case d.Params.Map != nil:
		o = mapOpening(env, d.Params.Map, message)
	}
	ops, err := r.openTool(d.Tool, o)
	if err != nil {
		return nil, []*ui.Error{asError(err)}
	}
	if len(ops) == 0 {
		return nil, nil
	}
	if router.Checkpoint != nil {
		cp := *router.Checkpoint
		cp.Surface = o.Surface
		router.Checkpoint = &cp
	}
	return append(ops, &ui.Set{Router: router}), nil
}

func asError(err error) *ui.Error {
	if e, ok := err.(*ui.Error); ok {
		return e
	}
	return &ui.Error{Code: CodePayload, Message: "could not be carried out", Err: err}
}

// tableOpening uses the app's own table where its title is the one routing
// chose, else a table named list with the columns routing proposes.
func tableOpening(env Env, t *route.Table) app.Opening {
	spec := app.TableSpec{Table: *t}
	for _, declared := range env.App.Config().Tables {
		if declared.Title == t.Title {
			return env.App.OpenTable(declared, spec)
		}
	}
	return env.App.OpenTable(app.Table{Name: "list", Title: t.Title}, spec)
}

func mapOpening(env Env, m *route.Map, message string) app.Opening {
	declared := app.Map{Name: "process", Title: m.Title}
	if maps := env.App.Config().Maps; len(maps) > 0 {
		declared = maps[0]
	}
	steps, edges := capture.Process(message).Rows()
	return env.App.OpenMap(declared, app.MapSpec{Map: *m, Steps: steps, Edges: edges})
}
