package session

import (
	"context"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// open returns a loaded conversation and a function that lets go of it;
// with principal "" anybody's.
func (s *Service) open(ctx context.Context, id, principal string) (*mailbox, func(), error) {
	c, ok := s.cache.Hold(id)
	if !ok {
		loaded, pending, err := load(ctx, s, id)
		if err != nil {
			return nil, nil, err
		}
		if c = keep(s, loaded, pending); s.work.enter() == nil {
			c.expireOnLoad(ctx)
			s.work.Done()
		}
	}
	if c.gone.Load() || principal != "" && c.info.Owner != conversation.Owner(principal) {
		s.cache.Release(id)
		return nil, nil, &ui.Error{Code: conversation.CodeNotFound, Message: "no such conversation"}
	}
	if who := viewerOf(principal); principal != "" && s.viewers != nil {
		c.viewer.Store(&who)
	}
	return c, func() { s.cache.Release(id) }, nil
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
	resumes := len(pending) > 0 && s.owner == nil && s.work.enter() == nil
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
			c.resume(s.work.stop, pending)
			<-c.turn
		})
	}
	return c
}
