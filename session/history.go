package session

import (
	"context"
	"errors"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Head is where a conversation stands.
type Head struct {
	Log   string    // identity of the log
	Floor uint64    // frames up to here are trimmed
	State *ui.State // read only
}

// Head returns the newest state of a principal's conversation; with principal
// "" of anybody's.
func (s *Service) Head(ctx context.Context, id, principal string) (Head, error) {
	c, err := s.conversation(ctx, id, principal)
	if err != nil {
		return Head{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Head{c.info.Log, c.floor, c.state}, nil
}

// Steps returns the committed steps after a seq, in order, at most max. After
// the head there are none. An error with CodeNotFound means that seq is below
// what the store still has.
func (s *Service) Steps(ctx context.Context, id string, after uint64, max int) ([]Step, error) {
	c, err := s.conversation(ctx, id, "")
	if err != nil {
		return nil, err
	}
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
			return list[:min(max, len(list))], true
		}
	}
	return nil, false
}

// fromStore replays from the newest snapshot at or before after, or from the
// beginning of the log.
func (c *conversation) fromStore(ctx context.Context, after uint64, max int) ([]Step, error) {
	s := c.svc
	var body []byte
	if snaps, ok := s.cfg.Store.(store.Snapshots); ok {
		_, b, err := snaps.Snapshot(ctx, c.info.ID, after)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, storeError("read snapshot", err)
		}
		body = b
	}
	base, err := s.base(c.info.ID, body)
	if err != nil {
		return nil, err
	}
	work := &conversation{svc: s, info: c.info, state: base}
	steps, err := s.replay(ctx, work, min(c.head().Seq, after+uint64(max)))
	if err != nil {
		return nil, err
	}
	for i, st := range steps {
		if st.Before.Seq == after {
			return steps[i:], nil
		}
	}
	return nil, nil
}

// Look catches up with other processes: it reads the head from the store if
// the conversation is at seq. Readers call it when a wake-up names a later one.
func (s *Service) Look(ctx context.Context, id string) error {
	c, err := s.conversation(ctx, id, "")
	if err != nil {
		return err
	}
	return c.reload(ctx)
}

// Subscribe returns wake-ups of a conversation: hints to look at Steps again.
func (s *Service) Subscribe(id string) (<-chan struct{}, func()) { return s.cfg.Bus.Subscribe(id) }
