package directive

import (
	"maps"
	"slices"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// The types of the preset.
const (
	TypeShowForm      = "ui.show_form"
	TypeShowTable     = "ui.show_table"
	TypeShowMap       = "ui.show_map"
	TypeShowView      = "ui.show_view"
	TypeShowRecords   = "ui.show_records"
	TypeToast         = "ui.toast"
	TypePatch         = "ui.patch"
	TypeRequestUpload = "ui.request_upload"
	TypeSubmit        = "ui.submit"
	TypeClose         = "ui.close"
)

// PresetConfig names what an app has. A show type without names is left out.
type PresetConfig struct {
	Forms, Tables, Maps, Views []string
	Records                    []string          // forms, tables and maps whose saved records can be listed
	Rows                       int               // most rows of a table; default that of ui.Limits
	Allow                      []string          // the only types offered, by any spelling; default: all
	Aliases                    map[string]string // further name → type
	Extra                      []Def             // the app's own types, after the preset's
}

// Preset builds the Registry of the usual directives for an app's names. It is
// New(PresetDefs…) narrowed by Allow and widened by Aliases and Extra; a name
// in Allow or Aliases that is no type is CodeDefInvalid.
func Preset(c PresetConfig) (*Registry, error) {
	defs := append(PresetDefs(c), c.Extra...)
	all, err := New(defs...)
	if err != nil {
		return nil, err
	}
	for _, alias := range slices.Sorted(maps.Keys(c.Aliases)) {
		i, ok := all.lookup(c.Aliases[alias])
		if !ok {
			return nil, ui.Errorf(CodeDefInvalid, "", "no directive type %q", excerpt.Of(c.Aliases[alias], 40))
		}
		defs[i].Aliases = append(slices.Clone(defs[i].Aliases), alias)
	}
	allowed := map[string]bool{}
	for _, name := range c.Allow {
		t, ok := all.Canonical(name)
		if !ok {
			return nil, ui.Errorf(CodeDefInvalid, "", "no directive type %q", excerpt.Of(name, 40))
		}
		allowed[t] = true
	}
	if len(allowed) > 0 {
		defs = slices.DeleteFunc(defs, func(d Def) bool { return !allowed[d.Type] })
	}
	return New(defs...)
}

// PresetDefs returns the preset's declarations in their fixed order. Payloads:
//
//	ui.show_form       name, title, values            opens a form, prefilled
//	ui.show_table      name, title, min_rows, rows    opens a table
//	ui.show_map        name, title, min_steps, steps, edges
//	ui.show_view       name
//	ui.show_records    name, search, where, sort, descending
//	ui.toast           text
//	ui.patch           surface, ops                   see ParseOps
//	ui.request_upload  label, name, accept
//	ui.submit          surface                        only on the user's words
//	ui.close           surface
func PresetDefs(c PresetConfig) []Def {
	var defs []Def
	title := Param{Name: "title", Kind: String, Max: 200, Description: "A better title than the declared one."}
	name := func(list []string) Param {
		return Param{Name: "name", Aliases: []string{"form", "table", "map", "view", "template", "id"}, Kind: String,
			Required: true, Enum: slices.Clone(list)}
	}
	if len(c.Forms) > 0 {
		defs = append(defs, Def{Type: TypeShowForm, Aliases: []string{"open_form"},
			Description: "Open a form for the user to fill in. Values fill the empty fields of one that is open, " +
				"if they fit the others.",
			Params: []Param{name(c.Forms), title,
				{Name: "values", Aliases: []string{"prefill", "defaults"}, Kind: Values,
					Description: "What to fill in already, only from what the user said."}},
			Example: exampleOf(c.Forms[0])})
	}
	if len(c.Tables) > 0 {
		defs = append(defs, Def{Type: TypeShowTable, Aliases: []string{"open_table", "request_data_table"},
			Description: "Open a table for the user to fill in: several items of one kind.",
			Params: []Param{name(c.Tables), title,
				{Name: "min_rows", Kind: Integer, Description: "How many rows the user has to give."},
				{Name: "rows", Kind: Rows, Description: "Rows to start with, only from what the user said."}},
			Check:   atLeastZero("min_rows", ui.Limits{Rows: c.Rows}.WithDefaults().Rows),
			Example: exampleOf(c.Tables[0])})
	}
	if len(c.Maps) > 0 {
		defs = append(defs, Def{Type: TypeShowMap, Aliases: []string{"open_map", "request_process_map"},
			Description: "Open a process map for the user: steps in order, with who does what.",
			Params: []Param{name(c.Maps), title,
				{Name: "min_steps", Kind: Integer, Description: "How many steps the user has to give."},
				{Name: "steps", Aliases: []string{"seed_nodes"}, Kind: Rows,
					Columns:     []string{"name", "owner", "outcome"},
					Description: "Steps to start with, only from what the user said."},
				{Name: "edges", Kind: Rows, Columns: []string{"from", "to", "kind"}, Refs: []string{"from", "to"},
					Description: "Links between step ids; kind is sequence, approval or parallel."}},
			Check:   atLeastZero("min_steps", ui.Limits{}.WithDefaults().Rows),
			Example: exampleOf(c.Maps[0])})
	}
	if len(c.Views) > 0 {
		defs = append(defs, Def{Type: TypeShowView, Aliases: []string{"open_view"},
			Description: "Show a read-only view.",
			Params:      []Param{name(c.Views)},
			Example:     exampleOf(c.Views[0])})
	}
	if len(c.Records) > 0 {
		defs = append(defs, Def{Type: TypeShowRecords, Aliases: []string{"list_records"},
			Description: "List what was saved before.",
			Params: []Param{name(c.Records),
				{Name: "search", Kind: String, Max: 200, Description: "Words that the records have."},
				{Name: "where", Aliases: []string{"filter"}, Kind: Values, Description: "Values of fields."},
				{Name: "sort", Kind: String, Max: 64, Description: "A field; default: the newest first."},
				{Name: "descending", Kind: Boolean}},
			Example: exampleOf(c.Records[0])})
	}
	return append(defs, surfaceDefs()...)
}

func exampleOf(name string) string {
	return string(append(jsonx.AppendString([]byte(`{"name":`), name), '}'))
}

// surfaceDefs are the declarations that every app has.
func surfaceDefs() []Def {
	surface := Param{Name: "surface", Aliases: []string{"name", "target", "surface_id"}, Kind: String, Required: true,
		Max:         64,
		Description: "The name of an open surface, such as form:customer."}
	return []Def{
		{Type: TypeToast, Aliases: []string{"notify"}, Description: "Show a short message once.",
			Params:  []Param{{Name: "text", Aliases: []string{"message"}, Kind: String, Required: true, Max: 500}},
			Example: `{"text":"Saved."}`},
		{Type: TypePatch, Aliases: []string{"update", "patch_data"},
			Description: "Change values on an open surface.",
			Params: []Param{surface, {Name: "ops", Aliases: []string{"operations", "patch", "changes", "patches"},
				Kind: Ops, Required: true}}, Check: surfaceName},
		{Type: TypeRequestUpload, Aliases: []string{"upload", "ask_upload"}, Description: "Ask the user for a file.",
			Params: []Param{{Name: "label", Aliases: []string{"prompt", "title", "text"}, Kind: String, Required: true,
				Max: 200, Description: "What to upload, in a few words."},
				{Name: "name", Aliases: []string{"field"}, Kind: String, Max: 64,
					Description: "A key for the file: small letters, digits, _ and -."},
				{Name: "accept", Aliases: []string{"types"}, Kind: Strings, Max: 20,
					Description: "Media types, such as application/json."}}, Check: uploadName},
		{Type: TypeSubmit, Aliases: []string{"submit_form"},
			Description: "Submit an open surface as it is, only if the user's last message asks for it.",
			Params:      []Param{surface}, Check: surfaceName},
		{Type: TypeClose, Aliases: []string{"hide", "dismiss"},
			Description: "Close an open surface. What the user did not submit is lost.",
			Params:      []Param{surface}, Check: surfaceName},
	}
}

func surfaceName(p jsonx.Value) *ui.Error {
	if !ui.ValidName(p.At("surface").Text()) {
		return ui.Errorf(CodePayloadInvalid, "/surface", "not a surface name such as form:customer")
	}
	return nil
}

func uploadName(p jsonx.Value) *ui.Error {
	if n, ok := p.Get("name"); ok && !ui.ValidKey(n.Str) {
		return ui.Errorf(CodePayloadInvalid, "/name", "want [a-z][a-z0-9_-]{0,63}")
	}
	return nil
}

func atLeastZero(key string, most int) func(jsonx.Value) *ui.Error {
	return func(p jsonx.Value) *ui.Error {
		if n, ok := p.At(key).Int(); ok && (n < 0 || n > int64(most)) {
			return ui.Errorf(CodePayloadInvalid, "/"+key, "want 0 to %d", most)
		}
		return nil
	}
}
