package turn

import (
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// Codes of what operators do.
const (
	CodeOperatorBusy ui.Code = "OPERATOR_BUSY" // another operator attends the conversation
	CodeOperatorAway ui.Code = "OPERATOR_AWAY" // this one does not
)

// operatorIdle is how long an operator says nothing until another may take their place.
const operatorIdle = 15 * time.Minute

// maxOperatorName is the most bytes of a name that users read.
const maxOperatorName = 80

// operator has a person answer in place of the model: one at a time.
func operator(env Env, s *ui.State, e *ui.Event) Plan {
	get := func(key string) string { v, _ := e.Data.Get(key); return v.Text() }
	now, done := s.Operator, Plan{Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	mine := now != nil && now.ID == e.Principal
	do := get("do")
	switch {
	case do == builtin.OperatorAttend && mine,
		(do == builtin.OperatorLeave || do == builtin.OperatorDismiss) && now == nil:
		return done
	case do == builtin.OperatorAttend && now != nil && e.At.Sub(now.At) < operatorIdle:
		return refused(env, &ui.Error{Code: CodeOperatorBusy, Message: now.Name + " attends this conversation",
			Hint: "wait until they leave, or have written nothing for " + operatorIdle.String()})
	case do == builtin.OperatorAttend:
		name := excerpt.Head(excerpt.Line(get("name")), maxOperatorName)
		if name == "" {
			name = excerpt.Head(excerpt.Line(e.User), maxOperatorName)
		}
		done.Ops = ui.Ops{&ui.Attend{ID: e.Principal, Name: name},
			assistantSays(env.words().Say("operator.joined", "label", name))}
	case do != builtin.OperatorDismiss && !mine:
		return refused(env, &ui.Error{Code: CodeOperatorAway, Message: "you do not attend this conversation",
			Hint: "POST …/operator attends it"})
	case do == builtin.OperatorSay:
		done.Ops = ui.Ops{&ui.Attend{ID: now.ID, Name: now.Name},
			&ui.Say{Role: ui.RoleAssistant, By: now.Name, Text: e.Text}}
	case do == builtin.OperatorLeave || do == builtin.OperatorDismiss:
		done.Ops = ui.Ops{&ui.Attend{}, assistantSays(env.words().Say("operator.left", "label", now.Name))}
	default:
		return refused(env, &ui.Error{Code: ingress.CodeEnvelope, Message: "an operator cannot do this"})
	}
	return done
}

// attended is the plan of an input that a model would answer, while an operator attends
// the conversation: words of the user are kept, replies of a model are not. What a client sends about a surface of an
// agent goes to that agent, and its answer counts.
func attended(s *ui.State, in Input) (p Plan, ok bool) {
	switch in.(type) {
	case Received, Routed, Replied:
		p.Outcome.Kind = ui.OutcomeDone
		switch e := in.Of(); {
		case s.Ended || Counts(s, e):
		case e.Kind == ui.EventMessage:
			p.Ops = ui.Ops{userSays(e)}
			return p, true
		default:
			return p, true
		}
	}
	return p, false
}

// Counts reports whether the answer of a model or an agent to e counts in s.
func Counts(s *ui.State, e *ui.Event) bool {
	toAgent := !e.Retry && strings.HasPrefix(e.Run, builtin.RunAgent)
	words := e.Kind == ui.EventMessage || e.Kind == ui.EventReply && !toAgent
	return !s.Ended && (s.Operator == nil || !words)
}
