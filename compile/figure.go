package compile

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/svg"
	"github.com/limn-ui/limn/ui"
)

// maxLines bounds the text that represents a picture.
const maxLines = 100

// figure draws a Diagram or a Chart: its label, a picture at a signed address if Rules.Until
// and Rules.Base are set, and always the same content in words.
func (d contentMaker) figure(at ui.KeyPath, n ui.Node, label string, lines []string) string {
	i := d.open()
	var kids []string
	if label != "" && label != d.surface.Title { // the title says it already
		kids = append(kids, d.texts().heading(at.Join(keyLabel), 5, label))
	}
	if address := d.svgAddress(at, n); address != "" {
		kids = append(kids, d.image(at, &ui.Image{URL: address, Alt: label}))
	}
	if len(lines) > maxLines {
		d.warn(CodeNotShown, string(at), "only the first "+strconv.Itoa(maxLines)+
			" lines of the picture's text are shown")
		lines = append(lines[:maxLines:maxLines], "…")
	}
	if len(lines) == 0 {
		lines = []string{d.say("picture.none")}
	}
	kids = append(kids, d.texts().text(at.Join(keyText), "body", strings.Join(lines, "\n")))
	return d.setBox(i, at.ComponentID("Column"), "Column", kids)
}

// svgAddress is the signed address of the picture of a node, "" if the node has no
// picture. The address changes with the content, so that clients load the new picture.
func (d contentMaker) svgAddress(at ui.KeyPath, n ui.Node) string {
	if d.rules.Until == nil {
		return ""
	}
	content := svg.Content(n, d.shows(at))
	if content == "" {
		return ""
	}
	if !ui.WebURL(d.rules.Base) {
		d.warn(CodeNotShown, string(at), "a picture needs the public address of this server; it is shown in words")
		return ""
	}
	s := d.surface
	return svg.Address{Conversation: d.state.ID, Surface: s.Name, Epoch: s.Epoch, Node: at, Content: content,
		Until: d.rules.Until()}.URL(d.rules.Base, s.Nonce)
}

func (d contentMaker) shows(at ui.KeyPath) func(ui.Path) ui.Value {
	return func(p ui.Path) ui.Value { return d.value(p, string(at)) }
}
