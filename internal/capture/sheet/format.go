package sheet

import "strings"

// format is how a number is shown.
type format uint8

const (
	asNumber format = iota
	asDate
	asDateTime
	asTime
	asDuration // [h]:mm:ss
)

// maxFormat is the longest format code that is looked at, in bytes; Excel has 255
// characters.
const maxFormat = 1024

// builtIn classifies the formats that workbooks have without declaring them;
// 27 to 36 and 50 to 58 are the dates of East Asian versions.
func builtIn(id int) format {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return asDate
	case id == 22:
		return asDateTime
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 55, id == 56:
		return asTime
	case id >= 45 && id <= 47:
		return asDuration
	}
	return asNumber
}

// formatOf classifies a format code by its letters, outside quotes and
// brackets: d and y are of dates, h and s of times, m of both.
func formatOf(code string) format {
	if len(code) > maxFormat {
		return asNumber
	}
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
				return asNumber
			}
			inside := strings.ToLower(code[i+1 : i+1+end])
			if c == '[' && inside != "" && strings.Trim(inside, "hms") == "" {
				return asDuration
			}
			i += end + 1
		case '0', '#', '?', '%', '@':
			if !time { // seconds may have decimals: ss.00
				return asNumber
			}
		case 'd', 'D', 'y', 'Y', 'e':
			date = true
		case 'h', 'H', 's', 'S':
			time = true
		case 'm', 'M':
			date = date || !time && !strings.ContainsAny(code, "hHsS")
		case 'G', 'g', 'E':
			return asNumber // General, 0.0E+00
		}
	}
	switch {
	case date && time:
		return asDateTime
	case date:
		return asDate
	case time:
		return asTime
	}
	return asNumber
}
