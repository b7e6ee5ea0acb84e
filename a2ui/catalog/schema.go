package catalog

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// schema is one JSON Schema as a row of a table; the zero schema takes anything.
type schema struct {
	a2ui.PropDef
	open     bool     // an object takes other members
	opened   bool     // … and says so
	closed   bool     // it says that it does not
	rule     bool     // the common type CheckRule
	moment   bool     // a text is a date, a time or both
	some     []string // an object has at least one of these
	argsSome []string // its member args has
}

// free reports that nothing is said.
func (s *schema) free() bool {
	return s.Kind == wire.AnyValue && s.Bounds == nil && !s.moment && s.some == nil && !s.closed && !s.opened
}

func (s *schema) named(name string) *a2ui.PropDef {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

// row is the schema as part of another.
func (s schema) row() a2ui.PropDef {
	if s.Kind == wire.ObjectOf {
		s.Open = s.open && !s.closed
	}
	return s.PropDef
}

// schema reads one.
func (c *compiler) schema(v a2ui.Data) (s schema, err error) {
	if c.left--; c.left < 0 || c.nested >= maxNested {
		return s, c.fail("", "the schemas are too many, or nested deeper than %d", maxNested)
	}
	c.nested++
	depth := len(c.at)
	defer func() { c.nested, c.at = c.nested-1, c.at[:depth] }()
	switch {
	case v.Kind == jsonx.Bool && v.Bool:
		return s, nil
	case v.Kind != jsonx.Object:
		return s, c.fail("", "a schema is an object or true")
	}
	for i := range v.Members {
		c.left -= (len(v.Members[i].Value.Items) + len(v.Members[i].Value.Members)) / perSchema
	}
	own, err := c.own(v)
	if err != nil {
		return s, err
	}
	for i := range v.Members {
		part, has, err := c.part(&v, &v.Members[i])
		if err == nil && has {
			own, err = c.merge(own, part)
		}
		if err != nil {
			return s, err
		}
	}
	return own, nil
}

// part reads a keyword that holds schemas or values for the same place.
func (c *compiler) part(v *a2ui.Data, m *a2ui.Member) (s schema, has bool, err error) {
	depth := len(c.at)
	defer func() { c.at = c.at[:depth] }()
	switch m.Key {
	case "$ref":
		s, err = c.ref(m.Value.Text())
	case "allOf":
		c.at = append(c.at, "allOf")
		for i, item := range m.Value.Items {
			c.at = append(c.at[:depth+1], strconv.Itoa(i))
			var one schema
			if one, err = c.schema(item); err == nil {
				s, err = c.merge(s, one)
			}
			if err != nil {
				return s, false, err
			}
		}
	case "oneOf", "anyOf":
		c.at = append(c.at, m.Key)
		s, err = c.union(m.Key, m.Value.Items)
	case "const":
		s = constants([]a2ui.Data{m.Value})
	case "enum":
		if s = constants(m.Value.Items); len(m.Value.Items) == 0 {
			err = c.fail("enum", "enum is a list of values")
		}
	case "if":
		if s.moment = isMoment(m.Value, v.At("then")); !s.moment {
			err = c.fail("if", "if is understood only for texts that are a date, a time or both")
		}
	default:
		return s, false, nil
	}
	return s, true, err
}

// isMoment knows the one condition that catalogs use: a literal text has one of
// the formats of a date, a time or both.
func isMoment(cond, then a2ui.Data) bool {
	formats := map[string]bool{}
	for _, alt := range then.At("oneOf").Items {
		if formats[alt.At("format").Text()] = true; len(alt.Members) != 1 {
			return false
		}
	}
	return len(cond.Members) == 1 && cond.At("type").Text() == "string" && len(then.Members) == 1 &&
		len(formats) == 3 && formats["date"] && formats["time"] && formats["date-time"]
}

// constants is a list of values that are allowed.
func constants(values []a2ui.Data) (s schema) {
	for _, v := range values {
		if v.Kind != jsonx.String {
			s.Bounds = &a2ui.Bounds{Const: values}
			return s
		}
		s.Enum = append(s.Enum, v.Str)
	}
	s.Kind = wire.Enum
	return s
}

// annotations are keywords that do not restrict values.
var annotations = map[string]bool{"description": true, "title": true, "default": true, "examples": true,
	"deprecated": true, "readOnly": true, "writeOnly": true,
	"$comment": true, "$id": true, "$schema": true, "$defs": true, "definitions": true, "discriminator": true,
	"then": true,
	"$ref": true, "allOf": true, "oneOf": true, "anyOf": true, "const": true, "enum": true, "if": true} // read by part

// own reads the keywords that hold for one type.
func (c *compiler) own(v a2ui.Data) (s schema, err error) {
	var b a2ui.Bounds
	var types []string
	object, list := false, false
	for i := range v.Members {
		switch m := &v.Members[i]; m.Key {
		case "type":
			types, err = c.types(m.Value)
		case "properties", "required", "additionalProperties", "unevaluatedProperties":
			object = true
		case "items", "minItems", "maxItems":
			list = true
			err = c.bound(&b, m)
		case "minimum", "maximum", "minLength", "maxLength", "pattern", "format":
			err = c.bound(&b, m)
		default:
			if !annotations[m.Key] && !strings.HasPrefix(m.Key, "x-") {
				err = c.fail(m.Key, "the keyword %s is not supported", m.Key)
			}
		}
		if err != nil {
			return s, err
		}
	}
	switch {
	case len(types) == 0 && object:
		types = []string{"object"}
	case len(types) == 0 && list:
		types = []string{"array"}
	case len(types) == 0:
		if some := bounded(&b); some != nil {
			s.Bounds = some
		}
		return s, nil
	}
	if len(types) == 1 {
		return c.typed(types[0], v, b)
	}
	alts := make([]schema, len(types))
	for i, t := range types {
		if alts[i], err = c.typed(t, v, b); err != nil {
			return s, err
		}
	}
	return alternatives(alts), nil
}

func (c *compiler) types(v a2ui.Data) (out []string, err error) {
	list := v.Items
	if v.Kind == jsonx.String {
		list = []a2ui.Data{v}
	}
	for _, t := range list {
		if !slices.Contains([]string{"string", "number", "integer", "boolean", "array", "object", "null"}, t.Text()) {
			return nil, c.fail("type", "unknown type %q", t.Text())
		}
		if !slices.Contains(out, t.Str) {
			out = append(out, t.Str)
		}
	}
	if len(out) == 0 {
		err = c.fail("type", "type is a name or a list of names")
	}
	return out, err
}

// typed is a schema of one type.
func (c *compiler) typed(typ string, v a2ui.Data, b a2ui.Bounds) (s schema, err error) {
	switch typ {
	case "object":
		return c.object(v)
	case "array":
		return c.list(v, b)
	case "string":
		s.Kind, s.Bounds = wire.PlainString, bounded(
			&a2ui.Bounds{MinLength: b.MinLength, MaxLength: b.MaxLength, Pattern: b.Pattern, Format: b.Format})
		s.URL = b.Format == "uri"
	case "number", "integer":
		s.Kind, s.Bounds = wire.PlainNumber, bounded(&a2ui.Bounds{Min: b.Min, Max: b.Max, Integer: typ == "integer"})
		if typ == "integer" && b.Max == nil && b.Min != nil && *b.Min == 0 {
			s.Kind, s.Bounds = wire.PlainCount, nil
		}
	case "boolean":
		s.Kind = wire.PlainBool
	case "null":
		s.Bounds = &a2ui.Bounds{Const: []a2ui.Data{{}}}
	}
	return s, nil
}

// bound reads one keyword that narrows literals.
func (c *compiler) bound(b *a2ui.Bounds, m *a2ui.Member) error {
	f, number := m.Value.Float()
	n, whole := m.Value.Int()
	length, text := int(n), m.Value.Text()
	switch m.Key {
	case "minimum":
		b.Min = &f
	case "maximum":
		b.Max = &f
	case "minLength", "minItems":
		b.MinLength = &length
		number = whole && n >= 0
	case "maxLength", "maxItems":
		b.MaxLength = &length
		number = whole && n >= 0
	case "format":
		if b.Format = text; !slices.Contains([]string{"uri", "date", "time", "date-time", "email"}, text) {
			return c.fail("format", "the format %q is not supported", text)
		}
		return nil
	case "pattern":
		return c.pattern(b, text)
	default:
		return nil
	}
	if !number {
		return c.fail(m.Key, "%s is a number in range", m.Key)
	}
	return nil
}

func (c *compiler) pattern(b *a2ui.Bounds, text string) error {
	if text == wire.Color.Pattern.String() {
		b.Pattern = wire.Color.Pattern
		return nil
	}
	if len(text) > maxPattern {
		return c.fail("pattern", "a pattern has at most %d bytes", maxPattern)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return c.fail("pattern", "the pattern is not one of RE2: %v", err)
	}
	b.Pattern = re
	return nil
}

func bounded(b *a2ui.Bounds) *a2ui.Bounds {
	switch {
	case b.Min == nil && b.Max == nil && b.MinLength == nil && b.MaxLength == nil && !b.Integer && b.Pattern == nil &&
		b.Format == "" && b.Const == nil:
		return nil
	case b.MinLength == nil && b.MaxLength == nil && b.Format == "" && b.Pattern == wire.Color.Pattern:
		return wire.Color
	case b.MinLength == nil && b.MaxLength == nil && b.Pattern == nil && b.Format == "uri":
		return wire.Absolute
	}
	return b
}

// object reads properties, the required ones, and whether others are allowed.
func (c *compiler) object(v a2ui.Data) (s schema, err error) {
	depth := len(c.at)
	if properties, ok := v.Get("properties"); ok {
		c.at = append(c.at, "properties")
		if s, err = c.properties(properties); err != nil {
			return s, err
		}
		c.at = c.at[:depth]
	}
	s.Kind, s.open = wire.ObjectOf, true
	for _, name := range v.At("required").Items {
		if f := s.named(name.Text()); f != nil {
			f.Required = true
		} else {
			s.Fields = append(s.Fields, a2ui.PropDef{Name: name.Text(), Required: true})
		}
		if len(s.Fields) > maxMembers {
			return s, c.fail("required", "an object has at most %d properties", maxMembers)
		}
	}
	for _, key := range []string{"additionalProperties", "unevaluatedProperties"} {
		switch more, ok := v.Get(key); {
		case !ok:
		case more.Kind == jsonx.Bool:
			s.opened, s.closed = s.opened || more.Bool, s.closed || !more.Bool
		default:
			c.at = append(c.at, key)
			item, err := c.schema(more)
			if err != nil {
				return s, err
			}
			row := item.row()
			s.opened, s.Item, c.at = true, &row, c.at[:depth]
		}
	}
	if c.f.CreateLast {
		return s.unwrapped(), nil
	}
	return s, nil
}

// properties reads schemas by name.
func (c *compiler) properties(v a2ui.Data) (s schema, err error) {
	if v.Kind != jsonx.Object || len(v.Members) > maxMembers {
		return s, c.fail("", "properties are at most %d schemas by name", maxMembers)
	}
	s.Kind = wire.ObjectOf
	s.Fields = make([]a2ui.PropDef, 0, len(v.Members))
	depth := len(c.at)
	for i := range v.Members {
		m := &v.Members[i]
		c.at = append(c.at[:depth], m.Key)
		field, err := c.schema(m.Value)
		if err != nil {
			return s, err
		}
		if field.some != nil {
			if m.Key != "args" {
				return s, c.fail("anyOf", "alternatives of required members are supported for arguments only")
			}
			s.argsSome = field.some
		}
		row := field.row()
		row.Name = m.Key
		s.Fields = append(s.Fields, c.called(row))
	}
	c.at = c.at[:depth]
	return s, nil
}

// called derives from the name of a property: an address, and before v1.0,
// where a catalog may not have types for it, a reference.
func (c *compiler) called(row a2ui.PropDef) a2ui.PropDef {
	text := row.Kind == wire.PlainString && row.Bounds == nil
	switch {
	case (row.Name == "url" || strings.HasSuffix(row.Name, "Url")) &&
		(row.Kind == wire.DynString || row.Kind == wire.PlainString):
		row.URL = true
	case c.f.OwnCatalogs:
	case text && (row.Name == "child" || c.f.CreateLast && strings.HasSuffix(row.Name, "Child")):
		row.Kind = wire.Child
	case row.Kind == wire.ListOf && row.Name == "children" && row.Item.Kind == wire.PlainString && row.Bounds == nil:
		row.Item = &a2ui.PropDef{Kind: wire.Child}
	}
	return row
}

// list reads an array; those that codecs know get their own kind.
func (c *compiler) list(v a2ui.Data, b a2ui.Bounds) (s schema, err error) {
	var item schema
	if items, ok := v.Get("items"); ok {
		depth := len(c.at)
		c.at = append(c.at, "items")
		if item, err = c.schema(items); err != nil {
			return s, err
		}
		c.at = c.at[:depth]
	}
	row := item.row()
	s.Kind, s.Item, s.Bounds = wire.ListOf, &row, bounded(&a2ui.Bounds{MinLength: b.MinLength, MaxLength: b.MaxLength})
	least := 0
	if b.MinLength != nil {
		least = *b.MinLength
	}
	strict := !row.Open || c.f.CreateLast
	switch {
	case b.MaxLength != nil:
	case item.rule && least == 0:
		s = schema{PropDef: a2ui.PropDef{Kind: wire.CheckList}}
	case row.Kind == wire.DynBool && least == 2:
		s = schema{PropDef: a2ui.PropDef{Kind: wire.DynBools}}
	case strict && pair(&row, "title", wire.DynString, "child", wire.Child) &&
		(least == 1 || least == 0 && c.f.CreateLast):
		s = schema{PropDef: a2ui.PropDef{Kind: wire.TabList}}
	case strict && pair(&row, "label", wire.DynString, "value", wire.PlainString) && least == 0:
		s = schema{PropDef: a2ui.PropDef{Kind: wire.OptionList}}
	}
	return s, nil
}

// pair reports that a row is an object of two required members.
func pair(row *a2ui.PropDef, first string, a a2ui.Kind, second string, b a2ui.Kind) bool {
	if row.Kind != wire.ObjectOf || len(row.Fields) != 2 || row.Item != nil {
		return false
	}
	x, y := row.Fields[0], row.Fields[1]
	if x.Name != first {
		x, y = y, x
	}
	return x.Name == first && x.Kind == a && x.Required && x.Bounds == nil && y.Name == second && y.Kind == b &&
		y.Required && y.Bounds == nil
}

// ref follows a $ref: to a common type, or within the document.
func (c *compiler) ref(ref string) (s schema, err error) {
	file, pointer, _ := strings.Cut(ref, "#")
	name, def := strings.CutPrefix(pointer, "/$defs/")
	local := file == "" || file == c.doc.data.At("$id").Text()
	if local {
		target, lookErr := c.find.lookUp(pointer)
		if lookErr == nil {
			return c.follow(pointer, target)
		}
	}
	if def && (local || path.Base(file) == commonName) {
		if s, ok := c.common(name); ok {
			return s, nil
		}
	}
	return s, c.fail("$ref", "the reference %q leads nowhere", ref)
}

// follow reads a schema elsewhere in the document.
func (c *compiler) follow(pointer string, target a2ui.Data) (s schema, err error) {
	if slices.Contains(c.refs, pointer) {
		return s, c.fail("$ref", "the reference %q leads back to itself", pointer)
	}
	at := c.at
	c.refs = append(c.refs, pointer)
	c.at = strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	s, err = c.schema(target)
	c.refs, c.at = c.refs[:len(c.refs)-1], at
	return s, err
}
