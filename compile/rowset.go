package compile

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// rowMaker draws tables and process steps.
type rowMaker struct{ *drawing }

// Rows of up to narrow cells are one line; wider ones are cards with lines of
// perLine cells. Clients cannot scroll sideways, and squeeze what does not fit:
// beside more than besideButtons cells there is no room for buttons that move,
// and with more than movable the components of a page would pass the limit.
const (
	narrow        = 4
	perLine       = 3
	besideButtons = 2
	movable       = 8
)

// table draws rows as explicit Rows of inputs, one page of them, so that a row
// keeps its components wherever it moves. A table has no head while it can be answered: the
// label of each input is its column and row number.
func (d rowMaker) table(at ui.KeyPath, rs *ui.Rowset) string {
	i := d.open()
	rows := d.surface.Rows(rs)
	from, to := d.surface.Page(rs)
	kids := d.rowsHead(at, rs, make([]string, 0, 2*(to-from)+6))
	if d.locked && len(rs.Columns) > 0 && len(rs.Columns) <= narrow {
		kids = append(kids, d.tableHead(at.Join(keyHead), rs))
	} else if about := d.aboutColumns(rs); about != "" && !d.locked {
		kids = append(kids, d.texts().text(at.Join(keyHead), "caption", about))
	}
	for n := from; n < to; n++ {
		kids = d.tableRow(at.Join(rows[n].ID), rs, rows[n], n+1, len(rows), kids)
	}
	kids = d.rowsFoot(at, rs, from, to, len(rows), "table.add", kids)
	return d.setBox(i, at.ComponentID("Column"), "Column", kids)
}

// rowsHead draws the part above the rows of a table or of steps.
func (d rowMaker) rowsHead(at ui.KeyPath, rs *ui.Rowset, kids []string) []string {
	d.data.hold(rs.Path)                               // bound whole by the actions, even without rows
	if rs.Label != "" && rs.Label != d.surface.Title { // the title says it already
		kids = append(kids, d.texts().heading(at.Join(keyLabel), 3, rs.Label))
	}
	if rs.Help != "" {
		kids = append(kids, d.texts().text(at.Join(keyHelp), "caption", rs.Help))
	}
	return d.inputs().errorText(at, rs.Path, kids)
}

// tableHead names the columns above answers, which have no labels.
func (d rowMaker) tableHead(at ui.KeyPath, rs *ui.Rowset) string {
	i := d.open()
	kids := make([]string, 0, len(rs.Columns))
	for c := range rs.Columns {
		kids = append(kids, d.weighted(func() string {
			return d.texts().text(at.Join(rs.Columns[c].Name), "caption", rs.Columns[c].Title())
		}))
	}
	return d.setBox(i, at.ComponentID("Row"), "Row", kids)
}

// aboutColumns states once the facts that the label of every cell would repeat: which
// columns are required, and their help.
func (d rowMaker) aboutColumns(rs *ui.Rowset) string {
	var about []string
	for c := range rs.Columns {
		f := &rs.Columns[c]
		line := d.inputs().title(f, f.Title())
		if help := d.inputs().help(f); help != "" {
			line += " – " + help
		}
		if line != f.Title() {
			about = append(about, line)
		}
	}
	return strings.Join(about, " · ")
}

// weighted draws something and gives it an equal share of its Row.
func (d rowMaker) weighted(draw func() string) string {
	first := len(d.comps)
	id := draw()
	if d.err == nil {
		d.comps[first].Weight = 1
	}
	return id
}

// tableRow draws row n of all.
func (d rowMaker) tableRow(at ui.KeyPath, rs *ui.Rowset, r ui.Record, n, all int, kids []string) []string {
	if len(rs.Columns) <= narrow {
		i := d.open()
		line := d.cells(at, rs, r, 0, len(rs.Columns), n)
		beside := len(rs.Columns) <= besideButtons || rs.Unordered
		if !d.locked && beside {
			line = d.rowButtons(at, rs, r, n, all, line)
		}
		kids = append(kids, d.setAligned(i, at.ComponentID("Row"), "Row", vEnd, line))
		if !d.locked && !beside {
			kids = append(kids, d.buttonLine(at, rs, r, n, all))
		}
		return d.cellErrors(at, rs, r, kids)
	}
	return append(kids, d.cardOf(at, func() []string {
		lines := make([]string, 0, 2+len(rs.Columns)/perLine)
		for from := 0; from < len(rs.Columns); from += perLine {
			j := d.open()
			line := d.cells(at, rs, r, from, min(from+perLine, len(rs.Columns)), n)
			id := at.Join(keyLine + strconv.Itoa(from)).ComponentID("Row")
			lines = append(lines, d.setAligned(j, id, "Row", vEnd, line))
		}
		if !d.locked {
			lines = append(lines, d.buttonLine(at, rs, r, n, all))
		}
		return d.cellErrors(at, rs, r, lines)
	}))
}

// rowButtons move and remove row n of all. A row is not moved where it has no
// place to go to, nor where the order means nothing.
func (d rowMaker) rowButtons(at ui.KeyPath, rs *ui.Rowset, r ui.Record, n, all int, line []string) []string {
	moves := !rs.Unordered && len(rs.Columns) <= movable
	if moves && n > 1 {
		line = append(line, d.actions().button(at.Join(builtin.KeyUp), d.say("table.up"), false,
			rs.MoveAction(r.ID, false)))
	}
	if moves && n < all {
		line = append(line, d.actions().button(at.Join(builtin.KeyDown), d.say("table.down"), false,
			rs.MoveAction(r.ID, true)))
	}
	return append(line, d.actions().button(at.Join(builtin.KeyRemove), d.say("table.remove"), false,
		rs.RemoveAction(r.ID)))
}

// buttonLine is the line with the buttons of a row.
func (d rowMaker) buttonLine(at ui.KeyPath, rs *ui.Rowset, r ui.Record, n, all int) string {
	i := d.open()
	return d.setBox(i, at.Join(keyButtons).ComponentID("Row"), "Row",
		d.rowButtons(at, rs, r, n, all, make([]string, 0, 3)))
}

// cells draws the columns from…to of a row.
func (d rowMaker) cells(at ui.KeyPath, rs *ui.Rowset, r ui.Record, from, to, n int) []string {
	line := make([]string, 0, to-from+1)
	for c := from; c < to; c++ {
		line = append(line, d.weighted(func() string { return d.cell(at, rs, r, &rs.Columns[c], n) }))
	}
	return line
}

// cell draws one input of a row. Its label is the column and the number of the
// row: short, and still the only one of that name.
func (d rowMaker) cell(at ui.KeyPath, rs *ui.Rowset, r ui.Record, f *ui.Field, n int) string {
	at, p := at.Join(f.Name), rs.CellPath(r.ID, f.Name)
	v, ok := r.Cells.Get(f.Name)
	if ok && v.IsNull() {
		d.warn(codeNull, string(at), "a null value is drawn as an empty one")
	}
	if d.locked {
		text := cmp.Or(d.inputs().answerText(f, v), d.say("choice.none"))
		if len(rs.Columns) > narrow {
			text = d.withLabel(f.Title(), text)
		}
		return d.texts().text(at, "body", text)
	}
	label := f.Title() + " " + strconv.Itoa(n)
	if f.Type == ui.TypeUpload {
		return d.actions().upload(at, &ui.Input{Key: f.Name, Path: p, Field: *f}, label)
	}
	return d.inputs().control(at, p, f, label, v, true)
}

// cellErrors draws the errors of a row below it.
func (d rowMaker) cellErrors(at ui.KeyPath, rs *ui.Rowset, r ui.Record, kids []string) []string {
	if len(d.surface.Errors) == 0 {
		return kids
	}
	for c := range rs.Columns {
		f := &rs.Columns[c]
		kids = d.inputs().errorText(at.Join(f.Name), rs.CellPath(r.ID, f.Name), kids)
	}
	return kids
}

// rowsFoot draws the buttons of a rowset.
func (d rowMaker) rowsFoot(at ui.KeyPath, rs *ui.Rowset, from, to, n int, addWord string, kids []string) []string {
	if n > ui.PageRows {
		kids = append(kids, d.pager(at, rs, from, to, n))
	}
	if !d.locked && n < cmp.Or(rs.MaxRows, ui.Limits{}.WithDefaults().Rows) {
		kids = append(kids, d.actions().button(at.Join(builtin.KeyAdd), d.say(addWord), false, rs.AddAction()))
	}
	if _, ok := d.surface.LastRemoved(rs); ok && !d.locked {
		kids = append(kids, d.actions().button(at.Join(builtin.KeyRestore), d.say("table.restore"), false,
			rs.RestoreAction()))
	}
	return kids
}

func (d rowMaker) pager(at ui.KeyPath, rs *ui.Rowset, from, to, n int) string {
	i := d.open()
	kids := make([]string, 0, 3)
	if from > 0 && !d.locked {
		kids = append(kids, d.actions().button(at.Join(builtin.KeyPrev), d.say("table.previous"), false,
			rs.PageAction(max(0, from-ui.PageRows))))
	}
	kids = append(kids, d.texts().text(at.Join(keyPage), "caption", d.say("table.page",
		"min", strconv.Itoa(from+1), "max", strconv.Itoa(to), "n", strconv.Itoa(n))))
	if to < n && !d.locked {
		kids = append(kids, d.actions().button(at.Join(builtin.KeyNext), d.say("table.next"), false, rs.PageAction(to)))
	}
	return d.setBox(i, at.Join(keyPage).ComponentID("Row"), "Row", kids)
}

// steps draws each step of a process on a separate card, then the edges in words. The
// picture is left to nodes of type Diagram.
func (d rowMaker) steps(at ui.KeyPath, n *ui.Steps) string {
	rs := &n.Rowset
	i := d.open()
	rows := d.surface.Rows(rs)
	from, to := d.surface.Page(rs)
	kids := d.rowsHead(at, rs, make([]string, 0, to-from+6))
	for s := from; s < to; s++ {
		kids = append(kids, d.step(at.Join(rows[s].ID), rs, rows[s], s+1, len(rows)))
	}
	kids = d.edges(at.Join(keyEdges), n, rows, kids)
	kids = d.rowsFoot(at, rs, from, to, len(rows), "steps.add", kids)
	return d.setBox(i, at.ComponentID("Column"), "Column", kids)
}

func (d rowMaker) step(at ui.KeyPath, rs *ui.Rowset, r ui.Record, n, all int) string {
	return d.cardOf(at, func() []string {
		kids := make([]string, 0, len(rs.Columns)+2)
		kids = append(kids, d.texts().heading(at.Join(keyTitle), 5, d.say("steps.step", "n", strconv.Itoa(n))))
		for c := range rs.Columns {
			f := &rs.Columns[c]
			at, p := at.Join(f.Name), rs.CellPath(r.ID, f.Name)
			kids = d.inputs().inputParts(at, &ui.Input{Key: f.Name, Path: p, Field: *f}, kids)
		}
		if !d.locked {
			kids = append(kids, d.buttonLine(at, rs, r, n, all))
		}
		return kids
	})
}

// maxEdges bounds the edges that are drawn in words.
const maxEdges = 100

// edges draws each edge as "Step 1 → Step 2 (kind)", by position.
func (d rowMaker) edges(at ui.KeyPath, n *ui.Steps, rows []ui.Record, kids []string) []string {
	if n.Edges == "" {
		return kids
	}
	v := d.value(n.Edges, string(at))
	if !d.locked {
		if t := d.values().putRaw(n.Edges, v); t != nil && t.leaf.shape == shapeRaw { // not rows
			d.warn(CodeNotShown, string(at), "the edges of the process are no rows")
		}
	}
	if len(v.Records()) == 0 {
		return kids
	}
	step := make(map[string]string, len(rows))
	for i, r := range rows {
		step[r.ID] = d.say("steps.step", "n", strconv.Itoa(i+1))
	}
	for i, e := range v.Records() {
		if i == maxEdges {
			d.warn(CodeNotShown, string(at), "only the first 100 edges of the process are listed")
			break
		}
		from, _ := e.Cells.Get("from")
		to, _ := e.Cells.Get("to")
		kind, _ := e.Cells.Get("kind")
		a, b := step[from.Text()], step[to.Text()]
		if a == "" || b == "" {
			continue
		}
		line := a + " → " + b
		if k := kind.Text(); k != "" {
			line += " (" + k + ")"
		}
		kids = append(kids, d.texts().text(at.Join(e.ID), "caption", line))
	}
	return kids
}
