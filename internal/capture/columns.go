package capture

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// Delimited reports a form whose cells are cut by a delimiter, wide gaps or the marks of a program.
func (f Form) Delimited() bool {
	return f == FormMarkdown || f == FormTabs || f == FormCSV || f == FormAligned || f == FormJSON || f == FormHTML
}

const maxBuilt = 40 // columns of a table made from a paste

// Columns proposes columns for delimited text that no declared table fits: named
// by its header, typed by the cells below it. A column without a name has no
// Label. It returns nil for text that is not delimited, and for more than 40
// columns.
func Columns(text string) []ui.Field {
	blank := make([]ui.Field, maxBuilt)
	for i := range blank {
		blank[i] = ui.Field{Name: "c" + strconv.Itoa(i+1), Type: ui.TypeText}
	}
	g := cut(text, blank)
	width := len(g.header)
	for _, r := range g.records {
		width = max(width, len(r))
	}
	if !g.form.Delimited() || width < 2 || width > maxBuilt || len(g.records) == 0 {
		return nil
	}
	if g.header == nil && (slices.ContainsFunc(strings.Split(text, "\n"), rule) || g.headed()) {
		g.header, g.records = g.records[0], g.records[1:]
	}
	columns, taken := blank[:width], map[string]bool{}
	for at := range columns {
		f := &columns[at]
		if at < len(g.header) {
			f.Label = strings.Trim(short(g.header[at]), " *_`")
		}
		if name := strings.Join(nameWords(f.Label), "_"); ui.ValidKey(name) && !taken[name] {
			f.Name = name
		}
		for n := at + 1; taken[f.Name]; n++ { // a header may be called c3
			f.Name = "c" + strconv.Itoa(n)
		}
		taken[f.Name] = true
		f.Type = g.typeOf(at)
	}
	return columns
}

// headed reports that the first record names the columns: none of its cells
// comes again below it, and some column shows that it is no row, by cells of
// another kind or by values that repeat, or most of them are common names.
func (g grid) headed() bool {
	if len(g.records) < 2 {
		return false
	}
	body := grid{records: g.records[1:], comma: g.comma}
	shows, known, names := false, 0, 0
	for at, name := range g.records[0] {
		if strings.TrimSpace(name) == "" {
			continue
		}
		names++
		if slices.ContainsFunc(nameWords(name), common) {
			known++
		}
		cells, distinct := 0, map[string]bool{}
		for _, r := range body.records {
			if at < len(r) && strings.TrimSpace(r[at]) != "" {
				cells++
				distinct[fold(r[at])] = true
			}
		}
		one := grid{records: [][]string{{name}}, comma: g.comma}
		if distinct[fold(name)] || one.typeOf(0) != ui.TypeText {
			return false
		}
		shows = shows || body.typeOf(at) != ui.TypeText || body.typed(ui.Field{Type: ui.TypeDate}, at) ||
			len(distinct)*2 <= cells
	}
	return shows || 2*known > names || prose.HeaderLike(g.records[0])
}

// common reports a word that headers often have.
func common(word string) bool {
	return slices.ContainsFunc(synonyms, func(set []string) bool { return slices.Contains(set, word) })
}

// typeOf is the type that the cells of a pasted column give away, else text.
// Numbers that begin with 0 or + are codes and telephone numbers.
func (g grid) typeOf(at int) ui.FieldType {
	for _, t := range []ui.FieldType{ui.TypeNumber, ui.TypeDate, ui.TypeEmail, ui.TypeURL} {
		f := ui.Field{Name: "c", Type: t}
		if g.typed(f, at) && !slices.ContainsFunc(g.records,
			func(r []string) bool { return at < len(r) && unlike(f, strings.TrimSpace(r[at])) }) {
			return t
		}
	}
	return ui.TypeText
}

// unlike reports a cell that keeps its column from having a type.
func unlike(f ui.Field, cell string) bool {
	switch f.Type {
	case ui.TypeNumber:
		return code(cell)
	case ui.TypeDate: // the time would be lost
		return strings.Trim(clock.FindString(cell), "T ,:.0Z") != ""
	case ui.TypeEmail:
		_, bad := f.Check(ui.String(cell), "", nil)
		return bad != nil
	}
	return false
}

func code(cell string) bool {
	return strings.HasPrefix(cell, "+") || len(cell) > 1 && cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9'
}
