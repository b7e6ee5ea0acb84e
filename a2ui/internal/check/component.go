package check

import (
	"math"
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// graph is the component tree of a surface: one node for every id that is
// defined or referred to, and arenas for what nodes have several of.
type graph struct {
	index   map[string]int32
	nodes   []node
	edges   []edge
	binds   []string // paths, for Safe
	texts   []string // drawn literals, where a literal may be taken for an id
	defined int
	stale   int    // edges, binds and texts that no node has any more
	grown   uint32 // serial of the message that last brought a new id
}

type node struct {
	id, typ             string
	chosen              string // path of the list that a choice binds, where lists travel as text; "" = none
	serial              uint32 // of the message that defined it; 0 = only referred to
	props               uint64 // bit i = the type's i-th property is set
	edges, binds, texts span
}

type span struct{ from, to int32 }

type edge struct {
	to       int32
	template bool
}

func newGraph(n int) *graph {
	return &graph{index: make(map[string]int32, n), nodes: make([]node, 0, n+n/8), edges: make([]edge, 0, n), binds: make([]string, 0, n)}
}

// copy returns a graph that can be changed, without what is stale.
func (g *graph) copy() *graph {
	out := &graph{index: make(map[string]int32, len(g.index)+8), nodes: append(make([]node, 0, len(g.nodes)+8), g.nodes...), defined: g.defined, grown: g.grown}
	for id, slot := range g.index {
		out.index[id] = slot
	}
	if g.stale <= 64 || 2*g.stale < len(g.edges)+len(g.binds)+len(g.texts) {
		out.edges, out.binds, out.texts, out.stale = slices.Clone(g.edges), slices.Clone(g.binds), slices.Clone(g.texts), g.stale
		return out
	}
	for i := range out.nodes {
		n := &out.nodes[i]
		n.edges = keep(&out.edges, g.edges, n.edges)
		n.binds = keep(&out.binds, g.binds, n.binds)
		n.texts = keep(&out.texts, g.texts, n.texts)
	}
	return out
}

func keep[T any](dst *[]T, src []T, s span) span {
	from := int32(len(*dst))
	*dst = append(*dst, src[s.from:s.to]...)
	return span{from, int32(len(*dst))}
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

// components checks an UpdateComponents and puts it into the graph.
func (r *run) components(st *staged, m *wire.UpdateComponents) {
	if !r.ready(st) {
		return
	}
	if len(m.Components) == 0 {
		r.add(wire.EnvelopeInvalid, "", "the list of components is empty")
		return
	}
	switch {
	case st.graph == nil:
		st.graph = newGraph(len(m.Components))
		if r.Safe && r.Features.LiteralsAreRefs {
			st.graph.texts = make([]string, 0, 2*len(m.Components))
		}
	case !st.ownGraph:
		st.graph = st.graph.copy()
	}
	st.ownGraph, st.components = true, true
	r.graph = st.graph
	if r.graph.defined+len(m.Components) > r.mostKnown() && r.tooMany(m) {
		return
	}
	for i := range m.Components {
		r.index, r.component = i, m.Components[i].ID
		r.oneComponent(&m.Components[i])
	}
	r.index, r.component = -1, ""
	if r.Safe && r.Features.SelfContained {
		r.selfContained(m)
	}
}

// retired is how many times the limit of components a client may know: no
// version can take back those that are drawn no more, such as the rows of the
// pages before.
const retired = 16

// mostKnown bounds the components of a surface, drawn or not. Spec does not tell
// them apart.
func (r *run) mostKnown() int {
	if r.Safe {
		return r.Limits.Components * retired
	}
	return r.Limits.Components
}

// tooMany counts the ids that are new before anything is stored.
func (r *run) tooMany(m *wire.UpdateComponents) bool {
	n := r.graph.defined
	for i := range m.Components {
		if slot, ok := r.graph.index[m.Components[i].ID]; !ok || r.graph.nodes[slot].serial == 0 {
			n++
		}
	}
	if most := r.mostKnown(); n > most {
		r.add(wire.LimitComponents, "", "the surface would have %d components, the limit is %d", n, most)
		return true
	}
	return false
}

func (r *run) oneComponent(c *wire.Component) {
	g := r.graph
	if c.ID == "" {
		r.add(wire.ComponentProperty, "", "a component needs an id")
		return
	}
	r.literal(c.ID)
	r.size += 64
	slot := g.slot(c.ID, r.serial)
	before := g.nodes[slot]
	if before.serial == r.serial {
		r.add(wire.ComponentDuplicate, "", "the id stands twice in the message")
		return
	}
	if before.serial == 0 {
		g.defined++
	} else if r.Safe && before.typ != c.Type {
		r.add(wire.ComponentTypeChanged, "give the new component another id", "a %s becomes a %s", before.typ, c.Type)
	}
	g.stale += before.edges.len() + before.binds.len() + before.texts.len()
	n := node{id: before.id, typ: c.Type, serial: r.serial}
	n.edges.from, n.binds.from, n.texts.from = int32(len(g.edges)), int32(len(g.binds)), int32(len(g.texts))
	if math.IsNaN(c.Weight) || math.IsInf(c.Weight, 0) {
		r.add(wire.ComponentProperty, "", "weight is not a number")
	}
	def := r.Catalog.Components[c.Type]
	if def == nil {
		r.add(wire.ComponentUnknown, "", "the catalog has no component %q", c.Type)
		for i := range c.Props {
			r.property(&anything, &c.Props[i])
		}
	} else {
		r.properties(def, c, &n)
		n.chosen = r.chosen(def, c)
		if before.serial != 0 && before.typ == c.Type && r.Safe && r.Features.KeepsOmitted {
			r.omitted(def, before.props&^n.props)
		}
	}
	n.edges.to, n.binds.to, n.texts.to = int32(len(g.edges)), int32(len(g.binds)), int32(len(g.texts))
	g.nodes[slot] = n
}

func (s span) len() int { return int(s.to - s.from) }

// chosen returns the path that a component reads a list of texts from.
func (r *run) chosen(def *wire.ComponentDef, c *wire.Component) string {
	if !r.Features.ListText || !r.Safe {
		return ""
	}
	for i := range c.Props {
		path, ok := c.Props[i].Value.(wire.Path)
		if row, _ := def.Find(c.Props[i].Name); ok && row != nil && row.Kind == wire.DynStrings {
			return string(path)
		}
	}
	return ""
}

// anything is the row of a property of an unknown component.
var anything = wire.PropDef{Kind: wire.AnyValue}

func (r *run) properties(def *wire.ComponentDef, c *wire.Component, n *node) {
	for i := range c.Props {
		p := &c.Props[i]
		row, at := def.Find(p.Name)
		if row == nil {
			r.push(p.Name)
			r.add(wire.ComponentProperty, "", "%s has no property %q", c.Type, p.Name)
			r.pop()
			continue
		}
		if bit := uint64(1) << at; n.props&bit == 0 {
			n.props |= bit
		} else {
			r.add(wire.ComponentProperty, "", "%s stands twice", p.Name)
		}
		r.property(row, p)
	}
	for i := range def.Props {
		if def.Props[i].Required && n.props&(1<<i) == 0 {
			r.add(wire.ComponentProperty, "", "%s needs %s", c.Type, def.Props[i].Name)
		}
	}
}

func (r *run) property(row *wire.PropDef, p *wire.Prop) {
	r.push(p.Name)
	r.size += 64
	r.value(row, p.Value, 0)
	r.pop()
}

// omitted reports the properties that an update leaves out: clients in use keep
// their old values.
func (r *run) omitted(def *wire.ComponentDef, missing uint64) {
	for i := range def.Props {
		if missing&(1<<i) != 0 {
			r.add(wire.ComponentProperty, "write every property again", "the update leaves out %s, and clients would keep the old one", def.Props[i].Name)
		}
	}
}

// selfContained checks that a message defines every component it refers to.
func (r *run) selfContained(m *wire.UpdateComponents) {
	for i := range m.Components {
		slot, ok := r.graph.index[m.Components[i].ID]
		if !ok {
			continue
		}
		n := &r.graph.nodes[slot]
		r.component, r.index = n.id, i
		for _, e := range r.graph.edges[n.edges.from:n.edges.to] {
			if to := &r.graph.nodes[e.to]; to.serial != r.serial {
				r.add(wire.ComponentDangling, "send it in the same message", "refers to %q, which the message does not define", to.id)
			}
		}
	}
	r.component, r.index = "", -1
}
