package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// TestCacheIsBoundedByBytes: few large conversations are forgotten as many small
// ones are, the longest unused first, and come back from the store.
func TestCacheIsBoundedByBytes(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		const most = 1 << 20
		w := newWorld(t, declared(t, risks), func(c *session.Config) { c.CachedBytes = most })
		first := w.id
		long := strings.Repeat("word ", 1500) // 7.5 kB
		made := []string{first}
		for i := range 12 {
			if i > 0 {
				id, err := w.svc.Create(t.Context(), fmt.Sprintf("p%d", i))
				if err != nil {
					t.Fatal(err)
				}
				made = append(made, id)
			}
			for range 20 {
				if _, err := w.svc.Submit(t.Context(), made[i], "", &ui.Event{Kind: ui.EventMessage, Text: long},
					time.Minute); err != nil {
					t.Fatal(err)
				}
			}
			if k := w.svc.Kept(); k.Weight > most || k.Weight <= 0 {
				t.Fatalf("%d conversations weigh %d bytes, most %d", k.Conversations, k.Weight, int64(most))
			}
		}
		if k := w.svc.Kept(); k.Conversations >= 12 || k.Conversations < 1 {
			t.Errorf("%d of 12 large conversations are in memory", k.Conversations)
		}
		for _, id := range made {
			h, err := w.svc.Head(t.Context(), id, "")
			if err != nil || len(h.State.Transcript) != 40 {
				t.Errorf("%s came back with %v, %v", id, h.State, err)
			}
		}
		if k := w.svc.Kept(); k.Weight > most {
			t.Errorf("after reading: %d bytes", k.Weight)
		}
	})
}

// TestSweepAfterEviction: an event whose record failed though it was written runs once, where its conversation was loaded
// again before the first mailbox looks for it.
func TestSweepAfterEviction(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		calls := 0
		st := newFlaky(memory.New())
		w := formWorld(t, declared(t, handled(false, func(context.Context, app.Call) (app.Result, error) {
			calls++
			time.Sleep(5 * time.Second)
			return app.Result{Text: "Saved."}, nil
		})), func(c *session.Config) { c.Store, c.Cached = st, 1 })
		w.store = st.Store.Store
		click := keyed(send(w.open(form), "Acme"), "k1")
		again := *click
		st.set(nil, failing("record"))
		if _, err := w.svc.Submit(t.Context(), w.id, "p", click, wait); ui.CodeOf(err) != conversation.CodeStore {
			t.Fatal(err)
		}
		st.set(nil, nil)
		other, err := w.svc.Create(t.Context(), "p")
		if err == nil {
			_, err = w.svc.Head(t.Context(), other, "p") // in its place in memory
		}
		if err != nil {
			t.Fatal(err)
		}
		w.outcome(w.submit(&again), ui.OutcomeDone, "")
		time.Sleep(time.Minute)
		equal(t, "calls", 1, calls)
		equal(t, "committed", []string{"Acme"}, w.committed())
		equal(t, "pending", 0, w.pending())
	})
}
