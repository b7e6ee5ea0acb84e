package term

import (
	"fmt"
	"io"
)

// Status is a line on a terminal that names the event a command waits for. Without a
// terminal it prints nothing.
type Status struct {
	w     io.Writer // nil: no terminal
	drawn bool
}

// NewStatus writes to standard error, if that is a terminal.
func NewStatus(t Terminal) *Status {
	if !terminal(t.Err) || t.Env("TERM") == "dumb" {
		return &Status{}
	}
	return &Status{w: t.Err}
}

// Say shows a text in place of the one before.
func (s *Status) Say(text string) {
	if s.w == nil {
		return
	}
	fmt.Fprintf(s.w, "\r\x1b[K%s", Cut(Clean(text), 78))
	s.drawn = true
}

// Clear takes the line away: before something else is written, and at the end.
func (s *Status) Clear() {
	if s.drawn {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
	s.drawn = false
}
