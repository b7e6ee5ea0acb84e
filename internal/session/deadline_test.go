package session_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// asked is an application that has clients run a function, and what its action got as results.
type asked struct {
	mu   sync.Mutex
	got  []string
	take func(n int) error // what the action does with the nth result; nil: nothing
}

func (a *asked) results() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.got)
}

func (a *asked) app(tb limntest.TB) *app.App {
	return declared(tb, func(c *app.Config) {
		c.Actions = append(c.Actions, app.Action{Name: "where", Call: &ui.Action{Do: "getPosition", Name: "located"}},
			app.Action{Name: "nowhere", Call: &ui.Action{Do: "getPosition", Name: "hello"}},
			app.Action{Name: "located", Idempotent: true,
				Handler: func(_ context.Context, c app.Call) (app.Result, error) {
					a.mu.Lock()
					a.got = append(a.got, string(c.Values.AppendJSON(nil)))
					n := len(a.got)
					a.mu.Unlock()
					if a.take != nil {
						return app.Result{}, a.take(n)
					}
					return app.Result{}, nil
				}})
		main := c.Views[0].Nodes[0].(*ui.Column)
		main.Children = append(main.Children, button("where", true), button("nowhere", true))
	})
}

const expired = `{"error":{"code":"FUNCTION_CALL_EXPIRED","message":"no client answered in time"}}`

// asks has a client run a function, and returns the id of the call.
func (w *world) asks(action string) string {
	w.Helper()
	if w.state().Surface(pad) == nil {
		w.submit(say("pad"))
	}
	w.outcome(w.submit(press(w.open(pad), ui.KeyPath("main/"+action))), ui.OutcomeDone, "")
	calls := w.state().Router.Calls
	if len(calls) == 0 {
		w.Fatal("no call waits")
	}
	return calls[len(calls)-1].ID
}

func resultOf(id string) *ui.Event {
	return &ui.Event{Kind: ui.EventAction, Action: &ui.ActionEvent{Call: id, Returns: true, Version: "v1.0",
		Context: jsonx.OfObject()}, Data: ui.Map(ui.Pair{Key: "value", Value: ui.Int(1)})}
}

// settled fails unless those results were taken, no call and no deadline waits, and so many frames are there.
func (w *world) settled(a *asked, frames int, results ...string) {
	w.Helper()
	if got := strings.Join(a.results(), "\n"); got != strings.Join(results, "\n") {
		w.Errorf("the action got %s", got)
	}
	n, _, err := w.store.Waiting(context.Background())
	if err != nil || n != 0 || len(w.state().Router.Calls) != 0 || len(w.frames()) != frames {
		w.Errorf("%d deadlines and %d calls wait, %d frames, %v", n, len(w.state().Router.Calls), len(w.frames()), err)
	}
}

// TestDeadline: the action that waits for a call learns once that nobody answered in time.
func TestDeadline(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		a := &asked{}
		w := newWorld(t, a.app(t), model(limntest.Says(envelope("Here.", showPad))))
		id := w.asks("where")
		before := len(w.frames())
		time.Sleep(59 * time.Second)
		synctest.Wait()
		equal(t, "results in time", 0, len(a.results()))
		time.Sleep(3 * time.Second)
		synctest.Wait()
		w.settled(a, before+1, expired)
		w.outcome(w.submit(resultOf(id)), ui.OutcomeRefused, "A2UI_C2S_FUNCTION_RESULT_LATE")
		time.Sleep(time.Hour)
		w.settled(a, before+2, expired)

		w.asks("nowhere") // the reply is for a value
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		list := w.frames()
		if o := list[len(list)-1].Outcome; o.Kind != ui.OutcomeFailed || o.Code != "ACTION_FAILED" {
			t.Errorf("%+v", o)
		}
	})
}

// TestDeadlineOfAnAnswer: a result in time leaves no deadline, and neither does the end of a conversation.
func TestDeadlineOfAnAnswer(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		a := &asked{}
		w := newWorld(t, a.app(t), model(limntest.Says(envelope("Here.", showPad))))
		w.submit(resultOf(w.asks("where")))
		before := len(w.frames())
		w.settled(a, before, `{"value":1}`)
		time.Sleep(time.Hour)
		w.settled(a, before, `{"value":1}`)
		w.asks("where")
		if err := w.svc.Delete(t.Context(), w.id, "p"); err != nil {
			t.Error(err)
		}
	})
}

// TestDeadlineWhileTheActionRuns: a result that came in time counts, however long its action takes.
func TestDeadlineWhileTheActionRuns(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		a := &asked{take: func(int) error { time.Sleep(20 * time.Second); return nil }}
		w := newWorld(t, a.app(t), model(limntest.Says(envelope("Here.", showPad))))
		id := w.asks("where")
		before := len(w.frames())
		time.Sleep(50 * time.Second)
		w.post(resultOf(id))
		time.Sleep(time.Minute)
		synctest.Wait()
		w.settled(a, before+1, `{"value":1}`)
	})
}

// TestDeadlineCrash: a deadline that passes while no node runs, and is cut off in its action, is
// met once by the node that comes next.
func TestDeadlineCrash(t *testing.T) {
	t.Run("one node", func(t *testing.T) { limntest.Bubble(t, func(t *testing.T) { deadlineCrash(t, "", "") }) })
	t.Run("another node", func(t *testing.T) { limntest.Bubble(t, func(t *testing.T) { deadlineCrash(t, "a", "b") }) })
}

// hangs is an action that hangs the first time until it is cut off.
func hangs(cut <-chan struct{}) func(int) error {
	return func(n int) error {
		if n == 1 {
			<-cut
			return errors.New("cut off")
		}
		return nil
	}
}

func deadlineCrash(t *testing.T, node, next string) {
	cut := make(chan struct{})
	a := &asked{take: hangs(cut)}
	w := newWorld(t, a.app(t), model(limntest.Says(envelope("Here.", showPad))),
		func(c *session.Config) { c.Node = node })
	w.asks("where")
	before := len(w.frames())
	if err := w.svc.Close(ended); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Hour)
	w.svc = w.start()
	time.Sleep(5 * time.Second)
	synctest.Wait()
	equal(t, "results", 1, len(a.results())) // and the action hangs
	w.cfg.Node = next
	go func() { time.Sleep(time.Second); close(cut) }()
	w.crash()
	time.Sleep(10 * time.Minute)
	synctest.Wait()
	w.settled(a, before+1, expired, expired)
}

// TestDeadlineCrashInTime: a result that came in time counts, though the node dies in its action and the next
// one comes after the deadline.
func TestDeadlineCrashInTime(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		cut := make(chan struct{})
		a := &asked{take: hangs(cut)}
		w := newWorld(t, a.app(t), model(limntest.Says(envelope("Here.", showPad))),
			func(c *session.Config) { c.Node = "a" })
		id := w.asks("where")
		before := len(w.frames())
		time.Sleep(50 * time.Second)
		w.post(resultOf(id))
		synctest.Wait()
		equal(t, "results", 1, len(a.results())) // and the action hangs
		time.Sleep(15 * time.Second)             // beyond the deadline of the call, not of the action
		w.cfg.Node = "b"
		go func() { time.Sleep(time.Second); close(cut) }()
		w.crash()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		w.settled(a, before+1, `{"value":1}`, `{"value":1}`)
	})
}

// TestDeadlineNodes: of two nodes one ends a call.
func TestDeadlineNodes(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		a := &asked{}
		w := newWorld(t, a.app(t), model(limntest.Says(envelope("Here.", showPad))), func(c *session.Config) { c.Node = "a" })
		w.asks("where")
		first := w.svc
		w.cfg.Node = "b"
		w.svc = w.start()
		w.state() // this node has the conversation in memory, too
		w.svc = first
		w.asks("where")
		before := len(w.frames())
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		w.settled(a, before+2, expired, expired)
	})
}
