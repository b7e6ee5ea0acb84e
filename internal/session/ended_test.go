package session_test

import (
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// The end closes every surface and is the last frame: what comes later is
// refused without one, and what was answered before has its answer still.
func TestEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, declared(t), model(limntest.Says(envelope("Here.", showForm))))
		asked := w.submit(keyed(say("a form"), "k"))
		sf := w.open(form)
		sent := w.submit(send(sf, "Acme")) // its key is derived
		w.outcome(w.submit(&ui.Event{Kind: ui.EventEnd}), ui.OutcomeDone, "")
		s := w.state()
		if !s.Ended || len(s.Surfaces) > 0 {
			t.Fatalf("ended %t with %d surfaces", s.Ended, len(s.Surfaces))
		}
		refused := func(e *ui.Event, want ui.Code) {
			t.Helper()
			if rec, err := w.svc.Submit(t.Context(), w.id, "p", e, wait); ui.CodeOf(err) != want {
				t.Errorf("%s after the end: %+v, %v, want %s", e.Kind, rec, err, want)
			}
		}
		for range 2 { // the second time a new process
			for _, e := range []*ui.Event{say("still there?"), keyed(say("and now?"), "k2"), send(sf, "Eve"),
				{Kind: ui.EventRegenerate, Surface: form}, {Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}}} {
				refused(e, ui.CodeEnded)
			}
			refused(keyed(say("another form"), "k"), recovery.CodeKeyReused)
			equal(t, "the message again", asked, w.submit(keyed(say("a form"), "k")))
			equal(t, "the click again", sent, w.submit(send(sf, "Acme")))
			w.outcome(w.submit(&ui.Event{Kind: ui.EventEnd}), ui.OutcomeDone, "")
			if n := w.state().Seq; n != s.Seq || w.pending() > 0 {
				t.Errorf("%d frames and %d pending events after the end, which was frame %d", n, w.pending(), s.Seq)
			}
			w.crash()
		}
		if !w.state().Ended {
			t.Error("the end is forgotten")
		}
	})
}

// A store that is away when a retry comes after the end is no refusal: the
// client asks again.
func TestEndUnknown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		st := newFlaky(memory.New())
		w := newWorld(t, declared(t), func(c *session.Config) { c.Store = st })
		w.store = st.Store.Store
		w.submit(&ui.Event{Kind: ui.EventEnd})
		st.set(failing("lookup"), nil)
		if _, err := w.svc.Submit(t.Context(), w.id, "p", keyed(say("hello"), "k"), wait); ui.CodeOf(err) != conversation.CodeStore {
			t.Errorf("got %v, want %s", err, conversation.CodeStore)
		}
	})
}

// A model that answers after the end is not heard, and its event is answered.
func TestEndWhileAsking(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g))
		first := w.post(keyed(say("think"), "k"))
		<-g.Asked
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
