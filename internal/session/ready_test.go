package session_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// away is a store that answers a ping with what a test says.
type away struct {
	store.Store
	asked atomic.Int32
	say   func(ctx context.Context) error
}

func (a *away) Ping(ctx context.Context) error { a.asked.Add(1); return a.say(ctx) }

// kept keeps the lines of a log.
type kept struct {
	slog.Handler
	lines *[]string
}

func (k kept) Enabled(context.Context, slog.Level) bool { return true }
func (k kept) WithAttrs([]slog.Attr) slog.Handler       { return k }
func (k kept) Handle(_ context.Context, r slog.Record) error {
	*k.lines = append(*k.lines, r.Level.String()+" "+r.Message)
	return nil
}

// TestReady: a store that does not answer makes the service unready within a
// second, one that is back ready within another, however many ask it is asked
// once a second at most, and the log says once that it went and once that it came
// back.
func TestReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var gone error
		st := &away{Store: memory.New(), say: func(context.Context) error { return gone }}
		var lines []string
		w := newWorld(t, declared(t), func(c *session.Config) { c.Store, c.Log = st, slog.New(kept{lines: &lines}) })
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
		ready(conversation.CodeStore, 2)
		time.Sleep(time.Second)
		ready(conversation.CodeStore, 3) // still
		gone = nil
		time.Sleep(time.Second)
		ready("", 4)

		st.say = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() } // silent
		time.Sleep(time.Second)
		began := time.Now()
		ready(conversation.CodeStore, 5)
		if took := time.Since(began); took != time.Second {
			t.Errorf("a silent store was waited for for %v", took)
		}
		if err := w.svc.Close(t.Context()); err != nil {
			t.Error(err)
		}
		ready(recovery.CodeDraining, 5)
		want := []string{"ERROR not ready: the store does not answer", "WARN ready again: the store answers",
			"ERROR not ready: the store does not answer"}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("the log (-want +got):\n%s", diff)
		}
	})
}
