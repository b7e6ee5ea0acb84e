package ui

import (
	"strconv"
	"strings"
)

// SubmitContext lists one context key for each input and rowset below root:
// what a submit button sends. The key is the last segment of the path; where
// that is taken, all segments below /draft joined by '_'.
func SubmitContext(root Node) []Context {
	var out []Context
	taken := map[string]bool{}
	add := func(p Path) {
		key := p.Last()
		if taken[key] {
			key = strings.Join(p.Segments()[1:], "_")
		}
		for taken[key] {
			key += "_"
		}
		taken[key] = true
		out = append(out, Context{Key: key, Path: p})
	}
	Walk(root, func(_ KeyPath, n Node) bool {
		if in := InputOf(n); in != nil {
			add(in.Path)
		}
		if rs := RowsetOf(n); rs != nil {
			add(rs.Path)
			if st, ok := n.(*Steps); ok && st.Edges != "" {
				add(st.Edges)
			}
		}
		return true
	})
	return out
}

// BlankDraft returns the draft of an untouched surface: every input has its
// default or empty value, every rowset its rows (count empty ones, at least
// its MinRows up to 20), unless given already holds something there.
func BlankDraft(root Node, given Value) Value { return fillDraft(root, given, true) }

// fillDraft is BlankDraft; only with starters are empty rows added to rows that
// are there.
func fillDraft(root Node, given Value, starters bool) Value {
	draft := given
	if draft.kind != MapValue {
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
			draft, _ = draft.With(rs.fill(v, starters), keys...)
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

// fill completes the cells of given rows; with starters, and where there are no
// rows to be found, it adds empty ones up to the start size.
func (rs *Rowset) fill(v Value, starters bool) Value {
	starters = starters || v.kind != RowsValue
	records := append([]Record(nil), v.Records()...)
	for i := range records {
		records[i].Cells = rs.cells(records[i].Cells)
	}
	v = Rows(records...)
	if !starters {
		return v
	}
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
