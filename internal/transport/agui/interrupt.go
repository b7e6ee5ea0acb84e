package agui

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// interrupt is a form that a run waits for, or a table or map that asks to be confirmed. Limn
// forgets neither by the clock, so that none has an expiresAt.
type interrupt struct {
	ID      string         `json:"id"`
	Reason  string         `json:"reason"`
	Message string         `json:"message"`
	Schema  map[string]any `json:"responseSchema"`

	surface *ui.Surface
	resolve string // the action that resolves it
}

// The reasons of interrupts.
const (
	reasonForm    = "input_required"
	reasonConfirm = "confirmation"
)

// interrupts are the open forms, and surfaces that wait for a confirmation. Tables, maps and
// views that are filled in do not hold up a run.
func interrupts(a *app.App, s *ui.State) (out []interrupt) {
	for _, sf := range s.Surfaces {
		switch {
		case sf.Status != ui.StatusOpen:
		case sf.Origin.Kind == "form":
			if f, ok := a.In(s.Router.Language).Form(sf.Origin.Template); ok {
				out = append(out,
					interrupt{sf.WireID(), reasonForm, sf.Title, schema(f.Fields), sf, builtin.ActionSubmit})
			}
		case worksheet.PhaseOf(sf) == worksheet.PhaseConfirm: // each time it asks is another one
			id := sf.WireID() + "@" + itoa(sf.Guard)
			out = append(out, interrupt{id, reasonConfirm, asks(sf), schema(nil), sf, builtin.ActionConfirm})
		}
	}
	return out
}

// asks is the text of a surface that waits for a confirmation.
func asks(sf *ui.Surface) string {
	text := []string{sf.Title}
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if n, ok := n.(*ui.Notice); ok {
			text = append(text, n.Text)
		}
		return true
	})
	return strings.Join(text, "\n")
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

// answer is the event of the answer to an interrupt: the button that resolves it, or cancels
// the surface. The state decides whether that still counts: of an interrupt that is not open
// any more only the surface is known.
func answer(s *ui.State, open []interrupt, r resume, run string) *ui.Event {
	a := &ui.ActionEvent{Surface: r.id, Name: builtin.ActionSubmit, Context: jsonx.OfObject(r.payload.Members...)}
	var sf *ui.Surface
	if i := slices.IndexFunc(open, func(o interrupt) bool { return o.ID == r.id }); i >= 0 {
		sf, a.Name = open[i].surface, open[i].resolve
	} else if i := slices.IndexFunc(s.Surfaces, func(sf *ui.Surface) bool { return sf.WireID() == r.id }); i >= 0 {
		sf = s.Surfaces[i]
	}
	if r.cancelled {
		a.Name, a.Context = builtin.ActionCancel, jsonx.OfObject()
	}
	if sf != nil {
		a.Surface, a.Nonce, a.Rev = sf.WireID(), sf.Nonce, sf.Rev
		ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
			if b, ok := n.(*ui.Button); ok && b.Action.Name == a.Name {
				a.Component = at.ComponentID("Button")
			}
			return true
		})
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventAction, Action: a, Key: key("resume", run, r.id)}
}
