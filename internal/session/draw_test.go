package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

const board ui.Name = "view:board"

// boarded adds a view whose Build is f; it shows what was committed last.
func boarded(f func(company string) ui.Nodes) func(*app.Config) {
	return func(c *app.Config) {
		c.Views = append(c.Views, app.View{Name: "board", Version: "1", Build: func(s *ui.State) ui.Nodes {
			v, _ := s.Committed.Get("customer", "company")
			return f(v.Text())
		}})
	}
}

func column(children ...ui.Node) ui.Nodes {
	return ui.Nodes{&ui.Column{Key: "main", Children: children}}
}

const showBoard = `{"type":"ui.show_view","payload":{"name":"board"}}`

// failsFor is a view that cannot be shown once the company has that name.
func failsFor(name string, how func() ui.Nodes) func(string) ui.Nodes {
	return func(company string) ui.Nodes {
		if company == name {
			return how()
		}
		return column(&ui.Text{Key: "t", Text: "Last: " + company})
	}
}

func forbidden() ui.Nodes { return column(button("never_declared", false)) }

func tooMany() ui.Nodes {
	var list []ui.Node
	for i := range 250 {
		list = append(list, &ui.Text{Key: fmt.Sprintf("t%d", i), Text: strings.Repeat("x", 200)})
	}
	return column(list...)
}

// wide has a stand-in where narrow holds.
func wide() ui.Nodes {
	var list []ui.Node
	for i := range 350 {
		list = append(list, &ui.Text{Key: fmt.Sprintf("t%d", i), Text: "x"})
	}
	return column(list...)
}

func narrow(c *session.Config) {
	for i := range c.Targets {
		rules := *c.Targets[i].Rules
		rules.Limits.Components, rules.Limits.String, rules.Limits.MessageBytes = 300, 64<<10, 30_000
		c.Targets[i].Rules = &rules
	}
}

func TestDrawingFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		how     func() ui.Nodes
		opts    []func(*session.Config)
		closed  bool // else it stays open, and says so
		warning string
	}{
		"forbidden action": {how: forbidden, closed: true, warning: "COMPILE_ACTION_FORBIDDEN"},
		"too large":        {how: tooMany, opts: []func(*session.Config){narrow}, closed: true, warning: "A2UI_S2C_"},
		"no tree":          {how: func() ui.Nodes { return nil }, warning: "EXECUTE_VIEW_INVALID"},
		"panic":            {how: func() ui.Nodes { panic("boom") }, warning: "EXECUTE_VIEW_INVALID"},
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				a := declared(t, boarded(failsFor("Acme", c.how)))
				answer := ""
				w := newWorld(t, a, append(c.opts, phrases,
					model(limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
						return llm.Reply{Text: answer, Finish: llm.FinishStop}, nil
					})))...)
				w.submit(say("add a customer"))
				answer = envelope("The board.", showBoard, showPad)
				w.outcome(w.submit(say("show the board")), ui.OutcomeDone, "")
				w.open(board)

				// A submit counts, whatever the view beside it does.
				w.outcome(w.submit(send(w.open(form), "Acme")), ui.OutcomeDone, "")
				equal(t, "committed", []string{"Acme"}, w.committed())
				if gone := w.state().Surface(board) == nil; gone != c.closed {
					t.Errorf("board closed: %v", gone)
				}
				w.open(pad)
				f := w.frames()[2]
				if !strings.HasPrefix(strings.Join(f.Warnings, " "), c.warning) {
					t.Errorf("warnings %q, want %s", f.Warnings, c.warning)
				}
				if !strings.Contains(f.Text, "saved") && !strings.Contains(f.Text, "Thank") && f.Text == "" {
					t.Errorf("text %q", f.Text)
				}
				drawsAll(t, w)

				// Asked for itself, it is the event that fails.
				answer = envelope("Here it is.", showBoard)
				rec := w.submit(say("show the board"))
				if c.closed {
					equal(t, "outcome", ui.OutcomeFailed, rec.Outcome.Kind)
					frames := w.frames()
					if last := frames[len(frames)-1]; strings.Contains(last.Text, "Here it is.") || last.Text == "" {
						t.Errorf("text %q", last.Text)
					}
				}
				w.open(pad)
				drawsAll(t, w)
				w.submit(press(w.open(pad), "main/hello")) // life goes on
			})
		})
	}
}

// drawsAll checks that every frame of the log draws for every target.
func drawsAll(t *testing.T, w *world) {
	t.Helper()
	steps, err := w.svc.Steps(t.Context(), w.id, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range w.cfg.Targets {
		for _, st := range steps {
			if _, err := compile.Update(target, st.Before, st.After, st.Frame); err != nil {
				t.Errorf("frame %d: %v", st.Frame.Seq, err)
			}
		}
		if _, err := compile.Snapshot(target, w.state()); err != nil {
			t.Error(err)
		}
	}
}

// TestPanicInTurn: a turn that panics ends as a frame, and the next one runs.
func TestPanicInTurn(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, boarded(func(string) ui.Nodes { panic("boom") })), phrases,
			model(limntest.Says(envelope("The board.", showBoard))))
		w.outcome(w.submit(say("show the board")), ui.OutcomeFailed, agent.CodeTurnFailed)
		equal(t, "the user's words", "show the board", w.state().Transcript[0].Text)
		w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "")
		equal(t, "frames", 2, len(w.frames()))
	})
}

// TestTooLongForTheTranscript: ops that do not apply leave the user's words.
func TestTooLongForTheTranscript(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		small := func(c *app.Config) { c.Limits.TextSize = 200 }
		for name, opt := range map[string]func(*session.Config){"rules": func(*session.Config) {},
			"model": model(limntest.Says(envelope("Hi.")))} {
			w := newWorld(t, declared(t, small), opt)
			w.outcome(w.submit(say("héllo "+strings.Repeat("é", 200))), ui.OutcomeFailed, ui.CodeLimit)
			if got := w.state().Transcript[0].Text; len(got) > 200 || !strings.HasPrefix(got, "héllo éé") {
				t.Errorf("%s: %q", name, got)
			}
		}
	})
}

func TestStrict(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, boarded(failsFor("Acme", forbidden))), phrases,
			model(limntest.Says(envelope("The board.", showBoard))),
			func(c *session.Config) { c.Strict = true })
		w.submit(say("show the board"))
		w.submit(say("add a customer"))
		if _, err := w.svc.Submit(t.Context(), w.id, "p", send(w.open(form), "Acme"), 0); ui.CodeOf(err) != compile.CodeActionForbidden {
			t.Errorf("error %v", err)
		}
		equal(t, "frames", 2, len(w.frames()))
		w.outcome(w.submit(send(w.open(form), "Other")), ui.OutcomeDone, "")
	})
}

// TestHistory: snapshots, eviction and restarts change nothing that can be read.
func TestHistory(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), phrases, func(c *session.Config) { c.Cached = 1 })
		for i := range 150 {
			if sf := w.state().Surface(form); sf == nil || sf.Status != ui.StatusOpen {
				w.submit(say("add a customer"))
			} else {
				w.submit(send(sf, fmt.Sprintf("c%d", i)))
			}
		}
		h, err := w.store.Open(t.Context(), w.id)
		if err != nil || h.SnapshotSeq != 128 {
			t.Errorf("snapshot at %d, %v", h.SnapshotSeq, err)
		}
		want := encoded(t, w.state())
		read := func(svc *session.Service) (out []string) {
			for after := uint64(0); after < 150; {
				steps, err := svc.Steps(t.Context(), w.id, after, 7)
				if err != nil || len(steps) == 0 || len(steps) > 7 {
					t.Fatalf("after %d: %d steps, %v", after, len(steps), err)
				}
				for _, st := range steps {
					if st.Before.Seq != after || st.After.Seq != after+1 || st.Frame.Seq != after+1 {
						t.Fatalf("step %d → %d after %d", st.Before.Seq, st.After.Seq, after)
					}
					after++
					out = append(out, encoded(t, st.Frame)+encoded(t, st.After))
				}
			}
			return out
		}
		warm := read(w.svc)
		other, err := w.svc.Create(t.Context(), "p") // evicts
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.svc.Head(t.Context(), other, "p"); err != nil {
			t.Fatal(err)
		}
		equal(t, "state after eviction", want, encoded(t, w.state()))
		w.crash()
		equal(t, "state after restart", want, encoded(t, w.state()))
		equal(t, "steps after restart", warm, read(w.svc))

		// Trimmed frames are said to be trimmed, by a service that did not trim them.
		if _, err := w.store.Trim(t.Context(), w.id, 100); err != nil {
			t.Fatal(err)
		}
		w2 := w.start()
		for _, svc := range []*session.Service{w.svc, w2} {
			if svc == w.svc { // push the old steps out of its memory
				for range 70 {
					w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}})
				}
			}
			if _, err := svc.Steps(t.Context(), w.id, 20, 7); ui.CodeOf(err) != conversation.CodeTrimmed {
				t.Errorf("error %v", err)
			}
			head, err := svc.Head(t.Context(), w.id, "p")
			if err != nil || head.Floor != 100 {
				t.Errorf("floor %d, %v", head.Floor, err)
			}
			if steps, err := svc.Steps(t.Context(), w.id, 130, 2); err != nil || len(steps) != 2 {
				t.Errorf("above the floor: %d steps, %v", len(steps), err)
			}
		}
		synctest.Wait()
	})
}

// TestJump: a process that slept while others trimmed goes on from a snapshot.
func TestJump(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), func(c *session.Config) { c.Bus = localbus.New() })
		sleeper := w.start()
		if _, err := sleeper.Head(t.Context(), w.id, "p"); err != nil {
			t.Fatal(err)
		}
		for range 130 {
			w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}})
		}
		if _, err := w.store.Trim(t.Context(), w.id, 120); err != nil {
			t.Fatal(err)
		}
		rec, err := sleeper.Submit(t.Context(), w.id, "p",
			&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}}, 0)
		if err != nil || rec.Seq != 131 {
			t.Errorf("%+v, %v", rec, err)
		}
	})
}

// TestTypedTextAboveTheMessage: nothing is sent of what users typed, but a client
// that starts now must get it in one message.
func TestTypedTextAboveTheMessage(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		two := func(c *app.Config) {
			c.Forms[0].Fields = append(c.Forms[0].Fields, ui.Field{Name: "more", Type: ui.TypeText})
		}
		w := newWorld(t, declared(t, two), phrases, func(c *session.Config) {
			for i := range c.Targets {
				rules := *c.Targets[i].Rules
				rules.Limits.MessageBytes, rules.Limits.String, rules.Limits.DataEntries = 20_000, 16_000, 60
				c.Targets[i].Rules = &rules
			}
		})
		w.submit(say("add a customer"))
		large := strings.Repeat("x", 12_000)
		for _, c := range []struct {
			note, more string
			kind       ui.OutcomeKind
		}{{"", "", ui.OutcomeAsked}, {"short", "short", ui.OutcomeAsked}, {large, "", ui.OutcomeAsked},
			{large, large, ui.OutcomeFailed}} {
			rec := w.submit(press(w.open(form), "main/buttons/submit",
				jsonx.Member{Key: "company", Value: jsonx.Of("")},
				jsonx.Member{Key: "note", Value: jsonx.Of(c.note)}, jsonx.Member{Key: "more", Value: jsonx.Of(c.more)}))
			if rec.Outcome.Kind != c.kind {
				t.Errorf("%d and %d bytes: %+v, want %s", len(c.note), len(c.more), rec.Outcome, c.kind)
			}
		}
		if w.state().Surface(form) != nil {
			t.Error("the form that no client can be sent is still open")
		}
	})
}

// TestManyTyped: what users typed is not sent, so it counts for no batch.
func TestManyTyped(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		values := []jsonx.Member{{Key: "company", Value: jsonx.Of("")}, {Key: "note", Value: jsonx.Of("typed")}}
		many := func(c *app.Config) {
			for i := range 20 {
				name := fmt.Sprintf("more%d", i)
				c.Forms[0].Fields = append(c.Forms[0].Fields, ui.Field{Name: name, Type: ui.TypeText})
				values = append(values, jsonx.Member{Key: name, Value: jsonx.Of("typed")})
			}
		}
		w := newWorld(t, declared(t, many), phrases, func(c *session.Config) {
			for i := range c.Targets {
				rules := *c.Targets[i].Rules
				rules.Limits.Messages = 12
				c.Targets[i].Rules = &rules
			}
		})
		w.submit(say("add a customer"))
		w.submit(press(w.open(form), "main/buttons/submit", values...))
		for i := range values[1:] { // the errors stand, only leaves change
			values[i+1].Value = jsonx.Of("typed again")
		}
		w.outcome(w.submit(press(w.open(form), "main/buttons/submit", values...)), ui.OutcomeAsked, "FIELD_REQUIRED")
	})
}

// TestChosenAboveTheMessage: on v0.8 a choice is JSON in JSON, where a byte takes
// seven. The others show the form.
func TestChosenAboveTheMessage(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		two := func(c *app.Config) {
			pick := ui.Field{Name: "pick", Type: ui.TypeChoice, Options: []ui.Option{{Value: "a"}}}
			again := pick
			again.Name = "again"
			c.Forms[0].Fields = append(c.Forms[0].Fields, pick, again)
		}
		w := newWorld(t, declared(t, two), phrases, func(c *session.Config) {
			for i := range c.Targets {
				rules := *c.Targets[i].Rules
				rules.Limits.MessageBytes, rules.Limits.String, rules.Limits.DataEntries = 69_000, 80_000, 60
				c.Targets[i].Rules = &rules
			}
		})
		w.submit(say("add a customer"))
		for _, size := range []int{1, 2, 5000} {
			w.submit(press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of("")},
				jsonx.Member{Key: "pick", Value: jsonx.Of(strings.Repeat("<", size))},
				jsonx.Member{Key: "again", Value: jsonx.Of(strings.Repeat("<", size))}))
		}
		equal(t, "stand-ins", []string{"v0.8"}, w.open(form).StandIns)
	})
}

// A form that is sent again brings all of its fields; the frame says what is new.
func TestFrameSaysWhatIsNew(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := formWorld(t, declared(t))
		sent := func(company, note string) int {
			w.submit(press(w.open(form), "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of(company)},
				jsonx.Member{Key: "note", Value: jsonx.Of(note)}))
			frames := w.frames()
			draft := frames[len(frames)-1].Ops[0].(*ui.Draft)
			for path, want := range map[ui.Path]string{"/draft/company": company, "/draft/note": note} {
				if v, _ := w.open(form).Get(path); v.Text() != want {
					t.Errorf("%s is %q, want %q", path, v.Text(), want)
				}
			}
			return len(draft.Values)
		}
		equal(t, "one new field", 1, sent("", "call back"))
		equal(t, "nothing new", 0, sent("", "call back"))
		equal(t, "another one", 1, sent("", "later"))
	})
}

// TestDropUnchangedLeadsToTheSameState: a frame without the values that the surface has leads
// to the same state.
func TestDropUnchangedLeadsToTheSameState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		leaves := rapid.SliceOf(rapid.Custom(func(t *rapid.T) ui.Leaf {
			return ui.Leaf{Path: rapid.SampledFrom([]ui.Path{"/draft/a", "/draft/b", "/draft/c"}).Draw(t, "path"),
				Value: rapid.SampledFrom([]ui.Value{ui.String(""), ui.String("x"), ui.String("y"), ui.Bool(true),
					{}}).Draw(t, "value")}
		}))
		state := &ui.State{Surfaces: []*ui.Surface{
			{Name: form, Epoch: 1, Status: ui.StatusOpen, Root: ui.Nodes{&ui.Text{Key: "t", Text: "t"}}}}}
		draft := func(s *ui.State, ops ui.Ops) *ui.State {
			next, _, err := ui.Apply(s, &ui.Frame{V: ui.Version, Seq: s.Seq + 1, Ops: ops}, ui.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			return next
		}
		typed := func(label string) ui.Ops { return ui.Ops{&ui.Draft{Surface: form, Values: leaves.Draw(t, label)}} }
		state = draft(state, typed("before"))
		ops := typed("now")
		all, some := draft(state, ops), draft(state, session.DropUnchanged(state, ops))
		if !all.Surface(form).Draft.Equal(some.Surface(form).Draft) {
			t.Fatalf("%v without what is known leads to %v, want %v", ops, some.Surface(form).Draft,
				all.Surface(form).Draft)
		}
	})
}
