package turn

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/foreign/page"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// toAgents sends a message of the user to the agents that it is for.
func toAgents(env Env, s *ui.State, e *ui.Event) Plan {
	to := env.Agents.Route(s, e.Text)
	text := ""
	switch {
	case len(to.Agents) == 0:
		text = env.words().Say("gateway.nobody")
	case to.Prompt == "": // the prefix alone
		text = env.words().Say("gateway.what", "label", env.Agents.Agent(to.Agents[0]).Title)
	}
	if text != "" {
		return Plan{Ops: ui.Ops{userSays(e), assistantSays(text)}, Outcome: ui.Outcome{Kind: ui.OutcomeAsked}}
	}
	run := builtin.RunAgent
	if to.Choose {
		run = builtin.RunChoose
	}
	return Plan{Ask: Ask{Prompt: to.Prompt, Run: run + strings.Join(to.Agents, ",")}}
}

// admitForeign admits an action of a surface of another agent, if its component has the action, as
// the client was last shown it. Keys of the context that the component does not name are dropped.
func admitForeign(env Env, sf *ui.Surface, e *ui.ActionEvent) (*ingress.Admitted, error) {
	s, err := env.Agents.OfAgent(sf, foreign.Of(sf))
	if e.Form && err == nil {
		return admitPosted(env, sf, e)
	}
	if err != nil {
		return nil, err
	}
	c, event, found := s.Event(e.Component, e.Name)
	if err := ingress.MayRun(sf, e, ui.Action{Name: e.Name}, found, anything); err != nil {
		return nil, err
	}
	context := jsonx.OfObject()
	for _, p := range event.Context {
		if v, sent := e.Context.Get(foreign.Key(p.Name)); sent {
			context.Members = append(context.Members, a2ui.Member{Key: p.Name, Value: s.Received(p.Value, v)})
		}
	}
	out := &ingress.Admitted{Surface: sf, Action: ui.Action{Name: e.Name}, Context: ui.Map()}
	if typed := gateway.Typed(foreign.Of(sf), s, event, context); typed != nil && e.Rev == sf.Rev {
		// an older screen shows values that the agent has replaced since
		out.Ops = ui.Ops{&ui.Update{Surface: sf.Name, Root: ui.Nodes{typed}, Live: true}}
	}
	if out.Client, err = s.Click(e, c.ID, context); err != nil {
		return nil, &ui.Error{Code: ingress.CodeEnvelope, Path: "/context", Message: "the agent cannot be sent this",
			Err: err}
	}
	return out, nil
}

// anything is the policy for actions of other agents: they say themselves which they take.
var anything = ingress.Policy{Allowed: func(string) bool { return true }}

// admitPosted is admitForeign for a page, which posts values and a button: the server presses it. Rows have no names:
// a button and values in rows do not count after the rows have moved.
func admitPosted(env Env, sf *ui.Surface, e *ui.ActionEvent) (*ingress.Admitted, error) {
	at, _ := ui.ParseComponentID(e.Component)
	shown := page.Of(sf)
	if shown == sf { // its words alone
		return nil, ingress.MayRun(sf, e, ui.Action{}, false, anything)
	}
	action, found := shown.ActionAt(at)
	moved := e.Rev < min(sf.Rev, foreign.Of(sf).Moved) // which may count two answers of one frame apart
	pressed, err := page.Press(foreign.Of(sf), action.ID, e.Context, moved)
	out := &ingress.Admitted{Surface: sf, Action: ui.Action{Name: action.Name}, Context: ui.Map(), Fix: pressed.Fix}
	if pressed.Node != nil {
		out.Ops = ui.Ops{&ui.Update{Surface: sf.Name, Root: ui.Nodes{pressed.Node}, Live: true}}
	}
	if err := ingress.MayRun(sf, e, action, found && action.Do == "", anything); err != nil {
		return out, err
	}
	if pressed.Moved {
		return out, &ui.Error{Code: ingress.CodeStale, Path: builtin.FieldRev, Message: "the list changed since",
			Hint: "look at it and press the button again"}
	}
	if err != nil {
		return out, &ui.Error{Code: ingress.CodeForbidden, Path: builtin.FieldComponent,
			Message: "the button cannot be pressed", Err: err}
	}
	if out.Fix != "" {
		return out, nil
	}
	named := *e // a form names the button alone
	named.Name = pressed.Action.Name
	s, err := env.Agents.OfAgent(sf, pressed.Node)
	if err == nil {
		out.Client, err = s.Click(&named, pressed.Action.Component, pressed.Action.Context)
	}
	if err != nil {
		return out, &ui.Error{Code: ingress.CodeEnvelope, Message: "the agent cannot be sent this", Err: err}
	}
	return out, nil
}

// toOwner sends an admitted action to the agent that its surface belongs to, and to no other. The action counts also
// where the values that came with it are above a limit.
func toOwner(env Env, s *ui.State, e *ui.Event, adm *ingress.Admitted) Plan {
	if adm.Fix != "" {
		return Plan{Ops: adm.Ops, Outcome: ui.Outcome{Kind: ui.OutcomeAsked, Surface: adm.Surface.Name,
			Message: env.words().Say("submit.fix", "list", adm.Fix)}}
	}
	ops, warnings := append(ui.Ops{&ui.Draft{Surface: adm.Surface.Name}}, adm.Ops...), adm.Warnings
	_, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: e.At, Ops: ops}, env.App.Config().Limits)
	if err != nil {
		ops, warnings = ops[:1], append(warnings, asError(err))
	}
	return Plan{Ops: ops, Warnings: warnings,
		Outcome: ui.Outcome{Kind: ui.OutcomeDone, Surface: adm.Surface.Name},
		Ask:     Ask{Prompt: string(adm.Client), Run: builtin.RunAgent + gateway.Owner(adm.Surface), Follows: true}}
}

// reported makes a plan send the error that a client reports to the owner of the surface.
func reported(env Env, sf *ui.Surface, e *ui.ErrorEvent, p *Plan) {
	if sf == nil {
		return
	}
	known, err := env.Agents.OfAgent(sf, foreign.Of(sf))
	if err != nil {
		return
	}
	if b, err := known.Report(e); err == nil {
		p.Ask = Ask{Prompt: string(b), Run: builtin.RunAgent + gateway.Owner(sf), Follows: true}
	}
}

// agentsReplied is the plan of an event that agents have answered, one after the other.
func agentsReplied(env Env, s *ui.State, in Replied, said ui.Ops, out Plan) Plan {
	words, now := env.words(), s
	out.Ops = answeredBy(said, in.Reply.Agents)
	for i := range in.Reply.Warnings {
		out.Warnings = append(out.Warnings, &in.Reply.Warnings[i])
	}
	for i, one := range in.Reply.Agents {
		if one.Text != "" {
			out.Ops = append(out.Ops, &ui.Say{Role: ui.RoleAssistant, By: one.Title, Agents: []string{one.Agent},
				Text: env.Fit(one.Text)})
		}
		held, faults := env.Agents.Held(now, one)
		next, more, warnings := gateway.Next(now, held, in.Event.At, env.Nonce, env.App.Config().Limits)
		now, faults = next, append(faults, warnings...)
		out.Ops, out.Warnings = append(out.Ops, more...), append(out.Warnings, faults...)
		label := one.Title
		if label == "" {
			label = one.Agent
		}
		why := agent.Reason("")
		if !again(in.Reply.Agents[i+1:], one) {
			why = dropped(out.Warnings, one.Agent)
		}
		if why == "" && len(faults) > 0 { // prefer the fault of this answer to a warning that it caused
			why = agent.ReasonOf(faults[0].Message)
		}
		switch {
		case one.Code != "":
			out.Ops = append(out.Ops, assistantSays(agentFailed(env, label, one.Code, one.Reason)))
			out.Outcome.Code = one.Code
		case why != "":
			out.Ops = append(out.Ops, assistantSays(leftOut(env, label, why)))
			out.Outcome.Code = gateway.CodeMessage
		case in.Event.Kind == ui.EventMessage && silent(one):
			out.Ops = append(out.Ops, assistantSays(words.Say("gateway.silent", "label", label)))
		}
	}
	out.Ops = append(out.Ops, answeredLast(s, in.Reply.Agents, out.Ops)...)
	if a := in.Event.Action; a != nil && a.Call != "" && len(in.Reply.Agents) > 0 {
		out.Outcome = result(env, in.Reply.Agents[0], out.Outcome)
	}
	return out
}

// agentFailed is the text about an agent that failed, with the reason that it gives.
func agentFailed(env Env, label string, code ui.Code, why agent.Reason) string {
	words := env.words()
	switch {
	case code == gateway.CodeAway && why == "":
		return words.Say("gateway.away", "label", label)
	case code == gateway.CodeAway:
		return words.Say("gateway.refused", "label", label, "reason", string(why))
	case why == "":
		return label + ": " + env.title(code)
	}
	return words.Say("gateway.failed", "label", label, "reason", string(why)) + "\n\n" + env.title(code)
}

// result is the outcome of the call of a function that an agent has answered.
func result(env Env, said gateway.Said, out ui.Outcome) ui.Outcome {
	value, err := gateway.Returned(said)
	if err == nil {
		out.Value = value
		return out
	}
	why := asError(err)
	return ui.Outcome{Kind: ui.OutcomeFailed, Code: why.Code, Message: env.title(why.Code), Detail: why.Message}
}

// partial is the plan of what an agent shows before its answer ends.
func partial(env Env, s *ui.State, e *ui.Event) Plan {
	var said gateway.Said
	if err := json.Unmarshal([]byte(e.Text), &said); err != nil {
		return refused(env, &ui.Error{Code: ingress.CodeEnvelope, Message: "no answer of an agent", Err: err})
	}
	said, faults := env.Agents.Held(s, said)
	ops, warnings := gateway.Ops(s, said, env.Nonce)
	calls, more := gateway.Calls(s, said, e.At)
	p := Plan{Ops: append(ops, calls...), Warnings: slices.Concat(faults, warnings, more),
		Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	if why := dropped(p.Warnings, said.Agent); why != "" {
		p.Ops = append(p.Ops, assistantSays(leftOut(env, said.Title, why)))
	}
	return p
}

// leftOut is the text about a part of an answer that does not count.
func leftOut(env Env, label string, why agent.Reason) string {
	return env.words().Say("gateway.dropped", "label", label, "reason", string(why))
}

// answeredBy notes the agents that were asked in the words of the user. One that gets other words by a
// hand-over has not read these, nor has one that it hands those over to.
func answeredBy(said ui.Ops, list []gateway.Said) ui.Ops {
	read := make([]bool, len(list))
	for i, one := range list {
		handed := i > 0 && list[i-1].To == one.Agent
		read[i] = !handed || read[i-1] && list[i-1].Prompt == ""
	}
	for _, op := range said {
		say, ok := op.(*ui.Say)
		for i, one := range list {
			if ok && read[i] && !slices.Contains(say.Agents, one.Agent) {
				say.Agents = append(say.Agents, one.Agent)
			}
		}
	}
	return said
}

// silent reports an answer that shows the user nothing.
func silent(one gateway.Said) bool {
	return one.Text == "" && len(one.Messages) == 0 && one.To == "" && !one.Shown
}

// answeredLast notes the agent that answered last, which gets what no route is for.
func answeredLast(s *ui.State, list []gateway.Said, ops ui.Ops) ui.Ops {
	router := lastRouter(s, ops)
	last := router.Agent
	for _, one := range list {
		if one.Code == "" && !silent(one) {
			last = one.Agent
		}
	}
	if last == router.Agent {
		return nil
	}
	router.Agent = last
	return ui.Ops{&ui.Set{Router: router}}
}

// again reports that the agent answered again later: that something was left out is said once.
func again(later []gateway.Said, one gateway.Said) bool {
	return slices.ContainsFunc(later, func(s gateway.Said) bool { return s.Agent == one.Agent })
}

// dropped is the reason of the first warning about an agent, or "". A property that clients leave out as well is for
// the author of the agent alone.
func dropped(list []*ui.Error, name string) agent.Reason {
	for _, w := range list {
		at := "/agents/" + name
		if w.Code != gateway.CodeProperty && (w.Path == at || strings.HasPrefix(w.Path, at+"/")) {
			return agent.ReasonOf(w.Message)
		}
	}
	return ""
}
