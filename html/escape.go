package html

import (
	"strings"
	"unicode/utf8"
)

// escapes holds what each ASCII byte becomes; "" means itself. One table
// serves text and double-quoted attributes, so a string can never be escaped for
// the wrong one of the two. Line ends are written as references: they survive
// attributes and textareas, and no drawing ever holds a raw line end, so that a
// stream element is one line of an event stream. Other control characters have
// no meaning in HTML and become U+FFFD.
var escapes = func() (t [utf8.RuneSelf]string) {
	for c := range t {
		if c < 0x20 || c == 0x7f {
			t[c] = "\uFFFD"
		}
	}
	t['\t'], t['\n'], t['\r'] = "&#9;", "&#10;", "&#13;"
	t['&'], t['<'], t['>'], t['"'], t['\''] = "&amp;", "&lt;", "&gt;", "&#34;", "&#39;"
	return t
}()

// appendEscaped writes s so that it is text inside an element and inside a
// quoted attribute. Invalid UTF-8, C1 controls and U+FFFE/U+FFFF become U+FFFD.
func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if e := escapes[c]; e != "" {
				dst = append(append(dst, s[from:i]...), e...)
				from = i + 1
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r == utf8.RuneError && n == 1 || r <= 0x9f || r&0xfffe == 0xfffe {
			dst = append(append(dst, s[from:i]...), "\uFFFD"...)
			from = i + n
		}
		i += n
	}
	return append(dst, s[from:]...)
}

// appendLines writes text with its line ends as <br>.
func appendLines(dst []byte, s string) []byte {
	for {
		line, rest, more := strings.Cut(s, "\n")
		dst = appendEscaped(dst, strings.TrimSuffix(line, "\r"))
		if !more {
			return dst
		}
		dst = append(dst, "<br>"...)
		s = rest
	}
}

// appendIdent writes s in the alphabet [A-Za-z0-9_-]: lower-case letters,
// digits, '-' and '_' are themselves, '/' is S, ':' is C, and any other
// byte is X and two hex digits. Different strings stay different. The alphabet
// is narrow because Turbo puts the ids of permanent elements into a CSS
// selector unescaped: one bad id would break every stream of the page.
func appendIdent[T string | []byte](dst []byte, s T) []byte {
	const hex = "0123456789abcdef"
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
			dst = append(dst, c)
		case c == '/':
			dst = append(dst, 'S')
		case c == ':':
			dst = append(dst, 'C')
		default:
			dst = append(dst, 'X', hex[c>>4], hex[c&15])
		}
	}
	return dst
}
