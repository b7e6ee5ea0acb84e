package client

import (
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

// TestShownHashEqual: what a user cannot see does not count.
func TestShownHashEqual(t *testing.T) {
	t.Parallel()
	base := start(t, a2ui.V09, Strict, form("s")...)
	want := base.ShownHash("s")
	if len(want) != 64 || want != base.ShownHash("s") || want == base.ExactHash("s") {
		t.Fatalf("hash %q", want)
	}
	same := map[string]func(*Client){
		"a component nobody shows": func(c *Client) { apply(t, c, comps("s", comp("x", "Text", "text", "x"))) },
		"data nobody shows":        func(c *Client) { apply(t, c, data("s", "/x", `1`)) },
		"a row instead of a card":  func(c *Client) { apply(t, c, comps("s", comp("you", "Row", "children", []string{"name"}))) },
		"another id": func(c *Client) {
			apply(t, c, comps("s", comp("body", "Card", "child", a2ui.Ref("b2")), comp("b2", "Text", "text", `1\. Not a \*list\* \# at all`)))
		},
		"another escape": func(c *Client) { apply(t, c, comps("s", comp("body", "Text", "text", `1\. Not a \*list\* # at all`))) },
		"a default made explicit": func(c *Client) {
			apply(t, c, comps("s", comp("body", "Text", "text", `1\. Not a \*list\* # at all`, "variant", "body")))
		},
		"another form of a number": func(c *Client) { apply(t, c, data("s", "/draft/size", `3.0`)) },
		"a guarded string": func(c *Client) {
			apply(t, c, data("s", "/draft/name", `"\u200b"`), comps("s", comp("name", "TextField", "label", "Name", "value", a2ui.Path("/draft/name"), "checks", a2ui.Checks{{Condition: a2ui.Bool(false), Message: "Name is needed"}})))
		},
	}
	for name, change := range same {
		c := start(t, a2ui.V09, Strict, form("s")...)
		change(c)
		if c.ShownHash("s") != want {
			t.Errorf("%s changed the hash:\n%s", name, c.Dump("s"))
		}
		if c.ExactHash("s") == base.ExactHash("s") {
			t.Errorf("%s left the exact hash alone", name)
		}
	}
	if New(a2ui.V09, Strict).ShownHash("s") != "" || New(a2ui.V09, Strict).ExactHash("s") != "" {
		t.Error("an unknown surface has a hash")
	}
}

// TestShownHashDiffers: what a user can see counts.
func TestShownHashDiffers(t *testing.T) {
	t.Parallel()
	want := start(t, a2ui.V09, Strict, form("s")...).ShownHash("s")
	for name, m := range map[string]a2ui.Message{
		"text":     comps("s", comp("body", "Text", "text", "other")),
		"emphasis": comps("s", comp("body", "Text", "text", `1\. Not a *list* # at all`)),
		"level":    comps("s", comp("h", "Text", "text", "Order", "variant", "h3")),
		"value":    data("s", "/draft/size", `4`),
		"option":   comps("s", comp("color", "ChoicePicker", "label", "Colour", "value", a2ui.Path("/draft/color"), "options", a2ui.Options{{Label: a2ui.String("Blue"), Value: "b"}, {Label: a2ui.String("Red"), Value: "r"}})),
		"selected": data("s", "/draft/color", `["r"]`),
		"action":   comps("s", comp("send", "Button", "child", a2ui.Ref("send-text"), "variant", "primary", "action", a2ui.Event{Name: "other"})),
		"order":    comps("s", comp("root", "Column", "children", []string{"body", "h", "pic", "tabs", "line", "send", "soon"})),
		"tab":      comps("s", comp("tabs", "Tabs", "tabs", a2ui.Tabs{{Title: a2ui.String("You"), Child: "you"}, {Title: a2ui.String("All"), Child: "it"}})),
		"arrived":  comps("s", comp("soon", "Divider")),
		"picture":  comps("s", comp("pic", "Image", "url", "https://x.test/q.png", "description", "A cup")),
		"gone":     remove("s"),
	} {
		c := start(t, a2ui.V09, Strict, append(form("s"), m)...)
		if c.ShownHash("s") == want {
			t.Errorf("%s left the hash alone", name)
		}
	}
}

// TestDetailedHash: what a check says and details such as a variant count
// only where they are asked for.
func TestDetailedHash(t *testing.T) {
	t.Parallel()
	base := start(t, a2ui.V09, Strict, form("s")...)
	for name, field := range map[string]a2ui.Component{
		"message": comp("name", "TextField", "label", "Name", "value", a2ui.Path("/draft/name"), "checks", a2ui.Checks{{Condition: a2ui.Bool(false), Message: "Other"}}),
		"variant": comp("name", "TextField", "label", "Name", "value", a2ui.Path("/draft/name"), "variant", "obscured"),
		"bound":   comp("size", "Slider", "label", "Size", "value", a2ui.Path("/draft/size"), "max", lit(`99`)),
	} {
		other := start(t, a2ui.V09, Strict, append(form("s"), comps("s", field))...)
		if base.ShownHash("s") != other.ShownHash("s") {
			t.Errorf("%s counts\n%s\n%s", name, base.Dump("s"), other.Dump("s"))
		}
		if base.DetailedHash("s") == other.DetailedHash("s") {
			t.Errorf("%s does not count", name)
		}
	}
}

func TestShownHashIgnoresPaths(t *testing.T) {
	t.Parallel()
	a, b := start(t, a2ui.V09, LikeWebCore, form("s")...), start(t, a2ui.V09, LikeWebCore, form("s")...)
	echo := comps("s", comp("soon", "Text", "text", call("formatString", "value", "Hello ${/draft/name}")))
	apply(t, a, echo)
	apply(t, b, echo)
	for _, err := range []error{a.Type("s", "name", "Ada"), a.Choose("s", "color", "r"), a.Slide("s", "size", 9)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	ignore := a.Touched("s")
	if a.ShownHash("s") == b.ShownHash("s") {
		t.Fatal("what the user typed is not in the hash")
	}
	if a.ShownHash("s", ignore...) != b.ShownHash("s", ignore...) {
		t.Errorf("differs beyond the ignored paths:\n%s\n%s", a.Dump("s"), b.Dump("s"))
	}
	apply(t, b, data("s", "/draft/when", `"2026-01-01"`))
	if a.ShownHash("s", ignore...) == b.ShownHash("s", ignore...) {
		t.Error("a path that is not ignored was ignored")
	}
	if d, _ := a.Data("s"); d.At("draft").At("name").Str != "Ada" {
		t.Error("hashing wrote to the data model")
	}
}

// TestHashAcrossDialects: the same tree, the same hash, for what does not need
// regrouping.
func TestHashAcrossDialects(t *testing.T) {
	t.Parallel()
	v09 := start(t, a2ui.V09, Strict, create("s"), data("s", "/draft", `{"name":"[1]"}`), comps("s",
		comp("root", "Column", "children", []string{"h", "b", "f"}),
		comp("h", "Text", "text", "A * b", "variant", "h2"), comp("b", "Text", "text", `A \* b`),
		comp("f", "TextField", "label", "N*", "value", a2ui.Path("/draft/name"))))
	v10 := start(t, a2ui.V10, Strict, create("s"), data("s", "/draft", `{"name":"[1]"}`), comps("s",
		comp("root", "Column", "children", []string{"h", "b", "f"}),
		comp("h", "Text", "text", `## A \* b`), comp("b", "Text", "text", `A \* b`),
		comp("f", "TextField", "label", "N*", "value", a2ui.Path("/draft/name"))))
	v08 := start(t, a2ui.V08, LikeWebCore, comps("s",
		comp("c#top", "Column", "children", []string{"c#h", "c#b", "c#f"}),
		comp("c#h", "Text", "text", `A \* b`, "variant", "h2"), comp("c#b", "Text", "text", `A \* b`),
		comp("c#f", "TextField", "label", "N*", "value", a2ui.Path("/draft/name/v"))),
		data("s", "/draft/name", `{"v":"[1]\u200b"}`), &a2ui.CreateSurface{SurfaceID: "s", Root: "c#top"})
	if v09.ShownHash("s") != v10.ShownHash("s") || v09.ShownHash("s") != v08.ShownHash("s") {
		t.Errorf("hashes differ\n%s\n%s\n%s", v08.Dump("s"), v09.Dump("s"), v10.Dump("s"))
	}
}

// TestHashOfLowering: what dialects draw with other components is
// the same to the user, and what is not the same differs.
func TestHashOfLowering(t *testing.T) {
	t.Parallel()
	options := a2ui.Options{{Label: a2ui.String("Red"), Value: "r"}, {Label: a2ui.String("Blue"), Value: "b"}}
	open := a2ui.Local{Call: call("openUrl", "url", "https://x.test/up")}
	tree := func(d a2ui.Dialect, model string, list ...a2ui.Component) string {
		ids := make([]string, len(list))
		for i, c := range list {
			ids[i] = c.ID
		}
		c := New(d, Strict)
		if d == a2ui.V08 {
			apply(t, c, data("s", "/", model))
		}
		apply(t, c, create("s"))
		if d != a2ui.V08 {
			apply(t, c, data("s", "/", model))
		}
		apply(t, c, comps("s", append(list, comp("root", "Column", "children", ids))...))
		return c.ShownHash("s")
	}
	box := func(id, label, path string) a2ui.Component {
		return comp(id, "CheckBox", "label", label, "value", a2ui.Path(path))
	}
	for name, c := range map[string]struct {
		a, b  string
		equal bool
	}{
		"choose many": {
			tree(a2ui.V09, `{"c":["b"]}`, comp("c", "ChoicePicker", "label", "Colours", "variant", "multipleSelection", "options", options, "value", a2ui.Path("/c"))),
			tree(a2ui.V08, `{"r":{"v":false},"b":{"v":true}}`, comp("l", "Text", "text", "Colours"), box("x", "Red", "/r/v"), box("y", "Blue", "/b/v")), true},
		"choose another": {
			tree(a2ui.V09, `{"c":["r"]}`, comp("c", "ChoicePicker", "label", "Colours", "variant", "multipleSelection", "options", options, "value", a2ui.Path("/c"))),
			tree(a2ui.V08, `{"r":{"v":false},"b":{"v":true}}`, comp("l", "Text", "text", "Colours"), box("x", "Red", "/r/v"), box("y", "Blue", "/b/v")), false},
		"upload": {
			tree(a2ui.V10, `{}`, comp("u", "Button", "child", a2ui.Ref("t"), "action", open), comp("t", "Text", "text", "Choose")),
			tree(a2ui.V08, `{}`, comp("u", "Text", "text", "[Choose](https://x.test/up)"), comp("t", "Text", "text", "Choose")), true},
		"upload elsewhere": {
			tree(a2ui.V10, `{}`, comp("u", "Button", "child", a2ui.Ref("t"), "action", open), comp("t", "Text", "text", "Choose")),
			tree(a2ui.V08, `{}`, comp("u", "Text", "text", "[Choose](https://x.test/other)"), comp("t", "Text", "text", "Choose")), false},
		"placeholder": {
			tree(a2ui.V10, `{}`, comp("f", "TextField", "label", "N", "placeholder", "Ada"), comp("h", "Text", "text", "Your name", "variant", "caption")),
			tree(a2ui.V09, `{}`, comp("f", "TextField", "label", "N"), comp("h", "Text", "text", "Your name Ada", "variant", "caption")), true},
		"another placeholder": {
			tree(a2ui.V10, `{}`, comp("f", "TextField", "label", "N", "placeholder", "Eve")),
			tree(a2ui.V09, `{}`, comp("f", "TextField", "label", "N"), comp("h", "Text", "text", "Ada", "variant", "caption")), false},
		"label apart": {
			tree(a2ui.V09, `{"d":"2026-01-01"}`, comp("f", "DateTimeInput", "label", "Day", "enableDate", true, "min", "2026-01-01", "value", a2ui.Path("/d"))),
			tree(a2ui.V08, `{"d":{"v":"2026-01-01"}}`, comp("l", "Text", "text", "Day"), comp("f", "DateTimeInput", "enableDate", true, "value", a2ui.Path("/d/v"))), true},
		"steps": {
			tree(a2ui.V10, `{"n":1}`, comp("f", "Slider", "label", "N", "max", lit(`9`), "min", lit(`0`), "steps", lit(`3`), "value", a2ui.Path("/n"))),
			tree(a2ui.V09, `{"n":1}`, comp("f", "Slider", "label", "N", "max", lit(`9`), "value", a2ui.Path("/n"))), true},
		"literal stars and emphasis": {
			tree(a2ui.V10, `{}`, comp("f", "Text", "text", `*x*`)), tree(a2ui.V10, `{}`, comp("f", "Text", "text", `\*x\*`)), false},
		"heading": {
			tree(a2ui.V09, `{}`, comp("f", "Text", "text", `a # b*`, "variant", "h3")), tree(a2ui.V10, `{}`, comp("f", "Text", "text", `### a # b\* ##`)), true},
	} {
		if (c.a == c.b) != c.equal {
			t.Errorf("%s: equal is %v, want %v", name, c.a == c.b, c.equal)
		}
	}
}
