package sheet

import (
	"strings"

	"github.com/xuri/excelize/v2"
)

// The number formats cells are read with, by the ids every workbook knows.
const (
	fmtNone     = -1 // the number as it is
	fmtDate     = 14 // ShortDatePattern
	fmtDateTime = 22 // ShortDatePattern hh:mm
	fmtTime     = 20 // hh:mm
	fmtDuration = 46 // [h]:mm:ss
)

// plainFormats replaces the number format of every style: dates and times are
// written as ISO, everything else as the plain number.
func plainFormats(book *excelize.File) {
	styles := book.Styles
	if styles == nil || styles.CellXfs == nil {
		return
	}
	custom := map[int]string{}
	if styles.NumFmts != nil {
		for _, f := range styles.NumFmts.NumFmt {
			custom[f.NumFmtID] = f.FormatCode
		}
		styles.NumFmts = nil
	}
	for i := range styles.CellXfs.Xf {
		xf := &styles.CellXfs.Xf[i]
		id := 0
		if xf.NumFmtID != nil {
			id = *xf.NumFmtID
		}
		to := builtIn(id)
		if code, ok := custom[id]; ok {
			to = formatOf(code)
		}
		xf.NumFmtID = &to
	}
}

// builtIn classifies the formats that workbooks have without declaring them;
// 27 to 36 and 50 to 58 are the dates of East Asian versions.
func builtIn(id int) int {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return fmtDate
	case id == 22:
		return fmtDateTime
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 55, id == 56:
		return fmtTime
	case id >= 45 && id <= 47:
		return fmtDuration
	}
	return fmtNone
}

// formatOf classifies a format code by its letters, outside quotes and
// brackets: d and y are of dates, h and s of times, m of both.
func formatOf(code string) int {
	if first, _, ok := strings.Cut(code, ";"); ok {
		code = first
	}
	date, time := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '\\', '_', '*':
			i++
		case '"', '[':
			closing := byte('"')
			if c == '[' {
				closing = ']'
			}
			end := strings.IndexByte(code[i+1:], closing)
			if end < 0 {
				return fmtNone
			}
			inside := strings.ToLower(code[i+1 : i+1+end])
			if c == '[' && inside != "" && strings.Trim(inside, "hms") == "" {
				return fmtDuration
			}
			i += end + 1
		case '0', '#', '?', '%', '@':
			if !time { // seconds may have decimals: ss.00
				return fmtNone
			}
		case 'd', 'D', 'y', 'Y', 'e':
			date = true
		case 'h', 'H', 's', 'S':
			time = true
		case 'm', 'M':
			date = date || !time && !strings.ContainsAny(code, "hHsS")
		case 'G', 'g', 'E':
			return fmtNone // General, 0.0E+00
		}
	}
	switch {
	case date && time:
		return fmtDateTime
	case date:
		return fmtDate
	case time:
		return fmtTime
	}
	return fmtNone
}
