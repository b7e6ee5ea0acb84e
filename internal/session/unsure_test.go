package session_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestStoredButFailed: the store keeps a frame and says that it could not, as when
// file descriptors run out in the middle. Whoever follows the conversation is woken
// and finds the frame without another event.
func TestStoredButFailed(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), phrases)
		st := newFlaky(w.store)
		w.cfg.Store = st
		w.crash()
		w.submit(say("add a customer"))
		was := w.state().Seq
		var wakes atomic.Int32
		defer w.svc.Watch(w.id, func() { wakes.Add(1) })()
		st.set(nil, failing("append"))
		if _, err := w.svc.Submit(context.Background(), w.id, "p", say("add a customer"), 0); ui.CodeOf(err) != conversation.CodeStore {
			t.Errorf("submitted with %v", err)
		}
		synctest.Wait()
		st.set(nil, nil)
		time.Sleep(10 * time.Second) // of the bubble
		synctest.Wait()
		woken := wakes.Load()
		steps, err := w.svc.Steps(context.Background(), w.id, was, 10)
		if err != nil || len(steps) != 1 || steps[0].Frame.Outcome.Kind != ui.OutcomeDone {
			t.Errorf("%d steps, %v, want the frame that was stored", len(steps), err)
		}
		if woken == 0 {
			t.Error("nobody was told of it")
		}
	})
}
