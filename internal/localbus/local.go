package localbus

import (
	"slices"
	"sync"

	"github.com/limn-ui/limn/bus"
)

var _ bus.Bus = (*Bus)(nil)

// Bus is a bus within this process. Call New.
type Bus struct {
	mu   sync.RWMutex // guards subs and the lists in it
	subs map[string][]*sub
}

type sub struct{ hear func(n uint64) }

// New returns a bus without subscribers.
func New() *Bus {
	return &Bus{subs: map[string][]*sub{}}
}

// Notify implements bus.Bus.
func (b *Bus) Notify(conversation string, seq uint64) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, s := range b.subs[conversation] {
		s.hear(seq)
	}
}

// Wake implements bus.Bus.
func (b *Bus) Wake(conversation string) { b.Notify(conversation, 0) }

// Subscribe implements bus.Bus.
func (b *Bus) Subscribe(conversation string) (<-chan struct{}, func()) {
	wake := make(chan struct{}, 1)
	return wake, b.Watch(conversation, func() {
		select {
		case wake <- struct{}{}:
		default: // one is waiting already, and it says the same
		}
	})
}

// Watch implements bus.Bus.
func (b *Bus) Watch(conversation string, wake func()) func() {
	return b.Numbers(conversation, func(uint64) { wake() })
}

// Numbers implements bus.Bus.
func (b *Bus) Numbers(topic string, heard func(n uint64)) (cancel func()) {
	s := &sub{heard}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs[topic] = append(b.subs[topic], s)
	return func() { b.end(topic, s) }
}

// end finds nothing the second time, also if others have subscribed since.
func (b *Bus) end(conversation string, s *sub) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.subs[conversation]
	if i := slices.Index(list, s); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	if b.subs[conversation] = list; len(list) == 0 {
		delete(b.subs, conversation)
	}
}
