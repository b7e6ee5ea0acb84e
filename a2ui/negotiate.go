package a2ui

import (
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/basic"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// aliases are ids under which clients and documents in use know the basic
// catalogs: CopilotKit's, that of the prose of v0.9.1, the newest place of v1.0's
// and the one in its guide.
var aliases = map[string]string{
	"https://a2ui.org/specification/v0_9/basic_catalog.json":            basic.V09ID,
	"https://a2ui.org/specification/v0_9_1/catalogs/basic/catalog.json": basic.V09ID,
	"https://a2ui.org/catalogs/basic/v1/catalog.json":                   basic.V10ID,
	"https://a2ui.org/catalogs/v1/basic.json":                           basic.V10ID,
}

// Aliases returns the other ids of the basic catalogs that are in use, each with
// the id of Basic: a value for Negotiate and Rules.Aliases. The caller may change
// it.
func Aliases() map[string]string { return maps.Clone(aliases) }

// Negotiate checks that a client can draw the catalog that the host pinned: the id is
// in the client's list, or an alias of it is. It returns the id to name to the client,
// the pinned one if the client lists both. Nothing is chosen here, and catalogs in the
// client's message (Capabilities.Inline) do not count: a host that accepts inline
// catalogs compiles and pins them.
//
// The error is a *Problem with CapabilityCatalog. Such a client can be given
// text, and a link to a host that draws HTML.
func Negotiate(pinned string, aliases map[string]string, c Capabilities) (id string, err error) {
	if slices.Contains(c.Catalogs, pinned) {
		return pinned, nil
	}
	for _, known := range c.Catalogs {
		if aliases[known] == pinned && pinned != "" {
			return known, nil
		}
	}
	p := wire.Bad(CapabilityCatalog, "/supportedCatalogIds", "the client does not know the catalog %q", pinned)
	if p.Hint = "it knows none"; len(c.Catalogs) > 0 {
		p.Hint = "it knows " + strings.Join(c.Catalogs[:min(len(c.Catalogs), 5)], ", ")
	}
	return "", p
}
