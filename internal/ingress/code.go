package ingress

import (
	"errors"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Codes of refused requests (plan §17). Package recovery has their status and words.
const (
	CodeEnvelope  ui.Code = "A2UI_C2S_ENVELOPE_INVALID" // not one well-formed message
	CodeForbidden ui.Code = "A2UI_C2S_ACTION_FORBIDDEN" // wrong nonce, or an action that is not there
	CodeStale     ui.Code = "A2UI_C2S_SURFACE_STALE"    // the surface moved on
	// the surface was answered already; nothing is kept of another answer
	CodeSubmitted ui.Code = "A2UI_C2S_SURFACE_SUBMITTED"
	CodeTooLarge  ui.Code = "A2UI_C2S_CONTEXT_TOO_LARGE" // more than the limits allow
	// function calls: no such function, one that may not be called so, and a result that no call waits for
	CodeFunction ui.Code = "A2UI_C2S_FUNCTION_UNKNOWN"
	CodeCall     ui.Code = "A2UI_C2S_FUNCTION_CALL_INVALID"
	CodeResult   ui.Code = "A2UI_C2S_FUNCTION_RESULT_LATE"
)

// Limits bound one event. Zero members take the default beside them; all are
// inclusive.
type Limits struct {
	Bytes   int // whole body: 1 MiB
	Depth   int // nesting: 16
	Entries int // members and items: 50,000
	String  int // one string: 512 KiB; Admit holds each input to its declared size
	Text    int // a chat message: 32 KiB
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		at    *int
		value int
	}{{&l.Bytes, 1 << 20}, {&l.Depth, 16}, {&l.Entries, 50_000}, {&l.String, 512 << 10}, {&l.Text, 32 << 10}} {
		if *d.at == 0 {
			*d.at = d.value
		}
	}
	return l
}

// A2UI returns the limits for decoders of package a2ui.
func (l Limits) A2UI() a2ui.Limits {
	return a2ui.Limits{MessageBytes: l.Bytes, DataDepth: l.Depth, DataEntries: l.Entries, String: l.String}
}

func (l Limits) json() jsonx.Limits {
	return jsonx.Limits{Bytes: l.Bytes, Depth: l.Depth, Entries: l.Entries, String: l.String}
}

// withModels is json for a message that may have data models beside it, which are as deep as surfaces may have them:
// the message, its metadata, the member, surfaces and the model of one are around the data.
func (l Limits) withModels() jsonx.Limits {
	j := l.json()
	j.Depth += 5
	return j
}

const (
	lessHint  = "send less at once; docs/http.md has the limits"
	nonceHint = "send the context of the button as its newest message has it"
	revHint   = "send " + builtin.FieldRev + " as the surface's data has it"
	formHint  = "reload, and send the fields of the form as it is drawn now"
)

func tooLarge(path, format string, args ...any) error {
	e := ui.Errorf(CodeTooLarge, path, format, args...)
	e.Hint = lessHint
	return e
}

// jsonError turns a scanner's fault into a coded error.
func jsonError(err error) error {
	var e *jsonx.Error
	if !errors.As(err, &e) {
		return &ui.Error{Code: CodeEnvelope, Message: "the body is no message", Err: err}
	}
	code, hint := CodeEnvelope, "send one JSON object as docs/http.md describes"
	switch e.Reason {
	case jsonx.TooLarge, jsonx.TooDeep, jsonx.TooMany:
		code, hint = CodeTooLarge, lessHint
	}
	return &ui.Error{Code: code, Message: e.Msg, Hint: hint, Err: err}
}
