// Package appcall calls a handler or webhook of the application for one recorded
// event, at most once as far as the event's journal knows: an intent is written before
// the call, the result after it.
//
//	result in the journal        used, nothing is called
//	intent, action idempotent    called again under the same key
//	intent, else                 failed: whether the call was made is unknown
//	neither                      called
//
// It commits nothing and holds no lease.
package appcall

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Config is what all calls of a server share.
type Config struct {
	// Webhook posts a call and returns the answer's body; nil: webhooks fail.
	Webhook outbox.PostFunc
	Timeout time.Duration            // of one call
	Files   store.Blobs              // the uploads of conversations
	Records *records.Book            // of the application
	Live    app.Live                 // data that views show
	Nodes   bool                     // other nodes share the store
	Fit     func(text string) string // shortens a text to the size a transcript takes
	// Directives reads those of a webhook's answer.
	Directives func(jsonx.Value) ([]app.Directive, []*ui.Error)
	Stop       context.Context // ends when the server cuts off running calls
	Log        *slog.Logger
}

// Call is the call of one event. It is kept for another try of its turn. Not safe for
// concurrent use.
type Call struct {
	*Config
	Journal     journal.Journal
	Event       *ui.Event
	ReadJournal bool            // the journal may say something: look there first
	NoMoreCalls bool            // the event is refused or given up: nothing is called for it any more
	Done        *Result         // so that a turn that starts again does not call twice
	Trace       *turntrace.Turn // notes the call

	step         int    // of the intent in the journal
	intentUnsure bool   // nothing was called, though the journal may have the intent
	mark         string // of its intent
}

// Result is what became of a call. Ops and Outcome are kept with a result that was
// recalled: they count whatever becomes of the surface.
type Result struct {
	app.Result
	Failed  *ui.Error // nil: Result counts
	Ops     ui.Ops
	Outcome *ui.Outcome
}

// Effect is what to call, from which surface, and on which state that was decided.
type Effect struct {
	*execute.Effect
	Surface ui.Name
	State   *ui.State
	// Keep returns the changes by a result; nothing if it does not apply.
	Keep func(app.Result) (ui.Ops, *ui.Outcome)
}

// Make calls a handler or webhook and sets Done. A call that failed is no error.
// Errors: store.ErrConflict if another process has answered the event, journal.ErrTaken
// if it runs it, the cause of Stop if the call was cut off, and conversation.CodeStore.
func (c *Call) Make(ctx context.Context, e Effect) error {
	var notes []journal.Note
	if c.ReadJournal {
		var err error
		if notes, err = c.Journal.Notes(ctx); err != nil { // tried again later
			return &ui.Error{Code: conversation.CodeStore, Message: "the journal cannot be read", Err: err}
		}
	}
	action := e.Action
	earlier := false // a call before this one may have been carried out
	switch step, begun, ended := journal.CallIn(notes); {
	case ended != nil:
		c.Done = resultOf(ended)
		return nil
	case begun && !action.Idempotent && !c.uncalled(notes[step]):
		c.Done = failedBeforeCrash()
		return nil
	case begun:
		c.step, earlier = step, !c.uncalled(notes[step])
	default:
		if err := c.intend(ctx, step, action.Name); err != nil {
			return err
		}
	}
	c.intentUnsure, c.ReadJournal = false, true
	began := time.Now()
	res, err := c.callWithDeadline(ctx, e)
	if action.Idempotent && journal.Unknown(err) && !errors.Is(err, work.ErrLeft) && c.Stop.Err() == nil {
		earlier = true
		res, err = c.callWithDeadline(ctx, e) // under the same key, so the answer covers the first call
	}
	c.traced(action, err, time.Since(began))
	if err != nil && c.Stop.Err() != nil {
		return context.Cause(c.Stop)
	}
	n := journal.Note{Kind: journal.KindResult, Name: action.Name}
	if err == nil {
		n.Result = &res
		n.Ops, n.Kept = e.Keep(res)
		c.Done = &Result{Result: res}
	} else {
		c.log().WarnContext(ctx, "action failed", "action", action.Name, "err", logs.Quiet(err))
		n.Code, n.Error = failure(err, earlier)
		c.Done = failed(n.Code, n.Error, err)
	}
	c.note(ctx, n)
	return nil
}

// Recall sets Done to the journal's result of a call that was made before this process
// took the event over, if it made one. A turn that calls nothing itself needs it: the
// form is gone by now, or the turn is given up. A call that a model's reply asks for is
// left to that reply, which is also in the journal, unless final says that none comes.
// An agent that was asked may have done it, though the event is refused or given up now.
func (c *Call) Recall(ctx context.Context, final bool) error {
	mayCall := []ui.EventKind{ui.EventAction, ui.EventMessage, ui.EventReply, ui.EventRecord}
	if c.Done != nil || !c.ReadJournal || !slices.Contains(mayCall, c.Event.Kind) {
		return nil
	}
	notes, err := c.Journal.Notes(ctx)
	if err != nil {
		return conversation.StoreError("read journal", err)
	}
	replied := func(n journal.Note) bool { return n.Kind == journal.KindReply }
	switch step, begun, ended := journal.CallIn(notes); {
	case c.NoMoreCalls && slices.ContainsFunc(notes, journal.Note.AsksAgent):
		c.Done = failedBeforeCrash()
	case !begun:
	case ended == nil && !final && slices.ContainsFunc(notes[:step], replied):
	case ended == nil:
		c.Done = failedBeforeCrash()
	default:
		c.Done = resultOf(ended)
	}
	return nil
}

// resultOf is the result that a note has.
func resultOf(n *journal.Note) *Result {
	if n.Result == nil {
		return failed(n.Code, n.Error, nil)
	}
	return &Result{Result: *n.Result, Ops: n.Ops, Outcome: cmp.Or(n.Kept, &ui.Outcome{Kind: ui.OutcomeDone})}
}

func failed(code ui.Code, message string, err error) *Result {
	return &Result{Failed: &ui.Error{Code: code, Message: message, Err: err}}
}

func failedBeforeCrash() *Result {
	return failed(agent.CodeEffectUnknown, "the call was begun before a crash; its result is unknown", nil)
}

// failure is the code and text in a frame for a call that failed. earlier says that a
// call before it may have been carried out.
func failure(err error, earlier bool) (ui.Code, string) {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return agent.CodeEffectUnknown, "the call did not end in time; its result is unknown"
	case journal.Unknown(err):
		return agent.CodeEffectUnknown, "the call may have been carried out, and has no answer that can be read"
	case earlier:
		return agent.CodeEffectUnknown,
			"an earlier call was cut off and this one failed; whether the first was carried out is unknown"
	}
	return execute.CodeFailed, "the action failed"
}

// intend makes it durable that a call is about to be made.
func (c *Call) intend(ctx context.Context, step int, action string) error {
	c.step, c.mark = step, cmp.Or(c.mark, rand.Text())
	switch err := c.Journal.Write(ctx, step, journal.Note{Kind: journal.KindIntent, Name: action, Args: c.mark}); {
	case errors.Is(err, store.ErrConflict):
		return store.ErrConflict
	case errors.Is(err, store.ErrExists) && c.Nodes:
		return journal.ErrTaken
	case err != nil:
		c.intentUnsure = !errors.Is(err, store.ErrExists) // the intent may be there all the same
		return &ui.Error{Code: conversation.CodeStore, Message: "the journal cannot be written", Err: err}
	}
	return nil
}

// uncalled reports an intent that this process wrote, though the store said that it did not: nothing was called for it.
// Another node that took the event over meanwhile may have written its own.
func (c *Call) uncalled(intent journal.Note) bool { return c.intentUnsure && intent.Args == c.mark }

// note writes the result. A failure is only logged: the frame that follows also has the
// result.
func (c *Call) note(ctx context.Context, n journal.Note) {
	err := c.Journal.Write(ctx, c.step+1, n)
	if errors.Is(err, store.ErrExists) { // after a cancel that came too late
		err = c.Journal.Write(ctx, c.step+2, n)
	}
	if err != nil {
		c.log().WarnContext(ctx, "journal", "err", logs.Quiet(err))
	}
}

func (c *Call) log() *slog.Logger { return c.Log.With("conversation", c.Journal.Conversation) }

// lateTime is how long a handler may go on after its deadline.
const lateTime = 5 * time.Second

// callWithDeadline runs a handler or webhook; a panic is an error. A handler that ignores its deadline is left to
// itself.
func (c *Call) callWithDeadline(ctx context.Context, e Effect) (res app.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	defer context.AfterFunc(c.Stop, cancel)()
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		res.Text, res.Toast = c.Fit(res.Text), c.Fit(res.Toast)
		res.Errors = slices.Clone(res.Errors) // the handler may keep its own
		for i := range res.Errors {
			res.Errors[i].Text = c.Fit(res.Errors[i].Text)
		}
	}()
	call := app.Call{Key: journal.CallKey(c.Event, c.step), Conversation: c.Journal.Conversation,
		Principal: journal.Principal(c.Event), Action: e.Action.Name, Surface: e.Surface,
		Records: c.Records.For(records.Viewer{Owner: c.Event.Principal, Name: c.Event.User}),
		Live:    others{c.Live, c.Journal.Conversation},
		Values:  e.Values, Record: e.Record, File: outbox.ReadFile(c.Files, c.Journal.Conversation), State: e.State}
	return work.Call(ctx, lateTime, func() (res app.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				c.log().ErrorContext(ctx, "panic in a handler", "action", e.Action.Name, "panic", logs.QuietPanic(r),
					"stack", string(debug.Stack()))
				err = fmt.Errorf("handler panicked: %v", r)
			}
		}()
		if e.Action.Handler != nil {
			return e.Action.Handler(ctx, call)
		}
		return c.post(ctx, *e.Action.Webhook, call)
	})
}

func (c *Call) post(ctx context.Context, hook app.Webhook, call app.Call) (app.Result, error) {
	if c.Webhook == nil {
		return app.Result{}, errors.New("no webhook client is configured")
	}
	body, err := json.Marshal(outbox.Call{Key: call.Key, Conversation: call.Conversation, Principal: call.Principal,
		Action: call.Action, Surface: call.Surface, Values: call.Values, Record: call.Record})
	if err != nil {
		return app.Result{}, err
	}
	if body, err = outbox.WithFiles(ctx, c.Files, body); err != nil {
		return app.Result{}, err
	}
	raw, err := c.Webhook(ctx, hook, call.Key, body)
	if err != nil {
		if outbox.TooLarge(err) { // the status was 2xx, as below
			err = &ui.Error{Code: agent.CodeEffectUnknown, Message: "the answer of the webhook is too large", Err: err}
		}
		return app.Result{}, err
	}
	ans, err := outbox.ReadAnswer(raw)
	if err != nil {
		return app.Result{}, &ui.Error{Code: agent.CodeEffectUnknown, Err: err,
			Message: "the answer of the webhook cannot be read"}
	}
	outbox.LogUnused(ctx, c.log(), call.Action, ans, nil)
	res := app.Result{Text: ans.Text, Toast: ans.Toast, Errors: ans.Errors}
	for _, key := range ans.Unknown {
		res.Warnings = append(res.Warnings, ui.Error{Code: execute.CodePayload, Path: jsonptr.Join(excerpt.Of(key, 40)),
			Message: "the answer of a webhook has no such key", Hint: outbox.AnswerKeys()})
	}
	if res.Value, err = ui.ValueOf(ans.Value); err != nil {
		res.Warnings = append(res.Warnings, *ui.Errorf(execute.CodePayload, "/value", "the value is no data: %v", err))
	}
	list, warnings := c.Directives(ans.Directives)
	res.Directives = list
	for _, w := range warnings {
		res.Warnings = append(res.Warnings, journal.Warning(w))
	}
	return res, nil
}

func (c *Call) traced(a app.Action, err error, took time.Duration) {
	c.Trace.Effect = &turntrace.Call{Action: a.Name, By: "handler", Ms: turntrace.Ms(took)}
	if a.Webhook != nil {
		c.Trace.Effect.By = "webhook"
	}
	if err != nil {
		c.Trace.Effect.Code = cmp.Or(ui.CodeOf(err), execute.CodeFailed)
	}
}
