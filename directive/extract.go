package directive

import "strings"

// unfence returns what is inside a code fence that spans the whole text.
func unfence(s string) string {
	rest, ok := strings.CutPrefix(s, "```")
	if !ok {
		return s
	}
	rest, ok = strings.CutSuffix(rest, "```")
	lang, body, line := strings.Cut(rest, "\n")
	if !ok || !line || len(lang) > 20 || strings.ContainsAny(lang, "{[\"") {
		return s
	}
	return strings.TrimSpace(body)
}

// next returns where the next object or list of objects may start at or after
// from, or -1. A brace of prose ("{name}") is none.
func next(s string, from int) int {
	for i := from; i < len(s); i++ {
		if s[i] != '{' && s[i] != '[' {
			continue
		}
		j := i + 1
		for j < len(s) && strings.IndexByte(" \t\r\n", s[j]) >= 0 {
			j++
		}
		if j < len(s) && (s[i] == '{' && s[j] == '"' || s[i] == '[' && s[j] == '{') {
			return i
		}
		i = j - 1 // white space is not read twice
	}
	return -1
}

// span returns the end of the brackets that open at i, or -1 if they never close.
func span(s string, i int) int {
	depth, quoted := 0, false
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// mend removes commas before a closing bracket and escapes raw control
// characters in strings: the two commonest faults of models.
func mend(s string) (out []byte, changed bool) {
	out = make([]byte, 0, len(s)+16)
	quoted := false
	comma := -1 // where out holds a comma that only white space follows
	for i := 0; i < len(s); i++ {
		c := s[i]
		if quoted {
			switch {
			case c == '\\' && i+1 < len(s):
				out = append(out, c)
				i++
				c = s[i]
			case c == '"':
				quoted = false
			case c < 0x20:
				changed = true
				out = append(out, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
				continue
			}
			out = append(out, c)
			continue
		}
		switch c {
		case ' ', '\t', '\r', '\n':
		case ',':
			if comma < 0 {
				comma = len(out)
			}
		case '}', ']':
			if comma >= 0 {
				out = append(out[:comma], out[comma+1:]...)
				changed = true
			}
			comma = -1
		default:
			quoted = c == '"'
			comma = -1
		}
		out = append(out, c)
	}
	return out, changed
}

// prose is what a person can read before or after the JSON: without the lines
// of a code fence.
func prose(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimSpace(strings.TrimPrefix(s, "```"))
	if head, last, ok := cutLast(s, "\n"); ok && strings.HasPrefix(strings.TrimSpace(last), "```") {
		s = strings.TrimSpace(head)
	} else if strings.HasPrefix(s, "```") || s == "json" {
		s = ""
	}
	return s
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// looksLikeJSON reports text that was meant as JSON, whether it is or not.
func looksLikeJSON(s string) bool {
	if strings.HasPrefix(s, "```") {
		lang, body, _ := strings.Cut(s[3:], "\n")
		return strings.TrimSpace(lang) == "json" || looksLikeJSON(strings.TrimSpace(body)) && !strings.HasPrefix(strings.TrimSpace(body), "```")
	}
	if s == "" || s[0] != '{' && s[0] != '[' {
		return false
	}
	last := s[len(s)-1]
	return next(s, 0) == 0 || s[0] == '{' && last == '}' || s[0] == '[' && last == ']' && strings.ContainsAny(s, `{"`)
}

// mentionsEnvelope reports text that was meant as an envelope or a directive.
func mentionsEnvelope(s string) bool {
	return strings.Contains(s, `"assistant_text"`) || strings.Contains(s, `"directives"`) ||
		strings.Contains(s, `"type"`) && strings.Contains(s, `"payload"`)
}
