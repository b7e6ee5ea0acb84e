package svg

import (
	"cmp"
	"slices"
)

// order fills the ranks and orders each so that few edges cross: it begins with
// the order of a walk through the steps, then sorts each rank by where its
// neighbours are, down and up again, and keeps the best it has seen.
func (g *graph) order() {
	g.walk()
	best, fewest := g.saved(), g.crossings()
	for pass, idle := 0, 0; pass < 16 && idle < 4 && fewest > 0; pass++ {
		g.sweep(pass%2 == 0)
		if n := g.crossings(); n < fewest {
			best, fewest, idle = g.saved(), n, 0
		} else {
			idle++
		}
	}
	g.ranks = best
	g.number()
	if len(g.vertices) <= 600 {
		g.swap()
	}
}

func (g *graph) walk() {
	seen := make([]bool, len(g.vertices))
	var visit func(v int)
	visit = func(v int) {
		if seen[v] {
			return
		}
		seen[v] = true
		g.ranks[g.vertices[v].rank] = append(g.ranks[g.vertices[v].rank], v)
		for _, to := range g.vertices[v].down {
			visit(to)
		}
	}
	for v := range g.vertices { // steps come first, in the order of the rows
		if len(g.vertices[v].up) == 0 {
			visit(v)
		}
	}
	g.number()
}

func (g *graph) number() {
	for _, rank := range g.ranks {
		for i, v := range rank {
			g.vertices[v].pos = i
		}
	}
}

func (g *graph) saved() [][]int {
	out := make([][]int, len(g.ranks))
	for i, rank := range g.ranks {
		out[i] = slices.Clone(rank)
	}
	return out
}

// sweep sorts the ranks by the mean place of the neighbours after them.
func (g *graph) sweep(down bool) {
	want := make([]int, len(g.vertices))
	for i := range g.ranks {
		if !down {
			i = len(g.ranks) - 1 - i
		}
		rank := g.ranks[i]
		for _, v := range rank {
			near := g.vertices[v].up
			if !down {
				near = g.vertices[v].down
			}
			if want[v] = g.vertices[v].pos * 1024; len(near) > 0 {
				want[v] = 0
				for _, n := range near {
					want[v] += g.vertices[n].pos * 1024 / len(near)
				}
			}
		}
		slices.SortStableFunc(rank, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
		for pos, v := range rank {
			g.vertices[v].pos = pos
		}
	}
}

// crossings counts pairs of edges that cross, rank by rank.
func (g *graph) crossings() int {
	sum := 0
	for _, rank := range g.ranks {
		var ends []int // of the edges below, by where they start
		for _, v := range rank {
			from := len(ends)
			for _, to := range g.vertices[v].down {
				ends = append(ends, g.vertices[to].pos)
			}
			slices.Sort(ends[from:])
		}
		_, n := inversions(ends, make([]int, len(ends)))
		sum += n
	}
	return sum
}

// inversions sorts a by merging and counts the pairs that stood the wrong way.
func inversions(a, buf []int) ([]int, int) {
	if len(a) < 2 {
		return a, 0
	}
	mid := len(a) / 2
	left, n := inversions(a[:mid], buf[:mid])
	right, m := inversions(a[mid:], buf[mid:])
	n += m
	out := buf[:0]
	i := 0
	for _, r := range right {
		for i < len(left) && left[i] <= r {
			out = append(out, left[i])
			i++
		}
		n += len(left) - i
		out = append(out, r)
	}
	out = append(out, left[i:]...)
	copy(a, out)
	return a, n
}

// swap exchanges neighbours as long as that takes crossings away.
func (g *graph) swap() {
	for range 4 {
		better := false
		for _, rank := range g.ranks {
			for i := 1; i < len(rank); i++ {
				a, b := &g.vertices[rank[i-1]], &g.vertices[rank[i]]
				if g.crossed(a.up, b.up)+g.crossed(a.down, b.down) > g.crossed(b.up, a.up)+g.crossed(b.down, a.down) {
					rank[i-1], rank[i] = rank[i], rank[i-1]
					a.pos, b.pos = i, i-1
					better = true
				}
			}
		}
		if !better {
			return
		}
	}
}

// crossed counts the crossings of edges to left and right, of two vertices that
// are in this order.
func (g *graph) crossed(left, right []int) (n int) {
	for _, l := range left {
		for _, r := range right {
			if g.vertices[l].pos > g.vertices[r].pos {
				n++
			}
		}
	}
	return n
}
