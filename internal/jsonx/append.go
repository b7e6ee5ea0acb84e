package jsonx

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// AppendString writes s as a JSON string. Invalid UTF-8 becomes U+FFFD; <, >,
// &, U+2028 and U+2029 are escaped so that the text is safe inside HTML and
// JavaScript too.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; ; {
		for i < len(s) && plain[s[i]] {
			i++
		}
		if i == len(s) {
			return append(append(dst, s[from:]...), '"')
		}
		c := s[i]
		if c < utf8.RuneSelf {
			dst = append(dst, s[from:i]...)
			dst = appendEscape(dst, c)
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(append(dst, s[from:i]...), "\uFFFD"...)
			from = i + n
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[from:i]...), `\u202`...)
			dst = append(dst, "89"[r-'\u2028'])
			from = i + n
		}
		i += n
	}
}

// AppendStrings writes a list of strings.
func AppendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}

// plain marks the ASCII bytes that represent themselves in a string.
var plain = func() (t [256]bool) {
	for c := byte(0x20); c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return t
}()

func appendEscape(dst []byte, c byte) []byte {
	if i := indexByte("\"\\\b\f\n\r\t", c); i >= 0 {
		return append(dst, '\\', `"\bfnrt`[i])
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}

// AppendFloat writes a finite number in the shortest form that reads back
// exactly; NaN and infinities, which JSON lacks, become null.
func AppendFloat(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, "null"...)
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// Append writes v compactly, members in their order.
func Append(dst []byte, v Value) []byte { return appendValue(dst, v, false) }

// AppendCanonical writes v compactly with object keys sorted by bytes, so that
// equal values have equal bytes whatever order they came in.
func AppendCanonical(dst []byte, v Value) []byte { return appendValue(dst, v, true) }

func appendValue(dst []byte, v Value, sorted bool) []byte {
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(dst, v.Bool)
	case Number:
		return append(dst, v.Str...)
	case String:
		return AppendString(dst, v.Str)
	case Array:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, item, sorted)
		}
		return append(dst, ']')
	case Object:
		members := v.Members
		if sorted && !slices.IsSortedFunc(members, byKey) {
			members = slices.SortedFunc(slices.Values(members), byKey)
		}
		dst = append(dst, '{')
		for i, m := range members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, m.Key), ':')
			dst = appendValue(dst, m.Value, sorted)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

func byKey(a, b Member) int {
	switch {
	case a.Key < b.Key:
		return -1
	case a.Key > b.Key:
		return 1
	}
	return 0
}
