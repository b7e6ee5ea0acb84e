package session_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store/memory"
)

// TestForget: an answer is kept for a day, and then its key is new again.
func TestForget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, err := app.New(app.Config{Name: "x"})
		if err != nil {
			t.Fatal(err)
		}
		svc, err := session.New(session.Config{App: a, Store: memory.New(), Bus: localbus.New()})
		if err != nil {
			t.Fatal(err)
		}
		defer svc.Close(t.Context())
		id, err := svc.Create(t.Context(), "p")
		if err != nil {
			t.Fatal(err)
		}
		send := func() uint64 {
			e, err := ingress.MessageEvent("hello", ingress.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			e.Key = "k"
			r, err := svc.Submit(t.Context(), id, "p", e, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			return r.Seq
		}
		first := send()
		time.Sleep(journal.KeepAnswers - time.Minute) // the bubble's clock
		if n, err := svc.Forget(t.Context()); n != 0 || err != nil {
			t.Fatalf("forgot %d too early, %v", n, err)
		}
		if again := send(); again != first {
			t.Errorf("frame %d, want the first answer %d", again, first)
		}
		time.Sleep(2 * time.Minute)
		if n, err := svc.Forget(t.Context()); n != 1 || err != nil {
			t.Fatalf("forgot %d, %v, want 1", n, err)
		}
		if again := send(); again == first {
			t.Error("the key is still known")
		}
	})
}
