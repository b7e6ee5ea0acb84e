package compile

import (
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// patch is the short way for a frame that changed data only: the leaves the
// server wrote, then rev, without drawing the surface. ok is false when
// something on the surface shows such data by value, so that it must be drawn.
func (b *Batch) patch(t Target, st *ui.State, old, now *ui.Surface, f *ui.Frame, c ui.Change) (ok bool, _ error) {
	if now.Status != ui.StatusOpen {
		return false, nil
	}
	d, err := newDrawing(t, st, now)
	if err != nil {
		return false, err
	}
	server := patcher{d: &d, old: old, wrote: c.Wrote}
	if !server.all() || len(d.warnings) > 0 {
		return false, nil
	}
	b.Messages = server.out
	if old.Rev != now.Rev {
		b.Messages = append(b.Messages, d.emission().rev())
	}
	users := patcher{d: &d, old: old, wrote: typed(old, now, f, c)}
	b.Leaves = !server.lists && (len(users.wrote) == 0 || users.all() && !users.lists && len(d.warnings) == 0)
	b.Typed = users.out
	return true, nil
}

// typed lists the leaves that a frame took from the inputs of a surface and whose
// values are new, up to one more than maxPatch. A frame by an older program also holds
// unchanged leaves.
func typed(old, now *ui.Surface, f *ui.Frame, c ui.Change) (out []ui.Path) {
	for _, op := range f.Ops {
		draft, ok := op.(*ui.Draft)
		if !ok || draft.Surface != c.Surface {
			continue
		}
		for _, leaf := range draft.Values {
			if len(out) > maxPatch {
				return out
			}
			was, had := old.Get(leaf.Path)
			is, has := now.Get(leaf.Path)
			if (had != has || !was.Equal(is)) && !slices.Contains(c.Wrote, leaf.Path) &&
				!slices.Contains(out, leaf.Path) {
				out = append(out, leaf.Path)
			}
		}
	}
	return out
}

// maxPatch is the number of written leaves up to which the short way is short.
const maxPatch = 32

type patcher struct {
	d     *drawing
	old   *ui.Surface
	wrote []ui.Path
	out   []a2ui.Message
	owned uint32 // bit i: an input owns wrote[i]
	sends uint32 // bit i: a button sends wrote[i], or something around it
	shown uint32 // bit i: a text shows wrote[i]
	lists bool   // out has a list
}

// all visits the whole surface; false means that it must be drawn, also because
// a button sends something that no input owns.
func (p *patcher) all() bool {
	if len(p.wrote) > maxPatch {
		return false
	}
	for n := range ui.All(p.d.surface.Tree()) {
		if !p.node(n) {
			return false
		}
	}
	return p.sends&^p.owned == 0
}

// node visits one node; false means that the surface must be drawn.
func (p *patcher) node(n ui.Node) bool {
	if in := ui.InputOf(n); in != nil {
		return p.input(in)
	}
	switch n := n.(type) {
	case *ui.Table:
		g := p.d.grids()
		whole := g.whole("DataGrid", propRows, &n.Rowset) || g.has("ProcessMap", propSteps) && g.covered(n)
		return p.rowset(&n.Rowset, whole)
	case *ui.Steps:
		return p.unchanged(n.Edges) && p.rowset(&n.Rowset, p.d.grids().whole("ProcessMap", propSteps, &n.Rowset))
	case *ui.Button:
		for _, c := range n.Action.Context {
			if c.Path == "" {
				continue
			}
			for i, w := range p.wrote {
				if related(w, c.Path) {
					p.sends |= 1 << i
				}
			}
		}
		return true
	case *ui.Text:
		return p.text(n.Path, n.Text, variantOf(n))
	case *ui.Stat:
		return p.text(n.Path, n.Value, "body")
	case *ui.Progress:
		return p.progress(n)
	case *ui.Diagram:
		return p.unchanged(n.Steps) && p.unchanged(n.Edges)
	}
	return true
}

// unchanged reports whether the parts drawn by value from a path are the same.
func (p *patcher) unchanged(path ui.Path) bool {
	if path == "" {
		return true
	}
	was, _ := p.old.Get(path)
	is, _ := p.d.surface.Get(path)
	return was.Equal(is)
}

func (p *patcher) input(in *ui.Input) bool {
	if in.Type == ui.TypeUpload { // shows whether a file is there
		was, _ := p.old.Get(in.Path)
		if is, _ := p.d.get(in.Path); !was.Equal(is) {
			return false
		}
	}
	for i, w := range p.wrote {
		switch {
		case w == in.Path && (in.Type != ui.TypeChoices || p.d.f.ManyChoice):
			p.owned |= 1 << i
			val, _ := p.d.values().inputData(&in.Field, p.d.value(w, string(w)))
			p.send(w, val)
		case related(w, in.Path):
			return false
		}
	}
	return true
}

// rowset visits a rowset; whole reports that one component draws it. New lengths of cells
// can change the rows that such a component has.
func (p *patcher) rowset(rs *ui.Rowset, whole bool) bool {
	was, is := p.old.Rows(rs), p.d.surface.Rows(rs)
	if len(was) != len(is) {
		return false
	}
	for i := range is {
		if was[i].ID != is[i].ID {
			return false
		}
	}
	from, to := p.d.surface.Page(rs)
	if whole {
		from, to = window(p.d.surface, rs)
		if f, t := window(p.old, rs); f != from || t != to {
			return false
		}
	}
	if !sameFiles(rs, was[from:to], is[from:to]) {
		return false
	}
	for i, w := range p.wrote {
		switch {
		case within(w, rs.Path) && len(w) > len(rs.Path):
			if !p.cell(rs, is[from:to], w) {
				return false
			}
			p.owned |= 1 << i
		case within(rs.Path, w):
			return false
		}
	}
	return true
}

// sameFiles reports that the uploads of rows are unchanged: each shows whether a file is
// there, whatever put it there.
func sameFiles(rs *ui.Rowset, was, is []ui.Record) bool {
	for _, f := range rs.Columns {
		if f.Type != ui.TypeUpload {
			continue
		}
		for i := range is {
			before, _ := was[i].Cells.Get(f.Name)
			if now, _ := is[i].Cells.Get(f.Name); !before.Equal(now) {
				return false
			}
		}
	}
	return true
}

// cell sends one cell, if the client has its row.
func (p *patcher) cell(rs *ui.Rowset, page []ui.Record, w ui.Path) bool {
	row, rest := segment(string(w[len(rs.Path):]))
	if rest == "" {
		return false
	}
	column, more := segment(rest)
	if more != "" {
		return false
	}
	i := slices.IndexFunc(page, func(r ui.Record) bool { return r.ID == row })
	c := slices.IndexFunc(rs.Columns, func(f ui.Field) bool { return f.Name == column })
	if i < 0 || c < 0 {
		return true
	}
	f := &rs.Columns[c]
	if f.Type == ui.TypeUpload || f.Type == ui.TypeChoices && !p.d.f.ManyChoice {
		return false
	}
	v, _ := page[i].Cells.Get(column)
	val, _ := p.d.values().inputData(f, v)
	p.send(w, val)
	return !v.IsNull()
}

// text sends the value that a Text shows. It reports false for a draft or a committed
// value: it may be shown by value, and two Texts may need different escapes.
func (p *patcher) text(path ui.Path, literal, variant string) bool {
	if path == "" {
		return true
	}
	if !path.Under(ui.UIStateRoot) {
		return false
	}
	for i, w := range p.wrote {
		switch {
		case w == path:
			if p.shown&(1<<i) != 0 {
				return false
			}
			p.shown |= 1 << i
			p.send(w, p.d.texts().shownData(p.d.value(w, string(w)), literal, variant))
		case related(w, path):
			return false
		}
	}
	return true
}

// progress sends the line that shows a number. The number of a draft also changes
// with what users send, and that of a committed value with what others do.
func (p *patcher) progress(n *ui.Progress) bool {
	if n.Path == "" {
		return true
	}
	if !n.Path.Under(ui.UIStateRoot) {
		return false
	}
	for _, w := range p.wrote {
		switch {
		case w == n.Path:
			p.send(progressPath(n), p.d.content().progressData(n))
		case related(w, n.Path):
			return false
		}
	}
	return true
}

func (p *patcher) send(path ui.Path, v a2ui.Data) {
	p.lists = p.lists || v.Kind == kindArray
	p.out = append(p.out, p.d.emission().write(string(path), p.d.emission().wrap(v)))
}
