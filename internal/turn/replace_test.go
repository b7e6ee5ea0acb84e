package turn_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

const (
	undrawn = ui.Code("COMPILE_NODE_UNKNOWN") // closes its surface
	redrawn = ui.Code("A2UI_S2C_STREAM_DIFFERS")
	tooBig  = ui.Code("A2UI_S2C_LIMIT_COMPONENTS")
	again   = "\n\nTo have it back, press or send “Regenerate”."
	unshown = "The form could not be shown. You can ask to regenerate it."
)

// fails is a surface that does not render.
func fails(n ui.Name, code ui.Code, targets ...string) []compile.Failure {
	return []compile.Failure{{Surface: n, Targets: targets, Err: &ui.Error{Code: code, Message: "odd"}}}
}

// planned is a plan and its step, before anything is rendered.
func planned(tb testing.TB, e turn.Env, s *ui.State, in turn.Input) (turn.Plan, turn.Step) {
	tb.Helper()
	p := turn.Decide(e, s, in)
	done, err := turn.Apply(e, s, in.Of(), p, true)
	if err != nil {
		tb.Fatal(err)
	}
	return p, done
}

// TestReplaceOpened: a surface that opens and does not render is closed at once and can be regenerated; the event fails,
// and no word says that it is there. Another surface of the frame stays.
func TestReplaceOpened(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	s := after(t, e, "add a guest")
	p, drawn := planned(t, e, s, turn.Received{Event: message(9, "add a customer")})
	got, err := turn.Replace(e, s, drawn, fails(customer, undrawn), p)
	if err != nil {
		t.Fatal(err)
	}
	ends(t, "the event", got.Frame.Outcome, ui.OutcomeFailed, undrawn)
	equal(t, "about", customer, got.Frame.Outcome.Surface)
	equal(t, "the user reads", unshown+again, got.Frame.Text)
	equal(t, "the user's words", "user : add a customer", spoken(got.After, len(s.Transcript))[0])
	equal(t, "the surface", "", status(got.After, customer))
	equal(t, "kept to be regenerated", true, got.After.FailedSurface(customer) != nil)
	equal(t, "another surface", ui.StatusOpen, status(got.After, guest))
	equal(t, "the state before", s, got.Before)
	back := then(t, e, got.After, "Regenerate")
	equal(t, "regenerated", ui.StatusOpen, status(back, customer))
}

// TestReplaceChanged: a surface that was there and does not render any more closes with what was typed in words. The
// second time with the same fault it starts again, if its old content renders.
func TestReplaceChanged(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := after(t, e, "add a customer")
	click := submit(s, "") // a field is missing: the surface changes
	click.Action.Context.Members[0] = input("company", " ")
	p, drawn := planned(t, e, s, turn.Received{Event: click})
	for name, c := range map[string]struct {
		code    ui.Code
		before  *ui.State
		renders bool
		status  ui.Status
		reads   string
	}{
		"closes":          {undrawn, s, true, "", unshown},
		"starts again":    {redrawn, s, true, ui.StatusOpen, "The form was loaded again."},
		"neither renders": {redrawn, s, false, "", "The form was loaded again."},
		"the second time": {undrawn, with(t, e, s, &ui.Mark{Surface: customer, Epoch: 1, Print: recovery.FingerprintOf(undrawn)}),
			true, ui.StatusOpen, unshown},
	} {
		e := e
		e.Renders = func(alone *ui.State) bool {
			equal(t, name+": is asked about the surface alone", 1, len(alone.Surfaces))
			return c.renders
		}
		drawn.Frame.Seq = c.before.Seq + 1
		got, err := turn.Replace(e, c.before, drawn, fails(customer, c.code), p)
		if err != nil {
			t.Fatal(err)
		}
		ends(t, name, got.Frame.Outcome, ui.OutcomeFailed, c.code)
		equal(t, name+": the surface", c.status, status(got.After, customer))
		if !strings.HasPrefix(got.Frame.Text, c.reads) || strings.Contains(got.Frame.Text, "Regenerate") != (c.status == "") {
			t.Errorf("%s: the user reads %q", name, got.Frame.Text)
		}
		if sf := got.After.Surface(customer); sf != nil && sf.Epoch != c.before.Surface(customer).Epoch+1 {
			t.Errorf("%s: epoch %d", name, sf.Epoch)
		}
		equal(t, name+": faults", true, len(got.After.Faults) > len(c.before.Faults))
	}
}

// TestReplaceKeepsWhatCounts: an event that has taken effect, or that was about something else, does not fail with a
// surface that does not render, and its words stay.
func TestReplaceKeepsWhatCounts(t *testing.T) {
	t.Parallel()
	e, s, click, p := called(t)
	e.Renders = func(*ui.State) bool { return true }
	done := turn.Resume(e, s, click, p, &turn.Called{Result: app.Result{Text: "Filed."}})
	drawn, err := turn.Apply(e, s, click, done, true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := turn.Replace(e, s, drawn, fails(customer, undrawn), done)
	if err != nil {
		t.Fatal(err)
	}
	ends(t, "a handler was called", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "the surface", "", status(got.After, customer))
	company, _ := got.After.Committed.Get("customer", "company")
	equal(t, "committed", "Ada & Co", company.Text())
	if !strings.HasPrefix(got.Frame.Text, "Filed.\n\n"+unshown) || !strings.Contains(got.Frame.Text, "Ada & Co") {
		t.Errorf("the user reads %q", got.Frame.Text)
	}

	p, drawn = planned(t, e, s, turn.Received{Event: message(9, "hello")})
	if got, err = turn.Replace(e, s, drawn, fails(customer, undrawn), p); err != nil {
		t.Fatal(err)
	}
	ends(t, "about something else", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "its surface", "", status(got.After, customer))
	if !strings.HasPrefix(got.Frame.Text, drawn.Frame.Text+"\n\n"+unshown) {
		t.Errorf("about something else: the user reads %q", got.Frame.Text)
	}
}

// TestReplaceNothing: a fault of no surface, or one that no surface can help, means that nothing of the frame is shown.
func TestReplaceNothing(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := e.App.NewState("c")
	p, drawn := planned(t, e, s, turn.Received{Event: message(1, "add a customer")})
	for name, list := range map[string][]compile.Failure{"no surface": fails("", undrawn), "soft": fails(customer, "UI_LIMIT"),
		"no code": {{Surface: customer, Err: errors.New("boom")}}} {
		if _, err := turn.Replace(e, s, drawn, list, p); ui.CodeOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStandIn: a surface above a limit of one version of A2UI has a stand-in there, unless nobody would see it whole,
// the stand-in failed itself, or the fault is another.
func TestStandIn(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := e.App.NewState("c")
	_, drawn := planned(t, e, s, turn.Received{Event: message(1, "add a customer")})
	got, ok := turn.StandIn(e, s, drawn, fails(customer, tooBig, "v0.8"), 3)
	if !ok {
		t.Fatal("no stand-in")
	}
	equal(t, "stand-ins", []string{"v0.8"}, got.After.Surface(customer).StandIns)
	equal(t, "warnings", 1, len(got.Frame.Warnings))
	equal(t, "the step before", 0, len(drawn.After.Surface(customer).StandIns))
	for name, c := range map[string]struct {
		step     turn.Step
		failures []compile.Failure
		drawings int
	}{
		"no surface":         {drawn, fails("form:gone", tooBig, "v0.8"), 3},
		"another fault":      {drawn, fails(customer, undrawn, "v0.8"), 3},
		"the only drawing":   {drawn, fails(customer, tooBig, "v0.8"), 1},
		"the last drawing":   {got, fails(customer, tooBig, "v0.9"), 2},
		"the stand-in fails": {got, fails(customer, tooBig, "v0.8"), 3},
	} {
		if same, ok := turn.StandIn(e, s, c.step, c.failures, c.drawings); ok || same.Frame != c.step.Frame {
			t.Errorf("%s: %t, %+v", name, ok, same.Frame)
		}
	}
	d := desk(t, twoAgents)
	before := d.App.NewState("c")
	_, foreign := planned(t, d, before, turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{sunny("")}}})
	if _, ok := turn.StandIn(d, before, foreign, fails("weather:main", undrawn, "v0.8"), 3); !ok {
		t.Error("a surface of an agent has no stand-in for any fault")
	}
}
