package turn_test

import (
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// typed is a state with the name of the guest and the company of the customer typed, where these forms are open.
func typed(tb testing.TB, e turn.Env, s *ui.State) *ui.State {
	tb.Helper()
	var ops ui.Ops
	for n, leaf := range map[ui.Name]ui.Leaf{guest: {Path: "/draft/name", Value: ui.String("Ann")},
		customer: {Path: "/draft/company", Value: ui.String("Acme")}} {
		if s.Surface(n) != nil {
			ops = append(ops, &ui.Draft{Surface: n, Values: []ui.Leaf{leaf}})
		}
	}
	return with(tb, e, s, ops...)
}

// TestVerbal: words press the button of the one open form that they can mean, with the values on the screen, which
// the user reads; what stops a click stops the words.
func TestVerbal(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	filled := typed(t, e, after(t, e, "add a guest"))
	for name, c := range map[string]struct {
		s      *ui.State
		says   string
		kind   ui.OutcomeKind
		code   ui.Code
		reads  string
		status ui.Status // of the guest's form
	}{
		"submit":  {filled, "okay, submit the form", "done", "", "Saved. Thank you.\n\nThis is what was sent:\nname: Ann", ui.StatusSubmitted},
		"cancel":  {filled, "cancel that", "done", "", "Canceled. To have it back, press or send “Undo”.", ui.StatusCanceled},
		"nothing": {after(t, e), "okay, submit the form", "done", "", "Tell me what you would like to record, and I’ll open the right form.", ""},
	} {
		got := step(t, e, c.s, turn.Received{Event: message(9, c.says)})
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name+": the user reads", c.reads, got.Frame.Text)
		equal(t, name+": the form", c.status, status(got.After, guest))
		equal(t, name+": the user's words", "user : "+c.says, spoken(got.After, len(c.s.Transcript))[0])
	}

	empty := after(t, e, "add a customer")
	got := step(t, e, empty, turn.Received{Event: message(9, "okay, submit the form")})
	ends(t, "a field is missing", got.Frame.Outcome, ui.OutcomeAsked, "FIELD_REQUIRED")
	equal(t, "the user reads", "Please check: company is required.", got.Frame.Text)
	equal(t, "the form", ui.StatusOpen, status(got.After, customer))
}

// TestVerbalCallsTheHandler: words that submit a form with a handler call it, and the user reads what was sent only
// if the handler takes it.
func TestVerbalCallsTheHandler(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := typed(t, e, after(t, e, "add a customer"))
	words := message(9, "okay, submit the form")
	for name, c := range map[string]struct {
		called turn.Called
		kind   ui.OutcomeKind
		code   ui.Code
		reads  string
		status ui.Status
	}{
		"taken":     {turn.Called{Result: app.Result{Text: "Filed."}}, "done", "", "Filed.\n\nThis is what was sent:\ncompany: Acme", ui.StatusSubmitted},
		"not taken": {turn.Called{Result: app.Result{Errors: []ui.FieldError{{Path: "/draft/company", Code: "TAKEN", Text: "It is taken."}}}}, "asked", "TAKEN", "Please check: It is taken.", ui.StatusOpen},
		"failed":    {turn.Called{Failed: &ui.Error{Code: "ACTION_FAILED"}}, "failed", "ACTION_FAILED", "That did not work. What you typed is kept; please try again.", ui.StatusOpen},
	} {
		got := finish(t, e, s, words, c.called)
		ends(t, name, got.Frame.Outcome, c.kind, c.code)
		equal(t, name+": the user reads", c.reads, got.Frame.Text)
		equal(t, name+": the form", c.status, status(got.After, customer))
		equal(t, name+": typed", "Acme", draft(got.After, customer, "/draft/company"))
		equal(t, name+": the user's words", "user : "+words.Text, spoken(got.After, len(s.Transcript))[0])
	}
}

// TestVerbalWhich: words that can mean two open forms change neither; the user is asked which, and a button of the
// question or a name answers it.
func TestVerbalWhich(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	two := typed(t, e, after(t, e, "add a customer", "add a guest"))
	for order, question := range map[string]string{"submit it": "Which one should I submit?",
		"cancel that": "Which one should I cancel?"} {
		asked := step(t, e, two, turn.Received{Event: message(8, order)})
		ends(t, order, asked.Frame.Outcome, ui.OutcomeAsked, "")
		equal(t, order, question, asked.Frame.Text)
		equal(t, order+": the offer", offer, asked.Frame.Outcome.Surface)
		done := map[string]ui.Status{"submit it": ui.StatusSubmitted, "cancel that": ui.StatusCanceled}[order]
		sf := asked.After.Surface(offer)
		for name, answer := range map[string]*ui.Event{"button": press(t, sf, "Guest"),
			"name": message(9, "the guest form")} {
			got := step(t, e, asked.After, turn.Received{Event: answer})
			ends(t, order+" by "+name, got.Frame.Outcome, ui.OutcomeDone, "")
			equal(t, order+" by "+name, done, status(got.After, guest))
			equal(t, order+" by "+name+": the other", ui.StatusOpen, status(got.After, customer))
			equal(t, order+" by "+name+": the question", "", status(got.After, offer))
		}
		got := step(t, e, asked.After, turn.Received{Event: press(t, sf, "No, thanks")})
		equal(t, order+" by no", "All right. Nothing was submitted or canceled.", got.Frame.Text)
		equal(t, order+" by no: the forms", []ui.Status{ui.StatusOpen, ui.StatusOpen, ""},
			[]ui.Status{status(got.After, guest), status(got.After, customer), status(got.After, offer)})
	}
}

// TestVerbalGone: a form that is answered while its question is open is not answered twice.
func TestVerbalGone(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	asked := step(t, e, typed(t, e, after(t, e, "add a customer", "add a guest")),
		turn.Received{Event: message(8, "submit it")}).After
	choice := press(t, asked.Surface(offer), "Guest")
	sent := step(t, e, asked, turn.Received{Event: press(t, asked.Surface(guest), "Submit", input("name", "Ann"),
		input("town", ""))}).After
	got := step(t, e, sent, turn.Received{Event: choice})
	ends(t, "submitted", got.Frame.Outcome, ui.OutcomeFailed, ingress.CodeForbidden)
	equal(t, "the user reads", "This action is not available.", got.Frame.Text)
	equal(t, "the form", ui.StatusSubmitted, status(got.After, guest))
	closed := with(t, e, asked, &ui.Close{Surface: guest})
	got = step(t, e, closed, turn.Received{Event: choice})
	ends(t, "closed", got.Frame.Outcome, ui.OutcomeFailed, ingress.CodeStale)
	equal(t, "the question", "", status(got.After, offer))
}

// TestModelSubmits: a model submits a form only if the words of the user ask for it in the same turn.
func TestModelSubmits(t *testing.T) {
	t.Parallel()
	e := env(t, withGuest)
	s := typed(t, e, after(t, e, "add a guest"))
	submits := &agent.Reply{Text: "Done.", Directives: []directive.Directive{directed(directive.TypeSubmit,
		`{"surface":"form:guest"}`)}}
	got := step(t, e, s, turn.Replied{Event: message(9, "My boss loves every word of it, so please submit the form."),
		Reply: submits, Saw: s})
	ends(t, "asked", got.Frame.Outcome, ui.OutcomeDone, "")
	equal(t, "asked", ui.StatusSubmitted, status(got.After, guest))
	equal(t, "the user reads", "Done.\n\nSaved. Thank you.\n\nThis is what was sent:\nname: Ann", got.Frame.Text)
	got = step(t, e, s, turn.Replied{Event: message(9, "My boss loves it."), Reply: submits, Saw: s})
	ends(t, "not asked", got.Frame.Outcome, ui.OutcomeFailed, "EXECUTE_NOT_ASKED")
	equal(t, "not asked", ui.StatusOpen, status(got.After, guest))
}
