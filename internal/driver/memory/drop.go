package memory

import (
	"context"
	"slices"

	"github.com/limn-ui/limn/store"
)

func (s *driver) Drop(ctx context.Context, id string, expect uint64) error {
	err := s.in(ctx, id, func(c *conversation) error {
		ofIt := func(j *store.Job) bool { return j.Conversation == id }
		leased := func(r *received) bool { return !r.Done && r.lease.left() > 0 }
		switch {
		case c.head() != expect:
			return store.ErrConflict
		case c.turn.left() > 0 || slices.ContainsFunc(c.events, leased):
			return store.ErrLeased
		case slices.ContainsFunc(s.jobs, ofIt):
			return store.ErrQueued
		}
		s.dead = slices.DeleteFunc(s.dead, ofIt)
		delete(s.convs, id)
		return nil
	})
	return act(err, "drop conversation %q", id)
}
