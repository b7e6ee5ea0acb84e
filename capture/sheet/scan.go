package sheet

import (
	"bytes"
	"encoding/xml"
	"io"
	"path"
	"strings"

	"github.com/xuri/excelize/v2"
)

// merges are cells merged over several rows, by the row they begin in.
type merges struct {
	starts map[int][]span
	active map[int]filling // by column from 0
}

type span struct{ column, last int } // column from 0, last row

type filling struct {
	text string
	last int
}

// maxMerges bounds the merged ranges of a sheet.
const maxMerges = 10_000

// fill repeats merged cells in row n.
func (m merges) fill(n int, row []string) []string {
	for column, f := range m.active {
		switch {
		case n > f.last:
			delete(m.active, column)
		case column < len(row) && row[column] == "":
			row[column] = f.text
		case column >= len(row):
			row = append(row, make([]string, column+1-len(row))...)
			row[column] = f.text
		}
	}
	for _, s := range m.starts[n] {
		if s.column < len(row) {
			m.active[s.column] = filling{row[s.column], s.last}
		}
	}
	return row
}

// scan reads a sheet once for what the library passes over: whether it is whole,
// merged cells, formulas without a result.
func scan(data []byte, lim Limits, info *Info) (merges, error) {
	m := merges{starts: map[int][]span{}, active: map[int]filling{}}
	d := xml.NewDecoder(bytes.NewReader(data))
	formula, value, depth, cells := false, false, 0, 0
	for {
		token, err := d.RawToken()
		if err == io.EOF && depth == 0 && len(data) > 0 {
			return m, nil
		}
		if err != nil {
			return m, unreadable(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			switch t.Name.Local {
			case "c":
				formula, value = false, false
			case "f":
				formula = true
			case "v", "is":
				value = true
				if cells++; cells > lim.Cells {
					return m, tooLarge("sheet", "cells", lim.Cells)
				}
			case "mergeCell":
				if info.Merged == maxMerges {
					return m, tooLarge("sheet", "merged cells", maxMerges)
				}
				m.add(t, info)
			}
		case xml.EndElement:
			depth--
			if t.Name.Local == "c" && formula && !value {
				info.NoValue++
			}
		}
	}
}

func (m merges) add(t xml.StartElement, info *Info) {
	for _, a := range t.Attr {
		from, to, ok := strings.Cut(a.Value, ":")
		if a.Name.Local != "ref" || !ok {
			continue
		}
		column, first, err1 := excelize.CellNameToCoordinates(from)
		_, last, err2 := excelize.CellNameToCoordinates(to)
		if err1 == nil && err2 == nil && last > first {
			m.starts[first] = append(m.starts[first], span{column - 1, last})
			info.Merged++
		}
	}
}

// partOf finds the part of a sheet as the library does: the relationship its
// entry in the workbook names.
func partOf(book *excelize.File, name string) []byte {
	id := ""
	for _, s := range book.WorkBook.Sheets.Sheet {
		if strings.EqualFold(s.Name, name) {
			id = s.ID
		}
	}
	var data []byte
	book.Pkg.Range(func(key, value any) bool {
		if !strings.HasPrefix(strings.ToLower(key.(string)), "xl/_rels/workbook") {
			return true
		}
		var rels struct {
			Relationship []struct {
				ID     string `xml:"Id,attr"`
				Target string `xml:"Target,attr"`
			}
		}
		if xml.Unmarshal(value.([]byte), &rels) != nil {
			return true
		}
		for _, r := range rels.Relationship {
			if r.ID == id {
				target := strings.ReplaceAll(r.Target, `\`, "/")
				if !strings.HasPrefix(target, "/") {
					target = "/xl/" + target
				}
				if part, ok := book.Pkg.Load(strings.TrimPrefix(path.Clean(target), "/")); ok {
					data = part.([]byte)
				}
			}
		}
		return true
	})
	return data
}
