package turn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// env is that of an application with a form that a handler saves, and with what the options add.
func env(tb testing.TB, opts ...func(*app.Config)) turn.Env {
	tb.Helper()
	cfg := app.Config{Name: "t",
		Forms: []app.Form{{Name: "customer", Title: "Customer", Phrases: []string{"add a customer"}, OnSubmit: "save",
			Fields: []ui.Field{{Name: "company", Type: ui.TypeText, Required: true}}}},
		Actions: []app.Action{{Name: "save", Handler: func(context.Context, app.Call) (app.Result, error) {
			return app.Result{}, errors.New("a decision calls nothing")
		}}, {Name: "join", Reply: "Welcome.", Show: "customer"}},
		Messages: []app.MessageRoute{{Phrases: []string{"sign me up"}, Action: "join"}},
	}
	for _, o := range opts {
		o(&cfg)
	}
	a, err := app.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	n := 0
	return turn.Env{App: a, Recovery: recovery.Default(), Phrases: true,
		Nonce:    func() string { n++; return fmt.Sprintf("%032x", n) },
		Validate: func(capture.Submission) []capture.Warning { return nil },
		Warn:     func(string, ...any) {}, Panicked: func(_ string, p any) { panic(p) }}
}

func message(id int, text string) *ui.Event {
	return &ui.Event{V: ui.Version, ID: ui.EventID(fmt.Sprint("e", id)), Kind: ui.EventMessage, At: noon, Text: text}
}

// step decides on an input and applies the plan.
func step(tb rapid.TB, env turn.Env, s *ui.State, in turn.Input) turn.Step {
	tb.Helper()
	p := turn.Decide(env, s, in)
	if p.Leaves() {
		tb.Fatalf("%+v leaves the process: %+v", in, p)
	}
	step, err := turn.Apply(env, s, in.Of(), p, true)
	if err != nil {
		tb.Fatal(err)
	}
	return turn.Show(env, step, in.Of(), p, nil)
}

// submit is a click on the form's button, with a company typed.
func submit(s *ui.State, company string) *ui.Event {
	sf := s.Surface("form:customer")
	e := &ui.Event{V: ui.Version, ID: "click", Kind: ui.EventAction, At: noon, Action: &ui.ActionEvent{
		Surface: sf.WireID(), Nonce: sf.Nonce, Rev: sf.Rev}}
	ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if b, ok := n.(*ui.Button); ok && b.Action.Name == builtin.ActionSubmit {
			e.Action.Component, e.Action.Name = at.ComponentID("Button"), b.Action.Name
		}
		return true
	})
	e.Action.Context = jsonx.OfObject(jsonx.Member{Key: "company", Value: jsonx.Of(company)})
	return e
}

func TestMessageOpensTheFormOfItsPhrase(t *testing.T) {
	t.Parallel()
	env := env(t)
	got := step(t, env, env.App.NewState("c"), turn.Received{Event: message(1, "add a customer")})
	if sf := got.After.Surface("form:customer"); sf == nil || sf.Status != ui.StatusOpen {
		t.Errorf("the form is not open: %+v", sf)
	}
	if got.Frame.Outcome.Kind != ui.OutcomeDone || got.Before.Seq+1 != got.After.Seq {
		t.Errorf("frame %+v", got.Frame)
	}
}

// TestMessageShows: a message whose action is fixed says and opens what it declares.
func TestMessageShows(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := step(t, e, e.App.NewState("c"), turn.Received{Event: message(1, "Please sign me up")}).After
	if sf := s.Surface("form:customer"); sf == nil || s.Transcript[len(s.Transcript)-1].Text != "Welcome." {
		t.Errorf("%v, %v", s.Surfaces, s.Transcript)
	}
}

func TestModelIsAskedBeforeThereIsAFrame(t *testing.T) {
	t.Parallel()
	env := env(t)
	env.Model = true
	s, e := env.App.NewState("c"), message(1, "what is the weather like?")
	p := turn.Decide(env, s, turn.Received{Event: e})
	if !p.Leaves() || p.Ask.Prompt != e.Text || len(p.Ops) > 0 {
		t.Fatalf("plan %+v, want a question to the model", p)
	}
	got := step(t, env, s, turn.Replied{Event: e, Reply: &agent.Reply{Text: "Sunny."}, Decision: p.Decision})
	if got.Frame.Text != "Sunny." {
		t.Errorf("the frame says %q", got.Frame.Text)
	}
	failed := &ui.Error{Code: agent.CodeTurnFailed}
	got = step(t, env, s, turn.Replied{Event: e, Failed: failed})
	if got.Frame.Outcome.Kind != ui.OutcomeFailed ||
		got.After.Surface("limn:offer") == nil && len(got.After.Surfaces) == 0 {
		t.Errorf("a model that failed: %+v with %d surfaces, want an offer to try again", got.Frame.Outcome,
			len(got.After.Surfaces))
	}
}

func TestEndedConversationRefuses(t *testing.T) {
	t.Parallel()
	env := env(t)
	s := step(t, env, env.App.NewState("c"), turn.Received{Event: &ui.Event{V: ui.Version, ID: "e", Kind: ui.EventEnd,
		At: noon}}).After
	for _, e := range []*ui.Event{message(2, "hello"), {V: ui.Version, ID: "e3", Kind: ui.EventRegenerate, At: noon}} {
		if p := turn.Decide(env, s, turn.Received{Event: e}); p.Outcome.Code != ui.CodeEnded || len(p.Ops) > 0 {
			t.Errorf("%s after the end: %+v", e.Kind, p)
		}
	}
}

// called is a state with the form open, the click on it and the plan to call its
// handler.
func called(t *testing.T) (turn.Env, *ui.State, *ui.Event, turn.Plan) {
	t.Helper()
	env := env(t)
	s := step(t, env, env.App.NewState("c"), turn.Received{Event: message(1, "add a customer")}).After
	e := submit(s, "Ada & Co")
	p := turn.Decide(env, s, turn.Received{Event: e})
	if p.Call.Effect == nil || p.Call.Effect.Action.Name != "save" {
		t.Fatalf("plan %+v, want a call of save", p)
	}
	return env, s, e, p
}

func TestResultOfACallCommitsTheForm(t *testing.T) {
	t.Parallel()
	env, s, e, p := called(t)
	done := turn.Resume(env, s, e, p, &turn.Called{Result: app.Result{Text: "Saved."}})
	got, err := turn.Apply(env, s, e, done, true)
	if err != nil {
		t.Fatal(err)
	}
	if sf := got.After.Surface("form:customer"); sf.Status != ui.StatusSubmitted || got.Frame.Text != "Saved." {
		t.Errorf("status %s, text %q", sf.Status, got.Frame.Text)
	}
	failed := turn.Resume(env, s, e, p, &turn.Called{Failed: &ui.Error{Code: "ACTION_FAILED"}})
	if got, err = turn.Apply(env, s, e, failed, true); err != nil {
		t.Fatal(err)
	}
	if v, _ := got.After.Surface("form:customer").Get("/draft/company"); v.Text() != "Ada & Co" {
		t.Errorf("a failed call keeps %q of the draft", v.Text())
	}
}

// A handler that was called counts, even if the surface is gone or the turn breaks.
func TestCallCountsWhateverBecomesOfTheSurface(t *testing.T) {
	t.Parallel()
	env, s, e, p := called(t)
	c := &turn.Called{Result: app.Result{Text: "Saved."}}
	c.Plan = turn.Resume(env, s, e, p, c)
	gone := step(t, env, env.App.NewState("c"), turn.Received{Event: message(1, "hello")}).After
	commits := func(ops ui.Ops) bool { return turn.Commits(ops) }
	if re := turn.Replan(env, gone, e, c); !commits(re.Ops) || slices.ContainsFunc(re.Ops, isLock) {
		t.Errorf("replanned ops %v, want the commit without the surface", re.Ops)
	}
	changed := with(t, env, s, &ui.Update{Surface: customer, Root: ui.Nodes{&ui.Text{Key: "t", Text: "Other"}}})
	if p := turn.Decide(env, changed, turn.Received{Event: e}); p.Call.Effect != nil {
		t.Fatalf("the click is not stale: %+v", p)
	}
	again, err := turn.Apply(env, changed, e, turn.Replan(env, changed, e, c), true)
	if err != nil || !commits(again.Frame.Ops) || status(again.After, customer) != ui.StatusSubmitted {
		t.Errorf("a form that was changed meanwhile: %v, %v", again.Frame, err)
	}
	up := turn.Decide(env, gone, turn.GivenUp{Event: e, Code: "TURN_POISON", Called: c})
	got, err := turn.Apply(env, gone, e, up, false)
	if err != nil || !commits(got.Frame.Ops) {
		t.Errorf("a turn that is given up: %v, %v", got.Frame, err)
	}
}

func isLock(op ui.Op) bool { _, ok := op.(*ui.Lock); return ok }

// A decision depends on its arguments only, and changes none of them.
func TestDeterminismOfDecide(t *testing.T) {
	t.Parallel()
	texts := []string{"add a customer", "hello", "undo", "regenerate", "We have 3 risks.", "no tables, please",
		"cancel", "First draft it, then the manager approves it.", "Regenerate", "make a table of 5 suppliers", ""}
	rapid.Check(t, func(rt *rapid.T) {
		env := env(t)
		env.Model = rapid.Bool().Draw(rt, "model")
		s := env.App.NewState("c")
		for i := range rapid.IntRange(1, 6).Draw(rt, "turns") {
			e := message(i, rapid.SampledFrom(texts).Draw(rt, "text"))
			in := turn.Input(turn.Received{Event: e})
			if rapid.Bool().Draw(rt, "replied") {
				in = turn.Replied{Event: e, Reply: &agent.Reply{Text: "Well."}}
			}
			before := encode(rt, s)
			first, again := decided(env, s, in), decided(env, s, in)
			if diff := cmp.Diff(first, again); diff != "" {
				rt.Fatalf("%T decides differently the second time:\n%s", in, diff)
			}
			if encode(rt, s) != before {
				rt.Fatalf("%T changes the state", in)
			}
			if p := turn.Decide(env, s, in); !p.Leaves() {
				next, err := turn.Apply(env, s, e, p, false)
				if err != nil {
					rt.Fatal(err)
				}
				s = turn.Show(env, next, e, p, nil).After
			}
		}
	})
}

// decided is what a plan puts into a frame, with nonces that start again.
func decided(env turn.Env, s *ui.State, in turn.Input) string {
	env.Nonce = func() string { return "0123456789abcdef0123456789abcdef" }
	p := turn.Decide(env, s, in)
	b, err := ui.Encode(&ui.Frame{V: ui.Version, Seq: s.Seq + 1, Ops: p.Ops, Outcome: p.Outcome})
	why := ""
	if p.Decision != nil {
		why = fmt.Sprint(p.Decision.Action, p.Decision.Tool, p.Decision.Confidence, p.Decision.Rationale)
	}
	return fmt.Sprint(string(b), err, p.Ask, p.Call.Effect != nil, why)
}

func encode(tb interface{ Fatal(...any) }, s *ui.State) string {
	b, err := ui.Encode(s)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// TestFormBeforeGuess: a form of the application counts more than a guess of what a message
// wants.
func TestFormBeforeGuess(t *testing.T) {
	t.Parallel()
	const guess = "I want to add a customer, name and phone"
	env := env(t)
	if d := route.Decide(guess, ui.Router{}, env.Routing, noon); !d.Guessed() {
		t.Fatalf("no guess any more: take another message; %+v", d)
	}
	for text, want := range map[string]ui.Name{guess: "form:customer"} {
		got := step(t, env, env.App.NewState("c"), turn.Received{Event: message(1, text)})
		if got.After.Surface(want) == nil {
			t.Errorf("%q opens %+v, want %s", text, got.Frame.Changes, want)
		}
	}
}

func TestDropUnchangedKeepsWhatIsNew(t *testing.T) {
	t.Parallel()
	env := env(t)
	s := step(t, env, env.App.NewState("c"), turn.Received{Event: message(1, "add a customer")}).After
	leaf := func(company string) ui.Ops {
		return ui.Ops{&ui.Draft{Surface: "form:customer", Values: []ui.Leaf{{Path: "/draft/company",
			Value: ui.String(company)}}}, &ui.Toast{Text: "x"}}
	}
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: noon, Ops: leaf("Ada")}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for company, want := range map[string]int{"Ada": 0, "Bob": 1} {
		ops := turn.DropUnchanged(next, leaf(company))
		if d := ops[0].(*ui.Draft); len(d.Values) != want || len(ops) != 2 {
			t.Errorf("%s: %d values and %d ops, want %d and 2", company, len(d.Values), len(ops), want)
		}
	}
}

// TestMostIsSaid: a message that asks for more rows or steps than there can be opens a
// worksheet for the most, and the user reads what the most is; one that does not is
// answered as ever.
func TestMostIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows   int
		text   string
		stated int
		want   string // "" = nothing of it
	}{
		{0, "I need a table for 2.5k product codes", 2500, ""},
		{0, "I need a table for 5,000 product codes", 5000, ""},
		{0, "I need a table for 6,000 product codes", 5000, "A table holds at most 5000 rows, so this one is for the first 5000 of your 6000."},
		{100, "I need a table for 2.5k product codes", 100, "A table holds at most 100 rows, so this one is for the first 100 of your 2500."},
		{9000, "I need a table for 6,000 product codes", 6000, ""},
	} {
		a, err := app.New(app.Config{Name: "t", Limits: ui.Limits{Rows: c.rows}})
		if err != nil {
			t.Fatal(err)
		}
		env := env(t)
		env.App, env.Routing = a, route.Prefs{Rows: c.rows}
		s := step(t, env, a.NewState("c"), turn.Received{Event: message(1, c.text)}).After
		said := s.Transcript[len(s.Transcript)-1].Text
		if strings.Contains(said, "at most") != (c.want != "") || !strings.HasPrefix(said, c.want) {
			t.Errorf("%d, %s: the user reads %q", c.rows, c.text, said)
		}
		if s.Router.Checkpoint == nil {
			t.Fatalf("%d, %s: no table", c.rows, c.text)
		}
		if got := s.Router.Checkpoint.Criteria.Stated; got != c.stated {
			t.Errorf("%d, %s: %d rows are expected, want %d", c.rows, c.text, got, c.stated)
		}
	}
}

// TestLanguageReplays: the frame of the first thing that is said has the language, and no later one
// changes it.
func TestLanguageReplays(t *testing.T) {
	t.Parallel()
	env := env(t)
	first := env.App.NewState("c")
	replay := first
	s := first
	for i, lang := range []string{"de", "de", "fr", ""} {
		e := message(i+1, "add a customer")
		if i == 0 { // a click on what is not there
			e = submit(&ui.State{Surfaces: []*ui.Surface{{Name: "form:customer", Epoch: 1}}}, "Acme")
		}
		e.Language = lang
		env.App = env.App.In("de")
		done := step(t, env, turn.Spoken(s, e), turn.Received{Event: e})
		next, _, err := ui.Apply(replay, done.Frame, env.App.Config().Limits)
		if err != nil {
			t.Fatal(err)
		}
		s, replay = done.After, next
		if s.Router.Language != "de" || encode(t, s) != encode(t, replay) {
			t.Errorf("message %d: language %q, replayed %q", i+1, s.Router.Language, replay.Router.Language)
		}
	}
	if first.Router.Language != "" {
		t.Error("the state before has changed")
	}
}
