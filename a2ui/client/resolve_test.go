package client

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

const sample = `{"name":"Ada","empty":"","n":1234.5,"zero":0,"neg":-1,"five":0.5,"t":true,"f":false,"list":["a","b"],"none":[],
	"o":{"k":1.50},"null":null,"mail":"a@b.co","date":"2026-02-09","at":"2026-02-09T15:04:05Z","local":"2026-12-31T00:07","text":"42","bad":"4x","emoji":"😀","big":123456789012345678901234567890}`

// resolved is what a Text shows for a value, and the problems it met.
func resolved(t *testing.T, d a2ui.Dialect, mode Mode, v a2ui.Value) (string, []*Error) {
	t.Helper()
	r := start(t, d, mode, create("s"))
	r.surfaces["s"].data = parse(sample)
	apply(t, r, comps("s", comp("root", "Text", "text", v, "variant", "caption")))
	w := view(t, r, "s")
	return w.Root.Text, w.Problems
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	p := func(s string) a2ui.Value { return a2ui.Path("/" + s) }
	both := lit(`[{"path":"/t"},{"call":"not","args":{"value":{"path":"/f"}}}]`)
	for _, c := range []struct {
		v           a2ui.Value
		strict, web string // "!" in front: EXPRESSION_ERROR
	}{
		{call("required", "value", p("name")), "true", "true"},
		{call("required", "value", p("empty")), "false", "false"},
		{call("required", "value", p("none")), "false", "false"},
		{call("required", "value", p("zero")), "true", "true"},
		{call("required", "value", p("f")), "true", "true"},
		{call("required", "value", p("null")), "false", "false"},
		{call("required", "value", p("gone")), "false", "!"},
		{call("regex", "value", p("name"), "pattern", "d"), "true", "true"},
		{call("regex", "value", p("name"), "pattern", "^d"), "false", "false"},
		{call("regex", "value", p("name"), "pattern", "("), "!", "!"},
		{call("regex", "value", p("gone"), "pattern", "^$"), "true", "!"},
		{call("email", "value", p("mail")), "true", "true"},
		{call("email", "value", p("name")), "false", "false"},
		{call("length", "value", p("name"), "min", lit(`3`), "max", lit(`3`)), "true", "true"},
		{call("length", "value", p("name"), "max", lit(`2`)), "false", "false"},
		{call("length", "value", p("emoji"), "max", lit(`1`)), "false", "false"},
		{call("length", "value", p("list"), "min", lit(`2`)), "true", "true"},
		{call("numeric", "value", p("text"), "min", lit(`42`), "max", lit(`42`)), "true", "true"},
		{call("numeric", "value", p("text"), "max", lit(`41`)), "false", "false"},
		{call("numeric", "value", p("bad"), "min", lit(`1`)), "false", "!"},
		{call("numeric", "value", p("empty"), "min", lit(`0`)), "false", "true"},
		{call("numeric", "value", p("gone"), "min", lit(`0`)), "false", "!"},
		{call("and", "values", both), "true", "true"},
		{call("and", "values", lit(`[true,{"path":"/f"}]`)), "false", "false"},
		{call("or", "values", lit(`[false,{"path":"/zero"}]`)), "false", "false"},
		{call("or", "values", lit(`[false,{"path":"/name"}]`)), "true", "true"},
		{call("or", "values", lit(`[true]`)), "!", "!"},
		{call("or", "values", a2ui.List{p("f"), call("not", "value", p("f"))}), "true", "true"},
		{a2ui.List{p("name"), lit(`1`), a2ui.List{p("gone")}}, `["Ada",1,[null]]`, `["Ada",1,[null]]`},
		{call("not", "value", p("f")), "true", "true"},
		{call("not", "value", lit(`{"valid":false}`)), "false", "false"},
		{call("formatNumber", "value", p("n")), "1,234.5", "1,234.5"},
		{call("formatNumber", "value", p("n"), "decimals", lit(`0`)), "1,235", "1,235"},
		{call("formatNumber", "value", p("five"), "decimals", lit(`0`)), "1", "1"},
		{call("formatNumber", "value", p("n"), "grouping", false, "decimals", lit(`2`)), "1234.50", "1234.50"},
		{call("formatNumber", "value", p("neg"), "decimals", lit(`2`)), "-1.00", "-1.00"},
		{call("formatNumber", "value", p("n"), "decimals", lit(`1000`)), "!", "!"},
		{call("formatNumber", "value", p("bad")), "!", "!"},
		{call("formatCurrency", "value", p("n"), "currency", "USD"), "$1,234.50", "$1,234.50"},
		{call("formatCurrency", "value", p("neg"), "currency", "EUR", "decimals", lit(`0`)), "-€1", "-€1"},
		{call("formatCurrency", "value", p("n"), "currency", "JPY"), "¥1,235", "¥1,235"},
		{call("formatCurrency", "value", p("n"), "currency", "CHF"), "CHF\u00a01,234.50", "CHF\u00a01,234.50"},
		{call("formatCurrency", "value", p("n"), "currency", "dollars"), "!", "1234.50"},
		{call("formatDate", "value", p("date"), "format", "EEEE, MMMM d, yyyy"), "Monday, February 9, 2026", "Monday, February 9, 2026"},
		{call("formatDate", "value", p("at"), "format", "yy-MM-dd E MMM h:mm:ss a"), "26-02-09 Mon Feb 3:04:05 PM", "26-02-09 Mon Feb 3:04:05 PM"},
		{call("formatDate", "value", p("local"), "format", "HH:mm H hh 'o''clock' ''"), "00:07 0 12 o'clock '", "00:07 0 12 o'clock '"},
		{call("formatDate", "value", p("date"), "format", "YYYY"), "!", "2026-02-09T00:00:00.000Z"},
		{call("formatDate", "value", p("name"), "format", "y"), "", ""},
		{call("formatDate", "value", p("empty"), "format", "y"), "", ""},
		{call("pluralize", "value", p("zero"), "zero", "none", "one", "one", "other", "many"), "none", "many"},
		{call("pluralize", "value", lit(`2`), "two", "pair", "other", "many"), "pair", "many"},
		{call("pluralize", "value", lit(`1`), "one", "one", "other", "many"), "one", "one"},
		{call("add", "a", lit(`1`)), "!", "!"},
		{p("big"), "1.2345678901234568e+29", "1.2345678901234568e+29"},
		{p("o"), `{"k":1.50}`, `{"k":1.50}`},
		{p("null"), "", ""},
		{a2ui.Bool(true), "true", "true"},
	} {
		for mode, want := range map[Mode]string{Strict: c.strict, LikeWebCore: c.web} {
			got, problems := resolved(t, a2ui.V09, mode, c.v)
			failed := false
			for _, p := range problems {
				failed = failed || p.Code == expressionError
			}
			if want == "!" != failed || !failed && got != want {
				t.Errorf("%v %v = %q %v, want %q", mode, asJSON(valueData(c.v)), got, problems, want)
			}
		}
	}
	if got, problems := resolved(t, a2ui.V08, Strict, call("not", "value", p("f"))); got != "" || len(problems) == 0 {
		t.Errorf("v0.8 knows no calls, got %q %v", got, problems)
	}
}

func TestFormatString(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, strict, web string }{
		{"plain", "plain", "plain"},
		{"Hi ${/name}!", "Hi Ada!", "Hi Ada!"},
		{"${/name}${/n}${/gone}${/null}", "Ada1234.5", "Ada1234.5"},
		{`\${/name} is ${/name}`, "${/name} is Ada", "${/name} is Ada"},
		{`${ '}' }${"a\nb"}`, "}a\nb", "}a\nb"},
		{"${formatNumber(value: ${/n}, decimals: 2)} left", "1,234.50 left", "1,234.50 left"},
		{"${pluralize(value: /zero, one: 'day', other: 'days')}", "days", "days"},
		{"${true}${false}${null}${12.5}", "truefalse12.5", "truefalse12.5"},
		{"${/o}", `{"k":1.50}`, `{"k":1.50}`},
		{"${-5}", "-5", ""}, // a path that holds nothing
		{"${}", "", ""},
		{"${/name", "!", "!"},
		{"${1.2.3}", "!", "!"},
		{"${/a b}", "!", "!"},
		{"${not(value /f)}", "!", "!"},
		{"${not(value: /f}", "!", "!"},
		{"${@index()}", "!", "!"}, // outside a template
		{strings.Repeat("${", 200) + "/name" + strings.Repeat("}", 200), "!", "!"},
	} {
		for mode, want := range map[Mode]string{Strict: c.strict, LikeWebCore: c.web} {
			got, problems := resolved(t, a2ui.V09, mode, call("formatString", "value", c.in))
			failed := false
			for _, p := range problems {
				failed = failed || p.Code == expressionError
			}
			if want == "!" != failed || !failed && got != want {
				t.Errorf("%v %.60q = %q %v, want %q", mode, c.in, got, problems, want)
			}
		}
	}
}

func TestDeepCallsEnd(t *testing.T) {
	t.Parallel()
	v := a2ui.Value(a2ui.Bool(true))
	for range 10_000 {
		v = call("not", "value", v)
	}
	if _, problems := resolved(t, a2ui.V09, Strict, v); len(problems) == 0 || problems[0].Code != expressionError {
		t.Errorf("problems %v", problems)
	}
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	rows := func(path string) []a2ui.Message {
		return []a2ui.Message{comps("s",
			comp("root", "List", "children", a2ui.Template{Component: "row", Path: path}),
			comp("row", "Row", "children", []string{"a", "b"}),
			comp("a", "Text", "text", a2ui.Path("k")), comp("b", "Text", "text", a2ui.Path("/top/v"))), create("s")}
	}
	texts := func(c *Client) (out []string) {
		for s := range view(t, c, "s").Root.All() {
			if s.Role == roleText {
				out = append(out, s.Key()+"="+s.Text)
			}
		}
		return out
	}
	for _, c := range []struct {
		d    a2ui.Dialect
		mode Mode
		data string
		want string
	}{
		{a2ui.V09, Strict, `[{"k":1},{"k":2}]`, "[a@/l/0=1 b@/l/0=T a@/l/1=2 b@/l/1=T]"},
		{a2ui.V09, LikeWebCore, `{"x":{"k":1}}`, "[]"},
		{a2ui.V08, Strict, `{"y":{"k":1},"x":{"k":2}}`, "[a@/l/y=1 b@/l/y=T a@/l/x=2 b@/l/x=T]"},
		{a2ui.V08, LikeWebCore, `{"y":{"k":1}}`, "[a@/l/y=1 b@/l/y=]"}, // /top/v is taken for top/v of the item
	} {
		ms := rows("/l")
		if c.d != a2ui.V08 {
			ms[0], ms[1] = ms[1], ms[0]
		}
		r := start(t, c.d, c.mode, ms...)
		apply(t, r, data("s", "/top", `{"v":"T"}`))
		r.surfaces["s"].data.Members = append(r.surfaces["s"].data.Members, a2ui.Member{Key: "l", Value: parse(c.data)})
		if got := fmt.Sprint(texts(r)); got != c.want {
			t.Errorf("%v %v: %s, want %s", c.d, c.mode, got, c.want)
		}
	}

	nested := start(t, a2ui.V10, Strict, create("s"), data("s", "/", `{"l":[{"k":["p","q"]}],"one":1}`), comps("s",
		comp("root", "List", "children", a2ui.Template{Component: "in", Path: "/l"}),
		comp("in", "List", "children", a2ui.Template{Component: "t", Path: "k"}),
		comp("t", "Text", "text", call("formatString", "value", "${@index(offset: 1)}/${.}/${/one}"))))
	if got := fmt.Sprint(texts(nested)); got != "[t@/l/0/k/0=1/p/1 t@/l/0/k/1=2/q/1]" {
		t.Errorf("nested: %s\n%s", got, nested.Dump("s"))
	}
}

// TestTemplateThatNeverEnds: bounded by depth and by number, however wide.
func TestTemplateThatNeverEnds(t *testing.T) {
	t.Parallel()
	r := start(t, a2ui.V09, LikeWebCore, create("s"), data("s", "/l", `[1,2,3]`),
		comps("s", comp("root", "List", "children", a2ui.Template{Component: "root", Path: "/l"})))
	v := view(t, r, "s")
	n := 0
	for range v.Root.All() {
		n++
	}
	if len(v.Problems) != 1 || v.Problems[0].Code != cyclicReference || n > maxShown+maxDepth*3 {
		t.Errorf("%d things, problems %v", n, v.Problems)
	}
	kids := start(t, a2ui.V09, Strict, create("s"), data("s", "/", `{"kids":[{"kids":[{"kids":[]}]},{"kids":[]}]}`),
		comps("s", comp("root", "List", "children", a2ui.Template{Component: "root", Path: "kids"})))
	if v := view(t, kids, "s"); len(v.Problems) != 0 || len(v.Root.Children) != 2 ||
		len(v.Root.Children[0].Children) != 1 {
		t.Errorf("a recursion the data bounds: %v\n%s", v.Problems, kids.Dump("s"))
	}
}
