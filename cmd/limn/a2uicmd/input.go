package a2uicmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// byteOrderMark is what some programs put before UTF-8; it is no JSON.
const byteOrderMark = "\ufeff"

// piece is one message as it is in the input.
type piece struct {
	raw  []byte // the message; valid until the next piece
	text []byte // the line or the document that holds it; valid as long
	kept bool   // text stays: it is a document
	at   int    // raw is text[at:]
	line int    // number of the line of raw's first byte, from 1
	tag  int    // grows from piece to piece; names it in problems found later
	turn bool   // a blank line precedes it it

	problem *a2ui.Problem // why there is no message here
}

// move sets where the piece begins; forward only.
func (p *piece) move(at int) {
	p.line += bytes.Count(p.text[p.at:at], []byte("\n"))
	p.at = at
}

// source reads messages out of an input: JSON lines, or JSON values over several
// lines, each one message, a list of messages or an object with "messages".
type source struct {
	in       *bufio.Reader
	document bool // values over several lines: the whole input is one text
	marked   bool // a byte order mark stood before it
}

// newSource looks at what comes first, at most 64 KiB. It waits for no more than
// the first line, unless that is no complete JSON value.
func newSource(r io.Reader) *source {
	s := &source{in: bufio.NewReaderSize(r, 64<<10)}
	if head, _ := s.in.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
		s.in.Discard(len(byteOrderMark)) //nolint:errcheck // it is there
		s.marked = true
	}
	s.document = s.isDocument()
	return s
}

// isDocument separates JSON lines from JSON that goes over several lines. A first
// line that is broken off is not taken for a document when the line that does
// not fit begins with the next object.
func (s *source) isDocument() bool {
	for lines := 1; ; lines++ {
		head, all := s.lines(lines)
		head = bytes.TrimLeft(head, " \t\r\n")
		if len(head) == 0 && !all {
			continue
		}
		first, _, _ := bytes.Cut(head, []byte("\n"))
		if isList(first) {
			return true
		}
		err := json.NewDecoder(bytes.NewReader(first)).Decode(new(json.RawMessage))
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			return false
		}
		err = json.NewDecoder(bytes.NewReader(head)).Decode(new(json.RawMessage))
		var bad *json.SyntaxError
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			if all {
				return len(first) < len(bytes.TrimRight(head, " \t\r\n"))
			}
		case errors.As(err, &bad):
			start := bytes.LastIndexByte(head[:max(0, int(bad.Offset)-1)], '\n') + 1
			return start > 0 && head[start] != '{'
		default:
			return true
		}
	}
}

// lines returns the first n lines that are not blank, or more if more is there;
// all means that the input or the buffer ends.
func (s *source) lines(n int) (head []byte, all bool) {
	for want := 1; ; want = len(head) + 1 {
		head = s.head(want)
		all = len(head) < want || len(head) == s.in.Size()
		if all || bytes.Count(bytes.TrimLeft(head, " \t\r\n"), []byte("\n")) >= n {
			return head, all
		}
	}
}

// head returns what can be read without waiting, at least n bytes unless the
// input or the buffer ends before.
func (s *source) head(n int) []byte {
	s.in.Peek(n) //nolint:errcheck // the next read returns it again
	b, _ := s.in.Peek(s.in.Buffered())
	return b
}

// pieces yields the messages one by one. An error is one of reading and the end.
func (s *source) pieces() iter.Seq2[piece, error] {
	return func(yield func(piece, error) bool) {
		if s.marked && !yield(piece{line: 1, problem: &a2ui.Problem{Code: a2ui.EnvelopeInvalid,
			Message: "the input begins with a byte order mark", Hint: "write UTF-8 without one"}}, nil) {
			return
		}
		if s.document {
			s.documentPieces(yield)
		} else {
			s.linePieces(yield)
		}
	}
}

func (s *source) linePieces(yield func(piece, error) bool) {
	last := 0
	for line, err := range a2ui.ReadLines(s.in, a2ui.Limits{}) {
		p := piece{raw: line.Bytes, text: line.Bytes, line: line.Number, tag: line.Number,
			turn: last > 0 && line.Number > last+1}
		last = line.Number
		if line.Column > 1 { // it is indented
			p.at = line.Column - 1
			p.text = append(bytes.Repeat([]byte(" "), p.at), line.Bytes...)
			p.raw = p.text[p.at:]
		}
		switch {
		case errors.As(err, &p.problem):
		case err != nil:
			yield(p, err)
			return
		case isList(p.raw):
			p.text = bytes.Clone(p.text) // many pieces share it
			p.raw = p.text[p.at:]
			if !split(p, yield) {
				return
			}
			continue
		}
		if !yield(p, nil) {
			return
		}
	}
}

func (s *source) documentPieces(yield func(piece, error) bool) {
	text, err := io.ReadAll(io.LimitReader(s.in, term.MaxInput+1))
	p := piece{text: text, kept: true, line: 1, tag: 1}
	switch {
	case err != nil:
		yield(p, err)
		return
	case len(text) > term.MaxInput:
		p.problem = &a2ui.Problem{Code: a2ui.LimitBytes,
			Message: fmt.Sprintf("a JSON document may have %d MiB", term.MaxInput>>20),
			Hint:    "write one message a line: such a stream has no limit"}
		yield(p, nil)
		return
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			p.move(offset(err, text))
			p.raw, p.problem = nil, unread(err)
			yield(p, nil)
			return
		}
		p.move(int(dec.InputOffset()) - len(raw))
		p.raw = text[p.at : p.at+len(raw)]
		if !isList(raw) {
			if !yield(p, nil) {
				return
			}
			p.tag++
			continue
		}
		ok := split(p, func(q piece, err error) bool {
			q.tag, p.tag = p.tag, p.tag+1
			return yield(q, err)
		})
		if !ok {
			return
		}
	}
}

// unread is the problem of a document that cannot be read on.
func unread(err error) *a2ui.Problem {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the input ends inside a JSON value")
	}
	return &a2ui.Problem{Code: a2ui.EnvelopeInvalid, Message: err.Error(), Hint: "what follows was not read"}
}

// offset is where encoding/json stopped.
func offset(err error, text []byte) int {
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok && bad.Offset > 0 {
		return min(int(bad.Offset)-1, len(text))
	}
	return len(bytes.TrimRight(text, " \t\r\n"))
}

// isList reports whether raw is a list of messages, or an object with one under
// "messages".
func isList(raw []byte) bool {
	if len(raw) > 0 && raw[0] == '[' {
		return true
	}
	if !bytes.Contains(raw, []byte(`"messages"`)) {
		return false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return false
	}
	list := members["messages"]
	return len(list) > 0 && list[0] == '['
}

// split yields the messages of what isList accepts. False: the receiver has
// enough.
func split(p piece, yield func(piece, error) bool) bool {
	dec := json.NewDecoder(bytes.NewReader(p.raw))
	if p.raw[0] == '[' {
		return splitList(dec, p, yield)
	}
	dec.Token() //nolint:errcheck // {; isList has read it all
	seen := false
	for dec.More() {
		if key, _ := dec.Token(); key != "messages" {
			dec.Decode(new(json.RawMessage)) //nolint:errcheck // isList has read it all
			continue
		}
		if seen {
			p.move(p.at + int(dec.InputOffset()) - len(`"messages"`))
			p.raw, p.problem = nil, unread(errors.New(`"messages" stands twice`))
			return yield(p, nil)
		}
		if seen = true; !splitList(dec, p, yield) {
			return false
		}
	}
	return true
}

func splitList(dec *json.Decoder, p piece, yield func(piece, error) bool) bool {
	dec.Token() //nolint:errcheck // [
	list, from := p.raw, p.at
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			p.move(min(max(p.at, from+offset(err, list)), len(p.text)))
			p.raw, p.problem = nil, unread(err)
			yield(p, nil)
			return false
		}
		start := int(dec.InputOffset()) - len(raw)
		p.move(from + start)
		p.raw = list[start : start+len(raw)]
		if !yield(p, nil) {
			return false
		}
		p.turn = false
	}
	dec.Token() //nolint:errcheck // ]
	return true
}
