package svg

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Room inside and around things.
const (
	margin   = 12 * px
	padX     = 12 * px
	padY     = 10 * px
	minBox   = 96 * px
	maxLine  = 168 * px // of a step's name
	nameLine = 18 * px
	tinyLine = 15 * px
	phone    = 520 * px // up to here a picture is read without turning it
	loopRoom = 26 * px
	head     = 8 * px // of an arrow
)

// SVG draws the process under a label, in layers: from top to bottom, or from
// left to right where that is less wide. It refuses, with the code of ui.Limits,
// a graph too dense to read: of very many steps, of many more edges than steps, or with
// edges all over the place. nil is nothing to draw.
func (p Process) SVG(label string, w ui.Words, style Style) ([]byte, error) {
	if len(p.Steps) == 0 {
		return nil, nil
	}
	if !p.renderable() {
		return nil, &ui.Error{Code: ui.CodeLimit, Message: "the process is too large for a picture",
			Hint: "read it as text"}
	}
	d := newLayout(p, w)
	plan := d.plan(false)
	if plan.width > phone {
		if wide := d.plan(true); wide.width < plan.width {
			plan = wide
		}
	}
	room := 0
	if style == Alone { // renderers stretch a narrow picture
		room = max(0, (chartWidth-plan.width)/2-margin)
	}
	desc := w.Say("picture.desc", "n", strconv.Itoa(len(p.Steps)), "max", strconv.Itoa(len(p.Edges)))
	s := newSVG(style, plan.width+2*margin+2*room, plan.height+2*margin, label, desc)
	for _, part := range plan.parts {
		d.render(s, part, room, plan.sideways)
	}
	return s.close(), nil
}

// layout holds the texts of a process as they are drawn.
type layout struct {
	p      Process
	names  [][]string // lines
	owners [][]string
	labels []string // of edges
	box    int      // width of all steps
}

func newLayout(p Process, w ui.Words) *layout {
	d := &layout{p: p, box: minBox}
	for _, s := range p.Steps {
		name, owner := wrap(s.Label(w), nameSize, maxLine, 5), wrap(s.Owner, smallSize, maxLine, 2)
		for _, line := range name {
			d.box = max(d.box, width(line, nameSize)+2*padX)
		}
		for _, line := range owner {
			d.box = max(d.box, width(line, smallSize)+2*padX)
		}
		d.names, d.owners = append(d.names, name), append(d.owners, owner)
	}
	d.labels = make([]string, len(p.Edges))
	loop := map[int]int{} // step → the edge that is drawn for all those from it to itself
	for i, e := range p.Edges {
		label, most := e.Label(w), maxLine
		if e.From == e.To { // beside the step, or below
			most = d.box - 24*px
		}
		if first, ok := loop[e.From]; ok && e.From == e.To {
			label, i = strings.Trim(d.labels[first]+" / "+label, " /"), first
		} else if e.From == e.To {
			loop[e.From] = i
		}
		d.labels[i] = strings.Join(wrap(label, smallSize, most, 1), "")
	}
	return d
}

func (d *layout) height(step int) int {
	return len(d.names[step])*nameLine + len(d.owners[step])*tinyLine + 2*padY
}

func (d *layout) labelSize(edge int) (w, h int) {
	if d.labels[edge] == "" {
		return 0, 0
	}
	return width(d.labels[edge], smallSize) + 24*px, 22 * px
}

func (d *layout) render(s *svg, p part, room int, sideways bool) {
	x, y := margin+room, margin+p.y
	if p.graph == nil {
		for row := range slices.Chunk(p.lone, p.cols) {
			tallest := 0
			for i, step := range row {
				tallest = max(tallest, d.height(step))
				d.step(s, step, x+i*(d.box+gapSteps)+d.box/2, y+d.height(step)/2)
			}
			y += tallest + gapSteps
		}
		return
	}
	pen := &pen{s: s, x: x, y: y, sideways: sideways}
	exits := d.exits(p.graph, sideways)
	for i, r := range p.graph.routes {
		d.edge(pen, p.graph, r, exits[i])
	}
	for _, e := range p.graph.loops {
		d.loop(pen, p.graph, e)
	}
	for i := range p.graph.vertices {
		if v := &p.graph.vertices[i]; !v.bend() {
			cx, cy := pen.at(v.a, v.l)
			d.step(s, v.step, cx, cy)
		}
	}
}

// step draws a box with its name and, smaller, its owner.
func (d *layout) step(s *svg, step, cx, cy int) {
	h := d.height(step)
	look := ` fill="currentColor" fill-opacity=".06" stroke="currentColor" stroke-opacity=".7"`
	if s.style == Alone {
		look = ` fill="#eef4fb" stroke="#47719e"`
	}
	if s.style == Inline { // a page may lead from the box to the fields of the step
		s.f(`<g data-step="%s">`, strconv.Itoa(d.p.Steps[step].N))
		defer s.f(`</g>`)
	}
	s.box("limn-step-box", cx-d.box/2, cy-h/2, d.box, h, 8*px, look)
	y := cy - h/2 + padY + 14*px
	for _, line := range d.names[step] {
		s.text("limn-step-name", cx, y, nameSize, "middle", line)
		y += nameLine
	}
	y -= 2 * px
	for _, line := range d.owners[step] {
		s.text("limn-step-owner", cx, y, smallSize, "middle", line)
		y += tinyLine
	}
}

// exits says for every route where it leaves its upper step and reaches its
// lower one, across. The ways of one side are spread in the order in which they
// go on, around the one that goes on straightest.
func (d *layout) exits(g *graph, sideways bool) [][2]int {
	out := make([][2]int, len(g.routes))
	type end struct{ route, toward, pos int }
	above, below := map[int][]end{}, map[int][]end{}
	for i, r := range g.routes {
		n := len(r.via)
		next, last := &g.vertices[r.via[1]], &g.vertices[r.via[n-2]]
		below[r.via[0]] = append(below[r.via[0]], end{i, next.a, next.pos})
		above[r.via[n-1]] = append(above[r.via[n-1]], end{i, last.a, last.pos})
	}
	for v := range g.vertices {
		centre, half := g.vertices[v].a, d.box/2
		if sideways && !g.vertices[v].bend() {
			half = d.height(g.vertices[v].step) / 2
		}
		for side, ends := range [][]end{below[v], above[v]} {
			slices.SortStableFunc(ends, func(a,
				b end) int {
				return cmp.Or(cmp.Compare(a.toward, b.toward), cmp.Compare(a.pos, b.pos))
			})
			mid := 0
			for i, e := range ends {
				if abs(e.toward-centre) < abs(ends[mid].toward-centre) {
					mid = i
				}
			}
			room := max(mid, len(ends)-1-mid)
			step := 24 * px
			if room > 0 {
				step = min(step, (half-10*px)/room)
			}
			for i, e := range ends {
				out[e.route][side] = centre + (i-mid)*step
			}
		}
	}
	return out
}
