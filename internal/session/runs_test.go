package session_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

func bounded(r quota.Runs) func(*session.Config) { return func(c *session.Config) { c.Runs = r } }

// TestRunsAtOnce: beyond the limit a message is refused before it is recorded, and
// taken once another answer has ended. What needs no model goes on.
func TestRunsAtOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		runs quota.Runs
		code ui.Code
		says string
	}{
		{"principal", quota.Runs{Principal: 2}, quota.CodeRuns, "You have 2 answers running. Wait for one to finish."},
		{"address", quota.Runs{Principal: -1, Address: 2}, quota.CodeRuns, "Your network has 2 answers running. Wait for one to finish."},
		{"node", quota.Runs{Principal: -1, Node: 2, Waiting: -1}, "", ""},
		{"node and queue", quota.Runs{Principal: -1, Node: 1, Waiting: 1}, quota.CodeRunsFull, "too many answers are being written on this server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				g := limntest.NewGate()
				w := newWorld(t, declared(t), model(g), phrases, bounded(c.runs))
				ctx := quota.FromAddress(t.Context(), "192.0.2.1/32")
				post := func(e *ui.Event) (session.Receipt, error) { return w.svc.Submit(ctx, w.id, "p", e, 0) }
				for range 2 {
					if _, err := post(keyed(say("think"), "")); err != nil {
						t.Fatal(err)
					}
				}
				synctest.Wait()
				_, err := post(keyed(say("one more"), "third"))
				equal(t, "code", c.code, ui.CodeOf(err))
				if c.code != "" {
					equal(t, "says", c.says, err.(*ui.Error).Message)
					equal(t, "recorded", 2, w.pending())
				}
				synctest.Wait()
				equal(t, "asked at once", min(2, max(1, c.runs.Principal, c.runs.Address, c.runs.Node)), len(g.Asked))
				w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "")
				g.Answer <- envelope("Thought.")
				synctest.Wait()
				if _, err := post(keyed(say("one more"), "third")); err != nil {
					t.Errorf("after an answer ended: %v", err)
				}
				for range 2 {
					g.Answer <- envelope("Thought.")
				}
				synctest.Wait()
				equal(t, "pending", 0, w.pending())
			})
		})
	}
}

// TestRunsRepeated: a repeat of a message whose answer is running is no other run.
func TestRunsRepeated(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g), bounded(quota.Runs{Principal: 1}))
		first := w.post(keyed(say("think"), "k"))
		equal(t, "event", first.Event, w.post(keyed(say("think"), "k")).Event)
		if _, err := w.svc.Submit(t.Context(), w.id, "p", keyed(say("other"), "k"), 0); ui.CodeOf(err) != recovery.CodeKeyReused {
			t.Errorf("another body: %v", err)
		}
		synctest.Wait()
		equal(t, "asked", 1, len(g.Asked))
		g.Answer <- envelope("Thought.")
	})
}

// TestRunsResumed: a run that a crash left is begun again and counts.
func TestRunsResumed(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g), bounded(quota.Runs{Principal: 1}))
		w.post(say("think"))
		<-g.Asked
		w.crash()
		w.state() // loads it, and what was begun goes on
		<-g.Asked
		if _, err := w.svc.Submit(t.Context(), w.id, "p", say("one more"), 0); ui.CodeOf(err) != quota.CodeRuns {
			t.Errorf("a second run: %v", err)
		}
		g.Answer <- envelope("Thought.")
		synctest.Wait()
		equal(t, "pending", 0, w.pending())
	})
}

// TestTokensOfADay: reported tokens, or estimated ones, end with the day.
func TestTokensOfADay(t *testing.T) {
	for name, usage := range map[string]llm.Usage{"reported": {In: 900, Out: 200}, "estimated": {}} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				m := limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
					return llm.Reply{Text: envelope("Hi."), Finish: llm.FinishStop, Usage: usage}, nil
				})
				w := newWorld(t, declared(t), model(m), phrases, bounded(quota.Runs{Tokens: 100}))
				w.outcome(w.submit(say("think")), ui.OutcomeDone, "")
				_, err := w.svc.Submit(t.Context(), w.id, "p", say("again"), 0)
				equal(t, "code", quota.CodeTokens, ui.CodeOf(err))
				w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "")
				time.Sleep(24 * time.Hour) // of the bubble
				w.outcome(w.submit(say("again")), ui.OutcomeDone, "")
			})
		})
	}
}
