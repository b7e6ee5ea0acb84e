package session

import (
	"context"
	"errors"
	"time"

	"github.com/limn-ui/limn/ingress"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// job is one event on its way through a turn.
type job struct {
	event    *ui.Event
	record   store.Record
	recorded bool     // durable as pending
	resumed  bool     // a crash left it behind
	run      *running // while pending
}

// Submit takes an event of a principal. It returns once the event is durable,
// and if wait is above zero not before it is answered or wait is over.
//
// Errors: CodeNotFound, CodeBusy, CodeDraining, CodeKeyReused, CodeStore. A
// refused or failed event is no error: its Receipt says so.
func (s *Service) Submit(ctx context.Context, id, principal string, e *ui.Event, wait time.Duration) (Receipt, error) {
	if err := s.Ready(); err != nil {
		return Receipt{}, err
	}
	c, err := s.conversation(ctx, id, principal)
	if err != nil {
		return Receipt{}, err
	}
	if e.Kind == ui.EventCancel {
		return c.stopRuns(), nil
	}
	j := c.newJob(e, principal)
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	default:
		return Receipt{}, &ui.Error{Code: CodeBusy, Message: "too many events wait in this conversation"}
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return Receipt{}, &ui.Error{Code: CodeBusy, Message: "the request ended before its turn", Err: context.Cause(ctx)}
	}
	// From here the turn is finished even if the client goes away.
	rec, pending, err := c.walk(context.WithoutCancel(ctx), j)
	<-c.turn
	if err != nil || pending == nil {
		return rec, err
	}
	return waitFor(ctx, rec, pending, wait), nil
}

func waitFor(ctx context.Context, rec Receipt, run *running, wait time.Duration) Receipt {
	if wait <= 0 {
		select {
		case <-run.done: // answered already
			return run.result
		default:
			return rec
		}
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-run.done:
		return run.result
	case <-timer.C:
	case <-ctx.Done():
	}
	return rec
}

// newJob gives an event its identity: id, time, principal, key and body hash.
func (c *conversation) newJob(e *ui.Event, principal string) *job {
	e.V, e.ID, e.At, e.Principal = ui.Version, ui.EventID(c.svc.uuid()), c.svc.cfg.Now().UTC(), principal
	key := e.Key
	if key == "" && e.Action != nil {
		key = ingress.DerivedKey(e.Action, c.repeats(e.Action))
	}
	if key != "" {
		key = principal + " " + key
	}
	body, err := ui.Encode(e)
	if err != nil {
		panic(err) // an event is strings, numbers and parsed JSON
	}
	return &job{event: e, record: store.Record{Event: string(e.ID), Key: key, Hash: ingress.BodyHash(e), Body: body, At: e.At}}
}

// repeats reports whether the action an event names counts every click.
func (c *conversation) repeats(e *ui.ActionEvent) bool {
	name, epoch, err := ui.ParseWireID(e.Surface)
	if err != nil {
		return false
	}
	sf := c.head().Surface(name)
	if sf == nil || sf.Epoch != epoch {
		return false
	}
	at, _ := ui.ParseComponentID(e.Component)
	a, _ := sf.ActionAt(at)
	return a.Repeat
}

// prior returns the answer of an event whose key was seen before: the first
// answer, or the run that will give it.
func (c *conversation) prior(r *store.Record) (Receipt, *running, error) {
	if r.Done {
		rec, err := receiptOf(r)
		return rec, nil, err
	}
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	run := c.inflight[ui.EventID(r.Event)]
	if run == nil { // another process runs it; its frame will tell
		run = &running{done: make(chan struct{})}
	}
	return Receipt{Event: ui.EventID(r.Event), Seq: c.state.Seq}, run, nil
}

// claim makes the event durable as pending before anything leaves the process.
// A prior record is an answer already.
func (c *conversation) claim(ctx context.Context, j *job) (prior *store.Record, err error) {
	if j.recorded {
		return nil, nil
	}
	prior, err = c.svc.cfg.Store.Record(ctx, c.info.ID, j.record)
	switch {
	case errors.Is(err, store.ErrKeyReused):
		return nil, &ui.Error{Code: CodeKeyReused, Message: "this Idempotency-Key was used with another body"}
	case err != nil:
		return nil, storeError("record event", err)
	case prior == nil:
		j.recorded = true
	}
	return prior, nil
}

// begin registers a recorded event as running.
func (c *conversation) begin(j *job) *running {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if j.run = c.inflight[j.event.ID]; j.run == nil {
		j.run = &running{done: make(chan struct{})}
		c.inflight[j.event.ID] = j.run
	}
	return j.run
}

// answered releases who waits for the event.
func (c *conversation) answered(j *job, rec Receipt) {
	if j.run == nil {
		return
	}
	c.svc.mu.Lock()
	delete(c.inflight, j.event.ID)
	c.svc.mu.Unlock()
	j.run.result = rec
	close(j.run.done)
}

// stopRuns cancels the model runs of the conversation; each ends with a frame.
func (c *conversation) stopRuns() Receipt {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	for _, run := range c.inflight {
		if run.cancel != nil {
			run.cancel(errCanceled)
		}
	}
	return Receipt{Seq: c.state.Seq, Done: true, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
}

var errCanceled = errors.New("canceled by the user")
