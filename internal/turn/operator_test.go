package turn_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// order is what somebody does as an operator, so many minutes after noon.
func order(tb testing.TB, who, do, name, text string, minutes int) *ui.Event {
	tb.Helper()
	e, err := ingress.OperatorEvent(do, name, text, ingress.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	e.ID, e.Principal, e.User = "o", who, who+"@example.com"
	e.At = noon.Add(time.Duration(minutes) * time.Minute)
	return e
}

const (
	attend, speak, leave, dismiss = builtin.OperatorAttend, builtin.OperatorSay, builtin.OperatorLeave,
		builtin.OperatorDismiss
	annaJoins = "Anna joined this conversation and answers now. The assistant pauses."
	annaLeft  = "Anna left. The assistant answers again."
)

// TestOperator: one operator attends at a time, until they leave, are idle or are dismissed; the user reads who.
func TestOperator(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before          []*ui.Event
		order           *ui.Event
		kind            ui.OutcomeKind
		code            ui.Code
		reads, by, here string // what the user reads, who says it, who attends after it
	}{
		"attend":               {nil, order(t, "a", attend, "Anna", "", 0), "done", "", annaJoins, "", "a"},
		"attend again":         {anna(t), order(t, "a", attend, "Other", "", 1), "done", "", "", "", "a"},
		"the name is one line": {nil, order(t, "a", attend, "An\n na", "", 0), "done", "", strings.Replace(annaJoins, "Anna", "An na", 1), "", "a"},
		"a long name":          {nil, order(t, "a", attend, strings.Repeat("n", 99), "", 0), "done", "", strings.Replace(annaJoins, "Anna", strings.Repeat("n", 80), 1), "", "a"},
		"no name":              {nil, order(t, "a", attend, "", "", 0), "done", "", strings.Replace(annaJoins, "Anna", "a@example.com", 1), "", "a"},
		"another is busy":      {anna(t), order(t, "b", attend, "Bea", "", 14), "refused", turn.CodeOperatorBusy, "", "", "a"},
		"another is idle":      {anna(t), order(t, "b", attend, "Bea", "", 15), "done", "", strings.Replace(annaJoins, "Anna", "Bea", 1), "", "b"},
		"words count as presence": {append(anna(t), order(t, "a", speak, "", "One moment.", 10)),
			order(t, "b", attend, "Bea", "", 20), "refused", turn.CodeOperatorBusy, "", "", "a"},
		"say":            {anna(t), order(t, "a", speak, "", "Hello.", 1), "done", "", "Hello.", "Anna", "a"},
		"another says":   {anna(t), order(t, "b", speak, "", "Hello.", 1), "refused", turn.CodeOperatorAway, "", "", "a"},
		"nobody says":    {nil, order(t, "b", speak, "", "Hello.", 1), "refused", turn.CodeOperatorAway, "", "", ""},
		"leave":          {anna(t), order(t, "a", leave, "", "", 1), "done", "", annaLeft, "", ""},
		"another leaves": {anna(t), order(t, "b", leave, "", "", 1), "refused", turn.CodeOperatorAway, "", "", "a"},
		"nobody leaves":  {nil, order(t, "a", leave, "", "", 1), "done", "", "", "", ""},
		"dismiss":        {anna(t), order(t, "owner", dismiss, "", "", 1), "done", "", annaLeft, "", ""},
		"dismiss nobody": {nil, order(t, "owner", dismiss, "", "", 1), "done", "", "", "", ""},
	} {
		e := env(t)
		s := e.App.NewState("c")
		for _, b := range c.before {
			s = step(t, e, s, turn.Received{Event: b}).After
		}
		got := step(t, e, s, turn.Received{Event: c.order})
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name+": the user reads", c.reads, got.Frame.Text)
		if lines := got.After.Transcript[len(s.Transcript):]; len(lines) > 0 {
			equal(t, name+": by", c.by, lines[0].By)
		}
		here := ""
		if o := got.After.Operator; o != nil {
			here = o.ID
		}
		equal(t, name+": attends", c.here, here)
	}
}

// anna is the order that has Anna attend at noon.
func anna(tb testing.TB) []*ui.Event { return []*ui.Event{order(tb, "a", attend, "Anna", "", 0)} }

// TestModelRestsWhileOperatorAttends: what a model would answer asks none and opens nothing; only the words of the
// user are kept. A click goes on as ever.
func TestModelRestsWhileOperatorAttends(t *testing.T) {
	t.Parallel()
	e := env(t)
	e.Model = true
	s := step(t, e, after(t, e, "add a customer"), turn.Received{Event: anna(t)[0]}).After
	said := len(s.Transcript)
	reply := &ui.Event{V: ui.Version, ID: "r", Kind: ui.EventReply, At: noon, Text: "sum it up"}
	for name, c := range map[string]struct {
		in   turn.Input
		keep []string
	}{
		"a message":            {turn.Received{Event: message(9, "What is this?")}, []string{"user : What is this?"}},
		"a phrase of a form":   {turn.Received{Event: message(9, "add a customer")}, []string{"user : add a customer"}},
		"a routed message":     {turn.Routed{Event: message(9, "Hm.")}, []string{"user : Hm."}},
		"the reply of a model": {turn.Replied{Event: message(9, "Hm."), Reply: &agent.Reply{Text: "I am the model."}}, []string{"user : Hm."}},
		"a reply of its own":   {turn.Received{Event: reply}, nil},
		"and its answer":       {turn.Replied{Event: reply, Reply: &agent.Reply{Text: "Three rows."}}, nil},
	} {
		got := step(t, e, s, c.in)
		ends(t, name, got.Frame.Outcome, ui.OutcomeDone, "")
		equal(t, name, c.keep, spoken(got.After, said))
		equal(t, name+": surfaces", len(s.Surfaces), len(got.After.Surfaces))
	}
	if p := turn.Decide(e, s, turn.Received{Event: submit(s, "Ada")}); p.Call.Effect == nil {
		t.Errorf("a click calls nothing: %+v", p)
	}
}

// TestAgentsAnswerClicksWhileOperatorAttends: what is pressed on a surface of an agent goes to that agent, whose answer
// counts; words go to the operator.
func TestAgentsAnswerClicksWhileOperatorAttends(t *testing.T) {
	t.Parallel()
	e := desk(t, twoAgents)
	s := step(t, e, e.App.NewState("c"), turn.Replied{Event: message(1, "sun?"), Run: "agent:weather",
		Reply: &agent.Reply{Agents: []agent.Said{sunny("Here.")}}}).After
	s = step(t, e, s, turn.Received{Event: anna(t)[0]}).After
	click := &ui.Event{V: ui.Version, ID: "r.reply", Kind: ui.EventReply, At: noon, Text: `{"action":{}}`, Run: "agent:weather"}
	if p := turn.Decide(e, s, turn.Received{Event: click}); p.Ask.Run != "agent:weather" || p.Ask.Prompt != click.Text {
		t.Errorf("the click goes nowhere: %+v", p)
	}
	said := len(s.Transcript)
	answered := agent.Said{Agent: "weather", Title: "Weather", Version: "v0.9", Seq: s.Seq, Text: "It rains.",
		Messages: []json.RawMessage{[]byte(`{"version":"v0.9","deleteSurface":{"surfaceId":"main"}}`)}}
	got := step(t, e, s, turn.Replied{Event: click, Run: click.Run, Reply: &agent.Reply{Agents: []agent.Said{answered}}}).After
	equal(t, "the answer", []string{"assistant Weather: It rains."}, spoken(got, said))
	equal(t, "surfaces", 0, len(got.Surfaces))
	again := *click
	again.Text, again.Retry = "sun?", true
	if p := turn.Decide(e, s, turn.Received{Event: &again}); p.Leaves() {
		t.Errorf("words of the user go to an agent: %+v", p)
	}
}
