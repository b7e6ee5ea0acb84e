package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// This file resumes the events that a crash, another node or a failing store left:
// that are recorded and not answered. Each is one Turn, as if it had just come.
//
//	load, one node      resume ─▶ again, in order of arrival, before new events
//	sweep, several      takeOver ─▶ lease ─▶ again
//	a store that failed sweepLater ─▶ takeOver ─▶ adopt ─▶ again
//	another node has it handOver ─▶ watch ─▶ again, if that node leaves it
//
// again counts the start in the journal: that with number maxStarts is not run, and a
// failure answers.

// unanswered are the events of a conversation that are recorded and have no answer.
type unanswered struct{ *mailbox }

// maxStarts is the number of the start at which a turn is given up: it runs again twice.
const maxStarts = 3

// resume runs the recorded events again that a crash left unanswered, in order of
// arrival. It is called with the right to the turn, so that no new event comes before
// an effect that may have happened already.
func (c unanswered) resume(ctx context.Context, pending []store.Event) {
	for _, r := range pending {
		c.resumed(r).retry.again(ctx)
	}
	c.expire(ctx)
}

// resumed is the turn of an event that a crash left. One that cannot be read keeps
// its id, and is answered with a failure.
func (c unanswered) resumed(r store.Event) *Turn {
	e, err := ui.DecodeEvent(r.Body)
	if err != nil {
		c.svc.cfg.Log.Error("recorded event cannot be read", "conversation", c.info.ID, "event", r.ID, "err",
			logs.Quiet(err))
		e = &ui.Event{V: ui.Version, ID: ui.EventID(r.ID), At: r.At}
	}
	t := c.turnOf(e, r)
	t.recorded, t.call.ReadJournal = true, true
	c.svc.count(metric.Takeovers)
	t.tally.Turn.Request = c.svc.ids.Hex(16) // that of the request is not kept
	t.begin()
	return t
}

// again starts the turn of a recorded event once more. It is called with the right
// to the turn.
func (r *retry) again(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	if !r.isIdle() {
		return // a reply that its action has started, or another process's answer
	}
	r.t.in = turn.Received{Event: r.t.event}
	if r.waitsForAction(ctx) {
		return
	}
	switch err := r.t.leases.acquireEvent(ctx); {
	case errors.Is(err, journal.ErrTaken):
		r.handOver()
		return
	case err != nil:
		r.scheduleRetry(err)
		return
	}
	if !r.started {
		switch starts, err := r.t.journal().Start(ctx); {
		case errors.Is(err, store.ErrConflict):
			if _, ok := r.answeredElsewhere(ctx); !ok {
				r.scheduleRetry(err)
			}
			return
		case err != nil:
			r.scheduleRetry(err)
			return
		case starts >= maxStarts || r.t.event.Kind == "":
			r.t.in = turn.GivenUp{Event: r.t.event, Code: CodePoison}
		}
	}
	r.started = true
	_, _, _ = r.t.do(ctx) // a recorded event has no error: it is answered, or tried again
}

// isIdle reports whether a pending event is neither answered nor with the model.
func (r *retry) isIdle() bool {
	r.t.c.mu.Lock()
	defer r.t.c.mu.Unlock()
	run := r.t.c.inflight[r.t.event.ID]
	return run != nil && !run.asking
}

// waitsForAction reports whether the model is not to be asked for a reply now: the
// action it belongs to is not answered yet, or has not counted after all.
func (r *retry) waitsForAction(ctx context.Context) bool {
	c := r.t.c
	action, ok := strings.CutSuffix(string(r.t.event.ID), conversation.ReplySuffix)
	if !ok {
		return false
	}
	c.mu.Lock()
	run := c.inflight[ui.EventID(action)]
	c.mu.Unlock()
	if run != nil {
		c.svc.work.Go(func() { // Close waits for it
			select {
			case <-run.done:
				defer c.takeTurn()()
				r.again(c.svc.work.Stop)
			case <-c.svc.work.Quiet:
				r.t.leases.releaseEvent()
			}
		})
		return true
	}
	f, done := c.log.FrameOf(ui.EventID(action))
	if done && f.Outcome.Kind != ui.OutcomeDone {
		r.t.model.drop(ctx, f.Outcome)
		return true
	}
	return false
}

// adopt returns the run of a pending event. One that does not run here comes from a
// record that failed and was written all the same, or belongs to another node: it
// is run here if that node has left it.
func (c unanswered) adopt(r store.Event) *running {
	c.mu.Lock()
	defer c.mu.Unlock()
	if run := c.inflight[ui.EventID(r.ID)]; run != nil {
		return run
	}
	run := &running{done: make(chan struct{})}
	if c.svc.work.Closing() {
		return run
	}
	c.inflight[ui.EventID(r.ID)] = run
	c.svc.work.Go(func() { // Close waits for it
		t := c.resumed(r)
		if c.svc.owner == nil || t.retry.watch() {
			defer c.takeTurn()()
			t.retry.again(c.svc.work.Stop)
		}
	})
	return run
}

// sweepLater looks for pending events that do not run, once the store has had time
// to recover. Of several nodes one finds them, when their leases have run out.
func (c unanswered) sweepLater() {
	if c.svc.owner == nil {
		c.later(&c.sweeping, firstPause, func(context.Context) error { return takeOver(c.svc, c.info.ID) })
	}
}

// lookLater reads the store once it answers again, after it could not keep a frame:
// the frame may be there all the same, and readers of the conversation wait for it.
func (c unanswered) lookLater() { c.later(&c.looking, firstPause, c.look) }

func (c unanswered) look(ctx context.Context) error {
	err := c.log.Look(ctx)
	if err == nil {
		c.svc.cfg.Bus.Notify(c.info.ID, c.head().Seq)
	}
	return err
}

// later calls do after a pause, and again after a longer one as long as it has an error.
// planned says that such a call is to come: there is one at a time.
func (c unanswered) later(planned *bool, pause time.Duration, do func(ctx context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.svc.work
	if *planned || w.Closing() {
		return
	}
	*planned = true
	w.Go(func() { // Close waits for it; it ends when Close begins, or with the call
		if !w.Pause(nil, pause) {
			return
		}
		c.mu.Lock()
		*planned = false // what fails from here on is another reason to look
		c.mu.Unlock()
		if err := do(w.Stop); err != nil && !isGone(err) {
			c.later(planned, min(2*pause, lastPause), do)
		}
	})
}

// takeOver runs the unanswered events of a conversation, in order of arrival, and waits
// for the answers. It opens the conversation: its mailbox may be another one by now.
func takeOver(s *Service, id string) error {
	c, done, err := s.open(s.work.Stop, id)
	if err != nil {
		return err
	}
	defer done()
	runs, err := unanswered{c}.takeOver(s.work.Stop)
	for _, run := range runs {
		select {
		case <-run.done:
		case <-s.work.Quiet:
			return nil
		}
	}
	return err
}

func (c unanswered) takeOver(ctx context.Context) (runs []*running, err error) {
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		return nil, err
	}
	for _, r := range head.Pending {
		if c.svc.owner == nil {
			runs = append(runs, c.adopt(r)) // loading has seen to it; or it was recorded since
			continue
		}
		if c.isRunning(r.ID) {
			continue
		}
		to, ok := strings.CutSuffix(r.ID, conversation.ReplySuffix)
		if ok && !c.isRunning(to) && slices.ContainsFunc(head.Pending,
			func(p store.Event) bool { return p.ID == to }) {
			continue // another node has its action
		}
		held, err := c.svc.owner.Take(ctx, c.info.ID, r.ID)
		if err != nil {
			continue // another node has it, or it is answered; else the next sweep finds it
		}
		t := c.resumed(r)
		t.leases.event = held
		runs = append(runs, t.run)
		release := c.takeTurn()
		_ = c.log.Reload(ctx)
		t.retry.again(ctx)
		release()
	}
	return runs, nil
}

func (c unanswered) isRunning(event string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.inflight[ui.EventID(event)] != nil
}

// handOver lets another node run an event, and takes it over if that node leaves it.
func (r *retry) handOver() Receipt {
	c := r.t.c
	r.t.begin()
	r.markIdle()
	r.t.call.ReadJournal, r.t.model.asks = true, nil
	if r.t.model.follow != nil { // goes with its action
		r.t.model.follow.leases.releaseEvent()
		r.t.model.follow = nil
	}
	c.svc.work.Go(func() { // Close waits for it; it ends when Close begins, or with the event
		if r.watch() {
			defer c.takeTurn()()
			r.again(c.svc.work.Stop)
		}
	})
	return c.pendingReceipt(r.t.event.ID)
}

// watch waits for the answer that another node gives to an event. It reports true if
// that node has left the event: then this node has it.
func (r *retry) watch() bool {
	c, w := r.t.c, r.t.c.svc.work
	wake, end := c.svc.cfg.Bus.Subscribe(c.info.ID)
	defer end()
	for {
		err := r.t.leases.acquireEvent(w.Stop)
		if err == nil && r.t.leases.event != nil {
			return true
		}
		if isGone(err) {
			r.deleted()
			return false
		}
		if err == nil { // answered
			_ = c.log.Fresh(w.Stop) // releases waiting requests, or the next line does
			if _, ok := r.answeredElsewhere(w.Stop); ok {
				return false
			}
		}
		if !w.Pause(wake, c.svc.cfg.Poll) {
			return false
		}
	}
}
