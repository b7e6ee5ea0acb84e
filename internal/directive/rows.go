package directive

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Bounds of values, rows and patches.
const (
	maxText  = 16 << 10 // bytes of one string
	maxCells = 64       // of one row
)

// values reads a map of keys as an object.
func (r *reading) values(v jsonx.Value, at string, limit int) (jsonx.Value, *ui.Error) {
	list, e := r.cells(make([]jsonx.Member, 0, cellsOf(v)), v, at, ui.ValidKey, limit)
	return jsonx.OfObject(list...), e
}

// cellsOf is how many cells a map has at most.
func cellsOf(v jsonx.Value) int { return len(v.Members) + len(v.Items) }

// cells reads a map of scalars and lists of strings: {"name":"Ada"}, or the
// form that strict schemas need, [{"field":"name","value":"Ada"}]. allowed says
// which keys may be written. It appends them to out, sorted by key.
func (r *reading) cells(out []jsonx.Member, v jsonx.Value, at string, allowed func(string) bool,
	limit int) ([]jsonx.Member, *ui.Error) {
	n, from := cellsOf(v), len(out)
	switch {
	case v.Kind != jsonx.Object && v.Kind != jsonx.Array:
		return out, wrong(at, "an object of values", v)
	case n > limit:
		return out, ui.Errorf(CodePayloadInvalid, at, "more than %d values", limit)
	}
	for i := range n {
		var key string
		var val jsonx.Value
		if v.Kind == jsonx.Object {
			key, val = v.Members[i].Key, v.Members[i].Value
		} else {
			var ok bool
			if key, val, ok = named(v.Items[i]); !ok {
				return out, ui.Errorf(CodePayloadInvalid, at+"/"+strconv.Itoa(i), "want one field with its value")
			}
		}
		if !allowed(key) {
			return out, ui.Errorf(CodePayloadInvalid, at+"/"+excerpt.Of(key, 64),
				"no field of that name can be written")
		}
		if val.Kind == jsonx.Null {
			continue
		}
		val, e := r.scalar(val, at, key)
		if e != nil {
			return out, e
		}
		out = append(out, jsonx.Member{Key: key, Value: val})
	}
	added := out[from:]
	slices.SortFunc(added, func(a, b jsonx.Member) int { return strings.Compare(a.Key, b.Key) })
	for i := 1; i < len(added); i++ {
		if added[i].Key == added[i-1].Key {
			return out, ui.Errorf(CodePayloadInvalid, at+"/"+added[i].Key, "the field stands twice")
		}
	}
	return out, nil
}

// named reads {"field":…,"value":…}.
func named(item jsonx.Value) (key string, val jsonx.Value, ok bool) {
	if len(item.Members) != 2 {
		return "", val, false
	}
	for _, m := range item.Members {
		switch m.Key {
		case "field", "name", "key", "column":
			key, ok = m.Value.Str, m.Value.Kind == jsonx.String
		default:
			val = m.Value
		}
	}
	_, has := item.Get("value")
	return key, val, ok && has
}

// scalar reads a boolean, number, string or list of strings at the path at/key.
func (r *reading) scalar(v jsonx.Value, at, key string) (jsonx.Value, *ui.Error) {
	here := func() string {
		if key == "" {
			return at
		}
		return at + "/" + excerpt.Of(key, 64)
	}
	switch {
	case v.Kind == jsonx.String && len(v.Str) > maxText:
		return v, ui.Errorf(CodePayloadInvalid, here(), "string above %d bytes", maxText)
	case v.Kind == jsonx.Number && len(v.Str) > 64:
		return v, ui.Errorf(CodePayloadInvalid, here(), "number above 64 digits")
	case v.Kind == jsonx.String || v.Kind == jsonx.Bool || v.Kind == jsonx.Number:
		return v, nil
	case v.Kind != jsonx.Array:
		return v, wrong(here(), "a scalar or a list of strings", v)
	}
	list := jsonx.Value{Kind: jsonx.Array, Items: make([]jsonx.Value, len(v.Items))}
	for i, item := range v.Items {
		if item.Kind == jsonx.Number {
			r.coerced(here()+"/"+strconv.Itoa(i), "a number in a list of strings")
			item.Kind = jsonx.String
		}
		if item.Kind != jsonx.String || len(item.Str) > maxText {
			return v, ui.Errorf(CodePayloadInvalid, here(), "a list holds strings only, of at most %d bytes", maxText)
		}
		list.Items[i] = jsonx.Of(item.Str)
	}
	return list, nil
}

// column says which cells a row may have: the declared ones, or else any name
// or label of at most 80 bytes; the caller picks the columns that the table has.
func (p *Param) column(key string) bool {
	if len(p.Columns) > 0 {
		return slices.Contains(p.Columns, key)
	}
	if key == "" || key == "id" || key == "cells" || len(key) > 80 {
		return false
	}
	return ui.ValidKey(key) || strings.TrimSpace(key) == key && !strings.ContainsFunc(key, unicode.IsControl)
}

// record is one row: its id, which has or gets a value, then its cells.
type record []jsonx.Member

func (c record) id() *string { return &c[0].Value.Str }

// rows reads rows: a list of {"id":…,"cells":…}, or of plain objects of cells,
// in which "id" names the row unless it is a declared column. A row without an
// id gets the next free one of r1, r2, … . The stored form {"$rows":…} is
// accepted too. allowed says which cells may be written.
func (r *reading) rows(p *Param, v jsonx.Value, at string, allowed func(string) bool) ([]record, *ui.Error) {
	if list, ok := v.Get("$rows"); ok && len(v.Members) == 1 && list.Kind == jsonx.Array {
		v = list
	}
	if v.Kind != jsonx.Array {
		return nil, wrong(at, "a list of rows", v)
	}
	if len(v.Items) > p.max() {
		return nil, ui.Errorf(CodePayloadInvalid, at, "more than %d rows", p.max())
	}
	out := make([]record, len(v.Items))
	var all []jsonx.Member // a place for many rows at once
	var taken map[string]bool
	for i, item := range v.Items {
		here := at + "/" + strconv.Itoa(i)
		id, cells, e := r.row(p, item, here)
		if e != nil {
			return nil, e
		}
		if id != "" {
			if !ui.ValidKey(id) || taken[id] {
				return nil, ui.Errorf(CodePayloadInvalid, here+"/id",
					"a row id is [a-z][a-z0-9_-]{0,63} and stands once")
			}
			if taken == nil {
				taken = make(map[string]bool, len(v.Items))
			}
			taken[id] = true
		}
		if n := 1 + min(cellsOf(cells), maxCells); n > cap(all)-len(all) {
			all = make([]jsonx.Member, 0, n*min(len(v.Items)-i, 32)) // as if the next ones were like it
		}
		from := len(all)
		all = append(all, jsonx.Member{Key: "id", Value: jsonx.Of(id)})
		if all, e = r.cells(all, cells, here, allowed, maxCells); e != nil {
			return nil, e
		}
		out[i] = all[from:len(all):len(all)]
		for k, m := range out[i] {
			if id := rowID(m.Value); id != "" && slices.Contains(p.Refs, m.Key) {
				out[i][k].Value = jsonx.Of(id)
			}
		}
	}
	free := 1
	for _, row := range out {
		for id := row.id(); *id == ""; free++ {
			if next := "r" + strconv.Itoa(free); !taken[next] {
				*id = next
			}
		}
	}
	return out, nil
}

// rowsJSON writes rows as plain objects, the id first; a declared column "id"
// takes its place.
func (p *Param) rowsJSON(rows []record) jsonx.Value {
	out := jsonx.Value{Kind: jsonx.Array, Items: make([]jsonx.Value, len(rows))}
	for i, row := range rows {
		if slices.Contains(p.Columns, "id") {
			row = row[1:]
		}
		out.Items[i] = jsonx.OfObject(row...)
	}
	return out
}

// storedRows writes rows as ui.ValueOf reads them, in their order.
func storedRows(rows []record) jsonx.Value {
	list := jsonx.Value{Kind: jsonx.Array, Items: make([]jsonx.Value, len(rows))}
	order := ""
	for i, row := range rows {
		order = ui.OrderBetween(order, "")
		list.Items[i] = jsonx.OfObject(row[0],
			jsonx.Member{Key: "order", Value: jsonx.Of(order)},
			jsonx.Member{Key: "cells", Value: jsonx.OfObject(row[1:]...)})
	}
	return jsonx.OfObject(jsonx.Member{Key: "$rows", Value: list})
}

// row splits one row into its id ("" = none) and its cells.
func (r *reading) row(p *Param, v jsonx.Value, at string) (id string, cells jsonx.Value, e *ui.Error) {
	if v.Kind == jsonx.String && len(p.Columns) > 0 {
		cells = jsonx.OfObject(jsonx.Member{Key: p.Columns[0], Value: v})
		r.coerced(at, "a string instead of a row")
		return "", cells, nil
	}
	if v.Kind != jsonx.Object {
		return "", v, wrong(at, "a row", v)
	}
	if c, ok := v.Get("cells"); ok && (c.Kind == jsonx.Object || c.Kind == jsonx.Array) {
		for _, m := range v.Members {
			if m.Key != "id" && m.Key != "cells" && m.Key != "order" {
				return "", v, ui.Errorf(CodePayloadInvalid, at, "a row holds id and cells")
			}
		}
		return rowID(v.At("id")), c, nil
	}
	if slices.Contains(p.Columns, "id") {
		return "", v, nil
	}
	cells = jsonx.Value{Kind: jsonx.Object, Members: make([]jsonx.Member, 0, len(v.Members))}
	for _, m := range v.Members {
		if m.Key == "id" {
			id = rowID(m.Value)
			continue
		}
		cells.Members = append(cells.Members, m)
	}
	return id, cells, nil
}

// rowID reads an id; a number n, which is no key, becomes r<n>.
func rowID(v jsonx.Value) string {
	switch v.Kind {
	case jsonx.Number:
		return "r" + v.Str
	case jsonx.String:
		if v.Str != "" && v.Str[0] >= '0' && v.Str[0] <= '9' {
			return "r" + v.Str
		}
		return v.Str
	}
	return ""
}
