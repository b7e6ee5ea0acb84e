package session_test

import (
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/ui"
)

// The end closes every surface and is the last that changes anything.
func TestEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, declared(t), model(says(envelope("Here.", showForm))))
		w.submit(say("a form"))
		sf := w.open(form)
		w.outcome(w.submit(&ui.Event{Kind: ui.EventEnd}), ui.OutcomeDone, "")
		s := w.state()
		if !s.Ended || len(s.Surfaces) > 0 {
			t.Fatalf("ended %t with %d surfaces", s.Ended, len(s.Surfaces))
		}
		for _, e := range []*ui.Event{say("still there?"), send(sf, "Acme"), {Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}}} {
			w.outcome(w.submit(e), ui.OutcomeRefused, ui.CodeEnded)
		}
		w.outcome(w.submit(&ui.Event{Kind: ui.EventEnd}), ui.OutcomeDone, "")
		if len(w.committed()) > 0 || len(w.state().Transcript) != len(s.Transcript) {
			t.Error("something followed the end")
		}
		w.crash()
		if !w.state().Ended {
			t.Error("the end is forgotten")
		}
	})
}

// A model that answers after the end is not heard, and its event is answered.
func TestEndWhileAsking(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := newWorld(t, declared(t), model(g))
		first := w.post(keyed(say("think"), "k"))
		<-g.asked
		w.submit(&ui.Event{Kind: ui.EventEnd})
		synctest.Wait()
		if w.pending() > 0 {
			t.Fatal("an event is still pending")
		}
		rec := w.submit(keyed(say("think"), "k"))
		w.outcome(rec, ui.OutcomeRefused, ui.CodeEnded)
		if rec.Event != first.Event || len(w.state().Transcript) > 0 {
			t.Errorf("answer %+v, transcript %v", rec, w.state().Transcript)
		}
	})
}
