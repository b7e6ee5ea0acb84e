package session_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/session"
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
		"another value under a used key": {sales{"sales": 1}, session.CodeKeyReused},
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
		if err := w.svc.Live().Patch(context.Background(), w.id, "", sales{"sales": sales{"total": i}}); err != nil {
			t.Fatal(err)
		}
		for _, f := range w.frames()[len(w.frames())-1:] {
			for _, c := range f.Changes {
				if c.Surface == form {
					t.Fatalf("frame %d touches the form: %+v", f.Seq, c)
				}
			}
		}
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

// BenchmarkData is one update: its turn, three drawings that are proved, and the store
// in memory.
func BenchmarkData(b *testing.B) {
	w := newWorld(b, declared(b, watching))
	w.watches("board")
	began := time.Now()
	for i := range b.N {
		if err := w.svc.Live().Patch(context.Background(), w.id, "", sales{"sales": sales{"total": i}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(time.Since(began).Microseconds())/1000/float64(b.N), "ms/frame")
}
