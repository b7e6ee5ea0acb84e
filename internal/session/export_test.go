package session

import (
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// Kept says what a Service has in memory, for tests.
type Kept struct {
	Conversations, Followed, Running, Steps int
	Weight                                  int64
}

// Kept counts it.
func (s *Service) Kept() (k Kept) {
	k.Followed = len(s.readers.IDs())
	open, weight := s.cache.Values()
	k.Conversations, k.Weight = len(open), weight
	for _, c := range open {
		c.mu.Lock()
		k.Running += len(c.inflight)
		c.mu.Unlock()
		k.Steps += c.log.Kept()
	}
	return k
}

// DropUnchanged is what a frame keeps of ops, for tests.
func DropUnchanged(s *ui.State, ops ui.Ops) ui.Ops { return turn.DropUnchanged(s, ops) }
