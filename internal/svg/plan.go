package svg

import "slices"

// plan is a picture before it is drawn: its parts, from top to bottom.
type plan struct {
	sideways      bool
	parts         []part
	width, height int
}

// part is a connected part of the process at its place, or where graph is nil,
// steps without edges.
type part struct {
	graph *graph
	y     int
	lone  []int
	cols  int
}

func (d *layout) plan(sideways bool) plan {
	out := plan{sideways: sideways}
	turn := func(w, h int) (int, int) {
		if sideways {
			return h, w
		}
		return w, h
	}
	size := sizes{
		step: func(step int) (int, int, int) {
			across, along := turn(d.box, d.height(step))
			return across, along, d.loops(step, sideways)
		},
		label: func(edge int) (int, int) { return turn(d.labelSize(edge)) },
	}
	var lone []int
	y := 0
	for _, c := range components(d.p) {
		if len(c.edges) == 0 {
			lone = append(lone, c.steps...)
			continue
		}
		g := newGraph(d.p, c.steps, c.edges, size)
		w, h := turn(g.place())
		if len(out.parts) > 0 {
			y += gapRanks
		}
		out.parts = append(out.parts, part{graph: g, y: y})
		out.width, y = max(out.width, w), y+h
	}
	if len(lone) > 0 {
		if len(out.parts) > 0 {
			y += gapRanks
		}
		fits := max(1, (max(out.width, phone-2*margin)+gapSteps)/(d.box+gapSteps))
		cols := min(fits, len(lone))
		out.parts = append(out.parts, part{lone: lone, cols: cols, y: y})
		out.width = max(out.width, cols*(d.box+gapSteps)-gapSteps)
		y += d.loneHeight(lone, cols)
	}
	out.height = y
	return out
}

// loops is the room that edges from a step to itself take beside it.
func (d *layout) loops(step int, sideways bool) (room int) {
	for i, e := range d.p.Edges {
		if e.From != step || e.To != step {
			continue
		}
		beside, h := d.labelSize(i)
		if sideways {
			beside = h
		}
		room = max(room, loopRoom+beside)
	}
	return room
}

func (d *layout) loneHeight(lone []int, cols int) int {
	sum := -gapSteps
	for row := range slices.Chunk(lone, cols) {
		tallest := 0
		for _, s := range row {
			tallest = max(tallest, d.height(s))
		}
		sum += tallest + gapSteps
	}
	return sum
}

// component is a connected part of a process, in the order of the rows.
type component struct{ steps, edges []int }

func components(p Process) []component {
	near := make([][]int, len(p.Steps))
	for _, e := range p.Edges {
		near[e.From], near[e.To] = append(near[e.From], e.To), append(near[e.To], e.From)
	}
	of := make([]int, len(p.Steps)) // from 1
	var out []component
	for s := range p.Steps {
		if of[s] != 0 {
			continue
		}
		out = append(out, component{})
		c := &out[len(out)-1]
		of[s] = len(out)
		for todo := []int{s}; len(todo) > 0; todo = todo[1:] {
			c.steps = append(c.steps, todo[0])
			for _, n := range near[todo[0]] {
				if of[n] == 0 {
					of[n] = len(out)
					todo = append(todo, n)
				}
			}
		}
		slices.Sort(c.steps)
	}
	for i, e := range p.Edges {
		c := &out[of[e.From]-1]
		c.edges = append(c.edges, i)
	}
	return out
}
