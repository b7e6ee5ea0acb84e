package local

import (
	"sync"

	"github.com/limn-ui/limn/bus"
)

var (
	_ bus.Bus   = (*Bus)(nil)
	_ bus.Waker = (*Bus)(nil)
)

// Bus is a bus within this process. Call New.
type Bus struct {
	mu   sync.RWMutex // guards subs and the sets in it
	subs map[string]map[chan struct{}]struct{}
}

// New returns a bus without subscribers.
func New() *Bus {
	return &Bus{subs: map[string]map[chan struct{}]struct{}{}}
}

// Notify implements bus.Bus.
func (b *Bus) Notify(conversation string, _ uint64) { b.Wake(conversation) }

// Wake implements bus.Waker.
func (b *Bus) Wake(conversation string) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for wake := range b.subs[conversation] {
		select {
		case wake <- struct{}{}:
		default: // one is waiting already, and it says the same
		}
	}
}

// Subscribe implements bus.Bus.
func (b *Bus) Subscribe(conversation string) (<-chan struct{}, func()) {
	wake := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	set := b.subs[conversation]
	if set == nil {
		set = map[chan struct{}]struct{}{}
		b.subs[conversation] = set
	}
	set[wake] = struct{}{}
	return wake, func() { b.unsubscribe(conversation, wake) }
}

func (b *Bus) unsubscribe(conversation string, wake chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	// A second call finds nothing, also if others have subscribed since.
	delete(b.subs[conversation], wake)
	if len(b.subs[conversation]) == 0 {
		delete(b.subs, conversation)
	}
}
