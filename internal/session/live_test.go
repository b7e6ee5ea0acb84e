package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// watching declares a view of /committed/sales with a button.
func watching(c *app.Config) {
	c.Views = append(c.Views, app.View{Name: "board", Title: "Board", Phrases: []string{"figures"}, Version: "1", Build: func(s *ui.State) ui.Nodes {
		total, _ := s.Committed.Get("sales", "total")
		return ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{
			&ui.Stat{Key: "total", Label: "Total", Value: total.Text()}, button("hello", true)}}}
	}})
}

// watches opens a view.
func (w *world) watches(name string) {
	w.Helper()
	w.outcome(w.submit(say("Please show me the "+name)), ui.OutcomeDone, "")
}

func (w *world) total() string {
	w.Helper()
	for n := range ui.All(w.open(board).Tree()) {
		if s, ok := n.(*ui.Stat); ok {
			return s.Value
		}
	}
	return "no stat"
}

type sales = map[string]any

// TestData: data of the application change the view that shows them in the same frame,
// without a word; what is wrong is refused as a whole.
func TestData(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t, watching))
	w.watches("board")
	live, ctx := w.svc.Live(), context.Background()
	before := w.state()
	if err := live.Patch(ctx, w.id, "k1", sales{"sales": sales{"total": 12, "by": "Ann"}}); err != nil {
		t.Fatal(err)
	}
	if got := w.total(); got != "12" {
		t.Errorf("the view shows %q", got)
	}
	if s := w.state(); s.Seq != before.Seq+1 || len(s.Transcript) != len(before.Transcript) {
		t.Errorf("%d frames, %d entries", s.Seq-before.Seq, len(s.Transcript))
	}
	if err := live.Patch(ctx, w.id, "", sales{"sales": sales{"total": 13, "by": nil}}); err != nil {
		t.Fatal(err)
	}
	if err := live.Patch(ctx, w.id, "k1", sales{"sales": sales{"total": 12, "by": "Ann"}}); err != nil { // a retry
		t.Fatal(err)
	}
	if v, _ := w.state().Committed.Get("sales"); string(v.AppendJSON(nil)) != `{"total":13}` {
		t.Errorf("the data are %s", v.AppendJSON(nil))
	}
	if err := live.Set(ctx, w.id, "", "sales", sales{"total": 14}); err != nil || w.total() != "14" {
		t.Errorf("set: %v, %s", err, w.total())
	}
	for name, tt := range map[string]struct {
		values any
		want   ui.Code
	}{
		"another value under a used key": {sales{"sales": 1}, recovery.CodeKeyReused},
		"the name of a form":             {sales{"sales": sales{"total": 99}, "customer": 1}, app.CodeDataName},
		"no object":                      {"sales", "DATA_INVALID"},
		"no JSON":                        {func() {}, "DATA_INVALID"},
		"too much":                       {sales{"sales": sales{"total": fmt.Sprintf("%70000d", 1)}}, "A2UI_C2S_CONTEXT_TOO_LARGE"},
	} {
		err := live.Patch(ctx, w.id, "k1", tt.values)
		if name != "another value under a used key" {
			err = live.Patch(ctx, w.id, "", tt.values)
		}
		if e := ui.AsError(err, "", ""); ui.CodeOf(err) != tt.want || e.Message == "" || e.Hint == "" && name != "no JSON" {
			t.Errorf("%s: %v (%q)", name, err, e.Hint)
		}
	}
	if w.total() != "14" || len(w.state().Transcript) != len(before.Transcript) {
		t.Errorf("refusals changed something: %s", w.total())
	}
}

// TestDataBesideForm: at ten updates a second, what a user types into a form beside the
// view is neither lost nor stale, and a click on the view that was drawn before counts.
func TestDataBesideForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t, watching), phrases)
	w.watches("board")
	w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "")
	typed, seen := w.open(form), w.open(board)
	for i := range 20 {
		before := w.state()
		if err := w.svc.Live().Patch(context.Background(), w.id, "", sales{"sales": sales{"total": i + 1}}); err != nil {
			t.Fatal(err)
		}
		w.leavesForm(before, w.state())
		if i == 9 { // a row is refused: the draft is the server's now
			rec := w.submit(posted(typed, "main/buttons/submit", "/draft/company", "", "/draft/note", "half a wor"))
			w.outcome(rec, ui.OutcomeAsked, ui.CodeFieldRequired)
			typed = w.open(form)
		}
	}
	if v, _ := w.open(form).Get("/draft/note"); v.Text() != "half a wor" {
		t.Errorf("the draft is %q", v.Text())
	}
	w.outcome(w.submit(posted(seen, "main/hello")), ui.OutcomeDone, "")
	w.outcome(w.submit(posted(typed, "main/buttons/submit", "/draft/company", "Acme", "/draft/note", "half a word")),
		ui.OutcomeDone, "")
	if got := w.record("acme").Values; string(got.AppendJSON(nil)) != `{"company":"Acme","note":"half a word"}` {
		t.Errorf("saved %s", got.AppendJSON(nil))
	}
}

// leavesForm: what clients are sent for the last frame is about the view alone.
func (w *world) leavesForm(before, after *ui.State) {
	w.Helper()
	frames := w.frames()
	f := frames[len(frames)-1]
	id := after.Surface(form).WireID()
	var sent []string
	for _, t := range w.cfg.Targets {
		b, err := compile.Update(t, before, after, f)
		if err != nil {
			w.Fatal(err)
		}
		for _, m := range b.Messages() {
			line, err := a2ui.AppendMessage(nil, t.Dialect, m)
			if err != nil {
				w.Fatal(err)
			}
			sent = append(sent, string(line))
		}
	}
	sent = append(sent, html.Update(before, after, f, html.Options{Action: "/a"})...)
	for _, s := range sent {
		if strings.Contains(s, id) {
			w.Errorf("frame %d touches the form: %s", f.Seq, s)
		}
	}
	if len(sent) < 4 {
		w.Errorf("frame %d: %q", f.Seq, sent)
	}
}

// TestHandlerWritesData: a handler publishes, writes to other conversations by Call.Live
// and to its own by its ops, in the frame of the submit; its own by Call.Live is refused.
func TestHandlerWritesData(t *testing.T) {
	t.Parallel()
	var other string
	var own error
	handler := func(ctx context.Context, c app.Call) (app.Result, error) {
		own = errors.Join(c.Live.Set(ctx, c.Conversation, c.Key, "notes", 1),
			c.Live.Patch(ctx, c.Conversation, c.Key, sales{"notes": 1}))
		if err := c.Live.Publish(ctx, "sales", sales{"total": 7}); err != nil {
			return app.Result{}, err
		}
		if err := c.Live.Patch(ctx, other, c.Key, sales{"notes": sales{"n": 1}}); err != nil {
			return app.Result{}, err
		}
		if err := c.Live.Set(ctx, other, "", "more", 2); err != nil {
			return app.Result{}, err
		}
		return app.Result{Ops: ui.Ops{&ui.Commit{Form: "notes", Values: ui.String("3")}}}, nil
	}
	w := formWorld(t, declared(t, following, handled(false, handler)))
	var err error
	if other, err = w.svc.Create(context.Background(), "p"); err != nil {
		t.Fatal(err)
	}
	w.watches("board")
	seq := w.state().Seq
	w.outcome(w.submit(send(w.open(form), "Acme")), ui.OutcomeDone, "")
	s := w.state()
	notes, _ := s.Committed.Get("notes")
	if s.Seq != seq+1 || notes.Text() != "3" || !strings.HasPrefix(boardOf(s), "7 ") {
		t.Errorf("%d frames, notes %s, board %q", s.Seq-seq, notes.Text(), boardOf(s))
	}
	h, err := w.svc.Head(context.Background(), other, "p")
	if err != nil {
		t.Fatal(err)
	}
	n, _ := h.State.Committed.Get("notes", "n")
	more, _ := h.State.Committed.Get("more")
	equal(t, "the other conversation", "1 2", n.Text()+" "+more.Text())
	if got := strings.Count(fmt.Sprint(own), "waits for the handler"); got != 2 {
		t.Errorf("%d writes to its own conversation are refused: %v", got, own)
	}
}

// BenchmarkData is one update of a view with a figure, a chart of 60 points and a list of
// records beside a form: the whole turn, with three drawings that are proved and the
// store in memory.
func BenchmarkData(b *testing.B) {
	w := newWorld(b, declared(b, following, func(c *app.Config) { c.Views[1].Topics = nil }), phrases)
	w.watches("board")
	w.submit(say("add a customer"))
	var days []sales
	for i := range 60 {
		days = append(days, sales{"day": fmt.Sprintf("9:%02d", i), "n": i})
	}
	b.ResetTimer()
	for i := range b.N {
		days = append(days[1:], sales{"day": fmt.Sprintf("10:%02d", i%60), "n": i})
		err := w.svc.Live().Patch(context.Background(), w.id, "", sales{"sales": sales{"total": i, "days": days}})
		if err != nil {
			b.Fatal(err)
		}
	}
}
