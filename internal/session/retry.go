package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/tally"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

var (
	errLostRace = errors.New("another process was faster")
	errPanic    = errors.New("panic in a turn")
)

func errDraining() error {
	return &ui.Error{Code: recovery.CodeDraining, Message: "the server is stopping"}
}

// do is the one way into a turn: a submitted event, the reply of a model, the answer
// of a webhook, an event that was taken over, and an expiry all come here. It is
// called with the right to the turn. pending is set if the answer comes later, or if a
// reply follows the answer. A recorded event has no error: it is answered, or tried
// again later.
func (t *Turn) do(ctx context.Context) (rec Receipt, pending *running, err error) {
	rec, err = t.withLease(ctx, func() (Receipt, error) {
		return t.recoverPanic(ctx, t.retryOnConflict)
	})
	if p := t.model.permit; p != nil && !p.Handed() {
		p.Release()
		t.model.permit = nil
	}
	if err == nil || !t.recorded {
		return rec, t.pending, err
	}
	run := t.begin() // from here on the turn is another goroutine's
	if errors.Is(err, journal.ErrTaken) {
		return t.retry.handOver(), run, nil
	}
	return t.retry.scheduleRetry(err), run, nil
}

// withLease runs a turn, and then lets other nodes into the conversation again.
func (t *Turn) withLease(ctx context.Context, run func() (Receipt, error)) (Receipt, error) {
	defer t.leases.releaseTurn(ctx)
	return run()
}

// recoverPanic runs a turn; if it panics, the turn is given up with a frame that
// says so.
func (t *Turn) recoverPanic(ctx context.Context, run func(context.Context) (Receipt, error)) (Receipt, error) {
	rec, err := catchPanic(ctx, t, run)
	if errors.Is(err, errPanic) {
		t.in = turn.GivenUp{Event: t.event, Code: agent.CodeTurnFailed}
		rec, err = catchPanic(ctx, t, run)
	}
	return rec, err
}

// catchPanic makes a panic an error.
func catchPanic(ctx context.Context, t *Turn, run func(context.Context) (Receipt, error)) (rec Receipt, err error) {
	defer func() {
		if p := recover(); p != nil {
			t.c.svc.cfg.Log.ErrorContext(ctx, "panic in a turn", "conversation", t.c.info.ID, "event", t.event.ID,
				"panic", logs.QuietPanic(p), "stack", string(debug.Stack()))
			rec, err = Receipt{}, errPanic
		}
	}()
	return run(ctx)
}

// maxRaces is how often a turn starts again after a lost race.
const maxRaces = 20

// retryOnConflict runs a turn on the newest state, and again after each lost race.
func (t *Turn) retryOnConflict(ctx context.Context) (Receipt, error) {
	c := t.c
	wait := newBackoff(t)
	defer wait.end()
	for wait.races < maxRaces {
		t.tally.Begin()
		t.state = turn.Spoken(c.head(), t.event)
		rec, err := t.Run(ctx)
		if !errors.Is(err, errLostRace) && !errors.Is(err, store.ErrLeased) {
			return rec, err
		}
		if err := wait.after(ctx, err); err != nil {
			return Receipt{}, err
		}
		if err := c.log.Reload(ctx); err != nil {
			return Receipt{}, err
		}
		if rec, ok := t.retry.answeredElsewhere(ctx); ok {
			return rec, nil
		}
	}
	return Receipt{}, &ui.Error{Code: recovery.CodeBusy, Message: "other processes keep changing this conversation"}
}

// backoff is how a turn waits for other nodes.
type backoff struct {
	t     *Turn
	until time.Time
	races int // that were lost
	wake  <-chan struct{}
	leave func() // ends wake; nil at first
}

func newBackoff(t *Turn) *backoff {
	cfg := t.c.svc.cfg
	return &backoff{t: t, until: time.Now().Add(cfg.Timeout + 2*cfg.LeaseTime)}
}

func (b *backoff) end() {
	if b.leave != nil {
		b.leave()
	}
}

// after is called when a race was lost, or another node is at work in the
// conversation. It returns when another try is worth it, or an error if this turn
// should not go on.
func (b *backoff) after(ctx context.Context, why error) error {
	t, s := b.t, b.t.c.svc
	if errors.Is(why, errLostRace) {
		s.count(metric.Conflicts)
		if b.races++; b.races > 2 { // a moment each, so that nodes do not keep step
			s.work.Pause(nil, rand.N(time.Duration(b.races)*time.Millisecond))
		}
		return nil
	}
	s.count(metric.LeaseWaits)
	t.leases.releaseTurn(ctx) // it ran out, or the event's did
	if err := t.leases.acquireEvent(ctx); err != nil {
		return err
	}
	if b.wake == nil { // a hint may have come before: look once more
		b.wake, b.leave = s.cfg.Bus.Subscribe(t.c.info.ID)
		return nil
	}
	// an expiry or a catch-up does not wait: the next event does the same, and a reader is waiting
	if time.Now().After(b.until) || t.event.Kind == ui.EventExpire || catchesUp(t.event) {
		return &ui.Error{Code: recovery.CodeBusy, Message: "another node is at work in this conversation"}
	}
	if s.work.Pause(b.wake, s.cfg.Poll) {
		return nil
	}
	if t.recorded {
		return work.ErrClosing
	}
	return errDraining()
}

// retry begins a turn again that was recorded and is not answered.
type retry struct {
	t       *Turn
	started bool          // the start is counted, by this process
	pause   time.Duration // before the next try
	unread  error         // data of views that could not be read: a catch-up is tried again
}

// Pauses between tries of a recorded event that could not be answered.
const (
	firstPause = time.Second
	lastPause  = 10 * time.Second
)

// scheduleRetry says that a recorded event is not answered yet, and sees to it that
// it will be: it is tried again after a pause, by another node, or after the next
// start.
func (r *retry) scheduleRetry(cause error) Receipt {
	c := r.t.c
	rec := c.pendingReceipt(r.t.event.ID)
	r.t.begin()
	if isGone(cause) {
		return r.deleted()
	}
	if errors.Is(cause, work.ErrClosing) {
		r.t.leases.releaseEvent()
		return rec
	}
	tally.CountStore(c.svc.cfg.Meter, "resume", cause)
	c.svc.cfg.Log.Error("event not answered", "conversation", c.info.ID, "event", r.t.event.ID, "err",
		logs.Quiet(cause))
	r.markIdle()
	r.t.call.ReadJournal = true
	switch ui.CodeOf(cause) {
	case conversation.CodeStore, recovery.CodeBusy:
		r.started = true // not the event's fault
	default:
		r.started = false
	}
	r.pause = min(max(firstPause, 2*r.pause), lastPause)
	pause := r.pause
	c.svc.work.Go(func() { // Close waits for it; it ends when Close begins, or with the try
		if !c.svc.work.Pause(nil, pause) {
			r.t.leases.releaseEvent()
			return
		}
		defer c.takeTurn()()
		_ = c.log.Reload(c.svc.work.Stop) // its frame may be there: an append can fail after it was written
		r.again(c.svc.work.Stop)
	})
	return rec
}

// isGone reports the error of a conversation that was deleted.
func isGone(err error) bool {
	return ui.CodeOf(err) == conversation.CodeNotFound || errors.Is(err, store.ErrNotFound)
}

// deleted answers an event whose conversation was deleted meanwhile.
func (r *retry) deleted() Receipt {
	c := r.t.c
	rec := Receipt{Event: r.t.event.ID, Seq: c.head().Seq, Done: true, Outcome: ui.Outcome{Kind: ui.OutcomeRefused,
		Code: conversation.CodeNotFound, Message: c.svc.env.Recovery.For(conversation.CodeNotFound).Title}}
	c.gone.Store(true)
	c.svc.cache.Drop(c.info.ID)
	c.release(r.t.event.ID, rec)
	return rec
}

// markIdle notes that no model is asked about a pending event any more.
func (r *retry) markIdle() {
	r.t.c.mu.Lock()
	defer r.t.c.mu.Unlock()
	r.t.run.asking, r.t.run.cancel = false, nil
}

// answeredElsewhere reports whether another process has answered a recorded event.
func (r *retry) answeredElsewhere(ctx context.Context) (Receipt, bool) {
	if !r.t.recorded {
		return Receipt{}, false
	}
	c := r.t.c
	prior, err := c.prior(ctx, r.t.record)
	if err != nil || prior == nil || !prior.Done {
		return Receipt{}, false
	}
	rec, err := conversation.ParseReceipt(prior)
	if err != nil {
		return Receipt{}, false
	}
	c.release(r.t.event.ID, rec)
	return rec, true
}
