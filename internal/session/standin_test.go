package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/session"
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

// TestAnyLimitOfOneDrawing: above any limit of one version, when it opens or when its data
// grow, a surface has a stand-in there and stays open for the others.
func TestAnyLimitOfOneDrawing(t *testing.T) {
	for name, limits := range map[string]a2ui.Limits{"message": {MessageBytes: 1200, String: 1000}, "surface": {SurfaceBytes: 1200},
		"batch": {BatchBytes: 2000}, "entries": {DataEntries: 7}, "text that is typed": {String: 90}} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				var old compile.Target
				w := newWorld(t, declared(t), func(c *session.Config) {
					for i, target := range c.Targets {
						if target.Dialect == a2ui.V08 {
							rules := *target.Rules
							rules.Limits = limits
							c.Targets[i].Rules = &rules
							old = c.Targets[i]
						}
					}
				}, phrases)
				w.outcome(w.submit(say("new customer")), ui.OutcomeDone, "")
				sf := w.open("form:customer")
				if limits.String == 90 {
					equal(t, "stand-ins at first", []string(nil), sf.StandIns)
				}
				w.outcome(w.submit(press(sf, "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("")},
					jsonx.Member{Key: "note", Value: jsonx.Of(strings.Repeat("n", 200))})), ui.OutcomeAsked, "FIELD_REQUIRED")
				sf = w.open("form:customer")
				equal(t, "stand-ins", []string{"v0.8"}, sf.StandIns)
				b, err := compile.Snapshot(old, w.state())
				if err != nil || len(b.Warnings()) == 0 || len(b.Messages()) > 4 {
					t.Errorf("%v, %d messages, %v", err, len(b.Messages()), b.Warnings())
				}
				w.outcome(w.submit(send(sf, "Acme")), ui.OutcomeDone, "")
			})
		})
	}
}

// TestLimitOfAllDrawings: what no drawing shows whole closes, and the user reads why: a link
// would lead nowhere. Asking for it again ends the same way.
func TestLimitOfAllDrawings(t *testing.T) {
	for name, pages := range map[string][]prove.Page{"no HTML": nil, "HTML": {{Name: "html",
		Update: func(_, _ *ui.State, _ *ui.Frame) ([][]byte, []string, error) { return nil, nil, nil }}}} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := newWorld(t, declared(t), func(c *session.Config) {
					c.Pages = pages
					for i, target := range c.Targets {
						rules := *target.Rules
						rules.Limits = a2ui.Limits{Components: 8}
						c.Targets[i].Rules = &rules
					}
				}, phrases)
				if rec := w.submit(say("new customer")); pages != nil {
					w.outcome(rec, ui.OutcomeDone, "")
					equal(t, "status", ui.StatusOpen, w.open(form).Status)
					return
				} else {
					w.outcome(rec, ui.OutcomeFailed, prove.CodeEverywhere)
				}
				for range 3 {
					w.outcome(w.submit(&ui.Event{Kind: ui.EventRegenerate, Surface: form}), ui.OutcomeFailed,
						prove.CodeEverywhere)
				}
				if sf := w.state().Surface(form); sf != nil && sf.Status == ui.StatusOpen {
					t.Errorf("%s is %s", form, sf.Status)
				}
				said := w.state().Transcript
				if last := said[len(said)-1].Text; !strings.Contains(last, "too large") {
					t.Errorf("the user reads %q", last)
				}
			})
		})
	}
}
