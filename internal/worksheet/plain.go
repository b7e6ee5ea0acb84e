package worksheet

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// Plain is the user's input in a surface as plain text: a line for each input and each
// row that is filled in, by their labels. It is "" for an empty surface.
func Plain(w ui.Words, sf *ui.Surface) string {
	return strings.Join(plain(w, sf, func(*ui.Input) bool { return false }), "\n")
}

// Bounds of a Quote: lines, and bytes of one.
const (
	maxQuoted     = 8
	maxQuotedLine = 160
)

// Quote is the beginning of Plain, a short line each, without the fields that are not to
// stay on the screen and without text that waits to be pasted.
func Quote(w ui.Words, sf *ui.Surface) string {
	rows := Rows(sf) != nil
	lines := plain(w, sf, func(in *ui.Input) bool { return in.Clear || rows && in.Path == PastePath })
	more := len(lines) - maxQuoted
	lines = lines[:min(len(lines), maxQuoted)]
	for i, l := range lines {
		lines[i] = excerpt.Of(excerpt.Line(l), maxQuotedLine)
	}
	if more > 0 {
		lines = append(lines, w.Say("submit.sent.more", "n", strconv.Itoa(more)))
	}
	return strings.Join(lines, "\n")
}

// plain is the lines of Plain but for the inputs to leave out.
func plain(w ui.Words, sf *ui.Surface, leaveOut func(*ui.Input) bool) []string {
	var lines []string
	line := func(label, value string) {
		if value = strings.TrimSpace(value); value != "" {
			lines = append(lines, label+": "+strings.ReplaceAll(value, "\n", "\n  "))
		}
	}
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if in := ui.InputOf(n); in != nil {
			v, _ := sf.Get(in.Path)
			if !v.Equal(in.Blank()) && !leaveOut(in) {
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
	return lines
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
