package app_test

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// TestRowsLimit: one limit says how many rows a table has, whoever opens it: what is
// asked for above it is cut, and refused to a model.
func TestRowsLimit(t *testing.T) {
	t.Parallel()
	for limit, most := range map[int]int{0: 5000, 70: 70, 8000: 8000} {
		table := app.Table{Name: "codes", Title: "Codes", Columns: []ui.Field{{Name: "code", Type: ui.TypeText}}}
		a, err := app.New(app.Config{Name: "t", Tables: []app.Table{table}, Limits: ui.Limits{Rows: limit}})
		if err != nil {
			t.Fatal(err)
		}
		o := a.OpenTable(table, app.TableSpec{Table: route.Table{MinRows: most + 1, Stated: 2 * most, StarterRows: most + 1}})
		rs := ui.RowsetOf(worksheet.Filled(o.Root))
		p, err := route.ParamsOf(ui.ToolTable, o.Origin.Params)
		if err != nil {
			t.Fatal(err)
		}
		if p.Table.MinRows != most || p.Table.Stated != most || rs.Starter > most || rs.MaxRows != limit {
			t.Errorf("limit %d: %+v %+v", limit, p.Table, rs)
		}
		for n, ok := range map[int]bool{most: true, most + 1: false} {
			env, err := a.Registry().Read(fmt.Sprintf(`{"assistant_text":"a","directives":[{"type":"ui.show_table","payload":{"name":"codes","min_rows":%d}}]}`, n))
			if err != nil || len(env.Directives) == 1 != ok ||
				!ok && (len(env.Warnings) != 1 || env.Warnings[0].Code != directive.CodePayloadInvalid) {
				t.Errorf("limit %d: a model asks for %d rows: %v, %v, %v", limit, n, env.Directives, env.Warnings, err)
			}
		}
	}
}
