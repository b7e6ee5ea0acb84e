package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Property is one property of a component, or one argument of a function, as text: its
// name on the wire and its type.
type Property struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Required bool   `json:"required,omitempty"`
}

// Properties describes in words the values of the properties of a component, or with ""
// the arguments of a function, in a dialect; icons names every icon.
func Properties(d a2ui.Dialect, component string, defs []a2ui.PropDef, icons bool) []Property {
	k := typeWriter{dialect: d, calls: d.Features().Calls, icons: icons}
	out := []Property{}
	for i := range defs {
		def := defs[i]
		if component != "" {
			def = k.written(component, def)
		}
		same := func(p Property) bool { return p.Name == def.Name }
		if at := slices.IndexFunc(out, same); at >= 0 { // two neutral properties are one on the wire
			out[at].Type = k.text(&def)
			continue
		}
		out = append(out, Property{def.Name, k.text(&def), def.Required})
	}
	return out
}

// typeWriter writes the types of properties.
type typeWriter struct {
	dialect a2ui.Dialect
	calls   bool // the version has function calls
	icons   bool // name every icon
}

// written is a property as the version writes it.
func (k typeWriter) written(component string, def a2ui.PropDef) a2ui.PropDef {
	name := def.Name
	def.Name = k.dialect.WireName(component, name)
	if def.Kind == wire.Enum {
		def.Enum = slices.Clone(def.Enum)
		for i, v := range def.Enum {
			def.Enum[i] = k.dialect.WireEnum(component, name, v)
		}
		if slices.Contains(def.Enum, "true") && slices.Contains(def.Enum, "false") {
			def.Kind = wire.PlainBool
		}
	}
	return def
}

// typeTexts are the types by kind; … represents the forms of a dynamic value.
var typeTexts = map[a2ui.Kind]string{
	wire.AnyValue:    "any",
	wire.DynString:   "string…",
	wire.DynNumber:   "number…",
	wire.DynBool:     "boolean…",
	wire.DynStrings:  "[string]…",
	wire.DynValue:    "string | number | boolean | list…",
	wire.DynMoment:   "date or time…",
	wire.DynBools:    "[boolean…], two or more",
	wire.PlainString: "string",
	wire.PlainNumber: "number",
	wire.PlainCount:  "integer from 0",
	wire.PlainBool:   "boolean",
	wire.Child:       "component id",
	wire.Children:    "[component id] | template",
	wire.TabList:     "[{title*, child*}]",
	wire.OptionList:  "[{label*, value*}]",
	wire.Metadata:    "{extensions}",
	wire.PathOnly:    "any",
	wire.CallOnly:    "any",
}

// text is the type of one property.
func (k typeWriter) text(p *a2ui.PropDef) string {
	dynamic := " | path"
	if k.calls {
		dynamic = " | path | call"
	}
	verdict := k.dialect.Features().VerdictChecks
	text := "any"
	switch p.Kind {
	case wire.Enum:
		text = strings.Join(p.Enum, " | ")
	case wire.IconName:
		text = fmt.Sprintf("one of %d icon names", len(p.Enum))
		if k.icons {
			text = strings.Join(p.Enum, " | ")
		}
		if text += dynamic; k.calls {
			text += " | {svgPath}"
		}
	case wire.ActionValue:
		text = choose(k.calls, "{event} | {functionCall}", "{event}")
	case wire.CheckList:
		text = choose(verdict, "[{condition*, message}]", "[{condition*, message*}]")
	case wire.A11y:
		text = choose(verdict, "{label, description, live, hidden}", "{label, description}")
	case wire.ObjectOf:
		text = k.object(p)
	case wire.ListOf:
		text = "[any]"
		if p.Item != nil {
			text = "[" + k.text(p.Item) + "]"
		}
	case wire.OneOfKinds:
		var any []string
		for i := range p.Any {
			any = append(any, k.text(&p.Any[i]))
		}
		text = strings.Join(any, " | ")
	default:
		if known, ok := typeTexts[p.Kind]; ok {
			text = strings.Replace(known, "…", dynamic, 1)
		}
	}
	return text + narrowed(p)
}

func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (k typeWriter) object(p *a2ui.PropDef) string {
	var members []string
	for i := range p.Fields {
		name := p.Fields[i].Name
		if p.Fields[i].Required {
			name += "*"
		}
		members = append(members, name+": "+k.text(&p.Fields[i]))
	}
	if p.Open {
		members = append(members, "…")
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// narrowed says how a literal is narrowed.
func narrowed(p *a2ui.PropDef) string {
	var out []string
	if p.URL {
		out = append(out, "address")
	}
	if b := p.Bounds; b != nil {
		if b.Integer {
			out = append(out, "integer")
		}
		if b.Min != nil {
			out = append(out, fmt.Sprintf("from %v", *b.Min))
		}
		if b.Max != nil {
			out = append(out, fmt.Sprintf("to %v", *b.Max))
		}
		if b.MinLength != nil {
			out = append(out, fmt.Sprintf("length from %d", *b.MinLength))
		}
		if b.MaxLength != nil {
			out = append(out, fmt.Sprintf("length to %d", *b.MaxLength))
		}
		if b.Pattern != nil {
			out = append(out, "matches "+b.Pattern.String())
		}
		if b.Format != "" {
			out = append(out, "format "+b.Format)
		}
		for _, v := range b.Const {
			text, _ := v.MarshalJSON()
			out = append(out, string(text))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}
