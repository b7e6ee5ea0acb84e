package directive

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/jsonx"
)

// lenientParser reads what models write for JSON: the dialects of Python, JavaScript
// and word processors. It forgives only what can be read in one way; where a
// quote, a comma or a bracket is missing it gives up, since the meaning
// would be a guess. A comment may withdraw the text next to it, so it is refused.
type lenientParser struct {
	s        string
	i        int      // the next byte
	depth    int      // brackets that are open
	entries  int      // members and items so far
	forgiven []string // the kinds of faults, each once
}

// errCut is a text that ends before its value does.
var errCut = errors.New("cut short")

// parseLenient reads the value that s begins with and returns where it ends, and what
// was forgiven. With errCut it also returns the complete members of an object.
func parseLenient(s string) (v jsonx.Value, end int, forgiven string, err error) {
	m := &lenientParser{s: s}
	err = m.value(&v)
	return v, m.i, strings.Join(m.forgiven, ", "), err
}

func (m *lenientParser) forgive(fault string) {
	if !slices.Contains(m.forgiven, fault) {
		m.forgiven = append(m.forgiven, fault)
	}
}

func (m *lenientParser) wrong(what string) error {
	if m.i >= len(m.s) {
		return errCut
	}
	return errors.New(what + " at offset " + strconv.Itoa(m.i))
}

// peek skips white space and returns the next byte, 0 at the end.
func (m *lenientParser) peek() byte {
	rest := trimLeft(m.s[m.i:])
	m.i = len(m.s) - len(rest)
	if rest == "" {
		return 0
	}
	return rest[0]
}

// word reads a bare word, which may be empty.
func (m *lenientParser) word() string {
	from := m.i
	for m.i < len(m.s) && isWord(m.s[m.i]) {
		m.i++
	}
	return m.s[from:m.i]
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$'
}

func (m *lenientParser) value(v *jsonx.Value) (err error) {
	c := m.peek()
	switch q := m.quote(); {
	case c == '{' || c == '[':
		if m.depth++; m.depth > maxDepth {
			return m.wrong("nested too deep")
		}
		v.Kind = jsonx.Array
		closing := byte(']')
		if c == '{' {
			v.Kind, closing = jsonx.Object, '}'
		}
		err = m.list(v, closing)
		m.depth--
	case q != nil:
		v.Kind = jsonx.String
		v.Str, err = m.text(q)
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		err = m.number(v)
	default:
		err = m.literal(v)
	}
	return err
}

// list reads members or items with the commas between them, up to the closing bracket.
func (m *lenientParser) list(v *jsonx.Value, closing byte) error {
	seen := map[string]int{} // keys
	for m.i++; m.peek() != closing; {
		if m.entries++; m.entries > maxEntries {
			return m.wrong("too many values")
		}
		entry := m.item
		if closing == '}' {
			entry = func(v *jsonx.Value) error { return m.member(v, seen) }
		}
		if err := entry(v); err != nil {
			return err
		}
		switch c := m.peek(); {
		case c == closing:
		case c == ',':
			if m.i++; m.peek() == closing {
				m.forgive("a comma")
			}
		case c == '{' && closing == ']' && v.Items[len(v.Items)-1].Kind == jsonx.Object: // "} {": one meaning
			m.forgive("a comma")
		default:
			return m.wrong("neither a comma nor a closing bracket")
		}
	}
	m.i++
	return nil
}

func (m *lenientParser) item(v *jsonx.Value) error {
	var item jsonx.Value
	if err := m.value(&item); err != nil {
		return err
	}
	v.Items = append(v.Items, item)
	return nil
}

// member reads a key with its value. A key may occur twice only with one value.
func (m *lenientParser) member(v *jsonx.Value, seen map[string]int) error {
	e := jsonx.Member{}
	var err error
	if q := m.quote(); q != nil {
		e.Key, err = m.text(q)
	} else if e.Key = m.word(); e.Key == "" {
		err = m.wrong("no key")
	} else {
		m.forgive("a bare key")
	}
	if err != nil {
		return err
	}
	switch m.peek(); {
	case strings.HasPrefix(m.s[m.i:], ":"):
		m.i++
	case strings.HasPrefix(m.s[m.i:], "=>"):
		m.forgive("a literal")
		m.i += 2
	default:
		return m.wrong("a key without a value")
	}
	if err := m.value(&e.Value); err != nil {
		return err
	}
	at, twice := seen[e.Key]
	switch {
	case !twice:
		seen[e.Key] = len(v.Members)
		v.Members = append(v.Members, e)
	case string(jsonx.AppendCanonical(nil, v.Members[at].Value)) != string(jsonx.AppendCanonical(nil, e.Value)):
		return errors.New("a key with two values")
	default:
		m.forgive("a repeated key")
	}
	return nil
}

// quotes are an opening quote and those that close it.
type quotes struct {
	open  string
	close []string
}

// The quotes that models use; longer ones first.
var allQuotes = []quotes{
	{`"""`, []string{`"""`}}, {`'''`, []string{`'''`}}, {`"`, []string{`"`}}, {`'`, []string{`'`}},
	{"`", []string{"`"}},
	{"“", []string{"”", "“"}}, {"”", []string{"”"}}, {"„", []string{"“", "”"}}, {"‟", []string{"”"}},
	{"＂", []string{"＂"}},
	{"‘", []string{"’"}}, {"’", []string{"’"}}, {"«", []string{"»"}},
}

// quote returns the quotes that open at m.i, or nil. Three quotes in a row may be an
// empty text and another quote.
func (m *lenientParser) quote() *quotes {
	rest := m.s[m.i:]
	for i := range allQuotes {
		q := &allQuotes[i]
		after, opens := strings.CutPrefix(rest, q.open)
		if !opens {
			continue
		}
		if len(q.open) == 3 && q.open[1] == q.open[0] &&
			(after == "" || strings.IndexByte(",:}] \n\r\t", after[0]) >= 0 && !strings.Contains(after, q.open)) {
			continue
		}
		return q
	}
	return nil
}

// text reads a string in any quotes. The quote that closes it is the first one
// that may; what follows has to fit, or the text is refused as a whole.
func (m *lenientParser) text(q *quotes) (string, error) {
	if q.open != `"` {
		m.forgive("quotes")
	}
	m.i += len(q.open)
	from := m.i
	var out []byte // before from
	for m.i < len(m.s) {
		rest := m.s[m.i:]
		if rest[0] == '\\' {
			out = append(out, m.s[from:m.i]...)
			var err error
			if out, err = m.escape(out); err != nil {
				return "", err
			}
			from = m.i
			continue
		}
		if rest[0] < 0x20 {
			m.forgive("a raw line break")
		}
		for _, end := range q.close {
			if !strings.HasPrefix(rest, end) {
				continue
			}
			s := m.s[from:m.i]
			if q.open == "`" && strings.Contains(s, "${") {
				return "", m.wrong("an expression in a text")
			}
			m.i += len(end)
			if out != nil {
				s = string(append(out, s...))
			}
			return s, nil
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
	case c > ' ' && c < 0x7f && !isWord(c) || c == '_' || c == '.' || c == '$': // \' \_ \* of Markdown
		out = append(out, c)
	default: // \d or a path of Windows: ambiguous
		return out, m.wrong("an escape of no meaning")
	}
	m.i += 2
	m.forgive("an escape")
	return out, nil
}

// codepoint reads \uXXXX, with the other half of a pair after it, or \xXX.
func (m *lenientParser) codepoint(out []byte, digits int) ([]byte, error) {
	if m.i+2+digits > len(m.s) {
		m.i = len(m.s)
		return out, errCut
	}
	hex := func(at int) rune {
		n, err := strconv.ParseUint(m.s[at:at+digits], 16, 32)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	r := hex(m.i + 2)
	if r < 0 {
		return out, m.wrong("an escape of no meaning")
	}
	if m.i += 2 + digits; digits == 2 {
		m.forgive("an escape")
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r), nil
	}
	if strings.HasPrefix(m.s[m.i:], `\u`) && m.i+2+digits <= len(m.s) {
		if whole := utf16.DecodeRune(r, hex(m.i+2)); whole != utf8.RuneError {
			m.i += 2 + digits
			return utf8.AppendRune(out, whole), nil
		}
	}
	m.forgive("an escape") // half a pair
	return utf8.AppendRune(out, utf8.RuneError), nil
}

// number also reads +1, .5, 5. and -Infinity.
func (m *lenientParser) number(v *jsonx.Value) error {
	from := m.i
	for m.i < len(m.s) && strings.IndexByte("0123456789+-.eE", m.s[m.i]) >= 0 {
		m.i++
	}
	s := m.s[from:m.i]
	digits, negative := strings.CutPrefix(strings.TrimPrefix(s, "+"), "-")
	if negative && digits == "" && strings.HasPrefix(m.s[m.i:], "Inf") {
		return m.literal(v)
	}
	if digits = strings.TrimSuffix(digits, "."); strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	}
	if negative {
		digits = "-" + digits
	}
	if digits != s {
		m.forgive("a number")
	}
	if !jsonx.IsNumber(digits) {
		return m.wrong("no number")
	}
	v.Kind, v.Str = jsonx.Number, digits
	return nil
}

// literals are the words of JSON, Python, Ruby and JavaScript. What is no number is
// absent.
var literals = map[string]jsonx.Value{
	"true": jsonx.OfBool(true), "True": jsonx.OfBool(true), "TRUE": jsonx.OfBool(true),
	"false": jsonx.OfBool(false), "False": jsonx.OfBool(false), "FALSE": jsonx.OfBool(false),
	"null": {}, "None": {}, "NULL": {}, "nil": {}, "undefined": {}, "NaN": {}, "nan": {}, "Infinity": {}, "inf": {},
}

func (m *lenientParser) literal(v *jsonx.Value) error {
	word := m.word()
	value, known := literals[word]
	if !known {
		return m.wrong("no value")
	}
	if word != "true" && word != "false" && word != "null" {
		m.forgive("a literal")
	}
	*v = value
	return nil
}
