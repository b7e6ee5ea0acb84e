package turn_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestResume: a result commits the form and says what the handler says; errors of it are shown at their fields, and the
// form stays open.
func TestResume(t *testing.T) {
	t.Parallel()
	e, s, click, p := called(t)
	tooMany := make([]ui.Op, 0, 40)
	for i := range 40 { // more surfaces than a conversation may have
		f, _ := e.App.Form("customer")
		o := e.App.OpenForm(f, ui.Map())
		o.Surface += ui.Name("-" + string(rune('a'+i%26)) + string(rune('a'+i/26)))
		tooMany = append(tooMany, o.Op(e.Nonce()))
	}
	for name, c := range map[string]struct {
		result   app.Result
		kind     ui.OutcomeKind
		code     ui.Code
		reads    string
		status   ui.Status
		warnings int
	}{
		"nothing to say": {app.Result{}, "done", "", "Saved. Thank you.", ui.StatusSubmitted, 0},
		"words":          {app.Result{Text: "Filed."}, "done", "", "Filed.", ui.StatusSubmitted, 0},
		"errors": {app.Result{Errors: []ui.FieldError{{Path: "/draft/company", Text: "It is taken."}}}, "asked", "ACTION_FAILED",
			"Please check: It is taken.", ui.StatusOpen, 0},
		"a directive that cannot be done": {app.Result{Text: "Filed.", Directives: []app.Directive{directed("ui.show_form",
			`{"name":"gone"}`)}}, "done", "EXECUTE_UNKNOWN", "Filed.\n\nPart of what the assistant asked for could not be done (gone).",
			ui.StatusSubmitted, 1},
		"a warning": {app.Result{Warnings: []ui.Error{{Code: "X", Message: "odd"}}}, "done", "", "Saved. Thank you.",
			ui.StatusSubmitted, 1},
		"ops above a limit": {app.Result{Text: "Filed.", Ops: tooMany}, "done", "", "Filed.", ui.StatusSubmitted, 1},
	} {
		done := turn.Resume(e, s, click, p, &turn.Called{Result: c.result})
		got, err := turn.Apply(e, s, click, done, true)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name+": the user reads", c.reads, got.Frame.Text)
		equal(t, name+": the form", c.status, status(got.After, customer))
		equal(t, name+": warnings", c.warnings, len(got.Frame.Warnings))
		equal(t, name+": typed", "Ada & Co", draft(got.After, customer, "/draft/company"))
		equal(t, name+": called", true, done.Called)
		ops, outcome, err := turn.Try(e, s, click, p, c.result)
		if err != nil || len(ops) != len(done.Ops) {
			t.Errorf("%s: a trial has %d ops, %v, want %d", name, len(ops), err, len(done.Ops))
		}
		equal(t, name+": the trial's outcome", done.Outcome, outcome)
	}
	if got, _ := turn.Apply(e, s, click, turn.Resume(e, s, click, p, &turn.Called{Result: app.Result{
		Errors: []ui.FieldError{{Path: "/draft/company", Text: "It is taken."}}}}), true); got.After == nil ||
		got.After.Surface(customer).ErrorAt("/draft/company") != "It is taken." {
		t.Errorf("at the field: %+v", got.Frame)
	}
}

// TestKept: the journal keeps of a result what counts without the surface and that the form is answered; of one that
// cannot be kept nothing.
func TestKept(t *testing.T) {
	t.Parallel()
	e, s, click, p := called(t)
	ops, outcome := turn.Kept(e, s, click, p, app.Result{Text: "Filed.", Toast: "Hi.", Ops: ui.Ops{&ui.Close{Surface: customer}}})
	if !has[*ui.Commit](ops) || !has[*ui.Say](ops) || !has[*ui.Toast](ops) || !has[*ui.Lock](ops) || len(ops) != 4 ||
		outcome == nil || outcome.Kind != ui.OutcomeDone {
		t.Errorf("kept %+v, %+v", ops, outcome)
	}
	e.App = env(t, func(c *app.Config) { c.Limits.Committed = 8 }).App
	if ops, outcome := turn.Kept(e, s, click, p, app.Result{Text: "Filed."}); ops != nil || outcome != nil {
		t.Errorf("above a limit: kept %+v, %+v", ops, outcome)
	}
	if _, _, err := turn.Try(e, s, click, p, app.Result{Text: "Filed."}); err == nil {
		t.Error("above a limit: a trial succeeds")
	}
}

// TestResultAboveALimit: a result that does not fit makes a failure, in which the words of the handler still count.
func TestResultAboveALimit(t *testing.T) {
	t.Parallel()
	e, s, click, p := called(t)
	e.App = env(t, func(c *app.Config) { c.Limits.Committed = 8 }).App
	done := turn.Resume(e, s, click, p, &turn.Called{Result: app.Result{Text: "Filed."}})
	if _, err := turn.Apply(e, s, click, done, true); err == nil {
		t.Fatal("it fits")
	}
	got, err := turn.Apply(e, s, click, done, false)
	if err != nil {
		t.Fatal(err)
	}
	ends(t, "not strict", got.Frame.Outcome, ui.OutcomeFailed, "UI_LIMIT")
	equal(t, "the form", ui.StatusOpen, status(got.After, customer))
	if len(got.Frame.Warnings) < 2 {
		t.Errorf("warnings %q", got.Frame.Warnings)
	}
}

// TestCallsThatFail: what was typed stays, the form stays open, and the user reads that it did not work.
func TestCallsThatFail(t *testing.T) {
	t.Parallel()
	e, s, click, p := called(t)
	committed := turn.Resume(e, s, click, p, &turn.Called{Result: app.Result{Text: "Filed.", Toast: "Hi."}})
	for name, c := range map[string]struct {
		plan turn.Plan
		code ui.Code
	}{
		"the call":              {turn.CallFailed(e, p, &ui.Error{Code: "ACTION_FAILED"}), "ACTION_FAILED"},
		"a panic":               {turn.CallFailed(e, p, errors.New("boom")), "TURN_FAILED"},
		"the record is changed": {turn.Unsaved(e, committed, &ui.Error{Code: app.CodeRecordChanged}), app.CodeRecordChanged},
	} {
		got, err := turn.Apply(e, s, click, c.plan, true)
		if err != nil {
			t.Fatal(err)
		}
		ends(t, name, got.Frame.Outcome, ui.OutcomeFailed, c.code)
		equal(t, name+": the user reads", e.Recovery.For(c.code).Title, got.Frame.Text)
		equal(t, name+": the form", ui.StatusOpen, status(got.After, customer))
		equal(t, name+": typed", "Ada & Co", draft(got.After, customer, "/draft/company"))
		equal(t, name+": about", customer, got.Frame.Outcome.Surface)
		equal(t, name+": committed", 0, len(got.After.Committed.Pairs()))
		equal(t, name+": warnings", 1, len(got.Frame.Warnings))
	}
	p.Call.Click.Surface = &ui.Surface{} // a message called it, and no form has what was typed
	equal(t, "a message", "That did not work. Please try again.",
		turn.CallFailed(e, p, &ui.Error{Code: "ACTION_FAILED"}).Outcome.Message)
	p = turn.Replan(e, s, message(1, "hello"), &turn.Called{Failed: &ui.Error{Code: "ACTION_FAILED"}})
	ends(t, "a failure after the state is gone", p.Outcome, ui.OutcomeFailed, "ACTION_FAILED")
	equal(t, "the words of the user", "hello", p.Ops[0].(*ui.Say).Text)
}

// TestGivenUp: an event whose turn broke too often keeps what the user said and typed, and what its handler has done.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	const poison, title = "TURN_POISON", "This could not be handled, and we stopped trying. Please put it another way."
	e, s, click, p := called(t)
	up := func(event *ui.Event, c *turn.Called) turn.Step {
		t.Helper()
		return step(t, e, s, turn.GivenUp{Event: event, Code: poison, Called: c})
	}
	got := up(message(9, "hello"), nil)
	ends(t, "a message", got.Frame.Outcome, ui.OutcomeFailed, poison)
	equal(t, "a message", []string{"user : hello", "assistant : " + title}, spoken(got.After, len(s.Transcript)))

	got = up(click, nil)
	ends(t, "a click", got.Frame.Outcome, ui.OutcomeFailed, poison)
	equal(t, "a click: typed", "Ada & Co", draft(got.After, customer, "/draft/company"))
	equal(t, "a click: the form", ui.StatusOpen, status(got.After, customer))

	c := &turn.Called{Result: app.Result{Text: "Filed."}}
	c.Plan = turn.Resume(e, s, click, p, c)
	got = up(click, c)
	ends(t, "a call", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "a call: the form", ui.StatusSubmitted, status(got.After, customer))
	equal(t, "a call: the user reads", "Filed.", got.Frame.Text)

	got = up(click, &turn.Called{Failed: &ui.Error{Code: "ACTION_FAILED"}})
	ends(t, "a call that failed", got.Frame.Outcome, ui.OutcomeFailed, poison)
	equal(t, "a call that failed: the user reads", "That did not work. What you typed is kept; please try again.\n\n"+title,
		got.Frame.Text)

	stale := *click
	action := *click.Action
	stale.Action, action.Nonce = &action, strings.Repeat("0", 32)
	got = up(&stale, nil)
	equal(t, "a click that is not admitted: typed", "", draft(got.After, customer, "/draft/company"))

	broken := e
	broken.App = env(t, func(c *app.Config) { c.Limits.TextSize = 8 }).App
	if _, err := turn.Apply(broken, s, click, turn.Decide(e, s, turn.GivenUp{Event: click, Code: poison}), false); err == nil {
		t.Error("a frame above a limit is made")
	}
}

// later is env with a webhook that is called after the submit was answered.
func later(tb testing.TB) turn.Env {
	tb.Helper()
	return env(tb, func(c *app.Config) {
		c.Actions[0] = app.Action{Name: "save", Webhook: &app.Webhook{URL: "https://example.org/later", Secret: "s3cret",
			Later: true}}
	})
}

// TestLater: an action with a later webhook counts at once, and the plan has the call for the outbox.
func TestLater(t *testing.T) {
	t.Parallel()
	e := later(t)
	s := after(t, e, "add a customer")
	p := turn.Decide(e, s, turn.Received{Event: submit(s, "Acme")})
	if p.Leaves() || p.Later == nil || p.Later.Action.Name != "save" {
		t.Fatalf("plan %+v", p)
	}
	equal(t, "its values", `{"company":"Acme"}`, string(p.Later.Values.AppendJSON(nil)))
	got := step(t, e, s, turn.Received{Event: submit(s, "Acme")})
	ends(t, "the submit", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "the form", ui.StatusSubmitted, status(got.After, customer))
	p = turn.Decide(e, s, turn.Received{Event: submit(s, "")})
	if p.Later != nil {
		t.Errorf("a submit that does not count calls %+v", p.Later)
	}
}

// TestAnswer: the answer of a later webhook is a frame of its own: its words, its errors as words, its toast and what
// its directives open.
func TestAnswer(t *testing.T) {
	t.Parallel()
	e := later(t)
	list := func(text string) jsonx.Value { return directed("", text).Payload }
	for name, c := range map[string]struct {
		answer   ui.AnswerEvent
		kind     ui.OutcomeKind
		code     ui.Code
		reads    string
		toasts   []string
		opens    ui.Status
		warnings int
	}{
		"words":                 {ui.AnswerEvent{Text: "Welcome."}, "done", "", "Welcome.", nil, "", 0},
		"nothing":               {ui.AnswerEvent{}, "done", "", "", nil, "", 0},
		"all":                   {ui.AnswerEvent{Text: "Welcome.", Toast: "Synced.", Errors: []ui.FieldError{{Path: "/draft/company", Text: "No note."}}, Directives: list(`[{"type":"ui.show_form","payload":{"name":"customer"}}]`)}, "done", "", "Welcome.\nNo note.", []string{"Synced."}, ui.StatusOpen, 0},
		"given up":              {ui.AnswerEvent{Code: "WEBHOOK_GIVEN_UP"}, "failed", "WEBHOOK_GIVEN_UP", "What you sent is saved, but it could not be passed on. Please tell whoever runs this service.", nil, "", 0},
		"an unknown directive":  {ui.AnswerEvent{Text: "Welcome.", Directives: list(`[{"type":"ui.dance","payload":{}},{"type":"ui.show_form","payload":{"name":"customer"}}]`)}, "done", "DIRECTIVE_UNKNOWN_TYPE", "Welcome.\n\nThe assistant wanted to do something that this app cannot do, so it was not done (ui.dance).", nil, ui.StatusOpen, 1},
		"no list":               {ui.AnswerEvent{Text: "Welcome.", Directives: list(`{"type":"ui.dance"}`)}, "done", "", "Welcome.", nil, "", 1},
		"letters that are none": {ui.AnswerEvent{Text: "a\xffb"}, "done", "", "a\uFFFDb", nil, "", 0},
	} {
		c.answer.Action, c.answer.Surface = "save", customer
		event := &ui.Event{V: ui.Version, ID: "a", Kind: ui.EventAnswer, At: noon, Answer: &c.answer}
		got := step(t, e, e.App.NewState("c"), turn.Received{Event: event})
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name+": about", customer, got.Frame.Outcome.Surface)
		equal(t, name+": the user reads", c.reads, got.Frame.Text)
		equal(t, name+": toasts", c.toasts, got.Frame.Toasts)
		equal(t, name+": opens", c.opens, status(got.After, customer))
		if len(got.Frame.Warnings) != c.warnings {
			t.Errorf("%s: warnings %q", name, got.Frame.Warnings)
		}
	}
}

// TestDirectives: an endpoint need not have directives; what cannot be read is a warning.
func TestDirectives(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	for text, want := range map[string]string{
		`null`: "", `[]`: "", `{}`: "EXECUTE_PAYLOAD_INVALID", `"x"`: "EXECUTE_PAYLOAD_INVALID",
		`[{"type":"no.such"}]`: "DIRECTIVE_UNKNOWN_TYPE DIRECTIVE_EMPTY",
		`[{"type":"ui.show_form","payload":{"name":"customer"}}]`: "1 directive",
	} {
		v, err := jsonx.Parse([]byte(text), jsonx.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		list, warnings := turn.Directives(e.App, v)
		var got []string
		for _, w := range warnings {
			got = append(got, string(w.Code))
		}
		if len(list) == 1 {
			got = append(got, "1 directive")
		}
		equal(t, text, want, strings.Join(got, " "))
	}
}
