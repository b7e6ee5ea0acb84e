package validate

import (
	"maps"
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// graph is the component tree of a surface: one node for every id that is
// defined or referred to, and arenas for what nodes have several of.
//
// A batch changes a graph in place: begin notes how things are, and rollback
// puts them back if the batch is refused.
type graph struct {
	index   map[string]int32
	nodes   []node
	edges   []edge
	binds   []bind
	texts   []string // drawn literals, where a literal may be taken for an id
	defined int
	stale   int    // edges, binds and texts that no node has any more
	grown   uint32 // serial of the message that last brought a new id
	flags   uint8  // of all its nodes, ever
	lineage *lineage

	journal bool
	mark    mark
	undo    []saved
}

type node struct {
	id, typ             string
	def                 *wire.ComponentDef // nil = unknown
	serial              uint32             // of the message that defined it; 0 = only referred to
	at                  int32              // its place in that message
	line                int                // of that message
	bytes               int                // see surface.bytes
	props               uint64             // bit i = the type's i-th property is set
	flags               uint8
	edges, binds, texts span
}

// The flags of a component.
const (
	usesIndex uint8 = 1 << iota // it calls @index
	wantsURL                    // a binding of it must lead to an address
	wantsList                   // a binding of it must lead to a list
	relative                    // such a binding is relative
	composed                    // its catalog restricts its parents or children
	readsList                   // a binding of it reads a list of texts, where lists travel as text
)

type span struct{ from, to int32 }

func (s span) len() int { return int(s.to - s.from) }

type edge struct {
	to       int32
	path     int32 // of a template: its place in binds, with Safe; -1 = none
	row      int8  // of the property that refers, -1 = unknown
	template bool
}

// bind is one path, kept for the check against the data.
type bind struct {
	path string
	want uint8 // wantsURL, wantsList, readsList or 0
	link bool  // wantsURL: mailto is allowed too
	row  int8
}

// mark is how large a graph was before a batch; saved is a node before it.
type mark struct {
	nodes, edges, binds, texts, defined, stale int
	grown                                      uint32
	flags                                      uint8
}

type saved struct {
	slot int32
	node node
}

// newGraph returns an empty graph, a used one if there is one.
func (v *Validator) newGraph(list []wire.Component, texts bool) *graph {
	if last := len(v.spare) - 1; last >= 0 {
		g := v.spare[last]
		v.spare = v.spare[:last]
		return g
	}
	n, edges := len(list), 0
	for i := range list {
		for j := range list[i].Props {
			switch p := list[i].Props[j].Value.(type) {
			case wire.Refs:
				edges += len(p)
			case wire.Ref:
				edges++
			}
		}
	}
	g := &graph{lineage: v.lineage, index: make(map[string]int32, n), nodes: make([]node, 0, n+n/8),
		edges: make([]edge, 0, edges+8)}
	if v.rules.Safe {
		g.binds = make([]bind, 0, n)
	}
	if texts {
		g.texts = make([]string, 0, 2*n)
	}
	return g
}

func (g *graph) clear() {
	clear(g.index)
	clear(g.nodes)
	clear(g.binds)
	clear(g.texts)
	clear(g.undo)
	*g = graph{lineage: g.lineage, index: g.index, nodes: g.nodes[:0], edges: g.edges[:0], binds: g.binds[:0],
		texts: g.texts[:0], undo: g.undo[:0]}
}

// begin starts the journal of a batch.
func (g *graph) begin() {
	if g.journal {
		return
	}
	g.journal, g.undo = true, g.undo[:0]
	g.mark = mark{len(g.nodes), len(g.edges), len(g.binds), len(g.texts), g.defined, g.stale, g.grown, g.flags}
}

// rollback takes back everything since begin.
func (g *graph) rollback() {
	if !g.journal {
		return
	}
	g.journal = false
	m := g.mark
	for i := m.nodes; i < len(g.nodes); i++ {
		delete(g.index, g.nodes[i].id)
	}
	g.nodes, g.edges, g.binds, g.texts = g.nodes[:m.nodes], g.edges[:m.edges], g.binds[:m.binds], g.texts[:m.texts]
	for i := len(g.undo) - 1; i >= 0; i-- {
		g.nodes[g.undo[i].slot] = g.undo[i].node
	}
	g.defined, g.stale, g.grown, g.flags = m.defined, m.stale, m.grown, m.flags
}

// settle ends the journal and drops stale entries once they are many.
func (g *graph) settle() {
	if g == nil {
		return
	}
	g.journal = false
	if len(g.nodes) > 2*(g.defined+len(g.edges))+64 {
		g.forget()
	}
	if g.stale <= 64 || 2*g.stale < len(g.edges)+len(g.binds)+len(g.texts) {
		return
	}
	edges, binds, texts := g.edges, g.binds, g.texts
	g.edges, g.binds, g.texts, g.stale = nil, nil, nil, 0
	g.take(edges, binds, texts)
}

// forget drops the nodes that are neither defined nor referred to.
func (g *graph) forget() {
	used := make([]bool, len(g.nodes))
	for i := range g.nodes {
		n := &g.nodes[i]
		used[i] = used[i] || n.serial != 0
		for _, e := range g.edges[n.edges.from:n.edges.to] {
			used[e.to] = true
		}
	}
	moved, kept := make([]int32, len(g.nodes)), 0
	for i, n := range g.nodes {
		if moved[i] = int32(kept); !used[i] {
			delete(g.index, n.id)
			continue
		}
		g.index[n.id], g.nodes[kept] = int32(kept), n
		kept++
	}
	clear(g.nodes[kept:])
	g.nodes = g.nodes[:kept]
	for i := range g.edges {
		g.edges[i].to = moved[g.edges[i].to] // of stale ones it does not matter
	}
}

// take copies the entries that nodes still use into the arenas.
func (g *graph) take(edges []edge, binds []bind, texts []string) {
	for i := range g.nodes {
		n := &g.nodes[i]
		shift := int32(len(g.binds)) - n.binds.from
		n.edges = keep(&g.edges, edges, n.edges)
		n.binds = keep(&g.binds, binds, n.binds)
		n.texts = keep(&g.texts, texts, n.texts)
		for j := n.edges.from; j < n.edges.to; j++ {
			if g.edges[j].path >= 0 {
				g.edges[j].path += shift
			}
		}
	}
}

func keep[T any](dst *[]T, src []T, s span) span {
	from := int32(len(*dst))
	*dst = append(*dst, src[s.from:s.to]...)
	return span{from, int32(len(*dst))}
}

// copy returns a graph of a lineage that can be changed, without stale parts.
func (g *graph) copy(l *lineage) *graph {
	out := &graph{lineage: l, index: make(map[string]int32, len(g.index)+8), nodes: slices.Clone(g.nodes),
		defined: g.defined, grown: g.grown, flags: g.flags}
	maps.Copy(out.index, g.index)
	out.take(g.edges, g.binds, g.texts)
	return out
}

// slot returns the node of an id, new if need be.
func (g *graph) slot(id string, serial uint32) int32 {
	i, ok := g.index[id]
	if !ok {
		i = int32(len(g.nodes))
		g.index[id] = i
		g.nodes = append(g.nodes, node{id: id})
		g.grown = serial
	}
	return i
}

// drop counts the entries of a node as stale and saves the node for rollback.
func (g *graph) drop(slot int32) {
	n := &g.nodes[slot]
	g.stale += n.edges.len() + n.binds.len() + n.texts.len()
	if g.journal && int(slot) < g.mark.nodes {
		g.undo = append(g.undo, saved{slot, *n})
	}
}
