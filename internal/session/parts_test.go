package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// The parts of a Service work without one.

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
