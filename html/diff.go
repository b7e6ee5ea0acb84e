package html

import (
	"bytes"
	"sort"
	"strconv"

	"github.com/limn-ui/limn/ui"
)

// diff draws the islands of one surface twice, over the data before and after,
// and streams those that differ. Both writers are at the same node and path.
type diff struct {
	u             *update
	before, after writer
	id            []byte
}

// changed draws with both writers, from the start of their buffers, and reports whether
// the drawings differ.
func (d *diff) changed(before, after func(*writer)) bool {
	d.before.b, d.after.b = d.before.b[:0], d.after.b[:0]
	before(&d.before)
	after(&d.after)
	return !bytes.Equal(d.before.b, d.after.b)
}

// same replaces an island whose drawings differ.
func (d *diff) same(kind byte, f func(*writer), id func(*writer, byte)) {
	if d.changed(f, f) {
		d.u.stream("replace", d.idOf(id, kind), d.after.b)
	}
}

// idOf returns an id as text, leaving what has been drawn alone.
func (d *diff) idOf(id func(*writer, byte), kind byte) string {
	drawn := d.after.b
	d.after.b = d.id[:0]
	id(&d.after, kind)
	d.id, d.after.b = d.after.b, drawn
	return string(d.id)
}

func (d *diff) setPath(p ui.Path) {
	d.before.setPath(p)
	d.after.setPath(p)
}

func (d *diff) joinPath(seg string) (path, enc int) {
	d.before.joinPath(seg)
	return d.after.joinPath(seg)
}

func (d *diff) cutPath(path, enc int) {
	d.before.cutPath(path, enc)
	d.after.cutPath(path, enc)
}

func (d *diff) node(n ui.Node) {
	if n == nil {
		return
	}
	mark := d.before.join(ui.NodeKey(n))
	d.after.join(ui.NodeKey(n))
	switch n := n.(type) {
	case *ui.Text, *ui.Stat, *ui.Progress:
		if bound(n) {
			d.same(idNode, func(w *writer) { w.shown(n) }, (*writer).nodeID)
		}
	case *ui.Diagram:
		d.diagram(n)
	case *ui.Table:
		d.rowset(&n.Rowset, false)
	case *ui.Steps:
		d.rowset(&n.Rowset, true)
		if n.Edges != "" {
			d.setPath(n.Edges)
			d.same(idEdges, func(w *writer) { w.edges(n) }, (*writer).id)
		}
	default:
		if in := ui.InputOf(n); in != nil {
			d.setPath(in.Path)
			vb, _ := d.before.value(in.Path)
			va, _ := d.after.value(in.Path)
			d.leaf(widgetOf(n, &in.Field), &in.Field, vb, va)
		}
		for _, c := range ui.Children(n) {
			d.node(c)
		}
	}
	d.before.at, d.after.at = d.before.at[:mark], d.after.at[:mark]
}

// leaf updates the parts around one control, and the control itself only if
// the server wrote its value.
func (d *diff) leaf(k widget, f *ui.Field, before, after ui.Value) {
	wrapperID := func(w *writer) { w.wrapperID(f) }
	if d.changed(wrapperID, wrapperID) {
		old := string(d.before.b)
		d.after.b = d.after.b[:0]
		d.after.wrapper(k, f, after)
		d.u.stream("replace", old, d.after.b)
	}
	if k == fileWidget && d.changed(func(w *writer) { w.stored(before) }, func(w *writer) { w.stored(after) }) {
		d.u.stream("replace", d.idOf((*writer).id, idStored), d.after.b)
	}
	d.problem()
}

// problem updates the error slot at the current path.
func (d *diff) problem() {
	if text := d.after.problem(); text != d.before.problem() {
		d.after.b = appendEscaped(d.after.b[:0], text)
		d.u.stream("update", d.idOf((*writer).id, idError), d.after.b)
	}
}

// rowset updates the rows of a table or of steps: rows that go are removed, new
// and moved ones put after their neighbours; all that stay keep their controls.
func (d *diff) rowset(rs *ui.Rowset, steps bool) {
	d.setPath(rs.Path)
	d.problem()
	vb, _ := d.before.value(rs.Path)
	va, _ := d.after.value(rs.Path)
	before, after := vb.Records(), va.Records()
	d.rows(rs, steps, d.shown(&d.before, rs, before, steps), d.shown(&d.after, rs, after, steps))
	word := stepsAdd
	if !steps {
		word = tableAdd
		d.pager(rs, len(before), len(after))
	}
	if d.changed(func(w *writer) { w.addButton(rs, len(before), word) },
		func(w *writer) { w.addButton(rs, len(after), word) }) {
		d.u.stream("replace", d.idOf((*writer).id, idAdd), d.after.b)
	}
}

// drawnRows are the rows of a rowset that are drawn: all those of steps, and one page
// of a table.
type drawnRows struct {
	rows []ui.Record
	from int // place of the first
}

func (d *diff) shown(w *writer, rs *ui.Rowset, all []ui.Record, steps bool) drawnRows {
	if steps {
		return drawnRows{rows: all}
	}
	from, to := w.page(rs, len(all))
	return drawnRows{all[from:to], from}
}

func (d *diff) rows(rs *ui.Rowset, steps bool, before, after drawnRows) {
	was := make(map[string]int, len(before.rows))
	for i := range before.rows {
		was[before.rows[i].ID] = i
	}
	stays, stay := make([]bool, len(before.rows)), 0
	for i := range after.rows {
		if at, ok := was[after.rows[i].ID]; ok {
			stays[at] = true
			stay++
		}
	}
	if stay == 0 && !steps && len(before.rows)+len(after.rows) > 0 { // another page
		d.after.b = d.after.b[:0]
		d.after.tableRows(rs, after.rows, after.from)
		d.u.stream("update", d.idOf((*writer).id, idRows), d.after.b)
		return
	}
	for i := range before.rows {
		if !stays[i] {
			path, enc := d.joinPath(before.rows[i].ID)
			d.u.remove(d.idOf((*writer).id, idRecord))
			d.cutPath(path, enc)
		}
	}
	previous, rests := "", resting(after.rows, was)
	for i := range after.rows {
		row := &after.rows[i]
		if at, there := was[row.ID]; there && rests[i] {
			d.row(rs, steps, &before.rows[at], row, before.from+at, after.from+i)
		} else {
			d.placeRow(rs, steps, previous, after.from+i, row)
		}
		previous = row.ID
	}
}

// pager updates what turns the pages of a table, which is there while there are several.
func (d *diff) pager(rs *ui.Rowset, before, after int) {
	differ := d.changed(func(w *writer) { w.pager(rs, before) }, func(w *writer) { w.pager(rs, after) })
	switch had, has := len(d.before.b) > 0, len(d.after.b) > 0; {
	case had && !has:
		d.u.remove(d.idOf((*writer).id, idPager))
	case has && !had:
		d.u.stream("before", d.idOf((*writer).id, idAdd), d.after.b)
	case differ:
		d.u.stream("replace", d.idOf((*writer).id, idPager), d.after.b)
	}
}

// resting reports the rows that need not be taken to their places: new ones do, and
// of the others all but a longest run that is in its old order.
func resting(after []ui.Record, was map[string]int) []bool {
	rests := make([]bool, len(after))
	previous := make([]int, len(after)) // the row before it in the run that ends with it
	var ends []int                      // the last row of the best run of each length
	for i := range after {
		at, ok := was[after[i].ID]
		if !ok {
			continue
		}
		n := sort.Search(len(ends), func(k int) bool { return was[after[ends[k]].ID] > at })
		if previous[i] = -1; n > 0 {
			previous[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		}
		ends[n] = i
	}
	if len(ends) > 0 {
		for at := ends[len(ends)-1]; at >= 0; at = previous[at] {
			rests[at] = true
		}
	}
	return rests
}

// placeRow puts row i, new or moved, after the one with the id previous, or in
// front of all. The page takes an old element of its id away, and keeps the
// controls in it.
func (d *diff) placeRow(rs *ui.Rowset, steps bool, previous string, i int, rec *ui.Record) {
	action, target := "prepend", d.idOf((*writer).id, idRows)
	if previous != "" {
		path, enc := d.joinPath(previous)
		action, target = "after", d.idOf((*writer).id, idRecord)
		d.cutPath(path, enc)
	}
	d.after.b = d.after.b[:0]
	if steps {
		d.after.step(rs, i, rec)
	} else {
		d.after.tableRow(rs, i, rec)
	}
	d.u.stream(action, target, d.after.b)
}

// row updates a row that stays: its number and its cells.
func (d *diff) row(rs *ui.Rowset, steps bool, before, after *ui.Record, was, is int) {
	tableEnd := len(d.after.enc)
	d.before.rows, d.after.rows = len(d.before.path), len(d.after.path)
	path, enc := d.joinPath(after.ID)
	rowEnd := len(d.after.enc)
	if was != is {
		d.after.b = d.after.b[:0]
		if steps {
			d.after.sayN("steps.step", is+1)
		} else {
			d.after.b = strconv.AppendInt(d.after.b, int64(is+1), 10)
		}
		d.u.stream("update", d.idOf((*writer).id, idRow), d.after.b)
	}
	for i := range rs.Columns {
		f := &rs.Columns[i]
		vb, _ := before.Cells.Get(f.Name)
		va, _ := after.Cells.Get(f.Name)
		p, e := d.joinPath(f.Name)
		if steps {
			d.leaf(fieldWidget(f), f, vb, va)
		} else {
			d.after.table, d.after.row = tableEnd, rowEnd
			d.leaf(cellWidget(f), f, vb, va)
			d.after.table, d.after.row = 0, 0
		}
		d.cutPath(p, e)
	}
	d.cutPath(path, enc)
	d.before.rows, d.after.rows = 0, 0
}

// bound reports content that shows the value at a path.
func bound(n ui.Node) bool {
	switch n := n.(type) {
	case *ui.Text:
		return n.Path != ""
	case *ui.Stat:
		return n.Path != ""
	case *ui.Progress:
		return n.Path != ""
	}
	return false
}
