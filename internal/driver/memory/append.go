package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/limn-ui/limn/store"
)

func (s *driver) Record(ctx context.Context, id string, r store.Event) (prior *store.Event, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		if err := r.Validate(); err != nil {
			return err
		}
		if prior, err = c.prior(r); prior != nil {
			return err
		}
		kept := c.add(r)
		if r.Node != "" {
			kept.lease.take(r.Node, r.TTL)
		}
		return nil
	})
	return prior, act(err, "record event %q", r.ID)
}

func (s *driver) Lookup(ctx context.Context, id string, r store.Event) (prior *store.Event, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		prior, err = c.prior(r)
		return err
	})
	return prior, act(err, "look up event %q", r.ID)
}

// Append implements store.Store. It checks everything before it changes
// anything, which makes it atomic.
func (s *driver) Append(ctx context.Context, id string, c store.Commit) error {
	if err := c.Validate(); err != nil {
		return act(err, "append frame %d to %q", c.Expect+1, id)
	}
	err := s.in(ctx, id, func(conv *conversation) error {
		if c.Record != nil && conv.known(*c.Record) != nil {
			return store.ErrExists
		}
		if conv.head() != c.Expect {
			return store.ErrConflict
		}
		answered, err := conv.pending(c)
		if err != nil {
			return err
		}
		if err := conv.mayAppend(c, answered); err != nil {
			return err
		}
		for _, j := range c.Outbox {
			if find(s.jobs, id, j.ID) >= 0 || find(s.dead, id, j.ID) >= 0 {
				return fmt.Errorf("%w: job %q is still queued, or is a dead letter", store.ErrInvalid, j.ID)
			}
		}
		if err := store.CheckNext(c.Records, s.newest); err != nil {
			return err
		}
		s.commit(conv, answered, c)
		return nil
	})
	return act(err, "append frame %d to %q", c.Expect+1, id)
}

// pending finds the recorded event that c answers; nil if c answers none or
// brings its own.
func (c *conversation) pending(tx store.Commit) (*received, error) {
	if tx.Event == "" || tx.Record != nil {
		return nil, nil
	}
	r := c.byEvent[tx.Event]
	if r == nil {
		return nil, fmt.Errorf("event %q: %w", tx.Event, store.ErrNotFound)
	}
	if r.Done {
		return nil, fmt.Errorf("event %q is answered: %w", tx.Event, store.ErrConflict)
	}
	return r, nil
}

func (s *driver) commit(conv *conversation, answered *received, c store.Commit) {
	seq := c.Expect + 1
	conv.frames = append(conv.frames, slices.Clone(c.Frame))
	conv.traces = append(conv.traces, append([]byte(nil), c.Trace...)) // nil if empty
	conv.said = append(conv.said, append([]byte(nil), c.Said...))
	if c.Record != nil {
		answered = conv.add(*c.Record)
	}
	if answered != nil {
		answered.Done, answered.Seq, answered.Answer = true, seq, slices.Clone(c.Answer)
	}
	if len(c.Snapshot) > 0 {
		conv.snaps = append(conv.snaps, snapshot{seq, slices.Clone(c.Snapshot)})
		conv.snaps = conv.snaps[max(0, len(conv.snaps)-2):]
	}
	for _, j := range c.Outbox {
		j.Conversation, j.Tries, j.Why = conv.ID, 0, ""
		j.Body, j.Due = slices.Clone(j.Body), store.Time(j.Due)
		s.jobs = append(s.jobs, &j)
	}
	for _, r := range c.Records {
		s.save(r)
	}
	conv.First = cmp.Or(conv.First, c.First)
}

func (s *driver) Frames(ctx context.Context, id string, after uint64, limit int) (frames []store.Frame, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		if after < c.floor {
			return store.ErrTrimmed
		}
		if after >= c.head() {
			return nil
		}
		rest := c.frames[after-c.floor:]
		for i, body := range rest[:min(len(rest), store.Limit(limit))] {
			frames = append(frames, store.Frame{Seq: after + 1 + uint64(i), Body: slices.Clone(body)})
		}
		return nil
	})
	return frames, act(err, "read frames of %q after %d", id, after)
}

func (s *driver) Traces(ctx context.Context, id string, after uint64, limit int) (traces []store.Frame, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		for i, body := range c.traces {
			seq := c.floor + 1 + uint64(i)
			if seq > after && body != nil && len(traces) < store.Limit(limit) {
				traces = append(traces, store.Frame{Seq: seq, Body: slices.Clone(body)})
			}
		}
		return nil
	})
	return traces, act(err, "read traces of %q after %d", id, after)
}

// known finds the event with r's key, else with r's event id.
func (c *conversation) known(r store.Event) *received {
	if r.Key != "" && c.byKey[r.Key] != nil {
		return c.byKey[r.Key]
	}
	return c.byEvent[r.ID]
}

// prior returns a copy of the known event, with ErrKeyReused if its hash is not r's.
func (c *conversation) prior(r store.Event) (*store.Event, error) {
	known := c.known(r)
	if known == nil {
		return nil, nil
	}
	p := known.copy()
	if p.Hash != r.Hash {
		return &p, store.ErrKeyReused
	}
	return &p, nil
}

// add adds r as pending.
func (c *conversation) add(r store.Event) *received {
	kept := &received{Event: store.Event{
		ID: r.ID, Key: r.Key, Hash: r.Hash,
		Body: slices.Clone(r.Body), At: store.Time(r.At),
	}}
	c.events = append(c.events, kept)
	c.byEvent[r.ID] = kept
	if r.Key != "" {
		c.byKey[r.Key] = kept
	}
	return kept
}
