package client_test

import (
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
