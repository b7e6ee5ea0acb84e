package translate

import (
	"fmt"
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/function"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Side is what one dialect can express.
type Side struct {
	Features         wire.Features
	Catalog, Minimal *wire.Catalog // Minimal may be nil
	// Escape returns a text so that a client of this side shows it as it is.
	Escape func(component, variant, property, text string) string
}

// Kind names a kind of loss; it is stable.
type Kind string

// Loss is one thing the target cannot carry.
type Loss struct {
	What      Kind
	Surface   string
	Component string // id in the source, "" = not in one
	Path      string // JSON Pointer into the component, or the path of the data
	Message   string
}

// String prints a loss as problems are printed.
func (l Loss) String() string {
	p := wire.Problem{Code: wire.Code(l.What), Surface: l.Surface, Component: l.Component, Path: l.Path,
		Message: l.Message}
	return p.Error()
}

// Kinds of losses.
const (
	Function  Kind = "function"  // a call is not computed: its arguments are shown
	Check     Kind = "check"     // a validation rule is not checked, or says something else
	Action    Kind = "action"    // an action the client did itself becomes an event
	Context   Kind = "context"   // an event context has another form
	Property  Kind = "property"  // a property is left out
	Variant   Kind = "variant"   // a variant is left out
	Look      Kind = "look"      // it is laid out in another way
	Access    Kind = "access"    // text for assistive technology is left out
	Theme     Kind = "theme"     // colours, fonts or names of the theme are left out
	Icon      Kind = "icon"      // another icon
	Heading   Kind = "heading"   // a heading is drawn as text
	Markdown  Kind = "markdown"  // a text is, or is no longer, read as Markdown
	Input     Kind = "input"     // another kind of input
	Label     Kind = "label"     // a label is text beside its input
	Component Kind = "component" // a component has no counterpart
	Pending   Kind = "pending"   // a child that has not come is left empty
	Scope     Kind = "scope"     // a path leads out of a template, and clients stay inside
	Data      Kind = "data"      // data has another form, or is left out
	Parsed    Kind = "parsed"    // a text is sent as the JSON that clients of v0.8 read it as
	Typed     Kind = "typed"     // an update writes over values that the user may have typed meanwhile
	Catalog   Kind = "catalog"   // a catalog is not known to be one of the target
	Message   Kind = "message"   // a message has no counterpart
	Metadata  Kind = "metadata"  // metadata and unknown members are left out
)

// unseen are the losses that change nothing a user reads, enters or sends, as long as
// the user's input is valid.
var unseen = []Kind{Check, Look, Label, Access, Theme, Typed, Catalog, Message, Metadata}

// Shown reports whether the user reads, enters or sends something else.
func (k Kind) Shown() bool { return !slices.Contains(unseen, k) }

// Config holds the facts that a translation may need.
type Config struct {
	Catalogs map[string]string // catalog ids of the source → of the target
	Limits   wire.Limits
}

// Translator carries messages to one dialect. It must not be used by two
// goroutines at once; it never changes the messages it is given.
type Translator struct {
	to       *Side
	cfg      Config
	surfaces map[string]*surface
	opened   int // surfaces, ever
}

// New returns a translator to a dialect.
func New(to *Side, cfg Config) *Translator {
	return &Translator{to: to, cfg: cfg, surfaces: map[string]*surface{}}
}

// job is the translation of one message.
type job struct {
	*Translator
	from   *Side
	s      *surface // of the message
	at     string   // the component, for losses
	out    []wire.Message
	losses []Loss
	lost   map[Loss]bool // losses, to report each once
	budget function.Budget
}

// The concerns.

func (j *job) calls() callMapper           { return callMapper{j} }
func (j *job) components() componentMapper { return componentMapper{j} }
func (j *job) values() valueMapper         { return valueMapper{j} }
func (j *job) computer() computer          { return computer{j} }
func (j *job) direct() directMapper        { return directMapper{j} }
func (j *job) flat() flatMapper            { return flatMapper{j} }
func (j *job) lift() liftMapper            { return liftMapper{j} }

func (j *job) lose(what Kind, path, format string, args ...any) {
	l := Loss{What: what, Component: j.at, Path: path, Message: fmt.Sprintf(format, args...)}
	if j.s != nil {
		l.Surface = j.s.id
	}
	if j.lost == nil {
		j.lost = map[Loss]bool{}
	}
	if !j.lost[l] {
		j.lost[l] = true
		j.losses = append(j.losses, l)
	}
}

func (j *job) emit(m wire.Message) { j.out = append(j.out, m) }

// same reports whether both sides express the same, so that only names of catalogs
// change.
func (j *job) same() bool {
	return j.from.Features == j.to.Features && j.from.Catalog.ID == j.to.Catalog.ID
}

// Message translates one message of a dialect. What comes out may wait for
// messages that come later.
func (t *Translator) Message(from *Side, m wire.Message) ([]wire.Message, []Loss) {
	j := &job{Translator: t, from: from}
	switch {
	case j.same():
		j.identity(m)
	case t.to.Features.CreateLast:
		j.flat().message(m)
	case from.Features.CreateLast:
		j.lift().message(m)
	default:
		j.direct().message(m)
	}
	return j.out, j.losses
}

// Flush ends a turn: what waits for children that have not come is sent without
// them.
func (t *Translator) Flush() (out []wire.Message, losses []Loss) {
	var waiting []*surface
	for _, s := range t.surfaces {
		if s.waits {
			waiting = append(waiting, s)
		}
	}
	slices.SortFunc(waiting, func(a, b *surface) int { return a.place - b.place })
	for _, s := range waiting {
		j := &job{Translator: t, from: s.from, s: s}
		j.flat().flush()
		out, losses = append(out, j.out...), append(losses, j.losses...)
	}
	return out, losses
}

// open returns the surface of an id, new if need be.
func (j *job) open(id string) *surface {
	s, ok := j.surfaces[id]
	if !ok {
		s = &surface{id: id, place: j.opened, flat: !j.to.Features.Calls, from: j.from, comps: map[string]*comp{},
			marks: &mark{}}
		j.surfaces[id] = s
		j.opened++
	}
	j.s = s
	return s
}

// identity maps the ids of catalogs.
func (j *job) identity(m wire.Message) {
	if c, ok := m.(*wire.CreateSurface); ok {
		if id, mapped := j.cfg.Catalogs[c.CatalogID]; mapped {
			next := *c
			next.CatalogID = id
			m = &next
		}
	}
	j.emit(m)
}

// catalog returns the target's id of a catalog.
func (j *job) catalog(id string) string {
	mapped, ok := j.cfg.Catalogs[id]
	switch {
	case ok:
		return mapped
	case id == "" || id == j.from.Catalog.ID || id == j.to.Catalog.ID:
		return j.to.Catalog.ID
	case j.from.Minimal != nil && id == j.from.Minimal.ID:
		if j.to.Minimal != nil {
			return j.to.Minimal.ID
		}
		return j.to.Catalog.ID
	}
	j.lose(Catalog, "", "the catalog %q is sent as it is", id)
	return id
}

// theme keeps the members that the target's theme may hold.
func (j *job) theme(v wire.Data) wire.Data {
	var kept wire.Data
	for _, m := range v.Members {
		known := slices.ContainsFunc(j.to.Catalog.Theme, func(p wire.PropDef) bool { return p.Name == m.Key })
		if !known && !j.to.Catalog.ThemeOpen {
			j.lose(Theme, "/"+m.Key, "the theme has no %s", m.Key)
			continue
		}
		kept.Kind = v.Kind
		kept.Members = append(kept.Members, m)
	}
	return kept
}
