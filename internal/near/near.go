// Package near finds the name that was meant by one that is wrong, for hints.
//
// In: a wrong name and the possible ones. Out: one of these, or "". Callers:
// readers of what people write (app, internal/models, internal/outbox, cmd/limn) and the validator of
// A2UI.
package near

import "strings"

// Name returns the possible name with the fewest edits, at most a third of its
// length, the first of equals; "" when none is near.
func Name(name string, possible []string) string {
	best, least := "", 0
	if len(name) > 64 {
		return ""
	}
	for _, p := range possible {
		d := Distance(strings.ToLower(name), p)
		if d <= (len(p)+2)/3 && (best == "" || d < least) {
			best, least = p, d
		}
	}
	return best
}

// Distance is the number of bytes to insert, delete, replace or swap with the
// next one that make b of a (optimal string alignment).
func Distance(a, b string) int {
	var short [3][65]int // enough for names, without an allocation
	before, last, row := short[0][:], short[1][:], short[2][:]
	if n := len(b) + 1; n > len(last) {
		before, last, row = make([]int, n), make([]int, n), make([]int, n)
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
