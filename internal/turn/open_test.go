package turn_test

import (
	"testing"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// opening is an event that opens what a directive of the type shows.
func opening(kind, name string) *ui.Event {
	e := ingress.OpenEvent(kind, jsonx.OfObject(input("name", name)))
	e.ID, e.At = "open", noon
	return e
}

// TestOpen: an event opens what a model could open, and nothing else; the user reads nothing of it. Leaving a
// surface changes nothing.
func TestOpen(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	optedOut := step(t, e, after(t, e, "add a customer"), turn.Received{Event: prefers(ui.Preference{
		OptOut: &ui.OptOut{All: true}})}).After
	broken := opening("", "")
	broken.Text = `{"type":`
	leave := ingress.LeaveEvent(customer)
	stray := ingress.LeaveEvent(guest)
	for name, c := range map[string]struct {
		s      *ui.State
		event  *ui.Event
		kind   ui.OutcomeKind
		code   ui.Code
		opened ui.Name
	}{
		"a form":            {after(t, e), opening(directive.TypeShowForm, "customer"), "done", "", customer},
		"a table":           {after(t, e), opening(directive.TypeShowTable, "risks"), "done", "", risks},
		"behind an opt-out": {optedOut, opening(directive.TypeShowTable, "risks"), "refused", execute.CodeGateClosed, ""},
		"an unknown form":   {after(t, e), opening(directive.TypeShowForm, "guest"), "refused", directive.CodePayloadInvalid, ""},
		"an unknown type":   {after(t, e), opening("ui.dance", "customer"), "refused", directive.CodeUnknownType, ""},
		"no JSON":           {after(t, e), broken, "refused", ingress.CodeEnvelope, ""},
		"leave":             {optedOut, leave, "asked", "", ""},
		"leave nothing":     {optedOut, stray, "refused", recovery.CodeNotFound, ""},
	} {
		got := step(t, e, c.s, turn.Received{Event: c.event})
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name+": the user reads", "", got.Frame.Text)
		if c.opened != "" && status(got.After, c.opened) != ui.StatusOpen || c.opened == "" && len(got.Frame.Ops) > 0 {
			t.Errorf("%s: %+v", name, got.Frame.Changes)
		}
	}
	equal(t, "left", customer, turn.Decide(e, optedOut, turn.Received{Event: leave}).Outcome.Surface)
}

// prefers is an event that changes a preference.
func prefers(p ui.Preference) *ui.Event {
	return &ui.Event{V: ui.Version, ID: "p", Kind: ui.EventPreference, At: noon, Preference: &p}
}
