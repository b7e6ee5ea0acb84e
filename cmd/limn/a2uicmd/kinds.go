package a2uicmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
)

// kinds says in words what a property may hold.
type kinds struct {
	dialect a2ui.Dialect
	calls   bool // the version has function calls
	icons   bool // name every icon
}

// props are the properties of a component as they stand on the wire, or the
// arguments of a function, which have one name everywhere.
func (k kinds) props(component string, defs []a2ui.PropDef) []property {
	out := []property{}
	for i := range defs {
		def := defs[i]
		if component != "" {
			def = k.written(component, def)
		}
		same := func(p property) bool { return p.Name == def.Name }
		if at := slices.IndexFunc(out, same); at >= 0 { // two of ours are one on the wire
			out[at].Type = k.text(&def)
			continue
		}
		out = append(out, property{def.Name, k.text(&def), def.Required})
	}
	return out
}

// written is a property as the version writes it.
func (k kinds) written(component string, def a2ui.PropDef) a2ui.PropDef {
	name := def.Name
	def.Name = k.dialect.WireProp(component, name)
	if def.Kind == a2ui.Enum {
		def.Enum = slices.Clone(def.Enum)
		for i, v := range def.Enum {
			def.Enum[i] = k.dialect.WireEnum(component, name, v)
		}
		if slices.Contains(def.Enum, "true") && slices.Contains(def.Enum, "false") {
			def.Kind = a2ui.PlainBool
		}
	}
	return def
}

// text is the type of one property.
func (k kinds) text(p *a2ui.PropDef) string {
	dynamic := " | path"
	if k.calls {
		dynamic = " | path | call"
	}
	text := ""
	switch p.Kind {
	case a2ui.DynString:
		text = "string" + dynamic
	case a2ui.DynNumber:
		text = "number" + dynamic
	case a2ui.DynBool:
		text = "boolean" + dynamic
	case a2ui.DynStrings:
		text = "[string]" + dynamic
	case a2ui.DynValue:
		text = "string | number | boolean | list" + dynamic
	case a2ui.DynMoment:
		text = "date or time" + dynamic
	case a2ui.DynBools:
		text = "[boolean" + dynamic + "], two or more"
	case a2ui.PlainString:
		text = "string"
	case a2ui.PlainNumber:
		text = "number"
	case a2ui.PlainCount:
		text = "integer from 0"
	case a2ui.PlainBool:
		text = "boolean"
	case a2ui.Enum:
		text = strings.Join(p.Enum, " | ")
	case a2ui.IconName:
		text = fmt.Sprintf("one of %d icon names", len(p.Enum))
		if k.icons {
			text = strings.Join(p.Enum, " | ")
		}
		if text += dynamic; k.calls {
			text += " | {svgPath}"
		}
	case a2ui.Child:
		text = "component id"
	case a2ui.Children:
		text = "[component id] | template"
	case a2ui.TabList:
		text = "[{title*, child*}]"
	case a2ui.OptionList:
		text = "[{label*, value*}]"
	case a2ui.ActionValue:
		text = "{event}"
		if k.calls {
			text += " | {functionCall}"
		}
	case a2ui.CheckList:
		text = "[{condition*, message*}]"
		if k.dialect.Features().VerdictChecks {
			text = "[{condition*, message}]"
		}
	case a2ui.A11y:
		text = "{label, description}"
		if k.dialect.Features().VerdictChecks {
			text = "{label, description, live, hidden}"
		}
	case a2ui.Metadata:
		text = "{extensions}"
	case a2ui.ObjectOf:
		text = k.object(p)
	case a2ui.ListOf:
		text = "[any]"
		if p.Item != nil {
			text = "[" + k.text(p.Item) + "]"
		}
	case a2ui.OneOfKinds:
		var any []string
		for i := range p.Any {
			any = append(any, k.text(&p.Any[i]))
		}
		text = strings.Join(any, " | ")
	default:
		text = "any"
	}
	return text + bounds(p)
}

func (k kinds) object(p *a2ui.PropDef) string {
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

// bounds says how a literal is narrowed.
func bounds(p *a2ui.PropDef) string {
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
