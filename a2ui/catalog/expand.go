package catalog

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// What Expand makes is bounded, however often the definitions of a small
// document name one another.
const (
	maxExpanded      = 200_000 // values
	maxExpandedDepth = 256
)

// Expand returns the document with each $ref replaced by its target: own
// definitions ("#/$defs/…"), and those of common, the version's common_types
// document, which may be Null. A text beside a $ref (description, default …)
// replaces that of the definition.
//
// Three kinds of $ref stay: into documents that are not there, to the unions
// $defs.anyComponent and $defs.anyFunction, and those that lead in a circle, such
// as a function call among the arguments of a function call. What a circle needs
// of common joins $defs, unless the document has its own definition of that name:
// then the $ref stays with its full address. The members of $defs that
// are still referred to stay. A $ref to nothing and a result above 200,000 values are errors.
func (d *Document) Expand(common a2ui.Data) (*Document, error) {
	in := &expander{own: pointers{doc: d.data}, common: pointers{doc: common}, left: maxExpanded}
	in.address = common.At("$id").Text()
	if in.address == "" {
		in.address = commonName
	}
	out, err := in.members(d.data, place{}, func(key string) bool { return key != "$defs" })
	if err != nil {
		return nil, err
	}
	defs, err := in.defs(out, d.data.At("$defs"))
	if err != nil {
		return nil, err
	}
	if out = drop(out, "$defs"); len(defs.Members) > 0 {
		out = set(out, "$defs", defs)
	}
	return d.with(out), nil
}

// commonName is the file that catalogs take shared types from.
const commonName = "common_types.json"

// place is the position of a schema: its document, as a schema or as schemas
// under names, and how deep in the result.
type place struct {
	common bool
	names  bool
	depth  int
}

type expander struct {
	own, common pointers
	address     string   // of common
	active      []string // the references that are being replaced, outermost first
	left        int      // values that may still be made
}

// members expands the members of an object that want asks for.
func (in *expander) members(v a2ui.Data, at place, want func(key string) bool) (a2ui.Data, error) {
	names := at.names
	at.depth++
	v.Members = slices.Clone(v.Members)
	for i, m := range v.Members {
		if !names && inert[m.Key] || !want(m.Key) {
			continue
		}
		at.names = !names && named[m.Key]
		value, err := in.value(m.Value, at)
		if err != nil {
			return v, err
		}
		v.Members[i].Value = value
	}
	return v, nil
}

func anyKey(string) bool { return true }

func (in *expander) value(v a2ui.Data, at place) (a2ui.Data, error) {
	if in.left--; in.left < 0 || at.depth > maxExpandedDepth {
		return v, &Error{Keyword: "$ref", Message: fmt.Sprintf(
			"with its definitions put in, the catalog is larger than %d values or deeper than %d", maxExpanded,
			maxExpandedDepth)}
	}
	switch v.Kind {
	case jsonx.Array:
		v.Items = slices.Clone(v.Items)
		at.names = false
		at.depth++
		for i, item := range v.Items {
			value, err := in.value(item, at)
			if err != nil {
				return v, err
			}
			v.Items[i] = value
		}
		return v, nil
	case jsonx.Object:
		v, err := in.members(v, at, anyKey)
		if ref := v.At("$ref"); err == nil && !at.names && ref.Kind == jsonx.String {
			return in.reference(v, ref.Str, at)
		}
		return v, err
	}
	return v, nil
}

// reference replaces a schema that has a $ref.
func (in *expander) reference(v a2ui.Data, ref string, at place) (a2ui.Data, error) {
	common, pointer, ok := in.find(ref, at.common)
	if !ok {
		return v, nil
	}
	full := "#" + pointer
	if common {
		full = in.address + full
	}
	if slices.Contains(in.active, full) || !common && isUnion(pointer) {
		if name, ok := strings.CutPrefix(pointer, "/$defs/"); ok && common && !strings.Contains(name, "/") &&
			in.own.doc.At("$defs").At(name).Kind == jsonx.Null {
			full = "#" + pointer
		}
		return set(v, "$ref", jsonx.Of(full)), nil
	}
	doc := &in.own
	if common {
		doc = &in.common
	}
	target, err := doc.lookUp(pointer)
	if err == nil && (pointer == "" || pointer == "/$defs" || !isSchema(target)) {
		err = errors.New("what it names is no schema")
	}
	if err != nil {
		return v, &Error{Keyword: "$ref", Message: fmt.Sprintf("the reference %q: %v", ref, err)}
	}
	in.active = append(in.active, full)
	at.common = common
	at.depth++
	target, err = in.value(target, at)
	in.active = in.active[:len(in.active)-1]
	if err != nil {
		return v, err
	}
	return join(target, drop(v, "$ref")), nil
}

func isUnion(pointer string) bool {
	return pointer == "/$defs/anyComponent" || pointer == "/$defs/anyFunction"
}

// find returns the document that a reference leads to, and the pointer into it; ok
// is false for documents that are not there.
func (in *expander) find(ref string, inCommon bool) (common bool, pointer string, ok bool) {
	file, pointer, _ := strings.Cut(ref, "#")
	switch {
	case pointer != "" && pointer[0] != '/':
		return false, "", false // an anchor
	case file == "":
		return inCommon, pointer, true
	case isCommon(file) || file == in.address:
		return true, pointer, in.common.doc.Kind == jsonx.Object
	case file == in.own.doc.At("$id").Text() || inCommon && path.Base(file) == "catalog.json":
		return false, pointer, true
	}
	return false, "", false
}

// isCommon reports whether the file part of a reference names common types.
func isCommon(file string) bool { return path.Base(file) == commonName }

// pointers follows pointers into a document. The members of $defs and the like,
// of which there may be many, are indexed once.
type pointers struct {
	doc     a2ui.Data
	indexed map[string]map[string]a2ui.Data // the members of a member of the document
}

func (p *pointers) lookUp(pointer string) (a2ui.Data, error) {
	segs, err := jsonptr.Split(pointer)
	if err != nil {
		return a2ui.Data{}, err
	}
	at := p.doc
	for depth, seg := range segs {
		var next a2ui.Data
		var ok bool
		if depth == 1 {
			next, ok = p.members(segs[0], at)[seg]
		} else {
			next, ok = at.Get(seg)
		}
		if !ok {
			return a2ui.Data{}, fmt.Errorf("there is no %q", seg)
		}
		at = next
	}
	return at, nil
}

func (p *pointers) members(name string, v a2ui.Data) map[string]a2ui.Data {
	if p.indexed[name] == nil {
		if p.indexed == nil {
			p.indexed = map[string]map[string]a2ui.Data{}
		}
		p.indexed[name] = byName(v)
	}
	return p.indexed[name]
}

// notes are keywords that say something and check nothing.
var notes = map[string]bool{"title": true, "description": true, "default": true, "examples": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "$comment": true}

// join joins the members beside a $ref with the target of the $ref. Both hold, so
// unless one is only notes or they are apart, they become an allOf.
func join(target, beside a2ui.Data) a2ui.Data {
	if len(beside.Members) == 0 {
		return target
	}
	if target.Kind != jsonx.Object || !apart(target, beside) {
		return set(beside, "allOf", jsonx.OfArray(append([]a2ui.Data{target}, beside.At("allOf").Items...)...))
	}
	target.Members = over(target.Members, beside.Members)
	return target
}

// apart reports whether the members beside a $ref can be among those of the target:
// they are notes, or the two have no member in common, and neither closes an object,
// which would count the members of both.
func apart(target, beside a2ui.Data) bool {
	checks, there := false, byName(target)
	for _, m := range beside.Members {
		if notes[m.Key] {
			continue
		}
		checks = true
		if _, both := there[m.Key]; both || closes[m.Key] {
			return false
		}
	}
	return !checks || !slices.ContainsFunc(target.Members, func(m a2ui.Member) bool { return closes[m.Key] })
}

var closes = map[string]bool{"additionalProperties": true, "unevaluatedProperties": true, "items": true, "if": true,
	"then": true, "else": true,
	"additionalItems": true, "unevaluatedItems": true, "contains": true, "properties": true, "patternProperties": true}

// defs returns the definitions that out still refers to, expanded: those of the
// document in their order, then those of the common types.
func (in *expander) defs(out, defs a2ui.Data) (a2ui.Data, error) {
	own, common, kept := byName(defs), byName(in.common.doc.At("$defs")), map[string]a2ui.Data{}
	open := append(references(drop(out, "$defs"), ownDefs), "anyComponent", "anyFunction", "theme")
	for len(open) > 0 {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		def, ok := own[name]
		at, full := place{}, "#"+jsonptr.Join("$defs", name)
		if !ok && !isUnion("/$defs/"+name) && name != "theme" {
			def, ok = common[name]
			at, full = place{common: true}, in.address+full
		}
		if _, done := kept[name]; done || !ok {
			continue
		}
		if !isUnion("/$defs/" + name) {
			var err error
			in.active = append(in.active[:0], full)
			if def, err = in.value(def, at); err != nil {
				return defs, err
			}
			in.active = in.active[:0]
		}
		kept[name] = def
		open = append(open, references(def, ownDefs)...)
	}
	out = jsonx.OfObject()
	for _, list := range [][]a2ui.Member{defs.Members, in.common.doc.At("$defs").Members} {
		for _, m := range list {
			if def, ok := kept[m.Key]; ok {
				out.Members = append(out.Members, a2ui.Member{Key: m.Key, Value: def})
				delete(kept, m.Key)
			}
		}
	}
	return out, nil
}

// The places of schemas inside a schema: what follows walks every object as a
// schema but for these members.
var (
	// inert are keywords whose value is data: a $ref in there is no reference.
	inert = map[string]bool{"const": true, "enum": true, "default": true, "examples": true}
	// named are keywords whose members are schemas under names of the author, so
	// that a member called "const" is no keyword.
	named = map[string]bool{"properties": true, "patternProperties": true, "$defs": true, "definitions": true,
		"dependentSchemas": true, "components": true, "functions": true, "styles": true, "parameters": true}
)

// rewrite returns a schema, or (names) schemas under names, with change applied to each
// schema in it, inner ones first. What change returns as it was given is shared, not copied.
func rewrite(v a2ui.Data, names bool, change func(a2ui.Data) a2ui.Data) a2ui.Data {
	switch v.Kind {
	case jsonx.Array:
		v.Items = slices.Clone(v.Items)
		for i := range v.Items {
			v.Items[i] = rewrite(v.Items[i], false, change)
		}
	case jsonx.Object:
		v.Members = slices.Clone(v.Members)
		for i, m := range v.Members {
			if names || !inert[m.Key] {
				v.Members[i].Value = rewrite(m.Value, !names && named[m.Key], change)
			}
		}
		if !names {
			v = change(v)
		}
	}
	return v
}

// eachRef calls visit with every reference in a schema, or (names) in schemas under names.
func eachRef(v a2ui.Data, names bool, visit func(ref string)) {
	for _, item := range v.Items {
		eachRef(item, false, visit)
	}
	for _, m := range v.Members {
		if !names && m.Key == "$ref" && m.Value.Kind == jsonx.String {
			visit(m.Value.Str)
		}
		if names || !inert[m.Key] {
			eachRef(m.Value, !names && named[m.Key], visit)
		}
	}
}

// set returns the object with the member replaced, or added at the end.
func set(v a2ui.Data, key string, value a2ui.Data) a2ui.Data {
	members := slices.Clone(v.Members)
	i := slices.IndexFunc(members, func(m a2ui.Member) bool { return m.Key == key })
	if i < 0 {
		members = append(members, a2ui.Member{Key: key, Value: value})
	} else {
		members[i].Value = value
	}
	v.Members = members
	return v
}

// drop returns the object without the member.
func drop(v a2ui.Data, key string) a2ui.Data {
	return filter(v, func(m a2ui.Member) bool { return m.Key != key })
}

// filter returns the object with the members that keep wants.
func filter(v a2ui.Data, keep func(a2ui.Member) bool) a2ui.Data {
	members := make([]a2ui.Member, 0, len(v.Members))
	for _, m := range v.Members {
		if keep(m) {
			members = append(members, m)
		}
	}
	v.Members = members
	return v
}
