package translate

import (
	"iter"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// surface is one live surface, as the source has it.
type surface struct {
	id      string
	place   int  // in the order they were opened
	flat    bool // it is for a client without functions
	from    *Side
	create  *wire.CreateSurface // nil = not created yet
	sent    bool                // the target shows it
	waits   bool                // something was not sent yet
	foreign bool                // another sender created it: its content is not known
	root    string              // id in the source
	comps   map[string]*comp
	order   []string // ids of components, as they came
	missing int      // components that are reached and have not come
	pending []string // changed since it was sent
	data    *node
	holes   int // that writes left in the lists of data
	marks   *mark
	fresh   []string // patterns that got a mark since the last look
}

// comp is one id: a component, or one that is referred to.
type comp struct {
	wire.Component
	defined bool
	place   int        // in the order of the surface
	calls   []computed // for clients without functions
	scopes  []string   // where it is drawn, as patterns; none = the root does not reach it
}

// anyKey is the step of a pattern that represents every key; no escaped key looks
// like it.
const anyKey = "~2"

const (
	maxScopes = 16  // of one component
	maxScope  = 256 // bytes of one pattern; templates inside themselves would never end
)

// upsert stores components and finds out where they are drawn.
func (s *surface) upsert(list []wire.Component) {
	for _, c := range list {
		known := s.comp(c.ID)
		if !known.defined {
			known.defined = true
			known.place = len(s.order)
			s.order = append(s.order, c.ID)
			if len(known.scopes) > 0 {
				s.missing--
			}
		}
		known.Component = c
		for _, scope := range known.scopes {
			s.below(known, scope)
		}
	}
}

// comp returns the record of an id, and makes one for a new id.
func (s *surface) comp(id string) *comp {
	c, ok := s.comps[id]
	if !ok {
		c = &comp{}
		s.comps[id] = c
	}
	return c
}

// reach notes that a component is drawn at a pattern, and so are its children.
func (s *surface) reach(id, scope string) {
	type place struct{ id, scope string }
	work := []place{{id, scope}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		c := s.comp(at.id)
		if len(at.scope) > maxScope || len(c.scopes) >= maxScopes || c.in(at.scope) {
			continue
		}
		if len(c.scopes) == 0 && !c.defined {
			s.missing++
		}
		c.scopes = append(c.scopes, at.scope)
		s.note(c, at.scope, func(id, scope string) { work = append(work, place{id, scope}) })
	}
}

// below visits the children of a component that was drawn before.
func (s *surface) below(c *comp, scope string) { s.note(c, scope, s.reach) }

func (c *comp) in(scope string) bool { return slices.Contains(c.scopes, scope) }

// inside reports whether a component is drawn in a template, outside reports whether
// it is drawn nowhere else than outside of them.
func (c *comp) inside() bool {
	for _, s := range c.scopes {
		if s != "" {
			return true
		}
	}
	return false
}

func (c *comp) outside() bool { return len(c.scopes) == 1 && c.scopes[0] == "" }

// note calls child with what c refers to and marks the data it reads.
func (s *surface) note(c *comp, scope string, child func(id, scope string)) {
	for _, p := range c.Props {
		switch v := p.Value.(type) {
		case wire.Ref:
			child(string(v), scope)
		case wire.Refs:
			for _, id := range v {
				child(id, scope)
			}
		case wire.Tabs:
			for _, t := range v {
				child(t.Child, scope)
				s.reads(t.Title, scope, asText)
			}
		case wire.Options:
			for _, o := range v {
				s.reads(o.Label, scope, asText)
			}
		case wire.Template:
			at := resolve(scope, v.Path)
			s.mark(at, asList)
			child(v.Component, at+"/"+anyKey)
		case wire.Event:
			for _, p := range v.Context {
				s.reads(p.Value, scope, asContext)
			}
		default:
			s.reads(v, scope, s.use(c, p.Name))
		}
	}
}

// use reports how a component reads a property.
func (s *surface) use(c *comp, name string) use {
	switch {
	case c.Type == "ChoicePicker" && name == "value":
		return asChoice | asInput
	case name == "value":
		return asInput
	case c.Type == "Text" && name == "text":
		for _, p := range c.Props {
			if v, ok := p.Value.(wire.String); ok && p.Name == "variant" && v != "body" {
				return asText | asHeading
			}
		}
		return asText
	case slices.Contains(labels, name):
		return asLabel
	}
	return asText
}

// labels are properties that become separate Texts for clients that have
// none.
var labels = []string{"label"}

// reads marks the data that a value is made of.
func (s *surface) reads(v wire.Value, scope string, as use) {
	switch v := v.(type) {
	case wire.Path:
		s.mark(resolve(scope, string(v)), as)
	case wire.Call:
		if s.flat { // it is computed
			return
		}
		as &^= asInput | asChoice
		if text, ok := wire.Get(v.Args, "value").(wire.String); ok && v.Func == "formatString" {
			list, _ := pieces(string(text))
			for _, part := range list {
				s.reads(part, scope, as)
			}
		}
		for _, a := range v.Args {
			s.reads(a.Value, scope, as)
		}
	}
}

// resolve joins a path to the pattern it is read at.
func resolve(scope, path string) string {
	switch {
	case path == "" || path == ".":
		return scope
	case path[0] == '/':
		return strings.TrimSuffix(path, "/")
	}
	return scope + "/" + path
}

// use is how data is read.
type use uint8

const (
	asList    use = 1 << iota // repeated by a template
	asChoice                  // the list of texts of a ChoicePicker
	asInput                   // written by the user
	asText                    // shown
	asContext                 // sent with an event
	asHeading                 // shown by a heading or a caption
	asLabel                   // the label of an input
)

// mark is one step of a tree of patterns.
type mark struct {
	uses   use
	inputs int      // marks below that the user writes
	calls  []string // components whose calls are computed in this value
	called map[string]bool
	deps   map[dep]bool // calls that read it
	kids   map[string]*mark
}

// marks that a path can be under: a key has its own and that of every key.
type marks []*mark

// step returns the mark of a pattern, nil when that is malformed.
func (s *surface) step(pattern string) *mark {
	steps := s.steps(pattern)
	if steps == nil {
		return nil
	}
	return steps[len(steps)-1]
}

// keys yields the keys of a pattern; one that is malformed is "".
func keys(pattern string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := strings.TrimPrefix(pattern, "/"); rest != ""; {
			var key string
			key, rest, _ = strings.Cut(rest, "/")
			if key != anyKey {
				key, _ = jsonptr.Unescape(key)
			}
			if !yield(key) {
				return
			}
		}
	}
}

// steps returns the marks along a pattern.
func (s *surface) steps(pattern string) []*mark {
	at := s.marks
	steps := []*mark{at}
	for rest := strings.TrimPrefix(pattern, "/"); rest != ""; {
		here := strings.TrimSuffix(strings.TrimSuffix(pattern, rest), "/")
		var key string
		key, rest, _ = strings.Cut(rest, "/")
		if key != anyKey {
			var err error
			if key, err = jsonptr.Unescape(key); err != nil {
				return nil
			}
		}
		if at.kids == nil {
			at.kids = map[string]*mark{}
			s.fresh = append(s.fresh, here) // something reads inside
		}
		if at.kids[key] == nil {
			at.kids[key] = &mark{}
		}
		at = at.kids[key]
		steps = append(steps, at)
	}
	return steps
}

// mark notes how the data at a pattern is read.
func (s *surface) mark(pattern string, as use) {
	steps := s.steps(pattern)
	if steps == nil {
		return
	}
	at := steps[len(steps)-1]
	if as&asInput != 0 && at.uses&asInput == 0 {
		for _, m := range steps {
			m.inputs++
		}
	}
	if as&^at.uses != 0 {
		s.fresh = append(s.fresh, pattern)
	}
	at.uses |= as
}

// looked records the losses that follow from the ways in which a value is read.
func (j *job) looked(segs []string, n *node, m marks) {
	from, to := j.from.Features, j.to.Features
	calls := slices.ContainsFunc(m, func(at *mark) bool { return len(at.calls) > 0 })
	deps := slices.ContainsFunc(m, func(at *mark) bool { return len(at.deps) > 0 })
	if calls && n != nil && (!n.container() || m.has(asList) && len(segs) > 0) {
		j.lose(Function, jsonptr.Join(segs...), "the item cannot hold what its texts are computed from")
	}
	if deps && (m.has(asInput) || m.inputs() > 0) {
		j.lose(Function, jsonptr.Join(segs...), "what is computed does not follow what the user enters")
	}
	switch {
	case n.kind() == jsonx.String:
		heading := m.has(asHeading) && from.MarkdownText != to.MarkdownText
		// it may become a separate Text
		body := m.has(asLabel) && to.FlatData && j.to.Escape("Text", "body", "text", n.v.Str) != n.v.Str
		if heading && j.components().markup(n.v.Str) || body {
			j.lose(Markdown, jsonptr.Join(segs...), "the text is read as Markdown by one of both")
		}
	case n.kind() == jsonx.Null && to.FlatData && m.has(asContext):
		j.lose(Data, jsonptr.Join(segs...), "there is no null: the key is left out")
	case n.container() && to.FlatData && m.has(asText|asLabel):
		j.lose(Data, jsonptr.Join(segs...), "a list or a map is shown as text, and has another form")
	}
}

func (m marks) kid(key string) (out marks) {
	for _, at := range m {
		if k := at.kids[key]; k != nil {
			out = append(out, k)
		}
		if k := at.kids[anyKey]; k != nil && key != anyKey {
			out = append(out, k)
		}
	}
	return out
}

func (m marks) has(as use) bool {
	for _, at := range m {
		if at.uses&as != 0 {
			return true
		}
	}
	return false
}

func (m marks) inputs() (n int) {
	for _, at := range m {
		n += at.inputs
	}
	return n
}

// matches calls f with the steps of everything in the data that is under a
// pattern.
func (s *surface) matches(pattern string, f func(segs []string)) {
	var walk func(n *node, rest string, segs []string)
	walk = func(n *node, rest string, segs []string) {
		if n == nil {
			return
		}
		if rest == "" {
			f(segs)
			return
		}
		key, rest, _ := strings.Cut(rest, "/")
		if key == anyKey {
			n.each(func(key string, kid *node) { walk(kid, rest, append(segs[:len(segs):len(segs)], key)) })
			return
		}
		if key, err := jsonptr.Unescape(key); err == nil {
			walk(n.kid(key), rest, append(segs[:len(segs):len(segs)], key))
		}
	}
	walk(s.data, strings.TrimPrefix(pattern, "/"), nil)
}
