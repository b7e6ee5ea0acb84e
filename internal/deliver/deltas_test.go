package deliver_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
)

// speaker is a service whose models say what the test says.
type speaker struct {
	*session.Service
	mu          sync.Mutex
	now         []conversation.Delta
	subscribers []func()
}

func (s *speaker) Deltas(string) []conversation.Delta {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.now)
}

func (s *speaker) OnDelta(_ string, wake func()) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subscribers = append(s.subscribers, wake)
	return func() {}
}

func (s *speaker) says(now ...conversation.Delta) {
	s.mu.Lock()
	s.now = now
	subscribers := s.subscribers
	s.mu.Unlock()
	for _, wake := range subscribers {
		wake()
	}
	synctest.Wait()
}

// heard is what a client makes of its deltas, as docs/http.md says.
func (f *follower) heard() map[string]string {
	f.Helper()
	synctest.Wait()
	out := f.said
	for len(f.got) > 0 {
		c := <-f.got
		if c.Beat {
			continue
		}
		var d struct {
			Event, Text string
			At          int
		}
		if c.Event != "delta" || c.ID != "" || json.Unmarshal(c.Data[0], &d) != nil {
			f.Fatalf("got %+v", c)
		}
		have := []rune(out[d.Event])
		if d.At == 0 {
			have = nil
		}
		if d.At != len(have) {
			f.Fatalf("%q comes at %d, after %q", d.Text, d.At, string(have))
		}
		out[d.Event] = string(have) + d.Text
	}
	return out
}

// Subscribers get deltas as they come, late ones from the beginning, and none after
// the frame.
func TestDeltasReachEachSubscriber(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		src := &speaker{Service: w.svc}
		w.deliver = w.deliverer(src)
		src.says(conversation.Delta{Event: "a", Text: "Über"}) // nobody is there
		one := w.follow(w.request("v0.9", deliver.Limn))
		one.expect("", 0)
		if got := one.heard()["a"]; got != "Über" {
			t.Errorf("heard %q", got)
		}
		src.says(conversation.Delta{Event: "a", Text: "Über all"}, conversation.Delta{Event: "b", Text: "B"})
		late := w.follow(w.request("v0.9", deliver.Limn)) // the same view
		bare := w.follow(w.request("v0.8", deliver.A2UI)) // another
		late.expect("", 0)
		bare.expect("", 0)
		for _, f := range []*follower{late, bare} {
			if got := f.heard(); got["a"] != "Über all" || got["b"] != "B" {
				t.Errorf("came late and heard %q", got)
			}
		}
		if got := one.heard(); got["b"] != "B" {
			t.Errorf("heard %q", got)
		}
		src.says(conversation.Delta{Event: "a", Try: 1, Text: "No"}, conversation.Delta{Event: "b", Text: "Bee"})
		for _, f := range []*follower{one, late, bare} {
			if got := f.heard(); got["a"] != "No" {
				t.Errorf("after another try heard %q", got)
			}
		}
		src.mu.Lock()
		src.now = nil // nobody is woken: the frame does that
		src.mu.Unlock()
		w.say("Whole.")
		for _, f := range []*follower{one, late, bare} {
			f.expect("", 1)
			f.nothing()
		}
		after := w.follow(w.request("v0.9", deliver.Limn))
		after.expect("", 1)
		after.nothing()
		for _, f := range []*follower{one, late, bare, after} {
			f.stop()
		}
	})
}
