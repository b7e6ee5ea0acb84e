package validate

import (
	"github.com/limn-ui/limn/a2ui/internal/datatree"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// scopeRules checks what depends on where a component is drawn.
type scopeRules struct{ *run }

const (
	atRoot     = 1 // drawn once, paths start at the model
	inTemplate = 2 // drawn for each item
)

// check checks what depends on where a component is drawn.
func (r scopeRules) check(st *staged, root int32) {
	g := r.graph
	changed := st.components || st.created
	indexed := changed && g.flags&usesIndex != 0
	bound := r.Safe && (changed || st.shrunk)
	valued := r.Safe && g.flags&(wantsURL|wantsList) != 0 && (changed || st.changed)
	if !indexed && !bound && !valued {
		return
	}
	r.scopes(root)
	if indexed {
		r.indexes()
	}
	if bound {
		r.countDrawn()
		r.reachable(st, root)
		r.literals()
	}
	if valued {
		r.values(st, root)
	}
}

// scopes marks where each component is drawn.
func (r scopeRules) scopes(root int32) {
	g, w := r.graph, &r.walk
	w.scope = resize(w.scope, len(g.nodes))
	if root < 0 {
		return
	}
	w.scope[root] = atRoot
	w.queue = append(w.queue[:0], root)
	for len(w.queue) > 0 {
		i := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		for _, e := range g.edges[g.nodes[i].edges.from:g.nodes[i].edges.to] {
			scope := w.scope[i]
			if e.template {
				scope = inTemplate
			}
			if w.scope[e.to]|scope != w.scope[e.to] {
				w.scope[e.to] |= scope
				w.queue = append(w.queue, e.to)
			}
		}
	}
}

// indexes reports the components with @index that are drawn outside a template.
func (r scopeRules) indexes() {
	for i := range r.graph.nodes {
		if n := &r.graph.nodes[i]; n.flags&usesIndex != 0 && r.walk.scope[i]&atRoot != 0 {
			r.place(n, -1)
			r.add(wire.ComponentBinding, "", "@index stands outside a template")
		}
	}
}

// countDrawn counts the components that the root reaches.
func (r scopeRules) countDrawn() {
	n := 0
	for i := range r.graph.nodes {
		if r.walk.scope[i] != 0 && r.graph.nodes[i].serial != 0 {
			n++
		}
	}
	if n > r.Limits.Components {
		r.leave()
		r.add(wire.LimitComponents, "", "the surface draws %d components, the limit is %d", n, r.Limits.Components)
	}
}

// reachable checks the bindings of the components that are drawn, and that
// everything the batch sent is.
func (r scopeRules) reachable(st *staged, root int32) {
	g := r.graph
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.serial == 0 || !r.fresh(n) && !st.shrunk && !st.created {
			continue
		}
		scope := r.walk.scope[i]
		if scope == 0 {
			if r.fresh(n) && root >= 0 && st.open {
				r.place(n, -1)
				r.add(wire.ComponentOrphan, "", "the root does not reach it")
			}
			continue
		}
		for _, b := range g.binds[n.binds.from:n.binds.to] {
			if hint, message := r.bound(st, b.path, scope); message != "" {
				r.place(n, b.row)
				r.add(wire.ComponentBinding, hint, "the path %q %s", clip(b.path), message)
			}
		}
	}
}

func absolute(path string) bool { return path == "" || path[0] == '/' }

// bound returns the fault of a path at the place where it is drawn, or "".
func (r scopeRules) bound(st *staged, path string, scope uint8) (hint, message string) {
	switch abs := absolute(path); {
	case !abs && scope&atRoot != 0:
		return "start it with /", "is relative outside a template"
	case abs && scope&inTemplate != 0 && r.Features.LocalTemplates:
		return "use a path relative to the item", "is absolute inside a template, and clients take it as relative"
	case abs && st.open && !st.data.Has(path):
		return "send its data in the same batch", "has no data"
	}
	return "", ""
}

// literals compares drawn texts with ids: all texts when ids are new, else
// those of the batch.
func (r scopeRules) literals() {
	g := r.graph
	if !r.Features.LiteralsAreRefs {
		return
	}
	all := g.grown >= r.first
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.serial == 0 || !all && !r.fresh(n) {
			continue
		}
		for _, s := range g.texts[n.texts.from:n.texts.to] {
			if slot, ok := g.index[s]; ok && g.nodes[slot].serial != 0 {
				r.place(n, -1)
				r.add(wire.ComponentIDLiteral, "choose ids that no text can equal, such as c#…",
					"the text %q is the id of a component", clip(s))
			}
		}
	}
}

// values checks what bindings lead to where only some data will do: addresses,
// and the lists of templates.
func (r scopeRules) values(st *staged, root int32) {
	g := r.graph
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.flags&(wantsURL|wantsList) == 0 || r.walk.scope[i] == 0 {
			continue
		}
		for _, b := range g.binds[n.binds.from:n.binds.to] {
			if b.want != 0 && absolute(b.path) {
				r.leadsTo(n, b, st.data.Look(b.path))
			}
		}
	}
	if g.flags&relative != 0 && root >= 0 && !r.walk.endless {
		r.items(st, root)
	}
}

// leadsTo checks one value that a binding may show.
func (r scopeRules) leadsTo(n *node, b bind, at datatree.Entry) (ok bool) {
	switch {
	case b.want == wantsURL && (at.Class == datatree.Other || at.Class == datatree.Mail && !b.link):
		r.place(n, b.row)
		r.add(wire.ComponentURLScheme, "use an absolute http or https address",
			"the path %q leads to an address that is not allowed", clip(b.path))
	case b.want == wantsList && r.Features.FlatData && at.Class == datatree.Map && !at.Indexed():
		r.place(n, b.row)
		r.add(wire.ComponentBinding, "use the keys 0, 1, 2, …",
			"the path %q leads to a map whose keys are not numbers in order", clip(b.path))
	case b.want == wantsList && !r.Features.FlatData && at.Class != datatree.List && at.Class != datatree.Missing &&
		at.Class != datatree.Null:
		r.place(n, b.row)
		r.add(wire.ComponentBinding, "", "the path %q leads to something that is not a list", clip(b.path))
	default:
		return true
	}
	return false
}

// drawing is a component in one template scope: the items are those of the
// lists at paths, one inside the other.
type drawing struct {
	node  int32
	scope int32 // place in scopes
}

type scopePath struct {
	above int32 // -1 = the model
	path  string
}

// The bounds of the walk over template scopes. What is beyond them is refused,
// as it cannot be proved.
const (
	maxDrawings = 20_000
	maxLooks    = 200_000
)

// items checks the relative bindings inside templates, for every item.
func (r scopeRules) items(st *staged, root int32) {
	g := r.graph
	scopes := []scopePath{}
	known := map[scopePath]int32{}
	seen := map[drawing]bool{}
	todo := []drawing{{root, -1}}
	looks := maxLooks
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[d] {
			continue
		}
		if seen[d] = true; len(seen) > maxDrawings {
			looks = -1
			break
		}
		n := &g.nodes[d.node]
		for _, b := range g.binds[n.binds.from:n.binds.to] {
			if b.want != 0 && !absolute(b.path) && d.scope >= 0 {
				r.everyItem(st, n, b, scopes, d.scope, &looks)
			}
		}
		for _, e := range g.edges[n.edges.from:n.edges.to] {
			to := drawing{e.to, d.scope}
			if e.path >= 0 {
				s := scopePath{d.scope, g.binds[e.path].path}
				if absolute(s.path) && !r.Features.LocalTemplates {
					s.above = -1
				}
				at, ok := known[s]
				if !ok {
					at = int32(len(scopes))
					scopes, known[s] = append(scopes, s), at
				}
				to.scope = at
			}
			todo = append(todo, to)
		}
	}
	if looks < 0 {
		r.leave()
		r.add(wire.LimitComponents, "draw fewer templates", "the templates draw too much to be checked")
	}
}

// everyItem looks a relative path up in every item of a scope; the first that
// does not fit is reported.
func (r scopeRules) everyItem(st *staged, n *node, b bind, scopes []scopePath, scope int32, looks *int) {
	var lists []string // outermost first
	for s := scope; s >= 0; s = scopes[s].above {
		lists = append([]string{scopes[s].path}, lists...)
	}
	st.data.Each(lists, b.path, looks, func(at datatree.Entry) bool { return r.leadsTo(n, b, at) })
}
