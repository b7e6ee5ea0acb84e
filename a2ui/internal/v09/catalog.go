package v09

import (
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// CatalogID is the id of the basic catalog, for v0.9.1 too.
const CatalogID = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"

var (
	justify = wire.OneOf("justify", "start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch")
	align   = wire.OneOf("align", "start", "center", "end", "stretch")
	checks  = wire.Opt("checks", wire.CheckList)
	color   = wire.PropDef{Name: "primaryColor", Kind: wire.PlainString, Bounds: wire.Color}
)

// Basic returns the basic catalog.
func Basic() *wire.Catalog {
	c := wire.NewCatalog(CatalogID, components(), functions)
	c.ThemeOpen = true
	c.Theme = []wire.PropDef{
		color,
		{Name: "iconUrl", Kind: wire.PlainString, URL: true, Bounds: wire.Absolute},
		wire.Opt("agentDisplayName", wire.PlainString),
	}
	return c
}

// MinimalID is the id of the minimal catalog.
const MinimalID = "https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json"

// Minimal returns the catalog for clients under development: five components of the
// basic catalog and an additional function.
func Minimal() *wire.Catalog {
	out := wire.NewCatalog(MinimalID, nil, []wire.FunctionDef{
		{Name: "capitalize", Returns: "string", Args: []wire.PropDef{wire.Need("value", wire.DynString)}},
	})
	all := Basic()
	for _, name := range []string{"Text", "Row", "Column", "Button", "TextField"} {
		out.Components[name] = all.Components[name]
	}
	button := *all.Components["Button"]
	button.Props = slices.Clone(button.Props)
	variant, _ := button.Find("variant")
	*variant = wire.OneOf("variant", "primary", "borderless")
	out.Components["Button"] = &button
	out.Theme, out.ThemeOpen = []wire.PropDef{color}, true
	return out
}

// components are the rows below, each with the property all components have.
func components() []wire.ComponentDef {
	rows := []wire.ComponentDef{
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
	for i := range rows {
		rows[i].Props = append(rows[i].Props, wire.Opt("accessibility", wire.A11y))
	}
	return rows
}

var functions = wire.BasicFunctions("boolean")
