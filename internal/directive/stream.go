package directive

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Stream reads the text of an envelope while a model still writes it. What it has
// returned so far is the beginning of the text that Read returns for the whole
// answer, unless Read refuses that answer. It returns nothing of an answer that
// is no envelope of plain JSON, and nothing more of a text from where Read could
// refuse it or cut it.
//
// It keeps at most a word of the text and a little around it, so work is linear.
// A Stream is for one answer and one goroutine.
type Stream struct {
	read   func() int      // reads a part of in: its bytes, 0 if it needs more; nil: nothing is to come
	in     string          // the text not read yet
	out    strings.Builder // of this Write
	closer *regexp.Regexp  // of the thought the answer is in

	depth           int // of a value that is skipped
	quoted, escaped bool

	said  []byte // the last bytes returned, to recognise marks that span words
	word  []byte // held until it is whole
	space []byte // held until a word follows
	told  bool   // something was let out
	left  int    // bytes that may be let out
}

// NewStream returns a Stream for one answer to this registry's prompt.
func (r *Registry) NewStream() *Stream {
	s := &Stream{left: r.opt.Text}
	s.read = s.front
	return s
}

// Write takes the next piece of the answer and returns what can be shown of it.
func (s *Stream) Write(piece string) string {
	if s.read == nil {
		return ""
	}
	s.out.Reset()
	s.in += piece
	for s.read != nil {
		n := s.read()
		if n == 0 {
			break
		}
		s.in = s.in[n:]
	}
	return s.out.String()
}

// end is a read after which nothing is to come.
func (s *Stream) end() int {
	s.read = nil
	return 0
}

// maxFront bounds the text before an envelope, thoughts apart, and before a value in it.
const maxFront = 256

// front reads the text before an envelope: thoughts and a fence.
func (s *Stream) front() int {
	front := trimLeft(s.in)
	if blank := len(s.in) - len(front); blank > 0 {
		return blank
	}
	if m := openThought.FindString(front); m != "" {
		first, size := utf8.DecodeRuneInString(m)
		closer := string(first) + "/" + m[size:]
		s.closer = regexp.MustCompile("(?i)" + regexp.QuoteMeta(closer))
		s.read = func() int { return s.thought(len(closer)) }
		return len(m)
	}
	before, _, opens := strings.Cut(front, "{")
	switch {
	case opens && (before == "" || trim(trimFence(before+"{")) == "{"):
		s.read = s.member
		return len(before) + 1
	case opens, len(front) > maxFront:
		return s.end()
	}
	return 0
}

// thought reads over a thought with a closing mark of some bytes.
func (s *Stream) thought(closer int) int {
	if at := s.closer.FindStringIndex(s.in); at != nil {
		s.read = s.front
		return at[1]
	}
	return max(0, len(s.in)-closer)
}

// member is the beginning of a member of the envelope, up to its value.
var member = regexp.MustCompile(`^[ \t\r\n]*"([^"\\\x00-\x1f]{0,64})"[ \t\r\n]*:[ \t\r\n]*`)

func (s *Stream) member() int {
	m := member.FindStringSubmatchIndex(s.in)
	switch {
	case m == nil && len(s.in) > maxFront:
		return s.end()
	case m == nil || m[1] == len(s.in):
		return 0
	case s.in[m[2]:m[3]] != "assistant_text":
		s.read, s.depth = s.skip, 0
		return m[1]
	case s.in[m[1]] != '"':
		return s.end()
	}
	s.read = s.text
	return m[1] + 1
}

// skip reads over the value of another member.
func (s *Stream) skip() int {
	for i := range len(s.in) {
		switch c := s.in[i]; {
		case s.escaped:
			s.escaped = false
		case s.quoted && c == '\\':
			s.escaped = true
		case c == '"':
			s.quoted = !s.quoted
		case s.quoted:
		case c == '{' || c == '[':
			s.depth++
		case (c == '}' || c == ']') && s.depth > 0:
			s.depth--
		case c == '}' || c == ']':
			return s.end() // the envelope has no text
		case c == ',' && s.depth == 0:
			s.read = s.member
			return i + 1
		}
	}
	return len(s.in)
}

// text reads a character of the text and lets the words out that are sure to be shown.
// Words are held until they are whole, as marks and calls are recognised by the word;
// in scripts without spaces a character is.
func (s *Stream) text() int {
	r, n := character(s.in)
	switch {
	case n < 0:
		if s.in[0] == '"' {
			s.flush()
		}
		return s.end()
	case n == 0 || invisible(r):
		return n
	case unicode.IsSpace(r):
		s.flush()
		s.space = utf8.AppendRune(s.space, r)
	default:
		s.word = utf8.AppendRune(s.word, r)
		if r >= utf8.RuneSelf && s.told && unicode.IsLetter(r) {
			s.flush()
		}
	}
	if max(len(s.space), len(s.word)) > maxWord {
		return s.end()
	}
	return n
}

// character decodes the character of a JSON string that in begins with, and how many
// bytes it takes there: 0 if more are needed, below 0 if the character is not shown.
func character(in string) (r rune, n int) {
	switch {
	case in == "":
		return 0, 0
	case in[0] < ' ' || in[0] == '"':
		return 0, -1
	case in[0] == '\\':
		return escaped(in)
	case !utf8.FullRuneInString(in):
		return 0, 0
	}
	if r, n = utf8.DecodeRuneInString(in); r == utf8.RuneError {
		n = -1
	}
	return r, n
}

func escaped(in string) (r rune, n int) {
	if len(in) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, in[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	if r, n = unicodeEscape(in); n > 0 && utf16.IsSurrogate(r) {
		var low rune
		if low, n = unicodeEscape(in[n:]); n > 0 {
			r, n = utf16.DecodeRune(r, low), 2*n
		}
	}
	if n > 0 && r == utf8.RuneError {
		n = -1
	}
	return r, n
}

// unicodeEscape decodes \uXXXX.
func unicodeEscape(in string) (r rune, n int) {
	const size = len(`\uXXXX`)
	if len(in) < size {
		return 0, 0
	}
	code, err := strconv.ParseUint(in[2:size], 16, 32)
	if err != nil || !strings.HasPrefix(in, `\u`) {
		return 0, -1
	}
	return rune(code), size
}

// maxWord is the longest word that is held. One that is longer ends the stream:
// it may be bytes in some encoding.
const maxWord = 256

// flush lets the held word out, or ends the stream if Read might make something
// else of it.
func (s *Stream) flush() {
	if len(s.word) == 0 {
		return
	}
	word := string(s.word)
	if !s.told {
		s.space = nil
		if strings.ContainsRune("<[{◁", firstRune(word)) || !strings.ContainsFunc(word, meaningful) {
			s.end()
			return
		}
	}
	seen := string(s.said) + string(s.space) + word
	lone := strings.Trim(word, "<>=+-.,0123456789") == "" // a < b
	if strings.ContainsAny(word, "{｜") || strings.Contains(word, "<") && !lone || holdsCall(seen) ||
		len(s.space)+len(word) > s.left {
		s.end()
		return
	}
	s.out.Write(s.space)
	s.out.WriteString(word)
	s.told, s.left = true, s.left-len(s.space)-len(word)
	s.said = append(s.said[:0], seen[max(0, len(seen)-64):]...)
	s.word, s.space = s.word[:0], s.space[:0]
}
