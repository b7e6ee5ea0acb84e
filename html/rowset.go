package html

import (
	"cmp"
	"strconv"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/card"
	"github.com/limn-ui/limn/internal/svg"
	"github.com/limn-ui/limn/ui"
)

// tableNode draws one page of a table. Its region scrolls sideways and can be
// focused; errors of the table as a whole link to it. It says where a script finds
// the rows of other pages.
func (w *rowsets) tableNode(rs *ui.Rowset) {
	w.setPath(rs.Path)
	rows, _ := w.value(rs.Path)
	from, to := w.page(rs, len(rows.Records()))
	w.str(`<div class="limn-table"><div class="limn-scroll" role="group" tabindex="0"`)
	if w.o.Rows != "" {
		w.attr(` data-rows="`, w.o.Rows)
		w.attr(` data-path="`, string(rs.Path))
		w.attr(` data-at="`, string(w.at))
	}
	w.putID(` id="`, idInput, `"`)
	w.putID(` aria-labelledby="`, idCaption, `"`)
	w.describeRowset(rs)
	w.judgeRowset()
	w.str(`><table><caption id="`)
	w.id(idCaption)
	if rs.Label == w.s.Title { // the heading above says it already
		w.str(`" class="limn-hidden`)
	}
	w.put(`">`, rs.Label, `</caption>`)
	w.head(rs)
	w.putID(`<tbody id="`, idRows, `">`)
	w.tableRows(rs, rows.Records()[from:to], from)
	w.str(`</tbody></table></div>`)
	w.rowsetFoot(rs, len(rows.Records()), tableAdd)
	w.str(`</div>`)
}

// page is ui.Surface.Page for a rowset with n rows.
func (w *output) page(rs *ui.Rowset, n int) (from, to int) {
	if w.s.UIState.IsNull() { // of most surfaces
		return 0, min(ui.PageRows, n)
	}
	return w.s.Page(rs)
}

// pager says which rows of a table of several pages are shown, and turns its pages.
// A script draws the rows around the ones that the user looks at instead.
func (w *rowsets) pager(rs *ui.Rowset, n int) {
	if n <= ui.PageRows {
		return
	}
	from, to := w.page(rs, n)
	w.putID(`<div class="limn-pager" id="`, idPager, `"`)
	w.putInt(` data-first="`, from, `"`)
	w.putInt(` data-last="`, to, `"`)
	w.putInt(` data-count="`, n, `">`)
	w.pageButton(builtin.KeyPrev, "table.previous", from > 0)
	w.str(`<span>`)
	w.esc(w.o.Words.Say("table.page", "min", strconv.Itoa(from+1), "max", strconv.Itoa(to), "n", strconv.Itoa(n)))
	w.str(`</span>`)
	w.pageButton(builtin.KeyNext, "table.next", to < n)
	w.str(`</div>`)
}

func (w *rowsets) pageButton(key, word string, on bool) {
	if !w.open || !on {
		return
	}
	w.keyButton(`<button type="submit" class="limn-button"`, key, word)
}

// keyButton writes a button of the current node that is known by a key; start is its tag
// without the end.
func (w *output) keyButton(start, key, word string) {
	w.str(start)
	w.component(key)
	w.putWord(`>`, word, `</button>`)
}

// judgeRowset is judge for the region of a rowset, whose role cannot be invalid.
func (w *rowsets) judgeRowset() {
	if w.focus && w.problem() != "" {
		w.focus = false
		w.str(` autofocus`)
	}
}

func (w *rowsets) describeRowset(rs *ui.Rowset) {
	f := ui.Field{Help: rs.Help}
	w.describe(textWidget, &f)
}

func (w *rowsets) head(rs *ui.Rowset) {
	w.str(`<thead><tr><td></td>`)
	for i := range rs.Columns {
		f := &rs.Columns[i]
		p, e := w.joinPath(f.Name)
		w.str(`<th scope="col"><span id="`)
		w.id(idColumn)
		w.cutPath(p, e)
		w.str(`">`)
		w.title(f)
		w.str(`</span>`)
		if f.Help != "" {
			w.put(`<small class="limn-help">`, f.Help, `</small>`)
		}
		w.str(`</th>`)
	}
	if w.open {
		w.str(`<td></td>`)
	}
	w.str(`</tr></thead>`)
}

// tableRows draws rows of which the first is at from.
func (w *rowsets) tableRows(rs *ui.Rowset, rows []ui.Record, from int) {
	for i := range rows {
		w.tableRow(rs, from+i, &rows[i])
	}
}

// tableRow draws row i. A cell is named by its column's and its row's titles, not by a
// separate text: when rows are added or removed only the titles are renumbered, and no
// input is touched.
func (w *rowsets) tableRow(rs *ui.Rowset, i int, rec *ui.Record) {
	tableEnd := len(w.enc)
	w.rows = len(w.path)
	path, enc := w.joinPath(rec.ID)
	w.putID(`<tr id="`, idRecord, `"`)
	w.putID(`><th scope="row" id="`, idRow, `"`)
	w.putInt(`>`, i+1, `</th>`)
	rowEnd := len(w.enc)
	for c := range rs.Columns {
		f := &rs.Columns[c]
		v, _ := rec.Cells.Get(f.Name)
		p, e := w.joinPath(f.Name)
		w.table, w.row = tableEnd, rowEnd
		w.str(`<td>`)
		w.cell(f, v)
		w.str(`</td>`)
		w.table, w.row = 0, 0
		w.cutPath(p, e)
	}
	if w.open {
		w.str(`<td>`)
		w.rowButtons(rs, rec.ID)
		w.str(`</td>`)
	}
	w.str(`</tr>`)
	w.cutPath(path, enc)
	w.rows = 0
}

func (w *rowsets) cell(f *ui.Field, v ui.Value) {
	if !w.open {
		w.b = appendLines(w.b, card.Shown(w.s, w.o.Words, f, v))
		return
	}
	k := cellWidget(f)
	w.wrapper(k, f, v)
	if k == fileWidget {
		w.stored(v)
	}
	w.errorSlot(idInput)
}

// cellName names a cell after its column and its row.
func (w *inputs) cellName() {
	w.str(` aria-labelledby="`)
	w.b = append(append(append(w.b, w.prefix...), idColumn), w.enc[:w.table]...)
	w.b = append(w.b, w.enc[w.row:]...)
	w.str(` `)
	w.b = append(append(append(w.b, w.prefix...), idRow), w.enc[:w.row]...)
	w.str(`"`)
}

// rowButtons move and remove a row. Every row has all of them, so that none is
// touched when its neighbours change; the page hides what leads nowhere.
func (w *rowsets) rowButtons(rs *ui.Rowset, row string) {
	mark := w.join(row)
	w.str(`<span class="limn-row-buttons">`)
	if !rs.Unordered {
		w.rowButton(idUp, "limn-up", builtin.KeyUp, "table.up")
		w.rowButton(idDown, "limn-down", builtin.KeyDown, "table.down")
	}
	w.rowButton(idRemove, "limn-remove", builtin.KeyRemove, "table.remove")
	w.str(`</span>`)
	w.at = w.at[:mark]
}

// rowButton is named by its word and the title of its row; a style sheet may
// show a sign instead of the word.
func (w *rowsets) rowButton(id byte, class, key, word string) {
	w.str(`<button type="submit" class="limn-button `)
	w.str(class)
	w.putID(`" id="`, id, `"`)
	w.putID(` aria-labelledby="`, id, ` `)
	w.id(idRow)
	w.str(`"`)
	w.component(key)
	w.putWord(`><span>`, word, `</span></button>`)
}

// rowsetFoot writes help, error slot, the pager of a table, and the button that adds
// a row.
func (w *rowsets) rowsetFoot(rs *ui.Rowset, rows int, word string) {
	if rs.Help != "" {
		w.putID(`<p class="limn-help" id="`, idHelp, `"`)
		w.put(`>`, rs.Help, `</p>`)
	}
	w.errorSlot(idInput)
	if word == tableAdd {
		w.pager(rs, rows)
	}
	w.addButton(rs, rows, word)
}

// The words of the buttons that add a row, or a step.
const (
	tableAdd = "table.add"
	stepsAdd = "steps.add"
)

// addButton is an island: it is disabled when the rowset is full.
func (w *rowsets) addButton(rs *ui.Rowset, rows int, word string) {
	if !w.open {
		return
	}
	most := cmp.Or(rs.MaxRows, ui.Limits{}.WithDefaults().Rows)
	w.putID(`<p class="limn-add" id="`, idAdd, `"><button type="submit" class="limn-button"`)
	w.component(builtin.KeyAdd)
	w.flag(` disabled`, rows >= most)
	w.putWord(`>`, word, `</button>`)
	if _, ok := w.s.LastRemoved(rs); ok {
		w.keyButton(` <button type="submit" class="limn-button limn-restore"`, builtin.KeyRestore, "table.restore")
	}
	w.str(`</p>`)
}

// steps draws a process as an ordered list, one fieldset a step.
func (w *rowsets) steps(n *ui.Steps) {
	rs := &n.Rowset
	w.setPath(rs.Path)
	rows, _ := w.value(rs.Path)
	w.putID(`<section class="limn-steps" tabindex="-1" id="`, idInput, `"`)
	w.putID(` aria-labelledby="`, idCaption, `"`)
	w.describeRowset(rs)
	w.judgeRowset()
	w.str(`><p class="limn-caption`)
	if rs.Label == w.s.Title {
		w.str(` limn-hidden`)
	}
	w.putID(`" id="`, idCaption, `"`)
	w.put(`>`, rs.Label, `</p><ol id="`)
	w.id(idRows)
	w.str(`">`)
	for i := range rows.Records() {
		w.step(rs, i, &rows.Records()[i])
	}
	w.str(`</ol>`)
	w.rowsetFoot(rs, len(rows.Records()), stepsAdd)
	if n.Edges != "" {
		w.edges(n)
	}
	w.str(`</section>`)
}

func (w *rowsets) step(rs *ui.Rowset, i int, rec *ui.Record) {
	w.rows = len(w.path)
	path, enc := w.joinPath(rec.ID)
	w.putID(`<li id="`, idRecord, `"`)
	w.putID(`><fieldset class="limn-step"><legend id="`, idRow, `">`)
	w.sayN("steps.step", i+1)
	w.str(`</legend>`)
	for c := range rs.Columns {
		f := &rs.Columns[c]
		v, _ := rec.Cells.Get(f.Name)
		p, e := w.joinPath(f.Name)
		w.field(fieldWidget(f), f, v)
		w.cutPath(p, e)
	}
	if w.open {
		w.rowButtons(rs, rec.ID)
	}
	w.str(`</fieldset></li>`)
	w.cutPath(path, enc)
	w.rows = 0
}

// edges lists the edges of a process in words, and no step without one; they are changed by
// actions, not by typing.
func (w *rowsets) edges(n *ui.Steps) {
	w.setPath(n.Edges)
	edges, _ := w.value(n.Edges)
	steps, _ := w.value(n.Path)
	p := svg.Read(steps, edges, false)
	w.putID(`<ul class="limn-edges" dir="ltr" id="`, idEdges, `"`)
	w.flag(` hidden`, len(p.Edges) == 0)
	w.str(`>`)
	processLines(&w.output, p.EdgeWords(w.o.Words))
	w.str(`</ul>`)
}
