package html

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// A surface that takes no more input is a card: its end with the time, a few of its values,
// and all of them in a fold.

const (
	cardLines = 5  // of a card
	cardNames = 3  // rows that a line names
	cardText  = 80 // characters of a line
)

// submitted writes the card of an answered surface.
func (w *writer) submitted() {
	w.putWord(`<p class="limn-when"><span class="limn-answered"><span aria-hidden="true">✓ </span>`,
		"surface.submitted", `</span>`)
	w.when()
	w.str(`</p>`)
	w.lines()
	w.putOwn(`<details class="limn-all" id="`, idAll, `">`)
	w.putWord(`<summary>`, "surface.all", `</summary>`)
	w.node(w.s.Tree())
	w.str(`</details>`)
	w.editAgain()
}

// editAgain opens the record that the surface saved in the form it came from.
func (w *writer) editAgain() {
	record := w.s.Origin.Record.ID
	if record == "" || w.o.Records == "" {
		return
	}
	w.put(`<form method="post" action="`, w.o.Records+"/"+w.s.Origin.Template+"/"+url.PathEscape(record)+"/edit", `">`)
	w.put(`<input type="hidden" name="`+builtin.FieldConversation+`" value="`, w.o.Conversation, `">`)
	w.putWord(`<button class="limn-button" type="submit">`, "records.edit", `</button></form>`)
}

// when writes when the surface came to its end. A script shows it in the user's time.
func (w *writer) when() {
	at := w.s.Done.At
	if at.IsZero() {
		return
	}
	w.put(` <time datetime="`, at.UTC().Format(time.RFC3339), `">`)
	w.put("", w.o.Words.Say("surface.at", "at", w.o.Words.Date(at)), `</time>`)
}

// line is a label with its value.
type line struct {
	label, text string
	rank        int // the lower, the sooner it is on a card
}

// lines writes the most telling values, in the order of the surface: rows and required
// values are chosen first, long texts and empty values last.
func (w *writer) lines() {
	all := w.values()
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b line) int { return cmp.Compare(a.rank, b.rank) })
	best = best[:min(cardLines, len(best))]
	if len(best) == 0 {
		return
	}
	w.str(`<dl class="limn-lines">`)
	for _, l := range all {
		if !slices.Contains(best, l) {
			continue
		}
		w.put(`<div><dt>`, l.label, `</dt>`)
		w.put(`<dd>`, l.text, `</dd></div>`)
	}
	w.str(`</dl>`)
}

// values lists the values of the inputs.
func (w *writer) values() (list []line) {
	ui.Walk(w.s.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if section, ok := n.(*ui.Section); ok && section.Fold {
			return false
		}
		if rs := ui.RowsetOf(n); rs != nil {
			if text := w.rowsText(rs); text != "" {
				list = append(list, line{label: rs.Label, text: text})
			}
			return false
		}
		in := ui.InputOf(n)
		if in == nil {
			return true
		}
		v, _ := w.value(in.Path)
		if text := w.shownText(&in.Field, v); text != "" {
			list = append(list, line{in.Title(), excerpt.Runes(text, cardText), rankOf(&in.Field, v)})
		}
		return true
	})
	return list
}

func rankOf(f *ui.Field, v ui.Value) int {
	switch {
	case f.Required:
		return 0
	case f.Type == ui.TypeLongText, f.Type == ui.TypeBoolean && !v.True():
		return 2
	}
	return 1
}

// rowsText counts the rows that are filled in and names the first ones.
func (w *writer) rowsText(rs *ui.Rowset) string {
	v, _ := w.value(rs.Path)
	var names []string
	filled := 0
	for _, row := range v.Records() {
		for i := range rs.Columns {
			cell, _ := row.Cells.Get(rs.Columns[i].Name)
			text := w.shownText(&rs.Columns[i], cell)
			if text == "" || rs.Columns[i].Type == ui.TypeBoolean {
				continue
			}
			if filled++; len(names) < cardNames {
				names = append(names, excerpt.Runes(text, cardText))
			}
			break
		}
	}
	if filled == 0 {
		return ""
	}
	return w.o.Words.Say("records.rows", "n", strconv.Itoa(filled), "list", strings.Join(names, ", "))
}

// shownText is a value as people read it.
func (w *inputs) shownText(f *ui.Field, v ui.Value) string {
	if text := v.Text(); f.Type == ui.TypeUpload && text != "" {
		return w.uploadName(text)
	}
	return f.Shown(w.o.Words, v)
}

// closedField draws a field of a surface that takes no input.
func (w *inputs) closedField(f *ui.Field, v ui.Value) {
	w.put(`<dl class="limn-value"><div><dt>`, f.Title(), `</dt>`)
	w.putID(`<dd id="`, idInput, `">`)
	w.b = appendLines(w.b, cmp.Or(w.shownText(f, v), w.o.Words.Say("choice.none")))
	w.str(`</dd></div></dl>`)
}
