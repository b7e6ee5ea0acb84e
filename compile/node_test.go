package compile

import (
	"fmt"
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

var nodeCases = []struct {
	name         string
	node         ui.Node
	draft, state ui.Value
	v08, v09     string
}{
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
/ui_state = {"rev":{"v":1},"n":{"v":7}}
`,
		v09: `
/ = {"ui_state":{"rev":1,"n":7}}
a:Card child=→a/!body:Column
a/!body:Column children=→[a/!label:Text a:Text a/!help:Text] justify="start" align="stretch"
a/!label:Text text="Sum" variant="caption"
a:Text text=@/ui_state/n variant="body"
a/!help:Text text="today" variant="caption"
`,
	},
	{
		name: "Progress",
		node: &ui.Progress{Key: "a", Label: "Done", Percent: 40},
		v08: `
a:Row children=→[a/!label:Text a:Text a/!unit:Text] justify="start" align="center"
a/!label:Text text="Done" variant="body"
a:Text text="40" variant="body"
a/!unit:Text text="%" variant="body"
`,
		v09: `
/ = {"ui_state":{"rev":1}}
a:Row children=→[a/!label:Text a:Text a/!unit:Text] justify="start" align="center"
a/!label:Text text="Done" variant="body"
a:Text text="40" variant="body"
a/!unit:Text text="%" variant="body"
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
	{
		name: "TextInput",
		node: field(ui.Field{Type: ui.TypeText, Required: true, Min: "2", Pattern: `^[A-Z]`, Help: "H", Placeholder: "P"}),
		v08: `
x:TextField label="X (required)" value=@/draft/x/v variant="shortText" validationRegexp="^([\\s\\S]*(?:^[A-Z])[\\s\\S]*)?$"
x/!help:Text text="H P" variant="caption"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X (required)" value=@/draft/x variant="shortText" checks=[or(values=[not(value=required(value=@/draft/x)) length(value=@/draft/x min=2)]) else "X needs at least 2 characters.", or(values=[not(value=required(value=@/draft/x)) regex(value=@/draft/x pattern="^[A-Z]")]) else "X does not have the expected form."]
x/!help:Text text="H P" variant="caption"
`,
	},
	{
		name: "TextInput with a pattern of Go",
		node: field(ui.Field{Type: ui.TypeText, Pattern: `(?i)a`}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="shortText" validationRegexp="^[\\s\\S]*$"
/draft = {"x":{"v":""}}
COMPILE_PATTERN_SERVER: the pattern means something else in a browser; the server checks it (x)
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X" value=@/draft/x variant="shortText" checks=[]
COMPILE_PATTERN_SERVER: the pattern means something else in a browser; the server checks it (x)
`,
	},
	{
		name: "TextInput longtext",
		node: field(ui.Field{Type: ui.TypeLongText}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="longText" validationRegexp="^[\\s\\S]*$"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X" value=@/draft/x variant="longText" checks=[]
`,
	},
	{
		name: "TextInput number",
		node: field(ui.Field{Type: ui.TypeNumber, Min: "1", Max: "9.5"}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="number" validationRegexp="^[\\s\\S]*$"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X" value=@/draft/x variant="number" checks=[or(values=[not(value=required(value=@/draft/x)) numeric(value=@/draft/x min=1)]) else "X must be at least 1.", or(values=[not(value=required(value=@/draft/x)) numeric(value=@/draft/x max=9.5)]) else "X must be at most 9.5."]
`,
	},
	{
		name:  "TextInput email",
		node:  field(ui.Field{Type: ui.TypeEmail}),
		draft: ui.Map(ui.Pair{Key: "x", Value: ui.String(`{"a":1}`)}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="shortText" validationRegexp="^([^@\\s]+@[^@\\s]+)?$"
/draft = {"x":{"v":"{\"a\":1}​"}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":"{\"a\":1}"}}
x:TextField label="X" value=@/draft/x variant="shortText" checks=[or(values=[not(value=required(value=@/draft/x)) email(value=@/draft/x)]) else "X must be an email address."]
`,
	},
	{
		name: "TextInput url",
		node: field(ui.Field{Type: ui.TypeURL}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="shortText" validationRegexp="^([hH][tT][tT][pP][sS]?://[^\\s/?#][\\s\\S]*)?$"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X" value=@/draft/x variant="shortText" checks=[or(values=[not(value=required(value=@/draft/x)) regex(value=@/draft/x pattern="^[hH][tT][tT][pP][sS]?://[^\\s/?#]")]) else "X must be a web address (http or https)."]
`,
	},
	{
		name: "Checkbox",
		node: field(ui.Field{Type: ui.TypeBoolean}),
		v08: `
x:CheckBox label="X" value=@/draft/x/v
/draft = {"x":{"v":false}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":false}}
x:CheckBox label="X" value=@/draft/x checks=[]
`,
	},
	{
		name:  "Choice of one",
		node:  field(ui.Field{Type: ui.TypeChoice, Options: colors[:2]}),
		draft: ui.Map(ui.Pair{Key: "x", Value: ui.String("red")}),
		v08: `
x/!field:Column children=→[x/!label:Text x:ChoicePicker] justify="start" align="stretch"
x/!label:Text text="X" variant="body"
x:ChoicePicker value=@/draft/x/v options=["–": "Red":red "Green":green] variant="mutuallyExclusive" displayStyle="checkbox" filterable=false
/draft = {"x":{"v":"red"}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":["red"]}}
x:ChoicePicker label="X" value=@/draft/x options=["–": "Red":red "Green":green] variant="mutuallyExclusive" displayStyle="checkbox" filterable=false checks=[]
`,
	},
	{
		name:  "Choice of many",
		node:  field(ui.Field{Type: ui.TypeChoices, Options: colors[:2]}),
		draft: ui.Map(ui.Pair{Key: "x", Value: ui.Strings("green")}),
		v08: `
x/!field:Column children=→[x/!label:Text x/!red:CheckBox x/!green:CheckBox] justify="start" align="stretch"
x/!label:Text text="X" variant="body"
x/!red:CheckBox label="Red" value=@/draft/x/red/v
x/!green:CheckBox label="Green" value=@/draft/x/green/v
/draft/x = {"red":{"v":false},"green":{"v":true}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":["green"]}}
x:ChoicePicker label="X" value=@/draft/x options=["Red":red "Green":green] variant="multipleSelection" displayStyle="checkbox" filterable=false checks=[]
`,
	},
	{
		name: "Slider",
		node: field(ui.Field{Type: ui.TypeSlider, Min: "1", Max: "5"}),
		v08: `
x:Slider label="X" value=@/draft/x/v min=1 max=5
/draft = {"x":{"v":1}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":1}}
x:Slider label="X" value=@/draft/x min=1 max=5 checks=[]
`,
	},
	{
		name: "DateTime date",
		node: field(ui.Field{Type: ui.TypeDate, Min: "2026-01-01"}),
		v08: `
x/!field:Column children=→[x/!label:Text x:DateTimeInput] justify="start" align="stretch"
x/!label:Text text="X" variant="body"
x:DateTimeInput value=@/draft/x/v enableDate=true enableTime=false
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:DateTimeInput label="X" value=@/draft/x enableDate=true enableTime=false min="2026-01-01" max="9999-12-31" checks=[]
`,
	},
	{
		name: "DateTime time",
		node: field(ui.Field{Type: ui.TypeTime, Max: "18:00"}),
		v08: `
x/!field:Column children=→[x/!label:Text x:DateTimeInput] justify="start" align="stretch"
x/!label:Text text="X" variant="body"
x:DateTimeInput value=@/draft/x/v enableDate=false enableTime=true
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:DateTimeInput label="X" value=@/draft/x enableDate=false enableTime=true min="00:00:00Z" max="18:00:00Z" checks=[]
`,
	},
	{
		name: "DateTime",
		node: field(ui.Field{Type: ui.TypeDateTime}),
		v08: `
x/!field:Column children=→[x/!label:Text x:DateTimeInput] justify="start" align="stretch"
x/!label:Text text="X" variant="body"
x:DateTimeInput value=@/draft/x/v enableDate=true enableTime=true
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:DateTimeInput label="X" value=@/draft/x enableDate=true enableTime=true min="0001-01-01T00:00:00Z" max="9999-12-31T23:59:59Z" checks=[]
`,
	},
	{
		name: "Tags",
		node: field(ui.Field{Type: ui.TypeTags}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="shortText" validationRegexp="^[\\s\\S]*$"
x/!help:Text text="Separate with commas." variant="caption"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X" value=@/draft/x variant="shortText" checks=[]
x/!help:Text text="Separate with commas." variant="caption"
`,
	},
	{
		name: "Upload",
		node: field(ui.Field{Type: ui.TypeUpload}),
		v08: `
x/!field:Row children=→[x/!label:Text x/!text:Text] justify="start" align="center"
x/!label:Text text="X" variant="body"
x/!text:Text text="Choose a file: https://limn.test/c/conv/upload?surface=s%23e%3D1&path=%2Fdraft%2Fx" variant="body"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x/!field:Row children=→[x/!label:Text x:Button] justify="start" align="center"
x/!label:Text text="X" variant="body"
x:Button child=→x/!text:Text variant="default" action=openUrl(url="https://limn.test/c/conv/upload?surface=s%23e%3D1&path=%2Fdraft%2Fx")
x/!text:Text text="Choose a file" variant="body"
`,
	},
	{
		name: "Input in a Row",
		node: &ui.Row{Key: "a", Children: ui.Nodes{field(ui.Field{Type: ui.TypeBoolean, Help: "H"})}},
		v08: `
a:Row children=→[a/x/!field/!body:Column] justify="start" align="center"
a/x/!field/!body:Column children=→[a/x:CheckBox a/x/!help:Text] justify="start" align="stretch"
a/x:CheckBox label="X" value=@/draft/x/v
a/x/!help:Text text="H" variant="caption"
/draft = {"x":{"v":false}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":false}}
a:Row children=→[a/x/!field/!body:Column] justify="start" align="center"
a/x/!field/!body:Column children=→[a/x:CheckBox a/x/!help:Text] justify="start" align="stretch"
a/x:CheckBox label="X" value=@/draft/x checks=[]
a/x/!help:Text text="H" variant="caption"
`,
	},
	{
		name:  "Table",
		node:  &ui.Table{Rowset: ui.Rowset{Key: "a", Path: "/draft/a", Label: "A", Help: "H", Columns: []ui.Field{{Name: "n", Type: ui.TypeText}, {Name: "d", Type: ui.TypeDate}}}},
		draft: ui.Map(ui.Pair{Key: "a", Value: ui.Rows(ui.Record{ID: "r1"}, ui.Record{ID: "r2"}, ui.Record{ID: "r3"})}),
		v08: `
a:Column children=→[a/!label:Text a/!help:Text a/!head:Row a/r1:Row a/r2:Row a/r3:Row a/!add:Button] justify="start" align="stretch"
a/!label:Text text="A" variant="h4"
a/!help:Text text="H" variant="caption"
a/!head:Row children=→[a/!head/n:Text a/!head/d:Text] justify="start" align="center"
a/!head/n:Text weight=1 text="n" variant="caption"
a/!head/d:Text weight=1 text="d" variant="caption"
a/r1:Row children=→[a/r1/n:TextField a/r1/d:DateTimeInput a/r1/!remove:Button] justify="start" align="center"
a/r1/n:TextField weight=1 label="n, row 1" value=@/draft/a/r1/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r1/d:DateTimeInput weight=1 value=@/draft/a/r1/d/v enableDate=true enableTime=false
a/r1/!remove:Button child=→a/r1/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r1" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r1/!remove/!label:Text text="Remove" variant="body"
a/r2:Row children=→[a/r2/n:TextField a/r2/d:DateTimeInput a/r2/!remove:Button] justify="start" align="center"
a/r2/n:TextField weight=1 label="n, row 2" value=@/draft/a/r2/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r2/d:DateTimeInput weight=1 value=@/draft/a/r2/d/v enableDate=true enableTime=false
a/r2/!remove:Button child=→a/r2/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r2" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r2/!remove/!label:Text text="Remove" variant="body"
a/r3:Row children=→[a/r3/n:TextField a/r3/d:DateTimeInput a/r3/!remove:Button] justify="start" align="center"
a/r3/n:TextField weight=1 label="n, row 3" value=@/draft/a/r3/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r3/d:DateTimeInput weight=1 value=@/draft/a/r3/d/v enableDate=true enableTime=false
a/r3/!remove:Button child=→a/r3/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r3" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r3/!remove/!label:Text text="Remove" variant="body"
a/!add:Button child=→a/!add/!label:Text variant="default" action=limn.add_row(rows=@/draft/a table="/draft/a" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/!add/!label:Text text="Add row" variant="body"
/draft/a/r1 = {"n":{"v":""},"d":{"v":""}}
/draft/a/r2 = {"n":{"v":""},"d":{"v":""}}
/draft/a/r3 = {"n":{"v":""},"d":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"a":{"r1":{"n":"","d":""},"r2":{"n":"","d":""},"r3":{"n":"","d":""}}}}
a:Column children=→[a/!label:Text a/!help:Text a/!head:Row a/r1:Row a/r2:Row a/r3:Row a/!add:Button] justify="start" align="stretch"
a/!label:Text text="A" variant="h4"
a/!help:Text text="H" variant="caption"
a/!head:Row children=→[a/!head/n:Text a/!head/d:Text] justify="start" align="center"
a/!head/n:Text weight=1 text="n" variant="caption"
a/!head/d:Text weight=1 text="d" variant="caption"
a/r1:Row children=→[a/r1/n:TextField a/r1/d:DateTimeInput a/r1/!remove:Button] justify="start" align="center"
a/r1/n:TextField weight=1 label="n, row 1" value=@/draft/a/r1/n variant="shortText" checks=[]
a/r1/d:DateTimeInput weight=1 label="d, row 1" value=@/draft/a/r1/d enableDate=true enableTime=false min="0001-01-01" max="9999-12-31" checks=[]
a/r1/!remove:Button child=→a/r1/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r1" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r1/!remove/!label:Text text="Remove" variant="body"
a/r2:Row children=→[a/r2/n:TextField a/r2/d:DateTimeInput a/r2/!remove:Button] justify="start" align="center"
a/r2/n:TextField weight=1 label="n, row 2" value=@/draft/a/r2/n variant="shortText" checks=[]
a/r2/d:DateTimeInput weight=1 label="d, row 2" value=@/draft/a/r2/d enableDate=true enableTime=false min="0001-01-01" max="9999-12-31" checks=[]
a/r2/!remove:Button child=→a/r2/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r2" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r2/!remove/!label:Text text="Remove" variant="body"
a/r3:Row children=→[a/r3/n:TextField a/r3/d:DateTimeInput a/r3/!remove:Button] justify="start" align="center"
a/r3/n:TextField weight=1 label="n, row 3" value=@/draft/a/r3/n variant="shortText" checks=[]
a/r3/d:DateTimeInput weight=1 label="d, row 3" value=@/draft/a/r3/d enableDate=true enableTime=false min="0001-01-01" max="9999-12-31" checks=[]
a/r3/!remove:Button child=→a/r3/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r3" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r3/!remove/!label:Text text="Remove" variant="body"
a/!add:Button child=→a/!add/!label:Text variant="default" action=limn.add_row(rows=@/draft/a table="/draft/a" limn_nonce="n" limn_rev=@/ui_state/rev)
a/!add/!label:Text text="Add row" variant="body"
`,
	},
	{
		name:  "Steps",
		node:  &ui.Steps{Rowset: ui.Rowset{Key: "a", Path: "/draft/a", Columns: []ui.Field{{Name: "n", Label: "N", Type: ui.TypeText}}}, Edges: "/draft/e"},
		draft: ui.Map(ui.Pair{Key: "a", Value: ui.Rows(ui.Record{ID: "r1"}, ui.Record{ID: "r2"}, ui.Record{ID: "r3"})}, ui.Pair{Key: "e", Value: ui.Rows(ui.Record{ID: "e1", Cells: ui.Map(ui.Pair{Key: "from", Value: ui.String("r1")}, ui.Pair{Key: "to", Value: ui.String("r3")})})}),
		v08: `
a:Column children=→[a/r1:Card a/r2:Card a/r3:Card a/!edges/e1:Text a/!add:Button] justify="start" align="stretch"
a/r1:Card child=→a/r1/!body:Column
a/r1/!body:Column children=→[a/r1/!title:Text a/r1/n:TextField a/r1/!remove:Button] justify="start" align="stretch"
a/r1/!title:Text text="Step 1" variant="h5"
a/r1/n:TextField label="N" value=@/draft/a/r1/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r1/!remove:Button child=→a/r1/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r1" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r1/!remove/!label:Text text="Remove" variant="body"
a/r2:Card child=→a/r2/!body:Column
a/r2/!body:Column children=→[a/r2/!title:Text a/r2/n:TextField a/r2/!remove:Button] justify="start" align="stretch"
a/r2/!title:Text text="Step 2" variant="h5"
a/r2/n:TextField label="N" value=@/draft/a/r2/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r2/!remove:Button child=→a/r2/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r2" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r2/!remove/!label:Text text="Remove" variant="body"
a/r3:Card child=→a/r3/!body:Column
a/r3/!body:Column children=→[a/r3/!title:Text a/r3/n:TextField a/r3/!remove:Button] justify="start" align="stretch"
a/r3/!title:Text text="Step 3" variant="h5"
a/r3/n:TextField label="N" value=@/draft/a/r3/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r3/!remove:Button child=→a/r3/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r3" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r3/!remove/!label:Text text="Remove" variant="body"
a/!edges/e1:Text text="Step 1 → Step 3" variant="caption"
a/!add:Button child=→a/!add/!label:Text variant="default" action=limn.add_row(rows=@/draft/a table="/draft/a" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/!add/!label:Text text="Add step" variant="body"
/draft/a/r1 = {"n":{"v":""}}
/draft/a/r2 = {"n":{"v":""}}
/draft/a/r3 = {"n":{"v":""}}
/draft/e/e1 = {"from":{"v":"r1"},"to":{"v":"r3"}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"a":{"r1":{"n":""},"r2":{"n":""},"r3":{"n":""}},"e":{"e1":{"from":"r1","to":"r3"}}}}
a:Column children=→[a/r1:Card a/r2:Card a/r3:Card a/!edges/e1:Text a/!add:Button] justify="start" align="stretch"
a/r1:Card child=→a/r1/!body:Column
a/r1/!body:Column children=→[a/r1/!title:Text a/r1/n:TextField a/r1/!remove:Button] justify="start" align="stretch"
a/r1/!title:Text text="Step 1" variant="h5"
a/r1/n:TextField label="N" value=@/draft/a/r1/n variant="shortText" checks=[]
a/r1/!remove:Button child=→a/r1/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r1" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r1/!remove/!label:Text text="Remove" variant="body"
a/r2:Card child=→a/r2/!body:Column
a/r2/!body:Column children=→[a/r2/!title:Text a/r2/n:TextField a/r2/!remove:Button] justify="start" align="stretch"
a/r2/!title:Text text="Step 2" variant="h5"
a/r2/n:TextField label="N" value=@/draft/a/r2/n variant="shortText" checks=[]
a/r2/!remove:Button child=→a/r2/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r2" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r2/!remove/!label:Text text="Remove" variant="body"
a/r3:Card child=→a/r3/!body:Column
a/r3/!body:Column children=→[a/r3/!title:Text a/r3/n:TextField a/r3/!remove:Button] justify="start" align="stretch"
a/r3/!title:Text text="Step 3" variant="h5"
a/r3/n:TextField label="N" value=@/draft/a/r3/n variant="shortText" checks=[]
a/r3/!remove:Button child=→a/r3/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r3" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r3/!remove/!label:Text text="Remove" variant="body"
a/!edges/e1:Text text="Step 1 → Step 3" variant="caption"
a/!add:Button child=→a/!add/!label:Text variant="default" action=limn.add_row(rows=@/draft/a table="/draft/a" limn_nonce="n" limn_rev=@/ui_state/rev)
a/!add/!label:Text text="Add step" variant="body"
`,
	},
	{
		name:  "Button",
		node:  &ui.Button{Key: "a", Label: "Go", Primary: true, Action: ui.Action{Name: "go", Context: []ui.Context{{Key: "k", Path: "/ui_state/k"}, {Key: "list", Value: ui.Strings("a", "b")}, {Key: "limn_rev", Value: ui.Int(9)}}}},
		state: ui.Map(ui.Pair{Key: "k", Value: ui.Map(ui.Pair{Key: "z", Value: ui.Bool(true)})}),
		v08: `
a:Button child=→a/!label:Text variant="primary" action=go(k=@/ui_state/k list="a, b" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/!label:Text text="Go" variant="body"
/ui_state/k = {"z":{"v":true}}
COMPILE_CONTEXT_KEY: context keys that start with limn_ are reserved; the entry is not sent (a)
`,
		v09: `
/ = {"ui_state":{"rev":1,"k":{"z":true}}}
a:Button child=→a/!label:Text variant="primary" action=go(k=@/ui_state/k list=["a","b"] limn_nonce="n" limn_rev=@/ui_state/rev)
a/!label:Text text="Go" variant="body"
COMPILE_CONTEXT_KEY: context keys that start with limn_ are reserved; the entry is not sent (a)
`,
	},
}

func TestNodes(t *testing.T) {
	t.Parallel()
	for _, c := range nodeCases {
		for d, want := range map[a2ui.Dialect]string{a2ui.V08: c.v08, a2ui.V09: c.v09} {
			got := sketch(t, d, c.node, c.draft, c.state)
			if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
				t.Errorf("%s on %s (-want +got)\n%s", c.name, d, diff)
			}
		}
	}
}
