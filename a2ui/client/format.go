package client

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

func numberData(f float64) a2ui.Data {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return a2ui.Data{}
	}
	return a2ui.Data{Kind: number, Str: string(jsonx.AppendFloat(nil, f))}
}

func formatNumber(a args) (a2ui.Data, error) {
	n, err := a.number()
	if err != nil {
		return a2ui.Data{}, err
	}
	s, err := a.decimal(n, 0, 3)
	return dataText(s), err
}

// symbols are those of en-US; other currencies show their code.
var symbols = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CNY": "CN¥",
	"KRW": "₩", "BRL": "R$", "CAD": "CA$", "AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "ILS": "₪",
	"VND": "₫", "TWD": "NT$", "HKD": "HK$", "PHP": "₱"}

func formatCurrency(a args) (a2ui.Data, error) {
	n, err := a.number()
	if err != nil {
		return a2ui.Data{}, err
	}
	currency := strings.ToUpper(show(a.named["currency"]))
	if len(currency) != 3 || strings.Trim(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return a2ui.Data{}, fmt.Errorf("%q is no ISO 4217 currency", currency)
	}
	digits := 2
	switch currency {
	case "JPY", "KRW", "VND", "CLP", "ISK", "UGX", "XAF", "XOF", "XPF", "PYG":
		digits = 0
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		digits = 3
	}
	s, err := a.decimal(math.Abs(n), digits, digits)
	if err != nil {
		return a2ui.Data{}, err
	}
	symbol, ok := symbols[currency]
	if !ok {
		symbol = currency + "\u00a0"
	}
	if math.Signbit(n) {
		symbol = "-" + symbol
	}
	return dataText(symbol + s), nil
}

// decimal writes n with "decimals" digits, else with low to high of them,
// halves away from zero, in groups of three unless "grouping" is false.
func (a args) decimal(n float64, low, high int) (string, error) {
	if d, ok := a.limit("decimals"); ok {
		if d < 0 || d > 20 || d != math.Trunc(d) {
			return "", fmt.Errorf("%v is no number of decimals", d)
		}
		low, high = int(d), int(d)
	}
	exact := new(big.Rat)
	if exact.SetFloat64(math.Abs(n)) == nil {
		return "", errors.New("infinite")
	}
	whole, fraction, _ := strings.Cut(exact.FloatString(high), ".") // rounds halves away
	for len(fraction) > low && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if g, ok := a.named["grouping"]; !ok || truthy(g) {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if math.Signbit(n) {
		whole = "-" + whole
	}
	return whole, nil
}

func pluralize(a args) (a2ui.Data, error) {
	n, err := a.number()
	if err != nil {
		return a2ui.Data{}, err
	}
	if one, ok := a.named["one"]; ok && n == 1 { // English has no other category
		return dataText(show(one)), nil
	}
	return dataText(show(a.named["other"])), nil
}

const isoForm = "2006-01-02T15:04:05.000Z"

func formatDate(a args) (a2ui.Data, error) {
	v, err := a.value()
	if err != nil || !truthy(v) {
		return dataText(""), err
	}
	t, ok := parseTime(v)
	if !ok {
		return dataText(""), nil
	}
	s, err := dateText(t, show(a.named["format"]))
	if err != nil && a.drawing.rules.isoFallback {
		return dataText(t.Format(isoForm)), nil
	}
	return dataText(s), err
}

// parseTime reads an ISO 8601 date or date-time, or milliseconds since 1970, in UTC.
func parseTime(v a2ui.Data) (time.Time, bool) {
	if n, ok := v.Float(); ok && math.Abs(n) <= 8.64e15 {
		return time.UnixMilli(int64(n)).UTC(), true
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(form, v.Text()); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// dateText writes t by a TR35 pattern.
func dateText(t time.Time, pattern string) (string, error) {
	if pattern == "ISO" {
		return t.Format(isoForm), nil
	}
	var b strings.Builder
	for i := 0; i < len(pattern); {
		c := pattern[i]
		if c == '\'' {
			n := quotedDate(&b, pattern[i:])
			i += n
			continue
		}
		n := 1
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			for i+n < len(pattern) && pattern[i+n] == c {
				n++
			}
			form, ok := dateForms[pattern[i:i+n]]
			if !ok {
				return "", fmt.Errorf("unknown letters %q in a date pattern", pattern[i:i+n])
			}
			b.WriteString(dateField(t, form))
		} else {
			b.WriteByte(c)
		}
		i += n
	}
	return b.String(), nil
}

// quotedDate copies quoted text of a pattern (a doubled quote is one quote) and
// returns its length.
func quotedDate(b *strings.Builder, in string) int {
	if strings.HasPrefix(in, "''") {
		b.WriteByte('\'')
		return 2
	}
	for i := 1; i < len(in); i++ {
		if in[i] != '\'' {
			b.WriteByte(in[i])
			continue
		}
		if i+1 == len(in) || in[i+1] != '\'' {
			return i + 1
		}
		b.WriteByte('\'')
		i++
	}
	return len(in)
}

// dateForms gives the layout of package time for a TR35 field.
var dateForms = map[string]string{"yy": "06", "yyyy": "2006", "y": "2006", "M": "1", "MM": "01", "MMM": "Jan", "MMMM": "January",
	"d": "2", "dd": "02", "E": "Mon", "EE": "Mon", "EEE": "Mon", "EEEE": "Monday", "h": "3", "hh": "03", "H": "H", "HH": "15",
	"m": "4", "mm": "04", "s": "5", "ss": "05", "a": "PM"}

func dateField(t time.Time, form string) string {
	if form == "H" { // package time has no hour of 0–23 without a leading zero
		return fmt.Sprint(t.Hour())
	}
	return t.Format(form)
}
