package foreign

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Sent is the data of the surface after a client sent those that it shows. What can be typed counts as it was sent.
// What is only drawn, or sent by a button, stays: the client may not have seen the last write of the agent yet. What
// nothing leads to is on no screen, and counts as it was sent. So does all of another catalog, whose components may
// write anywhere.
func (s *Surface) Sent(data a2ui.Data) a2ui.Data {
	if !s.Basic() {
		return data
	}
	out, _ := s.bindings().merge(place{}, false, s.Data, s.Model(), data)
	return out
}

// MovedRows reports that a list has not the rows any more that it had in an older state with the same components: those
// at its end, and what can be typed, do not count.
func (s *Surface) MovedRows(was *Surface) bool {
	var b *bindings
	for _, c := range s.comps {
		for _, p := range c.Props {
			list, ok := p.Value.(a2ui.Template)
			if !ok {
				continue
			}
			if b == nil {
				b = s.bindings()
			}
			at := place{path: "/" + strings.TrimPrefix(list.Path, "/")}
			now, _ := below(s.Model(), at.path)
			had, _ := below(was.Model(), at.path)
			now.Items = now.Items[:min(len(now.Items), len(had.Items))]
			if !jsonx.Equal(b.untyped(at, now), b.untyped(at, had)) {
				return true
			}
		}
	}
	return false
}

// isInput reports a property of the basic catalog, of a version whose clients send their data, that an input writes to.
func isInput(typ, name string) bool {
	switch typ {
	case "TextField", "CheckBox", "ChoicePicker", "Slider", "DateTimeInput":
		return name == "value"
	}
	return false
}

// places are the pointers of a component's bindings: true, and false for one that leads towards such a place.
type places struct {
	all  map[string]bool // from the root of the data
	item map[string]bool // from the item of a list
}

func newPlaces() places { return places{all: map[string]bool{}, item: map[string]bool{}} }

func (p places) add(path string) {
	relative := strings.TrimPrefix(path, "/")
	mark(p.all, "/"+relative)
	if relative == path {
		mark(p.item, "/"+relative)
	}
}

func mark(set map[string]bool, path string) {
	if path == "/" {
		path = ""
	}
	for i := range len(path) {
		if at := path[:i]; path[i] == '/' && !set[at] {
			set[at] = false
		}
	}
	set[path] = true
}

// is reports a place, and one that leads towards some.
func (p places) is(at place) (is, towards bool) {
	is, towards = p.all[at.path], false
	if _, towards = p.all[at.path]; at.list {
		within, leads := p.item[at.item]
		is, towards = is || within, towards || leads
	}
	return is, towards
}

// place is where a value of the data is.
type place struct {
	path string
	list bool   // it is within a list
	item string // the path from the item there
}

func (at place) key(key string) place {
	segment := string(jsonptr.AppendSegment(nil, key))
	at.path, at.item = at.path+segment, at.item+segment
	return at
}

func (at place) index(i int) place { return place{path: at.path + "/" + strconv.Itoa(i), list: true} }

// bindings are the places that the components of a surface lead to.
type bindings struct {
	typed places // by inputs
	drawn places // by all else, with all that is within
	lists places // of templates: their rows draw their values
	rows  bool   // something may be typed in a list
}

func (s *Surface) bindings() *bindings {
	b := &bindings{typed: newPlaces(), drawn: newPlaces(), lists: newPlaces()}
	for _, c := range s.comps {
		for _, p := range c.Props {
			b.value(p.Value, isInput(c.Type, p.Name))
		}
	}
	return b
}

// value adds the places that a value of a component leads to.
func (b *bindings) value(v a2ui.Value, input bool) {
	switch v := v.(type) {
	case a2ui.Path:
		to := b.drawn
		if input {
			to, b.rows = b.typed, b.rows || !strings.HasPrefix(string(v), "/")
		}
		to.add(string(v))
	case a2ui.Template:
		b.lists.add(v.Path)
	case a2ui.Tabs:
		for _, t := range v {
			b.value(t.Title, false)
		}
	case a2ui.Call:
		b.props(v.Args)
		for _, p := range v.Args {
			if text, ok := p.Value.(a2ui.String); ok && v.Func == "formatString" {
				b.format(string(text))
			}
		}
	case a2ui.Local:
		b.props(v.Call.Args)
	case a2ui.Event:
		b.props(v.Context)
		b.value(v.UserMessage, false)
	case a2ui.Object:
		b.props(v)
	case a2ui.List:
		for _, one := range v {
			b.value(one, false)
		}
	case a2ui.Options:
		for _, o := range v {
			b.value(o.Label, false)
		}
	case a2ui.Checks:
		for _, c := range v {
			b.value(c.Condition, false)
		}
	}
}

func (b *bindings) props(list []a2ui.Prop) {
	for _, p := range list {
		b.value(p.Value, false)
	}
}

// format adds the places in the text of a formatString. Each word of an expression may be one; other words
// lead nowhere.
func (b *bindings) format(text string) {
	apart := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(),:'\"}", r) }
	for _, part := range strings.Split(text, "${")[1:] {
		inner, after, _ := strings.Cut(part, "}")
		for _, word := range strings.FieldsFunc(inner, apart) {
			b.drawn.add(word)
		}
		for _, word := range strings.FieldsFunc(after, apart) { // text, or the rest of an expression around that one
			if word[0] == '/' {
				b.drawn.add(word)
			}
		}
	}
}

// merge is the value at a place after a client sent one; is has it as it was, and own as the agent has it. whole says
// that all within a place above is drawn. ok is false for none.
func (b *bindings) merge(at place, whole bool, own, is, sent a2ui.Data) (out a2ui.Data, ok bool) {
	typed, inputs := b.typed.is(at)
	drawn, list, parts := b.shows(at)
	whole = whole || drawn
	drawn = whole || list
	has := is.Kind != jsonx.Null
	switch {
	case typed, !drawn && !inputs && !parts:
		return sent, true
	case sent.Kind == jsonx.Object && (is.Kind == jsonx.Object || !has) && (inputs || !drawn):
		out = b.members(at, whole, own, is, sent)
		return out, has || len(out.Members) > 0
	case b.rows && is.Kind == jsonx.Array && sent.Kind == jsonx.Array:
		is.Items = slices.Clone(is.Items)
		for i, to := range b.rowsOf(at, is.Items, sent.Items) {
			if to >= 0 {
				is.Items[to], _ = b.merge(at.index(to), whole, jsonx.Value{}, is.Items[to], sent.Items[i])
			}
		}
	}
	return is, has
}

// rowsOf is the place of each row that a client sent, or -1, since its agent may have moved the rows meanwhile. It is
// that of a row with the same values besides those that are typed, and the same place if no row has moved.
func (b *bindings) rowsOf(at place, is, sent []a2ui.Data) []int {
	key := func(i int, row a2ui.Data) string {
		return string(jsonx.AppendCanonical(nil, b.untyped(at.index(i), row)))
	}
	free := map[string][]int{}
	for i, row := range is {
		k := key(i, row)
		free[k] = append(free[k], i)
	}
	to, moved := make([]int, len(sent)), false
	for i, row := range sent {
		to[i] = -1
		if k := key(i, row); len(free[k]) > 0 {
			to[i], free[k] = free[k][0], free[k][1:]
			moved = moved || to[i] != i
		}
	}
	for i := range min(len(is), len(sent)) {
		if to[i] < 0 && !moved {
			to[i] = i
		}
	}
	return to
}

// untyped is a value without what can be typed in it.
func (b *bindings) untyped(at place, v a2ui.Data) a2ui.Data {
	if typed, _ := b.typed.is(at); typed {
		return jsonx.Value{}
	}
	out := v
	out.Members, out.Items = nil, nil
	for _, m := range v.Members {
		m.Value = b.untyped(at.key(m.Key), m.Value)
		if m.Value.Kind != jsonx.Null && (m.Value.Kind != jsonx.Object || len(m.Value.Members) > 0) {
			out.Members = append(out.Members, m)
		}
	}
	for i, item := range v.Items {
		out.Items = append(out.Items, b.untyped(at.index(i), item))
	}
	return out
}

func (b *bindings) members(at place, whole bool, own, is, sent a2ui.Data) a2ui.Data {
	out, mine, other := jsonx.OfObject(), indexOf(own), indexOf(sent)
	for _, m := range is.Members {
		v, there := other[m.Key]
		below := at.key(m.Key)
		if _, agents := mine[m.Key]; !there && !agents && !whole && !b.leads(below) {
			continue
		}
		if there {
			delete(other, m.Key)
			m.Value, _ = b.merge(below, whole, mine[m.Key], m.Value, v)
		}
		out.Members = append(out.Members, m)
	}
	for _, m := range sent.Members {
		if _, more := other[m.Key]; !more {
			continue
		}
		if v, ok := b.merge(at.key(m.Key), whole, mine[m.Key], jsonx.Value{}, m.Value); ok {
			out.Members = append(out.Members, a2ui.Member{Key: m.Key, Value: v})
		}
	}
	return out
}

// indexOf has the members of an object by their keys: there may be many.
func indexOf(v a2ui.Data) map[string]a2ui.Data {
	index := make(map[string]a2ui.Data, len(v.Members))
	for _, m := range v.Members {
		index[m.Key] = m.Value
	}
	return index
}

// leads reports a place that bindings lead to, or towards.
func (b *bindings) leads(at place) bool {
	typed, inputs := b.typed.is(at)
	drawn, list, parts := b.shows(at)
	return typed || inputs || drawn || list || parts
}

// shows reports a place that is drawn, one that is a list of rows, and one that leads towards some.
func (b *bindings) shows(at place) (drawn, list, parts bool) {
	drawn, parts = b.drawn.is(at)
	list, rows := b.lists.is(at)
	return drawn, list, parts || rows
}
