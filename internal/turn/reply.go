package turn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// replied is the plan of an event whose model run has ended, on the state as it is
// now. The model's directives meet the gates as they were before this message
// counts as answered: a streak of cancels, and "not now", hold for this turn.
func replied(env Env, s *ui.State, in Replied) Plan {
	e := in.Event
	var said ui.Ops
	out := Plan{Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	if e.Kind == ui.EventMessage {
		said, out.Decision = ui.Ops{userSays(e)}, in.Decision
	}
	if in.Failed != nil {
		return replyFailed(env, s, in, said, out)
	}
	r := in.Reply
	if len(r.Agents) > 0 {
		return agentsReplied(env, s, in, said, out)
	}
	if r.Text != "" {
		said = append(said, assistantSays(r.Text))
	}
	for i := range r.Warnings {
		out.Warnings = append(out.Warnings, &r.Warnings[i])
		if r.Warnings[i].Code == agent.CodeEffectUnknown {
			out.Outcome.Code = agent.CodeEffectUnknown
		}
	}
	out.Ops = withRouter(env, said, s, e)
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: e.At, Ops: said}, env.App.Config().Limits)
	if err != nil {
		return out // Apply meets the same error, and keeps the user's words
	}
	next.Seq = s.Seq
	if d := in.Decision; d != nil && len(d.Denied) > 0 { // "don't show me a table" binds the model too
		next.Router.OptOut.Once = slices.Concat(next.Router.OptOut.Once, d.Denied)
	}
	ex := env.execute(e)
	ex.Saw = in.Saw
	if e.Kind == ui.EventMessage {
		ex.Asked = route.AsksToSubmit(e.Text, execute.Submittable(env.App, s))
	}
	more, call, press, warnings := execute.RunReply(ex, next, r.Directives)
	out.Again = shownAgain(s, r.Directives, warnings)
	out.Ops, out.Warnings = withRouter(env, append(said, more...), s, e), append(warnings, out.Warnings...)
	if len(r.Calls) > 0 {
		router := lastRouter(s, out.Ops)
		router.ToolCalls = agent.Wait(e.ID, in.Run, r)
		out.Ops = append(out.Ops, &ui.Set{Router: router})
	}
	offered := explainRefusal(env, next, r.Directives, warnings, &out)
	sayNotDone(env, &out, offered, len(more) > 0 || call != nil || press != "")
	switch {
	case press != "":
		return pressed(env, s, e, out, press, route.ControlSubmit)
	case call == nil:
		return out
	}
	return calls(env, s, e, call, out)
}

// results is the plan of an event with the results of the calls that the state waits for.
func results(env Env, s *ui.State, e *ui.Event) Plan {
	if err := agent.CheckResults(&s.Router, e.Results); err != nil {
		p := refused(env, err)
		p.Outcome.Message = err.Message // a program reads it
		return p
	}
	_, run := agent.Waits(&s.Router)
	return Plan{Ask: Ask{Prompt: agent.ResultsAsked, Run: run}}
}

// replyFailed is replied for a run without a reply. The text that the user read
// before they stopped the run stays. A form whose phrases the message has opens:
// it needs no model.
func replyFailed(env Env, s *ui.State, in Replied, said ui.Ops, out Plan) Plan {
	e, code := in.Event, in.Failed.Code
	title := env.title(code)
	if why, ok := in.Failed.Err.(agent.Reason); ok && (code == gateway.CodeAway || why != "") {
		title = agentFailed(env, in.Failed.Message, code, why)
	}
	out.Warnings = []*ui.Error{in.Failed}
	out.Outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: code, Message: title}
	text := title
	if half := strings.TrimSpace(in.Heard); half != "" && code == agent.CodeTurnCanceled {
		text = "\n\n" + title
		text = excerpt.Head(strings.ToValidUTF8(half, "\uFFFD"), env.textSize()-len(text)) + text
	}
	asked := e.Kind == ui.EventMessage || e.Retry
	if f, ok := env.App.FormFor(e.Text); ok && asked && code != agent.CodeTurnCanceled {
		more, warnings := execute.Run(env.execute(e), s, []directive.Directive{showForm(f.Name)})
		out.Warnings = append(out.Warnings, warnings...)
		if first, _ := notDone(env, warnings); first == nil {
			text += " " + env.words().Say("model.form", "label", f.Title)
			out.Outcome = ui.Outcome{Kind: ui.OutcomeDone, Code: code, Message: text}
			out.Ops = withRouter(env, append(append(said, more...), assistantSays(text)), s, e)
			return out
		}
	}
	out.Ops = withRouter(env, append(said, assistantSays(text)), s, e)
	if code != agent.CodeTurnCanceled && code != agent.CodeEffectUnknown {
		offerRetry(env, s, e, in.Run, &out)
	}
	return out
}

// Summary counts the rows that a worksheet captured, for a model run that does not
// sum them up itself.
func Summary(env Env, s *ui.State, e *ui.Event) string {
	return cmp.Or(execute.Summary(env.execute(e), s, e.Sums), env.words().Say("submit.done"))
}

// shownAgain reports directives that show the worksheet that is open already.
func shownAgain(s *ui.State, list []directive.Directive, warnings []*ui.Error) bool {
	cp := s.Router.Checkpoint
	if cp == nil {
		return false
	}
	shows := map[string]string{directive.TypeShowTable: ui.ToolTable, directive.TypeShowMap: ui.ToolMap}
	return slices.ContainsFunc(list, func(d directive.Directive) bool { return shows[d.Type] == cp.Tool }) &&
		!slices.ContainsFunc(warnings, func(w *ui.Error) bool { return w.Code == execute.CodeGateClosed })
}

// withRouter adds the memory of routing about a message that went to the model.
func withRouter(env Env, ops ui.Ops, s *ui.State, e *ui.Event) ui.Ops {
	if e.Kind != ui.EventMessage {
		return ops
	}
	router := route.Next(route.Decision{Action: route.ActionChat}, lastRouter(s, ops), env.Routing, e.At)
	return append(ops[:len(ops):len(ops)], &ui.Set{Router: router})
}

// lastRouter is the router that ops set last, or that of the state.
func lastRouter(s *ui.State, ops ui.Ops) ui.Router {
	router := s.Router
	for _, op := range ops {
		if set, ok := op.(*ui.Set); ok {
			router = set.Router
		}
	}
	return router
}
