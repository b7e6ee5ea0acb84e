package client

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/function"
)

// The roles of a Shown. The layout roles show nothing themselves.
const (
	roleColumn = "column" // layout
	roleRow    = "row"    // layout
	roleList   = "list"   // layout
	roleCard   = "card"   // layout

	roleTabList  = "tablist" // its children are Tab
	roleTab      = "tab"     // Text is its title
	roleModal    = "modal"   // its children are the trigger and the content
	roleDivider  = "divider"
	roleHeading  = "heading" // Level is 1…6
	roleText     = "text"
	roleImage    = "image" // Text is the description
	roleIcon     = "icon"  // Text is the name
	roleVideo    = "video"
	roleAudio    = "audio"
	roleButton   = "button"
	roleTextBox  = "textbox"
	roleCheckBox = "checkbox"
	roleChoice   = "choice"
	roleSlider   = "slider"
	roleDateTime = "datetime"
	rolePending  = "pending" // a child that has not arrived
	roleUnknown  = "unknown" // a component type outside the basic catalog
)

// Shown is one thing on the screen, with every binding, call and check resolved.
type Shown struct {
	Role     string    // for the user: "text", "button", "choice", …
	ID       string    // component id; the same for every repetition of a template
	Scope    string    // pointer to the template's item, "" outside templates
	Text     string    // text, label, title or description, unescaped
	Markdown string    // what Text is made of, where that has more than text in it; "" = nothing
	Level    int       // of a Heading
	Value    a2ui.Data // of an input: string, boolean, number or list of strings; Null = nothing
	Bound    string    // absolute pointer an input writes to, "" = its value is fixed
	Details  []Detail  // other properties that a user sees, where not at their default
	Options  []Option  // of a Choice
	Actions  []string  // of a Button: the event's name, or "name()" of a local function
	Disabled bool      // a Button whose checks fail
	Errors   []string  // messages of failing checks
	Spoken   Spoken    // what assistive technologies read beside it
	Children []Shown
}

// Spoken is the text of a component for assistive technologies (accessibility).
type Spoken struct {
	Label, Description string
	Live               string // "polite" or "assertive"; "" = off
	Hidden             bool   // with all it holds
}

// Detail is one property that is shown but not read as text, such as a variant.
type Detail struct{ Name, Value string }

// Option is one choice of a Choice.
type Option struct {
	Label, Value string
	Selected     bool
}

// Key is how interactions name this one: ID, or ID@Scope inside a template.
func (s Shown) Key() string {
	if s.Scope == "" {
		return s.ID
	}
	return s.ID + "@" + s.Scope
}

// All yields s and everything inside it, in reading order.
func (s Shown) All() iter.Seq[Shown] {
	return func(yield func(Shown) bool) { s.each(yield) }
}

func (s Shown) each(yield func(Shown) bool) bool {
	if !yield(s) {
		return false
	}
	for _, child := range s.Children {
		if !child.each(yield) {
			return false
		}
	}
	return true
}

// View is one surface as the user sees it.
type View struct {
	ID            string
	CatalogID     string
	Theme         a2ui.Data
	SendDataModel bool
	Ready         bool  // it is created and its root has arrived; else Root is zero or Pending
	Root          Shown // without Role while the surface is buffered
	Problems      []*Error
}

// Find returns the Shown with a component id or a Key; false without one, or if a
// template repeats it several times.
func (v View) Find(key string) (Shown, bool) {
	found, same := v.find(key)
	if len(found) == 0 || !same {
		return Shown{}, false
	}
	return found[0], true
}

// find returns all with a component id or a Key, and whether they are the same: one component that has several parents.
func (v View) find(key string) (found []Shown, same bool) {
	same = true
	for s := range v.Root.All() {
		if s.Role != "" && (s.ID == key || s.Key() == key) {
			found = append(found, s)
			same = same && s.Key() == found[0].Key()
		}
	}
	return found, same
}

// Surface draws a surface as it is; the error is a STATE_ERROR for a
// surface that is not known.
func (c *Client) Surface(id string) (View, error) {
	s, ok := c.surfaces[id]
	if !ok {
		return View{}, &Error{Code: stateError, Surface: id, Message: "the surface does not exist"}
	}
	return c.screen().view(s, s.data), nil
}

// view draws s over the given data.
func (c screen) view(s *surface, data a2ui.Data) View {
	v := View{ID: s.id, CatalogID: s.catalog, Theme: s.theme, SendDataModel: s.send}
	if !s.created {
		return v
	}
	d := c.newDrawing(s, data)
	v.Root = d.child(s.root, scope{}, 0)
	_, v.Ready = s.comps[s.root]
	v.Problems = d.problems
	return v
}

// Bounds of a drawing.
const (
	maxShown    = 100_000
	maxDepth    = 200
	maxProblems = 100
)

// drawing is one walk over a surface.
type drawing struct {
	client   *Client
	rules    rules
	surface  *surface
	data     a2ui.Data
	left     int    // nodes that may still be drawn; long texts and lists cost some, too
	at       string // the component being drawn, for problems
	problems []*Error
	clicked  bool               // a click of the user led here
	remotes  map[string]*answer // calls only the agent can compute, as drawn
	awaited  int                // how often a value waited for the agent
	budget   function.Budget
}

func (c screen) newDrawing(s *surface, data a2ui.Data) *drawing {
	return &drawing{client: c.Client, rules: c.rules, surface: s, data: data, left: c.rules.maxShown}
}

// report notes a problem once.
func (d *drawing) report(code Code, message string) {
	e := &Error{Code: code, Surface: d.surface.id, Component: d.at, Message: message}
	same := func(o *Error) bool { return *o == *e }
	if len(d.problems) < maxProblems && !slices.ContainsFunc(d.problems, same) {
		d.problems = append(d.problems, e)
	}
}

func (d *drawing) reportEndless() {
	d.report(cyclicReference, "the drawing does not end: too many or too deeply nested components")
}

// child draws one component. A reference that never ends, by depth or by
// number, becomes a CYCLIC_REFERENCE instead of a hang.
func (d *drawing) child(id string, sc scope, depth int) Shown {
	s := Shown{Role: rolePending, ID: id, Scope: sc.path}
	outer := d.at
	defer func() { d.at = outer }()
	d.at = id
	if d.left--; d.left < 0 || depth >= maxDepth {
		d.reportEndless()
		return s
	}
	comp, ok := d.surface.comps[id]
	if !ok {
		d.report(validationError, "the component has not arrived")
		return s
	}
	draw := drawer(comp.Type)
	if draw == nil {
		s.Role = roleUnknown
		s.Details = []Detail{{"type", comp.Type}}
		d.report(unknownType, comp.Type)
		if d.rules.forgiving {
			(&pen{drawing: d, comp: comp, scope: sc, depth: depth}).stranger(&s)
		}
		return s
	}
	p := &pen{drawing: d, comp: comp, scope: sc, depth: depth}
	draw(p, &s)
	s.Spoken = p.spoken()
	return s
}

// Dump draws a surface for humans: one line for each thing, indented, with its
// component id; then the data and the problems. "" for an unknown surface.
func (c *Client) Dump(surface string) string {
	s, ok := c.surfaces[surface]
	if !ok {
		return ""
	}
	v := c.screen().view(s, s.data)
	var b strings.Builder
	fmt.Fprintf(&b, "surface %s", v.ID)
	switch {
	case !s.created:
		b.WriteString(" (buffered)")
	case !v.Ready:
		b.WriteString(" (waiting for its root)")
	}
	b.WriteByte('\n')
	if v.Root.Role != "" {
		v.Root.dump(&b, "  ")
	}
	fmt.Fprintf(&b, "data %s\n", show(s.data))
	for _, p := range v.Problems {
		fmt.Fprintf(&b, "problem %s\n", p)
	}
	return b.String()
}

func (s Shown) dump(b *strings.Builder, indent string) {
	b.WriteString(indent + s.Role)
	if s.Level > 0 {
		fmt.Fprintf(b, " %d", s.Level)
	}
	if s.Text != "" {
		fmt.Fprintf(b, " %q", s.Text)
	}
	switch s.Value.Kind {
	case null:
	case text:
		fmt.Fprintf(b, " = %q", s.Value.Str)
	default:
		fmt.Fprintf(b, " = %s", show(s.Value))
	}
	for _, a := range s.Actions {
		b.WriteString(" -> " + a)
	}
	if s.Disabled {
		b.WriteString(" disabled")
	}
	for _, d := range s.Details {
		fmt.Fprintf(b, " %s=%s", d.Name, d.Value)
	}
	if s.ID != "" {
		b.WriteString("  #" + s.Key())
	}
	if s.Bound != "" {
		b.WriteString("  @" + s.Bound)
	}
	if s.Spoken != (Spoken{}) {
		fmt.Fprintf(b, "  says %q %q %s", s.Spoken.Label, s.Spoken.Description, s.Spoken.Live)
		if s.Spoken.Hidden {
			b.WriteString(" hidden")
		}
	}
	b.WriteByte('\n')
	for _, o := range s.Options {
		mark := " "
		if o.Selected {
			mark = "x"
		}
		fmt.Fprintf(b, "%s  [%s] %q %s\n", indent, mark, o.Label, o.Value)
	}
	for _, e := range s.Errors {
		fmt.Fprintf(b, "%s  ! %s\n", indent, e)
	}
	for _, child := range s.Children {
		child.dump(b, indent+"  ")
	}
}
