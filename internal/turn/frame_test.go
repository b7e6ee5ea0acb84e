package turn_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestApply: ops that do not apply make a failure that keeps the user's words; strictly they are the error.
func TestApply(t *testing.T) {
	t.Parallel()
	e := env(t)
	s, event := e.App.NewState("c"), message(1, "hello")
	p := turn.Plan{Ops: ui.Ops{&ui.Say{Role: ui.RoleUser, Text: "hello"}, &ui.Lock{Surface: customer}},
		Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	if _, err := turn.Apply(e, s, event, p, true); ui.CodeOf(err) != "UI_SURFACE_UNKNOWN" {
		t.Errorf("strict: %v", err)
	}
	got, err := turn.Apply(e, s, event, p, false)
	if err != nil {
		t.Fatal(err)
	}
	ends(t, "not strict", got.Frame.Outcome, ui.OutcomeFailed, "UI_SURFACE_UNKNOWN")
	equal(t, "the lines", 2, len(got.After.Transcript))
	equal(t, "the user's words", "user : hello", spoken(got.After, 0)[0])
	if len(got.Frame.Warnings) != 1 || !strings.HasPrefix(got.Frame.Warnings[0], "UI_SURFACE_UNKNOWN: ") {
		t.Errorf("warnings %q", got.Frame.Warnings)
	}
}

// TestFail: a frame that cannot be kept still has what a handler did: that the form is answered, if it is there.
func TestFail(t *testing.T) {
	t.Parallel()
	e, s, click, p := called(t)
	done := turn.Resume(e, s, click, p, &turn.Called{Result: app.Result{Text: "Filed."}})
	for name, cause := range map[string]error{"a code": &ui.Error{Code: "UI_LIMIT", Path: "/x", Message: "m"},
		"none": errors.New("boom"), "of A2UI": &a2ui.Problem{Code: a2ui.LimitDepth, Message: "deep"}} {
		got, err := turn.Fail(e, s, click, done, cause)
		if err != nil {
			t.Fatal(err)
		}
		ends(t, name, got.Frame.Outcome, ui.OutcomeDone, "")
		equal(t, name+": the form", ui.StatusSubmitted, status(got.After, customer))
		equal(t, name+": committed", 1, len(got.After.Committed.Pairs()))
		if !strings.HasPrefix(got.Frame.Text, "Filed.\n\n") || len(got.Frame.Warnings) != 1 {
			t.Errorf("%s: the user reads %q, warnings %q", name, got.Frame.Text, got.Frame.Warnings)
		}
	}
	gone := e.App.NewState("c")
	got, err := turn.Fail(e, gone, click, done, errors.New("boom"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the form is gone: committed", 1, len(got.After.Committed.Pairs()))
}

// TestFailKeepsTheDraft: a click whose ops do not apply leaves what was typed with it, if that applies.
func TestFailKeepsTheDraft(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := step(t, e, e.App.NewState("c"), turn.Received{Event: message(1, "add a customer")}).After
	for _, c := range []struct{ company, want string }{{"Acme", "Acme"}, {strings.Repeat("x", 9<<20), ""}} {
		click := submit(s, c.company)
		got, err := turn.Apply(e, s, click, turn.Plan{Ops: ui.Ops{&ui.Lock{Surface: "form:none"}},
			Outcome: ui.Outcome{Kind: ui.OutcomeDone}}, false)
		if err != nil {
			t.Fatal(err)
		}
		ends(t, "the click", got.Frame.Outcome, ui.OutcomeFailed, "UI_SURFACE_UNKNOWN")
		v, _ := got.After.Surface(customer).Get("/draft/company")
		equal(t, "the draft", c.want, v.Text())
		equal(t, "the form", ui.StatusOpen, status(got.After, customer))
	}
}

// TestShow: what is newer joins the frame, and the views show it; without room for it the turn counts all the same.
func TestShow(t *testing.T) {
	t.Parallel()
	e := env(t, withPad)
	s := after(t, e, "show the pad")
	event := message(9, "hello")
	p, applied := planned(t, e, s, turn.Received{Event: event})
	newer := ui.Ops{&ui.Commit{Form: "totals", Values: ui.Map(ui.Pair{Key: "open", Value: ui.Int(7)})}}
	got := turn.Show(e, applied, event, p, newer)
	if !strings.Contains(shown(got.After.Surface("view:pad")), "open: 7") {
		t.Errorf("the view shows %q", shown(got.After.Surface("view:pad")))
	}
	equal(t, "frames", s.Seq+1, got.After.Seq)
	small := e
	small.App = env(t, withPad, func(c *app.Config) { c.Limits.Committed = 8 }).App
	got = turn.Show(small, applied, event, p, newer)
	equal(t, "no room: data", 0, len(got.After.Committed.Pairs()))
	equal(t, "no room: the user reads", applied.Frame.Text, got.Frame.Text)
}

// TestShowWithoutAView: a view that panics or cannot be shown says so, and no longer shows what is old; the turn
// counts all the same, and so do the views beside it. It comes back with the next turn in which it can be shown.
func TestShowWithoutAView(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(*ui.State) ui.Nodes{
		"panics":  func(*ui.State) ui.Nodes { panic("boom") },
		"no tree": func(*ui.State) ui.Nodes { return ui.Nodes{&ui.Text{Key: "a b", Text: "x"}} },
	} {
		broken := false
		e := env(t, func(c *app.Config) {
			c.Views = append(c.Views, app.View{Name: "pad", Title: "Pad", Phrases: []string{"pad"}, Build: func(s *ui.State) ui.Nodes {
				if broken {
					return build(s)
				}
				return ui.Nodes{&ui.Text{Key: "t", Text: "fine"}}
			}}, app.View{Name: "count", Title: "Count", Phrases: []string{"count"}, Build: func(s *ui.State) ui.Nodes {
				return ui.Nodes{&ui.Text{Key: "t", Text: strconv.FormatBool(len(s.Transcript) > 4)}}
			}})
		})
		e.Panicked = func(string, any) {}
		s := after(t, e, "show the pad", "show the count")
		broken = true
		got := step(t, e, s, turn.Received{Event: message(9, "hello")})
		ends(t, name, got.Frame.Outcome, ui.OutcomeDone, "")
		equal(t, name+": the view shows", "Pad can’t be shown at the moment.", shown(got.After.Surface("view:pad")))
		equal(t, name+": the one beside it", "true", shown(got.After.Surface("view:count")))
		if len(got.Frame.Warnings) != 1 || !strings.HasPrefix(got.Frame.Warnings[0], "EXECUTE_VIEW_INVALID: ") {
			t.Errorf("%s: warnings %q", name, got.Frame.Warnings)
		}
		broken = false
		got = step(t, e, got.After, turn.Received{Event: message(10, "hello")})
		equal(t, name+": later", "fine", shown(got.After.Surface("view:pad")))
	}
}

// TestEndCloses: the end closes every surface and forgets what waits; a reply that was on its way changes nothing.
func TestEndCloses(t *testing.T) {
	t.Parallel()
	e := tooled(t)
	s := after(t, e, "We have 3 risks.", "add a customer")
	end := &ui.Event{V: ui.Version, ID: "e", Kind: ui.EventEnd, At: noon}
	ended := step(t, e, s, turn.Received{Event: end}).After
	if !ended.Ended || len(ended.Surfaces) > 0 || ended.Router.Checkpoint != nil {
		t.Errorf("%d surfaces, router %+v", len(ended.Surfaces), ended.Router)
	}
	again := step(t, e, ended, turn.Received{Event: end})
	ends(t, "twice", again.Frame.Outcome, ui.OutcomeDone, "")
	late := step(t, e, ended, turn.Replied{Event: message(9, "hm"), Reply: &agent.Reply{Text: "Well."}})
	ends(t, "a reply", late.Frame.Outcome, ui.OutcomeRefused, ui.CodeEnded)
	equal(t, "ops of a reply", 0, len(late.Frame.Ops))
}

// TestUnknownInput: what nobody can send, and a kind that nobody knows, are refused.
func TestUnknownInput(t *testing.T) {
	t.Parallel()
	e := env(t)
	s := e.App.NewState("c")
	p := turn.Decide(e, s, turn.Received{Event: &ui.Event{Kind: "dance", At: noon}})
	ends(t, "a kind", p.Outcome, ui.OutcomeRefused, ingress.CodeEnvelope)
	p = turn.Decide(e, s, input0{})
	ends(t, "an input", p.Outcome, ui.OutcomeRefused, agent.CodeTurnFailed)
	dropped := turn.Dropped{Event: &ui.Event{Kind: ui.EventReply}, Outcome: ui.Outcome{Kind: ui.OutcomeRefused,
		Code: ingress.CodeStale, Surface: customer}}
	p = turn.Decide(e, s, dropped)
	ends(t, "a run whose action did not count", p.Outcome, ui.OutcomeRefused, ingress.CodeStale)
	equal(t, "about", customer, p.Outcome.Surface)
}

// input0 is an input of no known type.
type input0 struct{}

func (input0) Of() *ui.Event { return &ui.Event{} }

// TestPassing: only what is refused because an agent is gone may count later, and gets no answer that is kept.
func TestPassing(t *testing.T) {
	t.Parallel()
	for code, want := range map[ui.Code]bool{gateway.CodeGone: true, ingress.CodeStale: false, "": false} {
		p := turn.Plan{Outcome: ui.Outcome{Kind: ui.OutcomeRefused, Code: code, Detail: "why", Path: "/x"}}
		if err := p.RefusedForNow(); (err != nil) != want || want && ui.CodeOf(err) != code {
			t.Errorf("%q: %v", code, err)
		}
	}
	if err := (turn.Plan{Outcome: ui.Outcome{Kind: ui.OutcomeFailed, Code: gateway.CodeGone}}).RefusedForNow(); err != nil {
		t.Errorf("what failed: %v", err)
	}
}

// TestNothing: only drafts, writes and deadlines without ops make no frame.
func TestNothing(t *testing.T) {
	t.Parallel()
	ops := ui.Ops{&ui.Toast{Text: "x"}}
	deadline := &ui.Event{Kind: ui.EventAction, Action: &ui.ActionEvent{Call: "c", Returns: true}}
	for name, c := range map[string]struct {
		event *ui.Event
		want  bool
	}{
		"drafts": {&ui.Event{Kind: ui.EventDraft}, true}, "writes": {&ui.Event{Kind: ui.EventShared}, true},
		"a deadline": {deadline, true}, "a click": {&ui.Event{Kind: ui.EventAction, Action: &ui.ActionEvent{}}, false},
		"a message": {&ui.Event{Kind: ui.EventMessage}, false}, "data": {&ui.Event{Kind: ui.EventData}, false},
	} {
		equal(t, name, c.want, turn.Plan{}.Nothing(c.event))
		equal(t, name+" with ops", false, turn.Plan{Ops: ops}.Nothing(c.event))
	}
}
