package directive

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Stream reads the text of an envelope while a model still writes it. What it has
// returned so far is the beginning of the text that Read returns for the whole
// answer, unless Read refuses that answer. It returns nothing of an answer that
// is no envelope of plain JSON, and nothing more of a text from where Read could
// refuse it or cut it.
//
// It keeps at most a word of the text and the thought marks in front of it, and
// looks at each byte once. A Stream is for one answer and one goroutine.
type Stream struct {
	state  streamState
	front  []byte // of the answer, until the first { is there
	closer string // of the thought the answer is in; ""
	tail   string // the last bytes of that thought, in lower case

	key    []byte // of the member that is being read
	depth  int    // of a value that is skipped
	quoted bool   // within a string of such a value
	text   textReader
}

type streamState int

const (
	inFront streamState = iota
	beforeKey
	inKey
	beforeColon
	beforeValue
	inValue // of another member
	inText
	finished // nothing more is to come
)

// NewStream returns a Stream for one answer to this registry's prompt.
func (r *Registry) NewStream() *Stream {
	return &Stream{text: textReader{left: r.opt.Text}}
}

// maxFront bounds the text before an envelope, thoughts apart.
const maxFront = 64

// Write takes the next piece of the answer and returns what can be shown of it.
func (s *Stream) Write(piece string) string {
	var out strings.Builder
	for i := 0; i < len(piece) && s.state != finished; i++ {
		s.byte(piece[i], &out)
	}
	return out.String()
}

func (s *Stream) byte(c byte, out *strings.Builder) {
	switch s.state {
	case inFront:
		s.before(c)
	case inText:
		if s.text.byte(c, out); s.text.over {
			s.state = finished
		}
	case inKey:
		switch {
		case c == '"':
			s.state = beforeColon
		case c == '\\' || c < ' ' || len(s.key) > 64:
			s.state = finished
		default:
			s.key = append(s.key, c)
		}
	case inValue:
		s.skip(c)
	default:
		if strings.IndexByte(" \t\r\n", c) < 0 {
			s.mark(c)
		}
	}
}

// before reads the text before an envelope: thoughts and a fence.
func (s *Stream) before(c byte) {
	if s.closer != "" {
		s.tail += strings.ToLower(string(rune(c)))
		if c >= utf8.RuneSelf {
			s.tail = s.tail[:len(s.tail)-len(string(rune(c)))] + string([]byte{c})
		}
		if s.tail = s.tail[max(0, len(s.tail)-len(s.closer)):]; s.tail == s.closer {
			s.closer, s.tail = "", ""
		}
		return
	}
	s.front = append(s.front, c)
	switch front := trimLeft(string(s.front)); {
	case front == "":
		s.front = s.front[:0]
		if c >= utf8.RuneSelf {
			s.front = append(s.front, c) // part of a character
		}
	case c == '{':
		if s.state = finished; front == "{" || strings.Trim(trimFence(front), " \t\r\n") == "{" {
			s.state = beforeKey
		}
	case len(front) > maxFront:
		s.state = finished
	default:
		if m := openThought.FindString(front); m == front && m != "" {
			first, size := utf8.DecodeRuneInString(m)
			s.closer, s.front = strings.ToLower(string(first)+"/"+m[size:]), s.front[:0]
		}
	}
}

// mark reads the punctuation between the members of the envelope.
func (s *Stream) mark(c byte) {
	switch {
	case s.state == beforeKey && c == '"':
		s.state, s.key = inKey, s.key[:0]
	case s.state == beforeColon && c == ':':
		s.state = beforeValue
	case s.state == beforeValue && string(s.key) == "assistant_text" && c == '"':
		s.state = inText
	case s.state == beforeValue && string(s.key) != "assistant_text":
		s.state, s.depth, s.quoted = inValue, 0, false
		s.skip(c)
	default:
		s.state = finished
	}
}

// skip reads over the value of another member.
func (s *Stream) skip(c byte) {
	switch {
	case s.quoted && s.text.escaped:
		s.text.escaped = false
	case s.quoted && c == '\\':
		s.text.escaped = true
	case c == '"':
		s.quoted = !s.quoted
	case s.quoted:
	case c == '{' || c == '[':
		s.depth++
	case (c == '}' || c == ']') && s.depth > 0:
		s.depth--
	case c == '}' || c == ']':
		s.state = finished // the envelope has no text
	case c == ',' && s.depth == 0:
		s.state = beforeKey
	}
}

// textReader reads a JSON string and lets the words out that are sure to be shown.
type textReader struct {
	escaped bool
	hex     []byte // digits of an escape, after its u
	high    rune   // first half of a pair of surrogates
	part    []byte // of a character

	said  []byte // the last bytes returned, to recognise marks that span words
	word  []byte // held until it is whole
	space []byte // held until a word follows
	told  bool   // something was let out
	left  int    // bytes that may be let out
	over  bool
}

func (t *textReader) byte(c byte, out *strings.Builder) {
	switch {
	case t.hex != nil:
		t.digit(c, out)
	case t.escaped:
		t.escaped = false
		t.escape(c, out)
	case t.high != 0 && c != '\\': // half a character
		t.over = true
	case c == '\\' && len(t.part) == 0:
		t.escaped = true
	case c == '"' && len(t.part) == 0:
		t.flush(out)
		t.over = true
	case c < ' ': // not JSON
		t.over = true
	case c < utf8.RuneSelf && len(t.part) == 0:
		t.rune(rune(c), out)
	default:
		t.part = append(t.part, c)
		if r, n := utf8.DecodeRune(t.part); n == len(t.part) && r != utf8.RuneError {
			t.part = t.part[:0]
			t.rune(r, out)
		} else if utf8.FullRune(t.part) {
			t.over = true
		}
	}
}

func (t *textReader) escape(c byte, out *strings.Builder) {
	if c == 'u' {
		t.hex = make([]byte, 0, 4)
		return
	}
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 && t.high == 0 {
		t.rune(rune("\"\\/\b\f\n\r\t"[i]), out)
		return
	}
	t.over = true
}

func (t *textReader) digit(c byte, out *strings.Builder) {
	if t.hex = append(t.hex, c); len(t.hex) < 4 {
		return
	}
	r := rune(0)
	for _, c := range t.hex {
		i := strings.IndexByte("0123456789abcdef", c|0x20)
		if i < 0 || c < '0' {
			t.over = true
			return
		}
		r = r<<4 | rune(i)
	}
	t.hex = nil
	switch high := t.high; {
	case high == 0 && r >= 0xD800 && r < 0xDC00:
		t.high = r
	case high != 0 && r >= 0xDC00 && r < 0xE000:
		t.high = 0
		t.rune((high-0xD800)<<10+(r-0xDC00)+0x10000, out)
	case high != 0 || r >= 0xD800 && r < 0xE000 || r == utf8.RuneError:
		t.over = true
	default:
		t.rune(r, out)
	}
}

// maxWord is the longest word that is held. One that is longer ends the stream:
// it may be bytes in some encoding.
const maxWord = 256

// rune takes a character of the text. Words are held until they are whole, as
// marks and calls are recognised by the word; in scripts without spaces a character is.
func (t *textReader) rune(r rune, out *strings.Builder) {
	switch {
	case invisible(r):
	case unicode.IsSpace(r):
		t.flush(out)
		t.space = utf8.AppendRune(t.space, r)
		t.over = t.over || len(t.space) > maxWord
	default:
		t.word = utf8.AppendRune(t.word, r)
		if r >= utf8.RuneSelf && t.told && unicode.IsLetter(r) {
			t.flush(out)
		}
		t.over = t.over || len(t.word) > maxWord
	}
}

// flush lets the held word out, or ends the stream if Read might make something
// else of it.
func (t *textReader) flush(out *strings.Builder) {
	if len(t.word) == 0 || t.over {
		return
	}
	word := string(t.word)
	if !t.told {
		t.space = nil
		if strings.ContainsRune("<[{◁", firstRune(word)) || !strings.ContainsFunc(word, meaningful) {
			t.over = true
			return
		}
	}
	seen := string(t.said) + string(t.space) + word
	lone := strings.Trim(word, "<>=+-.,0123456789") == "" // a < b
	if strings.ContainsAny(word, "{｜") || strings.Contains(word, "<") && !lone || holdsCall(seen) ||
		len(t.space)+len(word) > t.left {
		t.over = true
		return
	}
	out.Write(t.space)
	out.WriteString(word)
	t.told, t.left = true, t.left-len(t.space)-len(word)
	t.said = append(t.said[:0], seen[max(0, len(seen)-64):]...)
	t.word, t.space = t.word[:0], t.space[:0]
}
