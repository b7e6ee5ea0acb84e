package a2a

import (
	"cmp"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// extensionBase is how the address of every version of the extension starts.
const extensionBase = "https://a2ui.org/a2a-extension/a2ui/v"

// Header is the HTTP header in which a client names the extensions it wants, and
// an agent those that it activated; with gRPC it is metadata of the same name.
const Header = "X-A2A-Extensions"

// ExtensionURI returns the address of the extension for a dialect; both forms of
// v1.0 have the same.
func ExtensionURI(d a2ui.Dialect) string { return extensionBase + d.Protocol() }

// Version returns the version that an address of the extension names, such as
// "0.9.1"; no for addresses of other extensions.
func Version(uri string) (version string, ok bool) {
	version, ok = strings.CutPrefix(uri, extensionBase)
	if !ok || !isVersion(version) {
		return "", false
	}
	return version, true
}

// Dialect returns the dialect that an address names; for v1.0 that is V10, whose
// readers take both forms.
func Dialect(uri string) (a2ui.Dialect, bool) {
	version, ok := Version(uri)
	if !ok {
		return 0, false
	}
	d, err := a2ui.ParseDialect("v" + version)
	return d, err == nil
}

// Extension is the entry of an agent card (capabilities.extensions) with which an
// agent says that it speaks A2UI.
type Extension struct {
	URI         string
	Description string // the card's description of it; may be ""
	Required    bool   // clients that do not know it must stay away
	a2ui.ServerCapabilities
}

// NewExtension returns the entry for a dialect.
func NewExtension(d a2ui.Dialect, c a2ui.ServerCapabilities) Extension {
	return Extension{URI: ExtensionURI(d), ServerCapabilities: c}
}

// Params returns the params of the entry: supportedCatalogIds and
// acceptsInlineCatalogs, each only if it says something. Null if neither does.
func (e Extension) Params() a2ui.Data {
	params := jsonx.OfObject()
	if e.AcceptsInline {
		params.Members = append(params.Members, a2ui.Member{Key: "acceptsInlineCatalogs", Value: jsonx.OfBool(true)})
	}
	if len(e.Catalogs) > 0 {
		list := jsonx.OfArray()
		for _, id := range e.Catalogs {
			list.Items = append(list.Items, jsonx.Of(id))
		}
		params.Members = append(params.Members, a2ui.Member{Key: "supportedCatalogIds", Value: list})
	}
	params.Members = append(params.Members, e.Extra...)
	if len(params.Members) == 0 {
		return a2ui.Data{}
	}
	return params
}

// AppendExtension writes the entry as compact JSON.
func AppendExtension(dst []byte, e Extension) []byte {
	v := jsonx.OfObject(a2ui.Member{Key: "uri", Value: jsonx.Of(e.URI)})
	if e.Description != "" {
		v.Members = append(v.Members, a2ui.Member{Key: "description", Value: jsonx.Of(e.Description)})
	}
	v.Members = append(v.Members, a2ui.Member{Key: "required", Value: jsonx.OfBool(e.Required)})
	if params := e.Params(); params.Kind != jsonx.Null {
		v.Members = append(v.Members, a2ui.Member{Key: "params", Value: params})
	}
	return jsonx.Append(dst, v)
}

// Requested splits the values of Header, of which each may name several
// addresses with commas between them.
func Requested(values ...string) []string {
	var out []string
	for _, value := range values {
		for uri := range strings.SplitSeq(value, ",") {
			if uri = strings.TrimSpace(uri); uri != "" {
				out = append(out, uri)
			}
		}
	}
	return out
}

// Activate returns the address of the extension to use: the newest version that the
// client requested and the agent advertises; "" without a common version. The agent
// then answers with it in Header.
func Activate(requested, advertised []string) string {
	offered := make(map[string]bool, len(advertised))
	for _, uri := range advertised {
		offered[uri] = true
	}
	newest := ""
	for _, uri := range requested {
		if _, ok := Version(uri); ok && offered[uri] && (newest == "" || compare(uri, newest) > 0) {
			newest = uri
		}
	}
	return newest
}

// compare orders two addresses by their versions, number by number.
func compare(a, b string) int {
	va, _ := Version(a)
	vb, _ := Version(b)
	for va != "" || vb != "" {
		var x, y string
		x, va, _ = strings.Cut(va, ".")
		y, vb, _ = strings.Cut(vb, ".")
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 {
			return c
		}
	}
	return 0
}

// isVersion reports whether a text is numbers with dots between them.
func isVersion(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return true
}
