package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
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
