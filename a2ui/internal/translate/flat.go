package translate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// flatMapper writes for v0.8, whose surfaces begin last and whose data is flat.
type flatMapper struct{ *job }

// message translates for a dialect whose surfaces are created last, whose updates
// define all they refer to, and whose data is a map of maps (v0.8).
func (j flatMapper) message(m wire.Message) {
	switch m := m.(type) {
	case *wire.CreateSurface:
		j.flatCreate(m)
	case *wire.UpdateComponents:
		j.known(m.SurfaceID)
		j.extra(m.Extra)
		j.flatComponents(m.Components)
	case *wire.UpdateData:
		j.known(m.SurfaceID)
		j.extra(m.Extra)
		j.flatData(m)
	case *wire.DeleteSurface:
		if s := j.surfaces[m.SurfaceID]; s == nil || s.sent {
			j.emit(&wire.DeleteSurface{SurfaceID: m.SurfaceID})
		}
		delete(j.surfaces, m.SurfaceID)
	default:
		j.lose(Message, "", "function calls have no message")
	}
}

// known opens the surface of an update; one that was not created here is taken
// for that of another server.
func (j *job) known(id string) {
	_, known := j.surfaces[id]
	if s := j.open(id); !known {
		s.foreign, s.sent = true, true
	}
}

// extra reports members that no table knows.
func (j *job) extra(members []wire.Member) {
	for _, m := range members {
		j.lose(Metadata, "/"+m.Key, "the member %q is unknown", m.Key)
	}
}

func (j flatMapper) flatCreate(m *wire.CreateSurface) {
	if old := j.surfaces[m.SurfaceID]; old != nil && old.create != nil {
		j.s = old
		j.lose(Message, "", "the surface is there already")
		return
	}
	delete(j.surfaces, m.SurfaceID)
	s := j.open(m.SurfaceID)
	s.create, s.waits, s.root = m, true, j.from.Features.RootID
	j.extra(m.Extra)
	if m.SendDataModel {
		j.lose(Metadata, "/sendDataModel", "clients cannot send the data model along")
	}
	if m.Metadata.Kind != jsonx.Null {
		j.lose(Metadata, "/metadata", "there is no metadata")
	}
	if m.Data.Kind != jsonx.Null {
		s.data = plant(m.Data)
	}
	s.reach(s.root, "")
	j.flatComponents(m.Components)
}

func (j flatMapper) flatComponents(list []wire.Component) {
	s := j.s
	s.upsert(list)
	for _, c := range list {
		if s.sent {
			s.pending, s.waits = append(s.pending, c.ID), true
		}
	}
	if s.foreign {
		j.flatForeign()
		return
	}
	if s.missing == 0 {
		j.ready()
	}
}

// flatForeign sends components of a surface whose others are not known.
func (j flatMapper) flatForeign() {
	s := j.s
	for _, id := range s.pending {
		s.reach(id, "")
	}
	m := &wire.UpdateComponents{SurfaceID: s.id}
	for i, id := range s.pending {
		if !slices.Contains(s.pending[:i], id) {
			m.Components = append(m.Components, j.components().component(s.comps[id])...)
		}
	}
	s.pending, s.waits = nil, false
	j.emit(m)
}

// ready sends what waits: all that the root reaches is there.
func (j flatMapper) ready() {
	s := j.s
	switch {
	case !s.sent:
		j.begin()
	case len(s.pending) > 0:
		ids := s.closure(s.pending)
		j.lists()
		if len(ids) > 0 {
			m := &wire.UpdateComponents{SurfaceID: s.id}
			for _, id := range ids {
				m.Components = append(m.Components, j.components().component(s.comps[id])...)
			}
			j.computer().sendResults(s.places(ids), nil)
			j.emit(m)
		}
	}
	s.pending, s.waits = nil, !s.sent
}

func (j flatMapper) begin() {
	s := j.s
	if s.create == nil || !s.comp(s.root).defined {
		return
	}
	m := &wire.UpdateComponents{SurfaceID: s.id}
	for _, id := range s.order {
		if c := s.comps[id]; len(c.scopes) > 0 {
			m.Components = append(m.Components, j.components().component(c)...)
		}
	}
	j.emit(m)
	s.fresh = nil
	if s.data.kind() != jsonx.Null || len(s.marks.calls) > 0 {
		j.contents(nil)
	}
	j.at = ""
	j.emit(&wire.CreateSurface{SurfaceID: s.id, Root: j.id(s.root), CatalogID: j.catalog(s.create.CatalogID),
		Theme: j.theme(s.create.Theme)})
	s.sent = true
}

// closure lists ids and all they refer to, as they came.
func (s *surface) closure(ids []string) (out []string) {
	seen := map[string]bool{}
	work := slices.Clone(ids)
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		c := s.comp(id)
		if seen[id] || !c.defined || len(c.scopes) == 0 {
			continue
		}
		seen[id] = true
		s.note(c, c.scopes[0], func(id, _ string) { work = append(work, id) })
	}
	out = slices.Collect(maps.Keys(seen))
	slices.SortFunc(out, func(a, b string) int { return s.comps[a].place - s.comps[b].place })
	return out
}

// flush gives up on children that have not come: they become empty places.
func (j flatMapper) flush() {
	s := j.s
	if s.create == nil || !s.comp(s.root).defined {
		return
	}
	gone := []string{}
	for id, c := range s.comps {
		if !c.defined && len(c.scopes) > 0 {
			gone = append(gone, id)
		}
	}
	slices.Sort(gone)
	for _, id := range gone {
		s.upsert([]wire.Component{{ID: id, Type: "Column", Props: []wire.Prop{{Name: "children", Value: wire.Refs{}}}}})
		j.at = id
		j.lose(Pending, "", "the component has not come; its place is empty")
	}
	j.ready()
}

// lists sends data again that is read as another kind of list than before.
func (j flatMapper) lists() {
	s := j.s
	fresh := s.fresh
	s.fresh = nil
	sent := map[string]bool{}
	for _, pattern := range fresh {
		s.matches(pattern, func(segs []string) {
			n, m := s.data.find(segs), s.at(segs)
			j.looked(segs, n, m)
			if n.kind() == jsonx.Array && len(segs) > 0 && m.has(asChoice) {
				at := j.holder(segs)
				if key := jsonptr.Join(at...); !sent[key] {
					sent[key] = true
					j.contents(at)
				}
			}
		})
	}
}

// flatData keeps an update and sends the map that holds it.
func (j flatMapper) flatData(m *wire.UpdateData) {
	s := j.s
	segs, err := split(m.Path)
	if err == nil && m.Delete {
		s.data = s.data.drop(segs)
	} else if err == nil {
		err = j.write(segs, m.Value, false)
	}
	if err != nil {
		j.lose(Message, m.Path, "the update is left out: %v", err)
		return
	}
	if !s.sent {
		return
	}
	if s.foreign { // the members beside it are not known
		for len(segs) > 0 && !s.data.find(segs).container() {
			segs = segs[:len(segs)-1]
			j.lose(Data, m.Path, "what stands beside it is not known, and is lost")
		}
		j.contents(segs)
		return
	}
	at := segs
	if n := s.data.find(segs); !n.container() || s.at(segs).has(asChoice) && n.kind() == jsonx.Array {
		at = j.holder(segs)
	}
	if s.at(at).inputs() > s.at(segs).inputs() {
		j.lose(Typed, m.Path, "the update writes all of %q again, and what the user typed there", jsonptr.Join(at...))
	}
	if len(at) == 0 || s.data.find(at) != nil {
		j.contents(at)
	}
	if len(at) > 0 { // else all of them were sent
		j.computer().sendResults(s.touched(segs), at)
	}
}

// at returns the marks of a place in the data.
func (s *surface) at(segs []string) marks {
	m := marks{s.marks}
	for _, seg := range segs {
		m = m.kid(seg)
	}
	return m
}

// holder returns the nearest container above segs that travels as a map.
func (j flatMapper) holder(segs []string) []string {
	for len(segs) > 0 {
		segs = segs[:len(segs)-1]
		if n := j.s.data.find(segs); n.container() && !(n.kind() == jsonx.Array && j.s.at(segs).has(asChoice)) {
			break
		}
	}
	return segs
}

// contents sends the container at segs: one update with its scalars and flat
// maps, and one more for each map below that holds maps.
func (j flatMapper) contents(segs []string) {
	n := j.s.data.find(segs)
	if !n.container() && n.kind() != jsonx.Null {
		j.lose(Data, jsonptr.Join(segs...), "data is a map of values, not %s", n.kind())
	}
	j.container(segs, n, j.s.at(segs))
}

func (j flatMapper) container(segs []string, n *node, m marks) {
	path := flatPath(cmp.Or(jsonptr.Join(segs...), "/"))
	value, deep := j.entries(segs, n, m, true)
	j.emit(&wire.UpdateData{SurfaceID: j.s.id, Path: path, Value: value})
	for _, key := range deep {
		j.container(append(segs[:len(segs):len(segs)], key), n.kid(key), m.kid(key))
	}
}

// entries is a container as a map; deep are the keys whose maps hold maps. Their
// places are kept, so that templates see the order.
func (j flatMapper) entries(segs []string, n *node, m marks, top bool) (out jsonx.Value, deep []string) {
	out = jsonx.Value{Kind: jsonx.Object}
	n.each(func(key string, kid *node) {
		at, below := append(segs[:len(segs):len(segs)], key), m.kid(key)
		j.looked(at, kid, below)
		var v jsonx.Value
		switch kid.kind() {
		case jsonx.Null: // it shows nothing, as a missing key does
			return
		case jsonx.String:
			v = j.guarded(kid.v)
		case jsonx.Array, jsonx.Object:
			switch {
			case kid.kind() == jsonx.Array && below.has(asChoice) && scalars(kid):
				v = jsonx.Of(string(jsonx.Append(nil, kid.value())))
			case !top || !scalarsOnly(kid, below):
				deep = append(deep, key)
				v = jsonx.Value{Kind: jsonx.Object}
			default:
				v, _ = j.entries(at, kid, below, false)
			}
		default:
			v = kid.v
		}
		out.Members = append(out.Members, jsonx.Member{Key: flatKey(key), Value: v})
	})
	for _, at := range m {
		for _, id := range at.calls {
			if v := j.computer().results(place{id, segs}); len(v.Members) > 0 {
				out.Members = append(out.Members, jsonx.Member{Key: flatKey(ownPrefix + id), Value: v})
			}
		}
	}
	return out, deep
}

// scalars reports whether a list holds no containers.
func scalars(n *node) bool {
	return !slices.ContainsFunc(n.items, func(item *node) bool { return item.container() })
}

// scalarsOnly reports whether a container travels as a map of scalars.
func scalarsOnly(n *node, m marks) bool {
	flat := !slices.ContainsFunc(m, func(at *mark) bool { return len(at.calls) > 0 })
	n.each(func(key string, kid *node) {
		flat = flat && (!kid.container() || kid.kind() == jsonx.Array && scalars(kid) && m.kid(key).has(asChoice))
	})
	return flat
}

// guarded keeps clients from parsing a text.
func (j flatMapper) guarded(v jsonx.Value) jsonx.Value {
	if j.to.Features.ParsesJSONText && wire.LooksLikeJSON(v.Str) {
		return jsonx.Of(v.Str + guard)
	}
	return v
}

// guard is a character without width that keeps a text from being read as
// something else.
const guard = "\u200b"

// flatKey writes the characters that clients split keys at as %xx.
func flatKey(key string) string {
	if key == "" {
		return "%00"
	}
	if !strings.ContainsAny(key, ".[]/~%") {
		return key
	}
	return keyEscapes.Replace(key)
}

var (
	keyEscapes  = strings.NewReplacer("%", "%25", ".", "%2E", "[", "%5B", "]", "%5D", "/", "%2F", "~", "%7E")
	pathEscapes = strings.NewReplacer("%", "%25", ".", "%2E", "[", "%5B", "]", "%5D", "~1", "%2F", "~0", "%7E")
)

// flatPath is flatKey for every key of a pointer.
func flatPath(path string) string {
	if path == "" || path == "/" || path == "." {
		return path
	}
	path = pathEscapes.Replace(path)
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/%00/")
	}
	if strings.HasSuffix(path, "/") {
		path += "%00"
	}
	return path
}
