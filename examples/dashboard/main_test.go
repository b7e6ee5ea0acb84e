package main

import (
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/limntest"
)

// TestDashboard: the view shows what was published, and an order that is saved is in it
// in the same frame.
func TestDashboard(t *testing.T) {
	t.Parallel()
	srv, err := server()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	at := time.Date(2026, 11, 26, 9, 30, 0, 0, time.UTC)
	if err := srv.Live().Publish(t.Context(), "sales", figures{}.next(at, 40).next(at.Add(time.Second), 20)); err != nil {
		t.Fatal(err)
	}
	talk := limntest.NewTalk(t, srv.Service(), "ann")
	talk.Submit(limntest.Say("Show the dashboard, please"))
	shown := func(want ...string) {
		t.Helper()
		tree, err := talk.Open("view:dashboard").Root.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(string(tree), text) {
				t.Errorf("the view lacks %s: %s", text, tree)
			}
		}
	}
	if v, _ := talk.State().Committed.Get("sales", "visitors"); v.Text() != "60" {
		t.Errorf("%s visitors", v.Text())
	}
	shown(`"labels":["09:30:00","09:30:01"]`, `"values":[40,20]`, `"text":"/prices"`)

	talk.Submit(limntest.Say("Add an order"))
	form := talk.Open("form:order")
	talk.Submit(limntest.Press(form, "main/buttons/submit", limntest.Input("customer", "Acme"),
		limntest.Input("amount", "12")))
	shown(`"text":"Acme"`, `"text":"12"`)
}
