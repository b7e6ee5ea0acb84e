package route

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/prose"
)

var (
	notNames, namesMembers = the("notNames"), the("namesMembers")
)

// inlineList: a noun, then ":" or "are", then three or more things.
func (r *reading) inlineList(c *candidate) bool {
	if r.t.CJK || r.t.Unlisted() {
		return r.inlineCJK(c)
	}
	for i := range r.t.Toks {
		known := r.class(i)&prose.Item != 0 && r.class(i)&prose.Plural != 0
		known = known || r.plural(i) && (r.w(i+1) == "we" || r.w(i+1) == "i") // the instruments we teach are
		if !known && !r.plural(i) || r.denies(i, false) {
			continue
		}
		from, ok := r.t.Introduces(i)
		if !ok {
			continue
		}
		items, colon := r.t.Enumeration(from), r.t.Toks[from-1].Kind == prose.Colon
		if items == nil && known && colon { // issues: the beamer flickers, no power
			items = r.t.Parts(from)
		}
		if len(items) < 3 || !colon && r.t.Qualities(items) {
			continue
		}
		c.tool, c.n, c.noun = table, len(items), i
		c.seed = strings.TrimSpace(r.t.Src[r.t.Toks[items[0].A].Start:r.t.Toks[items[len(items)-1].B-1].End])
		return true
	}
	return r.names(c)
}

// names: "Who's coming: Omar, Beatrix, Yuki", "the committee is Petra (chair), Lou and
// Sam" list names after any words.
func (r *reading) names(c *candidate) bool {
	for i := range r.t.Toks[:min(len(r.t.Toks), 12)] {
		colon := r.t.Toks[i].Kind == prose.Colon && !r.is(notNames, i-1)
		dash := r.t.Toks[i].Kind == prose.Dash && r.t.Toks[i].Mark == '-'
		if i == 0 || !colon && !dash && !r.is(namesMembers, i) || r.denies(i, false) {
			continue
		}
		items := r.t.Enumeration(i + 1)
		things := colon && len(items) >= 5 // in the box: plasters, …
		if things || len(items) >= 3 && !slices.ContainsFunc(items, func(it prose.Span) bool { return !r.named(it) }) {
			c.tool, c.n = table, len(items)
			c.seed = strings.TrimSpace(r.t.Src[r.t.Toks[items[0].A].Start:r.t.Toks[items[len(items)-1].B-1].End])
			return true
		}
	}
	return false
}

// named reports a name of at most three words, perhaps with a note in parentheses.
func (r *reading) named(it prose.Span) bool {
	end := it.A
	for end < it.B && r.t.Toks[end].Mark != '(' {
		end++
	}
	upper := func(tok prose.Token) bool { return tok.Upper }
	return slices.ContainsFunc(r.t.Toks[it.A:end], upper) && end-it.A <= 3 && r.class(it.A)&prose.VerbBase == 0
}

// plural reports a plural noun that is in no list: allergens, exhibits, unsere Lehrlinge.
func (r *reading) plural(i int) bool {
	w := r.w(i)
	if r.foreign() {
		return r.is(ours, i)
	}
	var everyday prose.Class
	if r.w(i-1) == "our" || r.w(i-1) == "following" {
		everyday = prose.Everyday // our lanes: north, south
	}
	if (r.w(i-1) == "my" || r.w(i-1) == "our") && r.w(i+1) == "are" && r.class(i)&^everyday == 0 { // my bonsai are
		return true
	}
	return r.class(i)&^(everyday|prose.VerbS|prose.Named|prose.Plural|prose.Role) == 0 &&
		len(w) > 3 && r.t.Toks[i].Kind == prose.Word && w[0] < 0x80 && prose.PluralForm(w)
}
