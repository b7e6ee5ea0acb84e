package html

import (
	"cmp"
	"strings"

	"github.com/limn-ui/limn/internal/svg"
	"github.com/limn-ui/limn/ui"
)

// figure renders a label, an image and, folded away, its content in words.
func (w *nodes) figure(label string, picture, words func()) {
	w.str(`<figure class="limn-picture">`)
	if label != "" && label != w.s.Title { // the heading above says it already
		w.put(`<figcaption class="limn-caption">`, label, `</figcaption>`)
	}
	picture()
	w.putNode(`<details class="limn-words" id="`, idFold, `"`)
	w.putWord(`><summary>`, "picture.words", `</summary>`)
	words()
	w.str(`</details></figure>`)
}

// diagram draws a process. The picture and the words are separate islands, so that the
// fold stays as the user left it when the rows change.
func (w *nodes) diagram(n *ui.Diagram) {
	p := w.process(n)
	w.figure(n.Label, func() { w.processSVG(n, p) }, func() { w.processWords(p) })
}

func (w *nodes) process(n *ui.Diagram) svg.Process {
	return svg.Of(n, func(p ui.Path) ui.Value { v, _ := w.value(p); return v })
}

func (w *nodes) processSVG(n *ui.Diagram, p svg.Process) {
	b, err := p.SVG(w.name(n.Label), w.o.Words, svg.Inline)
	w.canvas(n.Label, b, err, n)
}

func (w *nodes) chart(n *ui.Chart) {
	named := *n
	named.Label = w.name(n.Label)
	w.figure(svg.Caption(n), func() {
		w.canvas(n.Label, svg.ChartSVG(&named, w.o.Words, svg.Inline), nil, nil)
	}, func() { w.chartTable(&named) })
}

// name is the name of an image for assistive technology.
func (w *output) name(label string) string {
	if label == "" {
		return w.s.Title
	}
	return label
}

// canvas holds a picture, which scrolls sideways where it is wide. That of a process that
// takes input names the paths of its steps and connections, for a script that edits them.
func (w *nodes) canvas(label string, drawn []byte, err error, of *ui.Diagram) {
	w.str(`<div class="limn-canvas" id="`)
	w.nodeID(idSVG)
	if of != nil && w.open {
		w.put(`" data-steps="`, string(of.Steps), `" data-edges="`)
		w.esc(string(of.Edges))
	}
	if svg.Wide(drawn) {
		w.str(`" tabindex="0" role="group" aria-label="`)
		w.esc(w.name(label))
	}
	w.str(`">`)
	switch {
	case err != nil:
		w.putWord(`<p class="limn-help">`, "picture.many", `</p>`)
	case drawn == nil:
		w.putWord(`<p class="limn-help">`, "picture.none", `</p>`)
	}
	w.b = append(w.b, drawn...)
	w.str(`</div>`)
}

// processWords lists the edges of a process, and the steps without one. Its lines go from left to
// right in every page.
func (w *nodes) processWords(p svg.Process) {
	w.putNode(`<ul dir="ltr" id="`, idWords, `">`)
	if len(p.Steps) == 0 {
		w.putWord(`<li>`, "picture.none", `</li>`)
	}
	processLines(&w.output, p.Words(w.o.Words))
	w.str(`</ul>`)
}

// processLines are the items of a list with that direction. A mark keeps an arrow in it that is
// between names of the other one: arrows are not mirrored.
func processLines(w *output, lines []string) {
	for _, line := range lines {
		w.put(`<li>`, strings.ReplaceAll(line, "→", "\u200e→"), `</li>`)
	}
}

// chartTable holds the values of a chart, a row a label.
func (w *nodes) chartTable(n *ui.Chart) {
	w.put(`<div class="limn-scroll" role="group" tabindex="0" aria-label="`, n.Label, `">`)
	w.str(`<table><thead><tr><td></td>`)
	for _, s := range n.Series {
		w.put(`<th scope="col">`, cmp.Or(s.Name, svg.Caption(n)), `</th>`)
	}
	w.str(`</tr></thead><tbody>`)
	for i, label := range n.Labels {
		w.put(`<tr><th scope="row">`, label, `</th>`)
		for _, s := range n.Series {
			w.put(`<td>`, svg.Figure(w.o.Words, s.Values[i]), `</td>`)
		}
		w.str(`</tr>`)
	}
	w.str(`</tbody></table></div>`)
}

// diagram updates the islands of a diagram whose rows changed.
func (d *diff) diagram(n *ui.Diagram) {
	was, is := d.before.process(n), d.after.process(n)
	if was.Equal(is) {
		return
	}
	d.after.b = d.after.b[:0]
	d.after.processSVG(n, is)
	d.u.stream("replace", d.idOf((*writer).nodeID, idSVG), d.after.b)
	d.after.b = d.after.b[:0]
	d.after.processWords(is)
	d.u.stream("replace", d.idOf((*writer).nodeID, idWords), d.after.b)
}
