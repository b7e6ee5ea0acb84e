package translate

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// valueMapper maps property values.
type valueMapper struct{ *job }

// looks are properties that change the look of a component, not its meaning.
var looks = []string{"justify", "align", "fit", "displayStyle", "filterable", "axis", "direction"}

// choiceLooks are properties of a ChoicePicker that one published file of v0.8 lacks.
var choiceLooks = []string{"displayStyle", "filterable"}

// fitted returns a component with the properties that the target's table takes;
// its id is one of the target.
func (j valueMapper) fitted(c wire.Component, from *comp) wire.Component {
	def := j.to.Catalog.Components[c.Type]
	if def == nil && j.from.Catalog.Components[c.Type] != nil {
		j.lose(Component, "", "there is no %s", c.Type)
		c.Type, c.Props = "Column", []wire.Prop{{Name: "children", Value: wire.Refs{}}}
		def = j.to.Catalog.Components[c.Type]
	}
	props := make([]wire.Prop, 0, len(c.Props))
	for _, p := range c.Props {
		at := "/" + p.Name
		row := &wire.PropDef{Name: p.Name, Kind: wire.AnyValue}
		if def != nil {
			unsaid := !j.to.Features.ChoiceLooks && slices.Contains(choiceLooks, p.Name)
			if row, _ = def.Find(p.Name); row == nil || unsaid {
				j.dropped(c.Type, p)
				continue
			}
		}
		if v, ok := j.value(row, p.Value, at, from); ok {
			props = append(props, wire.Prop{Name: p.Name, Value: v})
		}
	}
	c.Props = props
	return c
}

// dropped reports a property that the target does not have.
func (j valueMapper) dropped(typ string, p wire.Prop) {
	at := "/" + p.Name
	switch {
	case p.Name == "checks":
		j.calls().noChecks(p.Value)
	case p.Name == "accessibility":
		j.lose(Access, at, "there is no accessibility")
	case p.Name == "metadata":
		j.lose(Metadata, at, "there is no metadata")
	case slices.Contains(looks, p.Name):
		j.lose(Look, at, "%s has no %s", typ, p.Name)
	case p.Value == wire.String(""): // an empty text says nothing
	default:
		j.lose(Property, at, "%s has no %s", typ, p.Name)
	}
}

// value translates the value of a property of the target; ok is false when the property
// is left out.
func (j valueMapper) value(row *wire.PropDef, v wire.Value, at string, c *comp) (_ wire.Value, ok bool) {
	switch v := v.(type) {
	case wire.Path:
		return j.path(v, at, c), true
	case wire.Call:
		return j.calls().called(row, v, at, c)
	case wire.Ref:
		return wire.Ref(j.id(string(v))), true
	case wire.Refs:
		refs := make(wire.Refs, len(v))
		for i, id := range v {
			refs[i] = j.id(id)
		}
		return refs, true
	case wire.Template:
		return wire.Template{Component: j.id(v.Component), Path: string(j.path(wire.Path(v.Path), at, c))}, true
	case wire.Tabs:
		tabs := make(wire.Tabs, len(v))
		for i, t := range v {
			title, _ := j.value(&text, t.Title, at, c)
			tabs[i] = wire.Tab{Title: title, Child: j.id(t.Child)}
		}
		return tabs, true
	case wire.Options:
		options := make(wire.Options, len(v))
		for i, o := range v {
			label, _ := j.value(&text, o.Label, at, c)
			if options[i] = (wire.Option{Label: label, Value: o.Value}); j.idLike(o.Value) {
				j.lose(Context, at, "the value %q looks like an id and is changed", o.Value)
				options[i].Value += guard
			}
		}
		return options, true
	case wire.Event, wire.Local:
		return j.calls().action(v, at, c), true
	case wire.Checks:
		return j.calls().checks(v, at, c)
	}
	return j.literal(row, v, at, c)
}

var text = wire.PropDef{Kind: wire.DynString}

// literal translates values without references.
func (j valueMapper) literal(row *wire.PropDef, v wire.Value, at string, c *comp) (_ wire.Value, ok bool) {
	switch row.Kind {
	case wire.Enum:
		if s, is := v.(wire.String); is && !slices.Contains(row.Enum, string(s)) {
			kind := Variant
			if slices.Contains(looks, row.Name) {
				kind = Look
			}
			j.lose(kind, at, "there is no %q", string(s))
			return nil, false
		}
		return v, true
	case wire.IconName:
		return j.icon(row, v, at)
	case wire.A11y:
		return j.access(v, at, c)
	}
	switch v := v.(type) {
	case wire.String:
		return j.string(v, at), true
	case wire.List:
		if j.to.Features.Calls {
			return wire.List(j.each(v, at, c)), true
		}
	case wire.Object:
		if j.to.Features.Calls {
			return wire.Object(j.args(v, at, c)), true
		}
	case wire.Literal:
		dynamic := row.Kind >= wire.DynString && row.Kind <= wire.DynMoment
		if dynamic && v.Data.Kind == jsonx.Object && j.from.Features.FlatData && !j.to.Features.FlatData {
			return j.wrapped(v.Data, at, c)
		}
		return v, true
	case nil:
		return nil, false
	case wire.Bool:
		return v, true
	}
	j.lose(Property, at, "the value cannot be written")
	return nil, false
}

// wrapped unwraps a value of v0.8 with more members than one: the path counts, else the
// first literal.
func (j valueMapper) wrapped(v jsonx.Value, at string, c *comp) (wire.Value, bool) {
	path := v.At("path")
	for _, m := range v.Members {
		if m.Key != "path" && !slices.Contains(literals[:], m.Key) {
			j.lose(Property, at+"/"+m.Key, "there is no such member of a value")
		}
	}
	if path.Kind == jsonx.String {
		return j.path(wire.Path(path.Str), at, c), true
	}
	for _, key := range literals {
		switch literal := v.At(key); literal.Kind {
		case jsonx.String:
			return j.string(wire.String(literal.Str), at), true
		case jsonx.Bool:
			return wire.Bool(literal.Bool), true
		case jsonx.Number, jsonx.Array:
			return wire.Literal{Data: literal}, true
		}
	}
	j.lose(Property, at, "the value cannot be written")
	return nil, false
}

func (j valueMapper) each(list wire.List, at string, c *comp) []wire.Value {
	out := make([]wire.Value, 0, len(list))
	for _, item := range list {
		if v, ok := j.value(&anything, item, at, c); ok {
			out = append(out, v)
		}
	}
	return out
}

func (j valueMapper) args(list []wire.Prop, at string, c *comp) []wire.Prop {
	out := make([]wire.Prop, 0, len(list))
	for _, p := range list {
		if v, ok := j.value(&anything, p.Value, at, c); ok {
			out = append(out, wire.Prop{Name: p.Name, Value: v})
		}
	}
	return out
}

var anything = wire.PropDef{Kind: wire.AnyValue}

// idLike reports whether clients might take a text for a component.
func (j *job) idLike(s string) bool {
	return j.to.Features.LiteralsAreRefs &&
		(strings.HasPrefix(s, ownPrefix) || strings.HasPrefix(s, labelPrefix) || strings.HasPrefix(s, innerPrefix))
}

// string translates a literal text.
func (j valueMapper) string(v wire.String, at string) wire.Value {
	s := string(v)
	switch {
	case s == "" && at == "/text" && j.to.Features.EmptyShown, j.idLike(s):
		s += guard
	case at == "/text" && s == guard && j.from.Features.EmptyShown && !j.to.Features.EmptyShown:
		s = ""
	}
	return wire.String(s)
}

// path translates a binding.
func (j valueMapper) path(p wire.Path, at string, c *comp) wire.Path {
	absolute := strings.HasPrefix(string(p), "/")
	old := j.from.Features.CreateLast || j.to.Features.CreateLast
	switch {
	case old && absolute && c.inside() && j.to.Features.LocalTemplates:
		j.lose(Scope, at, "the path %q leads out of the template; clients look for it in the item", string(p))
	case old && absolute && c.inside() && j.from.Features.LocalTemplates && j.local(string(p), c):
		j.lose(Scope, at, "the path %q is taken for one of the item, as clients do", string(p))
		p = p[1:]
	case old && !absolute && c.outside() && p != "" && p != ".":
		p = "/" + p
	}
	if j.to.Features.SplitsKeys {
		p = wire.Path(flatPath(string(p)))
	}
	return p
}

// local reports whether an absolute path leads nowhere from the root, and to
// something in an item of a template that the component is drawn in.
func (j valueMapper) local(path string, c *comp) (found bool) {
	s := j.s
	if s.data == nil {
		return false
	}
	s.matches(path, func([]string) { found = true })
	if found {
		return false
	}
	for _, scope := range c.scopes {
		if scope != "" && !found {
			s.matches(scope+path, func([]string) { found = true })
		}
	}
	return found
}

// icons are names for those that an older catalog lacks.
var icons = map[string]string{
	"play": "arrowForward", "fastForward": "arrowForward", "skipNext": "arrowForward",
	"rewind": "arrowBack", "skipPrevious": "arrowBack", "pause": "moreVert", "stop": "close",
	"volumeDown": "notifications", "volumeUp": "notifications", "volumeMute": "notificationsOff",
	"volumeOff": "notificationsOff",
}

func (j valueMapper) icon(row *wire.PropDef, v wire.Value, at string) (wire.Value, bool) {
	name, ok := v.(wire.String)
	if ok && slices.Contains(row.Enum, string(name)) {
		return v, true
	}
	if glyph, is := v.(wire.Literal); is && j.to.Features.Calls && glyph.Data.At("svgPath").Kind == jsonx.String {
		return v, true
	}
	if _, is := v.(wire.Object); is && j.to.Features.ObjectValues {
		return v, true
	}
	other := icons[string(name)]
	if other == "" {
		other = "help"
	}
	if ok {
		j.lose(Icon, at, "there is no icon %q: %s is shown", string(name), other)
	} else {
		j.lose(Icon, at, "the glyph cannot be drawn: %s is shown", other)
	}
	return wire.String(other), true
}

// access keeps the members that the target passes to assistive technology.
func (j valueMapper) access(v wire.Value, at string, c *comp) (wire.Value, bool) {
	keep := func(name string) bool {
		if j.to.Features.ObjectValues || name == "label" || name == "description" {
			return true
		}
		j.lose(Access, at+"/"+name, "there is no %s", name)
		return false
	}
	switch v := v.(type) {
	case wire.Literal:
		out := jsonx.Value{Kind: v.Data.Kind}
		for _, m := range v.Data.Members {
			if keep(m.Key) {
				out.Members = append(out.Members, m)
			}
		}
		return wire.Literal{Data: out}, len(out.Members) > 0
	case wire.Object:
		kept := slices.DeleteFunc(slices.Clone(v), func(p wire.Prop) bool { return !keep(p.Name) })
		out := wire.Object(j.args(kept, at, c))
		// an object of plain data is a literal
		if !slices.ContainsFunc(out, func(p wire.Prop) bool { return wire.Computed(p.Value) }) {
			lit := jsonx.Value{Kind: jsonx.Object}
			for _, p := range out {
				lit.Members = append(lit.Members, jsonx.Member{Key: p.Name, Value: plainData(p.Value)})
			}
			return wire.Literal{Data: lit}, len(out) > 0
		}
		return out, true
	}
	return v, true
}

// plainData is a literal value as JSON.
func plainData(v wire.Value) jsonx.Value {
	switch v := v.(type) {
	case wire.String:
		return jsonx.Of(string(v))
	case wire.Bool:
		return jsonx.OfBool(bool(v))
	case wire.Literal:
		return v.Data
	}
	return jsonx.Value{}
}
