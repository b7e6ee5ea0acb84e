package session

import (
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/live"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/store"
)

// follower says when there is more of a conversation: frames, and text of its runs.
type follower struct {
	svc     *Service
	readers conversation.Readers
	deltas  conversation.Deltas
	viewers *live.Streams // nil: no view shows topics or records
}

// Subscribe returns wake-ups of a conversation: hints to look at Steps again. With
// Config.Node, a hint that is lost is made up for after Config.Poll.
func (f *follower) Subscribe(id string) (<-chan struct{}, func()) {
	wake, end := f.svc.cfg.Bus.Subscribe(id)
	return wake, f.followed(id, end)
}

// Watch is Subscribe without a channel: wake is called from any goroutine and
// must not block.
func (f *follower) Watch(id string, wake func()) (cancel func()) {
	if w, ok := f.svc.cfg.Bus.(bus.Watcher); ok {
		return f.followed(id, w.Watch(id, wake))
	}
	hints, end := f.svc.cfg.Bus.Subscribe(id)
	quit := make(chan struct{})
	go func() { // ends with cancel
		for {
			select {
			case <-hints:
				wake()
			case <-quit:
				return
			}
		}
	}()
	return f.followed(id, sync.OnceFunc(func() { end(); close(quit) }))
}

// followed counts a reader of a conversation, until the end.
func (f *follower) followed(id string, end func()) func() {
	if f.viewers != nil && !live.IsSource(id) {
		leave, unwatch := f.viewers.Enter(id), end
		end = sync.OnceFunc(func() { unwatch(); leave() })
	}
	if f.svc.owner == nil {
		return end
	}
	leave := f.readers.Add(id)
	return sync.OnceFunc(func() { end(); leave() })
}

// poll looks, for all conversations with readers here, whether there are frames that
// their readers were not woken for: a bus may lose its hints.
func poll(s *Service) {
	defer s.work.Done()
	for s.work.Pause(nil, s.cfg.Poll/2+rand.N(s.cfg.Poll/2)) {
		for page := range slices.Chunk(s.readers.IDs(), store.Page) {
			found, err := s.cfg.Store.Heads(s.work.Stop, page)
			if err != nil {
				s.cfg.Log.Warn("poll", "err", logs.Quiet(err))
				break
			}
			for id, seq := range found {
				if s.readers.Behind(id, seq) {
					wake(s.cfg.Bus, id, seq)
				}
			}
		}
	}
}

func wake(b bus.Bus, id string, seq uint64) {
	if w, ok := b.(bus.Waker); ok {
		w.Wake(id)
	} else {
		b.Notify(id, seq)
	}
}

// Deltas lists the runs of a conversation that have text now, in this process.
func (f *follower) Deltas(id string) []conversation.Delta { return f.deltas.List(id) }

// OnDelta calls wake whenever a run of a conversation has more text, from any
// goroutine, until cancel. wake must not block, nor call the Service.
func (f *follower) OnDelta(id string, wake func()) (cancel func()) {
	return f.deltas.Subscribe(id, wake)
}
