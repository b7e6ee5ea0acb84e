package journal_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
)

// recorded is a store with a conversation in which an event is pending.
func recorded(t *testing.T) store.Store {
	t.Helper()
	st := memory.New()
	ctx := context.Background()
	if err := st.Create(ctx, store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "p"}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Record(ctx, "c", store.Event{ID: "e", Hash: "h", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	return st
}

func TestJournalKeepsNotesInOrder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := journal.Journal{Store: recorded(t), Conversation: "c", Event: "e"}
	want := []journal.Note{{Kind: journal.KindRoute}, {Kind: journal.KindIntent, Name: "save"}, {Kind: journal.KindResult, Name: "save", Error: "no"}}
	for i, n := range want {
		if err := j.Write(ctx, i, n); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Write(ctx, 1, journal.Note{Kind: journal.KindCancel}); !errors.Is(err, store.ErrExists) {
		t.Errorf("a second note at step 1: %v, want ErrExists", err)
	}
	got, err := j.Notes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	for want := 1; want <= 2; want++ {
		if n, err := j.Start(ctx); n != want || err != nil {
			t.Errorf("start %d, %v, want %d", n, err, want)
		}
	}
}

func TestCallInFindsTheCallAfterRouting(t *testing.T) {
	t.Parallel()
	route, intent, result := journal.Note{Kind: journal.KindRoute}, journal.Note{Kind: journal.KindIntent}, journal.Note{Kind: journal.KindResult}
	tool := journal.Note{Kind: journal.KindIntent, By: "w"}
	for name, c := range map[string]struct {
		notes        []journal.Note
		step         int
		begun, ended bool
	}{
		"nothing":                {nil, 0, false, false},
		"routed only":            {[]journal.Note{route}, 1, false, false},
		"begun":                  {[]journal.Note{route, intent}, 1, true, false},
		"ended":                  {[]journal.Note{intent, result}, 0, true, true},
		"ended after a cancel":   {[]journal.Note{intent, {Kind: journal.KindCancel}, result}, 0, true, true},
		"a cancel before it":     {[]journal.Note{route, {Kind: journal.KindCancel}, intent, result}, 2, true, true},
		"a cancel of the reply":  {[]journal.Note{{Kind: journal.KindReply}, {Kind: journal.KindCancel}}, 2, false, false},
		"the call of a tool":     {[]journal.Note{tool, result}, 0, false, false},
		"a model that was asked": {[]journal.Note{{Kind: journal.KindAsked}, tool}, 0, false, false},
	} {
		step, begun, ended := journal.CallIn(c.notes)
		if step != c.step || begun != c.begun || (ended != nil) != c.ended {
			t.Errorf("%s: step %d, begun %v, ended %v", name, step, begun, ended != nil)
		}
	}
}
