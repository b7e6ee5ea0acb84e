package capture

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// dateOrder counts how the dates of a column with slashes are written.
type dateOrder struct {
	dayFirst, monthFirst int
	elsewhere            bool // the dates of all columns: month first
}

// see learns from one cell: a part above 12 is a day.
func (o dateOrder) see(s string) dateOrder {
	a, b, _, ok := slashed(s)
	switch {
	case !ok || (a > 12) == (b > 12):
	case a > 12:
		o.dayFirst++
	default:
		o.monthFirst++
	}
	return o
}

// months reports that a date which may be read both ways has the month first;
// sure is false where nothing in its column says so, or both do. Then the
// majority counts, then the other columns, then the day comes first.
func (o dateOrder) months() (first, sure bool) {
	switch {
	case o.dayFirst == o.monthFirst:
		return o.dayFirst == 0 && o.elsewhere, false
	case o.dayFirst > o.monthFirst:
		return false, o.monthFirst == 0
	}
	return true, o.dayFirst == 0
}

// ask words an ambiguous cell as a question and fills its guess in.
func (h columnHint) ask(row int, column string, c *Cell) Question {
	a, b, year, _ := slashed(c.Raw)
	guess, _ := checked(year, b, a)
	other, _ := checked(year, a, b)
	if first, _ := h.dates.months(); first {
		guess, other = other, guess
	}
	c.Guess = guess
	return Question{Row: row, Col: column, Code: CodeAmbiguous, Raw: c.Raw, Guess: guess, Other: other}
}

// slashed splits 03/04/2025 and 03-04-25.
func slashed(s string) (a, b, year int, ok bool) {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '-' })
	if len(parts) != 3 || len(parts[0]) > 2 || len(parts[1]) > 2 || strings.Count(s, "/")+strings.Count(s, "-") != 2 {
		return 0, 0, 0, false
	}
	a, okA := natural(parts[0])
	b, okB := natural(parts[1])
	year, okY := yearOf(parts[2])
	return a, b, year, okA && okB && okY
}

func natural(s string) (int, bool) {
	if s == "" || len(s) > 4 || !digits(s) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// yearOf reads four digits, or two of this century.
func yearOf(s string) (int, bool) {
	n, ok := natural(s)
	switch {
	case ok && len(s) == 4:
		return n, true
	case ok && len(s) == 2:
		return 2000 + n, true
	}
	return 0, false
}

// date reads one cell and returns the ISO date or the code of its fault.
func date(s string, order dateOrder) (iso, code string) {
	if len(s) > 40 {
		return "", CodeDate
	}
	if d, ok := isoLike(s); ok {
		return d, valid(d)
	}
	if a, b, year, ok := slashed(s); ok {
		switch months, sure := order.months(); {
		case a > 12 || a == b:
			return checked(year, b, a)
		case b > 12:
			return checked(year, a, b)
		case a == 0 || b == 0:
			return "", CodeDate
		case !sure:
			return "", CodeAmbiguous
		case months:
			return checked(year, a, b)
		default:
			return checked(year, b, a)
		}
	}
	if parts := strings.Split(s, "."); len(parts) == 3 { // 14.03.2025: day first wherever dots are used
		d, ok1 := natural(strings.TrimSpace(parts[0]))
		m, ok2 := natural(strings.TrimSpace(parts[1]))
		y, ok3 := yearOf(strings.TrimSpace(parts[2]))
		if ok1 && ok2 && ok3 {
			return checked(y, m, d)
		}
	}
	return named(s)
}

// isoLike reads 2025-03-14, 2025/12/31, 2025.03.14, with or without a time.
func isoLike(s string) (string, bool) {
	if i := strings.IndexAny(s, "T "); i == 10 {
		s = s[:i]
	}
	if len(s) == 10 && s[4] == '-' && s[7] == '-' && digits(s[:4]) && digits(s[5:7]) && digits(s[8:]) {
		return s, true
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '/' || r == '.' })
	if len(parts) != 3 || len(parts[0]) != 4 || len(parts[1]) > 2 || len(parts[2]) > 2 {
		return "", false
	}
	y, ok1 := natural(parts[0])
	m, ok2 := natural(parts[1])
	d, ok3 := natural(parts[2])
	return isoDate(y, m, d), ok1 && ok2 && ok3
}

func isoDate(y, m, d int) string { return fmt.Sprintf("%04d-%02d-%02d", y, m, d) }

// valid returns the code of a date that does not exist, such as 2025-02-30.
func valid(iso string) string {
	if _, err := time.Parse(time.DateOnly, iso); err != nil {
		return CodeDate
	}
	return ""
}

func checked(y, m, d int) (string, string) {
	iso := isoDate(y, m, d)
	if code := valid(iso); code != "" {
		return "", code
	}
	return iso, ""
}

// named reads 14 Mar 2025, March 14, 2025 and 14-Mar-25.
func named(s string) (string, string) {
	parts := strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == ',' || r == '-' || r == '.' ||
			r == '/'
	})
	if len(parts) == 4 { // Fri 14 Mar 2025
		parts = parts[1:]
	}
	if len(parts) != 3 {
		return "", CodeDate
	}
	day, month := parts[0], parts[1]
	if m := monthNamed(day); m > 0 {
		day, month = month, day
	}
	m := monthNamed(month)
	day = strings.TrimRight(strings.ToLower(day), "sthndr")
	d, ok := natural(day)
	y, okY := yearOf(parts[2])
	if m == 0 || !ok || !okY {
		return "", CodeDate
	}
	return checked(y, m, d)
}

func monthNamed(s string) int {
	if len(s) < 3 {
		return 0
	}
	s = strings.ToLower(s)
	for m := time.January; m <= time.December; m++ {
		if name := strings.ToLower(m.String()); name == s || strings.HasPrefix(name, s) && len(s) <= 4 {
			return int(m)
		}
	}
	return 0
}
