package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// own adds two directive types: one that makes ops, and one that calls an action.
func own(h app.Handler, idempotent bool) func(*app.Config) {
	return func(c *app.Config) {
		c.Actions = append(c.Actions, app.Action{Name: "assign", Handler: h, Idempotent: idempotent},
			app.Action{Name: "archive", Handler: h, After: []string{"customer"}})
		c.DirectiveTypes = []app.DirectiveType{
			{Name: "crm.assign", Description: "Give the case to somebody.", Action: "assign",
				Schema: `{"type":"object","properties":{"who":{"type":"string"},"days":{"type":"integer"}},"required":["who"]}`},
			{Name: "crm.note", Description: "Keep a note.", Build: note,
				Schema: `{"type":"object","properties":{"text":{"type":"string","maxLength":20}},"required":["text"]}`},
			{Name: "crm.archive", Description: "Archive the case.", Action: "archive"},
			{Name: "crm.risks", Description: "Show the risks.", Build: openRisks},
		}
	}
}

func note(c app.DirectiveCall) (ui.Ops, error) {
	text := c.Payload.At("text").Text()
	if text == "panic" {
		panic("boom")
	}
	return ui.Ops{&ui.Commit{Form: "note", Values: ui.Map(ui.Pair{Key: "text", Value: ui.String(text)})},
		&ui.Toast{Text: "Noted."}}, nil
}

func openRisks(c app.DirectiveCall) (ui.Ops, error) {
	t, _ := c.App.Table("risks")
	return ui.Ops{c.App.OpenTable(t, app.TableSpec{}).Op("")}, nil
}

// TestDirectiveTypes: a model asks for what only this app can do.
func TestDirectiveTypes(t *testing.T) {
	t.Parallel()
	const assign = `{"type":"crm.assign","payload":{"who":"Ann","days":3}}`
	for _, c := range []struct {
		name, before, answer, said, values, note string
		kind                                     ui.OutcomeKind
		code                                     ui.Code
	}{
		{"action", "", envelope("Ann has it.", assign), "Ann has it. | Assigned.", `{"days":3,"who":"Ann"}`, "",
			ui.OutcomeDone, ""},
		{"a null is a key left out", "", envelope("Ann has it.",
			`{"type":"crm.assign","payload":{"who":"Ann","days":null}}`), "Ann has it. | Assigned.", `{"who":"Ann"}`, "",
			ui.OutcomeDone, ""},
		{"against the schema", "", envelope("Done.", `{"type":"crm.assign","payload":{"days":3}}`),
			"Done.\n\n" +
				"Part of what the assistant asked for could not be understood, so it was not done. Please ask for it again.", "", "",
			ui.OutcomeFailed, directive.CodePayloadInvalid},
		{"two actions", "", envelope("Done.", assign, assign),
			"Done.\n\nOnly one such thing can be done at a time, so this was not done. Please ask for it again (assign). | Assigned.",
			`{"days":3,"who":"Ann"}`, "", ui.OutcomeDone, execute.CodeOneAction},
		{"not for now", "", envelope("Archived.", `{"type":"crm.archive","payload":{}}`),
			"Archived.\n\nThat cannot be done now: something else has to be submitted first, or it was done already (customer).", "", "",
			ui.OutcomeFailed, execute.CodeNotNow},
		{"ops", "", envelope("I keep that.", `{"type":"crm_note","payload":{"text":"call back"}}`), "I keep that.", "",
			"call back", ui.OutcomeDone, ""},
		{"a panic", "", envelope("I keep that.", `{"type":"crm.note","payload":{"text":"panic"}}`),
			"I keep that.\n\nThat did not work. What you typed is kept; please try again.", "", "", ui.OutcomeFailed, execute.CodeFailed},
		{"a gate", "no more tables", envelope("Here you go.", `{"type":"crm.risks","payload":{}}`),
			"Here you go.\n\nThat was not opened, as you asked. Tell me when you want it back.", "", "", ui.OutcomeFailed, execute.CodeGateClosed},
	} {
		t.Run(c.name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				values := ""
				h := func(_ context.Context, call app.Call) (app.Result, error) {
					values += encoded(t, call.Values)
					return app.Result{Text: "Assigned."}, nil
				}
				w := newWorld(t, declared(t, risks, own(h, false)), model(limntest.Says(c.answer)))
				if c.before != "" {
					w.submit(say(c.before))
					w.submit(say("tell me more"))
				}
				before := len(w.state().Transcript)
				rec := w.submit(say("tell me something"))
				equal(t, "outcome", string(c.kind)+" "+string(c.code), string(rec.Outcome.Kind)+" "+string(rec.Outcome.Code))
				var said []string
				for _, e := range w.state().Transcript[before:] {
					if e.Role == ui.RoleAssistant {
						said = append(said, e.Text)
					}
				}
				equal(t, "said", c.said, strings.Join(said, " | "))
				equal(t, "values", c.values, values)
				kept, _ := w.state().Committed.Get("note", "text")
				equal(t, "note", c.note, kept.Text())
			})
		})
	}
}

// TestDirectiveTypeOnce: the process stops while the handler that a model asked for
// runs. The model is not asked again, and the handler only if it is idempotent.
func TestDirectiveTypeOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		idempotent bool
		kind       ui.OutcomeKind
		code       ui.Code
		calls      int
	}{{"unknown", false, ui.OutcomeFailed, agent.CodeEffectUnknown, 1}, {"idempotent", true, ui.OutcomeDone, "", 2}} {
		t.Run(c.name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				h := &hang{keys: map[string]int{}, hangs: 1}
				asked := 0
				m := limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
					asked++
					return limntest.Reply(envelope("Ann has it.", `{"type":"crm.assign","payload":{"who":"Ann"}}`)), nil
				})
				w := newWorld(t, declared(t, own(h.handle, c.idempotent)), model(m))
				event := keyed(say("give it to Ann"), "k1")
				cut := make(chan session.Receipt)
				go func() { cut <- w.submit(event) }()
				synctest.Wait()
				equal(t, "calls before", 1, h.called())
				w.crash()
				<-cut
				rec := w.submit(event) // opens the conversation, and finds the first try
				w.outcome(rec, c.kind, c.code)
				equal(t, "calls", c.calls, h.called())
				equal(t, "keys", 1, len(h.keys))
				equal(t, "frames", 1, len(w.frames()))
				equal(t, "asked", 1, asked)
			})
		})
	}
}
