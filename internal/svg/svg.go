package svg

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Style says where an image will be.
type Style uint8

// The styles. An Inline picture takes its colours from the page; an Alone one
// is a document with a light ground, legible on any other.
const (
	Inline Style = iota
	Alone
)

// svg writes a picture. Only elements and attributes written here come out: no
// style, no script, no reference, no id, and on one line.
type svg struct {
	b     []byte
	style Style
}

// newSVG opens a picture of that size, with a name and a description for those
// who do not see it. A picture wider than a telephone says so by a class, so that
// it is scrolled rather than made too small to read.
func newSVG(style Style, w, h int, title, desc string) *svg {
	s := &svg{style: style, b: make([]byte, 0, 4096)}
	s.str(`<svg xmlns="http://www.w3.org/2000/svg" role="img" class="limn-svg`)
	for _, c := range []struct {
		over  int
		class string
	}{{1500, " limn-svg-3"}, {960, " limn-svg-2"}, {520, " limn-svg-1"}} {
		if w > c.over*px {
			s.str(c.class)
			break
		}
	}
	s.str(`"`)
	s.attr("width", w)
	s.attr("height", h)
	s.str(` viewBox="0 0 `)
	s.num(w)
	s.str(` `)
	s.num(h)
	s.str(`" font-family="Arial, Helvetica, sans-serif"`)
	if style == Alone {
		s.str(` color="#1f2933"`)
	}
	s.str(`><title>`)
	s.esc(shownText(title))
	s.str(`</title><desc>`)
	s.esc(desc)
	s.str(`</desc>`)
	if style == Alone {
		s.str(`<rect width="100%" height="100%" rx="6" fill="#fff"/>`)
	}
	return s
}

// Wide reports a picture that is wider than a telephone.
func Wide(svg []byte) bool { return bytes.Contains(svg[:min(len(svg), 200)], []byte(" limn-svg-")) }

func (s *svg) close() []byte { return append(s.b, `</svg>`...) }

func (s *svg) str(t string) { s.b = append(s.b, t...) }

// num writes tenths of a pixel.
func (s *svg) num(v int) {
	if v < 0 {
		s.b, v = append(s.b, '-'), -v
	}
	s.b = strconv.AppendInt(s.b, int64(v/10), 10)
	if v%10 != 0 {
		s.b = append(s.b, '.', byte('0'+v%10))
	}
}

func (s *svg) attr(name string, v int) {
	s.str(` `)
	s.str(name)
	s.str(`="`)
	s.num(v)
	s.str(`"`)
}

// esc writes text so that XML and HTML read it as just that.
func (s *svg) esc(t string) {
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(t[i:])
		switch {
		case r == '&':
			s.str("&amp;")
		case r == '<':
			s.str("&lt;")
		case r == '>':
			s.str("&gt;")
		case r == '"':
			s.str("&quot;")
		case r == '\'':
			s.str("&#39;")
		case r < ' ', r == 0x7f, r == 0xFFFE, r == 0xFFFF, r == utf8.RuneError && n == 1:
			s.str("\uFFFD")
		default:
			s.str(t[i : i+n])
		}
		i += n
	}
}

// text writes one line; anchor is start, middle or end.
func (s *svg) text(class string, x, y, size int, anchor, text string) {
	s.str(`<text class="`)
	s.str(class)
	s.str(`"`)
	s.attr("x", x)
	s.attr("y", y)
	s.attr("font-size", size)
	if anchor != "start" {
		s.str(` text-anchor="`)
		s.str(anchor)
		s.str(`"`)
	}
	s.str(` fill="currentColor">`)
	s.esc(text)
	s.str(`</text>`)
}

// box writes a rectangle with round corners.
func (s *svg) box(class string, x, y, w, h, round int, more string) {
	s.str(`<rect class="`)
	s.str(class)
	s.str(`"`)
	s.attr("x", x)
	s.attr("y", y)
	s.attr("width", w)
	s.attr("height", h)
	s.attr("rx", round)
	s.str(more)
	s.str(`/>`)
}
