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
	"strings"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// CodeGivenUp says that a later webhook was tried often enough.
const CodeGivenUp ui.Code = "WEBHOOK_GIVEN_UP"

// jobWebhook is the kind of a job whose body is posted to an action's webhook.
const jobWebhook = "webhook"

// postponed is the plan of an action whose webhook is called later: it counts
// at once, as if the endpoint had nothing to say, and the call goes to the
// outbox with the frame. The id of the job is the key of the effect.
func (c *conversation) postponed(s *ui.State, e *ui.Event, p plan) plan {
	call := webhookCall{Key: string(e.ID) + "/0", Conversation: c.info.ID, Principal: principalOf(e),
		Action: p.effect.Action.Name, Surface: p.click.Surface.Name, Values: p.effect.Values}
	body, err := json.Marshal(call)
	if err != nil {
		panic(err) // strings and values
	}
	step := p.step
	step.Ops = slices.Clone(step.Ops) // Finish appends
	step, warnings := execute.Finish(c.env(e), s, p.click, p.effect, step, app.Result{})
	p.ops, p.outcome, p.step, p.effect, p.warnings = step.Ops, step.Outcome, step, nil, append(p.warnings, warnings...)
	p.outbox = []store.Job{{ID: call.Key, Event: string(e.ID), Kind: jobWebhook, Body: body, Due: e.At}}
	return p
}

// queued is what a frame puts into the outbox: nothing, if it says that the
// event failed.
func queued(f *ui.Frame, jobs []store.Job) []store.Job {
	if f.Outcome.Kind != ui.OutcomeDone {
		return nil
	}
	return jobs
}

// answered is the plan of a later webhook's answer. What the endpoint did is
// done, so the frame stands even if what it shows does not draw.
func (c *conversation) answered(s *ui.State, e *ui.Event) plan {
	a := e.Answer
	out := ui.Outcome{Kind: ui.OutcomeDone, Surface: a.Surface}
	if a.Code != "" {
		title := c.svc.cfg.Recovery.For(a.Code).Title
		return plan{ops: ui.Ops{&ui.Say{Role: ui.RoleAssistant, Text: title}},
			outcome: ui.Outcome{Kind: ui.OutcomeFailed, Code: a.Code, Surface: a.Surface, Message: title}}
	}
	var ops ui.Ops
	texts := []string{a.Text}
	for _, e := range a.Errors { // there is no open form to show them at
		texts = append(texts, e.Text)
	}
	if text := strings.TrimSpace(strings.Join(texts, "\n")); text != "" {
		ops = append(ops, &ui.Say{Role: ui.RoleAssistant, Text: c.fit(text)})
	}
	if a.Toast != "" {
		ops = append(ops, &ui.Toast{Text: c.fit(a.Toast)})
	}
	list, warnings := c.directives(a.Directives)
	more, faults := execute.Run(c.env(e), s, list)
	return plan{ops: append(ops, more...), outcome: out, warnings: append(warnings, faults...), carried: true}
}

// directives reads what an endpoint wants to show.
func (c *conversation) directives(v jsonx.Value) ([]directive.Directive, []*ui.Error) {
	if v.Kind != jsonx.Array {
		return nil, nil
	}
	env, err := c.svc.cfg.App.Registry().Read(string(jsonx.Append(nil, jsonx.OfObject(
		jsonx.Member{Key: "assistant_text", Value: jsonx.Of("")}, jsonx.Member{Key: "directives", Value: v}))))
	warnings := slices.Clone(env.Warnings)
	if err != nil { // the work is done: what it wants to show cannot undo that
		warnings = append(warnings, asError(err))
	}
	return env.Directives, warnings
}

// outbox works off the jobs of all conversations that this service's store
// keeps, until Close begins: up to cfg.Hooks at once. Any number of nodes may do
// so; a job belongs to who took it until its lease runs out, which is after the
// longest call, so a job that is taken again was left by a node that died.
type outbox struct {
	svc  *Service
	jobs store.Store
	wake chan struct{} // capacity 1: there may be something due
	free chan struct{} // one for each call that may run
}

// openOutbox starts the worker, if there is anything it could do.
func (s *Service) openOutbox() {
	s.box.wake = make(chan struct{}, 1)
	declared := slices.ContainsFunc(s.cfg.App.Config().Actions,
		func(a app.Action) bool { return a.Webhook != nil && a.Webhook.Later })
	if s.cfg.Webhook == nil || !declared {
		return
	}
	s.box.svc, s.box.jobs, s.box.free = s, s.cfg.Store, make(chan struct{}, s.cfg.Hooks)
	s.work.Go(func() { // Close waits for it; it ends when Close begins
		s.box.run()
	})
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
		case <-o.svc.quiet:
			return
		case <-o.wake:
		case <-tick.C:
		}
	}
}

// takeDue begins what is due, as far as there is room. A job is leased for the
// longest call and as long again for its commit.
func (o *outbox) takeDue() {
	room := cap(o.free) - len(o.free)
	if room == 0 {
		return // a call that ends wakes the worker
	}
	cfg := o.svc.cfg
	now := cfg.Now()
	list, err := o.jobs.Take(o.svc.stop, now, now.Add(2*cfg.Timeout), room)
	if err != nil {
		if o.svc.stop.Err() == nil {
			cfg.Meter.Series(trace.StoreErrors, "outbox").Add(1)
			cfg.Log.Warn("the outbox cannot be read", "err", trace.Quiet(storeError("take jobs", err)))
		}
		return
	}
	for _, job := range list {
		o.free <- struct{}{}   // never waits: only this goroutine adds
		o.svc.work.Go(func() { // Close waits for it; it ends at the latest after cfg.Timeout and a commit
			defer o.due()
			defer func() { <-o.free }()
			o.try(job)
		})
	}
}

// try makes one call and sees to what follows from it. What cannot be written
// is tried again when the lease has run out, with the same key.
func (o *outbox) try(job store.Job) {
	cfg, began := o.svc.cfg, o.svc.cfg.Now()
	ctx := trace.WithRequest(o.svc.stop, o.svc.random(16))
	call, hook, err := o.call(job)
	var raw []byte
	switch {
	case err != nil: // nobody knows any more how to make it
	case job.Tries > cfg.Tries: // given up, and the node died before it could say so
		err = errTooOften
	default:
		raw, err = o.post(ctx, hook, job)
		cfg.Meter.Series(trace.WebhookTime).Add(cfg.Now().Sub(began).Seconds())
	}
	if err != nil && o.svc.stop.Err() != nil {
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

// call reads a job: what is posted, and where the application says to.
func (o *outbox) call(job store.Job) (call webhookCall, hook app.Webhook, err error) {
	if err := json.Unmarshal(job.Body, &call); err != nil || job.Kind != jobWebhook {
		return call, hook, errUndeclared
	}
	a, ok := o.svc.cfg.App.Action(call.Action)
	if !ok || a.Webhook == nil {
		return call, hook, errUndeclared
	}
	return call, *a.Webhook, nil
}

// post calls the endpoint with a deadline; a panic is an error. An answer that is
// too large to be read was a 2xx: the call was taken, and says nothing.
func (o *outbox) post(ctx context.Context, hook app.Webhook, job store.Job) (raw []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.svc.cfg.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			raw, err = nil, fmt.Errorf("webhook panicked: %s", trace.QuietPanic(p))
		}
	}()
	raw, err = o.svc.cfg.Webhook(ctx, hook, job.ID, job.Body)
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

// settle commits what became of a job as a frame, under an event id that comes
// from the job's: however often that is done, there is one. Only a call that
// succeeds after all, though the user was told that it was given up, has another.
func (o *outbox) settle(ctx context.Context, job store.Job, a *ui.AnswerEvent, call trace.Call) error {
	rec, err := o.svc.answer(ctx, job, ".answer", a, call)
	if err == nil && a.Code == "" && rec.Outcome.Code == CodeGivenUp {
		_, err = o.svc.answer(ctx, job, ".late", a, call)
	}
	if ui.CodeOf(err) == CodeNotFound {
		return nil // there is nobody to tell any more
	}
	return err
}

// answer runs the turn of an answer in its conversation.
func (s *Service) answer(ctx context.Context, of store.Job, suffix string, a *ui.AnswerEvent, call trace.Call) (Receipt,
	error) {
	c, done, err := s.conversation(ctx, of.Conversation, "")
	if err != nil {
		return Receipt{}, err
	}
	defer done()
	e := &ui.Event{V: ui.Version, ID: ui.EventID(of.ID + suffix), Kind: ui.EventAnswer, At: s.cfg.Now().UTC(),
		Principal: c.info.Owner, Answer: a}
	j := &job{event: e, record: recordOf(e, "")}
	sum := sha256.Sum256([]byte(e.ID))
	j.record.Hash = hex.EncodeToString(sum[:]) // two tries may be answered differently: the first counts
	j.tally.turn.Request, j.tally.turn.Effect = trace.RequestOf(ctx), &call
	c.turn <- struct{}{} // turns end
	defer func() { <-c.turn }()
	rec, _, err := c.walk(ctx, j)
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

// pause is how long to wait after a try that failed: what the endpoint asks for,
// or longer each time, spread by a fifth so that many do not come back at once.
func (o *outbox) pause(tries int, err error) time.Duration {
	d := o.svc.cfg.Retry
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
