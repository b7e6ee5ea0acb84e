package validate

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// customRules checks the kinds that only custom catalogs use.
type customRules struct{ *run }

// The kinds of custom catalogs. Codecs read the structures of components by
// their names and anything else by the shape of the value, so the kinds here see
// through both: every value has its fields or its items.

// fieldsOf returns the members of a value that is an object on the wire.
func (r customRules) fieldsOf(v wire.Value) ([]wire.Prop, bool) {
	switch v := v.(type) {
	case wire.Object:
		return v, true
	case wire.Literal:
		if v.Data.Kind != jsonx.Object {
			return nil, false
		}
		out := make([]wire.Prop, len(v.Data.Members))
		for i, m := range v.Data.Members {
			out[i] = wire.Prop{Name: m.Key, Value: plain(m.Value)}
		}
		return out, true
	case wire.Path:
		return []wire.Prop{{Name: "path", Value: wire.String(v)}}, true
	case wire.Template:
		return []wire.Prop{{Name: "componentId", Value: wire.String(v.Component)},
			{Name: "path", Value: wire.String(v.Path)}}, true
	case wire.Local:
		return []wire.Prop{{Name: "functionCall", Value: v.Call}}, true
	case wire.Event:
		event := wire.Object{{Name: "name", Value: wire.String(v.Name)}}
		if v.UserMessage != nil {
			event = append(event, wire.Prop{Name: "userMessage", Value: v.UserMessage})
		}
		if v.Context != nil {
			event = append(event, wire.Prop{Name: "context", Value: wire.Object(v.Context)})
		}
		return []wire.Prop{{Name: "event", Value: event}}, true
	}
	return nil, false
}

// itemsOf returns the items of a value that is a list on the wire.
func itemsOf(v wire.Value) ([]wire.Value, bool) {
	pair := func(a string, first wire.Value, b, second string) wire.Value {
		return wire.Object{{Name: a, Value: first}, {Name: b, Value: wire.String(second)}}
	}
	var out []wire.Value
	switch v := v.(type) {
	case wire.List:
		return v, true
	case wire.Literal:
		for _, item := range v.Data.Items {
			out = append(out, plain(item))
		}
		return out, v.Data.Kind == jsonx.Array
	case wire.Refs:
		for _, id := range v {
			out = append(out, wire.String(id))
		}
	case wire.Tabs:
		for _, t := range v {
			out = append(out, pair("title", t.Title, "child", t.Child))
		}
	case wire.Options:
		for _, o := range v {
			out = append(out, pair("label", o.Label, "value", o.Value))
		}
	case wire.Checks:
		for _, c := range v {
			out = append(out, pair("condition", c.Condition, "message", c.Message))
		}
	default:
		return nil, false
	}
	return out, true
}

// asChecks reads checks that have another name than checks.
func (r customRules) asChecks(v wire.Value) (out wire.Checks, ok bool) {
	items, ok := itemsOf(v)
	for _, item := range items {
		fields, is := r.fieldsOf(item)
		if !is {
			return nil, false
		}
		var c wire.Check
		for _, f := range fields {
			switch text, is := f.Value.(wire.String); {
			case f.Name == "condition":
				c.Condition = f.Value
			case f.Name == "message" && is:
				c.Message = string(text)
			default:
				return nil, false
			}
		}
		out = append(out, c)
	}
	return out, ok
}

// asAction reads an action that has another name than action; another value
// comes back as it is.
func (r customRules) asAction(v wire.Value) wire.Value {
	switch v.(type) {
	case wire.Event, wire.Local:
		return v
	}
	outer, ok := r.fieldsOf(v)
	if !ok || len(outer) != 1 {
		return v
	}
	if c, is := outer[0].Value.(wire.Call); is && outer[0].Name == "functionCall" {
		return wire.Local{Call: c}
	}
	fields, ok := r.fieldsOf(outer[0].Value)
	if !ok || outer[0].Name != "event" {
		return v
	}
	var e wire.Event
	for _, f := range fields {
		name, text := f.Value.(wire.String)
		context, object := r.fieldsOf(f.Value)
		switch {
		case f.Name == "name" && text:
			e.Name = string(name)
		case f.Name == "context" && object:
			e.Context = context
		case f.Name == "userMessage" && r.Features.UserMessage:
			e.UserMessage = f.Value
		default:
			return v
		}
	}
	if wire.Get(fields, "name") == nil {
		return v
	}
	return e
}

// maxShape bounds how deep lists and objects nest in a property.
const maxShape = 32

// objectOf checks an object with known fields.
func (r customRules) objectOf(row *wire.PropDef, v wire.Value, calls int) {
	if c, is := v.(wire.Call); is && row.Open {
		r.calls().call(&c, "", calls+1)
		return
	}
	fields, ok := r.fieldsOf(v)
	if !ok || !r.Features.BareValues && !isData(v) || len(r.within) > maxShape {
		r.wrong("an object", v)
		return
	}
	if path, is := v.(wire.Path); is && row.Open { // a binding wherever any object may be
		r.bind(string(path), 0)
		return
	}
	r.structures().once(fields)
	for i := range fields {
		f := &fields[i]
		def := &anything
		if row.Item != nil {
			def = row.Item
		}
		for j := range row.Fields {
			if row.Fields[j].Name == f.Name {
				def = &row.Fields[j]
			}
		}
		r.push(f.Name)
		r.literal(f.Name)
		if def == &anything && !row.Open {
			r.add(wire.ComponentProperty, "", "there is no member %q", clip(f.Name))
		} else {
			r.values().value(def, f.Value, calls)
		}
		r.pop()
	}
	for i := range row.Fields {
		if row.Fields[i].Required && wire.Get(fields, row.Fields[i].Name) == nil {
			r.at(row.Fields[i].Name, wire.ComponentProperty, "", "it needs %s", row.Fields[i].Name)
		}
	}
}

// isData reports that a value is written as it is by every version.
func isData(v wire.Value) bool {
	_, ok := v.(wire.Literal)
	return ok
}

// listOf checks a list whose items are of one kind.
func (r customRules) listOf(row *wire.PropDef, v wire.Value, calls int) {
	items, ok := itemsOf(v)
	if !ok || !r.Features.BareValues && !isData(v) || len(r.within) > maxShape {
		r.wrong("a list", v)
		return
	}
	if b := row.Bounds; b != nil {
		r.length(b, len(items), "items")
	}
	for i, item := range items {
		r.item(i)
		r.values().value(row.Item, item, calls)
		r.pop()
	}
}

// maxTries bounds the alternatives that are tried in one batch: alternatives in
// alternatives multiply.
const maxTries = 100_000

// oneOfKinds takes the first alternative that fits.
func (r customRules) oneOfKinds(row *wire.PropDef, v wire.Value, calls int) {
	near, shapes := -1, 0
	for i := range row.Any {
		alt := &row.Any[i]
		if !mayBe(alt, v) {
			continue
		}
		near, shapes = i, shapes+1
		if r.tries++; r.tries > maxTries {
			r.add(wire.ComponentProperty, "", "the catalog has too many alternatives here")
			return
		}
		if r.try(alt, v, calls) {
			return
		}
	}
	if shapes == 1 { // the fault is in there
		r.values().value(&row.Any[near], v, calls)
		return
	}
	r.wrong("one of several forms", v)
}

// mayBe reports cheaply whether an alternative is worth a try.
func mayBe(row *wire.PropDef, v wire.Value) bool {
	switch row.Kind {
	case wire.Enum, wire.PlainString:
		switch v.(type) {
		case wire.String, wire.Ref:
			return true
		}
		return false
	case wire.PlainBool:
		_, ok := v.(wire.Bool)
		return ok
	case wire.PathOnly:
		_, ok := v.(wire.Path)
		return ok
	case wire.CallOnly:
		_, ok := v.(wire.Call)
		return ok
	case wire.PlainNumber, wire.PlainCount:
		lit, ok := v.(wire.Literal)
		return ok && lit.Data.Kind == jsonx.Number
	}
	return true
}

// try reports whether v fits a row; if it does not, it leaves no trace.
func (r customRules) try(row *wire.PropDef, v wire.Value, calls int) bool {
	failed, flags, size, text := r.failed, r.flags, r.size, r.text
	var before mark
	if g := r.graph; g != nil {
		before = mark{edges: len(g.edges), binds: len(g.binds), texts: len(g.texts)}
	}
	r.failed = false
	r.trying++
	r.values().value(row, v, calls)
	r.trying--
	ok := !r.failed
	if r.failed = failed; ok {
		return true
	}
	if g := r.graph; g != nil {
		g.edges, g.binds, g.texts = g.edges[:before.edges], g.binds[:before.binds], g.texts[:before.texts]
	}
	r.flags, r.size, r.text = flags, size, text
	return false
}

// bounds checks a literal against what narrows it; bindings and calls pass.
func (r customRules) bounds(b *wire.Bounds, v wire.Value) {
	switch v := v.(type) {
	case wire.String:
		r.textBounds(b, string(v))
		r.constant(b, jsonx.Of(string(v)))
	case wire.Bool:
		r.constant(b, jsonx.OfBool(bool(v)))
	case wire.Literal:
		switch v.Data.Kind {
		case jsonx.Number:
			r.numberBounds(b, v.Data)
		case jsonx.Array:
			r.length(b, len(v.Data.Items), "items")
		}
		r.constant(b, v.Data)
	}
}

func (r customRules) textBounds(b *wire.Bounds, s string) {
	if b.MinLength != nil || b.MaxLength != nil {
		r.length(b, utf8.RuneCountInString(s), "characters")
	}
	if b.Pattern != nil && !b.Pattern.MatchString(s) {
		r.add(wire.ComponentProperty, "", "the text %q does not match %s", clip(s), b.Pattern)
	}
	if b.Format != "" && !hasFormat(b.Format, s) {
		r.add(wire.ComponentProperty, "", "the text %q is not a %s", clip(s), b.Format)
	}
}

func (r customRules) numberBounds(b *wire.Bounds, v wire.Data) {
	f, ok := v.Float()
	switch {
	case !ok:
		r.add(wire.ComponentProperty, "", "the number %s is too large", clip(v.Str))
	case b.Min != nil && f < *b.Min:
		r.add(wire.ComponentProperty, "", "the number %s is less than %v", clip(v.Str), *b.Min)
	case b.Max != nil && f > *b.Max:
		r.add(wire.ComponentProperty, "", "the number %s is more than %v", clip(v.Str), *b.Max)
	case b.Integer && f != math.Trunc(f):
		r.add(wire.ComponentProperty, "", "the number %s is not whole", clip(v.Str))
	}
}

func (r customRules) length(b *wire.Bounds, n int, what string) {
	switch {
	case b.MinLength != nil && n < *b.MinLength:
		r.add(wire.ComponentProperty, "", "%d %s are less than %d", n, what, *b.MinLength)
	case b.MaxLength != nil && n > *b.MaxLength:
		r.add(wire.ComponentProperty, "", "%d %s are more than %d", n, what, *b.MaxLength)
	}
}

// constant checks the listed values.
func (r customRules) constant(b *wire.Bounds, v wire.Data) {
	if b.Const == nil {
		return
	}
	for i := range b.Const {
		if same(b.Const[i], v) {
			return
		}
	}
	r.add(wire.ComponentProperty, "", "the value is not one of those that are listed")
}

// same reports that two values are equal; numbers by value, members in any order.
func same(a, b wire.Data) bool {
	if a.Kind == jsonx.Number && b.Kind == jsonx.Number {
		x, okX := a.Float()
		y, okY := b.Float()
		return okX && okY && x == y
	}
	if a.Kind != b.Kind || a.Bool != b.Bool || a.Str != b.Str || len(a.Items) != len(b.Items) ||
		len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i := range a.Members {
		if v, ok := b.Get(a.Members[i].Key); !ok || !same(a.Members[i].Value, v) {
			return false
		}
	}
	return true
}

// hasFormat reports whether a text has a format of JSON Schema.
func hasFormat(format, s string) bool {
	var err error
	switch format {
	case "uri":
		return isURI(s)
	case "date":
		_, err = time.Parse(time.DateOnly, s)
	case "time":
		_, err = time.Parse("15:04:05Z07:00", s)
	case "date-time":
		_, err = time.Parse(time.RFC3339, s)
	case "email":
		return isEmail(s)
	}
	return err == nil
}

// isEmail takes name@host without spaces; only a mail can prove more.
func isEmail(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	return ok && name != "" && host != "" && !strings.ContainsAny(s, " \t\r\n") && !strings.Contains(host, "@")
}
