package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// The parts of a Service work without one.

// recorded is a store with a conversation in which an event is pending.
func recorded(t *testing.T) *memory.Store {
	t.Helper()
	st := memory.New()
	ctx := context.Background()
	if err := st.Create(ctx, store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "p"}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Record(ctx, "c", store.Record{Event: "e", Hash: "h", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	return st
}

func TestJournalKeepsNotesInOrder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := journal{store: recorded(t), conversation: "c", event: "e"}
	want := []note{{Kind: noteRoute}, {Kind: noteIntent, Name: "save"}, {Kind: noteResult, Name: "save", Error: "no"}}
	for i, n := range want {
		if err := j.write(ctx, i, n); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.write(ctx, 1, note{Kind: noteCancel}); !errors.Is(err, store.ErrExists) {
		t.Errorf("a second note at step 1: %v, want ErrExists", err)
	}
	got, err := j.notes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	for want := 1; want <= 2; want++ {
		if n, err := j.start(ctx); n != want || err != nil {
			t.Errorf("start %d, %v, want %d", n, err, want)
		}
	}
}

func TestCallInFindsTheCallAfterRouting(t *testing.T) {
	t.Parallel()
	route, intent, result := note{Kind: noteRoute}, note{Kind: noteIntent}, note{Kind: noteResult}
	tool := note{Kind: noteIntent, By: "w"}
	for name, c := range map[string]struct {
		notes        []note
		step         int
		begun, ended bool
	}{
		"nothing":                {nil, 0, false, false},
		"routed only":            {[]note{route}, 1, false, false},
		"begun":                  {[]note{route, intent}, 1, true, false},
		"ended":                  {[]note{intent, result}, 0, true, true},
		"ended after a cancel":   {[]note{intent, {Kind: noteCancel}, result}, 0, true, true},
		"the call of a tool":     {[]note{tool, result}, 0, false, false},
		"a model that was asked": {[]note{{Kind: noteAsked}, tool}, 0, false, false},
	} {
		step, begun, ended := callIn(c.notes)
		if step != c.step || begun != c.begun || (ended != nil) != c.ended {
			t.Errorf("%s: step %d, begun %v, ended %v", name, step, begun, ended != nil)
		}
	}
}

func TestWorkRefusesAfterClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork()
		if err := w.enter(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { w.end(context.Background()); close(ended) }()
		synctest.Wait()
		if err := w.enter(); ui.CodeOf(err) != CodeDraining {
			t.Errorf("enter after Close began: %v", err)
		}
		if w.pause(nil, time.Hour) {
			t.Error("a pause goes on after Close began")
		}
		select {
		case <-ended:
			t.Error("Close does not wait")
		default:
		}
		w.Done()
		<-ended
	})
}

func TestCacheEvictsTheLongestUnused(t *testing.T) {
	t.Parallel()
	k := &cache{most: 2, mostBytes: 1 << 30, open: map[string]*mailbox{}, weighs: map[string]int{}}
	add := func(id string, busy bool) {
		c := &mailbox{info: store.Conversation{ID: id}, log: &conversation.Log{}, inflight: map[ui.EventID]*running{}}
		if busy {
			c.inflight["e"] = &running{}
		}
		c, _ = k.put(c)
		c.unpin()
		k.weigh(c)
	}
	add("busy", true)
	add("old", false)
	add("new", false)
	if len(k.open) != 2 || k.open["busy"] == nil || k.open["new"] == nil {
		t.Errorf("in memory: %v, want the busy and the new one", k.open)
	}
	if want := int64(2 * new(conversation.Log).Weight()); k.weight != want {
		t.Errorf("weight %d, want %d", k.weight, want)
	}
}
