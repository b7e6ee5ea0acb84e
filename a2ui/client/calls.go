package client

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"unicode/utf16"

	"github.com/limn-ui/limn/a2ui"
)

// args are the resolved arguments of one call. A missing value has no entry.
type args struct {
	drawing *drawing
	scope   scope
	depth   int
	named   map[string]a2ui.Data
}

var errMissing = errors.New("value is missing")

// function returns a function of the basic catalog, nil for any other.
func function(name string) func(args) (a2ui.Data, error) {
	switch name {
	case "required":
		return required
	case "regex":
		return regex
	case "length":
		return length
	case "numeric":
		return numeric
	case "email":
		return email
	case "and":
		return and
	case "or":
		return or
	case "not":
		return not
	case "formatString":
		return formatString
	case "formatNumber":
		return formatNumber
	case "formatCurrency":
		return formatCurrency
	case "formatDate":
		return formatDate
	case "pluralize":
		return pluralize
	case "openUrl":
		return openURL
	case "@index":
		return atIndex
	}
	return nil
}

// call runs one function. What fails is reported and missing, as in a renderer.
func (d *drawing) call(c a2ui.Call, sc scope, depth int) (a2ui.Data, bool) {
	run := function(c.Func)
	if run == nil || !d.rules.Calls || c.Func == "@index" && d.rules.strictNumbers {
		d.report(ExpressionError, "unknown function "+c.Func)
		return a2ui.Data{}, false
	}
	a := args{drawing: d, scope: sc, depth: depth, named: make(map[string]a2ui.Data, len(c.Args))}
	for _, p := range c.Args {
		if v, ok := d.deep(p.Value, sc, depth+1); ok {
			a.named[p.Name] = v
		}
	}
	v, err := run(a)
	if err != nil {
		d.report(ExpressionError, c.Func+": "+err.Error())
		return a2ui.Data{}, false
	}
	return v, true
}

// value is the argument "value"; where it is missing and the renderers throw,
// an error.
func (a args) value() (a2ui.Data, error) {
	v, ok := a.named["value"]
	if !ok && a.drawing.rules.missingArgs {
		return v, errMissing
	}
	return v, nil
}

// number is the argument "value" as a number.
func (a args) number() (float64, error) {
	v, ok := a.named["value"]
	n := toNumber(v)
	if !ok || math.IsNaN(n) {
		return 0, fmt.Errorf("%q is no number", show(v))
	}
	return n, nil
}

// limit is a numeric argument that may be absent.
func (a args) limit(name string) (float64, bool) {
	v, ok := a.named[name]
	n := toNumber(v)
	return n, ok && !math.IsNaN(n)
}

func (a args) within(n float64) bool {
	if low, ok := a.limit("min"); ok && n < low {
		return false
	}
	high, ok := a.limit("max")
	return !ok || n <= high
}

func verdict(ok bool) (a2ui.Data, error) { return a2ui.Data{Kind: truth, Bool: ok}, nil }

func required(a args) (a2ui.Data, error) {
	v, err := a.value()
	if err != nil {
		return v, err
	}
	return verdict(v.Kind != null && !(v.Kind == text && v.Str == "") && !(v.Kind == array && len(v.Items) == 0))
}

// match searches s for pattern.
func match(pattern, s string) (bool, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false, fmt.Errorf("compile pattern: %w", err)
	}
	return re.MatchString(s), nil
}

func regex(a args) (a2ui.Data, error) {
	v, err := a.value()
	if err != nil {
		return v, err
	}
	ok, err := match(show(a.named["pattern"]), show(v))
	if err != nil {
		return v, err
	}
	return verdict(ok)
}

var emailForm = regexp.MustCompile(`^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`)

func email(a args) (a2ui.Data, error) {
	v, err := a.value()
	if err != nil {
		return v, err
	}
	return verdict(emailForm.MatchString(show(v)))
}

// length counts as a browser does, in UTF-16 units.
func length(a args) (a2ui.Data, error) {
	v, err := a.value()
	if err != nil {
		return v, err
	}
	n := len(v.Items)
	if v.Kind == text {
		n = len(utf16.Encode([]rune(v.Str)))
	}
	return verdict(a.within(float64(n)))
}

func numeric(a args) (a2ui.Data, error) {
	n, err := a.number()
	if err != nil && a.drawing.rules.missingArgs {
		return a2ui.Data{}, err
	}
	v := a.named["value"]
	empty := !a.drawing.rules.missingArgs && (v.Kind == null || v.Kind == text && v.Str == "")
	return verdict(err == nil && !empty && a.within(n))
}

func and(a args) (a2ui.Data, error) {
	return fold(a, func(items []a2ui.Data) bool {
		for _, v := range items {
			if !truthy(v) {
				return false
			}
		}
		return true
	})
}

func or(a args) (a2ui.Data, error) {
	return fold(a, func(items []a2ui.Data) bool {
		for _, v := range items {
			if truthy(v) {
				return true
			}
		}
		return false
	})
}

func fold(a args, decide func([]a2ui.Data) bool) (a2ui.Data, error) {
	v := a.named["values"]
	if v.Kind != array || len(v.Items) < 2 {
		return a2ui.Data{}, errors.New("values must be a list of two or more")
	}
	return verdict(decide(v.Items))
}

func not(a args) (a2ui.Data, error) {
	v, err := a.value()
	if err != nil {
		return v, err
	}
	return verdict(!truthy(v))
}

// openURL only checks; the click that runs it notes the URL.
func openURL(a args) (a2ui.Data, error) {
	u, err := url.Parse(show(a.named["url"]))
	if err != nil {
		return a2ui.Data{}, err
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return a2ui.Data{}, fmt.Errorf("unsupported URL scheme %q", u.Scheme)
	}
	return dataText(u.String()), nil
}

func atIndex(a args) (a2ui.Data, error) {
	if !a.scope.in {
		return a2ui.Data{}, errors.New("outside a template")
	}
	offset, _ := a.limit("offset")
	return numberData(float64(a.scope.index) + offset), nil
}
