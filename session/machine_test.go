package session_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/bus/local"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/session"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// reference is what a log says about the form, read without package ui's Apply.
type reference struct {
	epoch     uint32
	rev       uint64
	open      bool
	committed map[string]int
}

func fold(frames []*ui.Frame) reference {
	r := reference{committed: map[string]int{}}
	for _, f := range frames {
		touched := false
		for _, op := range f.Ops {
			switch op := op.(type) {
			case *ui.Open:
				r.epoch, r.rev, r.open = r.epoch+1, 0, true
				touched = true
			case *ui.Lock, *ui.Close:
				r.open, touched = false, true
			case *ui.Draft, *ui.Errors:
				touched = true
			case *ui.Commit:
				v, _ := op.Values.Get("company")
				r.committed[v.Text()]++
			}
		}
		if touched {
			r.rev++
		}
	}
	return r
}

// predict says how a submit that nobody saw before must end.
func (r reference) predict(c *click) ui.OutcomeKind {
	a := c.event.Action
	switch {
	case a.Surface != ui.WireID(form, r.epoch), !r.open, a.Rev > r.rev, a.Rev < 1:
		return ui.OutcomeRefused
	case c.company == "":
		return ui.OutcomeAsked
	}
	return ui.OutcomeDone
}

// click is a submit a client made up once and may send many times.
type click struct {
	company string
	event   *ui.Event
	answer  *session.Receipt // nil: not known yet
}

func (c *click) sent() *ui.Event {
	e := *c.event
	return &e
}

// machine drives one conversation through some services on one store.
type machine struct {
	*rapid.T
	w        *world
	store    *flaky
	services []*session.Service
	clicks   []*click
	lost     atomic.Bool // an answer is not known, so predictions are off
	restarts int
	handled  map[string]int
	mu       sync.Mutex
}

// TestMachine: whatever clients, models, crashes, faults of the store and
// other processes do, each submit is committed at most once, exactly once if
// its answer says so, and every repeat has the first answer.
func TestMachine(t *testing.T) {
	for _, n := range []int{1, 2} {
		for _, effect := range []bool{false, true} {
			t.Run(fmt.Sprintf("services %d, handler %v", n, effect), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					rapid.Check(timeless{t}, func(rt *rapid.T) { newMachine(rt, n, effect).run() })
				})
			})
		}
	}
}

// timeless hides Deadline, which a bubble does not have.
type timeless struct{ rapid.TB }

func newMachine(rt *rapid.T, services int, effect bool) *machine {
	m := &machine{T: rt, handled: map[string]int{}, store: &flaky{Store: memory.New()}}
	var opts []func(*app.Config)
	if effect {
		opts = append(opts, handled(true, func(_ context.Context, c app.Call) (app.Result, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			v, _ := c.Values.Get("company")
			m.handled[v.Text()+" "+c.Key]++
			return app.Result{Text: "Saved."}, nil
		}))
	}
	slow := modelFunc(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
		select {
		case <-time.After(2 * time.Second):
			return llm.Reply{Text: envelope("Here.", showForm), Finish: llm.FinishStop}, nil
		case <-ctx.Done():
			return llm.Reply{}, ctx.Err()
		}
	})
	m.w = newWorld(rt, declared(rt, opts...), model(slow), phrases, func(c *session.Config) {
		c.Store, c.Targets = m.store, c.Targets[:1]
		if services > 1 {
			c.Node = "node-0"
		}
	})
	m.w.store = m.store.Store
	m.services = []*session.Service{m.w.svc}
	for len(m.services) < services {
		m.w.cfg.Bus = local.New() // no wake-ups between processes
		m.w.cfg.Node = fmt.Sprintf("node-%d", len(m.services))
		m.services = append(m.services, m.w.start())
	}
	return m
}

func (m *machine) run() {
	m.Repeat(map[string]func(*rapid.T){
		"open":   func(rt *rapid.T) { m.try(rt, say("add a customer")) },
		"ask":    func(rt *rapid.T) { m.try(rt, say("what is new")) },
		"stop":   func(rt *rapid.T) { m.try(rt, &ui.Event{Kind: ui.EventCancel}) },
		"submit": m.submit,
		"again":  func(rt *rapid.T) { m.send(rt, m.known(rt), 1) },
		"twice":  func(rt *rapid.T) { m.send(rt, m.known(rt), 3) },
		"cancel": m.cancel,
		"time": func(rt *rapid.T) {
			time.Sleep(time.Duration(rapid.IntRange(1, 40).Draw(rt, "s")) * time.Second)
			synctest.Wait()
		},
		"crash": func(rt *rapid.T) {
			i := rapid.IntRange(0, len(m.services)-1).Draw(rt, "service")
			_ = m.services[i].Close(ended)
			if m.w.cfg.Node != "" {
				m.restarts++
				m.w.cfg.Node = fmt.Sprintf("again-%d", m.restarts)
			}
			m.services[i] = m.w.start()
		},
		"fault": m.fault,
		"":      func(*rapid.T) { m.check() },
	})
	m.end()
}

func (m *machine) service(rt *rapid.T) *session.Service {
	return m.services[rapid.IntRange(0, len(m.services)-1).Draw(rt, "service")]
}

// try posts something whose answer does not matter.
func (m *machine) try(rt *rapid.T, e *ui.Event) {
	if _, err := m.service(rt).Submit(context.Background(), m.w.id, "p", e, 0); err != nil {
		m.lost.Store(true)
	}
	synctest.Wait()
}

// surface is the form as a client saw it last.
func (m *machine) surface(rt *rapid.T) *ui.Surface {
	svc := m.service(rt)
	if svc.Look(context.Background(), m.w.id) != nil {
		return nil
	}
	h, err := svc.Head(context.Background(), m.w.id, "p")
	if err != nil {
		return nil
	}
	return h.State.Surface(form)
}

func (m *machine) submit(rt *rapid.T) {
	sf := m.surface(rt)
	if sf == nil {
		rt.Skip()
	}
	c := &click{company: rapid.SampledFrom([]string{"", fmt.Sprintf("c%d", len(m.clicks))}).Draw(rt, "company")}
	c.event = send(sf, c.company)
	c.event.Action.Rev = uint64(max(0, int64(sf.Rev)+rapid.Int64Range(-2, 1).Draw(rt, "rev")))
	if rapid.Bool().Draw(rt, "key") {
		c.event.Key = fmt.Sprintf("k%d", len(m.clicks))
	}
	for _, other := range m.clicks { // an empty one may be the same click as before
		if other.event.Key == "" && c.event.Key == "" && encoded(rt, other.event.Action) == encoded(rt, c.event.Action) {
			rt.Skip()
		}
	}
	m.clicks = append(m.clicks, c)
	m.send(rt, c, rapid.IntRange(1, 3).Draw(rt, "times"))
}

func (m *machine) known(rt *rapid.T) *click {
	if len(m.clicks) == 0 {
		rt.Skip()
	}
	return m.clicks[rapid.IntRange(0, len(m.clicks)-1).Draw(rt, "click")]
}

// send posts one click some times at once, wherever.
func (m *machine) send(rt *rapid.T, c *click, times int) {
	want := fold(m.w.frames()).predict(c)
	var wg sync.WaitGroup
	got := make([]*session.Receipt, times)
	for i := range times {
		svc := m.service(rt)
		wg.Go(func() {
			rec, err := svc.Submit(context.Background(), m.w.id, "p", c.sent(), 0)
			if err == nil && rec.Done {
				got[i] = &rec
			} else if err != nil && ui.CodeOf(err) != session.CodeStore && ui.CodeOf(err) != session.CodeBusy {
				rt.Errorf("submit: %v", err)
			}
		})
	}
	wg.Wait()
	synctest.Wait()
	fresh := c.answer == nil && !m.lost.Load()
	for _, rec := range got {
		switch {
		case rec == nil:
			if c.answer == nil {
				m.lost.Store(true)
			}
			fresh = false
		case c.answer == nil:
			c.answer = rec
		case *rec != *c.answer:
			rt.Errorf("%q: first %+v, then %+v", c.company, *c.answer, *rec)
		}
	}
	if fresh && c.answer.Outcome.Kind != want {
		rt.Errorf("%q at %s rev %d: %+v, want %s", c.company, c.event.Action.Surface, c.event.Action.Rev, *c.answer, want)
	}
}

func (m *machine) cancel(rt *rapid.T) {
	if sf := m.surface(rt); sf != nil && sf.Status == ui.StatusOpen {
		m.try(rt, press(sf, "main/buttons/cancel"))
	}
}

// fault makes the store fail for one operation to come, before or after it worked.
func (m *machine) fault(rt *rapid.T) {
	op := rapid.SampledFrom([]string{"append", "record", "note"}).Draw(rt, "op")
	left := rapid.IntRange(1, 4).Draw(rt, "times")
	fail := func(o string) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		if o != op || left == 0 {
			return nil
		}
		left--
		m.lost.Store(true)
		return errDisk
	}
	if rapid.Bool().Draw(rt, "after") {
		m.store.set(nil, fail)
	} else {
		m.store.set(fail, nil)
	}
}

// check holds at any moment.
func (m *machine) check() {
	m.Helper()
	ref := fold(m.w.frames())
	for _, c := range m.clicks {
		n := ref.committed[c.company]
		if c.company == "" {
			n = 0
		}
		done := c.answer != nil && c.answer.Outcome.Kind == ui.OutcomeDone
		if n > 1 || done && n != 1 || c.answer != nil && !done && n != 0 {
			m.Errorf("%q is committed %d times, the answer is %+v", c.company, n, c.answer)
		}
	}
}

// end brings everything to rest and asks for every answer once more.
func (m *machine) end() {
	m.store.set(nil, nil)
	for _, svc := range m.services {
		_ = svc.Look(context.Background(), m.w.id)
	}
	time.Sleep(30 * time.Minute)
	synctest.Wait()
	if n := m.w.pending(); n != 0 {
		m.Errorf("%d events are not answered", n)
	}
	m.lost.Store(true)
	for _, c := range slices.Clone(m.clicks) {
		rec, err := m.services[0].Submit(context.Background(), m.w.id, "p", c.sent(), wait)
		if err != nil || !rec.Done || c.answer != nil && rec != *c.answer {
			m.Errorf("%q: first %+v, at the end %+v, %v", c.company, c.answer, rec, err)
		}
		c.answer = &rec
	}
	m.check()
	keys := map[string]int{}
	for k := range m.handled {
		var company string
		fmt.Sscan(k, &company)
		if keys[company]++; keys[company] > 1 {
			m.Errorf("%q had effects under two keys", company)
		}
	}
	var states []string
	for _, svc := range append(slices.Clone(m.services), m.w.start()) {
		_ = svc.Look(context.Background(), m.w.id)
		h, err := svc.Head(context.Background(), m.w.id, "p")
		if err != nil {
			m.Fatal(err)
		}
		states = append(states, encoded(m, h.State))
	}
	for _, s := range states[1:] {
		equal(m, "state in another process", states[0], s)
	}
}
