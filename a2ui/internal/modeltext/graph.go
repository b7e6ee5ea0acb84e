package modeltext

// graph knows which components of a surface its root reaches. Components are
// only added: one that was shown stays so.
type graph struct {
	shown   map[string]bool
	waiting map[string][]string // references of components that are not reached yet
	stack   []string
}

// maxGraph bounds the ids that are remembered, of one surface and in number of
// surfaces; beyond it components wait for the end of their message.
const maxGraph = 1 << 16

// graph returns that of the surface of the message.
func (r *reader) graph() *graph {
	g := r.graphs[r.surface]
	if g == nil {
		g = &graph{shown: map[string]bool{}, waiting: map[string][]string{}}
		if !r.old {
			g.shown["root"] = true
		}
		if len(r.graphs) < maxGraph {
			r.graphs[r.surface] = g
		}
	}
	return g
}

// define notes what a component refers to.
func (g *graph) define(id string, refs []string) {
	if !g.shown[id] {
		if len(refs) > 0 && len(g.waiting) < maxGraph {
			g.waiting[id] = append([]string(nil), refs...)
		}
		return
	}
	for _, ref := range refs {
		g.show(ref)
	}
}

// show marks a component and all that it leads to.
func (g *graph) show(id string) {
	g.stack = append(g.stack[:0], id)
	for len(g.stack) > 0 {
		last := len(g.stack) - 1
		id := g.stack[last]
		g.stack = g.stack[:last]
		if g.shown[id] || len(g.shown) >= maxGraph {
			continue
		}
		g.shown[id] = true
		if refs := g.waiting[id]; refs != nil {
			delete(g.waiting, id)
			g.stack = append(g.stack, refs...)
		}
	}
}
