package turn

import (
	"cmp"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/internal/route"
)

// Routing is what routing knows of an application.
func Routing(a *app.App) route.Prefs {
	p := route.Prefs{MaxIterations: a.Config().Tools.MaxIterations, Rows: a.Config().Limits.Rows}
	for _, t := range a.Config().Tables {
		tpl := route.Template{Title: t.Title, Columns: t.Columns}
		for _, n := range t.Nouns {
			tpl.Nouns = append(tpl.Nouns, cmp.Or(prose.Singular(n), n))
		}
		p.Nouns = append(p.Nouns, tpl)
	}
	return p
}
