package jsonx

import (
	"fmt"
	"math"
)

// Limits bound what Parse accepts. A zero field takes the default named beside
// it; every limit is inclusive.
type Limits struct {
	Bytes   int // whole input; default 1 MiB
	Depth   int // nested arrays and objects; default 64
	Entries int // members and items in all; default 100,000
	String  int // bytes of one string or number; default 1 MiB
}

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = 1 << 20
	}
	if l.Depth == 0 {
		l.Depth = 64
	}
	if l.Entries == 0 {
		l.Entries = 100_000
	}
	if l.String == 0 {
		l.String = 1 << 20
	}
	l.Bytes = min(l.Bytes, math.MaxInt32) // as far as a node can count
	return l
}

// Reason is the kind of fault Parse met.
type Reason uint8

// Reasons of an Error.
const (
	Syntax    Reason = iota + 1 // not JSON
	Duplicate                   // an object key appears twice
	Encoding                    // invalid UTF-8 or a lone surrogate
	TooLarge                    // Limits.Bytes or Limits.String
	TooDeep                     // Limits.Depth
	TooMany                     // Limits.Entries
)

// Error names the fault of the input and its place.
type Error struct {
	Reason Reason
	Offset int // byte offset in the input
	Msg    string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("json: %s at byte %d", e.Msg, e.Offset) }

// Parse reads exactly one JSON value; only white space may surround it. The
// texts of the result are parts of one copy of the input, which lives as long as
// any of them.
func Parse(in []byte, lim Limits) (Value, error) {
	d, err := Scan(in, lim)
	if err != nil {
		return Value{}, err
	}
	return d.Root().Value(), nil
}

// ParseString is Parse without the copy: the texts of the result are parts of in.
func ParseString(in string, lim Limits) (Value, error) {
	var d Doc
	if err := d.scan(in, lim.withDefaults()); err != nil {
		return Value{}, err
	}
	return d.Root().Value(), nil
}

// Scan is Parse for a reader that wants the nodes, without a tree of Values.
func Scan(in []byte, lim Limits) (*Doc, error) {
	d := &Doc{}
	return d, d.Scan(in, lim)
}

// Scan reads another input into d, whose memory it uses again: the nodes of the
// one before are no longer valid, while its Values and texts are.
func (d *Doc) Scan(in []byte, lim Limits) error {
	lim = lim.withDefaults()
	if len(in) > lim.Bytes { // before it is copied
		return tooLarge(lim)
	}
	return d.scan(string(in), lim)
}

func tooLarge(lim Limits) error {
	return &Error{TooLarge, lim.Bytes, fmt.Sprintf("input above %d bytes", lim.Bytes)}
}

// scan reads in, whose texts are parts of it, within limits without a zero.
func (d *Doc) scan(in string, lim Limits) error {
	if len(in) > lim.Bytes {
		return tooLarge(lim)
	}
	const perNode = 8 // bytes of compact JSON for each node, about
	if d.nodes == nil {
		d.nodes = make([]node, 0, len(in)/perNode+4)
	}
	p := scanner{in: in, lim: lim, nodes: d.nodes[:0], pos: skipSpace(in, 0)}
	ok := p.value(0)
	*d = Doc{in, p.nodes, p.texts}
	if !ok {
		return p.err
	}
	if end := skipSpace(in, p.pos); end != len(in) {
		return &Error{Syntax, end, "unexpected text after the value"}
	}
	return nil
}

// IsNumber reports whether s is a number as JSON writes it.
func IsNumber[T string | []byte](s T) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	first := i
	if !digits() || s[first] == '0' && i-first > 1 {
		return false
	}
	if i < len(s) && s[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}
