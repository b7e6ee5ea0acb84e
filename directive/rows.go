package directive

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// maxText bounds one string in values, rows and patches, in bytes.
const maxText = 16 << 10

// cells reads a map of scalars and lists of strings: {"name":"Ada"}, or the
// form that strict schemas need, [{"field":"name","value":"Ada"}]. columns, if
// any, are the only keys. It returns an object with sorted keys.
func (r *reading) cells(v jsonx.Value, at string, columns []string, limit int) (jsonx.Value, *ui.Error) {
	out := jsonx.Value{Kind: jsonx.Object}
	n := len(v.Members) + len(v.Items)
	switch {
	case v.Kind != jsonx.Object && v.Kind != jsonx.Array:
		return out, wrong(at, "an object of values", v)
	case n > limit:
		return out, ui.Errorf(CodePayloadInvalid, at, "more than %d values", limit)
	case n > 0:
		out.Members = make([]jsonx.Member, 0, n)
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
		if !ui.ValidKey(key) || columns != nil && !slices.Contains(columns, key) {
			return out, ui.Errorf(CodePayloadInvalid, at+"/"+clip(key, 64), "no field of that name can be written")
		}
		if val.Kind == jsonx.Null {
			continue
		}
		val, e := r.scalar(val, at, key)
		if e != nil {
			return out, e
		}
		out.Members = append(out.Members, jsonx.Member{Key: key, Value: val})
	}
	slices.SortFunc(out.Members, func(a, b jsonx.Member) int { return strings.Compare(a.Key, b.Key) })
	for i := 1; i < len(out.Members); i++ {
		if out.Members[i].Key == out.Members[i-1].Key {
			return out, ui.Errorf(CodePayloadInvalid, at+"/"+out.Members[i].Key, "the field stands twice")
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

// scalar reads a boolean, number, string or list of strings; it stands at at/key.
func (r *reading) scalar(v jsonx.Value, at, key string) (jsonx.Value, *ui.Error) {
	here := func() string {
		if key == "" {
			return at
		}
		return at + "/" + clip(key, 64)
	}
	v.Off = 0
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
			if e := r.coerced(here()+"/"+strconv.Itoa(i), "a number in a list of strings"); e != nil {
				return v, e
			}
			item.Kind = jsonx.String
		}
		if item.Kind != jsonx.String || len(item.Str) > maxText {
			return v, ui.Errorf(CodePayloadInvalid, here(), "a list holds strings only, of at most %d bytes", maxText)
		}
		list.Items[i] = jsonx.Of(item.Str)
	}
	return list, nil
}

// rows reads rows: a list of {"id":…,"cells":…}, or of plain objects of cells,
// in which "id" names the row unless it is a declared column. A row without an
// id gets the next free one of r1, r2, … The canonical form is accepted too.
func (r *reading) rows(p *Param, v jsonx.Value, at string) (jsonx.Value, *ui.Error) {
	if list, ok := v.Get("$rows"); ok && len(v.Members) == 1 && list.Kind == jsonx.Array {
		v = list
	}
	if v.Kind != jsonx.Array {
		return v, wrong(at, "a list of rows", v)
	}
	if len(v.Items) > p.max() {
		return v, ui.Errorf(CodePayloadInvalid, at, "more than %d rows", p.max())
	}
	ids := make([]string, len(v.Items))
	taken := make(map[string]bool, len(v.Items))
	records := jsonx.Value{Kind: jsonx.Array, Items: make([]jsonx.Value, len(v.Items))}
	for i, item := range v.Items {
		here := at + "/" + strconv.Itoa(i)
		id, cells, e := r.row(p, item, here)
		if e != nil {
			return v, e
		}
		if id != "" && (!ui.ValidKey(id) || taken[id]) {
			return v, ui.Errorf(CodePayloadInvalid, here+"/id", "a row id is [a-z][a-z0-9_-]{0,63} and stands once")
		}
		if cells, e = r.cells(cells, here, p.Columns, 64); e != nil {
			return v, e
		}
		ids[i], taken[id], records.Items[i] = id, true, cells
	}
	order, free := "", 1
	for i, cells := range records.Items {
		for ; ids[i] == ""; free++ {
			if next := "r" + strconv.Itoa(free); !taken[next] {
				ids[i] = next
			}
		}
		order = ui.OrderBetween(order, "")
		records.Items[i] = jsonx.OfObject(jsonx.Member{Key: "id", Value: jsonx.Of(ids[i])},
			jsonx.Member{Key: "order", Value: jsonx.Of(order)}, jsonx.Member{Key: "cells", Value: cells})
	}
	return jsonx.OfObject(jsonx.Member{Key: "$rows", Value: records}), nil
}

// row splits one row into its id ("" = none) and its cells.
func (r *reading) row(p *Param, v jsonx.Value, at string) (id string, cells jsonx.Value, e *ui.Error) {
	if v.Kind == jsonx.String && len(p.Columns) > 0 {
		cells = jsonx.OfObject(jsonx.Member{Key: p.Columns[0], Value: v})
		return "", cells, r.coerced(at, "a string instead of a row")
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
	cells = jsonx.Value{Kind: jsonx.Object}
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
