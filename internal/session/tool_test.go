package session_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/store/sqlite"
	"github.com/limn-ui/limn/ui"
)

const stakeholders = ui.Name("table:list")

// posted is a browser's post: every input by its path.
func posted(sf *ui.Surface, key ui.KeyPath, values ...string) *ui.Event {
	e := press(sf, key)
	e.Action.Form, e.Action.Context = true, jsonx.OfObject()
	for i := 0; i < len(values); i += 2 {
		e.Action.Context.Members = append(e.Action.Context.Members,
			jsonx.Member{Key: values[i], Value: jsonx.Of(values[i+1])})
	}
	return e
}

// TestToolSurvives: what explicit actions brought to a table, its rows, the
// pasted text and its preview, is there after a restart on the same file, and
// so is the checkpoint; typing goes on where it was.
func TestToolSurvives(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "limn.db")
	db, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, declared(t), func(c *session.Config) { c.Store = db })
	w.outcome(w.submit(say("We have 4 stakeholders across finance, ops, and IT.")), ui.OutcomeDone, "")
	w.outcome(w.submit(posted(w.open(stakeholders), "main/paste/read", "/draft/paste", "Name\tRole\nAnn\tCFO\nBob\t",
		"/draft/list/r1/name", "Zoe")), ui.OutcomeDone, "")
	before, err := json.Marshal(w.state())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.svc.Close(ended); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = sqlite.Open(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w.cfg.Store = db
	w.svc = w.start()
	after, err := json.Marshal(w.state())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the state", string(before), string(after))
	s := w.state()
	if cp := s.Router.Checkpoint; cp == nil || cp.Surface != stakeholders || cp.Criteria.MinRows != 1 ||
		cp.Criteria.Stated != 4 || cp.Criteria.Required[0] != "name" {
		t.Fatalf("checkpoint %+v", cp)
	}
	if p, err := route.ParamsOf(s.Router.Checkpoint.Tool, s.Surface(stakeholders).Origin.Params); err != nil ||
		p.Table.MinRows != 4 {
		t.Errorf("the surface has other parameters: %+v, %v", p, err)
	}
	w.outcome(w.submit(posted(w.open(stakeholders), "main/paste/found/buttons/apply", "/draft/paste_map/c1", "name",
		"/draft/paste_map/c2", "role")), ui.OutcomeDone, "")
	rows, _ := w.open(stakeholders).Get("/draft/list")
	var names []string
	for _, r := range rows.Records() {
		v, _ := r.Cells.Get("name")
		names = append(names, r.ID+v.Text())
	}
	equal(t, "rows", "r1Zoe r2Ann r3Bob r4", strings.Join(names, " "))
}

// TestToolOpensInOneFrame: the checkpoint stands before the surface in the frame
// that opens a tool, with the preview of the list that the message holds.
func TestToolOpensInOneFrame(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t))
	w.outcome(w.submit(
		say("Here are our stakeholders:\n\nName\tRole\tInfluence\nAnn\tCFO\thigh\nBob\tIT\tenormous\nCy\tOps\tlow")),
		ui.OutcomeDone, "")
	frames := w.frames()
	var order []string
	for _, op := range frames[len(frames)-1].Ops {
		switch op := op.(type) {
		case *ui.Set:
			order = append(order, "set "+string(op.Router.Checkpoint.Surface))
		case *ui.Open:
			order = append(order, "open "+string(op.Surface))
		case *ui.Patch:
			order = append(order, string(op.Changes[0].Path))
		}
	}
	equal(t, "ops", "set table:list, open table:list, /draft/paste, /ui_state/paste", strings.Join(order, ", "))
	w.outcome(w.submit(posted(w.open(stakeholders), "main/paste/found/buttons/apply")), ui.OutcomeDone, "")
	sf := w.open(stakeholders)
	if v, _ := sf.Get("/draft/list/r3/name"); v.Text() != "Cy" {
		t.Errorf("the message's rows: %s", sf.Draft.AppendJSON(nil))
	}
}

// TestChatBesideATool: a message while a tool is open is answered in the chat;
// the tool stays as it is, and another is offered.
func TestChatBesideATool(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t), model(limntest.Says(
		`{"assistant_text":"Influence is how much they decide.","directives":[{"type":"show_process_map","payload":{}}]}`)))
	w.submit(say("We have 4 stakeholders across finance, ops, and IT."))
	w.submit(posted(w.open(stakeholders), "main/rows/!add", "/draft/list/r1/name", "Ann", string(worksheet.PastePath),
		"later"))
	before := w.open(stakeholders)
	for text, want := range map[string]string{
		"What does influence mean here?": "Influence is how much they decide.\n\n" +
			"The assistant wanted to do something that this app cannot do, so it was not done (show_process_map).",
		"First finance reviews it, then IT signs off, then the CFO approves.": "You still have Stakeholders open. Open the process map beside it, or finish Stakeholders first?",
	} {
		w.submit(say(text))
		s := w.state()
		if got := s.Surface(stakeholders); got.Rev != before.Rev || !got.Draft.Equal(before.Draft) ||
			got.Status != ui.StatusOpen {
			t.Errorf("%q: the table changed: %+v", text, got)
		}
		if s.Surface("map:process") != nil || s.Router.Checkpoint == nil || s.Router.LastStatus != ui.StatusToolOpen {
			t.Errorf("%q: %d surfaces, router %+v", text, len(s.Surfaces), s.Router)
		}
		if last := s.Transcript[len(s.Transcript)-1]; last.Role != ui.RoleAssistant || last.Text != want {
			t.Errorf("%q: answered %+v", text, last)
		}
	}
}

// TestToolIsFull: pasted text that a surface cannot hold beside its rows is
// refused with a code; the surface stays, with what it had.
func TestToolIsFull(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t, func(c *app.Config) { c.Limits.DraftSize = 1 << 20 }))
	w.submit(say("We have 4 stakeholders across finance, ops, and IT."))
	large := strings.Repeat(strings.Repeat("x", 999)+"\tCFO\n", 500)
	w.outcome(w.submit(posted(w.open(stakeholders), "main/paste/read", "/draft/paste", large)), ui.OutcomeDone, "")
	w.outcome(w.submit(posted(w.open(stakeholders), "main/paste/found/buttons/apply")), ui.OutcomeDone, "")
	full := w.open(stakeholders)
	for _, text := range []string{large, large + large[:worksheet.MaxPaste-len(large)]} {
		rec := w.submit(posted(w.open(stakeholders), "main/paste/read", "/draft/paste", text))
		if rec.Outcome.Kind == ui.OutcomeDone {
			rec = w.submit(posted(w.open(stakeholders), "main/paste/found/buttons/apply"))
		}
		if rec.Outcome.Code != ui.CodeLimit {
			t.Errorf("%d bytes: %+v", len(text), rec.Outcome)
		}
		rows, _ := w.open(stakeholders).Get("/draft/list")
		if was, _ := full.Get("/draft/list"); !rows.Equal(was) {
			t.Errorf("%d bytes: the rows changed", len(text))
		}
	}
	w.outcome(w.submit(posted(w.open(stakeholders), "main/rows/r1/!remove", "/draft/paste", "")), ui.OutcomeDone, "")
}

// TestUndoInWords: "Undo" brings back what was canceled, and so does asking for
// the table again.
func TestUndoInWords(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, risks))
		w.submit(say("We have 3 risks."))
		for _, words := range []string{"Undo", "show me the table again"} {
			w.submit(fill(w.open(table), "cancel", "Fire", "Flood"))
			if sf := w.state().Surface(table); !sf.Stub() {
				t.Fatalf("%v after a cancel", sf)
			}
			w.outcome(w.submit(say(words)), ui.OutcomeDone, "")
			rows, _ := w.open(table).Get("/draft/risks")
			if got := string(rows.AppendJSON(nil)); !strings.Contains(got, "Fire") || !strings.Contains(got, "Flood") {
				t.Errorf("%s: %s", words, got)
			}
			if f := w.frames()[len(w.frames())-1]; f.Text != "It is back, as you left it." {
				t.Errorf("%s: %q", words, f.Text)
			}
		}
	})
}
