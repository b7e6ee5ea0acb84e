package worksheet

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Plain is the user's input in a surface as plain text: a line for each input and each
// row that is filled in, by their labels. It is "" for an empty surface.
func Plain(w ui.Words, sf *ui.Surface) string {
	var lines []string
	line := func(label, value string) {
		if value = strings.TrimSpace(value); value != "" {
			lines = append(lines, label+": "+strings.ReplaceAll(value, "\n", "\n  "))
		}
	}
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if in := ui.InputOf(n); in != nil {
			v, _ := sf.Get(in.Path)
			if !v.Equal(in.Blank()) {
				line(in.Title(), plainValue(sf, in.Field, v))
			}
			return true
		}
		rs := ui.RowsetOf(n)
		if rs == nil {
			return true
		}
		for i, r := range FilledRows(sf, rs).Records() {
			var cells []string
			for _, c := range rs.Columns {
				v, _ := r.Cells.Get(c.Name)
				if text := plainValue(sf, c, v); text != "" && !v.Equal(c.Blank()) {
					cells = append(cells, c.Title()+": "+text)
				}
			}
			line(w.Say("row.label", "label", rs.Label, "n", strconv.Itoa(i+1)), strings.Join(cells, "; "))
		}
		return true
	})
	return strings.Join(lines, "\n")
}

// plainValue is a draft value as people read it: the labels of options, the name
// of a file, a mark for a box.
func plainValue(sf *ui.Surface, f ui.Field, v ui.Value) string {
	label := func(value string) string {
		for _, o := range f.Options {
			if o.Value == value {
				return o.Text()
			}
		}
		return value
	}
	switch {
	case v.Kind() == ui.BoolValue && v.True():
		return "✓"
	case v.Kind() == ui.BoolValue:
		return "–"
	case v.Kind() == ui.StringsValue:
		list := v.List()
		for i := range list {
			list[i] = label(list[i])
		}
		return strings.Join(list, ", ")
	case f.Type == ui.TypeUpload:
		if name, ok := sf.UIState.Get("uploads", v.Text()); ok {
			return name.Text()
		}
	}
	return label(v.Text())
}
