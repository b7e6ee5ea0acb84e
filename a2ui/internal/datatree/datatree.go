// Package datatree remembers which keys a data model has, without its values.
//
// In: the values and deletions of data messages. Out: whether a pointer leads
// to something, and how many entries there are. A Tree is persistent: Fork is
// one allocation, and a fork that is written to copies only what it touches, so
// the validator can try a batch and drop it. Everything here is pure.
package datatree

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Errors of Put.
var (
	ErrThrough   = errors.New("the path leads through a value that is not a container")
	ErrIndex     = errors.New("a list takes the index of an item, or the next one")
	ErrDuplicate = errors.New("an object has a key twice")
)

// Tree is one data model. The zero Tree is empty. A Tree that was forked must
// not be written any more.
type Tree struct {
	root  *node
	owner *owner
}

// owner marks the nodes a tree may change in place.
type owner struct{ _ byte }

type node struct {
	owner   *owner
	list    bool
	size    int // entries below, at any depth
	entries []entry
	wide    map[string]int // key → place in entries, once they are many
}

type entry struct {
	key string // "" in a list
	sub *node  // nil for a scalar
}

// many is the width from which keys are looked up in a map.
const many = 12

// Fork returns a copy; the receiver must only be read from now on.
func (t Tree) Fork() Tree { return Tree{root: t.root, owner: new(owner)} }

// Size returns the number of members and items, containers included.
func (t Tree) Size() int {
	if t.root == nil {
		return 0
	}
	return t.root.size
}

// Has tells whether an absolute pointer leads to a value. "" and "/" are the
// whole model, which is always there.
func (t Tree) Has(path string) bool {
	found, _ := t.Look(path)
	return found
}

// Look is Has, and tells whether the value is a container.
func (t Tree) Look(path string) (found, container bool) {
	if path == "" || path == "/" {
		return true, true
	}
	n := t.root
	for rest := path[1:]; n != nil; {
		seg, more, deeper := strings.Cut(rest, "/")
		i := n.find(unescape(seg))
		if i < 0 || !deeper {
			return i >= 0, i >= 0 && n.entries[i].sub != nil
		}
		n, rest = n.entries[i].sub, more
	}
	return false, false
}

// Put replaces the value at path and creates the containers above it.
func (t *Tree) Put(path string, v jsonx.Value) error {
	sub, err := t.build(&v)
	if err != nil {
		return err
	}
	if path == "" || path == "/" {
		if t.root = sub; sub == nil {
			t.root = &node{owner: t.owner}
		}
		return nil
	}
	if t.root == nil {
		t.root = &node{owner: t.owner}
	}
	t.root, _, err = t.put(t.root, path[1:], sub)
	return err
}

// Delete removes the key at path; a list keeps its length. It reports whether
// something was there.
func (t *Tree) Delete(path string) bool {
	if path == "" || path == "/" {
		was := t.Size() > 0
		t.root = &node{owner: t.owner}
		return was
	}
	if t.root == nil {
		return false
	}
	var gone int
	t.root, gone = t.remove(t.root, path[1:])
	return gone > 0
}

// put writes sub at rest below n and returns n, copied if need be, and by how
// much its size changed. Its recursion is as deep as the path.
func (t *Tree) put(n *node, rest string, sub *node) (*node, int, error) {
	seg, more, deeper := strings.Cut(rest, "/")
	key := unescape(seg)
	i := n.find(key)
	n = t.own(n)
	delta := 0
	if i < 0 {
		if n.list && key != strconv.Itoa(len(n.entries)) {
			return n, 0, ErrIndex
		}
		i, delta = n.add(key), 1
		if deeper {
			n.entries[i].sub = &node{owner: t.owner}
		}
	}
	old := n.entries[i].sub
	if !deeper {
		delta += sub.below() - old.below()
		n.entries[i].sub = sub
		n.size += delta
		return n, delta, nil
	}
	if old == nil {
		return n, 0, ErrThrough
	}
	next, change, err := t.put(old, more, sub)
	if err != nil {
		return n, 0, err
	}
	n.entries[i].sub = next
	n.size += delta + change
	return n, delta + change, nil
}

func (t *Tree) remove(n *node, rest string) (*node, int) {
	seg, more, deeper := strings.Cut(rest, "/")
	i := n.find(unescape(seg))
	if i < 0 || deeper && n.entries[i].sub == nil {
		return n, 0
	}
	n = t.own(n)
	gone := 0
	switch {
	case deeper:
		n.entries[i].sub, gone = t.remove(n.entries[i].sub, more)
	case n.list:
		gone = n.entries[i].sub.below()
		n.entries[i].sub = nil
	default:
		gone = 1 + n.entries[i].sub.below()
		n.drop(i)
	}
	n.size -= gone
	return n, gone
}

// slab is the memory of the nodes of one value, taken in one piece.
type slab struct {
	owner   *owner
	nodes   []node
	entries []entry
}

// count adds what a value will take; its recursion is as deep as the value.
func count(v *jsonx.Value, nodes, entries *int) {
	if v.Kind != jsonx.Object && v.Kind != jsonx.Array {
		return
	}
	*nodes++
	*entries += len(v.Members) + len(v.Items)
	for i := range v.Members {
		count(&v.Members[i].Value, nodes, entries)
	}
	for i := range v.Items {
		count(&v.Items[i], nodes, entries)
	}
}

// build turns a value into nodes, nil for a scalar.
func (t *Tree) build(v *jsonx.Value) (*node, error) {
	var nodes, entries int
	count(v, &nodes, &entries)
	if nodes == 0 {
		return nil, nil
	}
	s := slab{owner: t.owner, nodes: make([]node, nodes), entries: make([]entry, entries)}
	return s.build(v)
}

// build takes the next node of the slab; its recursion is as deep as the value.
func (s *slab) build(v *jsonx.Value) (*node, error) {
	if v.Kind != jsonx.Object && v.Kind != jsonx.Array {
		return nil, nil
	}
	width := len(v.Members) + len(v.Items)
	n := &s.nodes[0]
	*n = node{owner: s.owner, list: v.Kind == jsonx.Array, entries: s.entries[:0:width], size: width}
	s.nodes, s.entries = s.nodes[1:], s.entries[width:]
	for i := range v.Members {
		m := &v.Members[i]
		if n.find(m.Key) >= 0 {
			return n, ErrDuplicate
		}
		if err := s.fill(n, m.Key, &m.Value); err != nil {
			return n, err
		}
	}
	for i := range v.Items {
		if err := s.fill(n, "", &v.Items[i]); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (s *slab) fill(n *node, key string, v *jsonx.Value) error {
	at := n.add(key)
	sub, err := s.build(v)
	n.entries[at].sub = sub
	n.size += sub.below()
	return err
}

func (n *node) below() int {
	if n == nil {
		return 0
	}
	return n.size
}

func (n *node) find(key string) int {
	if n.list {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(n.entries) || len(key) > 1 && key[0] == '0' {
			return -1
		}
		return i
	}
	if n.wide != nil {
		if i, ok := n.wide[key]; ok {
			return i
		}
		return -1
	}
	for i := range n.entries {
		if n.entries[i].key == key {
			return i
		}
	}
	return -1
}

// add appends a key that is not there and returns its place.
func (n *node) add(key string) int {
	if n.list {
		key = ""
	}
	i := len(n.entries)
	n.entries = append(n.entries, entry{key: key})
	switch {
	case n.list:
	case n.wide != nil:
		n.wide[key] = i
	case i == many:
		n.wide = make(map[string]int, max(2*many, cap(n.entries)))
		for at, e := range n.entries {
			n.wide[e.key] = at
		}
	}
	return i
}

// drop removes an entry by moving the last one into its place.
func (n *node) drop(i int) {
	last := len(n.entries) - 1
	delete(n.wide, n.entries[i].key)
	if i != last {
		n.entries[i] = n.entries[last]
		if n.wide != nil {
			n.wide[n.entries[i].key] = i
		}
	}
	n.entries = n.entries[:last]
}

// own returns a node that t may change.
func (t *Tree) own(n *node) *node {
	if n.owner == t.owner {
		return n
	}
	return &node{owner: t.owner, list: n.list, size: n.size, entries: slices.Clone(n.entries), wide: maps.Clone(n.wide)}
}

func unescape(seg string) string {
	if s, err := jsonptr.Unescape(seg); err == nil {
		return s
	}
	return seg
}
