package a2uicmd

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// place is the position of a problem in the input, and its line.
type place struct {
	line, column int // from 1, bytes; column 0 = unknown
	text         []byte
}

// placeOf finds the place of a problem in its piece.
func placeOf(p piece, problem a2ui.Problem) place {
	at, known := p.at, true
	switch {
	case problem.Column > 0 && problem.Line <= 1:
		at += problem.Column - 1
	case problem.Column > 0: // a line inside the message
		at += nthLine(p.raw, problem.Line) + problem.Column - 1
	case p.raw != nil:
		column := a2ui.Locate(p.raw, problem)
		if known = column > 0; known {
			at += column - 1
		}
	}
	at = min(at, len(p.text))
	start := bytes.LastIndexByte(p.text[:at], '\n') + 1
	text, _, _ := bytes.Cut(p.text[start:], []byte("\n"))
	where := place{line: p.line + bytes.Count(p.text[p.at:at], []byte("\n")), text: text}
	if known && len(text) > 0 {
		where.column = at - start + 1
	}
	return where
}

// nthLine is the offset of the nth line of b, from 1.
func nthLine(b []byte, n int) int {
	at := 0
	for ; n > 1; n-- {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return at
}

// problem prints one problem like a compiler: where and what, the line with a
// caret below it, the hint.
func (s style) problem(w io.Writer, name string, where place, p a2ui.Problem) {
	head := name
	if where.line > 0 {
		head += ":" + strconv.Itoa(where.line)
	}
	if where.column > 0 {
		head += ":" + strconv.Itoa(where.column)
	}
	fmt.Fprintf(w, "%s %s %s\n", s.Paint(term.Bold, head+":"), s.Paint(term.Red, string(p.Code)), term.Clean(p.Message))
	about := aboutOf(p)
	if len(where.text) > 0 {
		line, caret := term.Excerpt(where.text, max(where.column, 1), s.Width-4)
		fmt.Fprintf(w, "    %s\n", line)
		if where.column > 0 {
			about = strings.Repeat(" ", caret) + s.Paint(term.Green, "^") + " " + about
		}
	}
	if about = strings.TrimRight(about, " "); about != "" {
		fmt.Fprintf(w, "    %s\n", about)
	}
	if p.Hint != "" {
		fmt.Fprintf(w, "    %s %s\n", s.Paint(term.Blue, "hint:"), term.Clean(p.Hint))
	}
}

// aboutOf names the surface, the component and the place in the message.
func aboutOf(p a2ui.Problem) string {
	var parts []string
	if p.Surface != "" {
		parts = append(parts, "surface "+term.Clip(term.Clean(p.Surface)))
	}
	if p.Component != "" {
		parts = append(parts, "component "+term.Clip(term.Clean(p.Component)))
	}
	if p.Path != "" {
		parts = append(parts, "at "+term.Clip(term.Clean(p.Path)))
	}
	return strings.Join(parts, ", ")
}

// style is how a report looks.
type style struct{ term.Style }

func styleOf(w io.Writer, env func(string) string) style { return style{term.StyleOf(w, env)} }
