package svg

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
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
	class, ground := "limn-svg", ""
	for _, c := range []struct {
		over  int
		class string
	}{{1500, " limn-svg-3"}, {960, " limn-svg-2"}, {520, " limn-svg-1"}} {
		if w > c.over*px {
			class += c.class
			break
		}
	}
	// Texts are placed from left to right, whatever the direction of the page.
	s.f(`<svg xmlns="http://www.w3.org/2000/svg" role="img" class="%s" width="%v" height="%v" viewBox="0 0 %v %v"`+
		` direction="ltr" font-family="Arial, Helvetica, sans-serif"`, class, w, h, w, h)
	if style == Alone {
		s.str(` color="#1f2933"`)
		ground = `<rect width="100%" height="100%" rx="6" fill="#fff"/>`
	}
	s.f(`><title>%s</title><desc>%s</desc>%s`, escaped(shownText(title)), escaped(desc), ground)
	return s
}

// Wide reports a picture that is wider than a telephone.
func Wide(svg []byte) bool { return bytes.Contains(svg[:min(len(svg), 200)], []byte(" limn-svg-")) }

func (s *svg) close() []byte { return append(s.b, `</svg>`...) }

func (s *svg) str(t string) { s.b = append(s.b, t...) }

// tenths of a pixel are written in pixels.
type tenths int

func (v tenths) String() string { return strconv.FormatFloat(float64(v)/10, 'f', -1, 64) }

// f writes a format; each int is a length in tenths of a pixel.
func (s *svg) f(format string, args ...any) {
	for i, a := range args {
		if n, ok := a.(int); ok {
			args[i] = tenths(n)
		}
	}
	s.b = fmt.Appendf(s.b, format, args...)
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escaped is text that XML and HTML read as just that.
func escaped(t string) string {
	return escapes.Replace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, t))
}

// text writes one line; anchor is start, middle or end.
func (s *svg) text(class string, x, y, size int, anchor, text string) {
	attr := ""
	if anchor != "start" {
		attr = ` text-anchor="` + anchor + `"`
	}
	s.f(`<text class="%s" x="%v" y="%v" font-size="%v"%s fill="currentColor">%s</text>`, class, x, y, size, attr,
		escaped(text))
}

// box writes a rectangle with round corners.
func (s *svg) box(class string, x, y, w, h, round int, more string) {
	s.f(`<rect class="%s" x="%v" y="%v" width="%v" height="%v" rx="%v"%s/>`, class, x, y, w, h, round, more)
}
