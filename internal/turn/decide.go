package turn

import (
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// Codes of what clients report.
const (
	CodeClient  ui.Code = "A2UI_C2S_CLIENT_ERROR"
	codeUnshown ui.Code = "A2UI_C2S_CLIENT_UNSHOWN" // clients cannot show a surface, though it was reset
)

// Env is the environment of a decision: its inputs besides the state and the event.
type Env struct {
	App      *app.App
	Recovery recovery.Table
	Routing  route.Prefs          // the application's
	Rules    *route.Guardrails    // the user's, compiled; nil: compiled for each message
	Renders  func(*ui.State) bool // whether a state renders for every target
	Strict   bool                 // nothing that a model says is coerced
	Model    bool                 // a model can be asked
	Router   bool                 // a routing model can be asked
	Phrases  bool                 // the model is a script: forms open by phrases, and no action asks it
	Nonce    func() string        // 128 random bits as hex
	Agents   *gateway.Config      // that answer in place of a model; nil: a model answers
	Validate func(capture.Submission) []capture.Warning
	May      func(user string, roles []string) bool // user has one of roles; nil: never

	// For the log; no result depends on them.
	Warn     func(message string, args ...any)
	Panicked func(message string, recovered any) // called while the panic is recovered from
}

// Input is an event with the results so far. Its type is the phase that the event is
// in.
type Input interface {
	Of() *ui.Event
}

// The inputs of a turn.
type (
	// Received is an event by itself.
	Received struct{ Event *ui.Event }
	// Routed is a message that the routing model was asked about.
	Routed struct {
		Event  *ui.Event
		Answer *route.Answer // nil: it has none
	}
	// Replied is an event whose model run has ended.
	Replied struct {
		Event    *ui.Event
		Reply    *agent.Reply // nil if Failed is set
		Failed   *ui.Error    // why there is no reply
		Saw      *ui.State    // in the model's prompt; nil: not known
		Heard    string       // the text that was streamed before the run failed
		Run      string       // how the model was asked: app.RunDirectives, …
		Decision *route.Decision
	}
	// Dropped is a question to a model that follows an action (Ask.Follows). The action was
	// refused or failed, so the model is not asked.
	Dropped struct {
		Event   *ui.Event
		Outcome ui.Outcome // of the action
	}
	// GivenUp is an event whose turn broke too often.
	GivenUp struct {
		Event  *ui.Event
		Code   ui.Code
		Called *Called // what its handler did; nil: it was not called
	}
)

// Of returns the event.
func (in Received) Of() *ui.Event { return in.Event }

// Of returns the event.
func (in Routed) Of() *ui.Event { return in.Event }

// Of returns the event.
func (in Replied) Of() *ui.Event { return in.Event }

// Of returns the event.
func (in Dropped) Of() *ui.Event { return in.Event }

// Of returns the event.
func (in GivenUp) Of() *ui.Event { return in.Event }

// Plan is the decision about an input: the content of a frame, or the question or call
// that must leave the process before there is one.
type Plan struct {
	Ops      ui.Ops
	Outcome  ui.Outcome
	Warnings []*ui.Error
	Rebuild  *ui.Rebuild // the client that shows something else than the state

	Ask   Ask             // a model
	Call  Call            // a handler or webhook
	Later *execute.Effect // a webhook that is called because of the frame

	Decision *route.Decision // what routing said about a message
	Shown    []capture.Warning
	Again    bool // a model's directive shows the open worksheet once more

	// Called is set once the handler or webhook was called. Then its result is kept, even if
	// the rest of the frame cannot be, see Fail.
	Called bool
	// Drafts are for GivenUp: lists of ops that keep the values of the user, the fullest first.
	// The first list that applies goes before Ops.
	Drafts []ui.Ops
}

// Ask is a question to a model. The reply to a message answers the message; the
// reply to an action, pressed or asked for in words, is another event, which follows the
// action's frame.
type Ask struct {
	Prompt string   // "": no model is asked
	Data   ui.Value // what Prompt is about: the values of an action
	Run    string   // as the app declares it: app.RunDirectives, …
	Sums   ui.Name  // the worksheet whose submission the model sums up
	Retry  bool     // Prompt is a message of the user whose first answer failed
	Router bool     // the routing model is asked first

	Follows bool // the reply is a new event
	Returns bool // the reply is the result of a function, in the frame of the call
}

// Call is a handler or webhook to call, and the click that calls it.
type Call struct {
	Effect *execute.Effect // nil: nothing is called
	Click  execute.Click
	step   execute.Step
	sent   string // for the user to read after the call, if it counts
}

// Leaves reports whether something outside must be asked before there is a frame.
func (p Plan) Leaves() bool { return p.Ask.Prompt != "" || p.Call.Effect != nil }

// GivenUp reports the plan of an event that is given up: its frame is not proved, since the proof may be what broke.
func (p Plan) GivenUp() bool { return len(p.Drafts) > 0 }

// Nothing reports that the plan makes no frame: drafts that are there already or are refused,
// or the deadline of a call that has ended.
func (p Plan) Nothing(e *ui.Event) bool {
	return (e.Kind == ui.EventDraft || e.Kind == ui.EventShared || execute.IsExpired(e)) && len(p.Ops) == 0
}

// RefusedForNow returns the error of an event that is refused, but that may count if it is
// sent again later. No frame keeps such a refusal: the same key is decided again. It returns
// nil for any other plan.
func (p Plan) RefusedForNow() error {
	if p.Outcome.Kind != ui.OutcomeRefused || p.Outcome.Code != gateway.CodeGone {
		return nil
	}
	return &ui.Error{Code: p.Outcome.Code, Path: string(p.Outcome.Path), Message: p.Outcome.Detail,
		Hint: p.Outcome.Hint}
}

// LeftBehind reports a plan that asks no agent, though one may have been asked before a crash: it refuses the event, or
// finds no agent for it any more.
func LeftBehind(s *ui.State, p Plan) bool {
	return !s.Ended && !p.Leaves() && (p.Outcome.Kind == ui.OutcomeRefused || p.Outcome.Kind == ui.OutcomeAsked)
}

// Decide turns an input into a plan. The state is not changed.
func Decide(env Env, s *ui.State, in Input) Plan {
	if p, ok := attended(s, in); ok {
		return p
	}
	switch in := in.(type) {
	case Received:
		return received(env, s, in.Event)
	case Routed:
		return routed(env, s, in)
	case Replied:
		return replied(env, s, in)
	case Dropped:
		return Plan{Outcome: ui.Outcome{Kind: ui.OutcomeRefused, Code: in.Outcome.Code, Surface: in.Outcome.Surface}}
	case GivenUp:
		return givenUp(env, s, in)
	}
	return refused(env, &ui.Error{Code: agent.CodeTurnFailed, Message: "unknown input"})
}

// Expires reports surfaces that the app declares differently by now.
func Expires(a *app.App, s *ui.State) bool { return len(execute.Expire(a, s)) > 0 }

func received(env Env, s *ui.State, e *ui.Event) Plan {
	if s.Ended && e.Kind != ui.EventEnd {
		return refused(env, errEnded)
	}
	done := ui.Outcome{Kind: ui.OutcomeDone}
	switch e.Kind {
	case ui.EventRegenerate:
		return regenerate(env, s, e)
	case ui.EventExpire:
		return Plan{Ops: execute.Expire(env.App, s), Outcome: done}
	case ui.EventEnd:
		return Plan{Ops: execute.End(s), Outcome: done}
	case ui.EventMessage:
		return message(env, s, e)
	case ui.EventAction:
		return action(env, s, e)
	case gateway.KindPartial:
		return partial(env, s, e)
	case ingress.KindOpen:
		return open(env, s, e)
	case ui.EventError:
		return clientError(env, s, e)
	case ui.EventPreference:
		return preference(env, s, e)
	case ui.EventRecord:
		return editRecord(env, s, e, e.Data)
	case ui.EventData:
		return data(env, s, e)
	case ui.EventDraft:
		return drafts(env, s, e)
	case ui.EventShared:
		return shared(env, s, e)
	case ui.EventOperator:
		return operator(env, s, e)
	case ui.EventAnswer:
		return answer(env, s, e)
	case ui.EventReply:
		if e.Results.Kind == jsonx.Array {
			return results(env, s, e)
		}
		return Plan{Ask: Ask{Prompt: e.Text, Data: e.Data, Run: e.Run}}
	}
	return refused(env, &ui.Error{Code: ingress.CodeEnvelope, Message: "unknown kind of event"})
}

var errEnded = &ui.Error{Code: ui.CodeEnded, Message: "the conversation has ended"}

// execute is what package execute needs to know about an event.
func (env Env) execute(e *ui.Event) execute.Env {
	said := ""
	if e.Retry {
		said = e.Text
	}
	return execute.Env{Said: said, App: env.App, Now: e.At, Nonce: env.Nonce, Strict: env.Strict, Prefs: env.Routing,
		Event: e.ID, Live: e.Kind == ui.EventData, Decides: env.decides(e),
		Model: env.Model && !env.Phrases, Panicked: env.Panicked}
}

// decides returns whether the sender of e may decide about records that belong to an
// owner; "" is the sender.
func (env Env) decides(e *ui.Event) func(app.RecordSpec, string) bool {
	return func(spec app.RecordSpec, owner string) bool {
		others := owner != "" && owner != e.Principal
		return env.May != nil && (spec.DecideOwn || others) && env.May(e.User, spec.Deciders)
	}
}

func (env Env) words() ui.Words { return env.App.Config().Words }

// title is the sentence that a person reads about a code.
func (env Env) title(c ui.Code) string { return env.Recovery.For(c).Title }

// failed is a plan that says, after ops, that something did not work.
func failed(env Env, ops ui.Ops, code ui.Code, about ui.Name, warnings ...*ui.Error) Plan {
	return failedSaying(env.title(code), ops, code, about, warnings...)
}

// failedSaying is failed with this title.
func failedSaying(title string, ops ui.Ops, code ui.Code, about ui.Name, warnings ...*ui.Error) Plan {
	return Plan{Ops: append(slices.Clone(ops), assistantSays(title)), Warnings: warnings,
		Outcome: ui.Outcome{Kind: ui.OutcomeFailed, Code: code, Surface: about, Message: title}}
}

// refused is the plan of an event that does not count: the frame changes nothing, and its
// outcome says why. failed is for an event that counts and did not work.
func refused(env Env, err error) Plan {
	why := asError(err)
	return Plan{Outcome: ui.Outcome{Kind: ui.OutcomeRefused, Code: why.Code, Path: ui.Path(why.Path),
		Message: env.title(why.Code), Detail: why.Message, Hint: why.Hint}, Warnings: []*ui.Error{why}}
}

// asError returns the coded error in err, or one that says it was unexpected.
func asError(err error) *ui.Error { return ui.AsError(err, agent.CodeTurnFailed, "unexpected") }
