package svg

// Room between things, in tenths of a pixel.
const (
	gapSteps = 28 * px // between steps beside each other
	gapBends = 16 * px // beside the bend of an edge
	gapRanks = 40 * px // between ranks of steps
	gapLabel = 22 * px // between a rank and the labels after it
)

// place gives every vertex its centre and returns the size of the whole.
func (g *graph) place() (across, along int) {
	for _, rank := range g.ranks {
		at := 0
		for i, v := range rank {
			if i > 0 {
				at += g.apart(rank[i-1], v)
			}
			g.vertices[v].a = at
		}
	}
	for pass := range 40 {
		last := pass >= 28 // no more to one side only
		like := g.near(last || pass%2 == 0, last || pass%2 == 1)
		for i := range g.ranks {
			if pass%2 == 1 {
				i = len(g.ranks) - 1 - i
			}
			g.settle(g.ranks[i], like)
		}
	}
	for _, rank := range g.ranks {
		g.settle(rank, g.straight)
	}
	return g.normal(), g.stack()
}

// apart is the least distance between the centres of two neighbours.
func (g *graph) apart(left, right int) int {
	l, r := &g.vertices[left], &g.vertices[right]
	gap := gapSteps
	if l.bend() || r.bend() {
		gap = gapBends
	}
	return (l.across+r.across)/2 + l.beside + gap
}

// settle moves the vertices of a rank as near as can be to where they would
// like to be, without changing their order: the exact answer to the least
// squares, by pooling those that push each other.
func (g *graph) settle(rank []int, like func(v int) (sum, weight int64)) {
	type pool struct {
		sum, weight int64
		n           int
	}
	var pools []pool
	offset := make([]int, len(rank))
	for i, v := range rank {
		if i > 0 {
			offset[i] = offset[i-1] + g.apart(rank[i-1], v)
		}
		sum, weight := like(v)
		if weight == 0 {
			sum, weight = int64(g.vertices[v].a), 1
		}
		p := pool{sum - weight*int64(offset[i]), weight, 1}
		for len(pools) > 0 {
			last := pools[len(pools)-1]
			if last.sum*p.weight <= p.sum*last.weight {
				break
			}
			p = pool{p.sum + last.sum, p.weight + last.weight, p.n + last.n}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	i := 0
	for _, p := range pools {
		for range p.n {
			g.vertices[rank[i]].a = int(p.sum/p.weight) + offset[i]
			i++
		}
	}
}

// near is where a vertex would like to be: amid its neighbours. It weighs more
// that long edges are straight, and the one way from a step to the next.
func (g *graph) near(up, down bool) func(int) (int64, int64) {
	return func(id int) (sum, weight int64) {
		v := &g.vertices[id]
		add := func(list []int) {
			for _, i := range list {
				n, w := &g.vertices[i], int64(1)
				if v.bend() {
					w *= 3
				}
				if n.bend() {
					w *= 3
				}
				if only(v, n) {
					w *= 4
				}
				sum, weight = sum+w*int64(n.a), weight+w
			}
		}
		if up {
			add(v.up)
		}
		if down {
			add(v.down)
		}
		return sum, weight
	}
}

// only reports that an edge is all that is between two vertices of neighbouring
// ranks.
func only(a, b *vertex) bool {
	if a.rank > b.rank {
		a, b = b, a
	}
	return len(a.down) == 1 && len(b.up) == 1
}

// straight is for a last pass: steps stay, bends follow the bend before them.
func (g *graph) straight(id int) (sum, weight int64) {
	v := &g.vertices[id]
	if !v.bend() {
		return 8 * int64(v.a), 8
	}
	if up := &g.vertices[v.up[0]]; up.bend() {
		return 4 * int64(up.a), 4
	}
	return int64(v.a), 1
}

// normal moves everything to the right of 0 and returns the width.
func (g *graph) normal() int {
	left, right := 0, 0
	for i := range g.vertices {
		v := &g.vertices[i]
		if i == 0 || v.a-v.across/2 < left {
			left = v.a - v.across/2
		}
	}
	for i := range g.vertices {
		v := &g.vertices[i]
		v.a -= left
		right = max(right, v.a+(v.across+1)/2+v.beside)
	}
	return right
}

// stack puts the ranks one after the other and returns the height. Where edges go
// far to the side there is more room, so that they can be distinguished.
func (g *graph) stack() int {
	at := 0
	for r, rank := range g.ranks {
		depth, far, labels, steps := 0, 0, false, false
		for _, id := range rank {
			v := &g.vertices[id]
			depth = max(depth, v.along)
			labels, steps = labels || v.label, steps || !v.bend()
			for _, to := range v.down {
				far = max(far, abs(g.vertices[to].a-v.a))
			}
		}
		for _, id := range rank {
			g.vertices[id].l = at + depth/2
		}
		g.bands = append(g.bands, band{at, at + depth})
		at += depth
		if r == len(g.ranks)-1 {
			break
		}
		gap := gapRanks
		if next := g.ranks[r+1]; labels && !steps || g.labels(next) {
			gap = gapLabel
		}
		at += max(gap, min(gap+far/12, 3*gap))
	}
	return at
}

// labels reports a rank of labels: one without a step.
func (g *graph) labels(rank []int) bool {
	for _, v := range rank {
		if !g.vertices[v].bend() {
			return false
		}
	}
	return true
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
