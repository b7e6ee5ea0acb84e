package compile

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// checkMaker makes the checks that a client can run itself.
type checkMaker struct{ *drawing }

// noChecks is the checks of an input without rules: sent, because a property
// that an update leaves out stays in the client.
var noChecks a2ui.Value = a2ui.Checks{}

// webPattern is the form of a web address as the server checks it, roughly.
const webPattern = `^[hH][tT][tT][pP][sS]?://[^\s/?#]`

// numberPattern is the form of a JSON number, or blank. It means the same in Go,
// in a browser and under the v flag.
const numberPattern = `^\s*(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?)?\s*$`

// checks turns the format rules of a text field into checks that pass while the
// field is empty. Whether something is required is the server's question alone.
func (d checkMaker) checks(p ui.Path, f *ui.Field, at ui.KeyPath) a2ui.Value {
	var out a2ui.Checks
	bound := d.texts().bind(p)
	add := func(word string, fn string, args ...a2ui.Prop) {
		if d.catalog.Functions[fn] == nil {
			return
		}
		args = append([]a2ui.Prop{{Name: "value", Value: bound}}, args...)
		out = append(out, a2ui.Check{Condition: orEmpty(bound, call(fn, args...)),
			Message: d.say(word, "label", f.Title(), "min", f.Min, "max", f.Max)})
	}
	switch f.Type {
	case ui.TypeNumber:
		add("field.number", "regex", prop("pattern", a2ui.String(numberPattern)))
		return orNone(out)
	case ui.TypeTags, ui.TypeUpload:
		return noChecks
	case ui.TypeEmail:
		add("field.email", "email")
	case ui.TypeURL:
		add("field.url", "regex", prop("pattern", a2ui.String(webPattern)))
	}
	if isCount(f.Min) {
		add("field.short", "length", prop("min", a2ui.Literal{Data: jsonx.OfNumber(f.Min)}))
	}
	if isCount(f.Max) {
		// A client counts UTF-16 units, up to two a character; the server counts characters.
		n, _ := strconv.ParseUint(f.Max, 10, 32)
		add("field.long", "length", prop("max", a2ui.Literal{Data: number(2 * n)}))
	}
	if f.Pattern != "" && d.portable(f.Pattern, at) {
		add("field.pattern", "regex", prop("pattern", a2ui.String(f.Pattern)))
	}
	return orNone(out)
}

func orNone(c a2ui.Checks) a2ui.Value {
	if len(c) == 0 {
		return noChecks
	}
	return c
}

func call(fn string, args ...a2ui.Prop) a2ui.Call {
	return a2ui.Call{Func: fn, Args: args}
}

// orEmpty is a condition that holds for an empty value too.
func orEmpty(value, condition a2ui.Value) a2ui.Value {
	empty := call("not", prop("value", call("required", prop("value", value))))
	return call("or", prop("values", a2ui.List{empty, condition}))
}

// isCount reports a whole number from 0, as JSON writes it.
func isCount(s string) bool {
	if s == "" || len(s) > 9 || s[0] == '0' && len(s) > 1 {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// anything is the pattern of a field without a rule.
const anything = `^[\s\S]*$`

// regexp is a field's form as one pattern, for clients without checks. It
// passes on empty, and means the same whether or not a client anchors it.
func (d checkMaker) regexp(f *ui.Field, at ui.KeyPath) string {
	pattern := ""
	switch {
	case f.Type == ui.TypeEmail:
		return `^([^@\s]+@[^@\s]+)?$`
	case f.Type == ui.TypeURL:
		return `^([hH][tT][tT][pP][sS]?:\/\/[^\s\/?#][\s\S]*)?$`
	case f.Type == ui.TypeNumber:
		return numberPattern
	case f.Type != ui.TypeText && f.Type != ui.TypeLongText:
	case f.Pattern != "" && d.portable(f.Pattern, at):
		pattern = unicodeSets(f.Pattern)
	}
	if pattern == "" {
		return anything
	}
	return `^([\s\S]*(?:` + pattern + `)[\s\S]*)?$`
}

// portable reports whether an RE2 pattern means the same in JavaScript; others
// are left to the server.
func (d checkMaker) portable(pattern string, at ui.KeyPath) bool {
	ok := !strings.Contains(pattern, "[[:") && !strings.Contains(pattern, "[]") && !strings.Contains(pattern, "[^]")
	for i := 0; i < len(pattern) && ok; i++ {
		switch pattern[i] {
		case '\\':
			if i++; i < len(pattern) {
				ok = strings.IndexByte(`dDwWsSbB.\/+*?()[]{}^$|-tnrfv`, pattern[i]) >= 0
			}
		case '(':
			ok = !strings.HasPrefix(pattern[i:], "(?") || strings.HasPrefix(pattern[i:], "(?:")
		default:
			ok = pattern[i] < 0x80 // a client may count UTF-16 units
		}
	}
	if !ok {
		d.warn(codePattern, string(at), "the pattern means something else in a browser; the server checks it")
	}
	return ok
}

// unicodeSets writes a portable pattern so that it means the same under the v
// flag, which a pattern attribute of HTML has: there some characters of a class
// are escaped, and outside a class only those that have a meaning.
func unicodeSets(pattern string) string {
	var b strings.Builder
	const none, single, set = 0, 1, 2 // the character that a '-' would follow
	class, before := false, none
	for i := 0; i < len(pattern); i++ {
		c, rest := pattern[i], pattern[i+1:]
		escaped := c == '\\' && rest != ""
		if escaped {
			i++
			c, rest = rest[0], rest[1:]
		}
		switch {
		case !class:
			class, before = c == '[' && !escaped, none
			literal := c == '{' && !isQuantifier(pattern[i:]) || c == '}' && !endsQuantifier(pattern[:i+1]) || c == ']'
			if escaped && c != '-' || !escaped && literal {
				b.WriteByte('\\')
			}
			if b.WriteByte(c); class && strings.HasPrefix(rest, "^") {
				i++
				b.WriteByte('^')
			}
			continue
		case c == ']' && !escaped:
			class = false
			b.WriteByte(c)
			continue
		case c == '-' && !escaped && before == single && rest != "" && rest[0] != ']':
			before = none // a range
			b.WriteByte(c)
			continue
		case escaped, strings.IndexByte("()[{}/-|", c) >= 0,
			strings.HasPrefix(rest, string(c)) && strings.IndexByte("&!#$%*+,.:;<=>?@^`~", c) >= 0:
			b.WriteByte('\\')
		}
		if before = single; escaped && strings.IndexByte("dDwWsS", c) >= 0 {
			before = set
		}
		b.WriteByte(c)
	}
	return b.String()
}

// isQuantifier reports whether s starts with {n}, {n,} or {n,m}.
func isQuantifier(s string) bool {
	body, _, ok := strings.Cut(s[1:], "}")
	lo, hi, _ := strings.Cut(body, ",")
	return ok && lo != "" && strings.Trim(lo+hi, "0123456789") == ""
}

// endsQuantifier reports whether s ends with one.
func endsQuantifier(s string) bool {
	at := strings.LastIndexByte(s, '{')
	return at >= 0 && isQuantifier(s[at:])
}
