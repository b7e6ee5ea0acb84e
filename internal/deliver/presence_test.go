package deliver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
)

// watched is a client that shares drafts at one node: how many it is told that there are.
type watched struct {
	limntest.TB
	told   chan int
	cancel func()
}

func (w *world) watch(d *deliver.Deliverer) *watched {
	w.Helper()
	req := w.request("html", deliver.Limn)
	req.Target.Syncs = true
	ctx, cancel := context.WithCancel(context.Background())
	s, err := d.Open(ctx, req)
	if err != nil {
		w.Fatal(err)
	}
	c := &watched{w.TB, make(chan int, 1000), cancel}
	go func() { // ends with cancel
		_ = s.Serve(ctx, writer(func(p []byte) error {
			for _, chunk := range chunksOf(p) {
				var is struct{ Clients int }
				if chunk.Event == "watch" && json.Unmarshal(chunk.Data[0], &is) == nil {
					if live := bytes.Contains(chunk.Data[0], []byte(`"onChanged"`)); live != (is.Clients > 1) {
						w.Errorf("%d clients, and typing is sent: %v", is.Clients, live)
					}
					c.told <- is.Clients
				}
			}
			return nil
		}))
	}()
	return c
}

// last is the number that was told last; 0: none since.
func (c *watched) last() (n int) {
	synctest.Wait()
	for {
		select {
		case n = <-c.told:
		default:
			return n
		}
	}
}

// TestPresenceOfNodes: clients of one conversation at several nodes know how many they are,
// also when a node dies without a word.
func TestPresenceOfNodes(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("Here.", showForm)
		two, three := w.deliverer(w.start()), w.deliverer(&halfDeaf{Source: w.start()})
		a := w.watch(w.deliver)
		if n := a.last(); n != 1 {
			t.Fatalf("alone: %d", n)
		}
		b := w.watch(two)
		if n, m := a.last(), b.last(); n != 2 || m != 2 {
			t.Fatalf("two nodes: %d and %d, want 2", n, m)
		}
		c := w.watch(w.deliver)
		if n, m, k := a.last(), b.last(), c.last(); n != 3 || m != 3 || k != 3 {
			t.Fatalf("three clients: %d, %d, %d", n, m, k)
		}
		c.cancel()
		if n, m := a.last(), b.last(); n != 2 || m != 2 {
			t.Fatalf("one leaves: %d and %d, want 2", n, m)
		}
		time.Sleep(5 * time.Minute) // they stay known by their heartbeats
		if n, m := a.last(), b.last(); n != 0 || m != 0 {
			t.Fatalf("nothing has changed, but %d and %d are told", n, m)
		}
		d := w.watch(three)
		if n, m := a.last(), d.last(); n != 3 || m != 1 {
			t.Fatalf("a node that speaks and does not hear: %d and %d", n, m)
		}
		three.Drain()
		b.cancel()
		if n := a.last(); n != 1 {
			t.Fatalf("alone again: %d", n)
		}
		dies := &halfDeaf{Source: w.start(), mute: true}
		e := w.watch(w.deliverer(dies))
		if n := a.last(); n != 2 {
			t.Fatalf("one more: %d", n)
		}
		e.cancel() // its node does not say so
		time.Sleep(3 * time.Minute)
		if n := a.last(); n != 1 {
			t.Fatalf("a node that is silent counts: %d", n)
		}
	})
}

// halfDeaf hears of no other node; mute says only the first number.
type halfDeaf struct {
	deliver.Source
	mute bool
	said int
}

func (d *halfDeaf) Here(id string, _ func(uint64)) (func(uint64), func()) {
	tell, end := d.Source.Here(id, func(uint64) {})
	return func(n uint64) {
		if d.said++; d.said == 1 || !d.mute {
			tell(n)
		}
	}, end
}

// TestPresenceBounds: whatever is told, few nodes are counted.
func TestPresenceBounds(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("Here.", showForm)
		a := w.watch(w.deliver)
		a.last()
		for i := range uint64(1000) {
			w.cfg.Bus.Notify("here:"+w.id, i<<20|1)
		}
		if n := a.last(); n != 65 {
			t.Errorf("%d clients, want 64 and itself", n)
		}
	})
}
