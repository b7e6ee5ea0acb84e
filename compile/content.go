package compile

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/card"
	"github.com/limn-ui/limn/internal/svg"
	"github.com/limn-ui/limn/ui"
)

// contentMaker draws the nodes that are not inputs or rows.
type contentMaker struct{ *drawing }

// whole draws the tree of a surface. Once submitted it is a few lines, and all of it in a
// fold; where the client has no fold, all that was answered.
func (d contentMaker) whole(tree ui.Node, kids []string) []string {
	at := ui.KeyPath(ui.NodeKey(tree))
	if !d.locked || !d.has("Fold", propTitle) {
		return d.node(at, tree, false, kids)
	}
	c := card.Card{Surface: d.surface, Words: d.words, Value: func(p ui.Path) ui.Value { return d.value(p, string(p)) }}
	for i, l := range c.Lines() {
		text := l.Text
		if l.Label != "" {
			text = d.withLabel(l.Label, l.Text)
		}
		kids = append(kids, d.texts().text(ui.KeyPath(keyLine+strconv.Itoa(i)), "body", text))
	}
	return append(kids, d.grids().folded(keyAll, d.say("surface.all"), false, func() []string {
		return d.node(at, tree, false, nil)
	}))
}

// node draws n at its key path and appends what represents it among its
// siblings to kids. inRow says that the siblings are side by side.
func (d contentMaker) node(at ui.KeyPath, n ui.Node, inRow bool, kids []string) []string {
	if d.err != nil {
		return kids
	}
	if in := ui.InputOf(n); in != nil {
		return d.inputs().input(at, in, inRow, kids)
	}
	switch n := n.(type) {
	case *ui.Column:
		return append(kids, d.box(at, "Column", n.Children))
	case *ui.Row:
		return d.row(at, n, kids)
	case *ui.Card:
		return append(kids, d.card(at, n.Children))
	case *ui.Section:
		if n.Fold && !d.locked && d.has("Fold", propTitle) {
			return append(kids, d.grids().fold(at, n))
		}
		return d.section(at, n, kids)
	case *ui.Tabs:
		return append(kids, d.tabs(at, n))
	case *ui.Tab:
		return append(kids, d.box(at, "Column", n.Children))
	case *ui.List:
		return append(kids, d.list(at, n))
	case *ui.Divider:
		return append(kids, d.add(at.ComponentID("Divider"), "Divider", prop("axis", a2ui.String("horizontal"))))
	case *ui.Heading:
		return append(kids, d.texts().heading(at, n.Level, n.Text))
	case *ui.Text:
		return append(kids, d.texts().shownText(at, n.Path, n.Text, variantOf(n)))
	case *ui.Image:
		return append(kids, d.image(at, n))
	case *ui.Icon:
		return append(kids, d.icon(at, n))
	case *ui.Stat:
		return append(kids, d.stat(at, n))
	case *ui.Progress:
		return append(kids, d.progress(at, n))
	case *ui.Notice:
		return append(kids, d.framed(at, toneIcon(n.Tone), n.Text))
	case *ui.Foreign: // as a whole it is drawn by drawForeign
		return append(kids, d.texts().text(at, "body", n.Text))
	case *ui.Diagram, *ui.Chart, *ui.Table, *ui.Steps:
		return d.drawData(at, n, kids)
	case *ui.Button:
		if d.locked || n.Action.Masked {
			return kids
		}
		return d.actions().node(at, n, kids)
	}
	d.fail(codeNode, string(at), "cannot draw a %T", n)
	return kids
}

// drawData draws rows, or what pictures them, by the component of the client's catalog for
// them, and where that lacks one by basic components.
func (d contentMaker) drawData(at ui.KeyPath, n ui.Node, kids []string) []string {
	switch n := n.(type) {
	case *ui.Diagram:
		if d.grids().covered(n) {
			return kids
		}
		return append(kids, d.figure(at, n, n.Label, svg.Of(n, d.shows(at)).Words(d.words)))
	case *ui.Chart:
		if d.has("Chart", propSeries) {
			return append(kids, d.grids().chart(at, n))
		}
		return append(kids, d.figure(at, n, svg.Caption(n), svg.ChartWords(n, d.words)))
	case *ui.Table:
		switch {
		case d.grids().covered(n):
			return kids
		case d.grids().whole("DataGrid", propRows, &n.Rowset):
			return append(kids, d.grids().table(at, &n.Rowset))
		}
		return append(kids, d.rows().table(at, &n.Rowset))
	case *ui.Steps:
		if d.grids().whole("ProcessMap", propSteps, &n.Rowset) {
			return append(kids, d.grids().process(at, n))
		}
		return append(kids, d.rows().steps(at, n))
	}
	return kids
}

func (d contentMaker) box(at ui.KeyPath, typ string, children ui.Nodes) string {
	i := d.open()
	return d.setBox(i, at.ComponentID(typ), typ,
		d.children(at, children, typ == "Row", make([]string, 0, len(children)+2)))
}

func (d contentMaker) children(at ui.KeyPath, children ui.Nodes, inRow bool, kids []string) []string {
	for _, c := range children {
		kids = d.node(at.Join(ui.NodeKey(c)), c, inRow, kids)
	}
	return kids
}

// row draws children side by side: blocks share the width and begin at one
// height, buttons and words keep their size and their common middle.
func (d contentMaker) row(at ui.KeyPath, n *ui.Row, out []string) []string {
	i := d.open()
	kids, align := make([]string, 0, len(n.Children)), vCenter
	for _, c := range n.Children {
		first := len(d.comps)
		key := at.Join(ui.NodeKey(c))
		if kids = d.node(key, c, true, kids); d.err != nil || !isBlock(c) || first == len(d.comps) {
			continue
		}
		align = vStart
		block := &d.comps[first]
		block.Weight = 1
		if ui.InputOf(c) == nil { // a separate id: outside a Row it has no weight, and clients would keep this one
			block.ID = key.Join(keyCell).ComponentID(block.Type)
			kids[len(kids)-1] = block.ID
		}
	}
	if d.locked && len(kids) == 0 {
		return d.undo(i, out)
	}
	return append(out, d.setAligned(i, at.ComponentID("Row"), "Row", align, kids))
}

// isBlock reports a node that is as wide as it may be.
func isBlock(n ui.Node) bool {
	switch n.(type) {
	case *ui.Button, *ui.Icon, *ui.Text, *ui.Heading, *ui.Divider, *ui.Progress:
		return false
	}
	return true
}

func (d contentMaker) card(at ui.KeyPath, children ui.Nodes) string {
	return d.cardOf(at, func() []string {
		return d.children(at, children, false, make([]string, 0, len(children)))
	})
}

func (d contentMaker) section(at ui.KeyPath, n *ui.Section, out []string) []string {
	i := d.open()
	kids := make([]string, 0, len(n.Children)+1)
	if n.Title != "" {
		kids = append(kids, d.texts().heading(at.Join(keyTitle), 3, n.Title))
	}
	title := len(kids)
	if kids = d.children(at, n.Children, false, kids); d.locked && len(kids) == title {
		return d.undo(i, out)
	}
	return append(out, d.setBox(i, at.ComponentID("Column"), "Column", kids))
}

// undo takes back the place i and all that was drawn after it, for an answered container
// in which nothing was filled in.
func (d *drawing) undo(i int, kids []string) []string {
	if d.err == nil {
		d.comps = d.comps[:i]
	}
	d.depth--
	return kids
}

// list draws each row as a card, which fits any width: the first cell as its title, the
// others with the names of their columns, and the buttons.
func (d contentMaker) list(at ui.KeyPath, n *ui.List) string {
	i := d.open()
	kids := make([]string, 0, len(n.Children)+1)
	if n.Label != "" && n.Label != d.surface.Title { // the title says it already
		kids = append(kids, d.texts().heading(at.Join(keyLabel), 3, n.Label))
	}
	for _, row := range n.Children {
		var cells, buttons ui.Nodes
		for j, c := range ui.Children(row) {
			text, ok := c.(*ui.Text)
			switch {
			case !ok:
				buttons = append(buttons, c)
			case j == 0:
				cells = append(cells, &ui.Heading{Key: text.Key, Level: 4, Text: text.Text})
			case text.Text != "" && j < len(n.Columns):
				cells = append(cells, &ui.Text{Key: text.Key, Text: d.say("list.cell", "label", n.Columns[j],
					"other", text.Text)})
			}
		}
		kids = append(kids, d.listed(at.Join(ui.NodeKey(row)), cells, buttons))
	}
	return d.setBox(i, at.ComponentID("Column"), "Column", kids)
}

func (d contentMaker) listed(at ui.KeyPath, cells, buttons ui.Nodes) string {
	return d.cardOf(at, func() []string {
		kids := d.children(at, cells, false, nil)
		if len(buttons) > 0 {
			row := d.open()
			kids = append(kids, d.setBox(row, at.Join(keyCell).ComponentID("Row"), "Row",
				d.children(at, buttons, true, nil)))
		}
		return kids
	})
}

// tabs needs one tab at least; without any it is an empty Column.
func (d contentMaker) tabs(at ui.KeyPath, n *ui.Tabs) string {
	i := d.open()
	if len(n.Tabs) == 0 {
		return d.setBox(i, at.ComponentID("Column"), "Column", []string{})
	}
	id, list := at.ComponentID("Tabs"), make(a2ui.Tabs, len(n.Tabs))
	for j := range n.Tabs {
		t := &n.Tabs[j]
		child := d.box(at.Join(t.Key), "Column", t.Children)
		list[j] = a2ui.Tab{Title: d.texts().literal("Tabs", "", "title", t.Title), Child: child}
	}
	d.set(i, id, "Tabs", prop("tabs", list))
	return id
}

func variantOf(n *ui.Text) string {
	if n.Small {
		return "caption"
	}
	return "body"
}

// iconText is an icon beside a text.
func (d contentMaker) iconText(at ui.KeyPath, icon, variant, text string) string {
	i := d.open()
	return d.setBox(i, at.ComponentID("Row"), "Row", []string{
		d.add(at.Join(keyIcon).ComponentID("Icon"), "Icon", prop("name", a2ui.String(icon))),
		d.texts().text(at.Join(keyText), variant, text),
	})
}

// framed is an icon beside a text on a card: a notice.
func (d contentMaker) framed(at ui.KeyPath, icon, text string) string {
	i := d.open()
	return d.setCard(i, at, d.iconText(at.Join(keyBody), icon, "body", text))
}

func toneIcon(t ui.Tone) string {
	switch t {
	case ui.ToneSuccess:
		return "check"
	case ui.ToneWarning:
		return "warning"
	case ui.ToneError:
		return "error"
	}
	return "info"
}

func (d contentMaker) image(at ui.KeyPath, n *ui.Image) string {
	if !ui.WebURL(n.URL) {
		d.warn(codeURL, string(at), "the image's address is not http or https; its description is shown")
		return d.texts().text(at, "body", n.Alt)
	}
	return d.add(at.ComponentID("Image"), "Image", prop("url", d.texts().verbatim(n.URL)),
		prop("description", d.texts().literal("Image", "", "description", n.Alt)),
		prop("fit", a2ui.String("contain")), prop("variant", a2ui.String("mediumFeature")))
}

func (d contentMaker) icon(at ui.KeyPath, n *ui.Icon) string {
	switch name := d.property("Icon", "name"); {
	case name == nil || !slices.Contains(name.Enum, n.Name):
		d.warn(CodeNotShown, string(at), "the client has no icon of that name; its label is shown")
		return d.texts().text(at, "body", n.Label)
	case n.Label != "":
		return d.iconText(at, n.Name, "body", n.Label)
	}
	return d.add(at.ComponentID("Icon"), "Icon", prop("name", a2ui.String(n.Name)))
}

func (d contentMaker) stat(at ui.KeyPath, n *ui.Stat) string {
	return d.cardOf(at, func() []string {
		kids := []string{d.texts().text(at.Join(keyLabel), "caption", n.Label),
			d.texts().shownText(at, n.Path, n.Value, "body")}
		if n.Note != "" {
			kids = append(kids, d.texts().text(at.Join(keyHelp), "caption", n.Note))
		}
		return kids
	})
}

// progress is one line of text: no catalog has a bar. Where the number is data,
// so is the line.
func (d contentMaker) progress(at ui.KeyPath, n *ui.Progress) string {
	if n.Path == "" {
		return d.texts().text(at, "body", d.progressText(n, ui.Value{}))
	}
	path := progressPath(n)
	d.data.put(path, leaf{val: d.progressData(n), shape: shapeShown})
	return d.texts().textValue(at, "body", d.texts().bind(path))
}

func (d contentMaker) progressData(n *ui.Progress) a2ui.Data {
	return d.texts().stringData(d.texts().escape("Text", "body", "text",
		d.progressText(n, d.value(n.Path, string(n.Path)))))
}

// progressPath is where the line of a bound Progress is: the same for two
// that say the same.
func progressPath(n *ui.Progress) ui.Path {
	key := n.Label + "\x00" + string(n.Path)
	if n.Percent != 0 {
		key += "\x00" + strconv.Itoa(n.Percent)
	}
	return ui.PathOf("shown", hashKey(key))
}

// progressText writes whole percents, those of the node for a value that is not a number.
func (d contentMaker) progressText(n *ui.Progress, v ui.Value) string {
	percent := min(max(n.Percent, 0), 100)
	if f, ok := v.Float(); ok {
		percent = int(min(max(f, 0), 100))
	}
	return d.say("list.cell", "label", n.Label, "other", d.say("progress.percent", "n", strconv.Itoa(percent)))
}
