package session_test

import (
	"context"
	"testing"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// holed is a store that lost the second frame of every log.
type holed struct{ store.Store }

func (h holed) Frames(ctx context.Context, id string, after uint64, n int) ([]store.Frame, error) {
	frames, err := h.Store.Frames(ctx, id, after, n)
	var left []store.Frame
	for _, f := range frames {
		if f.Seq != 2 {
			left = append(left, f)
		}
	}
	return left, err
}

// A conversation whose log does not apply is the store's failure, so that it is
// refused with 503; the others go on.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t), model(limntest.Says(envelope("Here.", showForm))))
	for range 3 {
		w.submit(say("a form"))
	}
	cfg := w.cfg
	cfg.Store = holed{w.store}
	svc, err := session.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer svc.Close(ended) //nolint:errcheck // nothing is under way
	if _, err := svc.Head(t.Context(), w.id, "p"); ui.CodeOf(err) != conversation.CodeStore {
		t.Errorf("%q: %v", ui.CodeOf(err), err)
	}
	if _, err := svc.Create(t.Context(), "p"); err != nil {
		t.Error(err)
	}
}
