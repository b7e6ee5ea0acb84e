package session_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// Reported of CopilotKit's renderer: one click is dispatched five times, each
// with a timestamp of its own.
func TestFaultOneClickDispatchedFiveTimes(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		var calls atomic.Int32
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			calls.Add(1)
			return app.Result{Text: "Saved."}, nil
		})))
		sf := w.open(form)
		var wg sync.WaitGroup
		got := make([]session.Receipt, 5)
		for i := range got {
			wg.Go(func() {
				e := send(sf, "Acme")
				e.Action.Timestamp = fmt.Sprintf("2026-11-20T12:00:00.%03dZ", i)
				got[i] = w.submit(e)
			})
		}
		wg.Wait()
		for _, rec := range got {
			equal(t, "answer", got[0], rec)
		}
		equal(t, "calls", int32(1), calls.Load())
		equal(t, "committed", []string{"Acme"}, w.committed())
	})
}

// Reported: a form that was answered takes a second click, and submits again.
func TestFaultReclickOnAnsweredForm(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		sf := w.open(form)
		first := w.submit(send(sf, "Acme"))
		w.outcome(first, ui.OutcomeDone, "")
		equal(t, "the same click", first, w.submit(send(sf, "Acme")))
		w.outcome(w.submit(send(w.state().Surface(form), "Acme")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		w.outcome(w.submit(send(w.state().Surface(form), "Other")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		equal(t, "committed", []string{"Acme"}, w.committed())
		w.crash()
		w.outcome(w.submit(send(w.state().Surface(form), "Third")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		equal(t, "committed after a restart", []string{"Acme"}, w.committed())
	})
}

// Reported: an open for a name that is another template's takes its surface
// over, with what the user typed there; or another principal's.
func TestFaultOpenForANameOwnedByAnother(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), phrases, model(limntest.Says(envelope("Hello."))))
		w.submit(say("We have 12 stakeholders."))
		list := w.state().Surfaces[0]
		w.submit(press(list, "main/rows/!add"))
		list = w.state().Surface(list.Name)
		w.submit(say("Give me a table of 14 risks instead."))
		w.submit(say("I have 3 vendors."))
		if now := w.state().Surface(list.Name); now == nil || encoded(t, now.Root) != encoded(t, list.Root) ||
			now.Epoch != list.Epoch || now.Nonce != list.Nonce {
			t.Errorf("%v took the place of %v", now, list)
		}
		w.submit(say("add a customer"))
		w.open(form)

		other := send(w.open(form), "Acme") // the same surface, by somebody else
		if _, err := w.svc.Submit(t.Context(), w.id, "mallory", other, wait); ui.CodeOf(err) != conversation.CodeNotFound {
			t.Errorf("another principal: %v", err)
		}
		if _, err := w.svc.Submit(t.Context(), w.id, "mallory", &ui.Event{Kind: ui.EventRegenerate, Surface: form},
			wait); ui.CodeOf(err) != conversation.CodeNotFound {
			t.Errorf("another principal regenerates: %v", err)
		}
		id, err := w.svc.Create(t.Context(), "mallory")
		if err != nil {
			t.Fatal(err)
		}
		rec, err := w.svc.Submit(t.Context(), id, "mallory", other, wait) // his own conversation has no such form
		if err != nil || rec.Outcome.Code != "A2UI_C2S_SURFACE_STALE" {
			t.Errorf("%+v, %v", rec, err)
		}
		w.outcome(w.submit(send(w.open(form), "Acme")), ui.OutcomeDone, "")
	})
}

// The law of derived keys: however often and in whatever order clicks are
// dispatched, each is run once and every dispatch of it gets the first answer;
// what was corrected runs, and what repeats counts by its timestamp.
func TestDerivedKeyLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, declared(rt, func(c *app.Config) {
			c.Actions = append(c.Actions, app.Action{Name: "add", Reply: "Added.", Repeat: true})
			c.Views[0].Nodes = column(button("hello", false), button("add", true))
		}), phrases, model(limntest.Says(envelope("Here.", showPad))))
		w.submit(say("add a customer"))
		w.submit(say("pad"))
		answers, sent := map[string]session.Receipt{}, map[string]*ui.Event{}
		for range rapid.IntRange(1, 15).Draw(rt, "dispatches") {
			name := rapid.SampledFrom([]string{"form", "form a", "form b", "hello", "add 1", "add 2"}).Draw(rt, "click")
			if sent[name] == nil || rapid.IntRange(0, 3).Draw(rt, "dispatched again") == 0 {
				sent[name] = fresh(w, name)
			}
			e, a := *sent[name], *sent[name].Action
			if e.Action = &a; a.Name != "add" {
				a.Timestamp = fmt.Sprint(w.state().Seq) // another each time
			}
			key := fmt.Sprint(name, " ", a.Surface, " ", a.Rev)
			before, rec := w.state().Seq, w.submit(&e)
			first, known := answers[key]
			if known && (rec != first || w.state().Seq != before) {
				rt.Fatalf("%s: answered %+v, then %+v", key, first, rec)
			}
			if !known && w.state().Seq != before+1 {
				rt.Fatalf("%s: no frame", key)
			}
			answers[key] = rec
		}
		if n := len(w.frames()); n != 2+len(answers) {
			rt.Fatalf("%d frames for %d clicks", n, len(answers))
		}
		if n := len(w.committed()); n > 1 {
			rt.Fatalf("%d submits", n)
		}
	})
}

// fresh is a new click on what is there now.
func fresh(w *world, key string) *ui.Event {
	switch s := w.state(); key {
	case "hello":
		return press(s.Surface(pad), "main/hello")
	case "add 1", "add 2":
		e := press(s.Surface(pad), "main/add")
		e.Action.Timestamp = key
		return e
	default:
		return send(s.Surface(form), strings.TrimPrefix(key, "form"))
	}
}

// Reported: after a restart of the server an action of a surface that is still
// on the screen is lost, or answered with an error.
func TestFaultActionAfterServerRestart(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		click := send(w.open(form), "Acme") // as the screen has it
		w.crash()
		w.outcome(w.submit(click), ui.OutcomeDone, "")
		w.crash()
		w.outcome(w.submit(click), ui.OutcomeDone, "") // a retry gets the first answer
		equal(t, "committed", []string{"Acme"}, w.committed())
	})
}
