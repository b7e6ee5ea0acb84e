package session_test

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// drawsHTML adds the HTML drawing, as a server does.
func drawsHTML(c *session.Config) {
	t := deliver.Target{Name: "html", HTML: func(s *ui.State) html.Options {
		return html.Options{Action: "/c/" + s.ID + "/actions", Uploads: "/c/" + s.ID + "/uploads"}
	}}
	c.Pages = []prove.Page{{Name: t.Name, Print: t.Fingerprint(c.App.Fingerprint()), Update: t.Update}}
}

// BenchmarkTurnSubmit is a submit of a form on the memory store, drawn and
// validated for A2UI, drawn as HTML; every other turn opens the form again.
func BenchmarkTurnSubmit(b *testing.B) {
	w := newWorld(b, declared(b), phrases, drawsHTML)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		if sf := w.state().Surface(form); sf == nil || sf.Status != ui.StatusOpen {
			w.submit(say("add a customer"))
		}
		e := send(w.open(form), fmt.Sprintf("c%d", i))
		b.StartTimer()
		if rec := w.submit(e); rec.Outcome.Kind != ui.OutcomeDone {
			b.Fatalf("%+v", rec)
		}
	}
}

// BenchmarkTurnRefused is a submit that is sent back for a missing field: the
// draft is kept, the error stands at its field.
func BenchmarkTurnRefused(b *testing.B) {
	w := newWorld(b, declared(b), phrases, drawsHTML)
	b.ReportAllocs()
	w.submit(say("add a customer"))
	e := send(w.open(form), "")
	for i := 0; b.Loop(); i++ {
		next := *e
		next.Key = fmt.Sprint("k", i)
		if rec := w.submit(&next); rec.Seq == 0 {
			b.Fatalf("%+v", rec)
		}
	}
}
