package session_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Whatever fails while a frame is drawn (an action that is refused, a limit, a
// view that cannot be shown, a panic), for one surface or for several, the
// messages of the frame hold for each surface all it needs or its deleteSurface
// alone: every one is valid on top of what the client shows, and the client ends
// with the screen of the state. And the turn is answered.
func TestFramesAreAtomic(t *testing.T) {
	t.Parallel()
	failed, kept := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		faults := map[string]string{} // action → what goes wrong when its button is drawn
		view := func(name string) app.View {
			return app.View{Name: name, Version: "1", Build: func(s *ui.State) ui.Nodes {
				v, _ := s.Committed.Get("customer", "company")
				switch faults["build "+name] {
				case "panic":
					panic("a view's")
				case "none":
					return nil
				case "large":
					return tooMany()
				case "wide":
					return wide()
				}
				return column(&ui.Text{Key: "t", Text: v.Text() + faults["text"]}, button("hello_"+name, false))
			}}
		}
		a := declared(rt, func(c *app.Config) {
			for _, n := range []string{"one", "two"} {
				c.Views = append(c.Views, view(n))
				c.Actions = append(c.Actions, app.Action{Name: "hello_" + n, Reply: "Hello."})
			}
		})
		answer := ""
		w := newWorld(rt, a, phrases, narrow,
			model(limntest.Model(func(ctx context.Context, r llm.Request) (llm.Reply,
				error) {
				return limntest.Says(answer)(ctx, r)
			})), func(c *session.Config) {
				rules := *c.Targets[0].Rules
				rules.Allowed = func(action string, _ ...string) bool {
					if faults[action] == "panic" {
						panic("a rule's")
					}
					return faults[action] == "" && a.Allowed(action)
				}
				for i := range c.Targets {
					c.Targets[i].Rules = &rules
				}
				do := rapid.SampledFrom([]recovery.Action{recovery.Soft, recovery.SurfaceFail, recovery.Reset}).Draw(rt,
					"what is done about a refused action")
				c.Recovery = recovery.Default().With(
					recovery.Entry{Code: compile.CodeActionForbidden, Status: 500, Do: do, Title: "Not drawn."})
			})
		clients := make([]*client.Client, len(w.cfg.Targets))
		valid := make([]*a2ui.Validator, len(clients))
		for i, target := range w.cfg.Targets {
			clients[i] = client.New(target.Dialect, client.LikeWebCore)
			valid[i] = a2ui.NewValidator(a2ui.Rules{Dialect: target.Dialect, Profile: a2ui.Safe,
				Limits: target.Rules.Limits})
		}
		for i := range rapid.IntRange(2, 10).Draw(rt, "events") {
			clear(faults)
			faults["text"] = fmt.Sprint(i)
			for _, what := range []string{"hello_one", "hello_two", "build one", "build two"} {
				kinds := []string{"", "", "", "deny", "panic"}
				if what[0] == 'b' {
					kinds = []string{"", "", "", "panic", "none", "large", "wide"}
				}
				faults[what] = rapid.SampledFrom(kinds).Draw(rt, what)
			}
			for _, n := range []string{"one", "two"} {
				switch faults["build "+n] { // then its button is not drawn
				case "wide", "panic", "none":
					delete(faults, "hello_"+n)
				}
			}
			s := w.state()
			var e *ui.Event
			show := func(n string) string { return `{"type":"ui.show_view","payload":{"name":"` + n + `"}}` }
			switch rapid.IntRange(0, 6).Draw(rt, "event") {
			case 0:
				answer = envelope("Both.", show("one"), show("two"))
				e = say("show both")
			case 1:
				answer = envelope("One.", show("one"), showPad)
				e = say("show one")
			case 2:
				e = say("add a customer")
			case 3:
				e = &ui.Event{Kind: ui.EventRegenerate,
					Surface: rapid.SampledFrom([]ui.Name{"view:one", "view:two", form}).Draw(rt, "regenerate")}
			case 4, 5:
				if sf := s.Surface(form); sf != nil {
					e = send(sf, fmt.Sprint("c", i))
				}
			case 6:
				if len(s.Surfaces) > 0 {
					e = reports(s.Surfaces[0], "same")
				}
			}
			if e == nil {
				continue
			}
			rec := w.submit(e)
			if !rec.Done {
				rt.Fatalf("not answered: %+v", rec)
			}
			if faults["hello_one"]+faults["hello_two"] != "" {
				failed++
			}
			w.followed(rt, clients, valid, s.Seq)      // with the same faults: nothing of what is sent meets one
			for _, n := range []string{"one", "two"} { // a fault takes no other surface with it
				was, now := s.Surface(ui.Name("view:"+n)), w.state().Surface(ui.Name("view:"+n))
				if was != nil && now == nil && faults["hello_"+n]+faults["build "+n] == "" && e.Kind != ui.EventError {
					rt.Fatalf("%s is gone", was)
				}
			}
			clear(faults)
			w.shows(rt, clients)
			kept += len(w.state().Surfaces)
		}
	})
	if failed == 0 || kept == 0 {
		t.Errorf("%d faults, %d surfaces: this proves nothing", failed, kept)
	}
}

// followed gives clients the frames behind a seq, surface by surface.
func (w *world) followed(rt *rapid.T, clients []*client.Client, valid []*a2ui.Validator, after uint64) {
	steps, err := w.svc.Steps(rt.Context(), w.id, after, 100)
	if err != nil || len(steps) == 0 {
		rt.Fatalf("%d steps: %v", len(steps), err)
	}
	for _, st := range steps {
		for i, target := range w.cfg.Targets {
			batches, err := compile.Update(target, st.Before, st.After, st.Frame)
			if err != nil {
				rt.Fatalf("frame %d: %v", st.Frame.Seq, err)
			}
			for _, b := range batches {
				if problems := valid[i].Check(b.Messages); len(problems) > 0 {
					rt.Fatalf("frame %d, %s: %v", st.Frame.Seq, b.Surface, problems)
				}
				for _, e := range clients[i].ApplyAll(b.Messages) {
					rt.Fatalf("frame %d, %s: the client refuses %v", st.Frame.Seq, b.Surface, e)
				}
				if st.After.Surface(b.Surface) == nil && len(b.Messages) != 1 {
					rt.Fatalf("frame %d: %d messages for %s, which is gone", st.Frame.Seq, len(b.Messages), b.Surface)
				}
			}
		}
	}
}

// shows holds the screens of clients against the state.
func (w *world) shows(rt *rapid.T, clients []*client.Client) {
	for i, target := range w.cfg.Targets {
		now := client.New(target.Dialect, client.LikeWebCore)
		batches, err := compile.Snapshot(target, w.state())
		if err != nil {
			rt.Fatal(err)
		}
		now.ApplyAll(batches.Messages())
		if fmt.Sprint(now.Surfaces()) != fmt.Sprint(clients[i].Surfaces()) {
			rt.Fatalf("%v shows %v, the state has %v", target.Dialect, clients[i].Surfaces(), now.Surfaces())
		}
		for _, sf := range w.state().Surfaces {
			var typed []string // by the user, who has it on the screen
			ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
				if in := ui.InputOf(n); in != nil {
					typed = append(typed, string(in.Path), string(in.Path)+"/v")
				}
				return true
			})
			if id := sf.WireID(); now.ShownHash(id, typed...) != clients[i].ShownHash(id, typed...) {
				rt.Fatalf("%v: %s shows\n%s\nnot\n%s", target.Dialect, id, clients[i].Dump(id), now.Dump(id))
			}
		}
	}
}
