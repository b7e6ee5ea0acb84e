// Package basic is the basic catalog of A2UI since v0.9. The wire form of these versions is
// package jsonwire's.
package basic

import (
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// The ids of the catalogs: of the basic one of v0.9 and v0.9.1, of the minimal one of
// both, and of the basic one of v1.0, the same with and without reserved keys.
const (
	V09ID     = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
	MinimalID = "https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json"
	V10ID     = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"
)

var (
	justify = wire.OneOf("justify", "start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch")
	align   = wire.OneOf("align", "start", "center", "end", "stretch")
	checks  = wire.Opt("checks", wire.CheckList)
	color   = wire.PropDef{Name: "primaryColor", Kind: wire.PlainString, Bounds: wire.Color}
)

// V09 returns the basic catalog of v0.9 and v0.9.1.
func V09() *wire.Catalog {
	rows := components()
	for i := range rows {
		rows[i].Props = append(rows[i].Props, wire.Opt("accessibility", wire.A11y))
	}
	c := wire.NewCatalog(V09ID, rows, functions("boolean"))
	c.ThemeOpen = true
	c.Theme = []wire.PropDef{
		color,
		{Name: "iconUrl", Kind: wire.PlainString, URL: true, Bounds: wire.Absolute},
		wire.Opt("agentDisplayName", wire.PlainString),
	}
	return c
}

// Minimal returns the catalog of v0.9 for clients under development: five components of
// the basic catalog and an additional function.
func Minimal() *wire.Catalog {
	out := V09().Prune("Text", "Row", "Column", "Button", "TextField")
	out.ID, out.Theme = MinimalID, []wire.PropDef{color}
	out.Functions = map[string]*wire.FunctionDef{"capitalize": {Name: "capitalize", Returns: "string",
		Args: []wire.PropDef{wire.Need("value", wire.DynString)}}}
	variant, _ := out.Components["Button"].Find("variant")
	*variant = wire.OneOf("variant", "primary", "borderless")
	return out
}

var one = 1.0

// V10 returns the basic catalog of v1.0: the components of v0.9 without headings and
// patterns, with some properties more; and no theme.
func V10() *wire.Catalog {
	rows := components()
	for i := range rows {
		props := rows[i].Props
		switch rows[i].Name {
		case "Text":
			props[1] = wire.OneOf("variant", "caption", "body")
		case "Video":
			props = append(props, wire.PropDef{Name: "posterUrl", Kind: wire.DynString, URL: true})
		case "TextField": // in place of validationRegexp
			props = slices.Insert(slices.Delete(props, 3, 4), 2, wire.Opt("placeholder", wire.DynString))
		case "Slider": // steps are counted from one
			props = slices.Insert(props, 4, wire.PropDef{Name: "steps", Kind: wire.PlainNumber,
				Bounds: &wire.Bounds{Min: &one, Integer: true}})
		}
		rows[i].Props = append(props, wire.Opt("accessibility", wire.A11y), wire.Opt("metadata", wire.Metadata))
	}
	c := wire.NewCatalog(V10ID, rows, functions("validationResult"))
	c.Functions["openUrl"].Activation, c.Functions["openUrl"].Args[0].Kind = true, wire.DynString
	return c
}

// components are the rows of v0.9 without the property that all components have.
func components() []wire.ComponentDef {
	return []wire.ComponentDef{
		{Name: "Text", Props: []wire.PropDef{wire.Need("text", wire.DynString),
			wire.OneOf("variant", "h1", "h2", "h3", "h4", "h5", "caption", "body")}},
		{Name: "Image", Props: []wire.PropDef{wire.Link("url", wire.DynString), wire.Opt("description", wire.DynString),
			wire.OneOf("fit", "contain", "cover", "fill", "none", "scaleDown"),
			wire.OneOf("variant", "icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header")}},
		{Name: "Icon", Props: []wire.PropDef{{Name: "name", Kind: wire.IconName, Required: true, Enum: wire.AllIcons}}},
		{Name: "Video", Props: []wire.PropDef{wire.Link("url", wire.DynString)}},
		{Name: "AudioPlayer", Props: []wire.PropDef{wire.Link("url", wire.DynString),
			wire.Opt("description", wire.DynString)}},
		{Name: "Row", Props: []wire.PropDef{wire.Need("children", wire.Children), justify, align}},
		{Name: "Column", Props: []wire.PropDef{wire.Need("children", wire.Children), justify, align}},
		{Name: "List", Props: []wire.PropDef{wire.Need("children", wire.Children),
			wire.OneOf("direction", "vertical", "horizontal"), align}},
		{Name: "Card", Props: []wire.PropDef{wire.Need("child", wire.Child)}},
		{Name: "Tabs", Props: []wire.PropDef{wire.Need("tabs", wire.TabList)}},
		{Name: "Modal", Props: []wire.PropDef{wire.Need("trigger", wire.Child), wire.Need("content", wire.Child)}},
		{Name: "Divider", Props: []wire.PropDef{wire.OneOf("axis", "horizontal", "vertical")}},
		{Name: "Button", Props: []wire.PropDef{wire.Need("child", wire.Child), wire.Need("action", wire.ActionValue),
			wire.OneOf("variant", "default", "primary", "borderless"), checks}},
		{Name: "TextField", Props: []wire.PropDef{wire.Need("label", wire.DynString), wire.Opt("value", wire.DynString),
			wire.OneOf("variant", "shortText", "longText", "number", "obscured"),
			wire.Opt("validationRegexp", wire.PlainString), checks}},
		{Name: "CheckBox", Props: []wire.PropDef{wire.Need("label", wire.DynString), wire.Need("value", wire.DynBool),
			checks}},
		{Name: "ChoicePicker", Props: []wire.PropDef{wire.Opt("label", wire.DynString),
			wire.Need("options", wire.OptionList), wire.Need("value", wire.DynStrings),
			wire.OneOf("variant", "multipleSelection", "mutuallyExclusive"),
			wire.OneOf("displayStyle", "checkbox", "chips"),
			wire.Opt("filterable", wire.PlainBool), checks}},
		{Name: "Slider", Props: []wire.PropDef{wire.Opt("label", wire.DynString), wire.Need("value", wire.DynNumber),
			wire.Need("max", wire.PlainNumber),
			wire.Opt("min", wire.PlainNumber), checks}},
		{Name: "DateTimeInput", Props: []wire.PropDef{wire.Opt("label", wire.DynString),
			wire.Need("value", wire.DynString), wire.Opt("enableDate", wire.PlainBool),
			wire.Opt("enableTime", wire.PlainBool), wire.Opt("min", wire.DynMoment), wire.Opt("max", wire.DynMoment),
			checks}},
	}
}

// functions are those of the catalogs; verdict is the return type of the validators.
func functions(verdict string) []wire.FunctionDef {
	return []wire.FunctionDef{
		{Name: "required", Returns: verdict, Args: []wire.PropDef{wire.Need("value", wire.AnyValue)}},
		{Name: "regex", Returns: verdict, Args: []wire.PropDef{wire.Need("value", wire.DynString),
			wire.Need("pattern", wire.PlainString)}},
		{Name: "length", Returns: verdict, Args: []wire.PropDef{wire.Need("value", wire.DynString),
			wire.Opt("min", wire.PlainCount), wire.Opt("max", wire.PlainCount)},
			OneOf: []string{"min", "max"}},
		{Name: "numeric", Returns: verdict, Args: []wire.PropDef{wire.Need("value", wire.DynNumber),
			wire.Opt("min", wire.PlainNumber), wire.Opt("max", wire.PlainNumber)},
			OneOf: []string{"min", "max"}},
		{Name: "email", Returns: verdict, Args: []wire.PropDef{wire.Need("value", wire.DynString)}},
		{Name: "formatString", Returns: "string", Args: []wire.PropDef{wire.Need("value", wire.DynString)}},
		{Name: "formatNumber", Returns: "string",
			Args: []wire.PropDef{wire.Need("value", wire.DynNumber), wire.Opt("decimals", wire.DynNumber),
				wire.Opt("grouping", wire.DynBool)}},
		{Name: "formatCurrency", Returns: "string",
			Args: []wire.PropDef{wire.Need("value", wire.DynNumber), wire.Need("currency", wire.DynString),
				wire.Opt("decimals", wire.DynNumber), wire.Opt("grouping", wire.DynBool)}},
		{Name: "formatDate", Returns: "string", Args: []wire.PropDef{wire.Need("value", wire.DynValue),
			wire.Need("format", wire.DynString)}},
		{Name: "pluralize", Returns: "string", Args: []wire.PropDef{wire.Need("value", wire.DynNumber),
			wire.Need("other", wire.DynString), wire.Opt("zero", wire.DynString),
			wire.Opt("one", wire.DynString), wire.Opt("two", wire.DynString), wire.Opt("few", wire.DynString),
			wire.Opt("many", wire.DynString)}},
		{Name: "openUrl", Returns: "void", Args: []wire.PropDef{
			{Name: "url", Kind: wire.PlainString, Required: true, URL: true, Bounds: wire.Absolute}}},
		{Name: "and", Returns: "boolean", Args: []wire.PropDef{wire.Need("values", wire.DynBools)}},
		{Name: "or", Returns: "boolean", Args: []wire.PropDef{wire.Need("values", wire.DynBools)}},
		{Name: "not", Returns: "boolean", Args: []wire.PropDef{wire.Need("value", wire.DynBool)}},
	}
}
