package a2ui_test

import (
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

func hello(d a2ui.Dialect) []a2ui.Message {
	return []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(d), Root: "root"},
		&a2ui.UpdateData{SurfaceID: "s", Path: "/name", Value: jsonx.Of("Ada")},
		&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
			{ID: "root", Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.Path("/name")}}},
		}},
	}
}

func ExampleAppendMessage() {
	m := &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
		{ID: "c#1", Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.String("Hi")}, {Name: "variant", Value: a2ui.String("h1")}}},
	}}
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09} {
		b, err := a2ui.AppendMessage(nil, d, m)
		fmt.Println(string(b), err)
	}
	// Output:
	// {"surfaceUpdate":{"surfaceId":"s","components":[{"id":"c#1","component":{"Text":{"text":{"literalString":"Hi"},"usageHint":"h1"}}}]}} <nil>
	// {"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"c#1","component":"Text","text":"Hi","variant":"h1"}]}} <nil>
}

func ExampleDecodeMessage() {
	d, m, err := a2ui.DecodeMessage([]byte(`{"beginRendering":{"surfaceId":"s","root":"c#root"}}`))
	create := m.(*a2ui.CreateSurface)
	fmt.Println(d, create.SurfaceID, create.Root, err)
	_, _, err = a2ui.DecodeMessage([]byte(`{"version":"v0.9","deleteSurface":{}}`))
	fmt.Println(err)
	// Output:
	// v0.8 s c#root <nil>
	// A2UI_S2C_ENVELOPE_INVALID at "/surfaceId": deleteSurface lacks surfaceId
}

func ExampleDecodeMessageAs() {
	_, err := a2ui.DecodeMessageAs(a2ui.V08, []byte(`{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`))
	fmt.Println(err)
	// Output: A2UI_S2C_ENVELOPE_INVALID at "/version": version "v0.9" is not one of v0.8
}

func ExampleDecodeClient() {
	d, m, err := a2ui.DecodeClient([]byte(`{"userAction":{"name":"save","surfaceId":"s","sourceComponentId":"c#ok",`+
		`"timestamp":"2026-11-20T10:00:00Z","context":{"name":"Ada"}}}`), a2ui.Limits{})
	action := m.(*a2ui.Action)
	fmt.Println(d, action.Name, action.Context.At("name").Text(), err)
	// Output: v0.8 save Ada <nil>
}

func ExampleAppendClient() {
	b, err := a2ui.AppendClient(nil, a2ui.V09,
		&a2ui.ClientError{Code: "EXPRESSION_ERROR", SurfaceID: "s", Message: "no such path"})
	fmt.Println(string(b), err)
	// Output: {"version":"v0.9","error":{"code":"EXPRESSION_ERROR","surfaceId":"s","message":"no such path"}} <nil>
}

func ExampleReadLines() {
	in := "{\"deleteSurface\":{\"surfaceId\":\"a\"}}\n\n{\"deleteSurface\":{}}\n"
	for line, err := range a2ui.ReadLines(strings.NewReader(in), a2ui.Limits{}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		_, m, err := line.Decode()
		fmt.Println(line.Number, m != nil, err)
	}
	// Output:
	// 1 true <nil>
	// 3 false A2UI_S2C_ENVELOPE_INVALID line 3 at "/surfaceId": deleteSurface lacks surfaceId
}

func ExampleValidate() {
	msgs := hello(a2ui.V09)
	fmt.Println(len(a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe}, msgs)))
	msgs[1], msgs[2] = msgs[2], msgs[1]
	for _, p := range a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe}, msgs) {
		fmt.Println(p.Code, p.Hint)
	}
	// Output:
	// 0
	// A2UI_S2C_BEGIN_ORDER send the data before the components
}

func ExampleValidator() {
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe})
	fmt.Println(v.Check(hello(a2ui.V09)))
	update := []a2ui.Message{&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
		{ID: "root", Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.Path("/age")}}},
	}}}
	for _, p := range v.Clone().Check(update) {
		fmt.Println(p.Code, p.Component, p.Message)
	}
	// Output:
	// []
	// A2UI_S2C_COMPONENT_BINDING root the path "/age" has no data
}

func ExampleBasic() {
	small := a2ui.Basic(a2ui.V09).Prune("Text", "Column")
	fmt.Println(small.ID == a2ui.CatalogID(a2ui.V09), len(small.Components), len(small.Functions))
	// Output: true 2 14
}

func ExampleEscape() {
	fmt.Println(a2ui.Escape(a2ui.V09, "Text", "body", "text", "1. Buy *fresh* milk."))
	fmt.Println(a2ui.Escape(a2ui.V09, "Text", "h1", "text", "1. Buy *fresh* milk."))
	// Output:
	// 1\. Buy \*fresh\* milk.
	// 1. Buy *fresh* milk.
}

func ExampleGuard() {
	fmt.Printf("%q %q\n", a2ui.Guard(a2ui.V08, "[1, 2]"), a2ui.Guard(a2ui.V09, "[1, 2]"))
	// Output: "[1, 2]\u200b" "[1, 2]"
}

func ExampleCodes() {
	for _, info := range a2ui.Codes()[:2] {
		fmt.Println(info.Code, info.Recovery)
	}
	// Output:
	// A2UI_S2C_ENVELOPE_INVALID fatal
	// A2UI_S2C_ENVELOPE_CLIENT_MESSAGE fatal
}

func ExampleParseDialect() {
	d, err := a2ui.ParseDialect("v0.9")
	fmt.Println(d, d.Features().RootID, err)
	// Output: v0.9 root <nil>
}

func ExampleParseData() {
	v, err := a2ui.ParseData([]byte(`{"name": "Ada", "sum": 12.30, "tags": []}`))
	fmt.Println(v.At("name").Text(), v.At("sum").Str, v.At("tags").Kind == a2ui.DataArray, err)
	_, err = a2ui.ParseData([]byte(`{"name": 1, "name": 2}`))
	fmt.Println(err)
	// Output:
	// Ada 12.30 true <nil>
	// A2UI_S2C_DATA_VALUE line 1:13: duplicate key "name"
}

func ExampleAppendData() {
	v, _ := a2ui.ParseData([]byte(`{ "a": [ 1e2, null ] }`))
	fmt.Printf("%s %s\n", a2ui.AppendData(nil, v), a2ui.AppendData(nil, a2ui.TextData("Ada")))
	// Output: {"a":[1e2,null]} "Ada"
}

func ExampleValidator_CheckMessage() {
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09})
	for i, m := range []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09), Root: "root"},
		&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
			{ID: "root", Type: "Card", Props: []a2ui.Prop{{Name: "child", Value: a2ui.Ref("later")}}},
		}},
	} {
		fmt.Println(v.CheckMessage(i+1, m))
	}
	for _, p := range v.EndTurn() {
		fmt.Println(p.Code, p.Line, p.Component)
	}
	// Output:
	// []
	// []
	// A2UI_S2C_COMPONENT_DANGLING 2 root
}

func ExampleAppendMessages() {
	b, err := a2ui.AppendMessages(nil, a2ui.V09,
		[]a2ui.Message{&a2ui.DeleteSurface{SurfaceID: "a"}, &a2ui.DeleteSurface{SurfaceID: "b"}})
	fmt.Println(string(b), err)
	// Output: [{"version":"v0.9","deleteSurface":{"surfaceId":"a"}},{"version":"v0.9","deleteSurface":{"surfaceId":"b"}}] <nil>
}

func ExampleDecodeClientMessages() {
	d, msgs, err := a2ui.DecodeClientMessages(
		[]byte(`[{"version":"v0.9","error":{"code":"A","surfaceId":"s","message":"m"}}]`), a2ui.Limits{})
	fmt.Println(d, len(msgs), err)
	// Output: v0.9 1 <nil>
}

// A server that ends its turn early: what it referred to and never sent is drawn
// as nothing.
func ExampleTranslator_Flush() {
	t := a2ui.NewTranslator(a2ui.TranslatorOptions{To: a2ui.V08})
	for _, m := range []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09)},
		&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
			{ID: "root", Type: "Card", Props: []a2ui.Prop{{Name: "child", Value: a2ui.Ref("later")}}}}},
	} {
		msgs, _ := t.Message(a2ui.V09, m)
		fmt.Println(len(msgs))
	}
	msgs, losses := t.Flush()
	fmt.Println(len(msgs), losses[0].Message)
	// Output:
	// 0
	// 0
	// 2 the component has not come; its place is empty
}
