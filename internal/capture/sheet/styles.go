package sheet

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxStyles bounds the formats and the styles of a workbook; Excel has 65,490.
const maxStyles = 1 << 16

// styles are how cells show numbers, by the number of their style.
type styles []format

// readStyles reads the number formats of the styles that cells have.
func (a *archive) readStyles(part string) (styles, error) {
	var out styles
	custom := map[int]format{}
	inCells := false
	err := a.part(part, partStyles, func(t xml.Token) error {
		if e, ok := t.(xml.EndElement); ok && e.Name.Local == "cellXfs" {
			inCells = false
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			return nil
		}
		switch e.Name.Local {
		case "cellXfs":
			inCells = true
		case "numFmt":
			if id, err := strconv.Atoi(attribute(e, "numFmtId")); err == nil {
				custom[id] = formatOf(attribute(e, "formatCode"))
			}
		case "xf":
			if !inCells {
				break
			}
			id, _ := strconv.Atoi(attribute(e, "numFmtId"))
			f, ok := custom[id]
			if !ok {
				f = builtIn(id)
			}
			out = append(out, f)
		}
		if len(custom) > maxStyles || len(out) > maxStyles {
			return tooLarge("workbook", "styles", maxStyles)
		}
		return nil
	})
	return out, err
}

// show writes the number of a cell as its style says.
func (s styles) show(number, style string, from epoch) string {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return number
	}
	f := asNumber
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(s) {
		f = s[i]
	}
	if f != asNumber && n >= 0 && n < maxSerial {
		return f.show(n, from)
	}
	return decimal(n)
}

// decimal writes a number without an exponent, with the 15 digits that Excel has.
func decimal(n float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(n, 'e', 14, 64), 64)
	if err != nil {
		rounded = n
	}
	if size := math.Abs(rounded); size >= 1e30 || size != 0 && size < 1e-30 {
		return strconv.FormatFloat(rounded, 'E', -1, 64)
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// epoch is the day from which the day numbers of a workbook count.
type epoch int

const (
	epoch1900 epoch = iota // 1 is 1900-01-01; 60 is a February 29 that never was
	epoch1904              // 0 is 1904-01-01
)

// maxSerial is the day after 9999-12-31, from 1900.
const maxSerial = 2_958_466

// at returns the time of a day number, to the second.
func (e epoch) at(serial float64) time.Time {
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case e == epoch1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case serial < 60:
		first = first.AddDate(0, 0, 1)
	}
	days := math.Floor(serial)
	return first.AddDate(0, 0, int(days)).Add(time.Duration(math.Round((serial-days)*86_400)) * time.Second)
}

// show writes a day number.
func (f format) show(serial float64, from epoch) string {
	switch f {
	case asDate:
		return from.at(serial).Format(time.DateOnly)
	case asDateTime:
		return from.at(serial).Format("2006-01-02 15:04")
	case asTime:
		return from.at(serial).Format("15:04")
	case asDuration:
		seconds := int64(math.Round(serial * 86_400))
		two := func(n int64) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }
		return strconv.FormatInt(seconds/3600, 10) + ":" + two(seconds/60%60) + ":" + two(seconds%60)
	}
	return decimal(serial)
}

// isoText writes a cell of type d, which is ISO 8601 already, as other dates.
func isoText(s string) string {
	s = strings.TrimSpace(s)
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
				return t.Format(time.DateOnly)
			}
			return t.Format("2006-01-02 15:04")
		}
	}
	return s
}
