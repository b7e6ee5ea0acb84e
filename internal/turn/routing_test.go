package turn_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// TestRouting: routing knows the tables of the application by their nouns in the singular, and its limits.
func TestRouting(t *testing.T) {
	t.Parallel()
	e := tooled(t, func(c *app.Config) {
		c.Limits.Rows, c.Tools.MaxIterations = 7, map[string]int{ui.ToolTable: 3}
		c.Tables = append(c.Tables, app.Table{Name: "staff", Title: "Staff", Nouns: []string{"people", "staff"},
			Columns: []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText}}})
		c.Tables = append(c.Tables, app.Table{Name: "trips", Title: "Open bookings",
			Columns: []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText}}})
		for _, of := range [][2]string{{"it", "請求書"}, {"bills", "Factures"}, {"orders", "Orders"}} {
			c.Tables = append(c.Tables, app.Table{Name: of[0], Title: of[1],
				Columns: []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText}}})
		}
	})
	got := turn.Routing(e.App)
	var nouns [][]string
	for _, tpl := range slices.Concat(got.Nouns, got.Titled) {
		nouns = append(nouns, append([]string{tpl.Title}, tpl.Nouns...))
	}
	equal(t, "nouns", [][]string{{"Staff", "person", "staff"}, {"Risks", "risk"},
		{"Open bookings", "open booking", "trip"}, {"請求書", "請求書", "it"}, {"Factures", "facture", "bill"},
		{"Orders", "order", "order"}}, nouns)
	equal(t, "rows", 7, got.Rows)
	equal(t, "rounds", 3, got.MaxIterations[ui.ToolTable])
	d := route.Decide("We have 4 risks.", ui.Router{}, got, noon)
	if d.Action != route.ActionTool || d.Tool != ui.ToolTable {
		t.Errorf("a message with a noun: %+v", d)
	}
	const told = "I placed 3 orders last week and none arrived"
	if d := route.Decide(told, ui.Router{}, got, noon); d.Action != route.ActionChat {
		t.Errorf("%q, and no table has that as its noun: %+v", told, d)
	}
	for message, title := range map[string]string{
		"I need a table for the risks":                 "Risks",
		"show me the risks table":                      "Risks",
		"could you open a table for the open bookings": "Open bookings",
		"please give me a spreadsheet for our trips":   "Open bookings",
		"I need a table for the staff of our customer": "Staff",
		"I need a table for our suppliers":             "Suppliers",
		"open a table for customer risks, please":      "Risks",
		"open a table for customer risks":              "Risks",
		"I need a table":                               route.AnyTitle,
		"put our trips into a table":                   "Open bookings",
		"make me a table to track the trips":           "Open bookings",
		"Donne-moi un tableau des factures":            "Factures",
		"J'ai besoin d'un tableau des factures":        "Factures",
		"請求書の表が必要です":                                   "請求書",
		"表を見せてください":                                    route.AnyTitle,

		// No table is declared for these.
		"make a table of expenses for my boss": "Expenses",
		"a spreadsheet of planets for my kids": "Planets",
		"open a table for Q3 numbers, please":  "Q3 numbers",
		"haz una tabla de gastos":              "Gastos",
		"open a table for chairs and lamps":    route.AnyTitle,
		"open a table for us":                  route.AnyTitle,
		"open a table for chairs, lamps":       route.AnyTitle,
		"open a table for chairs & lamps":      route.AnyTitle,
		"open a table for chairs, thanks":      "Chairs",
		"open a table for chairs, thank you":   "Chairs",
		"haz una tabla de gastos, por favor":   "Gastos",
		"open a table for office   chairs":     "Office chairs",
		"open a table for office\u202e chairs": "Office chairs",
		"open a table for co-workers please":   "Co-workers",

		"open a table for " + strings.Repeat("chair", 200) + "s": route.AnyTitle,

		// These tables are about something else.
		"I need a table for the weather, as our staff asked":   route.AnyTitle,
		"make a table that compares Go and Rust for the staff": route.AnyTitle,
		"I need a table, but not for the trips":                route.AnyTitle,
		"show me a table, it is for a talk":                    route.AnyTitle,
		"Please show me a table. Staff say you can.":           route.AnyTitle,
	} {
		d := route.Decide(message, ui.Router{}, got, noon)
		if d.Params == nil || d.Params.Table == nil || d.Params.Table.Title != title {
			t.Errorf("%q: %+v, want a table of %s", message, d.Params, title)
		}
	}
}
