package ui

import (
	"time"

	"github.com/limn-ui/limn/internal/jsonx"
)

// EventKind is what a client sent.
type EventKind string

// The kinds of an Event; exactly the member of the same name is set.
const (
	EventMessage EventKind = "message"
	EventAction  EventKind = "action"
	EventError   EventKind = "error"
	EventCancel  EventKind = "cancel"
	// EventReply is a model's answer re-entering its conversation; only session makes it.
	EventReply EventKind = "reply"
)

// Event is one thing a client sent, after decoding and before admission.
type Event struct {
	V         int          `json:"v"`
	ID        EventID      `json:"id"`
	Kind      EventKind    `json:"kind"`
	At        time.Time    `json:"at"` // receipt, by the server's clock
	Principal string       `json:"principal,omitempty"`
	Key       string       `json:"key,omitempty"` // Idempotency-Key as sent
	Text      string       `json:"text,omitempty"`
	Action    *ActionEvent `json:"action,omitempty"`
	Error     *ErrorEvent  `json:"error,omitempty"`
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
	Context   jsonx.Value `json:"context"`        // an object without limn_* keys
	Form      bool        `json:"form,omitempty"` // a browser form: unchecked boxes are simply missing
}

// ErrorEvent is what a renderer reported.
type ErrorEvent struct {
	Code    string `json:"code"`
	Surface string `json:"surface,omitempty"` // wire id
	Path    string `json:"path,omitempty"`
	Message string `json:"message,omitempty"`
	Client  string `json:"client,omitempty"` // which drawing reported it
}
