package agui

import (
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
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
			out = append(out, interrupt{sf.WireID(), "limn:form", sf.Title, door.Schema(f.Fields)})
		}
	}
	return out
}

// answer is the event of the answer to an interrupt: the button that submits, or cancels,
// the form. The state decides whether that still counts.
func answer(s *ui.State, r resume, run string) *ui.Event {
	e := door.Press(s, r.id, builtin.ActionSubmit, r.payload)
	if r.cancelled {
		e = door.Press(s, r.id, builtin.ActionCancel, jsonx.OfObject())
	}
	e.Key = key("resume", run, r.id)
	return e
}
