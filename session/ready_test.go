package session_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/session"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// away is a store that answers a ping with what a test says.
type away struct {
	*memory.Store
	asked atomic.Int32
	say   func(ctx context.Context) error
}

func (a *away) Ping(ctx context.Context) error { a.asked.Add(1); return a.say(ctx) }

// TestReady: a store that does not answer makes the service unready within a
// second, one that is back ready within another, and however many ask it is asked
// once a second at most.
func TestReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var gone error
		st := &away{Store: memory.New(), say: func(context.Context) error { return gone }}
		w := newWorld(t, declared(t), func(c *session.Config) { c.Store = st })
		w.store = st.Store
		ready := func(want ui.Code, asked int32) {
			t.Helper()
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					if err := w.svc.Ready(); ui.CodeOf(err) != want {
						t.Errorf("ready: %v, want %q", err, want)
					}
				})
			}
			all.Wait()
			if n := st.asked.Load(); n != asked {
				t.Errorf("the store was asked %d times, want %d", n, asked)
			}
		}
		ready("", 1)
		gone = errDisk
		time.Sleep(999 * time.Millisecond) // of the bubble
		ready("", 1)
		time.Sleep(time.Millisecond)
		ready(session.CodeStore, 2)
		gone = nil
		time.Sleep(time.Second)
		ready("", 3)

		st.say = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() } // silent
		time.Sleep(time.Second)
		began := time.Now()
		ready(session.CodeStore, 4)
		if took := time.Since(began); took != time.Second {
			t.Errorf("a silent store was waited for for %v", took)
		}
		if err := w.svc.Close(t.Context()); err != nil {
			t.Error(err)
		}
		ready(session.CodeDraining, 4)
	})
}
