package translate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// componentMapper maps components whose types differ between the dialects.
type componentMapper struct{ *job }

// Prefixes of ids where clients take a text for the component of that id: no
// text of ours starts with one.
const (
	ownPrefix   = "c#" // a component of the source
	labelPrefix = "l#" // its label, where inputs have none
	innerPrefix = "i#" // the input beside that label, or a part of a text
)

// id returns the target's id of a component.
func (j *job) id(id string) string {
	switch {
	case j.to.Features.LiteralsAreRefs:
		return ownPrefix + id
	case j.s == nil || j.to.Features.RootID == "" || j.s.root == "" || !j.from.Features.CreateLast:
		return id
	}
	return j.s.swap(j.to.Features.RootID, id)
}

// swap exchanges the id of the root and the one it must have: no other id can
// collide, and doing it twice does nothing.
func (s *surface) swap(root, id string) string {
	switch id {
	case s.root:
		return root
	case root:
		return s.root
	}
	return id
}

// component translates one component; components that it needs may follow.
func (j componentMapper) component(c *comp) []wire.Component {
	j.at = c.ID
	defer func() { j.at = "" }()
	c.calls = nil
	in := c.Component
	if !j.to.Features.OwnCatalogs {
		if in.CatalogID != "" && j.s != nil && j.s.create != nil && in.CatalogID != j.s.create.CatalogID {
			j.lose(Catalog, "", "components cannot name their catalog")
		}
		in.CatalogID = ""
	} else if in.CatalogID != "" {
		in.CatalogID = j.catalog(in.CatalogID)
	}
	in.Props = slices.Clone(in.Props)
	todo, out := j.lower(in, c)
	for _, part := range todo {
		out = append(out, j.values().fitted(part, c))
	}
	return out
}

// lower rewrites a component that the target expresses with others. The results in
// done refer to ids of the target; those in todo have their own id of the
// target, and values of the source.
func (j componentMapper) lower(c wire.Component, from *comp) (todo, done []wire.Component) {
	id := c.ID
	c.ID = j.id(id)
	def := j.to.Catalog.Components[c.Type]
	switch c.Type {
	case "Text":
		if todo, done = j.text(&c, id, from); done != nil {
			return todo, done
		}
	case "TextField":
		j.textField(&c, def)
	case "DateTimeInput":
		j.dateTime(&c, def)
	case "Slider":
		if def != nil && needs(def, "max") && wire.Get(c.Props, "max") == nil {
			set(&c, "max", wire.Literal{Data: jsonx.OfInt(100)})
			j.lose(Property, "/max", "a slider needs its largest value; 100 is taken")
		}
	}
	if label := wire.Get(c.Props, "label"); label != nil && def != nil && row(def, "label") == nil {
		return j.labelled(c, id, label, from)
	}
	return []wire.Component{c}, nil
}

func needs(def *wire.ComponentDef, name string) bool {
	p := row(def, name)
	return p != nil && p.Required
}

func row(def *wire.ComponentDef, name string) *wire.PropDef {
	p, _ := def.Find(name)
	return p
}

func set(c *wire.Component, name string, v wire.Value) {
	for i := range c.Props {
		if c.Props[i].Name == name {
			c.Props[i].Value = v
			return
		}
	}
	c.Props = append(c.Props, wire.Prop{Name: name, Value: v})
}

func drop(c *wire.Component, name string) {
	c.Props = slices.DeleteFunc(c.Props, func(p wire.Prop) bool { return p.Name == name })
}

// labelled puts the label of an input that has none in the target above it.
func (j componentMapper) labelled(c wire.Component, id string, label wire.Value, from *comp) (todo,
	done []wire.Component) {
	j.lose(Label, "/label", "the label stands as a text above the input")
	if lit, ok := label.(wire.String); ok {
		label = wire.String(j.mark("", string(lit)))
	}
	if call, ok := label.(wire.Call); ok && computable(call) && !j.computer().entered(call, from) {
		label = j.computer().compute(computed{call, "body", wire.DynString, "/text"}, from)
	}
	text := wire.Component{ID: labelPrefix + id, Type: "Text", Props: []wire.Prop{{Name: "text", Value: label}}}
	both := wire.Component{ID: c.ID, Type: "Column", Weight: c.Weight,
		Props: []wire.Prop{{Name: "children", Value: wire.Refs{text.ID, innerPrefix + id}}}}
	drop(&c, "label")
	c.ID, c.Weight = innerPrefix+id, 0
	return []wire.Component{text, c}, []wire.Component{both}
}

// dateTime states the parts of a moment that a DateTimeInput takes by default, where that differs.
func (j componentMapper) dateTime(c *wire.Component, def *wire.ComponentDef) {
	takes := j.from.Features.DateAndTime
	for _, name := range []string{"enableDate", "enableTime"} {
		if def != nil && row(def, name) != nil && takes != j.to.Features.DateAndTime && wire.Get(c.Props, name) == nil {
			set(c, name, wire.Bool(takes))
		}
	}
}

// textField maps the kinds of text fields and the pattern of their text.
func (j componentMapper) textField(c *wire.Component, def *wire.ComponentDef) {
	if def == nil {
		return
	}
	value := wire.Get(c.Props, "value")
	if wire.Get(c.Props, "variant") == wire.String("date") && !slices.Contains(row(def, "variant").Enum, "date") &&
		value != nil {
		j.lose(Input, "/variant", "a text field for a date becomes a date input")
		c.Type = "DateTimeInput"
		drop(c, "variant")
		set(c, "enableDate", wire.Bool(true))
		def = j.to.Catalog.Components[c.Type]
	}
	pattern, ok := wire.Get(c.Props, "validationRegexp").(wire.String)
	if ok && row(def, "validationRegexp") == nil && row(def, "checks") != nil {
		drop(c, "validationRegexp")
		list, _ := wire.Get(c.Props, "checks").(wire.Checks)
		if value != nil {
			set(c, "checks", append(wire.Checks{matches(value, string(pattern))}, list...))
		}
	}
	list, ok := wire.Get(c.Props, "checks").(wire.Checks)
	onlyPattern := row(def, "checks") == nil && row(def, "validationRegexp") != nil
	if ok && onlyPattern && wire.Get(c.Props, "validationRegexp") == nil {
		for i, check := range list {
			if p, ok := patternOf(check, value); ok {
				set(c, "validationRegexp", wire.String(p))
				set(c, "checks", append(slices.Clone(list[:i]), list[i+1:]...))
				break
			}
		}
	}
}

// mismatch is what renderers that know validationRegexp show.
const mismatch = "does not match "

// matches is validationRegexp as a check: an empty text passes.
func matches(value wire.Value, pattern string) wire.Check {
	empty := wire.Call{Func: "not", Args: []wire.Prop{{Name: "value",
		Value: wire.Call{Func: "required", Args: []wire.Prop{{Name: "value", Value: value}}}}}}
	fits := wire.Call{Func: "regex", Args: []wire.Prop{{Name: "value", Value: value},
		{Name: "pattern", Value: wire.String(pattern)}}}
	return wire.Check{Message: mismatch + pattern,
		Condition: wire.Call{Func: "or", Args: []wire.Prop{{Name: "values", Value: wire.List{empty, fits}}}}}
}

// patternOf reads back what matches wrote.
func patternOf(c wire.Check, value wire.Value) (string, bool) {
	pattern, ok := strings.CutPrefix(c.Message, mismatch)
	if !ok || value == nil {
		return "", false
	}
	want := matches(value, pattern)
	return pattern, equal(c.Condition, want.Condition)
}

// text draws headings, and on clients without functions the parts of a text.
func (j componentMapper) text(c *wire.Component, id string, from *comp) (todo, done []wire.Component) {
	variant, _ := wire.Get(c.Props, "variant").(wire.String)
	level := 0
	if len(variant) == 2 && variant[0] == 'h' {
		level, _ = strconv.Atoi(string(variant[1:]))
	}
	text := wire.Get(c.Props, "text")
	lit, literal := text.(wire.String)
	plainly := level > 0 || variant == "caption" // where it is not Markdown
	if literal && plainly && j.from.Features.MarkdownText && !j.to.Features.MarkdownText {
		lit = wire.String(j.unmark(string(variant), string(lit), "/text"))
		set(c, "text", lit)
	}
	if literal && plainly && !j.from.Features.MarkdownText && j.to.Features.MarkdownText {
		lit = wire.String(j.mark(string(variant), string(lit)))
		set(c, "text", lit)
	}
	if call, ok := text.(wire.Call); ok && plainly && j.to.Features.Calls &&
		j.from.Features.MarkdownText != j.to.Features.MarkdownText {
		each(call, func(v wire.Value) {
			if part, ok := v.(wire.String); ok && strings.ContainsAny(string(part), "\\`*_[]<>&~#") {
				j.lose(Markdown, "/text", "the text is read as Markdown by one of both")
			}
		})
	}
	if level > 0 && !j.to.Features.HeadingVariant {
		j.heading(c, strings.Repeat("#", level)+" ")
	}
	if call, ok := text.(wire.Call); ok && !j.to.Features.Calls {
		if !computable(call) || j.live(call, from) {
			return j.pieces(c, id, call)
		}
	}
	return nil, nil
}

// heading writes a heading as Markdown.
func (j componentMapper) heading(c *wire.Component, marks string) {
	drop(c, "variant")
	text := wire.Get(c.Props, "text")
	if lit, ok := text.(wire.String); ok {
		set(c, "text", wire.String(marks+wire.OneLine(string(lit))))
		return
	}
	if body, ok := interpolated(text); ok {
		set(c, "text", wire.Call{Func: "formatString",
			Args: []wire.Prop{{Name: "value", Value: wire.String(marks + body)}}})
		return
	}
	j.lose(Heading, "/text", "the heading is drawn as text: its value cannot stand in a text")
}

// mark escapes a text that will be read as Markdown, line by line.
func (j componentMapper) mark(variant, text string) string {
	if variant == "" || variant == "body" {
		return j.to.Escape("Text", variant, "text", text)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = j.to.Escape("Text", variant, "text", line)
		if variant == "caption" && strings.HasPrefix(lines[i], "#") {
			lines[i] = `\` + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// unmark removes the escapes of a text that was Markdown.
func (j componentMapper) unmark(variant, text, at string) string {
	out := wire.UnescapeMarkdown(text)
	if j.from.Escape("Text", variant, "text", out) != wire.OneLine(text) ||
		variant == "caption" && strings.HasPrefix(text, "#") {
		j.lose(Markdown, at, "the text is no longer read as Markdown")
	}
	return out
}

// markup reports whether the side that reads a text as Markdown shows something
// else than its characters.
func (j componentMapper) markup(text string) bool {
	escape := j.to.Escape
	if j.from.Features.MarkdownText && !j.to.Features.MarkdownText {
		escape = j.from.Escape
	}
	return escape("Text", "h1", "text", text) != wire.OneLine(text)
}

// live reports whether a text follows the user's input, and its parts would.
func (j *job) live(call wire.Call, c *comp) bool {
	values, exact := approximate(call)
	return exact && len(values) > 1 && j.computer().entered(call, c)
}

// pieces draws a text that a function makes from several values as a row of
// them, or as the one value it comes from.
func (j componentMapper) pieces(c *wire.Component, id string, call wire.Call) (todo, done []wire.Component) {
	values, exact := approximate(call)
	if len(values) == 1 {
		if !exact {
			j.lose(Function, "/text", "%s is not computed", call.Func)
		}
		set(c, "text", values[0])
		return nil, nil
	}
	j.lose(Function, "/text", "%s is drawn as a row of its parts", call.Func)
	ids := make(wire.Refs, len(values))
	for i, v := range values {
		part := wire.Component{ID: innerPrefix + strconv.Itoa(i) + "#" + id, Type: "Text", Props: slices.Clone(c.Props)}
		set(&part, "text", v)
		todo, ids[i] = append(todo, part), part.ID
	}
	row := wire.Component{ID: c.ID, Type: "Row", Weight: c.Weight, Props: []wire.Prop{{Name: "children", Value: ids}}}
	return todo, []wire.Component{row}
}
