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
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// TestTrim: a conversation that goes on for ever keeps a bounded log, whichever
// node commits; it is as before for who reads on, and anew for who was away.
func TestTrim(t *testing.T) {
	for _, n := range []int{1, 2} {
		t.Run(fmt.Sprint(n, " nodes"), func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				m := newNodes(t, n, declared(t), func(c *session.Config) { c.Keep, c.Targets = 100, nil })
				longest := uint64(0)
				for i := range 1000 {
					m.outcome(m.at(i%n, say("hello")), ui.OutcomeDone, "")
					synctest.Wait() // trimming comes after the answer
					h, err := m.store.Open(t.Context(), m.id)
					if err != nil {
						t.Fatal(err)
					}
					longest = max(longest, h.Seq-h.Floor)
				}
				if longest > 100+64*uint64(n) {
					t.Errorf("%d frames were kept", longest)
				}
				head := m.stateAt(0)
				for i, svc := range m.all {
					if _, err := svc.Steps(t.Context(), m.id, 10, 10); ui.CodeOf(err) != conversation.CodeTrimmed {
						t.Errorf("node %d, far behind: %v", i, err)
					}
					steps, err := svc.Steps(t.Context(), m.id, head.Seq-40, 100)
					if err != nil || len(steps) != 40 {
						t.Errorf("node %d, a little behind: %d steps, %v", i, len(steps), err)
					}
				}
				m.cfg.Node = "node-9"
				m.all = append(m.all, m.start())
				equal(t, "state of a new node", encoded(t, head), encoded(t, m.stateAt(n)))
			})
		})
	}
}

// TestNothingPilesUp: what a service remembers and prolongs does not grow with
// what it has done.
func TestNothingPilesUp(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		st := newFlaky(memory.New())
		h := &hang{keys: map[string]int{}}
		hints := &counted{Bus: localbus.New()}
		slow := func(ctx context.Context, c app.Call) (app.Result, error) {
			time.Sleep(time.Second)
			return h.handle(ctx, c)
		}
		m := newNodes(t, 2, declared(t, handled(false, slow)), model(limntest.Says(envelope("Here."))),
			func(c *session.Config) { c.Store, c.Bus, c.Keep, c.Cached, c.Targets = st, hints, 100, 4, nil })
		synctest.Wait()
		before := hints.open.Load()
		for i := range 400 {
			if i%50 == 0 { // more of them than are kept in memory
				var err error
				if m.id, err = m.svc.Create(t.Context(), "p"); err != nil {
					t.Fatal(err)
				}
			}
			_, end := m.all[i%2].Subscribe(m.id)
			switch sf := m.stateAt((i + 1) % 2).Surface(form); {
			case i%3 == 0:
				m.at(i%2, keyed(say("think hard"), fmt.Sprint("k", i%7))) // some are repeats
			case sf != nil && sf.Status == ui.StatusOpen:
				id := m.id
				// waits for the handler; ends before the bubble
				go m.all[(i+1)%2].Submit(context.Background(), id, "p", say("hello"), 0)
				m.at(i%2, send(sf, "Acme"))
			default:
				m.at(i%2, say("add a customer"))
			}
			end()
		}
		if h.called() < 50 {
			t.Fatalf("%d calls of the handler", h.called())
		}
		synctest.Wait()
		for i, svc := range m.all {
			kept := svc.Kept()
			if kept.Conversations > 4 || kept.Followed > 0 || kept.Running > 0 || kept.Steps > 4*64 {
				t.Errorf("node %d keeps %+v", i, kept)
			}
		}
		equal(t, "subscriptions", before, hints.open.Load())
		st.set(nil, nil)
		time.Sleep(time.Hour)
		for _, op := range st.calls {
			if op == "acquire" {
				t.Fatal("leases are prolonged though nothing runs")
			}
		}
	})
}

// counted is a bus that counts its subscriptions.
type counted struct {
	*localbus.Bus
	open atomic.Int32
}

func (c *counted) Subscribe(id string) (<-chan struct{}, func()) {
	wake, end := c.Bus.Subscribe(id)
	c.open.Add(1)
	return wake, sync.OnceFunc(func() { end(); c.open.Add(-1) })
}
