package ui

import "strconv"

// SubmitContext lists one context key for each input and rowset below root:
// what a submit button sends. The key is the last segment of the path.
func SubmitContext(root Node) []Context {
	var out []Context
	Walk(root, func(_ KeyPath, n Node) bool {
		if in := InputOf(n); in != nil {
			out = append(out, Context{Key: in.Path.Last(), Path: in.Path})
		}
		if rs := RowsetOf(n); rs != nil {
			out = append(out, Context{Key: rs.Path.Last(), Path: rs.Path})
			if st, ok := n.(*Steps); ok && st.Edges != "" {
				out = append(out, Context{Key: st.Edges.Last(), Path: st.Edges})
			}
		}
		return true
	})
	return out
}

// BlankDraft returns the draft of an untouched surface: every input has its
// default or empty value, every rowset its rows (count empty ones, at least
// its MinRows up to 20), unless given already holds something there.
func BlankDraft(root Node, given Value) Value {
	draft := given
	if draft.IsNull() {
		draft = Map()
	}
	Walk(root, func(_ KeyPath, n Node) bool {
		if in := InputOf(n); in != nil {
			keys := in.Path.Segments()[1:]
			if v, ok := draft.Get(keys...); ok {
				draft, _ = draft.With(in.Draft(v), keys...)
			} else {
				draft, _ = draft.With(in.Blank(), keys...)
			}
		}
		if rs := RowsetOf(n); rs != nil {
			keys := rs.Path.Segments()[1:]
			v, _ := draft.Get(keys...)
			draft, _ = draft.With(rs.fill(v), keys...)
		}
		if st, ok := n.(*Steps); ok && st.Edges != "" {
			keys := st.Edges.Segments()[1:]
			if v, _ := draft.Get(keys...); v.Kind() != RowsValue {
				draft, _ = draft.With(Rows(), keys...)
			}
		}
		return true
	})
	return draft
}

// StarterRows is how many empty rows a rowset opens with at the most.
const StarterRows = 20

// fill completes the cells of given rows and adds empty rows up to the start size.
func (rs *Rowset) fill(v Value) Value {
	records := append([]Record(nil), v.Records()...)
	for i := range records {
		records[i].Cells = rs.cells(records[i].Cells)
	}
	v = Rows(records...)
	for want := min(max(rs.MinRows, 3), StarterRows); len(v.rows) < want; {
		v = v.withRow(v.FreeRow(), rs.BlankRow())
	}
	return v
}

// BlankRow is the cells of a new row.
func (rs *Rowset) BlankRow() Value { return rs.cells(Value{}) }

func (rs *Rowset) cells(given Value) Value {
	pairs := make([]Pair, 0, len(rs.Columns))
	for _, c := range rs.Columns {
		if v, ok := given.child(c.Name); ok {
			pairs = append(pairs, Pair{c.Name, c.Draft(v)})
		} else {
			pairs = append(pairs, Pair{c.Name, c.Blank()})
		}
	}
	return Map(pairs...)
}

// FreeRow returns the next row id that no row has: r1, r2, …
func (v Value) FreeRow() string {
	for n := len(v.rows) + 1; ; n++ {
		id := "r" + strconv.Itoa(n)
		if _, taken := v.Record(id); !taken {
			return id
		}
	}
}
