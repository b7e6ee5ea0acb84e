package svg

import "strings"

// pen draws one part of a process, given across and along.
type pen struct {
	s        *svg
	x, y     int
	sideways bool
	was      [2]int // the last point
}

func (p *pen) at(a, l int) (x, y int) {
	if p.sideways {
		a, l = l, a
	}
	return p.x + a, p.y + l
}

func (p *pen) point(command string, a, l int) {
	x, y := p.at(a, l)
	if command == "L" && p.was == [2]int{x, y} {
		return
	}
	p.was = [2]int{x, y}
	p.s.f("%s%v %v", command, x, y)
}

// curve goes from one place to another, along at both ends.
func (p *pen) curve(fromA, fromL, toA, toL int) {
	if abs(fromA-toA) < px/2 {
		p.point("L", toA, toL)
		return
	}
	mid := (fromL + toL) / 2
	p.point("C", fromA, mid)
	p.point(" ", toA, mid)
	p.point(" ", toA, toL)
}

// line begins the path of an edge; its kind is seen without colours.
func (p *pen) line(e Edge) {
	look := ` stroke-width="1.5"`
	switch {
	case e.Conditional:
		look = ` stroke-width="1.8" stroke-dasharray="2 4" stroke-linecap="round"`
	case e.Kind == Approval:
		look = ` stroke-width="2.8"`
	case e.Kind == Parallel:
		look = ` stroke-width="1.5" stroke-dasharray="8 4"`
	}
	if e.Conditional && e.Kind == Approval {
		look = strings.Replace(look, "1.8", "2.8", 1)
	}
	p.s.str(`<path class="limn-edge limn-edge-` + string(e.Kind) + `" fill="none" stroke="currentColor"` + look +
		` d="`)
}

// arrow draws a head with its tip at a place; ahead is the way it points, +1 or
// -1, along or across.
func (p *pen) arrow(a, l, alongward, across int) {
	p.s.str(`<path class="limn-edge-head" fill="currentColor" d="`)
	p.point("M", a, l)
	for _, side := range [2]int{1, -1} {
		p.point("L", a-across*head+side*alongward*head/2, l-alongward*head+side*across*head/2)
	}
	p.s.str(`Z"/>`)
}

// edge draws a route: within the band of a rank it keeps to its bend, between
// bands nothing is in the way.
func (d *layout) edge(p *pen, g *graph, r route, exit [2]int) {
	first, last := &g.vertices[r.via[0]], &g.vertices[r.via[len(r.via)-1]]
	e := d.p.Edges[r.edge]
	start, end := first.l+first.along/2, last.l-last.along/2
	a, l := exit[0], g.bands[first.rank].to
	p.line(e)
	if r.back { // the head is here
		p.point("M", a, start+head-px)
		l += head
	} else {
		p.point("M", a, start)
	}
	p.point("L", a, l)
	for _, id := range r.via[1 : len(r.via)-1] {
		v := &g.vertices[id]
		band := g.bands[v.rank]
		p.curve(a, l, v.a, band.from)
		if v.label { // not rendered below it
			p.point("L", v.a, v.l-v.along/2)
			p.point("M", v.a, v.l+v.along/2)
		}
		p.point("L", v.a, band.to)
		a, l = v.a, band.to
	}
	if r.back {
		p.curve(a, l, exit[1], g.bands[last.rank].from)
		p.point("L", exit[1], end)
	} else {
		p.curve(a, l, exit[1], g.bands[last.rank].from-head)
		p.point("L", exit[1], end-head+px)
	}
	p.s.str(`"/>`)
	if r.back {
		p.arrow(exit[0], start, -1, 0)
	} else {
		p.arrow(exit[1], end, 1, 0)
	}
	for _, id := range r.via {
		if v := &g.vertices[id]; v.label {
			x, y := p.at(v.a, v.l)
			d.label(p.s, r.edge, x, y)
		}
	}
}

// loop draws an edge from a step to itself, beside the step.
func (d *layout) loop(p *pen, g *graph, edge int) {
	e := d.p.Edges[edge]
	lw, lh := d.labelSize(edge)
	for i := range g.vertices {
		v := &g.vertices[i]
		if v.step != e.From {
			continue
		}
		side, room := v.a+d.box/2, lw
		if p.sideways {
			side, room = v.a+d.height(v.step)/2, lh
		}
		p.line(e)
		p.point("M", side, v.l-8*px)
		p.point("C", side+loopRoom, v.l-8*px)
		p.point(" ", side+loopRoom, v.l+8*px)
		p.point(" ", side+head-px, v.l+8*px)
		p.s.str(`"/>`)
		p.arrow(side, v.l+8*px, 0, -1)
		if d.labels[edge] != "" {
			x, y := p.at(side+loopRoom-4*px+room/2, v.l)
			d.label(p.s, edge, x, y)
		}
	}
}

// label draws what an edge says; that of an approval is pointed.
func (d *layout) label(s *svg, edge, cx, cy int) {
	w, h := d.labelSize(edge)
	const look = ` fill="none" stroke="currentColor" stroke-opacity=".6"`
	if d.p.Edges[edge].Kind == Approval {
		s.str(`<path class="limn-edge-label"` + look + ` d="`)
		for i, at := range [6][2]int{{-w / 2, 0}, {10*px - w/2, -h / 2}, {w/2 - 10*px, -h / 2}, {w / 2, 0},
			{w/2 - 10*px, h / 2}, {10*px - w/2, h / 2}} {
			s.f("%s%v %v", "ML"[min(i, 1):min(i, 1)+1], cx+at[0], cy+at[1])
		}
		s.str(`Z"/>`)
	} else {
		s.box("limn-edge-label", cx-w/2, cy-h/2, w, h, h/2, look)
	}
	s.text("limn-edge-text", cx, cy+4*px, smallSize, "middle", d.labels[edge])
}
