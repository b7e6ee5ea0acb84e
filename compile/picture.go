package compile

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/picture"
	"github.com/limn-ui/limn/ui"
)

// maxLines bounds the text that stands for a picture.
const maxLines = 100

// diagram draws a process: its label, then in words what a picture shows.
func (d *drawing) diagram(at ui.KeyPath, n *ui.Diagram) string {
	p := picture.Of(n, func(p ui.Path) ui.Value { return d.value(p, string(at)) })
	return d.figure(at, n.Label, p.Words(d.rules.Words))
}

// chart draws figures: their label and unit, then the values.
func (d *drawing) chart(at ui.KeyPath, n *ui.Chart) string {
	return d.figure(at, picture.Caption(n), picture.ChartWords(n))
}

func (d *drawing) figure(at ui.KeyPath, label string, lines []string) string {
	i := d.open()
	var kids []string
	if label != "" {
		kids = append(kids, d.heading(at.Join(keyLabel), 5, label))
	}
	if len(lines) > maxLines {
		d.warn(CodeNotShown, string(at), "only the first "+strconv.Itoa(maxLines)+" lines of the picture's text are shown")
		lines = append(lines[:maxLines:maxLines], "…")
	}
	if len(lines) == 0 {
		lines = []string{d.say("picture.none")}
	}
	kids = append(kids, d.text(at.Join(keyText), "body", strings.Join(lines, "\n")))
	return d.setBox(i, at.ComponentID("Column"), "Column", kids)
}
