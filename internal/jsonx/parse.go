package jsonx

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
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
	return l
}

// Reason is the kind of fault Parse met.
type Reason uint8

// Reasons of an Error.
const (
	Syntax    Reason = iota + 1 // not JSON
	Duplicate                   // an object key stands twice
	Encoding                    // invalid UTF-8 or a lone surrogate
	TooLarge                    // Limits.Bytes or Limits.String
	TooDeep                     // Limits.Depth
	TooMany                     // Limits.Entries
)

// Error says what is wrong with the input and where.
type Error struct {
	Reason Reason
	Offset int // byte offset in the input
	Msg    string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("json: %s at byte %d", e.Msg, e.Offset) }

// Parse reads exactly one JSON value; only white space may surround it.
func Parse(in []byte, lim Limits) (Value, error) {
	v, end, err := ParsePrefix(in, lim)
	if err != nil {
		return Value{}, err
	}
	if end = skipSpace(in, end); end != len(in) {
		return Value{}, &Error{Syntax, end, "unexpected text after the value"}
	}
	return v, nil
}

// ParsePrefix reads one JSON value at the start of in (after white space) and
// returns the offset just behind it.
func ParsePrefix(in []byte, lim Limits) (Value, int, error) {
	p := parser{in: in, lim: lim.withDefaults()}
	if len(in) > p.lim.Bytes {
		return Value{}, 0, &Error{TooLarge, p.lim.Bytes, fmt.Sprintf("input above %d bytes", p.lim.Bytes)}
	}
	p.pos = skipSpace(in, 0)
	v, err := p.value(0)
	if err != nil {
		return Value{}, 0, err
	}
	return v, p.pos, nil
}

type parser struct {
	in      []byte
	pos     int
	entries int
	lim     Limits
}

func skipSpace(in []byte, i int) int {
	for i < len(in) && (in[i] == ' ' || in[i] == '\n' || in[i] == '\t' || in[i] == '\r') {
		i++
	}
	return i
}

func (p *parser) fail(r Reason, format string, args ...any) error {
	return &Error{r, p.pos, fmt.Sprintf(format, args...)}
}

func (p *parser) value(depth int) (Value, error) {
	if p.pos >= len(p.in) {
		return Value{}, p.fail(Syntax, "unexpected end of input")
	}
	start := p.pos
	switch c := p.in[p.pos]; {
	case c == '{':
		return p.object(depth + 1)
	case c == '[':
		return p.array(depth + 1)
	case c == '"':
		s, err := p.str()
		return Value{Kind: String, Str: s, Off: start}, err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return Value{Kind: Bool, Bool: true, Off: start}, p.word("true")
	case c == 'f':
		return Value{Kind: Bool, Off: start}, p.word("false")
	case c == 'n':
		return Value{Off: start}, p.word("null")
	}
	return Value{}, p.fail(Syntax, "unexpected character %q", rune(p.in[p.pos]))
}

func (p *parser) word(w string) error {
	if len(p.in)-p.pos < len(w) || string(p.in[p.pos:p.pos+len(w)]) != w {
		return p.fail(Syntax, "unexpected word, want %s", w)
	}
	p.pos += len(w)
	return nil
}

func (p *parser) enter(depth int) error {
	if depth > p.lim.Depth {
		return p.fail(TooDeep, "nesting above %d", p.lim.Depth)
	}
	return nil
}

func (p *parser) entry() error {
	if p.entries++; p.entries > p.lim.Entries {
		return p.fail(TooMany, "more than %d entries", p.lim.Entries)
	}
	return nil
}

func (p *parser) array(depth int) (Value, error) {
	v := Value{Kind: Array, Off: p.pos}
	if err := p.enter(depth); err != nil {
		return v, err
	}
	p.pos = skipSpace(p.in, p.pos+1)
	if p.peek() == ']' {
		p.pos++
		return v, nil
	}
	for {
		if err := p.entry(); err != nil {
			return v, err
		}
		item, err := p.value(depth)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
		if done, err := p.next(']'); done || err != nil {
			return v, err
		}
	}
}

func (p *parser) object(depth int) (Value, error) {
	v := Value{Kind: Object, Off: p.pos}
	if err := p.enter(depth); err != nil {
		return v, err
	}
	p.pos = skipSpace(p.in, p.pos+1)
	if p.peek() == '}' {
		p.pos++
		return v, nil
	}
	var seen map[string]struct{} // only for wide objects; small ones are scanned
	for {
		if err := p.entry(); err != nil {
			return v, err
		}
		if p.peek() != '"' {
			return v, p.fail(Syntax, "expected an object key")
		}
		at := p.pos
		key, err := p.str()
		if err != nil {
			return v, err
		}
		if seen, err = v.claim(key, seen, at); err != nil {
			return v, err
		}
		if p.pos = skipSpace(p.in, p.pos); p.peek() != ':' {
			return v, p.fail(Syntax, "expected ':' after an object key")
		}
		p.pos = skipSpace(p.in, p.pos+1)
		val, err := p.value(depth)
		if err != nil {
			return v, err
		}
		v.Members = append(v.Members, Member{key, val})
		if done, err := p.next('}'); done || err != nil {
			return v, err
		}
	}
}

// claim refuses a key that the object already holds.
func (v *Value) claim(key string, seen map[string]struct{}, at int) (map[string]struct{}, error) {
	const wide = 16
	dup := false
	switch {
	case len(v.Members) < wide:
		_, dup = v.Get(key)
	default:
		if seen == nil {
			seen = make(map[string]struct{}, 2*wide)
			for _, m := range v.Members {
				seen[m.Key] = struct{}{}
			}
		}
		_, dup = seen[key]
		seen[key] = struct{}{}
	}
	if dup {
		return seen, &Error{Duplicate, at, fmt.Sprintf("duplicate key %q", key)}
	}
	return seen, nil
}

func (p *parser) peek() byte {
	if p.pos < len(p.in) {
		return p.in[p.pos]
	}
	return 0
}

// next consumes the comma before another entry, or the closing bracket.
func (p *parser) next(closer byte) (done bool, err error) {
	p.pos = skipSpace(p.in, p.pos)
	switch p.peek() {
	case closer:
		p.pos++
		return true, nil
	case ',':
		p.pos = skipSpace(p.in, p.pos+1)
		return false, nil
	}
	return false, p.fail(Syntax, "expected ',' or %q", rune(closer))
}

func (p *parser) number() (Value, error) {
	start, i, in := p.pos, p.pos, p.in
	digits := func() bool {
		from := i
		for i < len(in) && in[i] >= '0' && in[i] <= '9' {
			i++
		}
		return i > from
	}
	if in[i] == '-' {
		i++
	}
	zero := i < len(in) && in[i] == '0'
	from := i
	ok := digits() && !(zero && i-from > 1)
	if ok && i < len(in) && in[i] == '.' {
		i++
		ok = digits()
	}
	if ok && i < len(in) && (in[i] == 'e' || in[i] == 'E') {
		if i++; i < len(in) && (in[i] == '+' || in[i] == '-') {
			i++
		}
		ok = digits()
	}
	if !ok {
		return Value{}, p.fail(Syntax, "malformed number")
	}
	if i-start > p.lim.String {
		return Value{}, p.fail(TooLarge, "number above %d bytes", p.lim.String)
	}
	p.pos = i
	return Value{Kind: Number, Str: string(in[start:i]), Off: start}, nil
}

// str reads a string that starts at pos with a quote.
func (p *parser) str() (string, error) {
	start := p.pos + 1
	i := start
	ascii := true
	for i < len(p.in) {
		switch c := p.in[i]; {
		case c == '"':
			return p.finish(start, i, ascii)
		case c == '\\':
			return p.escaped(start, i)
		case c < 0x20:
			p.pos = i
			return "", p.fail(Syntax, "control character in a string")
		case c >= utf8.RuneSelf:
			ascii = false
		}
		i++
	}
	p.pos = len(p.in)
	return "", p.fail(Syntax, "unterminated string")
}

func (p *parser) finish(start, end int, ascii bool) (string, error) {
	raw := p.in[start:end]
	if !ascii && !utf8.Valid(raw) {
		return "", p.fail(Encoding, "invalid UTF-8 in a string")
	}
	if len(raw) > p.lim.String {
		return "", p.fail(TooLarge, "string above %d bytes", p.lim.String)
	}
	p.pos = end + 1
	return string(raw), nil
}

// escaped reads the rest of a string whose first backslash stands at i.
func (p *parser) escaped(start, i int) (string, error) {
	buf := append(make([]byte, 0, i-start+32), p.in[start:i]...)
	for i < len(p.in) {
		c := p.in[i]
		switch {
		case c == '"':
			if !utf8.Valid(buf) {
				return "", p.fail(Encoding, "invalid UTF-8 in a string")
			}
			if len(buf) > p.lim.String {
				return "", p.fail(TooLarge, "string above %d bytes", p.lim.String)
			}
			p.pos = i + 1
			return string(buf), nil
		case c < 0x20:
			p.pos = i
			return "", p.fail(Syntax, "control character in a string")
		case c != '\\':
			buf = append(buf, c)
			i++
			continue
		}
		p.pos = i
		if i+1 >= len(p.in) {
			break
		}
		if at := indexByte(`"\/bfnrt`, p.in[i+1]); at >= 0 {
			buf = append(buf, "\"\\/\b\f\n\r\t"[at])
			i += 2
			continue
		}
		if p.in[i+1] != 'u' {
			return "", p.fail(Syntax, "unknown escape in a string")
		}
		r, n, ok := unescape(p.in[i:])
		if n == 0 {
			return "", p.fail(Syntax, "malformed \\u escape")
		}
		if !ok {
			return "", p.fail(Encoding, "lone surrogate in a string")
		}
		buf = utf8.AppendRune(buf, r)
		i += n
	}
	p.pos = len(p.in)
	return "", p.fail(Syntax, "unterminated string")
}

func indexByte(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// unescape reads \uXXXX or a surrogate pair; n is 0 when the digits are
// malformed, ok false for a lone surrogate.
func unescape(in []byte) (r rune, n int, ok bool) {
	hi, ok := hex4(in)
	if !ok {
		return 0, 0, false
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 6, true
	}
	if lo, found := hex4(in[6:]); found {
		if r = utf16.DecodeRune(hi, lo); r != utf8.RuneError {
			return r, 12, true
		}
	}
	return 0, 6, false
}

func hex4(in []byte) (rune, bool) {
	if len(in) < 6 || in[0] != '\\' || in[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range in[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
