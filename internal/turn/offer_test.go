package turn_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// busy is a state with work in the table of risks.
func busy(tb testing.TB, e turn.Env) *ui.State {
	tb.Helper()
	s := after(tb, e, "We have 3 risks.")
	return step(tb, e, s, turn.Received{Event: press(tb, s.Surface(risks), "Check", titles("Fire", "?"))}).After
}

// TestClosedGateOffers: a gate that keeps a worksheet closed is explained, and a button opens it all the same or
// leaves everything as it is.
func TestClosedGateOffers(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	optOut := func(o ui.OptOut) *ui.State {
		return step(t, e, e.App.NewState("c"), turn.Received{Event: prefers(ui.Preference{OptOut: &o})}).After
	}
	const cancel = "cancel it"
	for name, c := range map[string]struct {
		before  *ui.State
		message string
		says    string
		button  string
		opens   ui.Name // "": nothing
		reads   string  // after the button
	}{
		"work in progress": {busy(t, e), flow, "You still have Risks open. Open the process map beside it, or finish Risks first?", "Open it beside Risks", process, "map"},
		"finish first":     {busy(t, e), flow, "You still have Risks open.", "Finish Risks first", "", "Risks"},
		"the same":         {after(t, e, "We have 3 risks."), "We have 5 risks.", "Risks is open already. Go on with it, or open another one beside it?", "Open another one", "table:risks-2", "table"},
		"go on":            {after(t, e, "We have 3 risks."), "We have 5 risks.", "Risks is open already.", "Go on with Risks", "", "Risks"},
		"two cancels":      {after(t, e, "We have 3 risks.", cancel, "We have 3 risks.", cancel), "We have 5 risks.", "You closed the last two", "Open it", risks, "table"},
		"all opted out":    {optOut(ui.OptOut{All: true}), flow, "You asked me not to open tables and process maps", "Open it this once", process, "map"},
		"lifted":           {optOut(ui.OptOut{Tools: []string{ui.ToolMap}}), flow, "You asked me not to open a process map", "Open it again from now on", process, "map"},
		"no, thanks":       {optOut(ui.OptOut{All: true}), flow, "You asked me not to", "No, thanks", "", ""},
		"a rule":           {after(t, e, "Never show tables for risks", "yes"), "We have 5 risks.", "Your rule says not to open a table", "Open it this once", risks, "table"},
	} {
		asked := step(t, e, c.before, turn.Received{Event: message(20, c.message)})
		ends(t, name, asked.Frame.Outcome, ui.OutcomeAsked, "")
		equal(t, name, offer, asked.Frame.Outcome.Surface)
		if !strings.HasPrefix(asked.Frame.Text, c.says) {
			t.Errorf("%s: the user reads %q", name, asked.Frame.Text)
		}
		equal(t, name+": surfaces", len(c.before.Surfaces)+1, len(asked.After.Surfaces))
		got := step(t, e, asked.After, turn.Received{Event: press(t, asked.After.Surface(offer), c.button)})
		ends(t, name+": "+c.button, got.Frame.Outcome, ui.OutcomeDone, "")
		equal(t, name+": the offer", "", status(got.After, offer))
		if c.opens != "" && (status(got.After, c.opens) != ui.StatusOpen || got.After.Router.Open(c.opens) == nil) ||
			c.opens == "" && len(got.After.Surfaces) != len(c.before.Surfaces) {
			t.Errorf("%s opens %+v, want %q", name, got.Frame.Changes, c.opens)
		}
		if !strings.Contains(got.Frame.Text, c.reads) || got.Frame.Text == "" {
			t.Errorf("%s: after the button the user reads %q", name, got.Frame.Text)
		}
		if lines := spoken(got.After, len(asked.After.Transcript)); strings.Contains(strings.Join(lines, "\n"), "user") {
			t.Errorf("%s: the message is said twice: %q", name, lines)
		}
		lasts := len(c.before.Router.OptOut.Tools) > 0 && c.button != "Open it again from now on"
		equal(t, name+": opt-out", lasts, len(got.After.Router.OptOut.Tools) > 0)
		if before := c.before.Surface(risks); c.opens != risks && before != nil &&
			!before.Draft.Equal(got.After.Surface(risks).Draft) {
			t.Errorf("%s: what was typed is gone", name)
		}
	}
}

// TestOfferGoesWithTheConversation: the next message takes an offer away, and its buttons count no more.
func TestOfferGoesWithTheConversation(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	s := after(t, e, "We have 3 risks.", "We have 5 risks.")
	late := press(t, s.Surface(offer), "Open another one")
	s = then(t, e, s, "hello")
	equal(t, "the offer", "", status(s, offer))
	p := turn.Decide(e, s, turn.Received{Event: late})
	ends(t, "a late click", p.Outcome, ui.OutcomeRefused, "A2UI_C2S_SURFACE_STALE")
}

// TestGateIsExplainedOnce: with a model, a gate of the user's own making is explained once; then the model answers.
func TestGateIsExplainedOnce(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	e.Model = true
	s := step(t, e, e.App.NewState("c"), turn.Received{Event: prefers(ui.Preference{OptOut: &ui.OptOut{All: true}})}).After
	s = then(t, e, s, "We have 5 risks.")
	equal(t, "the offer", ui.StatusOpen, status(s, offer))
	if p := turn.Decide(e, s, turn.Received{Event: message(9, "We have 6 risks.")}); p.Ask.Prompt != "We have 6 risks." {
		t.Errorf("the second time: %+v", p)
	}
	e.Model = false
	if p := turn.Decide(e, s, turn.Received{Event: message(9, "We have 6 risks.")}); p.Outcome.Surface != offer {
		t.Errorf("without a model: %+v", p)
	}
}

// TestModelBehindAGate: a worksheet that a model opens and a gate keeps closed is offered with its rows; a gate that
// the user knows of is said as not done.
func TestModelBehindAGate(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	e.Model = true
	reply := &agent.Reply{Text: "Let us map it.", Directives: []directive.Directive{directed(directive.TypeShowMap,
		`{"name":"process","steps":[{"name":"Ask"},{"name":"Answer"}]}`)}}
	in := turn.Replied{Event: message(9, "What would you do about it?"), Reply: reply}
	asked := step(t, e, busy(t, e), in)
	ends(t, "the reply", asked.Frame.Outcome, ui.OutcomeAsked, execute.CodeGateClosed)
	equal(t, "the user reads", "Let us map it.\n\nYou still have Risks open. Open the process map beside it, or finish "+
		"Risks first?", asked.Frame.Text)
	got := step(t, e, asked.After, turn.Received{Event: press(t, asked.After.Surface(offer), "Open it beside Risks")})
	if v, _ := got.After.Surface(process).Get("/draft/steps"); len(v.Records()) < 2 {
		t.Errorf("the map has the steps %v", v)
	}

	optOut := step(t, e, e.App.NewState("c"), turn.Received{Event: prefers(ui.Preference{OptOut: &ui.OptOut{All: true}})})
	first := step(t, e, optOut.After, in)
	equal(t, "an opt-out: the offer", ui.StatusOpen, status(first.After, offer))
	second := step(t, e, first.After, in)
	ends(t, "again", second.Frame.Outcome, ui.OutcomeFailed, execute.CodeGateClosed)
	equal(t, "again: the user reads", "Let us map it.\n\nThat was not opened, as you asked. Tell me when you want it back.",
		second.Frame.Text)
	equal(t, "again: the offer", "", status(second.After, offer))
}

// TestRetry: a message whose answer failed can be asked again by a button, with the same words and once.
func TestRetry(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	e.Model = true
	away := &ui.Error{Code: "LLM_UNAVAILABLE"}
	failed := step(t, e, e.App.NewState("c"), turn.Replied{Event: message(1, "How are things?"), Failed: away, Run: "chat"})
	ends(t, "the failure", failed.Frame.Outcome, ui.OutcomeFailed, "LLM_UNAVAILABLE")
	click := press(t, failed.After.Surface(offer), "Try again")
	p := turn.Decide(e, failed.After, turn.Received{Event: click})
	if p.Ask.Prompt != "How are things?" || !p.Ask.Retry || p.Ask.Run != "chat" {
		t.Errorf("asks %+v", p.Ask)
	}
	done, err := turn.Apply(e, failed.After, click, p, true)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the offer", "", status(done.After, offer))
	equal(t, "said again", 0, len(spoken(done.After, len(failed.After.Transcript))))
	again := turn.Decide(e, done.After, turn.Received{Event: click})
	ends(t, "a second click", again.Outcome, ui.OutcomeRefused, "A2UI_C2S_SURFACE_STALE")

	prompt := &ui.Event{V: ui.Version, ID: "r", Kind: ui.EventReply, At: noon, Text: "sum it up", Data: ui.Map(ui.Pair{
		Key: "n", Value: ui.Int(3)})}
	failed = step(t, e, e.App.NewState("c"), turn.Replied{Event: prompt, Failed: away, Run: "directives"})
	p = turn.Decide(e, failed.After, turn.Received{Event: press(t, failed.After.Surface(offer), "Try again")})
	if p.Ask.Prompt != "sum it up" || p.Ask.Retry || !p.Ask.Data.Equal(prompt.Data) {
		t.Errorf("a prompt of the app: asks %+v", p.Ask)
	}
}
