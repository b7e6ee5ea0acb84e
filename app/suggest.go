package app

import (
	"strings"

	"github.com/limn-ui/limn/ui"
)

// suggest adds to an error which names are possible, the nearest one first.
func suggest(e *ui.Error, name string, possible []string) *ui.Error {
	if near := nearest(name, possible); near != "" {
		e.Hint = "did you mean `" + near + "`?"
	}
	if list := strings.Join(possible, ", "); list != "" {
		e.Hint = strings.TrimSpace(e.Hint + " possible: " + clipTo(list, 600))
	}
	return e
}

// nearest returns the possible name with the fewest edits, at most a third of
// its length, the first of equals; "" when none is near.
func nearest(name string, possible []string) string {
	best, least := "", 0
	if len(name) > 64 {
		return ""
	}
	for _, p := range possible {
		d := edits(strings.ToLower(name), p)
		if d <= (len(p)+2)/3 && (best == "" || d < least) {
			best, least = p, d
		}
	}
	return best
}

// edits is the number of bytes to insert, delete, replace or swap with the
// next one (optimal string alignment).
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
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

// clip shortens what was declared for a message.
func clip(s string) string { return clipTo(s, 60) }

func clipTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
