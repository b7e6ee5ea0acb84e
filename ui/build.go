package ui

import (
	"slices"
	"strconv"
	"strings"
)

// SubmitContext lists one context key for each input and rowset below root: the context
// of a submit button. The key is the last segment of the path; where that is taken, all
// segments below /draft joined by '_'.
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
	for n := range All(root) {
		if in := InputOf(n); in != nil {
			add(in.Path)
		}
		if rs := RowsetOf(n); rs != nil {
			add(rs.Path)
			if st, ok := n.(*Steps); ok && st.Edges != "" {
				add(st.Edges)
			}
		}
	}
	return out
}

// MapNodes returns a copy of list in which f replaced every node, children first.
// Nodes without children that f returns unchanged are shared.
func MapNodes(list Nodes, f func(Node) Node) Nodes {
	out := slices.Clone(list)
	for i, n := range out {
		switch n := n.(type) {
		case *Column:
			c := *n
			c.Children = MapNodes(n.Children, f)
			out[i] = &c
		case *Row:
			c := *n
			c.Children = MapNodes(n.Children, f)
			out[i] = &c
		case *Card:
			c := *n
			c.Children = MapNodes(n.Children, f)
			out[i] = &c
		case *Section:
			c := *n
			c.Children = MapNodes(n.Children, f)
			out[i] = &c
		case *List:
			c := *n
			c.Children = MapNodes(n.Children, f)
			out[i] = &c
		case *Tabs:
			c := *n
			c.Tabs = slices.Clone(n.Tabs)
			for j := range c.Tabs {
				c.Tabs[j].Children = MapNodes(c.Tabs[j].Children, f)
			}
			out[i] = &c
		}
		out[i] = f(out[i])
	}
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
	for n := range All(root) {
		if in := InputOf(n); in != nil {
			keys := in.Path.Segments()[1:]
			if v, ok := draft.Get(keys...); ok {
				draft = draft.forced(in.Draft(v), keys)
			} else {
				draft = draft.forced(in.Blank(), keys)
			}
		}
		if rs := RowsetOf(n); rs != nil {
			keys := rs.Path.Segments()[1:]
			v, _ := draft.Get(keys...)
			draft = draft.forced(rs.fill(v, starters), keys)
		}
		if st, ok := n.(*Steps); ok && st.Edges != "" {
			keys := st.Edges.Segments()[1:]
			if v, _ := draft.Get(keys...); v.Kind() != RowsValue {
				draft = draft.forced(Rows(), keys)
			}
		}
	}
	return draft
}

// forced is With for a value that must be there: it replaces anything in its way.
func (v Value) forced(val Value, keys []string) Value {
	next, ok := v.With(val, keys...)
	for n := len(keys) - 1; n > 0 && !ok; n-- {
		next, ok = v.without(keys[:n]...).With(val, keys...)
	}
	return next
}

// starterRows is how many empty rows a rowset opens with at the most.
const starterRows = 20

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
	want := min(max(rs.MinRows, 3), starterRows)
	if rs.Starter != 0 {
		want = min(rs.Starter, starterRows)
	}
	for len(v.rows) < want {
		v = v.withRow(v.FreeRow(), rs.BlankRow())
	}
	return v
}

// BlankRow is the cells of a new row.
func (rs *Rowset) BlankRow() Value { return rs.cells(Value{}) }

// cells completes the cells of a row. Most rows are complete: they stay.
func (rs *Rowset) cells(given Value) Value {
	if len(given.pairs) == len(rs.Columns) && !slices.ContainsFunc(rs.Columns, func(c Field) bool {
		v, ok := given.child(c.Name)
		return !ok || v.kind != c.draftKind()
	}) {
		return given
	}
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

// Order strings sort rows. They are written in the digits a…z; between any two
// there is always a third, so a row moves without renumbering the others.
const (
	firstDigit = 'a'
	lastDigit  = 'z'
)

// OrderBetween returns an order string between lo and hi ("" = open end). When
// hi is not above lo it is ignored. lo and hi are valid orders; so is the
// result: digits a…z that do not end in a, before which there would be no room.
func OrderBetween(lo, hi string) string {
	if hi != "" && hi <= lo {
		hi = ""
	}
	if hi == "" {
		if next, ok := orderAfter(lo); ok {
			return next
		}
	}
	var out []byte
	for i := 0; ; i++ {
		low, high := byte(firstDigit), byte(lastDigit)+1
		if i < len(lo) {
			low = lo[i]
		}
		if hi != "" && i < len(hi) {
			high = hi[i]
		}
		if low == high { // still the common prefix
			out = append(out, low)
			continue
		}
		step := (high - low) / 2
		if hi == "" && i < len(lo) { // at the open end grow slowly: the commonest case is append
			step = min(1, high-low-1)
		}
		if step > 0 {
			return string(append(out, low+step))
		}
		out = append(out, low)
		hi = ""
	}
}

// orderAfter counts on after lo without end, for appending is the commonest
// case: after k leading z's come k digits that count, so that 5,000 rows
// appended one by one need six digits, not a hundred and fifty. One z and less
// is left to OrderBetween, which has room there.
func orderAfter(lo string) (string, bool) {
	k := 0
	for k < len(lo) && lo[k] == lastDigit {
		k++
	}
	if k < 2 {
		return "", false
	}
	count := make([]byte, k)
	for i := range count {
		count[i] = firstDigit
		if k+i < len(lo) {
			count[i] = lo[k+i]
		}
	}
	for i := k - 1; ; i-- {
		if count[i] < lastDigit {
			count[i]++
			break
		}
		count[i] = firstDigit
		if i == k-1 { // never end in the first digit
			count[i]++
		}
	}
	return lo[:k] + string(count), true
}

// validOrder reports what OrderBetween makes and takes; "" means none.
func validOrder(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < firstDigit || s[i] > lastDigit {
			return false
		}
	}
	return s == "" || len(s) <= maxOrder && s[len(s)-1] != firstDigit
}

// maxOrder bounds the length of a stored order: rows that were all put at the same
// place need that many digits.
const maxOrder = 4096
