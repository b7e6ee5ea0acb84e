package capture

import (
	"slices"

	"github.com/limn-ui/limn/ui"
)

// ContradictorySequences finds edges that cannot all hold: A before B and B
// before A (0.97), a step before itself (0.95), a longer loop (0.92), a loop
// with a conditional edge (0.40: rework is legitimate). Each warning names the
// smallest loop through its edges. Parallel edges order nothing.
func ContradictorySequences(s Submission) []Warning {
	g := graph{out: map[string][]arc{}}
	for _, r := range s.Edges.Records() {
		get := func(key string) ui.Value { v, _ := r.Cells.Get(key); return v }
		a := arc{id: r.ID, from: get("from").Text(), to: get("to").Text(), conditional: get("conditional").True()}
		if get("kind").Text() == string(Parallel) || a.from == "" || a.to == "" || len(g.arcs) >= maxArcs {
			continue
		}
		g.arcs = append(g.arcs, a)
		g.out[a.from] = append(g.out[a.from], a)
	}
	var out []Warning
	reported := map[string]bool{} // edges that are part of a warning already
	for _, strict := range []bool{true, false} {
		for _, a := range g.arcs {
			if reported[a.id] || strict && a.conditional {
				continue
			}
			loop, conditional := g.loop(a, strict)
			if loop == nil {
				continue
			}
			for _, id := range loop {
				reported[id] = true
			}
			w := Warning{Check: Contradictions, Edges: loop, Confidence: 0.92}
			switch {
			case conditional:
				w.Confidence = 0.40
			case len(loop) == 1:
				w.Confidence = 0.95
			case len(loop) == 2:
				w.Confidence = 0.97
			}
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b Warning) int { return len(a.Edges) - len(b.Edges) })
	return out
}

// maxArcs bounds the search: 200 steps with five edges each.
const maxArcs = 1000

type arc struct {
	id, from, to string
	conditional  bool
}

type graph struct {
	arcs []arc
	out  map[string][]arc
}

// loop returns the ids of the shortest loop through a, breadth first; strict
// leaves conditional edges out.
func (g graph) loop(a arc, strict bool) (ids []string, conditional bool) {
	if a.from == a.to {
		return []string{a.id}, a.conditional
	}
	came := map[string]arc{a.to: a}
	for queue := []string{a.to}; len(queue) > 0; queue = queue[1:] {
		for _, next := range g.out[queue[0]] {
			if _, seen := came[next.to]; seen || strict && next.conditional {
				continue
			}
			came[next.to] = next
			if next.to != a.from {
				queue = append(queue, next.to)
				continue
			}
			for at := next; ; at = came[at.from] {
				ids = append(ids, at.id)
				conditional = conditional || at.conditional
				if at.id == a.id {
					slices.Reverse(ids)
					return ids, conditional
				}
			}
		}
	}
	return nil, false
}
