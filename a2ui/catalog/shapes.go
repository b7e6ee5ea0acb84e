package catalog

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// dynamics are the common types that have a separate kind.
var dynamics = map[string]a2ui.Kind{
	"ComponentId": wire.Child, "Child": wire.Child, "ChildList": wire.Children, "CallId": wire.PlainString,
	"DynamicString": wire.DynString, "DynamicNumber": wire.DynNumber, "DynamicBoolean": wire.DynBool,
	"DynamicStringList": wire.DynStrings,
	"DynamicValue":      wire.DynValue, "DataBinding": wire.PathOnly, "FunctionCall": wire.CallOnly,
	"Action":                  wire.ActionValue,
	"AccessibilityAttributes": wire.A11y,
}

// common returns a common type of the specification.
func (c *compiler) common(name string) (s schema, ok bool) {
	if kind, ok := dynamics[name]; ok {
		s.Kind = kind
		return s, true
	}
	s = schema{PropDef: a2ui.PropDef{Kind: wire.ObjectOf}, open: true}
	switch name {
	case "ComponentCommon":
		s.Fields = []a2ui.PropDef{wire.Need("id", wire.PlainString), wire.Opt("accessibility", wire.A11y)}
		if c.f.Inline {
			s.Fields = append(s.Fields, wire.Opt("metadata", wire.Metadata))
		}
	case "Checkable":
		s.Fields = []a2ui.PropDef{wire.Opt("checks", wire.CheckList)}
	case "FunctionCommon":
		s.Fields = []a2ui.PropDef{wire.Need("call", wire.PlainString), wire.Opt("catalogId", wire.PlainString)}
	case "CheckRule":
		s.closed, s.rule = true, true
		s.Fields = []a2ui.PropDef{wire.Need("condition", wire.DynBool),
			{Name: "message", Kind: wire.PlainString, Required: !c.f.VerdictChecks}}
	case "Extensions":
	default:
		return s, false
	}
	for i := range s.Fields {
		switch f := &s.Fields[i]; f.Name {
		case "accessibility", "checks", "metadata":
			if c.reserved {
				f.Name = "@" + f.Name
			}
		}
	}
	return s, true
}

// unwrapped reads the objects of v0.8 back: the names of their members give the kind of
// their values.
func (s schema) unwrapped() schema {
	literals := 0
	var kind a2ui.Kind
	var enum []string
	for i := range s.Fields {
		f := &s.Fields[i]
		switch f.Name {
		case "path":
			continue
		case "literalString":
			kind, enum = wire.DynString, f.Enum
		case "literalNumber":
			kind = wire.DynNumber
		case "literalBoolean":
			kind = wire.DynBool
		case "literalArray":
			kind = wire.DynStrings
		default:
			return s.structure()
		}
		literals++
	}
	switch {
	case len(s.Fields) == 0:
		return s
	case literals == 0:
		kind = wire.PathOnly
	case literals > 1:
		kind = wire.DynValue
	case enum != nil:
		kind = wire.IconName
	}
	return schema{PropDef: a2ui.PropDef{Kind: kind, Enum: enum}}
}

// structure knows the children and the action of v0.8.
func (s schema) structure() schema {
	names := make([]string, 0, len(s.Fields))
	for i := range s.Fields {
		names = append(names, s.Fields[i].Name)
	}
	slices.Sort(names)
	context := s.named("context")
	switch {
	case slices.Contains(names, "explicitList") || slices.Equal(names, []string{"template"}):
		return schema{PropDef: a2ui.PropDef{Kind: wire.Children}}
	case context != nil && context.Kind == wire.ListOf && slices.Equal(names, []string{"context", "name"}):
		return schema{PropDef: a2ui.PropDef{Kind: wire.ActionValue}}
	}
	return s
}

// union reads the alternatives of oneOf and anyOf.
func (c *compiler) union(keyword string, list []a2ui.Data) (s schema, err error) {
	if len(list) == 0 {
		return s, c.fail("", "%s is a list of schemas", keyword)
	}
	if some := required(list); some != nil && keyword == "anyOf" {
		s.some = some
		return s, nil
	}
	alts := make([]schema, 0, len(list))
	depth := len(c.at)
	for i, item := range list {
		c.at = append(c.at[:depth], strconv.Itoa(i))
		alt, err := c.schema(item)
		if err != nil {
			return s, err
		}
		if alt.some != nil || alt.moment {
			return s, c.fail("", "an alternative cannot be read")
		}
		alts = append(alts, alt)
	}
	c.at = c.at[:depth]
	return alternatives(alts), nil
}

// required returns the names if every alternative only requires one member.
func required(list []a2ui.Data) (names []string) {
	for _, alt := range list {
		items := alt.At("required").Items
		if len(alt.Members) != 1 || len(items) != 1 {
			return nil
		}
		names = append(names, items[0].Text())
	}
	return names
}

// alternatives is a choice; those that the common types have get their kind.
func alternatives(alts []schema) (s schema) {
	var rest []a2ui.PropDef
	path, call := false, false
	for i := range alts {
		switch row := alts[i].row(); row.Kind {
		case wire.PathOnly:
			path = true
		case wire.CallOnly:
			call = true
		case wire.OneOfKinds:
			rest = append(rest, row.Any...)
		default:
			rest = append(rest, row)
		}
	}
	if path && call && len(rest) == 1 {
		if kind, ok := dynamicKind(&rest[0]); ok {
			s.PropDef = rest[0]
			s.Kind, s.Item = kind, nil
			return s
		}
	}
	if path && !call && len(rest) == 2 && rest[0].Kind == wire.Enum && isGlyph(&rest[1]) {
		s.Kind, s.Enum = wire.IconName, rest[0].Enum
		return s
	}
	if path {
		rest = append(rest, a2ui.PropDef{Kind: wire.PathOnly})
	}
	if call {
		rest = append(rest, a2ui.PropDef{Kind: wire.CallOnly})
	}
	if len(rest) == 1 {
		s.PropDef = rest[0]
		s.closed = !rest[0].Open
		s.open = rest[0].Open
		return s
	}
	s.Kind, s.Any = wire.OneOfKinds, rest
	return s
}

// dynamicKind is the kind of a literal that may be bound or computed too.
func dynamicKind(row *a2ui.PropDef) (a2ui.Kind, bool) {
	switch row.Kind {
	case wire.PlainString:
		return wire.DynString, true
	case wire.PlainNumber:
		return wire.DynNumber, true
	case wire.PlainBool:
		return wire.DynBool, true
	case wire.ListOf:
		return wire.DynStrings, row.Item.Kind == wire.PlainString && row.Item.Bounds == nil && row.Bounds == nil
	}
	return 0, false
}

// isGlyph reports whether v is {svgPath}, an icon that is drawn.
func isGlyph(row *a2ui.PropDef) bool {
	return row.Kind == wire.ObjectOf && !row.Open && len(row.Fields) == 1 && row.Fields[0].Name == "svgPath" &&
		row.Fields[0].Required &&
		(row.Fields[0].Kind == wire.PlainString || row.Fields[0].Kind == wire.DynString)
}

// merge is what both schemas take.
func (c *compiler) merge(a, b schema) (schema, error) {
	if a.free() {
		return b, nil
	}
	if b.free() {
		return a, nil
	}
	if len(b.some) > 0 && (a.Kind == wire.ObjectOf || a.Kind == wire.AnyValue && a.Bounds == nil) && a.some == nil {
		a.Kind, a.some = wire.ObjectOf, b.some
		return a, nil
	}
	if len(a.some) > 0 && b.Kind == wire.ObjectOf && b.some == nil {
		b.some = a.some
		return b, nil
	}
	if a.Kind == wire.ObjectOf && b.Kind == wire.ObjectOf {
		return c.mergeObjects(a, b)
	}
	// The narrower kind first.
	if a.Kind == wire.AnyValue || a.Kind == wire.PlainString && b.Kind == wire.Enum {
		a, b = b, a
	}
	switch {
	case b.moment && a.Kind == wire.DynString && a.Bounds == nil:
		a.Kind = wire.DynMoment
		return a, nil
	case a.Kind == wire.Enum && b.Kind == wire.PlainString && b.Bounds == nil:
		return a, nil
	case a.Kind == wire.Enum && b.Kind == wire.Enum:
		allowed := make(map[string]bool, len(b.Enum))
		for _, v := range b.Enum {
			allowed[v] = true
		}
		a.Enum = slices.DeleteFunc(slices.Clone(a.Enum), func(v string) bool { return !allowed[v] })
		return a, nil
	case (b.Kind == wire.AnyValue || a.Kind == b.Kind) && takesBounds(a.Kind) && !b.moment:
		merged, ok := mergeBounds(a.Bounds, b.Bounds)
		a.Bounds, a.URL = merged, a.URL || b.URL || merged != nil && merged.Format == "uri"
		if ok {
			return a, nil
		}
	}
	return a, c.fail("", "these schemas cannot be combined")
}

// takesBounds reports whether a kind is one of those whose literals are checked against bounds.
func takesBounds(k a2ui.Kind) bool {
	switch k {
	case wire.AnyValue, wire.DynString, wire.DynNumber, wire.DynBool, wire.DynStrings, wire.DynValue, wire.PlainString,
		wire.PlainNumber,
		wire.PlainCount, wire.PlainBool, wire.ListOf:
		return true
	}
	return false
}

func (c *compiler) mergeObjects(a, b schema) (schema, error) {
	c.left -= len(a.Fields) / perSchema
	a.Fields = slices.Clone(a.Fields)
	for _, f := range b.Fields {
		old := a.named(f.Name)
		if old == nil {
			a.Fields = append(a.Fields, f)
			continue
		}
		both, err := c.merge(asSchema(*old), asSchema(f))
		if err != nil {
			return a, err
		}
		need := old.Required || f.Required
		*old = both.row()
		old.Name, old.Required = f.Name, need
	}
	if len(a.Fields) > maxMembers {
		return a, c.fail("properties", "an object has at most %d properties", maxMembers)
	}
	if a.Item != nil && b.Item != nil {
		return a, c.fail("", "two schemas for other members cannot be combined")
	}
	if a.Item == nil {
		a.Item = b.Item
	}
	if a.some == nil {
		a.some = b.some
	}
	if a.argsSome == nil {
		a.argsSome = b.argsSome
	}
	a.open, a.opened, a.closed = a.open || b.open, a.opened || b.opened, a.closed || b.closed
	return a, nil
}

func asSchema(row a2ui.PropDef) schema {
	return schema{PropDef: row, open: row.Open, closed: row.Kind == wire.ObjectOf && !row.Open}
}

// mergeBounds is what both allow; false if that cannot be said in one.
func mergeBounds(a, b *a2ui.Bounds) (*a2ui.Bounds, bool) {
	if a == nil || b == nil {
		if a == nil {
			a = b
		}
		return a, true
	}
	out := *a
	larger(&out.Min, b.Min, 1)
	larger(&out.Max, b.Max, -1)
	larger(&out.MinLength, b.MinLength, 1)
	larger(&out.MaxLength, b.MaxLength, -1)
	out.Integer = a.Integer || b.Integer
	ok := (a.Pattern == nil || b.Pattern == nil || a.Pattern == b.Pattern) &&
		(a.Format == "" || b.Format == "" || a.Format == b.Format) && (a.Const == nil || b.Const == nil)
	if out.Pattern == nil {
		out.Pattern = b.Pattern
	}
	if out.Format == "" {
		out.Format = b.Format
	}
	if out.Const == nil {
		out.Const = b.Const
	}
	return &out, ok
}

// larger keeps the larger bound, with sign -1 the smaller.
func larger[N int | float64](into **N, b *N, sign N) {
	if *into == nil || b != nil && *b*sign > **into*sign {
		*into = b
	}
}
