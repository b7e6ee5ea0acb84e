package sheet

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/limn-ui/limn/ui"
)

// lastRow is the number of the last row a workbook can have.
const lastRow = 1 << 20

// workbook reads one sheet of an XLSX file.
func workbook(f File, lim Limits) (string, Info, error) {
	parts, err := unpack(f.Data, lim)
	if err != nil {
		return "", Info{}, err
	}
	// Nothing goes to temporary files: both limits are above what unpack let through.
	size := int64(len(parts)) + 1
	book, err := excelize.OpenReader(bytes.NewReader(parts), excelize.Options{UnzipSizeLimit: size, UnzipXMLSizeLimit: size, ShortDatePattern: "yyyy-mm-dd"})
	if err != nil {
		return "", Info{}, unreadable(err)
	}
	plainFormats(book)
	names := book.GetSheetList()
	if f.Sheet != "" {
		at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, f.Sheet) })
		if at < 0 {
			return "", Info{}, &ui.Error{Code: CodeNoSheet, Message: "the workbook has no sheet of that name", Hint: "its sheets are: " + strings.Join(names[:min(len(names), 20)], ", ")}
		}
		text, info, err := oneSheet(book, names[at], lim)
		info.Sheets = names
		if err == nil && info.Rows == 0 {
			err = empty()
		}
		return text, info, err
	}
	for _, name := range names {
		text, info, err := oneSheet(book, name, lim)
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

// oneSheet writes the rows of a sheet that hold something.
func oneSheet(book *excelize.File, name string, lim Limits) (string, Info, error) {
	info := Info{Kind: Workbook, Sheet: name}
	rows, err := book.Rows(name)
	if err != nil { // a chart
		return "", info, nil
	}
	merged, err := scan(partOf(book, name), lim, &info)
	if err != nil {
		return "", info, err
	}
	var out strings.Builder
	out.WriteString("sep=\t\n")
	var lines [][]string
	cells := 0
	for n := 1; rows.Next(); n++ {
		if n > lastRow {
			return "", info, unreadable(nil)
		}
		hidden := rows.GetRowOpts().Hidden
		row, err := rows.Columns()
		if err != nil {
			return "", info, unreadable(err)
		}
		if len(row) > lim.Columns {
			return "", info, tooLarge("sheet", "columns", lim.Columns)
		}
		if !slices.ContainsFunc(row, func(c string) bool { return strings.TrimSpace(c) != "" }) {
			continue
		}
		for i := range row {
			row[i] = unscientific(row[i])
		}
		row = merged.fill(n, row)
		lines = append(lines, row)
		info.Columns = max(info.Columns, len(row))
		if cells += len(row); hidden {
			info.HiddenRows++
		}
		switch {
		case len(lines) > lim.Rows:
			return "", info, tooLarge("sheet", "rows", lim.Rows)
		case cells > lim.Cells:
			return "", info, tooLarge("sheet", "cells", lim.Cells)
		}
	}
	info.Rows = len(lines)
	for _, row := range lines {
		for i, cell := range row {
			if i > 0 {
				out.WriteByte('\t')
			}
			out.WriteString(quoted(cell))
		}
		out.WriteByte('\n')
	}
	return out.String(), info, nil
}

// quoted puts a cell in quotes where it could be taken for several.
func quoted(cell string) string {
	cell = strings.ReplaceAll(strings.ReplaceAll(cell, "\r\n", "\n"), "\r", "\n")
	if strings.ContainsAny(cell, "\t\n\"") {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}

// unscientific writes 1.5E-07, the library's form of numbers with many digits,
// as plain decimals.
func unscientific(s string) string {
	e := strings.LastIndexByte(s, 'E')
	if e <= 0 || e+2 >= len(s) || len(s) > 30 || s[e+1] != '-' && s[e+1] != '+' || strings.Trim(s[:e], "0123456789.-") != "" {
		return s
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n > 1e30 || n < -1e30 {
		return s
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
