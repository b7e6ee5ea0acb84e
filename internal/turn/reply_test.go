package turn_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// replies is a turn that ends with the answer of a model.
func replies(text, says string, directives ...directive.Directive) turn.Replied {
	return turn.Replied{Event: message(9, text), Reply: &agent.Reply{Text: says, Directives: directives}}
}

// TestReplied: the frame of a reply has the words of both and what the directives open, and makes chat of the message.
func TestReplied(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	got := step(t, e, e.App.NewState("c"), replies("I met Acme", "Here it is.", directed(directive.TypeShowForm,
		`{"name":"customer","values":{"company":"Acme"}}`)))
	ends(t, "a form", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "the lines", []string{"user : I met Acme", "assistant : Here it is."}, spoken(got.After, 0))
	equal(t, "the draft", "Acme", draft(got.After, customer, "/draft/company"))

	got = step(t, e, e.App.NewState("c"), replies("hm", "", directed(directive.TypeToast, `{"text":"Hi."}`)))
	equal(t, "without words", []string{"user : hm"}, spoken(got.After, 0))
	equal(t, "a toast", []string{"Hi."}, got.Frame.Toasts)

	in := replies("hm", "Done, perhaps.")
	in.Reply.Warnings = []ui.Error{{Code: agent.CodeEffectUnknown, Message: "cut off"}}
	got = step(t, e, e.App.NewState("c"), in)
	ends(t, "a tool whose end nobody knows", got.Frame.Outcome, ui.OutcomeDone, agent.CodeEffectUnknown)
}

// TestDenialBindsTheModel: "don't show me a table" holds for what the model opens in the same turn.
func TestDenialBindsTheModel(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	in := replies("Don't show me a table, what are the risks?", "Here.", directed(directive.TypeShowTable, `{"name":"risks"}`))
	in.Decision = &route.Decision{Action: route.ActionChat, Denied: []string{ui.ToolTable}}
	got := step(t, e, e.App.NewState("c"), in)
	equal(t, "the table", "", status(got.After, risks))
	ends(t, "the table", got.Frame.Outcome, ui.OutcomeFailed, execute.CodeGateClosed)
	equal(t, "the user reads", "Here.\n\nThat was not opened, as you asked. Tell me when you want it back.", got.Frame.Text)
	in.Decision = nil
	equal(t, "without the words", ui.StatusOpen, status(step(t, e, e.App.NewState("c"), in).After, risks))
}

// TestSaysWhatWasNotDone: the user reads after the model's words what of them was not done: each thing once, three at most, by its
// name. The outcome is done only if something was done.
func TestSaysWhatWasNotDone(t *testing.T) {
	t.Parallel()
	const (
		part    = "Part of what the assistant asked for could not be done"
		unknown = "The assistant wanted to do something that this app cannot do, so it was not done."
	)
	show := func(name string) directive.Directive {
		return directed(directive.TypeShowForm, `{"name":"`+name+`"}`)
	}
	dropped := func(code ui.Code, message string) ui.Error { return ui.Error{Code: code, Message: message} }
	for name, c := range map[string]struct {
		list     []directive.Directive
		warnings []ui.Error
		kind     ui.OutcomeKind
		code     ui.Code
		reads    string
	}{
		"all done": {[]directive.Directive{show("customer")}, nil, "done", "", "Here."},
		"a name":   {[]directive.Directive{show("gone")}, nil, "failed", execute.CodeUnknown, "Here.\n\n" + part + " (gone)."},
		"twice":    {[]directive.Directive{show("gone"), show("gone")}, nil, "failed", execute.CodeUnknown, "Here.\n\n" + part + " (gone)."},
		"one of two": {[]directive.Directive{show("gone"), show("customer")}, nil, "done", execute.CodeUnknown,
			"Here.\n\n" + part + " (gone)."},
		"four": {[]directive.Directive{show("a"), show("b"), show("c"), show("d")}, nil, "failed", execute.CodeUnknown,
			"Here.\n\n" + part + " (a). " + part + " (b). " + part + " (c)."},
		"dropped while it was read": {nil, []ui.Error{dropped(directive.CodeUnknownType, `no directive "ui.dance"`)}, "failed",
			directive.CodeUnknownType, "Here.\n\n" + strings.TrimSuffix(unknown, ".") + " (ui.dance)."},
		"no name in it": {nil, []ui.Error{dropped(directive.CodeUnknownType, "no such thing")}, "failed",
			directive.CodeUnknownType, "Here.\n\n" + unknown},
		"a name that is not for users": {nil, []ui.Error{dropped(directive.CodeTooMany, `"ui.toast" is one too many`)}, "failed",
			directive.CodeTooMany, "Here.\n\nPart of this was not done, because it was too much at once. Please ask for the rest."},
		"bent into shape": {nil, []ui.Error{dropped(directive.CodeCoerced, `"5" is 5`)}, "done", "", "Here."},
	} {
		e := env(t)
		in := replies("hm", "Here.", c.list...)
		in.Reply.Warnings = c.warnings
		got := step(t, e, e.App.NewState("c"), in)
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name, c.reads, got.Frame.Text)
	}

	e := env(t)
	got := step(t, e, e.App.NewState("c"), replies("hm", "", directed(directive.TypeShowForm, `{"name":"gone"}`)))
	equal(t, "without words of the model", part+" (gone).", got.Frame.Text)
	sorry := e.App.Config().Words.Say("turn.failed")
	got = step(t, e, e.App.NewState("c"), replies("hm", sorry, directed(directive.TypeShowForm, `{"name":"gone"}`)))
	equal(t, "the model says so already", sorry, got.Frame.Text)
	long := strings.Repeat("x", 40<<10)
	got = step(t, e, e.App.NewState("c"), replies("hm", long[:32<<10], directed(directive.TypeShowForm, `{"name":"gone"}`)))
	if !strings.HasSuffix(got.Frame.Text, part+" (gone).") || len(got.Frame.Text) > 32<<10 {
		t.Errorf("long words of the model: %d bytes, at the end %q", len(got.Frame.Text), got.Frame.Text[len(got.Frame.Text)-80:])
	}
}

// TestReplyFailed: a run that fails says why. A form whose phrase the message has opens all the same; what the user
// read before they stopped it stays; and only what is worth it can be tried again.
func TestReplyFailed(t *testing.T) {
	t.Parallel()
	const away = "The assistant cannot be reached right now. Forms and tables still work."
	e := env(t)
	for name, c := range map[string]struct {
		text, heard string
		failed      ui.Error
		kind        ui.OutcomeKind
		reads       string
		retry       bool
		form        ui.Status
	}{
		"away":                        {"hm", "", ui.Error{Code: "LLM_UNAVAILABLE"}, "failed", away, true, ""},
		"half a text":                 {"hm", "The weath", ui.Error{Code: "LLM_UNAVAILABLE"}, "failed", away, true, ""},
		"stopped":                     {"hm", " The weath\n", ui.Error{Code: agent.CodeTurnCanceled}, "failed", "The weath\n\nStopped.", false, ""},
		"stopped early":               {"hm", " ", ui.Error{Code: agent.CodeTurnCanceled}, "failed", "Stopped.", false, ""},
		"broken letters":              {"hm", "a\xffb", ui.Error{Code: agent.CodeTurnCanceled}, "failed", "a\uFFFDb\n\nStopped.", false, ""},
		"unknown end":                 {"hm", "", ui.Error{Code: agent.CodeEffectUnknown}, "failed", "We do not know whether that was carried out. Please check before you try again.", false, ""},
		"a form's words":              {"add a customer", "", ui.Error{Code: "LLM_UNAVAILABLE"}, "done", away + " I opened Customer because of what you wrote.", false, ui.StatusOpen},
		"a form's words, and stopped": {"add a customer", "", ui.Error{Code: agent.CodeTurnCanceled}, "failed", "Stopped.", false, ""},
		"an agent's reason":           {"hm", "", ui.Error{Code: gateway.CodeAway, Message: "Bank", Err: agent.Reason("closed today")}, "failed", "Bank could not do that: closed today", true, ""},
		"an agent is away":            {"hm", "", ui.Error{Code: gateway.CodeAway, Message: "Bank", Err: agent.Reason("")}, "failed", "Bank does not answer at the moment. Please try again later.", true, ""},
		"an agent fails":              {"hm", "", ui.Error{Code: gateway.CodeLimit, Message: "Bank", Err: agent.Reason("too much")}, "failed", "Bank reports an error: too much\n\nAn assistant did not answer as it should.", true, ""},
	} {
		got := step(t, e, e.App.NewState("c"), turn.Replied{Event: message(1, c.text), Failed: &c.failed, Heard: c.heard})
		ends(t, name, got.Frame.Outcome, c.kind, c.failed.Code)
		equal(t, name, c.reads, got.Frame.Text)
		equal(t, name+": can be tried again", c.retry, got.After.Surface(offer) != nil)
		equal(t, name+": form", c.form, status(got.After, customer))
		equal(t, name+": the user's words", "user : "+c.text, spoken(got.After, 0)[0])
	}
}

// TestToolCalls: a model that calls tools of the client waits for their results, all at once; a message of the user
// goes on without them.
func TestToolCalls(t *testing.T) {
	t.Parallel()
	e := env(t)
	e.Model = true
	in := replies("Where am I?", "")
	in.Reply.Calls, in.Run = []agent.ClientCall{{Tool: "where", Arguments: "{}"}, {Tool: "when", Arguments: "{}"}}, "tools"
	s := step(t, e, e.App.NewState("c"), in).After
	list, run := agent.Waits(&s.Router)
	if len(list) != 2 || run != "tools" {
		t.Fatalf("%d calls wait for the run %q", len(list), run)
	}
	results := func(ids ...string) *ui.Event {
		e := &ui.Event{V: ui.Version, ID: "res", Kind: ui.EventReply, At: noon, Results: jsonx.Value{Kind: jsonx.Array}}
		for _, id := range ids {
			e.Results.Items = append(e.Results.Items, jsonx.OfObject(input("id", id), input("content", "here")))
		}
		return e
	}
	all := results(list[0].ID, list[1].ID)
	p := turn.Decide(e, s, turn.Received{Event: all})
	if p.Ask.Prompt != agent.ResultsAsked || p.Ask.Run != "tools" {
		t.Errorf("all results ask %+v", p.Ask)
	}
	done := step(t, e, s, turn.Replied{Event: all, Reply: &agent.Reply{Text: "In Oslo."}})
	equal(t, "the user reads", "In Oslo.", done.Frame.Text)
	equal(t, "calls that wait after it", true, done.After.Router.ToolCalls.IsNull())
	for name, event := range map[string]*ui.Event{"one is missing": results(list[0].ID),
		"another": results(list[0].ID, list[1].ID, "x"), "twice": results(list[0].ID, list[0].ID, list[1].ID)} {
		got := step(t, e, s, turn.Received{Event: event})
		ends(t, name, got.Frame.Outcome, ui.OutcomeRefused, agent.CodeToolUnknown)
		if got.Frame.Outcome.Message != got.Frame.Outcome.Detail || got.After.Router.ToolCalls.IsNull() {
			t.Errorf("%s: %+v", name, got.Frame.Outcome)
		}
	}
	on := step(t, e, s, replies("Never mind.", "All right.")).After
	ends(t, "too late", turn.Decide(e, on, turn.Received{Event: all}).Outcome, ui.OutcomeRefused, agent.CodeToolUnknown)
}

// TestModelCallsAnAction: an action that a model asks for is called after the reply, one at a time; another one is said
// as not done.
func TestModelCallsAnAction(t *testing.T) {
	t.Parallel()
	e := env(t, withFunctions, func(c *app.Config) {
		c.DirectiveTypes = append(c.DirectiveTypes, app.DirectiveType{Name: "crm.find", Action: "located",
			Description: "finds a place"})
	})
	find := directed("crm.find", `{}`)
	in := replies("Where is it?", "One moment.", find)
	p := turn.Decide(e, e.App.NewState("c"), in)
	if p.Call.Effect == nil || p.Call.Effect.Action.Name != "located" {
		t.Fatalf("calls %+v", p)
	}
	p = turn.Resume(e, e.App.NewState("c"), in.Event, p, &turn.Called{Result: app.Result{Text: "In Oslo."}})
	got, err := turn.Apply(e, e.App.NewState("c"), in.Event, p, true)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the user reads", "One moment.\n\nIn Oslo.", got.Frame.Text)
	two := turn.Decide(e, e.App.NewState("c"), replies("Where is it?", "One moment.", find, find))
	ends(t, "two at a time", two.Outcome, ui.OutcomeDone, execute.CodeOneAction)
}

// TestSummary: without a model the rows of a submitted table are counted; of any other surface it is said to be saved.
func TestSummary(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	s := after(t, e, "We have 3 risks.")
	for _, label := range []string{"Check", "Submit"} {
		s = step(t, e, s, turn.Received{Event: press(t, s.Surface(risks), label, titles("Fire", "Flood", "Theft"))}).After
	}
	equal(t, "the table", ui.StatusSubmitted, status(s, risks))
	for n, want := range map[ui.Name]string{risks: "Saved: 3 risks.", customer: "Saved. Thank you."} {
		equal(t, string(n), want, turn.Summary(e, s, &ui.Event{Kind: ui.EventReply, Sums: n}))
	}
}

// TestShownAgain: a directive that shows the open worksheet once more is told, one that a gate stops is not.
func TestShownAgain(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	s := after(t, e, "We have 3 risks.")
	show := directed(directive.TypeShowTable, `{"name":"risks"}`)
	equal(t, "the same", true, turn.Decide(e, s, replies("hm", "Here.", show)).Again)
	equal(t, "another", false, turn.Decide(e, s, replies("hm", "Here.", directed(directive.TypeShowMap, `{"name":"process"}`))).Again)
	equal(t, "none open", false, turn.Decide(e, e.App.NewState("c"), replies("hm", "Here.", show)).Again)
}
