package compile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/draft"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// dataMaker fills the data model.
type dataMaker struct{ *drawing }

// Short names of the JSON kinds.
const (
	kindBool   = jsonx.Bool
	kindNumber = jsonx.Number
	kindString = jsonx.String
	kindArray  = jsonx.Array
	kindObject = jsonx.Object
)

// revPath is where limn_rev is bound.
const revPath = ui.Path("/ui_state/rev")

// shape is what kind of value a leaf holds and who writes it. A leaf whose
// shape changes is sent again.
type shape uint8

const (
	shapeContainer shape = iota // no leaf
	shapeText                   // input: string
	shapeBool                   // input: boolean
	shapeNumber                 // input: number
	shapeList                   // input: list of strings
	shapeRaw                    // the server's: as it is
	shapeShown                  // the server's: escaped text
	shapePlain                  // the server's: text that needs no escape
)

// input reports a leaf that users write to.
func (s shape) input() bool { return s >= shapeText && s <= shapeList }

type leaf struct {
	val   a2ui.Data
	shape shape
}

// tree is the data that the components of a surface bind: a leaf, or a
// container with children in drawing order.
type tree struct {
	key   string
	kids  []*tree // nil in a leaf; not nil in a container
	leaf  leaf
	exact bool // bound whole: removed members must not stay in the client
}

// flat is how many messages the containers below t take where data is flat: one for
// each that has leaves, or nothing.
func (t *tree) flat() (n int) {
	for _, k := range t.kids {
		if k.kids == nil {
			continue
		}
		if len(k.kids) == 0 || slices.ContainsFunc(k.kids, func(t *tree) bool { return t.kids == nil }) {
			n++
		}
		n += k.flat()
	}
	return n
}

func (t *tree) child(key string) *tree {
	for i := len(t.kids) - 1; i >= 0; i-- { // the newest is the likeliest
		if t.kids[i].key == key {
			return t.kids[i]
		}
	}
	return nil
}

// at returns the node at a path, or nil.
func (t *tree) at(p ui.Path) *tree {
	for rest := string(p); rest != "" && t != nil; {
		var key string
		key, rest = segment(rest)
		t = t.child(key)
	}
	return t
}

// segment splits the first segment from a pointer, "" from none.
func segment(p string) (key, rest string) {
	p = strings.TrimPrefix(p, "/")
	if i := strings.IndexByte(p, '/'); i >= 0 {
		p, rest = p[:i], p[i:]
	}
	if strings.IndexByte(p, '~') >= 0 {
		p, _ = jsonptr.Unescape(p) // a ui.Path is canonical
	}
	return p, rest
}

// put adds a leaf and returns its node; where one is already, that one. nil
// means that the path leads through a leaf.
func (t *tree) put(p ui.Path, l leaf) *tree {
	n := t.grow(p)
	if n != nil && n.kids == nil && n.leaf.shape == shapeContainer {
		n.leaf = l
	}
	return n
}

// hold makes a container, empty at first.
func (t *tree) hold(p ui.Path) *tree {
	n := t.grow(p)
	if n != nil && n.kids == nil && n.leaf.shape == shapeContainer {
		n.kids = []*tree{}
	}
	if n != nil {
		n.exact = true
	}
	return n
}

func (t *tree) grow(p ui.Path) *tree {
	for rest := string(p); rest != ""; {
		var key string
		key, rest = segment(rest)
		if t.leaf.shape != shapeContainer {
			return nil
		}
		next := t.child(key)
		if next == nil {
			next = &tree{key: key}
			if t.kids == nil {
				t.kids = make([]*tree, 0, 4)
			}
			t.kids = append(t.kids, next)
		}
		t = next
	}
	return t
}

func number[N int | uint64](n N) a2ui.Data {
	return a2ui.Data{Kind: kindNumber, Str: strconv.FormatUint(uint64(n), 10)}
}

// get returns the value at a path of the surface or of the committed values.
func (d *drawing) get(p ui.Path) (ui.Value, bool) {
	if p.Under(ui.CommittedRoot) {
		return d.state.Committed.Get(p.Segments()[1:]...)
	}
	root, rest := segment(string(p))
	var v ui.Value
	switch root {
	case ui.DraftRoot:
		v = d.surface.Draft
	case ui.UIStateRoot:
		v = d.surface.UIState
	default:
		return v, false
	}
	if key, more := segment(rest); more == "" && key != "" { // the usual depth
		return v.Get(key)
	}
	return d.surface.Get(p)
}

// value is get with a warning where null is.
func (d *drawing) value(p ui.Path, at string) ui.Value {
	v, ok := d.get(p)
	if ok && v.IsNull() {
		d.warn(codeNull, at, "a null value is drawn as an empty one")
	}
	return v
}

// putInput makes sure that an input's path has data.
func (d dataMaker) putInput(p ui.Path, f *ui.Field) { d.putCell(p, f, d.value(p, string(p))) }

// putCell is putInput for a value that is known.
func (d dataMaker) putCell(p ui.Path, f *ui.Field, v ui.Value) {
	if f.Type == ui.TypeChoices && !d.f.ManyChoice {
		d.putMap(p, f, v)
		return
	}
	val, s := d.inputData(f, v)
	d.data.put(p, leaf{val, s})
}

// inputData is the value of an input in the shape its component binds: a text is a string,
// a choice a list of no or one string, choices a list of strings. Where data cannot hold
// lists, a list is its JSON text; where a picker takes one answer only, choices are a map of
// draft.OptionKey to booleans (putMap). Rows are a map from row id to a map of cells, of the
// rows of the shown page only. Where Features.LeafKey is set, each leaf is a map of one.
func (d dataMaker) inputData(f *ui.Field, v ui.Value) (a2ui.Data, shape) {
	switch f.Type {
	case ui.TypeBoolean:
		return a2ui.Data{Kind: kindBool, Bool: f.Draft(v).True()}, shapeBool
	case ui.TypeSlider:
		return a2ui.Data{Kind: kindNumber, Str: f.Draft(v).Text()}, shapeNumber
	case ui.TypeChoice:
		return d.chosenData(one(v)), shapeList
	case ui.TypeDate, ui.TypeTime:
		text := f.Draft(v).Text()
		if d.f.LocalMoments {
			text = draft.Moment(f.Type, text)
		}
		return d.texts().stringData(text), shapeText
	case ui.TypeChoices:
		return d.chosenData(f.Draft(v).List()), shapeList
	}
	if v.Kind() == ui.StringValue {
		return d.texts().stringData(v.Text()), shapeText
	}
	return d.texts().stringData(f.Draft(v).Text()), shapeText
}

func one(v ui.Value) []string {
	if v.Kind() == ui.StringsValue {
		return v.List()
	}
	if v.Empty() {
		return nil
	}
	return []string{v.Text()}
}

// chosenData is the list that a ChoicePicker binds. Where data cannot hold one,
// clients make it from its JSON text.
func (d dataMaker) chosenData(list []string) a2ui.Data {
	if !d.f.ListText {
		return d.listData(list)
	}
	text := []byte{'['}
	for i, s := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = jsonx.AppendString(text, s)
	}
	return a2ui.Data{Kind: kindString, Str: string(append(text, ']'))}
}

// listData is a list of strings. Where data cannot hold one, a single text
// represents it.
func (d dataMaker) listData(list []string) a2ui.Data {
	if d.f.FlatData {
		return d.texts().stringData(strings.Join(list, ", "))
	}
	out := a2ui.Data{Kind: kindArray, Items: make([]a2ui.Data, len(list))}
	for i, s := range list {
		out.Items[i] = a2ui.Data{Kind: kindString, Str: s}
	}
	return out
}

// putMap draws choices as one boolean for each option.
func (d dataMaker) putMap(p ui.Path, f *ui.Field, v ui.Value) {
	chosen := f.Draft(v).List()
	n := d.data.hold(p)
	if n == nil || len(n.kids) > 0 {
		return
	}
	for _, o := range f.Options {
		key := draft.OptionKey(o.Value)
		if n.child(key) != nil {
			continue
		}
		on := false
		for _, c := range chosen {
			on = on || c == o.Value
		}
		n.kids = append(n.kids, &tree{key: key, leaf: leaf{a2ui.Data{Kind: kindBool, Bool: on}, shapeBool}})
	}
}

// putRaw adds a value of the server's as it is: what an action sends whole.
func (d dataMaker) putRaw(p ui.Path, v ui.Value) *tree {
	n := d.data.grow(p)
	if n != nil && n.kids == nil && n.leaf.shape == shapeContainer {
		d.fillRaw(n, v)
	}
	return n
}

func (d dataMaker) fillRaw(n *tree, v ui.Value) {
	n.exact = true
	switch v.Kind() {
	case ui.MapValue:
		n.kids = make([]*tree, 0, len(v.Pairs()))
		for _, p := range v.Pairs() {
			d.fillRaw(n.grown(p.Key), p.Value)
		}
	case ui.RowsValue:
		n.kids = make([]*tree, 0, len(v.Records()))
		for _, r := range v.Records() {
			cells := r.Cells
			if cells.IsNull() {
				cells = ui.Map()
			}
			d.fillRaw(n.grown(r.ID), cells)
		}
	case ui.StringsValue:
		n.leaf = leaf{d.listData(v.List()), shapeRaw}
	case ui.BoolValue:
		n.leaf = leaf{a2ui.Data{Kind: kindBool, Bool: v.True()}, shapeRaw}
	case ui.NumberValue:
		n.leaf = leaf{a2ui.Data{Kind: kindNumber, Str: v.Text()}, shapeRaw}
	default: // a string, or null
		n.leaf = leaf{d.texts().stringData(v.Text()), shapeRaw}
	}
}

func (t *tree) grown(key string) *tree {
	n := &tree{key: key}
	t.kids = append(t.kids, n)
	return n
}
