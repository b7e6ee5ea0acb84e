package execute

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// Tool opens the worksheet that routing decided on, filled from the message. router
// is the memory of routing after this turn (route.Next). Without ops the worksheet
// did not open, and the warnings give the reason.
func Tool(env Env, s *ui.State, d route.Decision, router ui.Router, message string) (ui.Ops, []*ui.Error) {
	if d.Control == route.ControlOptIn { // "turn the tables back on, I have 14 risks": in the same turn
		next := *s
		next.Router.OptOut, s = router.OptOut, &next
	}
	if sf := wantedBack(s, d); sf != nil {
		step, _ := Regenerate(env, s, sf.Name)
		return step.Ops, nil
	}
	r := &runner{env: env, state: s}
	var o app.Opening
	var asked []ui.FieldError
	var pasted string
	switch {
	case d.Params == nil:
		return nil, nil
	case d.Params.Table != nil:
		o, asked, pasted = tableOpening(env, s, d.Params.Table, message)
	case d.Params.Map != nil:
		o, asked = mapOpening(env, d.Params.Map, message)
	}
	switch {
	case isOpen(s, o.Surface) && env.Lifted:
		o = besides(s, o)
	case isOpen(s, o.Surface) && gate(env, s, d.Tool, o.Surface) == "":
		e := gateError(d.Tool, GateSame)
		e.Path = string(o.Surface)
		return nil, []*ui.Error{e}
	}
	ops, err := r.openTool(d.Tool, o)
	if err != nil {
		return nil, []*ui.Error{ui.AsError(err, CodePayload, "could not be carried out")}
	}
	if len(ops) == 0 {
		return nil, nil
	}
	if asked != nil {
		ops = append(ops, &ui.Errors{Surface: o.Surface, Errors: asked})
	}
	if router.Checkpoint != nil {
		cp := *router.Checkpoint
		cp.Surface, cp.Criteria = o.Surface, criteria(o)
		if p, err := paramsOf(d.Tool, o); err == nil && pasted != "" { // the columns are the list's
			cp.Payload = p.Value()
		}
		router.Checkpoint = &cp
	}
	ops = append(ui.Ops{&ui.Set{Router: router}}, ops...) // the checkpoint first (facts R-60)
	next, err := env.look(s, ops)
	if err != nil { // parameters that make no surface open none (facts R-06)
		return nil, []*ui.Error{ui.AsError(err, CodePayload, "could not be carried out")}
	}
	if pasted != "" {
		if more := boxed(env, next, o.Surface, pasted); more != nil {
			ops = append(append(ops, more...), say(env.words().Say("paste.opened", "label", o.Title)))
		}
	}
	return ops, nil
}

// wantedBack returns the canceled worksheet that a message asks for again: the message
// names a worksheet, but no rows and no other title. nil: it asks for a new one.
func wantedBack(s *ui.State, d route.Decision) *ui.Surface {
	switch {
	case !d.Shows():
		return nil
	case d.Params.Map != nil:
		return Canceled(s, "map", "")
	case d.Params.Table.Title == route.AnyTitle:
		return Canceled(s, "table", "")
	}
	return Canceled(s, "table", d.Params.Table.Title)
}

// criteria says when the worksheet of an opening is complete.
func criteria(o app.Opening) (c ui.Criteria) {
	node := worksheet.Filled(o.Root)
	rs := ui.RowsetOf(node)
	stated, _ := o.Origin.Params.Get("stated")
	approx, _ := o.Origin.Params.Get("approx")
	n, _ := stated.Float()
	c.Stated, c.Approx = int(n), approx.True()
	if _, ok := node.(*ui.Steps); ok {
		c.MinSteps = rs.MinRows
	} else {
		c.MinRows = rs.MinRows
	}
	for _, f := range rs.Columns {
		if f.Required {
			c.Required = append(c.Required, f.Name)
		}
	}
	return c
}

// tableOpening uses the app's own table where its title is the one routing
// chose, or where a pasted list fits it; else a table named list with the columns
// of the pasted list, or those routing proposes. It has the rows that the message
// holds already, and questions about them. A pasted list with delimiters is not
// among them: it is returned, for the box. A list of another kind that is open
// keeps its name.
func tableOpening(env Env, s *ui.State, t *route.Table, message string) (app.Opening, []ui.FieldError, string) {
	spec, declared := app.TableSpec{Table: *t}, app.Table{Name: "list", Title: t.Title}
	for _, own := range env.App.Config().Tables {
		if own.Title == t.Title {
			declared = own
		}
	}
	if own, ok := fitting(env.App, message, t.Title); ok {
		declared, spec.Title = own, own.Title
	}
	if _, ok := env.App.Table(declared.Name); !ok {
		if columns := builtColumns(env.words(), message, t.Columns); columns != nil {
			spec.Columns = columns
		}
		for i := 2; isOther(s.Surface(ui.Name("table:"+declared.Name)), t.Title); i++ {
			declared.Name = "list_" + strconv.Itoa(i)
		}
	}
	o := env.App.OpenTable(declared, spec)
	rs := ui.RowsetOf(worksheet.Filled(o.Root))
	if text := cmp.Or(t.Seed, message); delimited(text, rs.Columns) && worksheet.Part(o.Root, "paste") != nil {
		return o, nil, text
	}
	rows, asked, ok := worksheet.Seed(env.words(), rs, cmp.Or(t.Seed, listed(message, rs.Columns)), env.mostRows(rs))
	if !ok {
		return o, nil, ""
	}
	spec.Rows = rows
	return env.App.OpenTable(declared, spec), asked, ""
}

// isOther reports an open table with another title.
func isOther(sf *ui.Surface, title string) bool {
	return sf != nil && sf.Status == ui.StatusOpen && sf.Title != title
}

// listed is a message that is itself a list of at least three rows, or "".
func listed(message string, columns []ui.Field) string {
	if p := capture.Look(message, columns); p.Rows >= 3 && p.Form != capture.FormInline && p.Form != capture.FormLines {
		return message
	}
	return ""
}

// mapOpening has the steps and connections of the message, and questions about those
// that are guesses.
func mapOpening(env Env, m *route.Map, message string) (app.Opening, []ui.FieldError) {
	declared := app.Map{Name: "process", Title: m.Title}
	if maps := env.App.Config().Maps; len(maps) > 0 {
		declared = maps[0]
	}
	read := capture.Process(message)
	if len(read.Steps) == 0 && len(m.SeedNodes) > 0 { // a model's
		read = capture.Process(strings.Join(m.SeedNodes, " -> "))
	}
	steps, edges := read.Rows()
	return env.App.OpenMap(declared, app.MapSpec{Map: *m, Steps: steps, Edges: edges}),
		worksheet.SeedMap(env.words(), read)
}

// paramsOf returns an opening as parameters of the tool menu, for its checkpoint.
func paramsOf(name string, o app.Opening) (*route.Params, error) {
	params := o.Origin.Params
	if v, ok := params.Get("min_rows"); ok && v.Equal(ui.Int(0)) { // the tool menu knows no table without rows
		params, _ = params.With(ui.Int(1), "min_rows")
	}
	return route.ParamsOf(name, params)
}
