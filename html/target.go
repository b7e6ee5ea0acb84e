package html

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Target returns the DOM id of the control drawn at p, where focus goes: an
// input, a cell, the first of several radios or checkboxes, or the region of a
// rowset. It is "" when the surface draws nothing there, as of a cell on another
// page.
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

func renders(s *ui.Surface, p ui.Path) bool {
	for n := range ui.All(s.Tree()) {
		if in := ui.InputOf(n); in != nil && in.Path == p {
			return true
		}
		_, paged := n.(*ui.Table)
		if rs := ui.RowsetOf(n); rs != nil && (rs.Path == p || rendersCell(s, rs, paged, p)) {
			return true
		}
	}
	return false
}

func rendersCell(s *ui.Surface, rs *ui.Rowset, paged bool, p ui.Path) bool {
	rest, ok := strings.CutPrefix(string(p), string(rs.Path)+"/")
	row, column, two := strings.Cut(rest, "/")
	if !ok || !two {
		return false
	}
	shown := s.Rows(rs)
	if paged {
		from, to := s.Page(rs)
		shown = shown[from:to]
	}
	there := slices.ContainsFunc(shown, func(r ui.Record) bool { return r.ID == row })
	return there && slices.ContainsFunc(rs.Columns, func(f ui.Field) bool { return f.Name == column })
}
