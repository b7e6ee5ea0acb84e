package modeltext

import (
	"bytes"
	"maps"
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Legacy turns on the mode of the first parsers, which shows what is there at
// the end of each Write:
//
//   - Components wait until their surface is created and the root reaches them.
//     Then all that it reaches come, sorted by id, and again whenever one of them
//     changes. One that is still being read takes part when it has a type and a
//     property, and its text ends inside a string under a cuttable key or between
//     two values, not after the bracket that opens an object.
//   - The root is the component that the message named which created the surface,
//     or, as drafts of v0.9 had it, a root in updateComponents; else "root".
//   - A child that is not there is replaced by an empty Row named loading_<id>,
//     a list of children whose first has not been read by loading_children_<id>.
//   - On v0.8 a path that lacks its slash gets it, except inside a template, where
//     it means a place in the item: clients differ on what it means elsewhere.
//   - Data comes as its entries do: on v0.8 all contents, else the members of the
//     value that changed.
//   - What passes no validator is a fault when its message is complete, and waits
//     when it is not. A circle of components is a fault at once.
type Legacy struct {
	Keys []string // strings under these keys are cuttable, beside the usual ones
}

// cuttableKeys are those of the first parsers.
var cuttableKeys = []string{"text", "label", "hint", "caption", "altText", "literalString", "valueString"}

// legacy is the state of the mode.
type legacy struct {
	parser   *Parser
	keys     []string
	surfaces map[string]*legacySurface
	data     []byte // what was sent of the data message that is being read, canonical
	old      jsonx.Value
	number   int
	early    bool // the message is not complete
}

type legacySurface struct {
	started bool
	root    string
	waiting []jsonx.Value          // messages that came before it was created
	seen    map[string]jsonx.Value // components by id
	sent    []byte                 // the last components that were sent
	circle  bool                   // was reported
}

func newLegacy(p *Parser, o *Legacy) *legacy {
	return &legacy{parser: p, keys: slices.Concat(cuttableKeys, o.Keys), surfaces: map[string]*legacySurface{}}
}

func (l *legacy) surface(id string) *legacySurface {
	s := l.surfaces[id]
	if s == nil {
		s = &legacySurface{root: "root", seen: map[string]jsonx.Value{}}
		l.surfaces[id] = s
	}
	return s
}

// complete takes a message whose end was read.
func (l *legacy) complete(json []byte, number int) {
	l.number, l.early = number, false
	v, err := jsonx.Parse(json, l.limits())
	if err != nil {
		l.parser.sink.Fault(wire.FromJSON(err, json, wire.EnvelopeUnreadable, wire.LimitBytes))
	} else {
		l.message(v)
	}
	l.data, l.old = nil, jsonx.Value{}
}

func (l *legacy) limits() jsonx.Limits {
	return jsonx.Limits{Bytes: 2 * l.parser.opts.Limit, String: l.parser.opts.Limit, Depth: l.parser.opts.Depth + 1}
}

// pause takes the message that is being read at the end of a Write.
func (l *legacy) pause(r *reader) {
	if r.kind != components && r.kind != dataUpdate || r.surface == "" {
		return
	}
	json, whole := r.assembly().heal(l.keys)
	v, err := jsonx.Parse(json, l.limits())
	if err != nil {
		return
	}
	l.number, l.early = r.number, true
	_, body := bodyOf(v)
	if r.kind == dataUpdate {
		l.update(v, body)
		return
	}
	s := l.surface(r.surface)
	if !s.started {
		return
	}
	v = s.takeRoot(v, body)
	list := body.At("components").Items
	open := len(r.frames) > 3 && r.assembly().inList()
	if !open || len(list) == 0 {
		l.define(s, list)
		l.show(s, v)
		return
	}
	last := list[len(list)-1]
	l.define(s, list[:len(list)-1])
	id := last.At("id").Text()
	before, had := s.seen[id]
	if whole && hasProps(last) {
		s.seen[id] = fillList(last)
		if l.show(s, v) {
			return
		}
	}
	// Without the one that is open, which may come later.
	if delete(s.seen, id); had {
		s.seen[id] = before
	}
	l.show(s, v)
}

// truncated takes the message that the end of a block cuts.
func (l *legacy) truncated(r *reader) {
	l.pause(r)
	l.data, l.old = nil, jsonx.Value{}
}

// hasProps reports whether a component has an id, a type and a property.
func hasProps(c jsonx.Value) bool {
	id, typ := c.At("id"), c.At("component")
	if id.Text() == "" {
		return false
	}
	if typ.Kind == jsonx.Object {
		return len(typ.Members) == 1 && len(typ.Members[0].Value.Members) > 0
	}
	return typ.Text() != "" && len(c.Members) > 2
}

// message takes a complete message.
func (l *legacy) message(v jsonx.Value) {
	key, body := bodyOf(v)
	id := body.At("surfaceId").Text()
	if key == "" || id == "" {
		l.send(v) // a validator names what is wrong
		return
	}
	s := l.surface(id)
	switch kindOf(key) {
	case creates:
		if !l.send(v) {
			return
		}
		*s = legacySurface{started: true, root: "root", waiting: s.waiting, seen: map[string]jsonx.Value{}}
		if root := body.At("root").Text(); root != "" {
			s.root = root
		}
		waiting := s.waiting
		s.waiting = nil
		for _, m := range waiting {
			l.message(m)
		}
	case components, deletes:
		if !s.started {
			s.waiting = append(s.waiting, v)
			return
		}
		if kindOf(key) == deletes {
			if l.send(v) {
				delete(l.surfaces, id)
			}
			return
		}
		v = s.takeRoot(v, body)
		l.define(s, body.At("components").Items)
		l.show(s, v)
	case dataUpdate:
		l.update(v, body)
	default:
		l.send(v)
	}
}

// takeRoot takes the root out of a message with components, whose final form has
// none.
func (s *legacySurface) takeRoot(v, body jsonx.Value) jsonx.Value {
	root, ok := body.Get("root")
	if !ok {
		return v
	}
	if root.Text() != "" {
		s.root = root.Text()
	}
	body.Members = slices.DeleteFunc(slices.Clone(body.Members), func(m jsonx.Member) bool { return m.Key == "root" })
	return withBody(v, body)
}

// bodyOf returns the member that says what the message is.
func bodyOf(v jsonx.Value) (string, jsonx.Value) {
	for _, m := range v.Members {
		if isMessageKey(m.Key) {
			return m.Key, m.Value
		}
	}
	return "", jsonx.Value{}
}

// withBody returns the message with another body.
func withBody(v jsonx.Value, body jsonx.Value) jsonx.Value {
	out := jsonx.Value{Kind: jsonx.Object}
	for _, m := range v.Members {
		if isMessageKey(m.Key) {
			m.Value = body
		}
		out.Members = append(out.Members, m)
	}
	return out
}

// with returns an object with another value under key.
func with(v jsonx.Value, key string, value jsonx.Value) jsonx.Value {
	v.Members = slices.Clone(v.Members)
	for i := range v.Members {
		if v.Members[i].Key == key {
			v.Members[i].Value = value
		}
	}
	return v
}

func (l *legacy) send(v jsonx.Value) bool {
	return l.parser.sink.Message(Message{JSON: jsonx.Append(nil, v), Number: l.number, Tag: l.parser.tag(),
		Early: l.early, Quiet: l.early})
}

func (l *legacy) define(s *legacySurface, list []jsonx.Value) {
	for _, c := range list {
		if id := c.At("id").Text(); id != "" {
			s.seen[id] = c
		}
	}
}

// show sends all that the root reaches, if it changed; false: it does not pass.
func (l *legacy) show(s *legacySurface, v jsonx.Value) bool {
	if _, ok := s.seen[s.root]; !ok {
		return true
	}
	reached, circle := s.reach()
	if circle != "" {
		if !s.circle {
			s.circle = true
			_, body := bodyOf(v)
			l.parser.sink.Fault(&wire.Problem{Code: wire.ComponentCycle, Surface: body.At("surfaceId").Text(),
				Component: circle, Message: "the component contains itself"})
		}
		return true
	}
	var list, loading []jsonx.Value
	scoped := s.scoped(reached)
	for _, id := range reached {
		t := topology{surface: s, id: id, loading: &loading, old: s.seen[id].At("component").Kind == jsonx.Object}
		t.rooted = t.old && !scoped[id]
		list = append(list, t.replace(s.seen[id], ""))
	}
	all := jsonx.OfArray(append(list, loading...)...)
	text := jsonx.Append(nil, all)
	if bytes.Equal(text, s.sent) {
		return true
	}
	_, body := bodyOf(v)
	m := Message{JSON: jsonx.Append(nil, withBody(v, with(body, "components", all))), Number: l.number,
		Tag: l.parser.tag(), Early: l.early,
		// A Row that the catalog does not have is no fault of the model's.
		Quiet: l.early || len(loading) > 0}
	if !l.parser.sink.Message(m) {
		return false
	}
	s.sent = text
	return true
}

// scoped returns those of the ids that belong to an item of a template.
func (s *legacySurface) scoped(ids []string) map[string]bool {
	inside := map[string]bool{}
	var open []string
	for _, id := range ids {
		t := topology{surface: s, id: id}
		t.replace(s.seen[id], "")
		open = append(open, t.items...)
	}
	for len(open) > 0 {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		if c, there := s.seen[id]; there && !inside[id] {
			inside[id] = true
			t := topology{surface: s, id: id}
			t.replace(c, "")
			open = append(open, t.refs...)
		}
	}
	return inside
}

// reach returns the ids that the root leads to, sorted, or one of a circle.
func (s *legacySurface) reach() (ids []string, circle string) {
	const open, done = 1, 2
	state := map[string]int{}
	type step struct {
		id   string
		refs []string
	}
	enter := func(id string) step {
		state[id] = open
		t := topology{surface: s, id: id}
		t.replace(s.seen[id], "")
		return step{id, t.refs}
	}
	stack := []step{enter(s.root)}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.refs) == 0 {
			state[top.id] = done
			stack = stack[:len(stack)-1]
			continue
		}
		ref := top.refs[0]
		top.refs = top.refs[1:]
		switch _, there := s.seen[ref]; {
		case state[ref] == open:
			return nil, ref
		case there && state[ref] == 0:
			stack = append(stack, enter(ref))
		}
	}
	return slices.Sorted(maps.Keys(state)), ""
}
