package worksheet

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// maxFacts is how many columns a counted summary speaks of.
const maxFacts = 6

// Counted sums up the rows in a worksheet or its commit: "20 stakeholders. Influence: 5
// High, 9 Medium, 6 Low." nouns are the app's nouns for its rows.
func Counted(w ui.Words, sf *ui.Surface, values ui.Value, nouns []string) string {
	rs := Rows(sf)
	v, _ := values.Get(rs.Path.Segments()[1:]...)
	rows := v.Records()
	if sf.Origin.Kind == "map" {
		var edges ui.Value
		if at := EdgesAt(sf); at != "" {
			edges, _ = values.Get(at.Segments()[1:]...)
		}
		return mapped(w, rows, edges.Records())
	}
	n := strconv.Itoa(len(rows))
	out := []string{w.Say("sum.of", "n", n, "label", sf.Title)}
	if noun := noun(w, sf.Title, nouns, len(rows)); noun != "" {
		out[0] = w.Say("sum.rows", "n", n, "label", noun)
	}
	for _, c := range rs.Columns {
		if list := columnFact(w, c, rows); list != "" && len(out) <= maxFacts {
			out = append(out, w.Say("sum.column", "label", c.Title(), "list", list))
		}
	}
	return strings.Join(out, " ")
}

// noun is the noun for n rows: one that the app declares, else a title of one word; "" without either.
func noun(w ui.Words, title string, nouns []string, n int) string {
	name := strings.TrimSpace(title)
	if len(nouns) > 0 {
		name = nouns[0]
	} else if strings.ContainsAny(name, " \t\n") {
		return ""
	}
	one := cmp.Or(prose.Singular(name), prose.Singular(strings.ToLower(name)), name)
	switch {
	case n == 1:
		return one
	case len(nouns) > 0 && strings.HasPrefix(w.Say("page.lang"), "en"):
		return route.Decision{Subject: one}.Items()
	}
	return name
}

// columnFact counts the choices of a column, or the filled cells of an optional one.
func columnFact(w ui.Words, c ui.Field, rows []ui.Record) string {
	count, given := map[string]int{}, 0
	for _, r := range rows {
		if v, _ := r.Cells.Get(c.Name); !v.Empty() {
			count[v.Text()]++
			given++
		}
	}
	switch {
	case c.Type == ui.TypeChoice:
		var list []string
		for _, o := range c.Options {
			if n := count[o.Value]; n > 0 {
				list = append(list, strconv.Itoa(n)+" "+o.Text())
			}
		}
		return strings.Join(list, ", ")
	case c.Required || given == 0:
		return ""
	}
	return w.Say("sum.filled", "n", strconv.Itoa(given))
}

func mapped(w ui.Words, steps, edges []ui.Record) string {
	owners, approvals := map[string]bool{}, 0
	for _, r := range steps {
		if v, _ := r.Cells.Get("owner"); !v.Empty() {
			owners[strings.ToLower(strings.TrimSpace(v.Text()))] = true
		}
	}
	for _, r := range edges {
		if v, _ := r.Cells.Get("kind"); v.Text() == "approval" {
			approvals++
		}
	}
	out := []string{w.Say("sum.steps", "n", strconv.Itoa(len(steps))),
		w.Say("sum.owners", "n", strconv.Itoa(len(owners)))}
	if approvals > 0 {
		out = append(out, w.Say("sum.approvals", "n", strconv.Itoa(approvals)))
	}
	return strings.Join(out, " ")
}
