package catalog

import (
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Where schemas stand inside a schema: what follows walks every object as a
// schema but for these members.
var (
	// inert are keywords whose value is data: a $ref in there is no reference.
	inert = map[string]bool{"const": true, "enum": true, "default": true, "examples": true}
	// named are keywords whose members are schemas under names of the author, so
	// that a member called "const" is no keyword.
	named = map[string]bool{"properties": true, "patternProperties": true, "$defs": true, "definitions": true,
		"dependentSchemas": true, "components": true, "functions": true, "styles": true, "parameters": true}
)

// rewrite returns the schema with change applied to each schema in it, inner
// ones first. What change returns as it was given is shared, not copied.
func rewrite(v a2ui.Data, change func(a2ui.Data) a2ui.Data) a2ui.Data {
	return rewriteIn(v, false, change)
}

// rewriteIn is rewrite for a schema, or (names) for schemas under names.
func rewriteIn(v a2ui.Data, names bool, change func(a2ui.Data) a2ui.Data) a2ui.Data {
	switch v.Kind {
	case jsonx.Array:
		v.Items = slices.Clone(v.Items)
		for i := range v.Items {
			v.Items[i] = rewriteIn(v.Items[i], false, change)
		}
	case jsonx.Object:
		v.Members = slices.Clone(v.Members)
		for i, m := range v.Members {
			if names || !inert[m.Key] {
				v.Members[i].Value = rewriteIn(m.Value, !names && named[m.Key], change)
			}
		}
		if !names {
			v = change(v)
		}
	}
	return v
}

// eachRef calls visit with every reference in a schema.
func eachRef(v a2ui.Data, visit func(ref string)) { eachRefIn(v, false, visit) }

func eachRefIn(v a2ui.Data, names bool, visit func(ref string)) {
	for _, item := range v.Items {
		eachRefIn(item, false, visit)
	}
	for _, m := range v.Members {
		if !names && m.Key == "$ref" && m.Value.Kind == jsonx.String {
			visit(m.Value.Str)
		}
		if names || !inert[m.Key] {
			eachRefIn(m.Value, !names && named[m.Key], visit)
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
