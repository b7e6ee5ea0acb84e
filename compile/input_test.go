package compile

import "github.com/limn-ui/limn/ui"

var inputCases = []nodeCase{
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
		name: "TextInput of at most 10 characters, which a client counts as up to 20",
		node: field(ui.Field{Type: ui.TypeText, Max: "10"}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="shortText" validationRegexp="^[\\s\\S]*$"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X" value=@/draft/x variant="shortText" checks=[or(values=[not(value=required(value=@/draft/x)) length(value=@/draft/x max=20)]) else "X can have at most 10 characters."]
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
		name: "TextInput obscured",
		node: field(ui.Field{Type: ui.TypeText, Obscured: true}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="obscured" validationRegexp="^[\\s\\S]*$"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X" value=@/draft/x variant="obscured" checks=[]
`,
	},
	{
		name: "TextInput number",
		node: field(ui.Field{Type: ui.TypeNumber, Min: "1", Max: "9.5"}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="shortText" validationRegexp="^\\s*(-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+\\-]?[0-9]+)?)?\\s*$"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x:TextField label="X" value=@/draft/x variant="shortText" checks=[or(values=[not(value=required(value=@/draft/x)) regex(value=@/draft/x pattern="^\\s*(-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+\\-]?[0-9]+)?)?\\s*$")]) else "X must be a number."]
`,
	},
	{
		name:  "TextInput email",
		node:  field(ui.Field{Type: ui.TypeEmail}),
		draft: ui.Map(ui.Pair{Key: "x", Value: ui.String(`{"a":1}`)}),
		v08: `
x:TextField label="X" value=@/draft/x/v variant="shortText" validationRegexp="^([^@\\s]+@[^@\\s]+)?$"
/draft = {"x":{"v":"{\"a\":1}` + "\u200b" + `"}}
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
x:TextField label="X" value=@/draft/x/v variant="shortText" validationRegexp="^([hH][tT][tT][pP][sS]?:\\/\\/[^\\s\\/?#][\\s\\S]*)?$"
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
x:ChoicePicker value=@/draft/x/v options=["–": "Red":red "Green":green] variant="mutuallyExclusive"
/draft = {"x":{"v":"[\"red\"]"}}
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
x/!field:Column children=→[x/!label:Text x:Slider] justify="start" align="stretch"
x/!label:Text text="X" variant="body"
x:Slider value=@/draft/x/v min=1 max=5
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
x/!field:Column children=→[x/!label:Text x/!text:Text] justify="start" align="stretch"
x/!label:Text text="X" variant="body"
x/!text:Text text="[Choose a file](https://limn.test/c/conv/upload?surface=s%23e%3D1&path=%2Fdraft%2Fx)" variant="body"
/draft = {"x":{"v":""}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":""}}
x/!field:Column children=→[x/!label:Text x:Button] justify="start" align="stretch"
x/!label:Text text="X" variant="body"
x:Button child=→x/!text:Text variant="default" action=openUrl(url="https://limn.test/c/conv/upload?surface=s%23e%3D1&path=%2Fdraft%2Fx")
x/!text:Text text="Choose a file" variant="body"
`,
	},
	{
		name: "Input in a Row",
		node: &ui.Row{Key: "a", Children: ui.Nodes{field(ui.Field{Type: ui.TypeBoolean, Help: "H"})}},
		v08: `
a:Row children=→[a/x/!field/!body:Column] justify="start" align="start"
a/x/!field/!body:Column weight=1 children=→[a/x:CheckBox a/x/!help:Text] justify="start" align="stretch"
a/x:CheckBox label="X" value=@/draft/x/v
a/x/!help:Text text="H" variant="caption"
/draft = {"x":{"v":false}}
`,
		v09: `
/ = {"ui_state":{"rev":1},"draft":{"x":false}}
a:Row children=→[a/x/!field/!body:Column] justify="start" align="start"
a/x/!field/!body:Column weight=1 children=→[a/x:CheckBox a/x/!help:Text] justify="start" align="stretch"
a/x:CheckBox label="X" value=@/draft/x checks=[]
a/x/!help:Text text="H" variant="caption"
`,
	},
	{
		name:  "Table",
		node:  &ui.Table{Rowset: ui.Rowset{Key: "a", Path: "/draft/a", Label: "A", Help: "H", Columns: []ui.Field{{Name: "n", Type: ui.TypeText}, {Name: "d", Type: ui.TypeDate}}}},
		draft: ui.Map(ui.Pair{Key: "a", Value: ui.Rows(ui.Record{ID: "r1"}, ui.Record{ID: "r2"}, ui.Record{ID: "r3"})}),
		v08: `
a:Column children=→[a/!label:Text a/!help:Text a/r1:Row a/r2:Row a/r3:Row a/!add:Button] justify="start" align="stretch"
a/!label:Text text="A" variant="h3"
a/!help:Text text="H" variant="caption"
a/r1:Row children=→[a/r1/n:TextField a/r1/d/!field:Column a/r1/!down:Button a/r1/!remove:Button] justify="start" align="end"
a/r1/n:TextField weight=1 label="n 1" value=@/draft/a/r1/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r1/d/!field:Column weight=1 children=→[a/r1/d/!label:Text a/r1/d:DateTimeInput] justify="start" align="stretch"
a/r1/d/!label:Text text="d 1" variant="body"
a/r1/d:DateTimeInput value=@/draft/a/r1/d/v enableDate=true enableTime=false
a/r1/!down:Button child=→a/r1/!down/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r1" dir="down" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r1/!down/!label:Text text="Move down" variant="body"
a/r1/!remove:Button child=→a/r1/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r1" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r1/!remove/!label:Text text="Remove" variant="body"
a/r2:Row children=→[a/r2/n:TextField a/r2/d/!field:Column a/r2/!up:Button a/r2/!down:Button a/r2/!remove:Button] justify="start" align="end"
a/r2/n:TextField weight=1 label="n 2" value=@/draft/a/r2/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r2/d/!field:Column weight=1 children=→[a/r2/d/!label:Text a/r2/d:DateTimeInput] justify="start" align="stretch"
a/r2/d/!label:Text text="d 2" variant="body"
a/r2/d:DateTimeInput value=@/draft/a/r2/d/v enableDate=true enableTime=false
a/r2/!up:Button child=→a/r2/!up/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r2" dir="up" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r2/!up/!label:Text text="Move up" variant="body"
a/r2/!down:Button child=→a/r2/!down/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r2" dir="down" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r2/!down/!label:Text text="Move down" variant="body"
a/r2/!remove:Button child=→a/r2/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r2" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r2/!remove/!label:Text text="Remove" variant="body"
a/r3:Row children=→[a/r3/n:TextField a/r3/d/!field:Column a/r3/!up:Button a/r3/!remove:Button] justify="start" align="end"
a/r3/n:TextField weight=1 label="n 3" value=@/draft/a/r3/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r3/d/!field:Column weight=1 children=→[a/r3/d/!label:Text a/r3/d:DateTimeInput] justify="start" align="stretch"
a/r3/d/!label:Text text="d 3" variant="body"
a/r3/d:DateTimeInput value=@/draft/a/r3/d/v enableDate=true enableTime=false
a/r3/!up:Button child=→a/r3/!up/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r3" dir="up" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r3/!up/!label:Text text="Move up" variant="body"
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
a:Column children=→[a/!label:Text a/!help:Text a/r1:Row a/r2:Row a/r3:Row a/!add:Button] justify="start" align="stretch"
a/!label:Text text="A" variant="h3"
a/!help:Text text="H" variant="caption"
a/r1:Row children=→[a/r1/n:TextField a/r1/d:DateTimeInput a/r1/!down:Button a/r1/!remove:Button] justify="start" align="end"
a/r1/n:TextField weight=1 label="n 1" value=@/draft/a/r1/n variant="shortText" checks=[]
a/r1/d:DateTimeInput weight=1 label="d 1" value=@/draft/a/r1/d enableDate=true enableTime=false min="0001-01-01" max="9999-12-31" checks=[]
a/r1/!down:Button child=→a/r1/!down/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r1" dir="down" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r1/!down/!label:Text text="Move down" variant="body"
a/r1/!remove:Button child=→a/r1/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r1" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r1/!remove/!label:Text text="Remove" variant="body"
a/r2:Row children=→[a/r2/n:TextField a/r2/d:DateTimeInput a/r2/!up:Button a/r2/!down:Button a/r2/!remove:Button] justify="start" align="end"
a/r2/n:TextField weight=1 label="n 2" value=@/draft/a/r2/n variant="shortText" checks=[]
a/r2/d:DateTimeInput weight=1 label="d 2" value=@/draft/a/r2/d enableDate=true enableTime=false min="0001-01-01" max="9999-12-31" checks=[]
a/r2/!up:Button child=→a/r2/!up/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r2" dir="up" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r2/!up/!label:Text text="Move up" variant="body"
a/r2/!down:Button child=→a/r2/!down/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r2" dir="down" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r2/!down/!label:Text text="Move down" variant="body"
a/r2/!remove:Button child=→a/r2/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r2" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r2/!remove/!label:Text text="Remove" variant="body"
a/r3:Row children=→[a/r3/n:TextField a/r3/d:DateTimeInput a/r3/!up:Button a/r3/!remove:Button] justify="start" align="end"
a/r3/n:TextField weight=1 label="n 3" value=@/draft/a/r3/n variant="shortText" checks=[]
a/r3/d:DateTimeInput weight=1 label="d 3" value=@/draft/a/r3/d enableDate=true enableTime=false min="0001-01-01" max="9999-12-31" checks=[]
a/r3/!up:Button child=→a/r3/!up/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r3" dir="up" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r3/!up/!label:Text text="Move up" variant="body"
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
a/r1/!body:Column children=→[a/r1/!title:Text a/r1/n:TextField a/r1/!buttons:Row] justify="start" align="stretch"
a/r1/!title:Text text="Step 1" variant="h5"
a/r1/n:TextField label="N" value=@/draft/a/r1/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r1/!buttons:Row children=→[a/r1/!down:Button a/r1/!remove:Button] justify="start" align="center"
a/r1/!down:Button child=→a/r1/!down/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r1" dir="down" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r1/!down/!label:Text text="Move down" variant="body"
a/r1/!remove:Button child=→a/r1/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r1" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r1/!remove/!label:Text text="Remove" variant="body"
a/r2:Card child=→a/r2/!body:Column
a/r2/!body:Column children=→[a/r2/!title:Text a/r2/n:TextField a/r2/!buttons:Row] justify="start" align="stretch"
a/r2/!title:Text text="Step 2" variant="h5"
a/r2/n:TextField label="N" value=@/draft/a/r2/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r2/!buttons:Row children=→[a/r2/!up:Button a/r2/!down:Button a/r2/!remove:Button] justify="start" align="center"
a/r2/!up:Button child=→a/r2/!up/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r2" dir="up" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r2/!up/!label:Text text="Move up" variant="body"
a/r2/!down:Button child=→a/r2/!down/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r2" dir="down" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r2/!down/!label:Text text="Move down" variant="body"
a/r2/!remove:Button child=→a/r2/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r2" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r2/!remove/!label:Text text="Remove" variant="body"
a/r3:Card child=→a/r3/!body:Column
a/r3/!body:Column children=→[a/r3/!title:Text a/r3/n:TextField a/r3/!buttons:Row] justify="start" align="stretch"
a/r3/!title:Text text="Step 3" variant="h5"
a/r3/n:TextField label="N" value=@/draft/a/r3/n/v variant="shortText" validationRegexp="^[\\s\\S]*$"
a/r3/!buttons:Row children=→[a/r3/!up:Button a/r3/!remove:Button] justify="start" align="center"
a/r3/!up:Button child=→a/r3/!up/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r3" dir="up" limn_nonce="n" limn_rev=@/ui_state/rev/v)
a/r3/!up/!label:Text text="Move up" variant="body"
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
a/r1/!body:Column children=→[a/r1/!title:Text a/r1/n:TextField a/r1/!buttons:Row] justify="start" align="stretch"
a/r1/!title:Text text="Step 1" variant="h5"
a/r1/n:TextField label="N" value=@/draft/a/r1/n variant="shortText" checks=[]
a/r1/!buttons:Row children=→[a/r1/!down:Button a/r1/!remove:Button] justify="start" align="center"
a/r1/!down:Button child=→a/r1/!down/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r1" dir="down" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r1/!down/!label:Text text="Move down" variant="body"
a/r1/!remove:Button child=→a/r1/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r1" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r1/!remove/!label:Text text="Remove" variant="body"
a/r2:Card child=→a/r2/!body:Column
a/r2/!body:Column children=→[a/r2/!title:Text a/r2/n:TextField a/r2/!buttons:Row] justify="start" align="stretch"
a/r2/!title:Text text="Step 2" variant="h5"
a/r2/n:TextField label="N" value=@/draft/a/r2/n variant="shortText" checks=[]
a/r2/!buttons:Row children=→[a/r2/!up:Button a/r2/!down:Button a/r2/!remove:Button] justify="start" align="center"
a/r2/!up:Button child=→a/r2/!up/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r2" dir="up" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r2/!up/!label:Text text="Move up" variant="body"
a/r2/!down:Button child=→a/r2/!down/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r2" dir="down" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r2/!down/!label:Text text="Move down" variant="body"
a/r2/!remove:Button child=→a/r2/!remove/!label:Text variant="default" action=limn.remove_row(rows=@/draft/a table="/draft/a" row="r2" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r2/!remove/!label:Text text="Remove" variant="body"
a/r3:Card child=→a/r3/!body:Column
a/r3/!body:Column children=→[a/r3/!title:Text a/r3/n:TextField a/r3/!buttons:Row] justify="start" align="stretch"
a/r3/!title:Text text="Step 3" variant="h5"
a/r3/n:TextField label="N" value=@/draft/a/r3/n variant="shortText" checks=[]
a/r3/!buttons:Row children=→[a/r3/!up:Button a/r3/!remove:Button] justify="start" align="center"
a/r3/!up:Button child=→a/r3/!up/!label:Text variant="default" action=limn.move_row(rows=@/draft/a table="/draft/a" row="r3" dir="up" limn_nonce="n" limn_rev=@/ui_state/rev)
a/r3/!up/!label:Text text="Move up" variant="body"
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
