package wire

import (
	"regexp"
	"slices"
	"strings"
)

// Kind is the kind of value of a property or an argument.
type Kind uint8

// The kinds. Dyn kinds take a literal, a Path or a Call; Plain kinds a literal
// only.
const (
	AnyValue   Kind = iota // whatever JSON can say
	DynString              // text
	DynNumber              // number
	DynBool                // boolean
	DynStrings             // list of strings
	DynValue               // string, number, boolean or list
	DynMoment              // text that is a date, a time or both, as RFC 3339
	DynBools               // list of two or more DynBool
	PlainString
	PlainNumber
	PlainCount // integer from 0
	PlainBool
	Enum        // one of PropDef.Enum
	IconName    // one of PropDef.Enum, a Path, or {svgPath}
	Child       // Ref
	Children    // Refs or Template
	TabList     // Tabs
	OptionList  // Options
	ActionValue // Event or Local
	CheckList   // Checks
	A11y        // {label, description}, on v1.0 live and hidden too
	ObjectOf    // object with PropDef.Fields
	ListOf      // list of PropDef.Item
	OneOfKinds  // what one of PropDef.Any takes
	Metadata    // {extensions: {name: anything}} of v1.0
	PathOnly    // Path
	CallOnly    // Call
)

// PropDef is one property of a component or one argument of a function.
type PropDef struct {
	Name     string
	Kind     Kind
	Required bool
	URL      bool      // the literal is an address
	Enum     []string  // for Enum and IconName
	Fields   []PropDef // for ObjectOf
	Open     bool      // for ObjectOf: other members are allowed
	Item     *PropDef  // for ListOf; for an open ObjectOf what other members take, nil = anything
	Any      []PropDef // for OneOfKinds
	Bounds   *Bounds   // of literals; nil = none
}

// Bounds narrow a literal. Nil and zero fields do not.
type Bounds struct {
	Min, Max             *float64 // of a number, inclusive
	MinLength, MaxLength *int     // of a text in characters, or of a list in items
	Integer              bool     // of a number
	Pattern              *regexp.Regexp
	Format               string // uri, date-time, date, time, email
	Const                []Data // one of these values
}

// ComponentDef is one component type with its neutral property names.
type ComponentDef struct {
	Name     string
	Props    []PropDef // at most 64
	Open     bool      // other properties are allowed
	Parents  []string  // v1.0 allowedParents, "Surface" = top level; nil = any
	Children []string  // v1.0 allowedChildren; nil = any
}

// Callers says who may call a function (v1.0 allowedCallers).
type Callers uint8

// The callers.
const (
	RendererOnly Callers = iota
	AgentOnly
	RendererOrAgent
)

// Find returns the property and its position, or nil.
func (c *ComponentDef) Find(name string) (*PropDef, int) { return find(c.Props, name) }

// FunctionDef is one function: its arguments and its return type.
type FunctionDef struct {
	Name    string
	Args    []PropDef
	OneOf   []string // at least one of these arguments must be there
	Returns string   // the returnType it may be written with
	Open    bool     // other arguments are allowed
	Callers Callers  // v1.0
	// Activation: only as a consequence of a user's click (v1.0
	// requiresUserActivation).
	Activation bool
}

// Find returns the argument and its position, or nil.
func (f *FunctionDef) Find(name string) (*PropDef, int) { return find(f.Args, name) }

func find(props []PropDef, name string) (*PropDef, int) {
	for i := range props {
		if props[i].Name == name {
			return &props[i], i
		}
	}
	return nil, -1
}

// Catalog lists the components and functions of a client, under neutral names. It is
// read-only once a validator uses it.
type Catalog struct {
	ID string
	// Protocol is the version whose surfaces it is for, as Dialect.Protocol
	// writes it; "" = any. Catalogs of different versions do not mix.
	Protocol   string
	Components map[string]*ComponentDef
	Functions  map[string]*FunctionDef
	Theme      []PropDef // the known members of a theme
	ThemeOpen  bool      // other members are allowed
}

// Fits reports whether a catalog is for surfaces of a version (Dialect.Protocol); 0.9 and
// 0.9.1 are one.
func (c *Catalog) Fits(protocol string) bool {
	return strings.HasPrefix(protocol, c.Protocol) || strings.HasPrefix(c.Protocol, protocol)
}

// NewCatalog indexes the rows of a table.
func NewCatalog(id string, components []ComponentDef, functions []FunctionDef) *Catalog {
	c := &Catalog{ID: id, Components: make(map[string]*ComponentDef), Functions: make(map[string]*FunctionDef)}
	for i := range components {
		c.Components[components[i].Name] = &components[i]
	}
	for i := range functions {
		c.Functions[functions[i].Name] = &functions[i]
	}
	return c
}

// Prune returns a catalog with the same id that has only the allowed
// components; all functions stay. Names it does not have are ignored.
func (c *Catalog) Prune(allowed ...string) *Catalog {
	out := *c
	out.Components = make(map[string]*ComponentDef, len(allowed))
	for _, name := range allowed {
		if def := c.Components[name]; def != nil {
			out.Components[name] = def
		}
	}
	return &out
}

// Need is a required property; Need, Opt, OneOf and Link write table rows.
func Need(name string, kind Kind) PropDef { return PropDef{Name: name, Kind: kind, Required: true} }

// Opt is an optional property.
func Opt(name string, kind Kind) PropDef { return PropDef{Name: name, Kind: kind} }

// OneOf is an optional property with listed values.
func OneOf(name string, values ...string) PropDef {
	return PropDef{Name: name, Kind: Enum, Enum: values}
}

// Link is a required address.
func Link(name string, kind Kind) PropDef {
	return PropDef{Name: name, Kind: kind, Required: true, URL: true}
}

// Absolute are the bounds of an address that has to be absolute: the schema says
// format uri.
var Absolute = &Bounds{Format: "uri"}

// Color are the bounds of a color, #RRGGBB.
var Color = &Bounds{Pattern: regexp.MustCompile("^#[0-9a-fA-F]{6}$")}

// System are the functions that belong to no catalog, where Features.Index is
// set. Names with @ are reserved for them.
var System = map[string]*FunctionDef{
	// @index is the place of the item that a template is drawn for, from 0.
	"@index": {Name: "@index", Returns: "number", Args: []PropDef{Opt("offset", DynNumber)}},
}

// Icons are the icon names every version has; mediaIcons came with v0.9.
var Icons = []string{
	"accountCircle", "add", "arrowBack", "arrowForward", "attachFile", "calendarToday", "call", "camera",
	"check", "close", "delete", "download", "edit", "event", "error", "favorite", "favoriteOff", "folder",
	"help", "home", "info", "locationOn", "lock", "lockOpen", "mail", "menu", "moreVert", "moreHoriz",
	"notificationsOff", "notifications", "payment", "person", "phone", "photo", "print", "refresh", "search",
	"send", "settings", "share", "shoppingCart", "star", "starHalf", "starOff", "upload", "visibility",
	"visibilityOff", "warning",
}

// mediaIcons are the icons added by v0.9.
var mediaIcons = []string{
	"fastForward", "pause", "play", "rewind", "skipNext", "skipPrevious", "stop",
	"volumeDown", "volumeMute", "volumeOff", "volumeUp",
}

// AllIcons are both.
var AllIcons = slices.Concat(Icons, mediaIcons)
