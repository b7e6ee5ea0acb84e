package function

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/jsonx"
)

func formatNumber(c *Call) (jsonx.Value, error) {
	n, err := c.number()
	if err != nil {
		return jsonx.Value{}, err
	}
	s, err := c.decimal(n, 0, 3)
	return jsonx.Of(s), err
}

// symbols are those of en-US; other currencies show their code.
var symbols = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CNY": "CN¥",
	"KRW": "₩", "BRL": "R$", "CAD": "CA$", "AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "ILS": "₪",
	"VND": "₫", "TWD": "NT$", "HKD": "HK$", "PHP": "₱"}

func formatCurrency(c *Call) (jsonx.Value, error) {
	n, err := c.number()
	if err != nil {
		return jsonx.Value{}, err
	}
	currency := strings.ToUpper(Show(c.Args["currency"]))
	if len(currency) != 3 || strings.Trim(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		if c.Rules.AnyCurrency {
			decimals, ok := c.limit("decimals")
			if !ok || decimals < 0 || decimals > 100 {
				decimals = 2
			}
			return jsonx.Of(strconv.FormatFloat(n, 'f', int(decimals), 64)), nil
		}
		return jsonx.Value{}, fmt.Errorf("%q is no ISO 4217 currency", currency)
	}
	digits := 2
	switch currency {
	case "JPY", "KRW", "VND", "CLP", "ISK", "UGX", "XAF", "XOF", "XPF", "PYG":
		digits = 0
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		digits = 3
	}
	s, err := c.decimal(math.Abs(n), digits, digits)
	if err != nil {
		return jsonx.Value{}, err
	}
	symbol, ok := symbols[currency]
	if !ok {
		symbol = currency + "\u00a0"
	}
	if math.Signbit(n) {
		symbol = "-" + symbol
	}
	return jsonx.Of(symbol + s), nil
}

// decimal writes n with "decimals" digits, else with low to high of them,
// halves away from zero, in groups of three unless "grouping" is false.
func (c *Call) decimal(n float64, low, high int) (string, error) {
	if d, ok := c.limit("decimals"); ok {
		if d < 0 || d > 20 || d != math.Trunc(d) {
			return "", fmt.Errorf("%v is no number of decimals", d)
		}
		low, high = int(d), int(d)
	}
	// The decimal digits one reads are rounded, as browsers do: 1.005 is 1.01.
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(math.Abs(n), 'f', -1, 64))
	if !ok {
		return "", errors.New("infinite")
	}
	whole, fraction, _ := strings.Cut(exact.FloatString(high), ".") // rounds halves away
	for len(fraction) > low && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if g, ok := c.Args["grouping"]; !ok || c.Rules.Truthy(g) {
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

// exact are the numbers with a separate form, where it is given; every other
// number has the form "other" in English.
var exact = map[float64]string{0: "zero", 1: "one", -1: "one", 2: "two"}

func pluralize(c *Call) (jsonx.Value, error) {
	n, err := c.number()
	if err != nil {
		return jsonx.Value{}, err
	}
	if name, ok := exact[n]; ok && (name == "one" || !c.Rules.EnglishPlural) {
		if form, ok := c.Args[name]; ok {
			return jsonx.Of(Show(form)), nil
		}
	}
	return jsonx.Of(Show(c.Args["other"])), nil
}

const isoForm = "2006-01-02T15:04:05.000Z"

func formatDate(c *Call) (jsonx.Value, error) {
	v, err := c.value()
	if err != nil || !c.Rules.Truthy(v) {
		return jsonx.Of(""), err
	}
	t, ok := ParseTime(v)
	if !ok {
		return jsonx.Of(""), nil
	}
	s, err := dateText(t, Show(c.Args["format"]))
	if err != nil && c.Rules.ISOFallback {
		return jsonx.Of(t.Format(isoForm)), nil
	}
	return jsonx.Of(s), err
}

// ParseTime reads an ISO 8601 date or date-time, or milliseconds since 1970, in UTC.
func ParseTime(v jsonx.Value) (time.Time, bool) {
	if n, ok := v.Float(); ok && math.Abs(n) <= 8.64e15 {
		return time.UnixMilli(int64(n)).UTC(), true
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
		time.DateOnly} {
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
var dateForms = map[string]string{"yy": "06", "yyyy": "2006", "y": "2006", "M": "1", "MM": "01", "MMM": "Jan",
	"MMMM": "January",
	"d":    "2", "dd": "02", "E": "Mon", "EE": "Mon", "EEE": "Mon", "EEEE": "Monday", "h": "3", "hh": "03", "H": "H",
	"HH": "15",
	"m":  "4", "mm": "04", "s": "5", "ss": "05", "a": "PM"}

func dateField(t time.Time, form string) string {
	if form == "H" { // package time has no hour of 0–23 without a leading zero
		return fmt.Sprint(t.Hour())
	}
	return t.Format(form)
}
