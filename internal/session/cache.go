package session

import (
	"context"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// cache holds the conversations that are in memory, up to a number and about a
// number of bytes. A conversation with a running event or a pin stays. The lock of
// the cache is taken before that of a conversation, never the other way.
type cache struct {
	most      int
	mostBytes int64

	mu     sync.Mutex // guards what follows
	open   map[string]*mailbox
	weighs map[string]int // by conversation
	weight int64          // the sum of weighs
}

// get returns a conversation that is in memory, pinned, or nil.
func (k *cache) get(id string) *mailbox {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.open[id]
	if c != nil {
		c.pin()
	}
	return c
}

// peek is get without counting as a use.
func (k *cache) peek(id string) *mailbox {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.open[id]
	if c != nil {
		c.mu.Lock()
		c.pins++
		c.mu.Unlock()
	}
	return c
}

// put adds a conversation and returns it pinned, or the one that another request
// added first.
func (k *cache) put(c *mailbox) (kept *mailbox, added bool) {
	k.mu.Lock()
	if other := k.open[c.info.ID]; other != nil {
		other.pin()
		k.mu.Unlock()
		return other, false
	}
	k.open[c.info.ID] = c
	c.pin()
	k.mu.Unlock()
	k.weigh(c)
	return c, true
}

// weigh counts what a conversation takes by now, and evicts others if that is too
// much.
func (k *cache) weigh(c *mailbox) {
	weighs := c.log.Weight()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.open[c.info.ID] != c {
		return // evicted, or not yet shared
	}
	k.weight += int64(weighs - k.weighs[c.info.ID])
	k.weighs[c.info.ID] = weighs
	k.evict()
}

// evict forgets the longest unused conversations in which nothing runs. Called with
// mu held.
func (k *cache) evict() {
	for len(k.open) > k.most || k.weight > k.mostBytes {
		var oldest *mailbox
		for _, c := range k.open {
			c.mu.Lock()
			idle := len(c.inflight) == 0 && c.pins == 0
			c.mu.Unlock()
			if idle && (oldest == nil || c.lastUse().Before(oldest.lastUse())) {
				oldest = c
			}
		}
		if oldest == nil {
			return // running events have limits of their own
		}
		delete(k.open, oldest.info.ID)
		k.weight -= int64(k.weighs[oldest.info.ID])
		delete(k.weighs, oldest.info.ID)
	}
}

// open returns a loaded conversation and a function that lets go of it;
// with principal "" anybody's.
func (s *Service) open(ctx context.Context, id, principal string) (*mailbox, func(), error) {
	c := s.cache.get(id)
	if c == nil {
		loaded, pending, err := load(ctx, s, id)
		if err != nil {
			return nil, nil, err
		}
		if c = keep(s, loaded, pending); s.work.enter() == nil {
			c.expireOnLoad(ctx)
			s.work.Done()
		}
	}
	if principal != "" && c.info.Owner != conversation.Owner(principal) {
		c.unpin()
		return nil, nil, &ui.Error{Code: conversation.CodeNotFound, Message: "no such conversation"}
	}
	return c, c.unpin, nil
}

func load(ctx context.Context, s *Service, id string) (*mailbox, []store.Record, error) {
	log, head, err := s.frames.Open(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	c := &mailbox{svc: s, info: head.Conversation, log: log, snapped: head.SnapshotSeq, used: time.Now(),
		slots: make(chan struct{}, s.cfg.Queue), turn: make(chan struct{}, 1), inflight: map[ui.EventID]*running{}}
	c.prover = &prove.Prover{Targets: s.targets}
	log.OnMove(c.moved)
	return c, head.Pending, nil
}

// keep puts a loaded conversation into the cache, pinned, and starts what a crash
// left unfinished. With other nodes, sweep finds that.
func keep(s *Service, loaded *mailbox, pending []store.Record) *mailbox {
	resumes := len(pending) > 0 && s.owner == nil && s.work.enter() == nil
	if resumes {
		defer s.work.Done()
		loaded.turn <- struct{}{} // pending events go before new ones
		for _, r := range pending {
			loaded.inflight[ui.EventID(r.Event)] = &running{done: make(chan struct{})}
		}
	}
	c, added := s.cache.put(loaded)
	if added && resumes {
		s.work.Go(func() { // Close waits for it
			c.resume(s.work.stop, pending)
			<-c.turn
		})
	}
	return c
}
