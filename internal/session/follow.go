package session

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
)

// followers counts the readers of conversations here, so that poll looks for frames
// whose hints the bus has lost. Only with several nodes.
type followers struct {
	mu   sync.Mutex
	read map[string]*followed // by conversation
}

// followed is a conversation with readers.
type followed struct {
	readers int
	seq     uint64 // they were woken for
}

// add counts a reader until leave.
func (f *followers) add(id string) (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.read == nil {
		f.read = map[string]*followed{}
	}
	one := f.read[id]
	if one == nil {
		one = &followed{}
		f.read[id] = one
	}
	one.readers++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if one.readers--; one.readers == 0 {
			delete(f.read, id)
		}
	}
}

// ids lists the conversations with readers.
func (f *followers) ids() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Keys(f.read))
}

// behind reports whether readers were not woken for seq yet, and notes that they are.
func (f *followers) behind(id string, seq uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.read[id]
	if one == nil || one.seq >= seq {
		return false
	}
	one.seq = seq
	return true
}

// Subscribe returns wake-ups of a conversation: hints to look at Steps again. With
// Config.Node, a hint that is lost is made up for after Config.Poll.
func (s *Service) Subscribe(id string) (<-chan struct{}, func()) {
	wake, end := s.cfg.Bus.Subscribe(id)
	return wake, s.followed(id, end)
}

// Watch is Subscribe without a channel: wake is called from any goroutine and
// must not block.
func (s *Service) Watch(id string, wake func()) (cancel func()) {
	if w, ok := s.cfg.Bus.(bus.Watcher); ok {
		return s.followed(id, w.Watch(id, wake))
	}
	hints, end := s.cfg.Bus.Subscribe(id)
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
	return s.followed(id, sync.OnceFunc(func() { end(); close(quit) }))
}

// followed counts a reader of a conversation, until the end.
func (s *Service) followed(id string, end func()) func() {
	if s.owner == nil {
		return end
	}
	leave := s.followers.add(id)
	return sync.OnceFunc(func() { end(); leave() })
}

// poll looks, for all conversations with readers here, whether there are frames that
// their readers were not woken for: a bus may lose its hints.
func poll(s *Service) {
	defer s.work.Done()
	for s.work.pause(nil, s.cfg.Poll/2+rand.N(s.cfg.Poll/2)) {
		for page := range slices.Chunk(s.followers.ids(), store.Page) {
			found, err := s.cfg.Store.Heads(s.work.stop, page)
			if err != nil {
				s.cfg.Log.Warn("poll", "err", trace.Quiet(err))
				break
			}
			for id, seq := range found {
				if s.followers.behind(id, seq) {
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
