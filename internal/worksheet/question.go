package worksheet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/ui"
)

// Bounds of what one question names.
const (
	maxFound = 5 // findings of a worksheet
	maxRows  = 6 // rows of one finding
)

// Question is the one question a check leads to; after the last round it is
// which way to go on.
func Question(w ui.Words, named []string, last bool) string {
	for i := range named {
		named[i] = strings.TrimRight(named[i], ".")
	}
	list := strings.Join(named[:min(len(named), maxFound)], "; ")
	if more := len(named) - maxFound; more > 0 {
		list = w.Say("check.more", "list", list, "n", strconv.Itoa(more))
	}
	if last {
		return w.Say("check.choose", "list", list)
	}
	return w.Say("check.ask", "list", list)
}

// finding is one thing wrong, with all the rows it is wrong in.
type finding struct {
	word  string // key of ui.Words
	label string
	rs    *ui.Rowset
	rows  []int
}

// Findings lists the faults of a worksheet, the same fault in several rows once.
func Findings(w ui.Words, sf *ui.Surface, errs []ui.FieldError) []string {
	var found []*finding
	cell := finder(sf)
	for _, e := range errs {
		f := &finding{word: e.Text}
		if rs, row, col := cell(e.Path); rs != nil {
			f = &finding{word: faultWord(e.Code, col.Type), label: col.Title(), rs: rs, rows: []int{row}}
			if f.word == "check.option" && kindOf(sf, rs) == "edge" && col.Name != "kind" {
				f.word = "check.end"
			}
		} else if rs := Rows(sf); e.Path == rs.Path && len(FilledRows(sf, rs).Records()) < rs.MinRows {
			f.word = few(w, sf, rs)
		}
		same := slices.IndexFunc(found, func(o *finding) bool {
			return o.rs == f.rs && o.word == f.word &&
				o.label == f.label && f.rs != nil
		})
		if same < 0 {
			found = append(found, f)
			continue
		}
		found[same].rows = append(found[same].rows, f.rows...)
	}
	out := make([]string, len(found))
	for i, f := range found {
		out[i] = f.word
		if f.rs != nil {
			out[i] = w.Say(f.word, "label", f.label, "list", places(w, kindOf(sf, f.rs), f.rows))
		}
	}
	return out
}

// faultWord is the key of the word for the fault of a cell.
func faultWord(code ui.Code, t ui.FieldType) string {
	switch {
	case code == ui.CodeFieldRequired:
		return "check.required"
	case code == ui.CodeFieldOption:
		return "check.option"
	case code == ui.CodeFieldType && (t == ui.TypeNumber || t == ui.TypeEmail || t == ui.TypeURL || t == ui.TypeDate):
		return "check." + string(t)
	}
	return "check.cell"
}

// few says how many rows are still to come.
func few(w ui.Words, sf *ui.Surface, rs *ui.Rowset) string {
	have := len(FilledRows(sf, rs).Records())
	return w.Say("check.few."+kindOf(sf, rs), "min", strconv.Itoa(rs.MinRows-have), "n", strconv.Itoa(have), "max",
		strconv.Itoa(rs.MinRows))
}

// CellAt finds the cell of a worksheet at a path: its rowset, the index of its row, its
// column. rs is nil if the path leads to no cell.
func CellAt(sf *ui.Surface, p ui.Path) (rs *ui.Rowset, row int, col ui.Field) {
	return finder(sf)(p)
}

// finder is CellAt for many paths of one surface.
func finder(sf *ui.Surface) func(ui.Path) (*ui.Rowset, int, ui.Field) {
	parts, index := map[ui.Path]*ui.Rowset{}, map[ui.Path]int{}
	for _, key := range []string{"rows", "steps", "edges"} {
		if rs, _ := rowsPart(sf, key); rs != nil {
			parts[rs.Path] = rs
			for i, r := range sf.Rows(rs) {
				index[rs.Path.Join(r.ID)] = i
			}
		}
	}
	return func(p ui.Path) (*ui.Rowset, int, ui.Field) {
		segs := p.Segments()
		if len(segs) < 3 {
			return nil, 0, ui.Field{}
		}
		at := ui.PathOf(segs[:len(segs)-2]...)
		row, ok := index[at.Join(segs[len(segs)-2])]
		if rs := parts[at]; rs != nil && ok {
			for _, c := range rs.Columns {
				if c.Name == segs[len(segs)-1] {
					return rs, row, c
				}
			}
		}
		return nil, 0, ui.Field{}
	}
}

// kindOf is the noun for a row of a rowset: row, step or edge.
func kindOf(sf *ui.Surface, rs *ui.Rowset) string {
	if steps, _ := rowsPart(sf, "steps"); rs == steps {
		return "step"
	}
	if edges, _ := rowsPart(sf, "edges"); rs == edges {
		return "edge"
	}
	return "row"
}

// places names rows by their numbers: "row 3", "rows 3, 5 and 7".
func places(w ui.Words, kind string, rows []int) string {
	if len(rows) == 1 {
		return w.Say("place."+kind, "n", strconv.Itoa(rows[0]+1))
	}
	var list []string
	for _, r := range rows[:min(len(rows), maxRows)] {
		list = append(list, strconv.Itoa(r+1))
	}
	text := w.Say("list.more", "list", strings.Join(list, ", "), "n", strconv.Itoa(len(rows)-len(list)))
	if last := len(list) - 1; last == len(rows)-1 {
		text = w.Say("list.and", "list", strings.Join(list[:last], ", "), "n", list[last])
	}
	return w.Say("place."+kind+"s", "list", text)
}

// WarningText is the text of a validator's finding; "" where the question says it
// already.
func WarningText(w ui.Words, sf *ui.Surface, found capture.Warning) string {
	rs := Rows(sf)
	switch found.Check {
	case capture.Duplicates:
		list := places(w, kindOf(sf, rs), indices(sf.Rows(rs), found.Rows))
		if found.Confidence > 0.9 {
			return w.Say("warn.same", "list", list)
		}
		return w.Say("warn.key", "label", keyColumn(rs).Title(), "list", list)
	case capture.Contradictions:
		return w.Say("warn.loop", "list", loop(w, sf, found.Edges))
	case capture.Coverage:
		if found.Have < rs.MinRows {
			return ""
		}
		return w.Say("warn.few", "min", strconv.Itoa(found.Want), "n", strconv.Itoa(found.Have))
	}
	return "" // required cells are errors at the cells
}

// keyColumn is the column that identifies a row, as package capture picks it.
func keyColumn(rs *ui.Rowset) ui.Field {
	if i := slices.IndexFunc(rs.Columns, func(f ui.Field) bool { return f.Required }); i > 0 {
		return rs.Columns[i]
	}
	return rs.Columns[0]
}

func indices(rows []ui.Record, ids []string) (out []int) {
	for i, r := range rows {
		if slices.Contains(ids, r.ID) {
			out = append(out, i)
		}
	}
	return out
}

// loop names the steps that edges lead through: "step 2 → step 5 → step 2".
func loop(w ui.Words, sf *ui.Surface, ids []string) string {
	edges, _ := sf.Get(EdgesAt(sf))
	steps := sf.Rows(Rows(sf))
	name := func(id string) string {
		return w.Say("place.step", "n", strconv.Itoa(
			1+slices.IndexFunc(steps, func(r ui.Record) bool { return r.ID == id })))
	}
	var out []string
	for i, id := range ids[:min(len(ids), maxRows)] {
		e, _ := edges.Record(id)
		from, to := ends(e)
		if i == 0 {
			out = append(out, name(from))
		}
		out = append(out, name(to))
	}
	if len(ids) > maxRows {
		out = append(out, "…")
	}
	return strings.Join(out, " → ")
}
