package session_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// nodes are some services on one store and one bus; the first is the world's.
type nodes struct {
	*world
	all []*session.Service
}

func node(name string) func(*session.Config) { return func(c *session.Config) { c.Node = name } }

// newNodes starts n nodes, in a conversation with an open form.
func newNodes(t *testing.T, n int, a *app.App, opts ...func(*session.Config)) *nodes {
	t.Helper()
	w := formWorld(t, a, append(opts, node("node-0"))...)
	m := &nodes{world: w, all: []*session.Service{w.svc}}
	for i := 1; i < n; i++ {
		w.cfg.Node = fmt.Sprintf("node-%d", i)
		m.all = append(m.all, w.start())
	}
	return m
}

// at submits at a node and waits.
func (m *nodes) at(i int, e *ui.Event) session.Receipt {
	m.Helper()
	rec, err := m.all[i].Submit(context.Background(), m.id, "p", e, wait)
	if err != nil {
		m.Errorf("submit at node %d: %v", i, err)
	}
	return rec
}

func (m *nodes) stateAt(i int) *ui.State {
	m.Helper()
	h, err := m.all[i].Head(context.Background(), m.id, "p")
	if err != nil {
		m.Fatal(err)
	}
	return h.State
}

// TestAnyNode: every node answers with the newest state, and knows each answer.
func TestAnyNode(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		m := newNodes(t, 3, declared(t))
		for i := range 3 {
			m.stateAt(i)
		}
		click := send(m.stateAt(1).Surface(form), "Acme")
		first := m.at(1, click)
		m.outcome(first, ui.OutcomeDone, "")
		for i := range 3 {
			equal(t, "answer", first, m.at(i, click))
			equal(t, "status", ui.StatusSubmitted, m.stateAt(i).Surface(form).Status)
			steps, err := m.all[i].Steps(t.Context(), m.id, 1, 10)
			if err != nil || len(steps) != 1 {
				t.Errorf("node %d: %d steps, %v", i, len(steps), err)
			}
		}
		equal(t, "committed", []string{"Acme"}, m.committed())
	})
}

// TestTurnLeaseKeepsOtherNodesOut: while a handler runs at one node, no other
// node commits in that conversation: the second click finds a submitted form.
func TestTurnLeaseKeepsOtherNodesOut(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		calls := 0
		m := newNodes(t, 2, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			calls++
			time.Sleep(25 * time.Second) // longer than a lease lives
			return app.Result{Text: "Saved."}, nil
		})))
		sf, began := m.open(form), time.Now()
		rec := make(chan session.Receipt)
		go func() { rec <- m.at(0, send(sf, "Acme")) }()
		synctest.Wait()
		m.outcome(m.at(1, press(sf, "main/buttons/cancel")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		equal(t, "waited, and no longer", 25*time.Second, time.Since(began))
		m.outcome(<-rec, ui.OutcomeDone, "")
		equal(t, "calls", 1, calls)
		equal(t, "committed", []string{"Acme"}, m.committed())
	})
}

// TestOneRuns: a click that reaches two nodes at once is run by one; both answer.
func TestOneRuns(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		calls := 0
		m := newNodes(t, 2, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			calls++
			time.Sleep(15 * time.Second)
			return app.Result{}, nil
		})))
		click := send(m.open(form), "Acme")
		got := make(chan session.Receipt, 2)
		for i := range 2 {
			go func() { got <- m.at(i, click) }()
		}
		first, second := <-got, <-got
		m.outcome(first, ui.OutcomeDone, "")
		equal(t, "answers", first, second)
		equal(t, "calls", 1, calls)
	})
}

// TestContention: nodes that all go for one conversation refuse nobody.
func TestContention(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		m := newNodes(t, 3, declared(t), func(c *session.Config) { c.Queue, c.Targets = 100, nil })
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() {
				for range 5 {
					m.outcome(m.at(i%3, say("hello")), ui.OutcomeDone, "")
				}
			})
		}
		all.Wait()
		equal(t, "frames", 1+30*5, len(m.frames()))
	})
}

// TestNodeDies: a node that is gone while its handler runs is taken over by
// another one, without anybody opening the conversation, once its lease is over.
func TestNodeDies(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		h := &hang{keys: map[string]int{}, hangs: 1}
		st := newFlaky(memory.New())
		m := newNodes(t, 1, declared(t, handled(true, h.handle)),
			func(c *session.Config) { c.Store, c.Timeout = st, 5*time.Minute })
		m.store = st.Store.Store
		click := send(m.open(form), "Acme")
		go m.svc.Submit(context.Background(), m.id, "p", click, wait) // ends with the test
		synctest.Wait()
		st.set(func(string) error { return errDisk }, nil) // it cannot say that it stops
		_ = m.svc.Close(ended)
		m.cfg.Store, m.cfg.Node = st.Store.Store, "node-1"
		began := time.Now()
		m.svc = m.start()
		time.Sleep(9 * time.Second)
		equal(t, "calls while the lease lives", 1, h.called())
		time.Sleep(7 * time.Second)
		equal(t, "calls", 2, h.called())
		equal(t, "keys", 1, len(h.keys))
		equal(t, "committed", []string{"Acme"}, m.committed())
		m.outcome(m.submit(click), ui.OutcomeDone, "")
		if d := time.Since(began); d > 16*time.Second {
			t.Errorf("taken over after %v", d)
		}
	})
}

// TestHandedOver: a node that stops gives what it has not finished to the others
// at once.
func TestHandedOver(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		h := &hang{keys: map[string]int{}, hangs: 1}
		m := newNodes(t, 2, declared(t, handled(true, h.handle)), model(g))
		asked := make(chan session.Receipt)
		go func() { asked <- m.at(1, say("think hard")) }()
		<-g.Asked
		click := send(m.open(form), "Acme")
		go m.all[1].Submit(context.Background(), m.id, "p", click, wait)
		synctest.Wait()
		began := time.Now()
		_ = m.all[1].Close(ended)
		<-asked
		<-g.Asked
		g.Answer <- envelope("Thought again.")
		m.outcome(m.at(0, click), ui.OutcomeDone, "")
		synctest.Wait()
		equal(t, "delay", 0*time.Second, time.Since(began))
		equal(t, "calls", 2, h.called())
		equal(t, "frames", 3, len(m.frames()))
		equal(t, "pending", 0, m.pending())
	})
}

// TestCancelAtAnotherNode: the user cancels at one node a model run of another.
func TestCancelAtAnotherNode(t *testing.T) {
	for name, lost := range map[string]bool{"bus": false, "no bus": true} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				g := limntest.NewGate()
				m := newNodes(t, 1, declared(t), model(g))
				if lost {
					m.cfg.Bus = localbus.New()
				}
				m.cfg.Node = "node-1"
				m.all = append(m.all, m.start())
				rec := make(chan session.Receipt)
				go func() { rec <- m.at(0, say("think hard")) }()
				<-g.Asked
				began := time.Now()
				m.outcome(m.at(1, &ui.Event{Kind: ui.EventCancel}), ui.OutcomeDone, "")
				m.outcome(<-rec, ui.OutcomeFailed, agent.CodeTurnCanceled)
				if d := time.Since(began); d > 0 && !lost || d > 4*time.Second {
					t.Errorf("canceled after %v", d)
				}
			})
		})
	}
}

// TestCancelThatIsNotKept: a user whose cancel may not have reached the node of the model run is told so.
func TestCancelThatIsNotKept(t *testing.T) {
	for _, op := range []string{"open", "note"} {
		t.Run(op, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				g, st := limntest.NewGate(), newFlaky(memory.New())
				w := newWorld(t, declared(t), model(g), func(c *session.Config) { c.Store, c.Node = st, "node-0" })
				rec := make(chan session.Receipt)
				go func() { rec <- w.submit(say("think hard")) }()
				<-g.Asked
				st.set(failing(op), nil)
				_, err := w.svc.Submit(context.Background(), w.id, "p", &ui.Event{Kind: ui.EventCancel}, 0)
				equal(t, "code", conversation.CodeStore, ui.CodeOf(err))
				st.set(nil, nil)
				w.outcome(<-rec, ui.OutcomeFailed, agent.CodeTurnCanceled) // the run of this node is stopped
			})
		})
	}
}

// TestStepsOfAnotherNode: the steps that a node lists have the newest one that readers were woken for, also where it has
// some in memory.
func TestStepsOfAnotherNode(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		m := newNodes(t, 2, declared(t))
		_, end := m.all[1].Subscribe(m.id)
		defer end()
		seq := m.stateAt(1).Seq
		for range 3 {
			m.outcome(m.at(0, say("hello")), ui.OutcomeDone, "")
			m.stateAt(1) // which has this one in memory
			m.outcome(m.at(0, say("hello again")), ui.OutcomeDone, "")
			time.Sleep(2 * time.Second) // readers were woken for it
			steps, err := m.all[1].Steps(context.Background(), m.id, seq, 64)
			if err != nil || len(steps) != 2 {
				t.Fatalf("%d steps after %d, %v", len(steps), seq, err)
			}
			seq = steps[1].Frame.Seq
		}
	})
}

// TestLostHints: what the bus does not tell, looking does.
func TestLostHints(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		m := newNodes(t, 1, declared(t))
		m.cfg.Bus, m.cfg.Node = localbus.New(), "node-1"
		m.all = append(m.all, m.start())
		wake, end := m.all[1].Subscribe(m.id)
		defer end()
		<-wake // the form, which was there before
		m.submit(send(m.open(form), "Acme"))
		began := time.Now()
		<-wake
		if d := time.Since(began); d > time.Second {
			t.Errorf("found after %v", d)
		}
		equal(t, "seq", uint64(2), m.stateAt(1).Seq)
		synctest.Wait()
		select {
		case <-wake:
			t.Error("woken twice")
		case <-time.After(time.Minute):
		}
	})
}

// reader follows a conversation at a node as a stream does.
type reader struct {
	seqs   []uint64
	failed int // readings that the store refused
	done   chan struct{}
}

func (m *nodes) follow(ctx context.Context, svc *session.Service) *reader {
	r := &reader{done: make(chan struct{})}
	wake, end := svc.Subscribe(m.id)
	go func() {
		defer close(r.done)
		defer end()
		for at := uint64(0); ctx.Err() == nil; {
			steps, err := svc.Steps(context.Background(), m.id, at, 10)
			if err != nil {
				r.failed++
				if code := ui.CodeOf(err); code != conversation.CodeStore {
					m.Errorf("steps: %v", err)
				}
			}
			for _, st := range steps {
				at = st.Frame.Seq
				r.seqs = append(r.seqs, at)
			}
			if len(steps) > 0 {
				continue
			}
			select {
			case <-wake:
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
	}()
	return r
}

// TestDatabaseGone: the database goes away for longer than leases live, while a
// handler and a model run. Events are refused meanwhile, readers stay, and then
// all that was acknowledged is done, once.
func TestDatabaseGone(t *testing.T) {
	for _, n := range []int{1, 2} {
		t.Run(fmt.Sprint(n, " nodes"), func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				calls, asked := 0, 0
				st := newFlaky(memory.New())
				m := newNodes(t, n, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
					calls++
					time.Sleep(15 * time.Second)
					return app.Result{Text: "Saved."}, nil
				})), func(c *session.Config) { c.Store = st },
					model(limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
						asked++
						time.Sleep(15 * time.Second)
						return llm.Reply{Text: envelope("Thought."), Finish: llm.FinishStop}, nil
					})))
				m.store = st.Store.Store
				ctx, end := context.WithCancel(t.Context())
				var readers []*reader
				for _, svc := range m.all {
					readers = append(readers, m.follow(ctx, svc))
				}
				thought, saved := make(chan session.Receipt, 1), make(chan session.Receipt, 1)
				go func() { thought <- m.at(n-1, say("think hard")) }()
				synctest.Wait()
				go func() { saved <- m.at(0, send(m.stateAt(0).Surface(form), "Acme")) }()
				synctest.Wait()

				time.Sleep(5 * time.Second)
				st.set(func(string) error { return errDisk }, nil)
				for range 10 {
					time.Sleep(3 * time.Second)
					for i := range m.all {
						if _, err := m.all[i].Submit(t.Context(), m.id, "p", say("hello?"), 0); ui.CodeOf(err) != conversation.CodeStore {
							t.Errorf("while the database is gone: %v", err)
						}
						if _, err := m.all[i].Head(t.Context(), m.id, "p"); ui.CodeOf(err) != conversation.CodeStore {
							t.Errorf("while the database is gone: %v", err)
						}
					}
				}
				st.set(nil, nil)
				back := time.Now()
				m.outcome(<-saved, ui.OutcomeDone, "")
				m.outcome(<-thought, ui.OutcomeDone, "")
				if d := time.Since(back); d > 15*time.Second {
					t.Errorf("answered %v after the database was back", d)
				}
				m.outcome(m.at(0, say("add a customer")), ui.OutcomeDone, "")
				time.Sleep(time.Minute)
				end()
				equal(t, "calls", 1, calls)
				equal(t, "asked", 1, asked)
				equal(t, "committed", []string{"Acme"}, m.committed())
				equal(t, "pending", 0, m.pending())
				equal(t, "frames", 4, len(m.frames()))
				for _, r := range readers {
					<-r.done
					equal(t, "read", []uint64{1, 2, 3, 4}, r.seqs)
				}
			})
		})
	}
}
