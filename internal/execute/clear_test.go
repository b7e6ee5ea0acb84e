package execute_test

import (
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/ui"
)

// TestClear: a field that is not to stay on the screen is committed and then
// shown empty.
func TestClear(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "x", Forms: []app.Form{{Name: "login", Fields: []ui.Field{
		{Name: "user", Type: ui.TypeText}, {Name: "pin", Type: ui.TypeText, Clear: true}}}}})
	if err != nil {
		t.Fatal(err)
	}
	f, _ := a.Form("login")
	s, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{Seq: 1, Ops: ui.Ops{a.OpenForm(f, ui.Map()).Op("n")}},
		ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	env := execute.Env{App: a, Now: time.Unix(0, 0), Nonce: func() string { return "n" }}
	sf := s.Surface("form:login")
	action, _ := sf.ActionAt("main/buttons/submit")
	step, err := execute.Action(env, s, execute.Click{Surface: sf, Action: action, Context: ui.Map(),
		Values: []ui.Leaf{{Path: "/draft/user", Value: ui.String("ann")},
			{Path: "/draft/pin", Value: ui.String("1234")}}})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err = ui.Apply(s, &ui.Frame{Seq: 2, Ops: step.Ops}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	committed, _ := s.Committed.Get("login", "pin")
	shown, _ := s.Surface("form:login").Get("/draft/pin")
	kept, _ := s.Surface("form:login").Get("/draft/user")
	if committed.Text() != "1234" || shown.Text() != "" || kept.Text() != "ann" {
		t.Errorf("committed %q, shown %q, the other field %q", committed.Text(), shown.Text(), kept.Text())
	}
}
