package term

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
)

// Progress shows on a terminal how far a long input is read. Without a
// terminal, or while the lines of the output show it, it prints nothing. The zero value
// shows nothing either.
type Progress struct {
	Unit string // the name of a line; "": lines

	w     io.Writer
	total int64 // bytes, or steps; 0 = unknown
	steps bool  // a line is a step of total
	now   func() time.Time

	done, lines int64
	next        time.Time // when to draw again
	drawn       bool
}

// NewProgress measures an input of total bytes, 0 if that is unknown. It shows
// nothing for the first half second.
func NewProgress(t Terminal, total int64) *Progress {
	if !terminal(t.Err) || terminal(t.Out) || t.Env("TERM") == "dumb" {
		return &Progress{}
	}
	return newProgress(t.Err, total, time.Now)
}

// NewSteps measures work of total steps, some of them done before; each Line is
// a step. It is shown also where the output goes to the terminal.
func NewSteps(t Terminal, total, done int) *Progress {
	p := &Progress{}
	if terminal(t.Err) && t.Env("TERM") != "dumb" {
		p = newProgress(t.Err, int64(total), time.Now)
	}
	p.steps, p.done, p.lines = true, int64(done), int64(done)
	return p
}

// Silent reports whether nothing is shown.
func (p *Progress) Silent() bool { return p.w == nil }

func newProgress(w io.Writer, total int64, now func() time.Time) *Progress {
	return &Progress{w: w, total: total, now: now, next: now().Add(500 * time.Millisecond)}
}

// Reader counts the bytes read from r.
func (p *Progress) Reader(r io.Reader) io.Reader { return io.TeeReader(r, counter{p}) }

// Writer counts the bytes written to w.
func (p *Progress) Writer(w io.Writer) io.Writer { return io.MultiWriter(w, counter{p}) }

type counter struct{ p *Progress }

func (c counter) Write(b []byte) (int, error) {
	c.p.done += int64(len(b))
	return len(b), nil
}

// Line counts a line that is dealt with, and draws at most ten times a second.
func (p *Progress) Line() {
	p.lines++
	if p.steps {
		p.done++
	}
	if p.w == nil {
		return
	}
	now := p.now()
	if now.Before(p.next) {
		return
	}
	p.next, p.drawn = now.Add(100*time.Millisecond), true
	fmt.Fprintf(p.w, "\r\x1b[K%s", p.bar())
}

func (p *Progress) bar() string {
	const wide = 30
	lines := fmt.Sprintf("%d %s", p.lines, cmp.Or(p.Unit, "lines"))
	if p.total <= 0 {
		return fmt.Sprintf("%s, %.1f MB", lines, float64(p.done)/1e6)
	}
	part := min(1, float64(p.done)/float64(p.total))
	full := int(part * wide)
	return fmt.Sprintf("[%s%s] %3.0f %%  %s", strings.Repeat("█", full), strings.Repeat("·", wide-full), part*100,
		lines)
}

// Clear takes the bar away: before something else is written, and at the end.
func (p *Progress) Clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.drawn = false
}
