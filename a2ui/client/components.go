package client

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limn-ui/limn/a2ui"
)

// updateComponents upserts components by id, all or none.
func (c *Client) updateComponents(m *a2ui.UpdateComponents) *Error {
	s, err := c.target(m.SurfaceID)
	if err != nil {
		return err
	}
	if len(m.Components) == 0 {
		return &Error{Code: ValidationError, Message: "an update without components"}
	}
	next := maps.Clone(s.comps)
	seen := make(map[string]bool, len(m.Components))
	for _, comp := range m.Components {
		if err := c.upsert(next, comp, seen); err != nil {
			err.Component = comp.ID
			return err
		}
	}
	if err := c.checkUpdate(s, next, m.Components, seen); err != nil {
		return err
	}
	if s.root != "" {
		if err := checkCycles(next, s.root); err != nil {
			return err
		}
	}
	s.comps = next
	c.surfaces[s.id] = s
	return nil
}

func (c *Client) upsert(comps map[string]a2ui.Component, comp a2ui.Component, seen map[string]bool) *Error {
	if comp.ID == "" {
		return &Error{Code: ValidationError, Message: "a component without an id"}
	}
	if seen[comp.ID] && !c.rules.lastWins {
		return &Error{Code: ValidationError, Message: "the id stands twice in one message"}
	}
	seen[comp.ID] = true
	old, known := comps[comp.ID]
	if comp.Type == "" {
		if !known || !c.rules.keepType {
			return &Error{Code: ValidationError, Message: "a component without a type"}
		}
		comp.Type = old.Type
	}
	if drawer(comp.Type) == nil && !c.rules.anyType && !c.knows(comp.Type) {
		return &Error{Code: ValidationError, Message: "unknown component type " + comp.Type}
	}
	if known && old.Type == comp.Type && c.rules.keepDropped {
		comp = keepDropped(old, comp)
	}
	comps[comp.ID] = comp
	return nil
}

// knows reports whether a catalog of the client has a component type.
func (c *Client) knows(component string) bool {
	for _, catalog := range c.catalogs {
		if catalog.Components[component] != nil {
			return true
		}
	}
	return false
}

// keepDropped returns comp with every property of old that comp does not name.
func keepDropped(old, comp a2ui.Component) a2ui.Component {
	props := slices.Clone(comp.Props)
	for _, p := range old.Props {
		if prop(comp, p.Name) == nil {
			props = append(props, p)
		}
	}
	comp.Props = props
	if comp.Weight == 0 {
		comp.Weight = old.Weight
	}
	return comp
}

// checkUpdate holds what renderers need beyond the specification.
func (c *Client) checkUpdate(s *surface, next map[string]a2ui.Component, sent []a2ui.Component, seen map[string]bool) *Error {
	if c.rules.selfContained {
		for _, comp := range sent {
			static, repeated := refs(comp)
			for _, id := range append(static, repeated...) {
				if !seen[id] {
					return &Error{Code: ValidationError, Component: comp.ID,
						Message: fmt.Sprintf("refers to %q, which is not in the same message", id)}
				}
			}
		}
	}
	if c.rules.fixedRoot {
		if old, ok := s.comps[s.root]; ok && old.Type != next[s.root].Type {
			return &Error{Code: StateError, Component: s.root,
				Message: fmt.Sprintf("the root changes from %s to %s: renderers keep the old one; delete and create the surface", old.Type, next[s.root].Type)}
		}
	}
	if c.rules.literalIDs {
		for _, id := range slices.Sorted(maps.Keys(next)) {
			for _, text := range literals(next[id]) {
				if _, taken := next[text]; taken {
					return &Error{Code: ValidationError, Component: id,
						Message: fmt.Sprintf("the literal %q is also the id of a component and would be replaced by it", text)}
				}
			}
		}
	}
	return nil
}

// prop returns a property of a component, nil when it has none of that name.
func prop(comp a2ui.Component, name string) a2ui.Value {
	for _, p := range comp.Props {
		if p.Name == name {
			return p.Value
		}
	}
	return nil
}

// refs returns the children that a component names, and those it repeats.
func refs(comp a2ui.Component) (static, repeated []string) {
	for _, p := range comp.Props {
		switch v := p.Value.(type) {
		case a2ui.Ref:
			static = append(static, string(v))
		case a2ui.Refs:
			static = append(static, v...)
		case a2ui.Tabs:
			for _, tab := range v {
				static = append(static, tab.Child)
			}
		case a2ui.Template:
			repeated = append(repeated, v.Component)
		default: // the other values hold no children
		}
	}
	return static, repeated
}

// literals returns every literal string of a component outside its actions.
func literals(comp a2ui.Component) (texts []string) {
	var add func(v a2ui.Value)
	add = func(v a2ui.Value) {
		switch v := v.(type) {
		case a2ui.List:
			for _, item := range v {
				add(item)
			}
		case a2ui.String:
			texts = append(texts, string(v))
		case a2ui.Literal:
			texts = append(texts, stringsIn(v.Data)...)
		default: // bindings, references and the rest are no literals
		}
	}
	for _, p := range comp.Props {
		switch v := p.Value.(type) {
		case a2ui.Options:
			for _, o := range v {
				add(o.Label)
				texts = append(texts, o.Value)
			}
		case a2ui.Tabs:
			for _, tab := range v {
				add(tab.Title)
			}
		default:
			add(v)
		}
	}
	return texts
}

func stringsIn(d a2ui.Data) (texts []string) {
	if d.Kind == text {
		return []string{d.Str}
	}
	for _, item := range d.Items {
		texts = append(texts, stringsIn(item)...)
	}
	for _, m := range d.Members {
		texts = append(texts, stringsIn(m.Value)...)
	}
	return texts
}

// checkCycles refuses a component that contains itself by static references and
// can be reached from the root: a shipping renderer hangs on it. Repetition by
// a template is bounded by the data and is watched while drawing. Iterative, so
// that no chain exhausts the stack.
func checkCycles(comps map[string]a2ui.Component, root string) *Error {
	const open, done = 1, 2
	type step struct {
		id    string
		leave bool
	}
	mark := map[string]int{}
	tops := []string{root} // the root, then the components templates repeat
	for len(tops) > 0 {
		stack := []step{{id: tops[len(tops)-1]}}
		tops = tops[:len(tops)-1]
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if at.leave {
				mark[at.id] = done
				continue
			}
			if mark[at.id] != 0 {
				continue
			}
			mark[at.id] = open
			stack = append(stack, step{at.id, true})
			static, repeated := refs(comps[at.id])
			tops = append(tops, repeated...)
			for _, id := range static {
				if mark[id] == open {
					return &Error{Code: CyclicReference, Component: at.id, Message: fmt.Sprintf("%q contains itself", id)}
				}
				stack = append(stack, step{id: id})
			}
		}
	}
	return nil
}
