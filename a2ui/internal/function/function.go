// Package function computes the functions of the basic catalogs.
//
// In: resolved arguments, as plain data. Out: plain data, or an error with the
// fault. The local zone is UTC and the language English. Everything is
// pure; Call holds the facts that a function needs about its place.
package function

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/limn-ui/limn/internal/jsonx"
)

// Rules are what versions and renderers disagree on.
type Rules struct {
	Verdicts      bool // validators return a ValidationResult, and/or/not read one (v1.0)
	MissingFails  bool // a missing argument is an error, not an unmet condition
	ISOFallback   bool // a date pattern with unknown letters gives the ISO form
	EnglishPlural bool // pluralize knows the categories of English only, and no exact 0 and 2
	AnyCurrency   bool // an unknown currency gives the bare number
}

// Call is one call of a function.
type Call struct {
	Rules Rules
	Args  map[string]jsonx.Value // a missing value has no entry
	Index int                    // item of the template, from 0; -1 = outside
	// Fill resolves the ${…} of a text, for formatString.
	Fill func(template string) (string, error)
	// Budget bounds the work of the calls of one drawing; nil: nothing does.
	Budget *Budget
}

// Budget bounds the work of calls: each instruction of a pattern for each byte of a text,
// and eight for each byte of a text that is put together.
type Budget struct{ spent int }

// maxWork is about a sixth of a second of matching, or 1 MiB of text.
const maxWork = 8 << 20

var errWork = errors.New("the functions of this surface take too much work")

// Spend counts work before it is done. After an error all further work fails.
func (b *Budget) Spend(n int) error {
	if b == nil {
		return nil
	}
	if b.spent += min(n, maxWork+1); b.spent > maxWork {
		b.spent = maxWork
		return errWork
	}
	return nil
}

// Text counts text that is put together.
func (b *Budget) Text(s string) error { return b.Spend(8 * len(s)) }

// Func is a function. What it gets wrong is an error.
type Func func(*Call) (jsonx.Value, error)

// Find returns a function of the basic catalog or the system function @index,
// nil for any other name.
func Find(name string) Func { return table[name] }

var table = map[string]Func{
	"required": required, "regex": regex, "length": length, "numeric": numeric, "email": email,
	"and": and, "or": or, "not": not,
	"formatString": formatString, "formatNumber": formatNumber, "formatCurrency": formatCurrency,
	"formatDate": formatDate,
	"pluralize":  pluralize, "openUrl": openURL, "@index": index,
}

var errMissing = errors.New("value is missing")

// value is the argument "value"; where it is missing and the renderers throw,
// an error.
func (c *Call) value() (jsonx.Value, error) {
	v, ok := c.Args["value"]
	if !ok && c.Rules.MissingFails {
		return v, errMissing
	}
	return v, nil
}

// number is the argument "value" as a number.
func (c *Call) number() (float64, error) {
	v, ok := c.Args["value"]
	n := toNumber(v)
	if !ok || math.IsNaN(n) {
		return 0, fmt.Errorf("%q is no number", Show(v))
	}
	return n, nil
}

// limit is a numeric argument that may be absent.
func (c *Call) limit(name string) (float64, bool) {
	v, ok := c.Args[name]
	n := toNumber(v)
	return n, ok && !math.IsNaN(n)
}

func (c *Call) within(n float64) bool {
	if low, ok := c.limit("min"); ok && n < low {
		return false
	}
	high, ok := c.limit("max")
	return !ok || n <= high
}

// verdict is the result of a validator: a boolean, or a ValidationResult with a
// code. It has no message, so that the one of the check is shown.
func (c *Call) verdict(ok bool, code string) (jsonx.Value, error) {
	if !c.Rules.Verdicts {
		return jsonx.OfBool(ok), nil
	}
	out := []jsonx.Member{{Key: "valid", Value: jsonx.OfBool(ok)}}
	if !ok {
		out = append(out, jsonx.Member{Key: "code", Value: jsonx.Of(code)},
			jsonx.Member{Key: "severity", Value: jsonx.Of("error")})
	}
	return jsonx.OfObject(out...), nil
}

func required(c *Call) (jsonx.Value, error) {
	v, err := c.value()
	if err != nil {
		return v, err
	}
	return c.verdict(v.Kind != jsonx.Null && !(v.Kind == jsonx.String && v.Str == "") &&
		!(v.Kind == jsonx.Array && len(v.Items) == 0), "REQUIRED")
}

// maxPattern bounds a pattern, in bytes.
const maxPattern = 1000

func regex(c *Call) (jsonx.Value, error) {
	v, err := c.value()
	if err != nil {
		return v, err
	}
	pattern, err := c.text(c.Args["pattern"])
	if err != nil {
		return v, err
	}
	text, err := c.text(v)
	if err != nil {
		return v, err
	}
	ok, err := c.Budget.Match(pattern, text)
	if err != nil {
		return v, err
	}
	return c.verdict(ok, "PATTERN_MISMATCH")
}

// Match searches text for a pattern in RE2 form. It spends the most that the match can take, each instruction for
// each byte, and compiles nothing once the work is spent.
func (b *Budget) Match(pattern, text string) (bool, error) {
	if len(pattern) > maxPattern {
		return false, fmt.Errorf("the pattern is above %d bytes", maxPattern)
	}
	if err := b.Spend(100 * len(pattern)); err != nil {
		return false, err
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false, fmt.Errorf("compile pattern: %w", err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return false, fmt.Errorf("compile pattern: %w", err)
	}
	if err := b.Spend(len(program.Inst) * (len(text) + 100)); err != nil { // compiling takes some, too
		return false, err
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false, fmt.Errorf("compile pattern: %w", err)
	}
	return re.MatchString(text), nil
}

var emailForm = regexp.MustCompile(`^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`)

func email(c *Call) (jsonx.Value, error) {
	v, err := c.value()
	if err != nil {
		return v, err
	}
	text, err := c.text(v)
	if err != nil {
		return v, err
	}
	return c.verdict(emailForm.MatchString(text), "INVALID_EMAIL")
}

// length counts the items of a list, and a text as a browser does, in UTF-16
// units.
func length(c *Call) (jsonx.Value, error) {
	v, err := c.value()
	if err != nil {
		return v, err
	}
	n := len(v.Items)
	if v.Kind == jsonx.String {
		n = len(utf16.Encode([]rune(v.Str)))
	}
	return c.verdict(c.within(float64(n)), "INVALID_LENGTH")
}

func numeric(c *Call) (jsonx.Value, error) {
	n, err := c.number()
	if err != nil && c.Rules.MissingFails {
		return jsonx.Value{}, err
	}
	v := c.Args["value"]
	empty := !c.Rules.MissingFails && (v.Kind == jsonx.Null || v.Kind == jsonx.String && v.Str == "")
	return c.verdict(err == nil && !empty && c.within(n), "OUT_OF_RANGE")
}

func and(c *Call) (jsonx.Value, error) {
	items, err := c.values()
	for _, v := range items {
		if !c.Rules.Truthy(v) {
			return jsonx.OfBool(false), err
		}
	}
	return jsonx.OfBool(true), err
}

func or(c *Call) (jsonx.Value, error) {
	items, err := c.values()
	if slices.ContainsFunc(items, c.Rules.Truthy) {
		return jsonx.OfBool(true), err
	}
	return jsonx.OfBool(false), err
}

func (c *Call) values() ([]jsonx.Value, error) {
	v := c.Args["values"]
	if v.Kind != jsonx.Array || len(v.Items) < 2 {
		return nil, errors.New("values must be a list of two or more")
	}
	return v.Items, nil
}

func not(c *Call) (jsonx.Value, error) {
	v, err := c.value()
	if err != nil {
		return v, err
	}
	return jsonx.OfBool(!c.Rules.Truthy(v)), nil
}

// openURL only checks; the caller notes the address.
func openURL(c *Call) (jsonx.Value, error) {
	u, err := url.Parse(Show(c.Args["url"]))
	if err != nil {
		return jsonx.Value{}, err
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return jsonx.Value{}, fmt.Errorf("unsupported URL scheme %q", u.Scheme)
	}
	return jsonx.Of(u.String()), nil
}

func index(c *Call) (jsonx.Value, error) {
	if c.Index < 0 {
		return jsonx.Value{}, errors.New("is called outside of a template")
	}
	offset, _ := c.limit("offset")
	return Number(float64(c.Index) + offset), nil
}

func formatString(c *Call) (jsonx.Value, error) {
	v, err := c.value()
	if err != nil || c.Fill == nil {
		return v, err
	}
	s, err := c.text(v)
	if err != nil {
		return v, err
	}
	s, err = c.Fill(s)
	return jsonx.Of(s), err
}

// text is Show within the budget.
func (c *Call) text(v jsonx.Value) (string, error) {
	if err := c.Budget.Spend(100); err != nil {
		return "", err
	}
	s := Show(v)
	return s, c.Budget.Text(s)
}

// Show is the text form of a value: nothing for null, JSON for containers.
func Show(v jsonx.Value) string {
	switch v.Kind {
	case jsonx.Null:
		return ""
	case jsonx.String:
		return v.Str
	case jsonx.Bool:
		return strconv.FormatBool(v.Bool)
	case jsonx.Number:
		if f, ok := v.Float(); ok {
			return strings.Replace(string(jsonx.AppendFloat(nil, f)), "e-0", "e-", 1)
		}
		return v.Str
	}
	return string(jsonx.Append(nil, v))
}

// Truthy is JavaScript's idea of true, and of a ValidationResult its valid.
func (r Rules) Truthy(v jsonx.Value) bool {
	switch v.Kind {
	case jsonx.Bool:
		return v.Bool
	case jsonx.String:
		return v.Str != ""
	case jsonx.Number:
		f, ok := v.Float()
		return !ok || f != 0
	case jsonx.Object:
		if valid, ok := v.Get("valid"); ok && valid.Kind == jsonx.Bool && r.Verdicts {
			return valid.Bool
		}
		return true
	}
	return v.Kind == jsonx.Array
}

// Number writes a number; what JSON cannot hold is null.
func Number(f float64) jsonx.Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return jsonx.Value{}
	}
	return jsonx.OfNumber(string(jsonx.AppendFloat(nil, f)))
}

// toNumber is JavaScript's Number(): "" and null are 0, "x" is NaN.
func toNumber(v jsonx.Value) float64 {
	switch v.Kind {
	case jsonx.Null:
		return 0
	case jsonx.Bool:
		if v.Bool {
			return 1
		}
		return 0
	case jsonx.Number:
		if f, ok := v.Float(); ok {
			return f
		}
	case jsonx.String:
		s := strings.TrimSpace(v.Str)
		if s == "" {
			return 0
		}
		if strings.Trim(s, "0123456789.eE+-") == "" {
			if f, err := strconv.ParseFloat(s, 64); err == nil {
				return f
			}
		}
	default: // containers are no numbers here
	}
	return math.NaN()
}
