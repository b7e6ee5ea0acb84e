package a2ui

import (
	"github.com/limn-ui/limn/a2ui/internal/basic"
	"github.com/limn-ui/limn/a2ui/internal/v08"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Kind is the kind of value of a property or an argument.
type Kind = wire.Kind

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

// Catalog{ID, Components, Functions, Theme, ThemeOpen} lists the components and
// functions of a client, under neutral names. It is read-only once a Validator uses it.
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
	out[V09] = basic.V09()
	out[V091] = out[V09]
	out[V10RC] = basic.V10()
	out[V10], out[V10Oct] = out[V10RC], out[V10RC]
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

var minimal09 = basic.Minimal()
