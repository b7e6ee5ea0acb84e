package validate

import (
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// interpolated checks the ${…} of a formatString text (v0.9 and later):
//
//	text  = { any | "\${" | "${" expr "}" }
//	expr  = path | name "(" [ name ":" expr { "," name ":" expr } ] ")"
//	      | 'string' | "string" | number | true | false | null | "${" expr "}"
//
// Its paths are bindings like any other, @index counts as a call. An expression
// that cannot be read, and a function the catalog lacks, are problems in Safe:
// clients show nothing there, but the message is well formed.
func (r *run) interpolated(text string) {
	s := expression{run: r, in: text}
	for {
		at := strings.Index(s.in[s.at:], "${")
		if at < 0 {
			return
		}
		if s.at += at + 2; at > 0 && s.in[s.at-3] == '\\' {
			continue
		}
		if !s.expr(1) || !s.closes('}') {
			if r.Safe {
				r.add(wire.ComponentCallArgs, "", "the expression at byte %d of %q cannot be read", s.at, clip(text))
			}
			return
		}
	}
}

// expression reads one expression at a time.
type expression struct {
	*run
	in string
	at int
}

// maxExpression bounds how deep expressions nest.
const maxExpression = 20

func (s *expression) space() {
	for s.at < len(s.in) && strings.IndexByte(" \t\r\n\v\f", s.in[s.at]) >= 0 {
		s.at++
	}
}

// closes reads c after white space.
func (s *expression) closes(c byte) bool {
	if s.space(); s.at < len(s.in) && s.in[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *expression) expr(depth int) bool {
	if s.space(); s.at >= len(s.in) || depth > maxExpression {
		return false
	}
	switch c := s.in[s.at]; {
	case strings.HasPrefix(s.in[s.at:], "${"):
		s.at += 2
		return s.expr(depth+1) && s.closes('}')
	case c == '\'' || c == '"':
		return s.quoted(c)
	case c == '}' || c == ',' || c == ')': // an empty expression shows nothing
		return true
	}
	token := s.token()
	if s.closes('(') {
		return s.call(token, depth)
	}
	switch {
	case token == "":
		return false
	case token == "true", token == "false", token == "null", token[0] >= '0' && token[0] <= '9', token[0] == '-':
		return true
	}
	s.bind(token, 0)
	return true
}

func (s *expression) token() string {
	start := s.at
	for s.at < len(s.in) && (isWord(s.in[s.at]) || strings.IndexByte("/.-~@", s.in[s.at]) >= 0) {
		s.at++
	}
	return s.in[start:s.at]
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

func (s *expression) quoted(quote byte) bool {
	for s.at++; s.at < len(s.in); s.at++ {
		switch s.in[s.at] {
		case '\\':
			s.at++
		case quote:
			s.at++
			return true
		}
	}
	return false
}

// call reads the arguments of a function after "(".
func (s *expression) call(name string, depth int) bool {
	s.known(name)
	if s.closes(')') {
		return true
	}
	for {
		s.space()
		start := s.at
		for s.at < len(s.in) && isWord(s.in[s.at]) {
			s.at++
		}
		if s.at == start || !s.closes(':') || !s.expr(depth+1) {
			return false
		}
		if s.closes(')') {
			return true
		}
		if !s.closes(',') {
			return false
		}
	}
}

// known looks the function up where the call around it does.
func (s *expression) known(name string) {
	if s.Features.Index && wire.System[name] != nil {
		s.flags |= usesIndex
		return
	}
	if c := s.st.functions(); s.Safe && (c == nil || c.Functions[name] == nil) {
		s.add(wire.ComponentCallArgs, "", "the catalog has no function %q", clip(name))
	}
}

// functions is the catalog of calls that name none.
func (st *staged) functions() *wire.Catalog {
	if st == nil {
		return nil
	}
	return st.catalog
}
