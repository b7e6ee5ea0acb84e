package agent

import (
	"encoding/json"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// Said is the part that counts of the answer of an agent of a gateway, as a journal keeps it.
type Said struct {
	Agent    string            `json:"agent"` // its name
	Title    string            `json:"title"`
	Icon     string            `json:"icon,omitempty"` // its address
	Text     string            `json:"text,omitempty"`
	Version  string            `json:"version,omitempty"`  // of Messages
	Messages []json.RawMessage `json:"messages,omitempty"` // A2UI, with the ids of the agent
	Seq      uint64            `json:"seq,omitempty"`      // of the State that Messages were held to
	Code     ui.Code           `json:"code,omitempty"`     // why there is no more of it; "": there is
	Reason   Reason            `json:"reason,omitempty"`   // that the agent gives for Code
	To       string            `json:"to,omitempty"`       // the agent that it hands the user over to
	Prompt   string            `json:"prompt,omitempty"`   // what that one is to be asked; "": the same
	Context  string            `json:"context,omitempty"`  // the agent's own name of the conversation
	Protocol string            `json:"protocol,omitempty"` // of Context
	// Returned is the result of the function that a client called: its A2UI message, or nil.
	Returned json.RawMessage `json:"returned,omitempty"`
	// Shown says that a part of the answer was shown, and kept, before it ended.
	Shown bool `json:"shown,omitempty"`
	// Read is Messages as they were read, in the process that read them; else nil.
	Read []a2ui.Message `json:"-"`
}

// Reason is the reason that an agent gives for a failure, as one line of plain text.
type Reason string

// unlinked keeps the words of others from being links.
var unlinked = strings.NewReplacer("[", "(", "]", ")", "<", "(", ">", ")")

// ReasonOf makes a reason of a text: up to 200 bytes.
func ReasonOf(text string) Reason {
	return Reason(excerpt.Of(excerpt.Line(unlinked.Replace(text)), 200))
}

// Error implements error.
func (r Reason) Error() string { return string(r) }

// Quiet implements the interface of package logs: a reason may quote the user.
func (Reason) Quiet() string { return "" }
