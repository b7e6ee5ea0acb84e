package app

import (
	"net/url"
	"reflect"
	"testing"

	"github.com/limn-ui/limn/ui"
)

func recordApp(t *testing.T, specs ...RecordSpec) (*App, error) {
	t.Helper()
	return New(Config{Name: "crm", Records: specs,
		Forms:  []Form{{Name: "customer", Title: "New customer", Fields: []ui.Field{{Name: "company", Type: ui.TypeText}}}},
		Tables: []Table{{Name: "risks", Columns: []ui.Field{{Name: "risk", Type: ui.TypeText}}}}})
}

func TestRecordListsFor(t *testing.T) {
	t.Parallel()
	a, err := recordApp(t, RecordSpec{Name: "customer", Phrases: []string{"clients", "Kunden", "zeig alle Kunden"}})
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{
		"show all customers":               "customer",
		"Show me all customers, please!":   "customer",
		"can you list the clients?":        "customer",
		"my customers":                     "",
		"all saved risks":                  "risks",
		"show Kunden":                      "customer",
		"Please show my customer records.": "customer",

		"Zeig alle Kunden!":                      "customer",
		"zeig alle Kunden aus Bonn":              "",
		"Kunden":                                 "",
		"customers":                              "",
		"We have 5 customers":                    "",
		"show all customers of last year":        "",
		"don't show all customers":               "",
		"how do I list customers?":               "",
		"list customers. Then add one":           "",
		"show all customers who bought a laptop": "",
		"show all suppliers":                     "",
	} {
		if q, _ := a.RecordLists().For(message); q.Name != want {
			t.Errorf("%q lists %q, want %q", message, q.Name, want)
		}
	}
}

func TestRecordListsSpecs(t *testing.T) {
	t.Parallel()
	a, err := recordApp(t, RecordSpec{Name: "risks", Off: true}, RecordSpec{Name: "customer", Title: "Customers"})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.RecordLists().Specs(); len(got) != 1 || got[0].Title != "Customers" {
		t.Errorf("%+v", got)
	}
	for _, bad := range [][]RecordSpec{{{Name: "nothing"}}, {{Name: "risks"}, {Name: "risks"}},
		{{Name: "customer", Fields: []string{"color"}}}, {{Name: "customer", Read: []string{""}}}} {
		if _, err := recordApp(t, bad...); err == nil {
			t.Errorf("%+v loads", bad)
		}
	}
}

// A query is the same after a journey through an address.
func TestRecordQueryText(t *testing.T) {
	t.Parallel()
	for _, q := range []RecordQuery{
		{Name: "customer", Desc: true, Limit: 50},
		{Name: "customer", Search: "a & b", Sort: "company", Limit: 7, After: "x=",
			Where: []RecordCondition{{"company", "eq", "a:b"}, {"company", "missing", ""}}},
		{Name: "customer", Limit: 50},
		{Name: "customer", Sort: "company", Desc: true, Limit: 50},
	} {
		params, err := url.ParseQuery(q.Values().Encode())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParseRecordQuery("customer", params); err != nil || !reflect.DeepEqual(got, q) {
			t.Errorf("%+v, %v, want %+v", got, err, q)
		}
	}
}
