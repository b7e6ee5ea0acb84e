package client

import (
	"fmt"
	"slices"
	"strconv"
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
	maxHoles    = 1 << 16 // items that one write may add to an array
)

// updateData writes what the server sent; it takes paths back from the user.
func (c *Client) updateData(m *a2ui.UpdateData) *Error {
	s, err := c.target(m.SurfaceID)
	if err != nil {
		return err
	}
	segs, err := c.rules.split(m.Path)
	if err != nil {
		return err
	}
	value := m.Value
	if m.Delete {
		if !c.rules.Delete {
			return &Error{Code: ValidationError, Message: "this dialect cannot delete data"}
		}
		value = a2ui.Data{}
	} else if value, err = c.rules.contents(value); err != nil {
		return err
	}
	next, err := c.rules.put(s.data, segs, value, m.Delete)
	if err != nil {
		return err
	}
	s.data = next
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
	if path[0] != '/' && r.loosePaths {
		path = "/" + path
	}
	if r.plainKeys && strings.ContainsAny(path, ".[]~") {
		return nil, &Error{Code: DataError, Message: fmt.Sprintf("path %q: the characters . [ ] ~ split keys on this renderer", path)}
	}
	segs, err := jsonptr.Split(path)
	if err != nil {
		return nil, &Error{Code: DataError, Message: err.Error()}
	}
	if r.loosePaths {
		segs = slices.DeleteFunc(segs, func(s string) bool { return s == "" })
	}
	if len(segs) > maxSegments {
		return nil, &Error{Code: DataError, Message: fmt.Sprintf("path with more than %d segments", maxSegments)}
	}
	if r.reservedKeys {
		for _, s := range segs {
			if s == "__proto__" || s == "constructor" || s == "prototype" {
				return nil, &Error{Code: DataError, Message: fmt.Sprintf("path %q: renderers throw on the segment %q", path, s)}
			}
		}
	}
	return segs, nil
}

// index reads an array index: decimal, without leading zeros.
func index(seg string) (int, bool) {
	if seg == "" || len(seg) > 9 || seg[0] == '0' && len(seg) > 1 {
		return 0, false
	}
	for i := range len(seg) {
		if seg[i] < '0' || seg[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(seg)
	return n, err == nil
}

// get reads the value at segs; ok is false where there is nothing.
func get(at a2ui.Data, segs []string) (a2ui.Data, bool) {
	for _, seg := range segs {
		switch at.Kind {
		case object:
			v, ok := at.Get(seg)
			if !ok {
				return a2ui.Data{}, false
			}
			at = v
		case array:
			i, ok := index(seg)
			if !ok || i >= len(at.Items) {
				return a2ui.Data{}, false
			}
			at = at.Items[i]
		default:
			return a2ui.Data{}, false
		}
	}
	return at, true
}

// put returns at with the value at segs replaced, or with drop removed. Missing
// containers are made on the way; nothing that at shares is written to.
func (r rules) put(at a2ui.Data, segs []string, v a2ui.Data, drop bool) (a2ui.Data, *Error) {
	if drop {
		if _, ok := get(at, segs); !ok {
			return at, nil
		}
	}
	if len(segs) > 0 && at.Kind == null {
		at = a2ui.Data{Kind: object}
	}
	return r.putAt(at, segs, v, drop)
}

func (r rules) putAt(at a2ui.Data, segs []string, v a2ui.Data, drop bool) (a2ui.Data, *Error) {
	if len(segs) == 0 {
		return v, nil
	}
	child, _ := get(at, segs[:1])
	if len(segs) > 1 && child.Kind == null {
		child = a2ui.Data{Kind: object}
		if _, isIndex := index(segs[1]); isIndex && !r.FlatData {
			child.Kind = array
		}
	}
	switch at.Kind {
	case object:
		child, err := r.putAt(child, segs[1:], v, drop)
		if err != nil {
			return at, err
		}
		return setMember(at, segs[0], child, drop && len(segs) == 1), nil
	case array:
		i, ok := index(segs[0])
		if !ok {
			return at, &Error{Code: DataError, Message: fmt.Sprintf("segment %q on an array", segs[0])}
		}
		if i-len(at.Items) > maxHoles {
			return at, &Error{Code: DataError, Message: fmt.Sprintf("index %d is too far past the end", i)}
		}
		child, err := r.putAt(child, segs[1:], v, drop)
		if err != nil {
			return at, err
		}
		items := make([]a2ui.Data, max(len(at.Items), i+1))
		copy(items, at.Items)
		items[i] = child // dropped: null, the hole
		return a2ui.Data{Kind: array, Items: items}, nil
	}
	return at, &Error{Code: DataError, Message: fmt.Sprintf("segment %q on a %s", segs[0], at.Kind)}
}

func setMember(at a2ui.Data, key string, v a2ui.Data, drop bool) a2ui.Data {
	members := make([]a2ui.Member, len(at.Members), len(at.Members)+1)
	copy(members, at.Members)
	i := slices.IndexFunc(members, func(m a2ui.Member) bool { return m.Key == key })
	switch {
	case drop && i >= 0:
		members = slices.Delete(members, i, i+1)
	case i >= 0:
		members[i].Value = v
	default:
		members = append(members, a2ui.Member{Key: key, Value: v})
	}
	return a2ui.Data{Kind: object, Members: members}
}

// contents checks and converts what one update writes. Where data travels as
// typed entries only maps of scalars exist, without null and arrays.
func (r rules) contents(v a2ui.Data) (a2ui.Data, *Error) {
	if r.mapDepth == 0 {
		return v, nil
	}
	if v.Kind != object {
		return v, &Error{Code: ValidationError, Message: fmt.Sprintf("an update writes a map, not a %s", v.Kind)}
	}
	return r.entries(v, 1)
}

func (r rules) entries(v a2ui.Data, depth int) (a2ui.Data, *Error) {
	if depth > r.mapDepth {
		return v, &Error{Code: ValidationError, Message: fmt.Sprintf("maps nested more than %d deep in one update", r.mapDepth)}
	}
	out := a2ui.Data{Kind: object, Members: make([]a2ui.Member, len(v.Members))}
	for i, m := range v.Members {
		if r.plainKeys && (m.Key == "" || strings.ContainsAny(m.Key, "./[]~")) {
			return v, &Error{Code: DataError, Message: fmt.Sprintf("key %q is read as a path on this renderer", m.Key)}
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
			return v, &Error{Code: ValidationError, Message: fmt.Sprintf("key %q holds a %s, which this dialect cannot carry", m.Key, m.Value.Kind)}
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
