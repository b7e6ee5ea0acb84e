package compile

import (
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// The codes of this package. A component type outside the pinned catalog and a
// drawing above a limit carry the codes of package a2ui.
const (
	// a button has an action, or a context key of one, that the app does not declare
	CodeActionForbidden ui.Code = "COMPILE_ACTION_FORBIDDEN"
	codeDialect         ui.Code = "COMPILE_DIALECT"      // there is no catalog for the target's dialect
	codeNode            ui.Code = "COMPILE_NODE_UNKNOWN" // a node type this package cannot draw

	codeNull       ui.Code = "COMPILE_VALUE_NULL"     // warning: null is drawn as the empty value
	codeURL        ui.Code = "COMPILE_URL_REFUSED"    // warning: an address that is not http or https is not sent
	CodeNotShown   ui.Code = "COMPILE_NOT_SHOWN"      // warning: this target cannot show something
	codeContextKey ui.Code = "COMPILE_CONTEXT_KEY"    // warning: a context key is reserved
	codePattern    ui.Code = "COMPILE_PATTERN_SERVER" // warning: a pattern is checked by the server only
)

const (
	codeComponent  = ui.Code(a2ui.ComponentUnknown)
	codeComponents = ui.Code(a2ui.LimitComponents)
	codeMessages   = ui.Code(a2ui.LimitMessages)
	codeDepth      = ui.Code(a2ui.LimitDepth)
)

// Failure is a surface that could not be drawn. Err is a *ui.Error.
type Failure struct {
	Surface ui.Name
	Targets []string // the versions of A2UI, if known
	Err     error
}

// Failures is every surface that could not be drawn; it implements error.
type Failures []Failure

// Error implements error.
func (f Failures) Error() string {
	var b strings.Builder
	for i, one := range f {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString("draw surface " + string(one.Surface) + ": " + one.Err.Error())
	}
	return b.String()
}

// Unwrap returns the causes, for errors.Is and errors.As.
func (f Failures) Unwrap() []error {
	out := make([]error, len(f))
	for i := range f {
		out[i] = f[i].Err
	}
	return out
}

func (f Failures) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Warning says that a target cannot show something as it is declared.
type Warning struct {
	Code    ui.Code
	Path    string // key path of the node, or data path
	Message string // one sentence, without user data
}

// String is the form a ui.Frame keeps: CODE: sentence.
func (w Warning) String() string { return string(w.Code) + ": " + w.Message + " (" + w.Path + ")" }
