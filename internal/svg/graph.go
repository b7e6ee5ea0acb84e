package svg

import (
	"slices"

	"github.com/limn-ui/limn/internal/builtin"
)

// graph is one connected part of a process: its steps in ranks, with a bend in
// every rank that an edge passes. "Across" is along a rank, "along" from rank to
// rank; a picture from top to bottom has across for x.
//
// It is laid out after Sugiyama:
//
//	edges that close a cycle are turned ─▶ steps get ranks ─▶ edges get a bend in
//	every rank they pass, and labels a separate rank ─▶ ranks are ordered by
//	where neighbours are ─▶ each rank is placed by least squares ─▶ drawn
//
// An edge keeps to its bend within a rank and turns between ranks, where no box is: so no
// edge runs through one. A turned edge is drawn in its own direction, as an arrow back.
type graph struct {
	vertices []vertex
	ranks    [][]int // vertices, in drawing order
	routes   []route
	loops    []int  // edges from a step to itself
	bands    []band // per rank: from where to where it goes, along
}

type band struct{ from, to int }

// vertex is a step, or a bend or the label of an edge.
type vertex struct {
	step          int // index, -1 of a bend
	label         bool
	rank, pos     int
	across, along int // size
	beside        int // room for edges to itself, after it across
	a, l          int // centre
	up, down      []int
}

func (v *vertex) bend() bool { return v.step < 0 }

// route is the way of one edge: the vertices from its upper to its lower step.
type route struct {
	edge int
	back bool // it leads from the lower step to the upper
	via  []int
}

// maxBends bounds the parts of edges that pass many ranks: more take long to lay out, and no one
// can follow them.
const maxBends = 3000

// sizes says how large things are drawn: across and along.
type sizes struct {
	step  func(step int) (across, along, beside int)
	label func(edge int) (across, along int) // 0 = none
}

// newGraph puts the steps into ranks and the edges on their ways. steps and
// edges are indices of one connected part.
func newGraph(p Process, steps, edges []int, size sizes) *graph {
	g := &graph{}
	at := map[int]int{} // step → vertex
	for _, s := range steps {
		at[s] = len(g.vertices)
		v := vertex{step: s}
		v.across, v.along, v.beside = size.step(s)
		g.vertices = append(g.vertices, v)
	}
	links := make([]link, 0, len(edges))
	for _, e := range edges {
		if p.Edges[e].From == p.Edges[e].To {
			if !slices.ContainsFunc(g.loops, func(l int) bool { return p.Edges[l].From == p.Edges[e].From }) {
				g.loops = append(g.loops, e)
			}
			continue
		}
		links = append(links, link{edge: e, from: at[p.Edges[e].From], to: at[p.Edges[e].To]})
	}
	turnCycles(len(steps), links)
	rank := ranked(len(steps), links)
	for i, r := range g.spread(rank, links, size.label) {
		g.vertices[i].rank = r
	}
	for _, l := range links {
		g.lead(l, size.label)
	}
	g.order()
	return g
}

// renderable reports that a process is not too large for a picture.
func (p Process) renderable() bool {
	if len(p.Steps) > builtin.MaxDiagramSteps || len(p.Edges) > 4*len(p.Steps)+20 {
		return false
	}
	links := make([]link, 0, len(p.Edges))
	for i, e := range p.Edges {
		if e.From != e.To {
			links = append(links, link{edge: i, from: e.From, to: e.To})
		}
	}
	turnCycles(len(p.Steps), links)
	rank, bends := ranked(len(p.Steps), links), 0
	for _, l := range links {
		bends += rank[l.to] - rank[l.from]
	}
	return bends <= maxBends
}

// link is an edge between vertices, turned around where it closes a cycle.
type link struct {
	edge, from, to int
	back           bool
	labelRank      int // -1 = none
}

// turnCycles turns edges around so that no cycle is left. It walks from the
// steps nothing leads to, then in the order of the rows: what leads back to a
// step on the way there is a return.
func turnCycles(n int, links []link) {
	out, into := make([][]int, n), make([]int, n)
	for i, l := range links {
		out[l.from] = append(out[l.from], i)
		into[l.to]++
	}
	const open, done = 1, 2
	state := make([]int, n)
	var visit func(v int)
	visit = func(v int) {
		state[v] = open
		for _, i := range out[v] {
			switch l := &links[i]; state[l.to] {
			case open:
				l.from, l.to, l.back = l.to, l.from, true
			case 0:
				visit(l.to)
			}
		}
		state[v] = done
	}
	for pass := range 2 {
		for v := range n {
			if state[v] == 0 && (pass == 1 || into[v] == 0) {
				visit(v)
			}
		}
	}
}

// ranked puts every step as near to the start as its predecessors allow, then
// those with more ways out than in as near to the end as their successors do.
func ranked(n int, links []link) []int {
	out, in, left := make([][]int, n), make([][]int, n), make([]int, n)
	for _, l := range links {
		out[l.from], in[l.to] = append(out[l.from], l.to), append(in[l.to], l.from)
		left[l.to]++
	}
	rank, order := make([]int, n), make([]int, 0, n)
	for v := range n {
		if left[v] == 0 {
			order = append(order, v)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, to := range out[order[i]] {
			rank[to] = max(rank[to], rank[order[i]]+1)
			if left[to]--; left[to] == 0 {
				order = append(order, to)
			}
		}
	}
	for _, v := range slices.Backward(order) {
		if len(out[v]) > len(in[v]) {
			near := rank[out[v][0]]
			for _, to := range out[v] {
				near = min(near, rank[to])
			}
			rank[v] = near - 1
		}
	}
	return rank
}

// spread makes room for labels: a rank for them after each rank that an
// edge with a label leaves, or a return with a label enters.
func (g *graph) spread(rank []int, links []link, label func(int) (int, int)) []int {
	last := slices.Max(append(rank, 0))
	labelled := make([]bool, last+1)
	for i := range links {
		l := &links[i]
		l.labelRank = -1
		if across, _ := label(l.edge); across > 0 {
			if l.labelRank = rank[l.from]; l.back {
				l.labelRank = rank[l.to] - 1
			}
			labelled[l.labelRank] = true
		}
	}
	place := make([]int, last+1)
	n := 0
	for r := range place {
		place[r] = n
		if n++; labelled[r] {
			n++
		}
	}
	for i := range links {
		if links[i].labelRank >= 0 {
			links[i].labelRank = place[links[i].labelRank] + 1
		}
	}
	g.ranks = make([][]int, n)
	out := make([]int, len(rank))
	for v, r := range rank {
		out[v] = place[r]
	}
	return out
}

// lead lays an edge from rank to rank, with a bend in each between.
func (g *graph) lead(l link, label func(int) (int, int)) {
	r := route{edge: l.edge, back: l.back, via: []int{l.from}}
	for rank := g.vertices[l.from].rank + 1; rank < g.vertices[l.to].rank; rank++ {
		v := vertex{step: -1, rank: rank, label: rank == l.labelRank}
		if v.label {
			v.across, v.along = label(l.edge)
		}
		r.via = append(r.via, len(g.vertices))
		g.vertices = append(g.vertices, v)
	}
	r.via = append(r.via, l.to)
	for i := 1; i < len(r.via); i++ {
		a, b := r.via[i-1], r.via[i]
		g.vertices[a].down = append(g.vertices[a].down, b)
		g.vertices[b].up = append(g.vertices[b].up, a)
	}
	g.routes = append(g.routes, r)
}
