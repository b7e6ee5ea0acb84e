package translate

import (
	"errors"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

var errExpr = errors.New("malformed expression")

const maxExpr = 32 // expressions inside one another

// pieces splits the text of a formatString into texts, bindings and calls:
//
//	text = { any | "\${" | "${" expr "}" }
//	expr = path | name "(" [ name ":" expr { "," name ":" expr } ] ")"
//	     | 'text' | "text" | number | true | false | null | "${" expr "}"
func pieces(in string, depth int) (out []wire.Value, err error) {
	var text strings.Builder
	take := func() {
		if text.Len() > 0 {
			out = append(out, wire.String(text.String()))
			text.Reset()
		}
	}
	for {
		before, rest, found := strings.Cut(in, "${")
		if !found {
			text.WriteString(in)
			take()
			return out, nil
		}
		if plain, escaped := strings.CutSuffix(before, `\`); escaped {
			text.WriteString(plain + "${")
			in = rest
			continue
		}
		text.WriteString(before)
		inner, rest, ok := enclosed(rest)
		if !ok {
			return nil, errExpr
		}
		v, err := expression(inner, depth+1)
		if err != nil {
			return nil, err
		}
		if s, ok := v.(wire.String); ok {
			text.WriteString(string(s))
		} else {
			take()
			out = append(out, v)
		}
		in = rest
	}
}

// enclosed splits at the brace that closes, past braces and quotes.
func enclosed(in string) (inner, rest string, ok bool) {
	depth := 1
	for i := 0; i < len(in); i++ {
		switch c := in[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return in[:i], in[i+1:], true
			}
		case '\'', '"':
			for i++; i < len(in) && in[i] != c; i++ {
				if in[i] == '\\' {
					i++
				}
			}
		}
	}
	return "", "", false
}

// expression reads what stands between braces.
func expression(in string, depth int) (wire.Value, error) {
	r := reader{in: in}
	v, err := r.expr(depth)
	if r.space(); err == nil && r.in != "" {
		err = errExpr
	}
	return v, err
}

type reader struct{ in string }

func (r *reader) space() { r.in = strings.TrimLeft(r.in, " \t\r\n\v\f") }

func (r *reader) skip(c byte) bool {
	if r.space(); r.in == "" || r.in[0] != c {
		return false
	}
	r.in = r.in[1:]
	return true
}

func (r *reader) token(more string) string {
	n := 0
	for n < len(r.in) && (word(r.in[n]) || strings.IndexByte(more, r.in[n]) >= 0) {
		n++
	}
	token := r.in[:n]
	r.in = r.in[n:]
	return token
}

func word(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func (r *reader) expr(depth int) (wire.Value, error) {
	if depth > maxExpr {
		return nil, errExpr
	}
	r.space()
	switch {
	case r.in == "":
		return wire.String(""), nil
	case strings.HasPrefix(r.in, "${"):
		inner, rest, ok := enclosed(r.in[2:])
		if r.in = rest; !ok {
			return nil, errExpr
		}
		return expression(inner, depth+1)
	case r.in[0] == '\'' || r.in[0] == '"':
		return r.quoted(), nil
	case r.in[0] >= '0' && r.in[0] <= '9' || r.in[0] == '-':
		number, err := jsonx.Parse([]byte(r.token("-.+")), jsonx.Limits{})
		return wire.Literal{Data: number}, err
	}
	name := r.token("/.-@")
	if r.skip('(') {
		return r.call(name, depth)
	}
	switch name {
	case "true", "false":
		return wire.Bool(name == "true"), nil
	case "null", "":
		return wire.String(""), nil
	}
	return wire.Path(name), nil
}

func (r *reader) quoted() wire.Value {
	quote := r.in[0]
	var b strings.Builder
	i := 1
	for ; i < len(r.in) && r.in[i] != quote; i++ {
		c := r.in[i]
		if c == '\\' && i+1 < len(r.in) {
			i++
			c = r.in[i]
			if at := strings.IndexByte("ntr", c); at >= 0 {
				c = "\n\t\r"[at]
			}
		}
		b.WriteByte(c)
	}
	r.in = r.in[min(i+1, len(r.in)):]
	return wire.String(b.String())
}

func (r *reader) call(name string, depth int) (wire.Value, error) {
	c := wire.Call{Func: name}
	for !r.skip(')') {
		arg := r.token("")
		if !r.skip(':') {
			return nil, errExpr
		}
		v, err := r.expr(depth + 1)
		if err != nil {
			return nil, err
		}
		c.Args = append(c.Args, wire.Prop{Name: arg, Value: v})
		r.skip(',')
	}
	return c, nil
}

// interpolated writes a value as the text of a formatString.
func interpolated(v wire.Value) (string, bool) {
	switch v := v.(type) {
	case wire.String:
		return strings.ReplaceAll(string(v), "${", `\${`), true
	case wire.Call:
		if body, ok := arg(v, "value").(wire.String); ok && v.Func == "formatString" {
			return string(body), true
		}
	}
	e, ok := written(v, 0)
	return "${" + e + "}", ok
}

// written writes a value as an expression that all clients read.
func written(v wire.Value, depth int) (string, bool) {
	switch v := v.(type) {
	case wire.Path:
		p := string(v)
		plain := p != "" && strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-") == ""
		return p, plain && !(p[0] >= '0' && p[0] <= '9') && p[0] != '-' && p != "true" && p != "false" && p != "null"
	case wire.String:
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(string(v)) + "'", true
	case wire.Bool:
		if v {
			return "true", true
		}
		return "false", true
	case wire.Literal:
		digits := strings.Trim(v.Data.Str, "0123456789.") == ""
		return v.Data.Str, v.Data.Kind == jsonx.Number && digits
	case wire.Call:
		if depth > maxExpr || v.Func == "" || strings.Trim(v.Func, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@") != "" {
			return "", false
		}
		args := make([]string, len(v.Args))
		for i, a := range v.Args {
			e, ok := written(a.Value, depth+1)
			if _, path := a.Value.(wire.Path); path {
				e = "${" + e + "}"
			}
			if !ok {
				return "", false
			}
			args[i] = a.Name + ": " + e
		}
		return v.Func + "(" + strings.Join(args, ", ") + ")", true
	}
	return "", false
}

func arg(c wire.Call, name string) wire.Value {
	for _, a := range c.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}
