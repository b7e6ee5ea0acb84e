package compile

import (
	"net/url"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/ui"
)

// drawStandIn draws, in place of a surface that is above a limit of the target, or of a catalog that its clients do
// not have, its title, a text that says so, and the way to the page that shows all of it.
func drawStandIn(t Target, st *ui.State, s *ui.Surface, why ui.Code) (*drawing, error) {
	d, err := newDrawing(t, st, s)
	if err != nil {
		return nil, err
	}
	d.standIn = true
	text := d.say("surface.large")
	if n := foreign.Of(s); n != nil {
		d.catalog = a2ui.Basic(t.Dialect) // that of its agent may have no text
		text = strings.TrimSpace(d.say("surface.foreign") + "\n\n" + n.Text)
	}
	d.warn(CodeNotShown, "", strings.TrimSpace("the surface is a text in "+t.Dialect.String()+" "+string(why)))
	d.data.put(revPath, leaf{val: number(s.Rev), shape: shapeRaw})
	i := d.open()
	kids := append(d.head(nil), d.texts().text(keyText, "body", text))
	page := strings.TrimSuffix(d.rules.Base, "/") + "/c/" + url.PathEscape(st.ID)
	if ui.WebURL(page) && !d.rules.NoPages {
		kids = append(kids, d.actions().page(keyPage, keyHelp, d.say("surface.large.open"), page))
	}
	d.setBox(i, d.rootID(), "Column", kids)
	return &d, d.err
}

// standsIn reports whether a surface may be drawn as a text and a link. Changes of its
// data are then not shown. A small surface is not examined closely.
func (m *Memo) standsIn(t Target, st *ui.State, s *ui.Surface) bool {
	if slices.Contains(s.StandIns, t.Dialect.String()) {
		return true
	}
	if m != nil {
		for _, k := range m.kept {
			if k.surface == s {
				return k.drawn.standIn
			}
		}
		if slices.Contains(m.whole, s) {
			return false
		}
	}
	limits := t.rules().Limits.WithDefaults()
	most := limits.Components
	if t.Dialect.Features().FlatData {
		most = min(most, limits.Messages)
	}
	const own = 16 // components of the surface besides those of its nodes
	if weight, levels := extent(s, s.Tree()); weight+own <= most && levels <= limits.Depth {
		return false
	}
	d, err := m.draw(t, st, s)
	return err == nil && d.standIn
}

// patched notes that a surface drawn whole changed in its data alone.
func (m *Memo) patched(s *ui.Surface) {
	if m != nil {
		m.whole = append(m.whole, s)
	}
}

// extent is at least how many components a node takes, and how many messages, and how deep
// its components are nested.
func extent(s *ui.Surface, n ui.Node) (weight, levels int) {
	const node, cell, around = 16, 8, 8 // a node with its label, help, error and boxes
	if in := ui.InputOf(n); in != nil {
		weight += len(in.Options)
	}
	if rs := ui.RowsetOf(n); rs != nil {
		options := 0
		for _, c := range rs.Columns {
			options += len(c.Options)
		}
		weight += min(len(s.Rows(rs)), ui.PageRows) * (node + cell*len(rs.Columns) + options)
	}
	for _, child := range ui.Children(n) {
		w, l := extent(s, child)
		weight, levels = weight+w, max(levels, l)
	}
	return weight + node, levels + around
}
