package a2ui_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/limn-ui/limn/a2ui"
)

// A stream of v0.8 for a client of v0.9: the surface waits for its
// beginRendering and is created first, its root gets the id "root".
func ExampleTranslate() {
	in := strings.NewReader(`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"t","component":{"Text":{"text":{"path":"/name"},"usageHint":"h2"}}}]}}
{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"name","valueString":"Ada"}]}}
{"beginRendering":{"surfaceId":"s","root":"t","styles":{"font":"serif"}}}
`)
	err := a2ui.Translate(os.Stdout, in, a2ui.TranslatorOptions{To: a2ui.V10}, func(line int, l a2ui.Loss) {
		fmt.Println("line", line, l.What, l.Message)
	})
	fmt.Println(err)
	// Output:
	// line 3 theme the theme has no font
	// {"version":"1.0","createSurface":{"surfaceId":"s","catalogId":"https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"}}
	// {"version":"1.0","updateDataModel":{"surfaceId":"s","path":"/","value":{"name":"Ada"}}}
	// {"version":"1.0","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":{"@call":"formatString","args":{"value":"## ${/name}"}}}]}}
	// <nil>
}

// A server that speaks v0.9 serves a client of v0.8: what it sends is
// translated, and so is what the client answers.
func ExampleTranslator() {
	t := a2ui.NewTranslator(a2ui.TranslatorOptions{To: a2ui.V08})
	for _, m := range []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09)},
		&a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
			{ID: "root", Type: "Button", Props: []a2ui.Prop{{Name: "child", Value: a2ui.Ref("label")}, {Name: "action", Value: a2ui.Event{Name: "go"}}}},
			{ID: "label", Type: "Icon", Props: []a2ui.Prop{{Name: "name", Value: a2ui.String("play")}}},
		}},
	} {
		msgs, losses := t.Message(a2ui.V09, m)
		for _, out := range msgs {
			b, _ := a2ui.AppendMessage(nil, a2ui.V08, out)
			fmt.Println(string(b))
		}
		for _, l := range losses {
			fmt.Println(l.Component, l.What, l.Message)
		}
	}
	d, action, _ := t.Client(&a2ui.Action{Name: "go", SurfaceID: "s", Component: "c#root"})
	fmt.Println(d, action.(*a2ui.Action).Component)
	// Output:
	// {"surfaceUpdate":{"surfaceId":"s","components":[{"id":"c#root","component":{"Button":{"child":"c#label","action":{"name":"go"}}}},{"id":"c#label","component":{"Icon":{"name":{"literalString":"arrowForward"}}}}]}}
	// {"beginRendering":{"surfaceId":"s","root":"c#root","catalogId":"https://a2ui.org/specification/v0_8/standard_catalog_definition.json"}}
	// label icon there is no icon "play": arrowForward is shown
	// v0.9 root
}

// The error of an old client lacks what a new server needs.
func ExampleTranslateClient() {
	m, losses := a2ui.TranslateClient(a2ui.V08, a2ui.V10, &a2ui.ClientError{SurfaceID: "s", Message: "it broke"})
	fmt.Println(m.(*a2ui.ClientError).Code, losses[0].Path)
	// Output: CLIENT_ERROR /code
}
