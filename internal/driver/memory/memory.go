package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/limn-ui/limn/store"
)

// driver is a store in memory.
type driver struct {
	mu     sync.Mutex // guards all below and everything reachable from it
	closed bool
	convs  map[string]*conversation
	jobs   []*store.Job // the outbox of all conversations, in order of arrival
	dead   []*store.Job // the oldest first
	saved  map[recordKey]*saved
	made   int64 // records created so far
}

// conversation is one log. Slices in it are never handed out, only copied.
type conversation struct {
	store.Conversation
	floor   uint64
	frames  [][]byte // frames[i] has seq floor+1+i
	traces  [][]byte // as long as frames; nil: none
	said    [][]byte // the same
	turn    lease
	snaps   []snapshot
	events  []*received // in order of arrival
	byEvent map[string]*received
	byKey   map[string]*received
	blobs   map[string]store.Blob
	shares  []store.Share
}

type snapshot struct {
	seq  uint64
	body []byte
}

// received is an event that arrived.
type received struct {
	store.Event
	notes [][]byte
	lease lease
}

// New returns an empty store in memory.
func New() store.Store {
	return &driver{convs: map[string]*conversation{}, saved: map[recordKey]*saved{}}
}

// Close makes every later call return store.ErrClosed. It may be called twice.
func (s *driver) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

func (s *driver) Create(ctx context.Context, c store.Conversation) error {
	err := s.do(ctx, func() error {
		if err := c.Validate(); err != nil {
			return err
		}
		if s.convs[c.ID] != nil {
			return store.ErrExists
		}
		s.create(c)
		return nil
	})
	return act(err, "create conversation %q", c.ID)
}

func (s *driver) create(c store.Conversation) *conversation {
	c.Created = store.Time(c.Created)
	kept := &conversation{
		Conversation: c,
		byEvent:      map[string]*received{},
		byKey:        map[string]*received{},
		blobs:        map[string]store.Blob{},
	}
	s.convs[c.ID] = kept
	return kept
}

func (s *driver) Open(ctx context.Context, id string) (h store.Head, err error) {
	err = s.in(ctx, id, func(c *conversation) error {
		h = store.Head{Conversation: c.Conversation, Seq: c.head(), Floor: c.floor}
		if n := len(c.snaps); n > 0 {
			h.SnapshotSeq, h.Snapshot = c.snaps[n-1].seq, slices.Clone(c.snaps[n-1].body)
		}
		for _, r := range c.events {
			if !r.Done {
				h.Pending = append(h.Pending, r.copy())
			}
		}
		return nil
	})
	return h, act(err, "open conversation %q", id)
}

func (s *driver) Heads(ctx context.Context, ids []string) (heads map[string]uint64, err error) {
	err = s.do(ctx, func() error {
		heads = make(map[string]uint64, len(ids))
		for _, id := range ids {
			if c := s.convs[id]; c != nil {
				heads[id] = c.head()
			}
		}
		return store.CheckHeads(ids)
	})
	return heads, act(err, "read heads")
}

func (s *driver) Said(ctx context.Context, ids, words []string) (found map[string]bool, err error) {
	err = s.do(ctx, func() error {
		found = map[string]bool{}
		for _, id := range ids {
			if c := s.convs[id]; c != nil && c.says(words) {
				found[id] = true
			}
		}
		return store.CheckHeads(ids)
	})
	return found, act(err, "search conversations")
}

// says reports whether a frame has all words.
func (c *conversation) says(words []string) bool {
	return slices.ContainsFunc(c.said[max(0, len(c.said)-store.SaidKept):], func(text []byte) bool {
		lacks := func(w string) bool { return !bytes.Contains(text, []byte(w)) }
		return text != nil && !slices.ContainsFunc(words, lacks)
	})
}

// Ping implements store.Store. A store in memory answers until it is closed.
func (s *driver) Ping(ctx context.Context) error {
	return act(s.do(ctx, func() error { return nil }), "ping")
}

// do runs f under the lock, unless the store is closed or ctx is done.
func (s *driver) do(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return store.ErrClosed
	}
	return f()
}

// in runs f under the lock on conversation id.
func (s *driver) in(ctx context.Context, id string, f func(*conversation) error) error {
	return s.do(ctx, func() error {
		c := s.convs[id]
		if c == nil {
			return store.ErrNotFound
		}
		return f(c)
	})
}

func (c *conversation) head() uint64 { return c.floor + uint64(len(c.frames)) }

func (r *received) copy() store.Event {
	out := r.Event
	out.Body, out.Answer = slices.Clone(out.Body), slices.Clone(out.Answer)
	return out
}

// act wraps a non-nil err with the act that failed.
func act(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}
