package session

import "github.com/limn-ui/limn/ui"

// Kept says what a Service has in memory, for tests.
type Kept struct {
	Conversations, Followed, Running, Steps int
	Weight                                  int64
}

// Kept counts it.
func (s *Service) Kept() (k Kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k.Conversations, k.Followed, k.Weight = len(s.open), len(s.follow), s.weight
	for _, c := range s.open {
		k.Running += len(c.inflight)
		k.Steps += len(c.recent)
	}
	return k
}

// News is news, for tests.
func News(s *ui.State, ops ui.Ops) ui.Ops { return news(s, ops) }
