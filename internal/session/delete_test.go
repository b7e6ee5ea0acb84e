package session_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// isDeleted checks that a conversation is nowhere to be found.
func (w *world) isDeleted() {
	w.Helper()
	if _, err := w.store.Open(context.Background(), w.id); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("the store still has it: %v", err)
	}
	_, err := w.svc.Submit(context.Background(), w.id, "p", say("hello"), wait)
	if ui.CodeOf(err) != conversation.CodeNotFound {
		w.Errorf("a message to it: %v", err)
	}
	if err := w.svc.Delete(context.Background(), w.id, "p"); ui.CodeOf(err) != conversation.CodeNotFound {
		w.Errorf("deleted again: %v", err)
	}
}

// A model that thinks in the conversation is stopped, and cannot write to it.
func TestDeleteWhileAsking(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g))
		w.post(keyed(say("think"), "k"))
		<-g.Asked
		if err := w.svc.Delete(t.Context(), w.id, "other"); ui.CodeOf(err) != conversation.CodeNotFound {
			t.Errorf("another principal: %v", err)
		}
		if err := w.svc.Delete(t.Context(), w.id, "p"); err != nil {
			t.Fatal(err)
		}
		w.isDeleted()
	})
}

// While a webhook waits to be called the conversation has ended, and stays. One that was
// given up goes with it.
func TestDeleteWithWebhooks(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		e := &endpoint{answer: func(int) (string, error) { return "", refusal{status: 500} }}
		w := newWorld(t, declared(t, later), phrases, calling(e))
		w.sent("Acme")
		if err := w.svc.Delete(t.Context(), w.id, "p"); ui.CodeOf(err) != recovery.CodeInUse {
			t.Fatalf("with a webhook that waits: %v", err)
		}
		if !w.state().Ended {
			t.Error("it has not ended")
		}
		for begun := time.Now(); len(w.answers()) == 0 && time.Since(begun) < 1000*time.Hour; {
			time.Sleep(time.Hour)
		}
		if err := w.svc.Delete(t.Context(), w.id, "p"); err != nil {
			t.Fatal(err)
		}
		w.isDeleted()
		if dead, err := w.store.DeadLetters(t.Context(), 0, 0); err != nil || len(dead) > 0 {
			t.Errorf("dead letters %v, %v", dead, err)
		}
	})
}

// What one node deletes is gone at the others, which had it in memory.
func TestDeleteAtAnyNode(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		m := newNodes(t, 2, declared(t))
		m.stateAt(1)
		wake, end := m.all[1].Subscribe(m.id)
		defer end()
		if err := m.all[0].Delete(t.Context(), m.id, "p"); err != nil {
			t.Fatal(err)
		}
		<-wake
		m.isDeleted()
		if _, err := m.all[1].Head(context.Background(), m.id, "p"); ui.CodeOf(err) != conversation.CodeNotFound {
			t.Errorf("the other node: %v", err)
		}
		if _, err := m.all[1].Steps(t.Context(), m.id, 0, 10); err == nil {
			t.Log("the other node has steps in memory")
		}
	})
}
