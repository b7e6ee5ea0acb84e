package html

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// summaryErrors is how many errors the summary lists; it counts the rest.
const summaryErrors = 50

// indexErrors makes errors findable by path, and marks those whose path is
// drawn on this surface. The first error of a path wins, as in ErrorAt.
func (w *output) indexErrors() {
	w.errs = make(map[string]int, len(w.s.Errors))
	w.rendered = make([]bool, len(w.s.Errors))
	for i, e := range w.s.Errors {
		if _, ok := w.errs[string(e.Path)]; !ok {
			w.errs[string(e.Path)] = i
		}
	}
	for n := range ui.All(w.s.Tree()) {
		if in := ui.InputOf(n); in != nil {
			w.setPath(in.Path)
			w.markRendered()
		}
		if rs := ui.RowsetOf(n); rs != nil {
			w.markRowset(rs)
		}
	}
}

func (w *output) markRowset(rs *ui.Rowset) {
	w.setPath(rs.Path)
	w.markRendered()
	rows, _ := w.value(rs.Path)
	for _, rec := range rows.Records() {
		path, enc := w.joinPath(rec.ID)
		for i := range rs.Columns {
			p, e := w.joinPath(rs.Columns[i].Name)
			w.markRendered()
			w.cutPath(p, e)
		}
		w.cutPath(path, enc)
	}
}

func (w *output) markRendered() {
	if i, ok := w.errs[string(w.path)]; ok {
		w.rendered[i] = true
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
	w.str(`<p class="limn-error" id="`)
	w.id(idError)
	w.str(`" data-for="`)
	w.id(owner)
	w.str(`">`)
	w.esc(w.problem())
	w.str(`</p>`)
}

// summary writes the content of the alert at the top of a form: nothing, or
// the errors in their order, as links to their controls.
func (w *writer) summary() {
	if len(w.errs) == 0 {
		return
	}
	w.str(`<p>`)
	w.esc(strings.TrimSpace(w.o.Words.Say("submit.fix", "list", "")))
	w.str(`</p><ul>`)
	for i, e := range w.s.Errors {
		if i == summaryErrors {
			w.str(`<li>+`)
			w.b = strconv.AppendInt(w.b, int64(len(w.s.Errors)-i), 10)
			w.str(`</li>`)
			break
		}
		w.str(`<li>`)
		if first := w.errs[string(e.Path)]; w.rendered[first] {
			w.setPath(e.Path)
			w.str(`<a href="#`)
			w.id(idInput)
			w.str(`">`)
			w.esc(e.Text)
			w.str(`</a>`)
		} else {
			w.esc(e.Text)
		}
		w.str(`</li>`)
	}
	w.str(`</ul>`)
}
