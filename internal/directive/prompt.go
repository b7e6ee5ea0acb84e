package directive

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
)

// promptLead begins the list of types; a model that repeats it says nothing.
const promptLead = "Use only these directives, with only these payload keys:"

// Prompt returns the instruction text: the form of the answer, every type with
// its payload, one example. The same Registry always gives the same text. It
// is complete, so it also works with models that ignore a JSON Schema.
func (r *Registry) Prompt() string { return r.prompt }

func (r *Registry) writePrompt() string {
	var b strings.Builder
	b.WriteString("Answer with exactly one JSON object and nothing around it:\n" +
		`{"assistant_text": "` + placeholder + `", "directives": [{"type": "<type>", "payload": {…}}]}` + "\n" +
		"assistant_text is plain text in the user's language. " +
		"directives is [] unless something should be shown or changed.\n")
	if len(r.defs) == 0 {
		b.WriteString("There are no directives: always leave the list empty.\n")
		return b.String()
	}
	b.WriteString(promptLead + "\n")
	example := -1
	for i, d := range r.defs {
		b.WriteString("\n" + d.Type)
		if d.Description != "" {
			b.WriteString(": " + d.Description)
		}
		b.WriteByte('\n')
		for k := range d.Params {
			writeParam(&b, &d.Params[k])
		}
		if d.Schema.Kind == jsonx.Object {
			b.WriteString("- payload, by this JSON Schema: " + string(jsonx.Append(nil, d.Schema)) + "\n")
			if d.Example != "" {
				b.WriteString("- for example: " + d.Example + "\n")
			}
		}
		if example < 0 && d.Example != "" {
			example = i
		}
	}
	if example >= 0 {
		d := r.defs[example]
		payload, _ := jsonx.Parse([]byte(d.Example), jsonx.Limits{}) // checked by New
		env := Envelope{Text: "Here it is.", Directives: []Directive{{Type: d.Type, Payload: payload}}}
		b.WriteString("\nExample:\n")
		b.Write(env.JSON())
		b.WriteByte('\n')
	}
	return b.String()
}

func writeParam(b *strings.Builder, p *Param) {
	b.WriteString("- " + p.Name + " (" + p.kindInWords())
	if !p.Required {
		b.WriteString(", optional")
	}
	b.WriteByte(')')
	if p.Description != "" {
		b.WriteString(": " + p.Description)
	}
	if len(p.Enum) > 0 {
		b.WriteString(" One of: \"" + strings.Join(p.Enum, `", "`) + "\".")
	}
	b.WriteByte('\n')
}

func (p *Param) kindInWords() string {
	switch p.Kind {
	case Integer:
		return "integer"
	case Boolean:
		return "boolean"
	case Strings:
		return "list of strings"
	case Values:
		return `list of {"field", "value"}`
	case Rows:
		if len(p.Columns) == 0 {
			return `list of {"id", "cells": list of {"field", "value"}}`
		}
		columns := p.Columns
		if !slices.Contains(columns, "id") {
			columns = append([]string{"id"}, columns...)
		}
		return `list of {"` + strings.Join(columns, `", "`) + `"}`
	case Ops:
		return `list of {"op": set, delete, append or insert, "path", "value", "before", "row"}`
	}
	return "string"
}
