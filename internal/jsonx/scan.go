package jsonx

import (
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner appends the nodes of one value to doc. Its methods return false after
// they have set err.
type scanner struct {
	in      string // texts are parts of it
	pos     int
	entries int
	lim     Limits
	nodes   []node   // become those of the Doc
	texts   []string // of strings with escapes
	err     *Error
}

func skipSpace(in string, i int) int {
	for i < len(in) && (in[i] == ' ' || in[i] == '\n' || in[i] == '\t' || in[i] == '\r') {
		i++
	}
	return i
}

// space skips white space at pos; mostly there is no white space.
func (p *scanner) space() {
	if p.pos < len(p.in) && p.in[p.pos] <= ' ' {
		p.pos = skipSpace(p.in, p.pos)
	}
}

func (p *scanner) fail(r Reason, format string, args ...any) bool {
	return p.failAt(p.pos, r, format, args...)
}

func (p *scanner) failAt(at int, r Reason, format string, args ...any) bool {
	p.err = &Error{r, at, fmt.Sprintf(format, args...)}
	return false
}

// add appends a scalar of n bytes, or with an unknown n a container.
func (p *scanner) add(kind Kind, off, n int, flag bool) bool {
	i := len(p.nodes)
	if i == cap(p.nodes) {
		p.nodes = slices.Grow(p.nodes, 1)
	}
	p.nodes = p.nodes[:i+1]
	m := &p.nodes[i] // field by field: a node that is put together first is copied late
	m.off, m.n, m.next, m.kind, m.flag = int32(off), int32(n), int32(i+1), kind, flag
	return true
}

func (p *scanner) value(depth int) bool {
	if p.pos >= len(p.in) {
		return p.fail(Syntax, "unexpected end of input")
	}
	switch c := p.in[p.pos]; {
	case c == '"':
		return p.str()
	case c == '{':
		return p.object(depth + 1)
	case c == '[':
		return p.array(depth + 1)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return p.word("true", Bool)
	case c == 'f':
		return p.word("false", Bool)
	case c == 'n':
		return p.word("null", Null)
	}
	return p.fail(Syntax, "unexpected character %q", rune(p.in[p.pos]))
}

func (p *scanner) word(w string, kind Kind) bool {
	if len(p.in)-p.pos < len(w) || p.in[p.pos:p.pos+len(w)] != w {
		return p.fail(Syntax, "unexpected word, want %s", w)
	}
	p.pos += len(w)
	return p.add(kind, p.pos-len(w), 0, w == "true")
}

func (p *scanner) entry() bool {
	if p.entries++; p.entries > p.lim.Entries {
		return p.fail(TooMany, "more than %d entries", p.lim.Entries)
	}
	return true
}

// open adds a container and goes to its first entry; empty reports that there is
// none.
func (p *scanner) open(kind Kind, depth int, closer byte) (self int, empty, ok bool) {
	if depth > p.lim.Depth {
		return 0, false, p.fail(TooDeep, "nesting above %d", p.lim.Depth)
	}
	self = len(p.nodes)
	p.add(kind, p.pos, 0, false)
	p.pos++
	p.space()
	if p.peek() == closer {
		p.pos++
		return self, true, true
	}
	return self, false, true
}

// close notes the entries of a container, now that they are known.
func (p *scanner) close(self, n int) bool {
	p.nodes[self].n, p.nodes[self].next = int32(n), int32(len(p.nodes))
	return true
}

func (p *scanner) array(depth int) bool {
	self, empty, ok := p.open(Array, depth, ']')
	if !ok || empty {
		return ok
	}
	for n := 1; ; n++ {
		if !p.entry() || !p.value(depth) {
			return false
		}
		if done, ok := p.next(']'); !ok {
			return false
		} else if done {
			return p.close(self, n)
		}
	}
}

func (p *scanner) object(depth int) bool {
	self, empty, ok := p.open(Object, depth, '}')
	if !ok || empty {
		return ok
	}
	keys := keySet{first: int32(self) + 1}
	for n := 1; ; n++ {
		if !p.entry() {
			return false
		}
		if p.peek() != '"' {
			return p.fail(Syntax, "expected an object key")
		}
		key := int32(len(p.nodes))
		if !p.str() {
			return false
		}
		if shape := p.shape(key); shape&keys.shapes == 0 && n <= wide {
			keys.shapes |= shape
		} else if !keys.claim(p, key, n) {
			return false
		}
		if p.peek() != ':' {
			if p.space(); p.peek() != ':' {
				return p.fail(Syntax, "expected ':' after an object key")
			}
		}
		p.pos++
		p.space()
		if !p.value(depth) {
			return false
		}
		if done, ok := p.next('}'); !ok {
			return false
		} else if done {
			return p.close(self, n)
		}
	}
}

// wide objects have more keys than this; they are found in a map.
const wide = 16

// keySet finds keys that appear twice in an object. A filter of one bit for each shape
// comes first: most keys of a small object have different shapes.
type keySet struct {
	first  int32
	shapes uint64
	seen   map[string]struct{} // of wide objects only
}

// shape is one bit that equal keys have in common; with escapes it is all.
func (p *scanner) shape(key int32) uint64 {
	m := &p.nodes[key]
	switch {
	case m.flag:
		return ^uint64(0)
	case m.n == 0:
		return 1
	}
	from := int(m.off) + 1
	return 1 << ((uint(p.in[from]) + 7*uint(p.in[from+int(m.n)-1]) + 13*uint(m.n)) & 63)
}

// claim refuses the n-th key of an object if one before it is the same.
func (s *keySet) claim(p *scanner, key int32, n int) bool {
	text := p.text(key)
	s.shapes |= p.shape(key)
	if n <= wide {
		for at := s.first; at < key; at = p.nodes[at+1].next {
			if p.text(at) == text {
				return p.duplicate(key)
			}
		}
		return true
	}
	if s.seen == nil {
		s.seen = make(map[string]struct{}, 2*wide)
		for at := s.first; at < key; at = p.nodes[at+1].next {
			s.seen[p.text(at)] = struct{}{}
		}
	}
	if _, dup := s.seen[text]; dup {
		return p.duplicate(key)
	}
	s.seen[text] = struct{}{}
	return true
}

// text is Doc.text before there is a Doc.
func (p *scanner) text(at int32) string {
	m := &p.nodes[at]
	if m.flag {
		return p.texts[m.n]
	}
	return p.in[m.off+1 : m.off+1+m.n]
}

func (p *scanner) duplicate(key int32) bool {
	return p.failAt(int(p.nodes[key].off), Duplicate, "duplicate key %q", p.text(key))
}

func (p *scanner) peek() byte {
	if p.pos < len(p.in) {
		return p.in[p.pos]
	}
	return 0
}

// next consumes the comma before another entry, or the closing bracket.
func (p *scanner) next(closer byte) (done, ok bool) {
	p.space()
	switch p.peek() {
	case closer:
		p.pos++
		return true, true
	case ',':
		p.pos++
		p.space()
		return false, true
	}
	return false, p.fail(Syntax, "expected ',' or %q", rune(closer))
}

func (p *scanner) number() bool {
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
		return p.fail(Syntax, "malformed number")
	}
	if i-start > p.lim.String {
		return p.fail(TooLarge, "number above %d bytes", p.lim.String)
	}
	p.pos = i
	return p.add(Number, start, i-start, false)
}

// str reads a string that starts at pos with a quote.
func (p *scanner) str() bool {
	start, in := p.pos+1, p.in
	ascii := true
	for i := start; i < len(in); {
		if i+8 <= len(in) {
			found := special(eight(in[i:]))
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
		}
		switch c := in[i]; {
		case c == '"' && ascii && i-start <= p.lim.String:
			p.pos = i + 1
			return p.add(String, start-1, i-start, false)
		case c == '"':
			return p.finish(start, i)
		case c == '\\':
			return p.escaped(start, i)
		case c < 0x20:
			p.pos = i
			return p.fail(Syntax, "control character in a string")
		case c >= utf8.RuneSelf:
			ascii = false
		}
		i++
	}
	p.pos = len(in)
	return p.fail(Syntax, "unterminated string")
}

// eight returns the first eight bytes of s as a number, the first one lowest:
// the compiler makes one load of it, as of binary.LittleEndian.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// special marks the first byte of eight that is no plain ASCII character of a
// string: a quote, a backslash, a control character or a part of a longer one.
// Bytes after the first may be marked wrongly.
func special(w uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, slash := w^('"'*ones), w^('\\'*ones)
	return (w | (w-0x20*ones)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & high
}

// finish is the end of a string that is long or has more than ASCII.
func (p *scanner) finish(start, end int) bool {
	if !utf8.ValidString(p.in[start:end]) {
		return p.fail(Encoding, "invalid UTF-8 in a string")
	}
	if end-start > p.lim.String {
		return p.fail(TooLarge, "string above %d bytes", p.lim.String)
	}
	p.pos = end + 1
	return p.add(String, start-1, end-start, false)
}

// escaped reads the rest of a string whose first backslash is at i.
func (p *scanner) escaped(start, i int) bool {
	buf := append(make([]byte, 0, i-start+32), p.in[start:i]...)
	for i < len(p.in) {
		c := p.in[i]
		switch {
		case c == '"':
			if !utf8.Valid(buf) {
				return p.fail(Encoding, "invalid UTF-8 in a string")
			}
			if len(buf) > p.lim.String {
				return p.fail(TooLarge, "string above %d bytes", p.lim.String)
			}
			p.pos = i + 1
			p.texts = append(p.texts, string(buf))
			return p.add(String, start-1, len(p.texts)-1, true)
		case c < 0x20:
			p.pos = i
			return p.fail(Syntax, "control character in a string")
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
			return p.fail(Syntax, "unknown escape in a string")
		}
		r, n, ok := unescape(p.in[i:])
		if n == 0 {
			return p.fail(Syntax, "malformed \\u escape")
		}
		if !ok {
			return p.fail(Encoding, "lone surrogate in a string")
		}
		buf = utf8.AppendRune(buf, r)
		i += n
	}
	p.pos = len(p.in)
	return p.fail(Syntax, "unterminated string")
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
func unescape(in string) (r rune, n int, ok bool) {
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

func hex4(in string) (rune, bool) {
	if len(in) < 6 || in[0] != '\\' || in[1] != 'u' {
		return 0, false
	}
	var r rune
	for i := 2; i < 6; i++ {
		c := in[i]
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
