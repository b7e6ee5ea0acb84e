package session

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// maxStarts is how often a turn is begun again before it is given up.
const maxStarts = 3

// resume runs again what a crash left recorded and unanswered, in order of
// arrival. Without Takeover it is called with the right to the turn, so that
// nothing new comes before an effect that may have happened already.
func (c *conversation) resume(ctx context.Context, pending []store.Record) {
	held := c.svc.cfg.Takeover == 0
	byEvent := map[ui.EventID]*job{}
	for _, r := range pending {
		j := c.left(r)
		byEvent[j.event.ID] = j
		if to, ok := strings.CutSuffix(r.Event, replySuffix); ok && byEvent[ui.EventID(to)] != nil {
			byEvent[ui.EventID(to)].reply = j // answered or dropped with its action
		}
	}
	for _, r := range pending {
		j := byEvent[ui.EventID(r.Event)]
		if !held {
			if !c.pauseUntil(j.event.At.Add(c.svc.cfg.Takeover)) {
				return
			}
			c.turn <- struct{}{}
		}
		c.again(ctx, j)
		if j.reply != nil && c.idle(j.reply) {
			if rec, ok := c.elsewhere(ctx, j); ok && rec.Outcome.Kind != ui.OutcomeDone {
				c.unasked(ctx, j.reply, rec)
			}
		}
		if !held {
			<-c.turn
		}
	}
	if held {
		c.expire(ctx)
		<-c.turn
	}
}

// left is the job of an event that a crash left behind. One that cannot be
// read keeps its id, and is answered with a failure.
func (c *conversation) left(r store.Record) *job {
	e, err := ui.DecodeEvent(r.Body)
	if err != nil {
		c.svc.cfg.Log.Error("recorded event cannot be read", "conversation", c.info.ID, "event", r.Event, "err", trace.Quiet(err))
		e = &ui.Event{V: ui.Version, ID: ui.EventID(r.Event), At: r.At}
	}
	j := &job{event: e, record: r, recorded: true}
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
	if jr, ok := c.svc.cfg.Store.(store.Journal); ok {
		switch starts, err := jr.Start(ctx, c.info.ID, j.record.Event); {
		case errors.Is(err, store.ErrConflict):
			if _, ok := c.elsewhere(ctx, j); !ok {
				c.later(j, err)
			}
			return
		case err != nil:
			c.later(j, err)
			return
		case starts >= maxStarts || j.event.Kind == "":
			_, _, _ = c.guarded(ctx, j, func(s *ui.State) (Receipt, *running, error) { return c.giveUp(ctx, s, j, CodePoison) })
			return
		}
	}
	_, _, _ = c.walk(ctx, j) // a recorded event has no error: it is answered, or tried again
}

// adopt returns the run of a pending event. One that nobody runs here is left
// from a record that failed and was written all the same, or belongs to another
// process: it is run here once that one cannot be at it any more.
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
	c.svc.work.Add(1)
	go func() { // Close waits for it
		defer c.svc.work.Done()
		j := c.left(r)
		if !c.pauseUntil(r.At.Add(c.svc.cfg.Takeover)) {
			return
		}
		c.turn <- struct{}{}
		defer func() { <-c.turn }()
		c.again(c.svc.stop, j)
	}()
	return run
}

// sweepLater looks for pending events that nobody runs, once the store has had
// time to recover.
func (c *conversation) sweepLater() {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if c.sweeping || c.svc.closed {
		return
	}
	c.sweeping = true
	c.svc.work.Add(1)
	go func() { // Close waits for it; it ends when Close begins, or when the store answers
		defer c.svc.work.Done()
		for pause := firstPause; c.pauseUntil(time.Now().Add(pause)); pause = min(2*pause, lastPause) {
			if c.sweep(c.svc.stop) == nil {
				return
			}
		}
	}()
}

func (c *conversation) sweep(ctx context.Context) error {
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		return err
	}
	c.svc.mu.Lock()
	c.sweeping, c.swept = false, c.svc.cfg.Now()
	c.svc.mu.Unlock()
	for _, r := range head.Pending {
		c.adopt(r)
	}
	return nil
}

// overdue reports whether other processes may have left events behind.
func (c *conversation) overdue() bool {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	return c.svc.cfg.Takeover > 0 && c.svc.cfg.Now().Sub(c.swept) > c.svc.cfg.Takeover/2
}

// Pauses between tries of a recorded event that could not be answered.
const (
	firstPause = time.Second
	lastPause  = 30 * time.Second
)

// later says that a recorded event is not answered yet, and sees to it that it
// will be: it is tried again after a pause, or after the next start.
func (c *conversation) later(j *job, cause error) Receipt {
	rec := Receipt{Event: j.event.ID, Seq: c.head().Seq}
	c.begin(j)
	if errors.Is(cause, errClosing) {
		return rec
	}
	c.svc.cfg.Log.Error("event not answered", "conversation", c.info.ID, "event", j.event.ID, "err", trace.Quiet(cause))
	c.svc.mu.Lock()
	j.run.asking, j.run.cancel = false, nil
	c.svc.mu.Unlock()
	j.pause = min(max(firstPause, 2*j.pause), lastPause)
	until := time.Now().Add(j.pause)
	c.svc.work.Add(1)
	go func() { // Close waits for it; it ends when Close begins, or with the try
		defer c.svc.work.Done()
		if !c.pauseUntil(until) {
			return
		}
		c.turn <- struct{}{}
		defer func() { <-c.turn }()
		_ = c.reload(c.svc.stop) // its frame may be there: an append can fail after it was written
		c.again(c.svc.stop, j)
	}()
	return rec
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
