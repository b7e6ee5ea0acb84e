package outbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// CodeGivenUp says that a later webhook was tried often enough.
const CodeGivenUp ui.Code = "WEBHOOK_GIVEN_UP"

// Kind is the kind of a job whose body is posted to an action's webhook.
const Kind = "webhook"

// Outbox works off the jobs of all conversations in the store, until Config.Quiet:
// up to Config.Calls at once. Any number of nodes may do so; a job belongs to the node
// that took it until its lease runs out, which is after the longest call, so a job
// that is taken again was left by a node that died.
//
//	queued ─take─▶ leased ─call─▶ answered ─settle─▶ frame ─▶ finished
//	   ▲                 ├─ failed: again later
//	   └─────────────────┘         └─ given up: a frame says so; kept as a dead letter
type Outbox struct {
	Config
	wake chan struct{} // capacity 1: there may be something due
	free chan struct{} // one for each call that may run
}

// PostFunc posts a call to an application's endpoint under an idempotency key and
// returns the answer's body.
type PostFunc func(ctx context.Context, hook app.Webhook, key string, body []byte) ([]byte, error)

// Config is what an Outbox needs. All of it is required.
type Config struct {
	Jobs  Jobs
	Files store.Blobs // the uploads of conversations
	App   *app.App
	Post  PostFunc
	// Settle commits the result of a job as a frame: however often it is called for a
	// job, there is one frame. It completes the event.
	Settle  func(ctx context.Context, job store.Job, e *ui.Event, call turntrace.Call) error
	Calls   int           // at once
	Tries   int           // of a job until it is given up
	Retry   time.Duration // after the first try that failed
	Timeout time.Duration // of a call
	Now     func() time.Time
	Request func() string // an id for the logs of one call
	Meter   trace.Meter
	Log     *slog.Logger
	Stop    context.Context // calls that run end with it
	Quiet   <-chan struct{} // closed: no more calls begin
	Go      func(func())    // runs a goroutine that the owner waits for
}

// Jobs are the parts of a store that an Outbox uses.
type Jobs interface {
	store.Outbox
	store.DeadLetters
	Open(ctx context.Context, id string) (store.Head, error)
}

// New returns an Outbox. Run works it off.
func New(cfg Config) *Outbox {
	return &Outbox{Config: cfg, wake: make(chan struct{}, 1), free: make(chan struct{}, cfg.Calls)}
}

// Needed reports whether an application may have jobs: with agents, if it can have clients run functions,
// or if it has webhooks that are called later. These are left to nodes that can post.
func Needed(a *app.App, agents, posts bool) bool {
	list := a.Config().Actions
	if slices.ContainsFunc(list, func(a app.Action) bool { return a.Webhook != nil && a.Webhook.Later }) {
		return posts
	}
	return agents || slices.ContainsFunc(list, func(a app.Action) bool { return a.Call != nil || a.Handler != nil })
}

// Due wakes the worker: something was put into the outbox.
func (o *Outbox) Due() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// outboxPoll is how often the worker looks by itself: jobs come due, and other
// nodes queue some.
const outboxPoll = time.Second

// Run works jobs off until Quiet.
func (o *Outbox) Run() {
	tick := time.NewTicker(outboxPoll)
	defer tick.Stop()
	for {
		o.takeDue()
		select {
		case <-o.Quiet:
			return
		case <-o.wake:
		case <-tick.C:
		}
	}
}

// takeDue begins the jobs that are due, as far as there is room. A job is leased for the
// longest call and as long again for its commit.
func (o *Outbox) takeDue() {
	room := cap(o.free) - len(o.free)
	if room == 0 {
		return // a call that ends wakes the worker
	}
	now := o.Now()
	list, err := o.Jobs.Take(o.Stop, now, now.Add(2*o.Timeout), room)
	if err != nil {
		if o.Stop.Err() == nil {
			o.Meter.Series(metric.StoreErrors, "outbox").Add(1)
			o.Log.Warn("the outbox cannot be read", "err", logs.Quiet(conversation.StoreError("take jobs", err)))
		}
		return
	}
	for _, job := range list {
		o.free <- struct{}{} // never waits: only this goroutine adds
		o.Go(func() {        // Close waits for it; it ends at the latest after o.Timeout and a commit
			defer o.Due()
			defer func() { <-o.free }()
			if job.Kind == kindCall {
				o.expire(job)
				return
			}
			o.try(job)
		})
	}
}

// try makes one call and sees to what follows from it. What cannot be written
// is tried again when the lease has run out, with the same key.
func (o *Outbox) try(job store.Job) {
	began := o.Now()
	ctx := logs.WithRequest(o.Stop, o.Request())
	call, hook, err := o.call(job)
	var raw []byte
	switch {
	case err != nil: // the action has no webhook here
	case job.Tries > o.Tries: // given up, and the node died before it could say so
		err = errTooOften
	default:
		raw, err = o.post(ctx, hook, job)
		o.Meter.Series(metric.WebhookTime).Add(o.Now().Sub(began).Seconds())
	}
	if err != nil && o.Stop.Err() != nil {
		return // cut off, not refused: another node, or the next start, takes it
	}
	a := &ui.AnswerEvent{Action: call.Action, Surface: call.Surface}
	outcome, why, again := "done", "", time.Time{}
	switch {
	case err == nil:
		a = o.answerOf(ctx, call, raw)
	case final(err) || job.Tries >= o.Tries:
		outcome, a.Code = "dead", CodeGivenUp
		why = fmt.Sprintf("%d tries; the last: %s", job.Tries, reason(err))
	default:
		outcome, again = "failed", o.Now().Add(o.pause(job.Tries, err))
	}
	o.Meter.Series(metric.Webhooks, outcome).Add(1)
	line := []any{"conversation", job.Conversation, "event", job.Event, "action", call.Action, "try", job.Tries,
		"outcome", outcome}
	if err != nil {
		line = append(line, "err", reason(err))
	}
	o.Log.InfoContext(ctx, "webhook", line...)
	after := context.WithoutCancel(ctx)
	if outcome == "failed" {
		err = o.Jobs.Retry(after, job.Conversation, job.ID, again)
	} else if err = o.Settle(after, job, &ui.Event{Kind: ui.EventAnswer, Answer: a}, turntrace.Call{
		Action: call.Action, By: "later", Ms: turntrace.Ms(o.Now().Sub(began)), Code: a.Code}); err == nil {
		err = o.close(after, job, why)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		o.Log.WarnContext(ctx, "webhook is taken up again", "conversation", job.Conversation, "event", job.Event,
			"err", logs.Quiet(err))
	}
}

var (
	errTooOften   = errors.New("tried too often")
	errUndeclared = errors.New("the action has no webhook here")
)

// call reads a job: the body to post, and the webhook that the application declares.
func (o *Outbox) call(job store.Job) (call Call, hook app.Webhook, err error) {
	if err := json.Unmarshal(job.Body, &call); err != nil || job.Kind != Kind {
		return call, hook, errUndeclared
	}
	a, ok := o.App.Action(call.Action)
	if !ok || a.Webhook == nil {
		return call, hook, errUndeclared
	}
	return call, *a.Webhook, nil
}

// post calls the endpoint with a deadline; a panic is an error. An answer that is
// too large to be read was a 2xx: the call was taken, and says nothing.
func (o *Outbox) post(ctx context.Context, hook app.Webhook, job store.Job) (raw []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			raw, err = nil, fmt.Errorf("webhook panicked: %s", logs.QuietPanic(p))
		}
	}()
	body, err := WithFiles(ctx, o.Files, job.Body)
	if err != nil {
		return nil, err
	}
	raw, err = o.Post(ctx, hook, job.ID, body)
	if TooLarge(err) {
		return nil, nil
	}
	return raw, err
}

// answerOf reads what an endpoint said. It has done its work: an answer that is
// not ours to read says nothing.
func (o *Outbox) answerOf(ctx context.Context, call Call, raw []byte) *ui.AnswerEvent {
	ans, err := ReadAnswer(raw)
	if err != nil {
		ans = Answer{}
	}
	LogUnused(ctx, o.Log.With("conversation", call.Conversation), call.Action, ans, err)
	return &ui.AnswerEvent{Action: call.Action, Surface: call.Surface, Text: ans.Text, Toast: ans.Toast,
		Errors: ans.Errors, Directives: ans.Directives}
}

// close takes a job that is settled out of the outbox.
func (o *Outbox) close(ctx context.Context, job store.Job, why string) error {
	if why != "" {
		return o.Jobs.Kill(ctx, job.Conversation, job.ID, why)
	}
	return o.Jobs.Finish(ctx, job.Conversation, job.ID)
}

// Pauses between tries: o.Retry, then six times longer each, at most maxPause.
// Eight tries with the default of 5 s end after about a day.
const (
	pauseFactor = 6
	maxPause    = 12 * time.Hour
	maxAfter    = 24 * time.Hour // the longest Retry-After that is honoured
)

// pause is the time to wait after a try that failed: the endpoint's Retry-After,
// or longer each time, spread by a fifth so that many do not come back at once.
func (o *Outbox) pause(tries int, err error) time.Duration {
	d := o.Retry
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

// final reports that trying again cannot help: the endpoint is gone, or its address
// is not allowed. A node of another release may declare the action that this one does not.
func final(err error) bool {
	var f interface{ Final() bool }
	return errors.Is(err, errTooOften) || errors.As(err, &f) && f.Final()
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
	return cmp.Or(logs.Quiet(err), "unknown")
}
