package turn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

const noRoom = "That is more than this conversation can hold."

// full is an application whose conversations have room for a number of surfaces.
func full(tb testing.TB, surfaces int) turn.Env {
	tb.Helper()
	field := []ui.Field{{Name: "company", Type: ui.TypeText}}
	view := ui.Nodes{&ui.Text{Key: "t", Text: "Hello"}}
	a, err := app.New(app.Config{Name: "t", Limits: ui.Limits{Surfaces: surfaces},
		Forms: []app.Form{{Name: "customer", Title: "Customer", Phrases: []string{"add a customer"}, Fields: field,
			OnSubmit: "next"}, {Name: "note", Title: "Note", Phrases: []string{"add a note"}, Fields: field}},
		Views:    []app.View{{Name: "home", Title: "Home", Phrases: []string{"show me home"}, Nodes: view}},
		Actions:  []app.Action{{Name: "next", Show: "note"}, {Name: "join", Reply: "Welcome.", Show: "note"}},
		Messages: []app.MessageRoute{{Phrases: []string{"sign me up"}, Action: "join"}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	e := env(tb)
	e.App = a
	return e
}

// TestNoRoom: what a conversation has no room for does not open. The turn fails with
// UI_LIMIT, and the user reads that, not that it is there.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		model      bool
		said       string
	}{
		{"a form by its phrase", "add a note", false, noRoom},
		{"a table by a rule", "I need a table for 6 product codes", false, noRoom},
		{"a table, with a model", "I need a table for 6 product codes", true, noRoom},
		{"a map by a rule", "First draft it, then the manager approves it, then we publish it.", false, noRoom},
		{"a view by its phrase", "show me home", false, noRoom},
		{"a fixed action by its phrase", "sign me up", false, "Welcome.\n\n" + noRoom},
		{"what a submit shows", "", false, "Saved. Thank you.\n\n" + noRoom},
	} {
		for _, room := range []int{1, 2} {
			env := full(t, room)
			env.Model = c.model
			s := step(t, env, env.App.NewState("c"), turn.Received{Event: message(1, "add a customer")}).After
			e := message(2, c.text)
			if c.text == "" {
				e = submit(s, "Acme")
			}
			got := step(t, env, s, turn.Received{Event: e})
			said := got.After.Transcript[len(got.After.Transcript)-1].Text
			out := got.Frame.Outcome
			if room == 2 {
				if out.Kind != ui.OutcomeDone || out.Code != "" || len(got.After.Surfaces) != 2 || strings.Contains(said, noRoom) {
					t.Errorf("%s, with room: %+v, the user reads %q", c.name, out, said)
				}
				continue
			}
			kind := ui.OutcomeFailed
			if c.text == "" {
				kind = ui.OutcomeDone
			}
			if out.Kind != kind || out.Code != ui.CodeLimit || !strings.HasSuffix(out.Message, noRoom) ||
				said != c.said || len(got.After.Surfaces) != 1 {
				t.Errorf("%s: %+v, the user reads %q", c.name, out, said)
			}
			if _, saved := got.After.Committed.Get("customer"); saved != (c.text == "") {
				t.Errorf("%s: committed: %t", c.name, saved)
			}
		}
	}
}

// TestOfferHasRoom: what a button of an offer opens takes the place of the offer.
func TestOfferHasRoom(t *testing.T) {
	t.Parallel()
	env := full(t, 2)
	const text = "I need a table for 6 product codes"
	s := env.App.NewState("c")
	for i := range 2 { // the second is about the one that is open: it is an offer
		s = step(t, env, s, turn.Received{Event: message(i, text)}).After
	}
	sf := s.Surface(execute.OfferName)
	if sf == nil {
		t.Fatalf("no offer: %v", s.Surfaces)
	}
	e := &ui.Event{V: ui.Version, ID: "click", Kind: ui.EventAction, At: noon, Action: &ui.ActionEvent{
		Surface: sf.WireID(), Nonce: sf.Nonce, Rev: sf.Rev}}
	ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if b, ok := n.(*ui.Button); ok && strings.Contains(b.Label, "another") {
			e.Action.Component, e.Action.Name = at.ComponentID("Button"), b.Action.Name
			e.Action.Context = jsonx.OfObject()
		}
		return true
	})
	got := step(t, env, s, turn.Received{Event: e})
	if out := got.Frame.Outcome; out.Kind != ui.OutcomeDone || len(got.After.Surfaces) != 2 ||
		got.After.Surface(execute.OfferName) != nil {
		t.Errorf("%+v, %v, %q", out, got.After.Surfaces, got.Frame.Text)
	}
}

// TestViewIsNone: a view whose Build gives no tree that can be shown is not said to be
// there: the turn fails, and the user reads why.
func TestViewIsNone(t *testing.T) {
	t.Parallel()
	text := func(key string) ui.Node { return &ui.Text{Key: key, Text: "Hello"} }
	var many ui.Nodes
	for i := range 1000 {
		many = append(many, text(fmt.Sprint("t", i)))
	}
	for name, root := range map[string]ui.Nodes{
		"nothing":        nil,
		"two roots":      {text("a"), text("b")},
		"a nil root":     {nil},
		"a missing node": {&ui.Column{Key: "main", Children: ui.Nodes{nil}}},
		"a bad key":      {text("Not a key")},
		"a bad column": {&ui.Table{Rowset: ui.Rowset{Key: "t", Path: "/draft/t", Columns: []ui.Field{{Name: "No key",
			Type: ui.TypeText}}}}},
		"too much": {&ui.Column{Key: "main", Children: many}},
	} {
		code, title := execute.CodeView, "This view cannot be shown."
		if name == "too much" {
			code, title = ui.CodeLimit, noRoom
		}
		a, err := app.New(app.Config{Name: "t", Views: []app.View{{Name: "v", Title: "V", Phrases: []string{"the figures"},
			Build: func(s *ui.State) ui.Nodes {
				if s == nil || len(s.Surfaces) > 0 {
					return ui.Nodes{text("fine")}
				}
				return root
			}}},
			Actions:  []app.Action{{Name: "look", Show: "v"}},
			Messages: []app.MessageRoute{{Phrases: []string{"look at it"}, Action: "look"}}})
		if err != nil {
			t.Fatal(name, err)
		}
		env := env(t)
		env.App = a
		show := directive.Directive{Type: directive.TypeShowView,
			Payload: jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of("v")})}
		for how, in := range map[string]turn.Input{
			"a phrase": turn.Received{Event: message(1, "show me the figures")},
			"a route":  turn.Received{Event: message(1, "look at it")},
			"a model": turn.Replied{Event: message(1, "figures?"), Reply: &agent.Reply{
				Directives: []directive.Directive{show}}},
		} {
			got := step(t, env, a.NewState("c"), in)
			out := got.Frame.Outcome
			if out.Kind != ui.OutcomeFailed || out.Code != code || len(got.After.Surfaces) > 0 ||
				got.Frame.Text != title {
				t.Errorf("%s, by %s: %+v, the user reads %q", name, how, out, got.Frame.Text)
			}
		}
	}
}
