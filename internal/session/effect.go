package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// note is one entry of an event's journal.
type note struct {
	Kind   string        `json:"kind"` // intent, result, reply, route, cancel, asked
	Name   string        `json:"name,omitempty"`
	By     string        `json:"by,omitempty"`   // of a tool's intent: who wrote it
	Args   string        `json:"args,omitempty"` // of a tool's intent: a hash of its arguments
	Text   string        `json:"text,omitempty"` // of a tool's result
	Asked  *asked        `json:"asked,omitempty"`
	Result *app.Result   `json:"result,omitempty"`
	Ops    ui.Ops        `json:"ops,omitempty"` // of a result, that count whatever becomes of the surface
	Kept   *ui.Outcome   `json:"kept,omitempty"`
	Reply  *reply        `json:"reply,omitempty"`
	Route  *route.Answer `json:"route,omitempty"`
	Error  string        `json:"error,omitempty"`
	Code   ui.Code       `json:"code,omitempty"`
}

// called is what a handler answered, and the plan its answer led to on the
// state it was asked on.
type called struct {
	result app.Result
	failed *ui.Error
	plan   plan
}

// perform calls the handler or webhook of a plan, at most once per event as
// far as the journal knows: intent before, result after. A result found in the
// journal is used instead of a call; an intent without one is called again
// only if the action is declared idempotent. The error is errClosing: the call
// was cut off and is a matter for the next start.
func (c *conversation) perform(ctx context.Context, s *ui.State, j *job, p plan) (plan, error) {
	if j.called == nil {
		if _, _, err := c.carried(s, j, p, app.Result{}); err != nil {
			return c.effectFailed(p, asError(err)), nil // what cannot be kept is not begun
		}
		out, err := c.callOnce(ctx, s, j, p)
		if err != nil {
			return plan{}, err
		}
		j.called = out
	}
	if j.called.failed != nil {
		return c.effectFailed(p, j.called.failed), nil
	}
	step, warnings, err := c.carried(s, j, p, j.called.result)
	for i := range j.called.result.Warnings {
		warnings = append(warnings, &j.called.result.Warnings[i])
	}
	if err != nil {
		warnings = append(warnings, asError(err))
	}
	j.called.plan = plan{ops: step.Ops, outcome: step.Outcome, warnings: append(p.warnings, warnings...),
		click: p.click, step: step, carried: true}
	return j.called.plan, nil
}

// carried is what a result leads to, and whether that applies.
func (c *conversation) carried(s *ui.State, j *job, p plan, res app.Result) (execute.Step, []*ui.Error, error) {
	step := p.step
	step.Ops = slices.Clone(step.Ops) // Finish appends
	step, warnings := execute.Finish(c.env(j.event), s, p.click, p.effect, step, res)
	_, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: j.event.At, Ops: step.Ops}, c.svc.cfg.App.Config().Limits)
	return step, warnings, err
}

// movedOn is what is left of an effect when the state it was meant for is
// gone, because another process was faster: what was done was done.
func (c *conversation) movedOn(d *called) plan {
	if d.failed != nil {
		title := c.svc.cfg.Recovery.For(d.failed.Code).Title
		return plan{ops: ui.Ops{&ui.Say{Role: ui.RoleAssistant, Text: title}}, warnings: []*ui.Error{d.failed},
			outcome: ui.Outcome{Kind: ui.OutcomeFailed, Code: d.failed.Code, Message: title}}
	}
	p := d.plan
	p.ops = lasting(p.ops)
	return p
}

// recall finds out what was called for an event before this process took it over,
// for a turn that calls nobody itself: the form is gone by now, or the turn is
// given up.
func (c *conversation) recall(ctx context.Context, j *job) error {
	if j.called != nil || !j.left || j.event.Kind != ui.EventAction && j.event.Kind != ui.EventMessage {
		return nil
	}
	notes, err := c.journal(ctx, j)
	if err != nil {
		return storeError("read journal", err)
	}
	switch _, begun, ended := effectOf(notes); {
	case !begun:
	case ended == nil:
		j.called = &called{failed: &ui.Error{Code: CodeEffect,
			Message: "the call was begun before a crash; its result is unknown"}}
	case ended.Result == nil:
		j.called = &called{failed: &ui.Error{Code: ended.Code, Message: ended.Error}}
	default:
		j.called = &called{result: *ended.Result,
			plan: plan{ops: ended.Ops, outcome: ui.Outcome{Kind: ui.OutcomeDone}, carried: true}}
		if ended.Kept != nil {
			j.called.plan.outcome = *ended.Kept
		}
	}
	return nil
}

// effectOf finds the call of an action or a message route in a journal: at which
// step it is noted or will be, whether it was begun, and its result. A routing
// model may have been asked before it; calls of tools are another matter.
func effectOf(notes []note) (step int, begun bool, ended *note) {
	for ; step < len(notes) && notes[step].Kind == "route"; step++ {
	}
	if step == len(notes) || notes[step].Kind != "intent" || notes[step].By != "" {
		return step, false, nil
	}
	for i := step + 1; i < len(notes); i++ {
		if notes[i].Kind == "result" {
			return step, true, &notes[i]
		}
	}
	return step, true, nil
}

// callOnce goes through the journal.
func (c *conversation) callOnce(ctx context.Context, s *ui.State, j *job, p plan) (*called, error) {
	failure := func(code ui.Code, message string, err error) (*called, error) {
		return &called{failed: &ui.Error{Code: code, Message: message, Err: err}}, nil
	}
	var notes []note
	if j.left || j.routing {
		var err error
		if notes, err = c.journal(ctx, j); err != nil {
			return nil, &ui.Error{Code: CodeStore, Message: "the journal cannot be read", Err: err} // tried again later
		}
	}
	action := p.effect.Action
	earlier := false // a call before this one may have been carried out
	switch step, begun, ended := effectOf(notes); {
	case ended != nil && ended.Result != nil:
		return &called{result: *ended.Result}, nil
	case ended != nil:
		return failure(ended.Code, ended.Error, nil)
	case begun && !action.Idempotent && !j.safe:
		return failure(CodeEffect, "the call was begun before a crash; its result is unknown", nil)
	default:
		if j.step = step; begun {
			earlier = !j.safe
			break
		}
		switch err := c.writeNote(ctx, j, step, note{Kind: "intent", Name: action.Name}); {
		case errors.Is(err, store.ErrConflict):
			return nil, errLostRace // answered by another process
		case errors.Is(err, store.ErrExists) && c.svc.desk != nil:
			return nil, errTaken
		case err != nil:
			j.safe = !errors.Is(err, store.ErrExists) // it may be there all the same, but nobody was called
			return nil, &ui.Error{Code: CodeStore, Message: "the journal cannot be written", Err: err}
		}
	}
	j.safe, j.left = false, true
	began := time.Now()
	res, err := c.call(ctx, s, j, p)
	if action.Idempotent && unknown(err) && c.svc.stop.Err() == nil {
		earlier = true
		res, err = c.call(ctx, s, j, p) // under the same key, so the answer tells what became of the first
	}
	j.calledBy(action, err, time.Since(began))
	if err != nil && c.svc.stop.Err() != nil {
		return nil, errClosing
	}
	n := note{Kind: "result", Name: action.Name, Result: &res}
	if step, _, err := c.carried(s, j, p, res); err == nil {
		n.Ops, n.Kept = noted(step.Ops), &step.Outcome
	}
	out := &called{result: res}
	if err != nil {
		c.svc.cfg.Log.WarnContext(ctx, "action failed", "conversation", c.info.ID, "action", action.Name, "err",
			trace.Quiet(err))
		code, message := execute.CodeFailed, "the action failed"
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			code, message = CodeEffect, "the call did not end in time; its result is unknown"
		case unknown(err):
			code, message = CodeEffect, "the call may have been carried out, and has no answer that can be read"
		case earlier:
			code, message = CodeEffect,
				"an earlier call was cut off and this one failed; whether the first was carried out is unknown"
		}
		n = note{Kind: "result", Name: action.Name, Error: message, Code: code}
		out, _ = failure(code, message, err)
	}
	err = c.writeNote(ctx, j, j.step+1, n)
	if errors.Is(err, store.ErrExists) { // behind a cancel that came too late
		err = c.writeNote(ctx, j, j.step+2, n)
	}
	if err != nil {
		c.svc.cfg.Log.WarnContext(ctx, "journal", "conversation", c.info.ID, "err", trace.Quiet(err))
	}
	return out, nil
}

// unknown reports an error of a call that may have been carried out.
func unknown(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || ui.CodeOf(err) == CodeEffect
}

// effectFailed keeps the draft and says that the action did not work.
func (c *conversation) effectFailed(p plan, e *ui.Error) plan {
	title := c.svc.cfg.Recovery.For(e.Code).Title
	return plan{ops: append(slices.Clone(p.step.Ops), &ui.Say{Role: ui.RoleAssistant, Text: title}),
		warnings: append(p.warnings, e),
		outcome:  ui.Outcome{Kind: ui.OutcomeFailed, Code: e.Code, Surface: p.click.Surface.Name, Message: title}}
}

// call runs a handler with a deadline; a panic is an error.
func (c *conversation) call(ctx context.Context, s *ui.State, j *job, p plan) (res app.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.svc.cfg.Timeout)
	defer cancel()
	defer context.AfterFunc(c.svc.stop, cancel)()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handler panicked: %v", r)
		}
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		res.Text, res.Toast = c.fit(res.Text), c.fit(res.Toast)
	}()
	call := app.Call{Key: effectKey(j, j.step), Conversation: c.info.ID, Principal: principalOf(j.event),
		Action: p.effect.Action.Name, Surface: p.click.Surface.Name, Values: p.effect.Values, State: s}
	if p.effect.Action.Handler != nil {
		return p.effect.Action.Handler(ctx, call)
	}
	return c.webhook(ctx, *p.effect.Action.Webhook, call)
}

// effectKey names an effect for as long as its event is remembered.
func effectKey(j *job, step int) string { return string(j.event.ID) + "/" + strconv.Itoa(step) }

// webhookCall and webhookAnswer are the bodies of a webhook (docs/http.md).
type webhookCall struct {
	Key          string   `json:"key"`
	Conversation string   `json:"conversation"`
	Principal    string   `json:"principal,omitempty"`
	Action       string   `json:"action"`
	Surface      ui.Name  `json:"surface"`
	Values       ui.Value `json:"values"`
}

type webhookAnswer struct {
	Text       string          `json:"text"`
	Toast      string          `json:"toast"`
	Errors     []ui.FieldError `json:"errors"`
	Directives jsonx.Value     `json:"directives"`
}

// readAnswer reads the body of a 2xx answer; an empty one says nothing. A key that
// stands twice is an error, as everywhere else.
func readAnswer(raw []byte) (ans webhookAnswer, err error) {
	if len(raw) == 0 {
		return ans, nil
	}
	if _, err = jsonx.Parse(raw, jsonx.Limits{}); err == nil {
		err = json.Unmarshal(raw, &ans)
	}
	return ans, err
}

// tooLarge reports an answer that a client did not read to its end.
func tooLarge(err error) bool {
	var above interface{ TooLarge() bool }
	return errors.As(err, &above) && above.TooLarge()
}

func (c *conversation) webhook(ctx context.Context, hook app.Webhook, call app.Call) (app.Result, error) {
	if c.svc.cfg.Webhook == nil {
		return app.Result{}, errors.New("no webhook client is configured")
	}
	body, err := json.Marshal(webhookCall{call.Key, call.Conversation, call.Principal, call.Action, call.Surface,
		call.Values})
	if err != nil {
		return app.Result{}, err
	}
	raw, err := c.svc.cfg.Webhook(ctx, hook, call.Key, body)
	if err != nil {
		if tooLarge(err) { // the status was 2xx, as below
			err = &ui.Error{Code: CodeEffect, Message: "the answer of the webhook is too large", Err: err}
		}
		return app.Result{}, err
	}
	ans, err := readAnswer(raw)
	if err != nil {
		return app.Result{}, &ui.Error{Code: CodeEffect, Message: "the answer of the webhook cannot be read", Err: err}
	}
	res := app.Result{Text: ans.Text, Toast: ans.Toast, Errors: ans.Errors}
	if ans.Directives.Kind == jsonx.Array {
		env, err := c.svc.cfg.App.Registry().Read(string(jsonx.Append(nil, jsonx.OfObject(
			jsonx.Member{Key: "assistant_text", Value: jsonx.Of("")},
			jsonx.Member{Key: "directives", Value: ans.Directives}))))
		res.Directives = env.Directives
		for _, w := range env.Warnings {
			res.Warnings = append(res.Warnings, stored(w))
		}
		if err != nil { // the work is done: what it wants to show cannot undo that
			res.Warnings = append(res.Warnings, stored(asError(err)))
		}
	}
	return res, nil
}

// stored is a warning as the journal keeps it: without its cause, which is for logs.
func stored(w *ui.Error) ui.Error {
	out := *w
	out.Err = nil
	return out
}

func (c *conversation) journal(ctx context.Context, j *job) ([]note, error) {
	return c.notes(ctx, j.record.Event)
}

func (c *conversation) notes(ctx context.Context, event string) ([]note, error) {
	raw, err := c.svc.cfg.Store.Notes(ctx, c.info.ID, event)
	if err != nil {
		return nil, err
	}
	notes := make([]note, len(raw))
	for i := range raw {
		if err := json.Unmarshal(raw[i], &notes[i]); err != nil {
			return nil, fmt.Errorf("journal entry %d: %w", i, err)
		}
	}
	return notes, nil
}

func (c *conversation) writeNote(ctx context.Context, j *job, step int, n note) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return c.svc.cfg.Store.Note(ctx, c.info.ID, j.record.Event, step, body)
}

// reply is a model's answer as the journal keeps it.
type reply struct {
	Text       string                `json:"text"`
	Directives []directive.Directive `json:"directives,omitempty"`
	Warnings   []ui.Error            `json:"warnings,omitempty"`
}
