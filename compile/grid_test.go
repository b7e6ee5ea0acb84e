package compile

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	own "github.com/limn-ui/limn/internal/components"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// withComponents is a target whose clients know Limn's own catalog.
func withComponents(d a2ui.Dialect) (Target, bool) {
	t, c := target(d), own.For(d)
	if c != nil {
		t.Rules.Catalogs = map[string]*a2ui.Catalog{"*": c.Catalog}
	}
	return t, c != nil
}

// eachTarget is eachDialect, also with Limn's own catalog.
func eachTarget(t *testing.T, run func(t *testing.T, tg Target)) {
	t.Helper()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) { run(t, target(d)) })
	for _, d := range []a2ui.Dialect{a2ui.V09, a2ui.V10} {
		tg, ok := withComponents(d)
		if !ok {
			t.Fatalf("no catalog for %s", d)
		}
		t.Run(d.String()+" own", func(t *testing.T) {
			t.Parallel()
			run(t, tg)
		})
	}
}

// seen is what a renderer holds: the properties of components, and the data.
type seen struct {
	comps map[string]map[string]any
	data  map[string]any
}

func look(t tester, d a2ui.Dialect, into map[string]*seen, messages []a2ui.Message) {
	t.Helper()
	for _, m := range messages {
		s := into[m.Surface()]
		switch m := m.(type) {
		case *a2ui.DeleteSurface:
			delete(into, m.SurfaceID)
		case *a2ui.CreateSurface:
			into[m.SurfaceID] = &seen{comps: map[string]map[string]any{}, data: map[string]any{}}
		case *a2ui.UpdateComponents:
			line, err := a2ui.AppendMessage(nil, d, m)
			if err != nil {
				t.Fatal(err)
			}
			var sent struct {
				UpdateComponents struct{ Components []map[string]any }
			}
			if err := json.Unmarshal(line, &sent); err != nil {
				t.Fatal(err)
			}
			for _, c := range sent.UpdateComponents.Components {
				id := c["id"].(string)
				if s.comps[id] == nil || s.comps[id]["component"] != c["component"] {
					s.comps[id] = map[string]any{}
				}
				maps.Copy(s.comps[id], c) // what an update leaves out stays
			}
		case *a2ui.UpdateData:
			s.put(t, m)
		}
	}
}

func (s *seen) put(t tester, m *a2ui.UpdateData) {
	var v any
	if !m.Delete {
		if err := json.Unmarshal(a2ui.AppendData(nil, m.Value), &v); err != nil {
			t.Fatal(err)
		}
	}
	if m.Path == "" || m.Path == "/" {
		s.data, _ = v.(map[string]any)
		return
	}
	at, keys := s.data, strings.Split(m.Path[1:], "/")
	for i, key := range keys {
		key, _ = jsonptr.Unescape(key)
		if i == len(keys)-1 {
			if at[key] = v; m.Delete {
				delete(at, key)
			}
			return
		}
		next, ok := at[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			at[key] = next
		}
		at = next
	}
}

// grids is each of Limn's components as people see it: its properties, and the cells or
// figures that these bind, as JSON.
func (s *seen) grids(t tester) map[string]string {
	out := map[string]string{}
	for id, c := range s.comps {
		if slices.Contains(own.Names(), c["component"].(string)) {
			b, err := json.Marshal([]any{c, s.bound(c)})
			if err != nil {
				t.Fatal(err)
			}
			out[id] = string(b)
		}
	}
	return out
}

// bound is what is found at the paths of cells and values.
func (s *seen) bound(v any) (out []any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			out = append(out, s.bound(item)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			place, ok := v[key].(map[string]any)
			if path, is := cmp.Or(place["path"], place["@path"]).(string); ok && is && (key == "cells" || key == "values" || key == "labels") {
				at := any(s.data)
				for _, part := range strings.Split(path[1:], "/") {
					m, _ := at.(map[string]any)
					at = m[part]
				}
				ids, rows := v["ids"].([]any)
				cells, _ := at.(map[string]any)
				if !rows {
					out = append(out, at)
				}
				for _, id := range ids { // others are not shown
					out = append(out, cells[id.(string)])
				}
				continue
			}
			out = append(out, s.bound(v[key])...)
		}
	}
	return out
}

// sameGrids compares Limn's components of a renderer that followed with those of one that
// starts now. What users typed is theirs.
func (w *world) sameGrids(context string) {
	w.tb.Helper()
	if w.target.rules().Catalogs == nil {
		return
	}
	tb := w.tb
	batches, err := Snapshot(w.target, w.state)
	if err != nil {
		w.tb.Fatal(err)
	}
	now := map[string]*seen{}
	look(tb, w.target.Dialect, now, batches.Messages())
	for id, s := range now {
		was := w.looks[id]
		if was == nil {
			w.tb.Errorf("%s: %s is not shown", context, id)
			continue
		}
		is, had := s.grids(tb), was.grids(tb)
		for name, want := range is {
			if had[name] != want {
				w.tb.Errorf("%s: %s %s after updates:\n%s\nsnapshot:\n%s", context, id, name, had[name], want)
			}
		}
	}
}

func gridOf(t *testing.T, w *world, id string) map[string]any {
	t.Helper()
	for name, c := range w.looks["main#e=1"].comps {
		if strings.HasPrefix(name, id) {
			return c
		}
	}
	t.Fatalf("no component %s", id)
	return nil
}

// TestGrid: a table is one component with what there is to know of its columns, its rows
// and their errors, and with the actions that are possible.
func TestGrid(t *testing.T) {
	tg, _ := withComponents(a2ui.V09)
	w := newWorld(t, tg)
	rs := ui.Rowset{Key: "goods", Path: "/draft/goods", Label: "Goods", Help: "What you need", Starter: -1, Columns: []ui.Field{
		{Name: "item", Label: "Item", Type: ui.TypeText, Required: true},
		{Name: "mail", Label: "Mail", Type: ui.TypeEmail},
		{Name: "kind", Label: "Kind", Type: ui.TypeChoice, Options: []ui.Option{{Value: "a", Label: "First"}}}}}
	main := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: rs},
		&ui.Chart{Key: "chart", Kind: ui.ChartBar, Label: "Sales", Labels: []string{"May"},
			Series: []ui.Series{{Name: "N", Values: []float64{1.5}}}}}}
	w.apply(openOp("main", main, ui.Map(ui.Pair{Key: "goods", Value: ui.Rows(
		ui.Record{ID: "r1", Order: "m", Cells: ui.Map(ui.Pair{Key: "item", Value: ui.String("Nut")},
			ui.Pair{Key: "kind", Value: ui.String("a")})},
		ui.Record{ID: "r2", Order: "n", Cells: ui.Map()})}), ui.Value{}))
	for id, c := range w.looks["main#e=1"].comps {
		if c["component"] == "TextField" || c["component"] == "ChoicePicker" || c["component"] == "Image" {
			t.Errorf("%s beside the grid", id)
		}
	}
	grid := gridOf(t, w, "c#main/goods:DataGrid")
	rows := grid["rows"].(map[string]any)
	want := `[{"label":"Item","name":"item","required":true,"type":"text"},` +
		`{"label":"Mail","message":"Mail must be an email address.","name":"mail",` +
		`"pattern":"^([^@\\s]+@[^@\\s]+)?$","type":"email"},` +
		`{"label":"Kind","name":"kind","options":[{"label":"First","value":"a"}],"type":"choice"}]`
	if got := asJSON(t, rows["columns"]); got != want {
		t.Errorf("columns %s", got)
	}
	if got := asJSON(t, rows["ids"]) + asJSON(t, rows["offers"]) + asJSON(t, rows["errors"]); got !=
		`["r1","r2"]["add","remove","move"][]` {
		t.Errorf("rows %s", got)
	}
	if got := asJSON(t, w.looks["main#e=1"].data["draft"]); !strings.Contains(got,
		`"r1":{"item":"Nut","kind":["a"],"mail":""}`) {
		t.Errorf("cells %s", got)
	}
	remove := asJSON(t, rows["remove"])
	for _, part := range []string{`"name":"limn.remove_row"`, `"rows":{"path":"/draft/goods"}`, `"limn_nonce":`,
		`"row":` + asJSON(t, rows["row"])} {
		if !strings.Contains(remove, part) {
			t.Errorf("no %s in %s", part, remove)
		}
	}
	sent := w.apply(&ui.Errors{Surface: "main", Errors: []ui.FieldError{{Path: "/draft/goods/r2/item", Text: "Item?"},
		{Path: "/draft/goods", Text: "Two."}}})
	rows = gridOf(t, w, "c#main/goods:DataGrid")["rows"].(map[string]any)
	if got := asJSON(t, rows["errors"]); len(sent) == 0 || got !=
		`[{"column":"item","row":"r2","text":"Item?"},{"column":"","row":"","text":"Two."}]` {
		t.Errorf("errors %s", got)
	}
	w.apply(&ui.Lock{Surface: "main"})
	rows = gridOf(t, w, "c#main/goods:DataGrid")["rows"].(map[string]any)
	if got := asJSON(t, rows["readonly"]) + asJSON(t, rows["offers"]); got != "true[]" {
		t.Errorf("locked: %s", got)
	}
	w.sameGrids("locked")
}

// TestChartIsData: new figures of a chart are sent without the component.
func TestChartIsData(t *testing.T) {
	tg, _ := withComponents(a2ui.V10)
	w := newWorld(t, tg)
	show := func(v float64) ui.Nodes {
		return ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{&ui.Chart{Key: "chart", Kind: ui.ChartLine,
			Label: "Sales", Labels: []string{"May", "June"}, Series: []ui.Series{{Name: "N", Values: []float64{v, math.NaN()}}}}}}}
	}
	w.apply(openOp("main", show(1)[0], ui.Value{}, ui.Value{}))
	for _, m := range w.apply(&ui.Update{Surface: "main", Root: show(2.5)}) {
		if c, ok := m.(*a2ui.UpdateComponents); ok {
			t.Errorf("%d components are sent", len(c.Components))
		}
	}
	if got := asJSON(t, w.looks["main#e=1"].data["chart"]); !strings.Contains(got, "[2.5,null]") {
		t.Errorf("figures %s", got)
	}
}

// TestProcessMap: steps, their picture and their connections are one component; the ends of
// a connection are found in a map that takes no input, too.
func TestProcessMap(t *testing.T) {
	tg, _ := withComponents(a2ui.V09)
	w := newWorld(t, tg)
	steps := &ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: worksheet.StepsPath, Columns: []ui.Field{
		{Name: "name", Label: "Step", Type: ui.TypeText}}}}
	rows := ui.Rows(ui.Record{ID: "r1", Order: "m", Cells: ui.Map(ui.Pair{Key: "name", Value: ui.String("Pay")})},
		ui.Record{ID: "r2", Order: "n", Cells: ui.Map()})
	main := &ui.Column{Key: "main", Children: ui.Nodes{steps,
		&ui.Diagram{Key: "picture", Steps: worksheet.StepsPath, Edges: worksheet.EdgesPath}, worksheet.Edges(nil, rows)}}
	w.apply(openOp("main", main, ui.Map(ui.Pair{Key: "steps", Value: rows}, ui.Pair{Key: "edges",
		Value: ui.Rows(ui.Record{ID: "e1", Order: "m", Cells: worksheet.Connect("r1", "r2", "sequence", false)})}),
		ui.Value{}))
	for id, c := range w.looks["main#e=1"].comps {
		if c["component"] == "DataGrid" || c["component"] == "Image" {
			t.Errorf("%s beside the map", id)
		}
	}
	connections := gridOf(t, w, "c#main/steps:ProcessMap")["connections"].(map[string]any)
	if got := asJSON(t, connections["ids"]) + asJSON(t, connections["offers"]); got != `["e1"]["add","remove"]` {
		t.Errorf("connections %s", got)
	}
	w.apply(&ui.Lock{Surface: "main"})
	w.sameGrids("locked")
	if got := asJSON(t, w.looks["main#e=1"].data["draft"]); !strings.Contains(got, `"from":"r1"`) ||
		!strings.Contains(got, `"to":"r2"`) {
		t.Errorf("ends %s", got)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestGridWindow: a grid has at most 300 rows of many, those around the page, fewer where
// they are many cells or long, and never fewer than the page.
func TestGridWindow(t *testing.T) {
	t.Parallel()
	tg, _ := withComponents(a2ui.V09)
	for _, c := range []struct {
		rows, columns, size, page, first, ids int
		pages                                 bool
	}{
		{rows: 200, columns: 2, size: 1, first: 0, ids: 200},
		{rows: 5000, columns: 2, size: 1, first: 0, ids: 300, pages: true},
		{rows: 5000, columns: 2, size: 1, page: 2500, first: 2375, ids: 300, pages: true},
		{rows: 5000, columns: 2, size: 1, page: 4990, first: 4700, ids: 300, pages: true},
		{rows: 1000, columns: 50, size: 1, first: 0, ids: 100, pages: true},
		{rows: 200, columns: 1, size: 4 << 10, first: 0, ids: 64, pages: true},
		{rows: 200, columns: 1, size: 6 << 10, first: 0, ids: 50, pages: true},
	} {
		rs := ui.Rowset{Key: "goods", Path: "/draft/goods", Starter: -1}
		var cells []ui.Pair
		for i := range c.columns {
			name := "c" + strconv.Itoa(i)
			rs.Columns = append(rs.Columns, ui.Field{Name: name, Type: ui.TypeText})
			cells = append(cells, ui.Pair{Key: name, Value: ui.String(strings.Repeat("x", c.size))})
		}
		records, order := make([]ui.Record, c.rows), ""
		for i := range records {
			order = ui.OrderBetween(order, "")
			records[i] = ui.Record{ID: "r" + strconv.Itoa(i), Order: order, Cells: ui.Map(cells...)}
		}
		w := newWorld(t, tg)
		main := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: rs}}}
		w.apply(openOp("main", main, ui.Map(ui.Pair{Key: "goods", Value: ui.Rows(records...)}),
			ui.Map(ui.Pair{Key: "page_goods", Value: ui.Int(int64(c.page))})))
		rows := gridOf(t, w, "c#main/goods:DataGrid")["rows"].(map[string]any)
		ids, offers := rows["ids"].([]any), asJSON(t, rows["offers"])
		if rows["first"] != float64(c.first) || len(ids) != c.ids || rows["total"] != float64(c.rows) ||
			strings.Contains(offers, `"page"`) != c.pages || ids[0] != "r"+strconv.Itoa(c.first) {
			t.Errorf("%+v: first %v, %d of %v rows, %s", c, rows["first"], len(ids), rows["total"], offers)
		}
	}
}

// TestGridIsPatched: what is written to a row beyond the page reaches the grid, and new
// lengths of cells change which rows it has.
func TestGridIsPatched(t *testing.T) {
	t.Parallel()
	tg, _ := withComponents(a2ui.V09)
	for _, c := range []struct {
		rows, size int
		row, value string
		short      bool // no component is sent
	}{
		{rows: 60, size: 1, row: "r3", value: "new", short: true},
		{rows: 60, size: 1, row: "r57", value: "new", short: true},
		{rows: 5000, size: 1, row: "r4000", value: "new", short: true},
		{rows: 200, size: 4 << 10, row: "r57", value: ""},
		{rows: 200, size: 4 << 10, row: "r3", value: strings.Repeat("y", 8<<10)},
	} {
		rs := ui.Rowset{Key: "goods", Path: "/draft/goods", Starter: -1, Columns: []ui.Field{
			{Name: "item", Type: ui.TypeLongText}}}
		records, order := make([]ui.Record, c.rows), ""
		for i := range records {
			order = ui.OrderBetween(order, "")
			records[i] = ui.Record{ID: "r" + strconv.Itoa(i), Order: order,
				Cells: ui.Map(ui.Pair{Key: "item", Value: ui.String(strings.Repeat("x", c.size))})}
		}
		w := newWorld(t, tg)
		main := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: rs}}}
		w.apply(openOp("main", main, ui.Map(ui.Pair{Key: "goods", Value: ui.Rows(records...)}), ui.Value{}))
		short := true
		for _, m := range w.apply(&ui.Patch{Surface: "main", Changes: []ui.PatchOne{{Do: ui.PatchSet,
			Path: rs.CellPath(c.row, "item"), Value: ui.String(c.value)}}}) {
			_, components := m.(*a2ui.UpdateComponents)
			short = short && !components
		}
		if short != c.short {
			t.Errorf("%d rows, %s: without components %v", c.rows, c.row, short)
		}
		w.sameGrids(c.row)
	}
}

// TestSubmittedCard: a client that knows the fold gets the most telling values, and all of
// them in a fold.
func TestSubmittedCard(t *testing.T) {
	tg, _ := withComponents(a2ui.V09)
	w := newWorld(t, tg)
	w.apply(openOp("s", everything(), everythingDraft(), everythingState("x")))
	w.apply(&ui.Lock{Surface: "s"})
	w.same("locked")
	comps := w.looks["s#e=1"].comps
	fold := comps["c#!all:Fold"]
	if fold == nil || fold["title"] != "Show all" || fold["open"] != false || comps["c#main/fields/color:Text"] == nil {
		t.Errorf("the fold is %v", fold)
	}
	if comps["c#!line4:Text"] == nil || comps["c#!line5:Text"] != nil {
		t.Error("the card does not have five lines")
	}
}
