package session_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// bubble runs a test in a synctest bubble.
func phrases(c *session.Config) { c.Phrases = true }

// formWorld has the form open.
func formWorld(t *testing.T, a *app.App, opts ...func(*session.Config)) *world {
	w := newWorld(t, a, append(opts, phrases)...)
	w.submit(say("add a customer"))
	w.open(form)
	return w
}

func TestOneTransaction(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		st := newFlaky(memory.New())
		w := formWorld(t, declared(t), func(c *session.Config) { c.Store = st })
		w.store = st.Store.Store
		st.set(nil, nil)
		w.outcome(w.submit(send(w.open(form), "Acme")), ui.OutcomeDone, "")
		equal(t, "transactions", []string{"append"}, st.calls)
		equal(t, "committed", []string{"Acme"}, w.committed())
		equal(t, "status", ui.StatusSubmitted, w.state().Surface(form).Status)
	})
}

func TestExplicitKey(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		sf := w.open(form)
		refused := w.submit(keyed(send(sf, ""), "k1")) // a field is missing
		w.outcome(refused, ui.OutcomeAsked, ui.CodeFieldRequired)
		first := w.submit(keyed(send(w.open(form), "Acme"), "k2"))
		w.outcome(first, ui.OutcomeDone, "")
		stale := w.submit(keyed(send(sf, "late"), "k3"))
		w.outcome(stale, ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		n := len(w.frames())

		// After the form is locked, and after a restart, the first answers stand.
		for range 2 {
			equal(t, "asked", refused, w.submit(keyed(send(sf, ""), "k1")))
			e := send(sf, "Acme")
			e.Action.Rev++ // what was sent
			equal(t, "done", first, w.submit(keyed(e, "k2")))
			equal(t, "refused", stale, w.submit(keyed(send(sf, "late"), "k3")))
			_, err := w.svc.Submit(t.Context(), w.id, "p", keyed(send(sf, "other"), "k2"), wait)
			if ui.CodeOf(err) != recovery.CodeKeyReused {
				t.Errorf("another body: %v", err)
			}
			_, err = w.svc.Submit(t.Context(), w.id, "p", keyed(say("hello"), "k2"), wait)
			if ui.CodeOf(err) != recovery.CodeKeyReused {
				t.Errorf("another kind: %v", err)
			}
			w.crash()
		}
		equal(t, "frames", n, len(w.frames()))
	})
}

func TestDerivedKey(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		var calls atomic.Int32
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			calls.Add(1)
			time.Sleep(time.Second)
			return app.Result{Text: "Saved."}, nil
		})))
		sf := w.open(form)
		w.outcome(w.submit(send(sf, "")), ui.OutcomeAsked, ui.CodeFieldRequired)
		click := send(w.open(form), "Acme") // corrected: another key
		var wg sync.WaitGroup
		got := make([]session.Receipt, 5)
		for i := range got {
			wg.Go(func() { got[i] = w.submit(click) })
		}
		wg.Wait()
		for _, rec := range got {
			equal(t, "answer", got[0], rec)
		}
		w.outcome(got[0], ui.OutcomeDone, "")
		if calls.Load() != 1 {
			t.Errorf("the handler ran %d times", calls.Load())
		}
		equal(t, "committed", []string{"Acme"}, w.committed())
	})
}

func TestRepeat(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, func(c *app.Config) {
			c.Views[0].Nodes = ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{button("hello", true)}}}
		}), model(limntest.Says(envelope("Here.", showPad))))
		w.submit(say("pad"))
		sf := w.open(pad)
		for _, at := range []string{"10:00", "10:00", "10:01"} { // the second is a retry of the first
			e := press(sf, "main/hello")
			e.Action.Timestamp = at
			w.outcome(w.submit(e), ui.OutcomeDone, "")
		}
		equal(t, "frames", 3, len(w.frames()))
	})
}

// TestRepeatOfAGoneSurface: a click that is sent again has its first answer, also
// when the surface that says that each click counts went away between.
func TestRepeatOfAGoneSurface(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, func(c *app.Config) {
			c.Views[0].Nodes = ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{button("hello", true)}}}
		}), model(limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
			if strings.Contains(r.Messages[len(r.Messages)-1].Text, "away with it") {
				return limntest.Says(envelope("Closed.", `{"type":"ui.close","payload":{"surface":"`+string(pad)+`"}}`))(ctx, r)
			}
			return limntest.Says(envelope("Here.", showPad))(ctx, r)
		})))
		w.submit(say("pad"))
		click := press(w.open(pad), "main/hello")
		click.Action.Timestamp = "10:00"
		first := w.submit(click)
		w.outcome(first, ui.OutcomeDone, "")
		w.submit(say("away with it"))
		if w.state().Surface(pad) != nil {
			t.Fatal("the surface is still there")
		}
		equal(t, "the same click", first, w.submit(click))
		w.crash()
		equal(t, "the same click after a restart", first, w.submit(click))
		other := *click.Action
		other.Timestamp = "10:01"
		w.outcome(w.submit(&ui.Event{Kind: click.Kind, Action: &other}), ui.OutcomeRefused, "A2UI_C2S_SURFACE_STALE")
	})
}

func TestPendingKeyWaits(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g))
		first := w.post(keyed(say("think hard"), "k"))
		<-g.Asked
		if first.Done {
			t.Fatal("done before the model answered")
		}
		second := make(chan session.Receipt)
		go func() { second <- w.submit(keyed(say("think hard"), "k")) }()
		synctest.Wait()
		if again := w.post(keyed(say("think hard"), "k")); again.Done || again.Event != first.Event {
			t.Errorf("without waiting: %+v", again)
		}
		g.Answer <- envelope("Thought.")
		rec := <-second
		w.outcome(rec, ui.OutcomeDone, "")
		if rec.Event != first.Event || len(w.frames()) != 1 {
			t.Errorf("receipt %+v, %d frames", rec, len(w.frames()))
		}
		equal(t, "later", rec, w.submit(keyed(say("think hard"), "k")))
	})
}

func TestPreferWait(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g))
		began := time.Now()
		rec, err := w.svc.Submit(t.Context(), w.id, "p", say("one"), 3*time.Second)
		if err != nil || rec.Done || time.Since(began) != 3*time.Second {
			t.Errorf("%+v, %v after %v", rec, err, time.Since(began))
		}
		equal(t, "durable", 1, w.pending())
		g.Answer <- envelope("One.")
		synctest.Wait()
		equal(t, "pending", 0, w.pending())
	})
}

func TestUnknownAndForeign(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		for _, c := range []struct{ id, who string }{{"nobody", "p"}, {w.id, "other"}} {
			if _, err := w.svc.Submit(t.Context(), c.id, c.who, say("hello"), 0); ui.CodeOf(err) != conversation.CodeNotFound {
				t.Errorf("submit to %s as %s: %v", c.id, c.who, err)
			}
			if _, err := w.svc.Head(t.Context(), c.id, c.who); ui.CodeOf(err) != conversation.CodeNotFound {
				t.Errorf("head of %s as %s: %v", c.id, c.who, err)
			}
		}
		for _, e := range []*ui.Event{{}, {Kind: ui.EventAction}, {Kind: ui.EventError},
			{Kind: ui.EventReply, Text: "x"}} {
			if _, err := w.svc.Submit(t.Context(), w.id, "p", e, 0); ui.CodeOf(err) != "A2UI_C2S_ENVELOPE_INVALID" {
				t.Errorf("%+v: %v", e, err)
			}
		}
		equal(t, "frames", 1, len(w.frames()))
	})
}

func TestMailbox(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		in, out := make(chan struct{}, 8), make(chan struct{})
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			in <- struct{}{}
			<-out
			return app.Result{}, nil
		})), func(c *session.Config) { c.Queue = 3; c.Model = limntest.Says(envelope("Hi.")) })
		var wg sync.WaitGroup
		wg.Go(func() { w.submit(send(w.open(form), "Acme")) })
		<-in
		for range 2 {
			wg.Go(func() { w.submit(say("what is the weather")) })
		}
		synctest.Wait()
		if _, err := w.svc.Submit(t.Context(), w.id, "p", say("one more"), 0); ui.CodeOf(err) != recovery.CodeBusy {
			t.Errorf("full: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := w.svc.Submit(ctx, w.id, "p", say("gone"), 0); err == nil {
			t.Error("a request that ended got a turn")
		}
		close(out)
		wg.Wait()
		w.submit(say("one more")) // the places are free again
		equal(t, "frames", 5, len(w.frames()))
	})
}

// TestGoneWhileWaiting ends a request that waits for its turn; its place and
// the turn are free afterwards.
func TestGoneWhileWaiting(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		in, out := make(chan struct{}), make(chan struct{})
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			close(in)
			<-out
			return app.Result{}, nil
		})))
		go w.submit(send(w.open(form), "Acme"))
		<-in
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := errors.New("gone")
		failed := make(chan error)
		go func() {
			_, err := w.svc.Submit(ctx, w.id, "p", say("hello"), wait)
			failed <- err
		}()
		synctest.Wait()
		cancel(gone)
		if err := <-failed; ui.CodeOf(err) != recovery.CodeBusy || !errors.Is(err, gone) {
			t.Errorf("error %v", err)
		}
		close(out)
		w.submit(say("hello"))
		equal(t, "frames", 3, len(w.frames()))
	})
}
