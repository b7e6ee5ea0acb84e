package client

import (
	"errors"
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui"
)

// formatString fills the ${…} of its value.
//
//	text  = { any | "\${" | "${" expr "}" }
//	expr  = path | name "(" [ name ":" expr { "," name ":" expr } ] ")"
//	      | 'string' | "string" | number | true | false | null | "${" expr "}"
func formatString(a args) (a2ui.Data, error) {
	v, err := a.value()
	if err != nil {
		return v, err
	}
	parts, err := parseTemplate(show(v), a.drawing.rules.strictNumbers)
	if err != nil {
		return v, err
	}
	var b strings.Builder
	for _, part := range parts {
		if v, ok := a.drawing.value(part, a.scope, a.depth+1); ok {
			b.WriteString(show(v))
		}
	}
	return dataText(b.String()), nil
}

// parseTemplate splits a template into literals, bindings and calls.
func parseTemplate(in string, plain bool) (parts []a2ui.Value, err error) {
	for in != "" {
		at := strings.Index(in, "${")
		if at < 0 {
			return append(parts, a2ui.String(in)), nil
		}
		if at > 0 && in[at-1] == '\\' {
			parts = append(parts, a2ui.String(in[:at-1]+"${"))
			in = in[at+2:]
			continue
		}
		if at > 0 {
			parts = append(parts, a2ui.String(in[:at]))
		}
		inner, rest, err := interpolation(in[at+2:])
		if err != nil {
			return nil, err
		}
		v, err := parseExpr(inner, plain, 1)
		if err != nil {
			return nil, err
		}
		parts, in = append(parts, v), rest
	}
	return parts, nil
}

// interpolation splits in at the brace that closes it, past nested braces and
// quotes.
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
	return "", "", errors.New("unclosed interpolation")
}

// exprScanner reads one expression.
type exprScanner struct {
	in    string
	pos   int
	plain bool // neither negative numbers nor names that start with @
}

func parseExpr(in string, plain bool, depth int) (a2ui.Value, error) {
	s := &exprScanner{in: strings.TrimSpace(in), plain: plain}
	v, err := s.expr(depth)
	if err == nil && s.pos < len(s.in) {
		err = fmt.Errorf("unexpected %q in an expression", s.in[s.pos:])
	}
	return v, err
}

func (s *exprScanner) peek() byte {
	if s.pos < len(s.in) {
		return s.in[s.pos]
	}
	return 0
}

func (s *exprScanner) space() {
	for s.pos < len(s.in) && strings.IndexByte(" \t\r\n\v\f", s.in[s.pos]) >= 0 {
		s.pos++
	}
}

func (s *exprScanner) expr(depth int) (a2ui.Value, error) {
	if depth > maxCalls {
		return nil, errors.New("expressions nested too deeply")
	}
	s.space()
	switch c := s.peek(); {
	case s.pos >= len(s.in):
		return a2ui.String(""), nil
	case strings.HasPrefix(s.in[s.pos:], "${"):
		inner, rest, err := interpolation(s.in[s.pos+2:])
		if err != nil {
			return nil, err
		}
		s.pos = len(s.in) - len(rest)
		return parseExpr(inner, s.plain, depth+1)
	case c == '\'' || c == '"':
		return s.quoted(c), nil
	case c >= '0' && c <= '9', c == '-' && !s.plain:
		return s.number()
	}
	for word, v := range map[string]a2ui.Value{"true": a2ui.Bool(true), "false": a2ui.Bool(false), "null": a2ui.String("")} {
		if after, ok := strings.CutPrefix(s.in[s.pos:], word); ok && (after == "" || !isWord(after[0])) {
			s.pos += len(word)
			return v, nil
		}
	}
	token := s.token()
	if s.space(); s.peek() == '(' {
		s.pos++
		return s.call(token, depth)
	}
	if token == "" {
		return a2ui.String(""), nil
	}
	return a2ui.Path(token), nil
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// token reads a path or a function name.
func (s *exprScanner) token() string {
	start := s.pos
	if s.peek() == '@' && !s.plain {
		s.pos++
	}
	for s.pos < len(s.in) && (isWord(s.in[s.pos]) || strings.IndexByte("/.-", s.in[s.pos]) >= 0) {
		s.pos++
	}
	return s.in[start:s.pos]
}

func (s *exprScanner) quoted(quote byte) a2ui.Value {
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
		b.WriteByte(c)
	}
	return a2ui.String(b.String())
}

func (s *exprScanner) number() (a2ui.Value, error) {
	start := s.pos
	if s.peek() == '-' {
		s.pos++
	}
	for s.pos < len(s.in) && (s.in[s.pos] >= '0' && s.in[s.pos] <= '9' || s.in[s.pos] == '.') {
		s.pos++
	}
	n := toNumber(dataText(s.in[start:s.pos]))
	if n != n || s.in[start:s.pos] == "-" {
		return nil, fmt.Errorf("malformed number %q", s.in[start:s.pos])
	}
	return a2ui.Literal{Data: numberData(n)}, nil
}

func (s *exprScanner) call(name string, depth int) (a2ui.Value, error) {
	c := a2ui.Call{Func: name}
	for s.space(); s.pos < len(s.in) && s.peek() != ')'; s.space() {
		start := s.pos
		for s.pos < len(s.in) && isWord(s.in[s.pos]) {
			s.pos++
		}
		arg := s.in[start:s.pos]
		if s.space(); s.peek() != ':' {
			return nil, fmt.Errorf("expected ':' after argument %q of %s", arg, name)
		}
		s.pos++
		v, err := s.expr(depth + 1)
		if err != nil {
			return nil, err
		}
		c.Args = append(c.Args, a2ui.Prop{Name: arg, Value: v})
		if s.space(); s.peek() == ',' {
			s.pos++
		}
	}
	if s.peek() != ')' {
		return nil, fmt.Errorf("expected ')' after the arguments of %s", name)
	}
	s.pos++
	return c, nil
}
