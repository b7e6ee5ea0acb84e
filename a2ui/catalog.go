package a2ui

import (
	"github.com/limn-ui/limn/a2ui/internal/v08"
	"github.com/limn-ui/limn/a2ui/internal/v09"
	"github.com/limn-ui/limn/a2ui/internal/v10"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Kind is what a property or an argument may hold.
type Kind = wire.Kind

// The kinds. Dyn kinds take a literal, a Path or a Call; Plain kinds a literal.
const (
	AnyValue    = wire.AnyValue    // whatever JSON can say
	DynString   = wire.DynString   // text
	DynNumber   = wire.DynNumber   // number
	DynBool     = wire.DynBool     // boolean
	DynStrings  = wire.DynStrings  // list of texts
	DynValue    = wire.DynValue    // text, number, boolean or list
	DynMoment   = wire.DynMoment   // date, time or both, as RFC 3339
	DynBools    = wire.DynBools    // list of two or more DynBool
	PlainString = wire.PlainString // text
	PlainNumber = wire.PlainNumber // number
	PlainCount  = wire.PlainCount  // integer from 0
	PlainBool   = wire.PlainBool   // boolean
	Enum        = wire.Enum        // one of PropDef.Enum
	IconName    = wire.IconName    // one of PropDef.Enum, a Path or {svgPath}
	Child       = wire.Child       // Ref
	Children    = wire.Children    // Refs or Template
	TabList     = wire.TabList     // Tabs
	OptionList  = wire.OptionList  // Options
	ActionValue = wire.ActionValue // Event or Local
	CheckList   = wire.CheckList   // Checks
	A11y        = wire.A11y        // {label, description}, on v1.0 live and hidden too
	ObjectOf    = wire.ObjectOf    // object with PropDef.Fields
	ListOf      = wire.ListOf      // list of PropDef.Item
	OneOfKinds  = wire.OneOfKinds  // what one of PropDef.Any takes
	Metadata    = wire.Metadata    // {extensions} of v1.0
	PathOnly    = wire.PathOnly    // Path
	CallOnly    = wire.CallOnly    // Call
)

type (
	// PropDef{Name, Kind, Required, URL, Enum, Fields, Open, Item, Any, Bounds}
	// is one property of a component or one argument of a function; URL marks a
	// text that is an address.
	PropDef = wire.PropDef
	// Bounds narrow the literals of a property.
	Bounds = wire.Bounds
	// ComponentDef{Name, Props, Open, Parents, Children} is one component type;
	// at most 64 properties.
	ComponentDef = wire.ComponentDef
	// FunctionDef{Name, Args, OneOf, Returns, Open, Callers, Activation} is one
	// function; of the arguments in OneOf at least one must be there.
	FunctionDef = wire.FunctionDef
	// Callers says who may call a function.
	Callers = wire.Callers
)

// The callers of a function (v1.0 allowedCallers).
const (
	RendererOnly    = wire.RendererOnly
	AgentOnly       = wire.AgentOnly
	RendererOrAgent = wire.RendererOrAgent
)

// Catalog{ID, Components, Functions, Theme, ThemeOpen} is what a client can draw
// and compute, under neutral names. It is read-only once a Validator uses it.
type Catalog = wire.Catalog

// CatalogID returns the id of the catalog every client of d knows.
func CatalogID(d Dialect) string {
	if c := Basic(d); c != nil {
		return c.ID
	}
	return ""
}

// Basic returns the catalog every client of d knows: standard on v0.8, basic
// since. It is shared: Prune it to change it. nil for a dialect without codec.
func Basic(d Dialect) *Catalog {
	if int(d) >= len(basics) {
		return nil
	}
	return basics[d]
}

var basics = func() (out [len(codecs)]*Catalog) {
	out[V08] = v08.Standard()
	out[V09] = v09.Basic()
	out[V091] = out[V09]
	out[V10RC] = v10.Basic()
	out[V10] = out[V10RC]
	return out
}()

// Minimal returns the catalog of the specification for clients that are being
// written: Text, Row, Column, Button and TextField. It is shared. nil on v1.0,
// which has none.
func Minimal(d Dialect) *Catalog {
	if int(d) >= len(minimals) {
		return nil
	}
	return minimals[d]
}

var minimals = [len(codecs)]*Catalog{V08: v08.Minimal(), V09: minimal09, V091: minimal09}

var minimal09 = v09.Minimal()
