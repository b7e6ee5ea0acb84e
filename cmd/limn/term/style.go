package term

import (
	"io"
	"os"
	"strconv"
)

// Style is how a report looks.
type Style struct {
	Width int // columns of an excerpt
	Color bool
}

// StyleOf returns colours if w is a terminal.
func StyleOf(w io.Writer, env func(string) string) Style {
	s := Style{Width: 120}
	if terminal(w) {
		s = Style{Width: 80, Color: env("NO_COLOR") == "" && env("TERM") != "dumb"}
		if n := columns(w.(*os.File)); n >= 20 {
			s.Width = n
		}
	}
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n >= 20 {
		s.Width = n
	}
	return s
}

// Paint sets a colour of the terminal for s.
func (s Style) Paint(color, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// The colours of Paint.
const (
	Bold  = "1"
	Red   = "1;31"
	Green = "1;32"
	Blue  = "1;34"
)
