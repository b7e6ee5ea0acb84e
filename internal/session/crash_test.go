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
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// fault is what happens to a process at one of its calls.
type fault string

const (
	dies  fault = "dies"   // nothing it does goes on
	stops fault = "stops"  // and goes on as if nothing had happened, when another one is in the middle of its work
	isCut fault = "is cut" // its calls fail until then, all of them
)

// faulty is the store and the outside of a process that has a fault at its n-th call,
// before the call works or after it did.
type faulty struct {
	*flaky
	fault fault
	at    int
	after bool
	over  chan struct{} // closed when it is over; or at the end, so that the goroutines of the dead end

	mu    sync.Mutex
	calls int
	met   bool
}

func newFaulty(st store.Store, m fault, at int, after bool) *faulty {
	d := &faulty{flaky: newFlaky(st), fault: m, at: at, after: after, over: make(chan struct{})}
	d.set(func(string) error {
		d.mu.Lock()
		d.calls++
		n := d.calls
		d.met = d.met || n >= d.at
		d.mu.Unlock()
		return d.meet(n, !d.after)
	}, func(string) error {
		d.mu.Lock()
		n := d.calls
		d.mu.Unlock()
		return d.meet(n, d.after)
	})
	return d
}

var errDead = errors.New("the process is dead, or cut off")

func (d *faulty) meet(n int, here bool) error {
	if n < d.at || n == d.at && !here {
		return nil
	}
	if d.fault == isCut {
		select {
		case <-d.over:
			return nil
		default:
			return errDead
		}
	}
	<-d.over
	if d.fault == stops {
		return nil
	}
	return errDead
}

func (d *faulty) reached() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.met
}

// outside counts what left the process, by whatever way.
type outside struct {
	sync.Mutex
	keys  map[string]int // effect key → calls
	asked int            // of the model
}

func (o *outside) called(key string) {
	o.Lock()
	defer o.Unlock()
	o.keys[key]++
}

// TestMishapAnywhere: a process dies, is stopped past its leases or is cut off from
// the store, at every single call it makes while a turn runs. Another one, later
// or beside it, ends the turn: once, with effects under one key, and never a
// second time where that was not declared harmless.
func TestMishapAnywhere(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]crashKind{
		"plain":              {},
		"handler":            {effect: true},
		"idempotent handler": {effect: true, idempotent: true},
		"webhook":            {effect: true, webhook: true},
		"message":            {event: say("think hard")},
		"routed message":     {event: say("think hard"), router: true},
		"action and reply":   {think: true},
		"canceled message":   {event: say("think hard"), cancel: true},
		"tools":              {event: say("think hard"), tool: app.RunTools},
		"idempotent tools":   {event: say("think hard"), tool: app.RunHybrid, idempotent: true},
		"routed tools":       {event: say("think hard"), tool: app.RunTools, router: true},
		"canceled tools":     {event: say("think hard"), tool: app.RunTools, cancel: true},
		"message by handler": {event: say("think hard"), byAction: true},
	} {
		for how, m := range map[string]fault{"dies": dies, "node dies": dies, "node stops": stops,
			"node is cut": isCut} {
			t.Run(name+", "+how, func(t *testing.T) {
				points, step := 0, 1
				if testing.Short() {
					step = 3
				}
				for at := 1; ; at += step {
					reached := false
					for _, after := range []bool{false, true} {
						if testing.Short() && after != (at%2 == 0) {
							continue
						}
						synctest.Test(t, func(t *testing.T) { reached = k.run(t, m, how != "dies", at, after) })
					}
					if !reached || t.Failed() {
						break
					}
					points++
				}
				t.Logf("%d points", points)
				if points < 2 {
					t.Errorf("%d points", points)
				}
			})
		}
	}
}

// crashKind is one kind of turn.
type crashKind struct {
	event                                              *ui.Event // nil: a submit
	effect, idempotent, webhook, think, router, cancel bool
	tool                                               string // how the model is run
	byAction                                           bool   // the message is for a handler
}

// process is the configuration of one process; what it does outside is a point
// at which it may die, if it is faulty.
func (k crashKind) process(t *testing.T, d *faulty, out *outside) func(*session.Config) {
	step := func(what string, run func()) error {
		if d == nil {
			run()
			time.Sleep(20 * time.Second)
			return nil
		}
		return d.around(what, func() error { run(); return nil })
	}
	a := declared(t, func(c *app.Config) {
		called := func(_ context.Context, call app.Call) (app.Result, error) {
			equal(t, "principal of the handler", "p", call.Principal)
			return app.Result{Text: "Saved."}, step("handler", func() { out.called(call.Key) })
		}
		switch {
		case k.tool != "":
			t := find(func(_ context.Context, call app.ToolCall) (string, error) {
				equal(t, "principal of the tool", "p", call.Principal)
				return "shipped", step("tool", func() { out.called(call.Key) })
			})
			t.Idempotent = k.idempotent
			tooled(k.tool, t)(c)
		case k.byAction:
			c.Actions = append(c.Actions, app.Action{Name: "save", Handler: called})
			c.Messages = []app.MessageRoute{{Phrases: []string{"think hard"}, Action: "save"}}
		case k.webhook:
			c.Actions = append(c.Actions, app.Action{Name: "save",
				Webhook: &app.Webhook{URL: "https://desk.example/save", Secret: "s"}})
			c.Forms[0].OnSubmit = "save"
		case k.effect:
			handled(k.idempotent, called)(c)
		}
	})
	return func(c *session.Config) {
		c.App, c.Targets, c.Phrases = a, nil, !k.think
		c.Webhook = func(_ context.Context, _ app.Webhook, key string, body []byte) ([]byte, error) {
			if !strings.Contains(string(body), `"principal":"p"`) {
				t.Errorf("webhook is posted %s", body)
			}
			return nil, step("webhook", func() { out.called(key) })
		}
		c.AskTime = 10 * time.Minute
		c.Model = limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
			err := step("model", func() { out.Lock(); out.asked++; out.Unlock() })
			if k.cancel && err == nil {
				select {
				case <-ctx.Done():
					err = ctx.Err()
				case <-time.After(time.Minute):
				}
			}
			if k.tool != "" && err == nil {
				return caller("A1", "A2")(ctx, r)
			}
			return llm.Reply{Text: envelope("Thought."), Finish: llm.FinishStop}, err
		})
		if k.router {
			c.Router = limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
				return llm.Reply{Text: `{"action":"chat","confidence":0.9}`, Finish: llm.FinishStop},
					step("router", func() {})
			})
		}
	}
}

// run has one process die at a point, and reports whether it got there.
func (k crashKind) run(t *testing.T, m fault, nodes bool, at int, after bool) (reached bool) {
	out := &outside{keys: map[string]int{}}
	w := formWorld(t, declared(t), k.process(t, nil, out), model(limntest.Says(envelope("Here.", showPad))))
	w.submit(say("what is new"))
	event := k.event
	switch {
	case k.think:
		event = press(w.open(pad), "main/think")
	case event == nil:
		event = send(w.open(form), "Acme")
	}
	event = keyed(event, "k")
	_ = w.svc.Close(ended)

	d := newFaulty(w.store, m, at, after)
	end := sync.OnceFunc(func() { close(d.over) })
	defer end() // also after a failure
	k.process(t, d, out)(&w.cfg)
	w.cfg.Store = d
	if nodes {
		w.cfg.Node = "dies"
	}
	first := w.start()
	acked := make(chan session.Receipt, 1)
	go func() { // ends when first is closed
		if rec, err := first.Submit(context.Background(), w.id, "p", event, wait); err == nil {
			acked <- rec
		}
	}()
	synctest.Wait()
	if k.cancel {
		go first.Submit(context.Background(), w.id, "p", &ui.Event{Kind: ui.EventCancel}, 0)
		synctest.Wait()
	}
	reached = d.reached()

	k.process(t, nil, out)(&w.cfg)
	w.cfg.Store = w.store
	if nodes {
		w.cfg.Node = "lives"
	}
	w.svc = w.start()
	go func() { // ends before the bubble
		time.Sleep(20 * time.Second)
		if m != dies {
			end()
		}
	}()
	rec := w.submit(event)
	time.Sleep(time.Minute)
	if m != dies {
		again, err := first.Submit(context.Background(), w.id, "p", event, wait)
		if err != nil || again != rec {
			t.Errorf("the other says %+v, then this one %+v, %v", rec, again, err)
		}
	}
	k.judge(t, m, w, out, rec)
	select {
	case was := <-acked:
		if was.Done && was != rec {
			t.Errorf("acknowledged %+v, then %+v", was, rec)
		}
	default:
	}
	if t.Failed() {
		t.Logf("%s at call %d, after it worked: %v; calls %v", m, at, after, d.flaky.calls)
	}
	return reached
}

func (k crashKind) judge(t *testing.T, m fault, w *world, out *outside, rec session.Receipt) {
	t.Helper()
	n, replies := 0, 0
	for _, f := range w.frames() {
		if f.Event == rec.Event {
			n++
		}
		if strings.HasSuffix(string(f.Event), ".reply") {
			replies++
		}
	}
	equal(t, "frames of the event", 1, n)
	equal(t, "pending", 0, w.pending())
	done := rec.Outcome.Kind == ui.OutcomeDone
	calls := 0
	for _, n := range out.keys {
		calls += n
	}
	switch {
	case k.think:
		equal(t, "done", true, done)
		equal(t, "replies", 1, replies)
	case k.cancel:
		if code := rec.Outcome.Code; !done && code != agent.CodeTurnCanceled {
			t.Errorf("outcome %+v", rec.Outcome)
		}
	case k.tool != "":
		equal(t, "done", true, done)
		k.judgeTools(t, m, w, out, rec)
	case k.byAction:
		if calls > 1 || done && calls != 1 || !done && rec.Outcome.Code != agent.CodeEffectUnknown {
			t.Errorf("called %d times: %+v", calls, rec.Outcome)
		}
	case k.event != nil:
		equal(t, "done", true, done)
	case !k.effect:
		equal(t, "done", true, done)
		equal(t, "committed", []string{"Acme"}, w.committed())
	case k.idempotent:
		equal(t, "done", true, done)
		equal(t, "committed", []string{"Acme"}, w.committed())
		equal(t, "keys", 1, len(out.keys))
		if calls > 2 {
			t.Errorf("called %d times", calls)
		}
	default:
		if calls > 1 || done && calls != 1 || !done && rec.Outcome.Code != agent.CodeEffectUnknown {
			t.Errorf("called %d times: %+v", calls, rec.Outcome)
		}
		if got := len(w.committed()); done != (got == 1) {
			t.Errorf("committed %d times: %+v", got, rec.Outcome)
		}
	}
	if k.event == nil && !k.think && !done {
		w.open(form)
	}
	if k.tool == "" && out.asked > 2 {
		t.Errorf("the model was asked %d times", out.asked)
	}
}

// judgeTools: two calls, each made once, or under one key, or the user is told.
func (k crashKind) judgeTools(t *testing.T, m fault, w *world, out *outside, rec session.Receipt) {
	t.Helper()
	total := 0
	for key, n := range out.keys {
		if total += n; n > 1 && !k.idempotent || n > 2 {
			t.Errorf("%s called %d times", key, n)
		}
	}
	unknown := rec.Outcome.Code == agent.CodeEffectUnknown
	said := strings.Contains(w.frames()[rec.Seq-1].Text, "We do not know")
	switch {
	case unknown != said:
		t.Errorf("%+v, said %v", rec.Outcome, said)
	case unknown && k.idempotent, !unknown && len(out.keys) != 2, !k.idempotent && total > 2:
		t.Errorf("keys %v, outcome %+v", out.keys, rec.Outcome)
	}
	rounds, more := 3, 1
	if k.tool == app.RunHybrid {
		rounds = 4
	}
	if m == stops { // the one that goes on may have its answer, too
		more = 2
	}
	if out.asked < rounds || out.asked > rounds+more {
		t.Errorf("the model was asked %d times", out.asked)
	}
}
