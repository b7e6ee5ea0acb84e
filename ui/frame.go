package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/limn-ui/limn/internal/jsonx"
)

// Frame is the committed result of one Event: facts only.
type Frame struct {
	V        int       `json:"v"`
	Seq      uint64    `json:"seq"` // dense from 1
	Event    EventID   `json:"event"`
	At       time.Time `json:"at"` // the event's receipt
	Ops      Ops       `json:"ops,omitempty"`
	Changes  []Change  `json:"changes,omitempty"` // derived by Apply, in order of first touch
	Text     string    `json:"text,omitempty"`    // the words of the assistant
	Toasts   []string  `json:"toasts,omitempty"`
	Outcome  Outcome   `json:"outcome"`
	Warnings []string  `json:"warnings,omitempty"` // CODE: sentence
	Rebuild  *Rebuild  `json:"rebuild,omitempty"`  // a client asked, by an error, to be sent everything again
}

// Rebuild makes one client, and no other, discard its screen: the state is right, the
// client's drawing of it is not.
type Rebuild struct {
	Client    string `json:"client,omitempty"` // as in ErrorEvent; "": every client of Principal
	Principal string `json:"principal,omitempty"`
}

// Change says how one surface changed in a frame.
type Change struct {
	Surface Name       `json:"surface"`
	Epoch   uint32     `json:"epoch"` // after the frame; of the closed one for Closed
	Kind    ChangeKind `json:"kind"`
	Rev     uint64     `json:"rev"`
	Guard   uint64     `json:"guard"`
	Wrote   []Path     `json:"wrote,omitempty"` // leaves the server wrote or took away in this frame
}

// ChangeKind is the strongest thing that happened to a surface in a frame.
type ChangeKind string

// The kinds of a Change, weakest first.
const (
	ChangedData    ChangeKind = "data"    // only data; the tree, the errors and the status stay
	ChangedUpdated ChangeKind = "updated" // tree or errors
	ChangedLocked  ChangeKind = "locked"
	ChangedExpired ChangeKind = "expired"
	ChangedReset   ChangeKind = "reset"
	ChangedOpened  ChangeKind = "opened"
	ChangedClosed  ChangeKind = "closed"
)

// Outcome is the answer to the event.
type Outcome struct {
	Kind    OutcomeKind `json:"kind"`
	Code    Code        `json:"code,omitempty"`
	Surface Name        `json:"surface,omitempty"`
	Path    Path        `json:"path,omitempty"` // where the user should look; if refused, what of the event was wrong
	Message string      `json:"message,omitempty"`
	Detail  string      `json:"detail,omitempty"` // if refused: what exactly was wrong, for the author of the client
	Hint    string      `json:"hint,omitempty"`   // if refused: the remedy
	Value   string      `json:"value,omitempty"`  // the return value of a function that a client called, as JSON
}

// OutcomeKind is how a turn ended.
type OutcomeKind string

// The outcomes of a turn.
const (
	OutcomeDone    OutcomeKind = "done"
	OutcomeAsked   OutcomeKind = "asked"   // the user must do something: a question, a field to correct
	OutcomeRefused OutcomeKind = "refused" // the event was not admitted
	OutcomeFailed  OutcomeKind = "failed"  // something of ours failed
)

// DecodeFrame reads a stored frame; an older format is brought forward, a newer one
// is an error, UI_RECORD_INVALID.
func DecodeFrame(b []byte) (*Frame, error) { return decodeRecord[Frame]("frame", b, nil) }

// DecodeState reads a stored state under the same rules.
func DecodeState(b []byte) (*State, error) { return decodeRecord("state", b, (*State).complete) }

// DecodeEvent reads a stored event under the same rules.
func DecodeEvent(b []byte) (*Event, error) { return decodeRecord[Event]("event", b, nil) }

// decodeRecord reads a record and holds it to what its JSON cannot say.
func decodeRecord[T any](name string, b []byte, check func(*T) error) (*T, error) {
	v := new(T)
	err := readRecord(b, v)
	if err == nil && check != nil {
		err = check(v)
	}
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", name, err)
	}
	return v, nil
}

// complete reports surfaces and entries that lack what every one has.
func (s *State) complete() error {
	for list, surfaces := range map[string][]*Surface{"/surfaces/": s.Surfaces, "/failed/": s.Failed} {
		for i, sf := range surfaces {
			if sf == nil || len(sf.Root) != 1 {
				return Errorf(codeRecordInvalid, list+itoa(i), "a surface without its one root node")
			}
		}
	}
	if i := slices.Index(s.Transcript, nil); i >= 0 {
		return Errorf(codeRecordInvalid, "/transcript/"+itoa(i), "null instead of an entry")
	}
	return nil
}

// Encode writes a record as canonical JSON: members in the order of the type,
// map keys sorted, no white space.
func Encode(record any) ([]byte, error) {
	if f, ok := record.(*Frame); ok && len(f.Ops) > 0 {
		return f.encode()
	}
	return json.Marshal(record)
}

// encode encodes the ops first and splices them in: as a part of the frame, the JSON
// encoder would read their bytes a second time.
func (f *Frame) encode() ([]byte, error) {
	ops, err := f.Ops.MarshalJSON()
	if err != nil {
		return nil, err
	}
	rest := *f
	rest.Ops = nil
	b, err := json.Marshal(&rest)
	if err != nil {
		return nil, err
	}
	at := bytes.Index(b, []byte(`"at":"`)) + len(`"at":"`) // no string holds it: its quotes would be escaped
	at += bytes.IndexByte(b[at:], '"') + 1
	out := make([]byte, 0, len(b)+len(ops)+8)
	return append(append(append(append(out, b[:at]...), `,"ops":`...), ops...), b[at:]...), nil
}

// upcasters bring a record of version n to version n+1: upcasters[n] is applied
// to its members. Version 0 is the format before the first release: it had no
// "v" and called the surface's data "ui" instead of "ui_state", in a State and
// in an Open of a Frame.
var upcasters = map[int]func(map[string]json.RawMessage) error{
	0: upcast0,
}

func readRecord(b []byte, into any) error {
	var head struct {
		V int `json:"v"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return &Error{Code: codeRecordInvalid, Message: "not JSON", Err: err}
	}
	if head.V < 0 {
		return Errorf(codeRecordInvalid, "/v", "no record has version %d", head.V)
	}
	if head.V > Version {
		e := Errorf(codeRecordInvalid, "/v", "record of version %d, this program reads up to %d", head.V, Version)
		e.Hint = "open it with a newer limn"
		return e
	}
	for v := head.V; v < Version; v++ {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(b, &members); err != nil || members == nil {
			return &Error{Code: codeRecordInvalid, Message: "not an object", Err: err}
		}
		if err := upcasters[v](members); err != nil {
			return err
		}
		members["v"] = json.RawMessage(fmt.Sprint(v + 1))
		var err error
		if b, err = json.Marshal(members); err != nil {
			return err
		}
	}
	if err := strictJSON(b, into); err != nil {
		return &Error{Code: codeRecordInvalid, Message: "cannot be read", Err: err}
	}
	return nil
}

func upcast0(members map[string]json.RawMessage) error {
	for _, list := range [...]string{"surfaces", "ops"} {
		raw, ok := members[list]
		if !ok {
			continue
		}
		var items []map[string]json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return &Error{Code: codeRecordInvalid, Path: "/" + list, Message: "not a list", Err: err}
		}
		for _, item := range items {
			if data, ok := item["ui"]; ok {
				item["ui_state"] = data
				delete(item, "ui")
			}
		}
		var err error
		if members[list], err = json.Marshal(items); err != nil {
			return err
		}
	}
	return nil
}

// toasts lists the toasts in a list of ops.
func (ops Ops) toasts() []string {
	var out []string
	for _, op := range ops {
		if t, ok := op.(*Toast); ok {
			out = append(out, t.Text)
		}
	}
	return out
}

// EventKind is the kind of an Event.
type EventKind string

// The kinds of an Event. The comment of each says which members it uses; else it is the member
// of the same name.
const (
	// EventMessage is a message of the user: Event.Text.
	EventMessage EventKind = "message"
	EventAction  EventKind = "action"
	EventError   EventKind = "error"
	// EventCancel stops the model runs of a conversation.
	EventCancel EventKind = "cancel"
	// EventPreference sets the user's preferences about routing.
	EventPreference EventKind = "preference"
	// EventEnd ends the conversation.
	EventEnd EventKind = "end"
	// EventRegenerate renders Event.Surface again, in any status.
	EventRegenerate EventKind = "regenerate"
	// EventExpire marks the surfaces whose declaration has changed; only session makes it.
	EventExpire EventKind = "expire"
	// EventAnswer is what became of a call that an action left for later; only session makes it.
	EventAnswer EventKind = "answer"
	// EventRecord opens the form of a record: Data has its name and id.
	EventRecord EventKind = "record"
	// EventData writes data of the application under /committed: Data maps names to values.
	EventData EventKind = "data"
	// EventOperator is an act of an operator: Data holds the kind of act (do) and the name that
	// the operator uses (name), Text is the message to the user.
	EventOperator EventKind = "operator"
	// EventDraft brings the values that a client shows, before another event of it: Event.Model.
	EventDraft EventKind = "draft"
	// EventShared brings writes of one client to drafts that others see: Event.Shared.
	EventShared EventKind = "shared"
	// EventReply is a question to a model that follows an action, or the Results of a client's tools.
	EventReply EventKind = "reply"
)

// Event is one thing a client sent, after decoding and before admission.
type Event struct {
	V          int          `json:"v"`
	ID         EventID      `json:"id"`
	Kind       EventKind    `json:"kind"`
	At         time.Time    `json:"at"`                  // receipt, by the server's clock
	Principal  string       `json:"principal,omitempty"` // owner of the conversation, hashed
	User       string       `json:"user,omitempty"`      // the name the principal signed in with; "" has none
	Key        string       `json:"key,omitempty"`       // Idempotency-Key as sent
	Language   string       `json:"language,omitempty"`  // of the sender, among those of the app; see Router
	Text       string       `json:"text,omitempty"`
	Action     *ActionEvent `json:"action,omitempty"`
	Error      *ErrorEvent  `json:"error,omitempty"`
	Preference *Preference  `json:"preference,omitempty"`
	Answer     *AnswerEvent `json:"answer,omitempty"`
	Surface    Name         `json:"surface,omitempty"` // EventRegenerate
	Sums       Name         `json:"sums,omitempty"`    // EventReply: the worksheet whose submit the reply sums up
	// EventReply: the values that Text is about; EventRecord; EventData; EventOperator
	Data  Value `json:"data,omitzero"`
	Merge bool  `json:"merge,omitempty"` // EventData: as RFC 7396 merges JSON, instead of replacing
	// shown by the client: wire ids of surfaces and their data models
	Model  jsonx.Value  `json:"model,omitzero"`
	Shared *SharedEvent `json:"shared,omitempty"`
	// EventReply: how the model is asked, as declared; "": for directives
	Run string `json:"run,omitempty"`
	// EventReply: Text is a message of the user whose first answer failed
	Retry bool `json:"retry,omitempty"`
	// the tools that the client offers to a model: objects with name, description and parameters
	Tools jsonx.Value `json:"tools,omitzero"`
	// EventReply, of a client: the results of Router.ToolCalls, objects with id and content
	Results jsonx.Value `json:"results,omitzero"`
}

// Preference is one change of the user's preferences: exactly one member is set.
type Preference struct {
	OptOut    *OptOut `json:"opt_out,omitempty"`      // replaces the opt-outs
	Preferred *string `json:"preferred_ui,omitempty"` // a tool, or "" for none
	Language  string  `json:"language,omitempty"`     // one of the app's
	// tool → rounds of correction, 0 to 10; replaces the map that is set, empty: the app's
	Iterations map[string]int `json:"max_iterations,omitzero"`
	// adds the rule, or replaces or switches the one with its id
	SetRule  *Guardrail `json:"set_rule,omitempty"`
	DropRule string     `json:"drop_rule,omitempty"` // id of a rule
}

// ActionEvent is a click. Context still holds plain JSON: its types are the
// surface's business (ingress.Normalise).
type ActionEvent struct {
	Surface   string      `json:"surface"`   // wire id
	Name      string      `json:"name"`      // action name
	Component string      `json:"component"` // component id, or "" from plain HTML
	Timestamp string      `json:"timestamp,omitempty"`
	Nonce     string      `json:"nonce"`
	Rev       uint64      `json:"rev"`
	Context   jsonx.Value `json:"context"`         // an object without limn_* keys
	Form      bool        `json:"form,omitempty"`  // a browser form: unchecked boxes are simply missing
	Files     []FormFile  `json:"files,omitempty"` // files that came with a browser form

	// Of a function call, and with Returns of the result of one that we made: its id, and the
	// version of A2UI in which it came. Context has the arguments, or the result, and Event.Data
	// the same if it can hold them.
	Call    string `json:"call,omitempty"`
	Returns bool   `json:"returns,omitempty"`
	Version string `json:"version,omitempty"`
}

// SharedEvent is a batch of writes to the drafts of a surface, see package datasync.
type SharedEvent struct {
	Surface string            `json:"surface"` // wire id
	Actor   string            `json:"actor"`   // that sends it
	Writes  []SharedWrite     `json:"writes,omitempty"`
	Before  map[string]string `json:"before,omitempty"` // actor → last stamp that the sender had seen
}

// SharedWrite is one write of a SharedEvent.
type SharedWrite struct {
	Path  Path        `json:"path"`
	Value jsonx.Value `json:"value"` // as its client has it
	Stamp string      `json:"stamp"` // canonical
}

// FormFile is a file that came with a browser form, for one upload field of its
// surface: a stored one, or with Code set, one that was refused.
type FormFile struct {
	Path  Path   `json:"path"`
	ID    string `json:"id,omitempty"` // names content and place: the same file sent again has the same id
	Name  string `json:"name,omitempty"`
	Type  string `json:"type,omitempty"`  // detected from the content
	Text  string `json:"text,omitempty"`  // the text that a table reads from it
	Notes string `json:"notes,omitempty"` // remarks about Text
	Code  Code   `json:"code,omitempty"`
	Why   string `json:"why,omitempty"` // for the user
}

// AnswerEvent is what an app's endpoint said to a call that was made after its
// action was answered, or with Code set, that it was given up.
type AnswerEvent struct {
	Action     string       `json:"action"`
	Surface    Name         `json:"surface,omitempty"`
	Code       Code         `json:"code,omitempty"`
	Text       string       `json:"text,omitempty"`
	Toast      string       `json:"toast,omitempty"`
	Errors     []FieldError `json:"errors,omitempty"`
	Directives jsonx.Value  `json:"directives,omitzero"` // a list, as it came
}

// ErrorEvent is an error that a renderer reported.
type ErrorEvent struct {
	Code    string `json:"code"`
	Surface string `json:"surface,omitempty"` // wire id
	Path    string `json:"path,omitempty"`
	Message string `json:"message,omitempty"`
	// which stream's renderer reported it, as the client names itself; "": unknown
	Client string `json:"client,omitempty"`
}
