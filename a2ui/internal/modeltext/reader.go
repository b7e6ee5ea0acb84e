package modeltext

import (
	"bytes"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// reader is the state machine of a payload. Each byte is looked at once; what
// leaves it in buf is compact JSON without the mistakes it heals: curly quotes that delimit
// strings; commas too many, and one that lacks between objects of a list; raw control
// characters and meaningless backslashes in strings; fences inside and around tags; a bracket
// too many, and one that lacks where the next shows it. At the end of the block all that is
// open is closed; a string cut there stays only under a key whose text is shown.
type reader struct {
	buf    []byte  // the current message, up to where it was read
	frames []frame // its open brackets
	token  token
	curly  bool // the token is a string that a curly quote opened
	escape bool // the last byte was a backslash
	start  int  // of the token in buf, after the quote
	cut    int  // of the last escape in buf
	braces int  // '}' where a ']' was due, undecided

	parser *Parser
	graphs map[string]*graph // by surface
	number int               // of the message
	limit  int               // bytes of a message

	block
	message
}

// The concerns.

func (r *reader) assembly() assembly { return assembly{r} }

// block is the reader's knowledge of the block around the messages.
type block struct {
	form   form
	opens  int           // '[' and {"messages": around the messages
	smart  bool          // curly quotes delimit strings in this block
	some   bool          // the block has something in it
	object bool          // it has a message
	words  bool          // words that are not in a fence were passed over
	fences int           // of the block
	broken bool          // the rest of the block cannot be read
	fault  *wire.Problem // why
	done   bool          // a bare payload is complete
	after  string        // text that stood after the close tag, see unswallow
}

// frame is an open bracket.
type frame struct {
	kind  byte  // '{' or '['
	state state // what may come
	start int   // of the bracket in buf
	entry int   // where the entry being read starts, with its comma
	key   int   // of an object: its key in buf, without quotes
	keyTo int
}

type state uint8

const (
	atFirst state = iota // after the bracket
	behind               // after a value
	atComma              // after a comma, which is written when a value follows
	atColon              // after a key
	atValue              // after a colon
)

type token uint8

const (
	noToken token = iota
	inString
	inWord // a number, true, false or null
)

// class sorts bytes for the two loops of feed.
var class = func() (t [256]uint8) {
	for _, c := range []byte("0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") {
		t[c] |= isWord
	}
	for c := range 0x20 {
		t[c] |= endsRun
	}
	t['"'] |= endsRun
	t['\\'] |= endsRun
	t[curlyLead] |= mayCurl
	return t
}()

const (
	isWord  = 1 << iota // of a number or a word
	endsRun             // not plain inside a string
	mayCurl             // starts a curly quote, perhaps
)

// reset starts a block.
func (r *reader) reset(f form) {
	r.block = block{form: f, after: r.after}
	r.clear()
}

// clear starts a message.
func (r *reader) clear() {
	r.buf, r.frames = r.buf[:0], r.frames[:0]
	r.token, r.curly, r.escape, r.braces, r.cut = noToken, false, false, 0, -1
	r.message.clear()
}

// feed reads up to the first byte that it cannot place: what ends the payload,
// or a mistake that cannot be healed.
func (r *reader) feed(in []byte) int {
	i := 0
	for i < len(in) && !r.done {
		if r.broken {
			return i + r.skip(in[i:])
		}
		switch r.token {
		case inString:
			n, ok := r.inside(in[i:])
			if i += n; !ok {
				return i
			}
			continue
		case inWord:
			n := i
			for most := r.room(in, i); i < most && class[in[i]]&isWord != 0; {
				i++
			}
			r.copy(in[n:i])
			if r.full() || i == len(in) {
				continue
			}
			if !r.endWord() {
				r.fail()
			}
			continue
		}
		c := in[i]
		if isSpace(c) {
			i++
			continue
		}
		n := 1
		if c == curlyLead {
			g := guesser{b: in[i:]}
			if !g.curly() {
				return i
			}
			r.smart = true
			c, n = '"', 3
			r.curly = true
		} else {
			r.curly = false
		}
		if !r.structure(c) {
			return i
		}
		i += n
		r.full()
	}
	return i
}

// room returns how far in may be read from i until the message, which is not
// full, is one byte above the limit: it fails at that byte, however the input is
// cut.
func (r *reader) room(in []byte, i int) int {
	return min(len(in), i+r.limit+1-len(r.buf))
}

// full fails a message above the limit.
func (r *reader) full() bool {
	if len(r.buf) > r.limit && len(r.frames) > 0 {
		r.failWith(wire.Bad(wire.LimitBytes, "", "a message has more than %d bytes", r.limit))
	}
	return r.broken
}

// skip passes over the rest of a broken block.
func (r *reader) skip(in []byte) int {
	end := -1
	switch r.form {
	case tagged:
		end = bytes.IndexByte(in, '<')
	case fenced:
		end = bytes.IndexByte(in, '`')
	case bare:
		end = 0
	}
	if end < 0 {
		return len(in)
	}
	return end
}

// inside reads a string up to its closing quote. False: the next character is
// cut.
func (r *reader) inside(in []byte) (int, bool) {
	stop := uint8(endsRun)
	if r.smart {
		stop |= mayCurl
	}
	i := 0
	for i < len(in) && !r.full() {
		if r.escape {
			i += r.escaped(in[i])
			continue
		}
		run := in[i:r.room(in, i)]
		n := 0
		for n < len(run) && class[run[n]]&stop == 0 {
			n++
		}
		if n > 0 {
			r.copy(run[:n])
			i += n
			continue
		}
		switch c := in[i]; {
		case c == '"':
			r.endString()
			return i + 1, true
		case c == '\\':
			r.escape, r.cut = true, len(r.buf)
			r.buf = append(r.buf, c)
			i++
		case c < ' ':
			r.buf = appendControl(r.buf, c)
			i++
		default:
			n, ok := r.curlyInside(in[i:])
			if !ok {
				return i, false
			}
			i += n
			if r.token != inString {
				return i, true
			}
		}
	}
	return i, true
}

// escaped reads the byte after a backslash. A backslash that escapes nothing, as
// in a regular expression, is kept as a character.
func (r *reader) escaped(c byte) int {
	r.escape = false
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't', 'u':
		r.buf = append(r.buf, c)
		return 1
	case '\'':
		r.buf[len(r.buf)-1], r.cut = c, -1
		return 1
	}
	r.buf = append(r.buf, '\\')
	return 0
}

// copy appends; within the capacity it stores no pointer, which is half the price
// while memory is being collected.
func (r *reader) copy(b []byte) {
	at := len(r.buf)
	if cap(r.buf)-at < len(b) {
		r.buf = append(r.buf, b...)
		return
	}
	r.buf = r.buf[:at+len(b)]
	copy(r.buf[at:], b)
}

// curlyInside reads a character that may be a curly quote in a block that uses
// them: a double one ends a string that a double one opened, a single one is an
// apostrophe.
func (r *reader) curlyInside(in []byte) (int, bool) {
	if len(in) < 3 && (len(in) < 2 || in[1] == 0x80) {
		return 0, false
	}
	if in[1] == 0x80 {
		switch in[2] {
		case 0x9C, 0x9D:
			if r.curly {
				r.endString()
				return 3, true
			}
		case 0x98, 0x99:
			r.buf = append(r.buf, '\'')
			return 3, true
		}
	}
	r.buf = append(r.buf, in[0])
	return 1, true
}

func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '\n':
		return append(dst, `\n`...)
	case '\t':
		return append(dst, `\t`...)
	case '\r':
		return append(dst, `\r`...)
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}

// structure reads one byte outside of strings; false: it cannot be placed.
func (r *reader) structure(c byte) bool {
	if len(r.frames) == 0 {
		return r.between(c)
	}
	if r.braces > 0 && c != '}' {
		r.settle()
		if len(r.frames) == 0 {
			return r.between(c)
		}
	}
	f := &r.frames[len(r.frames)-1]
	switch c {
	case '"':
		if f.kind == '{' && f.state != atValue {
			return r.startKey(f)
		}
		if !r.startValue(f, c) {
			return false
		}
		r.token, r.start, r.cut = inString, len(r.buf)+1, -1
		r.buf = append(r.buf, '"')
		return true
	case '{', '[':
		if !r.startValue(f, c) {
			return false
		}
		return r.push(c)
	case '}', ']':
		return r.closer(c)
	case ':':
		if f.state != atColon {
			return false
		}
		f.state = atValue
		r.buf = append(r.buf, ':')
		return true
	case ',':
		switch f.state {
		case behind:
			f.state = atComma
		case atColon, atValue:
			return false
		}
		return true
	}
	if class[c]&isWord == 0 || !r.startValue(f, c) {
		return false
	}
	r.token, r.start = inWord, len(r.buf)
	r.buf = append(r.buf, c)
	return true
}

// between reads one byte between messages.
func (r *reader) between(c byte) bool {
	if r.parser.legacy != nil && strings.IndexByte("[]{},<`", c) < 0 {
		return true
	}
	if r.words && r.fences%2 == 0 {
		return r.word(c)
	}
	switch c {
	case ',':
		return r.form != bare || r.opens > 0
	case '[':
		if r.opens++; r.opens > maxOpens {
			return false
		}
	case '}', ']':
		r.shut(1)
	case '{':
		r.clear()
		r.number++
		r.object = true
		r.push(c)
	case '"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		r.failWith(wire.Bad(wire.EnvelopeInvalid, "", "a message is an object"))
		return false
	default:
		return r.word(c)
	}
	r.some = true
	return true
}

// word passes over a word outside of fences: of a block whose messages are in fences it
// says something to people. Without any the block cannot be read.
func (r *reader) word(c byte) bool {
	if r.form != tagged && r.form != endless || r.opens > 0 || r.fences%2 == 1 ||
		strings.IndexByte("[]{}<`", c) >= 0 {
		return false
	}
	r.words = true
	return true
}

// maxOpens bounds the brackets around messages.
const maxOpens = 8

// shut closes n brackets around messages.
func (r *reader) shut(n int) {
	r.opens = max(0, r.opens-n)
	r.done = r.form == bare && r.opens == 0
}

func (r *reader) startKey(f *frame) bool {
	if f.state == behind || f.state == atColon {
		return false
	}
	f.entry = len(r.buf)
	if f.state == atComma {
		r.buf = append(r.buf, ',')
	}
	r.token, r.cut = inString, -1
	r.buf = append(r.buf, '"')
	r.start = len(r.buf)
	f.key, f.keyTo = r.start, r.start
	return true
}

// startValue reports whether a value may start, and writes the comma before it.
func (r *reader) startValue(f *frame, c byte) bool {
	if f.kind == '{' {
		return f.state == atValue
	}
	f.entry = len(r.buf)
	switch f.state {
	case behind: // a comma that lacks between containers is added
		if c != '{' && c != '[' {
			return false
		}
		fallthrough
	case atComma:
		r.buf = append(r.buf, ',')
	}
	return true
}

func (r *reader) push(c byte) bool {
	if len(r.frames) > r.parser.opts.Depth {
		r.failWith(wire.Bad(wire.LimitDataDepth, "", "brackets are nested deeper than %d", r.parser.opts.Depth))
		return false
	}
	r.frames = append(r.frames, frame{kind: c, start: len(r.buf)})
	r.buf = append(r.buf, c)
	r.assembly().opened()
	return true
}

// endString closes the string that is being read.
func (r *reader) endString() {
	r.token = noToken
	end := len(r.buf)
	r.buf = append(r.buf, '"')
	f := &r.frames[len(r.frames)-1]
	if f.kind == '{' && f.state != atValue {
		f.state, f.keyTo = atColon, end
		r.assembly().keyRead(f)
		return
	}
	f.state = behind
	r.assembly().textRead(r.start, end)
}

func (r *reader) endWord() bool {
	r.token = noToken
	if !validWord(r.buf[r.start:]) {
		return false
	}
	r.frames[len(r.frames)-1].state = behind
	return true
}

// closer reads '}' or ']'.
func (r *reader) closer(c byte) bool {
	open := byte('{')
	if c == ']' {
		open = '['
	}
	top := len(r.frames) - 1
	if r.frames[top].kind == open {
		r.pop()
		return true
	}
	if c == '}' {
		r.braces++ // settle decides
		return true
	}
	at := top
	for at >= 0 && r.frames[at].kind != open {
		at--
	}
	if at < 0 { // the bracket around the messages
		r.added = true
		r.closeTo(0)
		r.shut(1)
		return true
	}
	r.closeTo(at)
	return true
}

// settle decides what '}' in a list mean: when there are as many as objects
// around the list, a ']' lacks before them; else they are too many.
func (r *reader) settle() {
	n := r.braces
	r.braces = 0
	top := len(r.frames) - 1
	at := top
	for at > 0 && r.frames[at-1].kind == '{' {
		at--
	}
	if objects := top - at; n >= objects && objects > 0 {
		r.closeTo(at)
	}
}

// closeTo closes all frames from at on.
func (r *reader) closeTo(at int) {
	for len(r.frames) > at && !r.broken {
		r.pop()
	}
}

// pop closes the last bracket; a key without a value goes.
func (r *reader) pop() {
	f := r.frames[len(r.frames)-1]
	if f.kind == '{' && (f.state == atColon || f.state == atValue) {
		r.buf = r.buf[:f.entry]
	}
	r.buf = append(r.buf, f.kind+2) // '{' + 2 = '}', '[' + 2 = ']'
	r.frames = r.frames[:len(r.frames)-1]
	if r.full() {
		return
	}
	if len(r.frames) > 0 {
		r.frames[len(r.frames)-1].state = behind
	}
	r.assembly().closed(f)
}

// validWord reports whether b is a number, true, false or null.
func validWord(b []byte) bool {
	switch string(b) {
	case "true", "false", "null":
		return true
	}
	return jsonx.IsNumber(b)
}
