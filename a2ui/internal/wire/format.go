package wire

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/jsonx"
)

// The text of a formatString has ${…} in it:
//
//	text = { any | "\${" | "${" expr "}" }
//	expr = path | name "(" [ name ":" expr { "," name ":" expr } [ "," ] ] ")"
//	     | 'string' | "string" | number | true | false | null | "${" expr "}"
//
// A path is a JSON Pointer or relative; a string knows the escapes \n \t \r and
// takes any other escaped character as it is. An empty expression is no text.
// Parsing is linear in the length of the text but for nested ${…}, which are
// read once a level.

// MaxFormatDepth is how deep expressions may nest.
const MaxFormatDepth = 100

// FormatRules narrows the grammar to what older parsers read.
type FormatRules struct {
	// Plain has neither signs nor exponents in numbers, no name with an @, no ~
	// and no letters beyond ASCII in paths, and takes arguments without commas.
	Plain bool
}

// FormatReason is the kind of a fault of a template.
type FormatReason string

// The reasons.
const (
	FormatUnclosed FormatReason = "unclosed" // a ${ without its }
	FormatTrailing FormatReason = "trailing" // characters after an expression
	FormatNumber   FormatReason = "number"   // a malformed number
	FormatColon    FormatReason = "colon"    // an argument without a colon after its name
	FormatParen    FormatReason = "paren"    // arguments that are not closed or not apart
	FormatName     FormatReason = "name"     // a call without a name
	FormatDepth    FormatReason = "depth"    // expressions too deep inside one another
)

// FormatError is a fault of a template, with its place.
type FormatError struct {
	Reason  FormatReason
	Offset  int // bytes from the start of the expression that holds it
	Message string
}

// Error implements error.
func (e *FormatError) Error() string { return e.Message }

// ParseFormat splits a template into String, Bool, Literal (a number or null), Path
// and Call values. Neighbouring literal text is one String; a template without
// any part is one empty String.
func ParseFormat(in string, o FormatRules) ([]Value, error) {
	var parts []Value
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			parts = append(parts, String(text.String()))
			text.Reset()
		}
	}
	for in != "" {
		at := strings.Index(in, "${")
		if at < 0 {
			text.WriteString(in)
			break
		}
		if at > 0 && in[at-1] == '\\' {
			text.WriteString(in[:at-1])
			text.WriteString("${")
			in = in[at+2:]
			continue
		}
		text.WriteString(in[:at])
		inner, rest, err := interpolation(in[at+2:])
		if err != nil {
			return nil, err
		}
		v, err := parseExpr(inner, formatScanner{FormatRules: o}, 1)
		if err != nil {
			return nil, err
		}
		if s, ok := v.(String); ok {
			text.WriteString(string(s))
		} else {
			flush()
			parts = append(parts, v)
		}
		in = rest
	}
	flush()
	if parts == nil {
		parts = []Value{String("")}
	}
	return parts, nil
}

// FormatReader takes the paths and the names of functions in a template.
type FormatReader interface {
	ReadPath(string)
	ReadCall(string)
}

// ReadFormat is ParseFormat for a reader that needs no values, and allocates none.
func ReadFormat(in string, o FormatRules, r FormatReader) error {
	for {
		at := strings.Index(in, "${")
		if at < 0 {
			return nil
		}
		if at > 0 && in[at-1] == '\\' {
			in = in[at+2:]
			continue
		}
		inner, rest, err := interpolation(in[at+2:])
		if err != nil {
			return err
		}
		if _, err := parseExpr(inner, formatScanner{FormatRules: o, reader: r}, 1); err != nil {
			return err
		}
		in = rest
	}
}

// interpolation splits in at the brace that closes it, past nested braces and
// quoted text.
func interpolation(in string) (inner, rest string, err error) {
	depth := 1
	for i := 0; i < len(in); i++ {
		switch c := in[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return in[:i], in[i+1:], nil
			}
		case '\'', '"':
			for i++; i < len(in) && in[i] != c; i++ {
				if in[i] == '\\' {
					i++
				}
			}
		}
	}
	return "", "", &FormatError{FormatUnclosed, len(in), "an expression starts with ${ and does not end with }"}
}

// formatScanner reads one expression.
type formatScanner struct {
	FormatRules
	reader FormatReader // nil = values are made
	in     string
	pos    int
}

// parseExpr reads an expression with the rules and the reader of s.
func parseExpr(in string, s formatScanner, depth int) (Value, error) {
	s.in, s.pos = strings.TrimSpace(in), 0
	v, err := s.expr(depth)
	if s.space(); err == nil && s.pos < len(s.in) {
		err = s.fail(FormatTrailing, "an expression ends before %.40q", s.in[s.pos:])
	}
	return v, err
}

func (s *formatScanner) fail(r FormatReason, format string, args ...any) error {
	return &FormatError{r, s.pos, fmt.Sprintf(format, args...)}
}

func (s *formatScanner) peek() byte {
	if s.pos < len(s.in) {
		return s.in[s.pos]
	}
	return 0
}

func (s *formatScanner) space() {
	for s.pos < len(s.in) {
		r, n := utf8.DecodeRuneInString(s.in[s.pos:])
		if !unicode.IsSpace(r) {
			return
		}
		s.pos += n
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_'
}

// namedLiterals are the literals with a name; null is no text.
var namedLiterals = []struct {
	name  string
	value Value
}{{"true", Bool(true)}, {"false", Bool(false)}, {"null", Literal{}}}

func (s *formatScanner) expr(depth int) (Value, error) {
	if depth > MaxFormatDepth {
		return nil, s.fail(FormatDepth, "expressions are nested, more than %d deep", MaxFormatDepth)
	}
	s.space()
	switch c := s.peek(); {
	case s.pos >= len(s.in):
		return String(""), nil
	case strings.HasPrefix(s.in[s.pos:], "${"):
		inner, rest, err := interpolation(s.in[s.pos+2:])
		if err != nil {
			return nil, err
		}
		s.pos = len(s.in) - len(rest)
		return parseExpr(inner, *s, depth+1)
	case c == '\'' || c == '"':
		return s.quoted(c), nil
	case isDigit(c), !s.Plain && signedNumber.MatchString(s.in[s.pos:]):
		return s.number()
	}
	if v := s.word(); v != nil {
		return v, nil
	}
	token := s.token()
	if s.space(); s.peek() == '(' {
		s.pos++
		return s.call(token, depth)
	}
	switch {
	case token == "":
		return String(""), nil
	case s.reader != nil:
		s.reader.ReadPath(token)
		return nil, nil
	}
	return Path(token), nil
}

// word reads a literal that has a name, nil for anything else. Older parsers take
// the start of a path for one.
func (s *formatScanner) word() Value {
	start := s.pos
	token := s.token()
	for _, w := range namedLiterals {
		if after, ok := strings.CutPrefix(token, w.name); ok && (after == "" || s.Plain && !isWord(after[0])) {
			s.pos = start + len(w.name)
			return w.value
		}
	}
	s.pos = start
	return nil
}

// token reads a path or the name of a function.
func (s *formatScanner) token() string {
	start := s.pos
	if s.peek() == '@' && !s.Plain {
		s.pos++
	}
	for s.pos < len(s.in) {
		c, n := s.in[s.pos], 1
		switch {
		case isWord(c), c == '/', c == '.', c == '-', c == '~' && !s.Plain:
		case c >= utf8.RuneSelf && !s.Plain:
			var r rune
			r, n = utf8.DecodeRuneInString(s.in[s.pos:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
				return s.in[start:s.pos]
			}
		default:
			return s.in[start:s.pos]
		}
		s.pos += n
	}
	return s.in[start:s.pos]
}

func (s *formatScanner) quoted(quote byte) Value {
	var b strings.Builder
	for s.pos++; s.pos < len(s.in); s.pos++ {
		c := s.in[s.pos]
		if c == quote {
			s.pos++
			break
		}
		if c == '\\' && s.pos+1 < len(s.in) {
			s.pos++
			c = s.in[s.pos]
			if i := strings.IndexByte("ntr", c); i >= 0 {
				c = "\n\t\r"[i]
			}
		}
		if s.reader == nil {
			b.WriteByte(c)
		}
	}
	return String(b.String())
}

// signedNumber starts a number that does not start with a digit.
var signedNumber = regexp.MustCompile(`^(\.|[-+]\.?)[0-9]`)

// number reads digits with at most one point, and where they are known a sign
// and an exponent. More points and an exponent without digits are read
// too, so that they fail.
func (s *formatScanner) number() (Value, error) {
	start := s.pos
	while := func(in func(byte) bool) {
		for s.pos < len(s.in) && in(s.in[s.pos]) {
			s.pos++
		}
	}
	sign := func(c byte) bool { return c == '-' || c == '+' }
	if sign(s.peek()) {
		s.pos++
	}
	while(func(c byte) bool { return isDigit(c) || c == '.' })
	if c := s.peek(); !s.Plain && (c == 'e' || c == 'E') {
		s.pos++
		if sign(s.peek()) {
			s.pos++
		}
		while(isDigit)
	}
	text := s.in[start:s.pos]
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, s.fail(FormatNumber, "%.40q is not a number", text)
	}
	if s.reader != nil {
		return nil, nil
	}
	return Literal{Data: jsonx.OfNumber(string(jsonx.AppendFloat(nil, f)))}, nil
}

func (s *formatScanner) call(name string, depth int) (Value, error) {
	if name == "" {
		return nil, s.fail(FormatName, "a call has no function name before its (")
	}
	if s.reader != nil {
		s.reader.ReadCall(name)
	}
	c := Call{Func: name}
	for s.space(); s.pos < len(s.in) && s.peek() != ')'; s.space() {
		start := s.pos
		for s.pos < len(s.in) && isWord(s.in[s.pos]) {
			s.pos++
		}
		arg := s.in[start:s.pos]
		if s.space(); s.peek() != ':' || arg == "" && !s.Plain {
			return nil, s.fail(FormatColon, "argument %q of %s has no colon behind its name", arg, name)
		}
		s.pos++
		v, err := s.expr(depth + 1)
		if err != nil {
			return nil, err
		}
		if s.reader == nil {
			c.Args = append(c.Args, Prop{Name: arg, Value: v})
		}
		if s.space(); s.peek() == ',' {
			s.pos++
		} else if s.peek() != ')' && !s.Plain {
			break
		}
	}
	if s.peek() != ')' {
		return nil, s.fail(FormatParen, "the arguments of %s lack a comma or the closing bracket", name)
	}
	if s.pos++; s.reader != nil {
		return nil, nil
	}
	return c, nil
}
