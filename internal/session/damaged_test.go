package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
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
	list, _, err := svc.Conversations(t.Context(), "p", "", 0)
	if err != nil || len(list) != 2 || list[1].Title != "a form" {
		t.Errorf("listed %+v, %v", list, err)
	}
}

// A log that was written under wider limits of the application is read under narrower ones;
// they bound only new frames, and the length of the transcript.
func TestNarrowerLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t), model(limntest.Says(envelope(strings.Repeat("long ", 100), showForm))))
	w.submit(say("a form"))
	w.submit(say("hello"))
	cfg := w.cfg
	cfg.App = declared(t, func(c *app.Config) {
		c.Limits = ui.Limits{Surfaces: 1, Nodes: 8, Depth: 8, TextSize: 100, DraftSize: 100, Transcript: 3}
	})
	svc, err := session.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer svc.Close(ended) //nolint:errcheck // nothing is under way
	head, err := svc.Head(t.Context(), w.id, "p")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "entries", 3, len(head.State.Transcript))
	equal(t, "bytes of the answer", 499, len(head.State.Transcript[0].Text))
	if _, err := svc.Submit(t.Context(), w.id, "p", say("hello"), wait); err != nil {
		t.Fatal(err)
	}
	head, err = svc.Head(t.Context(), w.id, "p")
	if err != nil || len(head.State.Transcript[2].Text) > 100 {
		t.Errorf("a new answer: %v, %v", head.State.Transcript[2], err)
	}
}
