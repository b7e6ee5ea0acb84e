package modeltext

import (
	"slices"
	"strings"
)

// shownKeys are members whose text a user reads: cut, it is still worth
// something. Everything else, such as an id or a path, means something else when
// it is cut.
var shownKeys = []string{
	"text", "label", "title", "description", "message", "placeholder", "hint", "caption", "altText",
	"literalString", "valueString",
}

// heal returns the open message with all that is open closed. A string that is
// being read stays if it is under one of the keys, else its member goes; a
// member without a value and a number that may go on do too. whole = nothing
// went, and the innermost object is not one that has only just been opened.
func (r assembly) heal(keys ...[]string) (json []byte, whole bool) {
	f := &r.frames[len(r.frames)-1]
	end, quote := len(r.buf), false
	isValue := f.kind == '[' || f.state == atValue
	switch r.token {
	case inString:
		key := string(r.keyAt(len(r.frames) - 1))
		named := slices.ContainsFunc(keys, func(k []string) bool { return slices.Contains(k, key) })
		if quote = isValue && named && !isAddress(string(r.buf[r.start:])); quote {
			end = r.safeEnd()
			break
		}
		end = f.entry
	case inWord:
		switch string(r.buf[r.start:]) {
		case "true", "false", "null":
		default:
			end = f.entry
		}
	default:
		if f.kind == '{' && (f.state == atColon || f.state == atValue) {
			end = f.entry
		}
	}
	whole = quote || end == len(r.buf) && r.buf[end-1] != '{'
	return closed(r.buf[:end], r.frames, quote), whole
}

// closed returns JSON with its open brackets closed, and its string if quote is set.
func closed(json []byte, open []frame, quote bool) []byte {
	out := append(make([]byte, 0, len(json)+len(open)+1), json...)
	if quote {
		out = append(out, '"')
	}
	for _, f := range slices.Backward(open) {
		out = append(out, f.kind+2) // '{' + 2 = '}', '[' + 2 = ']'
	}
	return out
}

// isAddress reports whether a text may be the start of an address: half of one leads
// elsewhere.
func isAddress(s string) bool {
	s = strings.ToLower(s[:min(len(s), 8)])
	for _, scheme := range [...]string{"http://", "https://", "data:"} {
		if s != "" && (strings.HasPrefix(s, scheme) || strings.HasPrefix(scheme, s)) {
			return true
		}
	}
	return false
}

// safeEnd returns the end of the open string without an escape, a surrogate pair
// or a character that was cut.
func (r assembly) safeEnd() int {
	b := r.buf
	end := len(b)
	if at := r.cut; at >= r.start && (end-at == 1 || b[at+1] == 'u' && end-at < 6) {
		end = at
	}
	if at := end - 6; at >= r.start && b[at] == '\\' && b[at+1] == 'u' && (b[at+2]|0x20) == 'd' &&
		strings.IndexByte("89abAB", b[at+3]) >= 0 {
		slashes := 0
		for at-1-slashes >= r.start && b[at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			end = at
		}
	}
	return r.start + wholeRunes(b[r.start:end])
}
