package translate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// liftMapper reads v0.8 and writes later versions.
type liftMapper struct{ *job }

// message translates from a dialect whose surfaces are created last (v0.8) to one
// where they are created first: a surface waits for its beginRendering.
func (j liftMapper) message(m wire.Message) {
	switch m := m.(type) {
	case *wire.CreateSurface:
		j.liftCreate(m)
	case *wire.UpdateComponents:
		s := j.open(m.SurfaceID)
		s.upsert(m.Components)
		if s.sent {
			j.liftComponents(m.Components)
		}
	case *wire.UpdateData:
		j.open(m.SurfaceID)
		j.liftData(m)
	case *wire.DeleteSurface:
		if s := j.surfaces[m.SurfaceID]; s == nil || s.sent {
			j.emit(&wire.DeleteSurface{SurfaceID: m.SurfaceID})
		}
		delete(j.surfaces, m.SurfaceID)
	default:
		j.lose(Message, "", "the message is unknown")
	}
}

// liftCreate sends a surface with all it has. Beginning again draws another
// root, which takes a new surface.
func (j liftMapper) liftCreate(m *wire.CreateSurface) {
	s := j.open(m.SurfaceID)
	if s.sent {
		j.emit(&wire.DeleteSurface{SurfaceID: s.id})
		j.lose(Typed, "", "the surface is created again, and what the user typed is lost")
		for _, c := range s.comps { // where they are drawn changes with the root
			c.scopes = nil
		}
		s.missing = 0
	}
	s.create, s.sent, s.root = m, true, m.Root
	s.reach(s.root, "")
	j.emit(&wire.CreateSurface{SurfaceID: s.id, CatalogID: j.catalog(m.CatalogID), Root: j.to.Features.RootID,
		Theme: j.theme(m.Theme)})
	list := make([]wire.Component, len(s.order))
	for i, id := range s.order {
		list[i] = s.comps[id].Component
	}
	s.fresh = nil
	j.initial(list)
	if s.data.kind() != jsonx.Null {
		j.emit(&wire.UpdateData{SurfaceID: s.id, Path: "/", Value: j.lifted(nil, s.data, marks{s.marks})})
	}
	j.sendLifted(list)
}

// liftComponents sends an update of a surface that is there.
func (j liftMapper) liftComponents(list []wire.Component) {
	s := j.s
	for _, segs := range j.initial(list) {
		j.sendData(segs)
	}
	fresh := s.fresh
	s.fresh = nil
	for _, pattern := range fresh {
		s.matches(pattern, func(segs []string) {
			n, m := s.data.find(segs), s.at(segs)
			j.looked(segs, n, m)
			if isList(n, m) || parsed(n, m) != nil {
				j.sendData(segs)
			}
		})
	}
	j.sendLifted(list)
}

func (j liftMapper) sendLifted(list []wire.Component) {
	if len(list) == 0 {
		return
	}
	m := &wire.UpdateComponents{SurfaceID: j.s.id}
	for _, c := range list {
		m.Components = append(m.Components, j.components().component(
			&comp{Component: c, defined: true, scopes: j.s.comp(c.ID).scopes})...)
	}
	j.emit(m)
}

// initial puts the literals of values that have a path too into the data, where
// nothing is yet (v0.8: a path with a literal initialises), and returns where.
func (j liftMapper) initial(list []wire.Component) (written [][]string) {
	s := j.s
	for _, c := range list {
		for _, p := range c.Props {
			path, literal, ok := both(p.Value)
			if !ok {
				continue
			}
			at := resolve("", path)
			if s.comp(c.ID).inside() && !strings.HasPrefix(path, "/") {
				j.at = c.ID
				j.lose(Data, "/"+p.Name, "the initial value is left out: each item of the template would have its own")
				j.at = ""
				continue
			}
			segs, err := jsonptr.Split(at)
			if err != nil || s.data.find(segs) != nil {
				continue
			}
			if j.write(segs, literal, true) == nil {
				s.mark(at, s.use(s.comp(c.ID), p.Name))
				written = append(written, segs)
			}
		}
	}
	return written
}

// literals are the members of a value of v0.8 that hold a literal.
var literals = [...]string{"literalString", "literalNumber", "literalBoolean", "literalArray"}

// both reads a value with a path and a literal, whatever else it holds.
func both(v wire.Value) (path string, literal jsonx.Value, ok bool) {
	lit, is := v.(wire.Literal)
	if !is || lit.Data.Kind != jsonx.Object {
		return "", literal, false
	}
	at, found := lit.Data.Get("path")
	for _, key := range literals {
		if v, has := lit.Data.Get(key); has && found && at.Kind == jsonx.String {
			return at.Str, v, true
		}
	}
	return "", literal, false
}

func (j liftMapper) liftData(m *wire.UpdateData) {
	s := j.s
	segs, err := split(m.Path)
	if err == nil && m.Delete { // only in updates that a program makes: v0.8 has no message for it
		s.data = s.data.drop(segs)
		if up := segs[:max(0, len(segs)-1)]; isList(s.data.find(up), s.at(up)) {
			segs = up
		}
	} else if err == nil {
		err = j.write(segs, m.Value, true)
	}
	if err != nil {
		j.lose(Message, m.Path, "the update is left out: %v", err)
		return
	}
	if s.sent {
		j.sendData(segs)
	}
}

// sendData sends the value at segs in the form of the target. Inside what
// became a list, keys are the numbers of items.
func (j liftMapper) sendData(segs []string) {
	s := j.s
	n, m := s.data, marks{s.marks}
	out := make([]string, len(segs))
	for i, key := range segs {
		out[i] = key
		if isList(n, m) && i > 0 {
			out[i] = strconv.Itoa(slices.Index(n.keys, key))
		}
		n, m = n.kid(key), m.kid(key)
	}
	path := cmp.Or(jsonptr.Join(out...), "/")
	j.emit(&wire.UpdateData{SurfaceID: s.id, Path: path, Value: j.lifted(segs, n, m), Delete: n == nil})
}

// lifted is a value of the data in the form of the target: maps that templates
// repeat are lists, maps and texts that choices read too, and guards are gone.
func (j liftMapper) lifted(segs []string, n *node, m marks) jsonx.Value {
	switch n.kind() {
	case jsonx.String:
		return j.liftText(segs, n, m)
	case jsonx.Object:
		list := isList(n, m) && len(segs) > 0
		out := jsonx.Value{Kind: jsonx.Object}
		if list {
			out.Kind = jsonx.Array
		}
		for i, key := range n.keys {
			at := append(segs[:len(segs):len(segs)], key)
			v := j.lifted(at, n.kids[key], m.kid(key))
			if !list {
				out.Members = append(out.Members, jsonx.Member{Key: key, Value: v})
				continue
			}
			if key != strconv.Itoa(i) && m.names(key) {
				j.lose(Data, jsonptr.Join(at...), "the map became a list, and a path names its key")
			}
			out.Items = append(out.Items, v)
		}
		return out
	}
	return n.value()
}

// isList reports a map that is a list in the target: templates repeat it, or a choice reads it.
func isList(n *node, m marks) bool { return n.kind() == jsonx.Object && m.has(asList|asChoice) }

// names reports whether some path has the key itself.
func (m marks) names(key string) bool {
	return slices.ContainsFunc(m, func(at *mark) bool { return at.kids[key] != nil })
}

// liftText is a text in the form of the target: JSON, where something reads
// inside it, and without its guard.
func (j liftMapper) liftText(segs []string, n *node, m marks) jsonx.Value {
	j.looked(segs, n, m)
	if inner := parsed(n, m); inner != nil {
		if !m.has(asChoice) || inner.kind() != jsonx.Array {
			j.lose(Parsed, jsonptr.Join(segs...), "the text is sent as the JSON that clients read it as")
		}
		return j.lifted(segs, inner, m)
	}
	if text, ok := strings.CutSuffix(n.v.Str, guard); ok && wire.LooksLikeJSON(text) {
		return jsonx.Of(text)
	}
	return n.v
}

// parsed is the JSON of a text that something reads inside, else nil.
func parsed(n *node, m marks) *node {
	if n.kind() != jsonx.String || !m.inner() || !wire.LooksLikeJSON(n.v.Str) {
		return nil
	}
	v, err := jsonx.Parse([]byte(n.v.Str), jsonx.Limits{Depth: maxParsed})
	if err != nil {
		return nil
	}
	return plant(v)
}

// maxParsed bounds the depth of JSON texts in data.
const maxParsed = 32

// inner reports whether something reads the inside of a value.
func (m marks) inner() bool {
	return slices.ContainsFunc(m, func(at *mark) bool { return at.uses&(asList|asChoice) != 0 || len(at.kids) > 0 })
}
