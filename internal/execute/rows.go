package execute

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// rows answers the buttons of a rowset.
func (step Step) rows(env Env, sf *ui.Surface, c Click) (Step, error) {
	table, _ := c.Context.Get("table")
	path := ui.Path(table.Text())
	rs := rowsAt(sf, path)
	if rs == nil {
		return Step{}, ui.Errorf(CodeUnknown, string(path), "no rows are bound there")
	}
	row, _ := c.Context.Get("row")
	patch, after := &ui.Patch{Surface: sf.Name}, sf.Rows(rs)
	switch c.Action.Name {
	case builtin.ActionAddRow:
		if text := env.full(sf, rs); text != "" {
			return step.refusedRow(sf, rs, text), nil
		}
		patch.Changes = added(sf, rs, min(count(c.Context), env.mostRows(rs)-len(after)))
	case builtin.ActionRemoveRow:
		patch.Changes = append(remembered(sf, rs, row.Text()),
			ui.PatchOne{Do: ui.PatchDelete, Path: path.Join(row.Text())})
		patch.Changes = append(patch.Changes, worksheet.Retired(sf, rs, row.Text())...)
		patch.Changes = append(patch.Changes, unlinked(sf, rs, row.Text())...)
		after = slices.DeleteFunc(slices.Clone(after), func(r ui.Record) bool { return r.ID == row.Text() })
	case builtin.ActionRestoreRow:
		if patch.Changes = restored(sf, rs); patch.Changes == nil {
			return step, nil
		}
		if text := env.full(sf, rs); text != "" {
			return step.refusedRow(sf, rs, text), nil
		}
		after = nil // no error names the new row
	case builtin.ActionMoveRow:
		patch.Changes, after = moved(sf, rs, row.Text(), c.Context)
		if patch.Changes == nil { // it has no place to go
			return step, nil
		}
	case builtin.ActionPage:
		first, _ := c.Context.Get("first")
		patch.Changes = []ui.PatchOne{{Do: ui.PatchSet, Path: rs.PagePath(), Value: first}}
	}
	step.Ops = append(step.Ops, patch)
	if errs := retold(env, sf, rs, after, patch.Changes); !slices.Equal(errs, sf.Errors) {
		step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: errs})
	}
	return step, nil
}

// maxRemoved is how many removed rows of a rowset can be put back.
const maxRemoved = 10

// remembered keeps a row that goes away, with its place and its connections.
func remembered(sf *ui.Surface, rs *ui.Rowset, id string) []ui.PatchOne {
	rows := sf.Rows(rs)
	at := slices.IndexFunc(rows, func(r ui.Record) bool { return r.ID == id })
	if at < 0 || rs.Blank(rows[at].Cells) {
		return nil
	}
	kept := ui.Map(ui.Pair{Key: "cells", Value: rows[at].Cells},
		ui.Pair{Key: "order", Value: ui.String(rows[at].Order)})
	_, edges := worksheet.OwnEdges(sf, rs)
	var own []ui.Record
	for _, edge := range worksheet.Touching(edges, id) {
		r, _ := edges.Record(edge)
		own = append(own, r)
	}
	if own != nil {
		kept, _ = kept.With(ui.Rows(own...), "edges")
	}
	was, _ := sf.Get(rs.RemovedPath())
	list := slices.DeleteFunc(slices.Clone(was.Records()), func(r ui.Record) bool { return r.ID == id })
	return []ui.PatchOne{setRemoved(rs, append(list, ui.Record{ID: id, Cells: kept}))}
}

// setRemoved keeps the newest of removed rows, in their order.
func setRemoved(rs *ui.Rowset, list []ui.Record) ui.PatchOne {
	list = slices.Clone(list[max(0, len(list)-maxRemoved):])
	order := ""
	for i := range list {
		order = ui.OrderBetween(order, "")
		list[i].Order = order
	}
	return ui.PatchOne{Do: ui.PatchSet, Path: rs.RemovedPath(), Value: ui.Rows(list...)}
}

// restored puts back the row that was removed last, in its place and with the
// connections whose ends are still there.
func restored(sf *ui.Surface, rs *ui.Rowset) []ui.PatchOne {
	last, ok := sf.LastRemoved(rs)
	if !ok {
		return nil
	}
	rows, _ := sf.Get(rs.Path)
	cells, _ := last.Cells.Get("cells")
	insert := ui.PatchOne{Do: ui.PatchAppend, Path: rs.Path, Value: cells, Row: last.ID}
	order, _ := last.Cells.Get("order")
	next := slices.IndexFunc(rows.Records(), func(r ui.Record) bool { return r.Order >= order.Text() })
	if next >= 0 {
		insert.Do, insert.Before = ui.PatchInsert, rows.Records()[next].ID
	}
	_, taken := rows.Record(last.ID)
	if taken { // removed by an agent's patch, and the id is of another row since
		insert.Row = freeRows(sf, rs)()
	}
	changes := []ui.PatchOne{insert, {Do: ui.PatchDelete, Path: rs.RemovedPath().Join(last.ID)}}
	steps, edges := worksheet.OwnEdges(sf, rs)
	own, _ := last.Cells.Get("edges")
	for _, edge := range own.Records() {
		if _, there := edges.Record(edge.ID); !there && !taken && worksheet.Joins(steps, edge, last.ID) {
			changes = append(changes, ui.PatchOne{Do: ui.PatchAppend, Path: worksheet.EdgesPath, Value: edge.Cells,
				Row: edge.ID})
		}
	}
	return changes
}

// full is the text for the user if a rowset has no room for a row, else "".
func (e Env) full(sf *ui.Surface, rs *ui.Rowset) string {
	n, limit := len(sf.Rows(rs)), e.mostRows(rs)
	if n < limit {
		return ""
	}
	return e.words().Say("rows.many", "label", rs.Label, "max", strconv.Itoa(limit), "n", strconv.Itoa(n))
}

// refusedRow is the answer to a click for one more row without room for it. The draft is kept all the same.
func (step Step) refusedRow(sf *ui.Surface, rs *ui.Rowset, text string) Step {
	step.Outcome = ui.Outcome{Kind: ui.OutcomeRefused, Code: ui.CodeLimit, Surface: sf.Name, Path: rs.Path,
		Message: text}
	return step
}

// mostRows is how many rows a rowset may have.
func (e Env) mostRows(rs *ui.Rowset) int {
	limit := e.limits().WithDefaults().Rows
	if rs.MaxRows > 0 {
		limit = min(limit, rs.MaxRows)
	}
	return limit
}

func rowsAt(sf *ui.Surface, path ui.Path) (rs *ui.Rowset) {
	for n := range ui.All(sf.Tree()) {
		if r := ui.RowsetOf(n); r != nil && r.Path == path {
			rs = r
		}
	}
	return rs
}

// count is how many rows an action adds.
func count(context ui.Value) int {
	v, _ := context.Get("count")
	n, _ := v.Float()
	return max(1, int(n))
}

// added appends n empty rows, and shows the page that the first of them is on.
func added(sf *ui.Surface, rs *ui.Rowset, n int) (changes []ui.PatchOne) {
	last := ""
	if steps, edges := worksheet.OwnEdges(sf, rs); worksheet.Chain(steps, edges) {
		last = steps.Records()[len(steps.Records())-1].ID
	}
	next := freeRows(sf, rs)
	for range n {
		id := next()
		changes = append(changes, ui.PatchOne{Do: ui.PatchAppend, Path: rs.Path, Value: rs.BlankRow(), Row: id})
		if last != "" { // a step added after the last one of a chain is connected
			changes = append(changes, ui.PatchOne{Do: ui.PatchAppend, Path: worksheet.EdgesPath,
				Value: worksheet.Connect(last, id, capture.Sequence, false)})
			last = id
		}
	}
	if first := len(sf.Rows(rs)) / ui.PageRows * ui.PageRows; first > 0 {
		changes = append(changes, worksheet.Turn(rs, first))
	}
	return changes
}

// freeRows gives ids that no row of a rowset has or had, without those in own.
func freeRows(sf *ui.Surface, rs *ui.Rowset, own ...string) func() string {
	rows, taken := sf.Rows(rs), map[string]bool{}
	for _, id := range own {
		taken[id] = true
	}
	for _, r := range rows {
		taken[r.ID] = true
	}
	n := max(len(rows), worksheet.Used(sf, rs)) + 1
	return func() string { return worksheet.FreeRow(taken, n) }
}

// Late keeps words that were typed into rows which are gone with those that were removed last,
// so that putting a row back brings them too, and says so. gone are cells; nil for none.
func Late(w ui.Words, sf *ui.Surface, gone []ui.Leaf) (patch *ui.Patch, message string) {
	for n := range ui.All(sf.Tree()) {
		rs := ui.RowsetOf(n)
		if rs == nil {
			continue
		}
		was, _ := sf.Get(rs.RemovedPath())
		list, kept := slices.Clone(was.Records()), false
		for _, leaf := range gone {
			rest, below := strings.CutPrefix(string(leaf.Path), string(rs.Path)+"/")
			row, column, _ := strings.Cut(rest, "/")
			if !below || leaf.Value.Empty() {
				continue
			}
			message = w.Say("rows.late", "raw", excerpt.Head(leaf.Value.Text(), 200))
			one := ui.Record{ID: row, Cells: ui.Map(ui.Pair{Key: "cells", Value: rs.BlankRow()},
				ui.Pair{Key: "order", Value: ui.String("zz")})}
			if at := slices.IndexFunc(list, func(r ui.Record) bool { return r.ID == row }); at >= 0 {
				one = list[at]
				list = slices.Delete(list, at, at+1)
			} else if !worksheet.WasRow(sf, rs, row) {
				continue
			}
			if cells, ok := one.Cells.With(leaf.Value, "cells", column); ok {
				one.Cells, kept = cells, true
			}
			list = append(list, one)
			message = w.Say("rows.kept", "raw", excerpt.Head(leaf.Value.Text(), 200), "label", w.Say("table.restore"))
		}
		if kept {
			patch = &ui.Patch{Surface: sf.Name, Changes: []ui.PatchOne{setRemoved(rs, list)}}
		}
	}
	return patch, message
}

// moved takes a row to the place that the context says, one up or down or before another
// row, where there is one, and turns the page with it.
func moved(sf *ui.Surface, rs *ui.Rowset, id string, context ui.Value) ([]ui.PatchOne, []ui.Record) {
	rows := slices.Clone(sf.Rows(rs))
	place := func(id string) int { return slices.IndexFunc(rows, func(r ui.Record) bool { return r.ID == id }) }
	from, to := place(id), len(rows)-1
	if before, ok := context.Get("before"); !ok {
		to = from - 1
		if dir, _ := context.Get("dir"); dir.Text() == "down" {
			to = from + 1
		}
	} else if before.Text() != "" {
		if to = place(before.Text()); to > from {
			to-- // it leaves a gap above
		}
	}
	if from < 0 || to < 0 || to >= len(rows) || from == to {
		return nil, rows
	}
	row := rows[from]
	rows = slices.Insert(slices.Delete(rows, from, from+1), to, row)
	move := ui.PatchOne{Do: ui.PatchMove, Path: rs.Path, Row: id}
	if to+1 < len(rows) {
		move.Before = rows[to+1].ID
	}
	changes := []ui.PatchOne{move}
	if first, end := sf.Page(rs); to < first || to >= end {
		changes = append(changes, worksheet.Turn(rs, to/ui.PageRows*ui.PageRows))
	}
	return changes, rows
}

// retold are the errors of a surface after its rows rs have come to be after:
// those of rows that are gone go with them, and those that name a row name it
// by its new number. removed are the changes that took something away.
func retold(env Env, sf *ui.Surface, rs *ui.Rowset, after []ui.Record, removed []ui.PatchOne) []ui.FieldError {
	was, is := numbers(sf.Rows(rs)), numbers(after)
	var out []ui.FieldError
	for _, e := range sf.Errors {
		rest, below := strings.CutPrefix(string(e.Path), string(rs.Path)+"/")
		row, column, _ := strings.Cut(rest, "/")
		switch {
		case slices.ContainsFunc(removed, func(c ui.PatchOne) bool {
			return c.Do == ui.PatchDelete && (e.Path == c.Path || strings.HasPrefix(string(e.Path), string(c.Path)+"/"))
		}):
			continue
		case e.Path == rs.Path && len(is) < len(was): // it counts rows
			continue
		case below && is[row] != was[row]:
			for _, c := range rs.Columns {
				if c.Name == column {
					e.Text = strings.Replace(e.Text, worksheet.CellLabel(env.words(), c, was[row]),
						worksheet.CellLabel(env.words(), c, is[row]), 1)
				}
			}
		}
		out = append(out, e)
	}
	return out
}

// numbers is the place of each row, from 1.
func numbers(rows []ui.Record) map[string]int {
	at := make(map[string]int, len(rows))
	for i, r := range rows {
		at[r.ID] = i + 1
	}
	return at
}

// errorsOutside keeps the errors whose place is not at path or below.
func errorsOutside(sf *ui.Surface, path ui.Path) []ui.FieldError {
	var out []ui.FieldError
	for _, e := range sf.Errors {
		if e.Path != path && !strings.HasPrefix(string(e.Path), string(path)+"/") {
			out = append(out, e)
		}
	}
	return out
}

// ends offers the steps of a map, as ops leave them, as ends of its
// connections. No other surface gets an op.
func ends(env Env, s *ui.State, name ui.Name, ops ui.Ops) (ui.Ops, error) {
	if sf := s.Surface(name); sf == nil || worksheet.Part(sf.Root, "edges") == nil {
		return nil, nil
	}
	now, err := env.look(s, ops)
	if err != nil {
		return nil, err
	}
	sf := now.Surface(name)
	if sf == nil || sf.Status != ui.StatusOpen {
		return nil, nil
	}
	steps, _ := sf.Get(worksheet.StepsPath)
	edges := worksheet.Edges(env.words(), steps)
	if sameTree(ui.Nodes{worksheet.Part(sf.Root, "edges")}, ui.Nodes{edges}) {
		return nil, nil
	}
	return ui.Ops{&ui.Update{Surface: name, Root: worksheet.SetParts(sf.Root, edges)}}, nil
}

// unlinked removes the connections of a step that goes away.
func unlinked(sf *ui.Surface, rs *ui.Rowset, id string) (out []ui.PatchOne) {
	_, edges := worksheet.OwnEdges(sf, rs)
	for _, edge := range worksheet.Touching(edges, id) {
		out = append(out, ui.PatchOne{Do: ui.PatchDelete, Path: worksheet.EdgesPath.Join(edge)})
	}
	return out
}
