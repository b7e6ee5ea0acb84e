package sheet

import (
	"encoding/xml"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// book describes the sheets of a workbook.
type book struct {
	*archive
	sheets  []sheetRef
	strings string // the part of the shared strings
	styles  styles
	from    epoch
}

type sheetRef struct {
	name, part string // part is "" where no cells are, as in a chart
	hidden     bool
}

// maxName is how much of the name of a sheet is kept; Excel takes 31 characters.
const maxName = 100

// workbook reads one sheet of an XLSX file: the one asked for, or the first with a cell in
// it, visible ones before hidden ones. Dates become ISO text, numbers lose their format
// (1.250,00 € is 1250), formulas are their stored results, a cell merged over several rows is
// in each of them. Hidden rows are read like others.
func workbook(f File, lim Limits) (string, Info, error) {
	a, err := openArchive(f.Data, lim)
	if err != nil {
		return "", Info{}, err
	}
	b, err := openBook(a)
	if err != nil {
		return "", Info{}, err
	}
	var names []string
	for _, s := range b.sheets {
		names = append(names, s.name)
	}
	try := b.visibleFirst()
	if f.Sheet != "" {
		at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, f.Sheet) })
		if at < 0 {
			return "", Info{}, &ui.Error{Code: CodeNoSheet, Message: "the workbook has no sheet of that name",
				Hint: "its sheets are: " + strings.Join(names[:min(len(names), 20)], ", ")}
		}
		try = b.sheets[at : at+1]
	}
	for _, s := range try {
		if s.part == "" {
			continue
		}
		text, info, err := b.read(s, lim)
		if err != nil {
			return "", Info{}, err
		}
		if info.Rows > 0 {
			info.Sheets = names
			return text, info, nil
		}
	}
	return "", Info{}, empty()
}

// visibleFirst orders the sheets by who looks at them: hidden ones hold lists that
// other sheets refer to.
func (b *book) visibleFirst() []sheetRef {
	sorted := slices.Clone(b.sheets)
	slices.SortStableFunc(sorted, func(x, y sheetRef) int {
		switch {
		case x.hidden == y.hidden:
			return 0
		case x.hidden:
			return 1
		}
		return -1
	})
	return sorted
}

// openBook finds the sheets by the relationships of the package (ECMA-376, part 2),
// then reads the styles of cells.
func openBook(a *archive) (*book, error) {
	main := "xl/workbook.xml"
	if a.has("_rels/.rels") {
		rels, err := a.relations("")
		if err != nil {
			return nil, err
		}
		for _, r := range rels {
			if r.kind == "officeDocument" {
				main = r.target
			}
		}
	}
	if !a.has(main) {
		return nil, noType() // another kind of archive: .ods, .xlsb, .zip
	}
	b := &book{archive: a}
	ids, err := b.list(main)
	if err != nil {
		return nil, err
	}
	rels, err := a.relations(main)
	if err != nil {
		return nil, err
	}
	for _, r := range rels {
		switch r.kind {
		case "worksheet":
			for i, id := range ids {
				if id == r.id && a.has(r.target) {
					b.sheets[i].part = r.target
				}
			}
		case "sharedStrings":
			b.strings = r.target
		case "styles":
			if a.has(r.target) {
				if b.styles, err = a.readStyles(r.target); err != nil {
					return nil, err
				}
			}
		}
	}
	if b.strings == "" { // some programs write it without a relationship
		b.strings = "xl/sharedstrings.xml"
	}
	return b, nil
}

// list reads the sheets that a workbook names, and the ids of their relationships.
func (b *book) list(main string) (ids []string, err error) {
	first := true
	err = b.part(main, partHead, func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		if !ok {
			return nil
		}
		if first && e.Name.Local != "workbook" {
			return noType() // .docx, .pptx
		}
		first = false
		switch e.Name.Local {
		case "workbookPr":
			if flag(e, "date1904") {
				b.from = epoch1904
			}
		case "sheet":
			state := attribute(e, "state")
			b.sheets = append(b.sheets, sheetRef{name: excerpt.Head(attribute(e, "name"), maxName),
				hidden: state == "hidden" || state == "veryHidden"})
			ids = append(ids, attribute(e, "id"))
		}
		return nil
	})
	if err == nil && len(ids) == 0 {
		err = unreadable(nil)
	}
	return ids, err
}

type relation struct{ id, kind, target string }

// relations reads the relationships of a part, or of the package.
func (a *archive) relations(of string) (list []relation, err error) {
	dir, file := path.Split(of)
	name := dir + "_rels/" + file + ".rels"
	if !a.has(name) {
		return nil, unreadable(nil)
	}
	err = a.part(name, partHead, func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" || attribute(e, "TargetMode") == "External" {
			return nil
		}
		target := strings.ReplaceAll(attribute(e, "Target"), `\`, "/")
		if !strings.HasPrefix(target, "/") {
			target = dir + target
		}
		list = append(list, relation{attribute(e, "Id"), path.Base(attribute(e, "Type")), partName(target)})
		return nil
	})
	return list, err
}

// read writes the rows of a sheet that hold something.
func (b *book) read(s sheetRef, lim Limits) (string, Info, error) {
	info := Info{Kind: Workbook, Sheet: s.name}
	g := &grid{book: b, lim: lim, info: &info, hidden: map[int]bool{}, merges: newMerges()}
	if err := b.part(s.part, b.limit, g.visit); err != nil {
		return "", info, err
	}
	if err := b.resolve(g); err != nil {
		return "", info, err
	}
	text, err := g.write()
	return text, info, err
}

// write puts the cells in order and joins them.
func (g *grid) write() (string, error) {
	slices.SortStableFunc(g.cells, func(x, y cell) int {
		if x.row != y.row {
			return x.row - y.row
		}
		return x.column - y.column
	})
	var out strings.Builder
	out.WriteString("sep=\t\n")
	cells := 0
	for i := 0; i < len(g.cells); {
		n, end := g.cells[i].row, i
		filled := false
		for ; end < len(g.cells) && g.cells[end].row == n; end++ {
			filled = filled || strings.TrimSpace(g.cells[end].text) != ""
		}
		if row := g.cells[i:end]; filled {
			line := make([]string, row[len(row)-1].column+1)
			for _, c := range row {
				line[c.column] = c.text
			}
			line = g.merges.fill(n, line)
			g.info.Rows++
			g.info.Columns = max(g.info.Columns, len(line))
			if g.hidden[n] {
				g.info.HiddenRows++
			}
			cells += len(line)
			switch {
			case g.info.Rows > g.lim.Rows:
				return "", tooLarge("sheet", "rows", g.lim.Rows)
			case cells > g.lim.Cells:
				return "", tooLarge("sheet", "cells", g.lim.Cells)
			}
			for i, text := range line {
				if i > 0 {
					out.WriteByte('\t')
				}
				out.WriteString(quoted(text))
				if out.Len() > g.lim.Text {
					return "", tooMuchText(g.lim)
				}
			}
			out.WriteByte('\n')
			if err := g.book.stop(); err != nil {
				return "", tooSlow(err)
			}
		}
		i = end
	}
	return out.String(), nil
}

// quoted puts a cell in quotes where it could be taken for several.
func quoted(cell string) string {
	if !strings.ContainsAny(cell, "\t\n\r\"") {
		return cell
	}
	cell = strings.ReplaceAll(strings.ReplaceAll(cell, "\r\n", "\n"), "\r", "\n")
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// position reads a reference such as B12: the column from 0, the row from 1.
func position(ref string) (column, row int, ok bool) {
	i := 0
	for ; i < len(ref) && i < 4; i++ {
		c := ref[i] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		column = column*26 + int(c-'a') + 1
	}
	row, err := strconv.Atoi(ref[i:])
	return column - 1, row, i > 0 && err == nil && column <= lastColumn && row > 0 && row <= lastRow
}
