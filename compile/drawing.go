package compile

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/card"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/ui"
)

// drawing is one surface on its way to messages: its components in drawing
// order and the data they bind. The first error sticks; drawing goes on to its
// bounded end and the result is thrown away.
type drawing struct {
	medium
	state    *ui.State
	surface  *ui.Surface
	id       string // of the surface, on the wire
	locked   bool
	words    ui.Words // of the conversation
	comps    []a2ui.Component
	data     tree
	buttons  []pending
	later    []func() // fill in what binds all data
	depth    int
	warnings []Warning
	standIn  bool // for a surface that is above a limit of the target
	foreign  *foreign.Surface
	made     *foreignMade // by foreignCreate
	err      error
}

// medium is the target of a drawing, with all that follows from it.
type medium struct {
	target  Target
	f       a2ui.Features
	rules   *Rules
	catalog *a2ui.Catalog
	limits  a2ui.Limits
}

// The concerns.

func (d *drawing) actions() actionMaker  { return actionMaker{d} }
func (d *drawing) emission() emission    { return emission{d} }
func (d *drawing) checks() checkMaker    { return checkMaker{d} }
func (d *drawing) content() contentMaker { return contentMaker{d} }
func (d *drawing) inputs() inputMaker    { return inputMaker{d} }
func (d *drawing) rows() rowMaker        { return rowMaker{d} }
func (d *drawing) texts() textMaker      { return textMaker{d} }
func (d *drawing) values() dataMaker     { return dataMaker{d} }

// Keys of the components drawn around the node tree and around a node. No node key
// contains '!'.
const (
	keySurface    = "!surface"
	keyTitle      = "!title"
	keyStatus     = "!status"
	keyCanceled   = "!canceled" // the status of a surface that the user canceled
	keyErrors     = "!errors"
	keyRegenerate = "!regenerate"
	keyBody       = "!body"
	keyField      = "!field" // wrapper of an input with its label, help and error
	keyLabel      = "!label"
	keyHelp       = "!help"
	keyIcon       = "!icon"
	keyText       = "!text"
	keyHead       = "!head"
	keyPage       = "!page"
	keyEdges      = "!edges"
	keyCell       = "!cell" // a node that shares the width of its Row
	keyLine       = "!line" // with a number: one line of a wide row
	keyFile       = "!file"
	keyAll        = "!all"     // all of a submitted surface
	keyButtons    = "!buttons" // of a row
)

func newDrawing(t Target, st *ui.State, s *ui.Surface) (drawing, error) {
	d := drawing{medium: medium{target: t, f: t.Dialect.Features(), rules: t.rules()}, state: st, surface: s,
		id: s.WireID()}
	if d.catalog = d.rules.catalog(s.Name); d.catalog == nil {
		d.catalog = a2ui.Basic(t.Dialect)
	}
	if d.catalog == nil {
		return d, ui.Errorf(codeDialect, "", "no catalog for A2UI %s", t.Dialect)
	}
	d.locked, d.words = s.Status != ui.StatusOpen, d.rules.words(st.Router.Language)
	d.limits = d.rules.Limits.WithDefaults()
	return d, nil
}

// draw draws one surface; room is about how many components it takes. A surface above a
// limit of this target, or of a catalog that it lacks, is replaced by a text and a link; other targets may show it
// whole.
func draw(t Target, st *ui.State, s *ui.Surface, room int) (*drawing, error) {
	if slices.Contains(s.StandIns, t.Dialect.String()) {
		return drawStandIn(t, st, s, "")
	}
	if n := foreign.Of(s); n != nil && s.Status == ui.StatusOpen {
		d, err := drawForeign(t, st, s, n)
		if ui.CodeOf(err) == CodeNotShown { // the catalog of its agent may have changed since
			return drawStandIn(t, st, s, CodeNotShown)
		}
		return d, err
	}
	d, err := drawWhole(t, st, s, room)
	switch code := ui.CodeOf(err); code {
	case codeComponents, codeDepth, codeMessages:
		return drawStandIn(t, st, s, code)
	}
	return d, err
}

func drawWhole(t Target, st *ui.State, s *ui.Surface, room int) (*drawing, error) {
	d, err := newDrawing(t, st, s)
	if err != nil {
		return nil, err
	}
	d.comps = make([]a2ui.Component, 0, room)
	d.data.put(revPath, leaf{val: number(s.Rev), shape: shapeRaw})
	i := d.open()
	kids := d.head(make([]string, 0, 8))
	if s.Stub() {
		kids = d.stub(kids)
	} else {
		kids = d.content().whole(s.Tree(), kids)
	}
	if edit, ok := card.Edit(s); ok && d.rules.allowed(edit.Name) {
		i := d.open() // in a row: a column would stretch it
		kids = append(kids, d.setBox(i, ui.KeyPath(builtin.KeyEdit).ComponentID("Row"), "Row",
			[]string{d.actions().button(builtin.KeyEdit, d.say("records.edit"), false, edit)}))
	}
	d.setBox(i, d.rootID(), "Column", kids)
	d.actions().fillContexts()
	for _, fill := range d.later {
		if d.err == nil {
			fill()
		}
	}
	if d.f.FlatData {
		if n := d.data.flat() + 2; n > d.limits.Messages { // one has the components, one begins
			d.fail(codeMessages, "", "drawing the surface takes %d messages, the limit is %d", n, d.limits.Messages)
		}
	}
	return &d, d.err
}

func (d *drawing) rootID() string {
	if d.f.RootID != "" {
		return d.f.RootID
	}
	return ui.KeyPath(keySurface).ComponentID("Column")
}

// head draws the title, the mark of a submitted surface and the errors.
func (d *drawing) head(kids []string) []string {
	if d.surface.Title != "" {
		kids = append(kids, d.texts().heading(keyTitle, 2, d.surface.Title))
	}
	if d.surface.Status == ui.StatusSubmitted {
		kids = append(kids, d.content().iconText(keyStatus, "check", "body", d.ending()))
	}
	if list := d.errorList(); list != "" {
		kids = append(kids, d.content().framed(keyErrors, "error", d.say("submit.fix", "list", list)))
	}
	return kids
}

// ending says that the surface is answered, and when.
func (d *drawing) ending() string {
	text := d.say("surface.locked")
	if at := d.surface.Done.At; !at.IsZero() {
		text += " · " + d.say("surface.at", "at", d.words.Date(at))
	}
	return text
}

// maxListed bounds the errors that the summary quotes.
const maxListed = 10

// errorList is one error, or several on separate lines.
func (d *drawing) errorList() string {
	errs := d.surface.Errors
	if len(errs) == 0 {
		return ""
	}
	if len(errs) == 1 {
		return errs[0].Text
	}
	var list strings.Builder
	for i, e := range errs {
		if i == maxListed {
			list.WriteString("\n…")
			break
		}
		list.WriteString("\n" + e.Text)
	}
	return list.String()
}

// stub draws the remains of an expired or canceled surface.
func (d *drawing) stub(kids []string) []string {
	text, button := d.surface.StubWords()
	status := ui.KeyPath(keyStatus)
	if d.surface.Status == ui.StatusCanceled {
		status = keyCanceled
	}
	kids = append(kids, d.texts().text(status, "body", d.say(text)))
	d.locked = false
	return append(kids, d.actions().button(keyRegenerate, d.say(button), true,
		ui.Action{Name: builtin.ActionRegenerate}))
}

func (d *drawing) say(key string, pairs ...string) string { return d.words.Say(key, pairs...) }

func (d *drawing) fail(code ui.Code, path, format string, args ...any) {
	if d.err == nil {
		d.err = ui.Errorf(code, path, format, args...)
	}
}

func (d *drawing) warn(code ui.Code, path, message string) {
	w := Warning{code, path, message}
	if slices.Contains(d.warnings, w) {
		return
	}
	if len(d.warnings) < 50 {
		d.warnings = append(d.warnings, w)
	}
}

// open reserves the place of a component, before its children; set fills it.
func (d *drawing) open() int {
	if len(d.comps) >= d.limits.Components {
		d.fail(codeComponents, "", "more than %d components on one surface", d.limits.Components)
		d.comps = d.comps[:0] // the drawing is lost; keep memory bounded
	}
	if d.depth++; d.depth > d.limits.Depth {
		d.fail(codeDepth, "", "components nested deeper than %d", d.limits.Depth)
	}
	d.comps = append(d.comps, a2ui.Component{})
	return len(d.comps) - 1
}

// set fills the place i. Properties the catalog does not have are left out.
func (d *drawing) set(i int, id, typ string, props ...a2ui.Prop) {
	d.depth--
	def := d.catalog.Components[typ]
	if def == nil {
		d.fail(codeComponent, id, "the catalog has no component %s", typ)
		return
	}
	if d.err != nil {
		return
	}
	kept := props[:0]
	for _, p := range props {
		if known, _ := def.Find(p.Name); known != nil {
			kept = append(kept, p)
		}
	}
	c := &d.comps[i]
	c.ID, c.Type, c.Props = id, typ, kept
}

func prop(name string, v a2ui.Value) a2ui.Prop { return a2ui.Prop{Name: name, Value: v} }

// add draws a component without children.
func (d *drawing) add(id, typ string, props ...a2ui.Prop) string {
	d.set(d.open(), id, typ, props...)
	return id
}

// has reports whether the catalog's component has a property.
func (d *drawing) has(typ, name string) bool {
	return d.property(typ, name) != nil
}

// property is a property of a component of the catalog, or nil.
func (d *drawing) property(typ, name string) *a2ui.PropDef {
	if def := d.catalog.Components[typ]; def != nil {
		p, _ := def.Find(name)
		return p
	}
	return nil
}

// Values that many components share: boxed once.
var (
	vStart   a2ui.Value = a2ui.String("start")
	vStretch a2ui.Value = a2ui.String("stretch")
	vCenter  a2ui.Value = a2ui.String("center")
	vEnd     a2ui.Value = a2ui.String("end")
	vTrue    a2ui.Value = a2ui.Bool(true)
	vFalse   a2ui.Value = a2ui.Bool(false)
	vBody    a2ui.Value = a2ui.String("body")
	vCaption a2ui.Value = a2ui.String("caption")
	vShort   a2ui.Value = a2ui.String("shortText")
	vLong    a2ui.Value = a2ui.String("longText")
	vDots    a2ui.Value = a2ui.String("obscured")
)

// setBox fills the place of a Column or Row.
func (d *drawing) setBox(i int, id, typ string, kids []string) string {
	align := vStretch
	if typ == "Row" {
		align = vCenter
	}
	return d.setAligned(i, id, typ, align, kids)
}

func (d *drawing) setAligned(i int, id, typ string, align a2ui.Value, kids []string) string {
	d.set(i, id, typ, prop("children", a2ui.Refs(kids)), prop("justify", vStart), prop("align", align))
	return id
}

// cardOf draws a Card with a Column of kids in it.
func (d *drawing) cardOf(at ui.KeyPath, kids func() []string) string {
	i, body := d.open(), d.open()
	return d.setCard(i, at, d.setBox(body, at.Join(keyBody).ComponentID("Column"), "Column", kids()))
}

// setCard fills the place of a Card.
func (d *drawing) setCard(i int, at ui.KeyPath, child string) string {
	id := at.ComponentID("Card")
	d.set(i, id, "Card", prop("child", a2ui.Ref(child)))
	return id
}

// Memo keeps the drawings of one Target from call to call, so that an unchanged
// surface is not drawn again: with it, an update draws a changed surface once instead of
// twice, and a snapshot after it not at all. The results are the same. It is for
// a caller that draws one state after the other; nil is a Memo that keeps
// nothing. It must not be used by two goroutines at once.
type Memo struct {
	kept  []kept
	room  int
	whole []*ui.Surface // not kept, but known to be drawn whole
}

// kept is the drawing of a surface; it also depends on the committed values.
type kept struct {
	surface   *ui.Surface
	committed ui.Value
	drawn     *drawing
}

// draw calls draw or returns its last result. A failure is not kept.
func (m *Memo) draw(t Target, st *ui.State, s *ui.Surface) (*drawing, error) {
	const room = 64 // forms of ten fields
	if m == nil {
		return draw(t, st, s, room)
	}
	for _, k := range m.kept {
		if k.surface == s && k.committed.Equal(st.Committed) {
			return k.drawn, nil
		}
	}
	d, err := draw(t, st, s, max(m.room, 8))
	if err == nil {
		m.room = len(d.comps) + 2 // surfaces are mostly drawn again with a little less or more
		m.kept = append(m.kept, kept{s, st.Committed, d})
	}
	return d, err
}

// Only forgets the drawings of all surfaces that are not in s.
func (m *Memo) Only(s *ui.State) {
	m.whole = slices.DeleteFunc(m.whole, func(sf *ui.Surface) bool { return !slices.Contains(s.Surfaces, sf) })
	m.kept = slices.DeleteFunc(m.kept, func(k kept) bool {
		return !slices.Contains(s.Surfaces, k.surface) || !k.committed.Equal(s.Committed)
	})
}
