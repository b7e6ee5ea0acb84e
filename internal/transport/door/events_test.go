package door_test

import (
	"context"
	"errors"
	"testing"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// answers are the receipts of a service that has no frames.
type answers struct {
	door.Service
	of    map[ui.EventID]conversation.Receipt
	fails *bool
}

func (a answers) Receipt(_ context.Context, _, _ string, e ui.EventID) (conversation.Receipt, bool, error) {
	if *a.fails {
		return conversation.Receipt{}, false, errors.New("no store")
	}
	rec, known := a.of[e]
	return rec, known, nil
}

func (answers) Steps(context.Context, string, uint64, int) ([]conversation.Step, error) {
	return nil, nil
}

// TestEvents: an action ends with its frame, unless a model replies to it: also if that is known only by then.
func TestEvents(t *testing.T) {
	t.Parallel()
	s := answers{of: map[ui.EventID]conversation.Receipt{}, fails: new(bool)}
	frame := func(e ui.EventID, kind ui.OutcomeKind) *ui.Frame {
		return &ui.Frame{Event: e, Outcome: ui.Outcome{Kind: kind}}
	}
	events := door.NewEvents(s, "c", "ada", 7)
	events.Add(t.Context(), conversation.Receipt{Event: "a"}, true)
	for i, c := range []struct {
		came       ui.EventID // a receipt
		done       bool
		frame      *ui.Frame
		ends, over bool
	}{
		{"", false, frame("other", ui.OutcomeDone), false, false},
		{"a", false, frame("a", ui.OutcomeRefused), true, false},
		{conversation.ReplyTo("a"), false, frame("a", ui.OutcomeDone), false, false},
		{"a", true, frame("a", ui.OutcomeDone), false, false},
		{conversation.ReplyTo("a"), true, frame(conversation.ReplyTo("a"), ui.OutcomeDone), true, true},
	} {
		if c.came != "" {
			s.of[c.came] = conversation.Receipt{Event: c.came, Seq: 8, Done: c.done, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
		}
		_, over, _ := events.Over(t.Context())
		if ends, err := events.Ends(c.frame); ends != c.ends || over != c.over || err != nil {
			t.Errorf("%d: ends %v, over %v, %v", i, ends, over, err)
		}
	}
	plain := door.NewEvents(s, "c", "ada", 7)
	plain.Add(t.Context(), conversation.Receipt{Event: "m"}, false)
	if ends, _ := plain.Ends(frame("m", ui.OutcomeDone)); !ends || !plain.Owns("m") || plain.Owns("a") {
		t.Error("a message ends with its frame")
	}
	for rec, want := range map[conversation.Receipt]uint64{{Event: "a", Seq: 7, Done: true}: 6, {Event: "a", Seq: 8, Done: true}: 7,
		{Event: "a", Seq: 7}: 7, {Seq: 0, Done: true}: 7, {Seq: 7, Done: true}: 7} {
		e := door.NewEvents(s, "c", "ada", 7)
		if e.Add(t.Context(), rec, false); e.After != want {
			t.Errorf("%+v: after %d, want %d", rec, e.After, want)
		}
	}
}

// TestEventsUnknown: whether a model replies is not known while its receipt cannot be looked up.
func TestEventsUnknown(t *testing.T) {
	t.Parallel()
	done := conversation.Receipt{Event: "a", Seq: 8, Done: true, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	frame, fails := &ui.Frame{Seq: 8, Event: "a", Outcome: done.Outcome}, true
	s := answers{of: map[ui.EventID]conversation.Receipt{"a": done}, fails: &fails}
	for _, replies := range []bool{true, false} {
		if s.of[conversation.ReplyTo("a")] = done; !replies {
			delete(s.of, conversation.ReplyTo("a"))
		}
		fails = true
		events := door.NewEvents(s, "c", "ada", 7)
		events.Add(t.Context(), done, true)
		_, over, err := events.Over(t.Context())
		ends, failed := events.Ends(frame)
		if over || ends || err == nil || failed == nil {
			t.Errorf("while it fails: over %v, %v; ends %v, %v", over, err, ends, failed)
		}
		if _, reached, err := events.Reached(&ui.State{Seq: 8}); reached || err == nil {
			t.Errorf("while it fails: %v, %v", reached, err)
		}
		fails = false
		if ends, err := events.Ends(frame); ends == replies || err != nil {
			t.Errorf("replies %v: ends %v, %v", replies, ends, err)
		}
	}
}
