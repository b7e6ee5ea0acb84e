package session_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// TestEviction: a conversation that is thrown out of memory under load runs
// every event once.
func TestEviction(t *testing.T) {
	t.Parallel()
	var calls sync.Map
	w := newWorld(t, declared(t, handled(false, func(_ context.Context, c app.Call) (app.Result, error) {
		n, _ := calls.LoadOrStore(c.Key, new(atomic.Int32))
		if n.(*atomic.Int32).Add(1) > 1 {
			t.Errorf("%s was called again", c.Key)
		}
		return app.Result{}, nil
	})), phrases, func(c *session.Config) { c.Cached = 2; c.Targets = nil })
	var wg sync.WaitGroup
	for range 6 {
		id, err := w.svc.Create(t.Context(), "p")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			wg.Go(func() {
				for i := range 20 {
					if _, err := w.svc.Submit(t.Context(), id, "p", say("add a customer"), wait); err != nil {
						t.Error(err)
						return
					}
					h, err := w.svc.Head(t.Context(), id, "p")
					if err != nil {
						t.Error(err)
						return
					}
					if sf := h.State.Surface(form); sf != nil {
						if _, err := w.svc.Submit(t.Context(), id, "p", send(sf, fmt.Sprint(i)), wait); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
	}
	wg.Wait()
}

// TestAnotherProcessAnswersFirst: another process answers an event while this one still
// runs its handler (no leases keep it from doing so): one frame, one answer.
func TestAnotherProcessAnswersFirst(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			time.Sleep(2 * time.Second)
			return app.Result{}, nil
		})))
		sf := w.open(form)
		rec, began := make(chan session.Receipt), time.Now()
		go func() { rec <- w.submit(send(sf, "Acme")) }()
		time.Sleep(time.Second)
		other := w.start()
		if _, err := other.Head(t.Context(), w.id, "p"); err != nil {
			t.Fatal(err)
		}
		w.outcome(<-rec, ui.OutcomeFailed, agent.CodeEffectUnknown)
		equal(t, "known at once", 2*time.Second, time.Since(began))
		equal(t, "frames", 2, len(w.frames()))
	})
}

// TestBusyIsNotEvicted: a conversation with work in it stays in memory.
func TestBusyIsNotEvicted(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		calls := 0
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			calls++
			time.Sleep(2 * time.Second)
			return app.Result{}, nil
		})), func(c *session.Config) { c.Cached = 1 })
		sf := w.open(form)
		rec := make(chan session.Receipt)
		go func() { rec <- w.submit(send(sf, "Acme")) }()
		time.Sleep(time.Second)
		other, err := w.svc.Create(t.Context(), "p")
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{other, w.id} {
			if _, err := w.svc.Head(t.Context(), id, "p"); err != nil {
				t.Fatal(err)
			}
		}
		w.outcome(<-rec, ui.OutcomeDone, "")
		equal(t, "calls", 1, calls)
	})
}

// TestCancelAtResume: a cancel that comes while a crash's model run is only
// about to begin again stops it all the same.
func TestCancelAtResume(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g))
		w.post(say("think hard"))
		<-g.Asked
		w.crash()
		w.submit(&ui.Event{Kind: ui.EventCancel})
		synctest.Wait()
		frames := w.frames()
		if len(frames) != 1 || frames[0].Outcome.Code != agent.CodeTurnCanceled {
			t.Errorf("%d frames", len(frames))
		}
	})
}

// TestSlotOnce: an event that is tried again, and asks a model then, gives its
// place in the queue back once.
func TestSlotOnce(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		st := newFlaky(memory.New())
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g), func(c *session.Config) { c.Store, c.Queue = st, 1 })
		w.store = st.Store.Store
		asks := func(e *ui.Event, answer string) {
			rec := make(chan session.Receipt)
			go func() { rec <- w.submit(e) }()
			<-g.Asked
			g.Answer <- answer
			w.outcome(<-rec, ui.OutcomeDone, "")
			synctest.Wait()
		}
		asks(say("show it"), envelope("Here.", showPad))
		st.set(failing("append"), nil) // recorded, and then its frame cannot be committed
		w.post(press(w.open(pad), "main/think"))
		st.set(nil, nil)
		<-g.Asked
		g.Answer <- envelope("Thought.")
		synctest.Wait()
		asks(say("and again"), envelope("Well."))
		equal(t, "pending", 0, w.pending())
	})
}
