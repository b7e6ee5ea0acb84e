package turn_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestClick: the button of an action that the application declares says, opens, asks or calls what is declared.
func TestClick(t *testing.T) {
	t.Parallel()
	e := env(t, withPad, func(c *app.Config) {
		c.Actions = append(c.Actions, app.Action{Name: "where", Call: &ui.Action{Do: "getPosition", Name: "hello"}})
		build := c.Views[0].Build
		c.Views[0].Build = func(s *ui.State) ui.Nodes {
			nodes := build(s)
			main := nodes[0].(*ui.Column)
			for _, name := range []string{"join", "where"} {
				main.Children = append(main.Children, &ui.Button{Key: name, Label: name, Action: ui.Action{Name: name}})
			}
			return nodes
		}
	})
	s := after(t, e, "show the pad")
	pad := s.Surface("view:pad")
	for label, c := range map[string]struct {
		reads string
		form  ui.Status
		calls int
	}{
		"Hello": {"Hello.", "", 0}, "join": {"Welcome.", ui.StatusOpen, 0}, "where": {"", "", 1},
		"Think": {"Tell me what you would like to record, and I’ll open the right form.", "", 0},
	} {
		got := step(t, e, s, turn.Received{Event: press(t, pad, label)})
		ends(t, label, got.Frame.Outcome, ui.OutcomeDone, "")
		equal(t, label, c.reads, got.Frame.Text)
		equal(t, label+": form", c.form, status(got.After, customer))
		equal(t, label+": calls of the client", c.calls, len(got.After.Router.Calls))
	}
	e.Model, e.Phrases = true, false
	p := turn.Decide(e, s, turn.Received{Event: press(t, pad, "Think")})
	if !p.Ask.Follows || p.Ask.Run != app.RunDirectives || !strings.Contains(p.Ask.Prompt, `"think"`) {
		t.Errorf("with a model: asks %+v", p.Ask)
	}
	reply := &ui.Event{V: ui.Version, ID: "r", Kind: ui.EventReply, At: noon, Text: p.Ask.Prompt, Run: p.Ask.Run}
	if again := turn.Decide(e, s, turn.Received{Event: reply}); again.Ask.Prompt != p.Ask.Prompt || again.Ask.Follows {
		t.Errorf("the event that follows asks %+v", again.Ask)
	}
}

// TestMasked: a button of an action that is not for now is refused until it is.
func TestMasked(t *testing.T) {
	t.Parallel()
	e := env(t, withPad, func(c *app.Config) { c.Actions[2].After = []string{"customer"} })
	s := after(t, e, "show the pad")
	p := turn.Decide(e, s, turn.Received{Event: press(t, s.Surface("view:pad"), "Hello")})
	ends(t, "too early", p.Outcome, ui.OutcomeRefused, ingress.CodeForbidden)
	s = step(t, e, with(t, e, s, &ui.Commit{Form: "customer", Values: ui.Map()}), turn.Received{Event: published(false)}).After
	p = turn.Decide(e, s, turn.Received{Event: press(t, s.Surface("view:pad"), "Hello")})
	ends(t, "in time", p.Outcome, ui.OutcomeDone, "")
}

// TestRefusedClick: a click that does not count says why and where it can be shown anew. What was typed stays, if the
// click comes from the surface.
func TestRefusedClick(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := after(t, e, "add a customer")
	other := func(change func(*ui.ActionEvent)) *ui.Event {
		click := submit(s, "Ada")
		change(click.Action)
		return click
	}
	expired := with(t, e, s, &ui.Expire{Surface: customer})
	sent := with(t, e, s, &ui.Lock{Surface: customer})
	for name, c := range map[string]struct {
		s       *ui.State
		click   *ui.Event
		code    ui.Code
		surface ui.Name
		typed   string
	}{
		"another nonce":  {s, other(func(a *ui.ActionEvent) { a.Nonce = strings.Repeat("0", 32) }), ingress.CodeForbidden, "", ""},
		"another epoch":  {s, other(func(a *ui.ActionEvent) { a.Surface = "form:customer#e=9" }), ingress.CodeStale, customer, ""},
		"no surface":     {s, other(func(a *ui.ActionEvent) { a.Surface = "form:guest#e=1" }), ingress.CodeStale, "", ""},
		"no wire id":     {s, other(func(a *ui.ActionEvent) { a.Surface = "###" }), ingress.CodeStale, "", ""},
		"expired":        {expired, submit(s, "Ada"), ingress.CodeStale, customer, "Ada"},
		"submitted":      {sent, submit(s, "Ada"), ingress.CodeSubmitted, customer, ""},
		"another button": {s, other(func(a *ui.ActionEvent) { a.Name = "join" }), ingress.CodeForbidden, customer, "Ada"},
	} {
		got := step(t, e, c.s, turn.Received{Event: c.click})
		ends(t, name, got.Frame.Outcome, ui.OutcomeRefused, c.code)
		equal(t, name+": about", c.surface, got.Frame.Outcome.Surface)
		equal(t, name+": typed", c.typed, draft(got.After, customer, "/draft/company"))
		equal(t, name+": the user reads", "", got.Frame.Text)
	}
}

// TestPreferences: a preference changes the router and nothing else; one that cannot be is refused in the words of the
// fault.
func TestPreferences(t *testing.T) {
	t.Parallel()
	table := ui.ToolTable
	e := env(t)
	s := after(t, e, "add a customer")
	for name, c := range map[string]struct {
		p    ui.Preference
		kind ui.OutcomeKind
		code ui.Code
		set  func(ui.Router) bool
	}{
		"opt-out":    {ui.Preference{OptOut: &ui.OptOut{All: true}}, "done", "", func(r ui.Router) bool { return r.OptOut.All }},
		"a tool":     {ui.Preference{Preferred: &table}, "done", "", func(r ui.Router) bool { return r.Preferred == table }},
		"rounds":     {ui.Preference{Iterations: map[string]int{table: 3}}, "done", "", func(r ui.Router) bool { return r.MaxIterations[table] == 3 }},
		"a language": {ui.Preference{Language: "xx"}, "refused", "PREFERENCE_INVALID", nil},
		"no rule":    {ui.Preference{DropRule: "gone"}, "refused", "ROUTE_GUARDRAIL_UNKNOWN", nil},
		"nothing":    {ui.Preference{}, "refused", "PREFERENCE_INVALID", nil},
	} {
		got := step(t, e, s, turn.Received{Event: prefers(c.p)})
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name+": surfaces", len(s.Surfaces), len(got.After.Surfaces))
		equal(t, name+": the user reads", "", got.Frame.Text)
		if c.set != nil && !c.set(got.After.Router) {
			t.Errorf("%s: router %+v", name, got.After.Router)
		}
		if o := got.Frame.Outcome; c.set == nil && (len(got.Frame.Ops) > 0 || o.Message == "" || o.Message != o.Detail) {
			t.Errorf("%s: %+v", name, got.Frame)
		}
	}
}

// TestSubmitWithAModel: with a model, the submit of a table asks it to sum up what was sent, in an event that follows.
func TestSubmitWithAModel(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	e.Phrases = false
	e.Model = true
	s := after(t, e, "We have 3 risks.")
	s = step(t, e, s, turn.Received{Event: press(t, s.Surface(risks), "Check", titles("Fire", "Flood", "Theft"))}).After
	p := turn.Decide(e, s, turn.Received{Event: press(t, s.Surface(risks), "Submit", titles("Fire", "Flood", "Theft"))})
	if !p.Ask.Follows || p.Ask.Sums != risks || p.Ask.Prompt == "" || !has[*ui.Commit](p.Ops) || !has[*ui.Lock](p.Ops) {
		t.Errorf("plan %+v", p)
	}
}

// TestEditOfARecord: the button of an answered form asks for its record.
func TestEditOfARecord(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	s := typed(t, e, after(t, e, "add a guest"))
	sent := with(t, e, s, &ui.Lock{Surface: guest, Record: ui.RecordRef{ID: "r1", Version: 1}})
	sf := sent.Surface(guest)
	edit := &ui.Event{V: ui.Version, ID: "edit", Kind: ui.EventAction, At: noon, Action: &ui.ActionEvent{
		Surface: sf.WireID(), Nonce: sf.Nonce, Rev: sf.Rev, Name: builtin.ActionRecordEdit,
		Component: ui.KeyPath(builtin.KeyEdit).ComponentID("Button")}}
	p := turn.Decide(e, sent, turn.Received{Event: edit})
	if p.Call.Effect == nil || p.Call.Effect.Action.Name != builtin.ActionRecordEdit {
		t.Fatalf("plan %+v", p)
	}
	equal(t, "the record", "r1", field(p.Call.Effect.Values, "id"))
}

// TestFindingsAreTold: what the validators find in a table that is checked is told, and the user reads it.
func TestFindingsAreTold(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	s := after(t, e, "We have 3 risks.")
	e.Validate = func(capture.Submission) []capture.Warning {
		return []capture.Warning{{Check: "duplicate_entries", Confidence: 0.99, Rows: []string{"r1", "r2"}}}
	}
	click := press(t, s.Surface(risks), "Check", titles("Fire", "Fire", "Flood"))
	p := turn.Decide(e, s, turn.Received{Event: click})
	equal(t, "told", 1, len(p.Shown))
	events := turn.Events(step(t, e, s, turn.Received{Event: click}), p)
	if len(events) != 1 || string(events[0].Type) != "duplicate_entries" {
		t.Errorf("events %+v", events)
	}
	ends(t, "the check", p.Outcome, ui.OutcomeAsked, "")
}
