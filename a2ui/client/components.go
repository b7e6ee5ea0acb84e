package client

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// intake takes messages: it changes the surfaces, or returns why it does not.
type intake struct{ *Client }

// updateComponents upserts components by id, all or none.
func (c intake) updateComponents(m *a2ui.UpdateComponents) *Error {
	s, err := c.target(m.SurfaceID)
	if err != nil {
		return err
	}
	if len(m.Components) == 0 {
		return errorf(validationError, "an update without components")
	}
	if err := c.upsert(s, m.Components); err != nil {
		return err
	}
	c.surfaces[s.id] = s
	return nil
}

// change is an update that is tried on a surface before it is made.
type change struct {
	*surface
	sent map[string]a2ui.Component
}

// at returns a component as it will be; the zero one for an unknown id.
func (ch change) at(id string) a2ui.Component {
	if comp, ok := ch.sent[id]; ok {
		return comp
	}
	return ch.comps[id]
}

func (c intake) upsert(s *surface, list []a2ui.Component) *Error {
	ch := change{surface: s, sent: make(map[string]a2ui.Component, len(list))}
	for i, comp := range list {
		if err := c.stage(ch, comp); err != nil {
			err.Component, err.Path = comp.ID, fmt.Sprintf("/components/%d", i)
			return err
		}
	}
	for _, check := range []func() *Error{
		func() *Error { return c.checkUpdate(ch, list) }, func() *Error { return c.checkComposition(ch) },
		func() *Error { return c.checkCycles(ch) },
	} {
		if err := check(); err != nil {
			if i := slices.IndexFunc(list, func(comp a2ui.Component) bool { return comp.ID == err.Component }); i >= 0 {
				err.Path = fmt.Sprintf("/components/%d", i)
			}
			return err
		}
	}
	for _, comp := range ch.sent {
		comp = c.keep.component(comp)
		s.comps[comp.ID] = comp
	}
	return nil
}

func (c intake) stage(ch change, comp a2ui.Component) *Error {
	if comp.ID == "" {
		return errorf(validationError, "a component without an id")
	}
	if _, twice := ch.sent[comp.ID]; twice && !c.rules.lastWins {
		return errorf(validationError, "the id stands twice in one message")
	}
	old := ch.at(comp.ID)
	known := old.ID != ""
	if comp.Type == "" {
		if !known || !c.rules.keepOmitted {
			return errorf(validationError, "a component without a type")
		}
		comp.Type = old.Type
	}
	if err := c.allowed(ch.surface, comp); err != nil {
		return err
	}
	if known && old.Type == comp.Type && c.rules.keepOmitted {
		comp = keepDropped(old, comp)
	}
	ch.sent[comp.ID] = comp
	return nil
}

// allowed refuses a component type that no catalog of its surface has.
func (c intake) allowed(s *surface, comp a2ui.Component) *Error {
	if comp.Type == "Surface" && c.rules.OwnCatalogs {
		return errorf(validationError, "Surface is the name of the top level, no component type")
	}
	catalog, err := c.screen().catalog(s, comp.CatalogID)
	if err != nil {
		return err
	}
	if c.rules.anyType || catalog == nil && c.screen().knows(comp.Type) ||
		catalog != nil && catalog.Components[comp.Type] != nil {
		return nil
	}
	return &Error{Code: validationError, Message: "unknown component type " + comp.Type}
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
func (c intake) checkUpdate(ch change, list []a2ui.Component) *Error {
	if c.rules.selfContained {
		for _, comp := range list {
			static, repeated := refs(comp)
			for _, id := range append(static, repeated...) {
				if _, ok := ch.sent[id]; !ok {
					return &Error{Code: validationError, Component: comp.ID,
						Message: fmt.Sprintf("refers to %q, which is not in the same message", id)}
				}
			}
		}
	}
	if c.rules.fixedRoot {
		if old, ok := ch.comps[ch.root]; ok && old.Type != ch.at(ch.root).Type {
			return &Error{Code: stateError, Component: ch.root,
				Message: fmt.Sprintf(
					"the root changes from %s to %s: renderers keep the old one; delete and create the surface",
					old.Type, ch.at(ch.root).Type)}
		}
	}
	if c.rules.literalIDs {
		next := maps.Clone(ch.comps)
		maps.Copy(next, ch.sent)
		for _, id := range slices.Sorted(maps.Keys(next)) {
			for _, text := range literals(next[id]) {
				if _, taken := next[text]; taken {
					return &Error{Code: validationError, Component: id,
						Message: fmt.Sprintf("the literal %q is also the id of a component and would be replaced by it",
							text)}
				}
			}
		}
	}
	return nil
}

// checkComposition holds what catalogs say of who may hold whom; the top level
// is called Surface.
func (c intake) checkComposition(ch change) *Error {
	if !c.composed {
		return nil
	}
	next := maps.Clone(ch.comps)
	maps.Copy(next, ch.sent)
	def := func(comp a2ui.Component) a2ui.ComponentDef {
		catalog, err := c.screen().catalog(ch.surface, comp.CatalogID)
		if err == nil && catalog != nil && catalog.Components[comp.Type] != nil {
			return *catalog.Components[comp.Type]
		}
		return a2ui.ComponentDef{}
	}
	fits := func(parent, child a2ui.Component) *Error {
		if allowed := def(child).Parents; allowed != nil && !slices.Contains(allowed, parent.Type) {
			return &Error{Code: unallowedParent, Component: child.ID,
				Message: fmt.Sprintf("%s must not stand in %s", child.Type, parent.Type)}
		}
		if allowed := def(parent).Children; allowed != nil && !slices.Contains(allowed, child.Type) {
			return &Error{Code: unallowedChild, Component: parent.ID,
				Message: fmt.Sprintf("%s must not hold %s", parent.Type, child.Type)}
		}
		return nil
	}
	if root, ok := next[ch.root]; ok {
		if err := fits(a2ui.Component{Type: "Surface"}, root); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(next)) {
		static, repeated := refs(next[id])
		for _, child := range append(static, repeated...) {
			if child, ok := next[child]; ok {
				if err := fits(next[id], child); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// prop returns a property of a component, nil when it has none of that name.
func prop(comp a2ui.Component, name string) a2ui.Value {
	return wire.Get(comp.Props, name)
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
// a template is bounded by the data and is watched while drawing. A new cycle
// leads through a component whose references change, so only they are followed
// first; a component that is not shown may hold one.
func (c intake) checkCycles(ch change) *Error {
	if ch.root == "" || c.rules.forgiving {
		return nil
	}
	var changed []string
	for id, comp := range ch.sent {
		static, repeated := refs(comp)
		oldStatic, oldRepeated := refs(ch.comps[id])
		if !slices.Equal(static, oldStatic) || !slices.Equal(repeated, oldRepeated) {
			changed = append(changed, id)
		}
	}
	slices.Sort(changed)
	if ch.cycle(changed) == nil {
		return nil
	}
	return ch.cycle([]string{ch.root})
}

// cycle looks for a cycle in what can be reached from some components, the last
// one first. Iterative, so that no chain exhausts the stack.
func (ch change) cycle(tops []string) *Error {
	const open, done = 1, 2
	type step struct {
		id    string
		leave bool
	}
	mark := map[string]int{}
	for len(tops) > 0 { // then the components that templates repeat
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
			static, repeated := refs(ch.at(at.id))
			tops = append(tops, repeated...)
			for _, id := range static {
				if mark[id] == open {
					return &Error{Code: cyclicReference, Component: at.id,
						Message: fmt.Sprintf("%q contains itself", id)}
				}
				stack = append(stack, step{id: id})
			}
		}
	}
	return nil
}
