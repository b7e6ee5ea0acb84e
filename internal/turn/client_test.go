package turn_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// report is what a renderer says about a surface, so many minutes after noon.
func report(wire, message string, minutes int) *ui.Event {
	return &ui.Event{V: ui.Version, ID: "report", Kind: ui.EventError, At: noon.Add(time.Duration(minutes) * time.Minute),
		Principal: "p", Error: &ui.ErrorEvent{Code: "VALIDATION_FAILED", Surface: wire, Path: "/x", Message: message,
			Client: "tab-1"}}
}

// TestClientErrors: the first report about a surface rebuilds its client, the second in a while resets the surface,
// and one that was reset too often closes with what was typed in words. Its draft is never lost.
func TestClientErrors(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := typed(t, e, after(t, e, "add a customer"))
	first := step(t, e, s, turn.Received{Event: report(s.Surface(customer).WireID(), "cannot draw 12", 0)})
	ends(t, "first", first.Frame.Outcome, ui.OutcomeDone, turn.CodeClient)
	equal(t, "first", &ui.Rebuild{Client: "tab-1", Principal: "p"}, first.Frame.Rebuild)
	equal(t, "first: epoch", s.Surface(customer).Epoch, first.After.Surface(customer).Epoch)

	late := step(t, e, first.After, turn.Received{Event: report(s.Surface(customer).WireID(), "cannot draw 13", 11)})
	if late.Frame.Rebuild == nil {
		t.Errorf("after a while the client is not rebuilt: %+v", late.Frame)
	}
	s = late.After
	for i := range recovery.MaxResets {
		old := s.Surface(customer)
		got := step(t, e, s, turn.Received{Event: report(old.WireID(), fmt.Sprint("cannot draw ", i), 12)})
		now := got.After.Surface(customer)
		if now.Epoch != old.Epoch+1 || now.Nonce == old.Nonce || got.Frame.Rebuild != nil {
			t.Fatalf("report %d: %+v", i, got.Frame)
		}
		equal(t, "typed", "Acme", draft(got.After, customer, "/draft/company"))
		stale := step(t, e, got.After, turn.Received{Event: report(old.WireID(), "cannot draw 1", 12)})
		if len(stale.Frame.Ops) > 0 || stale.Frame.Rebuild != nil {
			t.Errorf("a report about an old epoch does something: %+v", stale.Frame)
		}
		s = got.After
	}
	got := step(t, e, s, turn.Received{Event: report(s.Surface(customer).WireID(), "cannot draw 9", 12)})
	equal(t, "the surface", "", status(got.After, customer))
	equal(t, "the user reads", "Your screen could not show this, so it was closed.\n\nWhat was filled in:\ncompany: Acme"+
		"\n\nTo have it back, press or send “Regenerate”.", got.Frame.Text)
	back := then(t, e, got.After, "Regenerate")
	equal(t, "back again", "Acme", draft(back, customer, "/draft/company"))
}

// TestClientErrorsOfNothing: a report about no surface that is there is noted and changes none; one about none at
// all rebuilds the client, once in a while.
func TestClientErrorsOfNothing(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := after(t, e, "add a customer")
	for name, wire := range map[string]string{"no wire id": "no wire id", "no surface": "form:guest#e=1",
		"another epoch": "form:customer#e=9"} {
		got := step(t, e, s, turn.Received{Event: report(wire, "odd", 0)})
		ends(t, name, got.Frame.Outcome, ui.OutcomeDone, turn.CodeClient)
		if len(got.Frame.Ops) > 0 || got.Frame.Rebuild != nil || len(got.Frame.Warnings) != 1 ||
			!strings.Contains(got.Frame.Warnings[0], "odd") {
			t.Errorf("%s: %+v", name, got.Frame)
		}
	}
	got := step(t, e, s, turn.Received{Event: report("", "odd", 0)})
	if got.Frame.Rebuild == nil || got.Frame.Outcome.Surface != "" {
		t.Errorf("none at all: %+v", got.Frame)
	}
	if again := step(t, e, got.After, turn.Received{Event: report("", "odd", 1)}); again.Frame.Rebuild != nil {
		t.Errorf("none at all, again: %+v", again.Frame)
	}
}

// TestFailedWorksheetIsForgotten: a table that closes because clients cannot show it is no work in progress any more.
func TestFailedWorksheetIsForgotten(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	s := busy(t, e)
	for range recovery.MaxResets + 2 {
		s = step(t, e, s, turn.Received{Event: report(s.Surface(risks).WireID(), "odd", 0)}).After
	}
	if s.Surface(risks) != nil || s.Router.Open(risks) != nil {
		t.Errorf("surface %v, router %+v", s.Surface(risks), s.Router)
	}
	equal(t, "another tool", ui.StatusOpen, status(then(t, e, s, flow), process))
}

// TestRegenerate: a surface opens again as the application declares it, with what was typed; one that is not there is
// refused.
func TestRegenerate(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	regenerate := func(n ui.Name) turn.Received {
		return turn.Received{Event: &ui.Event{V: ui.Version, ID: "g", Kind: ui.EventRegenerate, At: noon, Surface: n}}
	}
	s := typed(t, e, after(t, e, "add a customer"))
	got := step(t, e, s, regenerate(customer))
	ends(t, "open", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "epoch", s.Surface(customer).Epoch+1, got.After.Surface(customer).Epoch)
	equal(t, "typed", "Acme", draft(got.After, customer, "/draft/company"))
	ends(t, "not there", step(t, e, s, regenerate(guest)).Frame.Outcome, ui.OutcomeRefused, recovery.CodeNotFound)

	expired := with(t, e, s, &ui.Expire{Surface: customer})
	got = step(t, e, then(t, e, expired, "add a guest"), turn.Received{Event: message(9, "“Regenerate”.")})
	equal(t, "in words", customer, got.Frame.Outcome.Surface)
	equal(t, "in words", ui.StatusOpen, status(got.After, customer))
	equal(t, "in words: typed", "Acme", draft(got.After, customer, "/draft/company"))
}

// TestExpire: what the application declares differently by now expires, and nothing else does.
func TestExpire(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	s := after(t, e, "add a customer", "add a guest")
	expire := turn.Received{Event: &ui.Event{V: ui.Version, ID: "x", Kind: ui.EventExpire, At: noon}}
	if turn.Expires(e.App, s) || len(step(t, e, s, expire).Frame.Ops) > 0 {
		t.Error("the same application: something expires")
	}
	e.App = env(t).App
	if !turn.Expires(e.App, s) {
		t.Error("an application without the guest: nothing expires")
	}
	got := step(t, e, s, expire).After
	equal(t, "guest", ui.StatusExpired, status(got, guest))
	equal(t, "customer", ui.StatusOpen, status(got, customer))
}
