package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/limn-ui/limn/store"
)

func (s *driver) Start(ctx context.Context, id, event string) (starts int, err error) {
	err = s.event(ctx, id, event, func(r *received) error {
		if r.Done {
			return store.ErrConflict
		}
		r.Starts++
		starts = r.Starts
		return nil
	})
	return starts, act(err, "start event %q", event)
}

func (s *driver) Note(ctx context.Context, id, event string, step int, body []byte) error {
	err := s.event(ctx, id, event, func(r *received) error {
		switch next := len(r.notes); {
		case r.Done:
			return store.ErrConflict
		case step < 0 || step > next:
			return fmt.Errorf("%w: the next step is %d", store.ErrInvalid, next)
		case step < next:
			return store.ErrExists
		}
		r.notes = append(r.notes, slices.Clone(body))
		return nil
	})
	return act(err, "note step %d of event %q", step, event)
}

func (s *driver) Notes(ctx context.Context, id, event string) (notes [][]byte, err error) {
	err = s.event(ctx, id, event, func(r *received) error {
		for _, n := range r.notes {
			notes = append(notes, slices.Clone(n))
		}
		return nil
	})
	return notes, act(err, "read notes of event %q", event)
}

// event runs f under the lock on a recorded event.
func (s *driver) event(ctx context.Context, id, event string, f func(*received) error) error {
	return s.in(ctx, id, func(c *conversation) error {
		r := c.byEvent[event]
		if r == nil {
			return store.ErrNotFound
		}
		return f(r)
	})
}
