package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/a2ui"
	"golang.org/x/text/width"
)

// place is where a problem stands in the input, and the line as it is there.
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

// style is how a report looks.
type style struct {
	width int // columns of an excerpt
	color bool
}

// styleOf asks the terminal that w may be: colours only where somebody looks.
func styleOf(w io.Writer, env func(string) string) style {
	s := style{width: 120}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		if err == nil && info.Mode()&os.ModeCharDevice != 0 {
			s = style{width: 80, color: env("NO_COLOR") == "" && env("TERM") != "dumb"}
		}
	}
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n >= 20 {
		s.width = n
	}
	return s
}

// paint sets a colour of the terminal for s.
func (s style) paint(color, text string) string {
	if !s.color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

const (
	bold  = "1"
	red   = "1;31"
	green = "1;32"
	blue  = "1;34"
)

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
	fmt.Fprintf(w, "%s %s %s\n", s.paint(bold, head+":"), s.paint(red, string(p.Code)), clean(p.Message))
	about := aboutOf(p)
	if len(where.text) > 0 {
		line, caret := excerpt(where.text, max(where.column, 1), s.width-4)
		fmt.Fprintf(w, "    %s\n", line)
		if where.column > 0 {
			about = strings.Repeat(" ", caret) + s.paint(green, "^") + " " + about
		}
	}
	if about = strings.TrimRight(about, " "); about != "" {
		fmt.Fprintf(w, "    %s\n", about)
	}
	if p.Hint != "" {
		fmt.Fprintf(w, "    %s %s\n", s.paint(blue, "hint:"), clean(p.Hint))
	}
}

// aboutOf names the surface, the component and the place in the message.
func aboutOf(p a2ui.Problem) string {
	var parts []string
	if p.Surface != "" {
		parts = append(parts, "surface "+clip(clean(p.Surface)))
	}
	if p.Component != "" {
		parts = append(parts, "component "+clip(clean(p.Component)))
	}
	if p.Path != "" {
		parts = append(parts, "at "+clip(clean(p.Path)))
	}
	return strings.Join(parts, ", ")
}

// clip shortens a text to 80 characters.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}

// clean makes a text of a stranger harmless for a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsPrint(r) {
			return r
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return utf8.RuneError
	}, s)
}

// excerpt returns the part of a line around a byte column that fits into wide
// columns, with … where it was cut, and the column of the caret below it.
func excerpt(line []byte, column, wide int) (string, int) {
	at := min(column-1, len(line))
	before := clean(string(tail(line[:at], 4*wide)))
	after := clean(string(line[at:min(len(line), at+4*wide)]))
	left, cutLeft := keepLast(before, max(wide*3/5, wide-columns(after)-2))
	cutLeft = cutLeft || at > 4*wide
	room := wide - columns(left) - 2
	right, cutRight := keepFirst(after, room)
	cutRight = cutRight || len(line) > at+4*wide
	if cutLeft {
		left = "…" + left
	}
	if cutRight {
		right += "…"
	}
	return left + right, columns(left)
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// keepFirst returns as many characters as fit into wide columns.
func keepFirst(s string, wide int) (string, bool) {
	used := 0
	for i, r := range s {
		if used += columnsOf(r); used > wide {
			return s[:i], true
		}
	}
	return s, false
}

// keepLast is keepFirst from the end.
func keepLast(s string, wide int) (string, bool) {
	used, i := 0, len(s)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if used += columnsOf(r); used > wide {
			return s[i:], true
		}
		i -= n
	}
	return s, false
}

// columns is how wide a terminal draws s.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	if unicode.Is(unicode.Mn, r) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
