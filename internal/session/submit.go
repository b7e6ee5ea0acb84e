package session

import (
	"context"
	"slices"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directory"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/tally"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Submit takes an event of a principal (see Create). It returns once the event is durable,
// and if wait is above zero not before it is answered, with what follows from
// it, or wait is over. e is not changed.
//
// Errors: conversation.CodeNotFound, recovery.CodeBusy, recovery.CodeDraining,
// recovery.CodeKeyReused, conversation.CodeStore, ui.CodeEnded, ingress.CodeEnvelope, and
// those of execute.CheckPreference.
// Another refused or failed event is no error: its Receipt says so.
func (s *Service) Submit(ctx context.Context, id, principal string, e *ui.Event, wait time.Duration) (Receipt, error) {
	answer, err := s.Take(ctx, id, principal, e)
	if err != nil {
		return Receipt{}, err
	}
	return answer(ctx, wait), nil
}

// Take is the first half of Submit, with its errors: it returns once the event is
// durable. The second half waits for the answer; it may be called from another
// goroutine, so that the next event of a client is recorded meanwhile, and again, by one
// goroutine at a time.
func (s *Service) Take(ctx context.Context, id, principal string,
	e *ui.Event) (answer func(ctx context.Context, wait time.Duration) Receipt, err error) {
	if err := turn.WellFormed(e); err != nil {
		return nil, err
	}
	if err := s.work.Enter(); err != nil {
		return nil, err
	}
	now, rest, err := func() (result, <-chan result, error) {
		defer s.work.Done()
		return s.take(ctx, id, principal, e)
	}()
	tally.CountStore(s.cfg.Meter, "submit", err)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, wait time.Duration) Receipt {
		began := time.Now()
		if rest != nil {
			last, over := work.Await(ctx, s.work, rest, wait)
			if !over {
				return now.rec
			}
			now, rest = last, nil
		}
		if now.pending == nil {
			return now.rec
		}
		_, over := work.Await(ctx, s.work, now.pending.done, wait-time.Since(began))
		if over && !now.rec.Done {
			return now.pending.result
		}
		return now.rec
	}, nil
}

// result is the outcome of a turn.
type result struct {
	rec     Receipt
	pending *running // the answer follows, or something more after it
	err     error
}

// slot is the place of a turn in the queue of its conversation. A model run keeps it until
// the reply has its frame.
type slot struct {
	release func()
	kept    bool // by a model run
}

// take runs the turn of an event and returns its result. If a handler or webhook runs,
// which may be for longer than the client waits, now says that the event is recorded, and
// rest gets the result.
func (s *Service) take(ctx context.Context, id, principal string, e *ui.Event) (now result, rest <-chan result,
	err error) {
	c, grant, done, err := s.openFor(ctx, id, principal, directory.Needed(e))
	if err != nil {
		return result{}, nil, err
	}
	begun := false
	defer func() {
		if !begun {
			done()
		}
	}()
	if directory.ForOperators(e) && !grant.Operator {
		return result{}, nil, directory.ErrNoOperator()
	}
	if err := c.log.Fresh(ctx); err != nil {
		return result{}, nil, err
	}
	if e.Kind == ui.EventCancel {
		if err := c.stopRuns(ctx, func(*ui.Event) bool { return false }); err != nil {
			return result{}, nil, conversation.StoreError("cancel", err)
		}
		return result{rec: doneAt(c.head().Seq)}, nil, nil
	}
	t := c.newTurn(e, c.actor(principal, grant))
	t.address = quota.AddressOf(ctx)
	if err := permitStored(ctx, t); err != nil {
		return result{}, nil, err
	}
	if e.Model.Kind == jsonx.Object && e.Kind != ui.EventDraft {
		if err := s.keepShown(ctx, id, principal, e, t); err != nil {
			return result{}, nil, err
		}
	}
	t.tally.Turn.Request, t.tally.Turn.Door = logs.RequestOf(ctx), logs.DoorOf(ctx)
	t.tally.Taken = time.Now()
	if err := t.wait(ctx); err != nil {
		return result{}, nil, err
	}
	// From here the turn is finished even if the client goes away.
	if !calls(s.cfg.App) { // a separate goroutine costs a tenth with PostgreSQL
		now = t.receive(context.WithoutCancel(ctx))
		return now, nil, now.err
	}
	over := make(chan result, 1)
	t.call.received = make(chan Receipt, 1)
	begun = true
	s.work.Go(func() { // Close waits for it
		r := t.receive(context.WithoutCancel(ctx))
		done()
		over <- r
	})
	select {
	case now = <-over:
		return now, nil, now.err
	case rec := <-t.call.received:
		return result{rec: rec}, over, nil
	}
}

// permitStored refuses an event whose principal or address had too much stored today. A
// repeat of an event that is known gets its first answer instead.
func permitStored(ctx context.Context, t *Turn) error {
	c := t.c
	if t.event.Kind == ui.EventData { // the application's own, and frames are trimmed
		return nil
	}
	refused := t.unlessKnown(ctx, c.svc.quotas.stored.Refuse(t.event.Principal, t.address))
	if ui.CodeOf(refused) == quota.CodeStored {
		c.svc.cfg.Meter.Series(metric.StoredRefused).Add(1)
	}
	return refused
}

// unlessKnown returns why a new event is refused without a frame, if anything, or nil if it is
// recorded or its key is known: then the first answer counts.
func (t *Turn) unlessKnown(ctx context.Context, why error) error {
	if why == nil || t.recorded {
		return nil
	}
	if known, err := t.c.known(ctx, t.record); known || err != nil {
		return err
	}
	return why
}

// wait takes a place in the queue of the conversation and waits for the turn.
func (t *Turn) wait(ctx context.Context) (err error) {
	c := t.c
	select {
	case c.slots <- struct{}{}:
		t.slot.release = func() { <-c.slots }
	default:
		c.svc.count(metric.QueueFull)
		return &ui.Error{Code: recovery.CodeBusy, Message: "too many events wait in this conversation"}
	}
	select {
	case c.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		err = &ui.Error{Code: recovery.CodeBusy, Message: "the request ended before its turn", Err: context.Cause(ctx)}
	case <-c.svc.work.Stop.Done():
		err = errDraining()
	}
	t.slot.release()
	return err
}

// keepShown keeps the values that the client of an event shows, in a turn before that of the
// event: its user decided by them. A value that its input cannot take refuses the event. A
// repeat of the event keeps nothing.
func (s *Service) keepShown(ctx context.Context, id, principal string, e *ui.Event, t *Turn) error {
	if known, err := t.c.known(ctx, t.record); known || err != nil {
		return err
	}
	now, _, err := s.take(ctx, id, principal, &ui.Event{Kind: ui.EventDraft, Model: e.Model, Language: e.Language})
	if out := now.rec.Outcome; err == nil && out.Kind == ui.OutcomeRefused {
		return &ui.Error{Code: out.Code, Path: string(out.Path), Message: out.Detail, Hint: out.Hint}
	}
	return err
}

// receive runs the turn of a new event, and then lets the next event have its turn.
func (t *Turn) receive(ctx context.Context) (r result) {
	c := t.c
	defer func() { // a goroutine that goes on with the event later waits for the turn
		if !t.slot.kept {
			t.slot.release()
		}
		t.slot.release = nil
		<-c.turn
	}()
	c.expire(ctx)
	if r.err = t.sameClick(ctx); r.err != nil {
		return r
	}
	r.rec, r.pending, r.err = t.do(ctx)
	return r
}

// actor returns as whom a principal acts: the second device of an owner is the owner.
func (c *mailbox) actor(principal string, g conversation.Grant) string {
	if principal != "" && g.Access == conversation.Own && !g.Until.IsZero() {
		return c.info.Owner
	}
	return principal
}

// newTurn gives an event its identity: id, time, principal, key and body hash.
func (c *mailbox) newTurn(sent *ui.Event, principal string) *Turn {
	e := *sent
	if e.Kind != ui.EventDraft {
		e.Model = jsonx.Value{}
	}
	e.V, e.ID, e.At = ui.Version, ui.EventID(c.svc.ids.UUID()), c.svc.cfg.Now().UTC()
	if e.Principal, e.User = conversation.Owner(principal), ""; e.Principal != principal {
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
	t := c.turnOf(&e, recordOf(&e, key))
	t.goneKey = gone
	return t
}

// sameClick finds a click that was seen before its surface closed. Only the surface says whether its action counts
// every click, and so which key the click has: of the two that newTurn derives, the one that the store knows.
func (t *Turn) sameClick(ctx context.Context) error {
	r := t.record
	r.Key = t.goneKey
	known, err := t.c.known(ctx, r)
	if known {
		t.record.Key = t.goneKey
	}
	return err
}

func recordOf(e *ui.Event, key string) store.Event {
	body, err := ui.Encode(e)
	if err != nil {
		panic(err) // an event is strings, numbers and parsed JSON
	}
	return store.Event{ID: string(e.ID), Key: key, Hash: ingress.BodyHash(e), Body: body, At: e.At}
}

// repeats reports whether the action an event names counts every click, and whether
// its surface is there to say so.
func (c *mailbox) repeats(e *ui.ActionEvent) (repeat, there bool) {
	name, epoch, err := ui.ParseWireID(e.Surface)
	if err != nil {
		return false, false
	}
	sf := c.head().Surface(name)
	if sf == nil || sf.Epoch != epoch {
		return false, false
	}
	a, _ := sf.ActionFor(e)
	declared, _ := c.svc.cfg.App.Action(a.Name)
	return a.Repeat || declared.Repeat, true
}

// calls reports whether a turn of an application may wait for a handler or webhook.
func calls(a *app.App) bool {
	return slices.ContainsFunc(a.Config().Actions,
		func(a app.Action) bool { return a.Handler != nil || a.Webhook != nil && !a.Webhook.Later })
}
