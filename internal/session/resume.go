package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// maxStarts is how often a turn is begun again before it is given up.
const maxStarts = 3

// resume runs again what a crash left recorded and unanswered, in order of
// arrival. It is called with the right to the turn, so that nothing new comes
// before an effect that may have happened already.
func (c *conversation) resume(ctx context.Context, pending []store.Record) {
	for _, r := range pending {
		c.again(ctx, c.left(r))
	}
	c.expire(ctx)
}

// left is the job of an event that a crash left behind. One that cannot be
// read keeps its id, and is answered with a failure.
func (c *conversation) left(r store.Record) *job {
	e, err := ui.DecodeEvent(r.Body)
	if err != nil {
		c.svc.cfg.Log.Error("recorded event cannot be read", "conversation", c.info.ID, "event", r.Event, "err",
			trace.Quiet(err))
		e = &ui.Event{V: ui.Version, ID: ui.EventID(r.Event), At: r.At}
	}
	j := &job{event: e, record: r, recorded: true, left: true}
	c.svc.count(trace.Takeovers)
	j.tally.turn.Request = c.svc.random(16) // that of the request is not kept
	c.begin(j)
	return j
}

// idle reports whether a pending event is neither answered nor with the model.
func (c *conversation) idle(j *job) bool {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	run := c.inflight[j.event.ID]
	return run != nil && !run.asking
}

// again starts the turn of a recorded event once more. It is called with the
// right to the turn.
func (c *conversation) again(ctx context.Context, j *job) {
	ctx = context.WithoutCancel(ctx)
	if !c.idle(j) {
		return // a reply that its action has started, or another process's answer
	}
	if c.waitsForAction(ctx, j) {
		return
	}
	switch err := c.mine(ctx, j); {
	case errors.Is(err, errTaken):
		c.leave(j)
		return
	case err != nil:
		c.later(j, err)
		return
	}
	if !j.counted {
		switch starts, err := c.svc.cfg.Store.Start(ctx, c.info.ID, j.record.Event); {
		case errors.Is(err, store.ErrConflict):
			if _, ok := c.elsewhere(ctx, j); !ok {
				c.later(j, err)
			}
			return
		case err != nil:
			c.later(j, err)
			return
		case starts >= maxStarts || j.event.Kind == "":
			_, _, _ = c.guarded(ctx, j, func(s *ui.State) (Receipt, *running,
				error) {
				return c.giveUp(ctx, s, j, CodePoison)
			})
			return
		}
	}
	j.counted = true
	_, _, _ = c.walk(ctx, j) // a recorded event has no error: it is answered, or tried again
}

// giveUp answers an event with nothing but a failure.
func (c *conversation) giveUp(ctx context.Context, state *ui.State, j *job, code ui.Code) (Receipt, *running, error) {
	if err := c.recall(ctx, j); err != nil {
		return Receipt{}, nil, err
	}
	ops, out := c.sorry(j.event, &ui.Error{Code: code})
	p := plan{ops: ops, outcome: out}
	var locks ui.Ops
	if j.called != nil {
		done := c.movedOn(j.called)
		if p.ops = append(done.ops, ops...); j.called.failed == nil {
			p, locks = done, locksOf(state, j.event, j.called.plan.ops)
		}
	}
	typed := c.typedIn(state, j.event)
	for _, kept := range []ui.Ops{slices.Concat(typed, locks), locks, nil} { // the draft is kept if it can be
		with := p
		with.ops = slices.Concat(kept, p.ops)
		step, err := c.apply(state, c.frame(state, j.event, with))
		if err == nil {
			return c.publish(ctx, j, step, plan{})
		}
		c.svc.cfg.Log.Error("a failure frame does not apply", "conversation", c.info.ID, "event", j.event.ID, "err",
			trace.Quiet(err))
	}
	return Receipt{}, nil, &ui.Error{Code: CodeTurnFailed, Message: "the failure frame does not apply"}
}

// locksOf returns those of ops that lock the surface an action came from, if it is
// open: what was submitted cannot be submitted again.
func locksOf(s *ui.State, e *ui.Event, ops ui.Ops) (locks ui.Ops) {
	if e.Action == nil {
		return nil
	}
	name, epoch, err := ui.ParseWireID(e.Action.Surface)
	if sf := s.Surface(name); err != nil || sf == nil || sf.Epoch != epoch || sf.Status != ui.StatusOpen {
		return nil
	}
	for _, op := range ops {
		if l, ok := op.(*ui.Lock); ok && l.Surface == name {
			locks = append(locks, op)
		}
	}
	return locks
}

// waitsForAction reports whether the model is not to be asked for a reply now:
// the action it belongs to is not answered yet, or has not counted after all.
func (c *conversation) waitsForAction(ctx context.Context, j *job) bool {
	action, ok := strings.CutSuffix(string(j.event.ID), replySuffix)
	if !ok {
		return false
	}
	c.svc.mu.Lock()
	run := c.inflight[ui.EventID(action)]
	i := slices.IndexFunc(c.recent, func(st Step) bool { return st.Frame.Event == ui.EventID(action) })
	var rec Receipt
	if i >= 0 {
		rec = receipt(c.recent[i].Frame)
	}
	c.svc.mu.Unlock()
	switch {
	case run != nil:
		c.svc.work.Go(func() { // Close waits for it
			select {
			case <-run.done:
				c.turn <- struct{}{}
				defer func() { <-c.turn }()
				c.again(c.svc.stop, j)
			case <-c.svc.quiet:
				c.giveBack(j)
			}
		})
		return true
	case rec.Done && rec.Outcome.Kind != ui.OutcomeDone:
		c.unasked(ctx, j, rec)
		return true
	}
	return false
}

// adopt returns the run of a pending event. One that nobody runs here is left
// from a record that failed and was written all the same, or belongs to another
// node: it is run here if that one is not at it any more.
func (c *conversation) adopt(r store.Record) *running {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if run := c.inflight[ui.EventID(r.Event)]; run != nil {
		return run
	}
	run := &running{done: make(chan struct{})}
	if c.svc.closed {
		return run
	}
	c.inflight[ui.EventID(r.Event)] = run
	c.svc.work.Go(func() { // Close waits for it
		j := c.left(r)
		if c.svc.desk == nil || c.watch(j) {
			c.turn <- struct{}{}
			defer func() { <-c.turn }()
			c.again(c.svc.stop, j)
		}
	})
	return run
}

// sweepLater looks for pending events that nobody runs, once the store has had
// time to recover.
func (c *conversation) sweepLater() {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if c.sweeping || c.svc.closed || c.svc.desk != nil { // of several nodes one finds it, when its lease has run out
		return
	}
	c.sweeping = true
	c.svc.work.Go(func() { // Close waits for it; it ends when Close begins, or when the store answers
		for pause := firstPause; c.pauseUntil(time.Now().Add(pause)); pause = min(2*pause, lastPause) {
			if c.sweep(c.svc.stop) == nil {
				return
			}
		}
	})
}

// lookLater reads the store once it answers again, after it said that it could not
// keep a frame: the frame may be there all the same, and whoever follows the
// conversation waits for it.
func (c *conversation) lookLater() {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if c.unsure || c.svc.closed {
		return
	}
	c.unsure = true
	c.svc.work.Go(func() { // Close waits for it; it ends when Close begins, or when the store answers
		for pause := firstPause; c.pauseUntil(time.Now().Add(pause)); pause = min(2*pause, lastPause) {
			c.svc.mu.Lock()
			c.unsure = false // what fails from here on is looked for anew
			c.svc.mu.Unlock()
			if c.look(c.svc.stop) == nil {
				c.svc.cfg.Bus.Notify(c.info.ID, c.head().Seq)
				return
			}
		}
	})
}

func (c *conversation) sweep(ctx context.Context) error {
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		return err
	}
	c.svc.mu.Lock()
	c.sweeping = false
	c.svc.mu.Unlock()
	for _, r := range head.Pending {
		c.adopt(r)
	}
	return nil
}

// Pauses between tries of a recorded event that could not be answered.
const (
	firstPause = time.Second
	lastPause  = 10 * time.Second
)

// later says that a recorded event is not answered yet, and sees to it that it
// will be: it is tried again after a pause, by another node, or after the next
// start.
func (c *conversation) later(j *job, cause error) Receipt {
	rec := Receipt{Event: j.event.ID, Seq: c.head().Seq}
	c.begin(j)
	if errors.Is(cause, errClosing) {
		c.giveBack(j)
		return rec
	}
	c.svc.countStore("resume", cause)
	c.svc.cfg.Log.Error("event not answered", "conversation", c.info.ID, "event", j.event.ID, "err", trace.Quiet(cause))
	c.idleAgain(j)
	j.left = true
	switch ui.CodeOf(cause) {
	case CodeStore, CodeBusy:
		j.counted = true // not the event's fault
	default:
		j.counted = false
	}
	j.pause = min(max(firstPause, 2*j.pause), lastPause)
	until := time.Now().Add(j.pause)
	c.svc.work.Go(func() { // Close waits for it; it ends when Close begins, or with the try
		if !c.pauseUntil(until) {
			c.giveBack(j)
			return
		}
		c.turn <- struct{}{}
		defer func() { <-c.turn }()
		_ = c.reload(c.svc.stop) // its frame may be there: an append can fail after it was written
		c.again(c.svc.stop, j)
	})
	return rec
}

// idleAgain says that a pending event is not with the model any more.
func (c *conversation) idleAgain(j *job) {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	j.run.asking, j.run.cancel = false, nil
}

// pauseUntil waits, and reports whether work may go on then.
func (c *conversation) pauseUntil(t time.Time) bool {
	timer := time.NewTimer(time.Until(t))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.svc.quiet:
		return false
	}
}

// elsewhere reports whether another process has answered a recorded event.
func (c *conversation) elsewhere(ctx context.Context, j *job) (Receipt, bool) {
	if !j.recorded {
		return Receipt{}, false
	}
	prior, err := c.svc.cfg.Store.Record(ctx, c.info.ID, j.record)
	if err != nil || prior == nil || !prior.Done {
		return Receipt{}, false
	}
	rec, err := receiptOf(prior)
	if err != nil {
		return Receipt{}, false
	}
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	c.release(j.event.ID, rec)
	return rec, true
}

// giveBack lets other nodes take over at once what this one leaves.
func (c *conversation) giveBack(j *job) {
	if j.held == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.svc.cfg.LeaseTime) // by then it has run out
	defer cancel()
	j.held.Release(ctx)
	j.held = nil
	c.svc.cfg.Bus.Notify(orphans, 0)
}

// orphans is where nodes tell each other that events were left.
const orphans = "orphans"

// sweep takes over what other nodes, or a crash, left unanswered: at the start,
// and where there are other nodes, again and again.
func (s *Service) sweep(leases store.Leases) {
	defer s.work.Done()
	wake, end := s.cfg.Bus.Subscribe(orphans)
	defer end()
	room := make(chan struct{}, maxTakeovers)
	for away := false; ; {
		ids, err := leases.Orphans(s.stop, store.Page)
		if err == nil && away && s.desk != nil {
			ids = nil // leases ran out while the store was away: who holds them comes first
		}
		away = err != nil
		rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] }) // nodes share the work
		if err != nil {
			s.cfg.Log.Warn("look for orphans", "err", trace.Quiet(err))
		}
		for _, id := range ids {
			select {
			case room <- struct{}{}:
			case <-s.quiet:
				return
			}
			s.work.Go(func() { // Close waits for it
				defer func() { <-room }()
				s.takeOver(id)
			})
		}
		if s.desk == nil && err == nil && len(ids) < store.Page ||
			!s.pause(wake, s.cfg.LeaseTime/4+rand.N(s.cfg.LeaseTime/4)) {
			return
		}
	}
}

// maxTakeovers is in how many conversations events that were left are run at
// once, models included.
const maxTakeovers = 64

// takeOver runs what was left in a conversation, in order of arrival, and waits
// for the answers.
func (s *Service) takeOver(id string) {
	c, done, err := s.conversation(s.stop, id, "")
	if err != nil {
		s.cfg.Log.Warn("take over", "conversation", id, "err", trace.Quiet(err))
		return
	}
	defer done()
	for _, run := range c.takeOver(s.stop) {
		select {
		case <-run.done:
		case <-s.quiet:
			return
		}
	}
}

func (c *conversation) takeOver(ctx context.Context) (runs []*running) {
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		c.svc.cfg.Log.Warn("take over", "conversation", c.info.ID, "err", trace.Quiet(err))
		return nil
	}
	for _, r := range head.Pending {
		if c.svc.desk == nil {
			runs = append(runs, c.adopt(r)) // loading has seen to it; or it was recorded since
			continue
		}
		if c.isRunning(r.Event) {
			continue
		}
		if to, ok := strings.CutSuffix(r.Event, replySuffix); ok && !c.isRunning(to) && slices.ContainsFunc(head.Pending, func(p store.Record) bool { return p.Event == to }) {
			continue // another node has its action
		}
		held, err := c.svc.desk.Take(ctx, c.info.ID, r.Event)
		if err != nil {
			continue // another node has it, or it is answered; else the next sweep finds it
		}
		j := c.left(r)
		j.held = held
		runs = append(runs, j.run)
		c.turn <- struct{}{}
		_ = c.reload(ctx)
		c.again(ctx, j)
		<-c.turn
	}
	return runs
}

func (c *conversation) isRunning(event string) bool {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	return c.inflight[ui.EventID(event)] != nil
}
