package turn

import (
	"cmp"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/internal/route"
)

// Routing is what routing knows of an application. A table without nouns is found by its title and name, if no
// other table has those as its nouns.
func Routing(a *app.App) route.Prefs {
	p := route.Prefs{MaxIterations: a.Config().Tools.MaxIterations, Rows: a.Config().Limits.Rows}
	for _, t := range a.Config().Tables {
		if len(t.Nouns) > 0 {
			p.Nouns = append(p.Nouns, template(t, t.Nouns...))
		} else {
			p.Titled = append(p.Titled, template(t, strings.ToLower(t.Title), strings.ReplaceAll(t.Name, "_", " ")))
		}
	}
	return p
}

func template(t app.Table, nouns ...string) route.Template {
	out := route.Template{Title: t.Title, Columns: t.Columns}
	for _, n := range nouns {
		out.Nouns = append(out.Nouns, singular(n))
	}
	return out
}

// singular returns a noun whose last word is one: "open issue".
func singular(noun string) string {
	before := noun[:strings.LastIndexByte(noun, ' ')+1]
	last := noun[len(before):]
	return before + cmp.Or(prose.Singular(last), last)
}
