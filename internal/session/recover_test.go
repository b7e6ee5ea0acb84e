package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// reports is what a renderer says about a surface.
func reports(sf *ui.Surface, message string) *ui.Event {
	return &ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "VALIDATION_FAILED", Surface: sf.WireID(),
		Path: "/components/3", Message: message, Client: "tab-1"}}
}

func lastFrame(w *world) *ui.Frame {
	w.Helper()
	frames := w.frames()
	return frames[len(frames)-1]
}

// The first report of a client rebuilds that client, the second within ten
// minutes the surface, and a surface that was reset three times in an hour is
// closed and said.
func TestClientErrors(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), phrases)
		w.submit(say("add a customer"))
		w.submit(send(w.open(form), "")) // refused: the note is typed, the company not
		w.submit(press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("")},
			jsonx.Member{Key: "note", Value: jsonx.Of("call on Monday")}))
		sf := w.open(form)

		w.outcome(w.submit(reports(sf, "cannot draw 12")), ui.OutcomeDone, turn.CodeClient)
		f := lastFrame(w)
		equal(t, "rebuild", &ui.Rebuild{Client: "tab-1", Principal: conversation.Owner("p")}, f.Rebuild)
		equal(t, "epoch", sf.Epoch, w.open(form).Epoch)

		time.Sleep(recovery.Again + time.Second) // too long ago to be the same
		w.submit(reports(sf, "cannot draw 13"))
		if lastFrame(w).Rebuild == nil || w.open(form).Epoch != sf.Epoch {
			t.Error("a report after the time is not the first again")
		}
		for i := range recovery.MaxResets {
			old := w.open(form)
			w.submit(reports(old, fmt.Sprint("cannot draw ", i)))
			now := w.open(form)
			if now.Epoch != old.Epoch+1 || now.Nonce == old.Nonce || lastFrame(w).Rebuild != nil {
				t.Fatalf("report %d: %v after %v, rebuild %v", i, now, old, lastFrame(w).Rebuild)
			}
			note, _ := now.Get("/draft/note")
			equal(t, "note", "call on Monday", note.Text())
			before := len(w.state().Faults)
			w.submit(reports(old, "cannot draw 1")) // of an epoch that is gone
			if len(w.state().Faults) != before || w.open(form).Epoch != now.Epoch || lastFrame(w).Rebuild != nil {
				t.Error("a report about an old epoch does something")
			}
			drawsAll(t, w)
		}
		w.submit(reports(w.open(form), "cannot draw 9"))
		s := w.state()
		if s.Surface(form) != nil || s.FailedSurface(form) == nil {
			t.Fatal("a surface that was reset three times is still there")
		}
		text := lastFrame(w).Text
		for _, want := range []string{"closed", "call on Monday", "Regenerate"} {
			if !strings.Contains(text, want) {
				t.Errorf("text %q lacks %q", text, want)
			}
		}
		drawsAll(t, w)
	})
}

// Whoever posts errors without end changes his own surfaces, and that three
// times an hour; his streams are rebuilt a few times.
func TestErrorsWithoutEnd(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), phrases)
		w.submit(say("add a customer"))
		sf := w.open(form)
		rebuilds, reported := 0, 300
		if testing.Short() {
			reported = 3 * recovery.MaxRebuilds
		}
		for i := range reported {
			w.submit(reports(sf, "made up "+strings.Repeat("x", i)))
			if lastFrame(w).Rebuild != nil {
				rebuilds++
			}
		}
		if now := w.open(form); now.Epoch != sf.Epoch || rebuilds != recovery.MaxRebuilds {
			t.Errorf("epoch %d, %d rebuilds", now.Epoch, rebuilds)
		}
		for range 50 {
			if now := w.state().Surface(form); now != nil {
				w.submit(reports(now, "again"+strings.Repeat("x", 0)))
				w.submit(reports(now, "made up "))
			}
		}
		if e := w.state().Epochs[form]; e > 1+recovery.MaxResets {
			t.Errorf("%d epochs", e)
		}
		w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}})
		w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X", Surface: "no wire id"}})
		w.outcome(w.submit(say("hello")), ui.OutcomeDone, "")
	})
}

// TestRecoveryRows holds what is done about a drawing that fails, row by row of
// the plan's table: best effort by the action of the code, strict by an error.
func TestRecoveryRows(t *testing.T) {
	t.Parallel()
	const code = compile.CodeActionForbidden
	for _, c := range []struct {
		do     recovery.Action
		strict bool
		open   bool // the surface stands as it did before the turn
		epoch  uint32
	}{
		{do: recovery.Soft, open: true, epoch: 1}, // as A2UI_S2C_ENVELOPE_*
		{do: recovery.SurfaceFail, epoch: 1},      // as A2UI_S2C_BEGIN_*, _COMPONENT_*, _LIMIT_*
		{do: recovery.Reset, open: true, epoch: 2},
		{do: recovery.SurfaceFail, strict: true, open: true, epoch: 1},
	} {
		t.Run(fmt.Sprintf("%s strict %t", c.do, c.strict), func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				a := declared(t, boarded(failsFor("Acme", forbidden)))
				w := newWorld(t, a, phrases, model(limntest.Says(envelope("The board.", showBoard))), func(cfg *session.Config) {
					cfg.Strict = c.strict
					cfg.Recovery = recovery.Default().With(
						recovery.Entry{Code: code, Status: 500, Do: c.do, Title: "It could not be drawn."})
				})
				w.submit(say("add a customer"))
				w.submit(say("show the board"))
				before := w.open(board)
				rec, err := w.svc.Submit(t.Context(), w.id, "p", send(w.open(form), "Acme"), wait)
				if c.strict {
					if ui.CodeOf(err) != code || w.state().Seq != 2 {
						t.Fatalf("strict: %v, seq %d", err, w.state().Seq)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				f, s := lastFrame(w), w.state()
				if sf := s.Surface(board); (sf != nil) != c.open || s.Epochs[board] != c.epoch ||
					sf != nil && encoded(t, sf.Root) != encoded(t, before.Root) {
					t.Errorf("board %v, epochs %v", sf, s.Epochs)
				}
				if !strings.Contains(f.Text, "It could not be drawn.") {
					t.Errorf("text %q", f.Text)
				}
				if c.do == recovery.Soft { // nothing is flushed, of no surface
					w.outcome(rec, ui.OutcomeFailed, code)
					if len(f.Changes) > 0 {
						t.Errorf("changes %v", f.Changes)
					}
				} else {
					w.outcome(rec, ui.OutcomeDone, "")
					equal(t, "form", ui.StatusSubmitted, s.Surface(form).Status)
				}
				drawsAll(t, w)
			})
		})
	}
}

// What is not canonical is read where that is safe, and told; strict mode
// refuses it.
func TestCoercionRow(t *testing.T) {
	for _, strict := range []bool{false, true} {
		t.Run(fmt.Sprintf("strict %t", strict), func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				patch := `{"type":"ui.patch","payload":{"surface":"form:customer","ops":[{"op":"set","path":"note","value":"from the model"}]}}`
				w := newWorld(t, declared(t), model(limntest.Says(envelope("Done.", showForm, patch))),
					func(c *session.Config) { c.Strict = strict })
				w.submit(say("fill it in"))
				note, _ := w.open(form).Get("/draft/note")
				warnings := strings.Join(lastFrame(w).Warnings, "\n")
				if got := note.Text() == "from the model"; got == strict ||
					!strings.Contains(warnings, "/directives/1/payload/ops/0/path") {
					t.Errorf("note %q, warnings %s", note.Text(), warnings)
				}
			})
		})
	}
}

// A tool that cannot be shown is closed as a tool: nothing waits for it, its
// rows are said, and regenerate has it back with them.
func TestToolThatCannotBeShown(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t))
		w.submit(say("We have 3 risks: fire, flood and theft."))
		sf := w.state().Surfaces[0]
		rs := ui.RowsetOf(worksheet.Filled(sf.Root))
		w.submit(press(sf, "main/buttons/submit",
			jsonx.Member{Key: rs.Path.Last(),
				Value: jsonx.OfObject(jsonx.Member{Key: "r1",
					Value: jsonx.OfObject(jsonx.Member{Key: rs.Columns[0].Name, Value: jsonx.Of("a big fire")})})}))
		for range 2 + recovery.MaxResets {
			w.submit(reports(w.state().Surfaces[0], "m"))
		}
		s := w.state()
		if len(s.Surfaces) > 0 || s.Router.Checkpoint != nil || s.Router.LastStatus == ui.StatusToolOpen {
			t.Fatalf("surfaces %v, router %+v", s.Surfaces, s.Router)
		}
		if text := lastFrame(w).Text; !strings.Contains(text, "a big fire") {
			t.Errorf("text %q", text)
		}
		w.outcome(w.submit(say("hello")), ui.OutcomeDone, "")
		w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: sf.Name})
		now := w.open(sf.Name)
		if v, _ := now.Get(rs.CellPath("r1", rs.Columns[0].Name)); v.Text() != "a big fire" {
			t.Errorf("rows %s", encoded(t, now.Draft))
		}
		drawsAll(t, w)
	})
}
