package directive

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/jsonx"
)

// lenientParser reads what models write for JSON: the dialects of Python, JavaScript
// and word processors. It forgives only what can be read in one way; where a
// quote, a comma or a bracket is missing it gives up, since the meaning
// would be a guess. A comment may withdraw the text next to it, so it is refused.
type lenientParser struct {
	s       string
	i       int    // the next byte
	depth   int    // brackets that are open
	entries int    // members and items so far
	faults  faults // what had to be forgiven
}

// errCut is a text that ends before its value does.
var errCut = errors.New("cut short")

// faults is a set of forgiven faults.
type faults uint16

const (
	commaFault faults = 1 << iota
	breakFault
	quoteFault
	literalFault
	keyFault
	numberFault
	escapeFault
	duplicateFault
)

var faultNames = []string{"a comma", "a raw line break", "quotes", "a literal", "a bare key", "a number", "an escape",
	"a repeated key"}

func (f faults) String() string {
	var names []string
	for ; f != 0; f &= f - 1 {
		names = append(names, faultNames[bits.TrailingZeros16(uint16(f))])
	}
	return strings.Join(names, ", ")
}

// parseLenient reads the value that begins at s[i] and returns where it ends. With
// errCut it also returns the complete members of an object.
func parseLenient(s string, i int) (v jsonx.Value, end int, f faults, err error) {
	m := &lenientParser{s: s, i: i}
	v, err = m.value()
	return v, m.i, m.faults, err
}

func (m *lenientParser) wrong(what string) error {
	if m.i >= len(m.s) {
		return errCut
	}
	return errors.New(what + " at offset " + strconv.Itoa(m.i))
}

// peek skips white space and returns the next byte, 0 at the end.
func (m *lenientParser) peek() byte {
	for m.i < len(m.s) {
		switch c := m.s[m.i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			m.i++
		case c < utf8.RuneSelf:
			return c
		default:
			n := blank(m.s[m.i:])
			if n == 0 {
				return c
			}
			m.i += n
		}
	}
	return 0
}

// blank returns the length of a space that is not ASCII at the start of s.
func blank(s string) int {
	switch r, n := utf8.DecodeRuneInString(s); r {
	case '\u00a0', '\u200b', '\u200c', '\u200d', '\u2060', '\u3000', '\ufeff', '\u2028', '\u2029', '\u202f':
		return n
	}
	return 0
}

func (m *lenientParser) value() (jsonx.Value, error) {
	c := m.peek()
	var v jsonx.Value
	var err error
	switch {
	case c == '{' || c == '[':
		if m.depth++; m.depth > maxDepth {
			return v, m.wrong("nested too deep")
		}
		if c == '{' {
			err = m.object(&v)
		} else {
			err = m.array(&v)
		}
		m.depth--
	case m.quote() != "":
		v.Kind = jsonx.String
		v.Str, err = m.text()
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		err = m.number(&v)
	default:
		err = m.literal(&v)
	}
	return v, err
}

func (m *lenientParser) object(v *jsonx.Value) error {
	v.Kind = jsonx.Object
	var seen map[string]int // of wide objects
	for m.i++; ; {
		c := m.peek()
		if c == '}' {
			m.i++
			return nil
		}
		key, err := m.key()
		if err != nil {
			return err
		}
		switch c = m.peek(); {
		case c == ':':
			m.i++
		case c == '=' && strings.HasPrefix(m.s[m.i:], "=>"):
			m.faults |= literalFault
			m.i += 2
		default:
			return m.wrong("a key without a value")
		}
		val, err := m.value()
		if err != nil {
			return err
		}
		if err := m.add(v, &seen, jsonx.Member{Key: key, Value: val}); err != nil {
			return err
		}
		if err := m.comma('}'); err != nil {
			return err
		}
	}
}

// add appends a member. A key may occur twice only with one value.
func (m *lenientParser) add(v *jsonx.Value, seen *map[string]int, e jsonx.Member) error {
	if m.entries++; m.entries > maxEntries {
		return m.wrong("too many values")
	}
	at := -1
	if len(v.Members) < 16 {
		for i := range v.Members {
			if v.Members[i].Key == e.Key {
				at = i
			}
		}
	} else {
		if *seen == nil {
			*seen = make(map[string]int, 2*len(v.Members))
			for i := range v.Members {
				(*seen)[v.Members[i].Key] = i
			}
		}
		if i, ok := (*seen)[e.Key]; ok {
			at = i
		}
	}
	if at < 0 {
		if *seen != nil {
			(*seen)[e.Key] = len(v.Members)
		}
		v.Members = append(v.Members, e)
		return nil
	}
	if string(jsonx.AppendCanonical(nil, v.Members[at].Value)) != string(jsonx.AppendCanonical(nil, e.Value)) {
		m.i = min(m.i, len(m.s)-1) // not cut, wrong
		return m.wrong("a key with two values")
	}
	m.faults |= duplicateFault
	return nil
}

func (m *lenientParser) array(v *jsonx.Value) error {
	v.Kind = jsonx.Array
	for m.i++; ; {
		if m.peek() == ']' {
			m.i++
			return nil
		}
		item, err := m.value()
		if err != nil {
			return err
		}
		if m.entries++; m.entries > maxEntries {
			return m.wrong("too many values")
		}
		v.Items = append(v.Items, item)
		if item.Kind == jsonx.Object && m.peek() == '{' { // "} {": nothing else can be meant
			m.faults |= commaFault
			continue
		}
		if err := m.comma(']'); err != nil {
			return err
		}
	}
}

// comma passes the comma after an entry, or stops at the closing bracket.
func (m *lenientParser) comma(closing byte) error {
	switch m.peek() {
	case closing:
		return nil
	case ',':
		m.i++
		if m.peek() == closing {
			m.faults |= commaFault
		}
		return nil
	}
	return m.wrong("neither a comma nor a closing bracket")
}

func (m *lenientParser) key() (string, error) {
	if m.quote() != "" {
		return m.text()
	}
	from := m.i
	for m.i < len(m.s) && isWord(m.s[m.i]) {
		m.i++
	}
	if m.i == from {
		return "", m.wrong("no key")
	}
	m.faults |= keyFault
	return m.s[from:m.i], nil
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$'
}

// closers maps an opening quote to those that close it.
var closers = []struct {
	open  string
	close []string
}{
	{`"""`, []string{`"""`}}, {`'''`, []string{`'''`}}, {`"`, []string{`"`}}, {`'`, []string{`'`}},
	{"`", []string{"`"}},
	{"“", []string{"”", "“"}}, {"”", []string{"”"}}, {"„", []string{"“", "”"}}, {"‟", []string{"”"}},
	{"＂", []string{"＂"}},
	{"‘", []string{"’"}}, {"’", []string{"’"}}, {"«", []string{"»"}},
}

// quote returns the quote that opens at m.i, or "".
func (m *lenientParser) quote() string {
	if m.i >= len(m.s) {
		return ""
	}
	if c := m.s[m.i]; c < utf8.RuneSelf && c != '"' && c != '\'' && c != '`' {
		return ""
	}
	for i := range closers {
		if q := closers[i].open; strings.HasPrefix(m.s[m.i:], q) {
			if len(q) == 3 && q[1] == q[0] &&
				(m.i+3 >= len(m.s) || strings.IndexByte(",:}] \n\r\t", m.s[m.i+3]) >= 0 &&
					!strings.Contains(m.s[m.i+3:], q)) {
				continue
			}
			return q
		}
	}
	return ""
}

// text reads a string in any quotes. The quote that closes it is the first one
// that may; what follows has to fit, or the text is refused as a whole.
func (m *lenientParser) text() (string, error) {
	open := m.quote()
	if open != `"` {
		m.faults |= quoteFault
	}
	m.i += len(open)
	var ends []string
	for i := range closers {
		if closers[i].open == open {
			ends = closers[i].close
		}
	}
	from := m.i
	var out []byte // nil: no escape so far
	for m.i < len(m.s) {
		c := m.s[m.i]
		if c == '\\' {
			out = append(out, m.s[from:m.i]...)
			var err error
			if out, err = m.escape(out); err != nil {
				return "", err
			}
			from = m.i
			continue
		}
		if c < 0x20 {
			m.faults |= breakFault
		}
		if c == ends[0][0] || c >= utf8.RuneSelf {
			for _, end := range ends {
				if strings.HasPrefix(m.s[m.i:], end) {
					s := m.s[from:m.i]
					if open == "`" && strings.Contains(s, "${") {
						return "", m.wrong("an expression in a text")
					}
					m.i += len(end)
					if out != nil {
						return string(append(out, s...)), nil
					}
					return s, nil
				}
			}
		}
		m.i++
	}
	return "", errCut
}

// escape reads one escape at m.i.
func (m *lenientParser) escape(out []byte) ([]byte, error) {
	if m.i+1 >= len(m.s) {
		m.i = len(m.s)
		return out, errCut
	}
	c := m.s[m.i+1]
	if at := strings.IndexByte(`"\/bfnrt`, c); at >= 0 {
		m.i += 2
		return append(out, "\"\\/\b\f\n\r\t"[at]), nil
	}
	switch {
	case c == 'u' || c == 'x':
		return m.codepoint(out, map[byte]int{'u': 4, 'x': 2}[c])
	case c == '\n':
		m.i += 2
	case c > ' ' && c < 0x7f && !isWord(c) || c == '_' || c == '.' || c == '$': // \' \_ \* of Markdown
		m.i += 2
		out = append(out, c)
	default: // \d or a path of Windows: ambiguous
		return out, m.wrong("an escape of no meaning")
	}
	m.faults |= escapeFault
	return out, nil
}

func (m *lenientParser) codepoint(out []byte, digits int) ([]byte, error) {
	hex := func(at int) (rune, bool) {
		if at+digits > len(m.s) {
			return 0, false
		}
		n, err := strconv.ParseUint(m.s[at:at+digits], 16, 32)
		return rune(n), err == nil
	}
	r, ok := hex(m.i + 2)
	if !ok {
		if m.i+2+digits > len(m.s) {
			m.i = len(m.s)
		}
		return out, m.wrong("an escape of no meaning")
	}
	m.i += 2 + digits
	if digits == 2 {
		m.faults |= escapeFault
	}
	if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(m.s[m.i:], `\u`) {
		if low, ok := hex(m.i + 2); ok && low >= 0xdc00 && low < 0xe000 {
			m.i += 6
			return utf8.AppendRune(out, (r-0xd800)<<10+(low-0xdc00)+0x10000), nil
		}
	}
	if r >= 0xd800 && r < 0xe000 { // half a pair
		m.faults |= escapeFault
		r = utf8.RuneError
	}
	return utf8.AppendRune(out, r), nil
}

func (m *lenientParser) number(v *jsonx.Value) error {
	from := m.i
	for m.i < len(m.s) && (m.s[m.i] >= '0' && m.s[m.i] <= '9' || strings.IndexByte("+-.eE", m.s[m.i]) >= 0) {
		m.i++
	}
	s := m.s[from:m.i]
	plus := strings.TrimPrefix(s, "+")
	if plus != s || s == "-" && strings.HasPrefix(m.s[m.i:], "Inf") || strings.HasPrefix(plus, ".") ||
		strings.HasPrefix(plus, "-.") || strings.HasSuffix(plus, ".") {
		m.faults |= numberFault
		s = strings.TrimSuffix(plus, ".")
		switch {
		case s == "-":
			return m.literal(v)
		case strings.HasPrefix(s, "."):
			s = "0" + s
		case strings.HasPrefix(s, "-."):
			s = "-0" + s[1:]
		}
	}
	n, err := jsonx.ParseString(s, jsonx.Limits{})
	if err != nil || n.Kind != jsonx.Number {
		return m.wrong("no number")
	}
	v.Kind, v.Str = jsonx.Number, n.Str
	return nil
}

// literal reads the words of JSON, Python, Ruby and JavaScript. What is no
// number is absent.
func (m *lenientParser) literal(v *jsonx.Value) error {
	from := m.i
	for m.i < len(m.s) && isWord(m.s[m.i]) {
		m.i++
	}
	word := m.s[from:m.i]
	switch word {
	case "true", "false", "null":
	default:
		m.faults |= literalFault
	}
	switch word {
	case "true", "True", "TRUE":
		v.Kind, v.Bool = jsonx.Bool, true
	case "false", "False", "FALSE":
		v.Kind = jsonx.Bool
	case "null", "None", "NULL", "nil", "undefined", "NaN", "nan", "Infinity", "inf":
		v.Kind = jsonx.Null
	default:
		return m.wrong("no value")
	}
	return nil
}
