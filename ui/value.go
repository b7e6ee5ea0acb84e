package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
)

// ValueKind is the kind of a Value.
type ValueKind uint8

// The kinds of a Value. The zero Value is null.
const (
	NullValue ValueKind = iota
	BoolValue
	NumberValue // exact decimal text
	StringValue
	StringsValue // an atomic list, for choices and tags
	MapValue
	RowsValue // row id → map, with an order
)

// Value is one immutable fact of the data: null, bool, exact number, string,
// list of strings, map or rows. Values are compared with Equal and written as
// canonical JSON.
type Value struct {
	kind  ValueKind
	b     bool
	s     string
	list  []string
	pairs []Pair   // sorted by key
	rows  []Record // sorted by order, then id
}

// Pair is one key of a map.
type Pair struct {
	Key   string
	Value Value
}

// Record is one row of a rows value. Order is a string that sorts rows; equal
// orders are sorted by ID.
type Record struct {
	ID    string
	Order string
	Cells Value // a map
}

// Bool, String, Strings, Int, Map and Rows build values.
func Bool(b bool) Value { return Value{kind: BoolValue, b: b} }

// String builds a string value.
func String(s string) Value { return Value{kind: StringValue, s: s} }

// Strings builds a list of strings; the arguments are copied.
func Strings(list ...string) Value {
	return Value{kind: StringsValue, list: append([]string{}, list...)}
}

// Int builds a number value.
func Int(n int64) Value { return Value{kind: NumberValue, s: strconv.FormatInt(n, 10)} }

// Number builds a number from JSON number text, kept exactly; ok is false when
// the text is no JSON number.
func Number(text string) (v Value, ok bool) {
	n, err := jsonx.Parse([]byte(text), jsonx.Limits{String: 64})
	if err != nil || n.Kind != jsonx.Number || n.Str != text {
		return Value{}, false
	}
	return Value{kind: NumberValue, s: text}, true
}

// Map builds a map; a later pair with the same key wins.
func Map(pairs ...Pair) Value {
	if len(pairs) == 0 {
		return Value{kind: MapValue}
	}
	sorted := slices.Clone(pairs)
	slices.SortStableFunc(sorted, func(a, b Pair) int { return strings.Compare(a.Key, b.Key) })
	kept := sorted[:1]
	for _, p := range sorted[1:] {
		if last := &kept[len(kept)-1]; last.Key == p.Key {
			*last = p
		} else {
			kept = append(kept, p)
		}
	}
	return Value{kind: MapValue, pairs: kept}
}

// Rows builds rows, sorted by order and id.
func Rows(records ...Record) Value {
	rows := slices.Clone(records)
	slices.SortStableFunc(rows, compareRecords)
	return Value{kind: RowsValue, rows: rows}
}

func compareRecords(a, b Record) int {
	if c := strings.Compare(a.Order, b.Order); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

// Kind returns the kind; IsNull is the commonest question about it.
func (v Value) Kind() ValueKind { return v.kind }

// IsNull reports the null value.
func (v Value) IsNull() bool { return v.kind == NullValue }

// Empty reports null, "", an empty list, an empty map and no rows.
func (v Value) Empty() bool {
	switch v.kind {
	case BoolValue, NumberValue:
		return false
	}
	return v.s == "" && len(v.list) == 0 && len(v.pairs) == 0 && len(v.rows) == 0
}

// True reports the boolean true.
func (v Value) True() bool { return v.kind == BoolValue && v.b }

// Text returns a string as it is, a number as its text, a list joined by ", ",
// a boolean as true or false, and "" for the rest.
func (v Value) Text() string {
	switch v.kind {
	case BoolValue:
		return strconv.FormatBool(v.b)
	case StringsValue:
		return strings.Join(v.list, ", ")
	}
	return v.s
}

// List returns the strings of a list, a copy; nil for other kinds.
func (v Value) List() []string { return slices.Clone(v.list) }

// Pairs returns the pairs of a map in key order; callers must not change it.
func (v Value) Pairs() []Pair { return v.pairs }

// Records returns the rows in order; callers must not change it.
func (v Value) Records() []Record { return v.rows }

// Record returns a row by id.
func (v Value) Record(id string) (Record, bool) {
	for _, r := range v.rows {
		if r.ID == id {
			return r, true
		}
	}
	return Record{}, false
}

// Float returns a number as float64.
func (v Value) Float() (float64, bool) {
	if v.kind != NumberValue {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.s, 64)
	return f, err == nil
}

// Equal reports whether two values are the same fact. Numbers are compared by
// their text.
func (v Value) Equal(w Value) bool {
	return v.kind == w.kind && v.b == w.b && v.s == w.s && slices.Equal(v.list, w.list) &&
		equal(v.pairs, w.pairs, func(a, b Pair) bool { return a.Key == b.Key && a.Value.Equal(b.Value) }) &&
		equal(v.rows, w.rows, func(a, b Record) bool {
			return a.ID == b.ID && a.Order == b.Order && a.Cells.Equal(b.Cells)
		})
}

// equal is slices.EqualFunc for parts of values, which states share.
func equal[E any](a, b []E, eq func(a, b E) bool) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.EqualFunc(a, b, eq))
}

// Get follows keys through maps and rows (a row id, then a cell).
func (v Value) Get(keys ...string) (Value, bool) {
	for _, k := range keys {
		var ok bool
		if v, ok = v.child(k); !ok {
			return Value{}, false
		}
	}
	return v, true
}

func (v Value) child(key string) (Value, bool) {
	if v.kind == RowsValue {
		r, ok := v.Record(key)
		return r.Cells, ok
	}
	if i, ok := v.find(key); ok {
		return v.pairs[i].Value, true
	}
	return Value{}, false
}

func (v Value) find(key string) (int, bool) {
	return slices.BinarySearchFunc(v.pairs, key, func(p Pair, k string) int { return strings.Compare(p.Key, k) })
}

// With returns v with the value at keys replaced; maps are made on the way. A
// new row goes after the last one. ok is false, and v returned as it is, when
// the way leads through something that holds no keys, or to a row whose id is
// no key or whose cells are no map.
func (v Value) With(val Value, keys ...string) (_ Value, ok bool) {
	if len(keys) == 0 {
		return val, true
	}
	child, there := v.child(keys[0])
	if child, ok = child.With(val, keys[1:]...); !ok {
		return v, false
	}
	switch {
	case v.kind == NullValue || v.kind == MapValue:
		return v.withKey(keys[0], child), true
	case v.kind == RowsValue && child.kind == MapValue && (there || ValidKey(keys[0])):
		return v.withRow(keys[0], child), true
	}
	return v, false
}

func (v Value) withKey(key string, val Value) Value {
	i, found := v.find(key)
	pairs := make([]Pair, 0, len(v.pairs)+1)
	pairs = append(append(pairs, v.pairs[:i]...), Pair{key, val})
	if found {
		i++
	}
	return Value{kind: MapValue, pairs: append(pairs, v.pairs[i:]...)}
}

func (v Value) withRow(id string, cells Value) Value {
	rows := slices.Clone(v.rows)
	for i := range rows {
		if rows[i].ID == id {
			rows[i].Cells = cells
			return Value{kind: RowsValue, rows: rows}
		}
	}
	last := ""
	if len(rows) > 0 {
		last = rows[len(rows)-1].Order
	}
	return Value{kind: RowsValue, rows: append(rows, Record{id, OrderBetween(last, ""), cells})}
}

// without returns v without the value at keys; a missing one changes nothing.
func (v Value) without(keys ...string) Value {
	if len(keys) == 0 {
		return Value{}
	}
	child, ok := v.child(keys[0])
	switch {
	case !ok:
		return v
	case len(keys) > 1 && !child.holds(keys[1:]):
		return v
	case len(keys) > 1:
		next, _ := v.With(child.without(keys[1:]...), keys[0])
		return next
	case v.kind == RowsValue:
		return Value{kind: RowsValue, rows: slices.DeleteFunc(slices.Clone(v.rows),
			func(r Record) bool { return r.ID == keys[0] })}
	}
	return Value{kind: MapValue, pairs: slices.DeleteFunc(slices.Clone(v.pairs),
		func(p Pair) bool { return p.Key == keys[0] })}
}

func (v Value) holds(keys []string) bool {
	_, ok := v.Get(keys...)
	return ok
}

// edit is one value to write: keys lead to it, at names it in errors.
type edit struct {
	at   Path
	keys []string
	val  Value
}

// withAll is With for many values at once, in their order, and copies each map
// and each list of rows once: a submitted table has thousands of cells. bad is
// one that cannot be written.
func (v Value) withAll(edits []edit) (_ Value, bad *edit) {
	for len(edits) > 0 {
		n := slices.IndexFunc(edits, func(e edit) bool { return len(e.keys) == 0 })
		switch {
		case n == 0:
			v, edits = edits[0].val, edits[1:]
			continue
		case n < 0:
			n = len(edits)
		}
		if v, bad = v.withBelow(edits[:n]); bad != nil {
			return v, bad
		}
		edits = edits[n:]
	}
	return v, nil
}

// withBelow is withAll for edits that all lead below v.
func (v Value) withBelow(edits []edit) (Value, *edit) {
	var keys []string
	below := map[string][]edit{}
	for _, e := range edits {
		k := e.keys[0]
		if _, ok := below[k]; !ok {
			keys = append(keys, k)
		}
		below[k] = append(below[k], edit{e.at, e.keys[1:], e.val})
	}
	switch v.kind {
	case NullValue, MapValue:
		return v.withKeys(keys, below)
	case RowsValue:
		return v.withRows(keys, below)
	}
	return v, &edits[0]
}

func (v Value) withKeys(keys []string, below map[string][]edit) (Value, *edit) {
	pairs := slices.Clone(v.pairs)
	for _, k := range keys {
		i, found := v.find(k)
		var child Value
		if found {
			child = v.pairs[i].Value
		}
		child, bad := child.withAll(below[k])
		if bad != nil {
			return v, bad
		}
		if found {
			pairs[i].Value = child
		} else {
			pairs = append(pairs, Pair{k, child})
		}
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return strings.Compare(a.Key, b.Key) })
	return Value{kind: MapValue, pairs: pairs}, nil
}

func (v Value) withRows(ids []string, below map[string][]edit) (Value, *edit) {
	rows, at := slices.Clone(v.rows), make(map[string]int, len(v.rows))
	for i, r := range rows {
		at[r.ID] = i
	}
	for _, id := range ids {
		i, found := at[id]
		var cells Value
		if found {
			cells = rows[i].Cells
		}
		cells, bad := cells.withAll(below[id])
		if bad == nil && (cells.kind != MapValue || !found && !ValidKey(id)) {
			bad = &below[id][0]
		}
		if bad != nil {
			return v, bad
		}
		if found {
			rows[i].Cells = cells
			continue
		}
		last := ""
		if len(rows) > 0 {
			last = rows[len(rows)-1].Order
		}
		rows = append(rows, Record{id, OrderBetween(last, ""), cells})
	}
	return Value{kind: RowsValue, rows: rows}, nil
}

// rowsKey marks a rows value in JSON. It is no valid key, so no map has it.
const rowsKey = "$rows"

// MarshalJSON writes the canonical form: keys sorted, rows as
// {"$rows":[{"id":…,"order":…,"cells":{…}}]}.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// AppendJSON writes the canonical form into dst.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case BoolValue:
		return strconv.AppendBool(dst, v.b)
	case NumberValue:
		return append(dst, v.s...)
	case StringValue:
		return jsonx.AppendString(dst, v.s)
	case StringsValue:
		return jsonx.AppendStrings(dst, v.list)
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
	j, err := jsonx.Parse(b, jsonx.Limits{Bytes: 16 << 20, String: 16 << 20, Entries: 8 << 20})
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
				return Value{}, Errorf(codeValueInvalid, "", "a list holds strings only")
			}
			list[i] = item.Str
		}
		return Value{kind: StringsValue, list: list}, nil
	case jsonx.Object:
		if rows, ok := j.Get(rowsKey); ok {
			if len(j.Members) > 1 {
				return Value{}, Errorf(codeValueInvalid, "", "%s stands beside other keys", rowsKey)
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
// which and the next no other has room.
func rowsOf(j jsonx.Value) (Value, error) {
	if j.Kind != jsonx.Array {
		return Value{}, Errorf(codeValueInvalid, "", "%s holds a list of rows", rowsKey)
	}
	records, taken := make([]Record, len(j.Items)), make(map[string]bool, len(j.Items))
	for i, item := range j.Items {
		cells, err := ValueOf(item.At("cells"))
		if err != nil {
			return Value{}, err
		}
		id := item.At("id").Text()
		if !ValidKey(id) || cells.kind != MapValue && cells.kind != NullValue {
			return Value{}, Errorf(codeValueInvalid, "", "a row needs an id and a map of cells")
		}
		order := item.At("order").Text()
		if taken[id] || !validOrder(order) {
			return Value{}, Errorf(codeValueInvalid, "", "the row id %q stands twice, or its order is malformed",
				excerpt.Of(id, 40))
		}
		taken[id] = true
		records[i] = Record{id, order, cells}
	}
	return Rows(records...), nil
}
