package session

import (
	"context"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// open returns a loaded conversation and a function that lets go of it.
func (s *Service) open(ctx context.Context, id string) (*mailbox, func(), error) {
	c, ok := s.cache.Hold(id)
	if !ok {
		loaded, pending, err := load(ctx, s, id)
		if err != nil {
			return nil, nil, err
		}
		c = keep(s, loaded, pending)
		s.work.Within(func() { c.expireOnLoad(ctx) })
	}
	if c.gone.Load() {
		s.cache.Release(id)
		return nil, nil, conversation.ErrNotFound()
	}
	return c, func() { s.cache.Release(id) }, nil
}

// openFor is open, and checks that a principal has the access that they need. The program
// itself, with principal "", has all.
func (s *Service) openFor(ctx context.Context, id, principal string,
	need conversation.Access) (c *mailbox, g conversation.Grant, done func(), err error) {
	c, done, err = s.open(ctx, id)
	if err != nil {
		return nil, g, nil, err
	}
	if g, err = c.granted(ctx, principal); err == nil {
		err = g.Access.Check(need)
	}
	if err != nil {
		done()
		return nil, g, nil, err
	}
	if who := records.ViewerOf(principal); principal != "" && s.viewers != nil && !g.Guest() {
		c.viewer.Store(&who)
	}
	return c, g, done, nil
}

// granted returns the rights of a principal in a conversation. It reads the guests from
// the store each time, so that a revocation counts on every node at once.
func (c *mailbox) granted(ctx context.Context, principal string) (conversation.Grant, error) {
	owner := conversation.Owner(principal)
	if principal == "" || c.info.Owner == owner {
		return conversation.Grant{Access: conversation.Own}, nil
	}
	shares, err := c.svc.cfg.Store.Shares(ctx, c.info.ID, owner)
	if err != nil {
		return conversation.Grant{}, conversation.StoreError("list shares", err)
	}
	g := conversation.Best(shares, c.svc.cfg.Now())
	if g.Access != conversation.Own && c.svc.Operates(principal) {
		g.Operator = true
		if g.Access == "" {
			g.Access = conversation.Read
		}
	}
	return g, nil
}

func load(ctx context.Context, s *Service, id string) (*mailbox, []store.Event, error) {
	log, head, err := s.frames.Open(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	c := &mailbox{svc: s, info: head.Conversation, log: log, snapped: head.SnapshotSeq,
		slots: make(chan struct{}, s.cfg.Queue), turn: make(chan struct{}, 1), inflight: map[ui.EventID]*running{}}
	c.prover = &prove.Prover{Targets: s.targets}
	log.OnMove(c.moved)
	return c, head.Pending, nil
}

// keep adds a loaded conversation to the cache, held, and resumes the events that a
// crash left unfinished. With several nodes, sweep finds those events.
func keep(s *Service, loaded *mailbox, pending []store.Event) *mailbox {
	resumes := len(pending) > 0 && s.owner == nil && s.work.Enter() == nil
	if resumes {
		defer s.work.Done()
		loaded.turn <- struct{}{} // pending events go before new ones
		for _, r := range pending {
			loaded.inflight[ui.EventID(r.ID)] = &running{done: make(chan struct{})}
		}
	}
	c, added := s.cache.Add(loaded.info.ID, loaded)
	if added && resumes {
		s.work.Go(func() { // Close waits for it
			unanswered{c}.resume(s.work.Stop, pending)
			<-c.turn
		})
	}
	return c
}
