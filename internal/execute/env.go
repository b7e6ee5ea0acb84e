package execute

import (
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// Codes of directives that cannot be carried out.
const (
	CodeGateClosed ui.Code = "GATE_CLOSED"             // by an opt-out, a cancel streak, a rule or an open worksheet
	CodeUnknown    ui.Code = "EXECUTE_UNKNOWN"         // names something the app does not have
	CodePayload    ui.Code = "EXECUTE_PAYLOAD_INVALID" // cannot be carried out as it is
	CodeNotNow     ui.Code = "EXECUTE_NOT_NOW"         // an action whose after, until or when forbids it now
	CodeOneAction  ui.Code = "EXECUTE_ONE_ACTION"      // another action of the same answer is called
	CodeOutdated   ui.Code = "EXECUTE_OUTDATED"        // a person wrote there, or it opened, since the model looked
	CodeFailed     ui.Code = "ACTION_FAILED"           // a handler or webhook failed
)

// Env is what running needs besides the State. Nonce returns a new 128-bit
// random hex string each time; it is the one thing that is not a function of
// the input; the ops record its results.
type Env struct {
	App    *app.App
	Now    time.Time
	Nonce  func() string
	Strict bool        // refuse what would be coerced
	Prefs  route.Prefs // the app's preferences of routing
	Said   string      // the message that is answered, if it is not in the transcript's new lines
	Lifted bool        // no gate is closed: the user has asked for the worksheet by a button
	Model  bool        // a model may be asked: to sum up a worksheet, or for an action that runs one
	Event  ui.EventID  // the event; a record that it makes has its id
	Saw    *ui.State   // in a model's prompt: words and surfaces that are newer stay. nil: none of them do
	Live   bool        // the event is data of the application: buttons of views stay good
	// whether the user decides about records of an owner ("": their own), see app.RecordSpec; nil: no
	Decides  func(spec app.RecordSpec, owner string) bool
	Panicked func(message string, p any) // logs a panic of a view
	Asked    []ui.Name                   // the open surfaces that the user's words of this turn may ask to submit
}

func (e Env) words() ui.Words { return e.App.Config().Words }

func (e Env) limits() ui.Limits { return e.App.Config().Limits }

// look applies ops to a copy of the state, so that later steps see their effect.
func (e Env) look(s *ui.State, ops ui.Ops) (*ui.State, error) {
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: e.Now, Ops: ops}, e.limits())
	if err != nil {
		return nil, err
	}
	next.Seq = s.Seq // still before the frame
	return next, nil
}
