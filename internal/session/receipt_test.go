package session_test

import (
	"context"
	"testing"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestReceipt: who may read a conversation finds each answer again, by the id of its event,
// and nobody else does.
func TestReceipt(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		ctx := context.Background()
		first := w.submit(keyed(send(w.open(form), "Acme"), "k"))
		w.svc.Close(ctx) //nolint:errcheck // it has no error
		w.svc = w.start()
		rec, known, err := w.svc.Receipt(ctx, w.id, "p", first.Event)
		if err != nil || !known || !rec.Done || rec != first {
			t.Errorf("got %+v, %v, %v; want %+v", rec, known, err, first)
		}
		if rec, known, err = w.svc.Keyed(ctx, w.id, "p", "k"); err != nil || !known || rec != first {
			t.Errorf("by its key: %+v, %v, %v", rec, known, err)
		}
		if _, known, err := w.svc.Keyed(ctx, w.id, "p", "other"); known || err != nil {
			t.Errorf("a key that nobody sent: %v, %v", known, err)
		}
		if _, known, err := w.svc.Receipt(ctx, w.id, "p", conversation.ReplyTo(first.Event)); known || err != nil {
			t.Errorf("a reply that nobody asked for: %v, %v", known, err)
		}
		_, _, err = w.svc.Receipt(ctx, w.id, "q", first.Event)
		equal(t, "of another", conversation.CodeNotFound, ui.CodeOf(err))
	})
}

// TestCreateOnce: one id is one conversation, of whoever was first.
func TestCreateOnce(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t))
		ctx, id := context.Background(), "0198c0de-0000-8000-8000-000000000001"
		for range 2 {
			if err := w.svc.CreateOnce(ctx, "p", id); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, "of another", conversation.CodeNotFound, ui.CodeOf(w.svc.CreateOnce(ctx, "q", id)))
		if _, err := w.svc.Head(ctx, id, "p"); err != nil {
			t.Error(err)
		}
	})
}
