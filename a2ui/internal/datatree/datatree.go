// Package datatree remembers which keys a data model has, and of their values
// only what class they are of.
//
// In: the values and deletions of data messages. Out: whether a pointer leads
// to something and to what class of value, and how many entries there are. A
// Tree is persistent: a fork that is written to copies only the nodes it touches, so
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
	owner uint64 // marks the nodes a tree may change in place
}

type node struct {
	owner   uint64
	list    bool
	size    size // of the nodes below, at any depth
	entries []entry
	wide    map[string]int // key → place in entries, once they are many
}

type entry struct {
	key   string // "" in a list
	sub   *node  // nil for a scalar
	class Class
	bytes int32 // of a text or number
}

// size is how much there is: entries, and about how many bytes they hold.
type size struct{ entries, bytes int }

func (s size) plus(t size) size  { return size{s.entries + t.entries, s.bytes + t.bytes} }
func (s size) minus(t size) size { return size{s.entries - t.entries, s.bytes - t.bytes} }

// size is that of an entry and of the node below it.
func (e *entry) size() size {
	return size{1, 16 + len(e.key) + int(e.bytes)}.plus(e.sub.below())
}

// set makes an entry hold v; sub is the node below it.
func (e *entry) set(v *jsonx.Value, sub *node) {
	e.sub, e.class, e.bytes = sub, classOf(v), int32(len(v.Str))
}

// Class is the part of a value that the validator has to know.
type Class uint8

// The classes. A text is Address if it is empty or an http or https address,
// Mail if it is a mailto address.
const (
	Missing Class = iota
	Null
	Scalar // number or boolean
	Address
	Mail
	Other // any other text
	Map
	List
)

// Entry is the target of a pointer.
type Entry struct {
	Class Class
	node  *node
}

// Indexed reports whether the keys of a Map are 0, 1, 2 and so on, in this order.
func (e Entry) Indexed() bool {
	if e.node == nil || e.node.list {
		return true
	}
	var buf [20]byte
	for i := range e.node.entries {
		if e.node.entries[i].key != string(strconv.AppendInt(buf[:0], int64(i), 10)) {
			return false
		}
	}
	return true
}

func classOf(v *jsonx.Value) Class {
	switch v.Kind {
	case jsonx.Null:
		return Null
	case jsonx.Object:
		return Map
	case jsonx.Array:
		return List
	case jsonx.String:
		return TextClass(v.Str)
	}
	return Scalar
}

// TextClass returns Address, Mail or Other.
func TextClass(s string) Class {
	switch i := strings.IndexByte(s[:min(len(s), len("mailto:"))], ':'); {
	case s == "", i == 4 && strings.EqualFold(s[:i], "http"), i == 5 && strings.EqualFold(s[:i], "https"):
		return Address
	case i == 6 && strings.EqualFold(s[:i], "mailto"):
		return Mail
	}
	return Other
}

// many is the width from which keys are looked up in a map.
const many = 12

// Fork returns a copy that may be written; the receiver must only be read from
// now on. owner is a number, not 0, that no tree with the same past was forked
// with.
func (t Tree) Fork(owner uint64) Tree { return Tree{root: t.root, owner: owner} }

// Size returns the number of members and items, containers included.
func (t Tree) Size() int { return t.root.below().entries }

// Bytes returns about how many bytes the model holds: its keys, texts and numbers, and
// 16 for each member and item.
func (t Tree) Bytes() int { return t.root.below().bytes }

// Has reports whether an absolute pointer leads to a value. "" and "/" are the
// whole model, which is always there.
func (t Tree) Has(path string) bool {
	if path == "" || path == "/" {
		return true
	}
	_, found := t.root.look(path[1:])
	return found
}

// Look returns what an absolute pointer leads to.
func (t Tree) Look(path string) Entry {
	if path == "" || path == "/" {
		return t.root.entry()
	}
	e, _ := t.root.look(path[1:])
	return e
}

func (n *node) entry() Entry {
	if n != nil && n.list {
		return Entry{List, n}
	}
	return Entry{Map, n}
}

// look follows a pointer without its first '/'.
func (n *node) look(rest string) (e Entry, found bool) {
	for n != nil {
		seg, more, deeper := strings.Cut(rest, "/")
		i := n.find(unescape(seg))
		if i < 0 {
			break
		}
		if !deeper {
			return Entry{n.entries[i].class, n.entries[i].sub}, true
		}
		n, rest = n.entries[i].sub, more
	}
	return e, false
}

// Each looks path up in every item of the lists, one inside the other, the
// outermost first and absolute, the others relative to their item. It stops
// when each returns false, or with budget below zero after that many lookups.
func (t Tree) Each(lists []string, path string, budget *int, each func(Entry) bool) {
	t.Look("").each(lists, path, budget, each)
}

func (e Entry) each(lists []string, path string, budget *int, each func(Entry) bool) bool {
	if *budget--; *budget < 0 {
		return false
	}
	if len(lists) == 0 {
		return each(e.below(path))
	}
	list := e.below(strings.TrimPrefix(lists[0], "/"))
	if list.node == nil {
		return true
	}
	for i := range list.node.entries {
		item := Entry{list.node.entries[i].class, list.node.entries[i].sub}
		if !item.each(lists[1:], path, budget, each) {
			return false
		}
	}
	return true
}

// below follows a relative path; "" is the value itself, and so is ".", which
// v0.8 has for it.
func (e Entry) below(path string) Entry {
	if path == "" || path == "." {
		return e
	}
	found, _ := e.node.look(path)
	return found
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
	t.root, err = t.put(t.root, path[1:], &v, sub)
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
	var gone size
	t.root, gone = t.remove(t.root, path[1:])
	return gone != size{}
}

// put writes a value at rest below n and returns n, copied if need be. Its recursion is as deep as the path.
func (t *Tree) put(n *node, rest string, v *jsonx.Value, below *node) (*node, error) {
	seg, more, deeper := strings.Cut(rest, "/")
	key := unescape(seg)
	i := n.find(key)
	n = t.own(n)
	var before size
	if i >= 0 {
		before = n.entries[i].size()
	} else {
		if n.list && key != strconv.Itoa(len(n.entries)) {
			return n, ErrIndex
		}
		if i = n.add(key); deeper {
			n.entries[i].sub, n.entries[i].class = &node{owner: t.owner}, Map
		}
	}
	if e := &n.entries[i]; !deeper {
		e.set(v, below)
	} else if e.sub == nil {
		return n, ErrThrough
	} else {
		next, err := t.put(e.sub, more, v, below)
		if err != nil {
			return n, err
		}
		e.sub = next
	}
	n.size = n.size.plus(n.entries[i].size()).minus(before)
	return n, nil
}

func (t *Tree) remove(n *node, rest string) (*node, size) {
	seg, more, deeper := strings.Cut(rest, "/")
	i := n.find(unescape(seg))
	if i < 0 || deeper && n.entries[i].sub == nil {
		return n, size{}
	}
	n = t.own(n)
	var gone size
	switch {
	case deeper:
		n.entries[i].sub, gone = t.remove(n.entries[i].sub, more)
	case n.list:
		gone = n.entries[i].size().minus((&entry{}).size())
		n.entries[i] = entry{}
	default:
		gone = n.entries[i].size()
		n.drop(i)
	}
	n.size = n.size.minus(gone)
	return n, gone
}

// slab is the memory of the nodes of one value, taken in one piece.
type slab struct {
	owner   uint64
	nodes   []node
	entries []entry
}

// count adds the nodes and entries of a value; its recursion is as deep as the value.
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
	*n = node{owner: s.owner, list: v.Kind == jsonx.Array, entries: s.entries[:0:width]}
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
	n.entries[at].set(v, sub)
	n.size = n.size.plus(n.entries[at].size())
	return err
}

func (n *node) below() size {
	if n == nil {
		return size{}
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
