package session

import (
	"context"
	"errors"
	"time"

	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/lease"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// job is one event on its way through a turn.
type job struct {
	event    *ui.Event
	record   store.Record
	goneKey  string          // the derived key it may have had while its surface was there; "": the same
	recorded bool            // durable as pending
	run      *running        // while pending
	held     *lease.Lease    // this node runs it; nil while it is not recorded, or with one node
	alone    *lease.Lease    // no other node changes the conversation meanwhile
	step     int             // of its handler's intent in the journal
	called   *called         // what its handler answered, so that a turn that starts again does not call it twice
	left     bool            // by a crash, by another node or for a second try: its journal may say something
	counted  bool            // its start, by this process
	safe     bool            // its handler was not called, though the journal may say that it was begun
	may      *permit         // of its model run, while it is asked
	said     *reply          // what its model answered, likewise
	heard    string          // what its model said aloud before it ended
	decision *route.Decision // what routing said, while a model is asked
	routing  bool            // the routing model is asked first
	how      string          // the model is asked, as the app declares it
	loop     *loop           // what is known of its tool calls, for another try in this process
	reply    *job            // the model run that follows an action, once it is recorded
	slot     func()          // gives the place in the queue back
	// told once, of a new event that is recorded, when a handler is about to be called; room for it
	calling chan Receipt
	address string // network it comes from; "": not known
	kept    bool   // a goroutine gives the slot back
	pause   time.Duration
	tally   tally       // for its trace
	outbox  []store.Job // what its frame queues
}

// Submit takes an event of a principal (see Create). It returns once the event is durable,
// and if wait is above zero not before it is answered, with what follows from
// it, or wait is over. e is not changed.
//
// Errors: CodeNotFound, CodeBusy, CodeDraining, CodeKeyReused, CodeStore,
// ui.CodeEnded, ingress.CodeEnvelope, and those of execute.CheckPreference.
// Another refused or failed event is no error: its Receipt says so.
func (s *Service) Submit(ctx context.Context, id, principal string, e *ui.Event, wait time.Duration) (Receipt, error) {
	answer, err := s.Take(ctx, id, principal, e)
	if err != nil {
		return Receipt{}, err
	}
	return answer(ctx, wait), nil
}

// Take is the first half of Submit, with its errors: it returns once the event is
// durable. The second waits for its answer; it may be called from another
// goroutine, so that the next event of a client is recorded meanwhile.
func (s *Service) Take(ctx context.Context, id, principal string,
	e *ui.Event) (answer func(ctx context.Context, wait time.Duration) Receipt, err error) {
	if err := wellFormed(e); err != nil {
		return nil, err
	}
	if err := s.enter(); err != nil {
		return nil, err
	}
	now, rest, err := s.take(ctx, id, principal, e)
	s.work.Done()
	s.countStore("submit", err)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, wait time.Duration) Receipt {
		began := time.Now()
		if rest != nil && !s.await(ctx, rest, wait, &now) {
			return now.rec
		}
		if now.pending == nil {
			return now.rec
		}
		return s.waitFor(ctx, now.rec, now.pending, wait-time.Since(began))
	}, nil
}

// turned is what a turn has come to.
type turned struct {
	rec     Receipt
	pending *running // its answer follows, or something more after it
	err     error
}

// await waits for the rest of a turn, and reports whether it is over.
func (s *Service) await(ctx context.Context, rest <-chan turned, wait time.Duration, now *turned) bool {
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case *now = <-rest:
			return true
		case <-timer.C:
		case <-ctx.Done():
		case <-s.stop.Done():
		}
	}
	select {
	case *now = <-rest:
		return true
	default:
		return false
	}
}

func wellFormed(e *ui.Event) error {
	switch {
	case e.Kind == ui.EventMessage, e.Kind == ui.EventCancel, e.Kind == ui.EventEnd,
		e.Kind == ui.EventRegenerate && e.Surface != "", e.Kind == ui.EventAction && e.Action != nil,
		e.Kind == ui.EventError && e.Error != nil:
		return nil
	case e.Kind == ui.EventPreference && e.Preference != nil:
		return execute.CheckPreference(e.Preference)
	}
	return &ui.Error{Code: ingress.CodeEnvelope, Message: "no event that a client can send"}
}

// take brings an event to its turn, and returns what came of it. While a handler
// or webhook runs, which may be for longer than its client waits, that is only that
// the event is recorded; then the rest says what comes of it.
func (s *Service) take(ctx context.Context, id, principal string, e *ui.Event) (now turned, rest <-chan turned,
	err error) {
	c, done, err := s.conversation(ctx, id, principal)
	if err != nil {
		return turned{}, nil, err
	}
	begun := false
	defer func() {
		if !begun {
			done()
		}
	}()
	if err := c.fresh(ctx); err != nil {
		return turned{}, nil, err
	}
	if e.Kind == ui.EventCancel {
		return turned{rec: c.stopRuns(ctx)}, nil, nil
	}
	j := c.newJob(e, principal)
	j.address = addressOf(ctx)
	if err := c.mayStore(ctx, j); err != nil {
		return turned{}, nil, err
	}
	j.tally.turn.Request, j.tally.taken = trace.RequestOf(ctx), time.Now()
	select {
	case c.slots <- struct{}{}:
		j.slot = func() { <-c.slots }
	default:
		s.count(trace.QueueFull)
		return turned{}, nil, &ui.Error{Code: CodeBusy, Message: "too many events wait in this conversation"}
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		j.slot()
		return turned{}, nil, &ui.Error{Code: CodeBusy, Message: "the request ended before its turn",
			Err: context.Cause(ctx)}
	case <-s.stop.Done():
		j.slot()
		return turned{}, nil, errDraining()
	}
	// From here the turn is finished even if the client goes away.
	if !s.calls { // a goroutine of its own costs a tenth with PostgreSQL
		now = c.turned(context.WithoutCancel(ctx), j)
		return now, nil, now.err
	}
	over := make(chan turned, 1)
	j.calling = make(chan Receipt, 1)
	begun = true
	s.work.Go(func() { // Close waits for it
		t := c.turned(context.WithoutCancel(ctx), j)
		done()
		over <- t
	})
	select {
	case now = <-over:
		return now, nil, now.err
	case rec := <-j.calling:
		return turned{rec: rec}, over, nil
	}
}

// turned runs the turn of a new event and gives the right to it back.
func (c *conversation) turned(ctx context.Context, j *job) (t turned) {
	defer func() { // who goes on with the job later waits for the turn
		if !j.kept {
			j.slot()
		}
		j.slot = nil
		<-c.turn
	}()
	c.expire(ctx)
	if t.err = c.sameClick(ctx, j); t.err != nil {
		return t
	}
	t.rec, t.pending, t.err = c.walk(ctx, j)
	return t
}

// waitFor waits for a run that answers rec, or if rec is done, follows from it.
func (s *Service) waitFor(ctx context.Context, rec Receipt, run *running, wait time.Duration) Receipt {
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-run.done:
		case <-timer.C:
		case <-ctx.Done():
		case <-s.stop.Done():
		}
	}
	select {
	case <-run.done:
		if !rec.Done {
			return run.result
		}
	default:
	}
	return rec
}

// newJob gives an event its identity: id, time, principal, key and body hash.
func (c *conversation) newJob(sent *ui.Event, principal string) *job {
	e := *sent
	e.V, e.ID, e.At = ui.Version, ui.EventID(c.svc.uuid()), c.svc.cfg.Now().UTC()
	if e.Principal, e.User = Owner(principal), ""; e.Principal != principal {
		e.User = principal
	}
	key, gone := e.Key, ""
	if key == "" && e.Action != nil {
		repeat, there := c.repeats(e.Action)
		key = ingress.DerivedKey(e.Action, repeat)
		if !there {
			gone = e.Principal + " " + ingress.DerivedKey(e.Action, true)
		}
	}
	if key != "" {
		key = e.Principal + " " + key
	}
	return &job{event: &e, record: recordOf(&e, key), goneKey: gone}
}

// sameClick gives a click on a surface that is gone the key it had while the surface
// was there, if the click was seen then: only the surface says whether its action
// counts each click, and so which of two derived keys is the click's.
func (c *conversation) sameClick(ctx context.Context, j *job) error {
	if j.goneKey == "" || c.head().Seq == 0 {
		return nil
	}
	r := j.record
	r.Key = j.goneKey
	known, err := c.known(ctx, r)
	if known {
		j.record.Key = j.goneKey
	}
	return err
}

// calls tells who sent the event that it is recorded: its answer may take a while.
func (j *job) calls(head uint64) {
	select {
	case j.calling <- Receipt{Event: j.event.ID, Seq: head}:
	default: // nobody listens, or told already
	}
}

func recordOf(e *ui.Event, key string) store.Record {
	body, err := ui.Encode(e)
	if err != nil {
		panic(err) // an event is strings, numbers and parsed JSON
	}
	return store.Record{Event: string(e.ID), Key: key, Hash: ingress.BodyHash(e), Body: body, At: e.At}
}

// repeats reports whether the action an event names counts every click, and whether
// its surface is there to say so.
func (c *conversation) repeats(e *ui.ActionEvent) (repeat, there bool) {
	name, epoch, err := ui.ParseWireID(e.Surface)
	if err != nil {
		return false, false
	}
	sf := c.head().Surface(name)
	if sf == nil || sf.Epoch != epoch {
		return false, false
	}
	at, _ := ui.ParseComponentID(e.Component)
	a, _ := sf.ActionAt(at)
	declared, _ := c.svc.cfg.App.Action(a.Name)
	return a.Repeat || declared.Repeat, true
}

// prior returns the answer of an event whose key was seen before: the first
// answer, or the run that will give it, after the frame seq.
func (c *conversation) prior(r *store.Record, seq uint64) (Receipt, *running, error) {
	if r.Done {
		rec, err := receiptOf(r)
		return rec, nil, err
	}
	run := c.adopt(*r)
	return Receipt{Event: ui.EventID(r.Event), Seq: seq}, run, nil
}

// afterEnd answers what comes after the end of the conversation without a frame,
// so that the log does not grow any more. What was known before has its answer
// all the same: then it reports that the turn is to go on, which will find it.
func (c *conversation) afterEnd(ctx context.Context, state *ui.State, j *job) (rec Receipt, known bool, err error) {
	if j.record.Key != "" {
		if known, err := c.known(ctx, j.record); known || err != nil {
			return Receipt{}, known, err
		}
	}
	if j.event.Kind == ui.EventEnd {
		return Receipt{Seq: state.Seq, Done: true, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}, false, nil
	}
	return Receipt{}, false, &ui.Error{Code: ui.CodeEnded, Message: c.svc.cfg.Recovery.For(ui.CodeEnded).Title,
		Hint: "what was said can still be read"}
}

// claim makes the event durable as pending before anything leaves the process.
// A prior record is an answer already.
func (c *conversation) claim(ctx context.Context, j *job) (prior *store.Record, err error) {
	if j.recorded {
		return nil, nil
	}
	j.record.Node, j.record.TTL = c.svc.cfg.Node, c.svc.cfg.LeaseTime
	for range 2 { // an error may leave a record behind; then the second try finds it
		prior, err = c.svc.cfg.Store.Record(ctx, c.info.ID, j.record)
		if err == nil || errors.Is(err, store.ErrKeyReused) || errors.Is(err, store.ErrNotFound) {
			break
		}
	}
	switch {
	case errors.Is(err, store.ErrKeyReused):
		return nil, &ui.Error{Code: CodeKeyReused, Path: "Idempotency-Key",
			Message: "this Idempotency-Key was used with another body",
			Hint:    "give each new request a key of its own; a retry has the body of the first"}
	case err != nil:
		c.sweepLater()
		return nil, storeError("record event", err)
	case prior != nil && (prior.Event != j.record.Event || prior.Done):
		return prior, nil
	}
	j.recorded = true
	if c.svc.desk != nil && prior == nil {
		j.held = c.svc.desk.Recorded(c.info.ID, j.record.Event)
	} else if c.svc.desk != nil {
		return nil, c.mine(ctx, j)
	}
	return nil, nil
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

// stopRuns cancels the model runs of the conversation; each ends with a frame.
func (c *conversation) stopRuns(ctx context.Context) Receipt {
	if c.svc.desk != nil {
		c.stopOthers(ctx)
	}
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	for _, run := range c.inflight {
		if run.canceled = true; run.cancel != nil {
			run.cancel(errCanceled)
		}
	}
	return Receipt{Seq: c.state.Seq, Done: true, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
}

var errCanceled = errors.New("canceled by the user")
