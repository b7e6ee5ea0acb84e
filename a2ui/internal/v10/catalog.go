package v10

import "github.com/limn-ui/limn/a2ui/internal/wire"

// CatalogID is the id of the basic catalog, the same with and without reserved
// keys.
const CatalogID = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"

var (
	justify = wire.OneOf("justify", "start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch")
	align   = wire.OneOf("align", "start", "center", "end", "stretch")
	checks  = wire.Opt("checks", wire.CheckList)
	label   = wire.Need("label", wire.DynString)
	caption = wire.Opt("label", wire.DynString)
)

// Basic returns the basic catalog; v1.0 has no theme.
func Basic() *wire.Catalog { return wire.NewCatalog(CatalogID, components(), functions) }

// components are the rows below, each with the properties all components have.
func components() []wire.ComponentDef {
	rows := []wire.ComponentDef{
		{Name: "Text", Props: []wire.PropDef{wire.Need("text", wire.DynString),
			wire.OneOf("variant", "caption", "body")}},
		{Name: "Image", Props: []wire.PropDef{wire.Link("url", wire.DynString), wire.Opt("description", wire.DynString),
			wire.OneOf("fit", "contain", "cover", "fill", "none", "scaleDown"),
			wire.OneOf("variant", "icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header")}},
		{Name: "Icon", Props: []wire.PropDef{{Name: "name", Kind: wire.IconName, Required: true, Enum: wire.AllIcons}}},
		{Name: "Video", Props: []wire.PropDef{wire.Link("url", wire.DynString),
			{Name: "posterUrl", Kind: wire.DynString, URL: true}}},
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
		{Name: "TextField", Props: []wire.PropDef{label, wire.Opt("value", wire.DynString),
			wire.Opt("placeholder", wire.DynString),
			wire.OneOf("variant", "shortText", "longText", "number", "obscured"), checks}},
		{Name: "CheckBox", Props: []wire.PropDef{label, wire.Need("value", wire.DynBool), checks}},
		{Name: "ChoicePicker", Props: []wire.PropDef{caption, wire.Need("options", wire.OptionList),
			wire.Need("value", wire.DynStrings),
			wire.OneOf("variant", "multipleSelection", "mutuallyExclusive"),
			wire.OneOf("displayStyle", "checkbox", "chips"),
			wire.Opt("filterable", wire.PlainBool), checks}},
		{Name: "Slider", Props: []wire.PropDef{caption, wire.Need("value", wire.DynNumber),
			wire.Need("max", wire.PlainNumber),
			wire.Opt("min", wire.PlainNumber), {Name: "steps", Kind: wire.PlainNumber, Bounds: steps}, checks}},
		{Name: "DateTimeInput", Props: []wire.PropDef{caption, wire.Need("value", wire.DynString),
			wire.Opt("enableDate", wire.PlainBool),
			wire.Opt("enableTime", wire.PlainBool), wire.Opt("min", wire.DynMoment), wire.Opt("max", wire.DynMoment),
			checks}},
	}
	for i := range rows {
		rows[i].Props = append(rows[i].Props, wire.Opt("accessibility", wire.A11y), wire.Opt("metadata", wire.Metadata))
	}
	return rows
}

var one = 1.0

// steps of a slider are counted from one.
var steps = &wire.Bounds{Min: &one, Integer: true}

// verdict is the return type of the validators: {valid, code, message, severity}.
const verdict = "validationResult"

var functions = func() []wire.FunctionDef {
	list := wire.BasicFunctions(verdict)
	for i := range list {
		if list[i].Name == "openUrl" {
			list[i].Activation, list[i].Args[0].Kind = true, wire.DynString
		}
	}
	return list
}()
