package validate

import (
	"iter"
	"maps"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/near"
)

// hints finds the name that was meant by one that does not exist.
type hints struct{ *run }

// nearType, nearProp, nearFunction and nearArg are hints: the name probably meant by a
// name that does not exist, as the version writes it, or "".

func (r hints) nearType(c *wire.Catalog, name string) string {
	return r.near(name, maps.Keys(c.Components), r.Names.OfType)
}

func (r hints) nearProp(def *wire.ComponentDef, name string) string {
	return r.near(name, names(def.Props), func(s string) string { return r.Names.OfProp(def.Name, s) })
}

func (r hints) nearFunction(c *wire.Catalog, name string) string {
	return r.near(name, maps.Keys(c.Functions), nil)
}

func (r hints) nearArg(fn *wire.FunctionDef, name string) string {
	return r.near(name, names(fn.Args), nil)
}

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

// near finds the closest of the names; a third of its letters may differ. Of
// names that are as close the first in the order of letters counts. A version may write
// them in another way.
func (r hints) near(name string, list iter.Seq[string], written func(string) string) string {
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
