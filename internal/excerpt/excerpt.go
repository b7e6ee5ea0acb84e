// Package excerpt shortens text to a number of bytes.
//
// In: text of any length. Out: its beginning, never half a character.
// Callers: packages that quote or keep text that others wrote.
package excerpt

import "strings"

// Of returns s, or if it is longer than n bytes, Head of it with "…" after.
func Of(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Head(s, n) + "…"
}

// Head returns s, or if it is longer than n bytes, the whole characters among
// its first n; bytes that are none go too.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
