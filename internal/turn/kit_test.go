package turn_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

const (
	customer ui.Name = "form:customer"
	guest    ui.Name = "form:guest"
	risks    ui.Name = "table:risks"
	process  ui.Name = "map:process"
	offer    ui.Name = "offer"

	flow = "First finance reviews it, then IT signs off, then the CFO approves."
)

// withGuest declares a second form, without a handler.
func withGuest(c *app.Config) {
	c.Forms = append(c.Forms, app.Form{Name: "guest", Title: "Guest", Phrases: []string{"add a guest"},
		Fields: []ui.Field{{Name: "name", Type: ui.TypeText}, {Name: "town", Type: ui.TypeText}}})
}

// withTools declares a table and a process map.
func withTools(c *app.Config) {
	c.Tables = append(c.Tables, app.Table{Name: "risks", Title: "Risks", Nouns: []string{"risks"}, Columns: []ui.Field{
		{Name: "title", Label: "Title", Type: ui.TypeText, Required: true},
		{Name: "count", Label: "Count", Type: ui.TypeNumber}}})
	c.Maps = append(c.Maps, app.Map{Name: "process", Title: "Process"})
}

// tooled is env with the table, the process map, and the routing of their nouns.
func tooled(tb testing.TB, opts ...func(*app.Config)) turn.Env {
	tb.Helper()
	e := env(tb, append(opts, withTools)...)
	e.Routing = turn.Routing(e.App)
	return e
}

// after is the state after messages of the user, in a new conversation.
func after(tb testing.TB, env turn.Env, texts ...string) *ui.State {
	tb.Helper()
	return then(tb, env, env.App.NewState("c"), texts...)
}

// then is a state after messages of the user.
func then(tb testing.TB, env turn.Env, s *ui.State, texts ...string) *ui.State {
	tb.Helper()
	for _, text := range texts {
		s = step(tb, env, s, turn.Received{Event: message(int(s.Seq)+1, text)}).After
	}
	return s
}

// with is a state after ops.
func with(tb testing.TB, env turn.Env, s *ui.State, ops ...ui.Op) *ui.State {
	tb.Helper()
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: noon, Ops: ops}, env.App.Config().Limits)
	if err != nil {
		tb.Fatal(err)
	}
	return next
}

// press is a click on the button with a label, with the inputs as its context.
func press(tb rapid.TB, sf *ui.Surface, label string, inputs ...jsonx.Member) *ui.Event {
	tb.Helper()
	if sf == nil {
		tb.Fatalf("no surface with a button %q", label)
	}
	e := &ui.Event{V: ui.Version, ID: "click", Kind: ui.EventAction, At: noon, Action: &ui.ActionEvent{
		Surface: sf.WireID(), Nonce: sf.Nonce, Rev: sf.Rev, Context: jsonx.OfObject(inputs...)}}
	var labels []string
	ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if b, ok := n.(*ui.Button); ok {
			labels = append(labels, b.Label)
			if b.Label == label {
				e.Action.Component, e.Action.Name = at.ComponentID("Button"), b.Action.Name
			}
		}
		return true
	})
	if e.Action.Component == "" {
		tb.Fatalf("%s has the buttons %q, not %q", sf.Name, labels, label)
	}
	return e
}

func input(name, text string) jsonx.Member { return jsonx.Member{Key: name, Value: jsonx.Of(text)} }

// titles are rows of the table of risks; that of "?" has a count and no title.
func titles(list ...string) jsonx.Member {
	var rows []jsonx.Member
	for i, title := range list {
		cells := jsonx.OfObject(input("title", title), input("count", ""))
		if title == "?" {
			cells = jsonx.OfObject(input("title", ""), input("count", "1"))
		}
		rows = append(rows, jsonx.Member{Key: "r" + string(rune('1'+i)), Value: cells})
	}
	return jsonx.Member{Key: "risks", Value: jsonx.OfObject(rows...)}
}

// finish decides on an event that calls a handler, and applies what comes of the result.
func finish(tb testing.TB, env turn.Env, s *ui.State, e *ui.Event, called turn.Called) turn.Step {
	tb.Helper()
	p := turn.Decide(env, s, turn.Received{Event: e})
	if p.Call.Effect == nil {
		tb.Fatalf("nothing is called: %+v", p)
	}
	p = turn.Resume(env, s, e, p, &called)
	done, err := turn.Apply(env, s, e, p, true)
	if err != nil {
		tb.Fatal(err)
	}
	return turn.Show(env, done, e, p, nil)
}

// ends fails unless an outcome is of the kind and has the code.
func ends(tb testing.TB, what string, o ui.Outcome, kind ui.OutcomeKind, code ui.Code) {
	tb.Helper()
	if o.Kind != kind || o.Code != code {
		tb.Errorf("%s: outcome %+v, want %s %q", what, o, kind, code)
	}
}

func equal[T any](tb testing.TB, what string, want, got T) {
	tb.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// has reports ops with one of a kind.
func has[T ui.Op](ops ui.Ops) bool {
	return slices.ContainsFunc(ops, func(op ui.Op) bool { _, ok := op.(T); return ok })
}

// spoken are the lines of the transcript after the first n, each with its speaker.
func spoken(s *ui.State, n int) (lines []string) {
	for _, l := range s.Transcript[n:] {
		lines = append(lines, string(l.Role)+" "+l.By+": "+l.Text)
	}
	return lines
}

// status is that of a surface, "" if it is not there.
func status(s *ui.State, n ui.Name) ui.Status {
	if sf := s.Surface(n); sf != nil {
		return sf.Status
	}
	return ""
}

// draft is the text at a path of a surface.
func draft(s *ui.State, n ui.Name, p ui.Path) string {
	v, _ := s.Surface(n).Get(p)
	return v.Text()
}

// shown are the texts that a surface shows.
func shown(sf *ui.Surface) string {
	var list []string
	for n := range ui.All(sf.Tree()) {
		if text, ok := n.(*ui.Text); ok {
			list = append(list, text.Text)
		}
	}
	return strings.Join(list, "\n")
}

// directed is a directive of a model.
func directed(kind, payload string) directive.Directive {
	v, err := jsonx.Parse([]byte(payload), jsonx.Limits{})
	if err != nil {
		panic(err)
	}
	return directive.Directive{Type: kind, Payload: v}
}
