package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/directive"
	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// note is one entry of an event's journal.
type note struct {
	Kind   string      `json:"kind"` // intent, result, reply
	Name   string      `json:"name,omitempty"`
	Result *app.Result `json:"result,omitempty"`
	Reply  *reply      `json:"reply,omitempty"`
	Error  string      `json:"error,omitempty"`
	Code   ui.Code     `json:"code,omitempty"`
}

// perform calls the handler or webhook of a plan, at most once per event as
// far as the journal knows: intent before, result after. A result found in the
// journal is used instead of a call; an intent without one is called again
// only if the action is declared idempotent.
func (c *conversation) perform(ctx context.Context, s *ui.State, j *job, p plan) plan {
	notes, err := c.journal(ctx, j)
	if err != nil {
		return c.effectFailed(p, &ui.Error{Code: CodeStore, Message: "the journal cannot be read", Err: err})
	}
	action := p.effect.Action
	var res app.Result
	switch {
	case len(notes) > 1 && notes[1].Result != nil:
		res = *notes[1].Result
	case len(notes) > 1:
		return c.effectFailed(p, &ui.Error{Code: notes[1].Code, Message: notes[1].Error})
	case len(notes) == 1 && !action.Idempotent:
		return c.effectFailed(p, &ui.Error{Code: CodeEffect, Message: "the call was begun before a crash; its result is unknown"})
	default:
		if len(notes) == 0 {
			if err := c.writeNote(ctx, j, 0, note{Kind: "intent", Name: action.Name}); err != nil {
				return c.effectFailed(p, &ui.Error{Code: CodeStore, Message: "the journal cannot be written", Err: err})
			}
		}
		res, err = c.call(ctx, s, j, p)
		n := note{Kind: "result", Name: action.Name, Result: &res}
		if err != nil {
			c.svc.cfg.Log.Warn("action failed", "conversation", c.info.ID, "action", action.Name, "err", err)
			n = note{Kind: "result", Name: action.Name, Error: "the action failed", Code: execute.CodeFailed}
		}
		if jerr := c.writeNote(ctx, j, 1, n); jerr != nil {
			c.svc.cfg.Log.Warn("journal", "conversation", c.info.ID, "err", jerr)
		}
		if err != nil {
			return c.effectFailed(p, &ui.Error{Code: execute.CodeFailed, Message: "the action failed", Err: err})
		}
	}
	step, warnings := execute.Finish(c.env(j.event), s, p.click, p.effect, p.step, res)
	return plan{ops: step.Ops, outcome: step.Outcome, warnings: append(p.warnings, warnings...)}
}

// effectFailed keeps the draft and says that the action did not work.
func (c *conversation) effectFailed(p plan, e *ui.Error) plan {
	title := c.svc.cfg.Recovery.For(e.Code).Title
	p.ops = append(p.step.Ops, &ui.Say{Role: ui.RoleAssistant, Text: title})
	p.outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: e.Code, Surface: p.click.Surface.Name, Message: title}
	p.warnings = append(p.warnings, e)
	p.effect = nil
	return p
}

// call runs a handler with a deadline; a panic is an error.
func (c *conversation) call(ctx context.Context, s *ui.State, j *job, p plan) (res app.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.svc.cfg.Timeout)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handler panicked: %v", r)
		}
	}()
	call := app.Call{Key: string(j.event.ID) + "/0", Conversation: c.info.ID, Principal: j.event.Principal,
		Action: p.effect.Action.Name, Surface: p.click.Surface.Name, Values: p.effect.Values, State: s}
	if p.effect.Action.Handler != nil {
		return p.effect.Action.Handler(ctx, call)
	}
	return c.webhook(ctx, *p.effect.Action.Webhook, call)
}

// webhookCall and webhookAnswer are the bodies of a webhook (docs/http.md).
type webhookCall struct {
	Key          string   `json:"key"`
	Conversation string   `json:"conversation"`
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

func (c *conversation) webhook(ctx context.Context, hook app.Webhook, call app.Call) (app.Result, error) {
	if c.svc.cfg.Webhook == nil {
		return app.Result{}, errors.New("no webhook client is configured")
	}
	body, err := json.Marshal(webhookCall{call.Key, call.Conversation, call.Action, call.Surface, call.Values})
	if err != nil {
		return app.Result{}, err
	}
	raw, err := c.svc.cfg.Webhook(ctx, hook, call.Key, body)
	if err != nil {
		return app.Result{}, err
	}
	var ans webhookAnswer
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &ans); err != nil {
			return app.Result{}, fmt.Errorf("answer of the webhook: %w", err)
		}
	}
	res := app.Result{Text: ans.Text, Toast: ans.Toast, Errors: ans.Errors}
	if ans.Directives.Kind == jsonx.Array {
		env, err := c.svc.cfg.App.Registry().Read(string(jsonx.Append(nil, jsonx.OfObject(
			jsonx.Member{Key: "assistant_text", Value: jsonx.Of("")}, jsonx.Member{Key: "directives", Value: ans.Directives}))))
		if err != nil {
			return app.Result{}, fmt.Errorf("directives of the webhook: %w", err)
		}
		res.Directives = env.Directives
	}
	return res, nil
}

func (c *conversation) journal(ctx context.Context, j *job) ([]note, error) {
	jr, ok := c.svc.cfg.Store.(store.Journal)
	if !ok {
		return nil, nil
	}
	raw, err := jr.Notes(ctx, c.info.ID, j.record.Event)
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
	jr, ok := c.svc.cfg.Store.(store.Journal)
	if !ok {
		return nil
	}
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return jr.Note(ctx, c.info.ID, j.record.Event, step, body)
}

// reply is a model's answer as the journal keeps it.
type reply struct {
	Text       string                `json:"text"`
	Directives []directive.Directive `json:"directives,omitempty"`
	Warnings   []string              `json:"warnings,omitempty"`
}
