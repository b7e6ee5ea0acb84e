package turn

import (
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// maxValue bounds the bytes that a function returns to a client.
const maxValue = 64 << 10

// function answers the call of a function of the application, or takes the result of one that
// a client ran.
func function(env Env, s *ui.State, e *ui.Event) Plan {
	if e.Action.Returns {
		return returned(env, s, e)
	}
	invalid := func(path, message, hint string) Plan {
		return refused(env, &ui.Error{Code: ingress.CodeCall, Path: path, Message: message, Hint: hint})
	}
	name, epoch, err := ui.ParseWireID(e.Action.Surface)
	sf := s.Surface(name)
	a, ok := env.App.Action(e.Action.Name)
	switch {
	case err != nil || sf == nil || sf.Epoch != epoch:
		return invalid("/surfaceId", "no such surface is there", "send the id of the surface that has the call")
	case foreign.Of(sf) != nil:
		return calledOfOwner(env, sf, e)
	case !ok || a.Callers == "":
		return refused(env, &ui.Error{Code: ingress.CodeFunction, Path: "/callFunction/call",
			Message: "clients can call no function of that name", Hint: "an action is one if it declares its callers"})
	case env.App.Masked(s, a.Name):
		return invalid("/callFunction/call", "the function is not for now", "call it when its action is available")
	}
	if err := ingress.Held(e); err != nil {
		why := asError(err)
		return invalid("/callFunction/args"+string(why.Path), why.Message, why.Hint)
	}
	for _, arg := range e.Data.Pairs() {
		if !env.App.Allowed(a.Name, arg.Key) {
			return invalid("/callFunction/args/"+arg.Key, "the function declares no such argument",
				"send those in the context of its action")
		}
	}
	values, bad := execute.Typed(a, e.Data, env.words())
	if bad != nil {
		return invalid("/callFunction/args"+strings.TrimPrefix(string(bad.Path), "/"+ui.DraftRoot), bad.Text,
			"send a value of the declared type")
	}
	p := Plan{Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	if execute.Fixed(a) {
		p.Outcome.Value = string(ui.String(a.Reply).AppendJSON(nil))
		a.Reply = "" // the client has it
		return fixed(env, s, e, a, p)
	}
	return calls(env, s, e, &execute.Effect{Action: a, Values: values}, p)
}

// calledOfOwner sends the call of a function to the agent that the surface belongs to, and to no other. The
// result is the reply of that agent.
func calledOfOwner(env Env, sf *ui.Surface, e *ui.Event) Plan {
	known, err := env.Agents.OfAgent(sf, foreign.Of(sf))
	switch {
	case err != nil || sf.Status != ui.StatusOpen:
		return refused(env, &ui.Error{Code: ingress.CodeCall, Path: "/surfaceId", Err: err,
			Message: "the surface is not open, or belongs to no agent of this gateway"})
	case !known.Dialect.Features().Remote:
		return refused(env, &ui.Error{Code: ingress.CodeFunction, Path: "/callFunction/call",
			Message: "the agent speaks A2UI " + known.Dialect.String() + ", which has no calls of functions"})
	}
	b, err := known.Call(e)
	if err != nil {
		return refused(env, &ui.Error{Code: ingress.CodeCall, Path: "/callFunction/args", Err: err,
			Message: "the agent cannot be sent this"})
	}
	return Plan{Outcome: ui.Outcome{Kind: ui.OutcomeDone, Surface: sf.Name},
		Ask: Ask{Prompt: string(b), Run: builtin.RunAgent + gateway.Owner(sf), Returns: true}}
}

// returned gives the result of a call to the action that waits for it, once.
func returned(env Env, s *ui.State, e *ui.Event) Plan {
	forget, call, ok := execute.Returned(s, e)
	if !ok {
		return refused(env, &ui.Error{Code: ingress.CodeResult, Path: "/functionCallId",
			Message: "nothing waits for the result of that call any more", Hint: "forget the call"})
	}
	p := Plan{Ops: ui.Ops{forget}, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	if agent, message, ok := env.Agents.Result(call, e); ok {
		p.Ask = Ask{Prompt: string(message), Run: builtin.RunAgent + agent, Follows: true}
		return p
	}
	a, ok := env.App.Action(call.Name)
	switch {
	case !ok || a.Run != "": // of an earlier release
		return p
	case execute.Fixed(a):
		if _, bad := e.Data.Get("error"); bad { // the answer is for a value
			return failed(env, p.Ops, execute.CodeFailed, "")
		}
		return fixed(env, s, e, a, p)
	}
	if err := ingress.Held(e); err != nil {
		return refused(env, asError(err))
	}
	return calls(env, s, e, &execute.Effect{Action: a, Values: e.Data}, p)
}

// valued adds the return value of a function to an outcome.
func valued(e *ui.Event, o ui.Outcome, result app.Result) ui.Outcome {
	if e.Action == nil || e.Action.Call == "" || e.Action.Returns || o.Kind != ui.OutcomeDone {
		return o
	}
	if o.Value = string(result.Value.AppendJSON(nil)); len(o.Value) > maxValue {
		return ui.Outcome{Kind: ui.OutcomeFailed, Code: ingress.CodeTooLarge, Message: "the function returned too much"}
	}
	return o
}
