package door

import (
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Schema is the JSON Schema of the values of fields.
func Schema(fields []ui.Field) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		properties[f.Name] = property(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}

// Names lists the members of the schema of an object, sorted.
func Names(schema map[string]any) []string {
	properties, _ := schema["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// Unknown refuses an object with a member that is not among names.
func Unknown(v jsonx.Value, names ...string) error {
	for _, m := range v.Members {
		if slices.Contains(names, m.Key) {
			continue
		}
		hint := "leave it out: nothing is asked for"
		if len(names) > 0 {
			hint = "want one of: " + strings.Join(names, ", ")
		}
		return &ui.Error{Code: ingress.CodeEnvelope, Path: string(ui.PathOf(excerpt.Head(m.Key, 64))),
			Message: "unknown name", Hint: hint}
	}
	return nil
}

func property(f ui.Field) map[string]any {
	p := map[string]any{"title": f.Title()}
	if f.Help != "" {
		p["description"] = f.Help
	}
	var options []string
	for _, o := range f.Options {
		options = append(options, o.Value)
	}
	text := func(format string) {
		if p["type"] = "string"; format != "" {
			p["format"] = format
		}
	}
	switch f.Type {
	case ui.TypeNumber, ui.TypeSlider:
		p["type"] = "number"
	case ui.TypeBoolean:
		p["type"] = "boolean"
	case ui.TypeChoices:
		p["type"], p["items"] = "array", map[string]any{"type": "string", "enum": options}
	case ui.TypeChoice:
		p["type"], p["enum"] = "string", options
	case ui.TypeEmail:
		text("email")
	case ui.TypeURL:
		text("uri")
	case ui.TypeDate:
		text("date")
	default:
		text("")
	}
	return p
}

// Press is the event of a button of a surface, by the name of its action: for clients that
// answer a question about a form instead of drawing it.
func Press(s *ui.State, surface, action string, context jsonx.Value) *ui.Event {
	a := &ui.ActionEvent{Surface: surface, Name: action, Context: jsonx.OfObject(context.Members...)}
	for _, sf := range s.Surfaces {
		if sf.WireID() != surface {
			continue
		}
		a.Nonce, a.Rev = sf.Nonce, sf.Rev
		ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
			if b, ok := n.(*ui.Button); ok && b.Action.Name == a.Name {
				a.Component = at.ComponentID("Button")
			}
			return true
		})
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: a}
}
