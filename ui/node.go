package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Node is one thing a person sees. All nodes are in this file. A node knows
// nothing of A2UI or HTML; its key is unique among its siblings.
type Node interface{ key() string }

// Layout.
type (
	// Column stacks its children.
	Column struct {
		Key      string `json:"key"`
		Children Nodes  `json:"children"`
	}
	// Row puts its children side by side.
	Row struct {
		Key      string `json:"key"`
		Children Nodes  `json:"children"`
	}
	// Card frames its children.
	Card struct {
		Key      string `json:"key"`
		Children Nodes  `json:"children"`
	}
	// Section is a titled group. One that folds holds means, not content: it may be
	// drawn closed, and of a surface that takes no input it need not be drawn.
	Section struct {
		Key      string `json:"key"`
		Title    string `json:"title"`
		Fold     bool   `json:"fold,omitempty"`
		Children Nodes  `json:"children"`
	}
	// Tabs shows one of several children; the keys of the tabs are siblings.
	Tabs struct {
		Key  string `json:"key"`
		Tabs []Tab  `json:"tabs"`
	}
	// Tab is one tab of Tabs. It is a node, so that its content has a key path.
	Tab struct {
		Key      string `json:"key"`
		Title    string `json:"title"`
		Children Nodes  `json:"children"`
	}
	// List shows things of one kind as rows. Each child is a Row: a Text for each
	// column, then its buttons. With no column it is a Column.
	List struct {
		Key      string   `json:"key"`
		Label    string   `json:"label"`
		Columns  []string `json:"columns,omitempty"`
		Children Nodes    `json:"children"`
	}
	// Divider separates its neighbours.
	Divider struct {
		Key string `json:"key"`
	}
)

// Content. Where a node has a Path, the value there is shown instead of the
// literal, and data messages alone keep it current.
type (
	// Heading has a Level of 1 to 5.
	Heading struct {
		Key   string `json:"key"`
		Level int    `json:"level"`
		Text  string `json:"text"`
	}
	// Text is plain text; line breaks are kept.
	Text struct {
		Key   string `json:"key"`
		Text  string `json:"text,omitempty"`
		Path  Path   `json:"path,omitempty"`
		Small bool   `json:"small,omitempty"` // a caption
	}
	// Image shows an http or https URL.
	Image struct {
		Key string `json:"key"`
		URL string `json:"url"`
		Alt string `json:"alt"`
	}
	// Icon shows one of the 48 icon names every A2UI version knows.
	Icon struct {
		Key   string `json:"key"`
		Name  string `json:"name"`
		Label string `json:"label,omitempty"`
	}
	// Stat is a labelled figure.
	Stat struct {
		Key   string `json:"key"`
		Label string `json:"label"`
		Value string `json:"value,omitempty"`
		Path  Path   `json:"path,omitempty"`
		Note  string `json:"note,omitempty"`
	}
	// Progress is a labelled share of 100.
	Progress struct {
		Key     string `json:"key"`
		Label   string `json:"label"`
		Percent int    `json:"percent,omitempty"` // 0 to 100
		Path    Path   `json:"path,omitempty"`    // a number, 0 to 100
	}
	// Notice is a message beside the content.
	Notice struct {
		Key  string `json:"key"`
		Tone Tone   `json:"tone"`
		Text string `json:"text"`
	}
	// Diagram is the picture of a process whose rows are elsewhere; it owns no
	// path. Rows of steps have the cells name, owner and outcome; rows of edges
	// have from and to (ids of steps), kind (sequence, approval, parallel) and
	// conditional (a boolean).
	Diagram struct {
		Key   string `json:"key"`
		Label string `json:"label"`
		Steps Path   `json:"steps,omitempty"`
		Edges Path   `json:"edges,omitempty"` // "" = each step leads to the next
		Data  Value  `json:"data,omitzero"`   // instead of the paths: a map of rows, steps and, if declared, edges
	}
	// Chart draws figures, which are part of the node.
	Chart struct {
		Key    string    `json:"key"`
		Kind   ChartKind `json:"kind"`
		Label  string    `json:"label"`
		Unit   string    `json:"unit,omitempty"`   // of all values, such as "€" or "hours"
		Labels []string  `json:"labels,omitempty"` // one for each value of a series
		Series []Series  `json:"series,omitempty"` // a pie has one, without negative values
	}
	// Series is one run of figures of a Chart.
	Series struct {
		Name   string       `json:"name"`
		Values jsonx.Floats `json:"values,omitempty"` // finite, or NaN for a gap
	}
)

// Foreign is a whole surface of another agent, in A2UI. It is the root of its surface.
type Foreign struct {
	Key      string      `json:"key"`
	ID       string      `json:"id"`             // of the surface, as its agent knows it
	Version  string      `json:"version"`        // of A2UI, such as v0.9
	Messages jsonx.Value `json:"messages"`       // a list of those that create it, without data, in that version
	Data     jsonx.Value `json:"data,omitzero"`  // an object
	Model    jsonx.Value `json:"model,omitzero"` // the data as clients last showed them

	// Writes is how often its agent wrote each path of Data, changed or not, up to a bound.
	Writes map[string]uint64 `json:"writes,omitempty"`
	Moved  uint64            `json:"moved,omitempty"` // the revision in which the rows of a list last moved

	Text string `json:"text,omitempty"` // its content in words
}

// ChartKind is how a Chart is drawn.
type ChartKind string

// The kinds of a Chart.
const (
	ChartBar  ChartKind = "bar"
	ChartLine ChartKind = "line"
	ChartPie  ChartKind = "pie"
)

// The limits of a Chart.
const (
	maxChartPoints = 500 // values of all series together
	maxChartSeries = 12
)

// Tone is the weight of a Notice.
type Tone string

// The tones of a Notice.
const (
	ToneInfo    Tone = "info"
	ToneSuccess Tone = "success"
	ToneWarning Tone = "warning"
	ToneError   Tone = "error"
)

// Input is what all inputs share: a key, the path under /draft it is bound to,
// and the declared field.
type Input struct {
	Key  string `json:"key"`
	Path Path   `json:"path"`
	Field
}

// Inputs, one per way of drawing. InputFor picks the one for a field type.
type (
	// TextInput draws text, longtext, number, email and url.
	TextInput struct{ Input }
	// Checkbox draws boolean.
	Checkbox struct{ Input }
	// Choice draws choice and choices.
	Choice struct{ Input }
	// Slider draws slider.
	Slider struct{ Input }
	// DateTime draws date, time and datetime.
	DateTime struct{ Input }
	// Tags draws tags as comma separated text.
	Tags struct{ Input }
	// Upload draws upload; the draft holds the upload's id.
	Upload struct{ Input }
)

// Rowset is what Table and Steps share: rows of cells under one path.
type Rowset struct {
	Key     string  `json:"key"`
	Path    Path    `json:"path"` // a rows value
	Label   string  `json:"label"`
	Help    string  `json:"help,omitempty"`
	Columns []Field `json:"columns"`
	MinRows int     `json:"min_rows,omitempty"` // rows that must be filled in on submit
	MaxRows int     `json:"max_rows,omitempty"` // default Limits.Rows
	// Starter is how many empty rows it opens with: 0 = MinRows, at least 3 and
	// at most 20; -1 = none.
	Starter   int  `json:"starter,omitempty"`
	Unordered bool `json:"unordered,omitempty"` // the order of its rows means nothing: no buttons to move them
}

type (
	// Table is editable rows.
	Table struct{ Rowset }
	// Steps is a process: rows in order, and edges between them, themselves
	// rows with the cells from, to and kind (sequence, approval, parallel).
	Steps struct {
		Rowset
		Edges Path `json:"edges,omitempty"`
	}
)

// Button does one action.
type Button struct {
	Key     string `json:"key"`
	Label   string `json:"label"`
	Primary bool   `json:"primary,omitempty"`
	Action  Action `json:"action"`
}

// Action is the action of a button: a name the app allows and a context. Repeat means
// that clicking again is a new intention ("add row").
//
// With Do it is local instead: nothing is sent, and Name is empty. Do is "open", which opens
// the address url of the context, "copy", which copies its text, or the name of a function of
// the client's catalog, whose arguments are the context. Where a client has no such function
// an address is a link, a text is shown, and another button is not drawn.
type Action struct {
	Name    string    `json:"name,omitempty"`
	Do      string    `json:"do,omitempty"`
	Context []Context `json:"context,omitempty"`
	Repeat  bool      `json:"repeat,omitempty"`
	Masked  bool      `json:"masked,omitempty"` // not for now: in no drawing, and refused
	// Of a call in Router.Calls: its id, and until when its result counts. Name is the action
	// that gets the result, Do the function of the client.
	ID    string    `json:"id,omitempty"`
	Until time.Time `json:"until,omitzero"`
}

// NodeKey returns the key of a node.
func NodeKey(n Node) string { return n.key() }

// Context is one key of an action's context: the value at Path, or a literal.
type Context struct {
	Key   string `json:"key"`
	Path  Path   `json:"path,omitempty"`
	Value Value  `json:"value,omitzero"`
}

func (n *Column) key() string   { return n.Key }
func (n *Row) key() string      { return n.Key }
func (n *Card) key() string     { return n.Key }
func (n *Section) key() string  { return n.Key }
func (n *Tabs) key() string     { return n.Key }
func (n *Tab) key() string      { return n.Key }
func (n *List) key() string     { return n.Key }
func (n *Divider) key() string  { return n.Key }
func (n *Heading) key() string  { return n.Key }
func (n *Text) key() string     { return n.Key }
func (n *Image) key() string    { return n.Key }
func (n *Icon) key() string     { return n.Key }
func (n *Stat) key() string     { return n.Key }
func (n *Progress) key() string { return n.Key }
func (n *Notice) key() string   { return n.Key }
func (n *Diagram) key() string  { return n.Key }
func (n *Chart) key() string    { return n.Key }
func (n *Foreign) key() string  { return n.Key }
func (n *Input) key() string    { return n.Key }
func (rs *Rowset) key() string  { return rs.Key }
func (n *Button) key() string   { return n.Key }

// InputFor returns the input node that draws a field, bound to path.
func InputFor(path Path, f Field) Node {
	in := Input{Key: f.Name, Path: path, Field: f}
	switch f.Type {
	case TypeBoolean:
		return &Checkbox{in}
	case TypeChoice, TypeChoices:
		return &Choice{in}
	case TypeSlider:
		return &Slider{in}
	case TypeDate, TypeTime, TypeDateTime:
		return &DateTime{in}
	case TypeTags:
		return &Tags{in}
	case TypeUpload:
		return &Upload{in}
	}
	return &TextInput{in}
}

// InputOf returns the shared part of an input node, or nil for other nodes.
func InputOf(n Node) *Input {
	switch n := n.(type) {
	case *TextInput:
		return &n.Input
	case *Checkbox:
		return &n.Input
	case *Choice:
		return &n.Input
	case *Slider:
		return &n.Input
	case *DateTime:
		return &n.Input
	case *Tags:
		return &n.Input
	case *Upload:
		return &n.Input
	}
	return nil
}

// RowsetOf returns the shared part of a Table or Steps node, or nil.
func RowsetOf(n Node) *Rowset {
	switch n := n.(type) {
	case *Table:
		return &n.Rowset
	case *Steps:
		return &n.Rowset
	}
	return nil
}

// Children returns the children of a node in order; callers must not change it.
func Children(n Node) Nodes {
	switch n := n.(type) {
	case *Column:
		return n.Children
	case *Row:
		return n.Children
	case *Card:
		return n.Children
	case *Section:
		return n.Children
	case *Tab:
		return n.Children
	case *List:
		return n.Children
	case *Tabs:
		out := make(Nodes, len(n.Tabs))
		for i := range n.Tabs {
			out[i] = &n.Tabs[i]
		}
		return out
	}
	return nil
}

// Nodes is a list of nodes with a JSON form: each node is an object whose
// first member "node" names its type.
type Nodes []Node

// nodeTypes maps the name in JSON to the Go type, both ways.
var nodeTypes = newUnion("node",
	&Column{}, &Row{}, &Card{}, &Section{}, &Tabs{}, &Tab{}, &List{}, &Divider{},
	&Heading{}, &Text{}, &Image{}, &Icon{}, &Stat{}, &Progress{}, &Notice{}, &Diagram{}, &Chart{},
	&Foreign{},
	&TextInput{}, &Checkbox{}, &Choice{}, &Slider{}, &DateTime{}, &Tags{}, &Upload{},
	&Table{}, &Steps{}, &Button{})

// MarshalJSON implements json.Marshaler.
func (ns Nodes) MarshalJSON() ([]byte, error) { return marshalList(nodeTypes, ns) }

// UnmarshalJSON implements json.Unmarshaler.
func (ns *Nodes) UnmarshalJSON(b []byte) (err error) {
	*ns, err = unmarshalList[Node](nodeTypes, b)
	return err
}

// union writes and reads the members of a sealed interface as objects whose
// first member, tag, names the type.
type union struct {
	tag    string
	names  []string
	byName map[string]reflect.Type
	byType map[reflect.Type]string
}

func newUnion(tag string, members ...any) *union {
	u := &union{tag: tag, byName: map[string]reflect.Type{}, byType: map[reflect.Type]string{}}
	for _, m := range members {
		t := reflect.TypeOf(m).Elem()
		u.names = append(u.names, t.Name())
		u.byName[t.Name()], u.byType[t] = t, t.Name()
	}
	return u
}

func (u *union) name(v any) string {
	if v == nil {
		return ""
	}
	return u.byType[reflect.TypeOf(v).Elem()]
}

func (u *union) marshal(v any) ([]byte, error) {
	name := u.name(v)
	if name == "" {
		return nil, Errorf(codeRecordInvalid, "", "%T is no %s", v, u.tag)
	}
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf(`{"%s":"%s"`, u.tag, name)
	if len(body) > 2 {
		head += ","
	}
	return append([]byte(head), body[1:]...), nil
}

func (u *union) unmarshal(b []byte) (any, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		return nil, err
	}
	var name string
	if err := json.Unmarshal(members[u.tag], &name); err != nil || u.byName[name] == nil {
		return nil, Errorf(codeRecordInvalid, "", "unknown %s %s", u.tag, excerpt.Of(string(members[u.tag]), 40))
	}
	delete(members, u.tag)
	rest, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	v := reflect.New(u.byName[name]).Interface()
	if err := strictJSON(rest, v); err != nil {
		return nil, fmt.Errorf("%s %s: %w", u.tag, name, err)
	}
	return v, nil
}

// marshalList writes members of a union as a list.
func marshalList[T any](u *union, list []T) ([]byte, error) {
	out := []byte{'['}
	for i, v := range list {
		if i > 0 {
			out = append(out, ',')
		}
		b, err := u.marshal(v)
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
	}
	return append(out, ']'), nil
}

// unmarshalList reads what marshalList wrote; unknown types and members are errors.
func unmarshalList[T any](u *union, b []byte) ([]T, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return nil, err
	}
	list := make([]T, len(raw))
	for i := range raw {
		v, err := u.unmarshal(raw[i])
		if err != nil {
			return nil, err
		}
		list[i] = v.(T)
	}
	return list, nil
}

// strictJSON decodes and refuses unknown members: a record from a newer
// version must not be half understood.
func strictJSON(b []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}
