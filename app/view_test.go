package app_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

const liveYAML = `
name: t
forms:
  - {name: order, fields: [{name: customer}, {name: amount, type: number}]}
views:
  - name: dashboard
    title: Sales today
    phrases: [figures, how we are doing]
    topics: [sales]
    records: {newest: order, large: {name: order, filter: "amount:ge:1000", sort: -amount, limit: 3}}
    refresh: 30s
    nodes:
      - stat: {label: Visitors, path: /committed/sales/visitors}
      - chart: {label: Minutes, kind: line, path: /committed/sales/minutes, x: at, field: n}
      - chart: {label: Both, path: /committed/sales/minutes, x: at, series: [{name: North, field: n}, {field: s}]}
      - chart: {label: Parts, kind: pie, path: /committed/sales/parts, x: at, field: n}
      - list: {label: Newest, path: /committed/newest, columns: [customer, {field: amount, label: €}]}
`

func liveApp(t *testing.T, replace ...string) (*app.App, error) {
	t.Helper()
	return app.Load("t.yaml", []byte(strings.NewReplacer(replace...).Replace(liveYAML)))
}

// TestLiveView: a view in YAML shows rows of data in charts and lists.
func TestLiveView(t *testing.T) {
	t.Parallel()
	a, err := liveApp(t)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := a.View("dashboard")
	j, err := jsonx.Parse([]byte(`{"sales":{"minutes":{"$rows":[{"id":"a","order":"n","cells":{"at":"9:30","n":"7","s":2.5}},`+
		`{"id":"b","order":"o","cells":{"at":"9:31","n":8}}]},`+
		`"parts":{"$rows":[{"id":"a","order":"n","cells":{"at":"9:30","n":3}},{"id":"b","order":"o","cells":{"at":"9:31","n":-1}},`+
		`{"id":"c","order":"p","cells":{"at":"9:32","n":null}}]}},`+
		`"newest":{"$rows":[{"id":"r1","order":"n","cells":{"customer":"Acme","amount":12}}]}}`), jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := ui.ValueOf(j)
	if err != nil {
		t.Fatal(err)
	}
	root := v.Root(&ui.State{Committed: data})
	if err := ui.CheckTree(root, ui.Limits{}); err != nil {
		t.Fatal(err)
	}
	got, _ := root.MarshalJSON()
	var stored ui.Nodes
	if err := stored.UnmarshalJSON(got); err != nil {
		t.Fatal(err)
	}
	if again, _ := stored.MarshalJSON(); string(again) != string(got) {
		t.Errorf("stored and read again %s", again)
	}
	for _, want := range []string{`"labels":["9:30","9:31"],"series":[{"name":"Minutes","values":[7,8]}]`,
		`"series":[{"name":"North","values":[7,8]},{"name":"s","values":[2.5,null]}]`,
		`"labels":["9:30","9:31","9:32"],"series":[{"name":"Parts","values":[3,null,null]}]`,
		`"columns":["customer","€"],"children":[{"node":"Row","key":"r1"`, `"text":"Acme"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the view lacks %s: %s", want, got)
		}
	}
	if again, _ := v.Root(nil).MarshalJSON(); strings.Contains(string(again), "Acme") {
		t.Error("what a view showed stays in its declaration")
	}
	q := v.Records["large"]
	if q.Name != "order" || q.Sort != "amount" || !q.Desc || len(q.Where) != 1 || q.Limit != 3 || v.Refresh.Seconds() != 30 {
		t.Errorf("%+v, refresh %v", q, v.Refresh)
	}
}

func TestLiveViewFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{
		{"topics: [sales]", "topics: [order]", "a form, table or map has this name"},
		{"topics: [sales]", "topics: [newest]", "is a topic, too"},
		{"newest: order", "newest: ordr", "there are no records"},
		{"newest: order", "order: order", "a form, table or map has this name"},
		{"limit: 3", "limit: 300", "want 1 to 50"},
		{"sort: -amount", "sort: -total", `no field "total"`},
		{"amount:ge:1000", "amount:1000", "no query"},
		{"refresh: 30s", "refresh: 30", "a time such as 30s"},
		{"refresh: 30s", "refresh: 3ms", "at least 1s"},
		{"path: /committed/newest", "path: /draft/newest", "/committed/… where the rows are"},
		{"field: n}\n", "}\n", "names a field for each series"},
		{"phrases: [figures,", "phrases: ['!',", "a phrase has 1 to 12 words"},
	} {
		if _, err := liveApp(t, tt[0], tt[1]); err == nil || !strings.Contains(err.Error(), tt[2]) {
			t.Errorf("%s: %v, want %s", tt[1], err, tt[2])
		}
	}
}

func TestViewFor(t *testing.T) {
	t.Parallel()
	a, err := liveApp(t)
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]bool{
		"Show the dashboard": true, "please open the figures.": true, "How we are doing": true,
		"show me sales today": true, "dashboard": false, "don't show the dashboard": false,
		"show the dashboard of Acme": false, "What do the figures show?": false, "build a dashboard": false,
	} {
		if _, ok := a.Views().For(message); ok != want {
			t.Errorf("%q: %v", message, ok)
		}
	}
}
