package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

const (
	offer   ui.Name = "offer"
	process ui.Name = "map:process"
	flow            = "First finance reviews it, then IT signs off, then the CFO approves."
)

// choose presses a button of the offer by its label.
func choose(t *testing.T, w *world, label string) *ui.Event {
	t.Helper()
	sf := w.open(offer)
	var at ui.KeyPath
	ui.Walk(sf.Tree(), func(k ui.KeyPath, n ui.Node) bool {
		if b, ok := n.(*ui.Button); ok && b.Label == label {
			at = k
		}
		return true
	})
	if at == "" {
		t.Fatalf("no button %q on the offer %q", label, sf.Title)
	}
	return press(sf, at)
}

func texts(w *world) string {
	f := w.frames()
	return f[len(f)-1].Text
}

// TestUntouchedToolBlocksNothing: another tool opens beside one nobody has worked
// in, and each ends on its own.
func TestUntouchedToolBlocksNothing(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, risks))
		w.outcome(w.submit(say("We have 3 risks.")), ui.OutcomeDone, "")
		w.outcome(w.submit(say(flow)), ui.OutcomeDone, "")
		w.outcome(w.submit(say("We have 4 laptops.")), ui.OutcomeDone, "")
		w.outcome(w.submit(say("We have 5 printers.")), ui.OutcomeDone, "")
		for _, n := range []ui.Name{table, process, "table:list", "table:list_2"} {
			w.open(n)
		}
		r := w.state().Router
		if r.Checkpoint == nil || r.Checkpoint.Surface != "table:list_2" || len(r.Beside) != 3 ||
			r.Open(table) == nil || r.Open(table).Criteria.Stated != 3 {
			t.Fatalf("router %+v", r)
		}
		// The checks of a tool in the background count its own rounds.
		w.submit(fill(w.open(table), "submit", "Fire", "?"))
		if cp := w.state().Router.Open(table); cp == nil || cp.Iteration != 1 {
			t.Errorf("checkpoint %+v", cp)
		}
		w.submit(fill(w.open(table), "submit", "Fire", "Flood", "Theft"))
		w.submit(fill(w.open(table), "confirm", "Fire", "Flood", "Theft"))
		if r = w.state().Router; r.Open(table) != nil || r.LastStatus != ui.StatusToolOpen || len(r.Beside) != 2 {
			t.Errorf("after the submit: %+v", r)
		}
		for range 3 {
			w.submit(say("cancel it"))
		}
		if r = w.state().Router; r.LastStatus != ui.StatusCanceled || r.Checkpoint != nil || len(r.Beside) != 0 ||
			r.Cancels != 3 {
			t.Errorf("after three cancels: %+v", r)
		}
	})
}

// TestClosedGatesOffer: a gate that keeps a tool closed is explained, and a
// button opens the tool all the same.
func TestClosedGatesOffer(t *testing.T) {
	t.Parallel()
	optOut := func(o ui.OptOut) *ui.Event {
		return &ui.Event{Kind: ui.EventPreference, Preference: &ui.Preference{OptOut: &o}}
	}
	busy := func(w *world) {
		w.submit(say("We have 3 risks."))
		w.submit(fill(w.open(table), "submit", "Fire", "?"))
	}
	for name, c := range map[string]struct {
		before  func(w *world)
		message string
		says    string
		button  string
		opens   ui.Name
	}{
		"work in progress": {busy, flow, "You still have Risks open. Open the process map beside it, or finish Risks first?", "Open it beside Risks", process},
		"finish first":     {busy, flow, "You still have Risks open.", "Finish Risks first", ""},
		"the same": {func(w *world) { w.submit(say("We have 3 risks.")) }, "We have 5 risks.",
			"Risks is open already. Go on with it, or open another one beside it?", "Open another one", "table:risks-2"},
		"two cancels": {func(w *world) {
			for range 2 {
				w.submit(say("We have 3 risks."))
				w.submit(say("cancel it"))
			}
		}, "We have 5 risks.", "You closed the last two", "Open it", table},
		"all opted out": {func(w *world) { w.submit(optOut(ui.OptOut{All: true})) }, flow, "You asked me not to open tables and process maps", "Open it this once", process},
		"one opted out": {func(w *world) { w.submit(optOut(ui.OptOut{Tools: []string{ui.ToolMap}})) }, flow, "You asked me not to open a process map", "Open it again from now on", process},
		"no, thanks":    {func(w *world) { w.submit(optOut(ui.OptOut{All: true})) }, flow, "You asked me not to", "No, thanks", ""},
		"a rule":        {func(w *world) { w.submit(say("Never show tables for risks")); w.submit(say("yes")) }, "We have 5 risks.", "Your rule says not to open a table", "Open it this once", table},
		"a rule, and open": {func(w *world) {
			w.submit(say("Never show tables for risks"))
			w.submit(say("yes"))
			w.submit(say(flow))
		},
			"We have 5 risks.", "Your rule says not to open a table", "Open it this once", table},
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := newWorld(t, declared(t, risks))
				c.before(w)
				before := w.state()
				w.outcome(w.submit(say(c.message)), ui.OutcomeAsked, "")
				if got := texts(w); !strings.HasPrefix(got, c.says) {
					t.Errorf("says %q", got)
				}
				if n := len(w.state().Surfaces); n != len(before.Surfaces)+1 {
					t.Errorf("%d surfaces, %d before", n, len(before.Surfaces))
				}
				click := choose(t, w, c.button)
				w.outcome(w.submit(click), ui.OutcomeDone, "")
				after := w.state()
				if after.Surface(offer) != nil {
					t.Error("the offer stays")
				}
				if c.opens != "" {
					if sf := w.open(c.opens); sf.Status != ui.StatusOpen || after.Router.Open(c.opens) == nil {
						t.Errorf("%v, router %+v", sf, after.Router)
					}
				} else if after.Router.Checkpoint != nil &&
					!after.Router.Checkpoint.OpenedAt.Equal(before.Router.Checkpoint.OpenedAt) {
					t.Errorf("router %+v", after.Router)
				}
				if sf := before.Surface(table); sf != nil && c.opens != table && !sf.Draft.Equal(after.Surface(table).Draft) {
					t.Error("what was typed is gone")
				}
				if optedOut := c.button == "Open it again from now on"; optedOut && len(after.Router.OptOut.Tools) > 0 {
					t.Errorf("opt-outs %+v", after.Router.OptOut)
				}
			})
		})
	}
}

// TestOfferGoesWithTheConversation: the next message takes an offer away.
func TestOfferGoesWithTheConversation(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, risks))
		w.submit(say("We have 3 risks."))
		w.submit(say("We have 5 risks."))
		click := choose(t, w, "Open another one")
		w.submit(say("hello"))
		if w.state().Surface(offer) != nil {
			t.Error("the offer stays")
		}
		if rec := w.submit(click); rec.Outcome.Kind != ui.OutcomeRefused {
			t.Errorf("an old offer: %+v", rec)
		}
	})
}

// TestOptOutIsExplainedOnce: with a model, a gate of the user's own making is
// explained once; then the model answers.
func TestOptOutIsExplainedOnce(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, risks), model(limntest.Says(envelope("Noted."))))
		w.submit(&ui.Event{Kind: ui.EventPreference, Preference: &ui.Preference{OptOut: &ui.OptOut{All: true}}})
		for _, want := range []string{"You asked me not to open tables and process maps, so I have not opened a table.",
			"Noted."} {
			w.submit(say("We have 5 risks."))
			equal(t, "answer", want, texts(w))
		}
	})
}

// TestModelsToolBehindAGate: a tool the model wants and a gate keeps closed is
// offered.
func TestModelsToolBehindAGate(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		maps := func(c *app.Config) { c.Maps = []app.Map{{Name: "process", Title: "Process"}} }
		w := newWorld(t, declared(t, risks, maps),
			model(limntest.Says(envelope("Let us map it.",
				`{"type":"ui.show_map","payload":{"name":"process","steps":[{"name":"Ask"},{"name":"Answer"}]}}`))))
		w.submit(say("We have 3 risks."))
		w.submit(fill(w.open(table), "submit", "Fire", "?"))
		w.submit(say("What would you do about it?"))
		equal(t, "answer",
			"Let us map it.\n\nYou still have Risks open. Open the process map beside it, or finish Risks first?",
			texts(w))
		w.outcome(w.submit(choose(t, w, "Open it beside Risks")), ui.OutcomeDone, "")
		if v, _ := w.open(process).Get("/draft/steps"); len(v.Records()) < 2 {
			t.Errorf("steps %v", v)
		}
	})
}

// TestModelDown: what needs no model goes on without one, and what does can be
// tried again by a button, once.
func TestModelDown(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		down, asked := true, 0
		m := limntest.Model(func(_ context.Context, r llm.Request) (llm.Reply, error) {
			asked++
			if down {
				return llm.Reply{}, &ui.Error{Code: "LLM_UNAVAILABLE", Message: "the model server cannot be reached"}
			}
			if last := r.Messages[len(r.Messages)-1].Text; !strings.Contains(last, "How are things?") {
				t.Errorf("asked %q", last)
			}
			return llm.Reply{Text: envelope("Fine."), Finish: llm.FinishStop}, nil
		})
		w := newWorld(t, declared(t, risks, func(c *app.Config) { c.Forms[0].Title = "Customer" }), model(m))
		w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "LLM_UNAVAILABLE")
		equal(t, "answer",
			"The assistant cannot be reached right now. Forms and tables still work. I opened Customer because of what you wrote.", texts(w))
		w.open(form)
		w.outcome(w.submit(say("How are things?")), ui.OutcomeFailed, "LLM_UNAVAILABLE")
		w.submit(choose(t, w, "Try again")) // still down
		synctest.Wait()
		if w.state().Surface(offer) == nil {
			t.Fatal("no second offer")
		}
		down, asked = false, 0
		click := choose(t, w, "Try again")
		w.submit(keyed(click, "k"))
		w.submit(keyed(click, "k"))
		synctest.Wait()
		equal(t, "answer", "Fine.", texts(w))
		equal(t, "asked", 1, asked)
		if w.state().Surface(offer) != nil {
			t.Error("the offer stays")
		}
		said := 0
		for _, e := range w.state().Transcript {
			if e.Text == "How are things?" {
				said++
			}
		}
		equal(t, "said", 1, said)
	})
}
