package html

import "github.com/limn-ui/limn/ui"

// Rows asks for rows of a table, whatever page they are on.
type Rows struct {
	Path  ui.Path  // of the table
	First int      // place of the first row, from 0
	Count int      // rows from there on
	Also  []string // ids of rows at other places
}

// AppendRows writes the rows asked for as their table has them, in its order and
// each once, and returns how many rows the table has. Rows that are not there are
// left out. ok is false where s draws no table at the path.
func AppendRows(dst []byte, s *ui.Surface, o Options, ask Rows) (out []byte, count int, ok bool) {
	if s == nil || s.Stub() {
		return dst, 0, false
	}
	var rs *ui.Rowset
	var here ui.KeyPath
	ui.Walk(s.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if t, is := n.(*ui.Table); is && rs == nil && t.Path == ask.Path {
			rs, here = &t.Rowset, at
		}
		return rs == nil
	})
	if rs == nil {
		return dst, 0, false
	}
	w := newWriter(dst, s, o, ui.Value{})
	w.start(make([]byte, 768))
	w.setPath(rs.Path)
	w.at = append(w.at, here...)
	rows := s.Rows(rs)
	from := min(max(ask.First, 0), len(rows))
	to := min(from+max(ask.Count, 0), len(rows))
	also := make(map[string]bool, len(ask.Also))
	for _, id := range ask.Also {
		also[id] = true
	}
	for i := range rows {
		if i >= from && i < to || also[rows[i].ID] {
			w.tableRow(rs, i, &rows[i])
		}
	}
	return w.b, len(rows), true
}
