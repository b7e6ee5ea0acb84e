package turn_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// world is a conversation that rapid makes up.
type world struct {
	*rapid.T
	env turn.Env
	s   *ui.State
	n   int // events
}

// laws is an application with everything that these laws are about.
func laws(tb testing.TB) turn.Env {
	tb.Helper()
	e := tooled(tb, withGuest, withFunctions, withPad, func(c *app.Config) { c.SendDataModel = true })
	e.Renders = func(*ui.State) bool { return true }
	return e
}

// newWorld is a conversation of the application, with nonces of its own.
func newWorld(rt *rapid.T, env turn.Env) *world {
	w := &world{T: rt, env: env, s: env.App.NewState("c")}
	nonce := 0
	w.env.Nonce = func() string { nonce++; return fmt.Sprintf("%032x", nonce) }
	w.env.Model = rapid.Bool().Draw(rt, "a model")
	w.env.Phrases = rapid.Bool().Draw(rt, "phrases")
	for _, text := range one(w, "begins with", []string{}, []string{"We have 3 risks."}, []string{"sign me up", flow}) {
		w.n++
		w.s = step(rt, w.env, w.s, turn.Received{Event: message(w.n, text)}).After
	}
	return w
}

// one is one of some values.
func one[T any](w *world, what string, list ...T) T { return rapid.SampledFrom(list).Draw(w.T, what) }

// event is anything that a client, an operator or the application may send, also what does not count.
func (w *world) event() *ui.Event {
	w.n++
	e := &ui.Event{V: ui.Version, ID: ui.EventID(fmt.Sprint("e", w.n)), At: noon, Principal: one(w, "who", "ann", "bob")}
	text := one(w, "text", "", "Acme", "Zoë")
	kinds := []ui.EventKind{ui.EventOperator, ui.EventPreference, ui.EventError, ui.EventData, ui.EventRegenerate,
		ui.EventDraft, ui.EventEnd, ui.EventExpire, ui.EventAnswer, "dance"}
	for range len(kinds) { // the most of what happens
		kinds = append(kinds, ui.EventMessage, ui.EventAction)
	}
	switch e.Kind = one(w, "kind", kinds...); e.Kind {
	case ui.EventMessage:
		e.Text = one(w, "message", "add a customer", "add a guest", "show the pad", "We have 3 risks.", "We have 5 risks.", flow,
			"cancel it", "submit it", "undo", "Regenerate", "hello", "Never show me tables again.", "where were we?", "sign me up")
	case ui.EventAction:
		e.Action = w.click(text)
	case ui.EventOperator:
		e.Text, e.User = "Hello.", e.Principal
		e.Data = ui.Map(ui.Pair{Key: "do", Value: ui.String(one(w, "order", attend, speak, leave, dismiss))})
	case ui.EventPreference:
		e.Preference = one(w, "preference", &ui.Preference{OptOut: &ui.OptOut{All: true}}, &ui.Preference{},
			&ui.Preference{OptOut: &ui.OptOut{}})
	case ui.EventError:
		e.Error = report(w.surface().WireID(), text, 0).Error
	case ui.EventData:
		e.Data = ui.Map(ui.Pair{Key: one(w, "name", "totals", "customer", "sales"), Value: ui.String(text)})
	case ui.EventRegenerate:
		e.Surface = w.surface().Name
	case ui.EventDraft:
		e.Model = shows(w.surface(), "", 1, input("name", text), input("company", text)).Model
	case ui.EventAnswer:
		e.Answer = &ui.AnswerEvent{Action: "save", Text: text}
	}
	return e
}

// surface is one that is there, the offer above all, or rarely none that is.
func (w *world) surface() *ui.Surface {
	list := append(slices.Repeat(w.s.Surfaces, 4), &ui.Surface{Name: customer, Epoch: 9})
	if sf := w.s.Surface(offer); sf != nil {
		list = append(list, slices.Repeat([]*ui.Surface{sf}, 8)...)
	}
	return one(w, "surface", list...)
}

// click is a click on a surface, with a button, a nonce and a revision that may be wrong.
func (w *world) click(text string) *ui.ActionEvent {
	sf := w.surface()
	a := &ui.ActionEvent{Surface: sf.WireID(), Nonce: one(w, "nonce", sf.Nonce, sf.Nonce, sf.Nonce, "0"), Rev: sf.Rev,
		Component: "x", Name: builtin.ActionSubmit,
		Context: jsonx.OfObject(input("company", text), input("name", text), input("town", ""), titles(text, "?"))}
	var at []ui.KeyPath
	var buttons []*ui.Button
	ui.Walk(sf.Tree(), func(here ui.KeyPath, n ui.Node) bool {
		if b, ok := n.(*ui.Button); ok {
			at, buttons = append(at, here), append(buttons, b)
		}
		return true
	})
	if len(buttons) > 0 {
		i := rapid.IntRange(0, len(buttons)-1).Draw(w.T, "button")
		a.Component, a.Name = at[i].ComponentID("Button"), buttons[i].Action.Name
		a.Context = jsonx.OfObject()
		for _, c := range buttons[i].Action.Context {
			if v, ok := map[string]jsonx.Value{"company": jsonx.Of(text), "name": jsonx.Of(text), "town": jsonx.Of(""),
				"risks": titles("?", text).Value}[c.Key]; ok {
				a.Context.Members = append(a.Context.Members, jsonx.Member{Key: c.Key, Value: v})
			}
		}
	}
	return a
}

// decide is turn.Decide, which must not change the state.
func (w *world) decide(in turn.Input) turn.Plan {
	before := encode(w, w.s)
	p := turn.Decide(w.env, w.s, in)
	if encode(w, w.s) != before {
		w.Fatalf("%T of %s changes the state", in, in.Of().Kind)
	}
	return p
}

// happens carries an event out: a model answers what it is asked, and a handler what it is called with.
func (w *world) happens(e *ui.Event) (turn.Plan, turn.Step) {
	in := turn.Input(turn.Received{Event: e})
	p := w.decide(in)
	if p.Ask.Prompt != "" && !p.Ask.Follows {
		reply := &agent.Reply{Text: one(w, "reply", "", "Well."), Directives: one(w, "directives", nil,
			[]directive.Directive{directed(directive.TypeShowForm, `{"name":"customer"}`)},
			[]directive.Directive{directed(directive.TypeShowTable, `{"name":"risks"}`), directed("ui.dance", `{}`)})}
		in = one[turn.Input](w, "answer", turn.Replied{Event: e, Reply: reply},
			turn.Replied{Event: e, Failed: &ui.Error{Code: "LLM_UNAVAILABLE"}})
		p = w.decide(in)
	}
	if p.Call.Effect != nil {
		before := encode(w, w.s)
		p = turn.Resume(w.env, w.s, e, p, one(w, "result", &turn.Called{}, &turn.Called{Result: app.Result{Text: "Filed."}},
			&turn.Called{Failed: &ui.Error{Code: "ACTION_FAILED"}},
			&turn.Called{Result: app.Result{Errors: []ui.FieldError{{Path: "/draft/company", Text: "No."}}}}))
		if encode(w, w.s) != before {
			w.Fatalf("the result of %s changes the state", e.Kind)
		}
	}
	done, err := turn.Apply(w.env, w.s, e, p, false)
	if err != nil {
		w.Fatalf("%s: %v", e.Kind, err)
	}
	return p, turn.Show(w.env, done, e, p, nil)
}

// TestLawsOfATurn: whatever happens, a plan changes no state but by its frame, which leads from one state to the next
// for whoever applies it; a refused event changes nothing but what was typed; and after the end nothing changes.
func TestLawsOfATurn(t *testing.T) {
	t.Parallel()
	env := laws(t)
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, env)
		for range rapid.IntRange(1, 10).Draw(rt, "events") {
			e := w.event()
			before := encode(rt, w.s)
			_, got := w.happens(e)
			if encode(rt, w.s) != before {
				rt.Fatalf("the frame of %s changes the state before it", e.Kind)
			}
			replayed, _, err := ui.Apply(w.s, got.Frame, env.App.Config().Limits)
			if err != nil || encode(rt, replayed) != encode(rt, got.After) || got.Frame.Seq != w.s.Seq+1 {
				rt.Fatalf("the frame of %s leads elsewhere: %v", e.Kind, err)
			}
			if got.Frame.Outcome.Kind == ui.OutcomeRefused {
				w.sameButTyped(e, got.After)
			}
			if w.s.Ended && len(got.Frame.Ops) > 0 {
				rt.Fatalf("%s after the end: %v", e.Kind, got.Frame.Ops)
			}
			w.s = got.After
		}
	})
}

// sameButTyped fails unless a state differs from that of the world in its drafts alone.
func (w *world) sameButTyped(e *ui.Event, after *ui.State) {
	plain := func(s *ui.State) string {
		copied := *s
		copied.Seq, copied.Toasts, copied.Surfaces = 0, nil, nil
		for _, sf := range s.Surfaces {
			one := ui.Surface{Name: sf.Name, Epoch: sf.Epoch, Nonce: sf.Nonce, Status: sf.Status, Title: sf.Title,
				Root: sf.Root, Origin: sf.Origin}
			copied.Surfaces = append(copied.Surfaces, &one)
		}
		return encode(w, &copied)
	}
	if was, is := plain(w.s), plain(after); was != is {
		w.Fatalf("%s is refused and changes more than drafts:\n%s\n%s", e.Kind, was, is)
	}
}

// TestUndoLaw: what a cancel takes away comes back by "undo", with what was typed.
func TestUndoLaw(t *testing.T) {
	t.Parallel()
	env := laws(t)
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, env)
		w.env.Model, w.env.Phrases = false, true
		n := one(w, "what", customer, guest, risks)
		opens := map[ui.Name]string{customer: "add a customer", guest: "add a guest", risks: "We have 3 risks."}[n]
		w.s = step(rt, w.env, w.env.App.NewState("c"), turn.Received{Event: message(1, opens)}).After
		text := one(w, "text", "Acme", "Zoë", " x ")
		click := press(rt, w.s.Surface(n), "Cancel")
		click.Action.Context = jsonx.OfObject(map[ui.Name]jsonx.Member{customer: input("company", text),
			guest: input("name", text), risks: titles(text, "?")}[n])
		canceled := step(rt, w.env, w.s, turn.Received{Event: click}).After
		if status(canceled, n) != ui.StatusCanceled {
			rt.Fatalf("%s is %q after the cancel", n, status(canceled, n))
		}
		before := canceled.Surface(n).Draft
		back := step(rt, w.env, canceled, turn.Received{Event: message(3, "undo")}).After
		if sf := back.Surface(n); sf.Status != ui.StatusOpen || !sf.Draft.Equal(before) {
			rt.Fatalf("%s is %s with %v, want %v", n, sf.Status, sf.Draft, before)
		}
		if (back.Router.Open(n) != nil) != (w.s.Router.Open(n) != nil) || back.Router.Cancels != w.s.Router.Cancels {
			rt.Fatalf("router %+v, want %+v", back.Router, w.s.Router)
		}
	})
}

// TestGiveUpLaw: an event whose turn broke can always be given up: there is a frame for it, which fails.
func TestGiveUpLaw(t *testing.T) {
	t.Parallel()
	env := laws(t)
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, env)
		for range rapid.IntRange(1, 4).Draw(rt, "events") {
			_, got := w.happens(w.event())
			w.s = got.After
		}
		e := w.event()
		p := w.decide(turn.GivenUp{Event: e, Code: "TURN_POISON"})
		got, err := turn.Apply(w.env, w.s, e, p, false)
		if err != nil {
			rt.Fatalf("%s cannot be given up: %v", e.Kind, err)
		}
		if o := got.Frame.Outcome; !w.s.Ended && (o.Kind != ui.OutcomeFailed || o.Code != "TURN_POISON") {
			rt.Fatalf("%s: %+v", e.Kind, o)
		}
	})
}
