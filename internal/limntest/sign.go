package limntest

import (
	"context"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// Sign types a name into the first text field that a client shows, unless the name is "",
// and returns the message of the submit button.
func Sign(tb TB, d a2ui.Dialect, c *client.Client, name string) string {
	tb.Helper()
	surface := c.Surfaces()[0]
	var field, button string
	for s := range Must(c.Surface(surface)).Root.All() {
		switch {
		case s.Role == "textbox" && field == "":
			field = s.Key()
		case s.Role == "button" && strings.Contains(s.Key(), "submit"):
			button = s.Key()
		}
	}
	if name != "" {
		if err := c.Type(surface, field, name); err != nil {
			tb.Fatal(err)
		}
	}
	a, err := c.Click(surface, button)
	if err != nil {
		tb.Fatalf("%v\n%s", err, c.Dump(surface))
	}
	a.Timestamp = "2026-11-27T00:00:00Z"
	return string(Must(a2ui.AppendClient(nil, d, &a)))
}

// Saved counts how often a conversation has saved a form with that name in it.
func Saved(tb TB, svc *session.Service, id, name string) (n int) {
	tb.Helper()
	for _, st := range Must(svc.Steps(context.Background(), id, 0, 1000)) {
		for _, op := range st.Frame.Ops {
			if op, ok := op.(*ui.Commit); ok {
				if v, _ := op.Values.Get("name"); v.Text() == name {
					n++
				}
			}
		}
	}
	return n
}
