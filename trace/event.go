package trace

import "time"

// Name says what happened.
type Name string

// The events of decision logic §14.
const (
	RouterDecision Name = "router_decision"
	ToolOpened     Name = "tool_opened"
	ToolSubmitted  Name = "tool_submitted"
	ToolCanceled   Name = "tool_canceled"
	WarningShown   Name = "validation_warning_shown"
	OptOutChanged  Name = "user_opt_out_changed"
)

// Event is one telemetry event. Members that its Name does not have are zero and
// not written.
type Event struct {
	Name         Name      `json:"event"`
	At           time.Time `json:"at"` // receipt of the user's event
	Conversation string    `json:"conversation"`
	Seq          uint64    `json:"seq"` // the frame that made it true

	Action     string  `json:"action,omitempty"`         // router_decision: tool, clarify, chat
	Tool       string  `json:"tool,omitempty"`           // a name of the tool menu
	Confidence float64 `json:"confidence,omitempty"`     // router_decision, validation_warning_shown: 0 to 1
	Type       string  `json:"type,omitempty"`           // validation_warning_shown: the check
	Resumed    bool    `json:"resumed,omitempty"`        // tool_opened: the open one, shown again
	Accepted   bool    `json:"accepted_as_is,omitempty"` // tool_submitted: it was not complete
	AllTools   bool    `json:"all_tools,omitempty"`      // user_opt_out_changed
	Tools      int     `json:"tools,omitempty"`          // user_opt_out_changed: how many are out now
}

// Sink takes events. Emit is called from many goroutines and must not block.
type Sink interface{ Emit(Event) }
