package validate

import (
	"iter"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/near"
)

func names(rows []wire.PropDef) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range rows {
			if !yield(rows[i].Name) {
				return
			}
		}
	}
}

// maxGuesses bounds the names that are looked for in one message: a message with more
// slips than these has another problem.
const maxGuesses = 20

// near is a hint: the name of a list that was probably meant by one that does not exist,
// as the version writes it, or "". It is the closest; a third of its letters may differ.
// Of names that are as close the first in the order of letters counts.
func (r *run) near(name string, list iter.Seq[string], written func(string) string) string {
	if r.trying > 0 || r.guesses >= maxGuesses || len(r.problems) >= maxProblems || len(name) > 40 {
		return "" // it is not listed, or it is no slip
	}
	r.guesses++
	best, least := "", (len(name)+2)/3
	for s := range list {
		if written != nil {
			s = written(s)
		}
		if len(s) > 40 || len(s) > len(name)+least || len(name) > len(s)+least {
			continue
		}
		d := near.Distance(strings.ToLower(name), strings.ToLower(s))
		if d < least || d == least && (best == "" || s < best) {
			best, least = s, d
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + best + "?"
}
