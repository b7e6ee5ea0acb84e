package client

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
)

// Client holds the surfaces of one renderer. Use New or With.
type Client struct {
	callTable
	dialect   a2ui.Dialect
	rules     rules
	catalogs  []*a2ui.Catalog // nil = any id represents the basic one
	composed  bool            // a catalog says who may hold whom
	functions map[string]Func
	surfaces  map[string]*surface
	keep      keeper
	opened    []string
}

// The concerns.

func (c *Client) intake() intake { return intake{c} }
func (c *Client) screen() screen { return screen{c} }

// surface is one surface, buffered (not created) or shown.
type surface struct {
	id      string
	created bool
	catalog string
	root    string
	theme   a2ui.Data
	send    bool
	comps   map[string]a2ui.Component
	data    a2ui.Data          // no other renderer holds a part of it
	wide    wideIndex          // into data
	touched map[string]bool    // canonical pointers that the user was the last to write
	answers map[string]*answer // of the agent's functions, by the call as it is drawn
}

// Func is a function that a host gives its renderer. Args are an Object of plain
// data; an error is what fails the call.
type Func func(args a2ui.Data) (a2ui.Data, error)

// Config is the configuration of a renderer.
type Config struct {
	Dialect a2ui.Dialect // required
	Mode    Mode         // default Strict
	// Catalogs are those it supports; other ids are refused. Default: every id
	// represents the basic catalog of the dialect.
	Catalogs []*a2ui.Catalog
	// Functions run the functions of Catalogs, by name; they come before the
	// basic ones of the same name.
	Functions map[string]Func
	// AnyComponent takes component types that no catalog has and draws them as
	// Unknown; default: they are refused. LikeWebCore always takes them.
	AnyComponent bool
	// ReportMissing makes a binding to nothing a Problem of the View: for servers
	// that initialise all they bind. Default: it is drawn empty, as the
	// specification has it.
	ReportMissing bool
	// Forgiving accepts messages that are merely inconsistent: of an id that appears
	// twice in one message the last counts, a component may contain itself (drawing
	// ends), a path of data may lack its first slash, and an answer without a waiting
	// call is dropped. An Unknown component has its words and the components it names.
	// Default: these are errors, for a proof that every renderer shows the same.
	Forgiving bool
}

// New returns an empty renderer for one dialect, with its basic catalog.
func New(d a2ui.Dialect, mode Mode) *Client { return With(Config{Dialect: d, Mode: mode}) }

// With returns an empty renderer.
func With(cfg Config) *Client {
	c := &Client{dialect: cfg.Dialect, rules: rulesFor(cfg.Dialect, cfg.Mode), catalogs: slices.Clone(cfg.Catalogs),
		functions: maps.Clone(cfg.Functions), surfaces: map[string]*surface{}}
	c.rules.anyType, c.rules.reportMissing = c.rules.anyType || cfg.AnyComponent, cfg.ReportMissing
	c.rules.lastWins, c.rules.forgiving = c.rules.lastWins || cfg.Forgiving, cfg.Forgiving
	for _, catalog := range c.catalogs {
		for _, def := range catalog.Components {
			c.composed = c.composed || def.Parents != nil || def.Children != nil
		}
	}
	return c
}

// Apply takes one message. An error is an *Error and leaves the client as it
// was; the next message may be applied all the same.
func (c *Client) Apply(m a2ui.Message) error {
	if err := c.intake().apply(m); err != nil {
		if err.Surface == "" && m != nil {
			err.Surface = surfaceOf(m)
		}
		return err
	}
	return nil
}

// ApplyAll takes the messages of one turn in order. It is no transaction: a
// message that fails is reported and the rest is still applied, as the
// specification has it. To take all or none, apply them to a Clone.
func (c *Client) ApplyAll(batch []a2ui.Message) (failed []*Error) {
	for _, m := range batch {
		if err := c.Apply(m); err != nil {
			failed = append(failed, err.(*Error))
		}
	}
	return failed
}

// Clone returns a renderer with the same surfaces that goes its own way.
func (c *Client) Clone() *Client {
	out := *c
	out.opened, out.callTable = slices.Clone(c.opened), c.callTable.clone()
	out.keep = keeper{maps.Clone(c.keep.names)}
	out.surfaces = make(map[string]*surface, len(c.surfaces))
	for id, s := range c.surfaces {
		twin := *s
		twin.comps, twin.touched, twin.answers = maps.Clone(s.comps), maps.Clone(s.touched), map[string]*answer{}
		for key, a := range s.answers {
			copied := *a
			twin.answers[key] = &copied
		}
		twin.data, twin.wide = out.keep.data(s.data), wideIndex{}
		out.surfaces[id] = &twin
	}
	return &out
}

// Feed decodes one message of the client's dialect and applies it. An *Error
// over bytes that do not decode wraps the *a2ui.Problem.
func (c *Client) Feed(message []byte) error {
	m, err := a2ui.DecodeMessageAs(c.dialect, message)
	if err != nil {
		return &Error{Code: validationError, Message: "decode message: " + err.Error(), Err: err}
	}
	return c.Apply(m)
}

func (c intake) apply(m a2ui.Message) *Error {
	if m == nil {
		return errorf(validationError, "no message")
	}
	switch m := m.(type) {
	case *a2ui.CallRenderer:
		return c.callRenderer(m)
	case *a2ui.Reply:
		return c.reply(m)
	}
	if surfaceOf(m) == "" {
		return errorf(validationError, "a message without a surface id")
	}
	switch m := m.(type) {
	case *a2ui.CreateSurface:
		return c.create(m)
	case *a2ui.UpdateComponents:
		return c.updateComponents(m)
	case *a2ui.UpdateData:
		return c.updateData(m)
	case *a2ui.DeleteSurface:
		delete(c.surfaces, m.SurfaceID) // of an unknown one: no-op
		c.callTable.forget(m.SurfaceID)
		return nil
	}
	return errorf(validationError, "unknown message type")
}

// surfaceOf is m.Surface() that survives typed nil pointers.
func surfaceOf(m a2ui.Message) string {
	switch m := m.(type) {
	case *a2ui.CreateSurface:
		if m != nil {
			return m.SurfaceID
		}
	case *a2ui.UpdateComponents:
		if m != nil {
			return m.SurfaceID
		}
	case *a2ui.UpdateData:
		if m != nil {
			return m.SurfaceID
		}
	case *a2ui.DeleteSurface:
		if m != nil {
			return m.SurfaceID
		}
	}
	return ""
}

func newSurface(id string) *surface {
	return &surface{id: strings.Clone(id), comps: map[string]a2ui.Component{},
		data: a2ui.Data{Kind: object}, wide: wideIndex{}, touched: map[string]bool{}, answers: map[string]*answer{}}
}

func (c intake) create(m *a2ui.CreateSurface) *Error {
	root := m.Root
	if c.rules.RootID != "" {
		if root != "" && root != c.rules.RootID {
			return &Error{Code: validationError, Message: "the root component is " + c.rules.RootID + ", not " + root}
		}
		root = c.rules.RootID
	}
	if root == "" {
		return errorf(validationError, "no root component named")
	}
	s, known := c.surfaces[m.SurfaceID]
	if known && s.created && !c.rules.recreate {
		return errorf(stateError, "the surface already exists")
	}
	if !known {
		s = newSurface(m.SurfaceID)
	}
	if m.CatalogID != "" && c.screen().supported(m.CatalogID) == nil && c.catalogs != nil {
		return &Error{Code: catalogError, Message: "Catalog not found: " + m.CatalogID}
	}
	if !c.rules.forgiving {
		if err := (change{surface: s}).cycle([]string{root}); err != nil {
			return err
		}
	}
	before := *s
	s.root, s.catalog = strings.Clone(root), strings.Clone(m.CatalogID)
	if err := c.inline(s, m); err != nil {
		*s = before
		return err
	}
	s.created, s.theme, s.send = true, c.keep.data(m.Theme), m.SendDataModel
	c.surfaces[s.id] = s
	return nil
}

// inline takes the components and the data that came with a surface.
func (c intake) inline(s *surface, m *a2ui.CreateSurface) *Error {
	if !c.rules.Inline {
		if m.Components != nil || m.Data.Kind != null {
			return errorf(validationError, "this dialect creates a surface without components and data")
		}
		return nil
	}
	if m.Data.Kind != null && m.Data.Kind != object {
		return &Error{Code: validationError, Message: "the data model is an object, not a " + m.Data.Kind.String()}
	}
	if m.Components != nil {
		if err := c.upsert(s, m.Components); err != nil {
			return err
		}
	}
	if m.Data.Kind == object {
		s.data, s.wide = c.keep.data(m.Data), wideIndex{}
	}
	return nil
}

// target is the surface that an update addresses: a known one, or a new buffer
// where components and data come before the surface. A new one is not yet
// stored, so that a message that fails leaves no trace.
func (c intake) target(id string) (*surface, *Error) {
	if s, ok := c.surfaces[id]; ok {
		return s, nil
	}
	if !c.rules.CreateLast {
		return nil, errorf(stateError, "the surface does not exist")
	}
	return newSurface(id), nil
}

// Surfaces returns the ids of the known surfaces, sorted; buffered ones too.
func (c *Client) Surfaces() []string { return slices.Sorted(maps.Keys(c.surfaces)) }

// State is a client's view of one surface, shown or not.
type State struct {
	Created       bool // false while it is buffered
	CatalogID     string
	Root          string
	Theme         a2ui.Data
	SendDataModel bool
	Components    []a2ui.Component // sorted by id
	Data          a2ui.Data
}

// State returns the state of a surface, and whether the client knows the surface.
func (c *Client) State(surface string) (State, bool) {
	s, ok := c.surfaces[surface]
	if !ok {
		return State{}, false
	}
	out := State{Created: s.created, CatalogID: s.catalog, Root: s.root, Theme: s.theme, SendDataModel: s.send,
		Data: c.keep.data(s.data)}
	for _, id := range slices.Sorted(maps.Keys(s.comps)) {
		out.Components = append(out.Components, s.comps[id])
	}
	return out, true
}

// DataModels returns the models of the surfaces that asked for them with sendDataModel,
// by id. The renderer sends them along with each message, by a2ui.AppendClientData.
func (c *Client) DataModels() (out []a2ui.Member) {
	for _, id := range c.Surfaces() {
		if s := c.surfaces[id]; s.created && s.send {
			out = append(out, a2ui.Member{Key: id, Value: c.keep.data(s.data)})
		}
	}
	return out
}

// Data returns the whole data model of a surface, and whether the surface is known; see
// DataModels for the models that a renderer sends.
func (c *Client) Data(surface string) (a2ui.Data, bool) {
	s, ok := c.surfaces[surface]
	if !ok {
		return a2ui.Data{}, false
	}
	return c.keep.data(s.data), true
}

// Touched returns the paths the user wrote since the server last wrote there,
// as bound on this dialect (so with Features.LeafKey at their end), sorted.
func (c *Client) Touched(surface string) []string {
	s, ok := c.surfaces[surface]
	if !ok {
		return nil
	}
	return slices.Sorted(maps.Keys(s.touched))
}

// Opened returns the URLs that local openUrl actions opened, in order.
func (c *Client) Opened() []string { return slices.Clone(c.opened) }

// Code is the stable kind of an Error; the names are those of web_core.
type Code string

// Codes of an Error.
const (
	stateError      Code = "STATE_ERROR"            // the surface or component is not in a state for this
	validationError Code = "VALIDATION_ERROR"       // the message itself is wrong
	dataError       Code = "DATA_ERROR"             // a path or a value does not fit the data model
	expressionError Code = "EXPRESSION_ERROR"       // a function call or an interpolation fails
	cyclicReference Code = "CYCLIC_REFERENCE"       // components contain themselves, or never end
	catalogError    Code = "CATALOG_ERROR"          // a catalog that the client does not have, or none
	unallowedParent Code = "UNALLOWED_PARENT"       // a catalog forbids the component there
	unallowedChild  Code = "UNALLOWED_CHILD"        // a catalog forbids the child in the component
	duplicateCall   Code = "DUPLICATE"              // a call of that id waits for its answer
	unknownType     Code = "UNKNOWN_COMPONENT_TYPE" // LikeWebCore: a component type outside the basic catalog
)

// Error is an error as a renderer reports it, with as much of the place as is known.
type Error struct {
	Code      Code
	Surface   string
	Component string
	Path      string // JSON Pointer into the body of the message, "" where there is no better place
	Message   string
	Err       error // the error of a codec, or nil
}

func errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Report is the renderer's message for an error: VALIDATION_FAILED with the place for a
// wrong message, else the code as it is.
func (e *Error) Report() *a2ui.ClientError {
	out := &a2ui.ClientError{Code: string(e.Code), SurfaceID: e.Surface, Message: e.Message}
	switch e.Code {
	case validationError:
		out.Code = "VALIDATION_FAILED"
	case unallowedParent, unallowedChild:
	default:
		return out
	}
	if out.Path = e.Path; out.Path == "" {
		out.Path = "/"
	}
	return out
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	if e.Surface != "" {
		b.WriteString(" surface " + e.Surface)
	}
	if e.Component != "" {
		b.WriteString(" component " + e.Component)
	}
	return b.String() + ": " + e.Message
}

// Capabilities are the catalogs the client can draw, for a2ui.AppendCapabilities.
func (c *Client) Capabilities() a2ui.Capabilities { return a2ui.Capabilities{Catalogs: catalogIDs(c)} }

// catalogIDs returns the ids of the catalogs the client supports, in order.
func catalogIDs(c *Client) (ids []string) {
	if c.catalogs == nil && a2ui.CatalogID(c.dialect) != "" {
		return []string{a2ui.CatalogID(c.dialect)}
	}
	for _, catalog := range c.catalogs {
		ids = append(ids, catalog.ID)
	}
	return ids
}

// supported returns a catalog of the client by its id, or nil.
func (c screen) supported(id string) *a2ui.Catalog {
	for _, catalog := range c.catalogs {
		if catalog.ID == id {
			return catalog
		}
	}
	return nil
}

// catalog resolves the catalog of a component or a call of a surface: the catalog it
// names, else the surface's. There is no other way to find one. It is nil where every
// id represents the basic catalog, and for a surface that was not created yet.
func (c screen) catalog(s *surface, own string) (*a2ui.Catalog, *Error) {
	id := s.catalog
	if c.rules.OwnCatalogs && own != "" {
		id = own
	}
	switch {
	case c.catalogs == nil:
		return nil, nil
	case id == "" && c.rules.OwnCatalogs:
		return nil, errorf(catalogError, "surface %s has no default catalogId, and none is named", s.id)
	case id == "":
		return nil, nil
	}
	catalog := c.supported(id)
	if catalog == nil {
		return nil, &Error{Code: catalogError, Message: "Catalog not found: " + id}
	}
	return catalog, nil
}

// knows reports whether a catalog of the client has a component type.
func (c screen) knows(component string) bool {
	if c.catalogs == nil {
		return drawer(component) != nil
	}
	for _, catalog := range c.catalogs {
		if catalog.Components[component] != nil {
			return true
		}
	}
	return false
}

// function returns the definition of a function in a catalog (nil = the basic one), and
// whether the client has it at all; else it is the agent's.
func (c screen) function(catalog *a2ui.Catalog, name string) (def *a2ui.FunctionDef, known bool) {
	if catalog == nil {
		catalog = a2ui.Basic(c.dialect)
	}
	if catalog != nil {
		def = catalog.Functions[name]
	}
	return def, def != nil || c.catalogs == nil && c.functions[name] != nil
}
