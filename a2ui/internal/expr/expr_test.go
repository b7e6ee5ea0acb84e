package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

func num(s string) wire.Value { return wire.Literal{Data: jsonx.OfNumber(s)} }

func TestParse(t *testing.T) {
	t.Parallel()
	type parts = []wire.Value
	for _, c := range []struct {
		in   string
		want parts
	}{
		{"", parts{wire.String("")}},
		{"plain", parts{wire.String("plain")}},
		{"$ {x} }", parts{wire.String("$ {x} }")}},
		{"${}", parts{wire.String("")}},
		{"${ }", parts{wire.String("")}},
		{"Hi ${/a/b}!", parts{wire.String("Hi "), wire.Path("/a/b"), wire.String("!")}},
		{"${a}${b}", parts{wire.Path("a"), wire.Path("b")}},
		{"${.}", parts{wire.Path(".")}},
		{"${/a~1b/ä}", parts{wire.Path("/a~1b/ä")}},
		{`\${a}`, parts{wire.String("${a}")}},
		{`\\${a}`, parts{wire.String(`\${a}`)}},
		{`a\${b}${c}`, parts{wire.String("a${b}"), wire.Path("c")}},
		{`${'a}b'}`, parts{wire.String("a}b")}},
		{`x${"y"}z`, parts{wire.String("xyz")}},
		{`${'a\nb\'c'}`, parts{wire.String("a\nb'c")}},
		{"${1}", parts{num("1")}},
		{"${010.50}", parts{num("10.5")}},
		{"${5.}", parts{num("5")}},
		{"${-3}", parts{num("-3")}},
		{"${-x}", parts{wire.Path("-x")}},
		{"${2e3}", parts{num("2000")}},
		{"${2E-1}", parts{num("0.2")}},
		{"${true}", parts{wire.Bool(true)}},
		{"${false}", parts{wire.Bool(false)}},
		{"${null}", parts{wire.Literal{}}},
		{"${trueish}", parts{wire.Path("trueish")}},
		{"${null/x}", parts{wire.Path("null/x")}},
		{"${f()}", parts{wire.Call{Func: "f"}}},
		{"${ f ( ) }", parts{wire.Call{Func: "f"}}},
		{"${@index(offset: 1)}", parts{wire.Call{Func: "@index", Args: []wire.Prop{{Name: "offset", Value: num("1")}}}}},
		{"${f(a: g(b: 'x'), c: ${/p}, d: null,)}", parts{wire.Call{Func: "f", Args: []wire.Prop{
			{Name: "a", Value: wire.Call{Func: "g", Args: []wire.Prop{{Name: "b", Value: wire.String("x")}}}},
			{Name: "c", Value: wire.Path("/p")}, {Name: "d", Value: wire.Literal{}}}}}},
		{"${${${x}}}", parts{wire.Path("x")}},
		{"${", nil}, {"a ${b", nil}, {"${'a}", nil}, {"${a b}", nil}, {"${1.2.3}", nil}, {"${1e}", nil}, {"${1e999}", nil}, {"${1x}", nil},
		{"${f(}", nil}, {"${f(a)}", nil}, {"${f(a: 1 b: 2)}", nil}, {"${f(a: 1)x}", nil}, {"${(a: 1)}", nil}, {"${a!}", nil},
		{"${f(a: }", nil}, {"${é€}", nil},
	} {
		got, err := Parse(c.in, Options{})
		var e *Error
		if (err != nil) != (c.want == nil) || err != nil && !errors.As(err, &e) {
			t.Errorf("Parse(%q) = %v, error %v", c.in, got, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Parse(%q) (-want +got)\n%s", c.in, diff)
		}
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Reason{"${a": Unclosed, "${a b}": Trailing, "${1.2.3}": Number, "${f(a)}": Colon,
		"${f(: 1)}": Colon, "${f(a: 1 b: 2)}": Paren,
		"${f(": Unclosed, "${f(a: 1}": Paren, "${(a: 1)}": Name} {
		_, err := Parse(in, Options{})
		var e *Error
		if !errors.As(err, &e) || e.Reason != want {
			t.Errorf("Parse(%q): %v, want %s", in, err, want)
		}
	}
}

// TestPlain: older parsers have no signs, exponents, @ and ~, and need no commas.
func TestPlain(t *testing.T) {
	t.Parallel()
	for in, ok := range map[string]bool{"${-1}": true, "${1e3}": false, "${@index()}": false, "${/a~1b}": false,
		"${f(a: 1 b: 2)}": true, "${ä}": false, "${null/x}": false} {
		got, err := Parse(in, Options{Plain: true})
		if (err == nil) != ok {
			t.Errorf("Parse(%q) = %v, %v", in, got, err)
		}
	}
	if got, _ := Parse("${-1}", Options{Plain: true}); !cmp.Equal(got, []wire.Value{wire.Path("-1")}) {
		t.Errorf("a sign: %v", got)
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	nest := func(n int) string { return strings.Repeat("${", n) + "x" + strings.Repeat("}", n) }
	calls := func(n int) string {
		return "${" + strings.Repeat("f(a:", n-1) + "1" + strings.Repeat(")", n-1) + "}"
	}
	for _, form := range []func(int) string{nest, calls} {
		if _, err := Parse(form(MaxDepth), Options{}); err != nil {
			t.Error(err)
		}
		if _, err := Parse(form(MaxDepth+1), Options{}); err == nil || !strings.Contains(err.Error(), "nested") {
			t.Errorf("one too deep: %v", err)
		}
	}
}

// FuzzParse: whatever stands in a template, parsing ends without a panic and
// text without a ${ stays as it is.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "${a}", `\${`, "${f(a: 'x', b: ${/p})}", "${-1e5}", "${'", "${${${",
		"a${@index(offset:1)}b", "${f(a:1,)}", "${é}"} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, in string, plain bool) {
		parts, err := Parse(in, Options{Plain: plain})
		if err != nil {
			return
		}
		if len(parts) == 0 {
			t.Fatal("no parts")
		}
		if !strings.Contains(in, "${") && (len(parts) != 1 || parts[0] != wire.String(in)) {
			t.Fatalf("plain text became %v", parts)
		}
	})
}
