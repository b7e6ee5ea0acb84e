package session

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
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
	if err := c.fresh(ctx); err != nil {
		return Head{}, err
	}
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
	steps, ok := c.fromRecent(after, max)
	if ok && len(steps) == 0 {
		if err := c.fresh(ctx); err != nil {
			return nil, err
		}
		steps, ok = c.fromRecent(after, max)
	}
	if ok {
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

// Look catches up with what other processes committed. With Config.Node every
// reading does; without it, readers call it when their patience says so.
func (s *Service) Look(ctx context.Context, id string) error {
	c, done, err := s.conversation(ctx, id, "")
	if err != nil {
		return err
	}
	defer done()
	return c.look(ctx)
}

// fresh makes sure that the state is not older than this call, if other nodes
// may change it.
func (c *conversation) fresh(ctx context.Context) error {
	if c.svc.desk == nil {
		return nil
	}
	return c.look(ctx)
}

// look is one reading of the store that readers share.
type look struct {
	done chan struct{}
	err  error
}

// look reads what other processes committed. Who comes while nobody reads, reads;
// all who come until that reading is over share the next one.
func (c *conversation) look(ctx context.Context) error {
	c.svc.mu.Lock()
	l, first := c.nextLook, c.nextLook == nil
	if first {
		l = &look{done: make(chan struct{})}
		c.nextLook = l
	}
	c.svc.mu.Unlock()
	if first {
		c.looking <- struct{}{}
		defer func() { <-c.looking }()
		c.svc.mu.Lock()
		c.nextLook = nil // from here on the store may say more than this look sees
		c.svc.mu.Unlock()
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.svc.cfg.Timeout) // others rely on it
		l.err = c.reload(reading)
		cancel()
		close(l.done)
	}
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Subscribe returns wake-ups of a conversation: hints to look at Steps again. With
// Config.Node, a hint that is lost is made up for after Config.Poll.
func (s *Service) Subscribe(id string) (<-chan struct{}, func()) {
	wake, end := s.cfg.Bus.Subscribe(id)
	return wake, s.followed(id, end)
}

// Watch is Subscribe without a channel: wake is called from any goroutine and
// must not block.
func (s *Service) Watch(id string, wake func()) (cancel func()) {
	if w, ok := s.cfg.Bus.(bus.Watcher); ok {
		return s.followed(id, w.Watch(id, wake))
	}
	hints, end := s.cfg.Bus.Subscribe(id)
	quit := make(chan struct{})
	go func() { // ends with cancel
		for {
			select {
			case <-hints:
				wake()
			case <-quit:
				return
			}
		}
	}()
	return s.followed(id, sync.OnceFunc(func() { end(); close(quit) }))
}

// followed notes that somebody reads a conversation, until the end.
func (s *Service) followed(id string, end func()) func() {
	if s.desk == nil {
		return end
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.follow[id]
	if f == nil {
		f = &followed{}
		s.follow[id] = f
	}
	f.readers++
	return sync.OnceFunc(func() {
		end()
		s.mu.Lock()
		defer s.mu.Unlock()
		if f.readers--; f.readers == 0 {
			delete(s.follow, id)
		}
	})
}

// followed is a conversation that somebody reads.
type followed struct {
	readers int
	seq     uint64 // they were woken for
}

// poll looks, for all conversations that are read here, whether there is more
// than their readers were woken for: a bus may lose its hints.
func (s *Service) poll() {
	defer s.work.Done()
	heads, ok := s.cfg.Store.(interface {
		Heads(ctx context.Context, ids []string) (map[string]uint64, error)
	})
	if !ok {
		return
	}
	for s.pause(nil, s.cfg.Poll/2+rand.N(s.cfg.Poll/2)) {
		s.mu.Lock()
		ids := slices.Collect(maps.Keys(s.follow))
		s.mu.Unlock()
		for page := range slices.Chunk(ids, store.Page) {
			found, err := heads.Heads(s.stop, page)
			if err != nil {
				s.cfg.Log.Warn("poll", "err", trace.Quiet(err))
				break
			}
			for id, seq := range found {
				s.wake(id, seq)
			}
		}
	}
}

func (s *Service) wake(id string, seq uint64) {
	s.mu.Lock()
	f := s.follow[id]
	news := f != nil && f.seq < seq
	if news {
		f.seq = seq
	}
	s.mu.Unlock()
	if !news {
		return
	}
	if w, ok := s.cfg.Bus.(bus.Waker); ok {
		w.Wake(id)
	} else {
		s.cfg.Bus.Notify(id, seq)
	}
}
