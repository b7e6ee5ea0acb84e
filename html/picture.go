package html

import (
	"github.com/limn-ui/limn/picture"
	"github.com/limn-ui/limn/ui"
)

// figure draws a label, a picture and, folded away, what it shows in words. The
// picture and the words are islands of their own, so that the fold stays as the
// user left it when the data change.
func (w *writer) figure(label string, drawn, words func(*writer)) {
	w.str(`<figure class="limn-picture">`)
	if label != "" {
		w.str(`<figcaption class="limn-caption">`)
		w.esc(label)
		w.str(`</figcaption>`)
	}
	drawn(w)
	w.str(`<details class="limn-words"><summary>`)
	w.say("picture.words")
	w.str(`</summary>`)
	words(w)
	w.str(`</details></figure>`)
}

func (w *writer) diagram(n *ui.Diagram) {
	p := w.process(n)
	w.figure(n.Label, func(*writer) {}, func(w *writer) { w.processWords(p) })
}

func (w *writer) process(n *ui.Diagram) picture.Process {
	return picture.Of(n, func(p ui.Path) ui.Value { v, _ := w.value(p); return v })
}

// processWords lists the edges of a process, and the steps without one.
func (w *writer) processWords(p picture.Process) {
	w.str(`<ul id="`)
	w.nodeID(idWords)
	w.str(`">`)
	lines := p.Words(w.o.Words)
	if len(lines) == 0 {
		lines = []string{w.o.Words.Say("picture.none")}
	}
	for _, line := range lines {
		w.str(`<li>`)
		w.esc(line)
		w.str(`</li>`)
	}
	w.str(`</ul>`)
}

func (w *writer) chart(n *ui.Chart) {
	w.figure(picture.Caption(n), func(*writer) {}, func(w *writer) { w.chartTable(n) })
}

// chartTable holds the values of a chart, a row a label.
func (w *writer) chartTable(n *ui.Chart) {
	w.str(`<div class="limn-scroll"><table><thead><tr><td></td>`)
	for _, s := range n.Series {
		w.str(`<th scope="col">`)
		w.esc(s.Name)
		w.str(`</th>`)
	}
	w.str(`</tr></thead><tbody>`)
	for i, label := range n.Labels {
		w.str(`<tr><th scope="row">`)
		w.esc(label)
		w.str(`</th>`)
		for _, s := range n.Series {
			w.str(`<td>`)
			w.esc(picture.Figure(s.Values[i]))
			w.str(`</td>`)
		}
		w.str(`</tr>`)
	}
	w.str(`</tbody></table></div>`)
}

// diagram updates the islands of a diagram whose rows changed.
func (d *diff) diagram(n *ui.Diagram) {
	was, is := d.before.process(n), d.after.process(n)
	d.before.b, d.after.b = d.before.b[:0], d.after.b[:0]
	d.before.processWords(was)
	d.after.processWords(is)
	d.replaced((*writer).nodeID, idWords)
}
