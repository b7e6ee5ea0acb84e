package check

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// walk is the scratch memory of the tree walks.
type walk struct {
	color  []uint8 // of the depth-first walk
	height []int32 // longest way down, in components
	scope  []uint8 // where a component is drawn, see atRoot and inTemplate
	stack  []frame
	queue  []int32
}

type frame struct {
	node int32
	next int32 // edge to look at
}

const (
	white, grey, black = 0, 1, 2

	atRoot     = 1 // drawn once, paths start at the model
	inTemplate = 2 // drawn for each item
)

// finish checks a touched surface as the client has it after the batch.
func (r *run) finish(st *staged) {
	if st.surface == nil {
		return
	}
	r.surface, r.component, r.index = st.id, "", -1
	r.listsRead(st)
	if r.graph = st.graph; r.graph == nil {
		if r.Safe && st.created {
			r.add(wire.BeginMissingRoot, "", "the surface has no components")
		}
		return
	}
	if r.Safe && r.Features.CreateLast && !st.open && st.components {
		r.add(wire.BeginOrder, "begin rendering in the same batch", "the surface is never shown")
	}
	root := r.root(st)
	full := st.created && (st.components || r.Features.CreateLast)
	if full && (root < 0 || r.graph.nodes[root].serial == 0) {
		r.add(wire.BeginMissingRoot, "", "there is no root component %q", st.root)
	}
	if st.components || full {
		if full || r.Safe && st.open {
			r.dangling(full)
		}
		r.depths(root)
	}
	if r.Safe && (st.components || st.created || st.shrunk) {
		r.scopes(root)
		r.drawnAtMost()
		r.reachable(st, root)
		r.literals()
	}
}

func (r *run) root(st *staged) int32 {
	if slot, ok := r.graph.index[st.root]; ok && st.root != "" {
		return slot
	}
	return -1
}

// fresh tells whether a node was defined by this batch.
func (r *run) fresh(n *node) bool { return n.serial >= r.first }

// at sets the component that problems name.
func (r *run) at(n *node) {
	if r.component, r.line = n.id, 0; r.fresh(n) {
		r.line = int(n.serial-r.first) + 1
	}
}

// dangling reports references to components that do not exist: on a new
// surface, and in Safe after every update.
func (r *run) dangling(full bool) {
	g := r.graph
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.serial == 0 || !full && !r.fresh(n) {
			continue
		}
		for _, e := range g.edges[n.edges.from:n.edges.to] {
			// A self-contained dialect has said so already.
			if g.nodes[e.to].serial == 0 && !(r.Safe && r.Features.SelfContained) {
				r.at(n)
				r.add(wire.ComponentDangling, "", "refers to %q, which does not exist", g.nodes[e.to].id)
			}
		}
	}
	r.component, r.line = "", 0
}

// depths walks every tree, root first, and finds cycles and the longest way
// down. It does not recurse.
func (r *run) depths(root int32) {
	g, w := r.graph, &r.walk
	w.color = resize(w.color, len(g.nodes))
	w.height = resize(w.height, len(g.nodes))
	deepest := int32(-1)
	visit := func(i int32) {
		if g.nodes[i].serial != 0 && w.color[i] == white {
			r.descend(i)
			if deepest < 0 || w.height[i] > w.height[deepest] {
				deepest = i
			}
		}
	}
	if root >= 0 {
		visit(root)
	}
	for i := range g.nodes {
		visit(int32(i))
	}
	if deepest >= 0 && int(w.height[deepest]) > r.Limits.Depth {
		r.tooDeep(deepest)
	}
	r.component, r.line = "", 0
}

func (r *run) descend(from int32) {
	g, w := r.graph, &r.walk
	w.stack = append(w.stack[:0], frame{from, g.nodes[from].edges.from})
	w.color[from], w.height[from] = grey, 1
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		n := &g.nodes[top.node]
		if top.next == n.edges.to {
			w.color[top.node] = black
			done := top.node
			w.stack = w.stack[:len(w.stack)-1]
			if len(w.stack) > 0 {
				above := w.stack[len(w.stack)-1].node
				w.height[above] = max(w.height[above], w.height[done]+1)
			}
			continue
		}
		e := g.edges[top.next]
		top.next++
		if r.bounded(e) {
			continue
		}
		switch w.color[e.to] {
		case white:
			w.color[e.to], w.height[e.to] = grey, 1
			w.stack = append(w.stack, frame{e.to, g.nodes[e.to].edges.from})
		case black:
			w.height[top.node] = max(w.height[top.node], w.height[e.to]+1)
		case grey:
			r.at(n)
			r.add(wire.ComponentCycle, "", "contains %q, which contains it", g.nodes[e.to].id)
		}
	}
}

// bounded tells that what lies behind an edge ends where the data ends: a
// template may draw its own list. Safe does without.
func (r *run) bounded(e edge) bool { return e.template && !r.Safe }

// tooDeep names the first component below the limit on the longest way down.
func (r *run) tooDeep(top int32) {
	g, w := r.graph, &r.walk
	depth := w.height[top]
	at := top
	for level := 1; level <= r.Limits.Depth; level++ {
		n := &g.nodes[at]
		for _, e := range g.edges[n.edges.from:n.edges.to] {
			if !r.bounded(e) && w.height[e.to] == w.height[at]-1 {
				at = e.to
				break
			}
		}
	}
	r.at(&g.nodes[at])
	r.add(wire.LimitDepth, "", "the tree below %q is %d components deep, the limit is %d", g.nodes[top].id, depth, r.Limits.Depth)
}

// scopes marks where each component is drawn.
func (r *run) scopes(root int32) {
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

// drawnAtMost counts the components that the root reaches.
func (r *run) drawnAtMost() {
	n := 0
	for i := range r.graph.nodes {
		if r.walk.scope[i] != 0 && r.graph.nodes[i].serial != 0 {
			n++
		}
	}
	if n > r.Limits.Components {
		r.add(wire.LimitComponents, "", "the surface draws %d components, the limit is %d", n, r.Limits.Components)
	}
}

// reachable checks the bindings of the components that are drawn, and that
// everything the batch sent is.
func (r *run) reachable(st *staged, root int32) {
	g := r.graph
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.serial == 0 || !r.fresh(n) && !st.shrunk && !st.created {
			continue
		}
		scope := r.walk.scope[i]
		if scope == 0 {
			if r.fresh(n) && root >= 0 && st.open {
				r.at(n)
				r.add(wire.ComponentOrphan, "", "the root does not reach it")
			}
			continue
		}
		for _, path := range g.binds[n.binds.from:n.binds.to] {
			if hint, message := r.bound(st, path, scope); message != "" {
				r.at(n)
				r.add(wire.ComponentBinding, hint, "the path %q %s", clip(path), message)
			}
		}
	}
	r.component, r.line = "", 0
}

// bound says what is wrong with a path where it is drawn, or "".
func (r *run) bound(st *staged, path string, scope uint8) (hint, message string) {
	absolute := path == "" || path[0] == '/'
	switch {
	case !absolute && scope&atRoot != 0:
		return "start it with /", "is relative outside a template"
	case absolute && scope&inTemplate != 0 && r.Features.LocalTemplates:
		return "use a path relative to the item", "is absolute inside a template, and clients take it as relative"
	case absolute && st.open && !st.data.Has(path):
		return "send its data in the same batch", "has no data"
	}
	return "", ""
}

// literals compares drawn texts with ids: all texts when ids are new, else
// those of the batch.
func (r *run) literals() {
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
				r.at(n)
				r.add(wire.ComponentIDLiteral, "choose ids that no text can equal, such as c#…", "the text %q is the id of a component", clip(s))
			}
		}
	}
	r.component, r.line = "", 0
}

// resize returns a cleared slice of length n.
func resize[T uint8 | int32](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}
