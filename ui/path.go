package ui

import (
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonptr"
)

// Path is a canonical, absolute JSON Pointer (RFC 6901) into a surface's data:
// under /draft or /ui_state, or under /committed of the conversation.
type Path string

// The namespaces of the data.
const (
	DraftRoot     = "draft"     // the user's, never authoritative
	UIStateRoot   = "ui_state"  // the server's, about the surface
	CommittedRoot = "committed" // the conversation's
)

// PathOf joins segments into a Path, escaping them.
func PathOf(segments ...string) Path { return Path(jsonptr.Join(segments...)) }

// Segments returns the unescaped segments.
func (p Path) Segments() []string {
	segs, err := jsonptr.Split(string(p))
	if err != nil {
		return nil // a Path is canonical by construction
	}
	return segs
}

// Under reports whether p is at or below the namespace.
func (p Path) Under(root string) bool {
	n := len("/") + len(root)
	return len(p) >= n && p[0] == '/' && string(p[1:n]) == root && (len(p) == n || p[n] == '/')
}

// Last returns the last segment, or "".
func (p Path) Last() string {
	segs := p.Segments()
	if len(segs) == 0 {
		return ""
	}
	return segs[len(segs)-1]
}

// Join appends segments.
func (p Path) Join(segments ...string) Path { return p + PathOf(segments...) }

// ParsePath accepts a path from outside and returns the canonical Path.
//
// An absolute pointer is checked and kept. A segment path (name, address/city,
// draft/name) is made absolute, under /draft unless it names a namespace, with a
// warning, or refused when strict. The result has at least one segment below a known
// namespace, at most 8 segments and 512 bytes. Template-relative paths never come here:
// they belong to the renderer and are not rewritten.
func ParsePath(s string, strict bool) (p Path, warning *Error, err error) {
	bad := func(format string, args ...any) (Path, *Error, error) {
		return "", nil, Errorf(codePathInvalid, excerpt.Of(s, 80), format, args...)
	}
	if len(s) > 512 || !utf8.ValidString(s) {
		return bad("path above 512 bytes, or not UTF-8")
	}
	if s != "" && s[0] != '/' {
		if strict {
			return bad("path must start with '/'")
		}
		warning = Errorf(codePathSegments, excerpt.Of(s, 80), "segment path made absolute")
		switch root, _, below := strings.Cut(s, "/"); {
		case below && (root == DraftRoot || root == UIStateRoot || root == CommittedRoot):
			s = "/" + s
		default:
			s = "/" + DraftRoot + "/" + s
		}
		warning.Hint = "write " + excerpt.Of(s, 80)
	}
	segs, perr := jsonptr.Split(s)
	if perr != nil {
		return bad("%v", perr)
	}
	if len(segs) < 2 || len(segs) > 8 {
		return bad("path needs 2 to 8 segments")
	}
	switch segs[0] {
	case DraftRoot, UIStateRoot, CommittedRoot:
	default:
		return bad("path must be under /draft, /ui_state or /committed")
	}
	for _, seg := range segs {
		if !validPathSegment(seg) {
			return bad("segment %q is empty or reserved", excerpt.Of(seg, 40))
		}
	}
	if p = Path(jsonptr.Join(segs...)); len(p) > 512 { // a prefix may have been added
		return bad("path above 512 bytes")
	}
	return p, warning, nil
}

// validPathSegment refuses what clients turn into something else: the empty
// key, and the names JavaScript objects inherit; and what stored values do: the
// mark of rows.
func validPathSegment(seg string) bool {
	switch seg {
	case "", ".", "..", "-", "__proto__", "constructor", "prototype", rowsKey:
		return false
	}
	for i := 0; i < len(seg); i++ {
		if seg[i] < 0x20 || seg[i] == 0x7f {
			return false
		}
	}
	return true
}

// ValidKey reports whether s can be a node key, a map key or a row id:
// [a-z][a-z0-9_-]{0,63}, and no name that JavaScript objects inherit.
func ValidKey(s string) bool { return validName(s, "") && validPathSegment(s) }

// ValidName reports whether s can be a surface name: a key that may also hold ':'.
func ValidName(s string) bool { return validName(s, ":") }

func validName(s, extra string) bool {
	if s == "" || len(s) > 64 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := 1; i < len(s); i++ {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' && strings.IndexByte(extra, c) < 0 {
			return false
		}
	}
	return true
}
