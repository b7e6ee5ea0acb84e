package v08

import (
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// CatalogID is the id of the standard catalog.
const CatalogID = "https://a2ui.org/specification/v0_8/standard_catalog_definition.json"

// form is how a property is written.
type form uint8

const (
	bound    form = iota // {"literalString": …} or {"path": …}
	plain                // the JSON value itself
	child                // a component id
	children             // {"explicitList": […]} or {"template": …}
	tabs                 // [{"title": bound, "child": id}]
	options              // [{"label": bound, "value": text}]
	action               // {"name", "context": [{"key", "value": bound}]}
	primary              // Button.variant as a boolean
	single               // ChoicePicker.variant as maxAllowedSelections
)

type property struct {
	def  wire.PropDef // neutral name
	wire string
	form form
}

type component struct {
	name, wire string
	props      []property
}

// p is a row whose neutral and v0.8 names are equal.
func p(f form, def wire.PropDef) property { return property{def, def.Name, f} }

// r is a row whose v0.8 name differs.
func r(f form, wireName string, def wire.PropDef) property { return property{def, wireName, f} }

var (
	kids    = p(children, wire.Need("children", wire.Children))
	justify = r(plain, "distribution", wire.OneOf("justify", "start", "center", "end", "spaceBetween", "spaceAround",
		"spaceEvenly"))
	align = r(plain, "alignment", wire.OneOf("align", "start", "center", "end", "stretch"))
	label = p(bound, wire.Need("label", wire.DynString))
	link  = p(bound, wire.Link("url", wire.DynString))
)

// table is the standard catalog: neutral type, v0.8 type, properties.
var table = []component{
	{"Text", "Text", []property{p(bound, wire.Need("text", wire.DynString)),
		r(plain, "usageHint", wire.OneOf("variant", "h1", "h2", "h3", "h4", "h5", "caption", "body"))}},
	{"Image", "Image", []property{link, r(bound, "altText", wire.Opt("description", wire.DynString)),
		p(plain, wire.OneOf("fit", "contain", "cover", "fill", "none", "scaleDown")),
		r(plain, "usageHint", wire.OneOf("variant", "icon", "avatar", "smallFeature", "mediumFeature", "largeFeature",
			"header"))}},
	{"Icon", "Icon", []property{p(bound, wire.PropDef{Name: "name", Kind: wire.IconName, Required: true,
		Enum: wire.Icons})}},
	{"Video", "Video", []property{link}},
	{"AudioPlayer", "AudioPlayer", []property{link, p(bound, wire.Opt("description", wire.DynString))}},
	{"Row", "Row", []property{kids, justify, align}},
	{"Column", "Column", []property{kids, justify, align}},
	{"List", "List", []property{kids, p(plain, wire.OneOf("direction", "vertical", "horizontal")), align}},
	{"Card", "Card", []property{p(child, wire.Need("child", wire.Child))}},
	{"Tabs", "Tabs", []property{r(tabs, "tabItems", wire.Need("tabs", wire.TabList))}},
	{"Modal", "Modal", []property{r(child, "entryPointChild", wire.Need("trigger", wire.Child)),
		r(child, "contentChild", wire.Need("content", wire.Child))}},
	{"Divider", "Divider", []property{p(plain, wire.OneOf("axis", "horizontal", "vertical"))}},
	{"Button", "Button", []property{p(child, wire.Need("child", wire.Child)),
		p(action, wire.Need("action", wire.ActionValue)),
		r(primary, "primary", wire.OneOf("variant", "default", "primary"))}},
	{"TextField", "TextField", []property{label, r(bound, "text", wire.Opt("value", wire.DynString)),
		r(plain, "textFieldType", wire.OneOf("variant", "shortText", "longText", "number", "obscured", "date")),
		p(plain, wire.Opt("validationRegexp", wire.PlainString))}},
	{"CheckBox", "CheckBox", []property{label, p(bound, wire.Need("value", wire.DynBool))}},
	{"ChoicePicker", "MultipleChoice", []property{r(bound, "selections", wire.Need("value", wire.DynStrings)),
		p(options, wire.Need("options", wire.OptionList)),
		r(single, "maxAllowedSelections", wire.OneOf("variant", "multipleSelection", "mutuallyExclusive")),
		r(plain, "variant", wire.OneOf("displayStyle", "checkbox", "chips")),
		p(plain, wire.Opt("filterable", wire.PlainBool)),
		p(plain, wire.Opt("maxAllowedSelections", wire.PlainCount))}},
	{"Slider", "Slider", []property{p(bound, wire.Opt("label", wire.DynString)),
		p(bound, wire.Need("value", wire.DynNumber)),
		r(plain, "maxValue", wire.Opt("max", wire.PlainNumber)),
		r(plain, "minValue", wire.Opt("min", wire.PlainNumber))}},
	{"DateTimeInput", "DateTimeInput", []property{p(bound, wire.Need("value", wire.DynString)),
		p(plain, wire.Opt("enableDate", wire.PlainBool)), p(plain, wire.Opt("enableTime", wire.PlainBool))}},
}

var byName, byWire = index()

func index() (byName, byWire map[string]*component) {
	byName, byWire = map[string]*component{}, map[string]*component{}
	for i := range table {
		byName[table[i].name], byWire[table[i].wire] = &table[i], &table[i]
	}
	return byName, byWire
}

// Standard returns the standard catalog under neutral names.
func Standard() *wire.Catalog {
	defs := make([]wire.ComponentDef, len(table))
	for i, row := range table {
		defs[i].Name = row.name
		for _, prop := range row.props {
			defs[i].Props = append(defs[i].Props, prop.def)
		}
	}
	c := wire.NewCatalog(CatalogID, defs, nil)
	c.Theme = []wire.PropDef{wire.Opt("font", wire.PlainString),
		{Name: "primaryColor", Kind: wire.PlainString, Bounds: wire.Color}}
	return c
}

// MinimalID is the id of the minimal catalog.
const MinimalID = "https://a2ui.org/specification/v0_8/catalogs/minimal/minimal_catalog.json"

// Minimal returns the catalog for clients that are being written.
func Minimal() *wire.Catalog {
	c := Standard().Prune("Text", "Row", "Column", "Button", "TextField")
	c.ID = MinimalID
	return c
}

func (c *component) named(name string) *property {
	for i := range c.props {
		if c.props[i].def.Name == name {
			return &c.props[i]
		}
	}
	return nil
}

// written finds a property by its v0.8 name; the first row wins, so that
// maxAllowedSelections is read by the row of variant.
func (c *component) written(name string) *property {
	for i := range c.props {
		if c.props[i].wire == name {
			return &c.props[i]
		}
	}
	return nil
}

// later are the properties that came after v0.8, "" of all types. They are refused, and not
// kept as unknown ones are: they would be lost on every client.
var later = map[string][]string{
	"":              {"accessibility", "checks", "metadata"},
	"ChoicePicker":  {"label"},
	"DateTimeInput": {"label", "min", "max"},
	"Slider":        {"steps"},
	"TextField":     {"placeholder"},
	"Video":         {"posterUrl"},
}

func (c *component) later(name string) bool {
	return slices.Contains(later[""], name) || slices.Contains(later[c.name], name)
}

// TypeName returns the neutral name of a v0.8 type; types of other catalogs keep
// theirs.
func TypeName(wireName string) string {
	if c := byWire[wireName]; c != nil {
		return c.name
	}
	return wireName
}

// Rows returns the neutral properties that a property of a standard type is read
// into; nil for one that the standard catalog does not have.
func Rows(wireType, wireProp string) (out []wire.PropDef) {
	c := byWire[wireType]
	for i := 0; c != nil && i < len(c.props); i++ {
		if c.props[i].wire == wireProp {
			out = append(out, c.props[i].def)
		}
	}
	return out
}

// EnumValue returns the neutral spelling of a listed value.
func EnumValue(v string) string {
	if v == "scale-down" {
		return "scaleDown"
	}
	return v
}
