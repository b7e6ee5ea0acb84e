package app

import (
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/schema"
)

// Names for the types of this package's fields and results, for programs that
// write them out.
type (
	Directive   = directive.Directive // one thing that a Handler asks for, as a model would
	Registry    = directive.Registry  // the directives of an app, with their payloads
	JSON        = jsonx.Value         // any JSON value; a2ui.ParseData reads one
	Schema      = schema.Schema       // of the arguments of a model tool
	TableParams = route.Table         // TableSpec.Table
	MapParams   = route.Map           // MapSpec.Map
)
