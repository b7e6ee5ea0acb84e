package outbox

import (
	"testing"
	"time"

	"github.com/limn-ui/limn/ui"
)

// TestDeadlineOfAnotherCall: an agent that uses the id of a call again has made another call, with a deadline of
// its own.
func TestDeadlineOfAnotherCall(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	waits := func(until time.Time) *ui.State {
		s := ui.NewState("c")
		s.Router.Calls = []ui.Action{{ID: "atlas/v1.0/c1", Name: "located", Until: until}}
		return s
	}
	none, first, second := ui.NewState("c"), waits(at), waits(at.Add(time.Minute))
	e := &ui.Event{ID: "e"}
	one, two := Deadlines("c", e, none, first), Deadlines("c", e, first, second)
	if len(one) != 1 || len(two) != 1 || one[0].ID == two[0].ID || !two[0].Due.Equal(at.Add(time.Minute)) {
		t.Errorf("%+v and %+v", one, two)
	}
	if again := Deadlines("c", e, first, first); len(again) != 0 || len(ended(first, second)) != 1 {
		t.Errorf("%+v, %+v", again, ended(first, second))
	}
}
