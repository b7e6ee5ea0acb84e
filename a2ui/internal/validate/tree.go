package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// treeRules checks the component tree of a surface after the batch.
type treeRules struct{ *run }

// walk is the scratch memory of the tree walks.
type walk struct {
	color   []uint8 // of the depth-first walk
	height  []int32 // longest way down, in components
	scope   []uint8 // where a component is drawn, see atRoot and inTemplate
	stack   []frame
	endless bool // a circle, or too deep
	queue   []int32
}

type frame struct {
	node int32
	next int32 // edge to look at
}

const white, grey, black = 0, 1, 2

// finish checks a touched surface as the client has it after the batch.
//
//	rule                                            profile
//	a created surface has its root                  Spec
//	… and components                                Spec on v0.8, else Safe
//	… and on v0.8 is begun                          Safe
//	references of a created surface resolve         Spec
//	… and those of an update                        Safe
//	no circle; through a template                   Spec; Safe
//	depth of the tree, bytes of the surface         Spec
//	allowed parents and children                    Spec
//	@index in templates only                        Spec
//	everything sent is drawn, paths are in scope
//	and have data, addresses and lists fit          Safe
//	no drawn text equals an id                      Safe
func (r treeRules) finish(st *staged) {
	if !st.alive {
		return
	}
	r.surface, r.st = st.id, st
	r.leave()
	r.updates().reportUnreadLists(st)
	r.components(st)
	r.weigh(st)
	if n := st.bytes + st.data.Bytes(); n > r.Limits.SurfaceBytes {
		r.add(wire.LimitSurfaceBytes, "", "the surface has %d bytes, the limit is %d", n, r.Limits.SurfaceBytes)
	}
}

// components is finish for the components of a surface.
func (r treeRules) components(st *staged) {
	begins := r.Features.CreateLast && !r.Partial // with all that came before
	if r.graph = st.graph; r.graph == nil {
		if (r.Safe || begins) && st.created {
			r.add(wire.BeginMissingRoot, "send its components with it", "the surface has no components")
		}
		return
	}
	if r.Safe && r.Features.CreateLast && !st.open && st.components {
		r.add(wire.BeginOrder, "begin rendering in the same batch", "the surface is never shown")
	}
	root := r.root(st)
	full := st.created && (st.components || begins)
	if full && (root < 0 || r.graph.nodes[root].serial == 0) {
		r.add(wire.BeginMissingRoot, "send a component with this id", "there is no root component %q", st.root)
	}
	if st.components || full {
		if full || r.Safe && st.open {
			r.dangling(full)
		}
		r.depths(root)
		if r.graph.flags&composed != 0 {
			r.composition(root)
		}
	}
	r.scoping().check(st, root)
	r.leave()
	r.line = 0
}

func (r treeRules) root(st *staged) int32 {
	if slot, ok := r.graph.index[st.root]; ok && st.root != "" {
		return slot
	}
	return -1
}

// fresh reports whether a node was defined by this batch.
func (r *run) fresh(n *node) bool { return n.serial >= r.first }

// place sets the component that problems name, and its property, if row is one.
func (r *run) place(n *node, row int8) {
	r.leave()
	r.component, r.line = n.id, 0
	if !r.fresh(n) {
		return
	}
	r.line, r.index = n.line, int(n.at)
	if row >= 0 && n.def != nil {
		for _, name := range r.Names.PlaceOf(n.typ, n.def.Props[row].Name) {
			r.push(name)
		}
	}
}

// dangling reports references to components that do not exist: on a new
// surface, and in Safe after every update.
func (r treeRules) dangling(full bool) {
	g := r.graph
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.serial == 0 || !full && !r.fresh(n) {
			continue
		}
		for _, e := range g.edges[n.edges.from:n.edges.to] {
			// A self-contained dialect has said so already.
			if g.nodes[e.to].serial == 0 && !(r.Safe && r.Features.SelfContained) {
				r.place(n, e.row)
				r.add(wire.ComponentDangling, "", "refers to %q, which does not exist", clip(g.nodes[e.to].id))
			}
		}
	}
}

// composition checks which components may be in which.
func (r treeRules) composition(root int32) {
	g := r.graph
	if root >= 0 && r.fresh(&g.nodes[root]) {
		r.mayStand(nil, &g.nodes[root], -1)
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		for _, e := range g.edges[n.edges.from:n.edges.to] {
			if to := &g.nodes[e.to]; to.serial != 0 && (r.fresh(n) || r.fresh(to)) {
				r.mayStand(n, to, e.row)
			}
		}
	}
}

// mayStand checks one component in its parent; nil is the surface itself.
func (r treeRules) mayStand(parent, child *node, row int8) {
	typ, where := "Surface", "at the top level (Surface)"
	if parent != nil {
		typ, where = parent.typ, fmt.Sprintf("in %q (%s)", clip(parent.id), parent.typ)
		if parent.def != nil && parent.def.Children != nil && !slices.Contains(parent.def.Children, child.typ) {
			r.place(parent, row)
			r.add(wire.ComponentChild, "it takes "+oneOf(parent.def.Children), "%q (%s) may not stand in %q (%s)",
				clip(child.id), child.typ, clip(parent.id), parent.typ)
		}
	}
	if child.def != nil && child.def.Parents != nil && !slices.Contains(child.def.Parents, typ) {
		r.place(child, -1)
		r.add(wire.ComponentParent, "it belongs in "+oneOf(child.def.Parents), "a %s may not stand %s", child.typ,
			where)
	}
}

func oneOf(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// depths walks every tree, root first, and finds cycles and the longest way
// down. It does not recurse.
func (r treeRules) depths(root int32) {
	g, w := r.graph, &r.walk
	w.color = resize(w.color, len(g.nodes))
	w.height = resize(w.height, len(g.nodes))
	w.endless = false
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
}

func (r treeRules) descend(from int32) {
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
			w.endless = true
			r.place(n, e.row)
			r.add(wire.ComponentCycle, "", "contains %q, which contains it", clip(g.nodes[e.to].id))
		}
	}
}

// weigh adds up the components that are drawn, in Spec all.
func (r treeRules) weigh(st *staged) {
	if st.graph == nil || !st.components && !st.created {
		return
	}
	st.bytes = 0
	for i := range st.graph.nodes {
		if !r.Safe || r.walk.scope[i] != 0 {
			st.bytes += st.graph.nodes[i].bytes
		}
	}
}

// bounded reports that the tree below an edge ends where the data ends: a
// template may draw its own list. Safe does without.
func (r treeRules) bounded(e edge) bool { return e.template && !r.Safe }

// tooDeep names the first component below the limit on the longest way down.
func (r treeRules) tooDeep(top int32) {
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
	w.endless = true
	r.place(&g.nodes[at], -1)
	r.add(wire.LimitDepth, "", "the tree below %q is %d components deep, the limit is %d", clip(g.nodes[top].id), depth,
		r.Limits.Depth)
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
