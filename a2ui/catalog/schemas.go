package catalog

import (
	"embed"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// schemaFiles are the schemas; in them %V is the version and %@ is written before
// the keys that v1.0 reserves.
//
//go:embed schemas/*.json
var schemaFiles embed.FS

// forms are the schemas by dialect: the first part of the file names, the version
// and the prefixes of reserved keys, in values and in components.
var forms = map[a2ui.Dialect]struct{ file, version, reserved, envelope string }{
	a2ui.V08:    {"v08", "", "", ""},
	a2ui.V09:    {"v09", "v0.9", "", ""},
	a2ui.V091:   {"v09", "v0.9.1", "", ""},
	a2ui.V10RC:  {"v10", "v1.0", "", ""},
	a2ui.V10Oct: {"v10", "v1.0", "@", ""},
	a2ui.V10:    {"v10", "1.0", "@", "@"},
}

// Standard returns schemas of the messages and of the common types of a dialect,
// written for models: short, and with the names that catalogs and prompts refer
// to. To use the published schemas, a program sets them in the Document. Both
// are Null for an unknown dialect, and v0.8 has no common types.
func Standard(d a2ui.Dialect) Schemas {
	form, ok := forms[d]
	if !ok {
		return Schemas{}
	}
	read := func(part string) a2ui.Data {
		text, err := schemaFiles.ReadFile("schemas/" + form.file + "_" + part + ".json")
		if err != nil {
			return a2ui.Data{} // v0.8 has no common types
		}
		fill := strings.NewReplacer("%V", form.version, "%@", form.reserved, "%E", form.envelope)
		v, err := jsonx.ParseString(fill.Replace(string(text)), jsonx.Limits{})
		if err != nil {
			return a2ui.Data{} // never: a test parses all of them
		}
		return v
	}
	return Schemas{Messages: read("messages"), Common: read("common")}
}
