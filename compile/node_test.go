package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// sketch writes what draws one node: its components and the data beside rev.
func sketch(t *testing.T, d a2ui.Dialect, n ui.Node, draft, state ui.Value) string {
	t.Helper()
	w := newWorld(t, target(d))
	w.apply(&ui.Open{Surface: "s", Nonce: "n", Root: ui.Nodes{n}, Draft: ui.BlankDraft(n, draft), UIState: state})
	batches, err := Snapshot(w.target, w.state)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range batches.Messages() {
		switch m := m.(type) {
		case *a2ui.UpdateComponents:
			for i := range m.Components[1:] {
				b.WriteString(componentLine(&m.Components[i+1]) + "\n")
			}
		case *a2ui.UpdateData:
			line := m.Path + " = " + string(jsonx.Append(nil, m.Value)) + "\n"
			if !strings.HasPrefix(line, "/ui_state = {\"rev\":{\"v\":1}}\n") {
				b.WriteString(line)
			}
		}
	}
	for _, warning := range batches.Warnings() {
		b.WriteString(warning.String() + "\n")
	}
	return b.String()
}

func componentLine(c *a2ui.Component) string {
	line := strings.TrimPrefix(c.ID, "c#")
	if c.Weight != 0 {
		line += " weight=1"
	}
	for _, p := range c.Props {
		line += " " + p.Name + "=" + valueText(p.Value)
	}
	return line
}

func valueText(v a2ui.Value) string {
	switch v := v.(type) {
	case a2ui.String:
		return fmt.Sprintf("%q", string(v))
	case a2ui.Path:
		return "@" + string(v)
	case a2ui.Ref:
		return "→" + strings.TrimPrefix(string(v), "c#")
	case a2ui.Refs:
		return "→[" + strings.ReplaceAll(strings.Join(v, " "), "c#", "") + "]"
	case a2ui.Literal:
		return string(jsonx.Append(nil, v.Data))
	case a2ui.Options:
		var out []string
		for _, o := range v {
			out = append(out, valueText(o.Label)+":"+o.Value)
		}
		return "[" + strings.Join(out, " ") + "]"
	case a2ui.Tabs:
		var out []string
		for _, t := range v {
			out = append(out, valueText(t.Title)+"→"+strings.TrimPrefix(t.Child, "c#"))
		}
		return "[" + strings.Join(out, " ") + "]"
	case a2ui.Event:
		return v.Name + propsText(v.Context)
	case a2ui.Local:
		return valueText(v.Call)
	case a2ui.Call:
		return v.Func + propsText(v.Args)
	case a2ui.List:
		var out []string
		for _, item := range v {
			out = append(out, valueText(item))
		}
		return "[" + strings.Join(out, " ") + "]"
	case a2ui.Checks:
		var out []string
		for _, c := range v {
			out = append(out, valueText(c.Condition)+" else "+fmt.Sprintf("%q", c.Message))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	return fmt.Sprint(v)
}

func propsText(props []a2ui.Prop) string {
	var out []string
	for _, p := range props {
		out = append(out, p.Name+"="+valueText(p.Value))
	}
	return "(" + strings.Join(out, " ") + ")"
}

func field(f ui.Field) ui.Node {
	f.Name = "x"
	if f.Label == "" {
		f.Label = "X"
	}
	return ui.InputFor("/draft/x", f)
}

type nodeCase struct {
	name         string
	node         ui.Node
	draft, state ui.Value
	v08, v09     string
}

var contentCases = []nodeCase{
	{
		name: "Column, Text, Heading",
		node: &ui.Column{Key: "a", Children: ui.Nodes{&ui.Heading{Key: "h", Level: 3, Text: "Hi\nthere"}, &ui.Text{Key: "t", Text: "*a*"}, &ui.Text{Key: "s", Text: "*b*", Small: true}}},
		v08: `
a:Column children=→[a/h:Text a/t:Text a/s:Text] justify="start" align="stretch"
a/h:Text text="Hi there" variant="h3"
a/t:Text text="\\*a\\*" variant="body"
a/s:Text text="\\*b\\*" variant="caption"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Column children=→[a/h:Text a/t:Text a/s:Text] justify="start" align="stretch"
a/h:Text text="Hi there" variant="h3"
a/t:Text text="\\*a\\*" variant="body"
a/s:Text text="*b*" variant="caption"
`,
	},
	{
		name: "Row, Divider",
		node: &ui.Row{Key: "a", Children: ui.Nodes{&ui.Divider{Key: "d"}, &ui.Divider{Key: "e"}}},
		v08: `
a:Row children=→[a/d:Divider a/e:Divider] justify="start" align="center"
a/d:Divider axis="horizontal"
a/e:Divider axis="horizontal"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Row children=→[a/d:Divider a/e:Divider] justify="start" align="center"
a/d:Divider axis="horizontal"
a/e:Divider axis="horizontal"
`,
	},
	{
		name: "Card",
		node: &ui.Card{Key: "a", Children: ui.Nodes{&ui.Divider{Key: "d"}}},
		v08: `
a:Card child=→a/!body:Column
a/!body:Column children=→[a/d:Divider] justify="start" align="stretch"
a/d:Divider axis="horizontal"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Card child=→a/!body:Column
a/!body:Column children=→[a/d:Divider] justify="start" align="stretch"
a/d:Divider axis="horizontal"
`,
	},
	{
		name: "Section",
		node: &ui.Section{Key: "a", Title: "T", Children: ui.Nodes{&ui.Divider{Key: "d"}}},
		v08: `
a:Column children=→[a/!title:Text a/d:Divider] justify="start" align="stretch"
a/!title:Text text="T" variant="h3"
a/d:Divider axis="horizontal"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Column children=→[a/!title:Text a/d:Divider] justify="start" align="stretch"
a/!title:Text text="T" variant="h3"
a/d:Divider axis="horizontal"
`,
	},
	{
		name: "Tabs",
		node: &ui.Tabs{Key: "a", Tabs: []ui.Tab{{Key: "one", Title: "One", Children: ui.Nodes{&ui.Divider{Key: "d"}}}}},
		v08: `
a:Tabs tabs=["One"→a/one:Column]
a/one:Column children=→[a/one/d:Divider] justify="start" align="stretch"
a/one/d:Divider axis="horizontal"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Tabs tabs=["One"→a/one:Column]
a/one:Column children=→[a/one/d:Divider] justify="start" align="stretch"
a/one/d:Divider axis="horizontal"
`,
	},
	{
		name: "Tabs without any",
		node: &ui.Tabs{Key: "a"},
		v08: `
a:Column children=→[] justify="start" align="stretch"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Column children=→[] justify="start" align="stretch"
`,
	},
	{
		name:  "Text at a path",
		node:  &ui.Text{Key: "a", Path: "/ui_state/t"},
		state: ui.Map(ui.Pair{Key: "t", Value: ui.String("*a*")}),
		v08: `
a:Text text=@/ui_state/t/v variant="body"
/ui_state = {"rev":{"v":1},"t":{"v":"\\*a\\*"}}
`,
		v09: `
/ = {"ui_state":{"rev":1,"t":"\\*a\\*"}}
a:Text text=@/ui_state/t variant="body"
`,
	},
	{
		name: "Text like an id",
		node: &ui.Text{Key: "a", Text: "c#a:Text"},
		v08: `
a:Text text=@/literal/t3522a783bf42cc3/v variant="body"
/literal = {"t3522a783bf42cc3":{"v":"c#a:Text"}}
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Text text="c#a:Text" variant="body"
`,
	},
	{
		name: "Image",
		node: &ui.Image{Key: "a", URL: "https://x.test/i.png", Alt: "I"},
		v08: `
a:Image url="https://x.test/i.png" description="I" fit="contain" variant="mediumFeature"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Image url="https://x.test/i.png" description="I" fit="contain" variant="mediumFeature"
`,
	},
	{
		name: "Image with another scheme",
		node: &ui.Image{Key: "a", URL: "javascript:alert(1)", Alt: "I"},
		v08: `
a:Text text="I" variant="body"
COMPILE_URL_REFUSED: the image's address is not http or https; its description is shown (a)
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Text text="I" variant="body"
COMPILE_URL_REFUSED: the image's address is not http or https; its description is shown (a)
`,
	},
	{
		name: "Icon",
		node: &ui.Icon{Key: "a", Name: "home"},
		v08: `
a:Icon name="home"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Icon name="home"
`,
	},
	{
		name: "Icon with a label",
		node: &ui.Icon{Key: "a", Name: "home", Label: "Home"},
		v08: `
a:Row children=→[a/!icon:Icon a/!text:Text] justify="start" align="center"
a/!icon:Icon name="home"
a/!text:Text text="Home" variant="body"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Row children=→[a/!icon:Icon a/!text:Text] justify="start" align="center"
a/!icon:Icon name="home"
a/!text:Text text="Home" variant="body"
`,
	},
	{
		name: "Icon nobody has",
		node: &ui.Icon{Key: "a", Name: "unicorn", Label: "U"},
		v08: `
a:Text text="U" variant="body"
COMPILE_NOT_SHOWN: the client has no icon of that name; its label is shown (a)
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Text text="U" variant="body"
COMPILE_NOT_SHOWN: the client has no icon of that name; its label is shown (a)
`,
	},
	{
		name:  "Stat",
		node:  &ui.Stat{Key: "a", Label: "Sum", Path: "/ui_state/n", Note: "today"},
		state: ui.Map(ui.Pair{Key: "n", Value: ui.Int(7)}),
		v08: `
a:Card child=→a/!body:Column
a/!body:Column children=→[a/!label:Text a:Text a/!help:Text] justify="start" align="stretch"
a/!label:Text text="Sum" variant="caption"
a:Text text=@/ui_state/n/v variant="body"
a/!help:Text text="today" variant="caption"
/ui_state = {"rev":{"v":1},"n":{"v":"7"}}
`,
		v09: `
/ = {"ui_state":{"rev":1,"n":"7"}}
a:Card child=→a/!body:Column
a/!body:Column children=→[a/!label:Text a:Text a/!help:Text] justify="start" align="stretch"
a/!label:Text text="Sum" variant="caption"
a:Text text=@/ui_state/n variant="body"
a/!help:Text text="today" variant="caption"
`,
	},
	{
		name: "Stat before there is a value",
		node: &ui.Stat{Key: "a", Label: "Sum", Value: "-", Path: "/ui_state/n"},
		v08: `
a:Card child=→a/!body:Column
a/!body:Column children=→[a/!label:Text a:Text] justify="start" align="stretch"
a/!label:Text text="Sum" variant="caption"
a:Text text=@/ui_state/n/v variant="body"
/ui_state = {"rev":{"v":1},"n":{"v":"\\-"}}
`,
		v09: `
/ = {"ui_state":{"rev":1,"n":"\\-"}}
a:Card child=→a/!body:Column
a/!body:Column children=→[a/!label:Text a:Text] justify="start" align="stretch"
a/!label:Text text="Sum" variant="caption"
a:Text text=@/ui_state/n variant="body"
`,
	},
	{
		name:  "Text at a boolean",
		node:  &ui.Text{Key: "a", Path: "/ui_state/t"},
		state: ui.Map(ui.Pair{Key: "t", Value: ui.Bool(true)}),
		v08: `
a:Text text=@/ui_state/t/v variant="body"
/ui_state = {"rev":{"v":1},"t":{"v":"Yes"}}
`,
		v09: `
/ = {"ui_state":{"rev":1,"t":"Yes"}}
a:Text text=@/ui_state/t variant="body"
`,
	},
	{
		name: "Progress before there is a value",
		node: &ui.Progress{Key: "a", Label: "Done", Percent: 40, Path: "/ui_state/n"},
		v08: `
a:Text text=@/shown/tc6d58484bcad84cb/v variant="body"
/shown = {"tc6d58484bcad84cb":{"v":"Done: 40 %"}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"shown":{"tc6d58484bcad84cb":"Done: 40 %"}}
a:Text text=@/shown/tc6d58484bcad84cb variant="body"
`,
	},
	{
		name: "Progress",
		node: &ui.Progress{Key: "a", Label: "Done", Percent: 40},
		v08: `
a:Text text="Done: 40 %" variant="body"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Text text="Done: 40 %" variant="body"
`,
	},
	{
		name: "Diagram",
		node: &ui.Diagram{Key: "a", Label: "P", Steps: "/draft/s", Edges: "/draft/e"},
		draft: ui.Map(ui.Pair{Key: "s", Value: ui.Rows(ui.Record{ID: "s1", Order: "a", Cells: ui.Map(ui.Pair{Key: "name", Value: ui.String("Ask")}, ui.Pair{Key: "owner", Value: ui.String("IT")})},
			ui.Record{ID: "s2", Order: "b", Cells: ui.Map(ui.Pair{Key: "name", Value: ui.String("Agree")})})},
			ui.Pair{Key: "e", Value: ui.Rows(ui.Record{ID: "e1", Order: "a", Cells: ui.Map(ui.Pair{Key: "from", Value: ui.String("s1")}, ui.Pair{Key: "to", Value: ui.String("s2")}, ui.Pair{Key: "kind", Value: ui.String("approval")})})}),
		v08: `
a:Column children=→[a/!label:Text a:Image a/!text:Text] justify="start" align="stretch"
a/!label:Text text="P" variant="h5"
a:Image url="https://limn.test/p/conv/s/1/a.svg?h=1bf02450cc8eea5a&until=1795392000&sig=2ba66b11b7cecfe6690b5b9037e937b39e14868eec50b84663db55d0b1e4ac81" description="P" fit="contain" variant="mediumFeature"
a/!text:Text text="Ask (IT) → Agree [approval]" variant="body"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Column children=→[a/!label:Text a:Image a/!text:Text] justify="start" align="stretch"
a/!label:Text text="P" variant="h5"
a:Image url="https://limn.test/p/conv/s/1/a.svg?h=1bf02450cc8eea5a&until=1795392000&sig=2ba66b11b7cecfe6690b5b9037e937b39e14868eec50b84663db55d0b1e4ac81" description="P" fit="contain" variant="mediumFeature"
a/!text:Text text="Ask (IT) → Agree [approval]" variant="body"
`,
	},
	{
		name: "Chart",
		node: &ui.Chart{Key: "a", Kind: ui.ChartLine, Label: "Sales", Unit: "€", Labels: []string{"May", "June"}, Series: []ui.Series{{Name: "North", Values: []float64{1.5, -2}}}},
		v08: `
a:Column children=→[a/!label:Text a:Image a/!text:Text] justify="start" align="stretch"
a/!label:Text text="Sales (€)" variant="h5"
a:Image url="https://limn.test/p/conv/s/1/a.svg?h=0d864a765a611ba1&until=1795392000&sig=df66235c148b2571045d29323e35141db7cdc277ec7b81b8698bc9ec43464f29" description="Sales (€)" fit="contain" variant="mediumFeature"
a/!text:Text text="May: 1.5  \nJune: -2" variant="body"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Column children=→[a/!label:Text a:Image a/!text:Text] justify="start" align="stretch"
a/!label:Text text="Sales (€)" variant="h5"
a:Image url="https://limn.test/p/conv/s/1/a.svg?h=0d864a765a611ba1&until=1795392000&sig=df66235c148b2571045d29323e35141db7cdc277ec7b81b8698bc9ec43464f29" description="Sales (€)" fit="contain" variant="mediumFeature"
a/!text:Text text="May: 1.5  \nJune: -2" variant="body"
`,
	},
	{
		name: "Diagram of nothing",
		node: &ui.Diagram{Key: "a", Steps: "/draft/none"},
		v08: `
a:Column children=→[a/!text:Text] justify="start" align="stretch"
a/!text:Text text="Nothing to draw yet." variant="body"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Column children=→[a/!text:Text] justify="start" align="stretch"
a/!text:Text text="Nothing to draw yet." variant="body"
`,
	},
	{
		name: "Notice",
		node: &ui.Notice{Key: "a", Tone: ui.ToneSuccess, Text: "Saved"},
		v08: `
a:Card child=→a/!body:Row
a/!body:Row children=→[a/!body/!icon:Icon a/!body/!text:Text] justify="start" align="center"
a/!body/!icon:Icon name="check"
a/!body/!text:Text text="Saved" variant="body"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Card child=→a/!body:Row
a/!body:Row children=→[a/!body/!icon:Icon a/!body/!text:Text] justify="start" align="center"
a/!body/!icon:Icon name="check"
a/!body/!text:Text text="Saved" variant="body"
`,
	},
}

func TestNodes(t *testing.T) {
	t.Parallel()
	for _, c := range slices.Concat(contentCases, inputCases) {
		for d, want := range map[a2ui.Dialect]string{a2ui.V08: c.v08, a2ui.V09: c.v09} {
			got := sketch(t, d, c.node, c.draft, c.state)
			if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
				t.Errorf("%s on %s (-want +got)\n%s", c.name, d, diff)
			}
		}
	}
}

// TestLabelsByLanguage: a label beside a value is joined to it as the language does.
func TestLabelsByLanguage(t *testing.T) {
	t.Parallel()
	cell := func(key, text string) ui.Node { return &ui.Text{Key: key, Text: text} }
	s := stateOf(t, openOp("main", &ui.Column{Key: "main", Children: ui.Nodes{
		&ui.Progress{Key: "bar", Label: "Fini", Percent: 40},
		&ui.List{Key: "list", Label: "Stock", Columns: []string{"Nom", "Prix"}, Children: ui.Nodes{
			&ui.Row{Key: "r1", Children: ui.Nodes{cell("a", "Livre"), cell("b", "3")}}}}}}, ui.Value{}, ui.Value{}))
	for lang, want := range map[string][]string{"fr": {"Stock", "Prix : 3", "Fini : 40 %"}, "ja": {"Prix：3", "Fini：40%"}} {
		tg := target(a2ui.V09)
		rules := *tg.Rules
		rules.Words = ui.Words{"page.lang": lang}
		tg.Rules = &rules
		batches, err := Snapshot(tg, s)
		if err != nil {
			t.Fatal(err)
		}
		var out []byte
		for _, m := range batches.Messages() {
			if out, err = a2ui.AppendMessage(out, tg.Dialect, m); err != nil {
				t.Fatal(err)
			}
		}
		for _, text := range want {
			if !strings.Contains(string(out), text) {
				t.Errorf("%s: no %q in %s", lang, text, out)
			}
		}
	}
}
