package client

import (
	"fmt"
	"strconv"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// The states of a Node.
const (
	nodeResolved = "resolved"
	nodeAwaited  = "pending"      // its component has not arrived
	nodeUnknown  = "unknown-type" // no catalog has the component type
	nodeCyclic   = "cyclic"       // it contains itself
)

// Node is a component at one place of a surface's tree, with its values resolved and
// its children as references: a framework binds its widgets to it. Shown is the same in
// the user's terms.
type Node struct {
	Path      string         // root, root/children/0, root/tabs/1/child
	State     string         // resolved, pending, unknown-type or cyclic
	Component a2ui.Component // as it was sent; zero while it is awaited
	ID        string
	Type      string // of the component; "Placeholder" while it is awaited, and where it contains itself
	Scope     string // the pointer relative paths start at; "/" outside templates
	// Props is an Object, empty unless State is Resolved: a child is
	// {"node": path}, a list of children a list of them, an action
	// {"action": true}, what may be bound or computed {"value", "writable"} with
	// writable for a binding, anything else as it was sent. Checks are in Errors.
	Props  a2ui.Data
	Errors []string // messages of failing checks
}

// Nodes returns the tree of a surface, parents before their children, and what
// is wrong with it; nothing for a surface that is not shown or has no root yet.
func (c *Client) Nodes(surface string) ([]Node, []*Error) {
	s, ok := c.surfaces[surface]
	if !ok || !s.created {
		return nil, nil
	}
	if _, ok := s.comps[s.root]; !ok {
		return nil, nil
	}
	w := &nodeWalk{drawing: c.screen().newDrawing(s, s.data), inside: map[[2]string]bool{}}
	w.rules.reportMissing = false
	w.node("root", s.root, scope{}, 0)
	return w.nodes, w.problems
}

// Write puts a value where a binding of a surface leads, as the inputs of a
// renderer do; path is an absolute pointer. The error is an *Error.
func (c *Client) Write(surface, path string, v a2ui.Data) error {
	s, ok := c.surfaces[surface]
	if !ok {
		return &Error{Code: stateError, Surface: surface, Message: "the surface does not exist"}
	}
	if err := c.screen().write(s, path, c.keep.data(v)); err != nil {
		err.Surface = surface
		return err
	}
	return nil
}

type nodeWalk struct {
	*drawing
	nodes  []Node
	inside map[[2]string]bool // id and scope of the node and those around it
}

// node adds one component and its children, and returns the reference to it.
func (w *nodeWalk) node(path, id string, sc scope, depth int) a2ui.Data {
	comp, arrived := w.surface.comps[id]
	n := Node{Path: path, State: nodeResolved, Component: comp, ID: id, Type: comp.Type, Scope: sc.path,
		Props: a2ui.Data{Kind: object}}
	if n.Scope == "" {
		n.Scope = "/"
	}
	place := [2]string{id, sc.path}
	w.left--
	def, err := w.component(comp)
	switch {
	case w.left < 0 || depth >= maxDepth || w.inside[place]:
		n.State = nodeCyclic
	case !arrived:
		n.State = nodeAwaited
	case err != nil || def == nil:
		n.State = nodeUnknown
	}
	if n.State == nodeCyclic || n.State == nodeAwaited {
		n.Type = "Placeholder"
	}
	at := len(w.nodes)
	if w.left >= 0 {
		w.nodes = append(w.nodes, n)
	}
	if n.State == nodeResolved {
		outer := w.at
		w.at, w.inside[place] = id, true
		p := &pen{drawing: w.drawing, comp: comp, scope: sc, depth: depth}
		for _, prop := range comp.Props {
			pd, _ := def.Find(prop.Name)
			if v, ok := w.prop(p, path+"/"+prop.Name, prop.Value, pd); ok {
				n.Props.Members = append(n.Props.Members, a2ui.Member{Key: prop.Name, Value: v})
			}
		}
		n.Errors, _ = p.checks()
		w.nodes[at], w.at = n, outer
		delete(w.inside, place)
	}
	return jsonx.OfObject(a2ui.Member{Key: "node", Value: dataText(path)})
}

// component returns the definition of a component's type in its catalog, nil for a type
// the catalog does not have.
func (d *drawing) component(comp a2ui.Component) (*a2ui.ComponentDef, error) {
	catalog, err := d.client.screen().catalog(d.surface, comp.CatalogID)
	if err != nil {
		return nil, err
	}
	if catalog == nil {
		catalog = a2ui.Basic(d.client.dialect)
	}
	if catalog == nil {
		return nil, nil
	}
	return catalog.Components[comp.Type], nil
}

// prop writes one property; ok is false for one that is not part of Props.
func (w *nodeWalk) prop(p *pen, path string, v a2ui.Value, def *a2ui.PropDef) (a2ui.Data, bool) {
	switch v := v.(type) {
	case a2ui.Ref:
		return w.node(path, string(v), p.scope, p.depth+1), true
	case a2ui.Refs:
		out := a2ui.Data{Kind: array}
		for i, id := range v {
			out.Items = append(out.Items, w.node(fmt.Sprintf("%s/%d", path, i), id, p.scope, p.depth+1))
		}
		return out, true
	case a2ui.Template:
		out := a2ui.Data{Kind: array}
		for i, sc := range p.items(v) {
			out.Items = append(out.Items, w.node(path+"/"+strconv.Itoa(i), v.Component, sc, p.depth+1))
		}
		return out, true
	case a2ui.Tabs:
		out := a2ui.Data{Kind: array}
		for i, tab := range v {
			out.Items = append(out.Items, jsonx.OfObject(a2ui.Member{Key: "title", Value: p.bound(tab.Title)},
				a2ui.Member{Key: "child", Value: w.node(fmt.Sprintf("%s/%d/child", path, i), tab.Child, p.scope,
					p.depth+1)}))
		}
		return out, true
	case a2ui.Options:
		return list(v, func(o a2ui.Option) a2ui.Data {
			return jsonx.OfObject(a2ui.Member{Key: "label", Value: p.bound(o.Label)},
				a2ui.Member{Key: "value", Value: dataText(o.Value)})
		}), true
	case a2ui.Event, a2ui.Local:
		return jsonx.OfObject(a2ui.Member{Key: "action", Value: jsonx.OfBool(true)}), true
	case a2ui.Checks, nil:
		return a2ui.Data{}, false
	case a2ui.Path, a2ui.Call:
		return p.bound(v), true
	}
	if def != nil && dynamicKinds[def.Kind] {
		return p.bound(v), true
	}
	out, ok := p.value(v, p.scope, 0)
	return out, ok
}

// dynamicKinds are the kinds that may be bound or computed.
var dynamicKinds = map[a2ui.Kind]bool{wire.DynString: true, wire.DynNumber: true, wire.DynBool: true,
	wire.DynStrings: true,
	wire.DynValue:   true, wire.DynMoment: true, wire.DynBools: true, wire.IconName: true}

// bound writes a value that may be bound; a missing one is Null.
func (p *pen) bound(v a2ui.Value) a2ui.Data {
	data, ok := p.value(v, p.scope, 0)
	if !ok {
		data = a2ui.Data{}
	}
	_, writable := v.(a2ui.Path)
	return jsonx.OfObject(a2ui.Member{Key: "value", Value: p.client.keep.data(data)},
		a2ui.Member{Key: "writable", Value: jsonx.OfBool(writable)})
}
