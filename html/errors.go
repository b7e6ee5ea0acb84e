package html

import (
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// summaryErrors is how many errors the summary lists; it counts the rest.
const summaryErrors = 50

// place says where on the surface the path of an error is drawn.
type place struct {
	drawn bool   // there is a control to link to
	table string // key path of the table of several pages that it is in
	row   string // the row's id, and its place from 0
	index int
}

// indexErrors makes errors findable by path, and marks those whose path is
// drawn on this surface. The first error of a path wins, as in ErrorAt.
func (w *output) indexErrors() {
	w.errs = make(map[string]int, len(w.s.Errors))
	w.places = make([]place, len(w.s.Errors))
	for i, e := range w.s.Errors {
		if _, ok := w.errs[string(e.Path)]; !ok {
			w.errs[string(e.Path)] = i
		}
	}
	ui.Walk(w.s.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if in := ui.InputOf(n); in != nil {
			w.setPath(in.Path)
			w.mark(place{drawn: true})
		}
		if rs := ui.RowsetOf(n); rs != nil {
			_, isTable := n.(*ui.Table)
			w.markRowset(at, rs, isTable)
		}
		return true
	})
}

func (w *output) markRowset(at ui.KeyPath, rs *ui.Rowset, paged bool) {
	w.setPath(rs.Path)
	w.mark(place{drawn: true})
	rows, _ := w.value(rs.Path)
	from, to := 0, len(rows.Records())
	if paged = paged && to > ui.PageRows; paged {
		from, to = w.page(rs, to)
	}
	for n, rec := range rows.Records() {
		here := place{drawn: n >= from && n < to}
		if paged {
			here.table, here.row, here.index = string(at), rec.ID, n
		}
		path, enc := w.joinPath(rec.ID)
		for i := range rs.Columns {
			p, e := w.joinPath(rs.Columns[i].Name)
			w.mark(here)
			w.cutPath(p, e)
		}
		w.cutPath(path, enc)
	}
}

// mark notes the place of the error at the current path.
func (w *output) mark(p place) {
	if i, ok := w.errs[string(w.path)]; ok {
		w.places[i] = p
	}
}

// problem returns the text of the error at the current path, or "".
func (w *output) problem() string {
	if w.errs == nil {
		return ""
	}
	if i, ok := w.errs[string(w.path)]; ok {
		return w.s.Errors[i].Text
	}
	return ""
}

// errorSlot writes the place beside a control where its error is shown. It is
// always there, so that aria-describedby is always right; owner is the kind of
// the id of the element that carries aria-invalid.
func (w *inputs) errorSlot(owner byte) {
	if !w.open {
		return
	}
	w.putID(`<p class="limn-error" id="`, idError, `"`)
	w.putID(` data-for="`, owner, `"`)
	w.put(`>`, w.problem(), `</p>`)
}

// summary writes the content of the alert at the top of a form: nothing, or
// the errors in their order, as links to their controls. A control on another page
// of a table has a button that turns to it.
func (w *writer) summary() {
	if len(w.errs) == 0 {
		return
	}
	w.put(`<p>`, strings.TrimSpace(w.o.Words.Say("submit.fix", "list", "")), `</p><ul>`)
	for i, e := range w.s.Errors {
		if i == summaryErrors {
			w.putInt(`<li>+`, len(w.s.Errors)-i, `</li>`)
			break
		}
		w.str(`<li>`)
		switch p := w.places[w.errs[string(e.Path)]]; {
		case p.drawn:
			w.setPath(e.Path)
			w.putID(`<a href="#`, idInput, `"`)
			w.rowOf(p)
			w.put(`>`, e.Text, `</a>`)
		case p.row != "":
			w.showButton(p, &e)
		default:
			w.esc(e.Text)
		}
		w.str(`</li>`)
	}
	w.str(`</ul>`)
}

// showButton turns to the page that the control of an error is on. A script goes to
// the control itself.
func (w *writer) showButton(p place, e *ui.FieldError) {
	w.setPath(e.Path)
	w.str(`<button type="submit" class="limn-show"`)
	w.rowOf(p)
	w.putID(` data-target="`, idInput, `"`)
	mark := len(w.at)
	w.at = append(w.at[:0], p.table...)
	w.component(p.row + "/" + builtin.KeyShow)
	w.at = w.at[:mark]
	w.put(`>`, e.Text, `</button>`)
}

// rowOf writes for scripts which row of a table of several pages an error is about.
func (w *output) rowOf(p place) {
	if p.table == "" {
		return
	}
	w.attr(` data-at="`, p.table)
	w.putInt(` data-row="`, p.index, `"`)
}
