package client

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

func eachV10(t *testing.T, run func(t *testing.T, d a2ui.Dialect)) {
	t.Helper()
	for _, d := range []a2ui.Dialect{a2ui.V10RC, a2ui.V10} {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			run(t, d)
		})
	}
}

// TestInlineSurface: one message brings all, or nothing where something in it is
// wrong.
func TestInlineSurface(t *testing.T) {
	t.Parallel()
	eachV10(t, func(t *testing.T, d a2ui.Dialect) {
		whole := func(list ...a2ui.Component) *a2ui.CreateSurface {
			return &a2ui.CreateSurface{SurfaceID: "s", Components: list, Data: parse(`{"n":1}`)}
		}
		c := start(t, d, Strict, whole(comp("root", "Text", "text", a2ui.Path("/n"))))
		if got := view(t, c, "s"); !got.Ready || got.Root.Text != "1" {
			t.Errorf("shown %+v", got)
		}
		for name, bad := range map[string]*a2ui.CreateSurface{
			"cycle":        whole(comp("root", "Card", "child", a2ui.Ref("root"))),
			"unknown type": whole(comp("root", "Nothing")),
			"Surface":      whole(comp("root", "Surface")),
			"data":         {SurfaceID: "s", Data: parse(`[1]`)},
		} {
			c := New(d, Strict)
			if err := c.Apply(bad); err == nil || len(c.Surfaces()) != 0 {
				t.Errorf("%s: %v, surfaces %v", name, err, c.Surfaces())
			}
		}
	})
	if err := New(a2ui.V09, Strict).Apply(&a2ui.CreateSurface{SurfaceID: "s", Data: parse(`{}`)}); codeOf(err) != validationError {
		t.Errorf("v0.9 takes data with a surface: %v", err)
	}
}

// TestNullDeletes: on v1.0 null removes a key, before it is a value.
func TestNullDeletes(t *testing.T) {
	t.Parallel()
	for d, want := range map[a2ui.Dialect]string{a2ui.V09: `{"a":{"b":null,"c":1}}`, a2ui.V10RC: `{"a":{"c":1}}`,
		a2ui.V10: `{"a":{"c":1}}`} {
		c := start(t, d, Strict, create("s"), data("s", "/a", `{"b":1,"c":1}`), data("s", "/a/b", `null`))
		if got, _ := c.Data("s"); asJSON(got) != want {
			t.Errorf("%v: %s, want %s", d, asJSON(got), want)
		}
	}
}

func TestIndex(t *testing.T) {
	t.Parallel()
	eachV10(t, func(t *testing.T, d a2ui.Dialect) {
		c := start(t, d, Strict, create("s"), data("s", "/l", `["a","b"]`), data("s", "/by", `10`), comps("s",
			comp("root", "Column", "children", []string{"list", "alone"}),
			comp("list", "List", "children", a2ui.Template{Component: "row", Path: "/l"}),
			comp("row", "Text", "text", call("@index", "offset", a2ui.Path("/by"))),
			comp("alone", "Text", "text", call("@index"))))
		v := view(t, c, "s")
		if one, _ := v.Find("row@/l/1"); one.Text != "11" {
			t.Errorf("index %q", one.Text)
		}
		if len(v.Problems) != 1 || v.Problems[0].Code != expressionError || v.Problems[0].Component != "alone" {
			t.Errorf("problems %v", v.Problems)
		}
		if _, err := c.Evaluate("s", "/l/1", call("@other")); codeOf(err) != expressionError {
			t.Errorf("an unknown system function: %v", err)
		}
	})
	if _, err := start(t, a2ui.V09, Strict, create("s")).Evaluate("s", "/l/0", call("@index")); codeOf(err) != expressionError {
		t.Errorf("@index on v0.9: %v", err)
	}
}

// TestVerdicts: a check reads a ValidationResult; its own message is for a
// result without one, and a warning does not disable.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	eachV10(t, func(t *testing.T, d a2ui.Dialect) {
		verdict := func(json string) Shown {
			c := start(t, d, Strict, create("s"), data("s", "/v", json), comps("s",
				comp("root", "Button", "child", a2ui.Ref("t"), "action", a2ui.Event{Name: "go"},
					"checks", a2ui.Checks{{Condition: a2ui.Path("/v"), Message: "fallback"}}),
				comp("t", "Text", "text", "Go")))
			return view(t, c, "s").Root
		}
		for json, want := range map[string]struct {
			errors   []string
			disabled bool
		}{
			`{"valid":true,"message":"unseen"}`:                    {nil, false},
			`{"valid":false}`:                                      {[]string{"fallback"}, true},
			`{"valid":false,"message":"own"}`:                      {[]string{"own"}, true},
			`{"valid":false,"message":"own","severity":"warning"}`: {[]string{"own"}, false},
			`{"valid":false,"message":"","severity":"error"}`:      {[]string{"fallback"}, true},
			`false`: {[]string{"fallback"}, true},
			`null`:  {[]string{"fallback"}, true},
			`"yes"`: {nil, false},
		} {
			got := verdict(json)
			if !cmp.Equal(got.Errors, want.errors) || got.Disabled != want.disabled {
				t.Errorf("%s: errors %q disabled %v", json, got.Errors, got.Disabled)
			}
		}
		c := start(t, d, Strict, create("s"))
		for _, row := range []struct {
			call a2ui.Call
			want string
		}{
			{call("email", "value", "x"), `{"valid":false,"code":"INVALID_EMAIL","severity":"error"}`},
			{call("required", "value", "x"), `{"valid":true}`},
			{call("not", "value", call("required", "value", "")), `true`},
			{call("and", "values", a2ui.List{call("required", "value", "x"), call("email", "value", "x")}), `false`},
			{call("or", "values", a2ui.List{call("required", "value", "x"), call("email", "value", "x")}), `true`},
		} {
			if got, err := c.Evaluate("s", "", row.call); err != nil || asJSON(got) != row.want {
				t.Errorf("%s = %s %v, want %s", row.call.Func, asJSON(got), err, row.want)
			}
		}
	})
}

// TestOpenURL: the address may be bound, and only a click opens it.
func TestOpenURL(t *testing.T) {
	t.Parallel()
	c := start(t, a2ui.V10, Strict, create("s"), data("s", "/u", `"https://x.test/a"`), comps("s",
		comp("root", "Button", "child", a2ui.Ref("t"), "action",
			a2ui.Local{Call: call("openUrl", "url", a2ui.Path("/u"))}),
		comp("t", "Text", "text", call("openUrl", "url", a2ui.Path("/u")))))
	if p := view(t, c, "s").Problems; len(p) != 1 || p[0].Component != "t" {
		t.Errorf("an address that opens by itself: %v", p)
	}
	if _, err := c.Click("s", "root"); err != nil || !cmp.Equal(c.Opened(), []string{"https://x.test/a"}) {
		t.Errorf("opened %v, %v", c.Opened(), err)
	}
	apply(t, c, data("s", "/u", `"javascript:alert(1)"`))
	if _, err := c.Click("s", "root"); codeOf(err) != expressionError || len(c.Opened()) != 1 {
		t.Errorf("opened %v, %v", c.Opened(), err)
	}
}

func TestUserMessage(t *testing.T) {
	t.Parallel()
	c := start(t, a2ui.V10, Strict, create("s"), data("s", "/who", `"Ada"`), comps("s",
		comp("root", "Button", "child", a2ui.Ref("t"), "action",
			a2ui.Event{Name: "pick", UserMessage: call("formatString", "value", "I pick ${/who}")}),
		comp("t", "Text", "text", "Pick")))
	a, err := c.Click("s", "root")
	if err != nil || a.UserMessage != "I pick Ada" || a.Name != "pick" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestSpoken(t *testing.T) {
	t.Parallel()
	c := start(t, a2ui.V10, Strict, create("s"), data("s", "/quiet", `true`), comps("s",
		comp("root", "Text", "text", "x", "accessibility", a2ui.Object{{Name: "label", Value: a2ui.String("Sum")},
			{Name: "live", Value: a2ui.String("polite")}, {Name: "hidden", Value: a2ui.Path("/quiet")}})))
	if got, want := view(t, c, "s").Root.Spoken, (Spoken{Label: "Sum", Live: "polite", Hidden: true}); got != want {
		t.Errorf("says %+v, want %+v", got, want)
	}
}

// two are catalogs of one client: the basic one, and one with a component and
// functions of its own.
func two() []*a2ui.Catalog {
	custom := &a2ui.Catalog{ID: "custom", Components: map[string]*a2ui.ComponentDef{
		"Badge": {Name: "Badge", Parents: []string{"Row"}}, "Shelf": {Name: "Shelf", Children: []string{"Badge"}},
		"Top": {Name: "Top", Parents: []string{"Surface"}},
	}, Functions: map[string]*a2ui.FunctionDef{
		"shout": {Name: "shout"}, "play": {Name: "play", Open: true, Callers: a2ui.RendererOrAgent}, "sync": {Name: "sync", Open: true, Callers: a2ui.AgentOnly},
		"show": {Name: "show", Open: true, Callers: a2ui.RendererOrAgent, Activation: true}, "unwritten": {Name: "unwritten", Open: true, Callers: a2ui.RendererOrAgent},
	}}
	return []*a2ui.Catalog{a2ui.Basic(a2ui.V10), custom}
}

func custom() *Client {
	echo := func(args a2ui.Data) (a2ui.Data, error) { return args, nil }
	return With(Config{Dialect: a2ui.V10, Catalogs: two(), Functions: map[string]Func{
		"shout": func(args a2ui.Data) (a2ui.Data, error) { return jsonx.Of(args.At("value").Text() + "!"), nil },
		"play":  echo, "sync": func(a2ui.Data) (a2ui.Data, error) { return a2ui.Data{}, nil },
		"show": echo,
	}})
}

// TestOwnCatalogs: a call or a component belongs to the catalog it names, else
// to the surface's, and to no other.
func TestOwnCatalogs(t *testing.T) {
	t.Parallel()
	basic := a2ui.CatalogID(a2ui.V10)
	named := func(id string, c a2ui.Call) a2ui.Call {
		c.CatalogID = id
		return c
	}
	shout := call("shout", "value", "a")
	for _, c := range []struct {
		surface string
		call    a2ui.Call
		want    string // "" = code
		code    Code
	}{
		{basic, named("custom", shout), `"a!"`, ""},
		{"custom", shout, `"a!"`, ""},
		{"", named("custom", shout), `"a!"`, ""},
		{"", shout, "", catalogError},
		{basic, named("missing", shout), "", catalogError},
		{"custom", named(basic, call("formatString", "value", "x")), `"x"`, ""},
		{"", named(basic, call("formatString", "value", call("formatString", "value", "x"))), "", catalogError},
		{"custom", call("sync"), "", expressionError},
		{"custom", call("unwritten"), "", expressionError},
		{"custom", call("elsewhere"), "", expressionError},
	} {
		r := custom()
		apply(t, r, &a2ui.CreateSurface{SurfaceID: "s", CatalogID: c.surface})
		got, err := r.Evaluate("s", "", c.call)
		if codeOf(err) != c.code || err == nil && asJSON(got) != c.want {
			t.Errorf("surface %q: %s of %q = %s, %v", c.surface, c.call.Func, c.call.CatalogID, asJSON(got), err)
		}
	}
	r := custom()
	if err := r.Apply(&a2ui.CreateSurface{SurfaceID: "s", CatalogID: "missing"}); codeOf(err) != catalogError ||
		len(r.Surfaces()) != 0 {
		t.Errorf("a surface of an unknown catalog: %v", err)
	}
}

// TestComposition: who may hold whom is what the catalogs say, also when only
// the child or only the parent comes anew.
func TestComposition(t *testing.T) {
	t.Parallel()
	of := func(c a2ui.Component) a2ui.Component {
		c.CatalogID = "custom"
		return c
	}
	badge := of(comp("b", "Badge"))
	row, col := comp("root", "Row", "children", []string{"b"}), comp("root", "Column", "children", []string{"b"})
	for _, c := range []struct {
		name string
		ms   []a2ui.Message
		want Code
	}{
		{"in its parent", []a2ui.Message{comps("s", row, badge)}, ""},
		{"in another", []a2ui.Message{comps("s", col, badge)}, unallowedParent},
		{"it comes later", []a2ui.Message{comps("s", col), comps("s", badge)}, unallowedParent},
		{"the parent changes", []a2ui.Message{comps("s", row, badge), comps("s", col)}, unallowedParent},
		{"another child", []a2ui.Message{comps("s", row, of(comp("b", "Shelf", "children", []string{"t"})), comp("t", "Text", "text", "x"))}, unallowedChild},
		{"at the top", []a2ui.Message{comps("s", of(comp("root", "Top")))}, ""},
		{"not at the top", []a2ui.Message{comps("s", of(comp("root", "Badge")))}, unallowedParent},
	} {
		r := custom()
		apply(t, r, &a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V10)})
		var err error
		for _, m := range c.ms {
			err = r.Apply(m)
		}
		if codeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		var e *Error
		if errors.As(err, &e) {
			if report := e.Report(); report.Code != string(c.want) || report.SurfaceID != "s" || report.Path == "" ||
				report.Message == "" {
				t.Errorf("%s: reported as %+v", c.name, report)
			}
		}
	}
}

// TestRun: the agent calls what it may, and always gets an answer.
func TestRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, catalog string
		activated     bool
		want          string // the value, or the code of the error
	}{
		{"play", "custom", false, `{"x":1}`},
		{"sync", "custom", false, `null`},
		{"show", "custom", true, `{"x":1}`},
		{"show", "custom", false, invalidFunctionCall},
		{"shout", "custom", true, invalidFunctionCall},
		{"nothing", "custom", false, invalidFunctionCall},
		{"play", "missing", false, invalidFunctionCall},
		{"openUrl", a2ui.CatalogID(a2ui.V10), true, invalidFunctionCall},
		{"unwritten", "custom", false, executionError},
	} {
		call := call(c.name, "x", lit(`1`))
		call.CatalogID = c.catalog
		r := custom().Run(&a2ui.CallRenderer{CallID: "7", Call: call}, c.activated)
		got := asJSON(r.Value)
		if r.Err != nil {
			got = r.Err.Code
		}
		if r.CallID != "7" || got != c.want {
			t.Errorf("%s: %+v %+v, want %s", c.name, r, r.Err, c.want)
		}
	}
	r := custom()
	play := call("play")
	play.CatalogID = "custom"
	apply(t, r, &a2ui.CallRenderer{CallID: "8", Call: play})
	if got := r.Replies(); len(got) != 1 || got[0].CallID != "8" || len(r.Replies()) != 0 {
		t.Errorf("replies %+v", got)
	}
	if err := New(a2ui.V09, Strict).Apply(&a2ui.CallRenderer{}); codeOf(err) != validationError {
		t.Errorf("v0.9: %v", err)
	}
}

// TestRemoteCalls: what only the agent computes is asked once, shown when it
// answers, asked anew for other arguments, and missing when it fails.
func TestRemoteCalls(t *testing.T) {
	t.Parallel()
	c := start(t, a2ui.V10, Strict, create("s"), data("s", "/n", `1`), comps("s",
		comp("root", "TextField", "label", call("price", "n", a2ui.Path("/n")),
			"checks", a2ui.Checks{{Condition: call("free"), Message: "taken"}})))
	ids := func() (out []string) {
		for _, ask := range c.Calls() {
			out = append(out, fmt.Sprint(ask.CallID, " ", ask.Call.Func, " ", asJSON(propsData(ask.Call.Args))))
		}
		return out
	}
	if got := view(t, c, "s"); got.Root.Text != "" || len(got.Problems) > 0 || len(got.Root.Errors) > 0 {
		t.Errorf("before the answer: %+v", got)
	}
	if diff := cmp.Diff([]string{`call-1 free {}`, `call-2 price {"n":["wire.Literal",1]}`}, ids()); diff != "" {
		t.Errorf("asked (-want +got)\n%s", diff)
	}
	if got := ids(); got != nil {
		t.Errorf("asked again: %v", got)
	}
	if c.Waiting("call-2").Call.Func != "price" || c.Waiting("call-9") != nil {
		t.Error("the waiting calls are not known")
	}
	apply(t, c, &a2ui.Reply{CallID: "call-2", Value: jsonx.Of("9 €")},
		&a2ui.Reply{CallID: "call-1", Value: parse(`{"valid":false}`)})
	if got := view(t, c, "s").Root; got.Text != "9 €" || !cmp.Equal(got.Errors, []string{"taken"}) {
		t.Errorf("after the answer: %+v", got)
	}
	apply(t, c, data("s", "/n", `2`))
	if diff := cmp.Diff([]string{`call-3 price {"n":["wire.Literal",2]}`}, ids()); diff != "" {
		t.Errorf("asked for other arguments (-want +got)\n%s", diff)
	}
	apply(t, c, &a2ui.Reply{CallID: "call-3", Err: &a2ui.CallError{Code: "UNKNOWN_FUNCTION", Message: "no price"}})
	if got := view(t, c, "s"); got.Root.Text != "" || len(got.Problems) != 1 ||
		got.Problems[0].Code != expressionError {
		t.Errorf("after an error: %+v", got.Problems)
	}
	if err := c.Apply(&a2ui.Reply{CallID: "call-3"}); codeOf(err) != stateError {
		t.Errorf("a second answer: %v", err)
	}
	apply(t, c, comps("s", comp("root", "Button", "child", a2ui.Ref("t"), "action", a2ui.Local{Call: call("order")}),
		comp("t", "Text", "text", "x")))
	if _, err := c.Click("s", "root"); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{`call-4 order {}`}, ids()); diff != "" {
		t.Errorf("asked by a click (-want +got)\n%s", diff)
	}
	apply(t, c, comps("s", comp("root", "Button", "child", a2ui.Ref("t"),
		"action", a2ui.Local{Call: call("order", "n", call("price"))}), comp("t", "Text", "text", "x")))
	if _, err := c.Click("s", "root"); err == nil || !strings.Contains(err.Error(), "an argument") {
		t.Errorf("a click with an argument that the agent computes: %v", err)
	}
	apply(t, c, comps("s", comp("root", "Text", "text", call("order", "n", call("price")))))
	if diff := cmp.Diff([]string{`call-5 price {}`}, ids()); diff != "" {
		t.Errorf("asked for the argument first (-want +got)\n%s", diff)
	}
	apply(t, c, &a2ui.Reply{CallID: "call-5", Value: jsonx.Of("9")})
	if diff := cmp.Diff([]string{`call-6 order {"n":["wire.Literal","9"]}`}, ids()); diff != "" {
		t.Errorf("asked with it (-want +got)\n%s", diff)
	}
	apply(t, c, remove("s"))
	if err := c.Apply(&a2ui.Reply{CallID: "call-4"}); codeOf(err) != stateError {
		t.Errorf("the answer for a surface that is gone: %v", err)
	}
}

// TestCloneAsksAgain: what a clone asks the agent, the original still has to.
func TestCloneAsksAgain(t *testing.T) {
	t.Parallel()
	c := start(t, a2ui.V10, Strict, create("s"), comps("s", comp("root", "Text", "text", call("price"))))
	if len(c.Calls()) != 1 {
		t.Fatal("nothing is asked")
	}
	apply(t, c, comps("s", comp("root", "Text", "text", call("other"))))
	if twin := c.Clone(); len(twin.Calls()) != 1 || len(c.Calls()) != 1 {
		t.Error("a clone and its original ask for each other")
	}
}

// TestReportMissing: a binding to nothing is drawn empty, and named where it is
// asked for.
func TestReportMissing(t *testing.T) {
	t.Parallel()
	for _, report := range []bool{false, true} {
		c := With(Config{Dialect: a2ui.V09, ReportMissing: report})
		apply(t, c, create("s"), comps("s", comp("root", "Text", "text", a2ui.Path("/x"))))
		if got := view(t, c, "s").Problems; (len(got) == 1 && got[0].Code == dataError) != report {
			t.Errorf("asked %v: %v", report, got)
		}
	}
}
