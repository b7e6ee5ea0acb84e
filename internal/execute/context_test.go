package execute_test

import (
	"context"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/ui"
)

// TestDeclaredContext: a handler gets the types its action declares, and a
// value that does not fit is a question, not a call.
func TestDeclaredContext(t *testing.T) {
	t.Parallel()
	count := ui.InputFor("/draft/count", ui.Field{Name: "count", Type: ui.TypeText})
	a, err := app.New(app.Config{Name: "x",
		Actions: []app.Action{{Name: "order", Handler: func(context.Context, app.Call) (app.Result, error) { return app.Result{}, nil },
			Context: []app.ContextKey{{Key: "count", Type: ui.TypeNumber}}}},
		Views: []app.View{{Name: "shop", Nodes: ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{count,
			&ui.Button{Key: "go", Label: "Order",
				Action: ui.Action{Name: "order", Context: []ui.Context{{Key: "count", Path: "/draft/count"}}}}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := a.View("shop")
	s, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{Seq: 1, Ops: ui.Ops{a.OpenView(v, ui.NewState("c")).Op("n")}},
		ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sf := s.Surface("view:shop")
	action, _ := sf.ActionAt("main/go")
	env := execute.Env{App: a, Now: time.Unix(0, 0), Nonce: func() string { return "n" }}
	click := func(text string) execute.Step {
		step, err := execute.Action(env, s, execute.Click{Surface: sf, Action: action,
			Context: ui.Map(ui.Pair{Key: "count", Value: ui.String(text)}),
			Values:  []ui.Leaf{{Path: "/draft/count", Value: ui.String(text)}}})
		if err != nil {
			t.Fatal(err)
		}
		return step
	}
	good := click("12.50")
	if good.Effect == nil {
		t.Fatal("the handler is not called")
	}
	if n, _ := good.Effect.Values.Get("count"); n.Kind() != ui.NumberValue || n.Text() != "12.50" {
		t.Errorf("the handler gets %v %q", n.Kind(), n.Text())
	}
	if bad := click("many"); bad.Effect != nil || bad.Outcome.Kind != ui.OutcomeAsked ||
		bad.Outcome.Path != "/draft/count" {
		t.Errorf("a word for a number: %+v", bad.Outcome)
	}
}
