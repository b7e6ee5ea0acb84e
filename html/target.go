package html

import (
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Target returns the DOM id of the control drawn at p, where focus goes: an
// input, a cell, the first of several radios or checkboxes, or the region of a
// rowset. It is "" when the surface draws nothing there.
func Target(p ui.Path, s *ui.Surface) string {
	if s == nil || !renders(s, p) {
		return ""
	}
	w := newWriter(nil, s, Options{}, ui.Value{})
	w.start(make([]byte, 768))
	w.setPath(p)
	w.id(idInput)
	return string(w.b)
}

func renders(s *ui.Surface, p ui.Path) (found bool) {
	visit(s.Tree(), func(n ui.Node) {
		if in := ui.InputOf(n); in != nil && in.Path == p {
			found = true
		}
		if rs := ui.RowsetOf(n); rs != nil && !found {
			found = rs.Path == p || rendersCell(s, rs, p)
		}
	})
	return found
}

func rendersCell(s *ui.Surface, rs *ui.Rowset, p ui.Path) bool {
	rest, ok := strings.CutPrefix(string(p), string(rs.Path)+"/")
	row, column, two := strings.Cut(rest, "/")
	if !ok || !two {
		return false
	}
	if v, _ := s.Get(rs.Path); v.Kind() != ui.RowsValue {
		return false
	} else if _, ok := v.Record(row); !ok {
		return false
	}
	for i := range rs.Columns {
		if rs.Columns[i].Name == column {
			return true
		}
	}
	return false
}
