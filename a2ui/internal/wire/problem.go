package wire

import (
	"errors"
	"strconv"

	"github.com/limn-ui/limn/internal/jsonx"
)

// Code is a stable name of a fault; only codes may steer control flow.
type Code string

// Error implements error, so that errors.Is(problem, code) works.
func (c Code) Error() string { return string(c) }

// Problem is one fault of a message: what, where, and what to do about it.
type Problem struct {
	Code      Code
	Surface   string // surface id, if known
	Component string // component id, if the fault is in one
	Path      string // JSON Pointer into the message body, or the data path
	Message   string
	Hint      string // what would be right; may be ""
	Line      int    // from 1; 0 = unknown
	Column    int    // byte column from 1; 0 = unknown
}

// Error implements error.
func (p *Problem) Error() string {
	b := []byte(p.Code)
	if p.Line > 0 {
		b = strconv.AppendInt(append(b, " line "...), int64(p.Line), 10)
		if p.Column > 0 {
			b = strconv.AppendInt(append(b, ':'), int64(p.Column), 10)
		}
	}
	for _, part := range [...]struct{ name, text string }{
		{" surface ", p.Surface}, {" component ", p.Component}, {" at ", p.Path},
	} {
		if part.text != "" {
			b = strconv.AppendQuote(append(b, part.name...), part.text)
		}
	}
	b = append(append(b, ": "...), p.Message...)
	if p.Hint != "" {
		b = append(append(append(b, " ("...), p.Hint...), ')')
	}
	return string(b)
}

// Is reports whether target is the problem's code.
func (p *Problem) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == p.Code
}

// FromJSON turns an error of jsonx into a Problem: limits become limit codes,
// anything else is code. Line and Column are counted in the input.
func FromJSON(err error, in []byte, code, tooLarge Code) *Problem {
	p := &Problem{Code: code, Message: err.Error()}
	var e *jsonx.Error
	if !errors.As(err, &e) {
		return p
	}
	p.Message = e.Msg
	if e.Reason == jsonx.TooLarge || e.Reason == jsonx.TooDeep || e.Reason == jsonx.TooMany {
		p.Code = tooLarge
	}
	p.Line, p.Column = 1, 1
	for _, c := range in[:min(e.Offset, len(in))] {
		if p.Column++; c == '\n' {
			p.Line, p.Column = p.Line+1, 1
		}
	}
	return p
}
