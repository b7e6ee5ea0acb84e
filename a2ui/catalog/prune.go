package catalog

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Schemas are all the JSON Schemas that a model needs to write A2UI.
type Schemas struct {
	Messages a2ui.Data   // of the server→client messages; Null = none
	Common   a2ui.Data   // the common_types document that the others refer to; Null = none
	Catalogs []*Document // what may be drawn and computed
}

// Keep names what Prune leaves. A list that is nil leaves all of its kind, an
// empty one nothing; names that are not there are ignored.
type Keep struct {
	Components []string
	Functions  []string
	Messages   []string // definitions of the message schema, or members such as "updateComponents"
}

// Prune cuts the schemas down to the names in k, and to the definitions and common
// types that these refer to, directly or through one another. The schemas in s stay as
// they are.
func (s Schemas) Prune(k Keep) Schemas {
	out := Schemas{Messages: s.Messages, Common: s.Common, Catalogs: make([]*Document, len(s.Catalogs))}
	for i, d := range s.Catalogs {
		out.Catalogs[i] = d.Prune(k.Components, k.Functions)
	}
	if k.Messages != nil {
		out.Messages = pruneMessages(s.Messages, k.Messages)
	}
	out.Common = out.pruneCommon()
	return out
}

// Prune returns the catalog with only the named components and functions, and those of
// its definitions that they need. A list that is nil keeps all, an empty one nothing;
// unknown names are ignored.
func (d *Document) Prune(components, functions []string) *Document {
	out := d.data
	pruned := false
	for _, kind := range []struct {
		place, union string
		all          []a2ui.Member
		allowed      []string
	}{{"components", "anyComponent", d.Components(), components},
		{"functions", "anyFunction", d.Functions(), functions}} {
		if _, ok := d.data.Get(kind.place); !ok || kind.allowed == nil {
			continue
		}
		pruned = true
		out = set(out, kind.place, filter(jsonx.OfObject(kind.all...),
			func(m a2ui.Member) bool { return slices.Contains(kind.allowed, m.Key) }))
		out = pruneUnion(out, kind.union, kind.place)
	}
	if !pruned {
		return d
	}
	if defs, ok := out.Get("$defs"); ok {
		roots := references(drop(out, "$defs"), ownDefs)
		roots = append(roots, "anyComponent", "anyFunction", "theme")
		out = set(out, "$defs", reachable(defs, roots, ownDefs))
	}
	return d.with(out)
}

// pruneUnion leaves in $defs.anyComponent or $defs.anyFunction references to what
// was kept, and nothing else: another alternative would allow more.
func pruneUnion(doc a2ui.Data, union, place string) a2ui.Data {
	defs := doc.At("$defs")
	def := defs.At(union)
	list := def.At("oneOf")
	if list.Kind != jsonx.Array {
		return doc
	}
	there := byName(doc.At(place))
	list.Items = slices.DeleteFunc(slices.Clone(list.Items), func(item a2ui.Data) bool {
		name, ok := strings.CutPrefix(item.At("$ref").Text(), "#/"+place+"/")
		if !ok {
			return true
		}
		name, err := jsonptr.Unescape(name)
		_, kept := there[name]
		return err != nil || !kept
	})
	return set(doc, "$defs", set(defs, union, set(def, "oneOf", list)))
}

// ownDefs returns the definition that a reference names in its own document.
func ownDefs(ref string) (name string, ok bool) { return defName(ref, "") }

// commonDefs returns the definition that a reference names in common types, from
// outside.
func commonDefs(ref string) (name string, ok bool) {
	file, _, _ := strings.Cut(ref, "#")
	if !isCommon(file) {
		return "", false
	}
	return defName(ref, file)
}

func defName(ref, file string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(ref, file+"#/$defs/")
	if !ok {
		return "", false
	}
	name, _, _ = strings.Cut(rest, "/")
	name, err := jsonptr.Unescape(name)
	return name, err == nil
}

// references lists the definitions that a schema refers to, as named reports them.
func references(v a2ui.Data, named func(ref string) (string, bool)) []string {
	var out []string
	eachRef(v, false, func(ref string) {
		if name, ok := named(ref); ok {
			out = append(out, name)
		}
	})
	return out
}

// reachable returns the definitions that the roots lead to, in their order.
func reachable(defs a2ui.Data, roots []string, named func(ref string) (string, bool)) a2ui.Data {
	all := byName(defs)
	kept := make(map[string]bool, len(roots))
	for open := slices.Clone(roots); len(open) > 0; {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if def, ok := all[name]; ok && !kept[name] {
			kept[name] = true
			open = append(open, references(def, named)...)
		}
	}
	return filter(defs, func(m a2ui.Member) bool { return kept[m.Key] })
}

// byName indexes the members of an object.
func byName(v a2ui.Data) map[string]a2ui.Data {
	out := make(map[string]a2ui.Data, len(v.Members))
	for _, m := range v.Members {
		out[m.Key] = m.Value
	}
	return out
}

// pruneMessages keeps the messages that are allowed. A schema lists them as the
// alternatives of oneOf (v0.9 and later) or as its properties (v0.8).
func pruneMessages(schema a2ui.Data, allowed []string) a2ui.Data {
	defs := schema.At("$defs")
	keep := func(item a2ui.Data) bool {
		name, ok := ownDefs(item.At("$ref").Text())
		return ok && (slices.Contains(allowed, name) || declares(defs.At(name), allowed))
	}
	listed := false
	for _, union := range []string{"oneOf", "anyOf"} {
		list := schema.At(union)
		if list.Kind != jsonx.Array {
			continue
		}
		listed = true
		list.Items = slices.DeleteFunc(slices.Clone(list.Items), func(item a2ui.Data) bool { return !keep(item) })
		schema = set(schema, union, list)
	}
	if properties, ok := schema.Get("properties"); ok && !listed {
		schema = set(schema, "properties", filter(properties,
			func(m a2ui.Member) bool { return slices.Contains(allowed, m.Key) }))
	}
	if len(defs.Members) == 0 {
		return schema
	}
	roots := append(references(drop(schema, "$defs"), ownDefs), allowed...)
	return set(schema, "$defs", reachable(defs, roots, ownDefs))
}

// declares reports whether a message definition has one of the members.
func declares(def a2ui.Data, allowed []string) bool {
	return slices.ContainsFunc(def.At("properties").Members,
		func(m a2ui.Member) bool { return slices.Contains(allowed, m.Key) })
}

// pruneCommon returns the common types that the messages and catalogs lead to.
func (s Schemas) pruneCommon() a2ui.Data {
	defs, ok := s.Common.Get("$defs")
	if !ok {
		return s.Common
	}
	roots := references(s.Messages, commonDefs)
	for _, d := range s.Catalogs {
		roots = append(roots, references(d.data, commonDefs)...)
	}
	return set(s.Common, "$defs", reachable(defs, roots, func(ref string) (string, bool) {
		if name, ok := ownDefs(ref); ok {
			return name, true
		}
		return commonDefs(ref)
	}))
}

// Lenient returns a schema that allows members it does not know, anywhere:
// without additionalProperties and unevaluatedProperties that are false. A model
// with such a schema is not corrected for what clients ignore.
func Lenient(schema a2ui.Data) a2ui.Data {
	return rewrite(schema, false, func(v a2ui.Data) a2ui.Data {
		return filter(v, func(m a2ui.Member) bool {
			closed := m.Key == "additionalProperties" || m.Key == "unevaluatedProperties"
			return !closed || m.Value.Kind != jsonx.Bool || m.Value.Bool
		})
	})
}

// Lenient returns the catalog with lenient schemas.
func (d *Document) Lenient() *Document { return d.with(Lenient(d.data)) }
