package execute

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// rows answers the buttons of a rowset.
func (step Step) rows(env Env, sf *ui.Surface, c Click) (Step, error) {
	table, _ := c.Context.Get("table")
	path := ui.Path(table.Text())
	var rs *ui.Rowset
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if r := ui.RowsetOf(n); r != nil && r.Path == path {
			rs = r
		}
		return true
	})
	if rs == nil {
		return Step{}, ui.Errorf(CodeUnknown, string(path), "no rows are bound there")
	}
	patch := &ui.Patch{Surface: sf.Name}
	switch c.Action.Name {
	case ui.ActionAddRow:
		limit := env.limits().WithDefaults().Rows
		if rs.MaxRows > 0 {
			limit = min(limit, rs.MaxRows)
		}
		n := len(sf.Rows(rs))
		if n >= limit { // what was typed is kept all the same
			text := env.words().Say("rows.many", "label", rs.Label, "max", strconv.Itoa(limit), "n", strconv.Itoa(n))
			step.Outcome = ui.Outcome{Kind: ui.OutcomeRefused, Code: ui.CodeLimit, Surface: sf.Name, Path: path, Message: text}
			return step, nil
		}
		patch.Changes = []ui.PatchOne{{Do: ui.PatchAppend, Path: path, Value: rs.BlankRow()}}
		if last := n / ui.PageRows * ui.PageRows; last > 0 { // show the page the new row is on
			patch.Changes = append(patch.Changes, ui.PatchOne{Do: ui.PatchSet, Path: rs.PagePath(), Value: ui.Int(int64(last))})
		}
	case ui.ActionRemoveRow:
		row, _ := c.Context.Get("row")
		patch.Changes = []ui.PatchOne{{Do: ui.PatchDelete, Path: path.Join(row.Text())}}
		if st := stepsOf(sf, rs); st != nil && st.Edges != "" {
			patch.Changes = append(patch.Changes, danglingEdges(sf, st, row.Text())...)
		}
	case ui.ActionPage:
		first, _ := c.Context.Get("first")
		patch.Changes = []ui.PatchOne{{Do: ui.PatchSet, Path: rs.PagePath(), Value: first}}
	}
	step.Ops = append(step.Ops, patch)
	if kept := errorsOutside(sf, path); len(kept) != len(sf.Errors) && c.Action.Name == ui.ActionRemoveRow {
		step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: kept})
	}
	return step, nil
}

func stepsOf(sf *ui.Surface, rs *ui.Rowset) (found *ui.Steps) {
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if st, ok := n.(*ui.Steps); ok && &st.Rowset == rs {
			found = st
		}
		return true
	})
	return found
}

// danglingEdges removes the edges of a step that goes away.
func danglingEdges(sf *ui.Surface, st *ui.Steps, row string) []ui.PatchOne {
	var out []ui.PatchOne
	edges, _ := sf.Get(st.Edges)
	for _, e := range edges.Records() {
		from, _ := e.Cells.Get("from")
		to, _ := e.Cells.Get("to")
		if from.Text() == row || to.Text() == row {
			out = append(out, ui.PatchOne{Do: ui.PatchDelete, Path: st.Edges.Join(e.ID)})
		}
	}
	return out
}

// errorsOutside keeps the errors that are not about rows at path: after a
// removal their row numbers would be wrong.
func errorsOutside(sf *ui.Surface, path ui.Path) []ui.FieldError {
	var out []ui.FieldError
	for _, e := range sf.Errors {
		if e.Path != path && !strings.HasPrefix(string(e.Path), string(path)+"/") {
			out = append(out, e)
		}
	}
	return out
}
