package session

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/internal/lease"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// With several nodes on one store (Config.Node) two leases keep calls that
// cannot be taken back from being made twice; what is committed is decided by
// compare-and-append alone (docs/adr/0070-leases.md). The lease of an event says
// which node runs it, from its record to its frame. The lease of the turn says
// that a node is calling a handler: no other node commits in that conversation
// meanwhile.

// mine takes the lease of a recorded event, or makes sure that this node still
// has it. The error is errTaken if another node runs the event; one that is
// answered is found out by who goes on.
func (c *conversation) mine(ctx context.Context, j *job) error {
	if c.svc.desk == nil || !j.recorded {
		return nil
	}
	var err error
	if j.held != nil {
		err = j.held.Renew(ctx)
	}
	if j.held == nil || errors.Is(err, store.ErrLeased) {
		j.held, err = c.svc.desk.Take(ctx, c.info.ID, j.record.Event)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrConflict):
		j.held = nil
		return nil
	case errors.Is(err, store.ErrLeased):
		j.held = nil
		return errTaken
	}
	return storeError("lease event", err)
}

// seclude keeps other nodes out of the conversation until the turn ends. If the
// state is not the one the turn decided on, it is errLostRace: decide again.
func (c *conversation) seclude(ctx context.Context, j *job, state *ui.State) error {
	if c.svc.desk == nil || j.alone != nil {
		return nil
	}
	held, err := c.svc.desk.Take(ctx, c.info.ID, "")
	if errors.Is(err, store.ErrLeased) {
		return store.ErrLeased
	}
	if err != nil {
		return storeError("lease turn", err)
	}
	j.alone = held
	if err := c.reload(ctx); err != nil {
		return err
	}
	if c.head() != state {
		return errLostRace
	}
	return nil
}

// admit lets other nodes in again.
func (c *conversation) admit(ctx context.Context, j *job) {
	if j.alone == nil {
		return
	}
	j.alone.Release(ctx)
	j.alone = nil
	c.svc.cfg.Bus.Notify(c.info.ID, c.head().Seq) // they wait
}

// patience is how a turn waits for other nodes.
type patience struct {
	c     *conversation
	until time.Time
	races int // that were lost
	wake  <-chan struct{}
	leave func() // ends wake; nil at first
}

func (c *conversation) newPatience() *patience {
	return &patience{c: c, until: time.Now().Add(c.svc.cfg.Timeout + 2*c.svc.cfg.LeaseTime)}
}

func (p *patience) end() {
	if p.leave != nil {
		p.leave()
	}
}

// wait is called when a race was lost, or another node is at work in the
// conversation. It returns when it is worth trying again, or an error if this
// turn should not go on.
func (p *patience) wait(ctx context.Context, j *job, why error) error {
	s := p.c.svc
	if errors.Is(why, errLostRace) {
		s.count(trace.Conflicts)
		if p.races++; p.races > 2 { // a moment each, so that nodes do not keep step
			s.pause(nil, rand.N(time.Duration(p.races)*time.Millisecond))
		}
		return nil
	}
	s.count(trace.LeaseWaits)
	if j.alone != nil { // it ran out, or the event's did
		j.alone.Release(ctx)
		j.alone = nil
	}
	if err := p.c.mine(ctx, j); err != nil {
		return err
	}
	if p.wake == nil { // a hint may have come before: look once more
		p.wake, p.leave = s.cfg.Bus.Subscribe(p.c.info.ID)
		return nil
	}
	// a reader waits for that one; the next event sees to it
	if time.Now().After(p.until) || j.event.Kind == ui.EventExpire {
		return &ui.Error{Code: CodeBusy, Message: "another node is at work in this conversation"}
	}
	if s.pause(p.wake, s.cfg.Poll) {
		return nil
	}
	if j.recorded {
		return errClosing
	}
	return errDraining()
}

// pause waits for a wake-up, d at most, and reports whether work may go on then.
func (s *Service) pause(wake <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-wake:
	case <-timer.C:
	case <-s.quiet:
		return false
	}
	return true
}

// leave lets another node run an event, and takes it over if that node leaves it.
func (c *conversation) leave(j *job) Receipt {
	c.begin(j)
	c.idleAgain(j)
	j.left, j.loop = true, nil
	if j.reply != nil { // goes with its action
		c.giveBack(j.reply)
		j.reply = nil
	}
	c.svc.work.Go(func() { // Close waits for it; it ends when Close begins, or with the event
		if c.watch(j) {
			c.turn <- struct{}{}
			defer func() { <-c.turn }()
			c.again(c.svc.stop, j)
		}
	})
	return Receipt{Event: j.event.ID, Seq: c.head().Seq}
}

// watch waits for the answer that another node gives to an event. It reports
// true if that node has left the event: then this node has it.
func (c *conversation) watch(j *job) bool {
	s := c.svc
	wake, end := s.cfg.Bus.Subscribe(c.info.ID)
	defer end()
	for {
		err := c.mine(s.stop, j)
		if err == nil && j.held != nil {
			return true
		}
		if err == nil { // answered
			_ = c.fresh(s.stop) // releases who waits, or the next line does
			if _, ok := c.elsewhere(s.stop, j); ok {
				return false
			}
		}
		if !s.pause(wake, s.cfg.Poll) {
			return false
		}
	}
}

// attend stops a model run that another node goes on with, or that the user has
// canceled at another node.
func (c *conversation) attend(ctx context.Context, j *job, stop context.CancelCauseFunc) {
	wake, end := c.svc.cfg.Bus.Subscribe(c.info.ID)
	held, event := j.held, j.record.Event
	c.svc.work.Go(func() { // Close waits for it; it ends with ctx
		defer end()
		c.attending(ctx, event, held, wake, stop)
	})
}

func (c *conversation) attending(ctx context.Context, event string, held *lease.Lease, wake <-chan struct{},
	stop context.CancelCauseFunc) {
	look := time.NewTicker(c.svc.cfg.LeaseTime / 3)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-held.Lost():
			stop(errTaken)
			return
		case <-wake:
		case <-look.C:
		}
		notes, err := c.notes(ctx, event)
		if err == nil && slices.ContainsFunc(notes, func(n note) bool { return n.Kind == noteCancel }) {
			stop(errCanceled)
			return
		}
	}
}

// noteCancel stands in the journal of an event whose model run is not wanted.
const noteCancel = "cancel"

// stopOthers cancels the model runs of other nodes, by their journals.
func (c *conversation) stopOthers(ctx context.Context) {
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		c.svc.cfg.Log.Warn("cancel", "conversation", c.info.ID, "err", trace.Quiet(err))
		return
	}
	for _, r := range head.Pending {
		e, err := ui.DecodeEvent(r.Body)
		if err != nil || e.Kind != ui.EventMessage && e.Kind != ui.EventReply {
			continue
		}
		j := &job{event: e, record: r}
		for range 3 { // the run may write its own note at the same time
			notes, err := c.journal(ctx, j)
			if err == nil {
				err = c.writeNote(ctx, j, len(notes), note{Kind: noteCancel})
			}
			if !errors.Is(err, store.ErrExists) {
				break
			}
		}
	}
	c.svc.cfg.Bus.Notify(c.info.ID, c.head().Seq)
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
	for s.pause(nil, s.cfg.Poll/2+rand.N(s.cfg.Poll/2)) {
		s.mu.Lock()
		ids := slices.Collect(maps.Keys(s.follow))
		s.mu.Unlock()
		for page := range slices.Chunk(ids, store.Page) {
			found, err := s.cfg.Store.Heads(s.stop, page)
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
