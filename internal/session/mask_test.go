package session_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// shown is everything a conversation looks like in all drawings.
func shown(t *testing.T, w *world) string {
	t.Helper()
	var b strings.Builder
	for _, target := range w.cfg.Targets {
		batches, err := compile.Snapshot(target, w.state())
		if err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(batches)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(out)
	}
	return b.String() + string(html.AppendSnapshot(nil, w.state(), html.Options{}))
}

// An action that is not for now is in no drawing, and refused at the door: the
// button that a client still shows, and one that somebody makes up.
func TestMasked(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		flow := func(c *app.Config) {
			c.Actions = append(c.Actions, app.Action{Name: "approve", Label: "Approve it", Reply: "Approved.",
				After: []string{"customer"}},
				app.Action{Name: "discard", Label: "Discard it", Reply: "Discarded.", Until: []string{"customer"}},
				app.Action{Name: "never", Label: "Not ever", Reply: "No.", When: func(*ui.State) bool { return false }})
			c.Views[0].Nodes = column(
				&ui.Button{Key: "approve", Label: "Approve it", Action: ui.Action{Name: "approve"}},
				&ui.Button{Key: "discard", Label: "Discard it", Action: ui.Action{Name: "discard"}},
				&ui.Button{Key: "never", Label: "Not ever", Action: ui.Action{Name: "never"}})
		}
		w := newWorld(t, declared(t, flow), phrases, model(limntest.Says(envelope("Here.", showPad))),
			func(c *session.Config) { c.Strict = true })
		w.submit(say("pad"))
		w.submit(say("add a customer"))
		before := w.open(pad)
		see := func(want, hidden string) {
			t.Helper()
			all := shown(t, w)
			if !strings.Contains(all, want) || strings.Contains(all, hidden) || strings.Contains(all, "Not ever") {
				t.Errorf("the drawings show %q: %t, %q: %t, what is never for now: %t", want,
					strings.Contains(all, want), hidden, strings.Contains(all, hidden),
					strings.Contains(all, "Not ever"))
			}
		}
		see("Discard it", "Approve it")
		w.outcome(w.submit(press(before, "main/approve")), ui.OutcomeRefused, "A2UI_C2S_ACTION_FORBIDDEN")
		w.outcome(w.submit(press(before, "main/never")), ui.OutcomeRefused, "A2UI_C2S_ACTION_FORBIDDEN")
		w.outcome(w.submit(press(w.open(pad), "main/discard")), ui.OutcomeDone, "")

		w.outcome(w.submit(send(w.open(form), "Acme")), ui.OutcomeDone, "")
		see("Approve it", "Discard it")
		late := press(before, "main/discard") // as a slow client still has it
		w.outcome(w.submit(late), ui.OutcomeRefused, "A2UI_C2S_SURFACE_STALE")
		w.outcome(w.submit(press(w.open(pad), "main/discard")), ui.OutcomeRefused, "A2UI_C2S_ACTION_FORBIDDEN")
		w.outcome(w.submit(press(w.open(pad), "main/approve")), ui.OutcomeDone, "")
		at := w.open(pad).Guard
		w.submit(say("pad")) // shown again it is the same
		equal(t, "guard", at, w.open(pad).Guard)
		drawsAll(t, w)
	})
}

// What the app's file says about codes counts.
func TestDeclaredRecovery(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		a := declared(t, func(c *app.Config) {
			c.Recovery = []app.Code{{Code: "A2UI_C2S_SURFACE_STALE", Status: 410, Title: "Zu spät."},
				{Code: "COMPILE_*", Do: "reset"}}
		})
		w := formWorld(t, a)
		e := send(w.open(form), "Acme")
		e.Action.Surface = "form:customer#e=9"
		rec := w.submit(e)
		equal(t, "message", "Zu spät.", rec.Outcome.Message)
		table := w.svc.Recovery("")
		equal(t, "status", 410, table.For("A2UI_C2S_SURFACE_STALE").Status)
		equal(t, "family", recovery.Reset, table.For("COMPILE_NODE_UNKNOWN").Do)
		equal(t, "its status stays", 500, table.For("COMPILE_NODE_UNKNOWN").Status)
		equal(t, "others stay", recovery.Default().For("A2UI_C2S_ACTION_FORBIDDEN"),
			table.For("A2UI_C2S_ACTION_FORBIDDEN"))
	})
}

// A value that is typed on a form which expired meanwhile goes into the next one.
func TestTypedOnExpired(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		late := press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("Acme")},
			jsonx.Member{Key: "note", Value: jsonx.Of("x")})
		w.release(renewed)
		rec := w.submit(late)
		w.outcome(rec, ui.OutcomeRefused, "A2UI_C2S_SURFACE_STALE")
		equal(t, "surface", form, rec.Outcome.Surface)
		w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: form})
		company, _ := w.open(form).Get("/draft/company")
		equal(t, "company", "Acme", company.Text())
		drawsAll(t, w)
	})
}

// A handler gets what its action declares, and nothing else that a client sends.
func TestActionContext(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		var got []string
		w := newWorld(t, declared(t, func(c *app.Config) {
			c.Actions = append(c.Actions, app.Action{Name: "rate",
				Context: []app.ContextKey{{Key: "stars", Type: ui.TypeNumber}}, Handler: func(_ context.Context, call app.Call) (app.Result, error) {
					got = append(got, string(call.Values.AppendJSON(nil)))
					return app.Result{Text: "Thanks."}, nil
				}})
			c.Views[0].Nodes = column(button("rate", false))
		}), model(limntest.Says(envelope("Here.", showPad))))
		w.submit(say("pad"))
		rate := func(context ...jsonx.Member) session.Receipt {
			return w.submit(press(w.open(pad), "main/rate", context...))
		}
		w.outcome(rate(jsonx.Member{Key: "stars", Value: jsonx.OfInt(4)},
			jsonx.Member{Key: "admin", Value: jsonx.OfBool(true)}), ui.OutcomeDone, "")
		w.outcome(rate(jsonx.Member{Key: "stars", Value: jsonx.Of("many")}), ui.OutcomeAsked, ui.CodeFieldType)
		w.outcome(rate(jsonx.Member{Key: "stars", Value: jsonx.OfArray(jsonx.OfInt(1))}), ui.OutcomeRefused,
			"A2UI_C2S_ENVELOPE_INVALID")
		w.outcome(rate(jsonx.Member{Key: "admin", Value: jsonx.OfObject()}), ui.OutcomeRefused,
			"A2UI_C2S_ENVELOPE_INVALID")
		equal(t, "values", []string{`{"stars":4}`}, got)
	})
}
