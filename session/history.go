package session

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Head is where a conversation stands.
type Head struct {
	Log   string    // identity of the log
	Floor uint64    // frames up to here are trimmed
	State *ui.State // read only
}

// CodeTrimmed says that frames are asked for that the store no longer has:
// start from the newest state instead.
const CodeTrimmed ui.Code = "STORE_TRIMMED"

// Head returns the newest state of a principal's conversation; with principal
// "" of anybody's.
func (s *Service) Head(ctx context.Context, id, principal string) (Head, error) {
	c, done, err := s.conversation(ctx, id, principal)
	if err != nil {
		return Head{}, err
	}
	defer done()
	s.mu.Lock()
	defer s.mu.Unlock()
	return Head{c.info.Log, c.floor, c.state}, nil
}

// Steps returns the committed steps after a seq, in order, at most max. After
// the head there are none. An error with CodeTrimmed means that seq is below
// what the store still has.
func (s *Service) Steps(ctx context.Context, id string, after uint64, max int) ([]Step, error) {
	c, done, err := s.conversation(ctx, id, "")
	if err != nil {
		return nil, err
	}
	defer done()
	if steps, ok := c.fromRecent(after, max); ok {
		return steps, nil
	}
	return c.fromStore(ctx, after, max)
}

func (c *conversation) fromRecent(after uint64, max int) ([]Step, bool) {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if after >= c.state.Seq {
		return nil, true
	}
	for i, st := range c.recent {
		if st.Before.Seq == after {
			list := c.recent[i:]
			return slices.Clone(list[:min(max, len(list))]), true
		}
	}
	return nil, false
}

// fromStore replays from where the last such reader stopped, from the newest
// snapshot at or before after, or from the beginning of the log.
func (c *conversation) fromStore(ctx context.Context, after uint64, max int) ([]Step, error) {
	s := c.svc
	base, err := c.baseFor(ctx, after)
	if err != nil {
		return nil, err
	}
	var steps []Step
	end, err := s.replay(ctx, base, min(c.head().Seq, after+uint64(max)), func(st Step) {
		if st.Before.Seq >= after {
			steps = append(steps, st)
		}
	})
	if errors.Is(err, store.ErrTrimmed) {
		if head, err := s.cfg.Store.Open(ctx, c.info.ID); err == nil {
			c.jump(base, head.Floor)
		}
		return nil, &ui.Error{Code: CodeTrimmed, Message: "these frames are no longer kept", Err: err}
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.trail = end
	return steps, nil
}

// baseFor finds a state at or before seq to replay from.
func (c *conversation) baseFor(ctx context.Context, seq uint64) (*ui.State, error) {
	s := c.svc
	s.mu.Lock()
	trail := c.trail
	s.mu.Unlock()
	if trail != nil && trail.Seq > seq {
		trail = nil
	}
	if trail != nil && seq-trail.Seq < snapshotEvery {
		return trail, nil
	}
	snaps, ok := s.cfg.Store.(store.Snapshots)
	if !ok {
		return cmp.Or(trail, s.first(c.info.ID)), nil
	}
	at, body, err := snaps.Snapshot(ctx, c.info.ID, seq)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, storeError("read snapshot", err)
	}
	if trail != nil && trail.Seq >= at {
		return trail, nil
	}
	return s.base(c.info.ID, body)
}

// Look catches up with what other processes committed. Readers call it when a
// wake-up, or their patience, says that there may be more than Steps knows.
func (s *Service) Look(ctx context.Context, id string) error {
	c, done, err := s.conversation(ctx, id, "")
	if err != nil {
		return err
	}
	defer done()
	if c.overdue() {
		if err := c.sweep(ctx); err != nil {
			return storeError("look for pending events", err)
		}
	}
	return c.reload(ctx)
}

// Subscribe returns wake-ups of a conversation: hints to look at Steps again.
func (s *Service) Subscribe(id string) (<-chan struct{}, func()) { return s.cfg.Bus.Subscribe(id) }
