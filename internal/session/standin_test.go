package session_test

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestLimitOfOneDrawing: a form that v0.8 cannot show stays open for those who can.
func TestLimitOfOneDrawing(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, func(c *app.Config) {
			f := app.Form{Name: "survey", Phrases: []string{"open the survey"}}
			for i := range 420 {
				f.Fields = append(f.Fields, ui.Field{Name: fmt.Sprintf("f%d", i), Type: ui.TypeChoices,
					Options: []ui.Option{{Value: "a"}, {Value: "b"}, {Value: "c"}}})
			}
			c.Forms = append(c.Forms, f)
		}), phrases)
		w.outcome(w.submit(say("open the survey")), ui.OutcomeDone, "")
		sf := w.open("form:survey")
		equal(t, "status", ui.StatusOpen, sf.Status)
		for _, target := range targets(declared(t)) {
			b, err := compile.Snapshot(target, w.state())
			if err != nil {
				t.Fatal(err)
			}
			standIn := len(b.Warnings()) > 0 && b.Warnings()[0].Code == compile.CodeNotShown
			equal(t, "stand-in in "+target.Dialect.String(), target.Dialect.String() == "v0.8", standIn)
		}
		w.outcome(w.submit(press(sf, "main/buttons/submit")), ui.OutcomeDone, "")
		equal(t, "status after the submit", ui.StatusSubmitted, w.state().Surface("form:survey").Status)
	})
}
