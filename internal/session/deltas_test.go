package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// TestTextIsStreamedUntilItsFrame: the text of a model is readable as it comes, and no
// longer once its frame is committed; a subscriber is woken for each piece until it cancels.
func TestTextIsStreamedUntilItsFrame(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		pieces := make(chan string)
		var w *world
		quiet := func(op string) error {
			if op == "append" && len(w.svc.Deltas(w.id)) > 0 {
				t.Errorf("at the commit a model still says %v", w.svc.Deltas(w.id))
			}
			return nil
		}
		w = newWorld(t, declared(t, risks), func(c *session.Config) {
			st := newFlaky(c.Store)
			st.set(quiet, nil)
			c.Store = st
		}, model(limntest.Model(func(_ context.Context, r llm.Request) (llm.Reply, error) {
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
		cancel := w.svc.OnDelta(w.id, func() { woken++ })
		rec := w.submit(fill(w.open(table), "confirm", "Fire", "Flood", "Theft"))
		heard := func(want ...conversation.Delta) {
			t.Helper()
			synctest.Wait()
			equal(t, "said", want, w.svc.Deltas(w.id))
		}
		heard()
		event := rec.Event + ".reply"
		pieces <- "Three "
		heard(conversation.Delta{Event: event, Text: "Three "})
		pieces <- "risks."
		heard(conversation.Delta{Event: event, Text: "Three risks."})
		cancel()
		pieces <- " Really."
		heard(conversation.Delta{Event: event, Text: "Three risks. Really."})
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

// TestStreamOfAnEnvelopeIsItsText: of an envelope the assistant's text is streamed while
// it is written, and nothing of the JSON around it.
func TestStreamOfAnEnvelopeIsItsText(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		pieces := make(chan string)
		w := newWorld(t, declared(t), model(limntest.Model(func(_ context.Context, r llm.Request) (llm.Reply, error) {
			text := ""
			for p := range pieces {
				text += p
				r.OnText(p)
			}
			return llm.Reply{Text: text, Finish: llm.FinishStop}, nil
		})))
		rec := w.submit(say("hello there"))
		heard := func(want ...conversation.Delta) {
			t.Helper()
			synctest.Wait()
			equal(t, "said", want, w.svc.Deltas(w.id))
		}
		pieces <- `{"assistant_te`
		pieces <- `xt":"Here is`
		heard(conversation.Delta{Event: rec.Event, Text: "Here"})
		pieces <- ` the \u0066orm.","directives":[{"type":"ui.show_form",`
		heard(conversation.Delta{Event: rec.Event, Text: "Here is the form."})
		pieces <- `"payload":{"name":"customer"}}]}`
		heard(conversation.Delta{Event: rec.Event, Text: "Here is the form."})
		close(pieces)
		heard()
		if f := w.frames()[0]; f.Text != "Here is the form." {
			t.Errorf("the frame says %q", f.Text)
		}
		w.open(form)
	})
}

// TestFirstWord: with a model that writes 50 tokens a second, the first word of an
// envelope is heard long before its frame.
func TestFirstWord(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		answer := `{"assistant_text":"` + strings.Repeat("And more words follow here. ", 16) + `Done.","directives":[]}`
		w := newWorld(t, declared(t), model(limntest.Model(func(_ context.Context, r llm.Request) (llm.Reply, error) {
			for rest := answer; rest != ""; {
				n := min(4, len(rest)) // bytes of a token
				time.Sleep(20 * time.Millisecond)
				r.OnText(rest[:n])
				rest = rest[n:]
			}
			return llm.Reply{Text: answer, Finish: llm.FinishStop}, nil
		})))
		began := time.Now()
		var first time.Duration
		defer w.svc.OnDelta(w.id, func() {
			if first == 0 {
				first = time.Since(began)
			}
		})()
		w.outcome(w.submit(say("hello there")), ui.OutcomeDone, "")
		whole := time.Since(began)
		t.Logf("first word after %v, frame after %v", first, whole)
		if first == 0 || first > 200*time.Millisecond || whole < 2*time.Second {
			t.Errorf("the first word comes after %v, the frame after %v", first, whole)
		}
	})
}

// TestStreamedTextIsBounded: of an answer above the bound the rest is not streamed, not
// even a short piece.
func TestStreamedTextIsBounded(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		chat := func(c *app.Config) { c.Messages = []app.MessageRoute{{Run: app.RunChat}} }
		w := newWorld(t, declared(t, chat), model(
			limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
				for _, piece := range []string{"Once upon a time", strings.Repeat(" and", 8<<10), " the end."} {
					r.OnText(piece)
				}
				<-ctx.Done()
				return llm.Reply{}, ctx.Err()
			})))
		w.post(say("Tell me a story."))
		synctest.Wait()
		if said := w.svc.Deltas(w.id); len(said) != 1 || said[0].Text != "Once upon a time" {
			t.Errorf("said %+v", said)
		}
	})
}

// TestStoppedKeepsWords: who stops an answer keeps what was read of it.
func TestStoppedKeepsWords(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		chat := func(c *app.Config) { c.Messages = []app.MessageRoute{{Run: app.RunChat}} }
		speak := ""
		w := newWorld(t, declared(t, chat), model(
			limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
				if speak != "" {
					r.OnText(speak)
				}
				<-ctx.Done()
				return llm.Reply{}, ctx.Err()
			})))
		for _, tt := range []struct{ speak, want string }{{"It is a long ", "It is a long\n\nStopped."},
			{"", "Stopped."}, {strings.Repeat("é", 16<<10), strings.Repeat("é", 16<<10-5) + "\n\nStopped."},
			{`{"assistant_text":`, "Stopped."}} {
			speak = tt.speak
			rec := w.post(say("Tell me."))
			synctest.Wait()
			w.submit(&ui.Event{Kind: ui.EventCancel})
			synctest.Wait()
			f := w.frames()[len(w.frames())-1]
			equal(t, "event", rec.Event, f.Event)
			equal(t, "text", tt.want, f.Text)
			equal(t, "outcome", ui.Outcome{Kind: ui.OutcomeFailed, Code: agent.CodeTurnCanceled, Message: "Stopped."},
				f.Outcome)
		}
	})
}
