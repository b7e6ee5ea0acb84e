package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// CodeGivenUp says that a later webhook was tried often enough.
const CodeGivenUp ui.Code = "WEBHOOK_GIVEN_UP"

// jobWebhook is the kind of a job whose body is posted to an action's webhook.
const jobWebhook = "webhook"

// jobsOf returns the jobs that a frame puts into the outbox: the webhook that is called
// later, and nothing if the frame says that the event failed. The id of the job is
// the key of the call.
func jobsOf(id string, e *ui.Event, p turn.Plan, f *ui.Frame) []store.Job {
	if p.Later == nil || f.Outcome.Kind != ui.OutcomeDone {
		return nil
	}
	effect := p.Later
	key := callKey(e, 0)
	body, err := json.Marshal(webhookCall{Key: key, Conversation: id, Principal: principalOf(e),
		Action: effect.Action.Name, Surface: p.Call.Click.Surface.Name, Values: effect.Values})
	if err != nil {
		panic(err) // strings and values
	}
	return []store.Job{{ID: key, Event: string(e.ID), Kind: jobWebhook, Body: body, Due: e.At}}
}

// outbox works off the jobs of all conversations in the store, until Close begins:
// up to cfg.Hooks at once. Any number of nodes may do so; a job belongs to the node
// that took it until its lease runs out, which is after the longest call, so a job
// that is taken again was left by a node that died.
//
//	queued ─take─▶ leased ─call─▶ answered ─settle─▶ frame ─▶ finished
//	   ▲                 ├─ failed: again later
//	   └─────────────────┘         └─ given up: a frame says so; kept as a dead letter
type outbox struct {
	cfg    Config
	work   *work
	jobs   jobs
	settle settle
	id     func() string // of a request, for logs
	wake   chan struct{} // capacity 1: there may be something due
	free   chan struct{} // one for each call that may run
}

// jobs are the parts of a store that an outbox uses.
type jobs interface {
	store.Outbox
	store.DeadLetters
}

// settle commits the result of a job as a frame: however often it is called for a
// job, there is one frame.
type settle func(ctx context.Context, job store.Job, a *ui.AnswerEvent, call trace.Call) error

// openOutbox starts the worker, if there is anything it could do.
func openOutbox(s *Service) *outbox {
	o := &outbox{cfg: s.cfg, jobs: s.cfg.Store, work: s.work, id: func() string { return s.ids.random(16) },
		wake: make(chan struct{}, 1), free: make(chan struct{}, s.cfg.Hooks)}
	o.settle = func(ctx context.Context, job store.Job, a *ui.AnswerEvent, call trace.Call) error {
		return settleJob(ctx, s, job, a, call)
	}
	declared := slices.ContainsFunc(s.cfg.App.Config().Actions,
		func(a app.Action) bool { return a.Webhook != nil && a.Webhook.Later })
	if s.cfg.Webhook != nil && declared {
		s.work.Go(o.run) // Close waits for it; it ends when Close begins
	}
	return o
}

// due wakes the worker: something was put into the outbox.
func (o *outbox) due() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// outboxPoll is how often the worker looks by itself: jobs come due, and other
// nodes queue some.
const outboxPoll = time.Second

func (o *outbox) run() {
	tick := time.NewTicker(outboxPoll)
	defer tick.Stop()
	for {
		o.takeDue()
		select {
		case <-o.work.quiet:
			return
		case <-o.wake:
		case <-tick.C:
		}
	}
}

// takeDue begins the jobs that are due, as far as there is room. A job is leased for the
// longest call and as long again for its commit.
func (o *outbox) takeDue() {
	room := cap(o.free) - len(o.free)
	if room == 0 {
		return // a call that ends wakes the worker
	}
	cfg := o.cfg
	now := cfg.Now()
	list, err := o.jobs.Take(o.work.stop, now, now.Add(2*cfg.Timeout), room)
	if err != nil {
		if o.work.stop.Err() == nil {
			cfg.Meter.Series(trace.StoreErrors, "outbox").Add(1)
			cfg.Log.Warn("the outbox cannot be read", "err", trace.Quiet(conversation.StoreError("take jobs", err)))
		}
		return
	}
	for _, job := range list {
		o.free <- struct{}{} // never waits: only this goroutine adds
		o.work.Go(func() {   // Close waits for it; it ends at the latest after cfg.Timeout and a commit
			defer o.due()
			defer func() { <-o.free }()
			o.try(job)
		})
	}
}

// try makes one call and sees to what follows from it. What cannot be written
// is tried again when the lease has run out, with the same key.
func (o *outbox) try(job store.Job) {
	cfg, began := o.cfg, o.cfg.Now()
	ctx := trace.WithRequest(o.work.stop, o.id())
	call, hook, err := o.call(job)
	var raw []byte
	switch {
	case err != nil: // the action has no webhook any more
	case job.Tries > cfg.Tries: // given up, and the node died before it could say so
		err = errTooOften
	default:
		raw, err = o.post(ctx, hook, job)
		cfg.Meter.Series(trace.WebhookTime).Add(cfg.Now().Sub(began).Seconds())
	}
	if err != nil && o.work.stop.Err() != nil {
		return // cut off, not refused: another node, or the next start, takes it
	}
	a := &ui.AnswerEvent{Action: call.Action, Surface: call.Surface}
	outcome, why, again := "done", "", time.Time{}
	switch {
	case err == nil:
		a = answerOf(call, raw)
	case final(err) || job.Tries >= cfg.Tries:
		outcome, a.Code = "buried", CodeGivenUp
		why = fmt.Sprintf("%d tries; the last: %s", job.Tries, reason(err))
	default:
		outcome, again = "failed", cfg.Now().Add(o.pause(job.Tries, err))
	}
	cfg.Meter.Series(trace.Webhooks, outcome).Add(1)
	line := []any{"conversation", job.Conversation, "event", job.Event, "action", call.Action, "try", job.Tries,
		"outcome", outcome}
	if err != nil {
		line = append(line, "err", reason(err))
	}
	cfg.Log.InfoContext(ctx, "webhook", line...)
	after := context.WithoutCancel(ctx)
	if outcome == "failed" {
		err = o.jobs.Retry(after, job.Conversation, job.ID, again)
	} else if err = o.settle(after, job, a, trace.Call{Action: call.Action, By: "later",
		Ms: trace.Ms(cfg.Now().Sub(began)), Code: a.Code}); err == nil {
		err = o.close(after, job, why)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		cfg.Log.WarnContext(ctx, "webhook is taken up again", "conversation", job.Conversation, "event", job.Event,
			"err", trace.Quiet(err))
	}
}

var (
	errTooOften   = errors.New("tried too often")
	errUndeclared = errors.New("the action has no webhook any more")
)

// call reads a job: the body to post, and the webhook that the application declares.
func (o *outbox) call(job store.Job) (call webhookCall, hook app.Webhook, err error) {
	if err := json.Unmarshal(job.Body, &call); err != nil || job.Kind != jobWebhook {
		return call, hook, errUndeclared
	}
	a, ok := o.cfg.App.Action(call.Action)
	if !ok || a.Webhook == nil {
		return call, hook, errUndeclared
	}
	return call, *a.Webhook, nil
}

// post calls the endpoint with a deadline; a panic is an error. An answer that is
// too large to be read was a 2xx: the call was taken, and says nothing.
func (o *outbox) post(ctx context.Context, hook app.Webhook, job store.Job) (raw []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.cfg.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			raw, err = nil, fmt.Errorf("webhook panicked: %s", trace.QuietPanic(p))
		}
	}()
	raw, err = o.cfg.Webhook(ctx, hook, job.ID, job.Body)
	if tooLarge(err) {
		return nil, nil
	}
	return raw, err
}

// answerOf reads what an endpoint said. It has done its work: an answer that is
// not ours to read says nothing.
func answerOf(call webhookCall, raw []byte) *ui.AnswerEvent {
	ans, err := readAnswer(raw)
	if err != nil {
		ans = webhookAnswer{}
	}
	return &ui.AnswerEvent{Action: call.Action, Surface: call.Surface, Text: ans.Text, Toast: ans.Toast,
		Errors: ans.Errors, Directives: ans.Directives}
}

// settleJob commits the result of a job, under an event id that comes from the job's.
// Only a call that succeeds after all, though the user read that it was given up, has
// a second frame.
func settleJob(ctx context.Context, s *Service, job store.Job, a *ui.AnswerEvent, call trace.Call) error {
	rec, err := answer(ctx, s, job, ".answer", a, call)
	if err == nil && a.Code == "" && rec.Outcome.Code == CodeGivenUp {
		_, err = answer(ctx, s, job, ".late", a, call)
	}
	if ui.CodeOf(err) == conversation.CodeNotFound {
		return nil // the conversation is gone
	}
	return err
}

// answer runs the turn of an answer in its conversation.
func answer(ctx context.Context, s *Service, of store.Job, suffix string, a *ui.AnswerEvent,
	call trace.Call) (Receipt, error) {
	c, done, err := s.open(ctx, of.Conversation, "")
	if err != nil {
		return Receipt{}, err
	}
	defer done()
	e := &ui.Event{V: ui.Version, ID: ui.EventID(of.ID + suffix), Kind: ui.EventAnswer, At: s.cfg.Now().UTC(),
		Principal: c.info.Owner, Answer: a}
	t := c.turnOf(e, recordOf(e, ""))
	sum := sha256.Sum256([]byte(e.ID))
	t.record.Hash = hex.EncodeToString(sum[:]) // two tries may be answered differently: the first counts
	t.tally.turn.Request, t.tally.turn.Effect = trace.RequestOf(ctx), &call
	defer c.takeTurn()()
	rec, _, err := t.do(ctx)
	return rec, err
}

// close takes a job that is settled out of the outbox.
func (o *outbox) close(ctx context.Context, job store.Job, why string) error {
	if why != "" {
		return o.jobs.Kill(ctx, job.Conversation, job.ID, why)
	}
	return o.jobs.Finish(ctx, job.Conversation, job.ID)
}

// Pauses between tries: cfg.Retry, then six times longer each, at most maxPause.
// Eight tries with the default of 5 s end after about a day.
const (
	pauseFactor = 6
	maxPause    = 12 * time.Hour
	maxAfter    = 24 * time.Hour // the longest Retry-After that is honoured
)

// pause is the time to wait after a try that failed: the endpoint's Retry-After,
// or longer each time, spread by a fifth so that many do not come back at once.
func (o *outbox) pause(tries int, err error) time.Duration {
	d := o.cfg.Retry
	for i := 1; i < tries && d < maxPause; i++ {
		d *= pauseFactor
	}
	d = time.Duration(float64(min(d, maxPause)) * (0.8 + 0.4*rand.Float64()))
	var asks interface{ RetryAfter() time.Duration }
	if errors.As(err, &asks) {
		d = max(d, min(asks.RetryAfter(), maxAfter))
	}
	return d
}

// final reports that trying again cannot help: the endpoint is gone, its address
// is not allowed, or nothing says what to call.
func final(err error) bool {
	var f interface{ Final() bool }
	return errors.Is(err, errTooOften) || errors.Is(err, errUndeclared) || errors.As(err, &f) && f.Final()
}

// reason says why a call failed, without anything that the endpoint wrote.
func reason(err error) string {
	var s interface{ StatusCode() int }
	switch {
	case errors.As(err, &s):
		return fmt.Sprintf("it answered %d", s.StatusCode())
	case errors.Is(err, errTooOften), errors.Is(err, errUndeclared):
		return err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "it did not answer in time"
	}
	return cmp.Or(trace.Quiet(err), "unknown")
}
