package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/internal/jsonx"
)

func num(s string) Value { return Literal{Data: jsonx.OfNumber(s)} }

func TestParseFormat(t *testing.T) {
	t.Parallel()
	type parts = []Value
	for _, c := range []struct {
		in   string
		want parts
	}{
		{"", parts{String("")}},
		{"plain", parts{String("plain")}},
		{"$ {x} }", parts{String("$ {x} }")}},
		{"${}", parts{String("")}},
		{"${ }", parts{String("")}},
		{"Hi ${/a/b}!", parts{String("Hi "), Path("/a/b"), String("!")}},
		{"${a}${b}", parts{Path("a"), Path("b")}},
		{"${.}", parts{Path(".")}},
		{"${/a~1b/ä}", parts{Path("/a~1b/ä")}},
		{`\${a}`, parts{String("${a}")}},
		{`\\${a}`, parts{String(`\${a}`)}},
		{`a\${b}${c}`, parts{String("a${b}"), Path("c")}},
		{`${'a}b'}`, parts{String("a}b")}},
		{`x${"y"}z`, parts{String("xyz")}},
		{`${'a\nb\'c'}`, parts{String("a\nb'c")}},
		{"${1}", parts{num("1")}},
		{"${010.50}", parts{num("10.5")}},
		{"${5.}", parts{num("5")}},
		{"${-3}", parts{num("-3")}},
		{"${-x}", parts{Path("-x")}},
		{"${2e3}", parts{num("2000")}},
		{"${2E-1}", parts{num("0.2")}},
		{"${true}", parts{Bool(true)}},
		{"${false}", parts{Bool(false)}},
		{"${null}", parts{Literal{}}},
		{"${trueish}", parts{Path("trueish")}},
		{"${null/x}", parts{Path("null/x")}},
		{"${f()}", parts{Call{Func: "f"}}},
		{"${ f ( ) }", parts{Call{Func: "f"}}},
		{"${@index(offset: 1)}", parts{Call{Func: "@index", Args: []Prop{{Name: "offset", Value: num("1")}}}}},
		{"${f(a: g(b: 'x'), c: ${/p}, d: null,)}", parts{Call{Func: "f", Args: []Prop{
			{Name: "a", Value: Call{Func: "g", Args: []Prop{{Name: "b", Value: String("x")}}}},
			{Name: "c", Value: Path("/p")}, {Name: "d", Value: Literal{}}}}}},
		{"${${${x}}}", parts{Path("x")}},
		{"${", nil}, {"a ${b", nil}, {"${'a}", nil}, {"${a b}", nil}, {"${1.2.3}", nil}, {"${1e}", nil}, {"${1e999}", nil}, {"${1x}", nil},
		{"${f(}", nil}, {"${f(a)}", nil}, {"${f(a: 1 b: 2)}", nil}, {"${f(a: 1)x}", nil}, {"${(a: 1)}", nil}, {"${a!}", nil},
		{"${f(a: }", nil}, {"${é€}", nil},
	} {
		got, err := ParseFormat(c.in, FormatRules{})
		var e *FormatError
		if (err != nil) != (c.want == nil) || err != nil && !errors.As(err, &e) {
			t.Errorf("ParseFormat(%q) = %v, error %v", c.in, got, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("ParseFormat(%q) (-want +got)\n%s", c.in, diff)
		}
	}
}

func TestFormatReasons(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]FormatReason{"${a": FormatUnclosed, "${a b}": FormatTrailing, "${1.2.3}": FormatNumber, "${f(a)}": FormatColon,
		"${f(: 1)}": FormatColon, "${f(a: 1 b: 2)}": FormatParen,
		"${f(": FormatUnclosed, "${f(a: 1}": FormatParen, "${(a: 1)}": FormatName} {
		_, err := ParseFormat(in, FormatRules{})
		var e *FormatError
		if !errors.As(err, &e) || e.Reason != want {
			t.Errorf("ParseFormat(%q): %v, want %s", in, err, want)
		}
	}
}

// TestPlainFormat: older parsers have no signs, exponents, @ and ~, and need no commas.
func TestPlainFormat(t *testing.T) {
	t.Parallel()
	for in, ok := range map[string]bool{"${-1}": true, "${1e3}": false, "${@index()}": false, "${/a~1b}": false,
		"${f(a: 1 b: 2)}": true, "${ä}": false, "${null/x}": false} {
		got, err := ParseFormat(in, FormatRules{Plain: true})
		if (err == nil) != ok {
			t.Errorf("ParseFormat(%q) = %v, %v", in, got, err)
		}
	}
	if got, _ := ParseFormat("${-1}", FormatRules{Plain: true}); !cmp.Equal(got, []Value{Path("-1")}) {
		t.Errorf("a sign: %v", got)
	}
}

func TestFormatDepth(t *testing.T) {
	t.Parallel()
	nest := func(n int) string { return strings.Repeat("${", n) + "x" + strings.Repeat("}", n) }
	calls := func(n int) string {
		return "${" + strings.Repeat("f(a:", n-1) + "1" + strings.Repeat(")", n-1) + "}"
	}
	for _, form := range []func(int) string{nest, calls} {
		if _, err := ParseFormat(form(MaxFormatDepth), FormatRules{}); err != nil {
			t.Error(err)
		}
		if _, err := ParseFormat(form(MaxFormatDepth+1), FormatRules{}); err == nil || !strings.Contains(err.Error(), "nested") {
			t.Errorf("one too deep: %v", err)
		}
	}
}

// FuzzParseFormat: whatever stands in a template, parsing ends without a panic and
// text without a ${ stays as it is.
func FuzzParseFormat(f *testing.F) {
	for _, seed := range []string{"", "${a}", `\${`, "${f(a: 'x', b: ${/p})}", "${-1e5}", "${'", "${${${",
		"a${@index(offset:1)}b", "${f(a:1,)}", "${é}"} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, in string, plain bool) {
		parts, err := ParseFormat(in, FormatRules{Plain: plain})
		if err != nil {
			return
		}
		if len(parts) == 0 {
			t.Fatal("no parts")
		}
		if !strings.Contains(in, "${") && (len(parts) != 1 || parts[0] != String(in)) {
			t.Fatalf("plain text became %v", parts)
		}
	})
}
