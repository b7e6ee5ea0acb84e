package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
)

// form is one of everything, for create-first dialects.
func form(s string) []a2ui.Message {
	need := a2ui.Checks{{Condition: call("required", "value", a2ui.Path("/draft/name")), Message: "Name is needed"}}
	return []a2ui.Message{
		create(s),
		data(s, "/", `{"draft":{"name":"","ok":true,"color":["b"],"many":[],"size":3,"when":"2026-05-01"},"ui_state":{"rev":1}}`),
		comps(s,
			comp("root", "Column", "children", []string{"h", "body", "pic", "tabs", "line", "send", "soon"}),
			comp("h", "Text", "text", "Order", "variant", "h2"),
			comp("body", "Text", "text", `1\. Not a \*list\* \# at all`),
			comp("pic", "Image", "url", "https://x.test/p.png", "description", "A cup"),
			comp("tabs", "Tabs", "tabs", a2ui.Tabs{{Title: a2ui.String("You"), Child: "you"}, {Title: a2ui.String("It"), Child: "it"}}),
			comp("you", "Card", "child", a2ui.Ref("name")),
			comp("name", "TextField", "label", "Name", "value", a2ui.Path("/draft/name"), "checks", need),
			comp("it", "Row", "children", []string{"ok", "color", "many", "size", "when"}),
			comp("ok", "CheckBox", "label", "Agreed", "value", a2ui.Path("/draft/ok")),
			comp("color", "ChoicePicker", "label", "Colour", "value", a2ui.Path("/draft/color"),
				"options", a2ui.Options{{Label: a2ui.String("Red"), Value: "r"}, {Label: a2ui.String("Blue"), Value: "b"}}),
			comp("many", "ChoicePicker", "variant", "multipleSelection", "value", a2ui.Path("/draft/many"),
				"options", a2ui.Options{{Label: a2ui.String("X"), Value: "x"}, {Label: a2ui.String("Y"), Value: "y"}}),
			comp("size", "Slider", "label", "Size", "value", a2ui.Path("/draft/size"), "max", lit(`10`)),
			comp("when", "DateTimeInput", "label", "When", "value", a2ui.Path("/draft/when"), "enableDate", true),
			comp("line", "Divider"),
			comp("send", "Button", "child", a2ui.Ref("send-text"), "variant", "primary",
				"action", a2ui.Event{Name: "submit", Context: comp("", "", "name", a2ui.Path("/draft/name"), "many", a2ui.Path("/draft/many"),
					"gone", a2ui.Path("/gone"), "nonce", "n1", "rev", a2ui.Path("/ui_state/rev")).Props}),
			comp("send-text", "Text", "text", "Send"),
		),
	}
}

const formDump = `surface s
  column  #root
    heading 2 "Order"  #h
    text "1. Not a *list* # at all"  #body
    image "A cup" url=https://x.test/p.png  #pic
    tablist  #tabs
      tab "You"
        card  #you
          textbox "Name" = ""  #name  @/draft/name
            ! Name is needed
      tab "It"
        row  #it
          checkbox "Agreed" = true  #ok  @/draft/ok
          choice "Colour" = ["b"]  #color  @/draft/color
            [ ] "Red" r
            [x] "Blue" b
          choice = [] variant=multipleSelection  #many  @/draft/many
            [ ] "X" x
            [ ] "Y" y
          slider "Size" = 3 max=10  #size  @/draft/size
          datetime "When" = "2026-05-01" enableDate=true  #when  @/draft/when
    divider  #line
    button -> submit variant=primary  #send
      text "Send"  #send-text
    pending  #soon
data {"draft":{"name":"","ok":true,"color":["b"],"many":[],"size":3,"when":"2026-05-01"},"ui_state":{"rev":1}}
problem VALIDATION_ERROR surface s component soon: the component has not arrived
`

func TestDump(t *testing.T) {
	t.Parallel()
	for _, mode := range []Mode{Strict, LikeWebCore} {
		for _, d := range dialects[1:] {
			r := start(t, d, mode, form("s")...)
			if diff := cmp.Diff(formDump, r.Dump("s")); diff != "" {
				t.Errorf("%v %v (-want +got)\n%s", d, mode, diff)
			}
		}
	}
	if got := New(a2ui.V09, Strict).Dump("x"); got != "" {
		t.Errorf("unknown surface dumps %q", got)
	}
	if got := start(t, a2ui.V09, Strict, create("s")).Dump("s"); got != "surface s (waiting for its root)\n  pending  #root\ndata {}\nproblem VALIDATION_ERROR surface s component root: the component has not arrived\n" {
		t.Errorf("empty: %q", got)
	}
}

func TestHeadingsAndEscapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d             a2ui.Dialect
		text, variant string
		role          string
		level         int
		want          string
	}{
		{a2ui.V09, `a\*b`, "h3", roleHeading, 3, `a\*b`}, // headings are no Markdown
		{a2ui.V08, `a\*b`, "h3", roleHeading, 3, `a*b`},
		{a2ui.V09, `a\*b`, "", roleText, 0, `a*b`},
		{a2ui.V09, `a\*b`, "caption", roleText, 0, `a\*b`},
		{a2ui.V08, `a\*b`, "caption", roleText, 0, `a*b`},
		{a2ui.V10, `## a\_b`, "", roleHeading, 2, `a_b`},
		{a2ui.V10, `\## a`, "", roleText, 0, `## a`},
		{a2ui.V10, "# a\nb", "", roleText, 0, "# a\nb"},
		{a2ui.V10, `#a`, "", roleText, 0, `#a`},
		{a2ui.V10, `####### a`, "", roleText, 0, `####### a`},
		{a2ui.V10, `C:\dir\\x`, "", roleText, 0, `C:\dir\x`},
		{a2ui.V10, `\`, "", roleText, 0, `\`},
	} {
		root := comp("root", "Text", "text", c.text, "variant", c.variant)
		r := start(t, c.d, LikeWebCore, create("s"), comps("s", root))
		got := view(t, r, "s").Root
		if got.Role != c.role || got.Level != c.level || got.Text != c.want {
			t.Errorf("%v %q %s = %s %d %q, want %s %d %q", c.d, c.text, c.variant, got.Role, got.Level, got.Text,
				c.role, c.level, c.want)
		}
	}
}

// TestChecks: a condition fails when it is false or cannot be computed; all
// failing messages show, in order.
func TestChecks(t *testing.T) {
	t.Parallel()
	r := start(t, a2ui.V09, LikeWebCore, create("s"),
		comps("s", comp("root", "TextField", "label", "L", "value", "x", "checks", a2ui.Checks{
			{Condition: a2ui.Bool(false), Message: "false"}, {Condition: a2ui.Bool(true), Message: "true"},
			{Condition: call("nope"), Message: "unknown"}, {Condition: call("required", "value", a2ui.Path("/gone")), Message: "missing"},
			{Condition: a2ui.Path("/gone"), Message: "nothing"}, {Condition: a2ui.String("yes"), Message: "truthy"}})))
	if diff := cmp.Diff([]string{"false", "unknown", "missing", "nothing"}, view(t, r, "s").Root.Errors); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestProblems: what only shows when drawn.
func TestProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		mode Mode
		comp a2ui.Component
		want []Code
	}{
		{"nothing wrong", Strict, comp("root", "Text", "text", "x"), nil},
		{"binding to nothing", Strict, comp("root", "Text", "text", a2ui.Path("/x")), nil},
		{"binding to nothing, web", LikeWebCore, comp("root", "Text", "text", a2ui.Path("/x")), nil},
		{"reserved key, web", LikeWebCore, comp("root", "Text", "text", a2ui.Path("/constructor")), []Code{dataError}},
		{"no text", Strict, comp("root", "Text"), []Code{validationError}},
		{"text is a child", Strict, comp("root", "Text", "text", a2ui.Ref("x")), []Code{validationError}},
		{"children is a text", Strict, comp("root", "Row", "children", "x"), []Code{validationError}},
		{"tabs is a text", Strict, comp("root", "Tabs", "tabs", "x"), []Code{validationError}},
		{"options is a text", Strict, comp("root", "ChoicePicker", "value", lit(`[]`), "options", "x"), []Code{validationError}},
		{"choice of a string", LikeWebCore, comp("root", "ChoicePicker", "value", "x", "options", a2ui.Options{}), []Code{validationError}},
		{"check box of a string", LikeWebCore, comp("root", "CheckBox", "value", "x", "label", "L"), []Code{validationError}},
		{"slider of a string", LikeWebCore, comp("root", "Slider", "value", "x"), []Code{validationError}},
		{"unknown type", LikeWebCore, comp("root", "Chart"), []Code{unknownType}},
		{"condition is nil", Strict, comp("root", "TextField", "label", "L", "checks", a2ui.Checks{{}}), []Code{validationError}},
		{"bad regexp", Strict, comp("root", "TextField", "label", "L", "value", "x", "validationRegexp", "("), []Code{expressionError}},
	} {
		r := start(t, a2ui.V09, c.mode, create("s"), comps("s", c.comp))
		var got []Code
		for _, p := range view(t, r, "s").Problems {
			got = append(got, p.Code)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}
