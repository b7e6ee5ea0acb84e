package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// TestSummary: after a complete commit the reply says what was captured, by the
// model if there is a real one, else by counting; a model that fails counts too.
func TestSummary(t *testing.T) {
	t.Parallel()
	const counted = "Saved: 3 risks."
	for name, c := range map[string]struct {
		opt  func(*session.Config)
		want []string // the texts after the confirm
	}{
		"no model": {func(*session.Config) {}, []string{counted}},
		"scripted": {func(c *session.Config) { c.Model, c.Phrases = limntest.Says(envelope("Hello.")), true }, []string{counted}},
		"model":    {model(limntest.Says("Three risks, mostly fire.")), []string{"Saved. Thank you.", "Three risks, mostly fire."}},
		"model is down": {model(limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			return llm.Reply{}, &ui.Error{Code: llm.CodeUnavailable}
		})), []string{"Saved. Thank you.", counted}},
		"model hangs": {model(limntest.Model(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
			<-ctx.Done()
			return llm.Reply{}, ctx.Err()
		})), []string{"Saved. Thank you.", counted}},
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := newWorld(t, declared(t, risks), c.opt)
				w.submit(say("We have 3 risks."))
				w.submit(fill(w.open(table), "submit", "Fire", "Flood", "Theft"))
				n := len(w.frames())
				w.outcome(w.submit(fill(w.open(table), "confirm", "Fire", "Flood", "Theft")), ui.OutcomeDone, "")
				synctest.Wait()
				var got []string
				for _, f := range w.frames()[n:] {
					got = append(got, f.Text)
				}
				equal(t, "texts", c.want, got)
			})
		})
	}
}

// The model is asked with the tool's summary_prompt and sees the rows, fenced.
func TestSummaryPrompt(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		var asked []llm.Request
		w := newWorld(t, declared(t, risks), model(limntest.Model(func(_ context.Context, r llm.Request) (llm.Reply, error) {
			asked = append(asked, r)
			return llm.Reply{Text: "Summed up.", Finish: llm.FinishStop}, nil
		})))
		w.submit(say("We have 3 risks."))
		w.submit(fill(w.open(table), "submit", "Fire", "Flood", "Theft"))
		w.submit(fill(w.open(table), "confirm", "Fire", "Flood", "Theft"))
		synctest.Wait()
		if len(asked) != 1 {
			t.Fatalf("asked %d times", len(asked))
		}
		last := asked[0].Messages[len(asked[0].Messages)-1].Text
		if !strings.Contains(last, "\n\nSummarise the table in two sentences.\n<user_text>\n{") ||
			!strings.Contains(last, "Theft") || asked[0].Format != nil {
			t.Errorf("asked %q", last)
		}
	})
}

// TestDirectivesObeyTheGatesOfTheirMessage: the message after two cancels is
// chat, for the model too, and the one after that is not (facts R-23).
func TestDirectivesObeyTheGatesOfTheirMessage(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, risks), model(
			limntest.Says(envelope("Here.", `{"type":"ui.show_table","payload":{"name":"risks"}}`))))
		for range 2 {
			w.submit(say("We have 3 risks."))
			w.submit(press(w.open(table), "main/buttons/cancel"))
		}
		gated := func(text string, closed bool) {
			t.Helper()
			w.submit(say(text))
			f := w.frames()[len(w.frames())-1]
			if warned := strings.Contains(strings.Join(f.Warnings, " "), "GATE_CLOSED"); warned != closed ||
				(w.state().Surface(table).Status != ui.StatusOpen) != closed {
				t.Errorf("%q: %q, table %v", text, f.Warnings, w.state().Surface(table))
			}
		}
		gated("hello", true)
		gated("hello again", false)
		w.submit(press(w.open(table), "main/buttons/cancel"))
		gated("What do you think? Please don't show me a table.", true)
		gated("And now?", false)
	})
}
