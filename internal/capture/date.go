package capture

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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
	s = dayOf(s)
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

// yearOf reads four digits, or two: 00 to 49 are of this century, 50 to 99 of the last.
func yearOf(s string) (int, bool) {
	n, ok := natural(s)
	switch {
	case ok && len(s) == 4:
		return n, true
	case ok && len(s) == 2 && n < 50:
		return 2000 + n, true
	case ok && len(s) == 2:
		return 1900 + n, true
	}
	return 0, false
}

// date reads one cell and returns the ISO date or the code of its fault.
func date(s string, order dateOrder) (iso, code string) {
	if len(s) > 60 {
		return "", CodeDate
	}
	s = dayOf(s)
	if len(s) > 4 && s[4] >= utf8.RuneSelf {
		s = eastern.ReplaceAllString(s, "$1-$2-$3")
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

// clock is a time after a date: 10:30, 08:00:00 AM, 10:30+02:00.
var clock = regexp.MustCompile(`[T ,]+\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AaPp]\.?[Mm]\.?)?(Z| ?[+-]\d{2}:?\d{2})?$`)

// dayOf takes the time off a date.
func dayOf(s string) string {
	if strings.IndexByte(s, ':') < 0 { // most have none
		return s
	}
	return clock.ReplaceAllString(s, "")
}

// eastern is 2025年3月14日（金） and 2025년 3월 14일.
var eastern = regexp.MustCompile(`^(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일] ?(?:[(（].{1,12}[)）])?$`)

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

// named reads 14 Mar 2025, March 14, 2025, 14-Mar-25 and 3 de marzo de 2025.
func named(s string) (string, string) {
	parts := strings.FieldsFunc(fold(s), func(r rune) bool {
		return r == ' ' || r == ',' || r == '-' || r == '.' ||
			r == '/'
	})
	parts = slices.DeleteFunc(parts, func(p string) bool { return slices.Contains(besideMonths, p) })
	if len(parts) == 4 && !strings.ContainsAny(parts[0], "0123456789") { // Fri 14 Mar 2025
		parts = parts[1:]
	}
	if len(parts) != 3 {
		return "", CodeDate
	}
	day, month := parts[0], parts[1]
	if months[day] > 0 {
		day, month = month, day
	}
	m := months[month]
	day = strings.TrimRight(day, "sthndreºª") // 2nd, 1er
	d, ok := natural(day)
	y, okY := yearOf(parts[2])
	if m == 0 || !ok || !okY {
		return "", CodeDate
	}
	return checked(y, m, d)
}

// besideMonths are words that dates are written with.
var besideMonths = []string{"de", "del", "do", "di", "of", "the", "le", "el", "den", "am", "г", "года"}

// months.txt has the names of a month on each line.
//
//go:embed months.txt
var monthNames string

// months has the number of each month by its name, and by the three and four letters
// it begins with where no other month does: jun, sept.
var months = func() map[string]int {
	m := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(monthNames), "\n") {
		for name := range strings.FieldsSeq(line) {
			letters := []rune(name)
			for n := 3; n < min(len(letters), 5); n++ {
				if short := string(letters[:n]); m[short] == 0 || m[short] == i+1 {
					m[short] = i + 1
				} else {
					m[short] = -1
				}
			}
			m[name] = i + 1
		}
	}
	return m
}()

// startsWithMonth reports that the first word of s is the name of a month.
func startsWithMonth(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	return months[strings.TrimRight(fold(word), ".,:")] > 0
}
