package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/excerpt"
)

// Name is a surface's stable name, such as "form:customer".
type Name string

// EventID identifies an Event within its conversation.
type EventID string

// State is the strong facts of one conversation. It is immutable: Apply makes
// the next one and shares what did not change.
type State struct {
	V          int             `json:"v"`
	ID         string          `json:"id"` // the conversation
	Seq        uint64          `json:"seq"`
	Surfaces   []*Surface      `json:"surfaces,omitempty"` // in order of first opening; closed ones are gone
	Epochs     map[Name]uint32 `json:"epochs,omitempty"`   // highest epoch of every name ever opened
	Committed  Value           `json:"committed,omitzero"` // form name → the submitted values
	Router     Router          `json:"router,omitzero"`
	Transcript []*Entry        `json:"transcript,omitempty"` // the last Limits.Transcript entries
	// what went wrong on screens within the last hour, oldest first
	Faults []Fault `json:"faults,omitempty"`
	// as they were when they failed and were closed, oldest first: regenerate opens them again
	Failed []*Surface `json:"failed,omitempty"`
	Toasts []string   `json:"toasts,omitempty"` // of the last frame
	// the operator who answers in place of the model; nil: the model answers
	Operator *Operator `json:"operator,omitempty"`
	Ended    bool      `json:"ended,omitempty"` // nothing follows
}

// Version is the format of stored States, Frames and Ops.
const Version = 1

// Surface is one piece of UI with its data. See Apply for how Rev and Guard move.
type Surface struct {
	Name    Name            `json:"name"`
	Epoch   uint32          `json:"epoch"` // how often a surface of this name was opened
	Rev     uint64          `json:"rev"`   // how many frames changed it in this epoch
	Guard   uint64          `json:"guard"` // the newest Rev that changed the meaning of a click
	Nonce   string          `json:"nonce"` // 128 random bits, hex; new with each epoch
	Status  Status          `json:"status"`
	Origin  Origin          `json:"origin"`
	Title   string          `json:"title"`
	Root    Nodes           `json:"root"` // exactly one node
	Draft   Value           `json:"draft,omitzero"`
	UIState Value           `json:"ui_state,omitzero"`
	Errors  []FieldError    `json:"errors,omitempty"`
	Wrote   map[Path]uint64 `json:"wrote,omitempty"` // draft leaf → rev at which the server last wrote it
	// versions of A2UI whose clients are shown a text and a link in its place; see StandIn
	StandIns []string `json:"stand_ins,omitempty"`
	// draft leaf → its last write, where the app keeps those; see the op Stamp
	Stamps map[Path]Stamped `json:"stamps,omitempty"`
	Actors map[string]Actor `json:"actors,omitempty"` // that wrote there, by their names in stamps
	Done   Moment           `json:"done,omitzero"`    // when it was submitted, canceled or found expired
}

// Stamped is one write of a draft leaf.
type Stamped struct {
	At  string `json:"at"`  // a stamp of package datasync in canonical form: texts sort as stamps do
	Rev uint64 `json:"rev"` // of the surface after it
	Seq uint64 `json:"seq"` // of the frame
}

// Actor is the name of who wrote, a key of Surface.Actors.
func (s Stamped) Actor() string { return s.At[strings.LastIndexByte(s.At, ':')+1:] }

// Actor is one place that writes drafts of a surface: a client, or who wrote by a form, as
// the application or as its agent.
type Actor struct {
	Last string `json:"last"`           // the stamp up to which nothing of it is missing
	By   string `json:"by,omitempty"`   // the principal; "": the application
	Name string `json:"name,omitempty"` // that the principal signed in with
}

// Operator is a person of the application who attends a conversation: they answer in place
// of the model.
type Operator struct {
	ID   string    `json:"id"`   // as Event.Principal
	Name string    `json:"name"` // that the user reads
	At   time.Time `json:"at"`   // when they last joined or wrote
}

// maxOperator bounds the id and the name of an Operator, in bytes.
const maxOperator = 512

// maxSayers bounds the agents of one line.
const maxSayers = 8

// Moment is when something happened in a conversation.
type Moment struct {
	Seq uint64    `json:"seq"` // of the frame
	At  time.Time `json:"at"`
}

// Status is where a surface is in its life.
type Status string

// The statuses of a surface. One that the user canceled is StatusCanceled; it
// can be opened again.
const (
	StatusOpen      Status = "open"
	StatusSubmitted Status = "submitted"
	StatusExpired   Status = "expired"
)

// Stub reports a surface of which only a button is shown that opens it again
// with the data it holds.
func (s *Surface) Stub() bool { return s.Status == StatusExpired || s.Status == StatusCanceled }

// StubWords are the keys of the words on a stub: what happened, and its button.
func (s *Surface) StubWords() (text, button string) {
	if s.Status == StatusCanceled {
		return "surface.undo", "button.undo"
	}
	return "surface.expired", "button.regenerate"
}

// Origin says from which declaration a surface was made.
type Origin struct {
	Kind     string `json:"kind"`              // form, table, map, view, offer
	Template string `json:"template"`          // the declared name
	Version  string `json:"version,omitempty"` // of the declaration when drawn
	Params   Value  `json:"params,omitzero"`

	Record RecordRef `json:"record,omitzero"` // the version that is edited; zero: a submit makes a new record
}

// RecordRef is one version of a record of the application.
type RecordRef struct {
	ID      string `json:"id"`
	Version uint64 `json:"version"`         // from 1
	Owner   string `json:"owner,omitempty"` // of a record of another principal: the id of its owner
}

// Fault is what went wrong with a surface on a screen: what clients reported,
// a drawing that failed, or a reset, which is counted too.
type Fault struct {
	Surface Name      `json:"surface"`
	Epoch   uint32    `json:"epoch"` // the last it was seen in
	Print   string    `json:"print"` // distinguishes faults; FaultReset is a reset
	At      time.Time `json:"at"`    // the last time
	Count   int       `json:"count"`
}

// FaultReset is the Print of a reset. Each reset is one Fault.
const FaultReset = "reset"

// What a State remembers of faults and failed surfaces.
const (
	maxFaults  = 128
	faultsKept = time.Hour
	maxFailed  = 4
)

// Fault returns the remembered fault of a surface with that print, or the zero Fault.
func (s *State) Fault(n Name, print string) Fault {
	for _, f := range s.Faults {
		if f.Surface == n && f.Print == print {
			return f
		}
	}
	return Fault{}
}

// FailedSurface returns a surface that failed and was closed, or nil.
func (s *State) FailedSurface(n Name) *Surface {
	for _, sf := range s.Failed {
		if sf.Name == n {
			return sf
		}
	}
	return nil
}

// WireID returns the id every client knows a surface by: name#e=epoch.
func (s *Surface) WireID() string { return WireID(s.Name, s.Epoch) }

// WireID joins a name and an epoch.
func WireID(n Name, epoch uint32) string {
	return string(n) + "#e=" + strconv.FormatUint(uint64(epoch), 10)
}

// ParseWireID splits a wire id.
func ParseWireID(id string) (Name, uint32, error) {
	name, epoch, ok := strings.Cut(id, "#e=")
	n, err := strconv.ParseUint(epoch, 10, 32)
	if !ok || err != nil || n == 0 || !ValidName(name) || strconv.FormatUint(n, 10) != epoch {
		return "", 0, Errorf(codeNameInvalid, "", "%q is no surface id: want name#e=1", excerpt.Of(id, 80))
	}
	return Name(name), uint32(n), nil
}

// Get returns the value at a path of the surface's own data: /draft or /ui_state.
func (s *Surface) Get(p Path) (Value, bool) {
	segs := p.Segments()
	if len(segs) == 0 {
		return Value{}, false
	}
	switch segs[0] {
	case DraftRoot:
		return s.Draft.Get(segs[1:]...)
	case UIStateRoot:
		return s.UIState.Get(segs[1:]...)
	}
	return Value{}, false
}

// Shown returns the value at a path as a surface of the conversation shows it: from the
// data of the surface, or from the committed values.
func (s *State) Shown(sf *Surface, p Path) (Value, bool) {
	if p.Under(CommittedRoot) {
		return s.Committed.Get(p.Segments()[1:]...)
	}
	return sf.Get(p)
}

// ErrorAt returns the error shown at a path, or "".
func (s *Surface) ErrorAt(p Path) string {
	for _, e := range s.Errors {
		if e.Path == p {
			return e.Text
		}
	}
	return ""
}

// Surface returns a surface by name, or nil.
func (s *State) Surface(n Name) *Surface {
	for _, sf := range s.Surfaces {
		if sf.Name == n {
			return sf
		}
	}
	return nil
}

// Entry is one line of the transcript.
type Entry struct {
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"at"`
	Role Role      `json:"role"`
	By   string    `json:"by,omitempty"` // the operator or the agent who says it as the assistant, as users read it
	// the names of the agents of a gateway that say it or, of words of the user, that answered them
	Agents []string `json:"agents,omitempty"`
	Text   string   `json:"text"`
}

// Role says who speaks.
type Role string

// The roles of an Entry.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Router is what routing remembers between messages (decision logic §7).
type Router struct {
	LastTool   string       `json:"last_tool,omitempty"`
	LastStatus string       `json:"last_tool_status,omitempty"` // open, completed, canceled
	Checkpoint *Checkpoint  `json:"ui_checkpoint,omitempty"`
	Beside     []Checkpoint `json:"beside,omitempty"` // further open tools, the one opened last at the end
	Pending    *Pending     `json:"pending,omitempty"`
	Cancels    int          `json:"cancels_in_row,omitempty"`
	OptOut     OptOut       `json:"user_opt_out,omitzero"`
	Guardrails []Guardrail  `json:"guardrails,omitempty"`
	Preferred  string       `json:"preferred_ui,omitempty"` // a tool, or ""
	// tool → rounds of correction, where the user or the app set them
	MaxIterations map[string]int `json:"max_iterations,omitempty"`
	Told          []string       `json:"told,omitempty"` // closed gates that were announced to the user
	// calls of tools of the client, whose results the model waits for; null: none
	ToolCalls Value `json:"tool_calls,omitzero"`
	// the language of the conversation, such as de; "": the first of the app
	Language string `json:"language,omitempty"`
	// functions of clients that were called and have no result yet, oldest first
	Calls []Action `json:"calls,omitempty"`
	// the agent of a gateway that answered last
	Agent string `json:"agent,omitempty"`
}

// Open returns the checkpoint of an open tool by its surface, or nil.
func (r *Router) Open(n Name) *Checkpoint {
	if r.LastStatus == StatusToolOpen && r.Checkpoint != nil && r.Checkpoint.Surface == n {
		return r.Checkpoint
	}
	for i := range r.Beside {
		if r.Beside[i].Surface == n {
			return &r.Beside[i]
		}
	}
	return nil
}

// The two worksheets, and the statuses of the last one.
const (
	ToolTable       = "request_data_table"
	ToolMap         = "request_process_map"
	StatusToolOpen  = "open"
	StatusCompleted = "completed"
	StatusCanceled  = "canceled"
)

// Checkpoint is an open worksheet: enough to open it again.
type Checkpoint struct {
	Tool          string    `json:"tool"`
	Surface       Name      `json:"surface"`
	Payload       Value     `json:"payload,omitzero"`
	OpenedAt      time.Time `json:"opened_at"`
	Criteria      Criteria  `json:"completion_criteria,omitzero"`
	Iteration     int       `json:"iteration_count"` // checks that found it incomplete
	MaxIterations int       `json:"max_iterations"`
}

// Criteria are the conditions for a worksheet to be complete (decision logic §9).
type Criteria struct {
	MinRows  int      `json:"min_rows,omitempty"`        // a table
	MinSteps int      `json:"min_steps,omitempty"`       // a process map
	Required []string `json:"required_fields,omitempty"` // columns by name
	Stated   int      `json:"stated,omitempty"`          // the count the user gave; 0 = none
	Approx   bool     `json:"approx,omitempty"`          // it was "about N"
}

// Pending is the one clarifying question that waits for an answer: how many of
// Subject, whether to map; with Rule whether that rule shall hold, with OptOut
// whether Tool shall not open any more.
type Pending struct {
	Tool    string     `json:"tool"`
	Subject string     `json:"subject,omitempty"`
	Rule    *Guardrail `json:"rule,omitempty"`
	OptOut  bool       `json:"opt_out,omitempty"`
}

// OptOut lists the worksheets that the user switched off.
type OptOut struct {
	All     bool      `json:"all_tools,omitempty"`
	Tools   []string  `json:"tools,omitempty"`
	Expires time.Time `json:"expires_at,omitzero"` // of All and Tools; zero = never
	Once    []string  `json:"this_turn,omitempty"` // tools that do not open for the next message either
}

// Equal reports the same opt-outs.
func (o OptOut) Equal(p OptOut) bool {
	return o.All == p.All && slices.Equal(o.Tools, p.Tools) && slices.Equal(o.Once, p.Once) &&
		o.Expires.Equal(p.Expires)
}

// SamePreferences reports that the user wants the same in both: opt-outs,
// rules, the preferred tool, the language and the rounds of correction.
func (r Router) SamePreferences(p Router) bool {
	return r.Language == p.Language && r.Preferred == p.Preferred && r.OptOut.Equal(p.OptOut) &&
		slices.Equal(r.Guardrails, p.Guardrails) && maps.Equal(r.MaxIterations, p.MaxIterations)
}

// Guardrail is a user's own rule about tools.
type Guardrail struct {
	ID      string `json:"id"`
	Pattern string `json:"intent_pattern"` // RE2, case-insensitive, at most 256 bytes
	Action  string `json:"action"`         // force_tool or suppress_tool
	Tool    string `json:"tool"`
	Enabled bool   `json:"enabled"`
	Created string `json:"created_at,omitempty"` // RFC 3339; "" for the app's own
}

// NewState returns the empty state of a conversation.
func NewState(id string) *State { return &State{V: Version, ID: id} }

// String names a surface for logs.
func (s *Surface) String() string { return fmt.Sprintf("%s rev %d %s", s.WireID(), s.Rev, s.Status) }

// Limits bound a State. Every limit is inclusive; one above it is CodeLimit.
// The zero value of a member takes the default beside it.
type Limits struct {
	Surfaces   int // surfaces of one conversation: 32
	Nodes      int // nodes of one surface: 1,000
	Depth      int // nested nodes: 32
	Rows       int // rows of one table: 5,000
	Options    int // options of one choice: 500
	StringSize int // bytes of one string value: 64 KiB, or the Max of a long text
	DraftSize  int // bytes of one surface's data as JSON: 4 MiB
	Transcript int // entries kept: 200
	TextSize   int // bytes of one transcript entry: 32 KiB
	Committed  int // bytes of everything committed as JSON: 8 MiB
}

// WithDefaults fills in the members that are zero.
func (l Limits) WithDefaults() Limits {
	for _, d := range []struct {
		at    *int
		value int
	}{
		{&l.Surfaces, 32}, {&l.Nodes, 1000}, {&l.Depth, 32}, {&l.Rows, 5000}, {&l.Options, 500},
		{&l.StringSize, 64 << 10}, {&l.DraftSize, 4 << 20}, {&l.Transcript, 200}, {&l.TextSize, 32 << 10},
		{&l.Committed, 8 << 20},
	} {
		if *d.at == 0 {
			*d.at = d.value
		}
	}
	return l
}
