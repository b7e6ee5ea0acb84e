package ui

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
)

// rowsKey marks a rows value in JSON. It is no valid key, so no map has it.
const rowsKey = "$rows"

// MarshalJSON writes the canonical form: keys sorted, rows as
// {"$rows":[{"id":…,"order":…,"cells":{…}}]}.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// AppendJSON writes the canonical form into dst.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case BoolValue:
		if v.b {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case NumberValue:
		return append(dst, v.s...)
	case StringValue:
		return jsonx.AppendString(dst, v.s)
	case StringsValue:
		dst = append(dst, '[')
		for i, s := range v.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsonx.AppendString(dst, s)
		}
		return append(dst, ']')
	case MapValue:
		dst = append(dst, '{')
		for i, p := range v.pairs {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonx.AppendString(dst, p.Key), ':')
			dst = p.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	case RowsValue:
		dst = append(dst, `{"`+rowsKey+`":[`...)
		for i, r := range v.rows {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonx.AppendString(append(dst, `{"id":`...), r.ID), `,"order":`...)
			dst = append(jsonx.AppendString(dst, r.Order), `,"cells":`...)
			dst = append(r.Cells.AppendJSON(dst), '}')
		}
		return append(dst, "]}"...)
	}
	return append(dst, "null"...)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(b []byte) error {
	j, err := jsonx.Parse(b, jsonx.Limits{Bytes: 16 << 20, String: 16 << 20, Entries: 1 << 20})
	if err != nil {
		return err
	}
	*v, err = ValueOf(j)
	return err
}

// ValueOf turns JSON into a Value. An array must hold strings only.
func ValueOf(j jsonx.Value) (Value, error) {
	switch j.Kind {
	case jsonx.Bool:
		return Bool(j.Bool), nil
	case jsonx.Number:
		return Value{kind: NumberValue, s: j.Str}, nil
	case jsonx.String:
		return String(j.Str), nil
	case jsonx.Array:
		list := make([]string, len(j.Items))
		for i, item := range j.Items {
			if item.Kind != jsonx.String {
				return Value{}, Errorf(CodeValueInvalid, "", "a list holds strings only")
			}
			list[i] = item.Str
		}
		return Value{kind: StringsValue, list: list}, nil
	case jsonx.Object:
		if rows, ok := j.Get(rowsKey); ok {
			if len(j.Members) > 1 {
				return Value{}, Errorf(CodeValueInvalid, "", "%s stands beside other keys", rowsKey)
			}
			return rowsOf(rows)
		}
		pairs := make([]Pair, len(j.Members))
		for i, m := range j.Members {
			child, err := ValueOf(m.Value)
			if err != nil {
				return Value{}, err
			}
			pairs[i] = Pair{m.Key, child}
		}
		slices.SortFunc(pairs, func(a, b Pair) int { return strings.Compare(a.Key, b.Key) })
		return Value{kind: MapValue, pairs: pairs}, nil
	}
	return Value{}, nil
}

// rowsOf refuses what Apply could not go on from: a row twice, an order between
// which and the next no other has room. Rows without any order keep their places.
func rowsOf(j jsonx.Value) (Value, error) {
	if j.Kind != jsonx.Array {
		return Value{}, Errorf(CodeValueInvalid, "", "%s holds a list of rows", rowsKey)
	}
	records, taken, ordered := make([]Record, len(j.Items)), make(map[string]bool, len(j.Items)), false
	for i, item := range j.Items {
		cells, err := ValueOf(item.At("cells"))
		if err != nil {
			return Value{}, err
		}
		id := item.At("id").Text()
		if !ValidKey(id) || cells.kind != MapValue && cells.kind != NullValue {
			return Value{}, Errorf(CodeValueInvalid, "", "a row needs an id and a map of cells")
		}
		order := item.At("order").Text()
		if taken[id] || !validOrder(order) {
			return Value{}, Errorf(CodeValueInvalid, "", "the row id %q stands twice, or its order is malformed", clip(id, 40))
		}
		taken[id], ordered = true, ordered || order != ""
		records[i] = Record{id, order, cells}
	}
	if !ordered {
		records = inOrder(records)
	}
	return Rows(records...), nil
}

// inOrder gives records new orders, in the places they have.
func inOrder(records []Record) []Record {
	last := ""
	for i := range records {
		last = OrderBetween(last, "")
		records[i].Order = last
	}
	return records
}
