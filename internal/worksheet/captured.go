package worksheet

import (
	"slices"

	"github.com/limn-ui/limn/ui"
)

// Rows returns the rowset a worksheet captures: its part rows or steps; nil if it has
// neither part.
func Rows(sf *ui.Surface) *ui.Rowset {
	if rs, _ := rowsPart(sf, "rows"); rs != nil {
		return rs
	}
	rs, _ := rowsPart(sf, "steps")
	return rs
}

// EdgeRows returns the part edges of a process map, or nil.
func EdgeRows(sf *ui.Surface) *ui.Rowset {
	rs, _ := rowsPart(sf, "edges")
	return rs
}

// EdgesAt is where a process map keeps its edges, "" for a table.
func EdgesAt(sf *ui.Surface) ui.Path {
	if rs := EdgeRows(sf); rs != nil {
		return rs.Path
	}
	if _, n := rowsPart(sf, "steps"); n != nil {
		if st, ok := n.(*ui.Steps); ok {
			return st.Edges
		}
	}
	return ""
}

// FilledRows returns the rows that are not blank.
func FilledRows(sf *ui.Surface, rs *ui.Rowset) ui.Value {
	return ui.Rows(slices.DeleteFunc(slices.Clone(sf.Rows(rs)), func(r ui.Record) bool { return rs.Blank(r.Cells) })...)
}

func rowsPart(sf *ui.Surface, key string) (*ui.Rowset, ui.Node) {
	for _, n := range ui.Children(sf.Tree()) {
		if ui.NodeKey(n) == key {
			return ui.RowsetOf(n), n
		}
	}
	return nil, nil
}
