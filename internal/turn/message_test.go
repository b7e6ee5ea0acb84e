package turn_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestMessage: what a message leads to without a model: the words that the user reads, and what is open after it.
func TestMessage(t *testing.T) {
	t.Parallel()
	const table, sheet = "I’ve opened a table for you. Fill in what you know; I’ll check it with you.",
		"I’ve opened a process map for you. Fill in what you know; I’ll check it with you."
	e := tooled(t, withPad)
	for name, c := range map[string]struct {
		before  []string
		message string
		kind    ui.OutcomeKind
		reads   string
		opens   ui.Name
		status  ui.Status // of it
	}{
		"chat":                 {nil, "hello", "done", "Tell me what you would like to record, and I’ll open the right form.", customer, ""},
		"a form":               {nil, "add a customer", "done", "Here is the form.", customer, ui.StatusOpen},
		"a view":               {nil, "show the pad", "done", "Here it is: Pad.", "view:pad", ui.StatusOpen},
		"a table":              {nil, "We have 3 risks.", "done", table, risks, ui.StatusOpen},
		"a process":            {nil, flow, "done", sheet, process, ui.StatusOpen},
		"undo":                 {[]string{"We have 3 risks.", "cancel it"}, "undo", "done", "It is back, as you left it.", risks, ui.StatusOpen},
		"undo of nothing":      {nil, "undo", "done", "Tell me what you would like to record, and I’ll open the right form.", risks, ""},
		"a question":           {nil, "We have some risks.", "asked", "How many risks are we capturing?", risks, ""},
		"its answer":           {[]string{"We have some risks."}, "4", "done", table, risks, ui.StatusOpen},
		"resumed":              {[]string{"We have 3 risks."}, "where were we?", "done", "It is still open, as you left it.", risks, ui.StatusOpen},
		"shown":                {[]string{flow}, "show the process map", "done", "It is still open, as you left it.", process, ui.StatusOpen},
		"canceled":             {[]string{"We have 3 risks."}, "cancel it", "done", "Closed. Nothing was submitted.", risks, ui.StatusCanceled},
		"opted out":            {nil, "Never show me tables again.", "done", "All right. I will not open that any more; tell me when you want it back.", risks, ""},
		"a rule, and more":     {nil, "Never show tables for risks", "asked", "Shall I keep this as a rule: never open a table when you mention “risks”?", risks, ""},
		"the rule":             {[]string{"Never show tables for risks"}, "yes", "done", "All right, I will keep to that.", risks, ""},
		"a table is preferred": {nil, "I prefer tables", "done", "All right, I will use a table where either would do.", risks, ""},
	} {
		s := after(t, e, c.before...)
		got := step(t, e, s, turn.Received{Event: message(30, c.message)})
		ends(t, name, got.Frame.Outcome, c.kind, "")
		equal(t, name+": the user reads", c.reads, got.Frame.Text)
		equal(t, name+": open", c.status, status(got.After, c.opens))
		equal(t, name+": the user's words", "user : "+c.message, spoken(got.After, len(s.Transcript))[0])
	}
}

// TestDeclaredPhrase: a message that is a declared phrase of several words belongs to what declares it, whatever else it
// could mean. Phrases of forms count where no model answers, those of routes while their action is there.
func TestDeclaredPhrase(t *testing.T) {
	t.Parallel()
	e := tooled(t, withGuest, withPad, func(c *app.Config) {
		c.Forms[1].Phrases = []string{"cancel a booking", "search customers", "we have 4 risks", "cancel"}
		c.Views[0].Phrases = []string{"show customers", "we have 5 risks", "customers"}
		c.Records = []app.RecordSpec{{Name: "customer", Phrases: []string{"new guest please", "how many customers", "customers"}}}
		c.Messages = []app.MessageRoute{{Phrases: []string{"new customer today", "we have 6 risks", "list customers"}, Action: "hi"},
			{Phrases: []string{"customers"}, Run: app.RunChat}, {Phrases: []string{"see customers"}, Action: "later"}}
		c.Actions = append(c.Actions, app.Action{Name: "hi", Reply: "Hi."},
			app.Action{Name: "later", Reply: "Later.", After: []string{"guest"}})
	})
	for text, want := range map[string]string{
		"Cancel a booking!": "form:guest", "search customers": "form:guest", "We have 4 risks.": "form:guest",
		"Show customers": "view:pad", "We have 5 risks.": "view:pad",
		"new guest, please": "records", "how many customers?": "records",
		"New customer today": "Hi.", "We have 6 risks.": "Hi.", "list customers": "Hi.",
		"We have 7 risks.": "", "cancel": "closed", "search all customers": "records", "see customers": "records",
	} {
		for _, open := range []bool{false, true} {
			for _, model := range []bool{false, true} {
				e.Model, e.Phrases = model, !model
				if model && want == "form:guest" {
					continue // as if it were no phrase
				}
				s := e.App.NewState("c")
				if open {
					s = after(t, e, "We have 3 risks.")
				}
				p := turn.Decide(e, s, turn.Received{Event: message(30, text)})
				if p.Call.Effect != nil && p.Call.Effect.Action.Name == builtin.ActionRecords {
					equal(t, text+": opens", want, "records")
					continue
				}
				if model && want == "closed" && !open {
					equal(t, text+": is for the model", text, p.Ask.Prompt)
					continue
				}
				got := step(t, e, s, turn.Received{Event: message(30, text)})
				kept := !open || status(got.After, risks) == ui.StatusOpen
				switch want {
				case "":
				case "Hi.":
					equal(t, text+": reads", want, got.Frame.Text)
				case "closed":
					kept = !open || !kept
				default:
					equal(t, text+": opens", ui.StatusOpen, status(got.After, ui.Name(want)))
				}
				equal(t, text+": keeps the table", true, kept)
			}
		}
	}
}

// TestMessageCallsRecords: a message that asks for what was saved calls the list of it.
func TestMessageCallsRecords(t *testing.T) {
	t.Parallel()
	e := env(t)
	e.Router = true
	s := e.App.NewState("c")
	p := turn.Decide(e, s, turn.Received{Event: message(1, "Show me all customers, please")})
	if p.Call.Effect == nil || p.Call.Effect.Action.Name != builtin.ActionRecords {
		t.Fatalf("%+v", p)
	}
	equal(t, "the list", "customer", field(p.Call.Effect.Values, "name"))
	edit := &ui.Event{V: ui.Version, ID: "r", Kind: ui.EventRecord, At: noon, Data: ui.Map(
		ui.Pair{Key: "name", Value: ui.String("customer")}, ui.Pair{Key: "id", Value: ui.String("r1")})}
	p = turn.Decide(e, s, turn.Received{Event: edit})
	if p.Call.Effect == nil || p.Call.Effect.Action.Name != builtin.ActionRecordEdit {
		t.Fatalf("%+v", p)
	}
	equal(t, "the record", "r1", field(p.Call.Effect.Values, "id"))
}

func field(v ui.Value, key string) string { f, _ := v.Get(key); return f.Text() }

// TestMessageCallsItsAction: a message that the application gives to an action of its own is the text of the call.
func TestMessageCallsItsAction(t *testing.T) {
	t.Parallel()
	e := env(t, withFunctions, func(c *app.Config) {
		c.Messages = []app.MessageRoute{{Phrases: []string{"where am I"}, Action: "located"},
			{Phrases: []string{"tell me"}, Run: app.RunChat}}
	})
	e.Model = true
	got := finish(t, e, e.App.NewState("c"), message(1, "So, where am I?"), turn.Called{Result: app.Result{Text: "In Oslo."}})
	equal(t, "the lines", []string{"user : So, where am I?", "assistant : In Oslo."}, spoken(got.After, 0))
	p := turn.Decide(e, e.App.NewState("c"), turn.Received{Event: message(1, "So, where am I?")})
	equal(t, "the values", `{"text":"So, where am I?"}`, string(p.Call.Effect.Values.AppendJSON(nil)))
	p = turn.Decide(e, e.App.NewState("c"), turn.Received{Event: message(1, "tell me more")})
	equal(t, "another run", app.RunChat, p.Ask.Run)
	p = turn.Decide(e, e.App.NewState("c"), turn.Received{Event: message(1, "more")})
	equal(t, "any other message", app.RunDirectives, p.Ask.Run)
}

// TestRoutingModel: a message that no rule knows goes to the routing model first; a tool opens only on an answer that
// is certain enough, and without one the message is chat.
func TestRoutingModel(t *testing.T) {
	t.Parallel()
	const unknown = "The launch is close and everything about it is still a mess."
	e := tooled(t)
	e.Router, e.Model = true, true
	event := message(1, unknown)
	p := turn.Decide(e, e.App.NewState("c"), turn.Received{Event: event})
	if !p.Ask.Router || p.Ask.Prompt != unknown || p.Decision == nil || len(p.Ops) > 0 {
		t.Fatalf("%+v", p)
	}
	for _, known := range []string{"We have 3 risks.", "add a customer", "sign me up", "cancel it", "undo"} {
		p := turn.Decide(e, e.App.NewState("c"), turn.Received{Event: message(1, known)})
		equal(t, known, false, p.Ask.Router)
	}
	for name, c := range map[string]struct {
		answer *route.Answer
		opens  string // a tool
		asks   string // the user
	}{
		"a table":       {&route.Answer{Action: route.ActionTool, Tool: ui.ToolTable, Confidence: 0.8, Count: 5}, ui.ToolTable, ""},
		"a process":     {&route.Answer{Action: route.ActionTool, Tool: ui.ToolMap, Confidence: 0.9}, ui.ToolMap, ""},
		"a question":    {&route.Answer{Action: route.ActionClarify, Tool: ui.ToolMap, Confidence: 0.6}, "", "Want to map the steps now?"},
		"not certain":   {&route.Answer{Action: route.ActionTool, Tool: ui.ToolTable, Confidence: 0.44}, "", ""},
		"a tool of its": {&route.Answer{Action: route.ActionTool, Tool: "drop_table", Confidence: 0.9}, "", ""},
		"chat":          {&route.Answer{Action: route.ActionChat, Confidence: 0.1}, "", ""},
		"no answer":     {nil, "", ""},
	} {
		in := turn.Routed{Event: event, Answer: c.answer}
		p := turn.Decide(e, e.App.NewState("c"), in)
		if c.opens == "" && c.asks == "" {
			equal(t, name+": asks a model", unknown, p.Ask.Prompt)
			continue
		}
		got := step(t, e, e.App.NewState("c"), in)
		if cp := got.After.Router.Checkpoint; (cp != nil) != (c.opens != "") || cp != nil && cp.Tool != c.opens {
			t.Errorf("%s opens %+v", name, cp)
		}
		if c.asks != "" {
			equal(t, name, c.asks, got.Frame.Text)
		}
	}
}

// TestLostWorksheet: a worksheet that cannot be read any more is closed and the user reads so, once; then it opens again.
func TestLostWorksheet(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	opened := after(t, e, "We have 4 risks.")
	spoilt := opened.Router
	cp := *spoilt.Checkpoint
	cp.Payload, spoilt.Checkpoint = ui.String("?"), &cp
	without := opened.Router
	without.Checkpoint = nil
	for name, op := range map[string]ui.Op{
		"its parameters cannot be read": &ui.Set{Router: spoilt}, "no checkpoint": &ui.Set{Router: without},
		"its surface is gone": &ui.Close{Surface: risks}, "its surface is answered": &ui.Lock{Surface: risks},
	} {
		s := with(t, e, opened, op)
		for how, in := range map[string]turn.Input{"received": turn.Received{Event: message(9, "We have 5 risks.")},
			"routed": turn.Routed{Event: message(9, "We have 5 risks.")}} {
			got := step(t, e, s, in)
			ends(t, name+", "+how, got.Frame.Outcome, ui.OutcomeDone, "")
			if !strings.HasPrefix(got.Frame.Text, "What was open could not be restored, so I have closed it.") {
				t.Errorf("%s, %s: the user reads %q", name, how, got.Frame.Text)
			}
			if r := got.After.Router; r.Checkpoint != nil || r.LastStatus == ui.StatusToolOpen || r.Cancels != 0 ||
				status(got.After, risks) == ui.StatusOpen {
				t.Errorf("%s, %s: %s, router %+v", name, how, status(got.After, risks), r)
			}
			again := then(t, e, got.After, "We have 5 risks.")
			if cp := again.Router.Checkpoint; cp == nil || cp.Surface != risks {
				t.Errorf("%s, %s: it does not open again: %+v", name, how, cp)
			}
		}
	}
}

// TestPasteInto: a list that is pasted as a message goes into the box of the open table that it fits, with a preview.
func TestPasteInto(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	s := after(t, e, "We have 3 risks.")
	got := step(t, e, s, turn.Received{Event: message(9, "Title,Count\nFire,2\nFlood,1\nTheft,4")})
	ends(t, "the list", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "about", risks, got.Frame.Outcome.Surface)
	if !strings.Contains(shown(got.After.Surface(risks)), "3 rows found") {
		t.Errorf("the table shows %q", shown(got.After.Surface(risks)))
	}
	equal(t, "surfaces", 1, len(got.After.Surfaces))
}
