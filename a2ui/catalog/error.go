package catalog

import "github.com/limn-ui/limn/a2ui"

// Error is a fault of a catalog document, or of a schema beside it. It is a
// CatalogError in the words of the specification.
type Error struct {
	Path    string // JSON Pointer into the document; "" = the document as a whole
	Keyword string // the JSON Schema keyword or member at fault; may be ""
	Message string
}

// Error implements error.
func (e *Error) Error() string {
	s := "catalog: "
	if e.Path != "" {
		s += e.Path + ": "
	}
	return s + e.Message
}

// Is makes errors.Is report that a negotiation without result is a2ui.CapabilityCatalog,
// as it is where a host pins one catalog (a2ui.Negotiate).
func (e *Error) Is(target error) bool {
	return target == a2ui.CapabilityCatalog && (e.Keyword == "supportedCatalogIds" || e.Keyword == "inlineCatalogs")
}
