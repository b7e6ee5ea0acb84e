package modeltext

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Legacy turns on the mode of the first parsers, which shows everything that is there
// at the end of each Write:
//
//   - Components wait until their surface is created and the root reaches them.
//     Then all that it reaches come, sorted by id, and again whenever one of them
//     changes; on v0.8 only the last such message of a surface in one Write stays.
//     One that is still being read takes part when it has a type, on v0.8 with a
//     property, and its text can be closed where it ends: see cut. One with an empty
//     object in it waits for the end of its message. Since v1.0 each waits for its
//     end, as its last property may name another catalog.
//   - Components of the message that creates a surface came with it: they come again
//     with what changes them.
//   - The root is the component that the message named which created the surface,
//     or, as drafts of v0.9 had it, a root in updateComponents; else "root". That a
//     complete message leaves a surface without it is a fault.
//   - A child that is not there is replaced by an empty Row named loading_<id>,
//     a list of children whose first has not been read by loading_children_<id>.
//   - On v0.8 a path that lacks its slash gets it, except inside a template, where
//     it means a place in the item: clients differ on its meaning elsewhere.
//   - Data comes as its entries do: on v0.8 all contents, on later versions the members
//     of the value that changed, and the whole value at the end of its message.
//   - A deletion that comes before its surface waits for it and is forgotten then: it
//     was about an earlier one. On v0.8 nothing else of the new surface comes.
//   - What passes no validator is a fault when its message is complete, and waits
//     when it is not. A circle of components is a fault at once.
//   - Words between the messages of a block are passed over. A block without a message
//     is a fault.
//
// It follows the first parsers of the A2UI project, but for three things: a deletion of an
// open surface leaves on v0.8 too, an empty list of children stays empty, and data that was
// sent for one message is sent again for the next.
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
	data     map[string]string // the parts of the open data message that were sent, by member or key
	number   int
	early    bool // the message is not complete
}

type legacySurface struct {
	started bool
	deleted bool // nothing of it comes any more
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

// complete takes a message whose end was read. added: it lacked its last bracket,
// and is taken as one that is still being read.
func (l *legacy) complete(json []byte, number int, added bool) {
	l.number, l.early = number, added
	if v, err := jsonx.Parse(json, l.limits()); err == nil {
		l.message(v)
	} else {
		l.parser.sink.Fault(wire.FromJSON(err, json, wire.EnvelopeUnreadable, wire.LimitBytes))
	}
	l.data = nil
}

func (l *legacy) limits() jsonx.Limits {
	return jsonx.Limits{Bytes: 2 * l.parser.opts.Limit, String: l.parser.opts.Limit, Depth: l.parser.opts.Depth + 1}
}

// pause takes the message that is being read at the end of a Write.
func (l *legacy) pause(r *reader) {
	if r.kind != components && r.kind != dataUpdate || r.surface == "" {
		return
	}
	json, whole := l.cut(r.assembly())
	if json == nil {
		return
	}
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
	if !s.started || s.deleted {
		return
	}
	v = s.takeRoot(v, body)
	list := body.At("components").Items
	open := whole && len(r.frames) > 3 && r.assembly().inList()
	if !open || len(list) == 0 {
		s.define(list, true)
		l.show(s, v)
		return
	}
	last := list[len(list)-1]
	s.define(list[:len(list)-1], true)
	if ownCatalogs(v) {
		l.show(s, v)
		return
	}
	id, typ := last.At("id").Text(), last.At("component")
	flat := typ.Kind == jsonx.String
	before, had := s.seen[id]
	if id != "" && (flat && typ.Str != "" || len(typ.Members) == 1) && !hasEmptyObject(last) {
		s.seen[id] = fillList(last)
		// A flat component that is refused also holds back the rest.
		if l.show(s, v) || flat {
			return
		}
	}
	// Without the one that is open, which may come later.
	if delete(s.seen, id); had {
		s.seen[id] = before
	}
	l.show(s, v)
}

// cut returns the message that is being read with its brackets closed. whole: at
// the place where its text ends, which is between two values, after a number or a
// word, or inside a string of a list or under a cuttable key. Else without the
// component that is open, or for data without all after the last comma.
func (l *legacy) cut(r assembly) (json []byte, whole bool) {
	f := &r.frames[len(r.frames)-1]
	end, quote := len(r.buf), false
	isValue := f.kind == '[' || f.state == atValue
	switch r.token {
	case inString:
		whole = isValue && (f.kind == '[' || l.cuttable(r, string(r.buf[f.key:f.keyTo])))
		end, quote = r.safeEnd(), whole
		for quote && end > r.start && r.buf[end-1] == ' ' {
			end--
		}
	case inWord:
		whole = validWord(r.buf[r.start:])
	default:
		whole = f.kind == '[' || f.state != atColon && f.state != atValue
	}
	if whole {
		return closed(r.buf[:end], r.frames, quote), true
	}
	if r.kind == components {
		if len(r.frames) > 3 && r.inList() {
			return closed(r.buf[:r.frames[2].entry], r.frames[:3], false), false
		}
		return nil, false
	}
	for i := len(r.frames) - 1; i > 1; i-- {
		if at := r.frames[i].entry; at > 0 && r.buf[at] == ',' {
			return closed(r.buf[:at], r.frames[:i+1], false), false
		}
	}
	return nil, false
}

// cuttable reports whether the string that is being read under key may be closed
// early. The half of an address leads elsewhere.
func (l *legacy) cuttable(r assembly, key string) bool {
	if !slices.Contains(l.keys, key) {
		return false
	}
	text := strings.ToLower(string(r.buf[r.start:]))
	for _, scheme := range [...]string{"http://", "https://", "data:"} {
		if strings.HasPrefix(text, scheme) {
			return false
		}
	}
	if key != "valueString" {
		return true
	}
	if strings.HasPrefix(text, "/") {
		return false
	}
	before := string(r.buf[r.frames[len(r.frames)-1].start:r.start])
	if m := entryKey.FindStringSubmatch(before); m != nil {
		return !addressKey.MatchString(m[1])
	}
	return true
}

var (
	entryKey   = regexp.MustCompile(`"key":"([^"]*)"`)
	addressKey = regexp.MustCompile(`(?i)url|link|src|href|image`)
)

// ownCatalogs reports whether a component of the message may name its own catalog.
func ownCatalogs(v jsonx.Value) bool {
	version := strings.TrimPrefix(v.At("version").Text(), "v")
	return version != "" && !strings.HasPrefix(version, "0.")
}

// truncated takes the message that the end of a block cuts.
func (l *legacy) truncated(r *reader) {
	l.pause(r)
	l.data = nil
}

// hasEmptyObject reports whether there is an object without members in v.
func hasEmptyObject(v jsonx.Value) bool {
	return v.Kind == jsonx.Object && len(v.Members) == 0 || slices.ContainsFunc(v.Items, hasEmptyObject) ||
		slices.ContainsFunc(v.Members, func(m jsonx.Member) bool { return hasEmptyObject(m.Value) })
}

// message takes a complete message.
func (l *legacy) message(v jsonx.Value) {
	key, body := bodyOf(v)
	id := body.At("surfaceId").Text()
	if key == "" || id == "" {
		l.send(v) // a validator names the fault
		return
	}
	s := l.surface(id)
	_, versioned := v.Get("version")
	switch kind := kindOf(key); {
	case kind == creates:
		l.create(s, v, body, !versioned)
	case kind == deletes && !s.started:
		s.deleted = true
	case s.deleted && !versioned: // nothing of it comes any more
	case kind == deletes:
		if l.send(v) {
			delete(l.surfaces, id)
		}
	case kind == components && !s.started:
		s.waiting = append(s.waiting, v)
	case kind == components:
		v = s.takeRoot(v, body)
		s.define(body.At("components").Items, false)
		if _, ok := s.seen[s.root]; !ok && !l.early {
			l.parser.sink.Fault(&wire.Problem{Code: wire.BeginMissingRoot, Line: l.number, Surface: id,
				Message: "there is no root component \"" + s.root + "\""})
		}
		l.show(s, v)
	case kind == dataUpdate:
		l.update(v, body)
	default:
		l.send(v)
	}
}

// create sends the message that creates a surface, and what waited for it.
func (l *legacy) create(s *legacySurface, v, body jsonx.Value, old bool) {
	if !l.send(v) {
		return
	}
	waiting := s.waiting
	*s = legacySurface{started: true, deleted: s.deleted && old, root: "root", seen: map[string]jsonx.Value{}}
	if root := body.At("root").Text(); root != "" {
		s.root = root
	}
	s.define(body.At("components").Items, false)
	for i, m := range waiting {
		_, body := bodyOf(m)
		m = s.takeRoot(m, body)
		if s.define(body.At("components").Items, false); i == len(waiting)-1 {
			l.show(s, m)
		}
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

// bodyOf returns the member that names the kind of the message.
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

// define keeps components. early: their message is still being read.
func (s *legacySurface) define(list []jsonx.Value, early bool) {
	for _, c := range list {
		if id := c.At("id").Text(); id != "" && !(early && hasEmptyObject(c)) {
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
	if _, versioned := v.Get("version"); !versioned {
		m.Shows = body.At("surfaceId").Text()
	}
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
