package session_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// TestHandlerFailures: whatever a handler does, what was typed is kept, and the values are
// committed only if it succeeds.
func TestHandlerFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handler    app.Handler
		idempotent bool
		kind       ui.OutcomeKind
		code       ui.Code
		commits    int
	}{
		"error": {handler: func(context.Context, app.Call) (app.Result, error) { return app.Result{}, errors.New("no") }, kind: ui.OutcomeFailed, code: "ACTION_FAILED"},
		"panic": {handler: func(context.Context, app.Call) (app.Result, error) { panic("boom") }, kind: ui.OutcomeFailed, code: "ACTION_FAILED"},
		"timeout": {handler: func(ctx context.Context, _ app.Call) (app.Result, error) {
			<-ctx.Done()
			return app.Result{}, ctx.Err()
		},
			kind: ui.OutcomeFailed, code: agent.CodeEffectUnknown},
		"idempotent timeout": {handler: func(ctx context.Context, _ app.Call) (app.Result, error) {
			<-ctx.Done()
			return app.Result{}, errors.New("late")
		}, idempotent: true, kind: ui.OutcomeFailed, code: agent.CodeEffectUnknown},
		"field errors": {handler: func(context.Context, app.Call) (app.Result, error) {
			return app.Result{Errors: []ui.FieldError{{Path: "/draft/company", Code: ui.CodeFieldPattern, Text: "Taken."}}}, nil
		}, kind: ui.OutcomeAsked, code: ui.CodeFieldPattern},
		"long text": {handler: func(context.Context, app.Call) (app.Result, error) {
			return app.Result{Text: strings.Repeat("é", 100_000), Toast: "caf\xe9"}, nil
		}, kind: ui.OutcomeDone, commits: 1},
		"long field error": {handler: func(context.Context, app.Call) (app.Result, error) {
			return app.Result{Errors: []ui.FieldError{{Path: "/draft/company", Code: "X", Text: "caf\xe9" + strings.Repeat("e", 32_760)}}}, nil
		}, kind: ui.OutcomeAsked, code: "X"},
		"fine": {handler: func(_ context.Context, c app.Call) (app.Result, error) { return app.Result{Text: c.Key}, nil }, kind: ui.OutcomeDone, commits: 1},
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := formWorld(t, declared(t, handled(c.idempotent, c.handler)))
				rec := w.submit(send(w.open(form), "Acme"))
				w.outcome(rec, c.kind, c.code)
				equal(t, "commits", c.commits, len(w.committed()))
				equal(t, "frames", 2, len(w.frames()))
				sf := w.state().Surface(form)
				company, _ := sf.Draft.Get("company")
				equal(t, "draft kept", "Acme", company.Text())
				if c.commits == 0 {
					equal(t, "status", ui.StatusOpen, sf.Status)
				}
				if name == "fine" {
					equal(t, "effect key", string(rec.Event)+"/0", w.frames()[1].Text)
				}
				want := encoded(t, w.state())
				w.crash()
				equal(t, "state after restart", want, encoded(t, w.state()))
			})
		})
	}
}

// hang is a handler that is cut off in its first calls.
type hang struct {
	sync.Mutex
	calls int
	keys  map[string]int
	hangs int // how many of its calls hang until they are cut off
	then  error
}

func (h *hang) called() int {
	h.Lock()
	defer h.Unlock()
	return h.calls
}

func (h *hang) handle(ctx context.Context, c app.Call) (app.Result, error) {
	h.Lock()
	h.calls++
	h.keys[c.Key]++
	hangs := h.calls <= h.hangs
	h.Unlock()
	if hangs {
		<-ctx.Done()
		return app.Result{}, ctx.Err()
	}
	return app.Result{Text: "Saved."}, h.then
}

// TestCutOff: the process stops while a handler runs; the next one knows.
func TestCutOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		idempotent bool
		then       error // of the second call
		kind       ui.OutcomeKind
		code       ui.Code
		calls      int
		commits    int
	}{
		"unknown":              {false, nil, ui.OutcomeFailed, agent.CodeEffectUnknown, 1, 0},
		"idempotent":           {true, nil, ui.OutcomeDone, "", 2, 1},
		"idempotent, then ill": {true, errors.New("HTTP 500"), ui.OutcomeFailed, agent.CodeEffectUnknown, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				h := &hang{keys: map[string]int{}, hangs: 1, then: c.then}
				w := formWorld(t, declared(t, handled(c.idempotent, h.handle)))
				click := send(w.open(form), "Acme")
				cut := make(chan session.Receipt)
				go func() { cut <- w.submit(click) }()
				synctest.Wait()
				w.crash()
				if rec := <-cut; rec.Done {
					t.Errorf("cut off, and done: %+v", rec)
				}
				rec := w.submit(click) // opens the conversation, and finds the first try
				w.outcome(rec, c.kind, c.code)
				equal(t, "calls", c.calls, h.called())
				equal(t, "keys", 1, len(h.keys))
				equal(t, "frames", 2, len(w.frames()))
				equal(t, "commits", c.commits, len(w.committed()))
			})
		})
	}
}

// TestResultFromJournal: a result that was noted is used, not fetched again;
// and nothing that comes after the crash gets between an effect and its frame.
func TestResultFromJournal(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		calls := 0
		w := newWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			calls++
			return app.Result{Text: "Saved.", Toast: "!"}, nil
		})), phrases)
		st := newFlaky(w.store)
		w.cfg.Store = st
		w.crash()
		w.submit(say("add a customer"))
		sf := w.open(form)
		st.set(failing("append"), nil)
		if rec := w.post(send(sf, "Acme")); rec.Done {
			t.Errorf("%+v", rec)
		}
		st.set(nil, nil)
		w.crash()
		w.outcome(w.submit(press(sf, "main/buttons/cancel")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		equal(t, "calls", 1, calls)
		equal(t, "committed", []string{"Acme"}, w.committed())
		frames := w.frames()
		equal(t, "text", "Saved.", frames[1].Text)
		equal(t, "toasts", []string{"!"}, frames[1].Toasts)
	})
}

// TestPoison: an event whose turn takes the process down every time ends.
func TestPoison(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		h := &hang{keys: map[string]int{}, hangs: 100}
		w := formWorld(t, declared(t, handled(true, h.handle)))
		click := send(w.open(form), "Acme")
		go w.post(click)
		for range 4 {
			synctest.Wait()
			w.crash()
			w.state() // opens the conversation
		}
		equal(t, "calls", 3, h.called())
		w.outcome(w.submit(click), ui.OutcomeFailed, session.CodePoison)
		equal(t, "frames", 2, len(w.frames()))
		equal(t, "status", ui.StatusOpen, w.open(form).Status)
	})
}

// TestPoisonAfterResult: an event whose handler has answered is given up with what
// the handler did: its form is submitted, and cannot be submitted again.
func TestPoisonAfterResult(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		calls := 0
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			calls++
			return app.Result{Text: "Saved."}, nil
		})))
		st := newFlaky(w.store)
		w.cfg.Store = st
		w.crash()
		click := send(w.open(form), "Acme")
		st.set(failing("append"), nil)
		w.post(click)
		for range 3 {
			w.crash()
			w.state() // opens the conversation
			synctest.Wait()
		}
		st.set(nil, nil)
		w.crash()
		w.outcome(w.submit(click), ui.OutcomeDone, "")
		equal(t, "calls", 1, calls)
		equal(t, "committed", []string{"Acme"}, w.committed())
		equal(t, "text", "Saved.", w.frames()[1].Text)
		equal(t, "status", ui.StatusSubmitted, w.state().Surface(form).Status)
	})
}

// TestNothingBegunThatCannotBeKept: a submit that does not fit calls nobody.
func TestNothingBegunThatCannotBeKept(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		calls := 0
		w := formWorld(t, declared(t, func(c *app.Config) { c.Limits.Committed = 64 },
			handled(false, func(context.Context, app.Call) (app.Result, error) { calls++; return app.Result{}, nil })))
		w.outcome(w.submit(send(w.open(form), strings.Repeat("x", 100))), ui.OutcomeFailed, ui.CodeLimit)
		equal(t, "calls", 0, calls)
		w.open(form)
	})
}

func TestClose(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g))
		waits := make(chan session.Receipt)
		go func() { waits <- w.submit(say("think hard")) }()
		<-g.Asked
		closed := make(chan error)
		go func() { closed <- w.svc.Close(context.Background()) }()
		synctest.Wait()
		if _, err := w.svc.Submit(t.Context(), w.id, "p", say("late"), 0); ui.CodeOf(err) != recovery.CodeDraining {
			t.Errorf("while draining: %v", err)
		}
		if w.svc.Ready() == nil {
			t.Error("ready while draining")
		}
		g.Answer <- envelope("Thought.")
		w.outcome(<-waits, ui.OutcomeDone, "")
		if err := <-closed; err != nil {
			t.Error(err)
		}

		w.crash()
		go func() { waits <- w.submit(say("think hard")) }()
		<-g.Asked
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if err := w.svc.Close(ctx); err != nil { // cut off
			t.Error(err)
		}
		if rec := <-waits; rec.Done {
			t.Errorf("cut off, and done: %+v", rec)
		}
		equal(t, "pending", 1, w.pending())
		w.svc = w.start()
		w.state()
		<-g.Asked
		g.Answer <- envelope("Thought again.")
		synctest.Wait()
		equal(t, "frames", 2, len(w.frames()))
		equal(t, "pending", 0, w.pending())
	})
}

// TestCloseWaitsForTurns: a handler is work too.
func TestCloseWaitsForTurns(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			time.Sleep(3 * time.Second)
			return app.Result{}, nil
		})))
		rec := make(chan session.Receipt)
		go func() { rec <- w.submit(send(w.open(form), "Acme")) }()
		synctest.Wait()
		began := time.Now()
		if err := w.svc.Close(t.Context()); err != nil || time.Since(began) != 3*time.Second {
			t.Errorf("closed after %v, %v", time.Since(began), err)
		}
		w.outcome(<-rec, ui.OutcomeDone, "")
		equal(t, "committed", []string{"Acme"}, w.committed())
	})
}

// TestHandlerTakesItsTime: who posts an action waits for its handler as long as
// they said, and no longer than it takes; the event is durable before.
func TestHandlerTakesItsTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ wait, waited time.Duration }{{0, 0}, {time.Second, time.Second},
		{10 * time.Second, 5 * time.Second}} {
		t.Run(tt.wait.String(), func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				calls := 0
				w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
					calls++
					time.Sleep(5 * time.Second)
					return app.Result{Text: "At last."}, nil
				})))
				e := send(w.open(form), "Acme")
				post := func(wait time.Duration) session.Receipt {
					rec, err := w.svc.Submit(t.Context(), w.id, "p", e, wait)
					if err != nil {
						t.Error(err)
					}
					return rec
				}
				began := time.Now()
				rec := post(tt.wait)
				equal(t, "waited", tt.waited, time.Since(began))
				equal(t, "done", tt.wait > 5*time.Second, rec.Done)
				equal(t, "pending", !rec.Done, w.pending() == 1)
				time.Sleep(time.Minute)
				again := post(0)
				equal(t, "event", rec.Event, again.Event)
				w.outcome(again, ui.OutcomeDone, "")
				equal(t, "calls", 1, calls)
				equal(t, "committed", []string{"Acme"}, w.committed())
			})
		})
	}
}

// TestAnswerIsAskedAgain: doors ask for the answer of an event first without waiting, and then
// again.
func TestAnswerIsAskedAgain(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			time.Sleep(5 * time.Second)
			return app.Result{Text: "At last."}, nil
		})))
		answer, err := w.svc.Take(t.Context(), w.id, "p", send(w.open(form), "Acme"))
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for i, done := range []bool{false, true, true} {
			rec := answer(t.Context(), time.Duration(i)*time.Minute)
			equal(t, "done", done, rec.Done)
		}
		equal(t, "waited", 5*time.Second, time.Since(began))
	})
}

// TestWhatAHandlerAskedForIsNotDone: the user reads what was dropped of a handler's answer
// after its words; the handler's own work is done.
func TestWhatAHandlerAskedForIsNotDone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		directive directive.Directive
		said      string
		code      ui.Code
	}{
		"closed": {directive.Directive{Type: directive.TypeShowTable, Payload: jsonx.OfObject(
			jsonx.Member{Key: "name", Value: jsonx.Of("risks")})},
			"That was not opened, as you asked. Tell me when you want it back.", execute.CodeGateClosed},
		"unknown": {directive.Directive{Type: directive.TypeShowForm, Payload: jsonx.OfObject(
			jsonx.Member{Key: "name", Value: jsonx.Of("nothing")})},
			"Part of what the assistant asked for could not be done (nothing).", execute.CodeUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := formWorld(t, declared(t, risks, handled(false, func(context.Context, app.Call) (app.Result, error) {
					return app.Result{Text: "Here you go.", Directives: []directive.Directive{c.directive}}, nil
				})))
				w.submit(&ui.Event{Kind: ui.EventPreference,
					Preference: &ui.Preference{OptOut: &ui.OptOut{Tools: []string{ui.ToolTable}}}})
				w.outcome(w.submit(send(w.open(form), "Acme")), ui.OutcomeDone, c.code)
				equal(t, "commits", 1, len(w.committed()))
				said := w.state().Transcript
				equal(t, "the user reads", "Here you go.\n\n"+c.said, said[len(said)-1].Text)
			})
		})
	}
}
