package ui

import (
	"errors"
	"fmt"
)

// Code is a stable, documented identifier of what went wrong. Only a code may
// steer control flow; messages are for people.
type Code string

// Codes of package ui. Every other package declares its own beside its work;
// package recovery holds the registry of all of them.
const (
	codePathInvalid    Code = "UI_PATH_INVALID"     // not a canonical JSON Pointer under /draft or /ui_state
	codePathSegments   Code = "UI_PATH_SEGMENTS"    // a segment path was made absolute (warning)
	codeValueInvalid   Code = "UI_VALUE_INVALID"    // a value of the wrong kind for its place
	codeNodeInvalid    Code = "UI_NODE_INVALID"     // a node tree breaks a rule: key, path, depth, count
	codeSurfaceUnknown Code = "UI_SURFACE_UNKNOWN"  // an op names a surface that is not there
	codeSurfaceNotOpen Code = "UI_SURFACE_NOT_OPEN" // an op writes to a surface that is no longer open
	codeNameInvalid    Code = "UI_NAME_INVALID"     // surface names and row ids have a fixed alphabet
	CodeLimit          Code = "UI_LIMIT"            // a limit of ui.Limits
	codeRecordInvalid  Code = "UI_RECORD_INVALID"   // a stored record cannot be read: unknown op, newer version
	codeSequence       Code = "UI_SEQUENCE"         // a frame does not follow the state it is applied to
	CodeEnded          Code = "CONVERSATION_ENDED"  // nothing follows the end of a conversation
	CodeFieldRequired  Code = "FIELD_REQUIRED"      // the codes of FieldError start here
	CodeFieldType      Code = "FIELD_TYPE"          //
	codeFieldRange     Code = "FIELD_RANGE"         //
	codeFieldLength    Code = "FIELD_LENGTH"        //
	CodeFieldPattern   Code = "FIELD_PATTERN"       //
	CodeFieldOption    Code = "FIELD_OPTION"        //
	codeFieldRows      Code = "FIELD_ROWS"          // too few rows or steps
)

// Error is an error for a client or an operator: a code, a place, and a hint what to
// do.
type Error struct {
	Code    Code
	Path    string // JSON Pointer, YAML position or field name; "" = nowhere in particular
	Message string // one sentence for people, without user data
	Hint    string // the remedy, if there is one
	Err     error  // the cause, for logs
}

// Error implements error.
func (e *Error) Error() string {
	s := string(e.Code)
	if e.Path != "" {
		s += " at " + e.Path
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	if e.Err != nil && e.Err.Error() != "" {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an *Error with the same code, so that
// errors.Is(err, &ui.Error{Code: c}) asks for a code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Errorf builds an *Error with a formatted message.
func Errorf(code Code, path, format string, args ...any) *Error {
	return &Error{Code: code, Path: path, Message: fmt.Sprintf(format, args...)}
}

// CodeOf returns the code of the first *Error in err's chain, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// AsError returns the first *Error in err's chain, or an *Error with that code and
// message whose cause is err.
func AsError(err error, code Code, message string) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: code, Message: message, Err: err}
}
