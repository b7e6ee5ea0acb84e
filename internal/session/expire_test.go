package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	a2client "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// renewed is the app after a release that changed the form: another field, and
// one that is gone.
func renewed(c *app.Config) {
	c.Forms[0].Fields = []ui.Field{{Name: "company", Type: ui.TypeText, Required: true},
		{Name: "phone", Type: ui.TypeText}}
}

// release starts the service again with another declaration.
func (w *world) release(opts ...func(*app.Config)) {
	w.Helper()
	w.cfg.App = declared(w, opts...)
	w.cfg.Targets = targets(w.cfg.App)
	w.crash()
}

// A release that changes a form expires what is open of it, for whoever looks,
// and what was typed goes into the new one.
func TestExpired(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		w.submit(send(w.open(form), "")) // asked for the company
		w.submit(press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("")},
			jsonx.Member{Key: "note", Value: jsonx.Of("call")}))
		w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: form}) // of the same release: nothing is lost
		note, _ := w.open(form).Get("/draft/note")
		equal(t, "note", "call", note.Text())
		old := w.open(form)

		w.release()
		if w.state().Surface(form).Status != ui.StatusOpen {
			t.Fatal("the same declaration expires a surface")
		}
		w.release(renewed)
		s := w.state() // looking is enough
		if s.Surface(form).Status != ui.StatusExpired {
			t.Fatal("a surface of an older declaration is open")
		}
		drawsAll(t, w)
		w.outcome(w.submit(send(old, "Acme")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_STALE")
		equal(t, "frames", s.Seq+1, w.state().Seq) // one frame expired it, one answers

		click := press(w.state().Surface(form), "main/!regenerate")
		click.Action.Name = builtin.ActionRegenerate
		w.outcome(w.submit(click), ui.OutcomeDone, "")
		now := w.open(form)
		if _, ok := now.Get("/draft/note"); ok || now.Epoch != old.Epoch+1 {
			t.Errorf("epoch %d, draft %v", now.Epoch, now.Draft)
		}
		w.submit(press(now, "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("Acme")},
			jsonx.Member{Key: "phone", Value: jsonx.Of("1")}))
		equal(t, "committed", []string{"Acme"}, w.committed())

		w.release() // what was submitted stays so
		equal(t, "status", ui.StatusSubmitted, w.state().Surface(form).Status)
	})
}

// A draft that fits goes over into the new form; what no field takes does not.
func TestRegenerateCarriesOver(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t, func(c *app.Config) {
			c.Forms[0].Fields = append(c.Forms[0].Fields, ui.Field{Name: "phone", Type: ui.TypeText, Required: true})
		}))
		w.submit(press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("Acme")},
			jsonx.Member{Key: "note", Value: jsonx.Of("call")}, jsonx.Member{Key: "phone", Value: jsonx.Of("")}))
		w.release(renewed)
		w.outcome(w.submit(say("Regenerate")), ui.OutcomeDone, "")
		sf := w.open(form)
		company, _ := sf.Get("/draft/company")
		if _, ok := sf.Get("/draft/note"); ok || company.Text() != "Acme" {
			t.Errorf("draft %v", encoded(t, sf.Draft))
		}
		drawsAll(t, w)
	})
}

// What the app no longer has at all is said, with what it held.
func TestRegenerateGone(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		w.submit(press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("")},
			jsonx.Member{Key: "note", Value: jsonx.Of("call")}))
		w.release(func(c *app.Config) { c.Forms[0].Name = "another" })
		w.outcome(w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: form}), ui.OutcomeDone, "")
		if w.state().Surface(form) != nil || !strings.Contains(lastFrame(w).Text, "call") {
			t.Errorf("surface %v, text %q", w.state().Surface(form), lastFrame(w).Text)
		}
		w.outcome(w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: form}), ui.OutcomeRefused, conversation.CodeNotFound)
	})
}

// What failed can be had back, with what it held.
func TestRegenerateFailed(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		broken := true
		w := newWorld(t, declared(t, boarded(func(string) ui.Nodes {
			if broken {
				return forbidden()
			}
			return column(&ui.Text{Key: "t", Text: "fine"})
		})), model(limntest.Says(envelope("The board.", showBoard))))
		rec := w.submit(say("the board"))
		w.outcome(rec, ui.OutcomeFailed, "COMPILE_ACTION_FORBIDDEN")
		equal(t, "surface", board, rec.Outcome.Surface)
		if w.state().FailedSurface(board) == nil || !strings.Contains(lastFrame(w).Text, "Regenerate") {
			t.Fatalf("failed %v, text %q", w.state().Failed, lastFrame(w).Text)
		}
		drawsAll(t, w)
		w.outcome(w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: board}), ui.OutcomeFailed,
			"COMPILE_ACTION_FORBIDDEN")
		broken = false
		w.outcome(w.submit(say("regenerate")), ui.OutcomeDone, "")
		w.open(board)
		if w.state().FailedSurface(board) != nil {
			t.Error("it is there and still counts as failed")
		}
		drawsAll(t, w)
	})
}

// A submitted surface that is regenerated is drawn anew and stays submitted.
func TestRegenerateSubmitted(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		w.submit(send(w.open(form), "Acme"))
		w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: form})
		sf := w.state().Surface(form)
		if sf.Status != ui.StatusSubmitted || sf.Epoch != 2 {
			t.Errorf("%v", sf)
		}
		w.outcome(w.submit(send(sf, "Again")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		for range 2 + recovery.MaxResets { // closed by what clients report of it
			w.submit(reports(w.state().Surface(form), "m"))
		}
		w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: form})
		equal(t, "status", ui.StatusSubmitted, w.state().Surface(form).Status)
		w.outcome(w.submit(send(w.state().Surface(form), "Again")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		equal(t, "committed", []string{"Acme"}, w.committed())
		drawsAll(t, w)
	})
}

// A plain message while a form is open leaves it usable, with what was typed.
func TestMessageWhileOpen(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		sf := w.open(form)
		w.outcome(w.submit(say("what is this about?")), ui.OutcomeDone, "")
		w.outcome(w.submit(send(sf, "Acme")), ui.OutcomeDone, "") // as it was on the screen before
		equal(t, "committed", []string{"Acme"}, w.committed())
	})
}

// In every drawing an expired surface is a stub with the one button, which
// works there, and a submitted one shows what was sent and takes nothing.
func TestExpiredAndLockedInEveryDrawing(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		w.submit(press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("")},
			jsonx.Member{Key: "note", Value: jsonx.Of("typed before")}))
		for i, target := range w.cfg.Targets {
			w.release([][]func(*app.Config){{renewed}, {}}[i%2]...)
			target.Rules = w.cfg.Targets[i].Rules
			sf := w.state().Surface(form)
			if sf.Status != ui.StatusExpired {
				t.Fatalf("%v", sf)
			}
			c := drawn(t, target, w.state())
			view, err := c.Surface(sf.WireID())
			if err != nil {
				t.Fatal(err)
			}
			var button a2client.Shown
			for s := range view.Root.All() {
				if s.Role == "button" {
					button = s
				}
				if s.Bound != "" || strings.Contains(s.Text, "typed before") {
					t.Errorf("%v: the stub shows %+v", target.Dialect, s)
				}
			}
			action, err := c.Click(sf.WireID(), button.ID)
			if err != nil {
				t.Fatal(err)
			}
			action.Timestamp = "2026-11-20T12:00:00Z"
			line, err := a2ui.AppendClient(nil, target.Dialect, &action)
			if err != nil {
				t.Fatal(err)
			}
			e, err := ingress.DecodeEnvelope(line, ingress.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			w.outcome(w.submit(e), ui.OutcomeDone, "")
			w.open(form)
		}
		if page := string(html.AppendSnapshot(nil, w.state(), html.Options{})); strings.Contains(page, "limn-expired") {
			t.Error("the page shows an expired surface that is open")
		}
		w.submit(press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("Acme")},
			jsonx.Member{Key: "phone", Value: jsonx.Of("1")}))
		for _, target := range w.cfg.Targets {
			sf := w.state().Surface(form)
			view, err := drawn(t, target, w.state()).Surface(sf.WireID())
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for s := range view.Root.All() {
				text += s.Text + "\n"
				edit := slices.Equal(s.Actions, []string{builtin.ActionRecordEdit}) // of the record that it saved
				if s.Role == "button" && !edit || s.Bound != "" {
					t.Errorf("%v: an answered form still takes %+v", target.Dialect, s)
				}
			}
			if !strings.Contains(text, "Acme") || !strings.Contains(text, "Submitted") {
				t.Errorf("%v shows %q", target.Dialect, text)
			}
		}
		page := string(html.AppendSnapshot(nil, w.state(), html.Options{}))
		if !strings.Contains(page, "limn-submitted") ||
			strings.Contains(page, "<input") {
			t.Errorf("page %s", page)
		}
	})
}

// drawn is a client that shows a state.
func drawn(t *testing.T, target compile.Target, s *ui.State) *a2client.Client {
	t.Helper()
	batches, err := compile.Snapshot(target, s)
	if err != nil {
		t.Fatal(err)
	}
	c := a2client.New(target.Dialect, a2client.LikeWebCore)
	if failed := c.ApplyAll(batches.Messages()); len(failed) > 0 {
		t.Fatal(failed)
	}
	return c
}
