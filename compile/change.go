package compile

import (
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/ui"
)

// change brings a surface of the same epoch up to date: data that are new to
// the client, components that differ, data the server wrote, data that are
// gone, rev.
func (b *Batch) change(m *Memo, t Target, before, after *ui.State, f *ui.Frame, c ui.Change) error {
	old, now := before.Surface(c.Surface), after.Surface(c.Surface)
	same := before.Committed.Equal(after.Committed)
	if old == now && same {
		return nil
	}
	if c.Kind == ui.ChangedData && same && foreign.Of(now) == nil && !m.standsIn(t, before, old) {
		ok, err := b.patch(t, after, old, now, f, c)
		if ok {
			m.patched(now)
		}
		if ok || err != nil {
			return err
		}
	}
	was, err := m.draw(t, before, old)
	if err != nil { // the client cannot show what could not be drawn: start again
		return b.rebuild(m, t, after, old, now)
	}
	is, err := m.draw(t, after, now)
	if err != nil {
		return err
	}
	if was.foreign == nil != (is.foreign == nil) { // one of them is a text and a link
		return b.rebuild(m, t, after, old, now)
	}
	b.Messages = is.emission().since(was, writes(c))
	b.Warnings = newWarnings(was.warnings, is.warnings)
	return nil
}

func (b *Batch) rebuild(m *Memo, t Target, after *ui.State, old, now *ui.Surface) error {
	d, err := m.draw(t, after, now)
	if err != nil {
		return err
	}
	b.Messages = append([]a2ui.Message{&a2ui.DeleteSurface{SurfaceID: old.WireID()}}, d.emission().create()...)
	b.Warnings = d.warnings
	return nil
}

func newWarnings(was, is []Warning) (out []Warning) {
	had := make(map[Warning]bool, len(was))
	for _, w := range was {
		had[w] = true
	}
	for _, w := range is {
		if !had[w] {
			out = append(out, w)
		}
	}
	return out
}

// written is the leaves that a frame wrote itself, and everything above them as false.
type written map[ui.Path]bool

func writes(c ui.Change) written {
	w := make(written, 2*len(c.Wrote))
	for _, p := range c.Wrote {
		w[p] = true
		for up := parent(p); up != ""; up = parent(up) {
			if _, ok := w[up]; ok {
				break
			}
			w[up] = false
		}
	}
	return w
}

func parent(p ui.Path) ui.Path {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] == '/' {
			return p[:i]
		}
	}
	return ""
}

// has reports whether the server wrote the leaf at p, or something above or
// below it.
func (w written) has(p ui.Path) bool {
	if _, ok := w[p]; ok {
		return true
	}
	for up := parent(p); up != ""; up = parent(up) {
		if w[up] {
			return true
		}
	}
	return false
}

// since returns the messages that turn the drawing before into d: data that new components
// bind, components from the leaves up, data that the server wrote, data that are gone, rev.
func (d emission) since(was *drawing, w written) []a2ui.Message {
	if d.foreign != nil {
		return d.foreignSince(was)
	}
	diff := dataDiff{d: d.drawing, was: was, written: w}
	diff.node("", &was.data, &d.data)
	out := diff.fresh
	if comps := d.changed(was); len(comps) > 0 {
		out = append(out, &a2ui.UpdateComponents{SurfaceID: d.id, Components: comps})
	}
	out = append(append(out, diff.wrote...), diff.gone...)
	if was.surface.Rev != d.surface.Rev {
		out = append(out, d.rev())
	}
	return out
}

func (d emission) rev() a2ui.Message {
	return d.write(string(revPath), d.wrap(number(d.surface.Rev)))
}

// changed lists the components that differ from those of was. Where each message must
// be self-contained, they are in drawing order, each with everything below it;
// elsewhere the leaves come first. The reason: a component that comes back is shown by
// clients as it was when it was removed, and so is a parent that is drawn before its
// child is updated.
func (d emission) changed(was *drawing) []a2ui.Component {
	old := make(map[string]*a2ui.Component, len(was.comps))
	for i := range was.comps {
		old[was.comps[i].ID] = &was.comps[i]
	}
	send := make([]bool, len(d.comps))
	some := false
	for i := range d.comps {
		before := old[d.comps[i].ID]
		send[i] = before == nil || !sameComponent(before, &d.comps[i])
		some = some || send[i]
	}
	if !some {
		return nil
	}
	if d.f.SelfContained {
		d.withChildren(send)
	}
	var out []a2ui.Component
	for i := range d.comps {
		if send[i] {
			out = append(out, d.comps[i])
		}
	}
	if !d.f.SelfContained {
		slices.Reverse(out)
	}
	return out
}

// withChildren marks the children of every marked component. Parents come
// before their children.
func (d emission) withChildren(send []bool) {
	index := make(map[string]int, len(d.comps))
	for i := range d.comps {
		index[d.comps[i].ID] = i
	}
	mark := func(id string) {
		if i, ok := index[id]; ok {
			send[i] = true
		}
	}
	for i := range d.comps {
		if !send[i] {
			continue
		}
		for _, p := range d.comps[i].Props {
			switch v := p.Value.(type) {
			case a2ui.Ref:
				mark(string(v))
			case a2ui.Refs:
				for _, id := range v {
					mark(id)
				}
			case a2ui.Tabs:
				for _, t := range v {
					mark(t.Child)
				}
			}
		}
	}
}

// dataDiff collects what happened to the data.
type dataDiff struct {
	d, was  *drawing
	written written
	fresh   []a2ui.Message // new to the client: before the components
	wrote   []a2ui.Message // written by the server: after them
	gone    []a2ui.Message
	checked map[string]bool // paths that checks of was read; nil = not listed yet
}

// node compares the value at a path and reports whether all of it was sent.
func (x *dataDiff) node(path string, was, is *tree) bool {
	if path == string(revPath) {
		return false // always last
	}
	switch {
	case was == nil:
		x.fresh = x.d.emission().send(x.fresh, path, is)
		return true
	case (was.kids == nil) != (is.kids == nil):
		x.wrote = x.replace(x.wrote, path, is)
		return true
	case is.kids == nil:
		return x.leaf(path, was, is)
	}
	fresh, wrote, gone := len(x.fresh), len(x.wrote), len(x.gone)
	all := len(is.kids) > 0
	for _, k := range is.kids {
		all = x.node(joinPath(path, k.key), was.child(k.key), k) && all
	}
	remain, kept := x.lost(path, was, is)
	if remain && is.exact {
		x.fresh, x.wrote, x.gone = x.fresh[:fresh], x.wrote[:wrote], x.replace(x.gone[:gone], path, is)
		return true
	}
	if kept { // sending this place whole would take it away
		return false
	}
	if !all || path == "" || len(is.kids) == 1 {
		return all
	}
	early := len(x.fresh) > fresh // one message instead of many
	if early && len(x.gone) > gone {
		return all // the components that bind what goes away are still there
	}
	x.fresh, x.wrote, x.gone = x.fresh[:fresh], x.wrote[:wrote], x.gone[:gone]
	if early {
		x.fresh = x.d.emission().send(x.fresh, path, is)
	} else {
		x.wrote = x.d.emission().send(x.wrote, path, is)
	}
	return true
}

// replace is send for a place that may hold something else.
func (x *dataDiff) replace(out []a2ui.Message, path string, is *tree) []a2ui.Message {
	if !x.d.f.FlatData || is.kids == nil {
		return x.d.emission().send(out, path, is)
	}
	return x.d.emission().sendBelow(append(out, x.d.emission().write(path, x.d.emission().leavesOf(is))), path, is)
}

// leaf sends a leaf that the server wrote. What users write to is theirs: it is
// sent only if an op of this frame wrote it, whatever the state says. A draft is also sent
// if its leaf is new, or if a client that cannot delete data loses a row beside it.
func (x *dataDiff) leaf(path string, was, is *tree) bool {
	send := !sameData(was.leaf.val, is.leaf.val)
	if is.leaf.shape.input() {
		send = x.written.has(ui.Path(path))
	}
	if send || was.leaf.shape != is.leaf.shape {
		x.wrote = x.d.emission().send(x.wrote, path, is)
		return true
	}
	return false
}

// lost removes the children that are gone. It reports whether some remain in
// the client because data cannot be deleted there, and whether something was
// kept because checks still read it. Of a surface that is locked or expired nothing is
// removed. Rows that leave the page are removed, or clients would send them back as an
// answer.
func (x *dataDiff) lost(path string, was, is *tree) (remain, kept bool) {
	for _, k := range was.kids {
		if is.child(k.key) != nil {
			continue
		}
		at := joinPath(path, k.key)
		switch {
		case x.d.f.Delete && x.d.surface.Status != ui.StatusOpen:
			kept = true // nothing binds it, and it goes with the surface
		case x.d.f.Delete:
			if rest := x.emptied(at, k); rest != nil && !x.offPage(ui.Path(at)) {
				x.gone, kept = x.d.emission().send(x.gone, at, rest), true
				continue
			}
			x.gone = append(x.gone, &a2ui.UpdateData{SurfaceID: x.d.id, Path: at, Delete: true})
		case k.leaf.shape == shapeBool && is.exact: // an option that is no longer offered
			x.gone = append(x.gone, x.d.emission().write(at, x.d.emission().wrap(a2ui.Data{Kind: kindBool})))
		default:
			remain = true
		}
	}
	return remain, kept
}

// emptied is what must stay of t: the leaves that checks read, emptied, or nil.
// Renderers take inputs away a moment after the components went, and a check
// that finds no value until then is an error.
func (x *dataDiff) emptied(path string, t *tree) *tree {
	if x.checked == nil {
		x.checked = checkedPaths(x.was.comps)
	}
	if t.kids == nil {
		if !x.checked[x.d.texts().leafPath(ui.Path(path))] {
			return nil
		}
		return &tree{key: t.key, leaf: leaf{x.d.texts().stringData(""), shapeText}}
	}
	var rest *tree
	for _, k := range t.kids {
		if stays := x.emptied(joinPath(path, k.key), k); stays != nil {
			if rest == nil {
				rest = &tree{key: t.key}
			}
			rest.kids = append(rest.kids, stays)
		}
	}
	return rest
}

// checkedPaths lists what inputs with checks bind.
func checkedPaths(comps []a2ui.Component) map[string]bool {
	out := map[string]bool{}
	for i := range comps {
		var bound a2ui.Path
		checks := 0
		for _, p := range comps[i].Props {
			switch v := p.Value.(type) {
			case a2ui.Path:
				bound = v
			case a2ui.Checks:
				checks = len(v)
			}
		}
		if checks > 0 {
			out[string(bound)] = true
		}
	}
	return out
}

// offPage reports a row that exists but is not on the page shown. Its data are not
// removed: an action would send the rest of the row from the client, and ingress would
// take that for an answer.
func (x *dataDiff) offPage(p ui.Path) bool {
	var rs *ui.Rowset
	if owner := x.d.texts().owner(p); owner != nil {
		rs = ui.RowsetOf(owner)
	}
	if rs == nil {
		return false
	}
	for _, r := range x.d.surface.Rows(rs) {
		if rs.Path.Join(r.ID) == p {
			return true
		}
	}
	return false
}

// sameComponent reports whether two components would be written alike.
func sameComponent(a, b *a2ui.Component) bool {
	return a.ID == b.ID && a.Type == b.Type && a.Weight == b.Weight && sameProps(a.Props, b.Props)
}

func sameProps(a, b []a2ui.Prop) bool {
	return slices.EqualFunc(a, b, func(a, b a2ui.Prop) bool { return a.Name == b.Name && sameValue(a.Value, b.Value) })
}

// sameValue compares the values this package emits; any other kind differs
// from itself, so that it is sent rather than missed.
func sameValue(a, b a2ui.Value) bool {
	switch a := a.(type) {
	case a2ui.String, a2ui.Path, a2ui.Ref, a2ui.Bool:
		return a == b
	case a2ui.Literal:
		b, ok := b.(a2ui.Literal)
		return ok && sameData(a.Data, b.Data)
	case a2ui.Refs:
		b, ok := b.(a2ui.Refs)
		return ok && slices.Equal(a, b)
	case a2ui.Options:
		b, ok := b.(a2ui.Options)
		return ok && slices.EqualFunc(a, b, func(a,
			b a2ui.Option) bool {
			return a.Value == b.Value && sameValue(a.Label, b.Label)
		})
	case a2ui.Tabs:
		b, ok := b.(a2ui.Tabs)
		return ok && slices.EqualFunc(a, b, func(a,
			b a2ui.Tab) bool {
			return a.Child == b.Child && sameValue(a.Title, b.Title)
		})
	case a2ui.Event:
		b, ok := b.(a2ui.Event)
		return ok && a.Name == b.Name && sameProps(a.Context, b.Context)
	case a2ui.Local:
		b, ok := b.(a2ui.Local)
		return ok && sameCall(a.Call, b.Call)
	case a2ui.Checks:
		b, ok := b.(a2ui.Checks)
		return ok && slices.EqualFunc(a, b, func(a, b a2ui.Check) bool {
			return a.Message == b.Message && sameValue(a.Condition, b.Condition)
		})
	case a2ui.Call:
		b, ok := b.(a2ui.Call)
		return ok && sameCall(a, b)
	case a2ui.Object:
		b, ok := b.(a2ui.Object)
		return ok && sameProps(a, b)
	case a2ui.List:
		b, ok := b.(a2ui.List)
		return ok && slices.EqualFunc(a, b, sameValue)
	}
	return false
}

func sameCall(a, b a2ui.Call) bool {
	return a.Func == b.Func && a.ReturnType == b.ReturnType && a.CatalogID == b.CatalogID && sameProps(a.Args, b.Args)
}

func sameData(a, b a2ui.Data) bool {
	return a.Kind == b.Kind && a.Bool == b.Bool && a.Str == b.Str && slices.EqualFunc(a.Items, b.Items, sameData) &&
		slices.EqualFunc(a.Members, b.Members,
			func(a, b a2ui.Member) bool { return a.Key == b.Key && sameData(a.Value, b.Value) })
}
