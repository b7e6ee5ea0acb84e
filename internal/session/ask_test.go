package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

func TestOthersPassWhileModelRuns(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g), phrases)
		slow := w.post(say("think hard"))
		<-g.Asked
		w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "")
		w.outcome(w.submit(send(w.open(form), "Acme")), ui.OutcomeDone, "")
		// The reply meets a form that is submitted by now: it opens again.
		g.Answer <- envelope("Thought.", showForm)
		synctest.Wait()
		frames := w.frames()
		equal(t, "frames", 3, len(frames))
		equal(t, "last", slow.Event, frames[2].Event)
		equal(t, "epoch", uint32(2), w.open(form).Epoch)
	})
}

func TestReplyMeetsNewerState(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g), phrases)
		w.post(say("think hard"))
		<-g.Asked
		w.submit(say("add a customer"))
		before := w.open(form)
		g.Answer <- envelope("Here is the form.", showForm)
		synctest.Wait()
		if w.open(form) != before {
			t.Error("an open form was replaced")
		}
		w.post(say("think again"))
		<-g.Asked
		w.submit(press(w.open(form), "main/buttons/cancel"))
		g.Answer <- envelope("Filled in.",
			`{"type":"ui.patch","payload":{"surface":"form:customer","ops":[{"op":"replace","path":"/draft/company","value":"Acme"}]}}`)
		synctest.Wait()
		frames := w.frames()
		last := frames[len(frames)-1]
		equal(t, "text", "Filled in.\n\nPart of what the assistant asked for could not be done (form:customer).",
			last.Text)
		equal(t, "outcome", ui.OutcomeFailed, last.Outcome.Kind)
		if len(last.Warnings) == 0 || !strings.HasPrefix(last.Warnings[0], "EXECUTE_UNKNOWN") {
			t.Errorf("warnings %q", last.Warnings)
		}
	})
}

// TestKeptReplySawNoMore: a reply that is tried again does not change what was opened since its model was asked.
func TestKeptReplySawNoMore(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g, disk := limntest.NewGate(), newFlaky(memory.New())
		w := newWorld(t, declared(t), model(g), phrases, func(c *session.Config) { c.Store = disk })
		w.store = disk
		w.post(say("think hard"))
		<-g.Asked
		disk.set(failing("append"), nil)
		g.Answer <- envelope("Here.", `{"type":"ui.show_form","payload":{"name":"customer","values":{"company":"Bo"}}}`)
		synctest.Wait()
		disk.set(nil, nil)
		w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "")
		time.Sleep(time.Minute)
		equal(t, "frames", 2, len(w.frames()))
		v, _ := w.open(form).Get("/draft/company")
		equal(t, "the company", "", v.Text())
	})
}

func TestCancel(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g), func(c *session.Config) { c.Queue = 2 })
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { w.outcome(w.submit(say("think hard")), ui.OutcomeFailed, agent.CodeTurnCanceled) })
			<-g.Asked
		}
		if _, err := w.svc.Submit(t.Context(), w.id, "p", say("one more"), 0); ui.CodeOf(err) != recovery.CodeBusy {
			t.Errorf("models run for the whole queue: %v", err)
		}
		w.outcome(w.submit(&ui.Event{Kind: ui.EventCancel}), ui.OutcomeDone, "")
		wg.Wait()
		frames := w.frames()
		equal(t, "frames", 2, len(frames))
		equal(t, "text", "Stopped.", frames[1].Text)
		equal(t, "words kept", "think hard", w.state().Transcript[0].Text)
		w.submit(&ui.Event{Kind: ui.EventCancel}) // nothing runs: nothing happens
		equal(t, "frames", 2, len(w.frames()))
	})
}

func TestModelFailures(t *testing.T) {
	t.Parallel()
	answer := func(text string, finish llm.Finish) limntest.Model {
		return func(context.Context, llm.Request) (llm.Reply, error) {
			return llm.Reply{Text: text, Finish: finish}, nil
		}
	}
	cases := map[string]struct {
		model llm.Model
		code  ui.Code // "": the run ends well, in words
	}{
		"garbage":   {answer("{{{", llm.FinishStop), directive.CodeJSONInvalid},
		"empty":     {answer("", llm.FinishStop), ""},
		"cut":       {answer(`{"assistant_text":"I wa`, llm.FinishLength), ""},
		"refusal":   {answer("No.", llm.FinishRefusal), ""},
		"plain":     {answer("Just words.", llm.FinishStop), ""},
		"long":      {answer(envelope(strings.Repeat("é", 200_000)), llm.FinishStop), ""},
		"bad bytes": {answer("caf\xe9", llm.FinishStop), ""},
		"panic":     {limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) { panic("boom") }), agent.CodeTurnFailed},
		"error":     {limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) { return llm.Reply{}, errors.New("no") }), llm.CodeUnavailable},
		"timeout": {limntest.Model(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
			<-ctx.Done()
			return llm.Reply{}, ctx.Err()
		}), llm.CodeTimeout},
	}
	for _, code := range []ui.Code{llm.CodeUnavailable, llm.CodeTimeout, llm.CodeRateLimited, llm.CodeAuth,
		llm.CodeRefused, llm.CodeConfigInvalid, llm.CodeRequestBroken, llm.CodeUnsupported} {
		cases[string(code)] = struct {
			model llm.Model
			code  ui.Code
		}{limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			return llm.Reply{},
				&ui.Error{Code: code}
		}), code}
	}
	for _, code := range []ui.Code{llm.CodeReplyInvalid, llm.CodeReplyTooLarge, llm.CodeTruncated} {
		cases[string(code)] = struct {
			model llm.Model
			code  ui.Code
		}{limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			return llm.Reply{},
				&ui.Error{Code: code}
		}), "any"}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := newWorld(t, declared(t), model(c.model), phrases)
				w.submit(say("add a customer"))
				rec := w.submit(say("tell me something"))
				switch c.code {
				case "any":
				case "":
					w.outcome(rec, ui.OutcomeDone, "")
				default:
					w.outcome(rec, ui.OutcomeFailed, c.code)
				}
				frames := w.frames()
				if len(frames) != 2 || frames[1].Text == "" {
					t.Fatalf("%d frames, text %q", len(frames), frames[1].Text)
				}
				w.open(form)
				last := w.state().Transcript
				if got := last[len(last)-2]; got.Role != ui.RoleUser || got.Text != "tell me something" {
					t.Errorf("the user's words: %+v", got)
				}
				want := encoded(t, w.state())
				w.crash()
				equal(t, "state after restart", want, encoded(t, w.state()))
			})
		})
	}
}

// TestActionAsks: what an action does by itself is one frame, the model's
// answer a second one; the draft counts once, whatever happens in between.
func TestActionAsks(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g))
		w.post(say("pad"))
		<-g.Asked
		g.Answer <- envelope("", showPad)
		synctest.Wait()
		sf := w.open(pad)
		click := press(sf, "main/think")
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { w.outcome(w.submit(click), ui.OutcomeDone, "") })
		}
		<-g.Asked
		synctest.Wait()
		equal(t, "frames while it thinks", 2, len(w.frames()))
		equal(t, "pending", 1, w.pending())
		g.Answer <- envelope("Thought.", showForm)
		wg.Wait()
		synctest.Wait()
		frames := w.frames()
		equal(t, "frames", 3, len(frames))
		equal(t, "text", "Thought.", frames[2].Text)
		w.open(form)
		equal(t, "rev", sf.Rev+1, w.open(pad).Rev)
		select {
		case <-g.Asked:
			t.Error("the model was asked twice")
		default:
		}
	})
}

// TestActionValuesReachTheModel: the example of the guide. The values go with the
// question, as data, through a crash and into the trace as keys alone.
func TestActionValuesReachTheModel(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		const home ui.Name = "view:home"
		book := &ui.Button{Key: "book", Label: "Book", Action: ui.Action{Name: "book", Context: []ui.Context{
			{Key: "time", Path: "/draft/time"}, {Key: "size", Path: "/draft/size"}}}}
		var asked []llm.Request
		answers := limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply, error) {
			asked = append(asked, r)
			switch len(asked) {
			case 1:
				return llm.Reply{Text: envelope("", limntest.ShowView("home")), Finish: llm.FinishStop}, nil
			case 2: // until the crash
				<-ctx.Done()
				return llm.Reply{}, ctx.Err()
			}
			return llm.Reply{Text: envelope("Booked for four at seven."), Finish: llm.FinishStop}, nil
		})
		input := func(name string, kind ui.FieldType) *ui.TextInput {
			return &ui.TextInput{Input: ui.Input{Key: name, Path: ui.PathOf(ui.DraftRoot, name),
				Field: ui.Field{Name: name, Type: kind}}}
		}
		w := newWorld(t, declared(t, func(c *app.Config) {
			c.Actions = append(c.Actions, app.Action{Name: "book", Run: app.RunDirectives, Context: []app.ContextKey{
				{Key: "time", Type: ui.TypeText}, {Key: "size", Type: ui.TypeNumber}}})
			c.Views = append(c.Views, app.View{Name: "home", Nodes: ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{
				input("time", ui.TypeText), input("size", ui.TypeNumber), book}}}})
		}), model(answers))
		w.submit(say("book a table"))
		w.post(press(w.open(home), "main/book", jsonx.Member{Key: "time", Value: jsonx.Of("7:00 PM")},
			jsonx.Member{Key: "size", Value: jsonx.Of("4")}))
		synctest.Wait()
		w.crash()
		w.state()
		synctest.Wait()
		equal(t, "asked", 3, len(asked))
		for _, r := range asked[1:] {
			said := r.Messages[len(r.Messages)-1].Text
			if !strings.Contains(said, `The user pressed "book" on view:home.`) ||
				!strings.Contains(said, fence.Text(`{"size":4,"time":"7:00 PM"}`)) {
				t.Errorf("the model was told:\n%s", said)
			}
		}
		turns := w.traces()
		equal(t, "keys in the trace", []string{"size", "time"}, turns[len(turns)-1].LLM[0].Context)
	})
}

func TestSubmitAsks(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t, func(c *app.Config) { c.Forms[0].OnSubmit = "think" }), model(g))
		w.post(say("add a customer"))
		<-g.Asked
		g.Answer <- envelope("", limntest.ShowForm("customer"))
		synctest.Wait()
		sf := w.open(form)
		rec := w.post(send(sf, "Acme"))
		w.outcome(rec, ui.OutcomeDone, "")
		<-g.Asked
		equal(t, "committed at once", []string{"Acme"}, w.committed())
		equal(t, "locked at once", ui.StatusSubmitted, w.state().Surface(form).Status)
		w.outcome(w.post(send(w.state().Surface(form), "Other")), ui.OutcomeRefused, "A2UI_C2S_SURFACE_SUBMITTED")
		w.crash() // while the model thinks
		w.state() // opens the conversation
		<-g.Asked
		g.Answer <- envelope("What next?", showPad)
		synctest.Wait()
		w.open(pad)
		equal(t, "committed", []string{"Acme"}, w.committed())
		equal(t, "pending", 0, w.pending())
		equal(t, "again", rec, w.submit(send(sf, "Acme")))
	})
}

// TestRefusedActionAsksNobody: the model hears only of actions that count.
func TestRefusedActionAsksNobody(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g))
		w.post(say("pad"))
		<-g.Asked
		g.Answer <- envelope("", showPad)
		synctest.Wait()
		e := press(w.open(pad), "main/think")
		e.Action.Nonce = "forged"
		w.outcome(w.submit(e), ui.OutcomeRefused, "A2UI_C2S_ACTION_FORBIDDEN")
		equal(t, "frames", 2, len(w.frames()))
		equal(t, "pending", 0, w.pending())
	})
}

// TestReplyFromJournal: an answer that was recorded is not asked for again.
func TestReplyFromJournal(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		asked := 0
		w := newWorld(t, declared(t), model(limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			asked++
			return llm.Reply{Text: envelope(fmt.Sprintf("Answer %d.", asked), showForm), Finish: llm.FinishStop}, nil
		})))
		st := newFlaky(w.store)
		w.cfg.Store = st
		w.crash()
		st.set(failing("append"), nil)
		rec := w.post(say("think hard"))
		synctest.Wait()
		equal(t, "asked", 1, asked)
		equal(t, "frames", 0, len(w.frames()))
		st.set(nil, nil)
		w.crash()
		w.state() // loads it, and what was begun goes on
		synctest.Wait()
		equal(t, "asked", 1, asked)
		frames := w.frames()
		equal(t, "frames", 1, len(frames))
		equal(t, "event", rec.Event, frames[0].Event)
		equal(t, "text", "Answer 1.", frames[0].Text)
		w.open(form)
	})
}

// TestTriedAgain: an event that was recorded and cannot be answered, because
// the store fails, is answered by the same process once the store is back.
func TestTriedAgain(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), model(limntest.Says(envelope("Hi."))))
		st := newFlaky(w.store)
		w.cfg.Store = st
		w.crash()
		st.set(failing("append"), nil)
		rec := w.post(say("think hard"))
		if rec.Done {
			t.Fatalf("%+v", rec)
		}
		time.Sleep(100 * time.Millisecond)
		st.set(nil, nil)
		time.Sleep(5 * time.Second)
		equal(t, "frames", 1, len(w.frames()))
		equal(t, "pending", 0, w.pending())
	})
}

// TestWrittenAllTheSame: an append that reports a failure may have worked.
func TestWrittenAllTheSame(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), model(limntest.Says(envelope("Hi."))))
		st := newFlaky(w.store)
		w.cfg.Store = st
		w.crash()
		st.set(nil, failing("append"))
		rec := w.post(keyed(say("think hard"), "k"))
		time.Sleep(100 * time.Millisecond)
		st.set(nil, nil)
		time.Sleep(time.Minute)
		again := w.submit(keyed(say("think hard"), "k"))
		if !again.Done || again.Event != rec.Event {
			t.Errorf("%+v, then %+v", rec, again)
		}
		equal(t, "frames", 1, len(w.frames()))

		st.set(nil, failing("append")) // a turn of one transaction: the client is told, and asks again
		if _, err := w.svc.Submit(t.Context(), w.id, "p",
			&ui.Event{Kind: ui.EventError, Key: "e", Error: &ui.ErrorEvent{Code: "X"}}, 0); ui.CodeOf(err) != conversation.CodeStore {
			t.Errorf("error %v", err)
		}
		st.set(nil, nil)
		w.outcome(w.submit(&ui.Event{Kind: ui.EventError, Key: "e", Error: &ui.ErrorEvent{Code: "X"}}), ui.OutcomeDone,
			turn.CodeClient)
		equal(t, "frames", 2, len(w.frames()))
	})
}

// TestWhatWasNotDoneIsSaid: the words of a model may say that something was done. What
// was dropped follows them, and the outcome is done only where something was.
func TestWhatWasNotDoneIsSaid(t *testing.T) {
	t.Parallel()
	const table = `{"type":"ui.show_table","payload":{"name":"risks"}}`
	const unreadable = "Part of what the assistant asked for could not be understood, so it was not done. Please ask for it again."
	for _, c := range []struct {
		name, before, answer, said string
		kind                       ui.OutcomeKind
		code                       ui.Code
	}{
		{"unknown type", "", envelope("Here you go.", `{"type":"ui.pay","payload":{}}`),
			"Here you go.\n\nThe assistant wanted to do something that this app cannot do, so it was not done (ui.pay).",
			ui.OutcomeFailed, directive.CodeUnknownType},
		{"two of three", "", envelope("Here you go.", `{"type":"ui.pay","payload":{}}`, `{"type":"ui.fly","payload":{}}`,
			showForm), "Here you go.\n\nThe assistant wanted to do something that this app cannot do, so it was not done (ui.pay). " +
			"The assistant wanted to do something that this app cannot do, so it was not done (ui.fly).", ui.OutcomeDone, directive.CodeUnknownType},
		{"unknown form", "", envelope("Here you go.", limntest.ShowForm("nothing")),
			"Here you go.\n\n" + unreadable,
			ui.OutcomeFailed, directive.CodePayloadInvalid},
		{"undeclared key, twice", "", envelope("Here you go.", `{"type":"ui.show_form","payload":{"name":"customer","color":"red"}}`),
			"Here you go.\n\n" + unreadable,
			ui.OutcomeFailed, directive.CodePayloadInvalid},
		{"one of two", "", envelope("Here you go.", showForm, limntest.ShowForm("nothing")),
			"Here you go.\n\n" + unreadable,
			ui.OutcomeDone, directive.CodePayloadInvalid},
		{"opted out, explained before", "no more tables", envelope("Here you go.", table),
			"Here you go.\n\nThat was not opened, as you asked. Tell me when you want it back.", ui.OutcomeFailed, execute.CodeGateClosed},
		{"cut", "", `{"assistant_text":"Here you go.","directives":[{"type":"ui.show_form","payload":{"na`,
			"The assistant's answer could not be read. Please ask again.", ui.OutcomeFailed, directive.CodeJSONInvalid},
		{"nothing dropped", "", envelope("Here you go.", showForm), "Here you go.", ui.OutcomeDone, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := newWorld(t, declared(t, risks), model(limntest.Says(c.answer)))
				if c.before != "" {
					w.submit(say(c.before))
					w.submit(say("tell me more"))
				}
				rec := w.submit(say("tell me something"))
				equal(t, "outcome", fmt.Sprint(c.kind, c.code), fmt.Sprint(rec.Outcome.Kind, rec.Outcome.Code))
				said := w.state().Transcript
				if last := said[len(said)-1]; last.Role != ui.RoleAssistant || !strings.HasSuffix(last.Text, c.said) {
					t.Errorf("the user read %q, want %q", last.Text, c.said)
				}
			})
		})
	}
}
