package agui

import (
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// interrupt is a form that a run waits for.
type interrupt struct {
	ID      string         `json:"id"` // of the surface
	Reason  string         `json:"reason"`
	Message string         `json:"message"`
	Schema  map[string]any `json:"responseSchema"`
}

// interrupts are the forms that are open. Tables, maps and views do not hold up a run.
func interrupts(a *app.App, s *ui.State) (out []interrupt) {
	for _, sf := range s.Surfaces {
		if sf.Origin.Kind != "form" || sf.Status != ui.StatusOpen {
			continue
		}
		if f, ok := a.In(s.Router.Language).Form(sf.Origin.Template); ok {
			out = append(out, interrupt{sf.WireID(), "limn:form", sf.Title, schema(f.Fields)})
		}
	}
	return out
}

// schema is the JSON Schema of the values of fields.
func schema(fields []ui.Field) map[string]any {
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

// answer is the event of the answer to an interrupt: the button that submits, or cancels,
// the form. The state decides whether that still counts.
func answer(s *ui.State, r resume, run string) *ui.Event {
	a := &ui.ActionEvent{Surface: r.id, Name: builtin.ActionSubmit, Context: jsonx.OfObject(r.payload.Members...)}
	if r.cancelled {
		a.Name, a.Context = builtin.ActionCancel, jsonx.OfObject()
	}
	for _, sf := range s.Surfaces {
		if sf.WireID() != r.id {
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
	return &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: a, Key: key("resume", run, r.id)}
}
