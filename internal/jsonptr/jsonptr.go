// Package jsonptr reads and writes JSON Pointers (RFC 6901).
//
// In: pointer text. Out: its unescaped segments, or an error that names the
// offset. Everything is pure.
package jsonptr

import (
	"fmt"
	"strings"
)

// Split returns the unescaped segments of an absolute pointer. "" is the whole
// document and has none. A pointer that does not start with '/' and a '~' that
// is neither ~0 nor ~1 are errors.
func Split(p string) ([]string, error) {
	if p == "" {
		return nil, nil
	}
	if p[0] != '/' {
		return nil, fmt.Errorf("pointer %q does not start with '/'", p)
	}
	segs := strings.Split(p[1:], "/")
	for i, s := range segs {
		u, err := Unescape(s)
		if err != nil {
			return nil, err
		}
		segs[i] = u
	}
	return segs, nil
}

// Join escapes the segments and joins them into a pointer.
func Join(segs ...string) string {
	n := 0
	for _, s := range segs {
		n += len(s) + 1
	}
	b := make([]byte, 0, n)
	for _, s := range segs {
		b = AppendSegment(b, s)
	}
	return string(b)
}

// AppendSegment writes "/" and the escaped segment.
func AppendSegment(dst []byte, seg string) []byte {
	dst = append(dst, '/')
	for i := 0; i < len(seg); i++ {
		switch seg[i] {
		case '~':
			dst = append(dst, "~0"...)
		case '/':
			dst = append(dst, "~1"...)
		default:
			dst = append(dst, seg[i])
		}
	}
	return dst
}

// Unescape turns ~1 into / and ~0 into ~.
func Unescape(seg string) (string, error) {
	if !strings.Contains(seg, "~") {
		return seg, nil
	}
	b := make([]byte, 0, len(seg))
	for i := 0; i < len(seg); i++ {
		if seg[i] != '~' {
			b = append(b, seg[i])
			continue
		}
		i++
		switch {
		case i < len(seg) && seg[i] == '0':
			b = append(b, '~')
		case i < len(seg) && seg[i] == '1':
			b = append(b, '/')
		default:
			return "", fmt.Errorf("segment %q: '~' must be followed by 0 or 1", seg)
		}
	}
	return string(b), nil
}

// Index reads a segment as the index of an array: decimal digits without leading
// zeros, at most nine.
func Index(seg string) (int, bool) {
	if seg == "" || len(seg) > 9 || seg[0] == '0' && len(seg) > 1 {
		return 0, false
	}
	n := 0
	for i := range len(seg) {
		if seg[i] < '0' || seg[i] > '9' {
			return 0, false
		}
		n = 10*n + int(seg[i]-'0')
	}
	return n, true
}
