package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/limn-ui/limn/store"
)

// lease is the lease of a turn or of an event. The token outlives the holder.
type lease struct {
	node  string // "": free
	until time.Time
	token uint64
}

// left is how long it still lives, 0 if it does not.
func (l *lease) left() time.Duration {
	if l.node == "" {
		return 0
	}
	return max(0, time.Until(l.until))
}

// others reports whether a node other than this one holds it.
func (l *lease) others(node string) bool { return l.node != node && l.left() > 0 }

func (l *lease) take(node string, ttl time.Duration) {
	if l.node != node || l.left() == 0 {
		l.token++
	}
	l.node, l.until = node, time.Now().Add(ttl)
}

func (s *driver) Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (got store.Lease, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		if err := store.CheckLease(node, ttl); err != nil {
			return err
		}
		l, err := c.lease(what)
		if err != nil {
			return err
		}
		if l.others(node) {
			err = store.ErrLeased
		} else {
			l.take(node, ttl)
		}
		got = store.Lease{What: what, Node: l.node, Token: l.token, Left: l.left()}
		return err
	})
	return got, act(err, "lease %q of %q", what, id)
}

// lease finds the lease of the turn or of a pending event.
func (c *conversation) lease(what string) (*lease, error) {
	if what == "" {
		return &c.turn, nil
	}
	r := c.byEvent[what]
	switch {
	case r == nil:
		return nil, store.ErrNotFound
	case r.Done:
		return nil, store.ErrConflict
	}
	return &r.lease, nil
}

func (s *driver) Release(ctx context.Context, id string, l store.Lease) error {
	err := s.do(ctx, func() error {
		c := s.convs[id]
		if c == nil {
			return nil
		}
		held, err := c.lease(l.What)
		if err == nil && held.node == l.Node && held.token == l.Token {
			held.node = ""
		}
		return nil
	})
	return act(err, "release %q of %q", l.What, id)
}

func (s *driver) Orphans(ctx context.Context, limit int) (ids []string, err error) {
	type orphan struct {
		id string
		at time.Time
	}
	err = s.do(ctx, func() error {
		var all []orphan
		for id, c := range s.convs {
			oldest := orphan{id: id}
			for _, r := range c.events {
				if !r.Done && r.lease.left() == 0 && (oldest.at.IsZero() || r.At.Before(oldest.at)) {
					oldest.at = r.At
				}
			}
			if !oldest.at.IsZero() {
				all = append(all, oldest)
			}
		}
		slices.SortFunc(all, func(a, b orphan) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
		for _, o := range all[:min(len(all), store.Limit(limit))] {
			ids = append(ids, o.id)
		}
		return nil
	})
	return ids, act(err, "list orphans")
}

// mayAppend checks c against the leases of the turn and of the event it answers.
func (c *conversation) mayAppend(tx store.Commit, answered *received) error {
	switch {
	case c.turn.others(tx.Node):
		return fmt.Errorf("turn: %w", store.ErrLeased)
	case tx.Token != 0 && (c.turn.node != tx.Node || c.turn.token != tx.Token || c.turn.left() == 0):
		return fmt.Errorf("turn, token %d: %w", tx.Token, store.ErrLeased)
	case answered != nil && answered.lease.others(tx.Node):
		return fmt.Errorf("event %q: %w", tx.Event, store.ErrLeased)
	}
	return nil
}
