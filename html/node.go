package html

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/local"
	"github.com/limn-ui/limn/internal/markdown"
	"github.com/limn-ui/limn/ui"
)

// node draws a node and everything below it. A node this package does not know
// draws nothing.
func (w *nodes) node(n ui.Node) {
	if n == nil {
		return
	}
	mark := w.join(ui.NodeKey(n))
	switch n := n.(type) {
	case *ui.Column:
		w.group("limn-column", n.Children)
	case *ui.Row:
		w.group("limn-row", n.Children)
	case *ui.Card:
		w.group("limn-card", n.Children)
	case *ui.Section:
		if n.Fold {
			w.fold(n)
		} else {
			w.section("limn-section", idNode, n.Title, n.Children)
		}
	case *ui.Tabs:
		w.tabs(n)
	case *ui.Tab: // only ever inside Tabs; alone it is a section
		w.section("limn-section", idNode, n.Title, n.Children)
	case *ui.List:
		w.list(n)
	case *ui.Divider:
		w.str(`<hr class="limn-divider">`)
	case *ui.Heading:
		w.heading(max(n.Level, 1), n.Text)
	case *ui.Text, *ui.Stat, *ui.Progress:
		w.shown(n)
	case *ui.Image:
		w.image(n)
	case *ui.Icon:
		w.icon(n)
	case *ui.Notice:
		w.notice(n)
	case *ui.Diagram:
		w.diagram(n)
	case *ui.Chart:
		w.chart(n)
	case *ui.Foreign:
		w.foreign(n)
	case *ui.Button:
		if !n.Action.Masked {
			w.button(n)
		}
	case *ui.Table:
		w.tableNode(&n.Rowset)
	case *ui.Steps:
		w.steps(n)
	default:
		if in := ui.InputOf(n); in != nil {
			w.setPath(in.Path)
			v, _ := w.value(in.Path)
			w.field(widgetOf(n, &in.Field), &in.Field, v)
		}
	}
	w.at = w.at[:mark]
}

func (w *nodes) group(class string, children ui.Nodes) {
	w.str(`<div class="`)
	w.str(class)
	w.str(`">`)
	for _, c := range children {
		w.node(c)
	}
	w.str(`</div>`)
}

// list draws rows as a table: a cell for each column, and one for the buttons.
func (w *nodes) list(n *ui.List) {
	if len(n.Columns) == 0 {
		w.group("limn-column", n.Children)
		return
	}
	w.put(`<div class="limn-list"><table><caption class="limn-hidden">`, n.Label, `</caption><thead><tr>`)
	for _, c := range n.Columns {
		w.put(`<th scope="col">`, c, `</th>`)
	}
	if slices.ContainsFunc(n.Children, func(row ui.Node) bool { return len(ui.Children(row)) > len(n.Columns) }) {
		w.str(`<td></td>`) // above the buttons
	}
	w.str(`</tr></thead><tbody>`)
	for _, row := range n.Children {
		mark := w.join(ui.NodeKey(row))
		w.str(`<tr>`)
		for i, cell := range ui.Children(row) {
			if i < len(n.Columns) {
				w.put(`<td data-label="`, n.Columns[i], `">`)
				w.node(cell)
				w.str(`</td>`)
				continue
			}
			if i == len(n.Columns) {
				w.str(`<td class="limn-list-buttons">`)
			}
			w.node(cell)
		}
		if len(ui.Children(row)) > len(n.Columns) {
			w.str(`</td>`)
		}
		w.str(`</tr>`)
		w.at = w.at[:mark]
	}
	w.str(`</tbody></table></div>`)
}

// section draws a titled group; its title counts as a heading of level 1, and
// headings inside it are one level lower.
func (w *nodes) section(class string, kind byte, title string, children ui.Nodes) {
	w.str(`<section class="`)
	w.str(class)
	w.putNode(`" aria-labelledby="`, kind, `"><h`)
	level := byte('0' + min(w.depth+3, 6))
	w.b = append(w.b, level)
	w.putNode(` class="limn-heading" id="`, kind, `"`)
	w.put(`>`, title, `</h`)
	w.b = append(w.b, level, '>')
	w.depth++
	for _, c := range children {
		w.node(c)
	}
	w.depth--
	w.str(`</section>`)
}

// fold draws a section closed, unless something in it holds a value or takes a file.
// One with an id stays as the user leaves it; one that is open by itself closes itself.
func (w *nodes) fold(n *ui.Section) {
	if !w.open {
		return
	}
	w.str(`<details class="limn-fold"`)
	if w.inUse(n) {
		w.str(` open>`)
	} else {
		w.putNode(` id="`, idFold, `">`)
	}
	w.put(`<summary>`, n.Title, `</summary><div class="limn-column">`)
	for _, c := range n.Children {
		w.node(c)
	}
	w.str(`</div></details>`)
}

func (w *nodes) inUse(n *ui.Section) bool {
	for c := range ui.All(n) {
		_, file := c.(*ui.Upload)
		if in := ui.InputOf(c); in != nil {
			v, _ := w.value(in.Path)
			if file || !v.Empty() {
				return true
			}
		}
	}
	return false
}

// heading draws level 1 as h3, because the surface's title is its h2.
func (w *nodes) heading(level int, text string) {
	tag := byte('0' + min(level+2+w.depth, 6))
	w.str(`<h`)
	w.b = append(w.b, tag)
	w.put(` class="limn-heading">`, text, `</h`)
	w.b = append(w.b, tag, '>')
}

// tabs draws links to panels that are all shown: it works as a table of
// contents, and a script turns it into tabs by hiding panels.
func (w *nodes) tabs(n *ui.Tabs) {
	w.str(`<div class="limn-tabs"><div class="limn-tablist" role="tablist">`)
	for i := range n.Tabs {
		t := &n.Tabs[i]
		mark := w.join(t.Key)
		w.putNode(`<a class="limn-tab" role="tab" id="`, idTab, `"`)
		w.putNode(` href="#`, idNode, `"`)
		w.str(` aria-controls="`)
		w.nodeID(idNode)
		if i == 0 {
			w.str(`" aria-selected="true">`)
		} else {
			w.str(`" aria-selected="false">`)
		}
		w.esc(t.Title)
		w.str(`</a>`)
		w.at = w.at[:mark]
	}
	w.str(`</div>`)
	w.depth++
	for i := range n.Tabs {
		t := &n.Tabs[i]
		mark := w.join(t.Key)
		w.putNode(`<section class="limn-panel" role="tabpanel" tabindex="-1" id="`, idNode, `"`)
		w.putNode(` aria-labelledby="`, idTab, `">`)
		w.depth--
		w.heading(1, t.Title)
		w.depth++
		for _, c := range t.Children {
			w.node(c)
		}
		w.str(`</section>`)
		w.at = w.at[:mark]
	}
	w.depth--
	w.str(`</div>`)
}

// foreign draws words of another agent as the words of an assistant are drawn.
func (w *nodes) foreign(n *ui.Foreign) {
	out, ok := markdown.HTML(n.Text)
	if !ok {
		w.shown(&ui.Text{Key: n.Key, Text: n.Text})
		return
	}
	w.str(`<div class="limn-text limn-markdown">`)
	w.str(out)
	w.str(`</div>`)
}

// shown draws a node that may show a bound value. The node has a separate id: it is an
// island that an update replaces as a whole. join has been called for it.
func (w *nodes) shown(n ui.Node) {
	switch n := n.(type) {
	case *ui.Text:
		w.str(`<p class="limn-text`)
		if n.Small {
			w.str(` limn-small`)
		}
		w.island(n.Path)
		w.b = appendLines(w.b, w.text(n.Path, n.Text))
		w.str(`</p>`)
	case *ui.Stat:
		w.str(`<dl class="limn-stat`)
		w.island(n.Path)
		w.put(`<div><dt>`, n.Label, `</dt><dd class="limn-figure">`)
		w.esc(w.text(n.Path, n.Value))
		w.str(`</dd>`)
		if n.Note != "" {
			w.put(`<dd class="limn-note">`, n.Note, `</dd>`)
		}
		w.str(`</div></dl>`)
	case *ui.Progress:
		w.progress(n)
	}
}

// island ends the class attribute and the tag; a bound node gets its id.
func (w *output) island(p ui.Path) {
	if p != "" {
		w.str(`" id="`)
		w.nodeID(idNode)
	}
	w.str(`">`)
}

// text returns the bound value as text, else the literal.
func (w *output) text(p ui.Path, literal string) string {
	if p == "" {
		return literal
	}
	if v, ok := w.value(p); ok && !v.IsNull() {
		return (ui.Field{}).Shown(w.o.Words, v)
	}
	return literal
}

func (w *nodes) progress(n *ui.Progress) {
	percent := n.Percent
	if n.Path != "" {
		if v, ok := w.value(n.Path); ok {
			if f, ok := v.Float(); ok {
				percent = int(min(max(f, 0), 100))
			}
		}
	}
	percent = min(max(percent, 0), 100)
	w.str(`<div class="limn-progress`)
	w.island(n.Path)
	w.putInt(`<progress max="100" value="`, percent, `"`)
	w.put(` aria-label="`, n.Label, `"></progress><span class="limn-progress-text">`)
	text := w.o.Words.Say("progress.percent", "n", strconv.Itoa(percent))
	if n.Label != "" {
		text = w.o.Words.Say("list.cell", "label", n.Label, "other", text)
	}
	w.put("", text, `</span></div>`)
}

// image draws only web addresses; without one the alternative text is all.
func (w *nodes) image(n *ui.Image) {
	if !ui.WebURL(n.URL) {
		w.put(`<p class="limn-text limn-image-missing">`, n.Alt, `</p>`)
		return
	}
	w.put(`<img class="limn-image" loading="lazy" referrerpolicy="no-referrer" src="`, n.URL, `"`)
	w.put(` alt="`, n.Alt, `">`)
}

// icon draws a reference into the page's sprite of icons.
func (w *nodes) icon(n *ui.Icon) {
	w.str(`<svg class="limn-icon"`)
	if n.Label == "" {
		w.str(` aria-hidden="true"`)
	} else {
		w.put(` role="img" aria-label="`, n.Label, `"`)
	}
	w.str(`><use href="`)
	if w.o.Icons == "" {
		w.str(`#limn-icon-`)
	}
	w.esc(w.o.Icons)
	w.esc(n.Name)
	w.str(`"></use></svg>`)
}

func (w *nodes) notice(n *ui.Notice) {
	tone, role := "info", "status"
	switch n.Tone {
	case ui.ToneSuccess:
		tone = "success"
	case ui.ToneWarning:
		tone, role = "warning", "alert"
	case ui.ToneError:
		tone, role = "error", "alert"
	}
	w.str(`<div class="limn-notice limn-`)
	w.str(tone)
	w.str(`" role="`)
	w.str(role)
	w.str(`"><p>`)
	w.b = appendLines(w.b, n.Text)
	w.str(`</p></div>`)
}

// local draws a button that sends nothing: a link, or a text with a button that copies it
// where there is script. A browser has no other functions.
func (w *nodes) local(n *ui.Button) {
	class := `limn-button`
	if n.Primary {
		class += ` limn-primary`
	}
	if address := local.Address(n.Action); address != "" {
		w.put(`<a class="`+class+`" target="_blank" rel="noopener noreferrer" href="`, address, `">`)
		w.put(``, n.Label, `</a>`)
	} else if text := local.Text(n.Action); text != "" {
		w.put(`<span class="limn-copy"><button type="button" class="`+class+`" data-limn-copy>`, n.Label, `</button> `)
		w.put(`<code>`, text, `</code></span>`)
	}
}

// button draws nothing on a surface that takes no action.
func (w *nodes) button(n *ui.Button) {
	if n.Action.Do != "" {
		w.local(n)
		return
	}
	if !w.open {
		return
	}
	w.str(`<button type="submit" class="limn-button`)
	if n.Primary {
		w.str(` limn-primary`)
	}
	w.str(`"`)
	w.component("")
	w.flag(` formnovalidate`, n.Action.Name == builtin.ActionCancel) // it does not wait for files
	w.put(`>`, n.Label, `</button>`)
}
