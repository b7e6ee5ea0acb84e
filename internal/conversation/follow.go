package conversation

import (
	"context"
	"slices"
	"sync"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/store"
)

// Followers says when there is more of a conversation: frames, and text of its runs.
type Followers struct {
	bus     bus.Bus
	deltas  *Deltas
	readers *Readers
	enter   func(id string) (leave func())
}

// NewFollowers returns the followers of all conversations. readers counts them if other
// nodes commit as well; nil: there are none. enter is called for each follower, leave at its
// end; enter may be nil.
func NewFollowers(b bus.Bus, deltas *Deltas, readers *Readers, enter func(id string) (leave func())) *Followers {
	return &Followers{b, deltas, readers, enter}
}

// Subscribe returns wake-ups of a conversation: hints to look at its steps again. Where
// other nodes commit, the next call of WakeBehind makes up for a hint that is lost.
func (f *Followers) Subscribe(id string) (<-chan struct{}, func()) {
	wake, end := f.bus.Subscribe(id)
	return wake, f.followed(id, end)
}

// Watch is Subscribe without a channel: wake is called from any goroutine and
// must not block.
func (f *Followers) Watch(id string, wake func()) (cancel func()) {
	return f.followed(id, f.bus.Watch(id, wake))
}

// followed counts a reader of a conversation, until the end.
func (f *Followers) followed(id string, end func()) func() {
	if f.enter != nil {
		leave, unwatch := f.enter(id), end
		end = sync.OnceFunc(func() { unwatch(); leave() })
	}
	if f.readers == nil {
		return end
	}
	leave := f.readers.Add(id)
	return sync.OnceFunc(func() { end(); leave() })
}

// WakeBehind wakes the readers here of conversations that have frames which their readers
// were not woken for: a bus may lose its hints.
func WakeBehind(ctx context.Context, f *Followers, heads store.Conversations) error {
	for page := range slices.Chunk(f.readers.IDs(), store.Page) {
		found, err := heads.Heads(ctx, page)
		if err != nil {
			return err
		}
		for id, seq := range found {
			if f.readers.Behind(id, seq) {
				f.bus.Wake(id)
			}
		}
	}
	return nil
}

// Deltas lists the runs of a conversation that have text now, in this process.
func (f *Followers) Deltas(id string) []Delta { return f.deltas.List(id) }

// OnDelta calls wake whenever a run of a conversation has more text, from any
// goroutine, until cancel. wake must not block, nor call back.
func (f *Followers) OnDelta(id string, wake func()) (cancel func()) {
	return f.deltas.Subscribe(id, wake)
}

// Here exchanges counts of the clients that share the drafts of a conversation, between all
// nodes. The first function sends a count; heard gets each count that any node sends, including
// this one, until end. heard must not block, nor send.
func (f *Followers) Here(id string, heard func(n uint64)) (tell func(n uint64), end func()) {
	topic := "here:" + id
	return func(n uint64) { f.bus.Notify(topic, n) }, f.bus.Numbers(topic, heard)
}
