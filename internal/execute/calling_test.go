package execute

import (
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// TestCalling: of 10,000 calls as many wait as the table holds, until each is answered or expired; a
// late result, or one of a call that has ended, is for nobody.
func TestCalling(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "x", Actions: []app.Action{{Name: "then", Reply: "Thanks."}}})
	if err != nil {
		t.Fatal(err)
	}
	env := Env{App: a, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	s := ui.NewState("x")
	take := func(i int) *ui.Error {
		env.Event = ui.EventID(time.Duration(i).String())
		op, err := env.calling(s, nil, ui.Action{Do: "f", Name: "then"})
		if err == nil {
			s.Router = op.(*ui.Set).Router
		}
		return err
	}
	for i := range 10_000 {
		if err := take(i); (err == nil) != (i < maxCalls) {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	first := s.Router.Calls[0].ID
	result := func(after time.Duration) *ui.Event {
		return &ui.Event{At: env.Now.Add(after), Action: &ui.ActionEvent{Call: first, Returns: true, Version: "v1.0"}}
	}
	op, call, ok := Returned(s, result(callTime))
	if !ok || call.Name != "then" {
		t.Fatalf("%+v %v", call, ok)
	}
	if _, _, ok := Returned(s, result(callTime+1)); ok {
		t.Error("a late result is taken")
	}
	late := result(callTime + 1)
	late.Action.Version = ""
	if _, _, ok := Returned(s, late); !ok {
		t.Error("a call does not expire")
	}
	env.Now = late.At
	if err := take(10_000); err == nil {
		t.Error("a call whose time is over is forgotten before it expires")
	}
	s.Router = op.(*ui.Set).Router
	if _, _, ok := Returned(s, result(0)); ok {
		t.Error("a result is taken twice")
	}
	if err := take(10_000); err != nil || len(s.Router.Calls) != maxCalls {
		t.Errorf("%v, %d calls wait", err, len(s.Router.Calls))
	}
	for _, bad := range []ui.Action{{Do: "f", Name: "nobody"}, {Name: "then"},
		{Do: "f", Name: "then", Context: []ui.Context{{Key: "a", Path: "/draft/x"}}}} {
		if _, err := env.calling(s, nil, bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
