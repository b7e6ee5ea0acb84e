package translate

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// node is one value of a live data model; it may be written to, unlike the
// messages it came from.
type node struct {
	v     jsonx.Value // of a scalar; its Kind is the kind of the node
	keys  []string    // of an object, in the order they came
	kids  map[string]*node
	items []*node // of an array; nil = a hole
}

var (
	errThrough = errors.New("the path leads through a value that is not a container")
	errIndex   = errors.New("a list takes the number of an item")
	errHoles   = errors.New("the lists have too many holes")
)

// plant copies a value: its texts are parts of a whole message, which must not
// stay in memory for one of them.
func plant(v jsonx.Value) *node {
	n := &node{v: jsonx.Value{Kind: v.Kind}}
	switch v.Kind {
	case jsonx.Object:
		n.kids = make(map[string]*node, len(v.Members))
		for _, m := range v.Members {
			n.set(m.Key, plant(m.Value))
		}
	case jsonx.Array:
		n.items = make([]*node, len(v.Items))
		for i, item := range v.Items {
			n.items[i] = plant(item)
		}
	default:
		n.v.Bool, n.v.Str = v.Bool, strings.Clone(v.Str)
	}
	return n
}

func (n *node) kind() jsonx.Kind {
	if n == nil {
		return jsonx.Null
	}
	return n.v.Kind
}

func (n *node) container() bool { return n.kind() == jsonx.Object || n.kind() == jsonx.Array }

func (n *node) set(key string, kid *node) {
	if _, ok := n.kids[key]; !ok {
		key = strings.Clone(key)
		n.keys = append(n.keys, key)
	}
	n.kids[key] = kid
}

// kid returns the value under a key or an index, or nil.
func (n *node) kid(key string) *node {
	switch n.kind() {
	case jsonx.Object:
		return n.kids[key]
	case jsonx.Array:
		if i, ok := jsonptr.Index(key); ok && i < len(n.items) {
			return n.items[i]
		}
	default: // scalars hold nothing
	}
	return nil
}

// each calls f with every key and its value.
func (n *node) each(f func(key string, kid *node)) {
	if n == nil {
		return
	}
	for _, key := range n.keys {
		f(key, n.kids[key])
	}
	for i, item := range n.items {
		f(strconv.Itoa(i), item)
	}
}

// size counts the values of n.
func (n *node) size() int {
	size := 1
	if n != nil {
		for _, kid := range n.kids {
			size += kid.size()
		}
		for _, item := range n.items {
			size += item.size()
		}
	}
	return size
}

// value returns n as JSON; holes are null.
func (n *node) value() jsonx.Value {
	if n == nil {
		return jsonx.Value{}
	}
	out := n.v
	out.Items, out.Members = slices.Grow(out.Items, len(n.items)), slices.Grow(out.Members, len(n.keys))
	n.each(func(key string, kid *node) {
		if out.Kind == jsonx.Array {
			out.Items = append(out.Items, kid.value())
			return
		}
		out.Members = append(out.Members, jsonx.Member{Key: key, Value: kid.value()})
	})
	return out
}

func (n *node) find(segs []string) *node {
	for _, seg := range segs {
		if n = n.kid(seg); n == nil {
			return nil
		}
	}
	return n
}

// write puts a value into the data of the surface, where containers are made on the way:
// lists where the next step is an index, unless data is flat. The data has no more holes
// than it may have entries.
func (j *job) write(segs []string, v jsonx.Value, flat bool) error {
	s := j.s
	if len(segs) == 0 {
		s.holes = 0
	}
	left := j.cfg.Limits.DataEntries - s.holes
	root, err := s.data.put(segs, plant(v), flat, &left)
	if s.holes = j.cfg.Limits.DataEntries - left; err == nil {
		s.data = root
	}
	return err
}

// put writes v at segs and returns the new root, see job.write; left are the holes that may
// be made.
func (n *node) put(segs []string, v *node, flat bool, left *int) (*node, error) {
	if len(segs) == 0 {
		return v, nil
	}
	if n.kind() == jsonx.Null {
		n = plant(jsonx.Value{Kind: jsonx.Object})
	}
	root := n
	for i, seg := range segs {
		next := v
		if i < len(segs)-1 {
			if next = n.kid(seg); next.kind() == jsonx.Null {
				kind := jsonx.Object
				if _, ok := jsonptr.Index(segs[i+1]); ok && !flat {
					kind = jsonx.Array
				}
				next = plant(jsonx.Value{Kind: kind})
			}
		}
		switch n.kind() {
		case jsonx.Object:
			n.set(seg, next)
		case jsonx.Array:
			at, ok := jsonptr.Index(seg)
			if !ok {
				return root, errIndex
			}
			holes := max(0, at-len(n.items))
			if holes > *left {
				return root, errHoles
			}
			*left -= holes
			n.items = append(n.items, make([]*node, max(0, at+1-len(n.items)))...)
			n.items[at] = next
		default:
			return root, errThrough
		}
		n = next
	}
	return root, nil
}

// drop removes the value at segs; a list keeps its length.
func (n *node) drop(segs []string) *node {
	if len(segs) == 0 {
		return nil
	}
	last := segs[len(segs)-1]
	switch at := n.find(segs[:len(segs)-1]); at.kind() {
	case jsonx.Object:
		if _, ok := at.kids[last]; ok {
			delete(at.kids, last)
			at.keys = slices.DeleteFunc(at.keys, func(k string) bool { return k == last })
		}
	case jsonx.Array:
		if i, ok := jsonptr.Index(last); ok && i < len(at.items) {
			at.items[i] = nil
		}
	default: // nothing is there
	}
	return n
}

// split reads the path of a data message; "" and "/" are the whole model, and
// clients take a path without its first slash.
func split(path string) ([]string, error) {
	if path == "/" {
		path = ""
	}
	if path != "" && path[0] != '/' {
		path = "/" + path
	}
	return jsonptr.Split(path)
}
