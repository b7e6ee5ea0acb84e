package jsonx

// Doc is a scanned input: its values and keys as a flat list, in the order in
// which they are in it. Only Scan changes it.
type Doc struct {
	src   string // the input, of which texts are parts
	nodes []node
	texts []string // of strings with escapes
}

// node is one value or key. An object is followed by the key and the value of
// each member, an array by its items.
type node struct {
	off  int32 // where it starts in the input
	n    int32 // of a String or Number its length, of one with escapes its place in texts; else the number of entries
	next int32 // the node after it and all it holds
	kind Kind
	flag bool // of a String: it has escapes; of a Bool: its value
}

// Node is one value of a Doc. The zero Node is Null.
type Node struct {
	doc *Doc
	at  int32
}

// Root returns the value that was scanned.
func (d *Doc) Root() Node { return Node{d, 0} }

// Found reports whether n is a value; a search that finds nothing returns a Node
// without one.
func (n Node) Found() bool { return n.doc != nil }

// Kind returns the JSON type.
func (n Node) Kind() Kind {
	if n.doc == nil {
		return Null
	}
	return n.doc.nodes[n.at].kind
}

// Off returns the byte offset at which the value starts.
func (n Node) Off() int {
	if n.doc == nil {
		return 0
	}
	return int(n.doc.nodes[n.at].off)
}

// Len returns the number of members of an Object, or of items of an Array.
func (n Node) Len() int {
	if k := n.Kind(); k != Object && k != Array {
		return 0
	}
	return int(n.doc.nodes[n.at].n)
}

// Text returns the text of a String and "" for anything else.
func (n Node) Text() string {
	if n.Kind() != String {
		return ""
	}
	return n.doc.text(n.at)
}

// Bool returns the value of a Bool and false for anything else.
func (n Node) Bool() bool { return n.Kind() == Bool && n.doc.nodes[n.at].flag }

// Float returns a Number as Value.Float does.
func (n Node) Float() (float64, bool) {
	if n.Kind() != Number {
		return 0, false
	}
	return Value{Kind: Number, Str: n.doc.number(n.at)}.Float()
}

// text returns the text of a String or a key.
func (d *Doc) text(at int32) string {
	m := &d.nodes[at]
	if m.flag {
		return d.texts[m.n]
	}
	return d.src[m.off+1 : m.off+1+m.n]
}

// number returns the text of a Number.
func (d *Doc) number(at int32) string {
	m := &d.nodes[at]
	return d.src[m.off : m.off+m.n]
}

// Get returns the member of an Object by key, and whether it is there.
func (n Node) Get(key string) (Node, bool) {
	if n.Kind() != Object {
		return Node{}, false
	}
	for e := n.Entries(); e.OK(); e = e.Next() {
		if e.Key() == key {
			return e.Value(), true
		}
	}
	return Node{}, false
}

// Item returns an item of an Array, and whether it is there.
func (n Node) Item(i int) (Node, bool) {
	if n.Kind() != Array || i < 0 || i >= n.Len() {
		return Node{}, false
	}
	e := n.Entries()
	for range i {
		e = e.Next()
	}
	return e.Value(), true
}

// At is Get without the presence flag: a missing member is Null.
func (n Node) At(key string) Node {
	m, _ := n.Get(key)
	return m
}

// Entry is one step of a walk over the members of an Object or the items of an
// Array:
//
//	for e := n.Entries(); e.OK(); e = e.Next() {
//		use(e.Key(), e.Value())
//	}
type Entry struct {
	doc     *Doc
	at, end int32
	keys    int32 // 1 in an Object: its values follow their keys
}

// Entries returns the first step; a scalar has no steps.
func (n Node) Entries() Entry {
	if n.doc == nil {
		return Entry{}
	}
	switch m := &n.doc.nodes[n.at]; m.kind {
	case Object:
		return Entry{n.doc, n.at + 1, m.next, 1}
	case Array:
		return Entry{n.doc, n.at + 1, m.next, 0}
	}
	return Entry{}
}

// OK reports whether there is such an entry; without, the others may not be asked.
func (e Entry) OK() bool { return e.at < e.end }

// Next returns the step to the entry after this one.
func (e Entry) Next() Entry {
	e.at = e.doc.nodes[e.at+e.keys].next
	return e
}

// Key returns the key of a member, and "" of an item.
func (e Entry) Key() string {
	if e.keys == 0 {
		return ""
	}
	return e.doc.text(e.at)
}

// Value returns the value of the entry, and Member both.
func (e Entry) Value() Node { return Node{e.doc, e.at + e.keys} }

// Member returns the entry of an object as a tree.
func (e Entry) Member() Member { return Member{Key: e.Key(), Value: e.Value().Value()} }

// HasText reports whether a text or key of the value is one of two, or begins with the
// byte first if it is not 0. It is quicker than building a value that is then dropped.
func (n Node) HasText(a, b string, first byte) bool {
	if n.doc == nil {
		return false
	}
	for i := n.at; i < n.doc.nodes[n.at].next; i++ {
		if n.doc.nodes[i].kind != String {
			continue
		}
		if t := n.doc.text(i); t == a || t == b || first != 0 && t != "" && t[0] == first {
			return true
		}
	}
	return false
}

// Value builds the tree. All of it lies in one list of members and one of items.
func (n Node) Value() Value {
	if n.doc == nil {
		return Value{}
	}
	b := builder{doc: n.doc}
	if m := &n.doc.nodes[n.at]; m.kind >= Array && m.n > 0 {
		items, members := 0, 0
		for i := n.at; i < m.next; i++ {
			switch c := &n.doc.nodes[i]; c.kind {
			case Array:
				items += int(c.n)
			case Object:
				members += int(c.n)
			}
		}
		if items > 0 {
			b.items = make([]Value, items)
		}
		if members > 0 {
			b.members = make([]Member, members)
		}
	}
	var v Value
	b.build(&v, n.at)
	return v
}

type builder struct {
	doc     *Doc
	items   []Value
	members []Member
}

// build fills v and returns the node after it.
func (b *builder) build(v *Value, at int32) int32 {
	m := &b.doc.nodes[at]
	v.Kind = m.kind
	switch m.kind {
	case Bool:
		v.Bool = m.flag
	case Number:
		v.Str = b.doc.number(at)
	case String:
		v.Str = b.doc.text(at)
	case Array:
		if m.n == 0 {
			break
		}
		v.Items = b.items[:m.n:m.n]
		b.items = b.items[m.n:]
		at++
		for i := range v.Items {
			at = b.build(&v.Items[i], at)
		}
	case Object:
		if m.n == 0 {
			break
		}
		v.Members = b.members[:m.n:m.n]
		b.members = b.members[m.n:]
		at++
		for i := range v.Members {
			v.Members[i].Key = b.doc.text(at)
			at = b.build(&v.Members[i].Value, at+1)
		}
	}
	return m.next
}
