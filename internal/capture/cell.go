package capture

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/limn-ui/limn/ui"
)

// columnHint helps to read one cell by the others of its column.
type columnHint struct {
	dates dateOrder
	comma bool // decimal comma
	open  bool // comma is of the language, and no cell of the column speaks for it

	answers map[string]bool // of a column of booleans: yesOrNo, which takes longer than a cell; nil: not yet
}

// hints reads every column once: the order of its dates, its decimal mark. What
// the dates of all columns say together is the guess for those that stay open, and
// the mark that other columns show is that of a column which shows none.
func (g grid) hints(columns []ui.Field, source []int) []columnHint {
	hints := make([]columnHint, len(columns))
	var all dateOrder
	var answers map[string]bool
	var commas, points []int // columns that show their mark
	for c, f := range columns {
		h := &hints[c]
		if f.Type == ui.TypeBoolean {
			if answers == nil {
				answers = yesOrNo()
			}
			h.answers = answers
		}
		at := source[c]
		if at < 0 || f.Type != ui.TypeDate && f.Type != ui.TypeNumber && f.Type != ui.TypeSlider {
			continue
		}
		comma, point := false, false
		for _, r := range g.records {
			if at >= len(r) {
				continue
			}
			if cell := strings.TrimSpace(r[at]); f.Type == ui.TypeDate {
				h.dates = h.dates.see(cell)
			} else {
				comma, point = comma || decimalComma(cell), point || decimalPoint(cell)
			}
		}
		if comma {
			commas = append(commas, c)
		}
		if point {
			points = append(points, c)
		}
		all.dayFirst += h.dates.dayFirst
		all.monthFirst += h.dates.monthFirst
	}
	told := (len(commas) > 0) != (len(points) > 0)
	for c := range hints {
		h := &hints[c]
		h.dates.elsewhere = all.dayFirst < all.monthFirst
		switch {
		case slices.Contains(commas, c) || slices.Contains(points, c):
			h.comma = slices.Contains(commas, c)
		case told && (len(commas) > 0 || !g.local): // a point beside the reader's comma settles nothing
			h.comma = len(commas) > 0
		default:
			h.comma, h.open = g.comma || g.local, g.local && !g.comma
		}
	}
	return hints
}

// convert types one cell. An empty cell is null without error.
func convert(f ui.Field, raw string, h columnHint) Cell {
	c := Cell{Raw: raw}
	if raw == "" {
		return c
	}
	switch f.Type {
	case ui.TypeNumber, ui.TypeSlider:
		if n, ok := number(raw, h.comma); ok && !(h.open && twofold(raw, n)) {
			c.Value = n
		} else {
			c.Code = CodeNumber
		}
	case ui.TypeDate:
		var iso string
		if iso, c.Code = date(raw, h.dates); c.Code == "" {
			c.Value = ui.String(iso)
		}
	case ui.TypeDateTime:
		c.Value = ui.String(moment(raw))
	case ui.TypeURL:
		if u, ok := webAddress(raw); ok {
			c.Value = ui.String(u)
		} else {
			c.Code = CodeURL
		}
	case ui.TypeChoice:
		if o, ok := option(f.Options, raw); ok {
			c.Value = ui.String(o)
		} else {
			c.Code = CodeEnum
		}
	case ui.TypeChoices:
		var list []string
		for _, part := range listCells(raw) {
			o, ok := option(f.Options, part)
			if !ok {
				c.Code = CodeEnum
				return c
			}
			list = append(list, o)
		}
		c.Value = ui.Strings(list...)
	case ui.TypeTags:
		c.Value = ui.Strings(listCells(raw)...)
	case ui.TypeBoolean:
		if h.answers == nil {
			h.answers = yesOrNo()
		}
		if yes, ok := h.answers[fold(raw)]; ok {
			c.Value = ui.Bool(yes)
		} else {
			c.Code = CodeEnum
		}
	default:
		c.Value = ui.String(raw)
	}
	return c
}

// moment is a date and a time of day in the form of a draft, if a spreadsheet wrote them.
func moment(raw string) string {
	for _, layout := range [...]string{"2006-01-02 15:04", time.DateTime} {
		if t, err := time.Parse(layout, raw); err == nil {
			return t.Format("2006-01-02T15:04")
		}
	}
	return raw
}

// yesOrNo has signs for yes and no, and the words of each language that Limn speaks, folded.
func yesOrNo() map[string]bool {
	all := map[string]bool{}
	for _, w := range []string{"y", "true", "1", "x", "✓", "✔", "✅", "☑", "да", "是"} {
		all[w] = true
	}
	for _, w := range []string{"n", "false", "0", "-", "✗", "✘", "❌", "☐", "nee", "нет", "否"} {
		all[w] = false
	}
	for _, lang := range ui.WordLanguages() {
		w := ui.Words{"page.lang": lang}
		all[fold(w.Say("value.yes"))], all[fold(w.Say("value.no"))] = true, false
	}
	return all
}

func listCells(raw string) []string {
	var out []string
	for p := range strings.FieldsFuncSeq(raw, func(r rune) bool { return r == ',' || r == ';' }) {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// option finds the canonical spelling of a choice.
func option(options []ui.Option, raw string) (string, bool) {
	want := fold(raw)
	for _, o := range options {
		if fold(o.Value) == want || fold(o.Text()) == want {
			return o.Value, true
		}
	}
	return "", false
}

// fold brings text that means the same to one form: NFKC, lower case, single
// spaces.
func fold(s string) string {
	single := true // ASCII with single spaces: nothing to even out
	for i := 0; i < len(s) && single; i++ {
		c := s[i]
		single = c > ' ' && c < 0x7f || c == ' ' && i > 0 && i < len(s)-1 && s[i-1] != ' '
	}
	if single {
		return strings.ToLower(s) // the same string where it is lower case already
	}
	s = norm.NFKC.String(s)
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// decimalComma reports a number that can only be read with a decimal comma:
// 12,5 · 1.250,00.
func decimalComma(s string) bool {
	i := strings.LastIndexByte(s, ',')
	if i < 0 || strings.LastIndexByte(s, '.') > i || strings.Count(s, ",") > 1 {
		return false
	}
	digits := 0
	for j := i + 1; j < len(s) && s[j] >= '0' && s[j] <= '9'; j++ {
		digits++
	}
	return digits > 0 && digits != 3 || strings.IndexByte(s, '.') >= 0
}

// decimalPoint reports a number that can only be read with a decimal point: 12.5 · 1,250.00.
func decimalPoint(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || strings.LastIndexByte(s, ',') > i || strings.Count(s, ".") > 1 {
		return false
	}
	n := len(s[i+1:]) - len(strings.TrimLeft(s[i+1:], "0123456789"))
	return n > 0 && n != 3 || strings.IndexByte(s, ',') >= 0
}

// twofold reports a number that means another thing with a decimal point than n.
func twofold(raw string, n ui.Value) bool {
	v, ok := ui.Number(raw)
	return ok && !v.Equal(n)
}

// evened evens out spaces, minus signs and the apostrophes some countries group with.
var evened = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "−", "-", "'", " ", "’", " ")

// currencies are written before or after amounts, like the signs $ and €.
var currencies = strings.Fields("USD EUR GBP CHF JPY CNY INR AUD CAD BRL MXN PLN CZK SEK NOK DKK HUF TRY " +
	"R$ Rs. Rs kr. kr zł Kč Ft Fr. 円 元 원")

// bare takes the currency off an amount, and the width off full-width digits.
func bare(s string) string {
	s = strings.TrimSpace(evened.Replace(s))
	for _, code := range currencies {
		if rest := strings.TrimSuffix(strings.TrimPrefix(s, code), code); rest != s {
			return strings.TrimSpace(rest)
		}
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Sc, r):
			return -1
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		}
		return r
	}, s))
}

// number reads 1,250.00 · 1.250,00 (comma) · $15.50 · 12 000 € · (40) · -3.
// The value is exact decimal text without needless zeros.
func number(s string, comma bool) (ui.Value, bool) {
	negative := false
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		negative, s = true, s[1:len(s)-1]
	}
	if strings.Trim(s, "0123456789.,-+") != "" {
		s = bare(s)
	}
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		negative, s = !negative, strings.TrimSpace(rest)
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	mark, group := byte('.'), byte(',')
	if dot, com := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ','); comma && dot < com ||
		com > dot && dot >= 0 || comma && com < 0 && groups(s, '.') {
		mark, group = ',', '.'
	}
	whole, frac := s, ""
	if i := strings.LastIndexByte(s, mark); i >= 0 {
		whole, frac = s[:i], s[i+1:]
	}
	if strings.IndexByte(whole, group) >= 0 && !groups(whole, group) ||
		strings.IndexByte(whole, ' ') >= 0 && !groups(whole, ' ') {
		return ui.Value{}, false
	}
	whole = strings.ReplaceAll(strings.ReplaceAll(whole, string(group), ""), " ", "")
	if whole+frac == "" || !digits(whole) || !digits(frac) {
		return ui.Value{}, false
	}
	whole, frac = strings.TrimLeft(whole, "0"), strings.TrimRight(frac, "0")
	if whole == "" {
		whole = "0"
	}
	if frac != "" {
		whole += "." + frac
	}
	if negative && whole != "0" {
		whole = "-" + whole
	}
	return ui.Number(whole)
}

// groups reports digits in groups of three, 1,250,000, or as India groups them with
// commas: the last three, then by two, 12,50,000.
func groups(s string, sep byte) bool {
	parts := strings.Split(s, string(sep))
	last, size := len(parts)-1, 3
	if last > 1 && sep == ',' && len(parts[1]) == 2 {
		size = 2
	}
	for i, p := range parts {
		if !digits(p) || i == 0 && (p == "" || len(p) > size) || i > 0 && i < last && len(p) != size ||
			i == last && len(p) != 3 {
			return false
		}
	}
	return last > 0
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// webAddress accepts http and https URLs and bare hosts, which get https://.
func webAddress(s string) (string, bool) {
	raw := s
	if scheme, rest, ok := strings.Cut(s, "://"); ok { // HTTPS://a.example
		s = strings.ToLower(scheme) + "://" + rest
	}
	rest, full := strings.CutPrefix(s, "https://")
	if !full {
		rest, full = strings.CutPrefix(s, "http://")
	}
	host, _, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(rest, "?", "/"), "#", "/"), "/")
	host, port, hasPort := strings.Cut(host, ":")
	if hasPort && (port == "" || !digits(port)) {
		return "", false
	}
	dot := strings.LastIndexByte(host, '.')
	if strings.ContainsAny(s, " \t\n\"<>\\@") || host == "" || len(s) > 2048 ||
		(dot <= 0 || len(host)-dot < 3) && !(full && dot < 0) || digits(strings.ReplaceAll(host, ".", "")) && !full {
		return "", false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" {
			return "", false
		}
	}
	if !full {
		return "https://" + s, true
	}
	return raw, true
}
