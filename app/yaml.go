package app

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/internal/near"
)

// Bounds on the work that a file can cause. An alias repeats the nodes it refers to, so
// visits are counted, not nodes. A declaration of 50 forms with 20 fields each has
// about 8,000.
const (
	maxVisits = 50_000
	maxDepth  = 40
	maxPath   = 256 // bytes of a member path; each such part more counts as one more visit
)

// reader turns the nodes of one file into a Config. It collects faults and
// goes on with zero values, and remembers the place of each member.
type reader struct {
	loading
	file   string
	places map[string]place // of members, by their paths in New's errors
	faults []error
	unread []error         // those of faults that are more than an unknown key
	used   map[string]bool // handlers named by actions
	budget int
	room   int // bytes that schemas and examples may still have
}

// item is one value of the file and its member path.
type item struct {
	r    *reader
	path string
	node *yaml.Node // never an alias; nil = absent
}

// resolved returns what an alias refers to, or the node itself.
func resolved(n *yaml.Node) *yaml.Node {
	for range maxDepth {
		if n == nil || n.Kind != yaml.AliasNode {
			break
		}
		n = n.Alias
	}
	return n
}

// item resolves an alias and counts the visit. The path is kept, so a long one counts as several.
func (r *reader) item(path string, n *yaml.Node) item {
	n = resolved(n)
	within := r.budget >= 0
	r.budget -= 1 + len(path)/maxPath
	if r.budget < 0 || n == nil || n.Kind == yaml.AliasNode {
		if within && r.budget < 0 && n != nil {
			r.report(n, CodeYAML, "more than %d values, those that aliases repeat included", maxVisits)
		}
		return item{r: r, path: path}
	}
	if _, known := r.places[path]; !known {
		r.places[path] = placeOf(n)
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return item{r: r, path: path} // "key:" alone is the same as no key
	}
	return item{r: r, path: path, node: n}
}

func (it item) absent() bool { return it.node == nil }

func (it item) is(k yaml.Kind) bool { return it.node != nil && it.node.Kind == k }

// wrong reports a value of another type than wanted.
func (it item) wrong(want string) {
	if it.absent() {
		at := it.r.places[it.path]
		it.node = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: at.line, Column: at.column}
	}
	e := it.r.report(it.node, CodeYAML, "%s is %s: want %s", it.label(), kindOf(it.node), want)
	if want == wantText && it.is(yaml.ScalarNode) {
		e.Hint = "put it in quotes"
	}
}

func (it item) label() string {
	if it.path == "" {
		return "the file"
	}
	return it.path
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "a number"
	case "!!str":
		return "a text"
	case "!!null":
		return "nothing"
	}
	return "a value of type " + clip(n.ShortTag())
}

const (
	wantText   = "a text"
	wantNumber = "a decimal number such as 10 or -2.5"
)

// text reads a string. Numbers and dates are kept as written; true and false
// are not texts.
func (it item) text() string {
	if it.absent() {
		return ""
	}
	if it.is(yaml.ScalarNode) {
		switch it.node.ShortTag() {
		case "!!str", "!!int", "!!float", "!!timestamp":
			return it.node.Value
		}
	}
	it.wrong(wantText)
	return ""
}

func (it item) flag(absent bool) bool {
	if it.absent() {
		return absent
	}
	var b bool
	if !it.is(yaml.ScalarNode) || it.node.ShortTag() != "!!bool" || it.node.Decode(&b) != nil {
		it.wrong("true or false")
	}
	return b
}

func (it item) count() int {
	if it.absent() {
		return 0
	}
	n, err := 0, error(nil)
	if it.is(yaml.ScalarNode) && it.node.ShortTag() == "!!int" {
		n, err = strconv.Atoi(it.node.Value)
	}
	if err != nil || !it.is(yaml.ScalarNode) || it.node.ShortTag() != "!!int" {
		it.wrong("a whole number such as 10")
		return 0
	}
	return n
}

// list returns the items of a list.
func (it item) list() []item {
	if it.absent() {
		return nil
	}
	if !it.is(yaml.SequenceNode) {
		it.wrong("a list")
		return nil
	}
	var out []item
	for i, n := range it.node.Content {
		if it.r.budget < 0 {
			return out
		}
		out = append(out, it.r.item(it.path+"["+strconv.Itoa(i)+"]", n))
	}
	return out
}

// texts reads a list of strings; one string alone is a list of one.
func (it item) texts() []string {
	if it.is(yaml.ScalarNode) {
		return []string{it.text()}
	}
	var out []string
	for _, x := range it.list() {
		out = append(out, x.text())
	}
	return out
}

// object is a mapping whose keys are known.
type object struct {
	item
	keys map[string]*yaml.Node
}

// object reads a mapping of the kind, see mappings. An unknown key is a fault, and read as
// the one that it resembles: that shows what else is wrong.
func (it item) object(kind string) object {
	known := mappings[kind]
	o := object{item: it, keys: map[string]*yaml.Node{}}
	var unknown []pair
	for _, p := range it.pairs() {
		if it.r.budget < 0 {
			break
		}
		if !known.has(p.key) {
			e := it.r.note(p.at, CodeYAML, "%sunknown key %q", prefix(it.path), clip(p.key))
			suggest(e, p.key, known.names())
			unknown = append(unknown, p)
			continue
		}
		o.keys[p.key] = p.value
	}
	for _, p := range unknown {
		if meant := near.Name(p.key, known.names()); meant != "" && o.keys[meant] == nil {
			o.keys[meant] = p.value
		}
	}
	return o
}

type pair struct {
	key       string
	at, value *yaml.Node
}

// pairs lists a mapping in the order of the file, without keys that are no
// texts or occur twice.
func (it item) pairs() []pair {
	if it.absent() {
		return nil
	}
	if !it.is(yaml.MappingNode) {
		it.wrong("a mapping")
		return nil
	}
	seen := map[string]int{}
	var out []pair
	for i := 0; i+1 < len(it.node.Content) && it.r.budget >= 0; i += 2 {
		k := it.node.Content[i]
		if k.Kind != yaml.ScalarNode || k.ShortTag() != "!!str" {
			e := it.r.report(k, CodeYAML, "%sa key is a plain text", prefix(it.path))
			if k.ShortTag() == "!!merge" {
				e.Hint = "merge keys are not read; write the keys out, or use an alias as a value"
			}
			continue
		}
		if first, twice := seen[k.Value]; twice {
			it.r.report(k, CodeYAML, "%skey %q stands twice, first in line %d", prefix(it.path), clip(k.Value), first)
			continue
		}
		seen[k.Value] = k.Line
		out = append(out, pair{k.Value, k, it.node.Content[i+1]})
	}
	return out
}

func prefix(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}

// get returns the value of a key; absent if it is not there.
func (o object) get(key string) item {
	path := key
	if o.path != "" {
		path = o.path + "." + key
	}
	n := o.keys[key]
	if n == nil {
		return item{r: o.r, path: path}
	}
	return o.r.item(path, n)
}

func (o object) text(key string) string { return o.get(key).text() }
