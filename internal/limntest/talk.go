package limntest

import (
	"context"
	"time"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// Talk is a conversation of a service.
//
//	talk := limntest.NewTalk(t, svc, "ann")
//	talk.Submit(limntest.Say("add a customer"))
//	talk.Submit(limntest.Press(talk.Open("form:customer"), "main/buttons/submit"))
type Talk struct {
	TB
	Service   *session.Service
	ID        string
	Principal string
}

// NewTalk creates a conversation of a principal.
func NewTalk(tb TB, svc *session.Service, principal string) *Talk {
	tb.Helper()
	id, err := svc.Create(context.Background(), principal)
	if err != nil {
		tb.Fatal(err)
	}
	return &Talk{tb, svc, id, principal}
}

// Submit submits an event, from any goroutine, and waits for its frame.
func (t *Talk) Submit(e *ui.Event) session.Receipt {
	t.Helper()
	rec, err := t.Service.Submit(context.Background(), t.ID, t.Principal, e, time.Hour)
	if err != nil {
		t.Errorf("submit: %v", err)
	}
	return rec
}

// State is the newest state.
func (t *Talk) State() *ui.State {
	t.Helper()
	h, err := t.Service.Head(context.Background(), t.ID, t.Principal)
	if err != nil {
		t.Fatal(err)
	}
	return h.State
}

// Open returns a surface, which must be open.
func (t *Talk) Open(n ui.Name) *ui.Surface {
	t.Helper()
	sf := t.State().Surface(n)
	if sf == nil || sf.Status != ui.StatusOpen {
		t.Fatalf("surface %s is not open", n)
	}
	return sf
}

// Say is a message.
func Say(text string) *ui.Event { return &ui.Event{Kind: ui.EventMessage, Text: text} }

// Press is a click on a button of a surface, with the inputs as its context.
func Press(sf *ui.Surface, key ui.KeyPath, inputs ...jsonx.Member) *ui.Event {
	a, _ := sf.ActionAt(key)
	return &ui.Event{Kind: ui.EventAction, Action: &ui.ActionEvent{Surface: sf.WireID(), Name: a.Name,
		Component: key.ComponentID("Button"), Nonce: sf.Nonce, Rev: sf.Rev, Context: jsonx.OfObject(inputs...)}}
}

// Input is an input with a text in it.
func Input(name, text string) jsonx.Member { return jsonx.Member{Key: name, Value: jsonx.Of(text)} }
