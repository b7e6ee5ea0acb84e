package validate

import (
	"maps"
	"math"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// componentRules checks the components of a message and puts them into the graph.
type componentRules struct{ *run }

// components checks the components of a message and puts them into the graph.
func (r componentRules) components(st *staged, list []wire.Component) {
	if !r.surfaces().ready(st) {
		return
	}
	if len(list) == 0 {
		r.add(wire.EnvelopeInvalid, "", "the list of components is empty")
		return
	}
	r.writable(st, list)
	st.components = true
	r.graph = st.graph
	if r.graph.defined+len(list) > r.mostKnown() && r.tooMany(list) {
		return
	}
	for i := range list {
		if r.full() {
			return
		}
		r.index, r.component, r.row, r.flags = i, list[i].ID, -1, 0
		r.oneComponent(st, &list[i])
	}
	r.leave()
	if r.Safe && r.Features.SelfContained {
		r.selfContained(list)
	}
}

// writable makes the graph of a surface ours to change: new, journalled, or a
// copy of one that is shared.
func (r componentRules) writable(st *staged, list []wire.Component) {
	switch g := st.graph; {
	case g == nil:
		st.graph = r.v.newGraph(list, r.Safe && r.Features.LiteralsAreRefs)
	case g.lineage != r.v.lineage:
		st.graph = g.copy(r.v.lineage)
	case g == st.before.graph:
		g.begin()
	}
}

// retired is how many times the limit of components a client may know: no
// version can take back those that are drawn no more, such as the rows of the
// pages before.
const retired = 16

// mostKnown bounds the components of a surface, drawn or not. Spec does not say
// them apart.
func (r componentRules) mostKnown() int {
	if r.Safe {
		return r.Limits.Components * retired
	}
	return r.Limits.Components
}

// tooMany counts the ids that are new before anything is stored.
func (r componentRules) tooMany(list []wire.Component) bool {
	n := r.graph.defined
	for i := range list {
		if slot, ok := r.graph.index[list[i].ID]; !ok || r.graph.nodes[slot].serial == 0 {
			n++
		}
	}
	if most := r.mostKnown(); n > most {
		r.add(wire.LimitComponents, "", "the surface would have %d components, the limit is %d", n, most)
		return true
	}
	return false
}

func (r componentRules) oneComponent(st *staged, c *wire.Component) {
	g := r.graph
	if c.ID == "" {
		r.add(wire.ComponentProperty, "", "a component needs an id")
		return
	}
	weight := r.weight()
	r.literal(c.ID)
	r.size += 64
	slot := g.slot(c.ID, r.serial)
	before := g.nodes[slot]
	if before.serial == r.serial {
		r.add(wire.ComponentDuplicate, "", "the id stands twice in the message")
	}
	if before.serial == 0 {
		g.defined++
	} else if before.serial != r.serial && r.Safe && before.typ != c.Type {
		r.add(wire.ComponentTypeChanged, "give the new component another id", "a %s becomes a %s", before.typ,
			clip(c.Type))
	}
	g.drop(slot)
	n := node{id: before.id, typ: c.Type, serial: r.serial, at: int32(r.index), line: r.line}
	n.edges.from, n.binds.from, n.texts.from = int32(len(g.edges)), int32(len(g.binds)), int32(len(g.texts))
	if math.IsNaN(c.Weight) || math.IsInf(c.Weight, 0) {
		r.add(wire.ComponentProperty, "", "weight is not a number")
	}
	r.catalog = r.catalogFor(c.CatalogID, st.catalog)
	if n.def = r.typed(c); n.def == nil {
		for i := range c.Props {
			r.property(&anything, &c.Props[i])
		}
	} else {
		r.properties(n.def, c, &n)
		if before.serial != 0 && before.serial != r.serial && before.def == n.def && r.Safe && r.Features.KeepsOmitted {
			r.omitted(n.def, before.props&^n.props)
		}
	}
	if n.def != nil && (n.def.Parents != nil || n.def.Children != nil) {
		r.flags |= composed
	}
	n.flags, n.bytes = r.flags, r.weight()-weight
	g.flags |= r.flags
	n.edges.to, n.binds.to, n.texts.to = int32(len(g.edges)), int32(len(g.binds)), int32(len(g.texts))
	g.nodes[slot] = n
}

// catalogFor finds the catalog of a component or a call: the one it names, else
// the surface's.
func (r *run) catalogFor(id string, surface *wire.Catalog) *wire.Catalog {
	if id == "" {
		return surface
	}
	r.literal(id)
	if !r.Features.OwnCatalogs {
		r.at("catalogId", wire.ComponentProperty, "", "this version names catalogs on surfaces only")
		return surface
	}
	c := r.find(id)
	if c == nil {
		r.at("catalogId", wire.ComponentCatalog, "", "the catalog %q is not one the client has", clip(id))
	}
	return c
}

// typed finds the table of a component's type, or reports why it is missing.
func (r componentRules) typed(c *wire.Component) *wire.ComponentDef {
	var def *wire.ComponentDef
	if r.catalog != nil {
		def = r.catalog.Components[c.Type]
	}
	switch {
	case r.Features.Inline && c.Type == "Surface":
		r.at("component", wire.ComponentUnknown, "", "the type Surface is reserved")
		return nil
	case def != nil:
	case r.catalog != nil:
		r.at("component", wire.ComponentUnknown, r.near(c.Type, maps.Keys(r.catalog.Components), r.Names.OfType),
			"the catalog has no component %q",
			clip(c.Type))
	case c.CatalogID == "": // else it has been said
		r.add(wire.ComponentCatalog, "name one on the surface or on the component",
			"there is no catalog to look %q up in", clip(c.Type))
	}
	return def
}

// anything is the row of a property of an unknown component.
var anything = wire.PropDef{Kind: wire.AnyValue}

func (r componentRules) properties(def *wire.ComponentDef, c *wire.Component, n *node) {
	for i := range c.Props {
		p := &c.Props[i]
		row, at := def.Find(p.Name)
		if row == nil {
			if !def.Open {
				hint := r.near(p.Name, names(def.Props), func(s string) string { return r.Names.OfProp(def.Name, s) })
				r.at(p.Name, wire.ComponentProperty, hint, "%s has no property %q", c.Type, clip(p.Name))
			}
			r.property(&anything, p) // its children count
			continue
		}
		if bit := uint64(1) << at; n.props&bit == 0 {
			n.props |= bit
		} else {
			r.at(p.Name, wire.ComponentProperty, "", "%s stands twice", p.Name)
		}
		r.row = int8(at)
		r.property(row, p)
		r.row = -1
	}
	if def.Open {
		r.structures().once(c.Props)
	}
	for i := range def.Props {
		if def.Props[i].Required && n.props&(1<<i) == 0 {
			r.at(def.Props[i].Name, wire.ComponentProperty, "", "%s needs %s", c.Type, def.Props[i].Name)
		}
	}
}

func (r componentRules) property(row *wire.PropDef, p *wire.Prop) {
	r.push(p.Name)
	r.size += 64
	if v, ok := p.Value.(wire.Literal); !ok || r.Features.Calls || r.calls().nested(v.Data, 0) {
		r.values().value(row, p.Value, 0)
	}
	r.pop()
}

// omitted reports the properties that an update leaves out: clients in use keep
// their old values.
func (r componentRules) omitted(def *wire.ComponentDef, missing uint64) {
	for i := range def.Props {
		if missing&(1<<i) != 0 {
			r.add(wire.ComponentProperty, "write every property again",
				"the update leaves out %s, and clients would keep the old one", def.Props[i].Name)
		}
	}
}

// selfContained checks that a message defines every component it refers to.
func (r componentRules) selfContained(list []wire.Component) {
	for i := range list {
		slot, ok := r.graph.index[list[i].ID]
		if !ok {
			continue
		}
		n := &r.graph.nodes[slot]
		r.component, r.index = n.id, i
		for _, e := range r.graph.edges[n.edges.from:n.edges.to] {
			if to := &r.graph.nodes[e.to]; to.serial != r.serial {
				r.add(wire.ComponentDangling, "send it in the same message",
					"refers to %q, which the message does not define", to.id)
			}
		}
	}
	r.leave()
}
