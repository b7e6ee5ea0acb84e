package modeltext

import (
	"unicode/utf8"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Options of a Parser. The zero value reads all forms.
type Options struct {
	Unwrapped bool     // all input is one payload, without tags or text
	TagsOnly  bool     // fenced and bare JSON is text
	Strict    bool     // a payload that ends inside a message is a fault
	KeepSpace bool     // text keeps the white space around it; white space alone is no text
	Eager     bool     // each component leaves as soon as it is ready
	Limit     int      // bytes of one message; required
	Depth     int      // nested brackets of one message; required
	Keys      []string // strings under these keys may be closed before they end, and their message comes again
	Refs      []string // more property names that hold component ids
	Legacy    *Legacy  // nil = off
}

// Message is one message as JSON: whole, or a piece of an updateComponents.
type Message struct {
	JSON   []byte // the receiver's to keep
	Number int    // of the message in the input, from 1; pieces share it
	Tag    int    // of its tagged block in the input, from 1; 0 = it is in none
	First  int    // of a piece: how many components of the message left before
	Head   int    // where the components start in JSON
	Tail   int    // where they end; 0 = no piece
	Early  bool   // closed early: the same message comes again
	Healed bool   // the input ended inside it
	// Without is JSON without the component that the end of the input cut; nil = no
	// component was cut. It is used when JSON does not pass.
	Without []byte
	Quiet   bool // legacy: dropped without a fault when it does not pass
	// Shows is the surface of v0.8 that a message of the legacy mode shows: it takes the
	// place of an earlier one in the same Write.
	Shows string
}

// Sink takes the findings of a Parser, in the order of the input. What has no function
// is dropped.
type Sink struct {
	Text    func(b []byte)       // b is valid during the call; required
	Message func(m Message) bool // reports whether the message passed
	Fault   func(p *wire.Problem)
	Block   func(raw []byte, closed bool) // a payload as it is written
}

// form is what opened a payload, and so what ends it.
type form uint8

const (
	noForm  form = iota // text
	tagged              // ends at the close tag, or at another open tag
	fenced              // ends at the closing fence
	bare                // ends with its value
	endless             // ends with the input
)

// Parser reads one answer of a model. It must not be used by two goroutines at
// once.
type Parser struct {
	opts   Options
	sink   Sink
	form   form
	held   []byte // the start of a tag, fence, guess or character; see look
	text   text
	read   reader
	raw    []byte  // of the payload, with Sink.Block
	legacy *legacy // nil = off
	pauses bool    // something may leave early
	tags   int     // tagged blocks that were opened
}

// New returns a parser that hands its findings to sink.
func New(o Options, sink Sink) *Parser {
	if sink.Message == nil {
		sink.Message = func(Message) bool { return true }
	}
	if sink.Fault == nil {
		sink.Fault = func(*wire.Problem) {}
	}
	p := &Parser{opts: o, sink: sink}
	p.text = text{line: true, keep: o.KeepSpace, emit: sink.Text}
	p.read.parser, p.read.limit, p.read.graphs = p, o.Limit, map[string]*graph{}
	if o.Legacy != nil {
		p.legacy = newLegacy(p, o.Legacy)
	}
	p.pauses = o.Legacy != nil || len(o.Keys) > 0
	if o.Unwrapped {
		p.form = endless
	}
	return p
}

// Write reads the next bytes; it does not keep chunk.
func (p *Parser) Write(chunk []byte) {
	in := chunk
	switch {
	case len(p.held) > 0:
		p.held = append(p.held, chunk...)
		in = p.held
	case p.form != noForm && p.sink.Block == nil: // most chunks end here
		in = chunk[p.read.feed(chunk):]
	}
	if len(in) > 0 {
		rest := p.run(in, false)
		p.held = append(p.held[:0], rest...)
	}
	if p.pauses && p.form != noForm {
		p.read.assembly().pause()
	}
}

// Close ends the input and closes open brackets.
func (p *Parser) Close() {
	held := p.held
	p.held = nil
	rest := p.run(held, true)
	if p.form == noForm {
		p.text.add(rest)
	} else {
		p.endBlock(p.opts.Unwrapped)
	}
	p.text.end()
}

// run reads in and returns what must wait for more.
func (p *Parser) run(in []byte, last bool) []byte {
	for len(in) > 0 {
		n, wait := 0, false
		if p.form == noForm {
			n, wait = p.readText(in, last)
		} else {
			n, wait = p.readPayload(in, last)
		}
		if in = in[n:]; wait {
			break
		}
	}
	return in
}

// readText takes text up to the next payload.
func (p *Parser) readText(in []byte, last bool) (n int, wait bool) {
	at := p.text.next(in, p.opts.TagsOnly)
	p.text.add(in[:at])
	if at == len(in) {
		return at, false
	}
	b := in[at:min(len(in), at+maxLook)]
	v, n := look(b, &p.text, p.opts.TagsOnly)
	if v == more && len(b) < maxLook && !last {
		return at, true
	}
	switch v {
	case opensTag:
		p.open(tagged)
	case opensBoth:
		p.open(tagged)
		p.text.both = true
	case dropsFence:
		p.text.both = false
	case opensFence:
		p.open(fenced)
	case opensBare:
		p.open(bare)
	case opensCode, closesCode:
		p.text.code = v == opensCode
		p.text.add(in[at : at+n])
	default:
		n = 1
		p.text.add(in[at : at+n])
	}
	return at + n, false
}

func (p *Parser) open(f form) {
	p.text.end()
	if f == tagged {
		p.tags++
	}
	p.form = f
	p.raw = p.raw[:0]
	p.read.reset(f)
}

// readPayload takes JSON up to the end of the payload.
func (p *Parser) readPayload(in []byte, last bool) (n int, wait bool) {
	n = p.read.feed(in)
	if p.sink.Block != nil {
		p.keep(in[:n])
	}
	if n == len(in) {
		return n, false
	}
	if p.form == bare && (p.read.done || p.read.broken) {
		p.endBlock(true)
		return n, false
	}
	b := in[n:min(len(in), n+maxLook)]
	v, size := p.read.stopped(b, p.form)
	if v == more && len(b) < maxLook && !last {
		return n, true
	}
	switch v {
	case closes:
		p.endBlock(true)
	case opensTag:
		p.endBlock(false)
		p.open(tagged)
	case skips:
		p.read.fences++
		p.keep(in[n : n+size])
	case more: // the start of a close tag that never came
		if size = 1; last {
			size = len(in) - n
			break
		}
		p.keep(in[n : n+1])
		p.unread(b[0])
	default:
		p.unread(b[0])
		if p.form == bare { // what cannot be read is text again
			return n, false
		}
		size = 1
		p.keep(in[n : n+1])
	}
	return n + size, false
}

// unread meets a byte that is no JSON. A part that cannot be read is a fault when the
// block ends.
func (p *Parser) unread(c byte) {
	passed := p.legacy != nil || p.read.words && p.read.fences%2 == 0 && (c == '<' || c == '`')
	if !passed || p.form == bare || len(p.read.frames) > 0 {
		p.read.fail()
	}
}

func (p *Parser) keep(b []byte) {
	if p.sink.Block != nil {
		p.raw = append(p.raw, b...)
	}
}

// tag is the number of the tagged block that is being read.
func (p *Parser) tag() int {
	if p.form == tagged {
		return p.tags
	}
	return 0
}

// endBlock closes all open brackets and goes back to text.
func (p *Parser) endBlock(closed bool) {
	if p.sink.Block != nil {
		p.sink.Block(p.raw, closed)
	}
	p.read.assembly().finish(closed)
	p.form = noForm
	p.text.afterBlock()
	p.text.add([]byte(p.read.after))
	p.read.after = ""
}

// text trims and hands out text in whole characters.
type text struct {
	emit  func(b []byte)
	keep  bool
	line  bool   // only white space since the line began
	code  bool   // inside a fenced block of something else
	both  bool   // after a tagged block that a fence encloses
	begun bool   // there was text since the last payload
	space []byte // white space that is text if more text follows
	part  []byte // of a character that was cut
	split bool   // a message that was too long may have ended inside a character
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// next returns the first byte that may open something.
func (t *text) next(in []byte, tagsOnly bool) int {
	line := t.line
	for i, c := range in {
		switch {
		case c == '<':
			return i
		case c == '\n':
			line = true
		case isSpace(c):
		case line && !tagsOnly && (c == '`' || !t.code && (c == '{' || c == '[')):
			return i
		default:
			line = false
		}
	}
	return len(in)
}

// add takes text; b may end inside a character.
func (t *text) add(b []byte) {
	for t.split && len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	if len(b) == 0 {
		return
	}
	t.split = false
	for i := len(b) - 1; i >= 0; i-- {
		if c := b[i]; c == '\n' {
			t.line = true
			break
		} else if !isSpace(c) {
			t.line = false
			break
		}
	}
	for i := 0; t.both && i < len(b); i++ {
		t.both = isSpace(b[i])
	}
	if len(t.part) > 0 {
		b = append(t.part, b...)
		t.part = nil
	}
	whole := wholeRunes(b)
	if whole < len(b) {
		t.part = append([]byte(nil), b[whole:]...)
		b = b[:whole]
	}
	from := 0
	for !t.begun && from < len(b) && isSpace(b[from]) {
		from++
	}
	to := len(b)
	for to > from && isSpace(b[to-1]) {
		to--
	}
	if t.keep { // all that is beside a character
		if t.begun {
			t.emit(b)
		} else if t.space = append(t.space, b...); to > from {
			t.begun = true
			t.emit(t.space)
			t.space = t.space[:0]
		}
		t.space = t.space[:min(len(t.space), maxSpace)]
		return
	}
	if to > from {
		if t.begun && len(t.space) > 0 {
			t.emit(t.space)
		}
		t.begun, t.space = true, t.space[:0]
		t.emit(b[from:to])
	}
	if t.begun {
		t.space = append(t.space, b[to:]...)
		t.space = t.space[:min(len(t.space), maxSpace)]
	}
}

// maxSpace is how much white space inside text is kept.
const maxSpace = 64 << 10

// end closes the text before a payload or the end of the input.
func (t *text) end() {
	if len(t.part) > 0 {
		part := t.part
		t.part = nil
		if t.begun && len(t.space) > 0 {
			t.emit(t.space)
		}
		t.emit(part)
	}
	t.begun, t.space = false, t.space[:0]
}

func (t *text) afterBlock() { t.line, t.code, t.split = true, false, true }

// wholeRunes returns the length of b without a character cut at its end.
func wholeRunes(b []byte) int {
	for i := 1; i <= utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return len(b) - i
			}
			break
		}
	}
	return len(b)
}
