package html

import (
	"cmp"
	"net/url"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/card"
	"github.com/limn-ui/limn/ui"
)

// A surface that takes no more input is a card: its end with the time, a few of its values,
// and all of them in a fold.

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
	if _, ok := card.Edit(w.s); !ok || w.o.Records == "" {
		return
	}
	record := w.s.Origin.Record.ID
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

// lines writes the most telling values.
func (w *writer) lines() {
	c := card.Card{Surface: w.s, Words: w.o.Words, Value: func(p ui.Path) ui.Value {
		v, _ := w.value(p)
		return v
	}}
	lines := c.Lines()
	if len(lines) == 0 {
		return
	}
	w.str(`<dl class="limn-lines">`)
	for _, l := range lines {
		w.put(`<div><dt>`, l.Label, `</dt>`)
		w.put(`<dd>`, l.Text, `</dd></div>`)
	}
	w.str(`</dl>`)
}

// closedField draws a field of a surface that takes no input.
func (w *inputs) closedField(f *ui.Field, v ui.Value) {
	w.put(`<dl class="limn-value"><div><dt>`, f.Title(), `</dt>`)
	w.putID(`<dd id="`, idInput, `">`)
	w.b = appendLines(w.b, cmp.Or(card.Shown(w.s, w.o.Words, f, v), w.o.Words.Say("choice.none")))
	w.str(`</dd></div></dl>`)
}
