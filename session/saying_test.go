package session_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/session"
	"github.com/limn-ui/limn/store/memory"
)

// TestSaying: what a model says is heard as it comes, and no longer once its
// frame is there; who hears is told each time, and not after it stopped listening.
func TestSaying(t *testing.T) {
	bubble(t, func(t *testing.T) {
		pieces := make(chan string)
		var w *world
		quiet := func(op string) error {
			if op == "append" && len(w.svc.Saying(w.id)) > 0 {
				t.Errorf("at the commit a model still says %v", w.svc.Saying(w.id))
			}
			return nil
		}
		w = newWorld(t, declared(t, risks), func(c *session.Config) {
			c.Store = &flaky{Store: c.Store.(*memory.Store), before: quiet}
		}, model(modelFunc(func(_ context.Context, r llm.Request) (llm.Reply, error) {
			text := ""
			for p := range pieces {
				text += p
				r.OnText(p)
			}
			return llm.Reply{Text: text, Finish: llm.FinishStop}, nil
		})))
		w.submit(say("We have 3 risks."))
		w.submit(fill(w.open(table), "submit", "Fire", "Flood", "Theft"))
		woken := 0
		cancel := w.svc.Hear(w.id, func() { woken++ })
		rec := w.submit(fill(w.open(table), "confirm", "Fire", "Flood", "Theft"))
		heard := func(want ...session.Saying) {
			t.Helper()
			synctest.Wait()
			equal(t, "said", want, w.svc.Saying(w.id))
		}
		heard()
		event := rec.Event + ".reply"
		pieces <- "Three "
		heard(session.Saying{Event: event, Text: "Three "})
		pieces <- "risks."
		heard(session.Saying{Event: event, Text: "Three risks."})
		cancel()
		pieces <- " Really."
		heard(session.Saying{Event: event, Text: "Three risks. Really."})
		close(pieces)
		heard()
		if woken != 2 {
			t.Errorf("woken %d times", woken)
		}
		if f := w.frames()[len(w.frames())-1]; f.Text != "Three risks. Really." || f.Event != event {
			t.Errorf("the frame of %s says %q", f.Event, f.Text)
		}
	})
}
