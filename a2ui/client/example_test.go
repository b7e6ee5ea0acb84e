package client_test

import (
	"errors"
	"fmt"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/jsonx"
)

// What a user sees is the same after a snapshot as after the updates that lead
// there; how the two were sent does not count.
func ExampleClient_ShownHash() {
	text := func(id, s string) a2ui.Component {
		return a2ui.Component{ID: id, Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.String(s)}}}
	}
	updates, snapshot := client.New(a2ui.V10, client.Strict), client.New(a2ui.V10, client.Strict)
	for _, m := range []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "s"},
		&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{text("root", "old")}},
		&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{text("root", "## new")}},
	} {
		if err := updates.Apply(m); err != nil {
			fmt.Println(err)
		}
	}
	for _, m := range []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "s"},
		&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{text("root", "## new")}},
	} {
		if err := snapshot.Apply(m); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(updates.ShownHash("s") == snapshot.ShownHash("s"))
	fmt.Print(snapshot.Dump("s"))
	// Output:
	// true
	// surface s
	//   heading 2 "new"  #root
	// data {}
}

// A form travels to a renderer, the user fills it in and presses its button.
func Example() {
	c := client.New(a2ui.V09, client.LikeWebCore)
	for _, m := range []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "form", CatalogID: "basic"},
		&a2ui.UpdateData{SurfaceID: "form", Path: "/draft/name", Value: jsonx.Of("")},
		&a2ui.UpdateComponents{SurfaceID: "form", Components: []a2ui.Component{
			{ID: "root", Type: "Column", Props: []a2ui.Prop{{Name: "children", Value: a2ui.Refs{"name", "send"}}}},
			{ID: "name", Type: "TextField", Props: []a2ui.Prop{
				{Name: "label", Value: a2ui.String("Name")}, {Name: "value", Value: a2ui.Path("/draft/name")}}},
			{ID: "send", Type: "Button", Props: []a2ui.Prop{
				{Name: "child", Value: a2ui.Ref("send-text")},
				{Name: "action", Value: a2ui.Event{Name: "submit", Context: []a2ui.Prop{{Name: "name", Value: a2ui.Path("/draft/name")}}}}}},
			{ID: "send-text", Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.String("Send")}}},
		}},
	} {
		if err := c.Apply(m); err != nil {
			fmt.Println(err)
		}
	}
	if err := c.Type("form", "name", "Ada"); err != nil {
		fmt.Println(err)
	}
	fmt.Print(c.Dump("form"))
	action, err := c.Click("form", "send")
	fmt.Println(action.Name, string(jsonx.Append(nil, action.Context)), err)
	// Output:
	// surface form
	//   column  #root
	//     textbox "Name" = "Ada"  #name  @/draft/name
	//     button -> submit  #send
	//       text "Send"  #send-text
	// data {"draft":{"name":"Ada"}}
	// submit {"name":"Ada"} <nil>
}

// A host reads what a renderer holds, and tries a turn before it takes it.
func ExampleClient_Clone() {
	c := client.With(client.Config{Dialect: a2ui.V09, AnyComponent: true})
	turn := []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "s", SendDataModel: true},
		&a2ui.UpdateData{SurfaceID: "s", Path: "/n", Value: jsonx.OfInt(1)},
		&a2ui.UpdateData{SurfaceID: "nobody", Path: "/n", Value: jsonx.OfInt(1)},
	}
	try := c.Clone()
	for _, err := range try.ApplyAll(turn) {
		fmt.Println(err)
	}
	for _, m := range try.DataModels() {
		fmt.Println(m.Key, string(jsonx.Append(nil, m.Value)))
	}
	fmt.Println(len(c.Surfaces()), "surfaces before,", len(try.Surfaces()), "after")
	// Output:
	// STATE_ERROR surface nobody: the surface does not exist
	// s {"n":1}
	// 0 surfaces before, 1 after
}

// A path inside a template starts at the item that is drawn.
func ExampleResolvePath() {
	fmt.Println(client.ResolvePath("name", "/people/1"), client.ResolvePath("/title", "/people/1"))
	// Output: /people/1/name /title
}

// On v1.0 one message brings a whole surface; an action tells itself in words,
// and the data model travels with it where the surface asked for it.
func ExampleClient_Click() {
	c := client.New(a2ui.V10, client.Strict)
	err := c.Feed([]byte(`{"version":"1.0","createSurface":{"surfaceId":"s","catalogId":"basic","sendDataModel":true,
		"components":[{"id":"root","component":"Button","child":"t","action":{"event":{"name":"buy","userMessage":"I buy it",
			"context":{"what":{"@path":"/item"}}}}},{"id":"t","component":"Text","text":"Buy"}],
		"dataModel":{"item":"bolt"}}}`))
	if err != nil {
		fmt.Println(err)
	}
	action, err := c.Click("s", "root")
	fmt.Println(action.Name, string(jsonx.Append(nil, action.Context)), action.UserMessage, err)
	line, err := a2ui.AppendClientData(nil, a2ui.V10, c.DataModels())
	fmt.Println(string(line), err)
	// Output:
	// buy {"what":"bolt"} I buy it <nil>
	// {"version":"1.0","surfaces":{"s":{"item":"bolt"}}} <nil>
}

// A host says what it supports, and what a message has wrong.
func ExampleClient_Capabilities() {
	c := client.New(a2ui.V09, client.Strict)
	line, err := a2ui.AppendCapabilities(nil, a2ui.V09, c.Capabilities())
	fmt.Println(string(line), err)
	err = c.Apply(&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{ID: "root", Type: "Text"}}})
	var e *client.Error
	if errors.As(err, &e) {
		fmt.Printf("%+v\n", *e.Report())
	}
	// Output:
	// {"v0.9":{"supportedCatalogIds":["https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"]}} <nil>
	// {Code:STATE_ERROR SurfaceID:s Path: Message:the surface does not exist CallID: Extra:[]}
}

// Evaluate computes what a component would show at an item of a template.
func ExampleClient_Evaluate() {
	c := client.New(a2ui.V10, client.Strict)
	_ = c.Apply(&a2ui.CreateSurface{SurfaceID: "s",
		Data: jsonx.OfObject(a2ui.Member{Key: "people", Value: jsonx.OfArray(
			jsonx.OfObject(a2ui.Member{Key: "name", Value: jsonx.Of("Ada")}))})})
	v, err := c.Evaluate("s", "/people/0", a2ui.Call{Func: "formatString", Args: []a2ui.Prop{
		{Name: "value", Value: a2ui.String("${@index(offset: 1)}. ${name}")}}})
	fmt.Println(v.Str, err)
	// Output: 1. Ada <nil>
}

// Dispatch runs an action that is on no button of the screen.
func ExampleClient_Dispatch() {
	c := client.New(a2ui.V09, client.Strict)
	_ = c.Apply(&a2ui.CreateSurface{SurfaceID: "s"})
	_ = c.Write("s", "/rows/0/id", jsonx.Of("r7"))
	action, problems := c.Dispatch("s", "root", "/rows/0",
		a2ui.Event{Name: "open", Context: []a2ui.Prop{{Name: "id", Value: a2ui.Path("id")}}})
	fmt.Println(action.Name, string(jsonx.Append(nil, action.Context)), problems)
	// Output: open {"id":"r7"} []
}

// Nodes is the tree as a framework binds it: places, resolved values, children.
func ExampleClient_Nodes() {
	c := client.New(a2ui.V09, client.Strict)
	_ = c.Feed([]byte(`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"basic"}}`))
	_ = c.Feed([]byte(
		`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/people","value":[{"name":"Ada"}]}}`))
	_ = c.Feed([]byte(`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[
		{"id":"root","component":"List","children":{"componentId":"row","path":"/people"}},
		{"id":"row","component":"Text","text":{"path":"name"}}]}}`))
	nodes, problems := c.Nodes("s")
	for _, n := range nodes {
		fmt.Println(n.Path, n.Type, n.Scope, string(jsonx.Append(nil, n.Props)))
	}
	fmt.Println(problems)
	// Output:
	// root List / {"children":[{"node":"root/children/0"}]}
	// root/children/0 Text /people/0 {"text":{"value":"Ada","writable":true}}
	// []
}

// The agent calls a function of the renderer and always gets an answer.
func ExampleClient_Run() {
	catalog := &a2ui.Catalog{ID: "media", Functions: map[string]*a2ui.FunctionDef{
		"play": {Name: "play", Callers: a2ui.RendererOrAgent}}}
	c := client.With(client.Config{Dialect: a2ui.V10, Catalogs: []*a2ui.Catalog{catalog},
		Functions: map[string]client.Func{
			"play": func(a2ui.Data) (a2ui.Data, error) { return jsonx.Of("playing"), nil }}})
	for _, name := range []string{"play", "erase"} {
		reply := c.Run(&a2ui.CallRenderer{CallID: "1", Call: a2ui.Call{Func: name, CatalogID: "media"}}, false)
		line, err := a2ui.AppendClient(nil, a2ui.V10, reply)
		fmt.Println(string(line), err)
	}
	// Output:
	// {"version":"1.0","rendererFunctionResponse":{"functionCallId":"1","value":"playing"}} <nil>
	// {"version":"1.0","rendererFunctionResponse":{"functionCallId":"1","error":{"code":"INVALID_FUNCTION_CALL","message":"Function 'erase' is unknown."}}} <nil>
}

// A value that only the agent can compute is asked for and shown when it comes.
func ExampleClient_Calls() {
	c := client.New(a2ui.V10, client.Strict)
	_ = c.Apply(&a2ui.CreateSurface{SurfaceID: "s",
		Components: []a2ui.Component{{ID: "root", Type: "Text", Props: []a2ui.Prop{
			{Name: "text", Value: a2ui.Call{Func: "weather"}}}}}})
	for _, ask := range c.Calls() {
		fmt.Println(ask.CallID, ask.Call.Func)
		_ = c.Apply(&a2ui.Reply{CallID: ask.CallID, Value: jsonx.Of("sunny")})
	}
	fmt.Print(c.Dump("s"))
	// Output:
	// call-1 weather
	// surface s
	//   text "sunny"  #root
	// data {}
}

// A data model by itself.
func ExampleNewModel() {
	m := client.NewModel(a2ui.V10, client.Strict, a2ui.Data{})
	stop, err := m.Watch("/user", func(v a2ui.Data, ok bool) { fmt.Println(string(jsonx.Append(nil, v)), ok) })
	if err != nil {
		fmt.Println(err)
	}
	_ = m.Set("/user/tags/0", jsonx.Of("new"))
	_ = m.Set("/user", a2ui.Data{}) // null deletes on v1.0
	stop()
	fmt.Println(m.Set("/user/x", jsonx.OfInt(1)), m.Set("/user/x/y", jsonx.OfInt(1)))
	// Output:
	// {"tags":["new"]} true
	// null false
	// <nil> DATA_ERROR: path "/user/x/y": segment "y" on a number
}

// A user fills in a form: inputs are named by their component, inside a template
// by Shown.Key.
func ExampleClient_Choose() {
	c := client.New(a2ui.V09, client.Strict)
	_ = c.Feed([]byte(`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"basic"}}`))
	_ = c.Feed([]byte(`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[
		{"id":"root","component":"Column","children":["size","count","day","agree"]},
		{"id":"size","component":"ChoicePicker","value":{"path":"/size"},"options":[{"label":"Small","value":"s"},{"label":"Large","value":"l"}]},
		{"id":"count","component":"Slider","value":{"path":"/count"},"max":9},
		{"id":"day","component":"DateTimeInput","value":{"path":"/day"},"enableDate":true},
		{"id":"agree","component":"CheckBox","label":"I agree","value":{"path":"/agree"}}]}}`))
	fmt.Println(c.Choose("s", "size", "l"), c.Slide("s", "count", 3), c.SetDate("s", "day", "2026-05-01"),
		c.Tick("s", "agree", true))
	data, _ := c.Data("s")
	fmt.Println(string(jsonx.Append(nil, data)))
	fmt.Println(c.Touched("s"))
	view, _ := c.Surface("s")
	box, _ := view.Find("agree")
	fmt.Println(box.Key(), box.Text)
	// Output:
	// <nil> <nil> <nil> <nil>
	// {"size":["l"],"count":3,"day":"2026-05-01","agree":true}
	// [/agree /count /day /size]
	// agree I agree
}

// What a user typed does not count where the server has not seen it.
func ExampleClient_ShownHash_ignored() {
	screen := func(name string) *client.Client {
		c := client.New(a2ui.V09, client.Strict)
		_ = c.Feed([]byte(`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"basic"}}`))
		_ = c.Feed([]byte(`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[
			{"id":"root","component":"TextField","label":"Name","value":{"path":"/name"},"variant":"longText"}]}}`))
		_ = c.Type("s", "root", name)
		return c
	}
	ada, bob := screen("Ada"), screen("Bob")
	fmt.Println(ada.ShownHash("s") == bob.ShownHash("s"), ada.ExactHash("s") == bob.ExactHash("s"))
	drafts := ada.Touched("s")
	fmt.Println(ada.ShownHash("s", drafts...) == bob.ShownHash("s", drafts...))
	fmt.Println(ada.ShownHash("s", drafts...) == ada.DetailedHash("s", drafts...))
	// Output:
	// false false
	// true
	// false
}

// A host asks the agent on its own, and reads what a click opened.
func ExampleClient_Ask() {
	c := client.New(a2ui.V10, client.Strict)
	_ = c.Feed([]byte(`{"version":"1.0","createSurface":{"surfaceId":"s","catalogId":"basic","components":[
		{"id":"root","component":"Button","child":"t","action":{"functionCall":{"@call":"openUrl","args":{"url":"https://example.org"}}}},
		{"id":"t","component":"Text","text":"Open"}]}}`))
	_, _ = c.Click("s", "root")
	fmt.Println(c.Opened())
	ask := &a2ui.CallAgent{SurfaceID: "s", Call: a2ui.Call{Func: "price"}}
	c.Ask(ask)
	fmt.Println(ask.CallID, c.Waiting(ask.CallID) != nil)
	_ = c.Apply(&a2ui.Reply{CallID: ask.CallID, Value: jsonx.OfInt(7)})
	fmt.Println(c.Waiting(ask.CallID) != nil)
	state, _ := c.State("s")
	fmt.Println(state.Root, len(state.Components), c.Capabilities().Catalogs)
	// Output:
	// [https://example.org]
	// call-1 true
	// false
	// root 2 [https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json]
}

func ExampleModel_Get() {
	m := client.NewModel(a2ui.V09, client.Strict, a2ui.Data{})
	_ = m.Set("/list/0", jsonx.Of("a"))
	v, ok, err := m.Get("/list")
	fmt.Println(string(jsonx.Append(nil, v)), ok, err)
	_ = m.Delete("/list")
	_, ok, err = m.Get("/list")
	fmt.Println(ok, err)
	// Output:
	// ["a"] true <nil>
	// false <nil>
}
