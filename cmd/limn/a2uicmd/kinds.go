package a2uicmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
)

// kinds describes the types of properties in words.
type kinds struct {
	dialect a2ui.Dialect
	calls   bool // the version has function calls
	icons   bool // name every icon
}

// props are the properties of a component as they are on the wire, or the
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

// fixed are the types that every version has, dynamic those that also take a
// path, and from v0.9 on a call.
var (
	fixed = map[a2ui.Kind]string{
		a2ui.PlainString: "string",
		a2ui.PlainNumber: "number",
		a2ui.PlainCount:  "integer from 0",
		a2ui.PlainBool:   "boolean",
		a2ui.Child:       "component id",
		a2ui.Children:    "[component id] | template",
		a2ui.TabList:     "[{title*, child*}]",
		a2ui.OptionList:  "[{label*, value*}]",
		a2ui.Metadata:    "{extensions}",
	}
	dynamic = map[a2ui.Kind]string{
		a2ui.DynString:  "string",
		a2ui.DynNumber:  "number",
		a2ui.DynBool:    "boolean",
		a2ui.DynStrings: "[string]",
		a2ui.DynValue:   "string | number | boolean | list",
		a2ui.DynMoment:  "date or time",
	}
)

// text is the type of one property.
func (k kinds) text(p *a2ui.PropDef) string {
	or := " | path"
	if k.calls {
		or = " | path | call"
	}
	text := "any"
	if t, ok := fixed[p.Kind]; ok {
		text = t
	} else if t, ok := dynamic[p.Kind]; ok {
		text = t + or
	}
	switch p.Kind {
	case a2ui.DynBools:
		text = "[boolean" + or + "], two or more"
	case a2ui.Enum:
		text = strings.Join(p.Enum, " | ")
	case a2ui.IconName:
		text = fmt.Sprintf("one of %d icon names", len(p.Enum))
		if k.icons {
			text = strings.Join(p.Enum, " | ")
		}
		if text += or; k.calls {
			text += " | {svgPath}"
		}
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
