package client

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// pen draws one component into a Shown.
type pen struct {
	*drawing
	comp  a2ui.Component
	scope scope
	depth int
}

// drawer returns what draws a component type of the basic catalog, nil for any
// other.
func drawer(component string) func(*pen, *Shown) {
	switch component {
	case "Column":
		return layout(roleColumn)
	case "Row":
		return layout(roleRow)
	case "List":
		return layout(roleList)
	case "Card":
		return layout(roleCard)
	case "Tabs":
		return (*pen).tabs
	case "Modal":
		return (*pen).modal
	case "Divider":
		return func(_ *pen, s *Shown) { s.Role = roleDivider }
	case "Text":
		return (*pen).text
	case "Image":
		return media(roleImage)
	case "Icon":
		return (*pen).icon
	case "Video":
		return media(roleVideo)
	case "AudioPlayer":
		return media(roleAudio)
	case "Button":
		return (*pen).button
	case "TextField":
		return (*pen).textField
	case "CheckBox":
		return (*pen).checkBox
	case "ChoicePicker":
		return (*pen).choice
	case "Slider":
		return (*pen).slider
	case "DateTimeInput":
		return (*pen).dateTime
	}
	return nil
}

func layout(role string) func(*pen, *Shown) {
	return func(p *pen, s *Shown) {
		s.Role = role
		if prop(p.comp, "child") != nil {
			s.Children = p.children("child")
			return
		}
		s.Children = p.children("children")
	}
}

// children draws the components that a property refers to.
func (p *pen) children(name string) (out []Shown) {
	switch v := prop(p.comp, name).(type) {
	case a2ui.Ref:
		return []Shown{p.child(string(v), p.scope, p.depth+1)}
	case a2ui.Refs:
		for _, id := range v {
			out = append(out, p.child(id, p.scope, p.depth+1))
		}
	case a2ui.Template:
		return p.repeat(v)
	default:
		p.report(validationError, name+" names no component")
	}
	return out
}

// repeat draws a template's component once for each item.
func (p *pen) repeat(t a2ui.Template) (out []Shown) {
	for _, sc := range p.items(t) {
		if p.left <= 0 {
			p.reportEndless()
			break
		}
		out = append(out, p.child(t.Component, sc, p.depth+1))
	}
	return out
}

// items returns the scopes of the items that a template repeats over.
func (p *pen) items(t a2ui.Template) (out []scope) {
	data, base, ok := p.lookup(t.Path, p.scope)
	add := func(key string) { out = append(out, scope{in: true, index: len(out), path: base + pointer(key)}) }
	switch {
	case !ok:
	case data.Kind == array:
		for i := range data.Items {
			add(strconv.Itoa(i))
		}
	case data.Kind == object && p.rules.FlatData:
		for _, m := range data.Members {
			add(m.Key)
		}
	default:
		p.report(dataError, "the template repeats over a "+data.Kind.String()+" at "+base)
	}
	return out
}

// wordy are the properties in which components usually have words, in the order in which they are read.
var wordy = []string{"title", "label", "text", "value", "caption", "description", "message"}

// stranger draws a component that no catalog has: its words, its action, and the components that it names.
func (p *pen) stranger(s *Shown) {
	var words []string
	for _, name := range wordy {
		v := prop(p.comp, name)
		if text, ok := v.(a2ui.String); v == nil || ok && p.names(string(text)) {
			continue
		}
		switch data, _ := p.value(v, p.scope, 0); data.Kind {
		case jsonx.String, jsonx.Number, jsonx.Bool:
			words = append(words, p.string(v))
		}
	}
	s.Text, s.Spoken = strings.Join(words, " "), p.spoken()
	p.action(s)
	for _, one := range p.comp.Props {
		switch v := one.Value.(type) {
		case a2ui.Ref, a2ui.Refs, a2ui.Template:
			s.Children = append(s.Children, p.children(one.Name)...)
		case a2ui.String:
			s.Children = append(s.Children, p.named(string(v))...)
		case a2ui.List:
			for _, item := range v {
				if id, ok := item.(a2ui.String); ok {
					s.Children = append(s.Children, p.named(string(id))...)
				}
			}
		case a2ui.Literal:
			p.left -= len(v.Data.Items) / 10
			for _, item := range v.Data.Items {
				s.Children = append(s.Children, p.named(item.Text())...)
			}
		}
	}
}

// names reports the id of another component.
func (p *pen) names(id string) bool {
	_, ok := p.surface.comps[id]
	return ok && id != p.comp.ID
}

// named draws the component with an id, if there is one.
func (p *pen) named(id string) []Shown {
	if !p.names(id) {
		return nil
	}
	return []Shown{p.child(id, p.scope, p.depth+1)}
}

func (p *pen) tabs(s *Shown) {
	s.Role = roleTabList
	tabs, ok := prop(p.comp, "tabs").(a2ui.Tabs)
	if !ok {
		p.report(validationError, "tabs is no list of tabs")
	}
	for _, t := range tabs {
		tab := Shown{Role: roleTab, Scope: s.Scope, Children: []Shown{p.child(t.Child, p.scope, p.depth+1)}}
		tab.Text = p.string(t.Title)
		s.Children = append(s.Children, tab)
	}
}

func (p *pen) modal(s *Shown) {
	s.Role = roleModal
	s.Children = append(p.children("trigger"), p.children("content")...)
}

// text draws a Text: a heading by its variant or, where the body is Markdown,
// by leading marks; a body that is one Markdown link has the detail url.
func (p *pen) text(s *Shown) {
	variant := p.fixed("variant")
	raw := p.string(prop(p.comp, "text"))
	s.Role, s.Text = roleText, raw
	if len(variant) == 2 && variant[0] == 'h' && variant[1] >= '1' && variant[1] <= '6' {
		s.Role, s.Level = roleHeading, int(variant[1]-'0')
		if p.rules.MarkdownText {
			s.markdown(raw, "h1")
		}
		return
	}
	s.detail("variant", variant, "body")
	if variant == "caption" { // one line where it is Markdown: no heading
		if p.rules.MarkdownText {
			s.markdown(raw, "caption")
		}
		return
	}
	if level, rest := markdownHeading(raw); level > 0 {
		s.Role, s.Level = roleHeading, level
		s.markdown(rest, "h1")
		return
	}
	if m := markdownLink.FindStringSubmatch(raw); m != nil {
		s.markdown(m[1], "h1")
		s.detail("url", m[2], "")
		return
	}
	if variant == "" {
		variant = "body"
	}
	s.markdown(raw, variant)
}

var markdownLink = regexp.MustCompile(`^\[((?:[^\[\]\\]|\\.)+)\]\(([^()\s\\]+)\)$`)

func (p *pen) icon(s *Shown) {
	s.Role, s.Text = roleIcon, p.string(prop(p.comp, "name"))
}

func media(role string) func(*pen, *Shown) {
	return func(p *pen, s *Shown) {
		s.Role = role
		if prop(p.comp, "description") != nil {
			s.label(p, "description")
		}
		s.detail("url", p.string(prop(p.comp, "url")), "")
		s.detail("variant", p.fixed("variant"), "mediumFeature")
	}
}

func (p *pen) button(s *Shown) {
	s.Role = roleButton
	s.Children = p.children("child")
	s.detail("variant", p.fixed("variant"), "default")
	if !p.action(s) {
		p.report(validationError, "action is no action")
	}
}

// action draws the action of a component, and reports whether it has one.
func (p *pen) action(s *Shown) bool {
	switch a := actionOf(p.comp).(type) {
	case a2ui.Event:
		s.Actions = []string{a.Name}
	case a2ui.Local:
		s.Actions = []string{a.Call.Func + "()"}
		for _, arg := range a.Call.Args {
			if v, ok := p.deep(arg.Value, p.scope, 1); ok && arg.Name == "url" {
				s.detail("url", p.show(v), "")
			}
		}
	}
	s.Errors, s.Disabled = p.checks()
	return len(s.Actions) > 0
}

// actionOf returns the action of a component that is pressed: the property action, or the first one that
// has the shape of an event. Nil: nothing.
func actionOf(comp a2ui.Component) a2ui.Value {
	if a := prop(comp, "action"); a != nil {
		return a
	}
	for _, one := range comp.Props {
		if e, ok := one.Value.(a2ui.Event); ok {
			return e
		}
		if e, ok := wholeEvent(one.Value); ok {
			return e
		}
	}
	return nil
}

// wholeEvent is a value with the shape of an event, in no short form: it may as well be data.
func wholeEvent(v a2ui.Value) (e a2ui.Event, ok bool) {
	m := membersOf(v)
	if len(m) != 1 || m[0].Name != "event" {
		return e, false
	}
	for _, p := range membersOf(m[0].Value) {
		_, isObject := p.Value.(a2ui.Object)
		if lit, plain := p.Value.(a2ui.Literal); plain {
			isObject = lit.Data.Kind == object
		}
		if p.Name == "event" || p.Name == "context" && !isObject {
			return e, false
		}
	}
	return shortEvent(a2ui.Object(membersOf(m[0].Value)))
}

// spoken resolves the property accessibility.
func (p *pen) spoken() (out Spoken) {
	v := prop(p.comp, "accessibility")
	if v == nil {
		return out
	}
	data, _ := p.value(v, p.scope, 0)
	out = Spoken{Label: p.show(data.At("label")), Description: p.show(data.At("description")),
		Live: data.At("live").Text(), Hidden: p.rules.functions.Truthy(data.At("hidden"))}
	if out.Live == "off" {
		out.Live = ""
	}
	return out
}

// string resolves a property to the text shown for it.
func (p *pen) string(v a2ui.Value) string {
	if v == nil {
		p.report(validationError, "a property is missing")
		return ""
	}
	data, ok := p.value(v, p.scope, 0)
	if !ok {
		return ""
	}
	return p.show(data)
}

// show is the text of a value, which may be a copy.
func (p *pen) show(v a2ui.Data) string {
	s := show(v)
	p.left -= len(s) / 500 // 500 bytes take about as much memory as a node
	return s
}

// fixed returns a literal string property, "" when absent.
func (p *pen) fixed(name string) string {
	s, _ := prop(p.comp, name).(a2ui.String)
	return string(s)
}

// label draws a property as the text of s.
func (s *Shown) label(p *pen, name string) { s.Text = p.string(prop(p.comp, name)) }

// markdown draws a text that is Markdown, of a variant of Text ("h1" for any one
// line).
func (s *Shown) markdown(raw, variant string) {
	s.Text = wire.UnescapeMarkdown(raw)
	for line := range strings.SplitSeq(raw, "\n") {
		line = strings.TrimSpace(line)
		if !literal(line, a2ui.Escape(a2ui.V10, "Text", variant, "text", wire.UnescapeMarkdown(line))) {
			s.Markdown = raw
			return
		}
	}
}

// literal reports whether a line of Markdown shows what its own characters are: it
// has a backslash wherever the escaped form of the same characters has one.
func literal(line, escaped string) bool {
	for line != "" && escaped != "" {
		if escaped[0] == '\\' && len(escaped) > 1 && strings.IndexByte(wire.MarkdownMarks, escaped[1]) >= 0 {
			if line[0] != '\\' {
				return false
			}
			line, escaped = line[1:], escaped[1:]
		} else if line[0] == '\\' && len(line) > 1 && line[1] == escaped[0] && escaped[0] != '\\' {
			line = line[1:] // escaped though it need not be
		}
		if line == "" || line[0] != escaped[0] {
			return false
		}
		line, escaped = line[1:], escaped[1:]
	}
	return line == escaped
}

// detail notes a property unless it is at its default.
func (s *Shown) detail(name, value, byDefault string) {
	if value != "" && value != byDefault {
		s.Details = append(s.Details, Detail{name, value})
	}
}

// markdownHeading splits "## text" on one line into its level and the Markdown
// after it; level 0 is no heading.
func markdownHeading(raw string) (int, string) {
	n := len(raw) - len(strings.TrimLeft(raw, "#"))
	if n < 1 || n > 6 || n == len(raw) || raw[n] != ' ' || strings.Contains(raw, "\n") {
		return 0, raw
	}
	rest := strings.Trim(raw[n:], " ")
	if open := strings.TrimRight(rest, "#"); open == "" || strings.HasSuffix(open, " ") { // a closing mark
		rest = strings.TrimRight(open, " ")
	}
	return n, rest
}
