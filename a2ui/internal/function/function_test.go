package function

import (
	"errors"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/jsonx"
)

func args(in string) map[string]jsonx.Value {
	v, err := jsonx.Parse([]byte(in), jsonx.Limits{})
	if err != nil {
		panic(err)
	}
	out := map[string]jsonx.Value{}
	for _, m := range v.Members {
		out[m.Key] = m.Value
	}
	return out
}

// TestFunctions: what each function gives, as versions and renderers have it;
// package client tests them again behind bindings.
func TestFunctions(t *testing.T) {
	t.Parallel()
	v1, web := Rules{Verdicts: true}, Rules{MissingFails: true, ISOFallback: true, EnglishPlural: true,
		AnyCurrency: true}
	for _, c := range []struct {
		name, args string
		rules      Rules
		want       string // "!" = error
	}{
		{"required", `{"value":" "}`, Rules{}, `true`},
		{"required", `{"value":{}}`, Rules{}, `true`},
		{"required", `{"value":[]}`, Rules{}, `false`},
		{"required", `{}`, Rules{}, `false`},
		{"required", `{}`, web, `!`},
		{"required", `{"value":""}`, v1, `{"valid":false,"code":"REQUIRED","severity":"error"}`},
		{"regex", `{"value":"a1","pattern":"\\d"}`, v1, `{"valid":true}`},
		{"regex", `{"value":"a1","pattern":"("}`, v1, `!`},
		{"length", `{"value":"𝔘","max":1}`, Rules{}, `false`},
		{"length", `{"value":[1,2],"min":2}`, Rules{}, `true`},
		{"length", `{"value":5,"min":1}`, Rules{}, `false`},
		{"numeric", `{"value":"x","min":0}`, Rules{}, `false`},
		{"numeric", `{"value":"x","min":0}`, web, `!`},
		{"numeric", `{"value":7,"max":6.9}`, v1, `{"valid":false,"code":"OUT_OF_RANGE","severity":"error"}`},
		{"email", `{"value":"a@b.co"}`, Rules{}, `true`},
		{"email", `{"value":"a@b"}`, Rules{}, `false`},
		{"and", `{"values":[{"valid":false},true]}`, v1, `false`},
		{"and", `{"values":[{"valid":false},true]}`, Rules{}, `true`},
		{"or", `{"values":[0,"",null]}`, Rules{}, `false`},
		{"or", `{"values":[true]}`, Rules{}, `!`},
		{"and", `{}`, Rules{}, `!`},
		{"not", `{"value":{"valid":false}}`, v1, `true`},
		{"formatNumber", `{"value":1.005,"decimals":2}`, Rules{}, `"1.01"`},
		{"formatNumber", `{"value":-0.5,"decimals":0}`, Rules{}, `"-1"`},
		{"formatNumber", `{"value":1234567.8912}`, Rules{}, `"1,234,567.891"`},
		{"formatNumber", `{"value":"1e400"}`, Rules{}, `!`},
		{"formatNumber", `{"value":1,"decimals":1.5}`, Rules{}, `!`},
		{"formatCurrency", `{"value":-3,"currency":"eur"}`, Rules{}, `"-€3.00"`},
		{"formatCurrency", `{"value":3,"currency":"KWD"}`, Rules{}, "\"KWD\u00a03.000\""},
		{"formatCurrency", `{"value":3,"currency":"?"}`, Rules{}, `!`},
		{"formatCurrency", `{"value":3,"currency":"?"}`, web, `"3.00"`},
		{"formatDate", `{"value":"2026-03-01T23:30:00-02:00","format":"ISO"}`, Rules{}, `"2026-03-02T01:30:00.000Z"`},
		{"formatDate", `{"value":"2025-02-29","format":"d"}`, Rules{}, `""`},
		{"formatDate", `{"value":0,"format":"yyyy"}`, Rules{}, `""`},
		{"formatDate", `{"value":86400000,"format":"yyyy-MM-dd"}`, Rules{}, `"1970-01-02"`},
		{"formatDate", `{"value":"2026-03-01","format":"qq"}`, Rules{}, `!`},
		{"formatDate", `{"value":"2026-03-01","format":"qq"}`, web, `"2026-03-01T00:00:00.000Z"`},
		{"pluralize", `{"value":0,"zero":"","other":"o"}`, Rules{}, `""`},
		{"pluralize", `{"value":0,"zero":"z","other":"o"}`, web, `"o"`},
		{"pluralize", `{"value":-1,"one":"1","other":"o"}`, web, `"1"`},
		{"pluralize", `{"value":1.5,"one":"1","other":"o"}`, Rules{}, `"o"`},
		{"pluralize", `{"value":"x","other":"o"}`, Rules{}, `!`},
		{"openUrl", `{"url":"https://x.test/?a b"}`, Rules{}, `"https://x.test/?a b"`},
		{"openUrl", `{"url":"javascript:alert(1)"}`, Rules{}, `!`},
		{"openUrl", `{"url":":"}`, Rules{}, `!`},
		{"@index", `{"offset":1}`, v1, `!`},
	} {
		got, err := Find(c.name)(&Call{Rules: c.rules, Args: args(c.args), Index: -1})
		text := string(jsonx.Append(nil, got))
		if err != nil {
			text = "!"
		}
		if text != c.want {
			t.Errorf("%s(%s) = %s %v, want %s", c.name, c.args, text, err, c.want)
		}
	}
	if Find("add") != nil {
		t.Error("a function of no catalog is known")
	}
	if got, err := Find("@index")(&Call{Args: args(`{"offset":10}`), Index: 2}); err != nil || got.Str != "12" {
		t.Errorf("@index = %s %v", got.Str, err)
	}
	fails := func(string) (string, error) { return "", errors.New("no") }
	if _, err := Find("formatString")(&Call{Args: args(`{"value":"${"}`), Fill: fails}); err == nil {
		t.Error("a template that fails gives a text")
	}
}

// TestMatchIsBounded: a pattern is no longer than a bound, and is not read once the work is spent.
func TestMatchIsBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spent         int
		pattern, text string
		want          string // "" = no error
	}{
		{0, `^a+$`, "aa", ""},
		{0, `(`, "aa", "compile"},
		{0, strings.Repeat("a{9}", 300), "aa", "above"},
		{0, `a{1000}`, strings.Repeat("a", 10_000), "too much work"},
		{maxWork, `(`, "aa", "too much work"},
	} {
		ok, err := (&Budget{spent: c.spent}).Match(c.pattern, c.text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || ok != (err == nil) {
			t.Errorf("%.10s: %v %v, want %q", c.pattern, ok, err, c.want)
		}
	}
}

func FuzzFunctions(f *testing.F) {
	for _, name := range []string{"length", "numeric", "formatNumber", "formatCurrency", "formatDate", "pluralize",
		"regex", "openUrl", "and"} {
		f.Add(name, "2026-01-02", "yyyy 'x' MMM", 2.0)
		f.Add(name, "-1.5e300", "(", -7.5)
	}
	f.Fuzz(func(t *testing.T, name, value, more string, n float64) {
		run := Find(name)
		if run == nil {
			return
		}
		in := map[string]jsonx.Value{"value": jsonx.Of(value), "format": jsonx.Of(more), "pattern": jsonx.Of(more),
			"currency": jsonx.Of(more),
			"url":      jsonx.Of(value), "other": jsonx.Of(more), "decimals": Number(n), "min": Number(n),
			"values": jsonx.OfArray(jsonx.Of(value), Number(n))}
		for _, rules := range []Rules{{}, {Verdicts: true},
			{MissingFails: true, ISOFallback: true, AnyCurrency: true}} {
			v, err := run(&Call{Rules: rules, Args: in, Index: -1})
			if err == nil {
				_ = Show(v)
			}
		}
	})
}
