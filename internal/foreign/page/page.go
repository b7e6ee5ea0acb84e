// Package page shows surfaces of other agents on pages of HTML, which have no client of A2UI: it makes
// Limn's own nodes of them, and acts as a client with the values and the button of a form.
//
// In: a surface with a ui.Foreign node ([Of]), and the values of a form ([Press]). Out: a surface to draw, and
// the action for the agent.
//
// Callers: package limn hands Of to html; turn admits posted forms with Press. Pure.
package page

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Bounds of a surface that a page shows, since templates repeat: nodes and options, and bytes of their texts.
const (
	maxPage     = 4000
	maxPageText = 2 << 20
)

// Of is a surface as a page of HTML shows it: that of another agent in Limn's own nodes, with the
// values of its data model as the draft; any other as it is. One that cannot be shown so stays, and its
// words are shown.
func Of(sf *ui.Surface) *ui.Surface {
	n := foreign.Of(sf)
	if n == nil || sf.Status != ui.StatusOpen {
		return sf
	}
	s, err := foreign.Read(n)
	if err != nil {
		return sf
	}
	view, err := screen(s).Surface(s.ID)
	if err != nil || !view.Ready {
		return sf
	}
	p := page{surface: s, out: *sf, judged: n.Model.Kind == jsonx.Object, bound: map[ui.Path]bool{}}
	p.out.Draft, p.out.Wrote, p.out.Errors = ui.Map(), map[ui.Path]uint64{}, nil
	root := p.nodes([]client.Shown{view.Root})
	if p.count > maxPage || p.size > maxPageText || len(root) == 0 {
		return sf
	}
	p.out.Root = ui.Nodes{&ui.Column{Key: "main", Children: root}}
	return &p.out
}

// screen is a client that shows the surface.
func screen(s *foreign.Surface) *client.Client {
	c := client.With(client.Config{Dialect: s.Dialect, AnyComponent: true, Forgiving: true})
	c.ApplyAll(s.Source(s.Model()))
	return c
}

// page makes the nodes of one surface.
type page struct {
	surface *foreign.Surface
	out     ui.Surface
	judged  bool // a user has sent values: their errors are shown
	bound   map[ui.Path]bool
	count   int // nodes and options
	size    int // bytes of their texts
	level   int // of the last heading: none is left out

	markdown int // bytes so far
}

func (p *page) nodes(list []client.Shown) (out ui.Nodes) {
	for i := range list {
		p.add(&list[i])
		if p.count > maxPage || p.size > maxPageText {
			break
		}
		if n := p.node("n"+strconv.Itoa(i), &list[i]); n != nil {
			out = append(out, n)
		}
	}
	return out
}

// add counts something that is shown, without its children.
func (p *page) add(s *client.Shown) {
	p.count += 1 + len(s.Options)
	p.size += len(s.Text) + len(s.Value.Str) + len(s.Spoken.Label) + len(s.Spoken.Description)
	for _, d := range s.Details {
		p.size += len(d.Value)
	}
	for _, o := range s.Options {
		p.size += len(o.Label) + len(o.Value)
	}
	for _, text := range slices.Concat(s.Actions, s.Errors) {
		p.size += len(text)
	}
}

// node is the node for what has a role; nil shows nothing.
func (p *page) node(key string, s *client.Shown) ui.Node {
	switch s.Role {
	case "unknown": // of the agent's catalog: its words and its children
		return p.stranger(key, s)
	case "column", "list":
		return &ui.Column{Key: key, Children: p.nodes(s.Children)}
	case "row":
		return &ui.Row{Key: key, Children: p.nodes(s.Children)}
	case "card":
		return &ui.Card{Key: key, Children: p.nodes(s.Children)}
	case "tablist":
		tabs := &ui.Tabs{Key: key}
		for i, t := range s.Children {
			p.add(&t)
			tab := ui.Tab{Key: "t" + strconv.Itoa(i), Title: t.Text, Children: p.nodes(t.Children)}
			tabs.Tabs = append(tabs.Tabs, tab)
		}
		return tabs
	case "modal":
		if len(s.Children) == 0 {
			return nil
		}
		title := caption(s.Children[0])
		p.size += len(title)
		return &ui.Section{Key: key, Fold: true, Title: title, Children: p.nodes(s.Children[1:])}
	case "divider":
		return &ui.Divider{Key: key}
	case "heading":
		p.level = min(s.Level, p.level+1)
		return &ui.Heading{Key: key, Level: p.level, Text: s.Text}
	case "text":
		if address := detail(s, "url"); ui.WebURL(address) {
			return link(key, s.Text, address)
		}
		if detail(s, "variant") == "caption" {
			return &ui.Text{Key: key, Text: s.Text, Small: true}
		}
		return p.text(key, s.Text)
	case "image":
		return &ui.Image{Key: key, URL: detail(s, "url"), Alt: cmp.Or(s.Text, s.Spoken.Label)}
	case "icon":
		return &ui.Icon{Key: key, Name: s.Text, Label: s.Spoken.Label}
	case "video", "audio":
		return link(key, cmp.Or(s.Text, s.Spoken.Label, detail(s, "url")), detail(s, "url"))
	case "button":
		return p.button(key, s)
	}
	return p.input(key, s)
}

// stranger is a component of the agent's catalog: its words, its children, and a button if it does something when
// it is pressed. Words that nothing else shows are those of the button.
func (p *page) stranger(key string, s *client.Shown) ui.Node {
	list := p.nodes(s.Children)
	switch {
	case len(s.Actions) > 0 && (len(list) == 0 || s.Text == "" && plain(list)):
		return p.button(key, s)
	case len(s.Actions) > 0:
		press := *s
		press.Text, press.Children = cmp.Or(s.Spoken.Label, s.Text, s.Actions[0]), nil
		return &ui.Column{Key: key, Children: append(list, p.button("b", &press))}
	case s.Text != "":
		list = append(ui.Nodes{p.text("t", s.Text)}, list...)
	}
	return &ui.Column{Key: key, Children: list}
}

// plain reports nodes that are words alone.
func plain(list ui.Nodes) bool {
	for _, n := range list {
		switch n.(type) {
		case *ui.Text, *ui.Foreign, *ui.Icon:
		default:
			return false
		}
	}
	return true
}

// maxMarkdown bounds the bytes of a page that are read as Markdown.
const maxMarkdown = 64 << 10

// text is words of an agent, which are Markdown.
func (p *page) text(key, text string) ui.Node {
	if p.markdown += len(text); p.markdown > maxMarkdown {
		return &ui.Text{Key: key, Text: text}
	}
	return &ui.Foreign{Key: key, Text: text}
}

func detail(s *client.Shown, name string) string {
	for _, d := range s.Details {
		if d.Name == name {
			return d.Value
		}
	}
	return ""
}

// caption is the words of something, for a place that takes words only.
func caption(s client.Shown) string {
	var words []string
	for n := range s.All() {
		if n.Text != "" && n.Role != "icon" {
			words = append(words, n.Text)
		}
	}
	return cmp.Or(s.Spoken.Label, strings.Join(words, " "), s.Text)
}

func link(key, label, address string) ui.Node {
	return &ui.Button{Key: key, Label: label, Action: ui.Action{Do: builtin.DoOpen,
		Context: []ui.Context{{Key: "url", Value: ui.String(address)}}}}
}

// button is a button that sends its event, or a link. The client knows it by the id of its action.
func (p *page) button(key string, s *client.Shown) ui.Node {
	label := caption(*s)
	if label == "" {
		for n := range s.All() {
			label = cmp.Or(label, n.Text, n.Spoken.Label)
		}
	}
	p.size += len(label)
	if len(s.Actions) == 0 {
		return nil
	}
	name := s.Actions[0]
	if strings.HasSuffix(name, "()") {
		return link(key, label, detail(s, "url")) // draws nothing without an address
	}
	return &ui.Button{Key: key, Label: cmp.Or(label, name), Primary: detail(s, "variant") == "primary",
		Action: ui.Action{Name: name, ID: s.Key()}}
}

// pathOf is the path that a page knows an input by, "" if it cannot.
func pathOf(s *client.Shown) ui.Path {
	p, _, err := ui.ParsePath("/"+ui.DraftRoot+s.Bound, true)
	if s.Bound == "" || err != nil {
		return ""
	}
	return p
}

// input is the control of an input. Of several that write to one place the first is a control; the others,
// and those that a page cannot post, are their values.
func (p *page) input(key string, s *client.Shown) ui.Node {
	in := ui.Input{Key: key, Path: pathOf(s), Field: ui.Field{Name: "value",
		Label: cmp.Or(s.Text, s.Spoken.Label, detail(s, "placeholder"), s.ID), Help: s.Spoken.Description}}
	var node ui.Node
	value, words := ui.String(s.Value.Text()), s.Value.Text()
	switch s.Role {
	case "textbox":
		n := &ui.TextInput{}
		in.Type, in.Placeholder = ui.TypeText, detail(s, "placeholder")
		switch detail(s, "variant") {
		case "longText":
			in.Type = ui.TypeLongText
		case "number":
			in.Type = ui.TypeNumber
		case "obscured":
			in.Obscured, words = true, ""
		}
		n.Input, node = in, n
	case "checkbox":
		in.Type, value = ui.TypeBoolean, ui.Bool(s.Value.Bool)
		node = &ui.Checkbox{Input: in}
	case "slider":
		in.Type, in.Min, in.Max = ui.TypeSlider, cmp.Or(detail(s, "min"), "0"), cmp.Or(detail(s, "max"), "100")
		words = s.Value.Str
		value = ui.String(words)
		node = &ui.Slider{Input: in}
	case "datetime":
		in.Type = ui.TypeDateTime
		switch date, at := detail(s, "enableDate") != "", detail(s, "enableTime") != ""; {
		case at && !date:
			in.Type = ui.TypeTime
		case !at:
			in.Type = ui.TypeDate
		}
		in.Min, in.Max = detail(s, "min"), detail(s, "max")
		node = &ui.DateTime{Input: in}
	case "choice":
		value, words = p.choice(&in.Field, s)
		node = &ui.Choice{Input: in}
	default:
		return nil
	}
	draft, ok := p.out.Draft.With(value, in.Path.Segments()[min(1, len(in.Path.Segments())):]...)
	if in.Path == "" || p.bound[in.Path] || !ok {
		return &ui.Text{Key: key, Text: strings.TrimSpace(in.Label + " " + words)}
	}
	p.out.Draft, p.bound[in.Path] = draft, true
	// a control stays on the page while it is for the same value, and its agent does not write that once more
	p.out.Wrote[in.Path] = stamp(s.Value, p.surface.Written(s.Bound))
	if p.judged && len(s.Errors) > 0 {
		p.out.Errors = append(p.out.Errors, ui.FieldError{Path: in.Path, Text: s.Errors[0]})
	}
	return node
}

// choice completes the field of a choice, and returns the chosen value.
func (p *page) choice(f *ui.Field, s *client.Shown) (value ui.Value, words string) {
	var chosen []string
	many := detail(s, "variant") == "multipleSelection"
	for _, o := range s.Options {
		if o.Value == "" && !many {
			continue // a page has an option for nothing
		}
		f.Options = append(f.Options, ui.Option{Value: o.Value, Label: o.Label})
		if o.Selected {
			chosen, words = append(chosen, o.Value), words+" "+o.Label
		}
	}
	if f.Type = ui.TypeChoices; many {
		return ui.Strings(chosen...), words
	}
	f.Type = ui.TypeChoice
	if len(chosen) == 0 {
		return ui.String(""), words
	}
	return ui.String(chosen[0]), words
}

// stamp is a number that differs for other values.
func stamp(v a2ui.Data, writes uint64) uint64 {
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64(jsonx.Append(nil, v), writes))
	return h.Sum64()
}

// Pressed is what comes of a button of a page.
type Pressed struct {
	Action a2ui.Action
	Node   *ui.Foreign // the surface with the values that were posted, but those of obscured inputs
	Fix    string      // why the button cannot be pressed with them, for the user; "": it was pressed
	Moved  bool        // it is in a row that may be another one by now, or a value is: it was not pressed
}

// Press acts as a client for a page of HTML: it takes the values that a form posted, and presses
// the button with the id. moved says that the rows of lists are others by now: no value of theirs counts.
func Press(n *ui.Foreign, id string, posted jsonx.Value, moved bool) (out Pressed, err error) {
	s, err := foreign.Read(n)
	if err != nil {
		return out, err
	}
	c := screen(s)
	view, err := c.Surface(s.ID)
	if err != nil {
		return out, err
	}
	var fix []string
	var secret []client.Shown // as they were
	counts := map[ui.Path]bool{}
	for in := range view.Root.All() {
		at := pathOf(&in)
		v, sent := posted.Get(string(at))
		if !sent || at == "" || moved && in.Scope != "" {
			continue
		}
		counts[at] = true
		if detail(&in, "variant") == "obscured" && !s.Send {
			secret = append(secret, in)
		}
		if label := cmp.Or(in.Text, in.ID); enter(c, s.ID, &in, v) != nil && !slices.Contains(fix, label) {
			fix = append(fix, label)
		}
	}
	view, _ = c.Surface(s.ID)
	if b, ok := view.Find(id); ok && b.Disabled {
		fix = append(fix, b.Errors...)
	}
	out.Fix = strings.Join(fix, "; ")
	out.Moved = moved && (strings.Contains(id, "@") || len(counts) < len(posted.Members))
	if out.Fix == "" && !out.Moved {
		out.Action, err = c.Click(s.ID, id)
	}
	for _, in := range secret {
		_ = enter(c, s.ID, &in, jsonx.Of(in.Value.Text())) // it was there before
	}
	next := *n
	if next.Model, _ = c.Data(s.ID); s.Dialect.Features().FlatData {
		next.Model = flat(next.Model)
	}
	out.Node = &next
	return out, err
}

// flat is data whose lists are maps with the keys 0, 1, and so on: no message of a version of flat data has a list.
func flat(v jsonx.Value) jsonx.Value {
	out := jsonx.OfObject()
	switch v.Kind {
	case jsonx.Array:
		for i, item := range v.Items {
			out.Members = append(out.Members, jsonx.Member{Key: strconv.Itoa(i), Value: flat(item)})
		}
	case jsonx.Object:
		for _, m := range v.Members {
			out.Members = append(out.Members, jsonx.Member{Key: m.Key, Value: flat(m.Value)})
		}
	default:
		return v
	}
	return out
}

// enter puts a posted value into an input. A client draws the whole surface to enter one value, and a page posts one
// for each input: so the value is entered where the input is alone, and then written to where it is bound.
func enter(c *client.Client, surface string, in *client.Shown, v jsonx.Value) error {
	one := alone(in)
	if err := enterAlone(one, in, v); err != nil {
		return err
	}
	data, _ := one.Data("one")
	return c.Write(surface, in.Bound, data.At("value"))
}

// alone is a client with one surface, which has an input like in.
func alone(in *client.Shown) *client.Client {
	types := map[string]string{"textbox": "TextField", "checkbox": "CheckBox", "datetime": "DateTimeInput",
		"slider": "Slider", "choice": "ChoicePicker"}
	root := a2ui.Component{ID: "root", Type: types[in.Role],
		Props: []a2ui.Prop{{Name: "value", Value: a2ui.Path("/value")}}}
	if in.Role == "choice" {
		options := make(a2ui.Options, len(in.Options))
		for i, o := range in.Options {
			options[i] = a2ui.Option{Label: a2ui.String(o.Label), Value: o.Value}
		}
		root.Props = append(root.Props, a2ui.Prop{Name: "options", Value: options},
			a2ui.Prop{Name: "variant", Value: a2ui.String(detail(in, "variant"))})
	}
	c := client.New(a2ui.V09, client.Strict)
	c.ApplyAll([]a2ui.Message{&a2ui.CreateSurface{SurfaceID: "one", CatalogID: a2ui.CatalogID(a2ui.V09)},
		&a2ui.UpdateComponents{SurfaceID: "one", Components: []a2ui.Component{root}}})
	return c
}

// enterAlone enters a posted value into the one input of a client.
func enterAlone(c *client.Client, in *client.Shown, v jsonx.Value) error {
	const surface, key = "one", "root"
	var list []string
	for _, one := range v.Items {
		list = append(list, one.Text())
	}
	if v.Kind != jsonx.Array {
		list = []string{v.Text()}
	}
	last := ""
	if len(list) > 0 {
		last = list[len(list)-1]
	}
	switch in.Role {
	case "textbox":
		return c.Type(surface, key, last)
	case "checkbox":
		return c.Tick(surface, key, last == "true")
	case "datetime":
		return c.SetDate(surface, key, last)
	case "slider":
		n, err := strconv.ParseFloat(last, 64)
		if err != nil {
			return err
		}
		return c.Slide(surface, key, n)
	case "choice":
		if detail(in, "variant") != "multipleSelection" {
			list = list[max(0, len(list)-1):]
		}
		return c.Choose(surface, key, slices.DeleteFunc(list, func(s string) bool {
			return s == "" && !slices.ContainsFunc(in.Options, func(o client.Option) bool { return o.Value == "" })
		})...)
	}
	return nil
}
