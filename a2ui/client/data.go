package client

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Short names of the JSON kinds.
const (
	null   = jsonx.Null
	truth  = jsonx.Bool
	number = jsonx.Number
	text   = jsonx.String
	array  = jsonx.Array
	object = jsonx.Object
)

// Bounds of the data model.
const (
	maxSegments = 256
	maxIndex    = 10_000 // of an item that a write adds to an array
	maxHoles    = 20_000 // in all arrays, when a write makes one
)

// updateData writes the server's data; it takes paths back from the user.
func (c intake) updateData(m *a2ui.UpdateData) *Error {
	s, err := c.target(m.SurfaceID)
	if err != nil {
		return err
	}
	segs, err := c.rules.split(m.Path)
	if err != nil {
		return err
	}
	value, drop := m.Value, m.Delete || c.rules.NullDeletes && m.Value.Kind == null
	if drop {
		if !c.rules.Delete {
			return errorf(validationError, "this dialect cannot delete data")
		}
		value = a2ui.Data{}
	} else if value, err = c.rules.contents(value); err != nil {
		return err
	}
	if err := c.rules.put(&s.data, s.wide, segs, c.keep.data(value), drop); err != nil {
		return err
	}
	c.surfaces[s.id] = s
	for path := range s.touched {
		if related(path, segs) {
			delete(s.touched, path)
		}
	}
	return nil
}

// related reports whether one of two paths holds the other.
func related(path string, segs []string) bool {
	other := jsonptr.Join(segs...)
	return path == other || strings.HasPrefix(path, other+"/") || strings.HasPrefix(other, path+"/")
}

// split reads a path of the data model; "" and "/" are the whole model.
func (r rules) split(path string) ([]string, *Error) {
	if path == "" || path == "/" {
		return nil, nil
	}
	if path[0] != '/' && (r.loosePaths || r.forgiving) {
		path = "/" + path
	}
	if r.plainKeys && strings.ContainsAny(path, ".[]~") {
		return nil, errorf(dataError, "path %q: the characters . [ ] ~ split keys on this renderer", path)
	}
	segs, err := jsonptr.Split(path)
	if err != nil {
		return nil, &Error{Code: dataError, Message: err.Error()}
	}
	if r.loosePaths {
		segs = slices.DeleteFunc(segs, func(s string) bool { return s == "" })
	}
	if len(segs) > maxSegments {
		return nil, errorf(dataError, "path with more than %d segments", maxSegments)
	}
	if r.reservedKeys {
		for _, s := range segs {
			if s == "__proto__" || s == "constructor" || s == "prototype" {
				return nil, errorf(dataError, "path %q: renderers throw on the segment %q", path, s)
			}
		}
	}
	return segs, nil
}

// get reads the value at segs; ok is false where there is nothing.
func get(at a2ui.Data, segs []string) (a2ui.Data, bool) {
	v := find(&at, segs)
	if v == nil {
		return a2ui.Data{}, false
	}
	return *v, true
}

// find returns the place of a value below at, nil where there is nothing.
func find(at *a2ui.Data, segs []string) *a2ui.Data {
	for _, seg := range segs {
		if at = below(at, seg); at == nil {
			return nil
		}
	}
	return at
}

func below(at *a2ui.Data, seg string) *a2ui.Data {
	switch at.Kind {
	case object:
		for i := range at.Members {
			if at.Members[i].Key == seg {
				return &at.Members[i].Value
			}
		}
	case array:
		if i, ok := jsonptr.Index(seg); ok && i < len(at.Items) {
			return &at.Items[i]
		}
	default: // scalars hold nothing
	}
	return nil
}

// wideIndex finds the members of wide objects: by their first member, which no
// other object has, the places by key. Looking up is linear without it, and so
// would be the time of an update in the width of a table.
type wideIndex map[*a2ui.Member]map[string]int

// wide is the width from which an object is indexed.
const wide = 32

// member returns the place of a key, nil without the key.
func (w wideIndex) member(at *a2ui.Data, key string) *a2ui.Data {
	if w == nil || at.Kind != object || len(at.Members) < wide {
		return below(at, key)
	}
	places := w[&at.Members[0]]
	if places == nil {
		places = make(map[string]int, len(at.Members))
		for i := len(at.Members) - 1; i >= 0; i-- { // of a key that appears twice the first counts
			places[at.Members[i].Key] = i
		}
		w[&at.Members[0]] = places
	}
	if i, ok := places[key]; ok {
		return &at.Members[i].Value
	}
	return nil
}

// add appends a member and returns its place.
func (w wideIndex) add(at *a2ui.Data, key string) *a2ui.Data {
	var before *a2ui.Member
	if len(at.Members) > 0 {
		before = &at.Members[0]
	}
	n := len(at.Members)
	at.Members = append(at.Members, a2ui.Member{Key: key})
	if places := w[before]; places != nil {
		delete(w, before)
		places[key] = n
		w[&at.Members[0]] = places
	}
	return &at.Members[n].Value
}

// forget drops the index of a value and of all values below it, because the value is
// removed.
func (w wideIndex) forget(v a2ui.Data) {
	if len(w) == 0 {
		return
	}
	if len(v.Members) >= wide {
		delete(w, &v.Members[0])
	}
	for i := range v.Members {
		w.forget(v.Members[i].Value)
	}
	for i := range v.Items {
		w.forget(v.Items[i])
	}
}

// put replaces the value at segs of a model in place, or with drop removes it:
// a key goes away, an item leaves a hole. Missing containers are made on the
// way. A write that is refused changes nothing. w may be nil.
func (r rules) put(root *a2ui.Data, w wideIndex, segs []string, v a2ui.Data, drop bool) *Error {
	if err := r.mayPut(root, w, segs); err != nil {
		if drop {
			return nil // nothing is there
		}
		return err
	}
	at, parent := root, (*a2ui.Data)(nil)
	for i, seg := range segs {
		next := w.member(at, seg)
		if next == nil && drop {
			return nil
		}
		if at.Kind == null {
			at.Kind = r.container(i, seg)
		}
		if parent = at; next != nil {
			at = next
			continue
		}
		if n, ok := jsonptr.Index(seg); ok && at.Kind == array {
			at.Items = append(at.Items, make([]a2ui.Data, n+1-len(at.Items))...)
			at = &at.Items[n]
			continue
		}
		at = w.add(at, strings.Clone(seg))
	}
	w.forget(*at)
	if drop && parent == nil && r.Inline {
		v.Kind = object // the model of a surface that sends none, never null
	}
	if *at = v; drop && parent != nil && parent.Kind == object {
		delete(w, &parent.Members[0])
		last := segs[len(segs)-1]
		parent.Members = slices.DeleteFunc(parent.Members, func(m a2ui.Member) bool { return m.Key == last })
	}
	return nil
}

// mayPut walks as put does, without writing.
func (r rules) mayPut(root *a2ui.Data, w wideIndex, segs []string) *Error {
	fail := func(format string, args ...any) *Error {
		return errorf(dataError, "path %q: %s", jsonptr.Join(segs...), fmt.Sprintf(format, args...))
	}
	at, made := root, 0
	for i, seg := range segs {
		kind := null
		if at != nil {
			kind = at.Kind
		}
		length := 0
		switch kind {
		case null:
			kind = r.container(i, seg)
		case array:
			length = len(at.Items)
		case object:
		default:
			return fail("segment %q on a %s", seg, kind)
		}
		if n, ok := jsonptr.Index(seg); kind == array && !ok {
			return fail("segment %q on an array", seg)
		} else if kind == array && n >= length && n > maxIndex {
			return fail("index %d is more than %d", n, maxIndex)
		} else if kind == array {
			made += max(0, n-length)
		}
		if at != nil {
			at = w.member(at, seg)
		}
	}
	if made > 0 && (made > maxHoles || made+holes(root) > maxHoles) {
		return fail("the arrays have more than %d holes", maxHoles)
	}
	return nil
}

// holes counts the items of arrays that are null.
func holes(v *a2ui.Data) (n int) {
	for i := range v.Items {
		if v.Items[i].Kind == null {
			n++
		}
		n += holes(&v.Items[i])
	}
	for i := range v.Members {
		n += holes(&v.Members[i].Value)
	}
	return n
}

// container is the kind of container made for seg, the i-th of a path: an array for an
// index, but not as the whole model.
func (r rules) container(i int, seg string) jsonx.Kind {
	if _, isIndex := jsonptr.Index(seg); isIndex && i > 0 && !r.FlatData {
		return array
	}
	return object
}

// contents checks and converts what one update writes. Where data travels as
// typed entries only maps of scalars exist, without null and arrays.
func (r rules) contents(v a2ui.Data) (a2ui.Data, *Error) {
	if r.mapDepth == 0 {
		return v, nil
	}
	if v.Kind != object {
		return v, errorf(validationError, "an update writes a map, not a %s", v.Kind)
	}
	return r.entries(v, 1)
}

func (r rules) entries(v a2ui.Data, depth int) (a2ui.Data, *Error) {
	if depth > r.mapDepth {
		return v, errorf(validationError, "maps nested more than %d deep in one update", r.mapDepth)
	}
	out := a2ui.Data{Kind: object, Members: make([]a2ui.Member, len(v.Members))}
	for i, m := range v.Members {
		if r.plainKeys && (m.Key == "" || strings.ContainsAny(m.Key, "./[]~")) {
			return v, errorf(dataError, "key %q is read as a path on this renderer", m.Key)
		}
		switch m.Value.Kind {
		case object:
			child, err := r.entries(m.Value, depth+1)
			if err != nil {
				return v, err
			}
			m.Value = child
		case text:
			if r.parseText {
				m.Value = parseText(m.Value)
				if m.Value.Kind == array && len(m.Value.Items) == 0 {
					m.Value = a2ui.Data{Kind: object} // web_core takes an empty list for a map without entries
				}
			}
		case number, truth:
		default:
			return v, &Error{Code: validationError,
				Message: fmt.Sprintf("key %q holds a %s, which this dialect cannot carry", m.Key, m.Value.Kind)}
		}
		out.Members[i] = m
	}
	return out, nil
}

// parseText turns a string that looks like a JSON array or object into it, as
// web_core's v0.8 processor does.
func parseText(v a2ui.Data) a2ui.Data {
	s := strings.TrimFunc(v.Str, func(r rune) bool { return unicode.IsSpace(r) && r != '\u0085' || r == '\uFEFF' })
	if len(s) < 2 || !(s[0] == '{' && s[len(s)-1] == '}' || s[0] == '[' && s[len(s)-1] == ']') {
		return v
	}
	parsed, err := jsonx.Parse([]byte(v.Str), jsonx.Limits{})
	if err != nil {
		return v
	}
	return parsed
}

// Model is a data model by itself: one JSON value that JSON Pointers read and
// write as a dialect has it, with watchers. It is not safe for concurrent use.
type Model struct {
	rules   rules
	keep    keeper
	root    a2ui.Data
	wide    wideIndex
	watches []*watch
}

type watch struct {
	segs   []string
	path   string // canonical
	notify func(v a2ui.Data, ok bool)
}

// NewModel returns a model that holds a copy of initial; Null is the empty object.
func NewModel(d a2ui.Dialect, mode Mode, initial a2ui.Data) *Model {
	m := &Model{rules: rulesFor(d, mode), wide: wideIndex{}}
	if m.root = m.keep.data(initial); m.root.Kind == null {
		m.root.Kind = object
	}
	return m
}

// Get returns a copy of the value at a path, and whether there is one; "" and
// "/" are the whole model. The error is a DATA_ERROR for a malformed path.
func (m *Model) Get(path string) (a2ui.Data, bool, error) {
	segs, err := m.rules.split(path)
	if err != nil {
		return a2ui.Data{}, false, err
	}
	v, ok := get(m.root, segs)
	return m.keep.data(v), ok, nil
}

// Set replaces the value at a path and makes the containers on the way: an array
// for a decimal segment, else an object. Where null deletes, null does. The error
// is a DATA_ERROR, and nothing changed.
func (m *Model) Set(path string, v a2ui.Data) error {
	return m.put(path, v, m.rules.NullDeletes && v.Kind == null)
}

// Delete removes a key, or leaves a hole in an array; without a value at path it
// changes nothing. The error is a DATA_ERROR.
func (m *Model) Delete(path string) error { return m.put(path, a2ui.Data{}, true) }

func (m *Model) put(path string, v a2ui.Data, drop bool) error {
	segs, err := m.rules.split(path)
	if err != nil {
		return err
	}
	told := slices.DeleteFunc(slices.Clone(m.watches), func(w *watch) bool { return !related(w.path, segs) })
	before := make([][]byte, len(told))
	for i, w := range told {
		before[i] = m.seen(w)
	}
	if err := m.rules.put(&m.root, m.wide, segs, m.keep.data(v), drop); err != nil {
		return err
	}
	for i, w := range told {
		if !bytes.Equal(before[i], m.seen(w)) {
			v, ok := get(m.root, w.segs)
			w.notify(m.keep.data(v), ok)
		}
	}
	return nil
}

// seen is the JSON of the value a watcher sees, nil for nothing.
func (m *Model) seen(w *watch) []byte {
	v, ok := get(m.root, w.segs)
	if !ok {
		return nil
	}
	return jsonx.Append(nil, v)
}

// Watch calls notify after every write that changes the value at a path, in the
// order of the calls to Watch, until stop is called.
func (m *Model) Watch(path string, notify func(v a2ui.Data, ok bool)) (stop func(), err error) {
	segs, bad := m.rules.split(path)
	if bad != nil {
		return nil, bad
	}
	w := &watch{segs: segs, path: jsonptr.Join(segs...), notify: notify}
	m.watches = append(m.watches, w)
	return func() {
		m.watches = slices.DeleteFunc(m.watches, func(o *watch) bool { return o == w })
	}, nil
}
