package turn_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestActorsKeepTheirNames: however many actors somebody makes up, the name of one whose
// words stand stays its principal's.
func TestActorsKeepTheirNames(t *testing.T) {
	t.Parallel()
	env := env(t)
	a, err := app.New(app.Config{Name: "t", Extensions: []string{app.DataSync}, Forms: []app.Form{{Name: "guest",
		Phrases: []string{"a guest"}, Fields: []ui.Field{{Name: "name", Type: ui.TypeText}, {Name: "town", Type: ui.TypeText}}}}})
	if err != nil {
		t.Fatal(err)
	}
	env.App = a
	s := step(t, env, a.NewState("c"), turn.Received{Event: message(1, "a guest")}).After
	write := func(n int, principal, actor, path, value string) turn.Step {
		at := noon.Add(time.Duration(n) * time.Millisecond)
		e := &ui.Event{V: ui.Version, ID: ui.EventID(fmt.Sprint("w", n)), Kind: ui.EventShared, At: at, Principal: principal,
			Shared: &ui.SharedEvent{Surface: "form:guest#e=1", Actor: actor, Writes: []ui.SharedWrite{{Path: ui.Path(path),
				Value: jsonx.Of(value), Stamp: datasync.Stamp{Time: at.UnixMilli(), Actor: actor}.String()}}}}
		next := step(t, env, s, turn.Received{Event: e})
		s = next.After
		return next
	}
	write(1, "ann", "r-ann", "/draft/name", "Ann's")
	for n := range 200 {
		if got := write(n+2, "eve", fmt.Sprint("r-", n), "/draft/town", fmt.Sprint(n)); got.Frame.Outcome.Kind != ui.OutcomeDone {
			t.Fatalf("%+v", got.Frame.Outcome)
		}
	}
	if got := write(300, "eve", "r-ann", "/draft/town", "as Ann"); got.Frame.Outcome.Code != datasync.CodeActor {
		t.Errorf("another may write as Ann: %+v", got.Frame.Outcome)
	}
	if got := write(301, "ann", "r-ann", "/draft/name", "Ann's own"); got.Frame.Outcome.Kind != ui.OutcomeDone {
		t.Errorf("Ann may not go on: %+v", got.Frame.Outcome)
	}
	if v, _ := s.Surface("form:guest").Get("/draft/name"); v.Text() != "Ann's own" {
		t.Errorf("the name is %q", v.Text())
	}
}
